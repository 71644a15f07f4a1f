"""Parameter derivatives of the parabolic cylinder functions D_v, V_v and W(a, x), and of their x-derivatives.

D_v(x) beyond its turning point, x > 2 (v + 1/2)^(1/2): DLMF 12.5.6 on the vertical line through the saddle, by the
trapezoidal rule, differentiated under the integral. Elsewhere D, and V everywhere, are followed from their values at 0
by Taylor steps of Weber's equation, in directions where they oscillate or grow. W(a, x) for a, x > 0, which falls by
e^(-pi a/2) behind its barrier, is followed inwards from its asymptotic expansion.

Attained, against mpmath, relative to the derivative: D and V 4e-12 for |v| <= 50, |x| <= 30; W 1e-12 for |a|, |x| <= 5
(beyond, SciPy's W is NaN, and so is its derivative).
"""

from typing import Any

import numpy as np
import scipy.special as sc

from ._march import State, march
from ._numerics import CUTOFF, Complex, Mask, Real, bisect, by_region, cospi, kernel, rgamma_d, sinpi

_NODES = 128
_TERMS = 34
_LOG2 = np.log(2)
_OVERFLOW = 709.0
_DIRECT = 100.0
"""Gamma functions of larger arguments are taken from their logarithms."""


# ---- Weber's equation w'' = (sign z²/4 + e) w and its derivative, e' = de


def _step_length(z: Real, sign: Real, e: Real, de: Real) -> Real:
    return 2.0 / np.sqrt(np.abs(e) + z * z / 4 + 1)


def _next_terms(k: int, z: Real, h: Real, c: list[Real], s: list[Real], sign: Real, e: Real, de: Real) -> Any:
    den = (k + 1) * (k + 2)
    q, linear, quadratic = (sign * z * z / 4 + e) * h**2, sign * 0.5 * z * h**3, sign * 0.25 * h**4
    c_next = (q * c[2] + linear * c[1] + quadratic * c[0]) / den
    return c_next, (q * s[2] + linear * s[1] + quadratic * s[0] + de * h**2 * c[2]) / den


def _weber(start: Real, x: Real, state: State, sign: float, e: Real, de: float, log_scale: Real | None = None) -> State:
    """`state` is to be multiplied by exp(log_scale); so is what is followed, where float64 had no number for it."""
    parameters = (np.full_like(e, sign), e, np.full_like(e, de))
    scale = np.zeros_like(e) if log_scale is None else log_scale
    found = march(start, x, state, parameters, _step_length, _next_terms, terms=_TERMS, memory=4, log_scale=scale)
    return tuple(np.where(scale == 0, q, np.copysign(np.exp(np.log(np.abs(q)) + scale), q)) for q in found)  # type: ignore[return-value]


def _scaled_rgamma(x: Real) -> tuple[Real, Real, Real]:
    """1/Gamma(x) and its derivative over exp(s), and s, 0 but where they are huge or tiny (DLMF 5.5.3, 5.5.4)."""
    reflected = np.where(x < 0, 1 - x, x)
    growth = np.where(x < 0, 1, -1) * sc.gammaln(reflected)
    value = np.where(x < 0, sinpi(x) / np.pi, 1.0)
    slope = np.where(x < 0, cospi(x), 0.0) - sc.digamma(reflected) * value
    near = np.abs(x) < _DIRECT
    x = np.where(near, x, 1.0)
    return (
        np.where(near, sc.rgamma(x), value),
        np.where(near, rgamma_d(x), slope),
        np.where(near, 0.0, growth),
    )


# ---- D_v and V_v


