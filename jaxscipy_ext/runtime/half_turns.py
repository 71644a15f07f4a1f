"""sin(pi x) and cos(pi x) from the distance to the next integer.

`sin(pi * x)` loses the digits that x has before the point, and isn't 0 at integers.
"""

import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike


def sinpi(x: ArrayLike) -> Array:
    """sin(pi x), elementwise."""
    parity, angle = _parts(x)
    return parity * jnp.sin(angle)


def cospi(x: ArrayLike) -> Array:
    """cos(pi x), elementwise."""
    parity, angle = _parts(x)
    return parity * jnp.cos(angle)


def _parts(x: ArrayLike) -> tuple[Array, Array]:
    """(-1)^n and pi (x - n), n the integer that is next to the real part of x."""
    whole = jnp.round(jnp.real(x))
    return 1 - 2 * (whole % 2), jnp.pi * (jnp.asarray(x) - whole)
