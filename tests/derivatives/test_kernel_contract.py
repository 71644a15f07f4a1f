"""What every kernel promises: broadcasting, dtypes, NaN, no writing, bounded memory, no JAX."""

import inspect
import pickle
import subprocess
import sys
import tracemalloc
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from reference_table import MODULES

from jaxscipy_ext.derivatives._kernel import BLOCK_BYTES, Kernel, by_region, kernel

KERNELS = {
    name: value
    for module in MODULES
    for name, value in vars(import_module(f"jaxscipy_ext.derivatives.{module}")).items()
    if isinstance(value, Kernel) and not name.startswith("_")
}
POINTS = {
    "h2": 1.0, "k2": 2.0, "n": 2.0, "p": 1.0, "m": 1.0, "a": 0.7, "b": 1.3, "c": 1.7, "v": 0.8, "q": 0.6,
    "alpha": 0.4, "beta": 0.3, "s": 1.9, "signm": 1.0, "signn": 1.0,
}  # fmt: skip


def arguments(name: str) -> list[float]:
    """A point inside the domain, from the names of the arguments."""
    names = list(inspect.signature(KERNELS[name]).parameters)
    last = 1.5 if "rad" in name else 0.25
    point = [POINTS.get(n, last) for n in names]
    return [2.5, 0.9, 0.5, last] if name.startswith("eval_sh_jacobi") else point


def outputs(value: Any) -> list[Any]:
    return list(value) if isinstance(value, tuple) else [value]


@pytest.mark.parametrize("name", KERNELS)
def test_scalars_arrays_and_dtypes(name: str) -> None:
    point = arguments(name)
    scalar = outputs(KERNELS[name](*point))
    assert all(np.ndim(s) == 0 and np.isfinite(s) for s in scalar)
    columns = [np.full((2, 1), point[0]), *point[1:-1], np.full(3, point[-1])]
    before = [np.array(c) for c in columns]
    for array, one in zip(outputs(KERNELS[name](*columns)), scalar, strict=True):
        assert array.shape == (2, 3)
        assert array.dtype in (np.float64, np.complex128)
        np.testing.assert_array_equal(array, one)
    for after, then in zip(columns, before, strict=True):
        np.testing.assert_array_equal(after, then)
    single = outputs(KERNELS[name](*(np.float32(q) for q in point)))
    assert all(s.dtype in (np.float64, np.complex128) for s in single)


@pytest.mark.parametrize("name", KERNELS)
def test_nan_and_nothing(name: str) -> None:
    point = arguments(name)
    for k in range(len(point)):
        spoilt = [np.nan if i == k else q for i, q in enumerate(point)]
        assert all(np.isnan(v) for v in outputs(KERNELS[name](*spoilt))), k
    empty = outputs(KERNELS[name](*point[:-1], np.zeros((0, 4))))
    assert all(e.shape == (0, 4) for e in empty)


@pytest.mark.parametrize("name", KERNELS)
def test_infinite_and_huge_arguments_do_not_raise_or_hang(name: str) -> None:
    point = arguments(name)
    for k in range(len(point)):
        for extreme in (np.inf, -np.inf, -1.0, 0.0, 1e300, -1e300, 5e-324):
            KERNELS[name](*(extreme if i == k else q for i, q in enumerate(point)))


@pytest.mark.parametrize("name", ["jv_dv", "iv_dv", "hyp2f1_da", "pbdv_dv", "lpmv_dv"])
def test_temporaries_do_not_grow_with_the_input(name: str) -> None:
    point = arguments(name)
    size = 60_000
    tracemalloc.start()
    KERNELS[name](*point[:-1], np.full(size, point[-1]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * 8 * size + 40 * BLOCK_BYTES


@pytest.mark.parametrize("name", ["jv_dv", "hankel1_dv", "pro_rad1_dc"])
def test_kernels_are_pickled_by_reference(name: str) -> None:
    assert pickle.loads(pickle.dumps(KERNELS[name])) is KERNELS[name]


def test_complex_arguments_only_where_they_are_served() -> None:
    with pytest.raises(TypeError, match="lpmv_dv takes real arguments only"):
        KERNELS["lpmv_dv"](1, 0.5, 0.3j)
    with pytest.raises(TypeError, match="in its last argument only"):
        KERNELS["jv_dv"](1j, 0.5)


def test_blocks_join_without_a_seam() -> None:
    @kernel(work=BLOCK_BYTES // 8 // 7, domain=lambda x, y: x != 3)
    def add(x: Any, y: Any) -> Any:
        assert x.size <= 7
        return x + y

    x = np.arange(40.0).reshape(5, 8)
    want = x + 1
    want[x == 3] = np.nan
    np.testing.assert_array_equal(add(x, 1), want)


def test_first_region_wins() -> None:
    x = np.array([-1.0, 0.0, 1.0, 2.0])
    got = by_region((x,), (x > 1, 7.0), (x > 0, lambda x: -x), (x > -1, lambda x: 10 + x))
    np.testing.assert_array_equal(got, [np.nan, 10, -1, 7])


def test_kernels_need_neither_jax_nor_more_of_scipy_at_import() -> None:
    """scipy.linalg alone took 40 of the 150 ms that importing the package may."""
    names = [f"jaxscipy_ext.derivatives.{module}" for module in MODULES]
    code = (
        "import importlib, sys, types, scipy.special\n"
        "before = set(sys.modules)\n"
        "package = types.ModuleType('jaxscipy_ext')\n"
        f"package.__path__ = [{str(next(iter(import_module('jaxscipy_ext').__path__)))!r}]\n"
        "sys.modules['jaxscipy_ext'] = package\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        "assert 'jax' not in sys.modules\n"
        "assert not [name for name in set(sys.modules) - before if name.startswith('scipy.')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
