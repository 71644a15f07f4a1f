"""What the derivative kernels share: elementary functions without cancellation, quadrature, differences.

`kernel` and `by_region` (from `_kernel`) are importable from here too.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike

from jaxscipy_ext._finite_differences import difference_weights

from ._kernel import BLOCK_BYTES, Complex, Kernel, Mask, Real, by_region, kernel

__all__ = [
    "BLOCK_BYTES", "CUTOFF", "Complex", "Kernel", "Mask", "Real", "bisect", "by_region", "central_difference",
    "contour_end", "cospi", "difference_weights", "digamma", "even_difference", "gauss_legendre", "kernel", "log1pmx",
    "midpoints", "panels", "rgamma_d", "sinh_minus_x", "sinpi", "stirling_remainder", "x_minus_sin",
]  # fmt: skip

CUTOFF = 42.0
"""Integrands are cut where they fall below exp(-CUTOFF) = 6e-19 of their maximum."""


# ---- elementary functions


def sinpi(x: ArrayLike) -> Real:
    """sin(pi x), exactly 0 at the integers."""
    x = np.asarray(x, float)
    n = np.round(x)
    return np.where(n % 2 == 0, 1.0, -1.0) * np.sin(np.pi * (x - n))


def cospi(x: ArrayLike) -> Real:
    """cos(pi x), exactly 0 at the half-integers."""
    x = np.asarray(x, float)
    n = np.round(x)
    return np.where(n % 2 == 0, 1.0, -1.0) * np.sin(np.pi * (0.5 - np.abs(x - n)))


def log1pmx(u: ArrayLike, ratio: ArrayLike | None = None) -> Real:
    """log(1 + u) - u without cancellation; `ratio`: an accurate 1 + u, if it is known."""
    u = np.asarray(u, float)
    small = np.abs(u) < 0.6
    v = np.where(small, u, 0.0)
    r = v / (2 + v)  # log(1+v) = 2 artanh(r)
    odd = _polynomial(r * r, [1 / (2 * k + 1) for k in range(1, 25)])
    logarithm = np.log1p(u) if ratio is None else np.log(np.asarray(ratio, float))
    return np.where(small, -v * r + 2 * r**3 * odd, logarithm - u)


def x_minus_sin(x: Real) -> Real:
    """x - sin(x) without cancellation at 0."""
    q = x * x
    series = x * q / 6 * (1 - q / 20 * (1 - q / 42 * (1 - q / 72 * (1 - q / 110 * (1 - q / 156)))))
    return np.where(np.abs(x) < 0.5, series, x - np.sin(x))


def sinh_minus_x(x: Real) -> Real:
    """sinh(x) - x without cancellation at 0."""
    small = np.abs(x) < 0.7
    q = np.where(small, x * x, 0.0)
    tail = 1 + q / 110 * (1 + q / 156 * (1 + q / 210))
    series = x * q / 6 * (1 + q / 20 * (1 + q / 42 * (1 + q / 72 * tail)))
    return np.where(small, series, np.sinh(x) - x)


def stirling_remainder(a: ArrayLike) -> Real:
    """ln Gamma(a) - (a - 1/2) ln a + a - ln(2 pi)/2 for a >= 10 (DLMF 5.11.1)."""
    a = np.asarray(a, float)
    coefficients = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156]
    return _polynomial(1 / (a * a), coefficients) / a


def digamma(x: ArrayLike) -> Real:
    """psi(x), accurate also next to its poles, where SciPy's loses the distance to the pole (DLMF 5.5.4)."""
    x = np.asarray(x, float)
    reflected = sc.digamma(1 - x) - np.pi * cospi(x) / sinpi(x)
    return np.where(x < 0, reflected, sc.digamma(x))


def rgamma_d(x: ArrayLike) -> Real:
    """d(1/Gamma(x))/dx = -psi(x)/Gamma(x), entire: finite at x = 0, -1, -2, ..."""
    x = np.asarray(x, float)
    y = np.where(x < 0.5, 1 - x, x)
    reflected = sc.gamma(y) * (cospi(x) - sc.digamma(y) * sinpi(x) / np.pi)  # DLMF 5.5.3, 5.5.4
    return np.where(x < 0.5, reflected, -sc.digamma(y) * sc.rgamma(y))


