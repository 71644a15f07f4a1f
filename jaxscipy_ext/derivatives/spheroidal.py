"""Derivatives of the angular spheroidal wave functions and their characteristic values in the parameter c.

In the orthonormal associated-Legendre basis the angular equation is a symmetric tridiagonal eigenproblem, so that the
characteristic value's derivative is +-2c <x²> (prolate +, oblate -; Hellmann-Feynman) and the angular function's is a
first-order perturbation plus the derivative of Flammer's normalisation (at x = 0 as P_n^m); near x = 0 it is summed as
a power series. One eigenproblem for each different (m, n, c). Attained: 1e-13 of the largest value, for n <= 40,
c <= 40.
"""

from typing import Any

import numpy as np
import scipy.special as sc

from ._numerics import Mask, Real, kernel
from ._tridiagonal import Eigenpair, Matrix, each, perturbed

_LARGEST_ORDER = 200
_TERMS = 64


def _legendre_coupling(m: int, degree: Any) -> Any:
    """x P_l^m = coupling(l) P_(l+1)^m + coupling(l-1) P_(l-1)^m for orthonormal P_l^m (DLMF 14.10.3)."""
    q = np.asarray(degree, float)
    square = (q - m + 1) * (q + m + 1) / ((2 * q + 1) * (2 * q + 3))
    return np.where(q >= m, np.sqrt(np.maximum(square, 0)), 0.0)


def legendre_matrix(m: int, n: int, c: float, sign: int, size: int) -> tuple[Any, Matrix]:
    """Degrees, and the matrix of the angular equation in orthonormal P_l^m of these degrees, with d/dc (DLMF 30.8)."""
    degrees = m + (n - m) % 2 + 2 * np.arange(size)
    here, below = _legendre_coupling(m, degrees), _legendre_coupling(m, degrees - 1)
    off = (here * _legendre_coupling(m, degrees + 1))[:-1]
    square = here**2 + below**2
    factor, slope = sign * c * c, 2 * sign * c
    matrix = Matrix(
        degrees * (degrees + 1.0) + factor * square, factor * off, slope * square, slope * off, (n - m) // 2
    )
    return degrees, matrix


def _eigenpair(m: int, n: int, c: float, sign: int) -> tuple[Any, Eigenpair]:
    degrees, matrix = legendre_matrix(m, n, c, sign, n - m + 30 + int(abs(c)))
    return degrees, perturbed(matrix)


def _legendre_basis(m: int, degrees: Any, x: Real) -> tuple[Real, Real]:
    """Orthonormal P_l^m(x), without Condon-Shortley phase, and d/dx, one row per degree; |x| < 1."""
    last = int(degrees[-1])
    p = np.zeros((last + 2, x.size))
    p[m] = np.sqrt(0.5 * np.prod([(2 * k + 1) / (2 * k) for k in range(1, m + 1)])) * (1 - x * x) ** (m / 2)
    slope = np.zeros_like(p)
    coupling = _legendre_coupling(m, np.arange(last + 2))
    for q in range(m, last + 1):
        lower = coupling[q - 1] * p[q - 1] if q > m else 0.0
        p[q + 1] = (x * p[q] - lower) / coupling[q]
        slope[q] = ((2 * q + 1) * lower - q * x * p[q]) / (1 - x * x)
    return p[degrees], slope[degrees]


