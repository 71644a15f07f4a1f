"""Derivatives of the spheroidal wave functions and their characteristic values in the parameter c.

In the orthonormal associated-Legendre basis the angular equation is a symmetric tridiagonal eigenproblem, so that the
characteristic value's derivative is +-2c <x²> (prolate +, oblate -; Hellmann-Feynman) and the angular function's is a
first-order perturbation plus the derivative of Flammer's normalisation (at x = 0 as P_n^m). One eigenproblem for each
different (m, n, c). Attained: 1e-13 of the largest value, for n <= 40, c <= 40.

The radial functions are differentiated by a 16-point difference of SciPy's and inherit their errors (about 1e-10; SciPy
1.17's second kinds are wrong altogether at many points).

In the `_cv` variants the characteristic value belongs to c, and the derivative is the total one along it; cv itself is
not used.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as sc

from ._numerics import Mask, Real, central_difference, kernel
from .mathieu import perturbed_eigenvector

_LARGEST_ORDER = 200


def _legendre_coupling(m: int, degree: Any) -> Any:
    """x P_l^m = coupling(l) P_(l+1)^m + coupling(l-1) P_(l-1)^m for orthonormal P_l^m (DLMF 14.10.3)."""
    q = np.asarray(degree, float)
    square = (q - m + 1) * (q + m + 1) / ((2 * q + 1) * (2 * q + 3))
    return np.where(q >= m, np.sqrt(np.maximum(square, 0)), 0.0)


def _eigenpair(m: int, n: int, c: float, sign: int) -> tuple[Any, Real, Real, float]:
    """Degrees, coefficients, their derivatives in c, and the characteristic value's derivative."""
    size = n - m + 30 + int(abs(c))
    degrees = m + (n - m) % 2 + 2 * np.arange(size)
    here, below = _legendre_coupling(m, degrees), _legendre_coupling(m, degrees - 1)
    off = (here * _legendre_coupling(m, degrees + 1))[:-1]
    square, index = here**2 + below**2, (n - m) // 2
    factor, slope = sign * c * c, 2 * sign * c
    _, d_value, vector, d_vector = perturbed_eigenvector(
        degrees * (degrees + 1.0) + factor * square, factor * off, slope * square, slope * off, index
    )
    return degrees, vector, d_vector, d_value


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


