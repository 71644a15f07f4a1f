"""∂/∂λ and ∂/∂ν of besselpoly(a, λ, ν) = ∫_0^1 x^λ J_ν(2ax) dx.

Its power series in a, Σ (-1)^k a^(2k+ν)/(k! Γ(ν+k+1) (λ+ν+2k+1)) (DLMF 10.2.2 integrated), differentiated term by
term, for a <= 2; beyond, where it cancels, as SciPy's own does, it is summed up to x = 2/a, and the rest of the
integral is taken by Gauss and Legendre's rule. Attained, against mpmath: 1e-10
relative to the derivative for a <= 100, 0 <= λ, ν <= 10, 1e-13 for a <= 4.
"""

import numpy as np
import scipy.special as sc

from ._numerics import Real, by_region, central_difference, kernel, panels, rgamma_d

_TERMS = 24
_SERIES = 2.0
_NODES, _PHASE = 24, 8.0
"""Gauss-Legendre nodes for every so many radians, or natural logarithms, of the integrand."""
_MOST_PANELS = 160
_STEP = 1 / 16
"""Of differences in the order."""


def _series(a: Real, lmb: Real, nu: Real) -> tuple[Real, Real, Real]:
    """(value, ∂/∂λ, ∂/∂ν) for small a."""
    k = np.arange(_TERMS)
    column = a[:, None]
    order, denominator = nu[:, None] + k + 1, lmb[:, None] + nu[:, None] + 2 * k + 1
    power = np.where(nu == 0, 1.0, a**nu)[:, None]
    front = power * (-1.0) ** k * column ** (2 * k) * sc.rgamma(k + 1) / denominator
    terms = front * sc.rgamma(order)
    in_nu = front * rgamma_d(order) + terms * (np.log(column) - 1 / denominator)
    return terms.sum(1), -(terms / denominator).sum(1), in_nu.sum(1)


def _integral(a: Real, lmb: Real, nu: Real) -> tuple[Real, Real]:
    """(∂/∂λ, ∂/∂ν) for a beyond the series."""
    end = _SERIES / a
    value, in_lmb, in_nu = _series(a * end, lmb, nu)
    front = end ** (lmb + 1)
    in_lmb, in_nu = front * (in_lmb + np.log(end) * value), front * in_nu
    count = np.ceil((2 * a + (np.abs(lmb) + np.abs(nu)) * np.log(1 / end)) / _PHASE) + 1
    x, dx = panels(end, np.ones_like(end), int(min(count.max(), _MOST_PANELS)), _NODES)
    z, weight = 2 * a[:, None] * x, dx * x ** lmb[:, None]
    in_lmb = in_lmb + (weight * np.log(x) * sc.jv(nu[:, None], z)).sum(1)
    in_nu = in_nu + central_difference(lambda v: (weight * sc.jv(v[:, None], z)).sum(1), nu, np.full_like(nu, _STEP))
    return tuple(np.where(count <= _MOST_PANELS, q, np.nan) for q in (in_lmb, in_nu))


def _slopes(a: Real, lmb: Real, nu: Real) -> tuple[Real, Real]:
    size = np.abs(a)
    in_lmb, in_nu = by_region(
        (size, lmb, nu), (size <= _SERIES, lambda *point: _series(*point)[1:]), (size > _SERIES, _integral), outputs=2
    )
    # a^ν at negative a: real at the integers, but not beside them
    parity = np.where(nu == np.round(nu), np.where(nu % 2 == 0, 1.0, -1.0), np.nan)
    return in_lmb * np.where(a < 0, parity, 1.0), np.where(a < 0, np.nan, in_nu)


_kernel = kernel(work=_MOST_PANELS * _NODES)


@_kernel
def besselpoly_dlmb(a: Real, lmb: Real, nu: Real) -> Real:
    """∂besselpoly/∂λ = ∫_0^1 x^λ ln(x) J_ν(2ax) dx."""
    return _slopes(a, lmb, nu)[0]


@_kernel
def besselpoly_dnu(a: Real, lmb: Real, nu: Real) -> Real:
    """∂besselpoly/∂ν; 0 at a = 0 for ν > 0."""
    return np.where(a == 0, np.where(nu == 0, -np.inf, 0.0), _slopes(a, lmb, nu)[1])
