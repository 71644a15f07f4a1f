"""`python tests/benchmarks/comparison.py`: write docs/comparison.md.

What others have is in field.csv: names, and by position the arguments in which each derivative is right, or silently
wrong. That was found by calling every counterpart and comparing value and derivatives with SciPy and with central
differences (torch: from its `derivatives.yaml`). Times are those that `table.py --json tests/benchmarks/measured.json`
kept. What is here is counted in the specs.
"""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jaxscipy_codegen.load import load
from jaxscipy_codegen.model import Discrete, Unavailable

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE = ROOT / "docs" / "comparison.md"

OURS = "jaxscipy_ext"
NATIVE = "jse native"
CPU = 1
"""Which of the two times of `measured.json` the page shows: wall, or CPU time of all threads together."""


@dataclass(frozen=True)
class Library:
    key: str
    """Its columns in field.csv."""
    name: str
    complex_numbers: str
    strength: str


LIBRARIES = (
    Library(
        "jax",
        "`jax.scipy.special`, 0.12",
        "8 functions",
        "XLA code: fused with what stands around it, native on GPU and TPU; nothing to install.",
    ),
    Library(
        "tfp",
        "TFP on JAX, nightly",
        "`dawsn`, `lambertw` in part",
        "XLA code with good inverse functions (`betaincinv`, `igammainv`), and logarithms of Bessel functions.",
    ),
    Library("pytensor", "PyTensor 3.0", "no", "Symbolic graphs that are simplified before they run."),
    Library("torch", "`torch.special`", "few", "CUDA kernels, in PyTorch."),
    Library(
        "chebax",
        "chebax 0.3",
        "no",
        "Chebyshev series without branches, made for GPUs, inside its boxes; order derivatives (`besselj_dnu`).",
    ),
    Library(
        "spexial",
        "spexial 0.2",
        "`spence`",
        "XLA code; spherical harmonics of Cartesian arguments and polylogarithms besides.",
    ),
)


