"""The entries of the shipped specs, as parameters of tests: what is tested is what is specified."""

import functools
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy
import scipy.special
from jaxscipy_codegen import _resources, hosts, load
from jaxscipy_codegen.model import Function, Library
from numpy.typing import NDArray

REALS = [
    0.0,
    -0.0,
    0.5,
    1.0,
    -1.0,
    2.5,
    -2.5,
    3.0,
    -0.25,
    1e-5,
    10.25,
    -20.0,
    100.5,
    700.6,
    -1e4,
    np.inf,
    -np.inf,
    np.nan,
]
COMPLEX = [
    0j,
    1 + 0j,
    -1 + 0j,
    0.5 - 2j,
    -2.5 + 0.25j,
    3j,
    -10j,
    20 + 30j,
    -50.5 - 1j,
    1e-5 + 1e-5j,
    complex(np.nan, 1),
]
INTEGERS = [0, 1, 2, 3, 7, -1, -2, 40]
_MOST_POINTS = 300
# Modules and functions where SciPy itself crashes, raises or runs for minutes on parameters such as 1e4 or -1e4.
_FRAGILE = frozenset({"lame", "mathieu", "parabolic", "spheroidal", "hyp1f1", "hyperu", "lpmv", "multigammaln"})


@functools.cache
def library() -> Library:
    """All shipped specs."""
    return load.load([_resources.specs()])


def public_functions() -> dict[str, Function]:
    """Every public function that the installed SciPy has, by name (aliases apart)."""
    return {
        name: function
        for module in library()
        for name, function in module.definitions.items()
        if function.public and hosts.is_available(function)
    }


def has_complex_loop(function: Function) -> bool:
    return any(arg.kind in ("complex", "always-complex") for arg in function.args.values())


def special_points(function: Function, dtype: type[np.inexact[Any]]) -> list[NDArray[Any]]:
    """A grid over special values of every argument that isn't static, thinned with a fixed seed."""
    if _FRAGILE & {library().module_of(function.name).module, function.name}:
        points = list(box_points(function, 40))
        return [
            np.array([point[name] for point in points]).astype(_dtype_of(function, name, dtype)) for name in points[0]
        ]
    is_complex = np.issubdtype(dtype, np.complexfloating)
    columns: list[list[Any]] = []
    dtypes: list[Any] = []
    for arg in function.args.values():
        match arg.kind:
            case "static":
                continue
            case "integer":
                columns.append(INTEGERS)
                dtypes.append(np.int64)
            case "complex" | "always-complex" if is_complex:
                columns.append(COMPLEX)
                dtypes.append(dtype)
            case _:
                columns.append(REALS)
                dtypes.append(np.finfo(dtype).dtype)
    grid = list(itertools.product(*columns))
    if len(grid) > _MOST_POINTS:
        chosen = np.random.default_rng(0).choice(len(grid), _MOST_POINTS, replace=False)
        grid = [grid[k] for k in np.sort(chosen)]
    return [np.array(column).astype(t) for column, t in zip(zip(*grid, strict=True), dtypes, strict=True)]


def _dtype_of(function: Function, argument: str, dtype: type[np.inexact[Any]]) -> Any:
    return np.int64 if function.args[argument].kind == "integer" else np.finfo(dtype).dtype


def scipys_own(function: Function) -> Any:
    """What the public function must equal: `scipy.special.<name>` where there is one, else the host."""
    return getattr(scipy.special, function.name, None) or hosts.host(function.host_path)


def box_points(function: Function, count: int, seed: int = 0) -> Iterator[dict[str, float]]:
    """Points in the entry's `check` box, with a fixed seed; integers where the argument is counted."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield {
            name: int(rng.integers(int(np.ceil(low)), int(high) + 1))
            if function.args[name].domain.kind == "integer"
            else float(rng.uniform(low, high))
            for name, (low, high) in function.box.items()
        }