def _polynomial(x: Real, coefficients: list[float]) -> Real:
    """Horner's scheme, lowest coefficient first."""
    value = np.zeros_like(x)
    for c in reversed(coefficients):
        value = value * x + c
    return value


# ---- roots, quadrature, differences


def bisect(level: Callable[[Real], Any], inside: Real, outside: Real, steps: int = 22) -> Real:
    """The point between `inside` (level > 0) and `outside` (level < 0) where the level changes sign, from outside."""
    a, b = inside.copy(), outside.copy()
    for _ in range(steps):
        middle = 0.5 * (a + b)
        positive = level(middle) > 0
        a = np.where(positive, middle, a)
        b = np.where(positive, b, middle)
    return b


def contour_end(level: Callable[[Real], Any], inside: Real, outside: Real) -> Real:
    """As `bisect`, but to 2 % of the distance from `inside`: the end of a contour.

    Contours are long for small arguments and short for large ones: the distance is halved on a logarithmic scale. One
    that is a little longer than necessary costs a few of its nodes, and no accuracy.
    """
    span = outside - inside
    low, high = np.full_like(span, -_OCTAVES), np.zeros_like(span)
    for _ in range(11):
        middle = 0.5 * (low + high)
        positive = level(inside + span * np.exp2(middle)) > 0
        low = np.where(positive, middle, low)
        high = np.where(positive, high, middle)
    return inside + span * np.exp2(high)


_OCTAVES = 40.0


@functools.cache
def gauss_legendre(n: int) -> tuple[Real, Real]:
    """Nodes and weights on [0, 1]."""
    x, w = np.polynomial.legendre.leggauss(n)
    return 0.5 * (x + 1), 0.5 * w


def panels(low: Real, high: Real, count: int, nodes: int = 48) -> tuple[Real, Real]:
    """Composite Gauss-Legendre rule on [low, high]: `count` panels, nodes and weights on a new last axis."""
    x, w = gauss_legendre(nodes)
    unit = ((np.arange(count)[:, None] + x) / count).ravel()
    length = (high - low)[..., None]
    return low[..., None] + length * unit, length * (np.tile(w, count) / count)


def midpoints(low: Real, high: Real, nodes: int) -> tuple[Real, Real]:
    """Trapezoidal rule for integrands that vanish at both ends: nodes on a new last axis, and the step."""
    step = ((high - low) / nodes)[..., None]
    return low[..., None] + step * (np.arange(nodes) + 0.5), step


def central_difference(f: Callable[[Real], Any], p: Real, step: Real) -> Any:
    """f'(p) from 16 values f(p + k step), |k| <= 8; f gets arrays of p's shape.

    With step = 1/(4 L), L = max(|f'/f|, 1/distance to the nearest singularity), the truncation error is
    (step L)^16 (8!)^2/17! < 1e-15 and the rounding error about 16 eps |f'| + 4 eps |f|/step. It inherits every error
    of f and fails where f' is exponentially smaller than L f.
    """
    step = np.exp2(np.floor(np.log2(step)))  # p + k step is then exact but for p's own grain
    nodes = tuple(range(-8, 9))
    return sum(w * f(p + k * step) for k, w in zip(nodes, difference_weights(nodes), strict=True) if k) / step


def even_difference(f: Callable[[Real], Any], p: Real, step: Real) -> Any:
    """f'(p) of an even f, accurate relative to f'(p) also where p, and with it f'(p), is tiny.

    Near 0 it differentiates Newton's interpolation polynomial of f in (p/step)² at the nodes 0, 1, 4, ... 64.
    """
    step = np.exp2(np.floor(np.log2(step)))
    near = np.abs(p) < step
    w = (p / step) ** 2
    nodes = [float(k * k) for k in range(9)]
    table = [f(k * step) for k in range(9)]
    for width in range(1, 9):
        table[width:] = [(table[i] - table[i - 1]) / (nodes[i] - nodes[i - width]) for i in range(width, 9)]
    value, slope = table[8], np.zeros_like(table[8])
    for k in reversed(range(8)):
        value, slope = table[k] + (w - nodes[k]) * value, value + (w - nodes[k]) * slope
    return np.where(near, 2 * p / (step * step) * slope, central_difference(f, p, step))
