"""∂J_v(z)/∂v and ∂Y_v(z)/∂v for real z.

For real z the integrals of Schläfli and Sommerfeld (DLMF 10.9.17, 10.9.18) are taken along (nearly) the path of
steepest descent. There the trapezoidal rule converges geometrically at a rate that does not depend on v or z, and
differentiation only multiplies the integrand by -t: there are no removable singularities at integer v, which the
classical formulas (DLMF 10.15) have. J uses its power series for z² <= 4(v + 1). Negative orders: DLMF 10.4.7.

Attained, against mpmath: 3e-12 of the derivative for |v| <= 200, 1e-6 <= z <= 1e3 (the phase costs z eps), 6e-12 for
smaller z.
"""

from collections.abc import Callable

import numpy as np
import scipy.special as sc

from ._numerics import (
    CUTOFF,
    Complex,
    Real,
    by_region,
    contour_end,
    cospi,
    midpoints,
    sinh_minus_x,
    sinpi,
    x_minus_sin,
)
from .bessel_k import k_pair

_NODES_HANKEL, _NODES_J = 128, 64
Scaled = tuple[Real, Real, Real]
"""Value, derivative, and the log of their common factor."""
_TINY = 1e-8
"""Below this z, Y is K and an elementary term to 1e-16, and the contour would be too long for the rule."""


# ---- Hankel function on Sommerfeld's contour


def _sommerfeld_path(s: Real, b: Real, v: Real, z: Real) -> tuple[Real, Real, Real, Real, Real]:
    """The path t = x + iy of H, and the real part of its exponent.

    cosh(x) sin(y) - y cos(b) = sin(b) - b cos(b) is the path of steepest descent through the saddle t = ib of
    z sinh(t) - v t when v = z cos(b). It is parametrised by tan(y/2) = tan(b/2) e^s, which makes everything explicit
    and analytic in a strip of fixed width. Returns x, y, sin(y), cos(y) - cos(b) and Re(z sinh(t) - v t).
    """
    tan, c, es = np.tan(b / 2), np.cos(b), np.exp(s)
    y = 2 * np.arctan(tan * es)
    d = 2 * np.arctan(tan * np.expm1(s) / (1 + tan * tan * es))  # y - b
    sin_y = 2 * tan * es / (1 + (tan * es) ** 2)
    rise = 2 * np.sin(b) * np.sin(d / 2) ** 2 + c * x_minus_sin(d)  # (cosh x - 1) sin y
    x = 2 * np.sign(d) * np.arcsinh(np.sqrt(np.maximum(rise, 0) / (2 * sin_y)))
    cos_gap = -2 * np.sin(d / 2) * np.sin(b + d / 2)
    exponent = z * (sinh_minus_x(x) * np.cos(y) + x * cos_gap) + (z * c - v) * x
    return x, y, sin_y, cos_gap, exponent


def _hankel(v: Real, z: Real) -> tuple[Complex, Complex, Real]:
    """(H, dH/dv, log of their common factor) of the first Hankel function, v >= 0, z > 0.

    b = acos(v/z) kept above z^(-1/3), so that the path stays smooth through the turning point v = z; for v > z it runs
    along the real axis through the maximum at -acosh(v/z).
    """
    b = np.minimum(np.pi / 2, np.maximum(np.arccos(np.clip(v / z, 0, 1)), z ** (-1 / 3)))
    y_top = (np.sin(b) - b * np.cos(b)) / np.maximum(v / z, 1)
    s_top = np.where(v > z, np.minimum(0, np.log(np.tan(y_top / 2) / np.tan(b / 2))), 0.0)
    e_top = _sommerfeld_path(s_top, b, v, z)[-1]

    def level(s: Real) -> Real:
        return _sommerfeld_path(s, b, v, z)[-1] - e_top + CUTOFF

    ends = (contour_end(level, s_top, s_top + far) for far in (-45, 45))
    s, step = midpoints(*ends, _NODES_HANKEL)
    bb, vv, zz = b[:, None], v[:, None], z[:, None]
    x, y, sin_y, cos_gap, exponent = _sommerfeld_path(s, bb, vv, zz)
    c = np.cos(bb)
    slope = -(cos_gap * np.cosh(x) + 2 * c * np.sinh(x / 2) ** 2) / np.sinh(x)
    slope = np.where(np.abs(s) < 1e-9, np.sin(bb), slope)
    top = exponent.max(-1)
    weight = np.exp(exponent - top[:, None] + 1j * (zz * c - vv) * y) * (slope + 1j * sin_y) * step
    front = np.exp(1j * z * (np.sin(b) - b * np.cos(b))) / (1j * np.pi)
    return front * weight.sum(-1), -front * (weight * (x + 1j * y)).sum(-1), top


