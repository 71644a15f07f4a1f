"""Several functions at several points, in as few host calls as possible.

A rule names the values that it needs. Values of one function at several points are stacked into one call; calls of
different hosts that go through Python (`special.kv` and the kernel of its derivative in the order) become one callback,
whose host makes them one after the other. What the native library runs stays as it is: a call there costs nothing.
"""

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, custom_jvp
from numpy.typing import NDArray

from jaxscipy_ext.runtime.callback import HostAdapter
from jaxscipy_ext.runtime.host_call import HostCall, Placeholder, host_call, recorded
from jaxscipy_ext.runtime.sharding import has_explicit_axes


@dataclass(frozen=True)
class Point:
    """A function, by its `custom_jvp`, at arguments. Static ones are Python values, the others arrays."""

    core: Any
    args: tuple[Any, ...]

    @property
    def static(self) -> tuple[Any, ...]:
        return tuple(self.args[i] for i in self.core.nondiff_argnums)

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for the same arguments, which are recognised by identity."""
        ids = tuple(id(value) for i, value in enumerate(self.args) if i not in self.core.nondiff_argnums)
        return (self.core, self.static, ids)


class Values:
    """The values at points that rules ask for: `ask` for all of them, then `evaluate`, then look them up."""

    def __init__(self) -> None:
        self._families: dict[Any, dict[Any, Point]] = {}
        self._family_of: dict[Any, Any] = {}
        self._found: dict[Any, Any] = {}

    def ask(self, point: Point, family: Any) -> None:
        """Points of a family, which have the same function, are stacked."""
        if point.key not in self._family_of:
            self._family_of[point.key] = family
            self._families.setdefault(family, {})[point.key] = point

    def evaluate(self) -> None:
        families = [list(family.values()) for family in self._families.values()]
        calls = [_stacked(points) for points in families]
        outs = [calls[0].core(*calls[0].args)] if len(calls) == 1 else _together(calls)
        for points, out in zip(families, outs, strict=True):
            for k, point in enumerate(points):
                self._found[point.key] = jax.tree.map(lambda leaf, k=k: leaf[k], out) if len(points) > 1 else out

    def __getitem__(self, point: Point) -> Any:
        return self._found[point.key]


def _stacked(points: Sequence[Point]) -> Point:
    """All points as one; arguments that they share are not repeated."""
    first = points[0]
    if len(points) == 1:
        return first
    arrays = [i for i in range(len(first.args)) if i not in first.core.nondiff_argnums]
    rank = max(jnp.ndim(point.args[i]) for point in points for i in arrays)
    args = list(first.args)
    for i in arrays:
        column = [point.args[i] for point in points]
        if any(value is not column[0] for value in column):
            aligned = [_with_rank(jnp.asarray(value, dtype=column[0].dtype), rank) for value in column]
            args[i] = jnp.stack(jnp.broadcast_arrays(*_mapped_alike(aligned)))
    return Point(first.core, tuple(args))


def _mapped_alike(arrays: Sequence[Array]) -> Sequence[Array]:
    """The same arrays. On explicit mesh axes all are mapped by `vmap` if one is: JAX doesn't stack them otherwise."""
    if not any(map(has_explicit_axes, arrays)):
        return arrays
    same = functools.reduce(jnp.logical_or, [array == array for array in arrays])
    return [jnp.where(same, array, array) for array in arrays]


def _with_rank(array: Array, rank: int) -> Array:
    return jnp.expand_dims(array, tuple(range(rank - array.ndim)))


def _together(calls: Sequence[Point]) -> Any:
    """The values of several functions, as one differentiable function of the arrays that they share."""
    pool: dict[int, Any] = {}
    plan = []
    for call in calls:
        where: list[tuple[bool, Any]] = []
        for i, value in enumerate(call.args):
            is_static = i in call.core.nondiff_argnums
            if not is_static:
                pool.setdefault(id(value), value)
            where.append((is_static, value if is_static else list(pool).index(id(value))))
        plan.append((call.core, tuple(where)))
    return _all_of(tuple(plan), *pool.values())


def points_of(plan: tuple[Any, ...], pool: Sequence[Any]) -> list[Point]:
    """The calls of a plan: functions, each with static arguments and places of the others in the pool."""
    return [Point(core, tuple(v if is_static else pool[v] for is_static, v in where)) for core, where in plan]


