"""∂ζ(s)/∂s and ∂ζ(s, q)/∂s, Riemann's and Hurwitz's zeta functions in the exponent.

The Euler-Maclaurin formula (DLMF 25.2.9, 25.11.28), differentiated in s:

    ζ(s, q) = Σ_{k<N} (q+k)^-s + n^(1-s)/(s-1) + n^-s/2 + Σ_{j<=12} B_2j/(2j)! (s)_{2j-1} n^(1-s-2j),    n = q + N,

with N = 14 for real s and N = 14 + |Im s| for complex s, which leaves 1e-18. Riemann's function with Re s < -1/4 by the
reflection formula (DLMF 25.4.1), its factors scaled by exp(±π|Im s|/2), which would overflow.

Attained, against mpmath: 1e-13 relative for real s in [-250, 60] (1e-14 for s > 0); Hurwitz with s in (1, 100], q in
[1e-3, 1e4]: 3e-14; complex s with |Re s| <= 40, |Im s| <= 1000: 3e-13.
"""

import math

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike

from ._numerics import Complex, Mask, Real, by_region, cospi, kernel, sinpi

_HEAD = 14
_BERNOULLI = sc.bernoulli(24)[2::2]  # B_2, ... B_24
_LN_2PI = math.log(2 * math.pi)
_REFLECT_BELOW = -0.25  # nearer to 0 the reflection formula meets the pole at 1
_LARGEST_IMAG = 1e5  # the sum has |Im s| terms


def _euler_maclaurin(s: Real | Complex, q: Real) -> tuple[Real | Complex, Real | Complex]:
    """(ζ(s, q), ∂ζ(s, q)/∂s) for Re s > -1/4, q > 0."""
    head = np.ceil(_HEAD + np.abs(s.imag))
    value, slope = np.zeros_like(s), np.zeros_like(s)
    for k in range(int(head.max())):
        ln = np.log(q + k)
        term = np.where(k < head, np.exp(-s * ln), 0.0)
        value = value + term
        slope = slope - np.where(term == 0, 0.0, ln * term)
    n = q + head
    ln, power = np.log(n), np.exp((1 - s) * np.log(n))
    rest, d_rest = 1 / (s - 1) + 0.5 / n, -1 / (s - 1) ** 2
    rise, d_rise = s / 2, np.full_like(s, 0.5)  # (s)_{2j-1}/(2j)! and its derivative
    for j, b in enumerate(_BERNOULLI, 1):
        scale = b * n ** (-2.0 * j)
        rest, d_rest = rest + scale * rise, d_rest + scale * d_rise
        for m in (2 * j - 1, 2 * j):
            rise, d_rise = rise * (s + m), d_rise * (s + m) + rise
        over = (2 * j + 1) * (2 * j + 2)
        rise, d_rise = rise / over, d_rise / over
    seen = s.real * (ln - np.log(q + 1)) < 80  # far right the rest is negligible and its factors may overflow
    value = value + np.where(seen, power * rest, 0.0)
    return value, slope + np.where(seen, power * (d_rest - ln * rest), 0.0)


def _riemann_right(s: Real | Complex) -> Real | Complex:
    return _euler_maclaurin(s, np.ones(s.shape))[1]


def _riemann_left(s: Real | Complex) -> Real | Complex:
    """DLMF 25.4.1 differentiated: ζ(s) = 2 (2π)^(s-1) sin(πs/2) Γ(1-s) ζ(1-s)."""
    mirror = 1 - s
    value, slope = _euler_maclaurin(mirror, np.ones(s.shape))
    height = np.pi / 2 * np.abs(s.imag)
    sin, cos = _scaled_sin_cos(s / 2, height)
    front = 2 * np.exp((s - 1) * _LN_2PI + sc.loggamma(mirror) + height)
    return front * (value * (sin * (_LN_2PI - sc.digamma(mirror)) + np.pi / 2 * cos) - sin * slope)


def _scaled_sin_cos(z: Real | Complex, height: Real) -> tuple[Real | Complex, Real | Complex]:
    """sin(πz) and cos(πz) times exp(-height), height = π|Im z|."""
    sin, cos = sinpi(z.real), cospi(z.real)
    if not np.iscomplexobj(z):
        return sin, cos
    even = 0.5 * (1 + np.exp(-2 * height))
    odd = -0.5j * np.expm1(-2 * height) * np.sign(z.imag)
    return sin * even + cos * odd, cos * even - sin * odd


@kernel(work=2)
def riemann_zeta_dx(x: Real) -> Real:
    """ζ'(x) for real x (-inf at the pole x = 1), or complex x (NaN at the pole and for |Im x| > 1e5)."""
    return by_region(
        (x,),
        (x == 1, -np.inf),
        (np.isposinf(x), -0.0),
        (np.isfinite(x) & (x < _REFLECT_BELOW), _riemann_left),
        (np.isfinite(x), _riemann_right),
    )


@riemann_zeta_dx.complex(work=8)
def _(x: Complex) -> Complex:
    inside = np.isfinite(x) & (x != 1) & (np.abs(x.imag) <= _LARGEST_IMAG)
    regions = (inside & (x.real < _REFLECT_BELOW), _riemann_left), (inside, _riemann_right)
    return by_region((x,), *regions, dtype=np.complex128)


def _hurwitz_domain(x: Real, q: Real) -> Mask:
    return (x >= 1) & (q >= 0) & (np.isfinite(x) | (q > 1))


@kernel(work=2, domain=_hurwitz_domain)
def hurwitz_zeta_dx(x: Real, q: Real) -> Real:
    """∂ζ(x, q)/∂x for real x > 1, q > 0; -inf at x = 1, inf at q = 0, 0 at q = inf.

    NaN for x < 1, as SciPy's value, and for q < 0, where SciPy has values at integer x only.
    """
    return by_region(
        (x, q),
        (x == 1, -np.inf),
        (q == 0, np.inf),
        (np.isinf(q) | np.isinf(x), -0.0),
        (True, lambda x, q: _euler_maclaurin(x, q)[1]),
    )


def zeta_dx(x: ArrayLike, q: ArrayLike | None = None) -> Real | Complex:
    """∂zeta(x, q)/∂x: `riemann_zeta_dx` without q (real or complex x), `hurwitz_zeta_dx` with it."""
    return riemann_zeta_dx(x) if q is None else hurwitz_zeta_dx(x, q)


@kernel(work=2)
def zetac_dx(x: Real) -> Real:
    """∂zetac(x)/∂x = ζ'(x) for real x."""
    return riemann_zeta_dx(x)
