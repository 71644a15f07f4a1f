"""Hosts that raise or return what they shouldn't: whose words the user sees, and that the next call works."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding, PartitionSpec
from numpy.testing import assert_array_equal

import jaxscipy_ext as jse
from jaxscipy_ext.runtime import callback as callback_path
from jaxscipy_ext.runtime import python_handler


class TooCold(ValueError):
    """An exception of the user's own."""


def viscosity(t: Any) -> Any:
    if np.any(t < 0):
        raise TooCold("no viscosity below 0 K")
    return 2 * t


f = jse.wrap(viscosity, derivatives={"t": lambda t: jnp.full_like(t, 2.0)}, name="my_viscosity")
WORDS = r"my_viscosity: its host .*viscosity raised TooCold: no viscosity below 0 K \(hosts must not raise"

T = jnp.array([3.0, -1.0])
EAGER: dict[str, Callable[[Any], Any]] = {
    "plain": f,
    "vmap": jax.vmap(f),
    "grad": jax.grad(lambda t: f(t).sum()),
}
TRACED: dict[str, Callable[[Any], Any]] = {
    "jit": jax.jit(f),
    "scan": lambda t: jax.lax.scan(lambda c, x: (c + f(x), x), 0.0, t),
    "jit of grad": jax.jit(jax.value_and_grad(lambda t: f(t).sum())),
    "while": lambda t: jax.lax.while_loop(lambda s: s[0] < 2, lambda s: (s[0] + 1, f(s[1])), (0, t)),
}


