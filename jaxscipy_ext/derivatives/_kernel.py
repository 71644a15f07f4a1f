"""From a function of flat arrays to a public derivative kernel: broadcasting, dtypes, NaN, blocks, regions.

`kernel` turns a function of flat, NaN-free float64 arrays into a public kernel; `by_region` lets such a function use
one method per region of its domain.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]
Mask = NDArray[np.bool_]

BLOCK_BYTES = 2**21
"""Size of the largest temporary of a block: it fits a core's cache, and a few dozen of them stay far below 64 MB."""


class Kernel:
    """A derivative kernel; see `kernel`."""

    __name__: str
    __qualname__: str
    __wrapped__: Callable[..., Any]

    def __init__(
        self, core: Callable[..., Any], work: int, domain: Callable[..., Any] | None, outputs: int, complex_result: bool
    ) -> None:
        functools.update_wrapper(self, core)
        self._core, self._work, self._domain, self._outputs = core, work, domain, outputs
        self._complex_result = complex_result
        self._complex_core: Callable[..., Any] | None = core if complex_result else None
        self._complex_work = work

    def complex(self, *, work: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorator: the function for a complex last argument, which arrives as complex128; `domain` is not applied."""

        def register(core: Callable[..., Any]) -> Callable[..., Any]:
            self._complex_core, self._complex_work = core, work
            return core

        return register

    def __call__(self, *args: ArrayLike, **static: Any) -> Any:
        arrays = [np.asarray(a) for a in args]
        is_complex = self._complex_result or any(a.dtype.kind == "c" for a in arrays)
        if is_complex and (self._complex_core is None or any(a.dtype.kind == "c" for a in arrays[:-1])):
            raise TypeError(f"{self.__name__} takes real arguments only" if self._complex_core is None
                            else f"{self.__name__} takes complex values in its last argument only")  # fmt: skip
        dtype = np.complex128 if is_complex else np.float64
        core, work = (self._complex_core, self._complex_work) if is_complex else (self._core, self._work)
        assert core is not None
        wanted = [np.float64] * (len(arrays) - 1) + [dtype]
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
        flat = [np.broadcast_to(a, shape).flat for a in arrays]
        result = np.full((self._outputs, *shape), np.nan, dtype)
        rows = result.reshape(self._outputs, -1)
        points = max(1, BLOCK_BYTES // (8 * work))
        with np.errstate(all="ignore"):
            for start in range(0, rows.shape[1], points):
                block = [f[start : start + points].astype(t) for f, t in zip(flat, wanted, strict=True)]
                good = functools.reduce(np.logical_and, [~np.isnan(b) for b in block])
                if self._domain is not None and not is_complex:
                    good &= self._domain(*block)
                if good.any():
                    rows[:, start : start + points][:, good] = core(*(b[good] for b in block), **static)
        return result[0][()] if self._outputs == 1 else tuple(r[()] for r in result)

    def __reduce__(self) -> str:
        return self.__qualname__  # pickled by reference, as functions are


def kernel(
    *, work: int, domain: Callable[..., Any] | None = None, outputs: int = 1, complex_result: bool = False
) -> Callable[[Callable[..., Any]], Kernel]:
    """Decorator: a public kernel from a function of equally long flat float64 arrays.

    `work` is the number of float64 values per point in the function's largest temporary (a complex value counts
    twice); it sets the number of points in a block. The function sees only points where no argument is NaN and where
    `domain(*arguments)` holds; the others become NaN. It may overwrite its arguments, which are copies. Warnings are
    off. With `outputs` > 1 it returns a tuple. With `complex_result` the last argument is made complex first. Keyword
    arguments are passed on as they are.
    """
    return lambda core: Kernel(core, work, domain, outputs, complex_result)


def by_region(
    args: tuple[NDArray[Any], ...], *regions: tuple[Any, Any], outputs: int = 1, dtype: Any = np.float64
) -> Any:
    """Evaluate every point by the first region it lies in; NaN where it lies in none.

    A region is `(mask, function)`: the function gets the points of the mask only; a number instead of it is the value.
    """
    result = np.full((outputs, args[0].size), np.nan, dtype)
    left: Mask = np.ones(args[0].size, bool)
    for inside, value in regions:
        here = left & inside
        if here.any():
            result[:, here] = value(*(a[here] for a in args)) if callable(value) else value
            left &= ~here
    return result[0] if outputs == 1 else tuple(result)
