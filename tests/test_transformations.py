"""Every JAX transformation against plain loops and SciPy."""

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special as sc
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import jaxscipy_ext as jse

pytestmark = pytest.mark.device

# (function, SciPy's, sample arguments, argument to differentiate)
CASES: dict[str, tuple[Callable[..., Any], Callable[..., Any], tuple[np.ndarray, ...], int]] = {
    "jv": (jse.jv, sc.jv, (np.array([0.5, 1.0, 2.5]), np.array([0.7, 3.0, 11.0])), 1),
    "kv": (jse.kv, sc.kv, (np.array([0.5, 1.0, 2.5]), np.array([0.7, 3.0, 11.0])), 1),
    "kn": (jse.kn, sc.kn, (np.array([0, 1, 3]), np.array([0.7, 3.0, 11.0])), 1),
    "erfcx": (jse.erfcx, sc.erfcx, (np.array([-0.7, 3.0, 11.0]),), 0),
    "gammainc": (jse.gammainc, sc.gammainc, (np.array([0.5, 1.0, 2.5]), np.array([0.7, 3.0, 2.0])), 1),
    "betainc": (
        jse.betainc,
        sc.betainc,
        (np.array([0.5, 1.0, 2.5]), np.array([1.5, 2.0, 2.5]), np.array([0.1, 0.5, 0.9])),
        2,
    ),
    "betaincinv": (
        jse.betaincinv,
        sc.betaincinv,
        (np.array([0.5, 1.0, 2.5]), np.array([1.5, 2.0, 2.5]), np.array([0.1, 0.5, 0.9])),
        2,
    ),
    "spherical_jn": (jse.spherical_jn, sc.spherical_jn, (np.array([0, 1, 3]), np.array([0.7, 3.0, 11.0])), 1),
    "xlogy": (jse.xlogy, sc.xlogy, (np.array([0.0, 1.0, 3.0]), np.array([0.7, 3.0, 11.0])), 1),
}
IDS = list(CASES)


def in_axes_of(n_args: int) -> list[tuple[int | None, ...]]:
    """Every choice of mapped arguments and of axes 0, 1, -1, but none mapped."""
    return [axes for axes in itertools.product((None, 0, 1, -1), repeat=n_args) if any(a is not None for a in axes)]


@pytest.mark.parametrize("name", IDS)
def test_vmap_over_every_subset_of_arguments_equals_a_loop(name: str) -> None:
    f, host, samples, _ = CASES[name]
    batch = 4
    for axes in in_axes_of(len(samples)):
        args = []
        for sample, axis in zip(samples, axes, strict=True):
            stacked = np.stack(
                [sample + k if sample.dtype.kind == "i" else sample * (1 - 0.01 * k) for k in range(batch)]
            )
            args.append(sample if axis is None else np.moveaxis(stacked, 0, axis))
        got = jax.vmap(f, axes)(*map(jnp.asarray, args))
        want = np.stack(
            [
                host(*(a if axis is None else np.take(a, k, axis) for a, axis in zip(args, axes, strict=True)))
                for k in range(batch)
            ]
        )
        assert_array_equal(got, want, err_msg=str(axes))


@pytest.mark.parametrize("name", IDS)
def test_vmap_over_mixed_ranks_equals_a_loop(name: str) -> None:
    """The trap of `pure_callback`: a mapped vector beside an unmapped one is not the same as broadcasting them."""
    f, host, samples, _ = CASES[name]
    n_args = len(samples)
    for mapped in itertools.product((False, True), repeat=n_args):
        if not any(mapped):
            continue
        axes = tuple(0 if m else None for m in mapped)
        got = jax.vmap(f, axes)(*map(jnp.asarray, samples))
        want = np.stack([host(*(s[k] if m else s for s, m in zip(samples, mapped, strict=True))) for k in range(3)])
        assert_array_equal(got, want, err_msg=str(mapped))


