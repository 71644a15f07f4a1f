"""Loads the compiled library, checks that it does what NumPy does, and registers its handler with JAX.

The library is optional: where no compiler was at hand when the package was installed, or where a check fails, `load`
says why, and the callers take the callback path.
"""

from __future__ import annotations

import ctypes
import functools
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
import scipy.special

from jaxscipy_ext.runtime import ufunc_loops
from jaxscipy_ext.runtime.ufunc_loops import Loop

TARGET = "jaxscipy_ext_ufunc"
"""Name of the handler in compiled programs (for `jax.export`'s `DisabledSafetyCheck.custom_call`)."""

_INTERFACE_VERSION = 2
_FOLDER = Path(__file__).resolve().parent.parent / "native"
_FILES = ("jaxscipy_ext_native.so", "jaxscipy_ext_native.dylib", "jaxscipy_ext_native.dll")

# The members of `PythonApi` in native/src/python_errors.h.
_PYTHON_FUNCTIONS = (
    "PyGILState_GetThisThreadState",
    "PyGILState_Ensure",
    "PyGILState_Release",
    "PyErr_Occurred",
    "PyErr_Fetch",
    "PyErr_Clear",
    "PyErr_SetNone",
    "PyObject_Str",
    "PyUnicode_AsUTF8",
    "Py_DecRef",
)

_lock = threading.RLock()


class Unavailable(Exception):
    """The native library cannot be used; the text says why."""


class Library:
    """The loaded library. Create it once per process: `load` does."""

    def __init__(self, path: Path) -> None:
        try:
            self._c = ctypes.CDLL(str(path))
        except OSError as fault:
            raise Unavailable(f"{path.name} does not load: {fault}") from fault
        version = self._c.jaxscipy_ext_interface_version()
        if version != _INTERFACE_VERSION:
            raise Unavailable(
                f"{path.name} has interface {version}, this package needs {_INTERFACE_VERSION}: build it anew"
            )
        self._c.jaxscipy_ext_register_loop.argtypes = (
            ctypes.c_char_p,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_int,
            ctypes.c_int,
            *(ctypes.POINTER(ctypes.c_int),) * 3,
            ctypes.c_int,
        )
        self._c.jaxscipy_ext_run_loop.argtypes = (ctypes.c_char_p, ctypes.c_int64, ctypes.POINTER(ctypes.c_void_p))
        self._registered: dict[str, Loop] = {}
        self._give_python_api(path)
        self._give_scipy_error_actions()
        self._resolver = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)(self._resolve)  # kept alive with the library
        self._c.jaxscipy_ext_set_resolver(self._resolver)

    def register(self, loop: Loop) -> None:
        """Make the loop known to the handler. The ufunc that owns it is kept alive by `ufunc_loops`."""
        with _lock:
            if loop.name in self._registered:
                return
            dtypes = (*loop.in_dtypes, *loop.out_dtypes)
            types = (ufunc_loops.XLA_DATA_TYPES[dtype][0] for dtype in dtypes)
            numbers = (*map(_ints, (types, loop.core_ranks, loop.core_entries)), loop.may_raise)
            counts = (len(loop.in_dtypes), len(loop.out_dtypes))
            name = loop.name.encode()
            if self._c.jaxscipy_ext_register_loop(name, loop.function, loop.data, *counts, *numbers):
                raise RuntimeError(f"two ufunc loops are called {loop.name}")
            self._registered[loop.name] = loop

    def run(self, loop: Loop, *args: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], ...]:
        """Run a loop on vectors of equal length and of the loop's own dtypes, without JAX."""
        self.register(loop)
        outs = tuple(np.empty(args[0].shape, dtype) for dtype in loop.out_dtypes)
        buffers = (ctypes.c_void_p * (len(args) + len(outs)))(*(array.ctypes.data for array in (*args, *outs)))
        if self._c.jaxscipy_ext_run_loop(loop.name.encode(), args[0].size, buffers):
            raise Unavailable(f"{loop.name} did not run")
        return outs

    def register_target(self) -> None:
        """Register the handler with JAX. JAX refuses a handler that was built for a newer FFI than its own."""
        capsule = jax.ffi.pycapsule(self._c.jaxscipy_ext_ufunc)
        try:
            jax.ffi.register_ffi_target(TARGET, capsule, platform="cpu")
        except Exception as fault:  # its type differs between versions of jaxlib
            built_for = divmod(self._c.jaxscipy_ext_ffi_version(), 1000)
            raise Unavailable(f"built for XLA FFI {built_for[0]}.{built_for[1]}, and jaxlib says: {fault}") from fault

    def _resolve(self, name: bytes) -> int:
        # Runs on a thread of XLA's, for programs that were compiled or exported by another process.
        loop = ufunc_loops.find_by_name(name.decode())
        if loop is None:
            return 0
        self.register(loop)
        return 1

    def _give_python_api(self, path: Path) -> None:
        addresses = [ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for name in _PYTHON_FUNCTIONS]
        api = (ctypes.c_void_p * len(addresses))(*addresses)
        # PyDLL keeps the GIL during the call, which this one needs.
        ctypes.PyDLL(str(path)).jaxscipy_ext_set_python_api(api, ctypes.py_object(RuntimeError))

    def _give_scipy_error_actions(self) -> None:
        """Hand over the actions that SciPy < 1.17 keeps for the whole process; later it keeps them per thread."""
        for path in Path(scipy.special.__file__).parent.glob("libsf_error_state.*"):
            action = getattr(ctypes.CDLL(str(path)), "scipy_sf_error_get_action", None)
            if action is not None:
                self._c.jaxscipy_ext_set_scipy_error_actions(action)


