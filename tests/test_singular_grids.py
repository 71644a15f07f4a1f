"""`vmap(grad)` over grids that contain singular points and edges: the true derivative, and NaN nowhere.

Expected values are closed forms, polynomials written out, or mpmath's at the point.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import jaxscipy_ext as jse

inf, pi = math.inf, math.pi


class Grid(NamedTuple):
    function: str
    argnum: int
    points: Sequence[tuple[float, ...]]
    first: Sequence[float]
    second: Sequence[float] | None = None


def rj(*point: float) -> float:
    """∂RJ/∂p for p < 0 (Cauchy's principal value, DLMF 19.20.14)."""
    return float(mp.re(mp.diff(lambda p: mp.elliprj(*point[:3], p), point[3])))


GRIDS = [
    # R_G(x, 0, 0) = sqrt(x)/2; R_J's derivative keeps x R_D(y, z, x) = 0 at x = 0
    Grid(
        "elliprg",
        0,
        [(2, 0, 0), (2, 0, 1), (0, 0, 2)],
        [2**-0.5 / 4, float(mp.diff(lambda x: mp.elliprg(x, 0, 1), 2)), inf],
    ),
    Grid("elliprj", 3, [(0, 2, 3, -0.5), (2, 0, 3, -1)], [rj(0, 2, 3, -0.5), rj(2, 0, 3, -1)]),
    # cos(n acos(x)) at x = -1
    Grid(
        "eval_chebyt",
        0,
        [(0.5, -1), (0.25, -1), (2.0, -1), (0.25, 0.5)],
        [-pi, -pi * math.sqrt(0.5), 0, -pi / 3 * math.sin(pi / 12)],
        [0, -(pi**2) * math.sqrt(0.5), -(pi**2), -(pi**2) / 9 * math.cos(pi / 12)],
    ),
    Grid("eval_chebyc", 0, [(0.5, -2)], [-2 * pi]),
    Grid("eval_sh_chebyt", 0, [(0.5, 0)], [-pi]),
    # parameters at which the hypergeometric function has a pole and the polynomial none
    Grid(
        "eval_gegenbauer",
        1,
        [(2, -0.5, 0.5), (3, -0.5, 0.5), (2, -1, 0.5), (1, 0, 0.5)],
        [
            4 * -0.5 * 0.25 + 2 * 0.25 - 1,
            0.5 * (4 / 3 * (3 * 0.25 - 3 + 2) * 0.25 - 2 * 2 * -0.5 - 2),
            4 * -1 * 0.25 + 2 * 0.25 - 1,
            1,
        ],
    ),
    Grid("eval_jacobi", 1, [(1, -1, 0.5, 0.3), (1, -2, 0.5, 0.3)], [1 + (0.3 - 1) / 2] * 2),
    Grid("eval_jacobi", 2, [(1, -1, 0.5, 0.3), (1, -2, 0.5, 0.3)], [(0.3 - 1) / 2] * 2),
    Grid("eval_genlaguerre", 1, [(1, -1, 0.3), (2, -2, 0.3)], [1, (2 * -2 + 3) / 2 - 0.3]),
    # c, or b, a negative integer and the series shorter: SciPy's values are those of the polynomials
    Grid(
        "hyp1f1",
        1,
        [(-1, -2, 0.3), (-2, -2, 0.3), (-2, -3, 0.3)],
        [0.3 / 4, 0.3 / 2 + 0.09 * 3 / 4, 0.3 * 2 / 9 + 0.09 * 5 / 36],
    ),
    Grid("hyp1f1", 2, [(-1, -2, 0.3), (-2, -2, 0.3), (-2, -3, 0.3)], [1 / 2, 1.3, 2 / 3 + 0.3 / 3], [0, 1, 1 / 3]),
    Grid(
        "hyp2f1",
        3,
        [(-1, 0.5, -2, 0.3), (0, 0.5, -1, 0.3), (-2, -1, -1, 0.3), (-1, 0.5, -1, 0.3)],
        [0.25, 0, -2, 0.5 * 0.7**-1.5],
        [0, 0, 0, 0.75 * 0.7**-2.5],
    ),
    Grid("hyp2f1", 0, [(0.3, -1, -2, 0.25), (0.3, -2, -2, 0.25)], [0.125, 0.25 + 1.6 / 2 * 0.0625]),
    Grid("hyp2f1", 2, [(-1, 0.5, -2, 0.25), (-2, 0.5, -3, 0.25)], [0.125 / 4, 0.25 / 9 + 0.75 / 6 * 5 / 6 * 0.0625]),
    # powers at 0
    Grid("powm1", 0, [(0, 0), (0, 1), (0, 2), (2, 0)], [0, 1, 0, 0], [0, 0, 2, 0]),
    Grid("boxcox", 0, [(0, 1), (0, 1.5), (0, 2), (0, 3)], [1, 0, 0, 0], [0, inf, 1, 0]),
    Grid("boxcox1p", 0, [(-1, 1), (-1, 1.5), (-1, 2), (-1, 3)], [1, 0, 0, 0], [0, inf, 1, 0]),
    Grid("inv_boxcox", 1, [(-1, 1), (-2, 0.5)], [-1, 0]),
    Grid("inv_boxcox1p", 1, [(-1, 1), (-2, 0.5)], [-1, 0]),
]


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: f"{grid.function}-{grid.argnum}")
def test_derivatives_on_the_grid(grid: Grid) -> None:
    f = jax.grad(getattr(jse, grid.function), grid.argnum)
    g = jax.grad(f, grid.argnum)

    @jax.jit
    @jax.vmap
    def both(*args: jax.Array) -> tuple[jax.Array, jax.Array]:
        return f(*args), g(*args) if grid.second is not None else f(*args)

    got = both(*(jnp.asarray(column, dtype=float) for column in zip(*grid.points, strict=True)))
    for values, wanted in zip(got, (grid.first, grid.second or grid.first), strict=True):
        assert_allclose(np.asarray(values), wanted, rtol=1e-9, atol=1e-14)
