"""jit, vmap, scan, control flow, an outer derivative rule, export and the persistent cache."""

from __future__ import annotations

import functools
import itertools
import re
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special as sc
from jax import export
from native_helpers import assert_same_bits, run_python, through_native

from jaxscipy_ext.runtime import native


def betainc(*args: jax.Array) -> jax.Array:
    return through_native(sc.betainc, *args)[0]


def columns(shape: tuple[int, ...]) -> list[jax.Array]:
    rng = np.random.default_rng(2)
    return [jnp.asarray(rng.uniform(0.1, 0.9, shape)) for _ in range(3)]


@pytest.mark.parametrize("mapped", [m for m in itertools.product([0, None], repeat=3) if any(a == 0 for a in m)])
def test_vmap_over_every_subset(mapped: tuple[int | None, ...]) -> None:
    args = [x if axis == 0 else x[0] for x, axis in zip(columns((6, 4)), mapped, strict=True)]
    expected = [sc.betainc(*(x[k] if a == 0 else x for x, a in zip(args, mapped, strict=True))) for k in range(6)]
    for transform in (jax.vmap, lambda f, axes: jax.jit(jax.vmap(f, axes))):
        assert_same_bits(transform(betainc, mapped)(*args), np.stack(expected))


@pytest.mark.parametrize("axes", [(0, 1, -1), (1, None, 0), (-1, 0, None)])
def test_vmap_over_other_axes(axes: tuple[int | None, ...]) -> None:
    args = [x if axis is not None else x[0] for x, axis in zip(columns((5, 5)), axes, strict=True)]
    rows = [
        np.moveaxis(x, a, 0) if a is not None else np.broadcast_to(x, (5, 5)) for x, a in zip(args, axes, strict=True)
    ]
    assert_same_bits(jax.vmap(betainc, axes)(*args), sc.betainc(*rows))


def test_nested_vmap_of_unequal_ranks() -> None:
    a, b, x = columns((3,))[0], columns((4,))[1], columns((5,))[2]
    nested = jax.vmap(jax.vmap(jax.vmap(betainc, (None, None, 0)), (None, 0, None)), (0, None, None))
    a_, b_, x_ = (np.asarray(value) for value in (a, b, x))
    assert_same_bits(jax.jit(nested)(a, b, x), sc.betainc(a_[:, None, None], b_[:, None], x_))


def test_vmap_with_several_results_keeps_the_callback_out_of_the_program() -> None:
    z = jnp.linspace(-3, 3, 12).reshape(3, 4)
    program = jax.jit(jax.vmap(lambda z: through_native(sc.airy, z)))
    for value, expected in zip(program(z), sc.airy(np.asarray(z)), strict=True):
        assert_same_bits(value, expected)
    targets = re.findall(r'custom_call_target="([^"]+)"', program.lower(z).compile().as_text())
    assert targets == [native.TARGET]


