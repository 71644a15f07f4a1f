"""Every order, degree and shape kernel against mpmath."""

from importlib import import_module
from typing import Any

import pytest
from reference_table import MODULES, kernels, largest_error

TOLERANCE = 1e-11
# 1e-8 beside a polynomial that is recessive near z = 1, the other solution is 1e-8 (1-z)^(c-a-b) times as large
WEAK_SPOTS = {"hyp2f1_db": ((-4.00000001, 9.0, -1.3731798695551802, 0.9999348530328463), 1e-7)}


def find(name: str) -> Any:
    modules = [import_module(f"jaxscipy_ext.derivatives.{module}") for module in MODULES]
    return next(getattr(module, name) for module in modules if hasattr(module, name))


@pytest.mark.parametrize(("name", "kind"), kernels(), ids=lambda p: p if isinstance(p, str) else p.__name__)
def test_against_mpmath(name: str, kind: type) -> None:
    spot, tolerance = WEAK_SPOTS.get(name, (None, TOLERANCE))
    error, args = largest_error(name, find(name), kind, leave_out=spot)
    assert error <= TOLERANCE, f"{name}{args}: relative error {error:.1e}"
    if spot is not None and isinstance(spot[-1], kind):
        error, args = largest_error(name, find(name), kind)
        assert error <= tolerance, f"{name}{args}: relative error {error:.1e}"
