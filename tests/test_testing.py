"""The checker itself: right functions pass, each kind of wrong one fails and names its worst point."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special as sc

import jaxscipy_ext as jse
from jaxscipy_ext.testing import check_function

X = np.linspace(0.2, 9.0, 12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_right_function_passes_everywhere(dtype: type) -> None:
    report = check_function(jse.jv, np.full(12, 1.5), X, host=sc.jv, dtype=dtype)
    assert report.passed, report
    assert {c.what for c in report.checks} >= {
        "value",
        "jit",
        "vmap",
        "d/d0",
        "d/d1",
        "d/d1 reverse",
        "d2/d0d1",
        "d2/d1d1",
    }
    assert all(check.points for check in report.checks if "unavailable" not in check.note)


def test_complex_points_are_checked_along_both_axes() -> None:
    report = check_function(jse.jv, np.full(12, 1.5), X + 1j * X[::-1], host=sc.jv)
    assert report.passed, report
    assert "d/d1 along i" in {check.what for check in report.checks}


def test_integers_are_not_differentiated() -> None:
    report = check_function(jse.kn, np.arange(12) % 4, X, host=sc.kn)
    assert report.passed, report
    assert "d/d0" not in {check.what for check in report.checks}


def with_rule(rule: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @jax.custom_jvp
    def f(x: Any) -> Any:
        return jnp.sin(x)

    f.defjvp(lambda primals, tangents: (f(*primals), rule(primals[0]) * tangents[0]))
    return f


WRONG = {
    "value": lambda x: jnp.sin(x) * (1 + 1e-12),
    "d/d0": with_rule(lambda x: jnp.cos(x) * (1 + 1e-6)),
    "silently zero": with_rule(lambda x: 0.0 * x),
    "nan": with_rule(lambda x: jnp.where(x > 5, jnp.nan, jnp.cos(x))),
    "d2/d0d0": with_rule(lambda x: jax.lax.stop_gradient(jnp.cos(x))),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_function_fails(fault: str) -> None:
    report = check_function(WRONG[fault], X, host=np.sin)
    failed = {check.what: check for check in report.checks if not check.passed}
    assert failed
    assert (fault if fault in ("value", "d2/d0d0") else "d/d0") in failed
    assert ("value" in failed) == (fault == "value")
    with pytest.raises(AssertionError, match=r"FAIL .*\n +at \(.*\): expected .*, got"):
        report.raise_for_failures()


def test_nan_is_wrong_where_the_derivative_is_zero() -> None:
    f = with_rule(lambda x: jnp.where(x == jnp.pi / 2, jnp.nan, jnp.cos(x)))
    found = check_function(f, np.array([0.3, np.pi / 2, 2.0]), host=np.sin, transforms=["jvp"]).checks
    assert [check.what for check in found if not check.passed] == ["d/d0"]


def test_a_host_of_few_digits_is_judged_by_them() -> None:
    def host(x: Any) -> Any:
        return np.sin(x) * (1 + 1e-6 * np.sin(3 * x))

    def failed(f: Callable[..., Any], **options: Any) -> list[str]:
        found = check_function(f, X, host=host, transforms=["jvp", "hessian"], rtol=1e-7, **options).checks
        return [check.what for check in found if not check.passed]

    assert failed(jnp.sin) == ["d/d0", "d2/d0d0"]
    assert failed(jnp.sin, host_errors=np.full(12, 1e-6)) == []
    assert failed(lambda x: -jnp.sin(x), host_errors=1e-6) == ["d/d0", "d2/d0d0"]


def test_bad_requests_say_what_to_write() -> None:
    with pytest.raises(ValueError, match=r"unknown transforms .*gradient"):
        check_function(jnp.sin, X, host=np.sin, transforms=["gradient"])
    with pytest.raises(ValueError, match=r"write x.ravel\(\)"):
        check_function(jnp.sin, X.reshape(3, 4), host=np.sin)