def test_scan_while_and_cond() -> None:
    def step(carry: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        (value,) = through_native(sc.j0, carry)
        return value + x, value

    xs = np.linspace(0, 1, 50)
    carry, expected = np.float64(0.3), []
    for x in xs:
        expected.append(sc.j0(carry))
        carry = expected[-1] + x
    assert_same_bits(jax.jit(lambda xs: jax.lax.scan(step, jnp.float64(0.3), xs))(xs)[1], np.array(expected))
    branch = jax.jit(lambda c, z: jax.lax.cond(c, lambda z: through_native(sc.j0, z)[0], lambda z: -z, z))
    assert_same_bits(branch(True, 2.5), sc.j0(2.5))
    looped = jax.lax.fori_loop(0, 3, lambda _, z: through_native(sc.j0, z)[0], jnp.float64(1.0))
    assert_same_bits(looped, sc.j0(sc.j0(sc.j0(1.0))))


def test_under_an_outer_derivative_rule() -> None:
    @jax.custom_jvp
    def j0(z: jax.Array) -> jax.Array:
        return through_native(sc.j0, z)[0]

    @j0.defjvp
    def _(primals: tuple[jax.Array], tangents: tuple[jax.Array]) -> tuple[jax.Array, jax.Array]:
        (z,), (dz,) = primals, tangents
        return j0(z), -through_native(sc.j1, z)[0] * dz

    z = jnp.linspace(0.1, 20, 40)
    expected = -sc.j1(np.asarray(z))
    assert_same_bits(jax.vmap(jax.grad(j0))(z), expected)
    assert_same_bits(jnp.diagonal(jax.jacfwd(j0)(z)), expected)
    assert_same_bits(jnp.diagonal(jax.jacrev(j0)(z)), expected)
    assert_same_bits(jax.jit(jax.grad(lambda z: jax.checkpoint(j0)(z).sum()))(z), expected)


def test_without_one_differentiation_is_refused() -> None:
    with pytest.raises((ValueError, NotImplementedError), match=r"cannot be differentiated|Differentiation rule"):
        jax.grad(lambda z: through_native(sc.j0, z)[0])(1.0)


EXPORTING = """
import jax, jax.numpy as jnp, scipy.special as sc
from jax import export
from pathlib import Path
from native_helpers import through_native
import jaxscipy_ext as jse
jax.config.update("jax_enable_x64", True)
shape = export.symbolic_shape("n, 3")
z = jax.ShapeDtypeStruct(shape, jnp.float64)
order = jax.ShapeDtypeStruct((1, 3), jnp.float64)
program = jax.jit(lambda v, z: through_native(sc.jv, v, z)[0])
exported = export.export(program, platforms=["cpu"], disabled_checks=jse.disabled_checks())(order, z)
Path("{path}").write_bytes(exported.serialize())
"""

LOADING = """
import jax, numpy as np, scipy.special as sc
from jax import export
from pathlib import Path
import jaxscipy_ext
jax.config.update("jax_enable_x64", True)
program = export.deserialize(Path("{path}").read_bytes())
v, z = np.array([[0.5, 1.0, 1.5]]), np.linspace(0, 9, 15).reshape(5, 3)
assert (np.asarray(program.call(v, z)) == sc.jv(v, z)).all()
print("equal")
"""


def test_an_exported_program_with_a_symbolic_size_runs_in_another_process(tmp_path: Path) -> None:
    pytest.importorskip("flatbuffers")  # jax.export needs it to write
    path = tmp_path / "jv.bin"
    run_python(EXPORTING.format(path=path))
    assert run_python(LOADING.format(path=path)).strip() == "equal"


def test_export_here() -> None:
    pytest.importorskip("flatbuffers")
    z = jnp.linspace(0, 3, 4)
    exported = export.export(
        jax.jit(lambda z: through_native(sc.j0, z)[0]), platforms=["cpu"], disabled_checks=native.disabled_checks()
    )(z)
    assert_same_bits(export.deserialize(exported.serialize()).call(z), sc.j0(np.asarray(z)))


CACHING = """
import jax, jax.numpy as jnp, numpy as np, scipy.special as sc
from jax import monitoring
from native_helpers import through_native
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_compilation_cache_dir", "{path}")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
hits = []
monitoring.register_event_listener(lambda event, **_: hits.append(event) if event.endswith("cache_hits") else None)
z = np.linspace(0, 9, 11)
assert (np.asarray(jax.jit(lambda z: through_native(sc.i0e, z)[0])(z)) == sc.i0e(z)).all()
print(len(hits))
"""


def test_the_persistent_cache_serves_a_second_process(tmp_path: Path) -> None:
    flags = {"XLA_FLAGS": ""}  # one device: with several, custom_partitioning keeps the program out of the cache
    first, second = (run_python(CACHING.format(path=tmp_path), **flags) for _ in range(2))
    assert (int(first), int(second)) == (0, 1)


def test_names_of_loops_are_stable() -> None:
    program = jax.jit(functools.partial(through_native, sc.psi))
    assert 'loop = "scipy.special.psi:d->d"' in program.lower(jnp.ones(3)).as_text()
