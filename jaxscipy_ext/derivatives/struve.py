"""Order derivatives of the Struve functions H_v(x) and L_v(x), real v, x >= 0.

The power series (DLMF 11.2.1, 11.2.2) and its derivative; H for large x: Y_v plus the Laplace integral DLMF 11.5.2,
differentiated; L for large x: I_-v and the asymptotic series DLMF 11.6.2, differentiated. Near v = 0 ∂L/∂v is e^(-x) of
the terms of the series; there L = I_v + M_v, with M_v from DLMF 11.5.4, whose derivatives are small each by itself.

Attained, against mpmath, relative to the derivative: 1e-12 for -6 <= v <= 30, 1e-3 <= x <= 80. H of orders beyond 100
in a band around x = v/2 loses digits, and is NaN where more than six are lost. Real x < 0: NaN, the derivative is
complex there even at integer v.
"""

import numpy as np
import scipy.special as sc

from ._numerics import CUTOFF, Mask, Real, bisect, by_region, kernel, panels, rgamma_d
from .bessel_i import i_slope
from .bessel_j import y_slope

_NODES, _NODES_NARROW = 256, 1024
_MOST_TERMS = 4000
_LARGE_ORDER = 60.0
"""Beyond it 1/Gamma(v + 3/2) and the power of x are taken together: one underflows, the other overflows."""


_MOST_LOST = 14.0
"""Where both ways lose more than exp of this, six digits, the derivative is NaN."""


def _front(v: Real, x: Real, log_factor: Real | float = 0.0) -> tuple[Real, Real]:
    """(x/2)^v / Gamma(v+1/2) times a factor, without overflow or underflow before its own, and its derivative in v.

    The factor is 1 for orders that aren't large.
    """
    large = v > _LARGE_ORDER
    small, log_half = np.where(large, 0.0, v), np.log(x / 2)
    power, order = (x / 2) ** small, np.where(large, v, _LARGE_ORDER) + 0.5
    together = np.exp(v * log_half - sc.gammaln(order) + log_factor)
    value = np.where(large, together, power * sc.rgamma(small + 0.5))
    gamma_part = np.where(large, -together * sc.digamma(order), power * rgamma_d(small + 0.5))
    return value, log_half * value + gamma_part


def _series(v: Real, x: Real, sign: float) -> Real:
    """(x/2)^(v+1) sum_k (sign x²/4)^k / (Gamma(k+3/2) Gamma(k+v+3/2)), differentiated in v."""
    q = sign * x * x / 4
    large = v > _LARGE_ORDER
    small = np.where(large, 0.0, v)
    term = np.where(large, 1.0, sc.rgamma(small + 1.5)) / sc.gamma(1.5)
    slope = np.where(large, -sc.digamma(v + 1.5), rgamma_d(small + 1.5)) / sc.gamma(1.5)
    f, g = term.copy(), slope.copy()
    for k in range(1, min(int(np.max(x)), _MOST_TERMS) + 60):
        factor = k + v + 0.5
        restart = factor == 0  # behind a zero of 1/Gamma the terms start afresh
        m = q / ((k + 0.5) * factor)
        term, slope = term * m, slope * m - term * m / factor
        if restart.any():
            lead = q**k * sc.rgamma(k + 1.5)
            term = np.where(restart, lead * sc.rgamma(k + v + 1.5), term)
            slope = np.where(restart, lead * rgamma_d(k + v + 1.5), slope)
        f, g = f + term, g + slope
    log_half = np.log(x / 2)
    front = np.where(large, np.exp((v + 1) * log_half - sc.gammaln(v + 1.5)), (x / 2) ** (small + 1))
    return front * (log_half * f + g)


# ---- H


def _h_series(v: Real, x: Real) -> Real:
    return _series(v, x, -1.0)


def _h_large(v: Real, x: Real, nodes: int = _NODES) -> Real:
    """Y_v + 2 (x/2)^v / (pi^(1/2) Gamma(v+1/2)) ∫_0^∞ e^(-xt) (1+t²)^(v-1/2) dt, t = e^w."""

    def exponent(w: Real, v: Real, x: Real) -> Real:
        return w - x * np.exp(w) + (v - 0.5) * np.log1p(np.exp(2 * w))

    peak = np.log(np.maximum((v + np.sqrt(np.maximum(v * v - x * x, 0))) / x, 1 / x))
    top = exponent(peak, v, x)
    low = -np.log(x) - CUTOFF  # there are two maxima when v > x
    high = bisect(lambda w: exponent(w, v, x) - top + CUTOFF, peak, peak + 40, 30)
    step = ((high - low) / nodes)[:, None]
    w = low[:, None] + step * (np.arange(nodes) + 0.5)
    shift = np.where(v > _LARGE_ORDER, top, 0.0)
    weight = step * np.exp(exponent(w, v[:, None], x[:, None]) - shift[:, None])
    integral, slope = weight.sum(1), (weight * np.log1p(np.exp(2 * w))).sum(1)
    front, d_front = _front(v, x, shift)
    return y_slope(v, x) + 2 / np.sqrt(np.pi) * (d_front * integral + front * slope)


