"""Broadcasting inside the handler: any ranks and sizes, no copies, any split over threads."""

from __future__ import annotations

import os

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
from hypothesis import given, settings
from hypothesis import strategies as st
from native_helpers import assert_same_bits, run_python, through_native

SHAPES = [
    ((), ()),
    ((1,), (5,)),
    ((0,), (1,)),
    ((3, 0, 2), (1, 1, 2)),
    ((7, 1), (1, 9)),
    ((1, 1, 1), (1, 1, 1)),
    ((200, 1), (1, 3)),  # a short last dimension: the inner loop runs along the first
    ((200, 3), (1, 3)),
    ((3, 1, 50), (1, 40, 1)),
    ((2, 3, 4, 5), (2, 1, 4, 1)),
    ((2, 3, 4, 5), (1, 3, 1, 5)),
    ((5, 4, 1, 1), (5, 4, 3, 2)),
    ((1, 300_000), (2, 1)),
    ((600_000,), (600_000,)),
]


def samples(*shapes: tuple[int, ...]) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    return [rng.uniform(0.1, 5, shape) for shape in shapes]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_broadcast(shapes: tuple[tuple[int, ...], ...]) -> None:
    args = samples(*shapes)
    assert_same_bits(through_native(np.arctan2, *args)[0], np.arctan2(*args))


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_broadcast_with_casts_of_both_arguments_and_the_result(shapes: tuple[tuple[int, ...], ...]) -> None:
    order, z = samples(*shapes)
    order, z = order.astype(np.int32), z.astype(np.float32)
    (value,) = through_native(scipy.special.eval_hermite, order, z, out_dtypes=(np.float32,))
    assert_same_bits(value, scipy.special.eval_hermite(order, z).astype(np.float32))


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_any_shapes_that_broadcast(data: st.DataObject) -> None:
    full = data.draw(st.lists(st.sampled_from([0, 1, 2, 3, 33, 40]), max_size=4), label="shape")
    shapes = [tuple(size if data.draw(st.booleans()) else 1 for size in full) for _ in range(4)]
    args = samples(*shapes)
    assert_same_bits(through_native(scipy.special.eval_jacobi, *args)[0], scipy.special.eval_jacobi(*args))


def test_several_results_of_a_transposed_argument() -> None:
    z = samples((30, 41))[0]
    transposed = jax.jit(lambda z: through_native(scipy.special.airy, z.T))
    for value, expected in zip(transposed(z), scipy.special.airy(z.T), strict=True):
        assert_same_bits(value, expected)


def test_a_high_rank() -> None:
    shape = (1, 2) * 10
    args = samples(shape, shape[::-1])
    assert_same_bits(through_native(np.arctan2, *args)[0], np.arctan2(*args))


@pytest.mark.parametrize("size", [15, 16, 17, 63, 64, 65, 1000, 4096, 100_003])
def test_every_element_is_evaluated_once_however_the_work_is_split(size: int) -> None:
    x = np.arange(size, dtype=np.float64)
    assert_same_bits(through_native(scipy.special.gammaln, x)[0], scipy.special.gammaln(x))
    assert_same_bits(through_native(np.negative, x)[0], -x)


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")
def test_large_inputs_use_several_threads() -> None:
    """Threads of the process that gained CPU time during one call; wall time would depend on other programs."""
    code = """
import os
from pathlib import Path
import jax, jax.numpy as jnp, numpy as np, scipy.special as sc
from native_helpers import through_native
jax.config.update("jax_enable_x64", True)

def ticks():
    stats = Path("/proc/self/task").glob("*/stat")
    return {path: sum(map(int, path.read_text().rpartition(")")[2].split()[11:13])) for path in stats}

z = jnp.linspace(0.1, 30, 2_000_000)
through_native(sc.jv, jnp.float64(0.3), z)[0].block_until_ready()
before = ticks()
through_native(sc.jv, jnp.float64(0.3), z)[0].block_until_ready()
print(sum(spent - before.get(path, 0) >= 5 for path, spent in ticks().items()))
"""
    if not os.path.isdir("/proc/self/task"):
        pytest.skip("needs Linux's /proc")
    assert int(run_python(code)) >= 2


def test_operands_are_not_copied() -> None:
    """A scalar and a column against a row: XLA allocates the operands and the result, nothing else."""
    row, column = jnp.ones((1, 4000)), jnp.ones((1000, 1))
    compiled = jax.jit(lambda *args: through_native(np.arctan2, *args)).lower(row, column).compile()
    memory = compiled.memory_analysis()
    assert memory.temp_size_in_bytes < 4096
    assert memory.output_size_in_bytes == pytest.approx(8 * 4_000_000, abs=64)
