"""Derivatives of the Mathieu functions and their characteristic values in the parameter q.

The Fourier coefficients of ce_m and se_m are an eigenvector of a symmetric tridiagonal matrix that is linear in q (DLMF
28.4.5-28.4.8), so that the characteristic value's derivative is a quadratic form (Hellmann-Feynman) and the function's
is a first-order perturbation; one eigenproblem for each different (m, q). Real q of either sign.

Attained, against mpmath: 1e-13 of the largest value of the derivative, for m <= 30, |q| <= 1e3.
"""

from typing import Any, Literal

import numpy as np

from ._numerics import Mask, Real, kernel
from ._tridiagonal import Matrix, each, perturbed

_LARGEST_ORDER, _LARGEST_Q = 500, 1e6
Parity = Literal["c", "s"]


def fourier_matrix(m: int, q: float, parity: Parity) -> tuple[Real, Real, Matrix]:
    """Frequencies, the factors that turn an eigenvector into Fourier coefficients, and the matrix with d/dq."""
    size = int(m / 2 + 26 + np.sqrt(2 * m + 1) * abs(q) ** 0.25)
    odd = m % 2
    first = 1 if odd else (0 if parity == "c" else 2)
    frequency = np.arange(first, first + 2.0 * size, 2.0)
    off, scale = np.ones(size - 1), np.ones(size)
    if parity == "c" and not odd:
        off[0], scale[0] = np.sqrt(2.0), np.sqrt(0.5)  # the constant term, scaled to make the matrix symmetric
    corner = (1.0 if parity == "c" else -1.0) if odd else 0.0
    corners = np.where(np.arange(size) == 0, corner, 0.0)
    return frequency, scale, Matrix(frequency**2 + q * corners, q * off, corners, off, (m - first) // 2)


def _fourier(m: int, q: float, parity: Parity) -> tuple[Real, Real]:
    """Frequencies, and the derivatives of the Fourier coefficients in q."""
    frequency, scale, matrix = fourier_matrix(m, q, parity)
    pair = perturbed(matrix)
    return frequency, _sign(m, q, parity, frequency, scale * pair.vector) * scale * pair.d_vector


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


def _characteristic(m: Real, q: Real, parity: Parity) -> Real:
    return each((m, q), lambda m, q, _: perturbed(fourier_matrix(int(m), q, parity)[2]).d_value, 1)[0]


def _function(m: Real, q: Real, x: Real, parity: Parity) -> Any:
    """∂/∂q of ce_m or se_m and of its derivative, x in degrees."""

    def evaluate(order: float, parameter: float, here: Mask) -> Any:
        if order == 0 and parity == "s":
            return 0.0
        k, slope = _fourier(int(order), parameter, parity)
        phase = k * np.deg2rad(x[here])[:, None]
        cos, sin = np.cos(phase), np.sin(phase)
        f, g = (cos * slope, -sin * (k * slope)) if parity == "c" else (sin * slope, cos * (k * slope))
        return f.sum(1), g.sum(1)  # not f @ slope, whose rounding depends on the number of points

    return tuple(each((m, q), evaluate, 2))


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
