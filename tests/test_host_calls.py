"""How often the host is called, and with what: once per evaluation and per derivative of it."""

import logging
import subprocess
import sys
import textwrap
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import psutil
import pytest

import jaxscipy_ext as jse

IN_Z: dict[str, Callable[[Any], Any]] = {
    "jv": lambda z: jse.jv(1.5, z),
    "yv": lambda z: jse.yv(1.5, z),
    "iv": lambda z: jse.iv(1.5, z),
    "kv": lambda z: jse.kv(1.5, z),
    "kn": lambda z: jse.kn(2, z),
    "spherical_jn": lambda z: jse.spherical_jn(2, z),
    "airy": lambda z: sum(jse.airy(z)),
}


@pytest.mark.parametrize("name", IN_Z)
@pytest.mark.parametrize("how", ["eager", "jit"])
def test_value_and_grad_costs_one_host_call(name: str, how: str, host_calls: list[Any]) -> None:
    f = jax.value_and_grad(IN_Z[name])
    jax.block_until_ready((f if how == "eager" else jax.jit(f))(1.7))
    assert len(host_calls) == 1


@pytest.mark.parametrize("name", IN_Z)
def test_hessian_costs_at_most_two_host_calls(name: str, host_calls: list[Any]) -> None:
    jax.block_until_ready(jax.jit(jax.hessian(IN_Z[name]))(1.7))
    assert len(host_calls) <= 2


IN_PARAMETERS: dict[str, tuple[Callable[..., Any], tuple[int, ...], tuple[float, ...]]] = {
    "jv": (jse.jv, (0,), (1.5, 1.7)),
    "kv": (jse.kv, (0, 1), (1.5, 1.7)),
    "gammainc": (jse.gammainc, (0,), (1.5, 1.7)),
    "chdtr": (jse.chdtr, (0,), (1.5, 1.7)),
    "betainc": (jse.betainc, (0, 1), (1.5, 1.7, 0.3)),
    "stdtr": (jse.stdtr, (0,), (1.5, 1.7)),
    "hyp1f1": (jse.hyp1f1, (0, 1), (1.5, 1.7, 0.3)),
    "mathieu_cem": (lambda q: sum(jse.mathieu_cem(2, q, 1.7)), (0,), (1.5,)),
}


@pytest.mark.parametrize("backend", ["callback", "auto"])
@pytest.mark.parametrize("name", IN_PARAMETERS)
def test_derivatives_in_parameters_cost_one_callback(name: str, backend: Any, host_calls: list[Any]) -> None:
    """Value, gradient and Hessian; where SciPy's own loops run natively, one callback makes all that Python makes."""
    f, parameters, at = IN_PARAMETERS[name]
    jse.config.backend = backend
    jax.block_until_ready(jax.jit(jax.value_and_grad(f, parameters))(*at))
    assert len(host_calls) == 1
    batches = [jnp.full(3, x) for x in at]
    jax.block_until_ready(jax.jit(jax.vmap(jax.value_and_grad(f, parameters)))(*batches))
    assert len(host_calls) == 2
    jax.block_until_ready(jax.jit(jax.hessian(f, parameters))(*at))
    assert len(host_calls) == 3


def test_an_unused_result_costs_none(host_calls: list[Any]) -> None:
    def f(z: Any) -> Any:
        jse.jv(1.5, z)
        return 2 * z

    jax.block_until_ready(jax.jit(f)(1.7))
    jax.block_until_ready(jax.jit(jax.grad(lambda z: f(z)))(1.7))
    assert not host_calls


def test_an_unperturbed_order_costs_no_call_of_its_kernel(host_calls: list[Any]) -> None:
    jax.block_until_ready(jax.grad(jse.jv, 1)(1.5, 1.7))
    assert [name for name, _ in host_calls] == ["jv"]
    host_calls.clear()
    jax.block_until_ready(jax.grad(jse.jv, 0)(1.5, 1.7))
    assert [name for name, _ in host_calls] == ["jv+jv_dv"]