def _angular(m: int, n: int, c: float, x: Real, sign: int) -> Any:
    """∂S/∂c and ∂S'/∂c of the angular function of the first kind."""
    degrees, pair = _eigenpair(m, n, c, sign)
    odd = (n - m) % 2
    at_zero = _legendre_basis(m, degrees, np.zeros(1))[odd][:, 0]
    norm = np.exp(0.5 * (np.log(n + 0.5) + sc.gammaln(n - m + 1) - sc.gammaln(n + m + 1)))
    initial = at_zero[(n - m) // 2] / norm
    near = np.abs(x) <= min(0.5, 3 / np.sqrt(1 + abs(pair.value) + c * c))
    result = np.empty((2, x.size))
    if near.any():
        result[:, near] = _angular_near_zero(m, odd, c, x[near], sign, pair, initial)
    if not near.all():
        p, slope = _legendre_basis(m, degrees, x[~near])
        s, ds = pair.vector @ at_zero, pair.d_vector @ at_zero
        weight = initial / s * (pair.d_vector - pair.vector * (ds / s))
        # not weight @ p, whose rounding depends on the number of points
        result[:, ~near] = [np.sum(np.ascontiguousarray(a.T) * weight, axis=1) for a in (p, slope)]
    return result


def _angular_near_zero(
    m: int, odd: int, c: float, x: Real, sign: int, pair: Eigenpair, initial: float
) -> tuple[Real, Real]:
    """The same by the power series of (1 - x²)^(-m/2) S, whose first coefficient doesn't depend on c.

    There ∂S/∂c is as small as x² or x³: the sum over P_l^m would leave rounding errors of S. The recurrence follows
    from (1 - x²) u'' - 2 (m + 1) x u' + (λ - m (m + 1) ∓ c² x²) u = 0.
    """
    w = x * x
    du, du_slope = np.zeros_like(x), np.zeros_like(x)
    before, here, d_before, d_here = 0.0, initial, 0.0, 0.0
    power = x**odd
    for k in range(odd, odd + 2 * _TERMS, 2):
        du, du_slope = du + d_here * power, du_slope + k * d_here * power
        step = k * (k - 1) + 2 * (m + 1) * k - (pair.value - m * (m + 1))
        after = (step * here + sign * c * c * before) / ((k + 1) * (k + 2))
        d_after = step * d_here - pair.d_value * here + sign * (c * c * d_before + 2 * c * before)
        before, here, d_before, d_here = here, after, d_here, d_after / ((k + 1) * (k + 2))
        power = power * w
    front = (1 - w) ** (m / 2)
    # x S' = front (x u' - m w/(1 - w) u)
    slope = front * (du_slope - m * w / (1 - w) * du)
    return front * du, np.where(x == 0, 0.0, slope / np.where(x == 0, 1.0, x))


def are_indices(m: Real, n: Real, c: Real) -> Mask:
    return (m == np.round(m)) & (n == np.round(n)) & (m >= 0) & (n >= m) & (n <= _LARGEST_ORDER) & (np.abs(c) <= 1000)


def _angular_slopes(m: Real, n: Real, c: Real, x: Real, sign: int) -> tuple[Real, Real]:
    return tuple(each((m, n, c), lambda m, n, c, here: _angular(int(m), int(n), c, x[here], sign), 2))


def _characteristic(m: Real, n: Real, c: Real, sign: int) -> Real:
    return each((m, n, c), lambda m, n, c, _: _eigenpair(int(m), int(n), c, sign)[1].d_value, 1)[0]


@kernel(work=64, domain=are_indices)
def pro_cv_dc(m: Real, n: Real, c: Real) -> Real:
    """∂/∂c of the prolate characteristic value; integers 0 <= m <= n <= 200, |c| <= 1000."""
    return _characteristic(m, n, c, 1)


@kernel(work=64, domain=are_indices)
def obl_cv_dc(m: Real, n: Real, c: Real) -> Real:
    """∂/∂c of the oblate characteristic value; integers 0 <= m <= n <= 200, |c| <= 1000."""
    return _characteristic(m, n, c, -1)


def _inside(m: Real, n: Real, c: Real, x: Real) -> Mask:
    return are_indices(m, n, c) & (np.abs(x) < 1)


@kernel(work=256, domain=_inside, outputs=2)
def pro_ang1_dc(m: Real, n: Real, c: Real, x: Real) -> tuple[Real, Real]:
    """∂/∂c of the prolate angular function of the first kind and of its derivative, |x| < 1."""
    return _angular_slopes(m, n, c, x, 1)


@kernel(work=256, domain=_inside, outputs=2)
def obl_ang1_dc(m: Real, n: Real, c: Real, x: Real) -> tuple[Real, Real]:
    """∂/∂c of the oblate angular function of the first kind and of its derivative, |x| < 1."""
    return _angular_slopes(m, n, c, x, -1)