def _ints(values: Iterable[int]) -> ctypes.Array[ctypes.c_int]:
    numbers = tuple(values)
    return (ctypes.c_int * len(numbers))(*numbers)


def _folders() -> Iterator[Path]:
    """Where the library may be: in this package, or in the installed one that a checkout hides (`python -m` in it)."""
    yield _FOLDER
    import importlib.metadata

    try:
        yield Path(str(importlib.metadata.distribution("jaxscipy-ext").locate_file("jaxscipy_ext/native")))
    except importlib.metadata.PackageNotFoundError:
        return


@functools.cache
def _load_once() -> Library | str:
    path = next((path for folder in _folders() for name in _FILES if (path := folder / name).exists()), None)
    if path is None:
        return "no compiled library was installed"
    try:
        library = Library(path)
        check(library)
        library.register_target()
    except (Unavailable, ufunc_loops.LayoutError) as fault:
        warnings.warn(f"jaxscipy_ext uses callbacks instead of its native library: {fault}", stacklevel=2)
        return str(fault)
    return library


def load() -> Library | str:
    """Return the library, or the reason why it cannot be used. A failed check warns once."""
    with _lock:
        return _load_once()


def check(library: Library) -> None:
    """Compare the library with NumPy and SciPy: one sum for every dtype, and one special function.

    Raises:
      Unavailable: if a value differs or a loop is missing.
      LayoutError: if a ufunc object is laid out in an unknown way.
    """
    for letter in "?iqfdFD":
        _compare(library, np.add, *(np.array(values, letter) for values in ([0, 1, 3], [1, 1, 4])))
    _compare(library, scipy.special.jv, np.array([0.0, 0.5, 1.5]), np.array([0.0, 2.5, -1.0]))


def _compare(library: Library, host: np.ufunc, *args: np.ndarray[Any, Any]) -> None:
    loop = ufunc_loops.find_loop(host, tuple(arg.dtype for arg in args))
    if loop is None:
        raise Unavailable(f"ufunc check failed: {host.__name__} has no loop for {[arg.dtype.name for arg in args]}")
    result: Callable[..., Any] = host
    (value,) = library.run(loop, *args)
    if value.tobytes() != result(*args).tobytes():
        raise Unavailable(f"ufunc check failed: {loop.name} gives {value}, {host.__name__} {result(*args)}")
