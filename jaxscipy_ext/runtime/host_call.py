"""One call of a host function from inside JAX: the seam between generated code and the paths to SciPy."""

import functools
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from jaxscipy_ext.runtime import native
from jaxscipy_ext.runtime.callback import HostAdapter, callback_call
from jaxscipy_ext.runtime.config import config
from jaxscipy_ext.runtime.loops import resolve
from jaxscipy_ext.runtime.sharding import explicit_mesh, shard_elementwise


def host_call(
    host: Callable[..., Any],
    *args: Array,
    outputs: tuple[str, ...] | None = None,
    batch: str = "elementwise",
    vmap_method: str = "expand_dims",
    static: Mapping[str, Any] | None = None,
) -> Any:
    """`host(*args)`, elementwise with NumPy's broadcasting, under every JAX transformation but differentiation.

    Args:
      host: a NumPy ufunc (its loop table gives the dtypes) or a function of NumPy arrays.
      args: JAX arrays; they are aligned to one rank here, without which `vmap` over some of them is silently wrong.
      outputs: for hosts that are not ufuncs, the kind of every output: `"same"` dtype as the arguments (default),
        `"real"`, `"complex"`, or a dtype's name.
      batch: `"elementwise"` (the host broadcasts), `"same-shape"` (it wants equal shapes) or `"scalar"` (it wants
        Python numbers: one callback that loops on the host).
      vmap_method: as for `jax.pure_callback`.
      static: Python values passed to the host as keywords.

    Returns one array, or a tuple of them for several outputs.
    """
    return _run(
        *args,
        host=host,
        outputs=outputs,
        batch=batch,
        vmap_method=vmap_method,
        static=tuple(sorted((static or {}).items())),
        backend=config.backend,
    )


# A `jit` of its own: eager calls are traced once per host, shapes and dtypes, and the barrier of the callback path needs it.
@functools.partial(jax.jit, static_argnames=("host", "outputs", "batch", "vmap_method", "static", "backend"))
def _run(
    *args: Array,
    host: Callable[..., Any],
    outputs: tuple[str, ...] | None,
    batch: str,
    vmap_method: str,
    static: tuple[tuple[str, Any], ...],
    backend: str,
) -> Any:
    loop = resolve(host, tuple(np.dtype(a.dtype) for a in args), outputs)
    shape = jnp.broadcast_shapes(*(a.shape for a in args))
    aligned = tuple(jnp.expand_dims(a, tuple(range(len(shape) - a.ndim))) for a in args)
    adapter = _adapter(host, batch, loop.outputs, static)

    def call(*args: Array) -> tuple[Array, ...]:
        local = jnp.broadcast_shapes(*(a.shape for a in args))
        out_avals = tuple(jax.ShapeDtypeStruct(local, dtype) for dtype in loop.outputs)
        callback = functools.partial(callback_call, adapter=adapter, out_avals=out_avals, vmap_method=vmap_method)
        if backend != "callback" and not static and native.supports(host, loop.inputs):
            return native.native_call(host, args, out_avals, callback=callback)
        return callback(*args)

    mesh = explicit_mesh(aligned)
    results = call(*aligned) if mesh is None else shard_elementwise(call, mesh, aligned, shape, len(loop.outputs))
    return results[0] if len(results) == 1 else results


@functools.lru_cache(maxsize=None)
def _adapter(
    host: Callable[..., Any], batch: str, dtypes: tuple[np.dtype[Any], ...], static: tuple[tuple[str, Any], ...]
) -> HostAdapter:
    return HostAdapter(_batched(host, batch, len(dtypes)), dtypes, dict(static))


def _batched(host: Callable[..., Any], batch: str, n_out: int) -> Callable[..., Any]:
    """A host that broadcasts, from one that doesn't."""
    match batch:
        case "elementwise":
            return host
        case "same-shape":
            return lambda *args, **static: host(*(a.copy() for a in np.broadcast_arrays(*args)), **static)
        case "scalar":
            return _Loop(host, n_out)
        case _:
            raise ValueError(f"batch is {batch!r}; write 'elementwise', 'same-shape' or 'scalar'")


class _Loop:
    """A host of Python numbers, applied to every element."""

    def __init__(self, host: Callable[..., Any], n_out: int) -> None:
        self.host, self.n_out = host, n_out
        self.__name__ = getattr(host, "__name__", "host")

    def __call__(self, *args: Any, **static: Any) -> Any:
        arrays = np.broadcast_arrays(*args)
        rows = [self.host(*(x.item() for x in point), **static) for point in zip(*(a.flat for a in arrays), strict=True)]
        columns = list(zip(*rows, strict=True)) if self.n_out > 1 else [rows]
        results = tuple(np.asarray(c).reshape(arrays[0].shape) for c in columns) if rows else None
        if results is None:
            results = tuple(np.zeros(arrays[0].shape) for _ in range(self.n_out))
        return results if self.n_out > 1 else results[0]
