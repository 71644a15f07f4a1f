"""What is composed by hand: SciPy's values and shapes, and derivatives of first and second order."""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
import scipy.special as sc
from definitions import DEFINITIONS
from numpy.testing import assert_allclose

import jaxscipy_ext as jse
from jaxscipy_ext.composed import quadrature, zeros

inf = np.inf
Z = np.array([-1.0, -0.6, 0.0, 0.3, 0.9, 1.0])
THETA, PHI = np.array([0.1, 0.7, 2.0, 3.0]), np.array([0.3, -1.0, 2.0, 5.0])


def agree(ours: Any, scipys: Any, rtol: float = 0.0, atol: float = 0.0) -> None:
    ours, scipys = jax.tree.leaves(ours), jax.tree.leaves(scipys)
    assert [np.shape(a) for a in ours] == [np.shape(b) for b in scipys]
    for a, b in zip(ours, scipys, strict=True):
        assert_allclose(a, b, rtol=rtol, atol=atol)


def slope(function: Callable[..., Any], x: float, step: float = 1e-3) -> Any:
    """A central difference of order 8."""
    weights = (1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280)
    values = [jax.tree.map(np.asarray, tuple(function(x + k * step))) for k in range(-4, 5)]
    return jax.tree.map(lambda *v: sum(w * a for w, a in zip(weights, v, strict=True)) / step, *values)


def along(function: Callable[..., Any]) -> Callable[[Any], Any]:
    return lambda x: jax.jvp(function, (x,), (jnp.ones_like(x),))[1]


# ------------------------------------------------------------------------------------------------------------- arrays


def test_reductions_have_scipys_defaults() -> None:
    x = np.linspace(-2, 3, 6).reshape(2, 3)
    agree(jse.logsumexp(x), sc.logsumexp(x), 1e-15)
    options = {"axis": 1, "b": x, "keepdims": True, "return_sign": True}
    agree(jse.logsumexp(x, **options), tuple(sc.logsumexp(x, **options)), 1e-14, 1e-15)
    agree(jse.softmax(x), sc.softmax(x), 1e-15)
    agree(jse.softmax(x, axis=0), sc.softmax(x, axis=0), 1e-15)
    agree(jse.log_softmax(x), sc.log_softmax(x), 1e-14)
    agree(jse.softplus(x), sc.softplus(x), 1e-15)
    agree(jse.sinc(x), sc.sinc(x), 1e-12, 1e-16)  # NumPy's zeros at the integers are off by rounding


WEIGHTS = {  # a, b: the partials of log(sum(b * exp(a))) in a and in b
    "no terms": ([-inf, -inf], [1, 1], [0, 0], [0, 0]),
    "one infinite term": ([inf, 1], [1, 1], [1, 0], [1, 0]),
    "infinite terms": ([inf, inf, -inf], [1, 3, 1], [1 / 4, 3 / 4, 0], [1 / 4, 1 / 4, 0]),
    "a masked term": ([1, 2], [1, 0], [1, 0], [1, np.e]),
    "a masked infinity": ([inf, 2], [0, 1], [0, 1], [inf, 1]),
    "all masked": ([1, 2], [0, 0], [0, 0], [inf, inf]),
    "large terms": ([1000, 1000], [1, 1], [1 / 2, 1 / 2], [1 / 2, 1 / 2]),
}


def test_slopes_of_logsumexp_at_its_special_points() -> None:
    for point, (a, b, of_a, of_b) in WEIGHTS.items():
        got = jax.grad(lambda a, b: jse.logsumexp(a, b=b), (0, 1))(np.array(a, float), np.array(b, float))
        assert_allclose(got, (of_a, of_b), rtol=1e-14, err_msg=point)
    for a, (slopes, curvature) in {
        (-inf, -inf): ([0, 0], 0),
        (-inf, 0): ([0, 1], 0),
        (inf, 0): ([1, 0], 0),
        (1, 1): ([0.5, 0.5], 0.25),
    }.items():
        agree(jse.logsumexp(np.array(a, float)), sc.logsumexp(a), 1e-15)
        assert_allclose(jax.jacfwd(jse.logsumexp)(np.array(a, float)), slopes)
        assert_allclose(jax.hessian(jse.logsumexp)(np.array(a, float)), curvature * np.array([[1, -1], [-1, 1]]))
    turning = jax.jvp(lambda t: jse.logsumexp(1j * t * np.ones(2), return_sign=True), (0.25,), (1.0,))[1]
    assert_allclose(turning, (0, 1j * np.exp(0.25j)), atol=1e-15)  # the sum is 2 exp(it)


