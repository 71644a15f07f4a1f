"""Faults: SciPy's error actions, unknown loops, foreign layouts, a missing or wrong library."""

from __future__ import annotations

import ctypes
import shutil
import warnings
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special as sc
from native_helpers import assert_same_bits, run_python, through_native

from jaxscipy_ext.runtime import native, native_library, ufunc_loops

# JAX's fast path for programs that are compiled already turns every error of a handler into a ValueError.
HANDLER_ERRORS = (jax.errors.JaxRuntimeError, ValueError)

NATIVE = Path(native_library.__file__).parents[1] / "native"


def test_status() -> None:
    assert native.status() == native.Status(available=True, reason="")


@pytest.mark.parametrize("action", ["raise", "warn"])
def test_actions_that_a_user_sets(action: str) -> None:
    """The message of SciPy arrives; afterwards all is as before."""
    program = jax.jit(lambda z: through_native(sc.gammaln, z)[0])
    pole = jnp.float64(0.0)
    assert program(pole) == np.inf
    with sc.errstate(singular=action), warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(HANDLER_ERRORS, match=r"scipy.special/.*singularity"):
            program(pole).block_until_ready()
    assert program(pole) == np.inf
    assert_same_bits(program(jnp.float64(2.5)), sc.gammaln(2.5))


def test_a_raising_integer_loop_is_an_error_everywhere() -> None:
    """numpy.power has no NaN to return; the loop raises, also on a thread without a Python state."""
    base, exponent = np.full(200_000, 2), np.full(200_000, 3)
    assert_same_bits(through_native(np.power, base, exponent)[0], base**exponent)
    exponent[-1] = -1
    for _ in range(3):
        with pytest.raises(HANDLER_ERRORS, match="Integers to negative integer powers are not allowed"):
            through_native(np.power, base, exponent)[0].block_until_ready()


def test_memory_errors_that_scipy_raises_by_default_become_nan() -> None:
    for args in [(np.inf, 1.0), (np.full(50, np.inf), np.ones(50))]:
        with sc.errstate(all="ignore"):
            expected = sc.pbdv(*args)
        for value, wanted in zip(through_native(sc.pbdv, *args), expected, strict=True):
            assert_same_bits(value, wanted)


def test_an_unknown_loop_is_an_error_with_a_way_out() -> None:
    call = jax.ffi.ffi_call(native.TARGET, jax.ShapeDtypeStruct((), np.float64))
    with pytest.raises(HANDLER_ERRORS, match="no such ufunc loop in this process; import the module"):
        jax.jit(lambda z: call(z, loop="nowhere.nothing:d->d"))(1.0).block_until_ready()


@pytest.mark.parametrize(
    ("shapes", "dtype", "message"),
    [
        (((2,), (3,)), np.float64, "argument 0 does not broadcast"),
        (((1, 3), (3,)), np.float64, "argument 0 has a rank of its own"),
        (((3,), (3,)), np.int32, "result 0 has a dtype that cannot be cast"),
        (((3,),), np.float64, "wrong number of arguments"),
    ],
)
def test_a_program_that_does_not_fit_the_loop(shapes: tuple[tuple[int, ...], ...], dtype: type, message: str) -> None:
    through_native(sc.jv, 1.0, 1.0)
    call = jax.ffi.ffi_call(native.TARGET, jax.ShapeDtypeStruct((3,), dtype))
    with pytest.raises(HANDLER_ERRORS, match=message):
        jax.jit(lambda *args: call(*args, loop="scipy.special.jv:dd->d"))(*map(np.ones, shapes)).block_until_ready()


def test_two_ufuncs_of_one_name_stay_apart() -> None:
    """Redefined in a notebook, say. Their functions are swapped in memory: numpy.sin's data, numpy.cos's name."""
    first, second = (_copy_of(np.sin, "twice"), _copy_of(np.cos, "twice"))
    x = np.linspace(0, 1, 5)
    assert_same_bits(through_native(first, x)[0], np.sin(x))
    assert_same_bits(through_native(second, x)[0], np.cos(x))
    f8 = (np.dtype(np.float64),)
    names = [ufunc_loops.find_loop(host, f8).name for host in (first, second)]
    assert names == ["anonymous.twice:d->d", "anonymous.twice#2:d->d"]


