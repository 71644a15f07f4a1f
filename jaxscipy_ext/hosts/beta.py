"""The density of the beta distribution and its derivatives, in both variables x and y = 1 - x apart.

`beta_density(a, b, x, y, i, j)` is the i-th derivative in x and j-th in y of x^(a-1) y^(b-1)/B(a, b). Powers and their
factors (a-1)(a-2)... are formed together, so that derivatives hold at the ends of the support, too.
"""

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike

from jaxscipy_ext.derivatives._beta_tails import log_beta_front
from jaxscipy_ext.derivatives._kernel import Mask, Real, by_region, kernel
from jaxscipy_ext.derivatives.polygamma import psi_difference

_SMALL = 1e-60
"""Squares and cubes of smaller numbers underflow."""


def _domain(i: Real, j: Real, x: Real, y: Real) -> Mask:
    orders = (i >= 0) & (j >= 0) & (i == np.floor(i)) & (j == np.floor(j))
    return orders & (x >= 0) & (x <= 1) & (y >= 0) & (y <= 1)


def beta_density(a: ArrayLike, b: ArrayLike, x: ArrayLike, y: ArrayLike, i: ArrayLike = 0, j: ArrayLike = 0) -> Real:
    """∂^(i+j)/∂x^i∂y^j of x^(a-1) y^(b-1)/B(a, b) for a, b > 0."""
    return _density(a, b, i, j, x, y)


def beta_density_da(a: ArrayLike, b: ArrayLike, x: ArrayLike, y: ArrayLike, i: ArrayLike = 0, j: ArrayLike = 0) -> Real:
    """∂beta_density/∂a."""
    return _density_da(a, b, i, j, x, y)


def beta_density_db(a: ArrayLike, b: ArrayLike, x: ArrayLike, y: ArrayLike, i: ArrayLike = 0, j: ArrayLike = 0) -> Real:
    """∂beta_density/∂b."""
    return _density_da(b, a, j, i, y, x)


@kernel(work=1, domain=lambda a, b, *rest: (np.minimum(a, b) >= 0) & (np.maximum(a, b) > 0) & _domain(*rest))
def _density(a: Real, b: Real, i: Real, j: Real, x: Real, y: Real) -> Real:
    factors = _falling(a, i)[0] * _falling(b, j)[0]
    return by_region(
        (a, b, i, j, x, y, factors),
        ((factors == 0) | np.isinf(a) | np.isinf(b), 0.0),
        ((a == 0) & (x > 0) | (b == 0) & (y > 0), 0.0),  # all mass lies at x = 0 or at y = 0
        ((x == 0) & (a - 1 != i), lambda a, b, i, j, x, y, factors: np.where(a - 1 > i, 0.0, factors * np.inf)),
        ((y == 0) & (b - 1 != j), lambda a, b, i, j, x, y, factors: np.where(b - 1 > j, 0.0, factors * np.inf)),
        (True, lambda a, b, i, j, x, y, factors: factors * _power(a, b, i, j, x, y)),
    )


@kernel(work=1, domain=lambda a, b, *rest: (np.minimum(a, b) >= 0) & (np.maximum(a, b) > 0) & _domain(*rest))
def _density_da(a: Real, b: Real, i: Real, j: Real, x: Real, y: Real) -> Real:
    (lower, slope), upper = _falling(a, i), _falling(b, j)[0]
    return by_region(
        (a, b, i, j, x, y, lower, slope, upper),
        ((upper == 0) | np.isinf(a) | np.isinf(b) | ((y == 0) & (b - 1 > j)) | ((x == 0) & (a - 1 > i)), 0.0),
        ((b == 0) & (y > 0), 0.0),
        # 1/B(a, b) is a to first order
        (
            (a == 0) & (x > 0),
            lambda a, b, i, j, x, y, lower, slope, upper: lower * upper * x ** (-1 - i) * y ** (b - 1 - j),
        ),
        ((a == 0) | (b == 0), np.nan),
        (
            x == 0,
            lambda a, b, i, j, x, y, lower, slope, upper: np.copysign(np.inf, -np.where(lower == 0, slope, lower)),
        ),
        (True, _density_da_inside),
    )


def _density_da_inside(
    a: Real, b: Real, i: Real, j: Real, x: Real, y: Real, lower: Real, slope: Real, upper: Real
) -> Real:
    score = np.log(x) + np.asarray(psi_difference(a, b))
    return upper * _power(a, b, i, j, x, y) * (lower * score + slope)


def _falling(a: Real, i: Real) -> tuple[Real, Real]:
    """(a-1)(a-2)...(a-i), and its derivative in a."""
    value, slope = np.ones_like(a), np.zeros_like(a)
    for k in range(1, int(np.max(i, initial=0)) + 1):
        counted = k <= i
        slope = np.where(counted, slope * (a - k) + value, slope)
        value = np.where(counted, value * (a - k), value)
    return value, slope


def _power(a: Real, b: Real, i: Real, j: Real, x: Real, y: Real) -> Real:
    """x^(a-1-i) y^(b-1-j)/B(a, b)."""
    return by_region(
        (a, b, i, j, x, y),
        (
            (x > _SMALL) & (y > _SMALL),
            lambda a, b, i, j, x, y: np.exp(log_beta_front(a, b, x, y)) / x ** (i + 1) / y ** (j + 1),
        ),
        (True, lambda a, b, i, j, x, y: x ** (a - 1 - i) * y ** (b - 1 - j) * np.exp(-sc.betaln(a, b))),
    )
