"""Layers around an elementwise call that has neither a batching rule nor a partitioning rule of its own.

Arguments have equal rank and dimensions of size 1 or n; the results have the broadcast shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array, lax
from jax.custom_batching import custom_vmap
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

Call = Callable[..., tuple[Array, ...]]


def partitioned(call: Call) -> Call:
    """Let XLA split `call` over devices along every dimension, without any communication.

    On one device, and inside `shard_map`, JAX calls `call` itself. `call` must not be a callback: XLA crashes on
    callbacks inside custom partitioning (https://github.com/jax-ml/jax/issues/23620).
    """

    def partition(mesh: Mesh, args: Sequence[Any], results: Sequence[Any]) -> tuple[Any, ...]:
        shape, sharding = results[0].shape, results[0].sharding
        if isinstance(sharding, NamedSharding):
            arg_shardings = tuple(NamedSharding(mesh, _restrict(sharding.spec, arg.shape, shape)) for arg in args)
        else:
            arg_shardings = (sharding,) * len(args)
        return mesh, call, (sharding,) * len(results), arg_shardings

    wrapped = custom_partitioning(call)
    wrapped.def_partition(partition, sharding_rule=_sharding_rule)

    def partitioned_call(*args: Array) -> tuple[Array, ...]:
        if not getattr(jax.config, "jax_use_shardy_partitioner", True):
            return call(*args)  # the old partitioner, deprecated: it gathers, and is right
        # Where only some mesh axes are manual, `partition` is not told the mesh: one unnamed sharding must fit all.
        return wrapped(*(jnp.broadcast_arrays(*args) if _some_axes_are_manual() else args))

    return partitioned_call


def _some_axes_are_manual() -> bool:
    mesh = jax.sharding.get_abstract_mesh()
    return 0 < len(mesh.manual_axes) < len(mesh.axis_names)


def _restrict(spec: P, shape: tuple[int, ...], result_shape: tuple[int, ...]) -> P:
    """Return `spec` with None for the dimensions along which `shape` is broadcast."""
    axes = (*spec, *[None] * (len(shape) - len(spec)))
    return P(*(axis if size == result else None for axis, size, result in zip(axes, shape, result_shape, strict=True)))


def _sharding_rule(mesh: Mesh, args: Sequence[Any], results: Sequence[Any]) -> str:
    """Return Shardy's rule: one factor per dimension of the result; a broadcast dimension has one of its own."""
    shape = results[0].shape
    factors = [f"d{d}" for d in range(len(shape))]
    operands = [
        " ".join(factors[d] if size == shape[d] else f"a{i}x{d}" for d, size in enumerate(arg.shape))
        for i, arg in enumerate(args)
    ]
    return ", ".join(operands) + " -> " + ", ".join([" ".join(factors)] * len(results))


def on_cpu(native: Call, callback: Call) -> Call:
    """Return a call that runs `native` on CPUs and `callback` on every other platform; `vmap` puts its axis in front.

    Args:
      native: takes arguments of any shapes that broadcast.
      callback: the same values; it may know its shapes, and is batched by its own rule.
    """

    @custom_vmap
    def call(*args: Array) -> tuple[Array, ...]:
        return lax.platform_dependent(*args, cpu=_varying(native), default=_varying(callback))

    @call.def_vmap
    def batch(axis_size: int, mapped: Sequence[bool], *args: Array) -> tuple[tuple[Array, ...], tuple[bool, ...]]:
        del axis_size

        def batched_callback(*args: Array) -> tuple[Array, ...]:
            in_axes = tuple(0 if is_mapped else None for is_mapped in mapped)
            operands = (x if is_mapped else lax.squeeze(x, (0,)) for x, is_mapped in zip(args, mapped, strict=True))
            return jax.vmap(callback, in_axes)(*operands)

        operands = (x if is_mapped else lax.expand_dims(x, (0,)) for x, is_mapped in zip(args, mapped, strict=True))
        results = on_cpu(native, batched_callback)(*operands)
        return results, (True,) * len(results)

    return call


def _varying(call: Call) -> Call:
    """Inside `shard_map`, declare the results of `call` as varying along every mesh axis along which an argument does.

    Neither `ffi_call` nor `pure_callback` does that, and `shard_map` then refuses the results (with `check_vma=True`).
    """

    def varying_call(*args: Array) -> tuple[Array, ...]:
        axes = frozenset[Any]().union(*map(_varying_axes, args))
        return tuple(_vary(result, axes) for result in call(*args))

    return varying_call


def _varying_axes(x: Array) -> frozenset[Any]:
    return jax.typeof(x).manual_axis_type.varying


def _vary(x: Array, axes: frozenset[Any]) -> Array:
    missing = axes - _varying_axes(x)
    return lax.pcast(x, tuple(missing), to="varying") if missing else x
