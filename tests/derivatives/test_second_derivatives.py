"""Second derivatives in parameters, through the public functions, against mpmath: Hessians and mixed derivatives."""

import itertools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import mpmath as mp
import mpmath_functions as functions
import numpy as np
import pytest

import jaxscipy_ext as jse

ORDERS = (-2.5, -2.0, 0.0, 0.5, 1.0, 1.00000001, 7.3, 20.0)
BESSEL = [(v, z) for v, z in itertools.product(ORDERS, (0.7, 12.0)) if (v, z) != (0.0, 12.0)]
WEAK_POLES: dict[str, list[tuple[float, ...]]] = {
    "hyp0f1": [(-6.0654740994877, 0.0960727), (-6.3, 0.1), (-6.0000001, 0.1)],
    "hyp1f1": [(0.25, -6.003, -0.007), (1.6047, -4.1275, 0.0013468), (-1.95, -3.845, -0.008)],
    "hyp2f1": [(2.0, -2.7, -7.0013, 0.0184), (2.0, -2.7, -7.01, 0.0184), (0.1896, 2.652, -8.013, -0.0285)],
}
"""Beside poles so weak that the function's values don't show them, but its second derivatives do."""
CASES: dict[str, tuple[Callable[..., Any], list[tuple[float, ...]], float]] = {
    "jv": (mp.besselj, BESSEL, 1e-10),
    "yv": (mp.bessely, BESSEL, 1e-10),
    "iv": (mp.besseli, BESSEL, 1e-10),
    "kv": (mp.besselk, [(v, z) for v, z in BESSEL if v], 1e-10),
    "gammainc": (functions.gammainc, [(0.3, 0.2), (1.0, 2.0), (4.5, 3.0), (80.0, 90.0)], 1e-10),
    "betainc": (functions.betainc, [(0.5, 0.5, 0.3), (2.0, 3.0, 0.6), (40.0, 7.5, 0.8)], 1e-10),
    "stdtr": (lambda df, t: mp.mpf(1) / 2 + functions.stdtr(df, t), [(0.7, 0.3), (1.0, 2.0), (5.0, 1.0), (60.0, 3.0)],
              1e-9),
    "hyp1f1": (mp.hyp1f1, [(0.5, 1.5, 2.0), (-2.0, 1.5, 2.0), (1.5, -2.5, -3.0), (-3.0, 2.0, 7.0),
                           (0.5, -1.99999999, 2.0), *WEAK_POLES["hyp1f1"]], 1e-10),
    "hyp2f1": (mp.hyp2f1, [(0.5, 1.5, 2.5, 0.4), (-2.0, 1.5, 2.2, -3.0), (0.5, 1.5, -2.00000001, 0.3),
                           *WEAK_POLES["hyp2f1"]], 1e-10),
    "hyp0f1": (mp.hyp0f1, [(2.5, 3.0), *WEAK_POLES["hyp0f1"]], 1e-10),
    "zeta": (lambda x, q: mp.zeta(x, q), [(1.5, 0.4), (7.7, 3.0)], 1e-10),
}  # fmt: skip
PARAMETERS = {"betainc": 2, "hyp1f1": 2, "hyp2f1": 3}


def reference(f: Callable[..., Any], point: tuple[float, ...], i: int, j: int) -> float:
    """A central difference with step 1e-15 at 80 digits: exact to 28 digits."""
    h = mp.mpf(10) ** -15

    def at(s: int, t: int) -> Any:
        args = [mp.mpf(q) for q in point]
        args[i] += s * h
        args[j] += t * h
        return f(*args)

    with mp.workdps(80):
        return float((at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * h * h))


@pytest.mark.parametrize("name", CASES)
def test_hessian_against_mpmath(name: str) -> None:
    f, points, tolerance = CASES[name]
    n = len(points[0])
    hessian = jax.hessian(getattr(jse, name), tuple(range(n)))
    rows = jax.vmap(hessian)(*(jnp.array(column) for column in zip(*points, strict=True)))
    for i, j in itertools.combinations_with_replacement(range(n), 2):
        if i >= PARAMETERS.get(name, 1):
            continue  # no parameter among the two
        want = np.array([reference(f, point, i, j) for point in points])
        error = np.abs(np.asarray(rows[i][j]) / want - 1)
        worst = int(np.argmax(np.where(np.isnan(error), np.inf, error)))
        assert error[worst] <= tolerance, f"d2 {name}/d{i}d{j} at {points[worst]}: {error[worst]:.1e}"
        np.testing.assert_allclose(rows[j][i], rows[i][j], rtol=10 * tolerance)


def test_third_derivative_in_the_order() -> None:
    got = jax.grad(jax.grad(jax.grad(jse.kv)))(1.5, 2.0)
    h = mp.mpf(10) ** -12
    with mp.workdps(80):
        k = [mp.besselk(mp.mpf(1.5) + s * h, 2) for s in (-2, -1, 1, 2)]
        want = float((-k[0] + 2 * k[1] - 2 * k[2] + k[3]) / (2 * h**3))
    np.testing.assert_allclose(got, want, rtol=1e-9)


def test_second_derivatives_at_infinite_t_are_zero() -> None:
    for row in jax.hessian(jse.stdtr, (0, 1))(3.0, jnp.inf):
        np.testing.assert_array_equal(row, 0.0)
