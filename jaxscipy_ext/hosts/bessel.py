"""Derivatives in z, of any order, of J and I.

SciPy's jvp and ivp are sums over the orders v - n, ..., v + n (DLMF 10.6.7, 10.29.5). Beside v = 0, -1, -2, ... a part
of the function that is as small as the distance decides at small z, and the rounding of v - 1 changes it. There the
power series is differentiated term by term.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike

from jaxscipy_ext.derivatives._kernel import Mask, Real

_POWERS = 34


def beside_zero(n: int, v: Real, z: Any) -> Mask:
    """Where `power_series` is for: z small against 1, v fractional and not above n, where powers of z vanish."""
    return (np.abs(z) < 1) & (v < n + 1) & (v > -170) & (v != np.floor(v))


def power_series(n: int, v: Real, z: Any, sign: int) -> Any:
    """The n-th derivative of Σ sign^k (z/2)^(2k + v)/(k! Γ(v + k + 1)), DLMF 10.2.2 and 10.25.2."""
    leading, total = 0, 0
    for k in range(_POWERS):
        factors = math.prod((2 * k - m + v for m in range(n)), start=0.5 ** (2 * k + v))
        term = z ** (2 * k + v - n) * (factors * sign**k * sc.rgamma(v + k + 1) / float(math.factorial(k)))
        leading, total = (term, term) if k == 0 else (leading, total + term)
    return np.where(np.isfinite(leading), total, leading)


def _derivative(of_scipy: Callable[..., Any], sign: int, v: ArrayLike, z: ArrayLike, n: int) -> Any:
    v, z = np.broadcast_arrays(np.asarray(v, float), z)
    with np.errstate(all="ignore"):
        result = np.asarray(of_scipy(v, z, n))
        beside = beside_zero(n, v, z)
        if beside.any():
            result[beside] = power_series(n, v[beside], z[beside], sign)
    return result[()]


def jv_derivative(v: ArrayLike, z: ArrayLike, n: int = 1) -> Any:
    """The n-th derivative of J_v in z, for real or complex z."""
    return _derivative(sc.jvp, -1, v, z, n)


def iv_derivative(v: ArrayLike, z: ArrayLike, n: int = 1) -> Any:
    """The n-th derivative of I_v in z, for real or complex z."""
    return _derivative(sc.ivp, 1, v, z, n)