@functools.partial(custom_jvp, nondiff_argnums=(0,))
def _all_of(plan: tuple[Any, ...], *pool: Array) -> list[Any]:
    with recorded() as calls:
        trees = [call.core.__wrapped__(*call.args) for call in points_of(plan, pool)]
    results = _results(calls)
    return jax.tree.map(lambda leaf: results[leaf.call][leaf.output], trees, is_leaf=_is_placeholder)


def _is_placeholder(leaf: Any) -> bool:
    return isinstance(leaf, Placeholder)


def rule_of_all(jvp: Callable[[list[Point], list[tuple[Any, ...]]], tuple[list[Any], list[Any]]]) -> None:
    """Set how several functions are differentiated at once: from points and their tangents to values and tangents."""

    def rule(plan: tuple[Any, ...], primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        of_points = [tuple(None if s else tangents[v] for s, v in where) for _, where in plan]
        return jvp(points_of(plan, primals), of_points)

    _all_of.defjvp(rule, symbolic_zeros=True)


def _results(calls: Sequence[HostCall]) -> list[tuple[Array, ...]]:
    """The results of host calls; those that Python makes, elementwise and at points of one shape, in one callback."""
    joined = [k for k, call in enumerate(calls) if call.is_elementwise_callback]
    base = min((calls[k].rank for k in joined), default=0)
    if len(joined) < 2 or len({calls[k].shape[calls[k].rank - base :] for k in joined}) > 1:
        joined = []
    results = dict(zip(joined, _in_one_callback([calls[k] for k in joined], base), strict=True))
    return [results[k] if k in results else call.make() for k, call in enumerate(calls)]


def _in_one_callback(calls: Sequence[HostCall], base: int) -> list[tuple[Array, ...]]:
    """One host call for all. Dimensions in front of the `base` that all have go to the end, as core dimensions."""
    if not calls:
        return []
    operands: list[Array] = []
    inputs, outputs, kinds, parts = [], [], [], []
    for k, call in enumerate(calls):
        extra = call.rank - base
        for arg in call.args:
            aligned = _with_rank(jnp.asarray(arg), call.rank)
            whole = jnp.broadcast_to(aligned, (*call.shape[:extra], *aligned.shape[extra:]))
            operands.append(jnp.moveaxis(whole, range(extra), range(base, call.rank)) if extra else whole)
        core = f"({','.join(f's{k}_{i}' for i in range(extra))})"
        inputs += [core] * len(call.args)
        outputs += [core] * len(call.adapter.dtypes)
        kinds += [dtype.name for dtype in call.adapter.dtypes]
        parts.append((call.adapter, len(call.args), extra))
    host, signature = _hosts(tuple(parts)), f"{','.join(inputs)}->{','.join(outputs)}"
    found = iter(host_call(host, *operands, outputs=tuple(kinds), signature=signature))
    return [
        tuple(
            jnp.moveaxis(result, range(base, base + extra), range(extra)) if extra else result
            for result in itertools.islice(found, len(adapter.dtypes))
        )
        for adapter, _, extra in parts
    ]


class _Hosts:
    """A host that calls others, each with its own arguments; dimensions that only one of them has are at the end."""

    def __init__(self, parts: tuple[tuple[HostAdapter, int, int], ...]) -> None:
        self.parts = parts
        self.__name__ = "+".join(adapter.__name__ for adapter, _, _ in parts)
        self.description = " + ".join(adapter.key for adapter, _, _ in parts)

    def __call__(self, *args: NDArray[Any]) -> tuple[NDArray[Any], ...]:
        extras = [extra for _, count, extra in self.parts for _ in range(count)]
        # what `vmap` doesn't map has length 1 there, maybe in all arguments of one part
        loop_shape = np.broadcast_shapes(*(a.shape[: a.ndim - extra] for a, extra in zip(args, extras, strict=True)))
        loops, rest = len(loop_shape), iter(args)
        results: list[NDArray[Any]] = []
        for adapter, count, extra in self.parts:
            own = (np.moveaxis(a, range(loops, a.ndim), range(extra)) for a in itertools.islice(rest, count))
            for result in adapter.call(*own):
                whole = np.moveaxis(result, range(extra), range(loops, result.ndim))
                results.append(np.broadcast_to(whole, (*loop_shape, *whole.shape[loops:])))
        return tuple(results)


@functools.cache
def _hosts(parts: tuple[tuple[HostAdapter, int, int], ...]) -> _Hosts:
    """Always the same object for the same parts: JAX's caches compare by identity."""
    return _Hosts(parts)
