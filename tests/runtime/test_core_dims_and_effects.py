"""Hosts with core dimensions, scalar hosts, and impure ones."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from jaxscipy_ext.runtime import debug_call, host_call
from jaxscipy_ext.runtime.core_dims import parse_signature


def matvec(a: Any, x: Any) -> Any:
    return np.einsum("...mn,...n->...m", a, x)


def test_core_dimensions_and_vmap_over_every_subset() -> None:
    rng = np.random.default_rng(0)
    a, x = rng.normal(size=(5, 3, 4)), rng.normal(size=(5, 4))

    def f(a: Any, x: Any) -> Any:
        return host_call(matvec, a, x, signature="(m,n),(n)->(m)")

    assert_array_equal(f(jnp.asarray(a), jnp.asarray(x)), matvec(a, x))
    assert_array_equal(f(jnp.asarray(a), jnp.asarray(x[0])), matvec(a, x[0]))
    assert_array_equal(jax.vmap(f)(jnp.asarray(a), jnp.asarray(x)), matvec(a, x))
    assert_array_equal(jax.vmap(f, (None, 0))(jnp.asarray(a[0]), jnp.asarray(x)), matvec(a[0], x))
    assert_array_equal(jax.jit(jax.vmap(f, (0, None)))(jnp.asarray(a), jnp.asarray(x[0])), matvec(a, x[0]))
    with pytest.raises(ValueError, match="core dimension n is 2 in argument 1, 4 before"):
        f(jnp.asarray(a), jnp.ones(2))


def test_a_scalar_host_with_core_dimensions() -> None:
    def norm(x: Any) -> Any:
        assert x.ndim == 1
        return np.sqrt(np.sum(x * x))

    x = np.arange(12.0).reshape(3, 4)
    got = host_call(norm, jnp.asarray(x), signature="(n)->()", batch="scalar")
    np.testing.assert_allclose(got, np.linalg.norm(x, axis=1))


@pytest.mark.parametrize("text", ["n->n", "(n)", "(n)->(m)", "(n)->n", "(n,)->()", "(n;m)->()"])
def test_bad_signatures_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="signature"):
        parse_signature(text)


def test_batch_scalar_and_same_shape() -> None:
    seen: list[Any] = []

    def scalar(a: float, b: float) -> tuple[float, float]:
        seen.append((type(a), type(b)))
        return a + b, a * b

    def same(a: Any, b: Any) -> Any:
        assert a.shape == b.shape and a.flags.c_contiguous and a.flags.writeable
        return a + b

    a, b = np.arange(3.0)[:, None], np.arange(4.0)
    total, product = host_call(scalar, jnp.asarray(a), jnp.asarray(b), outputs=("same", "same"), batch="scalar")
    assert_array_equal(total, a + b)
    assert_array_equal(product, a * b)
    assert len(seen) == 12 and set(seen) == {(float, float)}
    assert_array_equal(host_call(same, jnp.asarray(a), jnp.asarray(b), batch="same-shape"), a + b)
    empty = host_call(scalar, jnp.zeros((0, 2)), jnp.ones(2), outputs=("same", "same"), batch="scalar")
    assert empty[0].shape == (0, 2)
    with pytest.raises(ValueError, match="batch is 'each'"):
        host_call(scalar, jnp.ones(2), jnp.ones(2), batch="each")


def test_vmap_methods_that_are_asked_for() -> None:
    shapes: list[tuple[int, ...]] = []

    def host(x: Any) -> Any:
        shapes.append(x.shape)
        return x * 2

    for method, want in [("sequential", [(2,)] * 3), ("expand_dims", [(3, 2)]), ("broadcast_all", [(3, 2)])]:
        shapes.clear()
        result = jax.vmap(lambda x, method=method: host_call(host, x, vmap_method=method))(jnp.ones((3, 2)))
        assert_array_equal(result, 2 * np.ones((3, 2)))
        assert shapes == want


def counter() -> Any:
    state = {"n": 0}

    def host(x: Any) -> Any:
        state["n"] += 1
        return x + state["n"]

    host.state = state
    return host


@pytest.mark.parametrize("ordered", [False, True])
def test_an_io_host_runs_as_often_as_the_program_says(ordered: bool) -> None:
    host = counter()

    def f(x: Any) -> Any:
        return host_call(host, x, callback="io", ordered=ordered)

    def program(x: Any) -> Any:
        f(x)  # unused, yet called
        return f(x)

    jax.block_until_ready(jax.jit(program)(1.0))
    jax.effects_barrier()
    assert host.state["n"] == 2
    jax.block_until_ready(jax.lax.scan(lambda c, x: (c, f(x)), 0, jnp.ones(5)))
    jax.block_until_ready(jax.lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, f(s[1])), (0, 1.0)))
    assert host.state["n"] == 10


def test_vmap_of_an_ordered_io_host_says_what_to_write() -> None:
    with pytest.raises(ValueError, match="ordered io callback: vmap has no order; write `ordered: false`"):
        jax.vmap(lambda x: host_call(np.sin, x, callback="io", ordered=True))(jnp.ones(3))
    assert_array_equal(jax.vmap(lambda x: host_call(np.sin, x, callback="io"))(jnp.ones(3)), np.sin(np.ones(3)))


def test_a_debug_host_is_transparent() -> None:
    seen: list[float] = []

    def look(x: Any) -> None:
        seen.append(float(np.sum(x)))

    def f(x: Any) -> Any:
        debug_call(look, x)
        return x**2

    assert jax.grad(f)(3.0) == 6.0
    jax.block_until_ready(jax.jit(jax.vmap(f))(jnp.ones(3)))
    jax.effects_barrier()
    assert sum(seen) == 3.0 + 3.0


def test_a_scalar_host_with_core_dimensions_and_static_arguments() -> None:
    def powers(x: Any, *, n: int) -> Any:
        return x ** np.arange(n)

    x = jnp.asarray([2.0, 3.0])
    result = host_call(powers, x, outputs=("same",), signature="()->(3)", static={"n": 3}, batch="scalar")
    assert_array_equal(result, [[1, 2, 4], [1, 3, 9]])
