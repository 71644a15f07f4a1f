"""Derivative rules: one table of partials per function, evaluated only where a tangent is not zero.

A rule table maps an argument to one of

* `lambda out: ...`: the partial derivative, from the primal output(s) and the arguments;
* `at(point, ..., rule)`: a rule in values of the *same function* at other arguments (recurrences such as DLMF 10.6.1),
  or of *other functions*, kernels above all. They and the primal are evaluated together, so that `value_and_grad` costs
  one host call (`together.py`);
* `discrete`: the function is constant in this argument almost everywhere, its tangent is zero;
* `unavailable(reason)`: asking for this partial raises, while tracing, with the reason.
"""

from __future__ import annotations  # the decorators' own would be computed 600 times

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax
from jax.custom_derivatives import SymbolicZero

from jaxscipy_ext.runtime.together import Point, Values, rule_of_all


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
    """A rule in values at `points`: arguments of the function itself, or another function and its arguments."""

    points: tuple[tuple[Any, ...], ...]
    rule: Callable[..., Any]


@dataclass(frozen=True)
class Unavailable:
    reason: str
    function: str = ""
    """What users know it as, if the table is that of a derivative (`kv_dv3`)."""


@dataclass(frozen=True)
class Discrete:
    pass


Partial: TypeAlias = "Callable[..., Any] | At | Unavailable | Discrete"
Partials: TypeAlias = Mapping[str, Partial]

discrete = Discrete()


def unavailable(reason: str, function: str = "") -> Unavailable:
    """A partial that raises `DerivativeUnavailable` with `reason` when it is asked for.

    `function`: the one that users have differentiated, where the table is that of one of its derivatives.
    """
    return Unavailable(reason, function)


def at(*points_and_rule: Any) -> At:
    """`at((v - 1, z), (v + 1, z), lambda below, above: (below - above) / 2)`; `at((kv_dv, v, z))` is that value."""
    *points, last = points_and_rule
    return At(tuple(points), last) if callable(last) else At((*points, last), _itself)


def _itself(value: Any) -> Any:
    return value


def along(core: Any) -> Callable[[Callable[..., Partials]], Callable[..., Partials]]:
    """Register the table of partials that the decorated function returns as the JVP rule of `core` (a `custom_jvp`).

    In a generated module the public function, named as `core` without the underscore, learns what its core is, so that
    rules elsewhere can ask for its values together with others.
    """
    nondiff = tuple(core.nondiff_argnums)

    def register(partials: Callable[..., Partials]) -> Callable[..., Partials]:
        _tables[core] = partials
        public = partials.__globals__.get(core.__name__.removeprefix("_"))
        if public is not None:
            public.core = core

        def jvp(*arguments: Any) -> tuple[Any, Any]:
            *static, primals, tangents = arguments
            given, moving = iter(primals), iter(tangents)
            constant = dict(zip(nondiff, static, strict=True))
            count = len(primals) + len(static)
            args = tuple(constant[i] if i in constant else next(given) for i in range(count))
            along_args = tuple(None if i in constant else next(moving) for i in range(count))
            (out,), (tangent,) = _jvp([Point(core, args)], [along_args])
            return out, tangent

        core.defjvp(jvp, symbolic_zeros=True)
        return partials

    return register


_tables: dict[Any, Callable[..., Partials]] = {}


def _jvp(calls: Sequence[Point], tangents: Sequence[tuple[Any, ...]]) -> tuple[list[Any], list[Any]]:
    """Values and tangents of several functions; all that their rules ask for is evaluated together."""
    values = Values()
    for k, call in enumerate(calls):
        values.ask(call, k)
    plans = []
    for k, (call, moving) in enumerate(zip(calls, tangents, strict=True)):
        active = _active(call, moving)
        plans.append([(partial, _asked(partial, call, k, values), tangent) for partial, tangent in active])
    values.evaluate()
    outs = [values[call] for call in calls]
    totals = []
    for out, plan in zip(outs, plans, strict=True):
        terms = [
            _term(_partial_value(partial, out, [value(values) for value in asked]), tangent, jax.tree.leaves(out))
            for partial, asked, tangent in plan
        ]
        totals.append(_total(out, terms))
    return outs, totals


rule_of_all(_jvp)


def _active(call: Point, tangents: tuple[Any, ...]) -> list[tuple[Partial, Any]]:
    """The partials that are needed, each with its tangent. Raises where there is none."""
    partials = _tables[call.core]
    table = partials(*call.args)
    active = []
    for name, tangent in zip(_names(partials), tangents, strict=True):
        if tangent is None or _is_zero(tangent) or isinstance(table[name], Discrete):
            continue
        partial = table[name]
        if isinstance(partial, Unavailable):
            raise DerivativeUnavailable(
                f"{partial.function or call.core.__name__.lstrip('_')}: no derivative with respect to {name!r}: "
                f"{partial.reason}"
            )
        active.append((partial, tangent))
    return active


@functools.cache  # at first use: 600 of them would slow the import
def _names(partials: Callable[..., Partials]) -> tuple[str, ...]:
    return tuple(inspect.signature(partials).parameters)


def _asked(partial: Partial, call: Point, family: int, values: Values) -> list[Callable[[Values], Any]]:
    """Ask for what a rule needs; returns how to find each value."""
    asked: list[Callable[[Values], Any]] = []
    for given in partial.points if isinstance(partial, At) else ():
        if not callable(given[0]):
            rest = iter(given)
            static = call.core.nondiff_argnums
            point = Point(call.core, tuple(v if i in static else next(rest) for i, v in enumerate(call.args)))
            values.ask(point, family)
        else:
            function, *args = given
            core = getattr(function, "core", None)
            if core is None:  # not of a generated module: it knows how to be called, no more
                asked.append(functools.partial(_called, function, args))
                continue
            point = Point(core, function.prepared(*args))
            arrays = [v for i, v in enumerate(point.args) if i not in core.nondiff_argnums]
            values.ask(point, (core, point.static, lax.broadcast_shapes(*map(jnp.shape, arrays))))
        asked.append(functools.partial(_looked_up, point))
    return asked


def _called(function: Callable[..., Any], args: Sequence[Any], _values: Values) -> Any:
    return function(*args)


def _looked_up(point: Point, values: Values) -> Any:
    return values[point]


def _is_zero(tangent: Any) -> bool:
    return isinstance(tangent, SymbolicZero) or jax.typeof(tangent).dtype == jax.dtypes.float0


def _partial_value(partial: Partial, out: Any, values: Sequence[Any]) -> Any:
    if isinstance(partial, At):
        return partial.rule(*values)
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
        as_it_is = jnp.shape(total) == leaf.shape and jnp.result_type(total) == leaf.dtype
        totals.append(total if as_it_is else jnp.broadcast_to(jnp.asarray(total, dtype=leaf.dtype), leaf.shape))
    return jax.tree.unflatten(tree, totals)