@pytest.fixture(params=[True, False], ids=["views", "pure_callback"])
def _either_path(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(callback_path, "CPU_VIEWS", request.param)
    jax.clear_caches()
    yield
    jax.clear_caches()


@pytest.mark.usefixtures("_either_path")
def test_outside_jit_it_is_the_users_own_exception() -> None:
    for call in EAGER.values():
        with pytest.raises(TooCold, match=r"^no viscosity below 0 K") as caught:
            jax.block_until_ready(call(T))
        assert any(note.startswith("my_viscosity: its host") for note in caught.value.__notes__)
        jax.block_until_ready(call(abs(T)))
    assert_array_equal(f(abs(T)), [6.0, 2.0])


@pytest.mark.usefixtures("_either_path")
def test_inside_jit_xlas_error_ends_in_its_type_words_and_the_functions_name() -> None:
    for call in TRACED.values():
        with pytest.raises(jax.errors.JaxRuntimeError, match=WORDS):
            jax.block_until_ready(call(T))
        jax.block_until_ready(call(abs(T)))
    assert_array_equal(jax.jit(f)(abs(T)), [6.0, 2.0])


@pytest.mark.parametrize("ordered", [False, True])
def test_io_hosts(ordered: bool) -> None:
    g = jse.wrap(viscosity, callback="io", ordered=ordered, name="my_viscosity")
    with pytest.raises(TooCold, match=r"^no viscosity below 0 K"):
        jax.block_until_ready(g(T))
    with pytest.raises(jax.errors.JaxRuntimeError, match=WORDS):
        jax.block_until_ready(jax.jit(g)(T))
    assert_array_equal(jax.jit(g)(abs(T)), [6.0, 2.0])
    jax.effects_barrier()


def test_scalar_hosts_and_hosts_of_pure_numpy_errors() -> None:
    g = jse.wrap(lambda x: 1 / x, batch="scalar", name="inverse")
    with pytest.raises(ZeroDivisionError, match="float division by zero"):
        jax.block_until_ready(g(jnp.array([1.0, 0.0])))
    assert g(4.0) == 0.25


def changing(x: Any) -> Any:
    x += 1
    return x


@pytest.mark.parametrize(
    ("host", "options", "words"),
    [
        (lambda x: x.sum(keepdims=True)[..., None] + np.zeros(5), {}, r"shape .*5,?\), \(2,\) was expected; .*scalar"),
        (lambda x: x + 1j, {}, "complex numbers where real ones were declared; write `dtype: complex`"),
        (lambda x: None, {}, "returned NoneType, not numbers; .*`callback: debug`"),
        (lambda x: "no", {}, "returned str, not numbers"),
        (lambda x: (x, x), {}, "returned 2 results, 1 were declared; name each of them under `outputs`"),
        (lambda x: x, {"outputs": ("same", "same")}, "returned 1 results, 2 were declared"),
        (lambda x: x[:1], {"signature": "(n)->(n)"}, r"shape \(1,\), \(2,\) was expected"),
    ],
)
def test_results_that_were_not_declared(host: Any, options: Any, words: str) -> None:
    g = jse.wrap(host, name="odd", **options)
    for call in (g, jax.jit(g)):
        with pytest.raises((jse.HostError, jax.errors.JaxRuntimeError), match=rf"odd: its host .*{words}"):
            jax.block_until_ready(call(jnp.ones(2)))


def test_arguments_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        jax.block_until_ready(jse.wrap(changing)(jnp.ones(2)))


def test_debug_hosts() -> None:
    def returns(x: Any) -> Any:
        return x

    def watch(t: Any) -> None:
        viscosity(t)

    def run(host: Any, **options: Any) -> None:
        jse.wrap(host, callback="debug", **options)(-1.0)
        jax.effects_barrier()

    with pytest.raises(Exception, match=r"returned .*a debug host returns nothing .write `callback: io`"):
        run(returns)
    with pytest.raises(Exception, match=r"my_watch: its host .* raised TooCold: no viscosity below 0 K"):
        run(watch, name="my_watch")
    assert jse.wrap(watch, callback="debug")(1.0) is None


@pytest.mark.skipif(len(jax.devices("cpu")) < 4, reason="needs 4 forced host devices")
@pytest.mark.parametrize(
    ("callback", "how"), [("pure", "shard_map"), ("pure", "jit"), ("io", "shard_map"), ("debug", "shard_map")]
)
def test_one_device_of_several_does_not_keep_the_others_waiting(callback: str, how: str, capfd: Any) -> None:
    """Raised there, the exception would leave them in their collective until XLA ends the process after a minute."""

    def watched(t: Any) -> None:
        viscosity(t)

    g = f if callback == "pure" else jse.wrap(watched if callback == "debug" else viscosity, callback=callback)

    def total(t: Any) -> Any:
        value = 2 * t if g(t) is None else g(t)
        return jax.lax.psum(value, "i")

    mesh = jax.make_mesh((4,), ("i",), axis_types=(AxisType.Auto,), devices=jax.devices("cpu")[:4])
    shards = NamedSharding(mesh, PartitionSpec("i"))
    mapped = jax.shard_map(total, mesh=mesh, in_specs=shards.spec, out_specs=PartitionSpec())
    on_each = jax.jit(mapped if how == "shard_map" else lambda t: g(t).sum())
    t = jax.device_put(jnp.array([1.0, 2.0, -3.0, 4.0]), shards)
    assert_array_equal(jnp.ravel(jax.block_until_ready(on_each(t))), [8.0 if callback == "debug" else np.nan])
    jax.effects_barrier()
    assert "raised TooCold: no viscosity below 0 K" in capfd.readouterr().err
    with pytest.raises(TooCold, match=r"^no viscosity below 0 K") as caught:
        jse.raise_host_error()
    assert "its host" in caught.value.__notes__[0]
    jse.raise_host_error()
    assert_array_equal(jnp.ravel(jax.block_until_ready(on_each(abs(t)))), [20.0])


def test_a_program_of_another_process_names_the_host_that_is_missing() -> None:
    call = jax.ffi.ffi_call(python_handler.TARGET, jax.ShapeDtypeStruct((), np.float32))
    with pytest.raises(
        jax.errors.JaxRuntimeError, match="the Python host nobody, which this process doesn't know; call"
    ):
        jax.block_until_ready(call(host="nobody"))
