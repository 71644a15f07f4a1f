"""One call of a host function from inside JAX: the seam between generated code and the paths to SciPy."""

import functools
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from jaxscipy_ext.runtime import native
from jaxscipy_ext.runtime.batching import batched
from jaxscipy_ext.runtime.callback import HostAdapter, callback_call
from jaxscipy_ext.runtime.config import config
from jaxscipy_ext.runtime.core_dims import Signature, own_signature, signature_of
from jaxscipy_ext.runtime.effects import io_call
from jaxscipy_ext.runtime.failures import own_exceptions
from jaxscipy_ext.runtime.guarded import Guarded
from jaxscipy_ext.runtime.loops import resolve
from jaxscipy_ext.runtime.partition import varying
from jaxscipy_ext.runtime.python_handler import description_of
from jaxscipy_ext.runtime.sharding import among_several_devices, on_shards


def host_call(
    host: Callable[..., Any],
    *args: Array,
    outputs: tuple[str, ...] | None = None,
    batch: str = "elementwise",
    vmap_method: str = "expand_dims",
    signature: str | None = None,
    static: Mapping[str, Any] | None = None,
    callback: str = "pure",
    ordered: bool = False,
    name: str | None = None,
) -> Any:
    """`host(*args)`, elementwise with NumPy's broadcasting, under every JAX transformation but differentiation.

    Args:
      host: a NumPy ufunc (its loop table gives the dtypes and its own core dimensions) or a function of NumPy arrays.
      args: JAX arrays; they are aligned to one rank here, without which `vmap` over some of them is silently wrong.
      outputs: for hosts that are not ufuncs, the kind of every output: `"same"` dtype as the arguments (default),
        `"real"`, `"complex"`, or a dtype's name.
      batch: `"elementwise"` (the host broadcasts), `"same-shape"` (it wants equal shapes) or `"scalar"` (it wants
        Python numbers: one callback that loops on the host).
      vmap_method: as for `jax.pure_callback`.
      signature: core dimensions as in NumPy, `"(n),()->(n)"`; the dimensions in front of them broadcast. For a
        generalised ufunc only where its own leaves the size of an output open.
      static: Python values passed to the host as keywords.
      callback: `"pure"`, or `"io"` for an impure host, which is called exactly as often as the program says.
      ordered: for `"io"`, in program order.
      name: what messages call the function; default: the host's own name.

    Raises what the host raises, with a note that names it (under `jit`: JAX's `JaxRuntimeError` that ends in the same
    words; inside `shard_map`: see `raise_host_error`). Returns one array, or a tuple of them for several outputs.
    """
    with own_exceptions():
        return _run(
            *args,
            host=host,
            outputs=outputs,
            batch=batch,
            vmap_method=vmap_method,
            signature=signature,
            static=tuple(sorted((static or {}).items())),
            ordered=ordered if callback == "io" else None,
            backend=config.backend,
            name=name or getattr(host, "__name__", type(host).__name__),
        )


# A `jit` of its own: eager calls are traced once per host, shapes and dtypes, and the callback path's barrier needs it.
@functools.partial(
    jax.jit,
    static_argnames=("host", "outputs", "batch", "vmap_method", "signature", "static", "ordered", "backend", "name"),
)
def _run(
    *args: Array,
    host: Callable[..., Any],
    outputs: tuple[str, ...] | None,
    batch: str,
    vmap_method: str,
    signature: str | None,
    static: tuple[tuple[str, Any], ...],
    ordered: bool | None,
    backend: str,
    name: str,
) -> Any:
    loop = resolve(host, tuple(np.dtype(a.dtype) for a in args), outputs)
    core = signature_of(host, signature, len(args), len(loop.outputs))
    loop_rank = core.loop_rank(tuple(a.shape for a in args))
    aligned = tuple(
        jnp.expand_dims(a, tuple(range(loop_rank + len(names) - a.ndim)))
        for a, names in zip(args, core.inputs, strict=True)
    )
    whole = _adapter(name, host, batch, signature, core, loop.outputs, static)
    compiled = (
        backend != "callback"
        and not static
        and (own_signature(host).ranks == core.ranks if isinstance(host, np.ufunc) else core.is_elementwise)
        and native.supports(host, loop.inputs)
    )

    def call(*args: Array) -> tuple[Array, ...]:
        shapes = core.output_shapes(tuple(a.shape for a in args), lax.broadcast_shapes)
        out_avals = tuple(jax.ShapeDtypeStruct(s, d) for s, d in zip(shapes, loop.outputs, strict=True))
        adapter = whole.on_a_part if among_several_devices() else whole
        if ordered is not None:
            return varying(functools.partial(io_call, adapter, out_avals=out_avals, ordered=ordered))(*args)
        callback = functools.partial(callback_call, adapter=adapter, out_avals=out_avals, vmap_method=vmap_method)
        if compiled and isinstance(host, Guarded):
            return native.guarded_call(host, args, out_avals, callback=callback)
        if compiled and isinstance(host, np.ufunc):
            return native.native_call(host, args, out_avals, core=core, callback=callback)
        return callback(*args)

    results = on_shards(call, core, pure=ordered is None)(*aligned)
    return results[0] if len(results) == 1 else results


@functools.cache
def _adapter(
    name: str,
    host: Callable[..., Any],
    batch: str,
    signature: str | None,
    core: Signature,
    dtypes: tuple[np.dtype[Any], ...],
    static: tuple[tuple[str, Any], ...],
) -> HostAdapter:
    broadcasting = batched(host, batch, signature, len(dtypes), frozenset(key for key, _ in static))
    description = description_of(host)
    if description is not None:
        description = repr((description, batch, [dtype.str for dtype in dtypes], static, core))
    return HostAdapter(name, broadcasting, dtypes, dict(static), core, description)
