"""Hosts that are not pure: `io` for generators, disks and counters, `debug` for looking in from outside.

A pure call may be dropped, repeated or moved by the compiler. An `io` call happens exactly as often as the program says
(`ordered=True`: in program order, too); a `debug` call returns nothing and disappears from every transformation.
"""

import functools
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax import Array
from jax.custom_batching import custom_vmap
from jax.experimental import io_callback

from jaxscipy_ext.runtime.failures import HostError, keep, reported
from jaxscipy_ext.runtime.sharding import among_several_devices

OutAvals = tuple[jax.ShapeDtypeStruct, ...]


def io_call(host: Callable[..., Any], *args: Array, out_avals: OutAvals, ordered: bool) -> tuple[Array, ...]:
    """Call an impure host. It has no derivative; an ordered one has no meaning under `vmap` and says so."""
    name = getattr(host, "__name__", "host")

    def call(*args: Array) -> tuple[Array, ...]:
        return tuple(io_callback(host, out_avals, *args, ordered=ordered))

    if not ordered:
        return call(*args)
    guarded = custom_vmap(call)

    @guarded.def_vmap
    def _refuse(axis_size: int, in_batched: Any, *args: Array) -> Any:
        del axis_size, in_batched, args
        raise ValueError(f"{name} is an ordered io callback: vmap has no order; write `ordered: false` or use lax.scan")

    return guarded(*args)


def debug_call(host: Callable[..., Any], *args: Any, ordered: bool = False, name: str | None = None) -> None:
    """Show `args` to a host while the program runs; transparent to `grad` and `vmap`, returns nothing."""
    jax.debug.callback(
        _look(host, name or getattr(host, "__name__", "host"), among_several_devices()), *args, ordered=ordered
    )


@functools.cache
def _look(host: Callable[..., Any], name: str, among_others: bool) -> Callable[..., None]:
    def look(*values: Any) -> None:
        try:
            result = host(*(np.asarray(v) for v in values))
        except Exception as error:  # whatever a host raises must be named
            raise reported(name, host, error) from error
        if result is not None:
            raise HostError(
                f"{name}: its host returned {type(result).__name__}; a debug host returns nothing "
                f"(write `callback: io` if the value is wanted)"
            )

    def look_on_a_part(*values: Any) -> None:
        try:
            look(*values)
        except HostError as report:
            keep(report)

    return look_on_a_part if among_others else look
