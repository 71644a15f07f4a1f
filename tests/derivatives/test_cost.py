"""What a parameter derivative costs: host calls, memory; and that float32 is rounded once."""

import tracemalloc
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxscipy_ext as jse
from jaxscipy_ext.derivatives import bessel, beta, gamma, student
from jaxscipy_ext.runtime import native
from jaxscipy_ext.runtime.stencil import stencil

MEGABYTES = 2**20


@pytest.mark.parametrize(
    ("kernel", "args", "size"),  # one array of all nodes would have 100 MB and more
    [
        (bessel.kv_dv, (1.5, 2.0), 100_000),
        (gamma.gammainc_da, (2.5, 1.0), 200_000),
        (stencil(np.exp, 0), (1.0,), 800_000),
    ],
    ids=["kv_dv", "gammainc_da", "stencil"],
)
def test_temporaries_stay_below_64_megabytes(kernel: Callable[..., Any], args: tuple[float, ...], size: int) -> None:
    last = np.full(size, args[-1])
    tracemalloc.start()
    result = kernel(*args[:-1], last)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert result.shape == (size,)
    assert peak - 8 * size < 64 * MEGABYTES  # all but the result


@pytest.mark.parametrize(
    ("f", "kernel", "args"),
    [
        (jse.kv, bessel.kv_dv, (1.3, 2.1)),
        (jse.gammainc, gamma.gammainc_da, (2.7, 1.9)),
        (jse.betainc, beta.betainc_da, (2.7, 1.9, 0.3)),
        (jse.stdtr, student.stdtr_ddf, (3.3, 0.7)),
    ],
    ids=["kv", "gammainc", "betainc", "stdtr"],
)
def test_float32_is_rounded_once(f: Callable[..., Any], kernel: Callable[..., Any], args: tuple[float, ...]) -> None:
    single = [np.float32(a) for a in args]
    got = jax.grad(f)(*map(jnp.asarray, single))
    assert got.dtype == np.float32
    assert np.asarray(got) == np.float32(kernel(*map(np.float64, single)))


def test_gradient_in_the_order_costs_one_host_call(host_calls: list[Any]) -> None:
    jax.block_until_ready(jax.jit(jax.grad(jse.kv))(1.5, 2.0))
    assert [name for name, _ in host_calls] == ["kv+kv_dv"]


@pytest.mark.skipif(not native.status().available, reason=f"no native library: {native.status().reason}")
def test_value_and_gradient_in_the_order_cost_one_call_of_python(host_calls: list[Any]) -> None:
    jse.config.backend = "native"  # host_calls puts it back
    jax.block_until_ready(jax.jit(jax.value_and_grad(jse.kv))(1.5, 2.0))
    assert [name for name, _ in host_calls] == ["kv_dv"]  # the value comes from the compiled loop