def test_log_softmax_of_infinite_terms() -> None:
    for x in ([inf, 1.0], [-inf, 1.0], [-inf, -inf], [1e6, 1e6 + 1]):
        agree(jse.log_softmax(np.array(x)), sc.log_softmax(x), 1e-15)
    assert_allclose(jax.jacrev(jse.log_softmax)(np.array([-inf, 1.0])), [[1, -1], [0, 0]])


def test_sinc_at_its_removable_singularity() -> None:
    assert jax.grad(jse.sinc)(0.0) == 0
    assert_allclose(jax.grad(jax.grad(jse.sinc))(0.0), -(np.pi**2) / 3, rtol=1e-14)


def test_zeta_is_riemanns_or_hurwitz() -> None:
    agree(jse.zeta(3.3), sc.zeta(3.3))
    agree(jse.zeta(0.5 + 3j), sc.zeta(0.5 + 3j))
    agree(jse.zeta(3.3, Z[3:]), sc.zeta(3.3, Z[3:]))
    assert_allclose(jax.grad(jse.zeta)(3.3), float(mp.zeta(mp.mpf("3.3"), 1, 1)), rtol=1e-13)
    assert_allclose(jax.grad(jse.zeta, 1)(3.3, 0.7), -3.3 * sc.zeta(4.3, 0.7), rtol=1e-14)


# ------------------------------------------------------------------------------------------------------ combinatorics


@pytest.mark.parametrize("repetition", [False, True])
def test_combinations(repetition: bool) -> None:
    N, k = np.array([1, 5, 5, -1, 3.5, 7]), np.array([2, 2, 5, 1, 1.5, -1])
    known = N >= 0 if repetition else np.ones(N.shape, bool)  # with repetition SciPy's answer for N < 0 has changed
    agree(jse.comb(N, k, repetition=repetition)[known], sc.comb(N, k, repetition=repetition)[known])
    agree(jse.perm(N, k), sc.perm(N, k))
    assert jse.comb(0, 0, repetition=repetition) == 1  # SciPy 1.15 says 0 with repetition


def test_factorials() -> None:
    n = np.arange(-3, 12)
    agree(jse.factorial(n), sc.factorial(n))
    agree(jse.factorial(n + 0.3), sc.factorial(n + 0.3))
    agree(jse.factorial(n + 0.3j, extend="complex"), sc.factorial(n + 0.3j, extend="complex"))
    agree(jse.factorial2(n), sc.factorial2(n), 2e-15)
    agree(jse.factorialk(n, 3), sc.factorialk(n, 3), 4e-15)
    agree(jse.factorial2(n + 0.2, extend="complex"), sc.factorial2(n + 0.2, extend="complex"), 2e-15)
    agree(jse.stirling2(n, 2), sc.stirling2(n, 2))
    agree(jse.bernoulli(8), sc.bernoulli(8))
    agree(jse.euler(8), sc.euler(8))


def test_exact_counts_are_python_integers() -> None:
    exact = (
        jse.comb(200, 100, exact=True),
        jse.perm(30, 20, exact=True),
        jse.factorial(40, exact=True),
        jse.factorial2(41, exact=True),
        jse.factorialk(40, 3, exact=True),
    )
    assert exact == (
        sc.comb(200, 100, exact=True),
        sc.perm(30, 20, exact=True),
        sc.factorial(40, exact=True),
        sc.factorial2(41, exact=True),
        sc.factorialk(40, 3, exact=True),
    )
    assert all(type(value) is int for value in exact)
    with pytest.raises(TypeError, match="leave it out inside jit"):
        jax.jit(lambda n: jse.factorial(n, exact=True))(5)


def test_counts_are_differentiable_where_they_are_not_cut_off() -> None:
    assert_allclose(jax.grad(jse.factorial)(3.0), 6 * sc.psi(4.0), rtol=1e-14)
    assert_allclose(jax.grad(jse.comb)(5.0, 2.0), 10 * (sc.psi(6.0) - sc.psi(4.0)), rtol=1e-13)
    assert jax.grad(jse.comb)(3.0, 7.0) == 0
    with pytest.raises(TypeError, match="extend='complex'"):
        jse.factorial2(2.5)
    with pytest.raises(TypeError, match="comb takes numbers, got 'a'; write a number"):
        jse.comb("a", 2)
    with pytest.raises(TypeError, match=r"sph_harm_y takes integers n, got float.*write n\.astype"):
        jse.sph_harm_y(1.5, 0, 1.0, 1.0)