# ---- J and Y for v >= 0, z > 0


def power_series(v: Real, z: Real, sign: float) -> Scaled:
    """Power series of J (sign -1) or I (sign +1) and its v-derivative for z² <= 4(v + 1), and the log of the prefactor.

    DLMF 10.2.2, 10.25.2: (z/2)^v/Gamma(v+1) sum_k (sign z²/4)^k / (k! (v+1)_k).
    """
    q = sign * z * z / 4
    term, slope = np.ones_like(q), np.zeros_like(q)
    f, g = np.ones_like(q), np.zeros_like(q)
    for k in range(1, 60):
        term = term * q / (k * (v + k))
        slope = slope - 1 / (v + k)  # d ln(term)/dv
        f, g = f + term, g + term * slope
    return f, (np.log(z / 2) - sc.digamma(v + 1)) * f + g, v * np.log(z / 2) - sc.gammaln(v + 1)


def schlaefli_angle(u: Real) -> tuple[Real, Real, Real, Real]:
    """y = 2 gd(u) in [0, pi), sin(y), dy/du and y/sin(y): the angle of the steepest-descent paths of J and I."""
    rest = 4 * np.arctan(np.exp(-u))  # pi - y
    y = np.pi - rest
    sin_y = np.where(y < 1, np.sin(y), np.sin(rest))
    return y, sin_y, 2 / np.cosh(u), np.where(y < 1e-8, 1.0, y / sin_y)


def sin_minus_x_cos(y: Real, sin_y: Real) -> Real:
    """sin(y) - y cos(y) without cancellation at 0."""
    q = y * y
    series = y * q / 3 * (1 - q / 10 * (1 - q / 28 * (1 - q / 54 * (1 - q / 88))))
    return np.where(y < 0.3, series, sin_y - y * np.cos(y))


def _j_beyond_turning_point(v: Real, z: Real) -> Scaled:
    """J for v > z, where J is exponentially small: DLMF 10.9.17 along cosh(x) = (v/z) y/sin(y)."""
    order = np.maximum(v, z * np.cosh(np.minimum(z ** (-1 / 3), 1.0)))  # path of a nearby order, off the turning point

    def path(u: Real, v: Real, z: Real, order: Real) -> tuple[Real, ...]:
        y, sin_y, dy, ratio = schlaefli_angle(u)
        x = np.arccosh(np.maximum(order / z * ratio, 1))
        return x, y, sin_y, dy, z * np.sinh(x) * np.cos(y) - v * x

    zero = np.zeros_like(v)
    e_top = path(zero, v, z, order)[-1]
    end = contour_end(lambda u: path(u, v, z, order)[-1] - e_top + CUTOFF, zero, zero + 40.0)
    u, step = midpoints(zero, end, _NODES_J)
    vv, zz, oo = v[:, None], z[:, None], order[:, None]
    x, y, sin_y, dy, exponent = path(u, vv, zz, oo)
    slope = oo / zz * sin_minus_x_cos(y, sin_y) / (sin_y * sin_y) / np.sinh(x)  # dx/dy
    weight = np.exp(exponent - e_top[:, None]) * dy * step / np.pi
    phase = (oo - vv) * y
    cos, sin = np.cos(phase), np.sin(phase)
    f = (weight * (cos + slope * sin)).sum(-1)  # Re[(1 - i x') e^(i phase)]
    g = -(weight * ((x + y * slope) * cos - (y - x * slope) * sin)).sum(-1)  # the same times -(x + iy)
    return f, g, e_top


def _j_from_series(v: Real, z: Real) -> Scaled:
    return power_series(v, z, -1.0)


def _j_from_hankel(v: Real, z: Real) -> Scaled:
    h, dh, top = _hankel(v, z)
    return h.real, dh.real, top


def _j(v: Real, z: Real) -> Scaled:
    beyond = v > z + 0.5 * np.cbrt(z)
    regions = (z * z <= 4 * (v + 1), _j_from_series), (beyond, _j_beyond_turning_point), (~beyond, _j_from_hankel)
    return by_region((v, z), *regions, outputs=3)


def _y_from_hankel(v: Real, z: Real) -> Scaled:
    h, dh, top = _hankel(v, z)
    return h.imag, dh.imag, top


