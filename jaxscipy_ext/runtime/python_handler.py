"""An XLA FFI handler in Python: host functions as CPU custom calls, without a compiler.

JAX's own callbacks can't be partitioned: inside `custom_partitioning` XLA loses the list of host functions to which a
program refers by number, and crashes (https://github.com/jax-ml/jax/issues/23620). So a program with them gathers
sharded arguments. A custom call that names its host can be partitioned like any other. Its handler is a C function that
`ctypes` makes; it reads XLA's stable binary interface (`xla/ffi/api/c_api.h`, which jaxlib installs), takes NumPy views
of XLA's own buffers, and calls the host that was registered under the name. It costs what `buffer_callback` costs.

Names are stable, `module.function` where that is the function, so that a program in the persistent compilation cache
finds its host in the next process too. Everything else gets a name that no other process uses.
"""

import atexit
import contextlib
import ctypes
import functools
import itertools
import math
import struct
import sys
import time
import traceback
import uuid
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

TARGET = "jaxscipy_ext_python_host"
_API_VERSION = 0, 1
"""The oldest version that has all of the structures below; newer ones only append to them."""
_METADATA, _EXECUTE, _INTERNAL = 1, 3, 13
"""XLA_FFI_Extension_Metadata, XLA_FFI_ExecutionStage_EXECUTE, XLA_FFI_Error_Code_INTERNAL."""
_CODES = {"bool": 1, "int8": 2, "int16": 3, "int32": 4, "int64": 5, "uint8": 6, "uint16": 7, "uint32": 8, "uint64": 9}
_CODES |= {"float16": 10, "float32": 11, "float64": 12, "complex64": 15, "complex128": 18}
_DTYPES = {code: np.dtype(name) for name, code in _CODES.items()}
# Structures as in c_api.h. All but spans begin with their size (N) and a list of extensions (P).
_FRAME = struct.Struct("@NP PPi NPqPP NPqPP NPqPPP")  # api, context, stage; arguments, results, attributes
_BUFFER = struct.Struct("@NP iPqP")  # dtype, data, rank, dims
_SPAN = struct.Struct("@PN")
_EXTENSION = struct.Struct("@NiPP")  # type, next; metadata
_METADATA_HEAD = struct.calcsize("@N NP")  # before the version's two numbers
_API = struct.Struct("@NP NPii P P")  # version, internal; XLA_FFI_Error_Create
_ERROR = struct.Struct("@NP Pi")  # message, code

_Host = Callable[..., tuple[NDArray[Any], ...]]
_hosts: dict[str, _Host] = {}


class _Calls:
    """Which calls XLA's threads are making; `begun` changes with every new one."""

    def __init__(self) -> None:
        self.begun, self.running = 0, set[int]()

    def begin(self, frame: int) -> None:
        self.begun += 1
        self.running.add(frame)


_calls = _Calls()


def _read(form: struct.Struct, address: int) -> tuple[Any, ...]:
    return form.unpack(ctypes.string_at(address, form.size))


def _words(address: int, count: int, kind: str = "P") -> tuple[int, ...]:
    return struct.unpack(f"@{count}{kind}", ctypes.string_at(address, 8 * count))


def _array(address: int) -> NDArray[Any]:
    """A view of one of XLA's buffers."""
    _, _, code, data, rank, dims = _read(_BUFFER, address)
    shape, dtype = _words(dims, rank, "q"), _DTYPES[code]
    size = math.prod(shape) * dtype.itemsize
    memory: Any = (ctypes.c_char * size).from_address(data) if size else None
    return np.ndarray(shape, dtype, memory)


def _handle(frame: int) -> int | None:
    """What XLA calls. Returns an error, or None."""
    _, extension, api, _, stage, *rest = _read(_FRAME, frame)
    arguments, results, attributes = rest[:5], rest[5:10], rest[10:]
    try:
        if extension:
            _, kind, _, metadata = _read(_EXTENSION, extension)
            if kind == _METADATA:
                (ctypes.c_int * 2).from_address(metadata + _METADATA_HEAD)[:] = _API_VERSION
                return None
        if stage == _EXECUTE:
            _calls.begin(frame)
            (name,) = _words(attributes[-1], 1)
            host = _host(ctypes.string_at(*_read(_SPAN, name)).decode())
            values = host(*map(_array, _words(arguments[-1], arguments[2])))
            for buffer, value in zip(_words(results[-1], results[2]), values, strict=True):
                np.copyto(_array(buffer), value)
    except BaseException as error:  # noqa: BLE001 (there is no Python frame to raise into)
        message = ctypes.create_string_buffer("".join(traceback.format_exception(error)).encode())
        report = _ERROR.pack(_ERROR.size, 0, ctypes.addressof(message), _INTERNAL)
        create = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)(_read(_API, api)[-1])
        return create(report)
    finally:
        _calls.running.discard(frame)
    return None


def _host(name: str) -> _Host:
    if name not in _hosts:
        raise LookupError(
            f"the program calls the Python host {name}, which this process doesn't know; call the function once here, "
            f"for example in jax.eval_shape, before a program that another process has made"
        )
    return _hosts[name]


_handler = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(_handle)


@functools.cache
def available() -> bool:
    """Register the handler, once per process; False where this XLA doesn't take it."""
    try:
        jax.ffi.register_ffi_target(TARGET, jax.ffi.pycapsule(_handler), platform="cpu")
    except Exception:  # noqa: BLE001 (an interface of another major version: JAX's callbacks do the work)
        return False
    atexit.register(_await_calls)
    return True


def _await_calls() -> None:
    """Let programs finish that nobody has waited for: after its end Python lets no thread in, and XLA joins its own."""
    for array in jax.live_arrays("cpu"):
        with contextlib.suppress(Exception):
            array.block_until_ready()
    seen = -1
    while _calls.running or seen != _calls.begun:  # dropped results: programs show by their calls alone
        seen = _calls.begun
        time.sleep(0.05)


def registered(description: str | None, host: _Host) -> str:
    """The name under which programs find `host`: its description where there is one and it is not taken."""
    if description is None or _hosts.get(description, host) is not host:
        description = f"{description or 'host'} {next(_counter)} of {_process}"
    _hosts[description] = host
    return description


_counter, _process = itertools.count(), uuid.uuid4().hex


def description_of(host: Any) -> str | None:
    """`module.name` if that is `host` in every process; what a host made of others says of itself; else None."""
    if not isinstance(host, np.ufunc) and hasattr(host, "description"):
        return host.description
    name = getattr(host, "__qualname__", None) or getattr(host, "__name__", "")
    modules = ("scipy.special", "numpy") if isinstance(host, np.ufunc) else (getattr(host, "__module__", None) or "",)
    for module in modules:
        found: Any = sys.modules.get(module)
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is host and module != "__main__":
            return f"{module}.{name}"
    return None
