"""Functions that JAX already has, under SciPy's signatures; and `zeta`, which is one or the other of two functions."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

from jaxscipy_ext.special import zeta as _zeta

Axis = int | Sequence[int] | None


def logsumexp(
    a: ArrayLike, axis: Axis = None, b: ArrayLike | None = None, keepdims: bool = False, return_sign: bool = False
) -> Any:
    """log(sum(b * exp(a))) over `axis` (all axes by default), without overflow: `jax.scipy.special.logsumexp`.

    With `return_sign` a pair: the logarithm of the absolute value, and the sign.
    """
    options: dict[str, Any] = {"axis": axis, "keepdims": keepdims}
    if b is not None or return_sign or not jnp.issubdtype(jnp.result_type(a), jnp.floating):
        return jax.scipy.special.logsumexp(a, b=b, return_sign=return_sign, **options)
    # an entry of inf alone counts, and has the slope 1, which JAX's exp(inf - max) has not
    infinite = jnp.equal(a, jnp.inf)
    largest = jnp.sum(jnp.where(infinite, a, 0), **options)
    finite = jax.scipy.special.logsumexp(jnp.where(infinite, 0, a), **options)
    return jnp.where(jnp.any(infinite, **options), largest, finite)


def softmax(x: ArrayLike, axis: Axis = None) -> Array:
    """exp(x)/sum(exp(x)) over `axis` (all axes by default, as in SciPy): `jax.nn.softmax`."""
    return jax.nn.softmax(jnp.asarray(x), axis=_axes(x, axis))


def log_softmax(x: ArrayLike, axis: Axis = None) -> Array:
    """x - logsumexp(x) over `axis` (all axes by default, as in SciPy): `jax.nn.log_softmax`."""
    return jax.nn.log_softmax(jnp.asarray(x), axis=_axes(x, axis))


def _axes(x: ArrayLike, axis: Axis) -> Any:
    return tuple(range(jnp.ndim(x))) if axis is None else axis


def softplus(x: ArrayLike) -> Array:
    """log(1 + exp(x)) without overflow: `jax.nn.softplus`."""
    return jax.nn.softplus(jnp.asarray(x))


def sinc(x: ArrayLike) -> Array:
    """sin(pi x)/(pi x), 1 at x = 0, with the right derivatives of every order there: `jax.numpy.sinc`."""
    return jnp.sinc(x)


def zeta(x: ArrayLike, q: ArrayLike | None = None) -> Array:
    """Riemann's zeta function of real or complex x; with `q` that of Hurwitz, for real x > 1 (DLMF 25.2, 25.11).

    d/dq is -x zeta(x + 1, q) (DLMF 25.11.17); d/dx is a host kernel (DLMF 25.2.9 differentiated).
    """
    return _zeta.riemann_zeta(x) if q is None else _zeta.hurwitz_zeta(x, q)
