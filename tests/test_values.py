"""Values are those of the installed SciPy, bit for bit: every function, dtype and path, special values included."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from spec_entries import has_complex_loop, public_functions, scipys_own, special_points

import jaxscipy_ext as jse

FUNCTIONS = public_functions()
# Their second solution is memory that SciPy never wrote for m = 0 and small c*x: another value in another thread.
RANDOM = ("obl_rad2", "obl_rad2_cv")
DTYPES: list[Any] = [np.float32, np.float64, np.complex64, np.complex128]


def cases() -> list[Any]:
    return [
        pytest.param(name, dtype, id=f"{name}-{np.dtype(dtype).name}")
        for name, function in FUNCTIONS.items()
        if name not in RANDOM
        for dtype in DTYPES
        if not np.issubdtype(dtype, np.complexfloating) or has_complex_loop(function)
    ]


def assert_same_bits(got: Any, want: Any, points: list[np.ndarray], context: str) -> None:
    got, want = np.asarray(got), np.asarray(want)
    want = want.astype(got.dtype)
    parts = [(got.real, want.real), (got.imag, want.imag)] if got.dtype.kind == "c" else [(got, want)]
    for g, w in parts:
        same = ((g == w) & (np.signbit(g) == np.signbit(w))) | (np.isnan(g) & np.isnan(w))
        if not np.all(same):
            at = int(np.flatnonzero(~same)[0])
            inputs = ", ".join(repr(p[at].item()) for p in points)
            raise AssertionError(
                f"{context} at ({inputs}): {got[at]!r}, SciPy has {want[at]!r}; {np.sum(~same)} differ"
            )


@pytest.mark.device
@pytest.mark.parametrize(("name", "dtype"), cases())
def test_equal_to_scipy(name: str, dtype: Any) -> None:
    function = FUNCTIONS[name]
    points = special_points(function, dtype)
    wanted = scipys_own(function, points)
    f = getattr(jse, name)
    arrays = [jnp.asarray(p) for p in points]
    compiled = jax.jit(lambda *args: {"jit": f(*args), "vmap": jax.vmap(f)(*args)})  # one program: half the time
    for how, found in {"eager": f(*arrays), **compiled(*arrays)}.items():
        results = found if isinstance(found, tuple) else (found,)
        assert len(results) == len(wanted)
        for got, want in zip(results, wanted, strict=True):
            precision = np.finfo(got.dtype).dtype
            assert precision == np.finfo(dtype).dtype, f"{name} of {np.dtype(dtype)} gives {got.dtype}"
            assert_same_bits(got, want, points, f"{name} ({how})")
