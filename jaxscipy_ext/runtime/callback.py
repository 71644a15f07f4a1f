"""The callback path: host functions through JAX's callbacks, on every platform."""

import sys
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax import Array, lax
from numpy.typing import NDArray

from jaxscipy_ext.runtime import python_handler
from jaxscipy_ext.runtime.core_dims import Signature, has_open_outputs
from jaxscipy_ext.runtime.failures import HostError, keep, reported
from jaxscipy_ext.runtime.fenv import default_environment
from jaxscipy_ext.runtime.partition import on_cpu, partitioned_ffi_call, varying

OutAvals = tuple[jax.ShapeDtypeStruct, ...]

# On CPU hosts are called by our own FFI handler, with NumPy views of XLA's own buffers: a quarter of `pure_callback`'s
# cost per call, programs that can be partitioned, and no copy back to a device inside the call. That copy makes
# `pure_callback` before jax 0.11.2 wait for threads that may all be waiting for this very call, so that sharded
# programs hang (jax-ml/jax#25861). Other platforms have no NumPy view of their memory. (A flag, so that the tests can
# run the other path on CPU.)
CPU_VIEWS = True
BROADCASTING = ("expand_dims", "broadcast_all")
"""Values of `vmap_method` under which a host that broadcasts is called once, with one dimension more."""


class HostAdapter:
    """What JAX calls: NumPy arrays in, NumPy arrays of the declared dtypes out.

    One object per host and dtypes: JAX's caches compare callables by identity. Arguments are converted to plain NumPy
    arrays before the host sees them (with SCIPY_ARRAY_API=1 SciPy would dispatch back into JAX, which deadlocks) and
    are read-only. Warnings are off, as everywhere in JAX: special values come out as inf and NaN.
    """

    def __init__(
        self,
        name: str,
        host: Callable[..., Any],
        dtypes: tuple[np.dtype[Any], ...],
        static: dict[str, Any],
        core: Signature,
        description: str | None = None,
    ) -> None:
        """`description`: the same text in every process for the same function, if there is one."""
        self.__name__, self.host, self.dtypes, self.static, self.core = name, host, dtypes, static, core
        self.key = python_handler.registered(description, self)
        self.on_a_part = PartAdapter(self, description)
        self.allocates = not has_open_outputs(host)
        self.several_devices = jax.local_device_count() > 1

    def __call__(self, *args: Any) -> tuple[NDArray[Any], ...]:
        try:
            return self.call(*args)
        except HostError as report:
            if self.several_devices:
                # Where this device calls for all, the others wait until XLA ends the process: say it before that.
                sys.stderr.write(f"{report}\n")
            raise

    def call(self, *args: Any) -> tuple[NDArray[Any], ...]:
        """The same, silently. Raises `HostError`, from the host's own exception if it has raised one."""
        arrays = [_read_only(arg) for arg in args]
        with default_environment(), np.errstate(all="ignore"):
            try:
                if self.allocates:
                    results = self.host(*arrays, **self.static)
                else:
                    results = self.host(*arrays, out=tuple(map(np.empty, self.shapes(args), self.dtypes)))
                return self._declared(results, self.shapes(args))
            except HostError:
                raise
            except Exception as error:  # whatever a host raises must be named
                raise reported(self.__name__, self.host, error) from error

    def shapes(self, args: tuple[Any, ...]) -> tuple[tuple[int, ...], ...]:
        """The shapes of the results for these arguments."""
        return self.core.output_shapes(tuple(np.shape(arg) for arg in args))

    def _declared(self, results: Any, shapes: tuple[tuple[int, ...], ...]) -> tuple[NDArray[Any], ...]:
        """The results in the declared number, shapes and dtypes. Raises `HostError`."""
        results = results if isinstance(results, tuple) else (results,)
        if len(results) != len(self.dtypes):
            raise HostError(
                f"{self.__name__}: its host returned {len(results)} results, {len(self.dtypes)} were declared; "
                f"name each of them under `outputs`"
            )
        return tuple(map(self._output, results, self.dtypes, shapes))

    def _output(self, result: Any, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
        array = np.asarray(result)
        if array.dtype.kind not in "biufc":
            raise HostError(
                f"{self.__name__}: its host returned {type(result).__name__}, not numbers; "
                f"return an array (a host that returns nothing is `callback: debug`)"
            )
        if array.dtype.kind == "c" and dtype.kind != "c":
            raise HostError(
                f"{self.__name__}: its host returned complex numbers where real ones were declared; "
                f"write `dtype: complex` for the output"
            )
        if array.shape != shape and not (self.core.is_elementwise and _broadcasts(array.shape, shape)):
            raise HostError(
                f"{self.__name__}: its host returned shape {array.shape}, {shape} was expected; write "
                f"`batch: scalar` for a host of single numbers, or its core dimensions as `signature`"
            )
        return np.broadcast_to(array, shape).astype(dtype, copy=False)


class PartAdapter:
    """The same on one device of several that run a program: it never raises (see `failures`)."""

    def __init__(self, whole: HostAdapter, description: str | None) -> None:
        self.__name__, self.whole = whole.__name__, whole
        self.dtypes, self.core, self.on_a_part = whole.dtypes, whole.core, self
        self.key = python_handler.registered(description and f"a part of {description}", self)

    def __call__(self, *args: Any) -> tuple[NDArray[Any], ...]:
        try:
            return self.whole.call(*args)
        except HostError as report:
            keep(report)
            return tuple(map(_nothing, self.whole.shapes(args), self.dtypes))


def _read_only(arg: Any) -> NDArray[Any]:
    """The argument as NumPy sees it. On CPU it may be XLA's own memory: what a host writes there would reach others."""
    array = np.asarray(arg).view()
    array.flags.writeable = False
    return array


def _nothing(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    return np.full(shape, np.nan if dtype.kind in "fc" else 0, dtype)


def _broadcasts(shape: tuple[int, ...], to: tuple[int, ...]) -> bool:
    try:
        return np.broadcast_shapes(shape, to) == to
    except ValueError:
        return False


def callback_call(
    *args: Array, adapter: HostAdapter | PartAdapter, out_avals: OutAvals, vmap_method: str
) -> tuple[Array, ...]:
    """Call the host once on all of `args`, which have equal ranks and broadcast against each other.

    To be traced inside a `jit`: there the barrier makes the result an ordinary replicated array. A bare
    `pure_callback` on several devices has a `maximal` sharding: only device 0 holds the data and the next operation
    fails or reads zeros.
    """

    def pure(*args: Array) -> tuple[Array, ...]:
        results = jax.pure_callback(adapter, out_avals, *args, vmap_method=vmap_method)
        return tuple(lax.optimization_barrier(results))

    if not (CPU_VIEWS and python_handler.available()):
        return varying(pure)(*args)
    if vmap_method in BROADCASTING:
        on_a_part = (("host", adapter.on_a_part.key),)
        views = partitioned_ffi_call(
            python_handler.TARGET, adapter.dtypes, adapter.core, on_a_part=on_a_part, host=adapter.key
        )
        return on_cpu(views, pure)(*args)

    def one_by_one(*args: Array) -> tuple[Array, ...]:
        call = jax.ffi.ffi_call(python_handler.TARGET, out_avals, vmap_method=vmap_method)
        return tuple(call(*args, host=adapter.key))

    return lax.platform_dependent(*args, cpu=varying(one_by_one), default=varying(pure))
