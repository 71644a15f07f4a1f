"""∂stdtr/∂df, Student's t distribution in its degrees of freedom; the density, and the quantile's slope.

With t = sqrt(v) sinh(θ) the density is c sech(θ)^v dθ, c = 1/B(1/2, v/2), and the score in v is

    2 s = D(v) + [ln(1-T) + T] + T/v,    T = tanh²θ,    D(v) = ψ((v+1)/2) - ψ(v/2) - 1/v,

a sum of terms O(1/v²) each of which is formed without cancellation; the chain rule through the incomplete beta function
loses a factor v. On the half line s has mean zero and one change of sign, so of the integrals of s times density over
(0, t) and (t, ∞) one has an integrand of one sign. Panels of 64 Gauss-Legendre nodes; beyond θ = 20 the integrand is an
exponential times a linear function.

Attained, against mpmath: 1e-13 relative for df in [1e-2, 1e8] and values down to 1e-290, median 6e-16.
"""

import itertools
import math

import numpy as np
import scipy.special as sc

from ._numerics import CUTOFF, Mask, Real, bisect, by_region, contour_end, kernel, log1pmx, panels, stirling_remainder

_NODES = 40
_FLAT = 20.0  # tanh θ = 1 to rounding
_WORK = 2 * _NODES


def _ln_sech(theta: Real) -> Real:
    near = 0.5 * np.log1p(-(np.tanh(np.minimum(theta, 0.5)) ** 2))
    return np.where(theta < 0.5, near, math.log(2) - theta - np.log1p(np.exp(-2 * theta)))


def _ln_norm(v: Real) -> Real:
    """-ln B(1/2, v/2): the density at 0 is its exponential over sqrt(v)."""
    h = np.maximum(v / 2, 10.0)
    by_stirling = 0.5 * np.log(h / math.pi) + h * log1pmx(0.5 / h) + stirling_remainder(h + 0.5) - stirling_remainder(h)
    return np.where(v >= 20, by_stirling, -sc.betaln(0.5, v / 2))


def _psi_gap(v: Real) -> Real:
    """D(v) > 0, by D(v) = 1/(v(v+1)) - D(v+1) and the asymptotic series that follows from DLMF 5.11.2."""
    total, sign = np.zeros_like(v), np.ones_like(v)
    for _ in range(24):
        low = v < 24
        total = np.where(low, total + sign / (v * (v + 1)), total)
        sign = np.where(low, -sign, sign)
        v = np.where(low, v + 1, v)
    q = 1 / (v * v)
    series = q * (1 / 2 - q * (1 / 4 - q * (1 / 2 - q * (17 / 8 - q * (31 / 2 - q * (691 / 4 - q * 5461 / 2))))))
    return total + sign * series


def _score_and_ln_sech(theta: Real, v: Real, gap: Real) -> tuple[Real, Real]:
    """s and ln sech(θ), with one exponential and one logarithm."""
    shifted = np.expm1(-2 * theta)
    square = (shifted / (2 + shifted)) ** 2
    # ln(1-T) = 2 ln sech θ, and for small T the sum ln(1-T) + T without cancellation: r = -T/(2-T), |r| < 0.12
    r = square / (square - 2)
    q = r * r
    odd = 1 / 3 + q * (1 / 5 + q * (1 / 7 + q * (1 / 9 + q * (1 / 11 + q * (1 / 13 + q * (1 / 15 + q / 17))))))
    near = r * (square + 2 * q * odd)
    twice = 2 * (math.log(2) - theta - np.log1p(1 + shifted))
    small = theta < 0.5
    bracket = np.where(small, near, twice + square)
    return 0.5 * (gap + bracket + square / v), 0.5 * np.where(small, near - square, twice)


def _score(theta: Real, v: Real, gap: Real) -> Real:
    return _score_and_ln_sech(theta, v, gap)[0]


def _integral(v: Real, gap: Real, edges: list[Real], base: Real) -> Real:
    """∫ s(θ) exp(v ln sech θ - base) dθ, one panel between consecutive edges."""
    total = np.zeros_like(v)
    for low, high in itertools.pairwise(edges):
        theta, weights = panels(low, high, 1, _NODES)
        score, ln_sech = _score_and_ln_sech(theta, v[:, None], gap[:, None])
        total += (weights * score * np.exp(v[:, None] * ln_sech - base[:, None])).sum(-1)
    return total


