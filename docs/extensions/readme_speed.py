"""The speed table in the README, from `tests/benchmarks/readme.json`, which a run of the benchmark has left.

    python tests/benchmarks/table.py --only jv --largest 4 --json tests/benchmarks/readme.json
    python docs/extensions/readme_speed.py

CPU time, not time on the clock: it is the same on a machine that is busy.
"""

import json
from pathlib import Path

import readme_table

ROOT = Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- speed: python docs/extensions/readme_speed.py -->", "<!-- end of speed -->"
OURS, BY_HAND = "jse native", "JAX docs' callback"
ROWS = {
    "jitted call": "a jitted call",
    "scan step": "a step of `lax.scan`",
    "10^2 elements": "100 elements",
    "value_and_grad of 10^4": "value and gradient, 10 000 elements",
}


def table() -> str:
    """The table, with the machine that it was measured on."""
    measured = json.loads((ROOT / "tests" / "benchmarks" / "readme.json").read_text(encoding="utf-8"))
    (subject, tasks), *_ = measured["seconds"].items()
    lines = [f"| CPU time of `{subject}` | here | hand-written callback | |", "| --- | ---: | ---: | ---: |"]
    for task, words in ROWS.items():
        _, ours = tasks[task][OURS]
        _, by_hand = tasks[task][BY_HAND]
        ratio = by_hand / ours
        factor = f"{ratio:.0f} ×" if ratio >= 10 else f"{ratio:.1f} ×"
        lines.append(f"| {words} | {_time(ours)} | {_time(by_hand)} | {factor} |")
    versions = ", ".join(f"{name} {number}" for name, number in measured["versions"].items())
    return "\n".join([*lines, "", f"({measured['machine']}; {versions}.)"])


def _time(seconds: float) -> str:
    unit, size = ("ms", 1e-3) if seconds >= 1e-3 else ("µs", 1e-6)
    return f"{seconds / size:.2g} {unit}" if seconds / size < 100 else f"{seconds / size:.0f} {unit}"


if __name__ == "__main__":
    readme_table.replace(BEGIN, END, table())
