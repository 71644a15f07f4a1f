"""The gamma family where SciPy has no function that broadcasts: derivatives of 1/Γ, digamma differences, and more."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike, NDArray

from jaxscipy_ext.derivatives._kernel import Complex, Real, by_region, kernel
from jaxscipy_ext.derivatives._numerics import gauss_legendre
from jaxscipy_ext.derivatives.gamma import gammainc_da, log_gamma_front
from jaxscipy_ext.derivatives.polygamma import log_minus_psi, polygamma, psi_difference, rgamma_dz
from jaxscipy_ext.hosts._orders import by_order, is_order

Inexact = NDArray[Any]


# ------------------------------------------------------------------------------------------------------ reciprocal


@kernel(work=4, domain=is_order)
def rgamma_derivative(n: Real, z: Real) -> Real:
    """The n-th derivative of the entire function 1/Γ at real or complex points, (-1)^k k! for n = 1 and z = -k."""
    return by_order(_rgamma_derivative, n, z)


@rgamma_derivative.complex(work=8)
def _(n: Real, z: Complex) -> Complex:
    return by_order(_rgamma_derivative, n, z)


def _rgamma_derivative(n: int, z: Inexact) -> Inexact:
    if n < 2:
        return sc.rgamma(z) if n == 0 else np.asarray(rgamma_dz(z))
    near_poles = (z.real < 0.5) & (np.abs(z.imag) < 1)
    return by_region(
        (z,),
        (np.isposinf(z.real), 0.0),
        (near_poles, lambda z: _reflected(n, z)),
        (~near_poles, lambda z: sc.rgamma(z) * _bell([-g for g in _psis(n, z)])[n]),
        dtype=z.dtype,
    )


def _psis(n: int, z: Inexact) -> list[Inexact]:
    """ψ(z), ψ'(z), ..., n of them."""
    return [np.asarray(polygamma(k, z)) for k in range(n)]


def _bell(slopes: Sequence[Inexact]) -> list[Inexact]:
    """The derivatives of exp(g) over exp(g), order 0 to n, from those of g, order 1 to n."""
    values = [np.ones_like(slopes[0])]
    for m in range(1, len(slopes) + 1):
        values.append(sum(math.comb(m - 1, k) * values[k] * slopes[m - k - 1] for k in range(m)))
    return values


def _reflected(n: int, z: Inexact) -> Inexact:
    """Leibniz's rule on 1/Γ(z) = Γ(1-z) sin(πz)/π (DLMF 5.5.3)."""
    gammas = _bell(_psis(n, 1 - z))
    nearest = np.round(z.real)
    sign = np.where(nearest % 2 == 0, 1.0, -1.0)
    sine, cosine = sign * np.sin(np.pi * (z - nearest)), sign * np.cos(np.pi * (z - nearest))
    sines = [(sine, cosine, -sine, -cosine)[m % 4] * math.pi ** (m - 1) for m in range(n + 1)]
    return sc.gamma(1 - z) * sum(math.comb(n, k) * (-1) ** k * gammas[k] * sines[n - k] for k in range(n + 1))


# ------------------------------------------------------------------------------------------------------- digamma


@kernel(work=1, domain=is_order)
def polygamma_difference(n: Real, a: Real, b: Real) -> Real:
    """ψ⁽ⁿ⁾(a + b) - ψ⁽ⁿ⁾(a) for real a and b, without cancellation for small |b| and for large a.

    For integers b it is a sum of powers of 1/(a + k), which holds at a = 0, -1, ... too, though both terms have a pole.
    """
    from_pole = np.where(a > 0, a, np.abs(a - np.round(a)))
    return by_region(
        (n, a, b),
        ((b == np.floor(b)) & (a < 0.5) & (a + b < 0.5), _reflected_difference),
        ((n == 0) & (a > 0), lambda n, a, b: np.asarray(psi_difference(a, b))),
        (np.abs(b) < 0.1 * from_pole, _by_quadrature),
        (True, lambda n, a, b: np.asarray(polygamma(n, a + b)) - np.asarray(polygamma(n, a))),
    )


