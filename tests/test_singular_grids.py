"""`vmap(grad)` over grids with singular points and edges, twice: the true derivatives, and NaN nowhere.

Expected values are closed forms or polynomials written out. `special_points.py` has more points, differentiated once.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import mpmath as mp
import pytest
from numpy.testing import assert_allclose

import jaxscipy_ext as jse

inf, pi = math.inf, math.pi
NORMAL = math.exp(-0.5) / math.sqrt(2 * pi)
BESSELPOLY = [
    float(mp.quad(lambda x, n=n: mp.log(x) ** n * mp.besselj(1, 20 * x), [0, 0.001, 0.25, 1])) for n in (1, 2)
]
"""The first and the second derivative of its integral in the power of x."""


class Grid(NamedTuple):
    function: str
    argnum: int
    points: Sequence[tuple[float, ...]]
    first: Sequence[float]
    second: Sequence[float]


GRIDS = [
    # elementary functions, losses, transformations
    Grid("expm1", 0, [(-50,), (0,)], [math.exp(-50), 1], [math.exp(-50), 1]),
    Grid("exprel", 0, [(0,)], [1 / 2], [1 / 3]),
    Grid("expit", 0, [(40,), (0,)], [math.exp(-40), 1 / 4], [-math.exp(-40), 0]),
    Grid("cosdg", 0, [(90,), (180,)], [-pi / 180, 0], [0, (pi / 180) ** 2]),
    Grid("sinc", 0, [(0,), (1,)], [0, -1], [-(pi**2) / 3, 2]),
    Grid("diric", 0, [(0, 5), (2 * pi, 5), (2 * pi, 4)], [0, 0, 0], [-2, -2, 5 / 4]),
    Grid("pseudo_huber", 0, [(1e-300, 0)], [0], [0]),
    Grid("huber", 0, [(2, 1), (1, 3), (1, -3)], [0, 2, 2], [0, -1, -1]),
    Grid(
        "boxcox",
        1,
        [(2, 0), (1, 3), (inf, -1), (0.5, inf)],
        [math.log(2) ** 2 / 2, 0, 1, 0],
        [math.log(2) ** 3 / 3, 0, 2, 0],
    ),
    Grid("boxcox1p", 1, [(1, 0), (0, 3)], [math.log(2) ** 2 / 2, 0], [math.log(2) ** 3 / 3, 0]),
    Grid(
        "inv_boxcox",
        1,
        [(1, 0), (0, 2), (-2, 0.5), (-1e300, -0.5), (-inf, 0)],
        [-math.e / 2, 0, 0, 0, 0],
        [math.e * (1 / 4 + 2 / 3), 0, 8, 0, 0],
    ),
    Grid("inv_boxcox1p", 1, [(1, 0), (0, 2), (-2, 0.5)], [-math.e / 2, 0, 0], [math.e * (1 / 4 + 2 / 3), 0, 8]),
    # normal distribution
    # other distributions: densities at the ends of their supports, step functions
    Grid("pdtr", 1, [(0, 0), (1, 0)], [-1, 0], [1, -1]),
    Grid("bdtr", 2, [(3, 3, 0.3), (1, 2, 0.3)], [0, -0.6], [0, -2]),
    Grid("bdtrc", 2, [(-1, 3, 0.3), (1, 2, 0.3)], [0, 0.6], [0, 2]),
    Grid("gdtr", 0, [(1, 0.5, 0), (0, 1, 2), (0, 0.5, 0)], [0, 2, 0], [0, -4, 0]),
    Grid("fdtri", 0, [(1, 2, 0), (3, 0.5, 0), (2, 1, 0)], [0, 0, 0], [0, 0, 0]),
    Grid("gdtria", 0, [(0, 1, 2)], [1 / 2], [1 / 2]),
    Grid("gdtr", 1, [(1, inf, 2)], [0], [0]),
    Grid("chndtr", 2, [(1.5, 3, inf)], [0], [0]),
    Grid("stdtr", 0, [(inf, 1)], [0], [0]),
    Grid("owens_t", 0, [(1, inf), (inf, 1)], [-NORMAL / 2, 0], [NORMAL / 2, 0]),
    Grid("tklmbda", 0, [(1, 1), (-0.5, 2), (0.3, -inf)], [0, 0, 0], [0, 0, 0]),
    Grid("tklmbda", 1, [(1, 1), (0.3, inf)], [0, 0], [0, 0]),
    Grid("kolmogorov", 0, [(0,), (0.01,), (-0.5,), (25,), (1e300,)], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]),
    # order derivatives beside orders whose derivative is infinite
    Grid("struve", 0, [(1.5, 0), (0.5, 0)], [0, 0], [0, 0]),
    Grid("besselpoly", 1, [(10, 0, 1)], [BESSELPOLY[0]], [BESSELPOLY[1]]),
    # elliptic integrals
    Grid("agm", 1, [(2, 2), (1e-200, 1e-200)], [1 / 2, 1 / 2], [-1 / 16, -1e200 / 8]),
    Grid("ellipk", 0, [(0,)], [pi / 8], [9 * pi / 64]),
    Grid("elliprc", 1, [(2, 2)], [-(2**-1.5) / 3], [2**-2.5 * 2 / 5 * 4 / 3 * 3 / 4 * 1.0]),
    # polynomials and Legendre functions at the ends of the interval, and of degree 0
    Grid("eval_legendre", 1, [(3, 1), (3, -1), (0, 1)], [6, 6, 0], [15, -15, 0]),
    Grid("eval_chebyt", 1, [(3, 1), (3, -1), (0, 0.5)], [9, 9, 0], [24, -24, 0]),
    Grid("eval_chebyu", 1, [(2, 1), (2, -1), (0, 0.5)], [8, -8, 0], [8, 8, 0]),
    Grid("eval_laguerre", 1, [(0, 0.5), (2, 0), (0, 1e10)], [0, -2, 0], [0, 1, 0]),
    # P_2^-2 = (1 - x²)/8, P_-3 = P_2, P_3^-2 = x (1 - x²)/8, P_-3^1 = P_2^1
    Grid(
        "lpmv",
        2,
        [(-2, 2, -1), (0, -3, 0.7), (-2, 3, 0.7), (1, -3, 0.7)],
        [0.25, 2.1, (1 - 3 * 0.49) / 8, -0.06 / math.sqrt(0.51)],
        [-0.25, 3, -0.525, 2.1 * 2.02 / 0.51**1.5],
    ),
    # P_n(-1) = (-1)^n binom(n + beta, n); G_1 = x - q/(p + 1), G_2 = x² at q = -1; degree -1
    Grid("eval_jacobi", 1, [(2, 0.5, 2, -1), (1, 0.3, -0.5, -1), (-1, 0.3, 0.3, 2)], [0, 0, 0], [0, 0, 0]),
    Grid("eval_jacobi", 2, [(2, 0.5, 2, -1)], [7 / 2], [1]),
    Grid("eval_sh_jacobi", 1, [(1, 2, 0.5, 0), (2, 3, -1, 100.5)], [1 / 18, 0], [-1 / 27, 0]),
    Grid("eval_gegenbauer", 1, [(-1, 0.3, 2), (1, 1.5, 0), (7, 2, 0)], [0, 0, 0], [0, 0, 0]),
    Grid("eval_genlaguerre", 1, [(-1, 0.3, 2), (2, 100.5, 0), (1, 1e10, 1.5)], [0, 102, 1], [0, 1, 0]),
    # hypergeometric functions and integrals at 0 and 1
    Grid("hyp0f1", 1, [(2, 0)], [1 / 2], [1 / 6]),
    Grid("hyp1f1", 2, [(2, 3, 0), (0, 3, 1)], [2 / 3, 0], [1 / 2, 0]),
    Grid("wright_bessel", 2, [(1, 2, 0)], [1 / 2], [1 / 6]),
    # R_G(x, 0, 0) = sqrt(x)/2; R_J's derivative keeps x R_D(y, z, x) = 0 at x = 0
    # cos(n acos(x)) at x = -1
    Grid(
        "eval_chebyt",
        0,
        [(0.5, -1), (0.25, -1), (2.0, -1), (0.25, 0.5), (0, -1)],
        [-pi, -pi * math.sqrt(0.5), 0, -pi / 3 * math.sin(pi / 12), 0],
        [0, -(pi**2) * math.sqrt(0.5), -(pi**2), -(pi**2) / 9 * math.cos(pi / 12), -(pi**2)],
    ),
    # C_n^(1/2)(1) = L_n(0) = P_n^(0, b)(1) = 1
    Grid("eval_gegenbauer", 0, [(0, 0.5, 1), (1.5, 0.5, 1)], [0, 0], [0, 0]),
    Grid("eval_genlaguerre", 0, [(1.5, 0, 0)], [0], [0]),
    Grid("eval_jacobi", 0, [(0.3, 0, -0.5, 1)], [0], [0]),
    # parameters at which the hypergeometric function has a pole and the polynomial none
    # c, or b, a negative integer and the series shorter: SciPy's values are those of the polynomials
    Grid("hyp1f1", 2, [(-1, -2, 0.3), (-2, -2, 0.3), (-2, -3, 0.3)], [1 / 2, 1.3, 2 / 3 + 0.3 / 3], [0, 1, 1 / 3]),
    Grid(
        "hyp2f1",
        3,
        [(-1, 0.5, -2, 0.3), (0, 0.5, -1, 0.3), (-2, -1, -1, 0.3), (-1, 0.5, -1, 0.3)],
        [0.25, 0, -2, 0.5 * 0.7**-1.5],
        [0, 0, 0, 0.75 * 0.7**-2.5],
    ),
    # powers at 0
    Grid("inv_boxcox", 0, [(-2, 0.5), (1, 0), (-1, 1)], [0, math.e, 1], [1 / 2, math.e, 0]),
    Grid("inv_boxcox1p", 0, [(-2, 0.5), (1.5, 1e-300), (-1, 1)], [0, math.exp(1.5), 1], [1 / 2, math.exp(1.5), 0]),
    Grid("powm1", 0, [(0, 0), (0, 1), (0, 2), (2, 0), (0.5, inf)], [0, 1, 0, 0, 0], [0, 0, 2, 0, 0]),
    Grid("powm1", 1, [(inf, -1), (0.5, inf), (2, 0)], [0, 0, math.log(2)], [0, 0, math.log(2) ** 2]),
    Grid("boxcox", 0, [(0, 1), (0, 1.5), (0, 2), (0, 3)], [1, 0, 0, 0], [0, inf, 1, 0]),
    Grid("boxcox1p", 0, [(-1, 1), (-1, 1.5), (-1, 2), (-1, 3)], [1, 0, 0, 0], [0, inf, 1, 0]),
]


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: f"{grid.function}-{grid.argnum}")
def test_derivatives_on_the_grid(grid: Grid) -> None:
    first = jax.grad(getattr(jse, grid.function), grid.argnum)
    second = jax.grad(first, grid.argnum)
    columns = [jnp.asarray(column, dtype=float) for column in zip(*grid.points, strict=True)]
    if grid.function == "fdtri" and jnp.isnan(jse.fdtri(*columns)).all():
        pytest.skip("SciPy 1.15 has no value at p = 0")
    got = jax.jit(lambda *args: (jax.vmap(first)(*args), jax.vmap(second)(*args)))(*columns)
    for values, wanted in zip(got, (grid.first, grid.second), strict=True):
        assert_allclose(values, wanted, rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("name", ["pro_ang1", "obl_ang1"])
def test_angular_functions_at_the_origin_keep_their_norm(name: str) -> None:
    """S and S' at x = 0 are 0 or those of the Legendre function, whatever c is (DLMF 30.8.5 has another norm)."""
    first = jax.jacfwd(getattr(jse, name), 2)
    got = jax.jit(jax.vmap(lambda m, n, c: (first(m, n, c, 0.0), jax.jacfwd(first, 2)(m, n, c, 0.0))))
    derivatives = jax.tree.leaves(got(jnp.array([1, 0, 0]), jnp.array([3, 0, 3]), jnp.array([0.25, 3.0, 1.0])))
    assert_allclose(derivatives, 0.0, rtol=0, atol=0)


@pytest.mark.parametrize("name", ["pro_ang1_cv", "obl_ang1_cv"])
def test_differences_beside_an_end_that_has_no_name(name: str) -> None:
    """At c = 0 and cv = 6 the function is P_2."""
    first = jax.jacfwd(lambda x: getattr(jse, name)(0, 2, 1e-8, 6.0, x).s)
    assert_allclose([first(0.999), jax.jacfwd(first)(0.99)], [2.997, 3], rtol=1e-9)
