"""Derivatives of the ellipsoidal harmonics and their normalisation in h2 and k2, 0 < h2 < k2, for degrees up to 100.

16-point differences of SciPy's functions, with steps well inside the distance to the singularities (h2 = 0, h2 = k2,
and the square roots at s² = h2 and k2). They inherit the errors of SciPy: attained about 1e-11 of the function over
that distance for `ellip_harm`, 1e-8 for the two that SciPy integrates numerically.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as sc

from ._numerics import Mask, Real, central_difference, kernel

_SAFETY = 24
_LARGEST_DEGREE = 100
_THINNEST = 1e-8
_NOISE = 64 * np.finfo(float).eps


def _nearest(*distances: Any) -> Real:
    return np.min([np.abs(q) for q in distances], axis=0) / _SAFETY


def _valid(h2: Real, k2: Real, n: Real, p: Real, *rest: Real) -> Mask:
    degrees = (n >= 0) & (n <= _LARGEST_DEGREE) & (n == np.round(n)) & (p >= 1) & (p <= 2 * n + 1) & (p == np.round(p))
    return (h2 > _THINNEST * k2) & (k2 - h2 > _THINNEST * k2) & np.isfinite(k2) & degrees


def _valid_outside(h2: Real, k2: Real, n: Real, p: Real, s: Real) -> Mask:
    return _valid(h2, k2, n, p) & (s * s > k2)


def _slope(function: Callable[..., Any], argument: int) -> Callable[..., Real]:
    def slope(h2: Real, k2: Real, n: Real, p: Real, *rest: Real) -> Real:
        square = rest[0] ** 2 if rest else np.inf
        bounds = (h2, k2 - h2, square - h2) if argument == 0 else (k2 - h2, square - k2)
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


_ellipsoidal = kernel(work=16, domain=_valid)
_outside = kernel(work=16, domain=_valid_outside)
_harm = _slope(sc.ellip_harm, 0), _slope(sc.ellip_harm, 1)
_harm_2 = _slope(sc.ellip_harm_2, 0), _slope(sc.ellip_harm_2, 1)
_normal = _slope(sc.ellip_normal, 0), _slope(sc.ellip_normal, 1)


@_ellipsoidal
def ellip_harm_dh2(h2: Real, k2: Real, n: Real, p: Real, s: Real, signm: Any = 1, signn: Any = 1) -> Real:
    """∂/∂h2 of the ellipsoidal harmonic of the first kind."""
    return _harm[0](h2, k2, n, p, s, np.asarray(signm, float), np.asarray(signn, float))


@_ellipsoidal
def ellip_harm_dk2(h2: Real, k2: Real, n: Real, p: Real, s: Real, signm: Any = 1, signn: Any = 1) -> Real:
    """∂/∂k2 of the ellipsoidal harmonic of the first kind."""
    return _harm[1](h2, k2, n, p, s, np.asarray(signm, float), np.asarray(signn, float))


@_outside
def ellip_harm_2_dh2(h2: Real, k2: Real, n: Real, p: Real, s: Real) -> Real:
    """∂/∂h2 of the ellipsoidal harmonic of the second kind."""
    return _harm_2[0](h2, k2, n, p, s)


@_outside
def ellip_harm_2_dk2(h2: Real, k2: Real, n: Real, p: Real, s: Real) -> Real:
    """∂/∂k2 of the ellipsoidal harmonic of the second kind."""
    return _harm_2[1](h2, k2, n, p, s)


@_ellipsoidal
def ellip_normal_dh2(h2: Real, k2: Real, n: Real, p: Real) -> Real:
    """∂/∂h2 of the normalisation of the ellipsoidal harmonics."""
    return _normal[0](h2, k2, n, p)


@_ellipsoidal
def ellip_normal_dk2(h2: Real, k2: Real, n: Real, p: Real) -> Real:
    """∂/∂k2 of the normalisation of the ellipsoidal harmonics."""
    return _normal[1](h2, k2, n, p)
