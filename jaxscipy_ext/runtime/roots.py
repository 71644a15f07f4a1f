"""Partials of inverses by the implicit function theorem, at what a numerical search returned.

SciPy's searches for a parameter of a distribution return an end of their interval where there is no solution, and that
end differs between releases (1e100, 1e-300, 10000, -1e100 …). The inverse is constant there: its derivative is 0,
where the quotient of slopes would be a wild number. Whether the returned point is a root is seen from the equation.
"""

from collections.abc import Callable, Sequence
from types import EllipsisType
from typing import Any

import jax.numpy as jnp
from jax import Array, lax

from jaxscipy_ext.runtime.quotient import quotient

_ENDS = (1e-30, 1e9)
"""Most searches end outside these sizes (0, 1e-300, 1e-100; 1e9, 1e10, 1e100), and hardly a solution lies there."""
_ROUGH = (0.1, 2e-3, 1e-7)
"""Between them: how far the root, and how far the value relatively and absolutely, may be off. SciPy's noncentral F and
t are wrong by as much in their tails, where their inverses are those of another approximation."""
_CLOSE = (1e-3, 1e-9, 0.0)
"""The same at the ends."""


def at_root(
    of: Callable[..., Array],
    point: Sequence[Array | EllipsisType],
    value: Array,
    rule: Callable[[Array], tuple[Any, Any]],
    in_value: bool = False,
) -> Callable[[Array], Array]:
    """The partial of the root of `of(*point) = value`, where `...` in `point` stands for the unknown.

    Args:
      of: The function that is inverted.
      point: Its arguments.
      value: What it should be at the root.
      rule: From the root to the numerator and the denominator of the partial.
      in_value: Whether the partial is that in `value` itself.

    Returns:
      A rule: the quotient where the primal output is a root, 0 where it isn't, or where the root stays at the end of
      the domain: both are 0, or for other partials than that in `value`, root and value are.
    """

    def partial(out: Array) -> Array:
        kept = _is_root(of, point, value, out)
        if not in_value:
            kept &= (out != 0) | (value != 0)
        change, slope = rule(jnp.where(kept, out, 1))
        moves = kept & ~((change == 0) & (slope == 0))
        return jnp.where(moves, quotient(change, jnp.where(moves, slope, 1)), 0)

    return partial


def _is_root(of: Callable[..., Array], point: Sequence[Array | EllipsisType], value: Array, out: Array) -> Array:
    """Whether `value` lies between those of `of` on both sides of `out`, or `out` isn't finite: its partials say it."""
    if jnp.iscomplexobj(out):
        return jnp.ones_like(out, dtype=bool)
    root, wanted = lax.stop_gradient(out), lax.stop_gradient(value)
    size = jnp.abs(root)
    inner = (size > _ENDS[0]) & (size < _ENDS[1])
    width, relative, absolute = (jnp.where(inner, rough, close) for rough, close in zip(_ROUGH, _CLOSE, strict=True))
    rounding = 64 * float(jnp.finfo(root.dtype).eps)
    step = width * size  # never across 0, where a function may answer outside its domain
    near = jnp.stack([root - step, root, root + step])
    values = of(*(near if arg is ... else lax.stop_gradient(arg) for arg in point))
    slack = (relative + rounding) * jnp.abs(wanted) + absolute + rounding
    inside = (jnp.nanmin(values, axis=0) <= wanted + slack) & (jnp.nanmax(values, axis=0) >= wanted - slack)
    return inside | ~jnp.isfinite(root)
