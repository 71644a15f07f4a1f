"""Order derivatives of the z-derivatives of the Bessel functions (`jvp`, ...), and of Jahnke and Emden's `lmbda`.

The n-th z-derivative is a binomial combination of n + 1 neighbours (DLMF 10.6.7, 10.29.5), and so is its v-derivative.
That cancels at v = 0, where ∂J/∂v = (pi/2) Y_0, ∂Y/∂v = -(pi/2) J_0 and ∂I/∂v = -K_0 (DLMF 10.15.9, 10.38.6) hold for
every z-derivative; beside it ∂I/∂v is taken from the part of I that is even in v and from K (DLMF 10.27.2), and ∂K/∂v,
which is odd, is interpolated.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike

from ._numerics import Real, cospi, even_difference, sinpi
from .bessel import hankel1_dv, hankel2_dv, iv_dv, jv_dv, kv_dv, yv_dv
from .confluent_limit import hyp0f1_dv


def _of_derivative(kernel: Callable[..., Any], inner: int, outer: int) -> Callable[[ArrayLike, ArrayLike, int], Any]:
    """2^-n sum_j outer^n inner^j C(n, j) kernel(v - n + 2j, z)."""

    def slope(v: ArrayLike, z: ArrayLike, n: int) -> Any:
        if n != int(n) or n < 0:
            raise ValueError(f"the order of differentiation n must be an integer >= 0, not {n!r}")
        order = np.asarray(v, float)
        terms = [inner**j * sc.comb(n, j, exact=True) * kernel(order - n + 2 * j, z) for j in range(int(n) + 1)]
        with np.errstate(invalid="ignore"):
            total = sum(terms)
        if np.isrealobj(total):  # of infinite terms, at small z, the one of the largest order outweighs the others
            largest = np.where(order < 0, terms[0], terms[-1])
            total = np.where(np.isnan(total) & np.isinf(largest), largest, total)[()]
        return total * (outer / 2.0) ** int(n)

    return slope


_jvp, _yvp = _of_derivative(jv_dv, -1, 1), _of_derivative(yv_dv, -1, 1)
_ivp, _kvp = _of_derivative(iv_dv, 1, 1), _of_derivative(kv_dv, 1, -1)
_h1vp, _h2vp = _of_derivative(hankel1_dv, -1, 1), _of_derivative(hankel2_dv, -1, 1)


def _or_at_order_zero(slope: Any, v: ArrayLike, closed: Callable[[Any], Any], z: ArrayLike) -> Any:
    v, z, slope = np.broadcast_arrays(np.asarray(v, float), z, slope)
    zero = (v == 0) & (np.abs(z) > 0)
    result = slope.copy()
    with np.errstate(all="ignore"):
        result[zero] = closed(z[zero])
    return result[()]


def _i_beside_order_zero(v: Real, z: Any, n: int) -> Any:
    with np.errstate(all="ignore"):
        step = 0.125 * np.sqrt(np.abs(z) + 1) / (1 + np.abs(v))
        even = even_difference(lambda p: (sc.ivp(p, z, n) + sc.ivp(-p, z, n)) / 2, v, np.minimum(step, 1.0))
        return even - cospi(v) * sc.kvp(v, z, n) - sinpi(v) / np.pi * _kvp(v, z, n)


def jvp_dv(v: ArrayLike, z: ArrayLike, n: int = 1) -> Any:
    """∂/∂v of d^n J_v(z)/dz^n; raises ValueError unless n is an integer >= 0."""
    return _or_at_order_zero(_jvp(v, z, n), v, lambda z: np.pi / 2 * sc.yvp(0, z, n), z)


def yvp_dv(v: ArrayLike, z: ArrayLike, n: int = 1) -> Any:
    """∂/∂v of d^n Y_v(z)/dz^n; raises ValueError unless n is an integer >= 0."""
    return _or_at_order_zero(_yvp(v, z, n), v, lambda z: -np.pi / 2 * sc.jvp(0, z, n), z)


def ivp_dv(v: ArrayLike, z: ArrayLike, n: int = 1) -> Any:
    """∂/∂v of d^n I_v(z)/dz^n; raises ValueError unless n is an integer >= 0."""
    v, z, slope = np.broadcast_arrays(np.asarray(v, float), z, _ivp(v, z, n))
    beside = (np.abs(v) < 0.5) & (z.real > 1) & np.isfinite(z)
    result = slope.copy()
    result[beside] = _i_beside_order_zero(v[beside], z[beside], int(n))
    return result[()]


def kvp_dv(v: ArrayLike, z: ArrayLike, n: int = 1) -> Any:
    """∂/∂v of d^n K_v(z)/dz^n; raises ValueError unless n is an integer >= 0."""
    v, z, slope = np.broadcast_arrays(np.asarray(v, float), z, _kvp(v, z, n))
    result = slope.copy()
    with np.errstate(all="ignore"):
        step = 0.1 / np.maximum(1.0, np.abs(np.log(z.astype(complex))))
        beside = (np.abs(v) < step) & np.isfinite(slope) & np.isfinite(step)
        result[beside] = _k_beside_order_zero(v[beside], z[beside], int(n), step[beside])
    return result[()]


def _k_beside_order_zero(v: Real, z: Any, n: int, step: Real) -> Any:
    """v times an even function of v, which is interpolated in v² between orders where its terms don't cancel."""
    total = size = 0.0
    for k in range(1, 9):
        order = k * step
        share = (-1) ** k * k * k * sc.comb(16, 8 - k) / (k * k - (v / step) ** 2)
        total, size = total + share * _kvp(order, z, n) / order, size + share
    return v * total / size


def h1vp_dv(v: ArrayLike, z: ArrayLike, n: int = 1) -> Any:
    """∂/∂v of the n-th derivative of the first Hankel function; raises ValueError unless n is an integer >= 0."""
    return _h1vp(v, z, n)


def h2vp_dv(v: ArrayLike, z: ArrayLike, n: int = 1) -> Any:
    """∂/∂v of the n-th derivative of the second Hankel function; raises ValueError unless n is an integer >= 0."""
    return _h2vp(v, z, n)


def lmbda_dv(v: float, x: float) -> tuple[Any, Any]:
    """∂/∂v of both outputs of `scipy.special.lmbda`(v, x), for v >= 0 and a scalar x.

    Lambda_v(x) = 0F1(; v + 1; -x²/4), and Lambda_v'(x) = -x/(2 (v + 1)) Lambda_(v+1)(x); one entry per order
    v - floor(v), ..., v, as there.
    """
    orders = v - np.floor(v) + np.arange(int(v) + 1)
    z = -(np.asarray(x, float) ** 2) / 4
    above = hyp0f1_dv(orders + 2, z) - sc.hyp0f1(orders + 2, z) / (orders + 1)
    return hyp0f1_dv(orders + 1, z), -x / (2 * (orders + 1)) * above
