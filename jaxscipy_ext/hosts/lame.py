"""Ellipsoidal harmonics that answer NaN where SciPy raises: a host function never raises for a value."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike, NDArray

Mask = NDArray[np.bool_]
Number = NDArray[Any]


class Integrated:
    """A Python function of SciPy's that integrates point by point; it takes n and p as integers."""

    def __init__(self, integrated: Callable[..., Any]) -> None:
        self.integrated = integrated
        self.__name__ = self.__qualname__ = integrated.__name__
        self.__doc__ = f"`scipy.special.{self.__name__}`, NaN where it raises."

    def __call__(self, *args: ArrayLike) -> Any:
        h2, k2, n, p, *rest = np.broadcast_arrays(*args)
        answers = answers_at(h2, k2, n, p, *rest)
        result = np.full(answers.shape, np.nan)
        if answers.any():
            whole = (n[answers].astype(int), p[answers].astype(int))
            with warnings.catch_warnings():  # quadrature tells that it has reached rounding
                warnings.simplefilter("ignore")
                result[answers] = self.integrated(h2[answers], k2[answers], *whole, *(s[answers] for s in rest))
        return result

    def __reduce__(self) -> str:
        return self.__qualname__  # pickled by reference, as functions are


def answers_at(h2: Number, k2: Number, n: Number, p: Number, *rest: Number) -> Mask:
    """0 < h2 < k2 < s**2 and 1 <= p <= 2n + 1."""
    answers = (h2 > 0) & (h2 < k2) & np.isfinite(k2) & (n >= 0) & (p >= 1) & (p <= 2 * n + 1)
    for s in rest:
        answers = answers & (s**2 > k2)
    return answers


ellip_harm_2 = Integrated(sc.ellip_harm_2)
ellip_normal = Integrated(sc.ellip_normal)
