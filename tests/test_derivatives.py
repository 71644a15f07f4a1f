"""Derivatives against mpmath at 40 digits: every function with a meaning in its spec, first to third order.

The reference owes nothing to SciPy or to our rules: mpmath evaluates the entry's `formula` or `reference` and
differentiates it numerically in high precision.
"""

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from jaxscipy_codegen.model import Discrete, Function, Kernel, Stencil, Unavailable
from jaxscipy_codegen.reference import NoReference, reference
from numpy.testing import assert_allclose
from spec_entries import box_points, has_complex_loop, library, public_functions

import jaxscipy_ext as jse

FUNCTIONS = public_functions()
POINTS = 6
RTOL = {1: 1e-9, 2: 1e-9, 3: 1e-9}


def references(function: Function) -> list[Callable[..., Any]] | None:
    try:
        return [reference(library(), function.name, output) for output in function.results]
    except NoReference:
        return None


def cases() -> list[Any]:
    return [
        pytest.param(name, argument, id=f"{name}-{argument}")
        for name, function in FUNCTIONS.items()
        if references(function) is not None
        for argument, way in function.ways.items()
        if not isinstance(way, Discrete | Unavailable)
    ]


def derivative(f: Callable[..., Any], argnum: int, order: int, *args: Any) -> list[Any]:
    """Every output's derivative of the given order in one argument, forward over forward."""

    def along(x: Any) -> Any:
        return f(*args[:argnum], x, *args[argnum + 1 :])

    def differentiated(g: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda x: jax.jvp(g, (x,), (jnp.ones_like(x),))[1]

    for _ in range(order):
        along = differentiated(along)
    return list(jax.tree.leaves(along(args[argnum])))


def exact(f: Callable[..., Any], argnum: int, order: int, *args: Any) -> complex:
    with mp.workdps(40 + 5 * order):
        value = mp.diff(lambda x: f(*args[:argnum], x, *args[argnum + 1 :]), mp.mpmathify(args[argnum]), order)
    return complex(value)


def orders(function: Function, argument: str) -> list[int]:
    """Third derivatives in what is closed; what has kernels or stencils goes as far as its `orders`, second at most."""
    way = function.ways[argument]
    return list(range(1, min(way.orders, 2) + 1)) if isinstance(way, Kernel | Stencil) else [1, 2, 3]


@pytest.mark.device
@pytest.mark.parametrize(("name", "argument"), cases())
def test_real_points(name: str, argument: str) -> None:
    function = FUNCTIONS[name]
    points = list(box_points(function, POINTS, seed=len(name)))
    check(function, argument, points)


@pytest.mark.device
@pytest.mark.parametrize(
    ("name", "argument"),
    [case for case in cases() if FUNCTIONS[case.values[0]].args[case.values[1]].kind in ("complex", "always-complex")],
)
def test_complex_points(name: str, argument: str) -> None:
    function = FUNCTIONS[name]
    points = list(box_points(function, POINTS, seed=len(name) + 1))
    rng = np.random.default_rng(5)
    for point in points:
        point[argument] = complex(point[argument], rng.uniform(-2, 2))
    if any(getattr(way, "real", None) or getattr(way, "imag", None) for way in function.ways.values()):
        pytest.skip("not holomorphic: tests/test_complex.py")
    check(function, argument, points)


def check(function: Function, argument: str, points: list[dict[str, Any]]) -> None:
    f = getattr(jse, function.name)
    argnum = list(points[0]).index(argument)
    exacts = references(function)
    assert exacts is not None
    columns = [jnp.asarray([point[name] for point in points]) for name in points[0]]
    for order in orders(function, argument):
        got = derivative(functools.partial(f), argnum, order, *columns)
        for g, meaning in zip(got, exacts, strict=True):
            want = np.array([exact(meaning, argnum, order, *point.values()) for point in points])
            if not np.iscomplexobj(g):
                assert np.all(np.abs(want.imag) <= 1e-12 * np.abs(want.real))
                want = want.real
            assert_allclose(g, want, rtol=RTOL[order], err_msg=f"order {order} in {argument} at {points}")


def test_functions_without_a_meaning_are_few_and_known() -> None:
    """Whoever adds an entry writes a `formula` or a `reference`, or checks the function elsewhere."""
    without = {name for name, function in FUNCTIONS.items() if references(function) is None}
    assert len(without) <= 0.4 * len(FUNCTIONS), sorted(without)
    assert has_complex_loop(FUNCTIONS["jv"])
