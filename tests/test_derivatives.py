"""Derivatives against mpmath: every function with a meaning in its spec, first to third order, real and complex.

The references are in `tests/reference`, made by `make_reference.py` from nothing but the specs' formulas and mpmath.
"""

import json
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from make_reference import FOLDER, differentiable, exact, meanings
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


WITHOUT_REFERENCES = {"lpmv"}  # mpmath takes minutes a point; tests/derivatives/test_orthogonal.py has its kernel's


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


@pytest.mark.parametrize("name", ["pro_ang1", "obl_ang1", "pro_rad1", "obl_rad1", "pro_rad2", "obl_rad2"])
def test_for_given_characteristic_values(name: str) -> None:
    """`pro_ang1_cv` and its kin in x are what `pro_ang1` and its kin are, where the value is the characteristic one."""
    row = next(row for n, row in ROWS if n == name and row["argument"] == "x")
    m, n, c, x = (jnp.asarray([point[k] for point in row["points"]]) for k in ("m", "n", "c", "x"))
    value = getattr(jse, f"{name[:3]}_cv")(m, n, c)
    got = derivatives(getattr(jse, f"{name}_cv"), 4, [1])(m, n, c, value, x)[1]
    for values, want in zip(got, row["derivatives"]["1"], strict=True):
        assert_allclose(np.asarray(values), want, rtol=1e-8)


@pytest.mark.parametrize("name", sorted({name for name, _ in ROWS})[::7])
def test_references_are_what_mpmath_says(name: str) -> None:
    """A sample of the files is computed anew, at one point each."""
    row = next(row for n, row in ROWS if n == name)
    point = {k: number(x) for k, x in row["points"][0].items()}
    argnum = list(point).index(row["argument"])
    for f, values in zip(meanings(FUNCTIONS[name]) or [], row["derivatives"]["1"], strict=True):
        assert_allclose(exact(f, argnum, 1, list(point.values())), number(values[0]), rtol=1e-14)


def test_every_meaning_has_its_references() -> None:
    known = {(name, row["argument"]) for name, row in ROWS}
    for name, function in FUNCTIONS.items():
        if meanings(function) is not None and name not in WITHOUT_REFERENCES:
            for argument in differentiable(function):
                assert (name, argument) in known, f"write: python tests/make_reference.py {name}"
