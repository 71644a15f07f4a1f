"""Many tasks over the cores, a function at a time."""

import multiprocessing
import os
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import groupby

import jax

from jaxscipy_codegen import interrupts
from jaxscipy_codegen.checking.one_function import run
from jaxscipy_codegen.checking.results import Result
from jaxscipy_codegen.checking.settings import Settings, Task

_ALONE = 3
"""Up to so many tasks aren't worth a second process."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with the results that were there already."""

    def __init__(self, found: list[Result], total: int) -> None:
        super().__init__(f"{len(found)} of {total} runs were through")
        self.found = found


def results(tasks: Sequence[Task], settings: Settings, jobs: int, done: Callable[[Result], None]) -> list[Result]:
    """The results in the order of the tasks; `done` is told each one as it comes. Raises `Interrupted`."""
    groups = [list(group) for _, group in groupby(tasks, lambda task: (task.backend, task.name))]
    by_task: dict[Task, Result] = {}

    def take(found: list[Result]) -> None:
        for result in found:
            by_task[result.task] = result
            done(result)

    try:
        if jobs == 1 or len(groups) == 1 or len(tasks) <= _ALONE:
            for group in groups:
                take(_run(group, settings))
        else:
            _over_processes(groups, settings, min(jobs, len(groups)), take)
    except KeyboardInterrupt:
        raise Interrupted([by_task[task] for task in tasks if task in by_task], len(tasks)) from None
    return [by_task[task] for task in tasks]


def _over_processes(
    groups: list[list[Task]], settings: Settings, jobs: int, take: Callable[[list[Result]], None]
) -> None:
    # Not fork: JAX has threads.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, interrupts.left_to_the_parent) as pool:
        futures = [pool.submit(_run, group, settings) for group in groups]
        try:
            for future in as_completed(futures):
                take(future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()  # a function may take half a minute
            raise


def _run(tasks: list[Task], settings: Settings) -> list[Result]:
    """One function. What JAX has compiled for it is dropped then: else a process grows to gigabytes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of hosts that doubt their digits: the comparisons see it themselves
        found = [run(task, settings) for task in tasks]
    jax.clear_caches()
    return found


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
