"""Write `tests/reference/<function>.json`: derivatives from mpmath at points in the entries' `check` boxes.

    python tests/make_reference.py [NAME…]      # all functions without a file, or the named ones anew

mpmath evaluates the entry's `formula`, `reference` or definition in `definitions.py` (nothing of SciPy or of our rules
takes part) and differentiates it numerically, at 40 digits and more and then at 20 more, until two precisions agree to
20 digits; those are written. Sums and matrices are cut off later at the higher one. High precision is slow, hence the
files; `test_derivatives.py` computes a sample of them anew, `check_references.py` all.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
from agreement import DIGITS, agreed
from definitions import DEFINITIONS
from jaxscipy_codegen.model import Discrete, Function, Kernel, Stencil, Unavailable
from jaxscipy_codegen.reference import NoReference, reference
from spec_entries import box_points, library, public_functions

FOLDER = Path(__file__).parent / "reference"
POINTS = 5
NOISE = mp.mpf("1e-60")
"""Of a difference quotient where the derivative is exactly zero."""


def meanings(function: Function) -> list[Callable[..., Any]] | None:
    """The outputs in mpmath; None where neither `DEFINITIONS` nor the entry has a meaning to evaluate."""
    if function.name in DEFINITIONS:
        return DEFINITIONS[function.name]
    try:
        return [reference(library(), function.name, output) for output in function.results]
    except NoReference:
        return None


def differentiable(function: Function) -> list[str]:
    """The arguments that are neither counted nor without a rule (degrees that may be real are tested as kernels)."""
    return [
        name
        for name, way in function.ways.items()
        if not isinstance(way, Discrete | Unavailable) and function.args[name].domain.kind != "integer"
    ]


def orders(function: Function, argument: str) -> list[int]:
    """Third derivatives in what is closed; what has kernels or stencils goes as far as its `orders`, second at most."""
    way = function.ways[argument]
    if function.name in DEFINITIONS:
        return [1, 2]
    return list(range(1, min(way.orders, 2) + 1)) if isinstance(way, Kernel | Stencil) else [1, 2, 3]


def is_holomorphic(function: Function) -> bool:
    """False where some partial has real-linear terms: mpmath's derivative is along the real axis only."""
    return not any(getattr(way, "real", None) or getattr(way, "imag", None) for way in function.ways.values())


def samples(function: Function) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """(argument, "real" or "complex", points) for everything that is to be differentiated."""
    for argument in differentiable(function):
        seed, count = len(function.name), 3 if function.name in DEFINITIONS else POINTS
        if function.args[argument].dtype != "complex":
            yield argument, "real", list(box_points(function, count, seed))
        if function.args[argument].kind in ("complex", "always-complex") and is_holomorphic(function):
            points = list(box_points(function, count, seed + 1))
            rng = np.random.default_rng(5)
            for point in points:
                point[argument] = complex(point[argument], rng.uniform(-2, 2))
            yield argument, "complex", points


def derivative(f: Callable[..., Any], argnum: int, order: int, args: list[Any]) -> Any:
    """The derivative of `f` in one argument at the working precision."""
    return mp.diff(lambda x: f(*args[:argnum], x, *args[argnum + 1 :]), mp.mpmathify(args[argnum]), order)


def exact(f: Callable[..., Any], argnum: int, order: int, args: list[Any]) -> Any:
    """The derivative of `f` in one argument, sure to 20 digits."""
    return agreed(lambda: derivative(f, argnum, order, args), 40 + 10 * order, steps=4, noise=NOISE)


def rows(function: Function) -> Iterator[dict[str, Any]]:
    """One row per argument and kind of points."""
    outputs = meanings(function)
    assert outputs is not None
    for argument, kind, points in samples(function):
        argnum = list(points[0]).index(argument)
        derivatives = {
            str(order): [[exact(f, argnum, order, list(point.values())) for point in points] for f in outputs]
            for order in orders(function, argument)
        }
        yield {"argument": argument, "kind": kind, "points": points, "derivatives": derivatives}


def number(x: Any) -> Any:
    """A number as `_json` reads it: mpmath's with their digits, complex ones as [re, im]."""
    if isinstance(x, complex | mp.mpc):
        return [number(x.real), number(x.imag)] if abs(x.imag) > NOISE else number(x.real)
    return f"number {mp.nstr(x, DIGITS, strip_zeros=False)}" if isinstance(x, mp.mpf) else x


def text(function: Function) -> str:
    """The file's contents. JSON's numbers may have any number of digits."""
    quoted = json.dumps(list(rows(function)), default=number, indent=1)
    return re.sub(r'"number ([^"]*)"', r"\1", quoted) + "\n"


def main(names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    functions = public_functions()
    for name in names or [name for name in functions if not (FOLDER / f"{name}.json").exists()]:
        if meanings(functions[name]) is None:
            continue
        (FOLDER / f"{name}.json").write_text(text(functions[name]), encoding="utf-8")
        print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
