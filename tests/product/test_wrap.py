"""`jse.wrap`: ufuncs, Python hosts of every flavour, derivatives as functions and as formulas."""

import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special as sc
from numpy.testing import assert_allclose, assert_array_equal

import jaxscipy_ext as jse


def test_a_ufunc_with_a_formula_is_the_shipped_function() -> None:
    f = jse.wrap(sc.jv, formula="besselj(v, z)", derivatives={"v": "jv_dv(v, z)"}, name="mine")
    v, z = jnp.linspace(0.3, 4.0, 5), jnp.linspace(0.2, 9.0, 5)
    assert_array_equal(f(v, z), sc.jv(v, z))
    for argnum in (0, 1):
        both = [jax.vmap(jax.grad(g, argnum))(v, z) for g in (f, jse.jv)]
        assert_allclose(*both, rtol=1e-13)
    assert_allclose(jax.hessian(f, 1)(1.5, 2.0), sc.jvp(1.5, 2.0, 2), rtol=1e-13)
    assert_array_equal(f(1.5, 1 + 2j), sc.jv(1.5, 1 + 2j))
    assert "Bessel function of the first kind" in f.__doc__ and "that calls the host <ufunc 'jv'>" in f.__doc__
    assert f.__name__ == "mine" and jax.jit(f)(v=1.5, z=2.0) == sc.jv(1.5, 2.0)


def test_derivatives_as_functions_with_and_without_the_value() -> None:
    f = jse.wrap(np.exp, derivatives={"x": lambda x, out: out})
    g = jse.wrap(sc.expit, derivatives={"x": lambda x: g(x) * (1 - g(x))})
    assert jax.grad(jax.grad(f))(1.5) == np.exp(1.5)
    assert_allclose(jax.grad(g)(0.3), sc.expit(0.3) * sc.expit(-0.3), rtol=1e-14)


def test_several_outputs_by_name_and_a_removable_singularity() -> None:
    def polar(x: Any, y: Any) -> Any:
        return np.hypot(x, y), np.arctan2(y, x)

    f = jse.wrap(
        polar,
        outputs={"r": "same", "phi": "same"},
        derivatives={"x": {"r": "x/r", "phi": "-y/r**2"}, "y": {"r": "y/r", "phi": "x/r**2"}},
    )
    assert f(3.0, 4.0).r == 5.0
    jacobian = jax.jacfwd(f, (0, 1))(3.0, 4.0)
    assert_allclose(jacobian.r, [0.6, 0.8], rtol=1e-15)
    assert_allclose(jacobian.phi, [-4 / 25, 3 / 25], rtol=1e-15)
    h = jse.wrap(
        lambda x: np.where(x > 0, x * np.log(np.where(x > 0, x, 1)), 0),
        derivatives={"x": "where(x > 0, log(x) + 1, 0)"},
        name="xlogx",
    )
    assert jax.grad(jax.grad(h))(0.0) == 0.0 and jax.grad(jax.grad(h))(0.5) == 2.0


def test_static_and_scalar_arguments_and_float32() -> None:
    def power(x: float, *, n: int = 3) -> float:
        assert type(x) is float
        return x**n

    f = jse.wrap(power, batch="scalar", derivatives={"x": "n*x**(n - 1)"})
    assert f(2.0, n=4) == 16.0 and jax.grad(lambda x: f(x, n=4))(2.0) == 32.0
    assert_array_equal(jax.vmap(f)(jnp.arange(3.0)), [0, 1, 8])
    assert f(jnp.float32(2)).dtype == np.float32


def test_io_and_debug() -> None:
    rng = np.random.default_rng(0)
    noise = jse.wrap(lambda mean: rng.normal(mean), callback="io", name="noise")
    assert noise(0.0) != noise(0.0)
    assert jax.jit(lambda x: noise(x) - noise(x))(0.0) != 0
    assert len(set(np.asarray(jax.vmap(noise)(jnp.zeros(5))))) == 5
    assert len(set(np.asarray(jax.lax.map(noise, jnp.zeros(5))))) == 5
    with pytest.raises(
        jse.DerivativeUnavailable, match=r"noise: .*'mean': an io host isn't pure; put jax.lax.stop_grad"
    ):
        jax.grad(noise)(0.0)
    assert jax.grad(lambda x: x**2 + noise(jax.lax.stop_gradient(x)))(3.0) == 6.0
    ordered = jse.wrap(lambda mean: rng.normal(mean), callback="io", ordered=True, name="noise")
    with pytest.raises(ValueError, match=r"noise is an ordered io callback: vmap has no order; write `ordered: false`"):
        jax.vmap(ordered)(jnp.zeros(2))
    seen: list[float] = []
    watch = jse.wrap(lambda x: seen.append(float(x)), callback="debug", ordered=True, name="watch")

    def watched(x: Any) -> Any:
        watch(x)
        return x**2

    assert jax.grad(watched)(3.0) == 6.0
    jax.block_until_ready(jax.jit(lambda x: jax.lax.fori_loop(0, 3, lambda k, c: watched(c), x))(2.0))
    jax.effects_barrier()
    assert seen == [3.0, 2.0, 4.0, 16.0]


