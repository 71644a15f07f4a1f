"""Derivative rules: one table of partials per function, evaluated only where a tangent is not zero.

A rule table maps an argument to one of

* `lambda out: ...`: the partial derivative, from the primal output(s) and the arguments;
* `at(point, ..., rule)`: a rule in values of the *same function* at other arguments (recurrences such as DLMF 10.6.1).
  All points and the primal are evaluated in one stacked call, so `value_and_grad` costs one host call;
* `discrete`: the function is constant in this argument almost everywhere, its tangent is zero;
* `unavailable(reason)`: asking for this partial raises, while tracing, with the reason.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.custom_derivatives import SymbolicZero


class DerivativeUnavailable(NotImplementedError):
    """Raised while tracing when a partial derivative is asked for that nobody has a right rule for."""


@dataclass(frozen=True)
class RealLinear:
    """A partial of a function that is not holomorphic: t -> holomorphic*t + real*Re(t) + imag*Im(t)."""

    holomorphic: Any
    real: Any = None
    imag: Any = None


@dataclass(frozen=True)
class At:
    """A rule in values of the function itself at `points`."""

    points: tuple[tuple[Any, ...], ...]
    rule: Callable[..., Any]


@dataclass(frozen=True)
class Unavailable:
    reason: str


@dataclass(frozen=True)
class Discrete:
    pass


Partial: TypeAlias = "Callable[..., Any] | At | Unavailable | Discrete"
Partials: TypeAlias = Mapping[str, Partial]

discrete = Discrete()


def unavailable(reason: str) -> Unavailable:
    """A partial that raises `DerivativeUnavailable` with `reason` when it is asked for."""
    return Unavailable(reason)


def at(*points_and_rule: Any) -> At:
    """`at((v - 1, z), (v + 1, z), lambda below, above: (below - above) / 2)`."""
    *points, rule = points_and_rule
    return At(tuple(points), rule)


def along(core: Any) -> Callable[[Callable[..., Partials]], Callable[..., Partials]]:
    """Register the table of partials that the decorated function returns as the JVP rule of `core` (a `custom_jvp`)."""
    nondiff = tuple(core.nondiff_argnums)

    def register(partials: Callable[..., Partials]) -> Callable[..., Partials]:
        def jvp(*arguments: Any) -> tuple[Any, Any]:
            names = tuple(inspect.signature(partials).parameters)  # here: 600 of them would slow the import
            differentiable = [i for i in range(len(names)) if i not in nondiff]
            *static, primals, tangents = arguments
            values = dict(zip(nondiff, static, strict=True)) | dict(zip(differentiable, primals, strict=True))
            args = [values[i] for i in range(len(names))]
            table = partials(*args)
            active = {}
            for i, tangent in zip(differentiable, tangents, strict=True):
                partial = table[names[i]]
                if _is_zero(tangent) or isinstance(partial, Discrete):
                    continue
                if isinstance(partial, Unavailable):
                    raise DerivativeUnavailable(
                        f"{core.__name__.lstrip('_')}: no derivative with respect to {names[i]!r}: {partial.reason}"
                    )
                active[names[i]] = (partial, tangent)
            points = _distinct_points(tuple(primals), [partial for partial, _ in active.values()])
            values_at = _evaluate(core, args, differentiable, points)
            out = values_at(tuple(primals))
            terms = [
                _term(_partial_value(partial, out, values_at), tangent, jax.tree.leaves(out))
                for partial, tangent in active.values()
            ]
            return out, _total(out, terms)

        core.defjvp(jvp, symbolic_zeros=True)
        return partials

    return register


def _is_zero(tangent: Any) -> bool:
    return isinstance(tangent, SymbolicZero) or jax.typeof(tangent).dtype == jax.dtypes.float0


def _key(point: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple(map(id, point))


def _distinct_points(primal: tuple[Any, ...], active: Sequence[Partial]) -> list[tuple[Any, ...]]:
    """The primal point, then every other point that a rule names; the primal's own names are recognised by identity."""
    points = {_key(primal): primal}
    for partial in active:
        if isinstance(partial, At):
            points |= {_key(point): point for point in partial.points}
    return list(points.values())


def _evaluate(
    core: Any, args: list[Any], differentiable: list[int], points: list[tuple[Any, ...]]
) -> Callable[[tuple[Any, ...]], Any]:
    """`core` at all `points` in one call; the result looks a point up."""
    if len(points) == 1:
        out = core(*args)
        return lambda point: out
    rank = max(jnp.ndim(value) for point in points for value in point)
    stacked = list(args)
    for position, i in enumerate(differentiable):
        column = [point[position] for point in points]
        if any(value is not column[0] for value in column):
            aligned = [_with_rank(jnp.asarray(value, dtype=args[i].dtype), rank) for value in column]
            stacked[i] = jnp.stack(jnp.broadcast_arrays(*aligned))
    outs = core(*stacked)
    index = {_key(point): k for k, point in enumerate(points)}
    return lambda point: jax.tree.map(lambda leaf: leaf[index[_key(point)]], outs)


def _with_rank(array: Array, rank: int) -> Array:
    return jnp.expand_dims(array, tuple(range(rank - array.ndim)))


def _partial_value(partial: Partial, out: Any, values_at: Callable[[tuple[Any, ...]], Any]) -> Any:
    if isinstance(partial, At):
        return partial.rule(*(values_at(point) for point in partial.points))
    assert callable(partial)
    return partial(*out) if isinstance(out, tuple) else partial(out)


def _term(value: Any, tangent: Any, outs: list[Array]) -> list[Any]:
    """The contribution of one argument to the tangent of every output."""
    values = value if len(outs) > 1 or isinstance(value, tuple) else (value,)
    if len(values) != len(outs):
        raise TypeError(f"a rule for {len(outs)} outputs returned {len(values)} partials")
    return [_times(partial, tangent) for partial in values]


def _times(partial: Any, tangent: Any) -> Any:
    if not isinstance(partial, RealLinear):
        return partial * tangent
    # A literal 0 keeps the tangent of a function with real values (abs of a complex number) real.
    none = isinstance(partial.holomorphic, int | float) and partial.holomorphic == 0
    total = 0.0 * jnp.real(tangent) if none else partial.holomorphic * tangent
    if partial.real is not None:
        total = total + partial.real * jnp.real(tangent)
    if partial.imag is not None and jnp.iscomplexobj(tangent):
        total = total + partial.imag * jnp.imag(tangent)
    return total


def _total(out: Any, terms: list[list[Any]]) -> Any:
    leaves, tree = jax.tree.flatten(out)
    totals = []
    for k, leaf in enumerate(leaves):
        total = sum((term[k] for term in terms[1:]), start=terms[0][k]) if terms else jnp.zeros_like(leaf)
        if np.issubdtype(jnp.result_type(total), np.complexfloating) and not jnp.iscomplexobj(leaf):
            raise TypeError("a rule gave a complex tangent to a real output; write it as rule: 0 with real: and imag:")
        totals.append(jnp.broadcast_to(jnp.asarray(total, dtype=leaf.dtype), leaf.shape))
    return jax.tree.unflatten(tree, totals)
