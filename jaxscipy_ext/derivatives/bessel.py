"""Derivatives of the Bessel and Hankel functions in their order v, at real and complex z.

Real z > 0 (also given as a complex number): contour integrals, see `bessel_j`, `bessel_i` and `bessel_k`. Other complex
z, on SciPy's branch (-pi, pi]: 16-point differences in v of SciPy's scaled functions. K is even in v, and I is an even
function minus sin(pi v) K_v/pi; `even_difference` keeps their derivatives accurate relative to themselves near v = 0.
Attained at complex z, against mpmath: 1e-12 for -20 <= v <= 100 and 0.1 <= |z| <= 100, 1e-10 for 1e-6 <= |z| <= 1e3.

Real z < 0 is outside the domain: the derivative is complex there even at integer v. Give z as a complex number.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as sc

from ._numerics import Complex, Mask, Real, by_region, central_difference, cospi, even_difference, kernel, sinpi
from .bessel_i import i_slope, scaled_i_slope
from .bessel_j import j_slope, y_slope
from .bessel_k import k_slope, scaled_k_slope

_WORK = 256
"""float64 values per point of the longest contour: 128 complex nodes."""


_APART = 12.0
"""Beyond this |Re z| the terms exp(i pi v - 2z) of I and K (DLMF 10.34.2, 10.40.5) are below e^-24."""


def _domain(v: Real, z: Real) -> Mask:
    return np.isfinite(v) & (z >= 0)


# ---- complex z


def _repaired(
    scaled: Callable[[Real, Complex], Complex],
    plain: Callable[[Real, Complex], Complex],
    factor: Callable[[Complex], Any],
) -> Callable[[Real, Complex], Complex]:
    """`scaled`, or `plain` times `factor` where that is finite and v > 80.

    There SciPy 1.17's scaled functions are 0 or noise at one point in a hundred, mostly in the left half-plane.
    """

    def function(v: Real, z: Complex) -> Complex:
        value = scaled(v, z)
        other = np.where(v > 80, plain(v, z) * factor(z), np.nan) if (v > 80).any() else np.full_like(value, np.nan)
        return np.where(np.isfinite(other) & (other != 0), other, value)

    return function


_jve = _repaired(sc.jve, sc.jv, lambda z: np.exp(-np.abs(z.imag)))
_ive = _repaired(sc.ive, sc.iv, lambda z: np.exp(-np.abs(z.real)))
_kve = _repaired(sc.kve, sc.kv, np.exp)
_hankel1e = _repaired(sc.hankel1e, sc.hankel1, lambda z: np.exp(-1j * z))
_hankel2e = _repaired(sc.hankel2e, sc.hankel2, lambda z: np.exp(1j * z))


def _yve(v: Real, z: Complex) -> Complex:
    """exp(-|Im z|) Y_v(z) = (H1 - H2)/2i, scaled."""
    shrink = np.abs(z.imag)
    return 0.5j * (_hankel2e(v, z) * np.exp(-1j * z - shrink) - _hankel1e(v, z) * np.exp(1j * z - shrink))


def _step(v: Real, z: Complex) -> Real:
    """Step for functions that vary in v like exp(i pi v/2), |arg z| v, and like (z/2)^v/Gamma(v+1) for small z."""
    small = np.maximum(0.0, np.log(2 * (np.abs(v) + 1) / np.abs(z)))
    return 0.25 / (small + np.abs(np.angle(z)) + 1.6)


def _wide_step(v: Real, z: Complex, turn: Any = 0.0) -> Real:
    """Step for functions that are exp(+-z) times a function of v/z^(1/2), and exp(i turn v)."""
    small = (np.abs(v) + 1) / np.abs(z)
    rate = np.arcsinh(small) + 2 / np.sqrt(np.abs(z) + 1) + np.minimum(1, small) * np.abs(np.angle(z))
    return 0.25 / np.maximum(rate, turn)


def _kve_slope(v: Real, z: Complex) -> Complex:
    turn = np.where((z.real < 0) & (z.real > -_APART), 1.8, 0.0)
    return even_difference(lambda p: _kve(p, z), v, _wide_step(v, z, turn))


def _ive_slope(v: Real, z: Complex) -> Complex:
    """Small orders in the right half-plane: the even part (I_v + I_-v)/2 and -sin(pi v) K_v/pi apart (DLMF 10.27.2)."""

    def parts(v: Real, z: Complex) -> Complex:
        step = _wide_step(v, z, np.where(z.real > _APART, 0.0, 1.8))
        even = even_difference(lambda p: 0.5 * (_ive(p, z) + _ive(-p, z)), v, step)
        odd = cospi(v) * _kve(v, z) + sinpi(v) / np.pi * _kve_slope(v, z)
        return even - odd * np.exp(-z - z.real)

    def whole(v: Real, z: Complex) -> Complex:
        return central_difference(lambda p: _ive(p, z), v, _step(v, z))

    cancelling = (np.abs(v) < 0.5) & (np.abs(z) > 1) & (z.real > 0)
    return by_region((v, z), (cancelling, parts), (~cancelling, whole), dtype=np.complex128)


def _slope_of(scaled: Callable[..., Complex]) -> Callable[[Real, Complex], Complex]:
    return lambda v, z: central_difference(lambda p: scaled(p, z), v, _step(v, z))


def _complex_core(
    on_axis: Callable[[Real, Real], Real | Complex],
    scaled: Callable[[Real, Complex], Complex],
    factor: Callable[[Complex], Any],
) -> Callable[[Real, Complex], Complex]:
    """`on_axis` at real z >= 0, `scaled` times `factor` elsewhere."""
    return lambda v, z: by_region(
        (v, z),
        (~np.isfinite(v), np.nan),
        ((z.imag == 0) & (z.real >= 0), lambda v, z: on_axis(v, z.real)),
        (np.isfinite(z), lambda v, z: scaled(v, z) * factor(z)),
        dtype=np.complex128,
    )


def _one(z: Complex) -> float:
    return 1.0


def _growth(z: Complex) -> Real:
    return np.exp(np.abs(z.imag))


# ---- public kernels: first and second kind


@kernel(work=_WORK, domain=_domain)
def jv_dv(v: Real, z: Real) -> Real:
    """∂J_v(z)/∂v for real v and z >= 0 or complex z. At z = 0: 0 for v > 0, infinite for v <= 0. v = 0: pi/2 Y_0(z)."""
    return j_slope(v, z)


@kernel(work=_WORK, domain=_domain)
def jve_dv(v: Real, z: Real) -> Real:
    """∂/∂v of exp(-|Im z|) J_v(z); see `jv_dv`."""
    return j_slope(v, z)


@kernel(work=_WORK, domain=_domain)
def yv_dv(v: Real, z: Real) -> Real:
    """∂Y_v(z)/∂v for real v and z >= 0 or complex z. At z = 0 infinite unless v = 0. v = 0: -pi/2 J_0(z)."""
    return y_slope(v, z)


@kernel(work=_WORK, domain=_domain)
def yve_dv(v: Real, z: Real) -> Real:
    """∂/∂v of exp(-|Im z|) Y_v(z); see `yv_dv`."""
    return y_slope(v, z)


jv_dv.complex(work=_WORK)(_complex_core(j_slope, _slope_of(_jve), _growth))
jve_dv.complex(work=_WORK)(_complex_core(j_slope, _slope_of(_jve), _one))
yv_dv.complex(work=_WORK)(_complex_core(y_slope, _slope_of(_yve), _growth))
yve_dv.complex(work=_WORK)(_complex_core(y_slope, _slope_of(_yve), _one))


# ---- Hankel functions: complex results


def _hankel_core(sign: int, scaled: bool) -> Callable[[Real, Complex], Complex]:
    difference = _slope_of(_hankel1e if sign > 0 else _hankel2e)

    def on_axis(v: Real, z: Real) -> Complex:
        slope = np.empty(z.shape, np.complex128)
        slope.real, slope.imag = j_slope(v, z), sign * y_slope(v, z)
        if scaled:
            turn = (z > 0) & np.isfinite(z)
            slope[turn] *= np.exp(-sign * 1j * z[turn])
        return slope

    return _complex_core(on_axis, difference, _one if scaled else lambda z: np.exp(sign * 1j * z))


_hankel = kernel(work=_WORK, complex_result=True)


@_hankel
def hankel1_dv(v: Real, z: Complex) -> Complex:
    """∂H_v(z)/∂v of the first Hankel function, for real v and complex z."""
    return _hankel_core(1, False)(v, z)


@_hankel
def hankel1e_dv(v: Real, z: Complex) -> Complex:
    """∂/∂v of exp(-iz) times the first Hankel function."""
    return _hankel_core(1, True)(v, z)


@_hankel
def hankel2_dv(v: Real, z: Complex) -> Complex:
    """∂H_v(z)/∂v of the second Hankel function, for real v and complex z."""
    return _hankel_core(-1, False)(v, z)


@_hankel
def hankel2e_dv(v: Real, z: Complex) -> Complex:
    """∂/∂v of exp(iz) times the second Hankel function."""
    return _hankel_core(-1, True)(v, z)


# ---- public kernels: modified functions


@kernel(work=_WORK, domain=_domain)
def iv_dv(v: Real, z: Real) -> Real:
    """∂I_v(z)/∂v for real v and z >= 0 or complex z. At z = 0: 0 for v > 0, infinite for v <= 0. v = 0: -K_0(z)."""
    return i_slope(v, z)


@kernel(work=_WORK, domain=_domain)
def ive_dv(v: Real, z: Real) -> Real:
    """∂/∂v of exp(-|Re z|) I_v(z); see `iv_dv`."""
    return scaled_i_slope(v, z)


@kernel(work=_WORK, domain=_domain)
def kv_dv(v: Real, z: Real) -> Real:
    """∂K_v(z)/∂v for real v and z >= 0 or complex z; odd in v, infinite at z = 0 unless v = 0."""
    return k_slope(v, z)


@kernel(work=_WORK, domain=_domain)
def kve_dv(v: Real, z: Real) -> Real:
    """∂/∂v of exp(z) K_v(z); see `kv_dv`."""
    return scaled_k_slope(v, z)


iv_dv.complex(work=_WORK)(_complex_core(i_slope, _ive_slope, lambda z: np.exp(np.abs(z.real))))
ive_dv.complex(work=_WORK)(_complex_core(scaled_i_slope, _ive_slope, _one))
kv_dv.complex(work=_WORK)(_complex_core(k_slope, _kve_slope, lambda z: np.exp(-z)))
kve_dv.complex(work=_WORK)(_complex_core(scaled_k_slope, _kve_slope, _one))
