"""Every compiled loop gives the bits that NumPy's own call of the ufunc gives."""

from __future__ import annotations

import functools
from typing import Any

import jax
import numpy as np
import pytest
import scipy.special
from native_helpers import assert_same_bits, host_callback, through_native

from jaxscipy_ext.hosts import guarded
from jaxscipy_ext.runtime import host_call, native, ufunc_loops
from jaxscipy_ext.runtime.guarded import Guarded

SPECIAL_REALS = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.5, 1e-300, 5e-324, 20.0, 97.06, 74.32)
INTEGERS = (0, 1, -1, 2, 3, 7, -4, 50)

# For some arguments outside these columns SciPy itself loops for ever, or reads outside its arrays and ends the
# process: mathieu_cem(20, nan, 2.5), pro_cv(20, 20, inf), hyp1f1(-3.5, 0.5, inf) in float32, lpmv(-inf, 2.5, 1), and
# hyperu with infinities in 1.15.
SAFE_COLUMNS = {
    "mathieu_": ((1.0, 2.0, 3.0), (0.5, 1.0, 7.5), (0.25, 20.0)),
    "pro_": ((0.0, 1.0), (1.0, 2.0, 3.0), (0.5, 2.5), (0.25, 1.5, 2.5), (0.25, 1.5, 2.5)),
    "obl_": ((0.0, 1.0), (1.0, 2.0, 3.0), (0.5, 2.5), (0.25, 1.5, 2.5), (0.25, 1.5, 2.5)),
    "hyp1f1": ((0.5, 1.0, -2.0, 7.5),) * 3,
    "hyperu": ((0.5, 1.0, -2.0, 7.5),) * 3,
    "lpmv": ((0.0, 1.0, 2.0), (0.5, 2.0, 7.5), (-0.5, 0.0, 0.25, 1.0)),
}

# Their float32 loops do not return for ordinary arguments, in SciPy 1.15 to 1.18: pro_cv(0, 1, 0.5).
ENDLESS_IN_FLOAT32 = ("pro_cv", "pro_ang1", "pro_rad1", "pro_rad2", "obl_cv", "obl_ang1", "obl_rad1")

# Their second solution is what happens to be in memory: SciPy itself gives other values in another thread.
RANDOM = ("obl_rad2", "obl_rad2_cv")

UFUNCS = {
    name: host
    for name, host in vars(scipy.special).items()
    if isinstance(host, np.ufunc) and host.signature is None and name not in RANDOM
}


def sample(name: str, column: int, letter: str, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    dtype = np.dtype(np.dtype(letter).name)  # int64 for "q", too: the type that JAX's arrays have
    if dtype.kind in "iu":
        return rng.choice(INTEGERS, 300).astype(dtype)
    safe = next((columns for prefix, columns in SAFE_COLUMNS.items() if name.startswith(prefix)), None)
    reals = safe[column] if safe else SPECIAL_REALS
    values = np.empty(300, dtype)
    with np.errstate(all="ignore"):
        values.real = rng.choice(reals, 300)
        if dtype.kind == "c":
            values.imag = rng.choice(reals, 300)
    return values


def host_values(host: np.ufunc, *args: Any) -> tuple[np.ndarray[Any, Any], ...]:
    with np.errstate(all="ignore"), scipy.special.errstate(all="ignore"):
        values = host(*args)
    return values if isinstance(values, tuple) else (values,)


@pytest.mark.filterwarnings("ignore:floating point number truncated to an integer")
@pytest.mark.parametrize("name", UFUNCS)
def test_every_loop_of_scipy_special(name: str) -> None:
    host, rng = UFUNCS[name], np.random.default_rng(0)
    for types in host.types:
        letters = types.partition("->")[0]
        if "g" in types or ("f" in types and name in ENDLESS_IN_FLOAT32):  # g is long double: JAX has none
            continue
        args = [sample(name, column, letter, rng) for column, letter in enumerate(letters)]
        dtypes = tuple(arg.dtype for arg in args)
        assert native.supports(host, dtypes), types
        for value, expected in zip(through_native(host, *args), host_values(host, *args), strict=True):
            assert_same_bits(value, expected)


GUARDED = {name: host for name, host in vars(guarded).items() if isinstance(host, Guarded)}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", [name for name in GUARDED if name not in RANDOM])
def test_guarded_functions_run_their_loop_where_it_may_be_called(name: str, dtype: Any) -> None:
    host, rng = GUARDED[name], np.random.default_rng(0)
    safe = next(columns for prefix, columns in {**SAFE_COLUMNS, "pb": ((1.0,),) * 2}.items() if name.startswith(prefix))
    args = [rng.choice((*column * 4, *SPECIAL_REALS, 1e7), 300).astype(dtype) for column in safe[: host.ufunc.nin]]
    call = jax.jit(functools.partial(host_call, host, outputs=("same",) * host.ufunc.nout))
    assert "jaxscipy_ext_ufunc" in call.lower(*args).as_text()
    assert_same_bits(np.atleast_2d(call(*args)), np.atleast_2d(host(*args)).astype(dtype))


@pytest.mark.parametrize("letter", ["?", "b", "h", "i", "q", "B", "H", "I", "Q", "f", "d", "F", "D"])
def test_numpy_add_of_every_dtype(letter: str) -> None:
    args = np.array([0, 1, 1, 100], letter), np.array([1, 1, 0, 27], letter)
    assert_same_bits(through_native(np.add, *args)[0], np.add(*args))


@pytest.mark.parametrize(
    "host",
    [np.exp, np.arctan2, np.hypot, np.floor_divide, np.isnan, np.signbit, np.ldexp, np.nextafter, np.modf, np.frexp],
    ids=lambda host: host.__name__,
)
def test_numpy_ufuncs(host: np.ufunc) -> None:
    first = np.array([0.5, -2.5, np.nan, np.inf, 3.0, 1e-310])
    second = np.array([2, 3, 1, -1, 5, 4]) if host is np.ldexp else np.array([2.0, 3.0, 1.0, -1.0, 0.5, np.inf])
    args = (first, second)[: host.nin]
    for value, expected in zip(through_native(host, *args), host_values(host, *args), strict=True):
        assert_same_bits(value, expected)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.bool_, np.int8, np.uint16])
