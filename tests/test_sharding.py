"""Sharded arguments on eight forced host devices: right on every shard, whatever comes next."""

import math
import re
from collections.abc import Callable
from typing import Any

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
# Before jax 0.10.2, `jnp.where(mapped, unmapped, 0.5)`, which rules need, raises under `vmap` over explicit axes.
WHERE_UNDER_VMAP = jax.__version_info__ >= (0, 10, 2)
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
        for f, slope in [(jse.kv, sc.kvp), *([(jse.jv, sc.jvp)] if WHERE_UNDER_VMAP or _auto(mesh) else [])]:
            each = jax.vmap(jax.grad(f, 1), (None, 0))(1.5, put(mesh, Z[:, 0], PartitionSpec("x")))
            assert_allclose(each, slope(1.5, Z[:, 0]), rtol=1e-12, atol=1e-14)


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


COLLECTIVES = re.compile(r"(all-gather|all-reduce|all-to-all|collective-permute|reduce-scatter)(?:-start)?\(")
ORDER = jnp.float64(1.5)
COLUMN = jnp.asarray(V)


def each(f: Callable[..., Any], argnum: int) -> Callable[[Any], Any]:
    """The derivative of `f(1.5, z)` at every element (of a constant, `shard_map` would sum over the devices)."""
    return jax.vmap(jax.vmap(lambda z: jax.grad(f, argnum)(1.5 + 0 * z, z)))


# The derivatives in orders and in q have NumPy kernels: they go through a callback on every path.
PROGRAMS: dict[str, tuple[Callable[[Any], Any], Callable[[], Any]]] = {
    "value": (lambda z: jse.jv(1.5, z), lambda: sc.jv(1.5, Z)),
    "a replicated scalar": (lambda z: jse.kv(ORDER, z), lambda: sc.kv(1.5, Z)),
    "a replicated column": (lambda z: jse.jv(COLUMN, z), lambda: sc.jv(V, Z)),
    "integer orders": (lambda z: jse.kn(jnp.int32(2), z), lambda: sc.kn(2, Z)),
    "several outputs": (jse.airy, lambda: sc.airy(Z)),
    "a pullback": (
        lambda z: jax.vjp(lambda z: jse.jv(1.5, z), z)[1](jnp.ones_like(z))[0],
        lambda: sc.jvp(1.5, Z),
    ),
    "vmap of grad": (each(jse.kv, 1), lambda: sc.kvp(1.5, Z)),
    "second derivatives": (each(lambda v, z: jax.grad(jse.kv, 1)(v, z), 1), lambda: sc.kvp(1.5, Z, 2)),
    "grad of several outputs": (
        lambda z: jax.vmap(jax.vmap(jax.grad(lambda z: jse.airy(z).ai)))(z),
        lambda: sc.airy(Z)[1],
    ),
    "vmap of grad in the order": (each(jse.jv, 0), lambda: difference(lambda v: sc.jv(v, Z), 1.5)),
    "second derivatives in the order": (
        each(lambda v, z: jax.grad(jse.kv)(v, z), 1),
        lambda: difference(lambda v: sc.kvp(v, Z), 1.5),
    ),
    "several outputs in the parameter": (
        lambda z: jax.jvp(lambda q: jse.mathieu_cem(2, q, z), (z,), (jnp.ones_like(z),))[1],
        lambda: tuple(difference(lambda h: np.array(sc.mathieu_cem(2, Z + h, Z)), 0.0)),
    ),
}


def difference(f: Callable[[float], Any], x: float) -> Any:
    """Good to 1e-10 times the size of `f`."""
    h = 1e-3
    return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h)


@pytest.mark.parametrize("where", ["outside", "shard_map", "shard_map, no check"])
@pytest.mark.parametrize("kind", [AxisType.Auto, AxisType.Explicit])
@pytest.mark.parametrize("axes", [("x",), ("x", "y")], ids=["1-D", "2-D"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_shards_stay_where_they_are(name: str, axes: tuple[str, ...], kind: AxisType, where: str) -> None:
    """Right values, the sharding of the argument, no communication, and no more memory than the shards need."""
    explicit = kind == AxisType.Explicit and where == "outside"
    if name == "vmap of grad in the order" and explicit and not WHERE_UNDER_VMAP:
        pytest.skip("jax refuses jnp.where there before 0.10.2")
    program, expected = PROGRAMS[name]
    sizes = (4, 2) if len(axes) == 2 else (4,)
    mesh = jax.make_mesh(sizes, axes, axis_types=(kind,) * len(axes), devices=jax.devices("cpu")[: math.prod(sizes)])
    spec = PartitionSpec(*axes)
    z = put(mesh, Z, spec)
    if where != "outside":
        if name == "a replicated column":
            pytest.skip("inside shard_map, a column has the length of a shard")
        program = jax.shard_map(program, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=where == "shard_map")
    with jax.set_mesh(mesh):
        compiled = jax.jit(program).lower(z).compile()
        results = jax.tree.leaves(compiled(z))
        for result, want in zip(results, jax.tree.leaves(expected()), strict=True):
            assert_allclose(result, want, rtol=1e-9, atol=1e-9 if "the" in name.split() else 1e-12)
        assert not COLLECTIVES.findall(compiled.as_text())
        for result in results:
            assert result.sharding.is_equivalent_to(z.sharding, z.ndim), result.sharding
        memory = compiled.memory_analysis()
        shard = Z.nbytes // math.prod(sizes)
        assert memory.argument_size_in_bytes <= shard + 256  # a replicated order or column beside it
        assert memory.output_size_in_bytes <= len(results) * (shard + 8)


def test_differently_sharded_arguments_with_explicit_axes_are_refused() -> None:
    mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Explicit,) * 2, devices=jax.devices("cpu")[:8])
    a, b = put(mesh, Z, PartitionSpec("x", "y")), put(mesh, Z, PartitionSpec("y", None))
    with jax.set_mesh(mesh), pytest.raises(TypeError, match="sharded differently along dimension 0"):
        jse.jv(a, b)
