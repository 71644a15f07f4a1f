"""∂I_v(z)/∂v for real z.

Power series for z² <= 4(v + 1); beyond it DLMF 10.32.12 on the real-valued path of steepest descent (v >= 1) or DLMF
10.32.4, differentiated (v < 1). At v = 0 only -K_0(z) remains, e^(-2z) of I_0: no difference of I would see it.
Negative orders: DLMF 10.27.2. Attained, against mpmath: 2e-13 of the derivative for |v| <= 200, 1e-6 <= z <= 1e3.
"""

import numpy as np

from ._numerics import CUTOFF, Real, by_region, contour_end, cospi, midpoints, panels, sinpi
from .bessel_j import Scaled, order_slope_at_origin, power_series, schlaefli_angle, sin_minus_x_cos
from .bessel_k import k_pair

_NODES = 96


def _from_series(v: Real, z: Real) -> Scaled:
    return power_series(v, z, 1.0)


def _from_contour(v: Real, z: Real) -> Scaled:
    """DLMF 10.32.12 along sinh(x) = (v/z) y/sin(y): a positive integrand, times -t for the derivative."""

    def path(u: Real, v: Real, z: Real) -> tuple[Real, ...]:
        y, sin_y, dy, ratio = schlaefli_angle(u)
        x = np.arcsinh(v / z * ratio)
        return x, y, sin_y, dy, z * np.cosh(x) * np.cos(y) - v * x

    zero = np.zeros_like(v)
    top = path(zero, v, z)[-1]
    end = contour_end(lambda u: path(u, v, z)[-1] - top + CUTOFF, zero, zero + 40.0)
    u, step = midpoints(zero, end, _NODES)
    x, y, sin_y, dy, exponent = path(u, v[:, None], z[:, None])
    slope = (v / z)[:, None] * sin_minus_x_cos(y, sin_y) / (sin_y * sin_y) / np.cosh(x)  # dx/dy
    weight = np.exp(exponent - top[:, None]) * dy * step / np.pi
    return weight.sum(-1), -(weight * (x + y * slope)).sum(-1), top


def _order_zero(v: Real, z: Real) -> Scaled:
    """dI/dv = -K_0 (DLMF 10.38.6); the value of I is not needed."""
    k, _, log_factor = k_pair(v, z)
    return np.full_like(v, np.nan), -k, log_factor


def _small_order(v: Real, z: Real) -> Scaled:
    """DLMF 10.32.4 for 0 < v < 1, z >= 2."""
    ring_end = np.minimum(np.pi, 2 * np.arcsin(np.minimum(1, np.sqrt(CUTOFF / (2 * z)))))
    vv, zz = v[:, None], z[:, None]
    theta, w = panels(np.zeros_like(z), ring_end, 1, 64)
    ring = w * np.exp(-2 * zz * np.sin(theta / 2) ** 2) / np.pi
    t, w = panels(np.zeros_like(z), np.arccosh(1 + CUTOFF / z), 1, 64)
    tail = w * np.exp(-zz * np.cosh(t) - zz - vv * t)
    s, c = sinpi(v) / np.pi, cospi(v)
    f = (ring * np.cos(vv * theta)).sum(-1) - s * tail.sum(-1)
    g = -(ring * theta * np.sin(vv * theta)).sum(-1) - c * tail.sum(-1) + s * (tail * t).sum(-1)
    return f, g, z


def _slope(v: Real, z: Real, shift: Real) -> Real:
    """e^shift ∂I_v(z)/∂v for z > 0."""
    m = np.abs(v)
    regions = (
        (z * z <= 4 * (m + 1), _from_series),
        (m == 0, _order_zero),
        (m < 1, _small_order),
        (m >= 1, _from_contour),
    )
    _, g, log_factor = by_region((m, z), *regions, outputs=3)
    positive = g * np.exp(log_factor + shift)
    if not (v < 0).any():
        return positive
    # I_v = I_m + (2/pi) sin(pi m) K_m, m = -v; one factor may be infinite, and infinities must not meet
    k, dk, log_factor = k_pair(m, z)
    other = 2 * cospi(m) * k + 2 / np.pi * sinpi(m) * dk
    return np.where(v < 0, -positive - np.where(other == 0, 0.0, other * np.exp(log_factor + shift)), positive)


def _at_infinity(v: Real, z: Real) -> Real:
    return np.where(v == 0, 0.0, np.copysign(np.inf, -v))


def i_slope(v: Real, z: Real) -> Real:
    """∂I_v(z)/∂v for z >= 0."""
    ends = (z == 0, order_slope_at_origin), (np.isinf(z), _at_infinity)
    return by_region((v, z), *ends, (z > 0, lambda v, z: _slope(v, z, 0 * z)))


def scaled_i_slope(v: Real, z: Real) -> Real:
    """∂(e^(-z) I_v(z))/∂v for z >= 0."""
    ends = (z == 0, order_slope_at_origin), (np.isinf(z), 0.0)
    return by_region((v, z), *ends, (z > 0, lambda v, z: _slope(v, z, -z)))
