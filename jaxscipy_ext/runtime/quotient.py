"""Division whose derivatives divide again, instead of by powers of the denominator.

JAX differentiates a/b by -a/b², where b² underflows below 1e-154 (1e-19 in float32): 0*inf is NaN where the derivative
is 0. Here it is -a/b/b.
"""

import functools
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from jax.custom_derivatives import SymbolicZero
from jax.typing import ArrayLike


def quotient(a: ArrayLike, b: ArrayLike) -> Array:
    """a/b, elementwise."""
    return _divided(a, b, 1)


@functools.partial(jax.custom_jvp, nondiff_argnums=(2,))
def _divided(a: Any, b: Any, times: int) -> Array:
    result = a / b
    for _ in range(times - 1):
        result = result * (1 / b)  # XLA makes a/(b*b) of a/b/b
    return result


def _jvp(times: int, primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[Array, Array]:
    (a, b), (da, db) = primals, tangents
    value = _divided(a, b, times)
    change: Any = jnp.zeros_like(value) if isinstance(da, SymbolicZero) else _divided(da, b, times)
    if not isinstance(db, SymbolicZero):
        change = change - times * _divided(a, b, times + 1) * db
    return value, change


_divided.defjvp(_jvp, symbolic_zeros=True)