def _reflected_difference(n: Real, a: Real, b: Real) -> Real:
    """For integer b the cotangents of the reflection formula (DLMF 5.15.6) cancel."""
    return np.where(n % 2 == 0, -1.0, 1.0) * np.asarray(polygamma_difference(n, 1 - a - b, b))


def _by_quadrature(n: Real, a: Real, b: Real) -> Real:
    """The integral of ψ⁽ⁿ⁺¹⁾ from a to a + b."""
    nodes, weights = gauss_legendre(8)
    return b * sum(w * np.asarray(polygamma(n + 1, a + x * b)) for x, w in zip(nodes, weights, strict=True))


# ------------------------------------------------------------------------------------------------------- density


@kernel(work=1, domain=lambda a, x: x >= 0)
def gamma_density_da(a: Real, x: Real) -> Real:
    """∂/∂a of x^(a-1) e^-x/Γ(a), for real a and x >= 0."""
    return by_region(
        (a, x),
        (np.isinf(x) | np.isinf(a), 0.0),
        ((x == 0) & (a > 1), 0.0),
        (x == 0, lambda a, x: np.where(a == 1, -np.inf, np.copysign(np.inf, -sc.rgamma(a)))),
        (a > 0, lambda a, x: np.exp(log_gamma_front(a, x)) / x * _score(a, x)),
        (True, lambda a, x: x ** (a - 1) * np.exp(-x) * (sc.rgamma(a) * np.log(x) + np.asarray(rgamma_dz(a)))),
    )


@kernel(work=1, domain=lambda n, a, b, x: (a >= 0) & (x >= 0))
def scaled_gamma_density_db(n: Real, a: Real, b: Real, x: Real) -> Real:
    """∂/∂b of x^n gamma_density(b, a x), as a function of x: 0 at x = 0 while x^(n+b-1) ln x is."""
    return by_region(
        (n, a, b, x),
        (np.isinf(x) | ((x == 0) & (n - 1 + b > 0)), 0.0),
        (True, lambda n, a, b, x: x**n * np.asarray(gamma_density_da(b, a * x))),
    )


def gdtr_db(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Any:
    """∂/∂b of the gamma distribution function P(b, a x)."""
    return gammainc_da(b, np.multiply(a, x, dtype=np.float64))


def _score(a: Real, x: Real) -> Real:
    """ln x - ψ(a)."""
    offset = (x - a) / a
    return log_minus_psi(a) + np.where(np.abs(offset) < 0.5, np.log1p(offset), np.log(x / a))


# -------------------------------------------------------------------------------------------- multivariate gamma


def multigammaln(a: ArrayLike, d: ArrayLike) -> Any:
    """`scipy.special.multigammaln` for arrays of d too; NaN where a <= (d - 1)/2 or d is no integer."""
    a, d = np.broadcast_arrays(a, d)
    result = np.full(a.shape, np.nan, a.dtype if a.dtype.kind == "f" else np.float64)
    for dimension in np.unique(d[d == np.floor(d)]):
        inside = (d == dimension) & (a > 0.5 * (dimension - 1))
        if inside.any():
            result[inside] = sc.multigammaln(a[inside], int(dimension))
    return result[()]


@kernel(work=1)
def multigammaln_derivative(n: Real, a: Real, d: Real) -> Real:
    """The n-th derivative of multigammaln in a: the sum of ψ⁽ⁿ⁻¹⁾(a - j/2) over j = 0, ..., d - 1 (DLMF 35.3.4)."""
    result = np.where((a > 0.5 * (d - 1)) & (d == np.floor(d)) & (n >= 1), 0.0, np.nan)
    for j in range(int(np.max(d[np.isfinite(d)], initial=0))):
        counted = (j < d) & ~np.isnan(result)
        result[counted] += np.asarray(polygamma(n[counted] - 1, a[counted] - 0.5 * j))
    return result
