"""Derivatives of the radial spheroidal wave functions of both kinds in the parameter c.

The series of spherical Bessel functions DLMF 30.11.3, differentiated in c through their argument c x and through the
coefficients, whose ratios come with their derivatives from continued fractions: accurate relative to themselves, far
out too, where those of the second kind are huge. That of the second kind converges like (1/x²)^k; NaN where it needs
more terms than float64 has exponents for, or has lost digits: next to x = 1.
"""

from typing import Any

import numpy as np
import scipy.special as sc

from ._numerics import Mask, Real, kernel
from ._tridiagonal import each, perturbed, ratios
from .spheroidal import are_indices, legendre_matrix

_MOST_TERMS = 400
_NEGLIGIBLE, _CANCELLATION = 1e-17, 1e5
"""Of the largest term: the last one, at most; and how much larger than the sum it may be."""
_LARGEST, _FARTHEST = 200, 1e6
"""SciPy has values for n + 2 c and c x up to these."""


def _radial(m: int, n: int, c: float, x: Real, sign: int, kind: int) -> Any:
    """∂R/∂c and ∂R'/∂c, x > 1, or x > 0 for the oblate function of the first kind."""
    size = n - m + 30 + int(c)
    if kind == 2:
        size += int(min(20 / np.log(x.min()), _MOST_TERMS))
    degrees, matrix = legendre_matrix(m, n, c, sign, size)
    ratio, d_ratio, _ = ratios(matrix, perturbed(matrix))
    # from the orthonormal basis, times (l + m)!/(l - m)!, relative to the first
    growth = 0.5 * (np.log(2 * degrees + 1.0) + sc.gammaln(degrees + m + 1) - sc.gammaln(degrees - m + 1))
    factor = np.exp(growth - growth.max())
    a, da = factor * ratio, factor * d_ratio
    total, d_total = a.sum(), da.sum()
    phase = np.where((degrees - n) // 2 % 2 == 0, 1.0, -1.0)
    weight, d_weight = phase * a / total, phase * (da - a * (d_total / total)) / total
    z = (c * x)[:, None]
    spherical = sc.spherical_jn if kind == 1 else sc.spherical_yn
    w, dw = spherical(degrees, z), spherical(degrees, z, derivative=True)
    ddw = -2 / z * dw - (1 - degrees * (degrees + 1.0) / (z * z)) * w  # DLMF 10.47.1
    column = x[:, None]
    in_c, fall = d_weight * w + weight * column * dw, d_weight * c * dw + weight * (dw + z * ddw)
    slope, slope_in_c = (_sum(terms) for terms in (in_c, fall))
    # R is the series times (1 -+ 1/x²)^(m/2)
    front = ((x - sign / x) / x) ** (m / 2)
    return front * slope, front * (slope_in_c + slope * m * sign / (x * (x * x - sign)))


def _sum(terms: Real) -> Real:
    """Along the last axis, up to where the terms overflow; NaN where they don't get small, or cancel."""
    finite = np.logical_and.accumulate(np.isfinite(terms), axis=1)
    last = np.abs(terms[np.arange(terms.shape[0]), finite.sum(1) - 1])
    terms = np.where(finite, terms, 0.0)
    total, largest = terms.sum(1), np.abs(terms).max(1)
    sound = finite[:, 0] & (last <= _NEGLIGIBLE * largest) & (largest <= _CANCELLATION * np.abs(total))
    return np.where(sound, total, np.nan)


def _slopes(m: Real, n: Real, c: Real, x: Real, sign: int, kind: int) -> tuple[Real, Real]:
    return tuple(each((m, n, c), lambda m, n, c, here: _radial(int(m), int(n), c, x[here], sign, kind), 2))


def _domain(m: Real, n: Real, c: Real, x: Real) -> Mask:
    return are_indices(m, n, c) & (c > 0) & (n + 2 * c <= _LARGEST) & (x > 1) & (c * x <= _FARTHEST)


def _oblate_domain(m: Real, n: Real, c: Real, x: Real) -> Mask:
    return are_indices(m, n, c) & (c > 0) & (n + 2 * c <= _LARGEST) & (x > 0) & (c * x <= _FARTHEST)


@kernel(work=2 * _MOST_TERMS, domain=_domain, outputs=2)
def pro_rad1_dc(m: Real, n: Real, c: Real, x: Real) -> tuple[Real, Real]:
    """∂/∂c of the prolate radial function of the first kind and of its derivative, c > 0, x > 1."""
    return _slopes(m, n, c, x, 1, 1)


@kernel(work=2 * _MOST_TERMS, domain=_domain, outputs=2)
def pro_rad2_dc(m: Real, n: Real, c: Real, x: Real) -> tuple[Real, Real]:
    """∂/∂c of the prolate radial function of the second kind and of its derivative, c > 0, x > 1."""
    return _slopes(m, n, c, x, 1, 2)


@kernel(work=2 * _MOST_TERMS, domain=_oblate_domain, outputs=2)
def obl_rad1_dc(m: Real, n: Real, c: Real, x: Real) -> tuple[Real, Real]:
    """∂/∂c of the oblate radial function of the first kind and of its derivative, c > 0, x > 0."""
    return _slopes(m, n, c, x, -1, 1)


@kernel(work=2 * _MOST_TERMS, domain=_domain, outputs=2)
def obl_rad2_dc(m: Real, n: Real, c: Real, x: Real) -> tuple[Real, Real]:
    """∂/∂c of the oblate radial function of the second kind and of its derivative, c > 0, x > 1."""
    return _slopes(m, n, c, x, -1, 2)
