"""Derivatives of the modified (radial) Mathieu functions Mc, Ms of both kinds in the parameter q > 0.

The series of products of Bessel functions DLMF 28.24.2-28.24.5, differentiated in q through the Bessel functions'
arguments q^(1/2) e^(-x), q^(1/2) e^x and through the ratios of Fourier coefficients, which come with their derivatives
from the continued fractions on both sides of the largest one: accurate relative to themselves, far out too.

Attained, against mpmath: 1e-11 of the largest value nearby for m <= 10, 1e-2 <= q <= 1e2, 0 <= x <= 2.
"""

from typing import Any

import numpy as np
import scipy.special as sc

from ._numerics import Mask, Real, kernel
from ._tridiagonal import each, perturbed, ratios
from .mathieu import Parity, are_served, fourier_matrix


def _coefficient_ratios(m: int, q: float, parity: Parity) -> tuple[Real, Real, Real, int]:
    """Frequencies, A_l/A_s, its q-derivative, and the index s of the largest coefficient."""
    frequency, scale, matrix = fourier_matrix(m, q, parity)
    ratio, slope, s = ratios(matrix, perturbed(matrix))
    return frequency, ratio * scale / scale[s], slope * scale / scale[s], s


def _series(m: int, q: float, x: Real, parity: Parity, second_kind: bool) -> tuple[Real, Real]:
    """∂/∂q of the function and of its x-derivative."""
    frequency, ratio, d_ratio, s = _coefficient_ratios(m, q, parity)
    h = np.sqrt(q)
    u, w = (h * np.exp(-x))[:, None], (h * np.exp(x))[:, None]
    index = np.arange(frequency.size)
    orders = np.arange(frequency.size + s + int(frequency[0]) + 1)
    inner, outer = sc.jv(orders, u), (sc.yv if second_kind else sc.jv)(orders, w)
    value, slope_q = np.zeros((x.size, index.size)), np.zeros((x.size, index.size))
    value_x, slope_xq = np.zeros_like(value), np.zeros_like(value)
    sum_order = index + s + int(frequency[0])
    for n, k, sign in ((index - s, sum_order, 1.0), (sum_order, index - s, 1.0 if parity == "c" else -1.0)):
        (p, dp), (r, dr) = _of_orders(inner, n), _of_orders(outer, k)
        value += sign * p * r
        value_x += sign * (w * p * dr - u * dp * r)
        slope_q += sign * (u * dp * r + w * p * dr) / (2 * q)
        slope_xq += sign * (u * u - n * n + k * k - w * w) * p * r / (2 * q)  # by Bessel's equation
    doubled = 2.0 if frequency[0] == 0 and s == 0 else 1.0
    phase = np.where((index + (m - int(frequency[0])) // 2) % 2 == 0, 1.0, -1.0) / doubled
    # far terms of the second kind are 0 times infinity
    value, value_x = np.nan_to_num(value, nan=0.0), np.nan_to_num(value_x, nan=0.0)
    slope_q, slope_xq = np.nan_to_num(slope_q, nan=0.0), np.nan_to_num(slope_xq, nan=0.0)
    a, da = phase * ratio, phase * d_ratio
    return (value * da + slope_q * a).sum(1), (value_x * da + slope_xq * a).sum(1)


def _of_orders(ladder: Real, n: Any) -> tuple[Real, Real]:
    """Bessel functions of the orders n, and derivatives, from those of the orders 0, 1, ... (DLMF 10.4.1, 10.6.1)."""

    def at(order: Any) -> Real:
        return np.where((order < 0) & (order % 2 == 1), -1.0, 1.0) * ladder[:, np.abs(order)]

    return at(n), 0.5 * (at(n - 1) - at(n + 1))


def _at_zero(m: int, x: Real, parity: Parity) -> Any:
    """The same at q = 0 for the first kind, by the first term of its series; SciPy has values of these orders there."""
    if (m, parity) == (0, "c"):
        return -np.cosh(2 * x) / 2, -np.sinh(2 * x)
    if (m, parity) == (2, "s"):
        return np.sinh(2 * x) / 4, np.cosh(2 * x) / 2
    if m != 1:
        return np.nan
    upward, along = np.full_like(x, np.inf), np.where(x == 0, 0.0, np.copysign(np.inf, x))  # of q^(1/2) cosh x, sinh x
    return (upward, along) if parity == "c" else (along, upward)


def _domain(m: Real, q: Real, x: Real) -> Mask:
    return are_served(m, q) & (q >= 0) & np.isfinite(x)


_modified = kernel(work=512, domain=_domain, outputs=2)


def _slopes(m: Real, q: Real, x: Real, parity: Parity, second_kind: bool) -> Any:
    def evaluate(order: float, parameter: float, here: Mask) -> Any:
        if parity == "s" and order == 0:
            return np.nan
        if parameter == 0:
            return np.nan if second_kind else _at_zero(int(order), x[here], parity)
        value, slope = _series(int(order), parameter, x[here], parity, second_kind)
        if second_kind:
            return value, slope
        # even and odd functions: exactly 0, not rounding noise, in which differences find no second derivative
        at_zero = x[here] == 0
        return (value, np.where(at_zero, 0.0, slope)) if parity == "c" else (np.where(at_zero, 0.0, value), slope)

    return tuple(each((m, q), evaluate, 2))


@_modified
def mathieu_modcem1_dq(m: Real, q: Real, x: Real) -> tuple[Real, Real]:
    """∂/∂q of the even modified Mathieu function of the first kind and of its derivative, q >= 0."""
    return _slopes(m, q, x, "c", False)


@_modified
def mathieu_modcem2_dq(m: Real, q: Real, x: Real) -> tuple[Real, Real]:
    """∂/∂q of the even modified Mathieu function of the second kind and of its derivative, q > 0."""
    return _slopes(m, q, x, "c", True)


@_modified
def mathieu_modsem1_dq(m: Real, q: Real, x: Real) -> tuple[Real, Real]:
    """∂/∂q of the odd modified Mathieu function of the first kind and of its derivative, q >= 0."""
    return _slopes(m, q, x, "s", False)


@_modified
def mathieu_modsem2_dq(m: Real, q: Real, x: Real) -> tuple[Real, Real]:
    """∂/∂q of the odd modified Mathieu function of the second kind and of its derivative, q > 0."""
    return _slopes(m, q, x, "s", True)
