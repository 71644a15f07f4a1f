"""Derivatives in x, of any order, of the Struve functions.

    H_v' = (H_(v-1) - H_(v+1) + s_v)/2,   L_v' = (L_(v-1) + L_(v+1) + s_v)/2,   s_v = (x/2)^v/(√π Γ(v + 3/2)),

DLMF 11.4.24 and 11.4.26, lose all digits near x = 0 for v <= -1, where the powers x^v of the terms cancel, and near
v = -3/2, -5/2, ..., where a small part decides and v - 1 is rounded. There the power series is differentiated term by
term; it has no such cancellation. Real x < 0, for integer v, by parity.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as sc

from jaxscipy_ext.derivatives._kernel import Mask, Real, by_region, kernel
from jaxscipy_ext.derivatives._numerics import cospi
from jaxscipy_ext.hosts._orders import by_order, is_order

_REACH = {-1: 1.0, 1: 20.0}
"""Largest x for the power series, by the sign of its terms: with equal signs nothing cancels."""
_POWERS = 60


def _power_series(n: int, v: Real, x: Real, sign: int) -> Real:
    """Of Σ sign^k (x/2)^(2k + v + 1)/(Γ(k + 3/2) Γ(k + v + 3/2)), DLMF 11.2.1 and 11.2.2."""
    leading, total = np.zeros_like(x), np.zeros_like(x)
    for k in range(_POWERS):
        factors = math.prod((2 * k + 1 - m + v for m in range(n)), start=0.5 ** (2 * k + 1 + v))
        factors = factors * sign**k * sc.rgamma(v + k + 1.5) / math.gamma(k + 1.5)
        term = np.where(factors == 0, 0.0, x ** (2 * k + 1 - n + v) * factors)
        total = total + term
        leading = np.where(leading == 0, term, leading)
    return np.where(np.isinf(leading), leading, total)


def _source(n: int, v: Real, x: Real) -> Real:
    factors = math.prod((v - m for m in range(n)), start=0.5**v)
    return np.where(factors == 0, 0.0, factors * x ** (v - n) * sc.rgamma(v + 1.5) / math.sqrt(math.pi))


def _recurrence(function: Callable[..., Any], n: int, v: Real, x: Real, sign: int) -> Any:
    if n == 0:
        return function(v, x)
    below, above = (_recurrence(function, n - 1, v + shift, x, sign) for shift in (-1, 1))
    return (below + sign * above + _source(n - 1, v, x)) / 2


def _derivative(function: Callable[..., Any], n: Real, v: Real, x: Real, sign: int) -> Any:
    def one_order(n: int, v: Real, x: Real) -> Any:
        return by_region(
            (v, x),
            ((x < _REACH[sign]) & (np.abs(v) < 100), lambda v, x: _power_series(n, v, x, sign)),
            (True, lambda v, x: _recurrence(function, n, v, x, sign)),
        )

    return np.where(x < 0, cospi(v + 1 + n), 1.0) * by_order(one_order, n, v, np.abs(x))


def _domain(n: Real, v: Real, x: Real) -> Mask:
    return is_order(n, v, x) & np.isfinite(v) & ((x >= 0) | (v == np.floor(v)))


@kernel(work=8, domain=_domain)
def struve_derivative(n: Real, v: Real, x: Real) -> Real:
    """The n-th derivative in x of H_v(x)."""
    return _derivative(sc.struve, n, v, x, -1)


@kernel(work=8, domain=_domain)
def modstruve_derivative(n: Real, v: Real, x: Real) -> Real:
    """The n-th derivative in x of L_v(x)."""
    return _derivative(sc.modstruve, n, v, x, 1)
