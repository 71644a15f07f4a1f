"""The table of reference values in reference_distributions.csv, and the error of a kernel against it."""

import csv
import functools
from collections import defaultdict
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np

_TABLE = Path(__file__).with_name("reference_distributions.csv")


@functools.cache
def _rows() -> dict[str, list[tuple[tuple[Any, ...], Any]]]:
    mp.mp.dps = 25
    table = defaultdict(list)
    with _TABLE.open() as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            args = tuple(complex(a) if "j" in a else float(a) for a in row["arguments"].split(";"))
            table[row["kernel"]].append((args, mp.mpc(row["real"], row["imag"] or 0)))
    return dict(table)


def worst(name: str, kernel: Any, kind: type | None = None) -> tuple[float, tuple[Any, ...]]:
    """(largest relative error of `kernel` on the rows of `name`, the arguments there).

    `kind`: only the rows whose last argument is a float, or a complex number.
    """
    rows = [(a, v) for a, v in _rows()[name] if kind is None or isinstance(a[-1], kind)]
    assert len(rows) >= 5, f"{name}: the table has {len(rows)} rows"
    values = kernel(*(np.array(column) for column in zip(*(a for a, _ in rows), strict=True)))
    errors = [
        float(abs(mp.mpmathify(complex(got)) - want) / abs(want)) for got, (_, want) in zip(values, rows, strict=True)
    ]
    at = int(np.argmax(np.where(np.isnan(errors), np.inf, errors)))
    return errors[at], rows[at][0]


def assert_close(name: str, kernel: Any, tolerance: float, kind: type | None = None) -> None:
    error, args = worst(name, kernel, kind)
    assert error <= tolerance, f"{name}{args}: relative error {error:.1e}"
