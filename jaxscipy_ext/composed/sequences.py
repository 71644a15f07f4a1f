"""Sequences of functions of rising order or degree, with their derivatives, in SciPy's shapes.

The length depends on an order, so orders are Python numbers (SciPy fixes them likewise); in the continuous argument a
sequence and its derivatives close under differentiation by the differential equation, to every order.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import Array, custom_jvp
from jax.core import Tracer
from jax.typing import ArrayLike
from scipy import special as scipy_special

from jaxscipy_ext.composed.tables import as_jax, python_integer
from jaxscipy_ext.hosts import sequences as hosts
from jaxscipy_ext.runtime import host_call
from jaxscipy_ext.special import orthogonal as _orthogonal
from jaxscipy_ext.special import spherical_bessel as _spherical_bessel
from jaxscipy_ext.special import spheroidal as _spheroidal

Pair = tuple[Array, Array]
Static = tuple[tuple[str, Any], ...]
Second = Callable[[Static, Array, Array, Array], Array]
"""second(static, x, values, slopes): the second derivative of every member, x with new axes for the members."""


@functools.partial(custom_jvp, nondiff_argnums=(0, 1, 2, 3))
def _sequence(host: Any, second: Second, shape: tuple[int, ...], static: Static, x: Array) -> Pair:
    """Values and slopes of the members, on axes of `shape` behind those of x."""
    core = "(" + ",".join(map(str, shape)) + ")"
    return host_call(
        host, x, outputs=("same", "same"), signature=f"()->{core},{core}", static=dict(static), batch="scalar"
    )


@_sequence.defjvp
def _sequence_jvp(
    host: Any, second: Second, shape: tuple[int, ...], static: Static, primals: tuple[Array], tangents: tuple[Array]
) -> tuple[Pair, Pair]:
    (x,), (t,) = primals, tangents
    values, slopes = _sequence(host, second, shape, static, x)
    behind = tuple(range(x.ndim, x.ndim + len(shape)))
    x, t = jnp.expand_dims(x, behind), jnp.expand_dims(t, behind)
    # the orders are float64, and so is what is made of them
    return (values, slopes), (slopes * t, second(static, x, values, slopes).astype(slopes.dtype) * t)


def _scalar(name: str, x: ArrayLike, dtype: Any = float) -> Array:
    x = jnp.asarray(x)
    if x.ndim:
        raise ValueError(f"{name} takes a scalar, got shape {x.shape}; use jax.vmap")
    if jnp.issubdtype(x.dtype, np.complexfloating) and dtype is float:
        raise TypeError(f"{name} takes a real argument, got {x.dtype}")
    return x.astype(jnp.result_type(x.dtype, dtype))


def _python_number(name: str, argument: str, value: Any) -> float:
    if isinstance(value, Tracer):
        raise TypeError(
            f"{name}: {argument!r} decides how long the result is and must be a Python number known while tracing; "
            f"there is no derivative in it"
        )
    return float(value)


# ---------------------------------------------------------------------------------------- Riccati-Bessel functions


def riccati_jn(n: int, x: ArrayLike) -> Pair:
    """x j_k(x) and its derivative for k = 0 … n (DLMF 10.51); two arrays of shape (n + 1,)."""
    n = python_integer("riccati_jn", "n", n)
    return _sequence(hosts.riccati_jn, _riccati_jn_second, (n + 1,), (("n", n),), _scalar("riccati_jn", x))


def _riccati_jn_second(static: Static, x: Array, values: Array, slopes: Array) -> Array:
    """w'' = k(k+1)/x² w - w, with j_k/x = (j_(k-1) + j_(k+1))/(2k + 1) (DLMF 10.51.1), regular at 0."""
    k = jnp.arange(values.shape[-1])
    around = _spherical_bessel.spherical_jn(jnp.maximum(k - 1, 0), x) + _spherical_bessel.spherical_jn(k + 1, x)
    return k * (k + 1) / (2 * k + 1) * around - values


def riccati_yn(n: int, x: ArrayLike) -> Pair:
    """x y_k(x) and its derivative for k = 0 … n (DLMF 10.51); two arrays of shape (n + 1,)."""
    n = python_integer("riccati_yn", "n", n)
    return _sequence(hosts.riccati_yn, _riccati_yn_second, (n + 1,), (("n", n),), _scalar("riccati_yn", x))


def _riccati_yn_second(static: Static, x: Array, values: Array, slopes: Array) -> Array:
    """w'' = k(k+1)/x² w - w; for k = 0 without the quotient, which would be 0/0 at 0."""
    k = jnp.arange(values.shape[-1])
    return jnp.where(k == 0, 0, k * (k + 1) / jnp.where(k == 0, 1, x) ** 2) * values - values


# --------------------------------------------------------------------------------------- parabolic cylinder functions


def pbdv_seq(v: float, x: ArrayLike) -> Pair:
    """D and its derivative for the orders v - int(v), …, v (DLMF 12.2); v is a Python number."""
    return _parabolic("pbdv_seq", hosts.pbdv_seq, scipy_special.pbdv_seq, v, x)


def pbvv_seq(v: float, x: ArrayLike) -> Pair:
    """V and its derivative for the orders v - int(v), …, v (DLMF 12.2); v is a Python number."""
    return _parabolic("pbvv_seq", hosts.pbvv_seq, scipy_special.pbvv_seq, v, x)


def _parabolic(name: str, host: Any, function: Any, v: float, x: ArrayLike) -> Pair:
    v = _python_number(name, "v", v)
    if v < 0:
        raise ValueError(f"{name}: v must not be negative, got {v}: SciPy's result isn't the sequence of orders then")
    return _sequence(host, _parabolic_second, function(v, 1.0)[0].shape, (("v", v),), _scalar(name, x))


def pbdn_seq(n: int, z: ArrayLike) -> Pair:
    """D and its derivative for the orders 0 … n at complex z (DLMF 12.2). SciPy's values are right for real z only."""
    n = python_integer("pbdn_seq", "n", n)
    z = _scalar("pbdn_seq", z, complex)
    return _sequence(hosts.pbdn_seq, _parabolic_second, scipy_special.pbdn_seq(n, 1j)[0].shape, (("n", n),), z)


