"""Derivatives of the Mathieu functions and their characteristic values in the parameter q.

The Fourier coefficients of ce_m and se_m are an eigenvector of a symmetric tridiagonal matrix that is linear in q (DLMF
28.4.5-28.4.8), so that the characteristic value's derivative is a quadratic form (Hellmann-Feynman) and the function's
is a first-order perturbation; one eigenproblem for each different (m, q). Real q of either sign.

Attained, against mpmath: 1e-13 of the largest value of the derivative, for m <= 30, |q| <= 1e3.
"""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import scipy

from ._numerics import Mask, Real, kernel

_LARGEST_ORDER, _LARGEST_Q = 500, 1e6
Parity = Literal["c", "s"]


def perturbed_eigenvector(
    diagonal: Real, off: Real, d_diagonal: Real, d_off: Real, index: int
) -> tuple[float, float, Real, Real]:
    """An eigenvalue of a symmetric tridiagonal matrix, its derivative, the eigenvector and its derivative.

    First-order perturbation theory (Kato, Perturbation Theory for Linear Operators, II.2), d_ being the derivatives.
    LAPACK's tridiagonal solver runs in one thread; the dense one's threads cost more than these matrices.
    """
    # by attribute, which SciPy loads when it is wanted: scipy.linalg is 40 ms that most programs don't need
    values, vectors = scipy.linalg.eigh_tridiagonal(diagonal, off, check_finite=False)
    vector = vectors[:, index]
    change = d_diagonal * vector
    change[:-1] += d_off * vector[1:]
    change[1:] += d_off * vector[:-1]
    coupling = change @ vectors
    gap = values[index] - values
    gap[index] = np.inf
    return values[index], coupling[index], vector, vectors @ (coupling / gap)


def eigenpair(m: int, q: float, parity: Parity) -> tuple[Real, Real, Real, float, float]:
    """Frequencies, Fourier coefficients and their derivatives in q, the characteristic value and its derivative."""
    size = int(m / 2 + 26 + np.sqrt(2 * m + 1) * abs(q) ** 0.25)
    odd = m % 2
    first = 1 if odd else (0 if parity == "c" else 2)
    frequency = np.arange(first, first + 2.0 * size, 2.0)
    off = np.ones(size - 1)
    if parity == "c" and not odd:
        off[0] = np.sqrt(2.0)  # the constant term, scaled to make the matrix symmetric
    corner = (1.0 if parity == "c" else -1.0) if odd else 0.0
    corners = np.where(np.arange(size) == 0, corner, 0.0)
    index = (m - first) // 2
    value, d_value, vector, slope = perturbed_eigenvector(frequency**2 + q * corners, q * off, corners, off, index)
    scale = np.ones(size)
    if parity == "c" and not odd:
        scale[0] = np.sqrt(0.5)
    scale = scale * _sign(m, q, parity, frequency, scale * vector)
    return frequency, scale * vector, scale * slope, value, d_value


def _sign(m: int, q: float, parity: Parity, frequency: Real, coefficients: Real) -> float:
    """+-1 that makes ce_m(0) > 0 and se_m'(0) > 0, as for q = 0, where they are cos mx and sin mx.

    For q > 0 these are exponentially small, and the value or slope at pi/2, which never vanishes, tells the sign.
    """
    if q < 0:
        return float(np.sign(coefficients.sum() if parity == "c" else (frequency * coefficients).sum()))
    # of cos(k pi/2), or sin(k pi/2), and of its derivative where it vanishes for all k: up to a common sign
    alternating = np.where(np.arange(frequency.size) % 2 == 0, 1.0, -1.0)
    at_value = (parity == "c") == (m % 2 == 0)
    at_half_pi = (alternating * (1.0 if at_value else frequency) * coefficients).sum()
    index = (m - int(frequency[0])) // 2
    return float(np.sign(at_half_pi) * alternating[index])


def each_pair(m: Real, q: Real, evaluate: Callable[[int, float, Mask], Any], outputs: int) -> Any:
    """Evaluate once for each different (m, q)."""
    result = np.empty((outputs, m.size))
    pairs, inverse = np.unique(np.stack([m, q]), axis=1, return_inverse=True)
    inverse = inverse.reshape(-1)
    for i, (order, parameter) in enumerate(pairs.T):
        here = inverse == i
        result[:, here] = evaluate(int(order), float(parameter), here)
    return result


def _characteristic(m: Real, q: Real, parity: Parity) -> Real:
    return each_pair(m, q, lambda order, parameter, _: eigenpair(order, parameter, parity)[4], 1)[0]


def _function(m: Real, q: Real, x: Real, parity: Parity) -> Any:
    """∂/∂q of ce_m or se_m and of its derivative, x in degrees."""

    def evaluate(order: int, parameter: float, here: Mask) -> Any:
        if order == 0 and parity == "s":
            return 0.0
        k, _, slope, _, _ = eigenpair(order, parameter, parity)
        phase = k * np.deg2rad(x[here])[:, None]
        cos, sin = np.cos(phase), np.sin(phase)
        f, g = (cos * slope, -sin * (k * slope)) if parity == "c" else (sin * slope, cos * (k * slope))
        return f.sum(1), g.sum(1)  # not f @ slope, whose rounding depends on the number of points

    return tuple(each_pair(m, q, evaluate, 2))


def are_served(m: Real, q: Real) -> Mask:
    """Whether m is an order, and the matrices are of a reasonable size."""
    return (m == np.round(m)) & (m >= 0) & (m <= _LARGEST_ORDER) & (np.abs(q) <= _LARGEST_Q)


@kernel(work=64, domain=are_served)
def mathieu_a_dq(m: Real, q: Real) -> Real:
    """da_m/dq of the characteristic value of ce_m, integer 0 <= m <= 500, |q| <= 1e6."""
    return _characteristic(m, q, "c")


@kernel(work=64, domain=lambda m, q: are_served(m, q) & (m > 0))
def mathieu_b_dq(m: Real, q: Real) -> Real:
    """db_m/dq of the characteristic value of se_m, integer 1 <= m <= 500, |q| <= 1e6."""
    return _characteristic(m, q, "s")


def _angular_domain(m: Real, q: Real, x: Real) -> Mask:
    return are_served(m, q) & np.isfinite(x)


@kernel(work=128, domain=_angular_domain, outputs=2)
def mathieu_cem_dq(m: Real, q: Real, x: Real) -> tuple[Real, Real]:
    """∂/∂q of ce_m(x, q) and of its derivative (in radians); x in degrees, integer 0 <= m <= 500, |q| <= 1e6."""
    return _function(m, q, x, "c")


@kernel(work=128, domain=_angular_domain, outputs=2)
def mathieu_sem_dq(m: Real, q: Real, x: Real) -> tuple[Real, Real]:
    """∂/∂q of se_m(x, q) and of its derivative (in radians); x in degrees, integer 0 <= m <= 500, |q| <= 1e6."""
    return _function(m, q, x, "s")