def test_unequal_ranks_reach_the_host_without_a_materialised_broadcast(host_calls: list[Any]) -> None:
    jax.block_until_ready(jse.jv(1.5, jnp.ones((3, 4))))
    assert host_calls == [("jv", ((1, 1), (3, 4)))]


def test_a_host_function_is_never_given_a_jax_array(host_calls: list[Any]) -> None:
    seen: list[type] = []

    def host(x: Any) -> Any:
        seen.append(type(x))
        return np.sin(x)

    from jaxscipy_ext.runtime import host_call

    for f in (jax.jit, jax.vmap, lambda g: g):
        jax.block_until_ready(f(lambda x: host_call(host, x))(jnp.ones(3)))
    assert len(seen) == 3 and set(seen) == {np.ndarray}


def test_a_thousand_eager_calls_recompile_nothing_and_leak_nothing(caplog: pytest.LogCaptureFixture) -> None:
    z = jnp.linspace(1.0, 2.0, 1000)
    for _ in range(20):
        jse.jv(1.5, z).block_until_ready()
    process = psutil.Process()
    before = process.memory_info().rss
    with caplog.at_level(logging.DEBUG), jax.log_compiles():
        for _ in range(1000):
            jse.jv(1.5, z).block_until_ready()
    assert not [record for record in caplog.records if "Compiling" in record.message]
    assert process.memory_info().rss - before < 20e6


UNBLOCKED = """
    import os, sys
    devices = int(sys.argv[1])
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={devices}"
    os.environ["JAXSCIPY_EXT_BACKEND"] = sys.argv[2]
    import jax, jax.numpy as jnp, numpy as np
    import jaxscipy_ext as jse
    if sys.argv[3] == "pure_callback":
        from jaxscipy_ext.runtime import callback
        callback.CPU_VIEWS = False
    jax.config.update("jax_enable_x64", True)
    mesh = jax.make_mesh((devices,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
    x = jax.device_put(np.linspace(0.1, 1.0, 10**6), sharding)
    block = jax.block_until_ready if sys.argv[4] == "blocked" else lambda y: y
    sums = [block(jnp.sum(block(jse.xlogy(block(x + k), x)))) for k in range(int(sys.argv[5]))]
    got, want = float(sums[-1]), float(np.sum((np.asarray(x) + len(sums) - 1) * np.log(np.asarray(x))))
    assert abs(got / want - 1) < 1e-12, (got, want)
    print("finished")
    if sys.argv[3] == "views":
        left = [jse.xlogy(x + k, x) for k in range(3)]
"""


def run_unblocked(devices: int, backend: str, callback: str = "views", block: str = "unblocked", n: int = 100) -> None:
    command = [sys.executable, "-c", textwrap.dedent(UNBLOCKED), str(devices), backend, callback, block, str(n)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=240)
    assert "finished" in done.stdout, done.stderr[-3000:]
    assert done.returncode == 0, "the interpreter's end must wait for calls that nobody waits for"


@pytest.mark.parametrize("backend", ["auto", "callback"])
def test_a_hundred_unblocked_dispatches_of_a_million_elements_finish(backend: str) -> None:
    run_unblocked(1, backend)


@pytest.mark.parametrize("backend", ["auto", "callback"])
def test_unblocked_dispatches_on_eight_devices_finish(backend: str) -> None:
    if jax.__version_info__ < (0, 11, 2):
        # jnp.sqrt of a gathered array hangs there just the same: unblocked collectives exhaust XLA's thread pool.
        run_unblocked(8, backend, block="blocked", n=10)
    else:
        run_unblocked(8, backend)


@pytest.mark.skipif(
    jax.__version_info__ < (0, 11, 2), reason="pure_callback hangs on several CPU devices before 0.11.2"
)
@pytest.mark.parametrize("devices", [1, 8])
def test_the_path_of_other_platforms_finishes_too(devices: int) -> None:
    run_unblocked(devices, "callback", "pure_callback", n=20)
