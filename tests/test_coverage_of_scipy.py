"""Every public name of the installed scipy.special is here, or is left out for a reason that docs/status.md gives."""

import inspect
from importlib import metadata

import pytest
import scipy.special
import status_table
from jaxscipy_codegen import listing

import jaxscipy_ext as jse
from jaxscipy_ext import composed
from jaxscipy_ext.composed.derivatives import DERIVATIVES

PUBLIC = sorted(name for name in dir(scipy.special) if not name.startswith("_"))


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_here_or_left_out_for_a_reason(name: str) -> None:
    if name in status_table.LEFT_OUT:
        assert not hasattr(jse, name), "it is here: take it off the list of what is left out"
    else:
        assert callable(getattr(jse, name))
        assert getattr(jse, name).__doc__


def test_the_table_in_the_docs_is_the_one_of_the_specs() -> None:
    written = status_table.PATH.read_text(encoding="utf-8")
    assert written == status_table.text(), "run: python tests/status_table.py"


def test_nothing_is_both_covered_and_left_out() -> None:
    assert not set(status_table.LEFT_OUT) & set(status_table.covered())


def test_everything_is_listed_with_arguments() -> None:
    rows = {row["name"]: row for row in listing.rows([])}
    assert rows.keys() == status_table.covered().keys()
    assert all(row["summary"] and row["arguments"] for row in rows.values())
    assert rows["jv"]["dtypes"] == ["float32", "float64", "complex64", "complex128"]
    ruled = [(name, partial) for name, row in rows.items() for partial in row["arguments"].values() if partial["rule"]]
    assert {name for name, partial in ruled if not partial["source"]} == {"radian"}  # a unit's definition
    assert rows["roots_jacobi"]["arguments"]["alpha"]["way"] == "inverse"


def test_composed_functions_say_how_each_array_argument_is_differentiated() -> None:
    for name, function in vars(composed).items():
        if inspect.isfunction(function):
            parameters = inspect.signature(function).parameters
            arrays = {k for k, parameter in parameters.items() if "Array" in str(parameter.annotation)}
            ways = DERIVATIVES.get(name, {})
            assert arrays <= ways.keys() <= parameters.keys(), name
            assert all(way.reason or (way.rule and way.source) for way in ways.values()), name


@pytest.mark.parametrize("name", ["jw", "sph_harmonic"])  # the latter is one of ours, but private
def test_a_name_that_scipy_does_not_have_is_an_attribute_error(name: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
        getattr(jse, name)


def test_a_polynomials_name_leads_to_the_function_that_evaluates_it() -> None:
    with pytest.raises(AttributeError, match="write eval_legendre, which evaluates that polynomial"):
        jse.legendre  # noqa: B018


def test_the_version_is_that_of_the_installed_package() -> None:
    assert jse.__version__ == metadata.version("jaxscipy_ext")
