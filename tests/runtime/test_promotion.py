"""Dtypes, weak types and argument errors of public functions: JAX's rules, SciPy's loops."""

import itertools
import warnings
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special as sc
from numpy.testing import assert_array_equal

import jaxscipy_ext as jse

FLOATS = ["float16", "bfloat16", "float32", "float64"]


@pytest.mark.parametrize(("first", "second"), list(itertools.product(FLOATS, FLOATS)))
def test_two_floats_promote_as_jnp_add_does(first: str, second: str) -> None:
    v, z = jnp.ones(2, first), jnp.ones(2, second)
    assert jse.jv(v, z).dtype == (v + z).dtype


@pytest.mark.parametrize("dtype", FLOATS)
def test_python_scalars_do_not_widen(dtype: str) -> None:
    z = jnp.ones(2, dtype)
    for v in (1, 1.0, True, np.int64(1), jnp.int32(1)):
        assert jse.jv(v, z).dtype == dtype, v
    assert jax.grad(lambda z: jse.jv(1, z).sum())(z).dtype == dtype


def test_weak_types_are_kept() -> None:
    assert jse.jv(1, 2.0).weak_type and jse.jv(1.0, 2).weak_type and jse.airy(1.0).ai.weak_type
    assert (jse.jv(1, 2.0) * np.float32(2)).dtype == np.float32
    assert not jse.jv(1.0, jnp.float64(2)).weak_type
    assert jax.jit(jse.jv)(1.0, 2.0).weak_type
    assert jse.hankel1(1.0, 2.0).dtype == np.complex128


def test_integer_arrays_become_the_default_float() -> None:
    assert jse.jv(jnp.arange(3), jnp.arange(3)).dtype == np.float64
    assert_array_equal(jse.jv(jnp.arange(3), jnp.arange(3)), sc.jv(np.arange(3), np.arange(3)))


@pytest.mark.parametrize("half", ["float16", "bfloat16"])
def test_half_floats_are_computed_in_single_precision(half: str) -> None:
    z = jnp.linspace(0.1, 9, 50).astype(half)
    want = jnp.asarray(sc.jv(np.float32(1.5), np.asarray(z, np.float32))).astype(half)
    assert_array_equal(np.asarray(jse.jv(1.5, z), np.float32), np.asarray(want, np.float32))
    slope = jax.vmap(jax.grad(jse.jv, 1), (None, 0))(1.5, z)
    want_slope = jnp.asarray(sc.jvp(1.5, np.asarray(z, np.float64)).astype(np.float32)).astype(half)
    assert slope.dtype == half
    np.testing.assert_allclose(np.asarray(slope, np.float64), np.asarray(want_slope, np.float64), rtol=1e-2, atol=1e-3)


