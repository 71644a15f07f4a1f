"""Derivatives of any order of the Kolmogorov-Smirnov survival functions."""

import math
from typing import Any

import numpy as np
import scipy.special as sc
from numpy.polynomial import polynomial
from numpy.typing import ArrayLike, NDArray

from jaxscipy_ext.derivatives._kernel import Real, kernel
from jaxscipy_ext.derivatives.kolmogorov import smirnov_dd

_SWITCH = 0.8
_CONSTANT = 0.02
"""K is 1 below and all its derivatives underflow; so they do at negative y."""
_UNDERFLOWS = 100.0
_TERMS = 12


@kernel(work=_TERMS, domain=lambda y, n: (y == y) & (n >= 0) & (n == np.floor(n)))
def kolmogorov_derivative(y: Real, n: Real) -> Real:
    """d^n K(y)/dy^n, K(y) = 2 Σ (-1)^(k-1) exp(-2k²y²); below 0.8 by the dual theta series (DLMF 20.7.32)."""
    result = np.empty_like(y)
    for order in np.unique(n):
        chosen = n == order
        result[chosen] = _one_order(y[chosen], int(order))
    return result


def _one_order(y: Real, n: int) -> Real:
    return np.where(y > _SWITCH, _large(np.maximum(y, _SWITCH), n), _small(np.minimum(y, _SWITCH), n))


def _large(y: Real, n: int) -> Real:
    """d^n exp(-u²)/du^n = (-1)^n H_n(u) exp(-u²) with u = √2 k y (DLMF 18.5.5)."""
    k = np.arange(1, _TERMS + 1)
    u = math.sqrt(2) * k * np.minimum(y, _UNDERFLOWS)[:, None]
    terms = (-1.0) ** (k - 1) * (-math.sqrt(2) * k) ** n * sc.eval_hermite(n, u) * np.exp(-u * u)
    total = 2 * terms.sum(1)
    # the sign of zero tells on which side an inverse's slope is infinite
    return np.where(total == 0, -0.0 if n % 2 else 0.0, total)


def _small(y: Real, n: int) -> Real:
    """1 - K = √(2π)/y Σ exp(-s), s = (2k-1)²π²/(8y²); d^n/dy^n of a term is y^(-1-n) p_n(s) exp(-s)."""
    p = np.array([1.0])
    for order in range(n):
        p = polynomial.polyadd(
            polynomial.polysub(polynomial.polymulx(2 * p), (1 + order) * p), -2 * polynomial.polymulx(_slope(p))
        )
    positive = np.maximum(y, _CONSTANT)[:, None]
    s = ((2 * np.arange(1, _TERMS + 1) - 1) * math.pi / positive) ** 2 / 8
    total = (polynomial.polyval(s, p) * np.exp(-s)).sum(1) * math.sqrt(2 * math.pi) / positive[:, 0] ** (1 + n)
    return 1.0 - total if n == 0 else -total


def _slope(p: NDArray[Any]) -> NDArray[Any]:
    return polynomial.polyder(p) if p.size > 1 else np.zeros(1)


def smirnov_derivative(n: ArrayLike, d: ArrayLike, k: ArrayLike) -> NDArray[np.float64]:
    """d^k/dd^k of Σ_j C(n, j) d (d + j/n)^(j-1) (1 - d - j/n)^(n-j), 0 <= j < n (1 - d): Leibniz's rule.

    At a knot, where n (1 - d) is an integer, it is the derivative from the right.
    """
    arrays = np.broadcast_arrays(np.asarray(n, float), np.asarray(d, float), np.asarray(k, float))
    flat = [a.reshape(-1) for a in arrays]
    first = flat[2] == 1
    values = np.empty(first.shape)
    values[first] = smirnov_dd(flat[0][first], flat[1][first])
    values[~first] = [_smirnov(*point) for point in zip(*(a[~first] for a in flat), strict=True)]
    return values.reshape(arrays[0].shape)


def _smirnov(n: float, d: float, order: float) -> float:
    if not (n >= 1 and 0 <= d <= 1 and order >= 0):
        return math.nan
    n, order = math.floor(n), int(order)
    j = np.arange(1, math.ceil(n * (1 - d)), dtype=float)
    with np.errstate(all="ignore"):
        log_binomial = sc.gammaln(n + 1) - sc.gammaln(j + 1) - sc.gammaln(n - j + 1)
        total = d * _product(log_binomial, j, n, d, order)
        if order:
            total = total + order * _product(log_binomial, j, n, d, order - 1)
    first = (-1.0) ** order * math.perm(n, order) * (1 - d) ** max(n - order, 0)  # j = 0: (1 - d)^n
    return first + float(np.sum(total))


def _product(log_binomial: Real, j: Real, n: float, d: float, order: int) -> Real:
    """C(n, j) d^order/dd^order [A^(j-1) B^(n-j)], A = d + j/n, B = 1 - d - j/n."""
    a, b = d + j / n, np.maximum(1 - d - j / n, 0.0)
    total = np.zeros_like(j)
    for r in range(order + 1):
        up, down = _falling(j - 1, r), (-1.0) ** (order - r) * _falling(n - j, order - r)
        power = np.exp(log_binomial + sc.xlogy(j - 1 - r, a) + sc.xlogy(n - j - (order - r), b))
        total = total + np.where(up * down == 0, 0.0, math.comb(order, r) * up * down * power)
    return total


def _falling(x: Real, r: int) -> Real:
    """x (x - 1) … (x - r + 1)."""
    return np.prod([x - q for q in range(r)], axis=0) if r else np.ones_like(x)
