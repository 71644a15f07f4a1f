"""Legendre functions and spherical harmonics in the shapes of SciPy (DLMF 14).

The scalar functions are entries of the specs with closed derivative rules; here they are put together to SciPy's
arrays: a leading axis for the derivatives up to `diff_n` (trailing axes for `sph_harm_y`), axes of degrees and orders
for the `_all` functions. `n`, `m` of the latter, `diff_n`, `norm` and `branch_cut` are Python values.
"""

import operator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import ArrayLike

from jaxscipy_ext.composed.tables import flag
from jaxscipy_ext.runtime import OneOf
from jaxscipy_ext.special import legendre as _legendre


def legendre_p(n: ArrayLike, z: ArrayLike, *, diff_n: int = 0) -> Array:
    """Legendre polynomial of degree n and its derivatives up to order `diff_n` <= 2, shape (diff_n + 1, …)."""
    return jnp.stack([_legendre.legendre_p_derivative(n, z, k) for k in range(_order(diff_n) + 1)])


def legendre_p_all(n: int, z: ArrayLike, *, diff_n: int = 0) -> Array:
    """Legendre polynomials of all degrees up to n, shape (diff_n + 1, n + 1, …)."""
    return legendre_p(_column(operator.index(n) + 1, z), jnp.asarray(z), diff_n=diff_n)


def assoc_legendre_p(
    n: ArrayLike, m: ArrayLike, z: ArrayLike, *, branch_cut: int = 2, norm: bool = False, diff_n: int = 0
) -> Array:
    """Associated Legendre function of degree n and order m, and its derivatives, shape (diff_n + 1, …).

    `branch_cut`: 2 for cuts outside [-1, 1], 3 for a cut left of 1; `norm`: orthonormal on [-1, 1].
    """
    branch_cut = OneOf(2, 3).checked("assoc_legendre_p", "branch_cut", branch_cut)
    norm = flag("assoc_legendre_p", "norm", norm)
    jet = _legendre.assoc_legendre_jet(n, m, z, branch_cut=branch_cut, norm=norm)
    return jnp.stack(jet[: _order(diff_n) + 1])


def assoc_legendre_p_all(
    n: int, m: int, z: ArrayLike, *, branch_cut: int = 2, norm: bool = False, diff_n: int = 0
) -> Array:
    """Associated Legendre functions, degrees 0 … n and orders 0 … m, -m … -1: (diff_n + 1, n + 1, 2m + 1, …)."""
    degrees, orders = _degrees_and_orders(n, m, z)
    return assoc_legendre_p(degrees, orders, jnp.asarray(z), branch_cut=branch_cut, norm=norm, diff_n=diff_n)


def sph_legendre_p(n: ArrayLike, m: ArrayLike, theta: ArrayLike, *, diff_n: int = 0) -> Array:
    """Spherical Legendre function of degree n and order m, and its derivatives in theta, shape (diff_n + 1, …)."""
    return jnp.stack(_derivatives(lambda t: _legendre.sph_legendre(n, m, t), theta, _order(diff_n)))


def sph_legendre_p_all(n: int, m: int, theta: ArrayLike, *, diff_n: int = 0) -> Array:
    """Spherical Legendre functions, degrees 0 … n and orders 0 … m, -m … -1: (diff_n + 1, n + 1, 2m + 1, …)."""
    degrees, orders = _degrees_and_orders(n, m, theta)
    return sph_legendre_p(degrees, orders, jnp.asarray(theta), diff_n=diff_n)


def sph_harm_y(n: ArrayLike, m: ArrayLike, theta: ArrayLike, phi: ArrayLike, *, diff_n: int = 0) -> Any:
    """Spherical harmonic of degree n and order m at polar angle theta and azimuth phi (DLMF 14.30.1).

    With `diff_n` >= 1 a tuple: the value, the gradient in (theta, phi) on a trailing axis, and for 2 the Hessian.
    """
    order = _order(diff_n)
    for word, counted in (("n", n), ("m", m)):
        if jnp.issubdtype(jnp.result_type(counted), np.inexact):
            raise TypeError(
                f"sph_harm_y takes integers {word}, got {jnp.result_type(counted)}; write {word}.astype(int)"
            )
    theta, phi = jnp.broadcast_arrays(*map(_inexact, (theta, phi)))
    directions = [(jnp.ones_like(theta), jnp.zeros_like(phi)), (jnp.zeros_like(theta), jnp.ones_like(phi))]

    def value(theta: Array, phi: Array) -> Array:
        return _legendre.sph_harmonic(n, m, theta, phi)

    def gradient(theta: Array, phi: Array) -> Array:
        return jnp.stack([jax.jvp(value, (theta, phi), t)[1] for t in directions], axis=-1)

    if order == 0:
        return value(theta, phi)
    if order == 1:
        return value(theta, phi), gradient(theta, phi)
    rows = [jax.jvp(gradient, (theta, phi), t)[1] for t in directions]
    return value(theta, phi), gradient(theta, phi), jnp.stack(rows, axis=-1)


def sph_harm_y_all(n: int, m: int, theta: ArrayLike, phi: ArrayLike, *, diff_n: int = 0) -> Any:
    """Spherical harmonics, degrees 0 … n and orders 0 … m, -m … -1: (n + 1, 2m + 1, …); see `sph_harm_y`."""
    theta, phi = jnp.broadcast_arrays(*map(_inexact, (theta, phi)))
    degrees, orders = _degrees_and_orders(n, m, theta)
    shape = jnp.broadcast_shapes(degrees.shape, orders.shape, theta.shape)
    return sph_harm_y(degrees, orders, jnp.broadcast_to(theta, shape), jnp.broadcast_to(phi, shape), diff_n=diff_n)


def _order(diff_n: int) -> int:
    if operator.index(diff_n) not in (0, 1, 2):
        raise ValueError(f"diff_n is {diff_n}; write 0, 1 or 2 (or differentiate with jax.jvp as often as you like)")
    return diff_n


def _inexact(x: ArrayLike) -> Array:
    x = jnp.asarray(x)
    return x if jnp.issubdtype(x.dtype, jnp.inexact) else x.astype(jnp.result_type(float))


def _column(count: int, z: ArrayLike) -> Array:
    """0 … count - 1 on an axis before those of z."""
    return jnp.arange(count).reshape(-1, *(1,) * jnp.ndim(z))


def _degrees_and_orders(n: int, m: int, z: ArrayLike) -> tuple[Array, Array]:
    """Degrees and orders on two axes before those of z; orders are 0 … m, -m … -1, as negative indices read them."""
    n, m = operator.index(n), operator.index(m)
    if n < 0 or m < 0:
        raise ValueError(f"n and m must be Python integers >= 0, got {n} and {m}")
    tail = (1,) * jnp.ndim(z)
    orders = jnp.concatenate([jnp.arange(m + 1), jnp.arange(-m, 0)])
    return jnp.arange(n + 1).reshape(-1, 1, *tail), orders.reshape(1, -1, *tail)


def _derivatives(function: Any, x: ArrayLike, order: int) -> list[Array]:
    """The function and its first `order` derivatives, elementwise."""
    x = _inexact(x)
    if order == 0:
        return [function(x)]

    def lower(x: Array) -> list[Array]:
        return _derivatives(function, x, order - 1)

    values, tangents = jax.jvp(lower, (x,), (jnp.ones_like(x),))
    return [*values, tangents[-1]]
