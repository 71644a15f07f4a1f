"""The entries of the shipped specs, as parameters of tests: what is tested is what is specified."""

import contextlib
import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy
import scipy.special
from jaxscipy_codegen import _resources, hosts, load
from jaxscipy_codegen.model import Function, Library
from numpy.typing import NDArray

from jaxscipy_ext.hosts import lame
from jaxscipy_ext.runtime.guarded import Guarded

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
_BOX_POINTS = 20


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
    """A grid over special values of all arguments but static ones, thinned with a fixed seed, and ordinary points."""
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
    grid += [tuple(point.values()) for point in box_points(function, _BOX_POINTS)]
    return [np.array(column).astype(t) for column, t in zip(zip(*grid, strict=True), dtypes, strict=True)]


def scipys_own(function: Function, points: list[NDArray[Any]]) -> tuple[NDArray[Any], ...]:
    """What the public function must equal at `points`: `scipy.special.<name>`, or the host where SciPy has none.

    Where SciPy raises, doesn't return or crashes the answer is NaN.
    """
    host = hosts.host(function.host_path)
    own = getattr(scipy.special, function.name, host)
    with np.errstate(all="ignore"):
        if isinstance(host, Guarded):
            return _where_it_answers(host.ufunc, host.answers, [p.astype(host.computed(p.dtype)) for p in points])
        if isinstance(host, lame.Integrated):
            return _where_it_answers(own, lame.answers_at, points)
        try:
            values = own(*points)
        except ValueError:
            values = _counted_apart(own, points)
    return values if isinstance(values, tuple) else (values,)


def _where_it_answers(own: Any, where: Callable[..., Any], points: list[NDArray[Any]]) -> tuple[NDArray[Any], ...]:
    answers = np.broadcast_to(where(*points), points[0].shape)
    values = own(*(p[answers] for p in points))
    full = []
    for value in values if isinstance(values, tuple) else (values,):
        full.append(np.full(answers.shape, np.nan, value.dtype))
        full[-1][answers] = value
    return tuple(full)


def _counted_apart(own: Any, points: list[NDArray[Any]]) -> NDArray[Any]:
    """A Python function that takes its integer as a scalar, and raises for all values if it does so for one."""
    values = np.full(points[0].shape, np.nan)
    for point in set(zip(*points, strict=True)):
        same = np.logical_and.reduce([p == x for p, x in zip(points, point, strict=True)])
        with contextlib.suppress(ValueError):
            values[same] = own(*point)
    counted = next(k for k, p in enumerate(points) if p.dtype.kind == "i")
    for n in np.unique(points[counted]):
        valid = (points[counted] == n) & ~np.isnan(values)
        if valid.any():
            values[valid] = own(*(n if k == counted else p[valid] for k, p in enumerate(points)))
    return values


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