def field() -> list[dict[str, str]]:
    with (HERE / "field.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@dataclass(frozen=True)
class Ours:
    ufuncs: int
    others: int
    differentiable: int
    complex: int


def count_ours(rows: list[dict[str, str]]) -> Ours:
    """Functions from the specs; those composed by hand are counted as functions, not as derivatives."""
    from status_table import covered

    ways: dict[str, list[Any]] = {}
    for module in load([ROOT / "specs"]):
        for name, function in module.definitions.items():
            ways[name] = [way for name, way in function.ways.items() if not function.args[name].static]
        ways |= {name: ways[entry.alias] for name, entry in module.aliases.items() if entry.alias in ways}
    names = covered()
    known = [row for row in rows if row["function"] in names]
    continuous = {
        name: [w for w in found if not isinstance(w, Discrete)] for name, found in ways.items() if name in names
    }
    return Ours(
        ufuncs=sum(row["ufunc"] == "yes" for row in known),
        others=len(names) - sum(row["ufunc"] == "yes" for row in known),
        differentiable=sum(any(not isinstance(way, Unavailable) for way in found) for found in continuous.values()),
        complex=sum(row["complex"] == "yes" for row in known),
    )


def coverage(rows: list[dict[str, str]], ours: Ours) -> str:
    total = sum(row["ufunc"] == "yes" for row in rows)
    lines = [
        f"| library | of {total} ufuncs | other functions | with a derivative | silently wrong derivative | complex |",
        "| --- | --- | --- | --- | --- | --- |",
        f"| **{OURS}** | {ours.ufuncs} | {ours.others} | {ours.differentiable} | 0 | {ours.complex}, as SciPy |",
    ]
    for library in LIBRARIES:
        here = [row for row in rows if row[library.key]]
        ufuncs = sum(row["ufunc"] == "yes" for row in here)
        right = sum(bool(row[f"{library.key}_right"]) for row in here)
        wrong = sum(bool(row.get(f"{library.key}_wrong")) for row in here)
        lines.append(
            f"| {library.name} | {ufuncs} | {len(here) - ufuncs} | {right} | {wrong or 0} | {library.complex_numbers} |"
        )
    return "\n".join(lines)


def who_has_what(rows: list[dict[str, str]]) -> str:
    """Every function that some library has, with the positions of the arguments in which its derivative is right."""
    names = [library.name.split(",")[0].split(" ")[0] for library in LIBRARIES]
    lines = [f"| function | {' | '.join(names)} |", "| --- " * (len(names) + 1) + "|"]
    lines += [
        f"| `{row['function']}` | {' | '.join(_cell(row, library.key) for library in LIBRARIES)} |"
        for row in rows
        if any(row[library.key] for library in LIBRARIES)
    ]
    return "\n".join(lines)


def _cell(row: dict[str, str], key: str) -> str:
    if not row[key]:
        return ""
    right, wrong = row[f"{key}_right"].split(), (row.get(f"{key}_wrong") or "").split()
    parts = [", ".join(str(int(k) + 1) for k in right) if right else "value only"]
    if wrong:
        parts.append("**wrong: " + ", ".join(str(int(k) + 1) for k in wrong) + "**")
    if "partial" in row[key] or "only" in row[key]:
        parts.append("(in part)")
    return " ".join(parts)


def speed(record: dict[str, Any]) -> str:
    """One table per function: our time, and the others' as multiples of it."""
    parts = []
    for function, tasks in record["seconds"].items():
        names = list(dict.fromkeys(name for row in tasks.values() for name in row if name != NATIVE))
        parts += [f"\n### `{function}`\n", f"| | ours | {' | '.join(names)} |", "| --- " * (len(names) + 2) + "|"]
        for task, row in tasks.items():
            base = row[NATIVE][CPU]
            cells = [_times(row[name][CPU] / base) if name in row else "" for name in names]
            parts.append(f"| {task} | {_seconds(base)} | {' | '.join(cells)} |")
    return "\n".join(parts)


def faster_than_ours(record: dict[str, Any]) -> str:
    """Sentences for every peer that was clearly faster in some task."""
    lines = []
    for function, tasks in record["seconds"].items():
        for name in dict.fromkeys(n for row in tasks.values() for n in row):
            if name in (NATIVE, "jse callback", "SciPy"):
                continue
            ahead = {t: row[NATIVE][CPU] / row[name][CPU] for t, row in tasks.items() if name in row}
            ahead = {task: ratio for task, ratio in ahead.items() if ratio > 1.25}
            if ahead:
                what = ", ".join(f"{task} ({ratio:.1f}×)" for task, ratio in ahead.items())
                lines.append(f"- `{function}`: {name} is faster in {what}.")
    return "\n".join(lines)


def _times(ratio: float) -> str:
    text = f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"
    return f"**{text}**" if ratio < 0.8 else text


def _seconds(value: float) -> str:
    for unit, scale in (("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3)):
        if value < 1000 * scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value:.3g} s"


def text() -> str:
    rows = field()
    record = json.loads((HERE / "measured.json").read_text(encoding="utf-8"))
    versions = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
    better = "\n".join(f"- *{library.name}*: {library.strength}" for library in LIBRARIES)
    return f"""% Written by tests/benchmarks/comparison.py from field.csv, measured.json and the specs. Do not edit.

# Comparison

Who else has these functions for automatic differentiation, how far, and how fast. Every line was found by running the
libraries, not by reading their documentation (torch: from its table of derivatives).

## Coverage and derivatives

{coverage(rows, count_ours(rows))}

*With a derivative* counts functions with a right derivative in at least one argument; *silently wrong* those that
answer 0 where the derivative is not 0 (the orders of TFP's `bessel_ive` and `bessel_kve`, the parameters of its
`hyp2f1`). Here an argument without a derivative raises `DerivativeUnavailable`, with the reason; the
[status table](status.md) names the way for each one. Functions that are composed of others by hand have the derivatives
of their parts and are not in that count. Our own faults that are known are listed as
[exceptions](explanation/accuracy-policy.md#known-exceptions).

Parameters and orders are where libraries differ most. `jax.scipy.special.betainc` has no derivative in `a` and `b`,
PyTensor none in the order of Bessel functions, torch none for its Bessel functions at all; chebax has order derivatives
as functions of their own, for orders from 0 to 10 that are Python numbers. SciPy itself, with `SCIPY_ARRAY_API=1`,
hands about ninety functions on to JAX, half of them by a callback without `vmap` and derivatives.

## Speed

{record["machine"]}; {versions}.

float64; in each table all took turns in one run. The numbers are medians of the CPU time that all threads take
together, which says what a call costs whatever else the machine does. *ours* is the native path; the other columns are
multiples of it, so that a number above 1 means that theirs costs more. A bold one means that it costs clearly less.
{speed(record)}

The *jitted call* and the *scan step* are for one number. `JAX docs' callback` is SciPy through `jax.pure_callback`, as
the page "External callbacks" of JAX's documentation shows it; `jse callback` is our path where no native library is.
Plain SciPy has neither `jit` nor derivatives, and no dispatch to pay for: it's the floor for small calls. The wall time
of large arrays is smaller here than the table tells: they go over all cores, where SciPy takes one. `python
tests/benchmarks/table.py` measures both on your machine.

## Where others are better

{faster_than_ours(record)}

That is what native code gives: one fused loop, vectorised over elements, where SciPy's own loops go one element at a
time and end at the call. On a GPU or TPU their code runs on the device; ours sends the arguments to the host and the
result back, which stops the device each time. If a native function exists for what you need, is accurate in your
region, and has the derivatives that you need, take it there:

{better}

The price of native code is its region: series and recurrences that hold for some arguments, while SciPy's routines are
made for all. [Callback, FFI, or a native function](explanation/which-path.md) shows what to check.

## Function by function

The numbers are the arguments, counted from 1 in SciPy's order, in which the library has a right derivative. Functions
that are not listed, {sum(not any(row[lib.key] for lib in LIBRARIES) for row in rows)} of {len(rows)}, are in none of
these libraries.

{who_has_what(rows)}
"""


def main() -> int:
    sys.path.insert(0, str(HERE.parent))
    PAGE.write_text(text(), encoding="utf-8", newline="\n")
    print(f"wrote {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