def anything(*args: Any) -> Any:
    return args


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: jse.wrap(np.sin, derivatives={"y": "1"}), "sin has no argument 'y' to differentiate; write one of x"),
        (lambda: jse.wrap(np.sin, arguments={"y": "real"}), "sin has no argument 'y'; write one of x"),
        (lambda: jse.wrap("np.sin"), "wrap needs a function, got 'np.sin'; write the function itself, not its name"),
        (lambda: jse.wrap(np.sin, arguments={"x": "compl"}), "sin: argument 'x' is 'compl'; write one of 'real', "),
        (lambda: jse.wrap(np.sin, derivatives={"x": 1.0}), "sin: the derivative in 'x' is 1.0; write a function or a "),
        (lambda: jse.wrap(np.sinc, outputs="reel"), "sinc: outputs has 'reel'; write 'same', 'real', 'complex' or"),
        (lambda: jse.wrap(np.sin, derivatives={"x": "cos(y)"}), "sin: .*unknown name 'y'"),
        (lambda: jse.wrap(np.sin, derivatives={"x": "x.__class__"}), "sin: .*a dot may only follow a call"),
        (lambda: jse.wrap(np.sin, derivatives={"x": "__import__(x)"}), "sin: .*start with _ are not part of formulas"),
        (lambda: jse.wrap(np.sin, formula="sine(x)"), "sin: formula: unknown function 'sine'; did you mean"),
        (lambda: jse.wrap(np.sin, callback="impure"), "callback is 'impure'; write 'pure', 'io' or 'debug'"),
        (lambda: jse.wrap(np.sin, callback="io", formula="sin(x)"), "io hosts have no derivatives; leave them out"),
        (lambda: jse.wrap(np.sin, ordered=True), "pure calls have no order; write callback='io'"),
        (lambda: jse.wrap(np.sin, batch="scaler"), "sin: batch is 'scaler'; write 'elementwise' or 'same-shape' or "),
        (lambda: jse.wrap(np.sin, vmap_method="foo"), "sin: vmap_method is 'foo'; write 'expand_dims' or"),
        (lambda: jse.wrap(jnp.sin), "sin is a JAX function: as a host it would wait for the program that calls it"),
        (lambda: jse.wrap(jax.jit(anything)), "anything is a JAX function"),
        (lambda: jse.wrap(jse.jv), "jv is a JAX function"),
        (
            lambda: jse.wrap(np.hypot, derivatives={"x1": lambda x1: x1}),
            r"hypot: the derivative in 'x1' takes \(x1\); write a function of all arguments, \(x1, x2\)",
        ),
        (
            lambda: jse.wrap(anything),
            "anything takes .*args.*, any number of arguments; write a function of named ones",
        ),
        (lambda: jse.wrap(dict), "doesn't tell its arguments|takes"),
        (lambda: jse.wrap(lambda: 1.0), "takes no arguments; give it at least one"),
        (lambda: jax.grad(jse.wrap(np.sin))(1.0), r"no derivative .* 'x': none was given; write derivatives=\{'x': "),
    ],
)
def test_mistakes_say_what_to_write(make: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError, jse.DerivativeUnavailable), match=words):
        make()


def test_formulas_without_the_generate_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("jaxscipy_codegen")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(ImportError, match=r'(?s)sin: formulas need sympy.*pip install "jaxscipy_ext\[generate\]"'):
        jse.wrap(np.sin, derivatives={"x": "cos(x)"})
    f = jse.wrap(np.sin, derivatives={"x": jnp.cos})
    assert jax.grad(f)(0.5) == np.cos(0.5)


@pytest.mark.parametrize(
    ("host", "signature", "argument"),
    [(lambda x: x / x.sum(-1, keepdims=True), "(n)->(n)", "x"), (np.vecdot, None, "x1")],
    ids=["signature", "gufunc"],
)
def test_an_elementwise_partial_of_a_host_that_mixes_elements_is_refused(
    host: Any, signature: str | None, argument: str
) -> None:
    with pytest.raises(ValueError, match="mixes elements along core dimensions"):
        jse.wrap(host, signature=signature, derivatives={argument: lambda *args: args[-1]})
    f = jse.wrap(host, signature=signature)
    with pytest.raises(jse.DerivativeUnavailable):
        jax.jvp(lambda x: f(*[x] * (1 if signature else 2)), (jnp.ones(3),), (jnp.ones(3),))
