"""Runs a ufunc's own compiled loop inside XLA's CPU programs: no Python, no GIL, no copies.

The handler is in `jaxscipy_ext/native`; its README describes it. Everything here works without it, too: `status` says
why it is missing, `supports` is False.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from jaxscipy_ext.runtime import native_library, ufunc_loops
from jaxscipy_ext.runtime.core_dims import Signature, own_signature
from jaxscipy_ext.runtime.guarded import Guarded
from jaxscipy_ext.runtime.native_library import TARGET
from jaxscipy_ext.runtime.partition import Call, on_cpu, partitioned_ffi_call

__all__ = ["TARGET", "Status", "disabled_checks", "guarded_call", "native_call", "status", "supports"]


class Status(NamedTuple):
    """Whether the native path can be used, and if not, why."""

    available: bool
    reason: str


def status() -> Status:
    """Load and check the native library, once per process, and say whether it can be used."""
    library = native_library.load()
    return Status(False, library) if isinstance(library, str) else Status(True, "")


def supports(host: Any, in_dtypes: tuple[np.dtype[Any], ...]) -> bool:
    """Say whether `native_call` takes this host and arguments of these dtypes. Never raises.

    True for a `numpy.ufunc`, guarded or not, that has a compiled loop for bool, integer, real or complex numbers to
    which NumPy casts `in_dtypes` safely.
    """
    dtypes = tuple(map(np.dtype, in_dtypes))
    if isinstance(host, Guarded):
        host, dtypes = host.ufunc, tuple(map(host.computed, dtypes))
    return isinstance(host, np.ufunc) and status().available and _loop(host, dtypes) is not None


def native_call(
    host: np.ufunc,
    args: Sequence[Array],
    out_avals: Sequence[jax.ShapeDtypeStruct],
    *,
    dtypes: Sequence[np.dtype[Any]] | None = None,
    core: Signature | None = None,
    callback: Call,
) -> tuple[Array, ...]:
    """Evaluate `host` on CPU through its inner loop, elsewhere through `callback`.

    The result can be batched, partitioned over devices without communication, and exported; it has no derivative.
    Call it under `jax.jit`: an eager call would be compiled anew every time.

    Args:
      host: a ufunc for which `supports` is true with the dtypes of `args`.
      args: arrays of equal rank (not counting core dimensions) whose dimensions are 1 or that of the result. They are
        not broadcast in memory, and dtypes that the loop does not take are cast in small blocks.
      out_avals: shape (the broadcast one) and dtype of every result. The dtype may be narrower than the loop's, of the
        same or a higher kind.
      dtypes: those to find the loop by, if it isn't to be found by those of `args`.
      core: the host's core dimensions, with the sizes of its results where its own signature leaves them open.
      callback: gives the same results from `args` by other means. It is traced, but not compiled for CPUs.

    Raises:
      ValueError: if there is no loop for the dtypes, or `out_avals` does not fit.
    """
    dtypes = tuple(dtypes or (arg.dtype for arg in args))
    loop = _loop(host, dtypes)
    if loop is None:
        raise ValueError(
            f"{host.__name__} has no compiled loop for {[dtype.name for dtype in dtypes]}; ask supports() first"
        )
    core = core or own_signature(host)
    shapes = core.output_shapes(tuple(arg.shape for arg in args), lax.broadcast_shapes)
    if tuple(tuple(aval.shape) for aval in out_avals) != shapes:
        raise ValueError(f"{host.__name__} of these arguments has results of shapes {shapes}, not {out_avals}")
    ffi_call = partitioned_ffi_call(TARGET, tuple(np.dtype(aval.dtype) for aval in out_avals), core, loop=loop.name)
    return on_cpu(ffi_call, callback)(*args)


def guarded_call(
    host: Guarded, args: Sequence[Array], out_avals: Sequence[jax.ShapeDtypeStruct], *, callback: Call
) -> tuple[Array, ...]:
    """`native_call` of a guarded ufunc: its loop runs on harmless arguments where it must not be called."""
    answers = host.answers(*args)
    safe = [jnp.where(answers, arg, jnp.asarray(x, arg.dtype)) for arg, x in zip(args, host.harmless, strict=True)]
    dtypes = [host.computed(arg.dtype) for arg in args]
    found = native_call(host.ufunc, safe, out_avals, dtypes=dtypes, callback=callback)
    return tuple(jnp.where(answers, values, jnp.nan) for values in found)


def _loop(host: np.ufunc, in_dtypes: tuple[np.dtype[Any], ...]) -> ufunc_loops.Loop | None:
    library = native_library.load()
    if isinstance(library, str):
        return None
    loop = ufunc_loops.find_loop(host, in_dtypes)
    if loop is not None:
        library.register(loop)
    return loop


def disabled_checks() -> list[Any]:
    """What `jax.export.export(..., disabled_checks=jse.disabled_checks())` needs to export calls of the native library.

    `jax.export` refuses custom calls that it doesn't know. This one is safe to keep: a program names SciPy's loop, and
    every process that imports `jaxscipy_ext` registers the handler that looks it up.
    """
    from jax import export

    return [export.DisabledSafetyCheck.custom_call(TARGET)]