# ------------------------------------------------------------------------------------- Legendre, spherical harmonics


@pytest.mark.parametrize("diff_n", [0, 1, 2])
def test_legendre_functions_have_scipys_shapes(diff_n: int) -> None:
    agree(jse.legendre_p(3, Z, diff_n=diff_n), sc.legendre_p(3, Z, diff_n=diff_n))
    agree(jse.legendre_p_all(4, Z, diff_n=diff_n), sc.legendre_p_all(4, Z, diff_n=diff_n), 1e-13)
    for m in (-1, 0, 1, 2):
        agree(jse.assoc_legendre_p(3, m, Z, diff_n=diff_n), sc.assoc_legendre_p(3, m, Z, diff_n=diff_n))
    options = {"branch_cut": 3, "norm": True, "diff_n": diff_n}
    agree(jse.assoc_legendre_p(3, 2, Z + 2, **options), sc.assoc_legendre_p(3, 2, Z + 2, **options))
    agree(jse.assoc_legendre_p_all(4, 2, Z, diff_n=diff_n), sc.assoc_legendre_p_all(4, 2, Z, diff_n=diff_n), 1e-12)


@pytest.mark.parametrize("diff_n", [0, 1, 2])
def test_spherical_harmonics_have_scipys_shapes(diff_n: int) -> None:
    agree(jse.sph_legendre_p(3, 1, THETA, diff_n=diff_n), sc.sph_legendre_p(3, 1, THETA, diff_n=diff_n), 1e-13)
    agree(jse.sph_legendre_p_all(4, 3, THETA, diff_n=diff_n), sc.sph_legendre_p_all(4, 3, THETA, diff_n=diff_n), 1e-12)
    agree(jse.sph_harm_y(3, -2, THETA, PHI, diff_n=diff_n), sc.sph_harm_y(3, -2, THETA, PHI, diff_n=diff_n), 1e-12)
    ours, scipys = (f(3, 2, THETA, PHI, diff_n=diff_n) for f in (jse.sph_harm_y_all, sc.sph_harm_y_all))
    agree(ours, scipys, 1e-11, 1e-13)


def test_derivatives_at_the_poles_and_endpoints() -> None:
    assert_allclose(jax.grad(lambda z: jse.legendre_p(4, z)[0])(1.0), 10)
    assert_allclose(jax.grad(lambda z: jse.assoc_legendre_p(3, 2, z)[0])(1.0), -30)
    gradient = jax.jvp(lambda t: jse.sph_harm_y(2, 1, t, 0.4), (0.0,), (1.0,))[1]
    assert_allclose(gradient, complex(-mp.sqrt(15 / (8 * mp.pi)) * mp.expj(0.4)), rtol=1e-14)


# ------------------------------------------------------------------------------------------------------- sequences


SEQUENCES: dict[str, tuple[Any, ...]] = {
    "riccati_jn": (3,),
    "riccati_yn": (3,),
    "pbdv_seq": (2.3,),
    "pbvv_seq": (2.3,),
    "pbdn_seq": (3,),
    "lqn": (3,),
    "lqmn": (2, 3),
    "lmbda": (2.3,),
}


@pytest.mark.parametrize(("name", "orders"), SEQUENCES.items())
def test_sequences(name: str, orders: tuple[Any, ...]) -> None:
    x = 0.4 + 0j if name == "pbdn_seq" else 0.4

    def ours(x: Any) -> Any:
        return getattr(jse, name)(*orders, x)

    agree(ours(x), getattr(sc, name)(*orders, x))
    agree(along(ours)(x), slope(lambda x: getattr(sc, name)(*orders, x), x), 1e-8)
    agree(along(along(ours))(x), slope(along(ours), x), 1e-8)


def test_derivatives_in_single_precision_beside_double_precision() -> None:
    x = np.float32(0.7)
    for sequence, order in ((jse.riccati_jn, 2), (jse.pbdv_seq, 1.5), (jse.pbvv_seq, 1.5), (jse.lmbda, 1.5)):
        single, double = (
            jax.jacfwd(lambda x, of=sequence, n=order: of(n, x)[1])(jnp.asarray(y)) for y in (x, float(x))
        )
        assert single.dtype == jnp.float32
        assert_allclose(single, double, rtol=1e-5)
    gradient = jse.sph_harm_y(2, 1, jnp.asarray(x), 0.3, diff_n=1)[1]
    assert_allclose(gradient, sc.sph_harm_y(2, 1, float(x), 0.3, diff_n=1)[1], rtol=1e-5)


