"""Sharded arguments: what a host call must do so that every shard of its result is right.

In Auto mode the compiler gathers the arguments of a host call and the result is replicated. With Explicit axes the
sharding is part of the type, so that the call can enter `shard_map` by itself: each device then calls the host with its
own shard and nothing is gathered but core dimensions, which a host needs whole.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax import Array, lax
from jax.custom_batching import custom_vmap
from jax.sharding import AxisType, PartitionSpec

from jaxscipy_ext.runtime.core_dims import Signature

Call = Callable[..., tuple[Array, ...]]


def on_shards(call: Call, core: Signature, *, pure: bool = True) -> Call:
    """`call`, which enters `shard_map` by itself where an argument is sharded over Explicit axes.

    Under `vmap` the type that `call` sees lacks the mapped dimension, and with it that dimension's sharding: hence the
    batching rule, which looks again. (JAX allows none for impure calls.)
    """

    def on_mesh(*args: Array) -> tuple[Array, ...]:
        mesh = _explicit_mesh(args)
        return call(*args) if mesh is None else _shard_over_loops(call, mesh, args, core)

    if not pure:
        return on_mesh
    guarded = custom_vmap(on_mesh)

    @guarded.def_vmap
    def batch(axis_size: int, mapped: Sequence[bool], *args: Array) -> tuple[tuple[Array, ...], tuple[bool, ...]]:
        del axis_size
        in_axes = tuple(0 if is_mapped else None for is_mapped in mapped)

        def batched(*args: Array) -> tuple[Array, ...]:
            own = (x if is_mapped else lax.squeeze(x, (0,)) for x, is_mapped in zip(args, mapped, strict=True))
            return jax.vmap(call, in_axes)(*own)

        operands = (x if is_mapped else lax.expand_dims(x, (0,)) for x, is_mapped in zip(args, mapped, strict=True))
        results = on_shards(batched, core)(*operands)
        return results, (True,) * len(results)

    # Elsewhere the rule would only cost time while tracing.
    return lambda *args: guarded(*args) if any(map(has_explicit_axes, args)) else call(*args)


def among_several_devices() -> bool:
    """Whether what is being traced is the part of one device of several (inside `shard_map`)."""
    mesh = jax.sharding.get_abstract_mesh()
    return math.prod(mesh.shape[name] for name in mesh.manual_axes) > 1


def has_explicit_axes(arg: Array) -> bool:
    """Whether the type of `arg` may tell how it is sharded (not inside `shard_map`)."""
    axis_types = jax.typeof(arg).sharding.mesh.axis_types
    return AxisType.Explicit in axis_types and AxisType.Manual not in axis_types


def _explicit_mesh(args: tuple[Array, ...]) -> Any | None:
    """The mesh of the arguments if any of them is sharded over Explicit axes, else None (also inside `shard_map`)."""
    for arg in args:
        sharding = jax.typeof(arg).sharding
        if has_explicit_axes(arg) and any(axes is not None for axes in sharding.spec):
            return sharding.mesh
    return None


def _shard_over_loops(call: Call, mesh: Any, args: tuple[Array, ...], core: Signature) -> tuple[Array, ...]:
    """`call(*args)` with every device on its own shard. In front of core dimensions, ranks are equal and broadcast."""
    outer = [arg.shape[: arg.ndim - len(names)] for arg, names in zip(args, core.inputs, strict=True)]
    shape = np.broadcast_shapes(*outer)
    merged = _merged_spec(args, outer, shape)
    specs = [
        PartitionSpec(*(axes if own[k] == shape[k] else None for k, axes in enumerate(merged)), *[None] * len(names))
        for own, names in zip(outer, core.inputs, strict=True)
    ]
    placed = [
        jax.sharding.reshard(arg, jax.sharding.NamedSharding(mesh, spec)) for arg, spec in zip(args, specs, strict=True)
    ]
    out_specs = tuple(PartitionSpec(*merged, *[None] * len(names)) for names in core.outputs)
    mapped = jax.shard_map(call, mesh=mesh, in_specs=tuple(specs), out_specs=out_specs, check_vma=False)
    return mapped(*placed)


def _merged_spec(args: tuple[Array, ...], outer: list[tuple[int, ...]], shape: tuple[int, ...]) -> list[Any]:
    """Per loop dimension the mesh axes that some argument is sharded over; no axis twice."""
    merged: list[Any] = [None] * len(shape)
    for arg, own in zip(args, outer, strict=True):
        for k, axes in enumerate(jax.typeof(arg).sharding.spec[: len(own)]):
            if axes is None or own[k] != shape[k]:
                continue
            if merged[k] is not None and merged[k] != axes:
                raise TypeError(
                    f"arguments are sharded differently along dimension {k}: {merged[k]} and {axes}; "
                    f"write jax.sharding.reshard(...) on one of them"
                )
            merged[k] = axes
    return merged