_kept = []


def _copy_of(host: np.ufunc, name: str) -> np.ufunc:
    """A user's ufunc, made by NumPy's C function for that."""
    functions, data = ufunc_loops.read_pointers(host)
    index = host.types.index("d->d")
    arrays = (ctypes.c_void_p * 1)(functions[index]), (ctypes.c_void_p * 1)(data[index]), (ctypes.c_char * 2)(12, 12)
    _kept.extend((*arrays, name_bytes := name.encode()))
    table = ctypes.py_object(np._core.multiarray._ARRAY_API)  # noqa: F841 - documents where the function is from
    capsule = np._core._multiarray_umath._UFUNC_API
    ctypes.pythonapi.PyCapsule_GetPointer.restype = ctypes.c_void_p
    ctypes.pythonapi.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    api = ctypes.cast(ctypes.pythonapi.PyCapsule_GetPointer(capsule, None), ctypes.POINTER(ctypes.c_void_p))
    make = ctypes.PYFUNCTYPE(
        ctypes.py_object, *[ctypes.c_void_p] * 3, *[ctypes.c_int] * 4, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int
    )(api[1])  # PyUFunc_FromFuncAndData
    addresses = [ctypes.addressof(array) for array in arrays]
    return make(*addresses, 1, 1, 1, -1, name_bytes, b"", 0)


def test_a_foreign_layout_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shifted(ctypes.Structure):
        _fields_ = (("something_new", ctypes.c_void_p), *ufunc_loops._UfuncFields._fields_)

    monkeypatch.setattr(ufunc_loops, "_UfuncFields", Shifted)
    with pytest.raises(ufunc_loops.LayoutError, match="the counts of jv read as"):
        ufunc_loops.read_pointers(sc.jv)


def test_a_wrong_value_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    library = native_library.load()
    monkeypatch.setattr(type(library), "run", lambda self, loop, *args: (args[0] * 0,))
    with pytest.raises(native_library.Unavailable, match=r"ufunc check failed: numpy.add:\?\?->\?"):
        native_library.check(library)


FALLBACK = """
import os, warnings
os.environ["JAXSCIPY_EXT_BACKEND"] = "callback"  # the import would load the library
from pathlib import Path
from jaxscipy_ext.runtime import native, native_library
{change}
import numpy as np, scipy.special as sc
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for _ in range(3):
        status = native.status()
        supported = native.supports(sc.jv, (np.dtype(float),) * 2)
print(status.available, supported, len(caught), status.reason)
"""


OTHER_LAYOUT = """
import ctypes
from jaxscipy_ext.runtime import ufunc_loops
class Shifted(ctypes.Structure):
    _fields_ = (("something_new", ctypes.c_void_p), *ufunc_loops._UfuncFields._fields_)
ufunc_loops._UfuncFields = Shifted
"""


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("native_library._FILES = ()", "False False 0 no compiled library was installed"),
        ("native_library._INTERFACE_VERSION = 99", "False False 1 jaxscipy_ext_native.so has interface 2, this"),
        (OTHER_LAYOUT, "False False 1 the counts of add read as"),
    ],
)
def test_the_fallback_warns_once_and_says_why(change: str, expected: str) -> None:
    assert run_python(FALLBACK.format(change=change)).startswith(expected)


def test_a_file_that_is_no_library(tmp_path: Path) -> None:
    (tmp_path / "jaxscipy_ext_native.so").write_text("not a library")
    output = run_python(FALLBACK.format(change=f"native_library._FOLDER = Path({str(tmp_path)!r})"))
    assert output.startswith("False False 1 jaxscipy_ext_native.so does not load:")


def test_the_library_needs_nothing_of_python(tmp_path: Path) -> None:
    """One file for all Pythons: no undefined symbol begins with Py."""
    library = next(NATIVE.glob("jaxscipy_ext_native.*"))
    assert b"PyErr_SetString" not in library.read_bytes()
    if shutil.which("nm"):
        import subprocess

        symbols = subprocess.run(["nm", "-D", "--undefined-only", library], capture_output=True, text=True, check=True)
        assert not [line for line in symbols.stdout.splitlines() if line.split()[-1].startswith(("Py", "_Py"))]
