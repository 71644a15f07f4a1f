"""∂K_v(z)/∂v for real z.

DLMF 10.32.9, K_v(z) = ∫_0^∞ exp(-z cosh t) cosh(v t) dt, differentiated under the integral: the trapezoidal rule around
the maximum of the integrand, all terms of one sign. Attained, against mpmath: 6e-14 for |v| <= 200, 1e-6 <= z <= 1e3,
and 1e-12 for smaller z.
"""

import numpy as np

from ._numerics import CUTOFF, Real, by_region, contour_end, midpoints, panels

_NODES = 128
_SMALL = 1e-4


def _exponent(t: Real, v: Real, z: Real) -> Real:
    """ln of exp(z - z cosh t + v t)."""
    return v * t - 2 * z * np.sinh(t / 2) ** 2


def k_pair(v: Real, z: Real) -> tuple[Real, Real, Real]:
    """(K, dK/dv, log of their common factor) for v >= 0, z > 0."""
    peak = np.arcsinh(v / z)
    top = _exponent(peak, v, z)

    def level(t: Real) -> Real:
        return _exponent(t, v, z) - top + CUTOFF

    zero = np.zeros_like(v)
    high = contour_end(level, peak, peak + 60.0 + np.maximum(0, -np.log(z)))
    low = np.where(level(zero) > 0, 0.0, contour_end(level, peak, zero))
    regions = (z > _SMALL, _by_midpoints), (z <= _SMALL, _by_panels)
    f, g = by_region((v, z, low, high, top), *regions, outputs=2)
    return f, g, top - z


def _by_midpoints(v: Real, z: Real, low: Real, high: Real, top: Real) -> tuple[Real, Real]:
    return _sums(*midpoints(low, high, _NODES), v, z, top)


def _by_panels(v: Real, z: Real, low: Real, high: Real, top: Real) -> tuple[Real, Real]:
    """For tiny z the integrand is a long exponential exp(v t) before it falls where z e^t ~ 1."""
    knee = np.clip(np.log(2 / z) - 8, low, high)
    f, g = _sums(*panels(low, knee, 1, 64), v, z, top)
    f_end, g_end = _sums(*panels(knee, high, 1, 64), v, z, top)
    return f + f_end, g + g_end


def _sums(t: Real, weights: Real, v: Real, z: Real, top: Real) -> tuple[Real, Real]:
    v, z, top = v[:, None], z[:, None], top[:, None]
    w = 0.5 * weights * np.exp(_exponent(t, v, z) - top)
    return (w * (1 + np.exp(-2 * v * t))).sum(-1), (w * t * -np.expm1(-2 * v * t)).sum(-1)


def _scaled(v: Real, z: Real) -> Real:
    """∂(e^z K_v(z))/∂v for z > 0; odd in v."""
    _, dk, log_factor = k_pair(np.abs(v), z)
    return np.sign(v) * dk * np.exp(log_factor + z)


def _unscaled(v: Real, z: Real) -> Real:
    _, dk, log_factor = k_pair(np.abs(v), z)
    return np.sign(v) * dk * np.exp(log_factor)


def _at_origin(v: Real, z: Real) -> Real:
    return np.where(v == 0, 0.0, np.copysign(np.inf, v))


def k_slope(v: Real, z: Real) -> Real:
    """∂K_v(z)/∂v for z >= 0; odd in v."""
    return by_region((v, z), (z == 0, _at_origin), (np.isinf(z), 0.0), (z > 0, _unscaled))


def scaled_k_slope(v: Real, z: Real) -> Real:
    """∂(e^z K_v(z))/∂v for z >= 0."""
    return by_region((v, z), (z == 0, _at_origin), (np.isinf(z), 0.0), (z > 0, _scaled))
