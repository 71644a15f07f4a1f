"""Parameter derivatives of Wright's generalized Bessel function and of its logarithm, a, b, x >= 0.

DLMF 10.46.1, sum_k x^k/(k! Gamma(ak + b)), differentiated term by term around its largest term; where the terms form
a wide, smooth bump, every m-th of them stands for m (the trapezoidal rule, exact for a bump 8 m wide). ∂/∂a is
x ∂/∂b at (a, a + b, x). Sums are scaled by their largest term, so that the logarithm's derivatives do not overflow.

Attained, against mpmath, relative to the derivative: 1e-12 for a <= 10, b <= 20, x <= 1e3; 1e-10 for the logarithm's at
x <= 1e6.
"""

import numpy as np
import scipy.special as sc

from ._numerics import Mask, Real, bisect, kernel, rgamma_d

_NODES = 600
_SMOOTH = 20.0
"""From here on 1/Gamma is taken from its logarithm."""


def _sums(a: Real, b: Real, x: Real) -> tuple[Real, Real, Real]:
    """(F, dF/db, log of their common factor)."""

    def growth(u: Real) -> Real:
        """Log of the ratio of terms at k = e^u, x/(k (ak + b)^a)."""
        return np.log(x) - u - a * np.log(a * np.exp(u) + b)

    low = np.full_like(x, -40.0)
    peak = np.exp(bisect(growth, low, np.maximum(np.log(np.maximum(x, 1)) + 40, 0), 60))
    width = np.sqrt(peak / (1 + a))
    stride = np.maximum(1, np.floor(width / 8))
    first = np.maximum(0, np.floor(peak - 14 * width - 40))
    k = first[:, None] + stride[:, None] * np.arange(_NODES)
    s = a[:, None] * k + b[:, None]
    log_term = sc.xlogy(k, x[:, None]) - sc.gammaln(k + 1)
    smooth = s > _SMOOTH
    log_term = log_term - np.where(smooth, sc.gammaln(np.where(smooth, s, _SMOOTH)), 0.0)
    top = log_term.max(1)
    term = np.exp(log_term - top[:, None]) * stride[:, None]
    small = np.where(smooth, 1.0, s)
    value = term * np.where(smooth, 1.0, sc.rgamma(small))
    slope = term * np.where(smooth, -sc.digamma(np.where(smooth, s, _SMOOTH)), rgamma_d(small))
    return value.sum(1), slope.sum(1), top


def _domain(a: Real, b: Real, x: Real) -> Mask:
    return (a >= 0) & (b >= 0) & (x >= 0) & np.isfinite(a) & np.isfinite(b) & np.isfinite(x)


@kernel(work=_NODES, domain=_domain)
def wright_bessel_da(a: Real, b: Real, x: Real) -> Real:
    """∂/∂a of Wright's Bessel function, a, b, x >= 0."""
    _, slope, top = _sums(a, a + b, x)
    return np.where(x == 0, 0.0, x * slope * np.exp(top))


@kernel(work=_NODES, domain=_domain)
def wright_bessel_db(a: Real, b: Real, x: Real) -> Real:
    """∂/∂b of Wright's Bessel function, a, b, x >= 0."""
    _, slope, top = _sums(a, b, x)
    return slope * np.exp(top)


@kernel(work=_NODES, domain=_domain)
def log_wright_bessel_da(a: Real, b: Real, x: Real) -> Real:
    """∂/∂a of the logarithm of Wright's Bessel function, a, b, x >= 0."""
    value, _, top = _sums(a, b, x)
    _, slope, top_slope = _sums(a, a + b, x)
    return np.where(x == 0, 0.0, x * slope / value * np.exp(top_slope - top))


@kernel(work=_NODES, domain=_domain)
def log_wright_bessel_db(a: Real, b: Real, x: Real) -> Real:
    """∂/∂b of the logarithm of Wright's Bessel function, a, b, x >= 0."""
    value, slope, _ = _sums(a, b, x)
    return slope / value
