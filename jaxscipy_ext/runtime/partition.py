"""Layers around a call that has neither a batching rule nor a partitioning rule of its own.

In front of their core dimensions (elementwise functions have none) arguments have equal rank and dimensions of size 1
or n; the results have the broadcast shape there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax
from jax.custom_batching import custom_vmap
from jax.experimental.custom_partitioning import ArrayMapping, SdyShardingRule, custom_partitioning
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from jaxscipy_ext.runtime.core_dims import Signature

Call = Callable[..., tuple[Array, ...]]


@functools.lru_cache(maxsize=4096)
def partitioned_ffi_call(
    target: str,
    out_dtypes: tuple[np.dtype[Any], ...],
    core: Signature,
    *,
    on_a_part: tuple[tuple[str, str], ...] = (),
    **attributes: str,
) -> Call:
    """A partitioned call of an FFI target that broadcasts its arguments.

    `on_a_part`: attributes that are others where several devices run the program.
    """

    def ffi_call(*args: Array, **attributes: str) -> tuple[Array, ...]:
        shapes = core.output_shapes(tuple(arg.shape for arg in args), lax.broadcast_shapes)
        results = tuple(map(jax.ShapeDtypeStruct, shapes, out_dtypes))
        return tuple(jax.ffi.ffi_call(target, results)(*args, **attributes))

    whole = functools.partial(ffi_call, **attributes)
    return partitioned(whole, core, functools.partial(ffi_call, **{**attributes, **dict(on_a_part)}))


def partitioned(call: Call, core: Signature, part: Call) -> Call:
    """Let XLA split `call` over devices along every dimension but core ones, without any communication.

    On one device, and inside `shard_map`, JAX calls `call` itself, else `part` on every device. Neither may be a
    callback: XLA crashes on callbacks inside custom partitioning (https://github.com/jax-ml/jax/issues/23620).
    """

    def partition(mesh: Mesh, args: Sequence[Any], results: Sequence[Any]) -> tuple[Any, ...]:
        rank = len(results[0].shape) - len(core.outputs[0])
        shape, sharding = results[0].shape[:rank], results[0].sharding
        if not isinstance(sharding, NamedSharding):
            return mesh, part, (sharding,) * len(results), (sharding,) * len(args)
        axes = (*sharding.spec, *[None] * rank)[:rank]

        def along(array: Any) -> NamedSharding:
            own = array.shape[:rank]
            return NamedSharding(
                mesh, P(*(axis if size == full else None for axis, size, full in zip(axes, own, shape, strict=True)))
            )

        return mesh, part, tuple(map(along, results)), tuple(map(along, args))

    wrapped = custom_partitioning(call)
    wrapped.def_partition(partition, sharding_rule=functools.partial(_sharding_rule, core))

    def partitioned_call(*args: Array) -> tuple[Array, ...]:
        if not getattr(jax.config, "jax_use_shardy_partitioner", True):
            return call(*args)  # the old partitioner, deprecated: it gathers, and is right
        if not _some_axes_are_manual():
            return wrapped(*args)
        # Where only some mesh axes are manual, `partition` is not told the mesh: one unnamed sharding must fit all.
        return wrapped(*jnp.broadcast_arrays(*args)) if core.is_elementwise else call(*args)

    return partitioned_call


def _some_axes_are_manual() -> bool:
    mesh = jax.sharding.get_abstract_mesh()
    return 0 < len(mesh.manual_axes) < len(mesh.axis_names)


def _sharding_rule(core: Signature, mesh: Mesh, args: Sequence[Any], results: Sequence[Any]) -> SdyShardingRule:
    """Return Shardy's rule: one factor per dimension of the result.

    Broadcast dimensions have one of their own, and core dimensions one that must not be split.
    """
    del mesh
    rank = len(results[0].shape) - len(core.outputs[0])
    shape = results[0].shape[:rank]
    whole: list[str] = []

    def factors(array: Any, letter: str) -> ArrayMapping:
        outer = [f"d{k}" if size == shape[k] else f"{letter}x{k}" for k, size in enumerate(array.shape[:rank])]
        inner = [f"{letter}c{k}" for k in range(rank, len(array.shape))]
        whole.extend(inner)
        return ArrayMapping(*outer, *inner)

    operands = tuple(factors(arg, f"a{i}") for i, arg in enumerate(args))
    outputs = tuple(factors(result, f"r{i}") for i, result in enumerate(results))
    return SdyShardingRule(operands, outputs, need_replication_factors=tuple(whole))


def on_cpu(native: Call, callback: Call) -> Call:
    """Return a call that runs `native` on CPUs and `callback` on every other platform; `vmap` puts its axis in front.

    Args:
      native: takes arguments of any shapes that broadcast.
      callback: the same values; it may know its shapes, and is batched by its own rule.
    """

    @custom_vmap
    def call(*args: Array) -> tuple[Array, ...]:
        return lax.platform_dependent(*args, cpu=varying(native), default=varying(callback))

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


def varying(call: Call) -> Call:
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
