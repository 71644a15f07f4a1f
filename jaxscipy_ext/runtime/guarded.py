"""Ufuncs that must not be called everywhere, for they crash, never return or raise: elsewhere the answer is NaN.

`native.guarded_call` does the same around the ufunc's compiled loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


class Guarded:
    """A host function: `ufunc` where `answers(*args)` holds, NaN elsewhere.

    Args:
      ufunc: a NumPy ufunc of real or complex results.
      answers: where the ufunc may be called. It is given NumPy arrays or, where the ufunc's compiled loop is called
        without Python, JAX's: write it with operators, `abs`, `.real` and `.imag` alone.
      harmless: arguments at which the ufunc answers quickly; its loop runs there instead where `answers` is False.
      double: whether float32 is computed in float64.
    """

    def __init__(
        self, ufunc: np.ufunc, answers: Callable[..., Any], harmless: tuple[float, ...], *, double: bool = False
    ) -> None:
        self.ufunc, self.answers, self.harmless, self.double = ufunc, answers, harmless, double
        self.__name__, self.__qualname__ = ufunc.__name__, ufunc.__name__
        self.__doc__ = f"`{ufunc.__name__}`, NaN where it doesn't answer."

    def __call__(self, *args: ArrayLike) -> Any:
        arrays = [np.asarray(arg) for arg in args]
        arrays = [array.astype(self.computed(array.dtype), copy=False) for array in arrays]
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
        arrays = [np.broadcast_to(array, shape) for array in arrays]
        with np.errstate(all="ignore"):
            answers = np.broadcast_to(self.answers(*arrays), shape)
            found = self.ufunc(*(array[answers] for array in arrays))
        results = []
        for values in found if isinstance(found, tuple) else (found,):
            results.append(np.full(shape, np.nan, values.dtype))
            results[-1][answers] = values
        return tuple(results) if len(results) > 1 else results[0]

    def __reduce__(self) -> str:
        return self.__qualname__  # pickled by reference, as functions are

    def computed(self, dtype: np.dtype[Any]) -> np.dtype[Any]:
        """The dtype in which arguments of this dtype are computed."""
        return np.dtype(np.float64) if self.double and dtype.kind == "f" else dtype