def _angular(m: int, n: int, c: float, x: Real, sign: int) -> tuple[Real, ...]:
    """∂S/∂c and ∂S'/∂c of the angular function of the first kind."""
    degrees, v, dv, _ = _eigenpair(m, n, c, sign)
    even = (n - m) % 2 == 0
    at_zero = _legendre_basis(m, degrees, np.zeros(1))[0 if even else 1][:, 0]
    log_norm = 0.5 * (np.log(n + 0.5) + sc.gammaln(n - m + 1) - sc.gammaln(n + m + 1))
    s, ds = v @ at_zero, dv @ at_zero
    factor = at_zero[(n - m) // 2] * np.exp(-log_norm) / s
    p, slope = _legendre_basis(m, degrees, x)
    weight = factor * (dv - v * (ds / s))
    # not weight @ p, whose rounding depends on the number of points; S and S' at x = 0 are 0 or the norm, whatever c
    return tuple(np.where(x == 0, 0.0, np.sum(np.ascontiguousarray(a.T) * weight, axis=1)) for a in (p, slope))


def _each(keys: tuple[Real, ...], outputs: int, evaluate: Callable[[int, int, float, Mask], Any]) -> Any:
    """Evaluate once for each different (m, n, c)."""
    result = np.empty((outputs, keys[0].size))
    triples, inverse = np.unique(np.stack(keys), axis=1, return_inverse=True)
    inverse = inverse.reshape(-1)
    for i, (m, n, c) in enumerate(triples.T):
        here = inverse == i
        result[:, here] = evaluate(int(m), int(n), float(c), here)
    return result


def _are_indices(m: Real, n: Real, c: Real) -> Mask:
    return (m == np.round(m)) & (n == np.round(n)) & (m >= 0) & (n >= m) & (n <= _LARGEST_ORDER) & (np.abs(c) <= 1000)


def _angular_slopes(m: Real, n: Real, c: Real, x: Real, sign: int) -> tuple[Real, Real]:
    return tuple(_each((m, n, c), 2, lambda m, n, c, here: _angular(m, n, c, x[here], sign)))


def _characteristic(m: Real, n: Real, c: Real, sign: int) -> Real:
    return _each((m, n, c), 1, lambda m, n, c, _: _eigenpair(m, n, c, sign)[3])[0]


@kernel(work=64, domain=_are_indices)
def pro_cv_dc(m: Real, n: Real, c: Real) -> Real:
    """∂/∂c of the prolate characteristic value; integers 0 <= m <= n <= 200, |c| <= 1000."""
    return _characteristic(m, n, c, 1)


@kernel(work=64, domain=_are_indices)
def obl_cv_dc(m: Real, n: Real, c: Real) -> Real:
    """∂/∂c of the oblate characteristic value; integers 0 <= m <= n <= 200, |c| <= 1000."""
    return _characteristic(m, n, c, -1)


def _inside(m: Real, n: Real, c: Real, x: Real) -> Mask:
    return _are_indices(m, n, c) & (np.abs(x) < 1)


@kernel(work=256, domain=_inside, outputs=2)
def pro_ang1_dc(m: Real, n: Real, c: Real, x: Real) -> tuple[Real, Real]:
    """∂/∂c of the prolate angular function of the first kind and of its derivative, |x| < 1."""
    return _angular_slopes(m, n, c, x, 1)


@kernel(work=256, domain=_inside, outputs=2)
def obl_ang1_dc(m: Real, n: Real, c: Real, x: Real) -> tuple[Real, Real]:
    """∂/∂c of the oblate angular function of the first kind and of its derivative, |x| < 1."""
    return _angular_slopes(m, n, c, x, -1)


# ---- radial functions


def _radial_kernel(name: str, domain: Callable[..., Mask], what: str) -> Any:
    function = getattr(sc, name)

    def slope(m: Real, n: Real, c: Real, x: Real) -> tuple[Real, Real]:
        # powers of c at 0, and an oscillation like exp(i c x)
        step = np.minimum(c / 24, 0.25 / (np.abs(x) + 1))
        return tuple(central_difference(lambda p: np.stack(function(m, n, p, x)), c, step))

    slope.__name__ = slope.__qualname__ = f"{name}_dc"
    slope.__doc__ = f"""∂/∂c of the {what} and of its derivative, c > 0."""
    return kernel(work=16, domain=domain, outputs=2)(slope)


def _prolate_outside(m: Real, n: Real, c: Real, x: Real) -> Mask:
    return _are_indices(m, n, c) & (c > 0) & (x > 1) & np.isfinite(x)


def _oblate_outside(m: Real, n: Real, c: Real, x: Real) -> Mask:
    return _are_indices(m, n, c) & (c > 0) & (x >= 0) & np.isfinite(x)


pro_rad1_dc = _radial_kernel("pro_rad1", _prolate_outside, "prolate radial function of the first kind")
pro_rad2_dc = _radial_kernel("pro_rad2", _prolate_outside, "prolate radial function of the second kind")
obl_rad1_dc = _radial_kernel("obl_rad1", _oblate_outside, "oblate radial function of the first kind")
obl_rad2_dc = _radial_kernel("obl_rad2", _oblate_outside, "oblate radial function of the second kind")


# ---- variants with a given characteristic value


def _along_cv(slopes: Any) -> Any:
    def with_cv(m: Any, n: Any, c: Any, cv: Any, x: Any) -> tuple[Real, Real]:
        return slopes(m, n, c + 0.0 * np.asarray(cv, float), x)

    with_cv.__name__ = with_cv.__qualname__ = slopes.__name__.replace("_dc", "_cv_dc")
    with_cv.__doc__ = f"{slopes.__doc__} The total derivative along cv = cv(m, n, c)."
    return with_cv


pro_ang1_cv_dc, obl_ang1_cv_dc = _along_cv(pro_ang1_dc), _along_cv(obl_ang1_dc)
pro_rad1_cv_dc, pro_rad2_cv_dc = _along_cv(pro_rad1_dc), _along_cv(pro_rad2_dc)
obl_rad1_cv_dc, obl_rad2_cv_dc = _along_cv(obl_rad1_dc), _along_cv(obl_rad2_dc)
