"""Sharded arguments: no communication, the result sharded as they are, equal to one device's."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special as sc
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P
from native_helpers import assert_same_bits, through_native

from jaxscipy_ext.runtime import native

pytestmark = pytest.mark.skipif(jax.device_count() < 8, reason="needs 8 devices: another flag is set in XLA_FLAGS")

COLLECTIVES = re.compile(r"(all-gather|all-reduce|all-to-all|collective-permute|reduce-scatter)(?:-start)?\(")


def mesh(*sizes: int, kind: AxisType = AxisType.Auto) -> jax.sharding.Mesh:
    return jax.make_mesh(sizes, ("x", "y")[: len(sizes)], axis_types=(kind,) * len(sizes))


def jv(v: jax.Array, z: jax.Array) -> jax.Array:
    return through_native(sc.jv, v, z)[0]


def check(call: Callable[..., Any], *args: Any, expected: Any, spec: P) -> None:
    """The value, its sharding, the sizes of the shards, and a program without collectives."""
    result = jax.jit(call)(*args)
    assert_same_bits(result, expected)
    assert result.sharding.is_equivalent_to(NamedSharding(result.sharding.mesh, spec), result.ndim), result.sharding
    assert_same_bits(result + 1, expected + 1)
    text = jax.jit(call).lower(*args).compile().as_text()
    assert not COLLECTIVES.findall(text)
    assert set(re.findall(r'custom_call_target="([^"]+)"', text)) == {native.TARGET}


V, Z = np.linspace(0, 3, 8)[:, None], np.linspace(0.1, 30, 64)[None]
GRID = np.random.default_rng(3).uniform(0.1, 9, (8, 64))

CASES = {
    "scalar with vector": ((8,), (np.full(1, 1.5), P()), (Z[0], P("x")), P("x")),
    "row over the second axis": ((8,), (V, P()), (Z, P(None, "x")), P(None, "x")),
    "sharded column, whole row": ((8,), (V, P("x")), (Z, P()), P("x")),
    "both axes": ((4, 2), (GRID, P("x", "y")), (GRID[::-1], P("x", "y")), P("x", "y")),
    "column over x, row over y": ((4, 2), (V, P("x")), (Z, P(None, "y")), P("x", "y")),
    "two mesh axes on one dimension": ((4, 2), (np.ones((1, 1)), P()), (Z, P(None, ("x", "y"))), P(None, ("x", "y"))),
    "one mesh axis unused": ((4, 2), (np.ones((1, 1)), P()), (GRID, P("x")), P("x")),
    "replicated": ((8,), (np.float64(1.5), P()), (np.float64(2.5), P()), P()),
}


@pytest.mark.parametrize("case", CASES)
def test_auto_axes(case: str) -> None:
    sizes, (v, v_spec), (z, z_spec), spec = CASES[case]
    devices = mesh(*sizes)
    args = jax.device_put(v, NamedSharding(devices, v_spec)), jax.device_put(z, NamedSharding(devices, z_spec))
    check(jv, *args, expected=sc.jv(v, z), spec=spec)
    with jax.set_mesh(devices):
        check(jv, *args, expected=sc.jv(v, z), spec=spec)


@pytest.mark.parametrize("check_vma", [True, False])
@pytest.mark.parametrize("kind", [AxisType.Auto, AxisType.Explicit])
@pytest.mark.parametrize("case", CASES)
def test_inside_shard_map(case: str, kind: AxisType, check_vma: bool) -> None:
    sizes, (v, v_spec), (z, z_spec), spec = CASES[case]
    devices = mesh(*sizes, kind=kind)
    args = jax.device_put(v, NamedSharding(devices, v_spec)), jax.device_put(z, NamedSharding(devices, z_spec))
    mapped = jax.shard_map(jv, mesh=devices, in_specs=(v_spec, z_spec), out_specs=spec, check_vma=check_vma)
    with jax.set_mesh(devices):
        check(mapped, *args, expected=sc.jv(v, z), spec=spec)


@pytest.mark.parametrize("case", ["both axes", "column over x, row over y"])
@pytest.mark.parametrize("axis", ["x", "y"])
def test_inside_shard_map_over_one_of_two_axes(case: str, axis: str) -> None:
    sizes, (v, v_spec), (z, z_spec), spec = CASES[case]
    devices = mesh(*sizes)
    args = jax.device_put(v, NamedSharding(devices, v_spec)), jax.device_put(z, NamedSharding(devices, z_spec))
    manual = [P(*(name if name == axis else None for name in specs)) for specs in (v_spec, z_spec, spec)]
    mapped = jax.shard_map(jv, mesh=devices, in_specs=tuple(manual[:2]), out_specs=manual[2], axis_names={axis})
    check(mapped, *args, expected=sc.jv(v, z), spec=spec)


def test_several_results() -> None:
    z = jax.device_put(GRID, NamedSharding(mesh(4, 2), P("x", "y")))
    for k, expected in enumerate(sc.airy(GRID)):
        check(lambda z, k=k: through_native(sc.airy, z)[k], z, expected=expected, spec=P("x", "y"))


def test_vmap_of_sharded_arguments() -> None:
    devices = mesh(4, 2)
    v = jax.device_put(V[:, 0], NamedSharding(devices, P("x")))
    z = jax.device_put(Z[0], NamedSharding(devices, P("y")))
    check(jax.vmap(jax.vmap(jv, (None, 0)), (0, None)), v, z, expected=sc.jv(V, Z), spec=P("x", "y"))


def test_scan_over_a_sharded_carry() -> None:
    z = jax.device_put(Z[0], NamedSharding(mesh(8), P("x")))

    def three(z: jax.Array) -> jax.Array:
        return jax.lax.scan(lambda carry, _: (jv(jnp.float64(0.5), carry), None), z, length=3)[0]

    expected = sc.jv(0.5, sc.jv(0.5, sc.jv(0.5, Z[0])))
    check(three, z, expected=expected, spec=P("x"))


def test_each_device_computes_its_shard_only() -> None:
    z = jax.device_put(np.ones((8, 100_000)), NamedSharding(mesh(8), P("x")))
    memory = jax.jit(lambda z: jv(jnp.float64(0.5), z)).lower(z).compile().memory_analysis()
    assert memory.output_size_in_bytes < 1.01 * 8 * 100_000
    assert memory.temp_size_in_bytes < 4096