def _parabolic_second(static: Static, x: Array, values: Array, slopes: Array) -> Array:
    ((_, v),) = static
    orders = v - math.trunc(v) + np.arange(values.shape[-1])
    return (x**2 / 4 - orders - 0.5) * values


# --------------------------------------------------------------------------------- Legendre functions, second kind


def lqn(n: int, z: ArrayLike) -> Pair:
    """Legendre functions of the second kind of the degrees 0 … n and their derivatives (DLMF 14.2), (n + 1, …)."""
    n = python_integer("lqn", "n", n)
    pair = _sequence(hosts.lqn, _legendre_second, (n + 1,), (("n", n),), _inexact(z))
    return tuple(jnp.moveaxis(a, -1, 0) for a in pair)  # type: ignore[return-value]


def lqmn(m: int, n: int, z: ArrayLike) -> Pair:
    """Associated Legendre functions of the second kind and their derivatives (DLMF 14.2), (m + 1, n + 1, …)."""
    m, n = python_integer("lqmn", "m", m), python_integer("lqmn", "n", n)
    pair = _sequence(hosts.lqmn, _legendre_second, (m + 1, n + 1), (("m", m), ("n", n)), _inexact(z))
    return tuple(jnp.moveaxis(a, (-2, -1), (0, 1)) for a in pair)  # type: ignore[return-value]


def _inexact(z: ArrayLike) -> Array:
    z = jnp.asarray(z)
    return z.astype(jnp.result_type(z.dtype, float))


def _legendre_second(static: Static, z: Array, values: Array, slopes: Array) -> Array:
    degrees = np.arange(values.shape[-1])
    squared = np.arange(values.shape[-2])[:, None] ** 2 if len(static) == 2 else 0
    return (2 * z * slopes - (degrees * (degrees + 1) - squared / (1 - z**2)) * values) / (1 - z**2)


