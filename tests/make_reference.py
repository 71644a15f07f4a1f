"""Write `tests/reference/<function>.json`: derivatives from mpmath at points in the entries' `check` boxes.

    python tests/make_reference.py [NAME…]      # all functions without a file, or the named ones anew

mpmath evaluates the entry's `formula`, `reference` or definition in `definitions.py` (nothing of SciPy or of our rules
takes part) and differentiates it numerically at 40 digits and more. High precision is slow, hence the files;
`test_derivatives.py` computes a sample of them anew.
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
from definitions import DEFINITIONS
from jaxscipy_codegen.model import Discrete, Function, Kernel, Stencil, Unavailable
from jaxscipy_codegen.reference import NoReference, reference
from spec_entries import box_points, library, public_functions

FOLDER = Path(__file__).parent / "reference"
POINTS = 5


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


def exact(f: Callable[..., Any], argnum: int, order: int, args: list[Any]) -> complex:
    """The derivative of `f` in one argument, rounded once."""
    with mp.workdps(40 + 10 * order):
        value = mp.diff(lambda x: f(*args[:argnum], x, *args[argnum + 1 :]), mp.mpmathify(args[argnum]), order)
        return complex(value)


def rows(function: Function) -> Iterator[dict[str, Any]]:
    """One row per argument and kind of points; numbers as [re, im] where they are complex."""
    outputs = meanings(function)
    assert outputs is not None
    for argument, kind, points in samples(function):
        argnum = list(points[0]).index(argument)
        derivatives = {
            str(order): [[plain(exact(f, argnum, order, list(point.values()))) for point in points] for f in outputs]
            for order in orders(function, argument)
        }
        yield {
            "argument": argument,
            "kind": kind,
            "points": [{name: plain(x) for name, x in point.items()} for point in points],
            "derivatives": derivatives,
        }


def plain(x: Any) -> Any:
    """A number as JSON."""
    if isinstance(x, complex):
        return [x.real, x.imag] if x.imag else x.real
    return x


def main(names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    functions = public_functions()
    for name in names or [name for name in functions if not (FOLDER / f"{name}.json").exists()]:
        if meanings(functions[name]) is None:
            continue
        text = json.dumps(list(rows(functions[name])), indent=1)
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
