"""Compute the stored references anew, and print where a point or a value differs from what is stored.

    python tests/check_references.py                    # all: hours
    python tests/check_references.py jv reference.csv   # functions, or tables under tests/derivatives
    python tests/check_references.py jv --points 3      # the first points of its domains in tests/reference/derivatives

The scripts refuse what two working precisions don't agree on. What differs here is what they would no longer write: a
definition, a box of points or mpmath has changed. The exit status is 1 then.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import make_reference
import numpy as np

DERIVATIVES = Path(__file__).parent / "derivatives"
sys.path.insert(0, str(DERIVATIVES))
TABLES = {"reference.csv": "make_reference_orders.py", "reference_distributions.csv": "make_reference_distributions.py"}
INVERSES = "reference_inverses.json"
TOLERANCE = 1e-15


def leaves(tree: Any) -> list[Any]:
    """Numbers and texts of what JSON holds, in order."""
    if isinstance(tree, dict | list):
        return [leaf for part in (tree.values() if isinstance(tree, dict) else tree) for leaf in leaves(part)]
    return [tree]


def same(stored: Any, new: Any) -> bool:
    if isinstance(stored, str) or isinstance(new, str):
        return stored == new
    return abs(new - stored) <= TOLERANCE * abs(stored)


def derivatives(name: str) -> Iterator[str]:
    stored = leaves(json.loads((make_reference.FOLDER / f"{name}.json").read_text(encoding="utf-8")))
    new = leaves(json.loads(make_reference.text(make_reference.public_functions()[name])))
    if len(stored) != len(new):
        yield f"{len(new)} values, {len(stored)} are stored"
    yield from (f"{a} is stored, not {b}" for a, b in zip(stored, new, strict=False) if not same(a, b))


def lines(name: str) -> Iterator[str]:
    script = [sys.executable, str(DERIVATIVES / TABLES[name])]
    new = subprocess.run(script, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    stored = (DERIVATIVES / name).read_text(encoding="utf-8").splitlines()
    if len(stored) != len(new):
        yield f"{len(new)} lines, {len(stored)} are stored"
    yield from (f"{a} is stored, not {b}" for a, b in zip(stored, new, strict=False) if not same_line(a, b))


def same_line(stored: str, new: str) -> bool:
    """Comments apart, up to the last of the 25 digits."""
    (key, *values), (new_key, *new_values) = (re.split("[,;]", line) for line in (stored, new))
    if stored.startswith("#") or key == "kernel":
        return new.startswith(stored[0])
    numbers = [[complex(x or "0") for x in columns] for columns in (values, new_values)]
    return key == new_key and len(values) == len(new_values) and np.allclose(*numbers, rtol=TOLERANCE, atol=0)


def inverses() -> Iterator[str]:
    import make_reference_inverses

    stored = json.loads(make_reference_inverses.TABLE.read_text(encoding="utf-8"))
    new = make_reference_inverses.table()
    if stored.keys() != new.keys():
        yield f"functions {stored.keys() ^ new.keys()}"
    for name in stored.keys() & new.keys():
        yield from (
            f"{name}: {a} is stored, not {b}"
            for a, b in zip(leaves(stored[name]), leaves(new[name]), strict=True)
            if not same(a, b)
        )


def domains(name: str, points: int | None) -> Iterator[str]:
    import accuracy_references

    for entry in accuracy_references.ENTRIES:
        if entry.function == name and accuracy_references.path(entry).exists():
            stored = accuracy_references.load(entry)
            new = accuracy_references.references(entry, points or entry.points)
            for column, values in new.items():
                if not np.allclose(values, stored[column][: len(values)], rtol=TOLERANCE, atol=0):
                    yield f"{accuracy_references.path(entry).name}: {column} differ"


def differences(name: str, points: int | None) -> Iterator[str]:
    if name in TABLES:
        yield from lines(name)
    elif name == INVERSES:
        yield from inverses()
    else:
        if (make_reference.FOLDER / f"{name}.json").exists():
            yield from derivatives(name)
        yield from domains(name, points)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=[*make_reference.public_functions(), *TABLES, INVERSES])
    parser.add_argument("--points", type=int, help="of each domain, the first so many (default: all)")
    options = parser.parse_args()
    status = 0
    for name in options.names:
        found = list(differences(name, options.points))
        print(f"{name}: {'as stored' if not found else f'{len(found)} differ'}", *found, sep="\n  ", flush=True)
        status = status or int(bool(found))
    return status


if __name__ == "__main__":
    sys.exit(main())
