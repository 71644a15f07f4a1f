"""One call of a host function from inside JAX: the seam between generated code and the paths to SciPy."""

import functools
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from jaxscipy_ext.runtime import native
from jaxscipy_ext.runtime.batching import batched
from jaxscipy_ext.runtime.callback import BROADCASTING, HostAdapter, callback_call
from jaxscipy_ext.runtime.config import config
from jaxscipy_ext.runtime.core_dims import Signature, own_signature, signature_of
from jaxscipy_ext.runtime.effects import io_call
from jaxscipy_ext.runtime.failures import own_exceptions
from jaxscipy_ext.runtime.guarded import Guarded
from jaxscipy_ext.runtime.loops import Loop, resolve
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
    call = HostCall(
        host,
        args,
        outputs=outputs,
        batch=batch,
        vmap_method=vmap_method,
        signature=signature,
        static=tuple(sorted((static or {}).items())),
        ordered=ordered if callback == "io" else None,
        name=name or getattr(host, "__name__", type(host).__name__),
    )
    if _recording.calls is not None:
        return call.noted(_recording.calls)
    results = call.make()
    return results[0] if len(results) == 1 else results


@dataclass(frozen=True, eq=False)
class HostCall:
    """One call of a host; the settings are those of `host_call`."""

    host: Callable[..., Any]
    args: tuple[Array, ...]
    outputs: tuple[str, ...] | None
    batch: str
    vmap_method: str
    signature: str | None
    static: tuple[tuple[str, Any], ...]
    ordered: bool | None
    """None for a pure host."""
    name: str

    def make(self) -> tuple[Array, ...]:
        """Call the host."""
        with own_exceptions():
            return _run(
                *self.args,
                host=self.host,
                outputs=self.outputs,
                batch=self.batch,
                vmap_method=self.vmap_method,
                signature=self.signature,
                static=self.static,
                ordered=self.ordered,
                backend=config.backend,
                name=self.name,
            )

    def noted(self, calls: list["HostCall"]) -> Any:
        """Placeholders for the results of this call, which goes to the end of `calls`."""
        calls.append(self)
        places = tuple(Placeholder(len(calls) - 1, k) for k in range(len(self.adapter.dtypes)))
        return places[0] if len(places) == 1 else places

    @functools.cached_property
    def _loop(self) -> Loop:
        return resolve(self.host, tuple(np.dtype(a.dtype) for a in self.args), self.outputs)

    @functools.cached_property
    def _core(self) -> Signature:
        return signature_of(self.host, self.signature, len(self.args), len(self._loop.outputs))

    @functools.cached_property
    def adapter(self) -> HostAdapter:
        """What makes the call on the callback path."""
        return _adapter(self.name, self.host, self.batch, self.signature, self._core, self._loop.outputs, self.static)

    @property
    def is_elementwise_callback(self) -> bool:
        """Whether Python makes this call, of a pure host that knows no core dimensions."""
        elementwise = self._core.is_elementwise and self.vmap_method in BROADCASTING
        native_loop = _is_native(self.host, self._loop, self._core, self.static, config.backend)
        return elementwise and self.ordered is None and not native_loop

    @property
    def rank(self) -> int:
        """Of the broadcast arguments, as `shape`."""
        return len(self.shape)

    @functools.cached_property
    def shape(self) -> tuple[int, ...]:
        return _broadcast_shapes(self.name, *map(jnp.shape, self.args))


@dataclass(frozen=True)
class Placeholder:
    """Stands for one result of a call that isn't made yet."""

    call: int
    output: int


class _Recording(threading.local):
    calls: list[HostCall] | None = None


_recording = _Recording()


@contextmanager
def recorded() -> Generator[list[HostCall], None, None]:
    """Inside, `host_call` returns placeholders, and the calls that it would have made are in the list."""
    before, _recording.calls = _recording.calls, []
    try:
        yield _recording.calls
    finally:
        _recording.calls = before


def _is_native(host: Any, loop: Loop, core: Signature, static: tuple[tuple[str, Any], ...], backend: str) -> bool:
    """Whether the native library makes the call, on CPUs."""
    return (
        backend != "callback"
        and not static
        and (own_signature(host).ranks == core.ranks if isinstance(host, np.ufunc) else core.is_elementwise)
        and native.supports(host, loop.inputs)
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
) -> tuple[Array, ...]:
    loop = resolve(host, tuple(np.dtype(a.dtype) for a in args), outputs)
    core = signature_of(host, signature, len(args), len(loop.outputs))
    loop_rank = core.loop_rank(tuple(a.shape for a in args))
    aligned = tuple(
        jnp.expand_dims(a, tuple(range(loop_rank + len(names) - a.ndim)))
        for a, names in zip(args, core.inputs, strict=True)
    )
    whole = _adapter(name, host, batch, signature, core, loop.outputs, static)
    is_native = _is_native(host, loop, core, static, backend)

    def call(*args: Array) -> tuple[Array, ...]:
        shapes = core.output_shapes(tuple(a.shape for a in args), functools.partial(_broadcast_shapes, name))
        out_avals = tuple(jax.ShapeDtypeStruct(s, d) for s, d in zip(shapes, loop.outputs, strict=True))
        adapter = whole.on_a_part if among_several_devices() else whole
        if ordered is not None:
            return varying(functools.partial(io_call, adapter, out_avals=out_avals, ordered=ordered))(*args)
        callback = functools.partial(callback_call, adapter=adapter, out_avals=out_avals, vmap_method=vmap_method)
        if is_native and isinstance(host, Guarded):
            return native.guarded_call(host, args, out_avals, callback=callback)
        if is_native and isinstance(host, np.ufunc):
            return native.native_call(host, args, out_avals, core=core, callback=callback)
        return callback(*args)

    return on_shards(call, core, pure=ordered is None)(*aligned)


def _broadcast_shapes(name: str, *shapes: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return lax.broadcast_shapes(*shapes)
    except ValueError:
        given = " and ".join(map(str, shapes))
        raise ValueError(
            f"{name}: arguments of shapes {given} don't broadcast; write equal dimensions, or 1, from the last one on"
        ) from None


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
