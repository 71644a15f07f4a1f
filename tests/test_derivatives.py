"""Derivatives against mpmath: every function with a meaning in its spec, first to third order, real and complex.

The references are in `tests/reference`, made by `make_reference.py` from nothing but the specs' formulas and mpmath.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from jaxscipy_codegen.model import Discrete, Kernel, Stencil, Unavailable
from make_reference import FOLDER, derivative, differentiable, meanings
from numpy.testing import assert_allclose
from spec_entries import public_functions

import jaxscipy_ext as jse

FUNCTIONS = public_functions()
RTOL = 1e-9
NOISE = 1e-60  # of mpmath's difference quotients where the derivative is exactly zero
ROWS = [
    (path.stem, row) for path in sorted(FOLDER.glob("*.json")) for row in json.loads(path.read_text(encoding="utf-8"))
]


def number(x: Any) -> Any:
    return complex(*x) if isinstance(x, list) else x


def derivatives(f: Callable[..., Any], argnum: int, orders: list[int]) -> Callable[..., dict[int, list[Any]]]:
    """All outputs' derivatives in one argument by order, forward over forward, in one program."""

    def nested(along: Callable[[Any], Any], order: int) -> Callable[[Any], Any]:
        if order == 0:
            return along
        lower = nested(along, order - 1)
        return lambda x: jax.jvp(lower, (x,), (jnp.ones_like(x),))[1]

    @jax.jit
    def program(*args: Any) -> dict[int, list[Any]]:
        def along(x: Any) -> Any:
            return f(*args[:argnum], x, *args[argnum + 1 :])

        return {order: jax.tree.leaves(nested(along, order)(args[argnum])) for order in orders}

    return program


def parameter(name: str, row: dict[str, Any]) -> Any:
    return pytest.param(name, row, id=f"{name}-{row['argument']}-{row['kind']}")


@pytest.mark.device
@pytest.mark.parametrize(("name", "row"), [parameter(n, r) for n, r in ROWS if n in FUNCTIONS])
def test_against_mpmath(name: str, row: dict[str, Any]) -> None:
    points = [{k: number(x) for k, x in point.items()} for point in row["points"]]
    columns = [jnp.asarray([point[k] for point in points]) for k in points[0]]
    argnum = list(points[0]).index(row["argument"])
    f, orders = getattr(jse, name), [int(order) for order in row["derivatives"]]
    try:
        results = derivatives(f, argnum, orders)(*columns)
    except jse.DerivativeUnavailable:  # a rule that calls a kernel: its third derivative may say that it isn't known
        results = derivatives(f, argnum, [order for order in orders if order <= 2])(*columns)
    for order, outputs in row["derivatives"].items():
        if int(order) not in results:
            continue
        for g, values in zip(results[int(order)], outputs, strict=True):
            want = np.array([number(x) for x in values])
            if not np.iscomplexobj(g):
                assert np.all(np.abs(want.imag) <= 1e-12 * np.abs(want.real))
                want = want.real
            zero = np.abs(want) <= NOISE  # there a stencil leaves rounding of the values that it subtracts
            assert np.all(np.abs(np.asarray(g)[zero]) <= 1e-12)
            assert_allclose(
                np.asarray(g)[~zero],
                want[~zero],
                rtol=RTOL,
                atol=NOISE,
                err_msg=f"order {order} in {row['argument']} at {points}",
            )


@pytest.mark.parametrize("argument", ["c", "x"])
@pytest.mark.parametrize("name", ["pro_ang1", "obl_ang1", "pro_rad1", "obl_rad1", "pro_rad2", "obl_rad2"])
def test_for_given_characteristic_values(name: str, argument: str) -> None:
    """`pro_ang1_cv` and its kin at the characteristic value are `pro_ang1` and its kin, in c by both ways."""
    row = next(row for n, row in ROWS if n == name and row["argument"] == argument)
    columns = [jnp.asarray([point[k] for point in row["points"]]) for k in ("m", "n", "c", "x")]
    value, given = getattr(jse, f"{name[:3]}_cv"), getattr(jse, f"{name}_cv")

    def composed(m: Any, n: Any, c: Any, x: Any) -> Any:
        return given(m, n, c, value(m, n, c), x)

    got = derivatives(composed, "mncx".index(argument), [1])(*columns)[1]
    for values, want in zip(got, row["derivatives"]["1"], strict=True):
        assert_allclose(np.asarray(values), want, rtol=RTOL)


@pytest.mark.parametrize("name", sorted({name for name, _ in ROWS})[::7])
def test_references_are_what_mpmath_says(name: str) -> None:
    """A sample of the files is computed anew, at one point each."""
    row = next(row for n, row in ROWS if n == name)
    point = {k: number(x) for k, x in row["points"][0].items()}
    argnum = list(point).index(row["argument"])
    for f, values in zip(meanings(FUNCTIONS[name]) or [], row["derivatives"]["1"], strict=True):
        with mp.workdps(40):
            value = complex(derivative(f, argnum, 1, list(point.values())))
        assert_allclose(value, number(values[0]), rtol=1e-14)


def test_every_partial_has_a_reference() -> None:
    """Here, or under `tests/derivatives`: inverses at what SciPy returned, kernels, second Lamé functions."""
    folder = Path(__file__).parent / "derivatives"
    tables = "".join(path.read_text(encoding="utf-8") for path in folder.glob("reference*.csv"))
    inverses = json.loads((folder / "reference_inverses.json").read_text(encoding="utf-8"))
    equations = {"ellip_harm_2", "ellip_normal", *(name for name in FUNCTIONS if name.endswith(("1_cv", "2_cv")))}
    known = {(name, row["argument"]) for name, row in ROWS}
    known |= {(name, argument) for name, points in inverses.items() for argument in points[0]["partials"]}
    for name, function in FUNCTIONS.items():
        assert meanings(function) is None or {(name, a) for a in differentiable(function)} <= known, name
        for argument, way in function.ways.items():
            counted = function.args[argument].domain.kind == "integer" and not isinstance(way, Kernel | Stencil)
            if not (counted or isinstance(way, Discrete | Unavailable) or name in equations):
                assert (name, argument) in known or f"\n{name}_d{argument}," in tables, (name, argument)
