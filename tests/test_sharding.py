"""Sharded arguments on eight forced host devices: right on every shard, whatever comes next."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special as sc
from jax.sharding import AxisType, NamedSharding, PartitionSpec
from numpy.testing import assert_allclose, assert_array_equal

import jaxscipy_ext as jse

pytestmark = pytest.mark.skipif(len(jax.devices("cpu")) < 8, reason="needs 8 forced host devices")

Z = np.linspace(0.5, 9.0, 64).reshape(16, 4)
V = np.linspace(0.0, 3.0, 16)[:, None]
SPECS = [PartitionSpec("x", "y"), PartitionSpec("x"), PartitionSpec(None, "y"), PartitionSpec(("x", "y"))]


@pytest.fixture(params=[AxisType.Auto, AxisType.Explicit], ids=["auto", "explicit"])
def mesh(request: pytest.FixtureRequest) -> jax.sharding.Mesh:
    return jax.make_mesh((4, 2), ("x", "y"), axis_types=(request.param,) * 2, devices=jax.devices("cpu")[:8])


def put(mesh: jax.sharding.Mesh, array: np.ndarray, spec: PartitionSpec) -> jax.Array:
    return jax.device_put(jnp.asarray(array), NamedSharding(mesh, spec))


def assert_right_on_every_shard(array: jax.Array, want: np.ndarray) -> None:
    for shard in array.addressable_shards:
        assert_array_equal(np.asarray(shard.data), want[shard.index])


@pytest.mark.parametrize("spec", SPECS, ids=str)
@pytest.mark.parametrize("how", ["eager", "jit"])
def test_value_and_what_comes_next(mesh: jax.sharding.Mesh, spec: PartitionSpec, how: str) -> None:
    z = put(mesh, Z, spec)
    f = jse.jv if how == "eager" else jax.jit(jse.jv)
    want = sc.jv(1.5, Z)
    with jax.set_mesh(mesh):
        result = f(1.5, z)
        assert_right_on_every_shard(result, want)
        assert_right_on_every_shard(result + 1, want + 1)
        assert_allclose(result.sum(), want.sum(), rtol=1e-13)
        assert_allclose(jax.jit(lambda r: 2 * r)(result), 2 * want, rtol=1e-15)
        picked = result[3, 2] if _auto(mesh) else result.at[3, 2].get(out_sharding=PartitionSpec())
        assert_array_equal(picked, want[3, 2])
        assert_array_equal(f(1.5, result), sc.jv(1.5, want))


def _auto(mesh: jax.sharding.Mesh) -> bool:
    return AxisType.Auto in mesh.axis_types


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_broadcasting_a_sharded_column(mesh: jax.sharding.Mesh, spec: PartitionSpec) -> None:
    rows = PartitionSpec(spec[0])
    v, z = put(mesh, V, rows), put(mesh, Z, spec)
    with jax.set_mesh(mesh):
        assert_right_on_every_shard(jax.jit(jse.jv)(v, z), sc.jv(V, Z))
        assert_right_on_every_shard(jse.kv(v, z), sc.kv(V, Z))


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_gradients(mesh: jax.sharding.Mesh, spec: PartitionSpec) -> None:
    z = put(mesh, Z, spec)
    want = 2 * sc.jv(1.5, Z) * sc.jvp(1.5, Z)
    with jax.set_mesh(mesh):
        gradient = jax.jit(jax.grad(lambda z: (jse.jv(1.5, z) ** 2).sum()))(z)
        assert_allclose(gradient, want, rtol=1e-11, atol=1e-14)
        each = jax.vmap(jax.grad(jse.jv, 1), (None, 0))(1.5, put(mesh, Z[:, 0], PartitionSpec("x")))
        assert_allclose(each, sc.jvp(1.5, Z[:, 0]), rtol=1e-12, atol=1e-14)


def test_several_outputs(mesh: jax.sharding.Mesh) -> None:
    z = put(mesh, Z, PartitionSpec("x", "y"))
    with jax.set_mesh(mesh):
        for got, want in zip(jax.jit(jse.airy)(z), sc.airy(Z), strict=True):
            assert_right_on_every_shard(got, want)
        mapped = jax.shard_map(
            jse.airy, mesh=mesh, in_specs=PartitionSpec("x", "y"), out_specs=PartitionSpec("x", "y"), check_vma=False
        )
        for got, want in zip(jax.jit(mapped)(z), sc.airy(Z), strict=True):
            assert_right_on_every_shard(got, want)


def test_inside_shard_map_nothing_is_gathered(mesh: jax.sharding.Mesh) -> None:
    spec = PartitionSpec("x", "y")
    z = put(mesh, Z, spec)
    mapped = jax.jit(jax.shard_map(lambda z: jse.jv(1.5, z), mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False))
    with jax.set_mesh(mesh):
        assert_right_on_every_shard(mapped(z), sc.jv(1.5, Z))
        gradient = jax.jit(
            jax.shard_map(
                jax.vmap(jax.vmap(jax.grad(lambda z: jse.jv(1.5, z)))),
                mesh=mesh,
                in_specs=spec,
                out_specs=spec,
                check_vma=False,
            )
        )
        assert_allclose(gradient(z), sc.jvp(1.5, Z), rtol=1e-12, atol=1e-14)
        for program in (mapped, gradient):
            text = program.lower(z).compile().as_text()
            assert not any(word in text for word in ("all-gather", "all-reduce", "all-to-all", "collective-permute"))


def test_differently_sharded_arguments_with_explicit_axes_are_refused() -> None:
    mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Explicit,) * 2, devices=jax.devices("cpu")[:8])
    a, b = put(mesh, Z, PartitionSpec("x", "y")), put(mesh, Z, PartitionSpec("y", None))
    with jax.set_mesh(mesh), pytest.raises(TypeError, match="sharded differently along dimension 0"):
        jse.jv(a, b)