def _h_narrow(v: Real, x: Real) -> Real:
    return _h_large(v, x, _NODES_NARROW)


def _lost(v: Real, x: Real) -> tuple[Real, Real]:
    """About the logarithms of what H's series, and of what the sum with Y, lose by cancellation for large v > x."""
    by_series, by_y = np.full_like(v, np.inf), np.full_like(v, -np.inf)
    large = (v > _LARGE_ORDER) & (v > x)
    order, z = v[large], x[large]
    by_series[large] = z * z / (4 * order)
    by_y[large] = np.log(np.abs(sc.yv(order, z))) - np.log(np.abs(sc.struve(order, z)))
    return by_series, by_y


# ---- L


def _l_series(v: Real, x: Real) -> Real:
    return _series(v, x, 1.0)


def _l_small_order(v: Real, x: Real) -> Real:
    """I_v - 2 (x/2)^v / (pi^(1/2) Gamma(v+1/2)) ∫_0^1 e^(-xt) (1-t²)^(v-1/2) dt, t = tanh u."""
    power = 2 * v + 1
    zero = np.zeros_like(v)
    end = bisect(lambda u: CUTOFF - x * np.tanh(u) - power * u, zero, zero + CUTOFF / power + 1, 30)
    knee = np.minimum(end, 3.0)
    integral, slope = zero, zero
    for low, high in ((zero, knee), (knee, end)):
        u, w = panels(low, high, 2, 48)
        log_cosh = u + np.log1p(np.exp(-2 * u)) - np.log(2)
        weight = w * np.exp(-x[:, None] * np.tanh(u) - power[:, None] * log_cosh)
        integral, slope = integral + weight.sum(1), slope - 2 * (weight * log_cosh).sum(1)
    front, d_front = _front(v, x)
    return i_slope(v, x) - 2 / np.sqrt(np.pi) * (d_front * integral + front * slope)


def _l_large(v: Real, x: Real) -> Real:
    log_half = np.log(x / 2)
    total = np.zeros_like(v)
    for k in range(12):
        front = (-1) ** (k + 1) * sc.gamma(k + 0.5) / np.pi * (x / 2) ** (v - 2 * k - 1)
        total = total + front * (log_half * sc.rgamma(v + 0.5 - k) + rgamma_d(v + 0.5 - k))
    return total - i_slope(-v, x)


# ---- ends of the domain


def _at_origin(v: Real, x: Real) -> Real:
    """The leading term, (x/2)^(v+1)/Gamma(v+3/2)."""
    r = sc.rgamma(v + 1.5)
    return np.where(v > -1, 0.0, np.inf * np.where(r == 0, np.sign(rgamma_d(v + 1.5)), -np.sign(r)))


def _h_at_infinity(v: Real, x: Real) -> Real:
    return np.where(v < 1, 0.0, np.inf)


def _l_at_infinity(v: Real, x: Real) -> Real:
    return np.where(v == 0, 0.0, np.copysign(np.inf, -v))


def _domain(v: Real, x: Real) -> Mask:
    return np.isfinite(v) & (x >= 0)


@kernel(work=_NODES_NARROW, domain=_domain)
def struve_dv(v: Real, x: Real) -> Real:
    """∂H_v(x)/∂v for real v and x >= 0; at x = 0: 0 for v > -1, infinite below."""
    by_series, by_y = _lost(v, x)
    series = (x < 6) | (x * x < 32 * (v + 1.5)) | (by_series < by_y)
    ends = (x == 0, _at_origin), (np.isinf(x), _h_at_infinity)
    hidden = np.minimum(by_series, by_y) > _MOST_LOST
    return by_region((v, x), *ends, (hidden, np.nan), (series, _h_series), (x >= v, _h_large), (x > 0, _h_narrow))


@kernel(work=_NODES, domain=_domain)
def modstruve_dv(v: Real, x: Real) -> Real:
    """∂L_v(x)/∂v for real v and x >= 0; at x = 0: 0 for v > -1, infinite below."""
    ends = (x == 0, _at_origin), (np.isinf(x), _l_at_infinity)
    small_order = (x > 5) & (v > -0.25) & (v < 0.5)
    large = (x > 25) & (np.abs(v) < 0.2 * x)
    return by_region((v, x), *ends, (small_order, _l_small_order), (large, _l_large), (x > 0, _l_series))
