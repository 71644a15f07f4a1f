"""The default floating-point environment around host code.

XLA runs host code with subnormals flushed to zero (FTZ/DAZ). SciPy's algorithms pass through subnormals far from the
subnormal range, so that `beta(97.06, 74.32)` would come out as 0 instead of 4.5e-52. C99's `fesetenv(FE_DFL_ENV)`
undoes it for the calling thread; the old environment is put back afterwards because XLA's own kernels rely on it.
"""

import ctypes
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

# fenv_t is 28 to 32 bytes on x86-64 and 8 to 16 elsewhere: room enough for all of them.
_FENV_BYTES = 256


def _c99_environment() -> tuple[Callable[[object], int], Callable[[object], int], object] | None:
    """`(fegetenv, fesetenv, FE_DFL_ENV)` of the C library, or None where they can't be reached."""
    try:
        # None: what this process has loaded, libm with it. (`ctypes.util.find_library` would start a compiler or
        # ldconfig to search.) PyDLL keeps the interpreter lock: both calls take nanoseconds, switching threads costs
        # more.
        libm = ctypes.PyDLL(None)
        get, put = libm.fegetenv, libm.fesetenv
        # FE_DFL_ENV is a macro: the pointer -1 in glibc and musl, the address of a symbol on macOS.
        default = (
            ctypes.byref(ctypes.c_char.in_dll(libm, "_FE_DFL_ENV")) if sys.platform == "darwin" else ctypes.c_void_p(-1)
        )
    except (OSError, AttributeError, ValueError):
        return None
    get.argtypes, put.argtypes = [ctypes.c_void_p], [ctypes.c_void_p]
    get.restype = put.restype = ctypes.c_int
    return get, put, default


_ENVIRONMENT = _c99_environment() if sys.platform != "win32" else None

available = _ENVIRONMENT is not None
"""False where host code keeps XLA's flush-to-zero mode (`show_config` says so)."""


@contextmanager
def default_environment() -> Generator[None, None, None]:
    """Run the body with the default floating-point environment on this thread, then restore the one before."""
    if _ENVIRONMENT is None:
        yield
        return
    get, put, default = _ENVIRONMENT
    saved = ctypes.create_string_buffer(_FENV_BYTES)
    get(saved)
    put(default)
    try:
        yield
    finally:
        put(saved)
