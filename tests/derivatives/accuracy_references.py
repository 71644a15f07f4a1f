"""Compute mpmath's values and derivatives on the domains of accuracy_domains.py, and keep them.

    python tests/derivatives/accuracy_references.py [NAME...]      # all that are missing, or those named

Each derivative is a central difference of the definition with relative step 1e-20. It is taken twice, at a working
precision and at twice that, which is raised until the two agree to 20 digits: what cancels, in the difference or inside
the definition, is paid for in digits and not believed. The results are kept in tests/reference/derivatives, rounded to
float64: arguments, value and derivatives of every point. Points whose value or derivative leaves 1e-290 ... 1e290, and
those that take mpmath more than half a minute, are left out. gmpy2, if it is installed, makes mpmath much faster.
"""

import itertools
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
from accuracy_domains import ENTRIES, Entry

FOLDER = Path(__file__).parents[1] / "reference" / "derivatives"
SMALLEST, LARGEST = 1e-290, 1e290
_FIRST_DIGITS, _MOST_DIGITS = 45, 720
_AGREEMENT = mp.mpf("1e-20")
_SECONDS = 30


def _outputs(value: Any) -> list[Any]:
    return list(value) if isinstance(value, tuple) else [value]


def _difference(f: Any, k: int, args: list[Any]) -> tuple[list[Any], list[Any]]:
    """Values and derivatives in argument k at the working precision."""
    h = mp.mpf(10) ** -20 * (abs(args[k]) if abs(args[k]) > 1e-100 else 1)
    low, high = (_outputs(f(*args[:k], args[k] + s * h, *args[k + 1 :])) for s in (-1, 1))
    pairs = list(zip(low, high, strict=True))
    return [(a + b) / 2 for a, b in pairs], [(b - a) / (2 * h) for a, b in pairs]


def _flat(found: tuple[list[Any], list[list[Any]]]) -> list[Any]:
    return [*found[0], *itertools.chain.from_iterable(found[1])]


def _agree(a: list[Any], b: list[Any]) -> bool:
    return all(abs(x - y) <= _AGREEMENT * abs(y) for x, y in zip(a, b, strict=True))


def _at(entry: Entry, point: tuple[Any, ...]) -> tuple[list[Any], list[list[Any]]]:
    """(values, derivatives per argument) at the working precision."""
    args = [mp.mpmathify(a) for a in point]
    if entry.inverse is None:
        found = [_difference(entry.reference, k, args) for k in entry.arguments.values()]
        return found[0][0], [slopes for _, slopes in found]
    x = entry.inverse
    for _ in range(60):  # Newton's method in x, to where the forward function is y; args[x] starts close by
        (value,), (density,) = _difference(entry.reference, x, args)
        step = (value - _target(entry, point)) / density
        args[x] -= step
        if abs(step) < abs(args[x]) * mp.mpf(10) ** (-mp.mp.dps // 2):
            break
    (_,), (density,) = _difference(entry.reference, x, args)
    return [args[x]], [[-_difference(entry.reference, k, args)[1][0] / density] for k in entry.arguments.values()]


def _target(entry: Entry, point: tuple[Any, ...]) -> Any:
    """The float64 value whose inverse is asked for."""
    with mp.workdps(60):
        return mp.mpf(float(entry.reference(*(mp.mpmathify(a) for a in point))))


def compute(entry: Entry, point: tuple[Any, ...]) -> tuple[list[Any], list[list[Any]]] | None:
    """As `_at`, sure to 20 digits; None where that can't be had."""
    digits = _FIRST_DIGITS
    with mp.workdps(digits):
        old = _at(entry, point)
    while digits < _MOST_DIGITS:
        digits *= 2
        with mp.workdps(digits):
            new = _at(entry, point)
        if _agree(_flat(old), _flat(new)):
            return new
        old = new
    return None


class _TooLong(Exception):
    pass


def _stop(*_: Any) -> None:
    raise _TooLong


def _in_range(values: list[Any]) -> bool:
    return all(SMALLEST < abs(v) < LARGEST for v in values)


def references(entry: Entry, count: int) -> dict[str, Any]:
    """Columns of `count` points drawn with the entry's own seed."""
    signal.signal(signal.SIGALRM, _stop)
    r = random.Random(entry.name)
    points, values, slopes, tries = [], [], [], 0
    while len(points) < count and tries < 4 * count:
        tries += 1
        point = entry.draw(r)
        signal.alarm(_SECONDS)
        try:
            given = point
            if entry.inverse is not None:
                y = float(_target(entry, point))
                if not SMALLEST < y < 1 - 1e-10:
                    continue
                given = (*point[: entry.inverse], y, *point[entry.inverse + 1 :])
            found = compute(entry, point)
        except (ValueError, TypeError, ZeroDivisionError, OverflowError, _TooLong, mp.mp.NoConvergence):
            continue
        finally:
            signal.alarm(0)
        if found is None or not _in_range(_flat(found)):
            continue
        points.append(given)
        values.append([complex(v) for v in found[0]])
        slopes.append([[complex(s) for s in row] for row in found[1]])
    is_complex = entry.kind == "complex" or any(np.imag(values).flat)
    as_is = np.asarray if is_complex else np.real
    return {"args": np.array(points), "value": as_is(np.array(values)), "slope": as_is(np.array(slopes))}


def path(entry: Entry) -> Path:
    return FOLDER / f"{entry.name}.npz"


def load(entry: Entry) -> dict[str, Any]:
    with np.load(path(entry)) as file:
        return dict(file)


def main(names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for entry in ENTRIES:
        if entry.name not in names if names else path(entry).exists():
            continue
        start = time.perf_counter()
        table = references(entry, entry.points)
        np.savez_compressed(path(entry), **table)
        print(f"{entry.name}: {len(table['args'])} points, {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
