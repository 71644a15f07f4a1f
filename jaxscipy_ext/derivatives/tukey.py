"""∂tklmbda/∂x and ∂tklmbda/∂lmbda: Tukey's lambda distribution.

Its quantile function is Q(p) = (p^l - (1-p)^l)/l, so with w = ln p, m = ln(1-p) at the root of Q(p) = x

    ∂F/∂x = 1/(e^((l-1)w) + e^((l-1)m)),    ∂F/∂l = -∂F/∂x ∫_m^w s e^(ls) ds.

SciPy's root is good to 3e-10 only, so it is found again here, in u = logit p for p <= 1/2 (x <= 0), by bisection and
Newton's method; x > 0 by symmetry. Attained, against mpmath: 1e-13 relative for lmbda in [-2, 5] and values down to
1e-290; next to the end of the support, |x| lmbda = 1 - ε, 1e-16/ε.
"""

import numpy as np
import scipy.special as sc

from ._numerics import Mask, Real, bisect, by_region, gauss_legendre, kernel

_NODES = 24
_LOWEST = -750.0  # exp of it underflows
_FLATTEST = -1100.0
"""Below it the density, at most 2^(lmbda-2), underflows."""


def _logs(u: Real) -> tuple[Real, Real]:
    """(ln p, ln(1-p)) at u = logit p <= 0."""
    m = -np.log1p(np.exp(u))
    return u + m, m


def _quantile(u: Real, lmbda: Real) -> Real:
    _, m = _logs(u)
    return u * sc.exprel(lmbda * u) * np.exp(lmbda * m)


def _logit(x: Real, lmbda: Real) -> Real:
    """logit p at Q(p) = x <= 0."""
    u = bisect(lambda u: x - _quantile(u, lmbda), np.full_like(x, _LOWEST), np.zeros_like(x), steps=40)
    for _ in range(3):
        w, m = _logs(u)
        slope = np.exp(lmbda * w + m) + np.exp(lmbda * m + w)  # dQ/du
        u = np.where(slope > 0, np.clip(u - (_quantile(u, lmbda) - x) / slope, _LOWEST, 0.0), u)
    return u


def _density(w: Real, m: Real, lmbda: Real) -> Real:
    return 1 / (np.exp((lmbda - 1) * w) + np.exp((lmbda - 1) * m))


def _dx(x: Real, lmbda: Real) -> Real:
    return _density(*_logs(_logit(-np.abs(x), lmbda)), lmbda)


def _dlmbda(x: Real, lmbda: Real) -> Real:
    u = _logit(-np.abs(x), lmbda)
    return np.sign(x) * _density(*_logs(u), lmbda) * _moment(u, lmbda)


def _moment(u: Real, lmbda: Real) -> Real:
    """∫_m^w s e^(ls) ds >= 0, w = m + u: by nodes while the exponential varies little, else in closed form."""
    w, m = _logs(u)
    nodes, weights = gauss_legendre(_NODES)
    s = m[:, None] + u[:, None] * nodes
    by_nodes = u * (weights * s * np.exp(lmbda[:, None] * s)).sum(-1)

    def antiderivative(s: Real) -> Real:
        return np.exp(lmbda * s) * (lmbda * s - 1) / lmbda**2

    return np.where(np.abs(lmbda * u) < 8, by_nodes, antiderivative(w) - antiderivative(m))


def _inside(x: Real, lmbda: Real) -> Mask:
    return np.isfinite(x) & (lmbda > _FLATTEST) & (lmbda < np.inf) & ((lmbda <= 0) | (np.abs(x) * lmbda < 1))


@kernel(work=_NODES)
def tklmbda_dx(x: Real, lmbda: Real) -> Real:
    """∂tklmbda(x, lmbda)/∂x >= 0; 0 for |x| >= 1/lmbda, lmbda > 0, where the distribution has ended.

    For lmbda = inf all mass is at 0, for -inf at infinity.
    """
    return by_region((x, lmbda), (_inside(x, lmbda), _dx), ((x == 0) & (lmbda == np.inf), np.inf), (True, 0.0))


@kernel(work=_NODES)
def tklmbda_dlmbda(x: Real, lmbda: Real) -> Real:
    """∂tklmbda(x, lmbda)/∂lmbda, odd in x; 0 for |x| >= 1/lmbda, lmbda > 0, where the distribution has ended."""
    return by_region((x, lmbda), (_inside(x, lmbda), _dlmbda), (True, 0.0))