@pytest.mark.parametrize("order", [2, np.int32(2), np.int8(2), True, jnp.int32(2), np.arange(4)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_integer_orders_take_the_integer_loop_and_keep_precision(order: Any, dtype: type) -> None:
    x = np.linspace(0.5, 30, 4).astype(dtype)
    got = jse.kn(order, jnp.asarray(x))
    assert got.dtype == dtype
    assert_array_equal(got, sc.kn(np.asarray(order).astype(np.int64), x.astype(np.float64)).astype(dtype))


def test_x64_off_stays_in_single_precision_without_a_warning(recwarn: pytest.WarningsRecorder) -> None:
    with jax.enable_x64(False):
        result = jse.jv(1, 2.5)
        slope = jax.grad(jse.jv, (0, 1))(1.0, 2.5)
        integer = jse.kn(2, 1.5)
    assert {a.dtype for a in (result, *slope, integer)} == {np.dtype(np.float32)}
    assert not recwarn.list
    assert result == sc.jv(np.float32(1), np.float32(2.5))


class TestErrors:
    """Raised while tracing, with a sentence that says what to write instead."""

    @pytest.mark.parametrize("value", [[1.0, 2.0], (1.0,), "1", None, {}, object()])
    def test_what_is_no_array(self, value: Any) -> None:
        with pytest.raises(TypeError, match=r"jv requires arrays or scalars, got .* for argument 'v'.*jnp\.asarray"):
            jse.jv(value, 1.0)

    @pytest.mark.parametrize(
        "value",
        [np.array(["a"]), np.array([object()]), np.datetime64("2020-01-01"), np.longdouble(1)],
        ids=["strings", "objects", "date", "long double"],  # a repr with an address differs between xdist's workers
    )
    def test_arrays_of_something_else(self, value: Any) -> None:
        with pytest.raises(TypeError, match=r"jv requires numbers, got dtype .* for argument 'v'; write np\.asarray"):
            jse.jv(value, 1.0)

    @pytest.mark.parametrize("function", [jse.jv, jse.kn])
    def test_integers_beyond_every_dtype(self, function: Any) -> None:
        with pytest.raises(OverflowError, match=r"is larger than (float64 holds|JAX's integers hold); write a float"):
            function(10**400, 1.0)

    def test_arity(self) -> None:
        with pytest.raises(TypeError, match=r"jv\(v, z\): missing a required argument: 'z'"):
            jse.jv(1.0)
        with pytest.raises(TypeError, match=r"jv\(v, z\): too many positional arguments"):
            jse.jv(1.0, 2.0, 3.0)
        with pytest.raises(TypeError, match=r"jv\(v, z\): got an unexpected keyword argument 'x'"):
            jse.jv(1.0, x=2.0)

    def test_complex_in_a_real_argument(self) -> None:
        for f in (jse.jv, jax.jit(jse.jv)):
            with pytest.raises(TypeError, match="jv takes a real 'v', got complex128"):
                f(1j, 2.0)
        with pytest.raises(TypeError, match="gammainc takes a real 'x'"):
            jse.gammainc(1.0, jnp.ones(2, complex))

    def test_a_traced_value_in_a_static_argument(self) -> None:
        with pytest.raises(TypeError, match="'derivative' must be a Python value"):
            jax.jit(lambda d: jse.spherical_jn(1, 2.0, d))(True)

    def test_shapes_that_do_not_broadcast(self) -> None:
        with pytest.raises(ValueError, match=r"^jv: arguments of shapes .* don't broadcast; write"):
            jse.jv(jnp.ones(2), jnp.ones(3))

    def test_a_missing_partial_names_function_argument_and_reason(self) -> None:
        from jaxscipy_ext.runtime import DerivativeUnavailable, along, host_call, unavailable

        @jax.custom_jvp
        def _f(x: Any) -> Any:
            return host_call(np.sin, x)

        @along(_f)
        def _f_partials(x: Any) -> Any:
            return {"x": unavailable("nobody has found it")}

        for f in (jax.grad(_f), jax.jit(jax.grad(_f)), jax.hessian(_f)):
            with pytest.raises(
                DerivativeUnavailable, match="f: no derivative with respect to 'x': nobody has found it"
            ):
                f(1.0)
        assert _f(1.0) == np.sin(1.0)
        assert jax.grad(lambda x: _f(jax.lax.stop_gradient(x)) * x)(2.0) == np.sin(2.0)


@pytest.mark.parametrize("name", ["kn", "smirnov", "nbdtri"])
def test_real_orders_are_cut_without_a_warning(name: str) -> None:
    """SciPy's own loops warn, which inside a compiled program would have to wait for Python."""
    orders = jnp.array([2.5, -0.5, 3.0, 3e9, np.nan])
    rest = {"kn": (0.5,), "smirnov": (0.2,), "nbdtri": (0.5,)}[name]
    before = {"nbdtri": (3.5,)}.get(name, ())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = getattr(sc, name)(*before, np.asarray(orders), *rest)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_array_equal(getattr(jse, name)(*before, orders, *rest), wanted)


@pytest.mark.parametrize("name", ["bdtr", "bdtrc", "bdtri"])
def test_integer_counts_do_not_warn(name: str) -> None:
    """For floating n these warn whatever its value; the loops of integers don't."""
    n = jnp.arange(-1, 6)
    wanted = getattr(sc, name)(2.0, np.asarray(n), 0.3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_array_equal(getattr(jse, name)(2.0, n, 0.3), wanted)


def test_static_values_are_checked_while_tracing():
    """SciPy's own words would come from inside a callback, if at all."""
    with pytest.raises(ValueError, match="jvp: 'n' must be an integer from 0 to 1000, got -1"):
        jax.jit(jse.jvp, static_argnums=2)(1.0, 2.0, -1)
    with pytest.raises(TypeError, match=r"jvp: 'n' must be an integer from 0 to 1000, got 1\.5"):
        jse.jvp(1.0, 2.0, 1.5)
    with pytest.raises(ValueError, match="ellip_harm: 'signm' must be 1 or -1, got 2"):
        jse.ellip_harm(5.0, 8.0, 2, 1, 2.5, 2)
    with pytest.raises(ValueError, match="spherical_jn: 'derivative' must be False or True, got 'x'"):
        jse.spherical_jn(2, 1.0, derivative="x")
    with pytest.raises(ValueError, match="assoc_legendre_p: 'branch_cut' must be 2 or 3, got 4"):
        jse.assoc_legendre_p(2, 1, 0.5, branch_cut=4)
    with pytest.raises(ValueError, match="comb: 'exact' must be False or True, got 'yes'"):
        jse.comb(5, 2, exact="yes")
    with pytest.raises(TypeError, match="comb: 'repetition' must be True or False, known while tracing"):
        jax.jit(lambda r: jse.comb(5, 2, repetition=r))(True)
    with pytest.raises(AttributeError, match=r"config has no setting 'bakend'; write config\.backend"):
        jse.config.bakend = "native"
    assert jse.spherical_jn(2, 1.0, derivative=np.True_) == jse.spherical_jn(2, 1.0, derivative=1)
    assert jse.jvp(1.0, 2.0, np.int64(0)) == jse.jv(1.0, 2.0)
