"""Functions that JAX already has, under SciPy's signatures; and `zeta`, which is one or the other of two functions."""

import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array, lax
from jax.custom_derivatives import SymbolicZero
from jax.typing import ArrayLike

from jaxscipy_ext.special import zeta as _zeta

Axis = int | Sequence[int] | None


def logsumexp(
    a: ArrayLike, axis: Axis = None, b: ArrayLike | None = None, keepdims: bool = False, return_sign: bool = False
) -> Any:
    """log(sum(b * exp(a))) over `axis` (all axes by default), without overflow: `jax.scipy.special.logsumexp`.

    With `return_sign` a pair: the logarithm of the absolute value, and the sign.

    The derivative in a is b exp(a - F): where all terms are 0 it is 0, and infinite terms share it among them. That in
    b is exp(a - F), where b is 0, too.
    """
    a, b = jnp.broadcast_arrays(*map(jnp.asarray, (a, 1.0 if b is None else b)))
    a, b = a + jnp.zeros_like(b), b + jnp.zeros_like(a)  # of one inexact dtype
    axes = _axes(a, axis)
    results = _log_sum(a, b, axes, return_sign)
    return results if keepdims else jax.tree.map(lambda x: jnp.squeeze(x, axes), results)


@functools.partial(jax.custom_jvp, nondiff_argnums=(2, 3))
def _log_sum(a: Array, b: Array, axis: Axis, return_sign: bool) -> Any:
    results = jax.scipy.special.logsumexp(a, axis=axis, b=b, keepdims=True, return_sign=return_sign)
    return tuple(results) if return_sign else results


def _log_sum_jvp(axis: Axis, return_sign: bool, primals: tuple[Array, Array], tangents: tuple[Any, Any]) -> Any:
    a, b = primals
    out = _log_sum(a, b, axis, return_sign)
    partials = zip(_weights(a, b, axis), tangents, strict=True)
    moving = [partial * tangent for partial, tangent in partials if not isinstance(tangent, SymbolicZero)]
    change = sum(moving, jnp.zeros_like(a)).sum(axis, keepdims=True)
    if not return_sign:
        return out, change
    turn = out[1] * 1j * change.imag if jnp.iscomplexobj(change) else jnp.zeros_like(out[1])
    return out, (change.real, turn)


_log_sum.defjvp(_log_sum_jvp, symbolic_zeros=True)


def _weights(a: Array, b: Array, axis: Axis) -> tuple[Array, Array]:
    """The partials of log(sum(b * exp(a))) in a and in b."""
    size = lax.stop_gradient(a.real)
    counted = jnp.where(b == 0, -jnp.inf, size).max(axis, keepdims=True, initial=-jnp.inf)
    largest = jnp.where(counted == -jnp.inf, size.max(axis, keepdims=True, initial=-jnp.inf), counted)
    infinite = jnp.isinf(largest)
    terms = jnp.exp(jnp.where(infinite, 0, a) - jnp.where(infinite, 0, largest))
    terms = jnp.where(infinite, (size == largest) & (largest > 0), terms)
    total = jnp.where(b == 0, 0, b * terms).sum(axis, keepdims=True)

    def part(term: Array) -> Array:
        return jnp.where(term == 0, 0, term / jnp.where(term == 0, 1, total))

    return part(jnp.where(b == 0, 0, b * terms)), part(terms)


def softmax(x: ArrayLike, axis: Axis = None) -> Array:
    """exp(x)/sum(exp(x)) over `axis` (all axes by default, as in SciPy): `jax.nn.softmax`."""
    return jax.nn.softmax(jnp.asarray(x), axis=_axes(x, axis))


def log_softmax(x: ArrayLike, axis: Axis = None) -> Array:
    """x - logsumexp(x) over `axis` (all axes by default, as in SciPy), to full precision for large x, too."""
    x = jnp.asarray(x)
    largest = lax.stop_gradient(x.max(_axes(x, axis), keepdims=True))
    shifted = x - jnp.where(jnp.isfinite(largest), largest, 0)
    return shifted - logsumexp(shifted, axis=axis, keepdims=True)


def _axes(x: ArrayLike, axis: Axis) -> Any:
    if axis is None:
        return tuple(range(jnp.ndim(x)))
    return axis if isinstance(axis, int) else tuple(axis)


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