def test_orders_of_any_integer_type_are_cast_to_the_integer_loop(dtype: Any) -> None:
    order = np.arange(1000).astype(dtype)
    z = np.linspace(0.1, 9, 1000)
    (value,) = through_native(scipy.special.kn, order, z)
    assert ufunc_loops.find_loop(scipy.special.kn, (order.dtype, z.dtype)).name == "scipy.special.kn:qd->d"
    assert_same_bits(value, scipy.special.kn(order, z))
    assert_same_bits(through_native(scipy.special.kn, order[3], z)[0], scipy.special.kn(order[3], z))


def test_a_wider_result_is_cast_to_the_dtype_asked_for() -> None:
    degree, x = np.arange(600, dtype=np.int32) % 7, np.linspace(-2, 2, 600, dtype=np.float32)
    (value,) = through_native(scipy.special.eval_hermite, degree, x, out_dtypes=(np.float32,))
    assert_same_bits(value, scipy.special.eval_hermite(degree, x).astype(np.float32))
    z = np.linspace(-2, 2, 600) + 1j
    (value,) = through_native(scipy.special.wofz, z, out_dtypes=(np.complex64,))
    assert_same_bits(value, scipy.special.wofz(z).astype(np.complex64))


def test_without_x64() -> None:
    with jax.enable_x64(False):
        degree, x = np.arange(5, dtype=np.int32), np.linspace(-2, 2, 5, dtype=np.float32)
        (value,) = through_native(scipy.special.eval_hermite, degree, x, out_dtypes=(np.float32,))
    assert_same_bits(value, scipy.special.eval_hermite(degree, x).astype(np.float32))


def test_subnormals_are_kept() -> None:
    """XLA flushes them to zero around host code; `beta` is then 0 far from the subnormal range."""
    a, b = np.full(100_000, 97.06), np.full(100_000, 74.32)
    assert scipy.special.beta(97.06, 74.32) == pytest.approx(4.5e-52, rel=0.02)
    assert_same_bits(through_native(scipy.special.beta, a, b)[0], scipy.special.beta(a, b))
    tiny = np.full(100, 5e-324)
    assert_same_bits(through_native(np.multiply, tiny, np.float64(3))[0], tiny * 3)


def test_the_floating_point_environment_of_xla_is_put_back() -> None:
    def both(x: jax.Array) -> tuple[jax.Array, jax.Array]:
        before = x * 0.5
        (host_value,) = through_native(scipy.special.jv, before, x)
        return host_value, (x + 0 * host_value) * 0.5

    x = np.full(2000, 2.5e-308)
    flushed = jax.jit(lambda x: x * 0.5)(x)
    assert_same_bits(jax.jit(both)(x)[1], flushed)


def test_what_is_not_supported() -> None:
    f8 = np.dtype(np.float64)
    assert not native.supports(scipy.special.jv, (np.dtype(np.float16), f8))
    assert not native.supports(scipy.special.jv, (f8,))
    assert not native.supports(scipy.special.bdtri, (np.dtype(np.complex128), f8, f8))
    assert not native.supports(np.frompyfunc(lambda x: x, 1, 1), (f8,))
    assert not native.supports(np.sinc, (f8,))
    assert not native.supports(scipy.special.sph_harm_y, (f8, f8, f8, f8))
    assert not native.supports(None, ())


def test_wrong_use_is_explained() -> None:
    z = jax.numpy.ones(3)
    callback = host_callback(scipy.special.gamma, (z.dtype,))
    with pytest.raises(ValueError, match="no compiled loop for"):
        native.native_call(scipy.special.gamma, (z.astype("float16"),), (z,), callback=callback)
    with pytest.raises(ValueError, match=r"results of shapes \(\(3,\),\)"):
        native.native_call(scipy.special.gamma, (z,), (jax.ShapeDtypeStruct((4,), z.dtype),), callback=callback)
