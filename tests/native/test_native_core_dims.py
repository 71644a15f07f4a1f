"""Generalised ufuncs: their own signature says which dimensions the loop walks by itself."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P
from native_helpers import assert_same_bits
from numpy.linalg import _umath_linalg as lapack
from scipy.special import _gufuncs

import jaxscipy_ext as jse
from jaxscipy_ext.runtime import host_call, native

RNG = np.random.default_rng(5)


@pytest.fixture(autouse=True, params=["native", "callback"])
def path(request: pytest.FixtureRequest) -> Iterator[str]:
    before, jse.config.backend = jse.config.backend, request.param
    yield request.param
    jse.config.backend = before


def assert_path(path: str, call: Any, *args: Any) -> None:
    compiled = jax.jit(call).lower(*args).compile().as_text()
    assert (f'custom_call_target="{native.TARGET}"' in compiled) == (path == "native")


def normal(*shape: int, dtype: Any = np.float64) -> np.ndarray[Any, Any]:
    values = RNG.normal(size=shape)
    return (values + 1j * RNG.normal(size=shape) if np.dtype(dtype).kind == "c" else values).astype(dtype)


def vecdot(a: Any, b: Any) -> Any:
    return host_call(np.vecdot, a, b)


SHAPES = [((4,), (4,)), ((6, 5, 4), (6, 1, 4)), ((7, 1, 3), (5, 3)), ((3, 0), (3, 0)), ((0, 3), (1, 3)), ((9, 1), (1,))]
CASES = [(shapes, np.float64) for shapes in SHAPES] + [(SHAPES[1], d) for d in (np.float32, np.complex128, np.int32)]


@pytest.mark.parametrize(("shapes", "dtype"), CASES, ids=str)
def test_batch_dimensions_broadcast_and_zero_sizes_are_sizes(shapes: Any, dtype: Any, path: str) -> None:
    a, b = (normal(*shape, dtype=dtype) for shape in shapes)
    assert_same_bits(vecdot(a, b), np.vecdot(a, b))
    if np.vecdot(a, b).size:  # else the compiler drops the call
        assert_path(path, vecdot, a, b)


@pytest.mark.parametrize(
    ("name", "dtype"), [("det", np.float64), ("inv", np.complex128), ("eigvals", np.float64), ("eigh_lo", np.float32)]
)
def test_gufuncs_with_matrices_and_several_results(name: str, dtype: Any) -> None:
    host, matrices = getattr(lapack, name), normal(40, 6, 6, dtype=dtype)
    jax.tree.map(assert_same_bits, host_call(host, jnp.asarray(matrices)), host(matrices))


def test_vmap_over_every_argument_and_axis() -> None:
    a, b = normal(6, 5, 4), normal(6, 4)
    assert_same_bits(jax.vmap(vecdot)(a, b), np.vecdot(a, b[:, None]))
    assert_same_bits(jax.vmap(vecdot, (None, 0))(a[0], b), np.vecdot(a[0], b[:, None]))
    assert_same_bits(jax.vmap(vecdot, (1, None))(a, b), np.vecdot(np.moveaxis(a, 1, 0), b))
    solve = jax.jit(jax.vmap(lambda a, b: host_call(lapack.solve1, a, b), (0, None)))
    assert_same_bits(solve(a[:, :4], b[0]), lapack.solve1(a[:, :4], b[0]))


def test_sizes_that_the_signature_leaves_open_are_written() -> None:
    z = RNG.uniform(-0.9, 0.9, 30)  # outside, SciPy leaves some of the results unwritten
    out = tuple(np.empty((30, 3, 4)) for _ in range(2))
    expected = _gufuncs._lqmn(z, out=out)
    for value, wanted in zip(host_call(_gufuncs._lqmn, z, signature="()->(3,4),(3,4)"), expected, strict=True):
        assert_same_bits(value, wanted)
    with pytest.raises(ValueError, match="output dimension 'mp1' occurs in no input; write its size"):
        host_call(_gufuncs._lqmn, z)
    with pytest.raises(ValueError, match=r"does not fit _lqmn, whose own is '\(\)->\(mp1,np1\),\(mp1,np1\)'"):
        host_call(_gufuncs._lqmn, z, signature="()->(4),(4)")


def test_a_loop_of_other_dtypes_is_cast_in_whole_elements(path: str) -> None:
    a, b = RNG.integers(-9, 9, (300, 1, 7), np.int32), normal(300, 2, 7)
    assert_same_bits(vecdot(a, b), np.vecdot(a, b))
    assert_path(path, vecdot, a, b)


def test_optional_dimensions_must_be_there() -> None:
    a, b = normal(5, 3, 4), normal(4, 2)
    assert_same_bits(host_call(np.matmul, a, b), a @ b)
    with pytest.raises(ValueError, match=r"argument 1 has shape \(4,\); its core dimensions are \(k, m\)"):
        host_call(np.matmul, a, b[:, 0])


@pytest.mark.skipif(jax.device_count() < 8, reason="needs 8 devices: another flag is set in XLA_FLAGS")
@pytest.mark.parametrize("kind", [AxisType.Auto, AxisType.Explicit])
def test_shards_of_batch_dimensions_stay_and_core_dimensions_are_made_whole(kind: AxisType, path: str) -> None:
    mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(kind,) * 2)
    a, b = normal(8, 6, 4), normal(8, 1, 4)
    with jax.set_mesh(mesh):
        rows = jax.device_put(a, NamedSharding(mesh, P("x", "y"))), jax.device_put(b, NamedSharding(mesh, P("x")))
        split = jax.device_put(a, NamedSharding(mesh, P("x", None, "y"))), rows[1]
        for args in (rows, split):
            assert_same_bits(jax.jit(vecdot)(*args), np.vecdot(a, b))
        if path == "native":
            assert jax.jit(vecdot)(*rows).sharding.spec == P("x", "y")
            assert not re.search("all-|permute|reduce-scatter", jax.jit(vecdot).lower(*rows).compile().as_text())


SPEC = """
module: user_gufuncs
title: Generalised ufuncs
functions:
  inner:
    summary: Inner product along the last axis.
    host: numpy.vecdot
    args:
      x1: {domain: real, derivative: {unavailable: it is a test}}
      x2: {domain: real, derivative: {unavailable: it is a test}}
  legendre_q:
    summary: Legendre functions of the second kind of degrees 0 to 3, and their derivatives.
    host: scipy.special._gufuncs._lqn
    signature: ()->(4),(4)
    args:
      z: {domain: real, derivative: {unavailable: it is a test}}
    outputs: {q: {}, qp: {}}
"""


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Any:
    cli = pytest.importorskip("jaxscipy_codegen.cli")
    folder: Path = tmp_path_factory.mktemp("gufuncs")
    (folder / "user_gufuncs.yaml").write_text(SPEC)
    assert cli.main(["generate", str(folder / "user_gufuncs.yaml"), "--out", str(folder / "generated_gufuncs")]) == 0
    sys.path.insert(0, str(folder))
    yield importlib.import_module("generated_gufuncs")
    sys.path.remove(str(folder))


def test_a_spec_wraps_them(generated: Any, path: str) -> None:
    a, b, z = normal(5, 4), normal(4), normal(9)
    assert_same_bits(generated.inner(a, b), np.vecdot(a, b))
    assert_path(path, generated.inner, a, b)
    expected = _gufuncs._lqn(z, out=(np.empty((9, 4)), np.empty((9, 4))))
    for value, wanted in zip(jax.vmap(generated.legendre_q)(z), expected, strict=True):
        assert_same_bits(value, wanted)
    with pytest.raises(jse.DerivativeUnavailable, match="it is a test"):
        jax.grad(lambda a: generated.inner(a, b).sum())(a)
