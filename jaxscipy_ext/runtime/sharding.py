"""Sharded arguments: what a host call must do so that every shard of its result is right.

In Auto mode the compiler gathers the arguments of a host call and the result is replicated. With Explicit axes the
sharding is part of the type, so that the call can enter `shard_map` by itself: each device then calls the host with its
own shard and nothing is gathered but core dimensions, which a host needs whole.
"""

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax import Array
from jax.sharding import AxisType, PartitionSpec

from jaxscipy_ext.runtime.core_dims import Signature


def explicit_mesh(args: tuple[Array, ...]) -> Any | None:
    """The mesh of the arguments if any of them is sharded over Explicit axes, else None (also inside `shard_map`)."""
    for arg in args:
        sharding = jax.typeof(arg).sharding
        mesh = sharding.mesh
        if mesh.empty or AxisType.Manual in mesh.axis_types:
            continue
        if any(axes is not None for axes in sharding.spec):
            return mesh
    return None


def shard_over_loops(
    call: Callable[..., tuple[Array, ...]], mesh: Any, args: tuple[Array, ...], core: Signature
) -> tuple[Array, ...]:
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