def _y_from_k(v: Real, z: Real) -> Scaled:
    """Y = -(2/pi)(K + sin²(pi v/2) Gamma(1-v) (z/2)^v / v) + O(z²), the last term of K's size for small v only."""
    k, dk, log_factor = k_pair(v, z)
    w = np.minimum(v, 0.9)
    log_half = np.log(z / 2)
    sine = np.where(w > 0, np.sin(np.pi * w / 2) / np.maximum(w, 1e-300), np.pi / 2)
    common = np.where(v < 0.9, sc.gamma(1 - w) * np.exp(w * log_half - log_factor), 0.0)
    term = common * sine * np.sin(np.pi * w / 2)
    # sin²(pi w/2)/w has the derivative pi sin(pi w)/(2w) - sin²(pi w/2)/w²
    slope = common * (np.pi * sine * np.cos(np.pi * w / 2) - sine**2) + term * (log_half - sc.digamma(1 - w))
    return -2 / np.pi * (k + term), -2 / np.pi * (dk + slope), log_factor


def _y(v: Real, z: Real) -> Scaled:
    return by_region((v, z), (z < _TINY, _y_from_k), (z >= _TINY, _y_from_hankel), outputs=3)


# ---- all orders


def _j_and_y(v: Real, z: Real) -> tuple[Real, ...]:
    """Both, from one contour where that is what gives both."""

    def of_hankel(v: Real, z: Real) -> tuple[Real, ...]:
        h, dh, top = _hankel(v, z)
        return h.real, dh.real, top, h.imag, dh.imag, top

    both = (z >= _TINY) & (z * z > 4 * (v + 1)) & (v <= z + 0.5 * np.cbrt(z))
    apart = (True, lambda v, z: (*_j(v, z), *_y(v, z)))
    return by_region((v, z), (both, of_hankel), apart, outputs=6)


def _slope(function: Callable[[Real, Real], Scaled]) -> Callable[[Real, Real], Real]:
    def slope(v: Real, z: Real) -> Real:
        _, g, log_factor = function(v, z)
        return g * np.exp(log_factor)

    return slope


def _scaled_sum(a: Real, f: Real, b: Real, g: Real, log_factor: Real) -> Real:
    """(a f + b g) exp(log_factor), without the factor's overflow where the sum is exactly 0."""
    total = a * f + b * g
    return np.where(total == 0, 0.0, total * np.exp(log_factor))


def _j_reflected(v: Real, z: Real) -> Real:
    """d/dv of J_v = cos(pi m) J_m - sin(pi m) Y_m, m = -v (DLMF 10.4.7)."""
    m = -v
    s, c = sinpi(m), cospi(m)
    j, dj, top_j, y, dy, top_y = _j_and_y(m, z)
    return _scaled_sum(np.pi * c, y, s, dy, top_y) + _scaled_sum(np.pi * s, j, -c, dj, top_j)


def _y_reflected(v: Real, z: Real) -> Real:
    """d/dv of Y_v = sin(pi m) J_m + cos(pi m) Y_m, m = -v."""
    m = -v
    s, c = sinpi(m), cospi(m)
    j, dj, top_j, y, dy, top_y = _j_and_y(m, z)
    return _scaled_sum(np.pi * s, y, -c, dy, top_y) + _scaled_sum(-np.pi * c, j, -s, dj, top_j)


def order_slope_at_origin(v: Real, z: Real) -> Real:
    """∂/∂v of (z/2)^v/Gamma(v+1) as z -> 0+: the limit of ∂J/∂v and ∂I/∂v."""
    n = np.floor(-v)
    sign = np.where(n % 2 == 0, -1.0, 1.0)  # of log(z/2)/Gamma(v+1); at v = -n that of d(1/Gamma(v+1))/dv
    return np.where(v > 0, 0.0, np.where(v == 0, -np.inf, sign * np.inf))


def _y_at_origin(v: Real, z: Real) -> Real:
    s, c = np.sign(sinpi(v)), np.sign(cospi(v))
    return np.where(v > 0, -np.inf, np.where(v == 0, -np.pi / 2, np.where(c != 0, c, s) * np.inf))


def j_slope(v: Real, z: Real) -> Real:
    """∂J_v(z)/∂v for z >= 0."""
    values = (v >= 0, _slope(_j)), (v < 0, _j_reflected)
    return by_region((v, z), (z == 0, order_slope_at_origin), (np.isinf(z), 0.0), *values)


def y_slope(v: Real, z: Real) -> Real:
    """∂Y_v(z)/∂v for z >= 0."""
    values = (v >= 0, _slope(_y)), (v < 0, _y_reflected)
    return by_region((v, z), (z == 0, _y_at_origin), (np.isinf(z), 0.0), *values)