# ------------------------------------------------------------------------------------------ Jahnke-Emden functions


def lmbda(v: float, x: ArrayLike) -> Pair:
    """Jahnke-Emden functions Γ(v+1) (2/x)^v J_v(x) and derivatives, orders v - int(v), …, v (a Python number)."""
    v = _python_number("lmbda", "v", v)
    return _lmbda(v, _scalar("lmbda", x))


@functools.partial(custom_jvp, nondiff_argnums=(0,))
def _lmbda(v: float, x: Array) -> Pair:
    core = f"({math.trunc(v) + 1})"
    signature = f"()->{core},{core}"
    return host_call(hosts.lmbda, x, outputs=("same", "same"), signature=signature, static={"v": v}, batch="scalar")


@_lmbda.defjvp
def _lmbda_jvp(v: float, primals: tuple[Array], tangents: tuple[Array]) -> tuple[Pair, Pair]:
    """w_v' = -x/(2(v+1)) w_(v+1) (DLMF 10.6.6), so that w_v'' needs the next order and its derivative; regular at 0."""
    (x,), (t,) = primals, tangents
    values, slopes = (a[..., :-1] for a in _lmbda(v + 1, x))
    next_values, next_slopes = (a[..., 1:] for a in _lmbda(v + 1, x))
    x, t = jnp.expand_dims(x, -1), jnp.expand_dims(t, -1)
    next_values = jnp.where(x == 0, 1.0, next_values)  # SciPy's are 0 there for all orders but the first
    orders = v - math.trunc(v) + np.arange(values.shape[-1])
    second = (-(next_values + x * next_slopes) / (2 * (orders + 1))).astype(slopes.dtype)
    return _lmbda(v, primals[0]), (slopes * t, second * t)


# -------------------------------------------------------------------------------------------- Mathieu and spheroidal


def mathieu_even_coef(m: int, q: float) -> Array:
    """Fourier coefficients of the even Mathieu function (DLMF 28.4) of order m; m and q are Python numbers."""
    q = _python_number("mathieu_even_coef", "q", q)
    return as_jax(scipy_special.mathieu_even_coef(python_integer("mathieu_even_coef", "m", m), q))


def mathieu_odd_coef(m: int, q: float) -> Array:
    """Fourier coefficients of the odd Mathieu function (DLMF 28.4) of order m; m and q are Python numbers."""
    q = _python_number("mathieu_odd_coef", "q", q)
    return as_jax(scipy_special.mathieu_odd_coef(python_integer("mathieu_odd_coef", "m", m), q))


def pro_cv_seq(m: int, n: int, c: ArrayLike) -> Array:
    """Characteristic values of the prolate spheroidal functions of order m and the degrees m … n (DLMF 30.3)."""
    m, n = python_integer("pro_cv_seq", "m", m), python_integer("pro_cv_seq", "n", n)
    return _spheroidal.pro_cv(m, jnp.arange(m, n + 1), _scalar("pro_cv_seq", c))


def obl_cv_seq(m: int, n: int, c: ArrayLike) -> Array:
    """Characteristic values of the oblate spheroidal functions of order m and the degrees m … n (DLMF 30.3)."""
    m, n = python_integer("obl_cv_seq", "m", m), python_integer("obl_cv_seq", "n", n)
    return _spheroidal.obl_cv(m, jnp.arange(m, n + 1), _scalar("obl_cv_seq", c))


# ------------------------------------------------------------------------------------------------ Laguerre polynomials


def assoc_laguerre(x: ArrayLike, n: ArrayLike, k: ArrayLike = 0.0) -> Array:
    """Generalized Laguerre polynomial of degree n and parameter k: `eval_genlaguerre(n, k, x)` (DLMF 18.3)."""
    return _orthogonal.eval_genlaguerre(n, k, x)