def _d_contour(v: Real, x: Real) -> State:
    """DLMF 12.5.6 on Re t = c: D, ∂D/∂v, D', ∂D'/∂v."""
    c = np.maximum(0.5 * (x + np.sqrt(np.maximum(x * x - 4 * v, 0))), 1.0)

    def level(y: Real) -> Real:
        return -0.5 * y * y + 0.5 * v * np.log1p((y / c) ** 2) + CUTOFF

    zero = np.zeros_like(v)
    end = bisect(level, np.sqrt(np.maximum(v - c * c, 0)), zero + 20 + 4 * np.sqrt(np.abs(v)))
    step = (end / _NODES)[:, None]
    y = step * (np.arange(_NODES) + 0.5)
    cc, vv, xx = c[:, None], v[:, None], x[:, None]
    log_t = np.log(cc) + 0.5 * np.log1p((y / cc) ** 2) + 1j * np.arctan2(y, cc)
    weight = step * np.exp(-0.5 * y * y + 1j * (cc - xx) * y + vv * (log_t - np.log(cc)))
    front = np.exp(0.25 * x * x - x * c + 0.5 * c * c + v * np.log(c)) * 2 / np.sqrt(2 * np.pi)
    slope = 0.5 * xx - (cc + 1j * y)
    f, g = weight.sum(1).real, (weight * log_t).sum(1).real
    return front * f, front * g, front * (weight * slope).sum(1).real, front * (weight * slope * log_t).sum(1).real


def _d_steps(v: Real, x: Real) -> State:
    """From DLMF 12.2.6, 12.2.7 at x = 0."""
    r, dr, scale = _scaled_rgamma((1 - v) / 2)
    s, ds, other = _scaled_rgamma(-v / 2)
    shift = np.where(scale == 0, 0.0, v / 2 * _LOG2)  # 2^(v/2), which belongs to both
    p = np.sqrt(np.pi) * np.where(scale == 0, 2 ** (v / 2), 1.0)
    p_prime = -np.sqrt(2) * p * np.exp(other - scale)
    state = (p * r, p * 0.5 * (_LOG2 * r - dr), p_prime * s, p_prime * 0.5 * (_LOG2 * s - ds))
    return _weber(np.zeros_like(x), x, state, 1.0, -v - 0.5, -1.0, scale + shift)


def _v_steps(v: Real, x: Real) -> State:
    """From DLMF 12.2.8, 12.2.9 at x = 0, a = -v - 1/2, where g + h = 1 and so 1/(Gamma(g) Gamma(h)) = sin(pi h)/pi."""
    half = (-v - 0.5) / 2
    r, dr, scale = _scaled_rgamma(0.75 - half)
    s, ds, other = _scaled_rgamma(0.25 - half)
    shift = np.where(scale == 0, 0.0, half * _LOG2)
    front = 2**0.25 * np.where(scale == 0, 2.0**half, 1.0)

    def start(front: Real, h: Real, r: Real, dr: Real) -> tuple[Real, Real]:
        """pi 2^exponent / (Gamma(g)² Gamma(h)) and its derivative; exponent' = h' = -1/2, g' = 1/2."""
        sin, cos = sinpi(h), cospi(h)
        return front * sin * r, 0.5 * front * (sin * (dr - _LOG2 * r) - np.pi * cos * r)

    state = (
        *start(front, 0.25 + half, r, dr),
        *start(np.sqrt(2) * front * np.exp(other - scale), 0.75 + half, s, ds),
    )
    return _weber(np.zeros_like(x), x, state, 1.0, -v - 0.5, -1.0, scale + shift)


def _finite(v: Real, x: Real) -> Mask:
    return np.isfinite(v) & np.isfinite(x)


@kernel(work=2 * _NODES, domain=_finite, outputs=2)
def pbdv_dv(v: Real, x: Real) -> tuple[Real, Real]:
    """(∂D_v(x)/∂v, ∂D_v'(x)/∂v) for real v and x."""
    beyond = x > 2 * np.sqrt(np.maximum(v + 0.5, 0))
    _, g, _, g_prime = by_region((v, x), (beyond, _d_contour), (~beyond, _d_steps), outputs=4)
    # DLMF 12.9.1, 12.2.15: D ~ (2 pi)^(1/2)/Gamma(-v) exp(x²/4) |x|^(-v-1) far left, where steps end in inf - inf
    log_x = np.log(np.abs(x))
    strength = -rgamma_d(-v) - log_x * sc.rgamma(-v)
    overflows = (x < 0) & ~np.isfinite(g) & (x * x / 4 - (v + 1) * log_x + np.log(np.abs(strength)) > _OVERFLOW)
    infinite = np.inf * np.sign(strength)
    return np.where(overflows, infinite, g), np.where(overflows, -infinite, g_prime)


