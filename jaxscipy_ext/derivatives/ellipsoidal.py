"""Derivatives of the ellipsoidal harmonics and their normalisation in h2 and k2, 0 < h2 < k2, for degrees up to 100.

16-point differences of SciPy's harmonics and of the integrals of `_lame`, with steps well inside the distance to the
singularities (h2 = 0, h2 = k2, and the square roots at s² = h2 and k2). Attained for n <= 8, against mpmath: 2e-11,
relative to the derivative.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as sc

from . import _lame
from ._numerics import Mask, Real, central_difference, difference_weights, kernel
from ._tridiagonal import each

_SAFETY = 24
_THINNEST = 1e-8
_BESIDE = tuple(j for j in range(-8, 9) if j)
_MIDDLE = [(-1) ** (j + 1) * math.comb(16, 8 + j) / math.comb(16, 8) for j in _BESIDE]
"""Interpolation in the middle of the nodes `_BESIDE`."""
_NOISE = 64 * np.finfo(float).eps


def _nearest(*distances: Any) -> Real:
    return np.min([np.abs(q) for q in distances], axis=0) / _SAFETY


def _valid(h2: Real, k2: Real, n: Real, p: Real, *rest: Real) -> Mask:
    degrees = (n >= 0) & (n <= _lame.LARGEST_DEGREE) & (n == np.round(n))
    numbers = (p >= 1) & (p <= 2 * n + 1) & (p == np.round(p))
    return degrees & numbers & (h2 > _THINNEST * k2) & (k2 - h2 > _THINNEST * k2) & np.isfinite(k2)


def _valid_outside(h2: Real, k2: Real, n: Real, p: Real, s: Real) -> Mask:
    return _valid(h2, k2, n, p) & (s * s > k2)


def _roots(n: Real, p: Real) -> tuple[Mask, Mask]:
    """Whether the harmonic has a factor sqrt|s² - h2| and sqrt|s² - k2|.

    The numbers p begin with floor(n/2) + 1 polynomials (type K); ceil(n/2) each with sqrt|s² - h2| (L) and
    sqrt|s² - k2| (M) follow, then those with both (N).
    """
    half = np.floor(n / 2)
    later = p - 1 - half
    return (later > 0) & ((later <= n - half) | (later > 2 * (n - half))), later > n - half


def _slope(function: Callable[..., Any], argument: int) -> Callable[..., Real]:
    def slope(h2: Real, k2: Real, n: Real, p: Real, *rest: Real) -> Real:
        square = rest[0] ** 2 if rest else np.inf
        has_h, has_k = _roots(n, p) if function is sc.ellip_harm else (True, True)
        to_root = np.where(has_h, square - h2, np.inf) if argument == 0 else np.where(has_k, square - k2, np.inf)
        bounds = (h2, k2 - h2, to_root) if argument == 0 else (k2 - h2, to_root)
        n, p = n.astype(int), p.astype(int)

        def along(q: Real) -> Any:
            pair = (q, k2) if argument == 0 else (h2, q)
            return function(*pair, n, p, *rest)

        point = h2 if argument == 0 else k2
        step = _nearest(*(b + 0 * point for b in bounds))
        slope = central_difference(along, point, step)
        # Some harmonics don't depend on h2 or k2. Differences of the noise that is left have no digits: 0 is exact.
        return np.where(np.abs(slope) * step > _NOISE * np.abs(along(point)), slope, 0 * slope)

    return slope


def _by_degree(function: Callable[..., Real]) -> Callable[..., Real]:
    """The function for arrays of n and p, from one for all points of the same n and p."""

    def everywhere(h2: Real, k2: Real, n: Any, p: Any, *rest: Real) -> Real:
        h2, k2 = np.broadcast_arrays(h2, k2)

        def here(degree: float, number: float, at: Mask) -> Real:
            return function(h2[at], k2[at], int(degree), int(number), *(q[at] for q in rest))

        return each((n, p), here, 1)[0]

    return everywhere


_ellipsoidal = kernel(work=16, domain=_valid)
_outside = kernel(work=_lame.WORK, domain=_valid_outside)
_integrated = kernel(work=_lame.WORK, domain=_valid)
_harm = _slope(sc.ellip_harm, 0), _slope(sc.ellip_harm, 1)
_harm_2 = _slope(_by_degree(_lame.harmonic_2), 0), _slope(_by_degree(_lame.harmonic_2), 1)
_normal = _slope(_by_degree(_lame.normalisation), 0), _slope(_by_degree(_lame.normalisation), 1)


@_ellipsoidal
def ellip_harm_dh2(h2: Real, k2: Real, n: Real, p: Real, s: Real, signm: Any = 1, signn: Any = 1) -> Real:
    """∂/∂h2 of the ellipsoidal harmonic of the first kind."""
    return _harm[0](h2, k2, n, p, s, np.asarray(signm, float), np.asarray(signn, float))


@_ellipsoidal
def ellip_harm_dk2(h2: Real, k2: Real, n: Real, p: Real, s: Real, signm: Any = 1, signn: Any = 1) -> Real:
    """∂/∂k2 of the ellipsoidal harmonic of the first kind."""
    return _harm[1](h2, k2, n, p, s, np.asarray(signm, float), np.asarray(signn, float))


def _root(s: Real, square: Real, present: Mask) -> tuple[Real, Real]:
    """sqrt|s² - square| and its derivative, the one beyond the branch point there; 1 and 0 where not present."""
    radicand = s * s - square
    root = np.sqrt(np.abs(radicand))
    slope = np.where(root == 0, np.copysign(np.inf, s), np.copysign(s, s * radicand) / np.where(root == 0, 1.0, root))
    return np.where(present, root, 1.0), np.where(present, slope, 0.0)


@_ellipsoidal
def ellip_harm_ds(h2: Real, k2: Real, n: Real, p: Real, s: Real, signm: Any = 1, signn: Any = 1) -> Real:
    """∂/∂s of the ellipsoidal harmonic of the first kind, a polynomial times the square roots of its type.

    The polynomial is known beside a branch point, not on it.
    """
    has_h, has_k = _roots(n, p)
    (root_h, slope_h), (root_k, slope_k) = _root(s, h2, has_h), _root(s, k2, has_k)

    def polynomial(t: Real) -> Real:
        value = sc.ellip_harm(
            h2, k2, n.astype(int), p.astype(int), t, np.asarray(signm, float), np.asarray(signn, float)
        )
        return value / (_root(t, h2, has_h)[0] * _root(t, k2, has_k)[0])

    h, k = np.sqrt(h2), np.sqrt(k2)
    gap = np.minimum(h, k - h)
    near = np.minimum(np.where(has_h, np.abs(np.abs(s) - h), np.inf), np.where(has_k, np.abs(np.abs(s) - k), np.inf))
    step = np.maximum(np.abs(s), h) / (4 * (n + 1))
    step = np.exp2(np.floor(np.log2(np.where(near < gap / 256, gap / 64, np.minimum(step, near / _SAFETY)))))
    beside = [polynomial(s + j * step) for j in _BESIDE]
    value = sum(w * q for w, q in zip(_MIDDLE, beside, strict=True))
    slope = sum(w * q for w, q in zip(difference_weights(_BESIDE), beside, strict=True)) / step
    return (slope_h * root_k + root_h * slope_k) * value + root_h * root_k * slope


@_outside
def ellip_harm_2_dh2(h2: Real, k2: Real, n: Real, p: Real, s: Real) -> Real:
    """∂/∂h2 of the ellipsoidal harmonic of the second kind."""
    return _harm_2[0](h2, k2, n, p, s)


@_outside
def ellip_harm_2_dk2(h2: Real, k2: Real, n: Real, p: Real, s: Real) -> Real:
    """∂/∂k2 of the ellipsoidal harmonic of the second kind."""
    return _harm_2[1](h2, k2, n, p, s)


@_integrated
def ellip_normal_dh2(h2: Real, k2: Real, n: Real, p: Real) -> Real:
    """∂/∂h2 of the normalisation of the ellipsoidal harmonics."""
    return _normal[0](h2, k2, n, p)


@_integrated
def ellip_normal_dk2(h2: Real, k2: Real, n: Real, p: Real) -> Real:
    """∂/∂k2 of the normalisation of the ellipsoidal harmonics."""
    return _normal[1](h2, k2, n, p)
