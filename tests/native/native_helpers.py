"""A ufunc as a JAX function through `native_call`, without the rest of the runtime."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxscipy_ext.runtime import native

ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def host_callback(host: np.ufunc, out_dtypes: tuple[np.dtype[Any], ...]) -> Callable[..., tuple[jax.Array, ...]]:
    """What accelerators run; on CPU it must never be called."""

    def evaluate(*args: Any) -> tuple[np.ndarray[Any, Any], ...]:
        raise AssertionError("the callback ran on a CPU")

    def callback(*args: jax.Array) -> tuple[jax.Array, ...]:
        shape = jnp.broadcast_shapes(*(arg.shape for arg in args))
        avals = tuple(jax.ShapeDtypeStruct(shape, dtype) for dtype in out_dtypes)
        return jax.pure_callback(evaluate, avals, *args, vmap_method="expand_dims")

    return callback


@functools.cache
def _jitted(host: np.ufunc, out_dtypes: tuple[np.dtype[Any], ...]) -> Callable[..., tuple[jax.Array, ...]]:
    def call(*args: jax.Array) -> tuple[jax.Array, ...]:
        shape = jnp.broadcast_shapes(*(arg.shape for arg in args))
        avals = tuple(jax.ShapeDtypeStruct(shape, dtype) for dtype in out_dtypes)
        return native.native_call(host, args, avals, callback=host_callback(host, out_dtypes))

    return jax.jit(call)


def through_native(host: np.ufunc, *args: Any, out_dtypes: tuple[Any, ...] | None = None) -> tuple[jax.Array, ...]:
    """Evaluate `host` for arrays of any ranks, all results in a tuple."""
    arrays = [jnp.asarray(arg) for arg in args]
    rank = max(array.ndim for array in arrays)
    arrays = [array.reshape((1,) * (rank - array.ndim) + array.shape) for array in arrays]
    if out_dtypes is None:
        out_dtypes = host.resolve_dtypes((*(array.dtype for array in arrays), *[None] * host.nout))[host.nin :]
    return _jitted(host, tuple(map(np.dtype, out_dtypes)))(*arrays)


def assert_same_bits(actual: Any, expected: Any) -> None:
    """Equal bit for bit, the sign of zero included; any NaN equals any other."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    for part in ("real", "imag"):
        a, b = getattr(actual, part), getattr(expected, part)
        np.testing.assert_array_equal(a, b)
        if a.dtype.kind == "f":
            numbers = ~np.isnan(a)
            np.testing.assert_array_equal(np.signbit(a)[numbers], np.signbit(b)[numbers])


def run_python(code: str, *, timeout: float = 300, **environment: str) -> str:
    """Run a program in a new process with this checkout importable and return what it prints."""
    path = os.pathsep.join([str(ROOT), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path, "JAX_PLATFORMS": "cpu", **environment},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
