"""Ellipsoidal harmonics that answer NaN where SciPy raises: a host function never raises for a value."""

import warnings
from collections.abc import Callable

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike, NDArray


def ellip_harm_2(h2: ArrayLike, k2: ArrayLike, n: ArrayLike, p: ArrayLike, s: ArrayLike) -> NDArray[np.float64]:
    """`scipy.special.ellip_harm_2` for 0 < h2 < k2 < s**2 and 1 <= p <= 2n + 1."""
    return _where_valid(sc.ellip_harm_2, h2, k2, n, p, s)


def ellip_normal(h2: ArrayLike, k2: ArrayLike, n: ArrayLike, p: ArrayLike) -> NDArray[np.float64]:
    """`scipy.special.ellip_normal` for 0 < h2 < k2 and 1 <= p <= 2n + 1."""
    return _where_valid(sc.ellip_normal, h2, k2, n, p)


def _where_valid(function: Callable[..., NDArray[np.float64]], *args: ArrayLike) -> NDArray[np.float64]:
    h2, k2, n, p, *rest = np.broadcast_arrays(*args)
    valid = (h2 > 0) & (h2 < k2) & (n >= 0) & (p >= 1) & (p <= 2 * n + 1)
    for s in rest:
        valid &= s**2 > k2
    result = np.full(valid.shape, np.nan)
    if valid.any():
        whole = (n[valid].astype(int), p[valid].astype(int))
        with warnings.catch_warnings():  # quadrature tells that it has reached rounding
            warnings.simplefilter("ignore")
            result[valid] = function(h2[valid], k2[valid], *whole, *(s[valid] for s in rest))
    return result
