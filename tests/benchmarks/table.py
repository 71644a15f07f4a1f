"""`python tests/benchmarks/table.py`: time everything side by side in one run, and print a table.

All contenders of a task take turns, so that a machine that is busy for a while is busy for all of them. Times are
medians; the number behind each is its ratio to ours on the native path. `--json FILE` keeps them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
from contenders import NATIVE, SUBJECTS, Subject
from tasks import Task, takes_part, tasks

PACKAGES = ("jax", "numpy", "scipy", "chebax", "jaxbessel", "spexial", "tfp-nightly")

REFUSALS = (TypeError, ValueError, NotImplementedError, jax.errors.JaxRuntimeError)


def machine() -> str:
    """What the numbers were measured on."""
    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        names = [
            line.split(":")[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if "model name" in line
        ]
        model = names[0] if names else model
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def time_side_by_side(runs: dict[str, Callable[[], Any]], budget: float) -> dict[str, tuple[float, float]]:
    """Median seconds of wall time, and of CPU time, per run, by contender.

    One sample is half a millisecond of runs, shorter than a slice of the scheduler, or one run if that takes longer. At
    least three samples are taken, at most 200, and no more than `budget` seconds are spent on a contender.
    """
    repeats, rounds = {}, {}
    for name, run in runs.items():
        run()  # compile
        once = min(_timed(run, 1)[0] for _ in range(3))
        repeats[name] = max(1, min(1000, int(5e-4 / once)))
        rounds[name] = max(3, min(200, int(budget / (once * repeats[name]))))
    samples: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
    for k in range(max(rounds.values())):
        for name, run in runs.items():
            if k < rounds[name]:
                samples[name].append(_timed(run, repeats[name]))
    return {
        name: (statistics.median(wall for wall, _ in values), statistics.median(cpu for _, cpu in values))
        for name, values in samples.items()
    }


def _timed(run: Callable[[], Any], repeats: int) -> tuple[float, float]:
    cpu, wall = time.process_time(), time.perf_counter()
    for _ in range(repeats):
        run()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return wall / repeats, cpu / repeats


def measure(subject: Subject, task: Task, budget: float) -> dict[str, tuple[float, float]]:
    runs = {}
    for name, function in subject.contenders().items():
        if not takes_part(task, name):
            continue
        run = task.build(function, subject)
        try:
            run()
        except REFUSALS as fault:  # a peer that has no reverse mode, no second derivative
            warnings.warn(f"{subject.name}, {task.name}: {name} can't: {type(fault).__name__}", stacklevel=1)
            continue
        runs[name] = run
    return {name: (wall / task.per, cpu / task.per) for name, (wall, cpu) in time_side_by_side(runs, budget).items()}


def as_text(seconds: float) -> str:
    for unit, scale in (("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3)):
        if seconds < 1000 * scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds:.3g} s"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", help="a function whose name begins so")
    parser.add_argument("--largest", type=int, default=7, metavar="K", help="arrays of up to 10**K elements")
    parser.add_argument("--budget", type=float, default=1.0, help="seconds per contender and task")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    chosen = [s for s in SUBJECTS.values() if not options.only or s.name.startswith(tuple(options.only))]
    print(machine())
    print(", ".join(f"{name} {number}" for name, number in versions().items()))
    results: dict[str, dict[str, Any]] = {}
    for subject in chosen:
        print(f"\n{subject.name}")
        results[subject.name] = {}
        for task in tasks(options.largest):
            row = measure(subject, task, options.budget)
            results[subject.name][task.name] = row
            base = row.get(NATIVE, next(iter(row.values())))[0]
            cells = [f"{name} {as_text(wall)} ({wall / base:.3g})" for name, (wall, _) in row.items()]
            used = row[NATIVE][1] / row[NATIVE][0] if NATIVE in row else float("nan")
            print(f"  {task.name:<24}{'; '.join(cells)}; cores used by ours {used:.1f}", flush=True)
    if options.json:
        record = {"machine": machine(), "versions": versions(), "seconds": results}
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    sys.exit(main())