@pytest.mark.parametrize("backend", ["auto", "callback"])
def test_hosts_in_one_callback_may_share_nothing_that_is_mapped(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The norm of shifted Jacobi polynomials depends on the degree and p alone, their derivatives on x, too."""
    monkeypatch.setattr(jse.config, "backend", backend)
    x = jnp.asarray([0.2, 0.5, 0.9])
    second = jax.grad(jax.grad(lambda x, n: jse.eval_sh_jacobi(n, 1.3, 1.3, x)))
    assert_array_equal(jax.vmap(second, (0, None))(x, 1.3), jnp.stack([second(x0, 1.3) for x0 in x]))
    n = jnp.asarray([0.5, 1.3])
    both = jax.vmap(jax.vmap(second, (0, None)), (None, 0))(x, n)
    assert_array_equal(both, jnp.stack([jnp.stack([second(x0, n0) for x0 in x]) for n0 in n]))


@pytest.mark.parametrize("name", IDS)
def test_nested_vmap_is_an_outer_product(name: str) -> None:
    f, host, samples, _ = CASES[name]
    if len(samples) < 2:
        pytest.skip("one argument")
    rest = [s[0] for s in samples[2:]]
    nested = jax.vmap(jax.vmap(lambda a, b: f(a, b, *rest), (None, 0)), (0, None))
    assert_array_equal(nested(*map(jnp.asarray, samples[:2])), host(samples[0][:, None], samples[1][None, :], *rest))


@pytest.mark.parametrize("name", IDS)
def test_jit_scan_while_cond_checkpoint_equal_eager(name: str) -> None:
    f, host, samples, _ = CASES[name]
    args = [jnp.asarray(s) for s in samples]
    want = host(*samples)
    assert_array_equal(f(*args), want)
    assert_array_equal(jax.jit(f)(*args), want)
    assert_array_equal(jax.lax.scan(lambda c, x: (c, f(*x)), 0, tuple(args))[1], want)
    assert_array_equal(jax.checkpoint(f)(*args), want)
    assert_array_equal(jax.lax.cond(True, f, lambda *a: f(*a) * 0, *args), want)
    first = [a[0] for a in args]

    def body(state: Any) -> Any:
        k, total = state
        return k + 1, total + f(*first)

    total = jax.lax.while_loop(lambda state: state[0] < 3, body, (0, jnp.zeros(())))[1]
    assert_allclose(total, 3 * want[0], rtol=1e-15)


@pytest.mark.parametrize("name", IDS)
def test_forward_equals_reverse_equals_the_other_ways_to_a_gradient(name: str) -> None:
    f, _, samples, argnum = CASES[name]
    args = [jnp.asarray(s) for s in samples]

    def g(x: Any) -> Any:
        return f(*args[:argnum], x, *args[argnum + 1 :])

    def scanned(x: Any) -> Any:
        return jax.lax.scan(lambda c, y: (c + f(*y), None), 0.0, (*args[:argnum], x, *args[argnum + 1 :]))[0]

    x = args[argnum]
    forward = jnp.diag(jax.jacfwd(g)(x))
    reverse = jnp.diag(jax.jacrev(g)(x))
    assert_allclose(forward, reverse, rtol=1e-14)
    assert_allclose(jax.vmap(jax.grad(lambda *a: f(*a), argnum))(*args), forward, rtol=1e-14)
    value, linear = jax.linearize(g, x)
    assert_array_equal(value, g(x))
    assert_allclose(linear(jnp.ones_like(x)), forward, rtol=1e-14)
    assert_allclose(jax.grad(lambda x: jax.checkpoint(g)(x).sum())(x), forward, rtol=1e-14)
    assert_allclose(jax.jit(jax.grad(lambda x: g(x).sum()))(x), forward, rtol=1e-13)
    assert_allclose(jax.grad(scanned)(x), forward, rtol=1e-13)
    hessian = jnp.diag(jnp.diagonal(jax.hessian(g)(x)))  # the elements [k, k, k]
    twice = jax.vmap(jax.grad(jax.grad(lambda *a: f(*a), argnum), argnum))(*args)
    assert_allclose(hessian, twice, rtol=1e-13, atol=1e-300)
    through_loop = [jax.jacfwd(jax.jacfwd(scanned))(x)]
    if jax.__version_info__ >= (0, 12):  # before, JAX drops custom rules when it differentiates the reverse of a scan
        through_loop.append(jax.hessian(scanned)(x))
    for found in through_loop:
        assert_allclose(jnp.diag(found), twice, rtol=1e-13, atol=1e-300)


shapes = st.lists(st.integers(0, 3), max_size=3).map(tuple)


@settings(max_examples=40, deadline=None)
@given(shapes, shapes)
def test_broadcasting_is_numpys(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    v, z = np.full(first, 1.5), np.linspace(0.5, 3, int(np.prod(second))).reshape(second)
    try:
        want = sc.jv(v, z)
    except ValueError:
        with pytest.raises(ValueError, match="broadcast"):
            jse.jv(jnp.asarray(v), jnp.asarray(z))
        return
    got = jse.jv(jnp.asarray(v), jnp.asarray(z))
    assert got.shape == want.shape
    assert_array_equal(got, want)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from(["jit", "vmap", "grad", "checkpoint"]), min_size=1, max_size=4).filter(
        lambda names: names.count("grad") <= 2
    )
)
def test_nestings_of_transformations(names: list[str]) -> None:
    """Any nesting of jit, vmap, checkpoint and up to two grads equals the closed form."""
    f: Callable[..., Any] = partial(jse.jv, 1.5)
    derivatives = batches = 0
    for name in names:
        if name == "grad" and batches:
            inner = f
            f = jax.grad(lambda z, inner=inner: inner(z).sum())
        else:
            f = {"jit": jax.jit, "vmap": jax.vmap, "grad": jax.grad, "checkpoint": jax.checkpoint}[name](f)
        derivatives += name == "grad"
        batches += name == "vmap"
    z = np.linspace(0.5, 9.0, 2**batches).reshape((2,) * batches)
    assert_allclose(f(jnp.asarray(z)), sc.jvp(1.5, z, derivatives), rtol=1e-12, atol=1e-14)