def _ratio(v: Real, theta: Real) -> Real:
    """(∂F/∂v)/(c sech(θ)^v) at t = sqrt(v) sinh θ, for finite v, θ > 0."""
    gap = _psi_gap(v)
    # The score changes sign at 1.4 < t < 1.8 for v >= 1 and near theta = 1/v for small v. Roughly is enough: beside the
    # sign change it is small, and what has the wrong sign there cancels nothing.
    outside = np.where(v >= 1, np.arcsinh(4 / np.sqrt(v)), 60 + 10 / v)
    flip = bisect(lambda th: _score(th, v, gap), np.arcsinh(1 / np.sqrt(v)), outside, steps=14)
    regions = (theta <= flip, _from_centre), (True, _from_infinity)
    return by_region((v, theta, gap, v * _ln_sech(theta)), *regions)


def _from_centre(v: Real, theta: Real, gap: Real, base: Real) -> Real:
    fall = CUTOFF / v
    fallen = np.where(fall < 1, np.arcsinh(np.sqrt(np.expm1(2 * np.minimum(fall, 1)))), fall + 1)  # sech^v < e^-42
    reach = np.minimum(theta, fallen)
    return by_region(
        (v, gap, base, reach),
        (reach <= 3, lambda v, gap, base, reach: _integral(v, gap, [0 * v, reach], base)),
        (
            True,
            lambda v, gap, base, reach: _integral(v, gap, [0 * v, 0 * v + 3, np.minimum(reach, _FLAT), reach], base),
        ),
    )


def _from_infinity(v: Real, theta: Real, gap: Real, base: Real) -> Real:
    # ln sech(theta + s) - ln sech(theta) <= ln sech(s) < -0.4 s² for s < 1
    limit = np.minimum(np.maximum(_FLAT - theta, 1.0), np.where(v > 120, np.sqrt(2.5 * CUTOFF / v), np.inf))
    length = contour_end(lambda s: v * _ln_sech(theta + s) - base + CUTOFF, np.zeros_like(v), limit)
    end = theta + length
    drop = v * _ln_sech(end) - base
    beyond = np.where(drop > 1 - CUTOFF, np.exp(drop) * (_score(end, v, gap) / v - 1 / v**2), 0.0)
    inner = by_region(
        (v, gap, base, theta, length),
        (length <= 3, lambda *args: _in_panels(*args, count=1)),
        (True, lambda *args: _in_panels(*args, count=4)),
    )
    return -inner - beyond


def _in_panels(v: Real, gap: Real, base: Real, theta: Real, reach: Real, count: int) -> Real:
    return _integral(v, gap, [theta + reach * k / count for k in range(count + 1)], base)


def _theta(v: Real, t: Real) -> Real:
    return np.arcsinh(np.abs(t) / np.sqrt(v))


def _ddf_inside(v: Real, t: Real) -> Real:
    theta = _theta(v, t)
    return np.sign(t) * np.exp(v * _ln_sech(theta) + _ln_norm(v)) * _ratio(v, theta)


def _pdf_inside(v: Real, t: Real) -> Real:
    return np.exp(_ln_norm(v) + (v + 1) * _ln_sech(_theta(v, t))) / np.sqrt(v)


def _domain(df: Real, t: Real) -> Mask:
    return df > 0


@kernel(work=_WORK, domain=_domain)
def stdtr_ddf(df: Real, t: Real) -> Real:
    """∂stdtr(df, t)/∂df for df > 0; odd in t; 0 at t = 0, t = ±inf and df = inf."""
    return by_region((df, t), ((t == 0) | np.isinf(t) | np.isinf(df), 0.0), (True, _ddf_inside))


@kernel(work=_WORK, domain=_domain)
def stdtr_dtddf(df: Real, t: Real) -> Real:
    """dt/d(df) along stdtr(df, t) = const, formed without the density: ∂stdtrit/∂df at t = the quantile.

    0 at t = 0 and df = inf; at t = ±inf the limit ∓inf.
    """
    return by_region(
        (df, t),
        ((t == 0) | np.isinf(df), 0.0),
        (np.isinf(t), lambda v, t: -t),
        (True, lambda v, t: -np.sign(t) * np.hypot(np.sqrt(v), t) * _ratio(v, _theta(v, t))),
    )


@kernel(work=1, domain=_domain)
def t_pdf(df: Real, t: Real) -> Real:
    """∂stdtr(df, t)/∂t; the normal density at df = inf."""
    return by_region(
        (df, t),
        (np.isinf(t), 0.0),
        (np.isinf(df), lambda v, t: np.exp(-0.5 * t * t) / math.sqrt(2 * math.pi)),
        (True, _pdf_inside),
    )
