"""The reference values in reference.csv, and the largest error of a kernel against them."""

import csv
import functools
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

_TABLE = Path(__file__).with_name("reference.csv")

MODULES = [
    "bessel", "hypergeometric", "parabolic", "struve", "jacobi", "laguerre", "legendre", "wright", "mathieu",
    "mathieu_modified", "spheroidal", "spheroidal_radial", "ellipsoidal",
]  # fmt: skip
"""Modules of kernels in orders, degrees and shapes; the distributions' have tests of their own."""


def _number(text: str) -> complex:
    real, _, imag = text.partition(";")
    return complex(float(real), float(imag or 0))


@functools.cache
def _rows() -> dict[str, list[tuple[tuple[Any, ...], list[complex]]]]:
    table = defaultdict(list)
    with _TABLE.open() as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            args = tuple(complex(a) if "j" in a else float(a) for a in row["arguments"].split(";"))
            table[row["kernel"]].append((args, [_number(row[key]) for key in ("value", "value2") if row[key]]))
    return dict(table)


def kernels() -> list[tuple[str, type]]:
    """All (kernel, type of its last argument) of the table."""
    return [(name, kind) for name, rows in _rows().items() for kind in {type(args[-1]): None for args, _ in rows}]


def largest_error(
    name: str, kernel: Any, kind: type, leave_out: tuple[Any, ...] | None = None
) -> tuple[float, tuple[Any, ...]]:
    """(largest error relative to the reference, arguments there), over the rows whose last argument is of `kind`."""
    rows = [(args, want) for args, want in _rows()[name] if isinstance(args[-1], kind) and args != leave_out]
    got = kernel(*(np.array(column) for column in zip(*(args for args, _ in rows), strict=True)))
    got = np.stack(got) if isinstance(got, tuple) else np.asarray(got)[None]
    want = np.array([values for _, values in rows]).T
    errors = (np.abs(got - want) / np.abs(want)).max(0)
    at = int(np.argmax(np.where(np.isnan(errors), np.inf, errors)))
    return float(errors[at]), rows[at][0]