def test_sequences_at_their_removable_singularities() -> None:
    assert_allclose(jax.jacfwd(lambda x: jse.riccati_jn(2, x)[1])(0.0), [0, 2 / 3, 0])
    assert_allclose(jax.jacfwd(lambda x: jse.riccati_yn(1, x)[1])(0.0)[0], 1)  # -cos(x)
    assert_allclose(jax.jacfwd(lambda x: jse.lmbda(2.0, x)[1])(0.0), [-1 / 2, -1 / 4, -1 / 6])


def test_orders_that_decide_a_length_are_python_numbers() -> None:
    with pytest.raises(TypeError, match="'v' decides how long the result is"):
        jax.jit(lambda v: jse.pbdv_seq(v, 0.4))(2.3)
    with pytest.raises(ValueError, match="must not be negative"):
        jse.pbdv_seq(-2.3, 0.4)
    with pytest.raises(ValueError, match=r"use jax\.vmap"):
        jse.riccati_jn(3, Z)


def test_characteristic_values_and_coefficients() -> None:
    agree(jse.mathieu_even_coef(2, 3.0), sc.mathieu_even_coef(2, 3.0))
    agree(jse.mathieu_odd_coef(2, 3.0), sc.mathieu_odd_coef(2, 3.0))
    agree(jse.pro_cv_seq(1, 4, 2.0), sc.pro_cv_seq(1, 4, 2.0), 1e-14)
    agree(jse.obl_cv_seq(1, 4, 2.0), sc.obl_cv_seq(1, 4, 2.0), 1e-14)
    for sequence, name in ((jse.pro_cv_seq, "pro_cv"), (jse.obl_cv_seq, "obl_cv")):
        slopes = [mp.diff(partial(DEFINITIONS[name][0], 1, n), 2) for n in range(1, 5)]
        assert_allclose(along(partial(sequence, 1, 4))(2.0), np.array(slopes, float), rtol=1e-9)
    agree(jse.assoc_laguerre(0.3, 3, 0.2), sc.assoc_laguerre(0.3, 3, 0.2))


# ------------------------------------------------------------------------------------------------ zeros, quadrature


@pytest.mark.parametrize("name", sorted(name for name in vars(zeros) if name.endswith("_zeros")))
def test_zeros(name: str) -> None:
    required = [p for p in inspect.signature(getattr(sc, name)).parameters.values() if p.default is p.empty]
    arguments = (2, 3) if len(required) == 2 else (3,)
    agree(getattr(jse, name)(*arguments), getattr(sc, name)(*arguments))


SHAPES = {"alpha": 0.3, "beta": 0.7, "p1": 2.0, "q1": 1.5}
RULES = sorted(name for name in vars(quadrature) if name.startswith("roots_") or name.endswith("_roots"))
RULES.remove("_roots")


@pytest.mark.parametrize("name", RULES)
def test_quadrature_rules(name: str) -> None:
    ours, scipys = getattr(jse, name), getattr(sc, name)
    shapes = {p: SHAPES[p] for p in inspect.signature(scipys).parameters if p in SHAPES}
    agree(ours(4, **shapes), scipys(4, **shapes))
    agree(ours(4, **shapes, mu=True), scipys(4, **shapes, mu=True), 1e-15)
    for shape, value in shapes.items():

        def moved(s: Any, shape: str = shape) -> Any:
            return ours(4, **{**shapes, shape: s})

        moved, first, second = (jax.jit(f) for f in (moved, along(moved), along(along(moved))))
        agree(first(value), slope(moved, value), 1e-9)
        agree(second(value), slope(first, value), 1e-8)


def test_numbers_of_nodes_are_python_integers() -> None:
    with pytest.raises(TypeError, match="'n' must be a Python integer known while tracing"):
        jax.jit(lambda n: jse.roots_jacobi(n, 0.3, 0.7))(4)
    with pytest.raises(TypeError, match="'nt' must be a Python integer known while tracing"):
        jse.jn_zeros(0, 2.5)
    with pytest.raises(ValueError, match="roots_legendre: n must be a positive integer"):
        jse.roots_legendre(0)
