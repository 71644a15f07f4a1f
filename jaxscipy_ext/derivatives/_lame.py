"""Ellipsoidal harmonics, their second kind and their normalisation, without adaptive quadrature.

The harmonic is s^e |s² - h2|^(f/2) |s² - k2|^(g/2) with e, f, g = 0 or 1, times a polynomial in s²: that of Heun's
equation (DLMF 31.2.1, 31.5.2) in 1 - s²/h2, an eigenvector of a matrix which a scaling makes symmetric and tridiagonal.
Substitutions by hyperbolic and elliptic functions leave integrands that Gauss-Legendre and trapezoidal rules integrate
to rounding. Attained for n <= 8, against mpmath: 1e-14, where SciPy's adaptive quadrature of square roots has 1e-8.
"""

from typing import NamedTuple

import numpy as np
import scipy.special as sc

from ._numerics import Real, panels

LARGEST_DEGREE = 100
_PANELS, _PANEL_NODES = 4, 32
_TRAPEZOIDS = 48
WORK = (LARGEST_DEGREE // 2 + 1) ** 2
"""Numbers per point in the largest temporary: the matrix."""


class _Harmonic(NamedTuple):
    """One per point: coefficients of the powers of 1 - s²/h2, and the exponents, which are the same for all."""

    h2: Real
    coefficients: Real
    exponents: tuple[int, int, int]

    def square(self, s2: Real, above_h: Real, above_k: Real) -> Real:
        """E(s)² from s², s² - h2 and s² - k2, which have the nodes on their last axis."""
        w, value = -above_h / self.h2[:, None], np.zeros_like(s2)
        for c in self.coefficients.T[::-1]:
            value = value * w + c[:, None]
        e, f, g = self.exponents
        return s2**e * np.abs(above_h) ** f * np.abs(above_k) ** g * value * value


def _harmonic(h2: Real, k2: Real, n: int, p: int) -> _Harmonic:
    half, odd = n // 2, n % 2
    kinds = [(odd, 0, 0)] * (half + 1) + [(1 - odd, 1, 0)] * (n - half)
    kinds += [(1 - odd, 0, 1)] * (n - half) + [(odd, 1, 1)] * half
    exponents = kinds[p - 1]
    number, size = p - 1 - kinds.index(exponents), kinds.count(exponents)
    top, (gamma, delta, epsilon) = size - 1, (0.5 + e for e in exponents)
    total, third = gamma + delta + epsilon, 1 - k2[:, None] / h2[:, None]
    j = np.arange(size)
    middle = -j * ((j - 1 + delta) * (1 + third) + gamma * third + epsilon)
    raising, lowering = ((j - top) * (j + top + total - 1))[:-1], (j * (j - 1 + delta) * third)[:, 1:]
    off = np.sqrt(raising * lowering)
    matrix = np.zeros((h2.size, size, size))
    matrix[:, j, j], matrix[:, j[1:], j[:-1]] = middle, off
    vector = np.linalg.eigh(matrix)[1][:, :, number]
    scale = np.cumprod(np.concatenate((np.ones((h2.size, 1)), raising / off), axis=1), axis=1)
    coefficients = vector * scale
    return _Harmonic(h2, coefficients * ((-h2) ** top / coefficients[:, -1])[:, None], exponents)


def harmonic_2(h2: Real, k2: Real, n: int, p: int, s: Real) -> Real:
    """(2n + 1) E(s) ∫_s^∞ dt/(E(t)² sqrt((t² - h2) (t² - k2))), s² > k2, by t = k cosh(w), w = w0 e^v."""
    e = _harmonic(h2, k2, n, p)
    k = np.sqrt(k2)
    beyond = (np.abs(s) - k) / k
    start = np.log1p(beyond + np.sqrt(beyond * (2 + beyond)))
    v, dv = panels(np.zeros_like(s), np.log1p((1 + 40 / (2 * n + 1)) / start), _PANELS, _PANEL_NODES)
    w = start[:, None] * np.exp(v)
    above_k = k2[:, None] * np.sinh(w) ** 2
    above_h = (k2 - h2)[:, None] + above_k
    at_s = e.square((s * s)[:, None], (s * s - h2)[:, None], (s * s - k2)[:, None])
    fall = at_s / e.square(k2[:, None] + above_k, above_h, above_k)
    integral = (w * dv * fall / np.sqrt(above_h)).sum(1)
    return (2 * n + 1) * np.sign(s) ** (e.exponents[0] + 1) * integral / np.sqrt(at_s[:, 0])


def normalisation(h2: Real, k2: Real, n: int, p: int) -> Real:
    """8 ∫∫ (y² - x²) (E(x) E(y))²/sqrt((k2 - y²) (y² - h2) (h2 - x²) (k2 - x²)), x < h < y < k; x = h sn, y = k dn."""
    e = _harmonic(h2, k2, n, p)
    nodes = _TRAPEZOIDS + 2 * n
    unit = (np.arange(nodes) + 0.5) / nodes
    m, rest = (h2 / k2)[:, None], ((k2 - h2) / k2)[:, None]
    quarters = sc.ellipkm1(rest), sc.ellipkm1(m)
    sn, cn, dn, _ = (q * q for q in sc.ellipj(quarters[0] * unit, m))
    low2 = h2[:, None] * sn
    low = e.square(low2, -h2[:, None] * cn, -k2[:, None] * dn)
    sn, cn, dn, _ = (q * q for q in sc.ellipj(quarters[1] * unit, rest))
    high2, gap = k2[:, None] * dn, (k2 - h2)[:, None]
    high = e.square(high2, gap * cn, -gap * sn)
    moments = (high2 * high).sum(1) * low.sum(1) - high.sum(1) * (low2 * low).sum(1)
    return 8 * quarters[0][:, 0] * quarters[1][:, 0] * moments / (k2 * nodes**2)
