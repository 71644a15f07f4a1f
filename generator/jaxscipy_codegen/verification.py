"""Many checks: over the cores, with a progress bar on a terminal, and a table at the end."""

import importlib
import itertools
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from jaxscipy_codegen import write
from jaxscipy_codegen.checking import Result, Settings, Task, run
from jaxscipy_codegen.generate import Job

_ALONE = 3
"""Up to so many tasks aren't worth a second process."""
_FORGET = 40
"""After so many tasks a process drops what JAX has compiled: every function needs programs of its own."""


@contextmanager
def generated(settings: Settings) -> Generator[Settings, None, None]:
    """The settings with the folder of the modules that the user's specs describe, generated for the time being.

    Rules aren't verified on the way: that is what the checks are for. Raises `SpecError`.
    """
    if not settings.specs:
        yield settings
        return
    with tempfile.TemporaryDirectory(prefix="jaxscipy_check_") as folder:
        out = Path(folder) / Path(folder).name
        job = Job.of([Path(spec) for spec in settings.specs], out)
        write.apply(write.changes(job.files(lambda name: None, verified=False)))
        yield replace(settings, package=str(out))


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
        importlib.import_module("jax").clear_caches()
    return result


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Progress:
    """A bar on a terminal; elsewhere nothing, or a run in a log would be longer than its result."""

    def __init__(self, total: int) -> None:
        self.total, self.count, self.failed, self.started = total, 0, 0, time.monotonic()

    def __call__(self, result: Result) -> None:
        self.count += 1
        self.failed += not result.passed
        if not sys.stderr.isatty():
            return
        seconds = time.monotonic() - self.started
        left = seconds / self.count * (self.total - self.count)
        bar = "█" * round(24 * self.count / self.total)
        text = f"{bar:░<24} {self.count}/{self.total}  {left / 60:.0f}:{left % 60:02.0f} left"
        text += f"  {self.failed} failed" if self.failed else ""
        end = "\n" if self.count == self.total else ""
        print(f"\r\x1b[K{text}  {result.task.name}", end=end, file=sys.stderr, flush=True)


def table(found: Sequence[Result]) -> Iterator[str]:
    """One line per function: the largest error of values and derivatives in every precision."""
    width = max(len(result.task.name) for result in found)
    columns = list(dict.fromkeys((result.task.dtype, result.task.backend) for result in found))
    several = len({backend for _, backend in columns}) > 1
    titles = [f"{dtype} {backend}" if several else dtype for dtype, backend in columns]
    yield f"{'function':<{width}}  {'':<4}  " + "  ".join(f"{title:>{max(len(title), 8)}}" for title in titles)
    by_name: dict[str, dict[tuple[str, str], Result]] = {}
    for result in found:
        by_name.setdefault(result.task.name, {})[(result.task.dtype, result.task.backend)] = result
    for name, row in by_name.items():
        state = "ok" if all(result.passed for result in row.values()) else "FAIL"
        cells = [
            f"{_largest(row[column]) if column in row else '':>{max(len(title), 8)}}"
            for column, title in zip(columns, titles, strict=True)
        ]
        yield f"{name:<{width}}  {state:<4}  {'  '.join(cells)}".rstrip()


def _largest(result: Result) -> str:
    return f"{max((check.error for check in result.checks), default=0.0):.0e}"


def failure(result: Result) -> str:
    """What failed: the worst point, both numbers, the error, and what to run to see it again."""
    worst = result.failures[0]
    lines = [f"{result.task.name} ({result.task.dtype}, {result.task.backend}): {worst.what}: {_reason(worst)}"]
    if worst.worst is not None:
        inputs = ", ".join(f"{n} = {v!r}" for n, v in zip(result.arguments, worst.worst.inputs, strict=False))
        lines.append(f"    inputs    {inputs}")
        lines.append(f"    expected  {worst.worst.expected!r}")
        lines.append(f"    got       {worst.worst.got!r}")
        lines.append(f"    error     {worst.error:.3g} relative")
    others = [check.what for check in result.failures[1:]]
    if others:
        lines.append(f"    also      {', '.join(dict.fromkeys(others))}")
    lines.append(f"    again     {result.command}{f' --transform {worst.transform}' if worst.transform else ''}")
    return "\n".join(lines)


def _reason(check: object) -> str:
    return getattr(check, "note", "") or "wrong at the point below"
