"""What `import jaxscipy_ext` adds to `import jax, scipy.special`: `python tests/benchmarks/import_time.py [PAIRS]`.

Whole processes, so that what the interpreter does at its end counts, too; both in turns, so that what else the machine
does falls on both; the processor's time, because a process that waits isn't slow.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys

BASE = "import jax, jax.numpy, scipy.special"
OURS = BASE + ", jaxscipy_ext"


def processor_seconds(code: str) -> float:
    """Of a new process of this interpreter."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def pairs(count: int) -> list[tuple[float, float]]:
    """Seconds without and with ours, `count` times in turns, bytecode being there."""
    processor_seconds(OURS)
    return [(processor_seconds(BASE), processor_seconds(OURS)) for _ in range(count)]


def added(seconds: list[tuple[float, float]]) -> float:
    """The median of the differences."""
    return statistics.median(ours - base for base, ours in seconds)


def ratio(seconds: list[tuple[float, float]]) -> float:
    """The median of the ratios."""
    return statistics.median(ours / base for base, ours in seconds)


if __name__ == "__main__":
    found = pairs(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
    print(f"import jaxscipy_ext adds {1e3 * added(found):.0f} ms ({ratio(found):.2f} times the time without)")
