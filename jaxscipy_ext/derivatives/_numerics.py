"""What the derivative kernels share: block processing, elementary functions without cancellation, quadrature.

`kernel` turns a function of flat, NaN-free float64 arrays into a public kernel; `by_region` lets such a function use
one method per region of its domain.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike, NDArray

Real = NDArray[np.float64]
Mask = NDArray[np.bool_]

BLOCK_BYTES = 2**21
"""Size of the largest temporary of a block: it fits a core's cache, and a few dozen of them stay far below 64 MB."""

CUTOFF = 42.0
"""Integrands are cut where they fall below exp(-CUTOFF) = 6e-19 of their maximum."""


class Kernel:
    """A derivative kernel; see `kernel`."""

    def __init__(self, core: Callable[..., Any], work: int, domain: Callable[..., Any] | None, outputs: int) -> None:
        functools.update_wrapper(self, core)
        self._core, self._work, self._domain, self._outputs = core, work, domain, outputs
        self._complex_core: Callable[..., Any] | None = None
        self._complex_work = work

    def complex(self, *, work: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorator: the function that takes over when an argument is complex (its last one arrives as complex128)."""

        def register(core: Callable[..., Any]) -> Callable[..., Any]:
            self._complex_core, self._complex_work = core, work
            return core

        return register

    def __call__(self, *args: ArrayLike, **static: Any) -> Any:
        arrays = [np.asarray(a) for a in args]
        is_complex = any(a.dtype.kind == "c" for a in arrays)
        if is_complex and (self._complex_core is None or any(a.dtype.kind == "c" for a in arrays[:-1])):
            raise TypeError(f"{self.__name__} takes real arguments only" if self._complex_core is None
                            else f"{self.__name__} takes complex values in its last argument only")  # fmt: skip
        dtype = np.complex128 if is_complex else np.float64
        core, work = (self._complex_core, self._complex_work) if is_complex else (self._core, self._work)
        assert core is not None
        wanted = [np.float64] * (len(arrays) - 1) + [dtype]
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
        flat = [np.broadcast_to(a, shape).flat for a in arrays]
        result = np.full((self._outputs, *shape), np.nan, dtype)
        rows = result.reshape(self._outputs, -1)
        points = max(1, BLOCK_BYTES // (8 * work))
        with np.errstate(all="ignore"):
            for start in range(0, rows.shape[1], points):
                block = [f[start : start + points].astype(t) for f, t in zip(flat, wanted, strict=True)]
                good = functools.reduce(np.logical_and, [~np.isnan(b) for b in block])
                if self._domain is not None:
                    good &= self._domain(*block)
                if good.any():
                    rows[:, start : start + points][:, good] = core(*(b[good] for b in block), **static)
        return result[0][()] if self._outputs == 1 else tuple(r[()] for r in result)

    def __reduce__(self) -> str:
        return self.__qualname__  # pickled by reference, as functions are


def kernel(
    *, work: int, domain: Callable[..., Any] | None = None, outputs: int = 1
) -> Callable[[Callable[..., Any]], Kernel]:
    """Decorator: a public kernel from a function of equally long flat float64 arrays.

    `work` is the number of float64 values per point in the function's largest temporary (a complex value counts
    twice); it sets the number of points in a block. The function sees only points where no argument is NaN and where
    `domain(*arguments)` holds; the others become NaN. It may overwrite its arguments, which are copies. Warnings are
    off. With `outputs` > 1 it returns a tuple. Keyword arguments are passed on as they are.
    """
    return lambda core: Kernel(core, work, domain, outputs)


def by_region(
    args: tuple[NDArray[Any], ...], *regions: tuple[Any, Any], outputs: int = 1, dtype: type = np.float64
) -> Any:
    """Evaluate every point by the first region it lies in; NaN where it lies in none.

    A region is `(mask, function)`: the function gets the points of the mask only; a number instead of it is the value.
    """
    result = np.full((outputs, args[0].size), np.nan, dtype)
    left: Mask = np.ones(args[0].size, bool)
    for inside, value in regions:
        here = left & inside
        if here.any():
            result[:, here] = value(*(a[here] for a in args)) if callable(value) else value
            left &= ~here
    return result[0] if outputs == 1 else tuple(result)


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


@functools.cache
def difference_weights(nodes: tuple[int, ...], order: int = 1) -> Real:
    """Weights of the `order`-th derivative at 0 on integer nodes (Fornberg, Math. Comp. 51 (1988) 699), exactly."""
    table = [[Fraction(0)] * (order + 1) for _ in nodes]
    table[0][0] = Fraction(1)
    previous = Fraction(1)
    for i in range(1, len(nodes)):
        product = Fraction(1)
        old = [row[:] for row in table]
        for j in range(i):
            gap = nodes[i] - nodes[j]
            product *= gap
            for k in range(order + 1):
                table[j][k] = (nodes[i] * old[j][k] - (k * old[j][k - 1] if k else 0)) / gap
        for k in range(order + 1):
            table[i][k] = previous / product * ((k * old[i - 1][k - 1] if k else 0) - nodes[i - 1] * old[i - 1][k])
        previous = product
    return np.array([float(row[order]) for row in table])


def central_difference(f: Callable[[Real], Any], p: Real, step: Real) -> Any:
    """f'(p) from 16 values f(p + k step), |k| <= 8; f gets arrays of p's shape.

    With step = 1/(4 L), L = max(|f'/f|, 1/distance to the nearest singularity), the truncation error is
    (step L)^16 (8!)^2/17! < 1e-15 and the rounding error about 16 eps |f'| + 4 eps |f|/step. It inherits every error of f
    and fails where f' is exponentially smaller than L f.
    """
    step = np.exp2(np.floor(np.log2(step)))  # p + k step is then exact but for p's own grain
    nodes = tuple(range(-8, 9))
    return sum(w * f(p + k * step) for k, w in zip(nodes, difference_weights(nodes), strict=True) if k) / step
