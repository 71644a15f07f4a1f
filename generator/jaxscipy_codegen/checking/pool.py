"""Many tasks over the cores."""

import itertools
import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

import jax

from jaxscipy_codegen.checking.one_function import run
from jaxscipy_codegen.checking.results import Result
from jaxscipy_codegen.checking.settings import Settings, Task

_ALONE = 3
"""Up to so many tasks aren't worth a second process."""
_FORGET = 40
"""After so many tasks a process drops what JAX has compiled: every function needs programs of its own."""


def results(tasks: Sequence[Task], settings: Settings, jobs: int, done: Callable[[Result], None]) -> list[Result]:
    """The results in the order of the tasks; `done` is told each one as it comes."""
    if jobs == 1 or len(tasks) <= _ALONE:
        found = []
        for task in tasks:
            found.append(_run(task, settings))
            done(found[-1])
        return found
    # Not fork: JAX has threads.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        futures = {pool.submit(_run, task, settings): k for k, task in enumerate(tasks)}
        by_task: dict[int, Result] = {}
        try:
            for future in as_completed(futures):
                by_task[futures[future]] = future.result()
                done(by_task[futures[future]])
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [by_task[k] for k in range(len(tasks))]


_count = itertools.count(1)


def _run(task: Task, settings: Settings) -> Result:
    result = run(task, settings)
    if next(_count) % _FORGET == 0:
        jax.clear_caches()
    return result


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