@kernel(work=32, domain=_finite, outputs=2)
def pbvv_dv(v: Real, x: Real) -> tuple[Real, Real]:
    """(∂V_v(x)/∂v, ∂V_v'(x)/∂v) for real v and x."""
    _, g, _, g_prime = _v_steps(v, x)
    return g, g_prime


# ---- W(a, x)


def _w_steps(a: Real, x: Real) -> State:
    """From DLMF 12.14.2, 12.14.3 at x = 0."""
    low, high = 0.25 + 0.5j * a, 0.75 + 0.5j * a
    r = np.exp((sc.loggamma(low) - sc.loggamma(high)).real)
    log_slope = -0.5 * (sc.digamma(low) - sc.digamma(high)).imag
    f, f_prime = 2**-0.75 * np.sqrt(r), -(2**-0.25) / np.sqrt(r)
    state = f, 0.5 * f * log_slope, f_prime, -0.5 * f_prime * log_slope
    return _weber(np.zeros_like(x), x, state, -1.0, a, 1.0)


def _w_asymptotic(a: Real, x: Real) -> State:
    """DLMF 12.14.17-18: (2k/x)^(1/2) Re(e^(i omega) S), omega = x²/4 - a ln x + pi/4 + phi_2/2."""
    term: Complex = np.ones(a.shape, np.complex128)
    slope = np.zeros_like(term)
    total, d_total, total_x, d_total_x = term.copy(), slope.copy(), slope.copy(), slope.copy()
    for s in range(24):
        p, q = 0.5 + 2 * s + 1j * a, 1.5 + 2 * s + 1j * a
        m = 1 / (2j * (s + 1) * x * x)
        term, slope = term * p * q * m, (slope * p * q + term * 1j * (p + q)) * m
        total, d_total = total + term, d_total + slope
        total_x, d_total_x = total_x - 2 * (s + 1) / x * term, d_total_x - 2 * (s + 1) / x * slope
    grow = np.exp(np.pi * a)
    root = np.hypot(1, grow)
    log_k_slope = -np.pi * grow / root
    omega = x * x / 4 - a * np.log(x) + np.pi / 4 + 0.5 * sc.loggamma(0.5 + 1j * a).imag
    omega_slope = -np.log(x) + 0.5 * sc.digamma(0.5 + 1j * a).real
    front = np.sqrt(2 / (x * (root + grow))) * np.exp(1j * omega)
    rate = 0.5 * log_k_slope + 1j * omega_slope  # d ln(front)/da
    rate_x = -0.5 / x + 1j * (x / 2 - a / x)  # d ln(front)/dx
    f, f_x = front * total, front * (rate_x * total + total_x)
    g = front * (rate * total + d_total)
    g_x = rate * f_x + front * (rate_x * d_total - 1j / x * total + d_total_x)
    return f.real, g.real, f_x.real, g_x.real


def _w_inwards(a: Real, x: Real) -> State:
    far = np.maximum(x, 16.0 + 2 * np.abs(a))
    return _weber(far, x, _w_asymptotic(a, far), -1.0, a, 1.0)


def _where_scipy_has_w(a: Real, x: Real) -> Mask:
    return (np.abs(a) <= 5) & (np.abs(x) <= 5)


@kernel(work=32, domain=_where_scipy_has_w, outputs=2)
def pbwa_da(a: Real, x: Real) -> tuple[Real, Real]:
    """(∂W(a, x)/∂a, ∂W'(a, x)/∂a) for |a|, |x| <= 5; NaN beyond, as SciPy's W itself."""
    falling = (a > 0) & (x > 0)
    _, g, _, g_prime = by_region((a, x), (falling, _w_inwards), (~falling, _w_steps), outputs=4)
    return g, g_prime
