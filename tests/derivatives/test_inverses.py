"""Inverses and noncentral distributions against mpmath, and 0 where SciPy's search ends without a solution.

The references are partials at known roots, by the implicit function theorem (`make_reference_inverses.py`). SciPy finds
some roots to 5 digits only; the partials are those at the root that it returns.
"""

import json
from pathlib import Path

import jax
import numpy as np
import pytest
import scipy.special
from jaxscipy_codegen.model import Discrete
from numpy.typing import NDArray
from spec_entries import public_functions

import jaxscipy_ext as jse

FUNCTIONS = public_functions()
REFERENCES = json.loads(Path(__file__).with_name("reference_inverses.json").read_text(encoding="utf-8"))
WITHOUT_SOLUTIONS = (
    "bdtrik chndtridf chndtrinc fdtridfd nbdtrik ncfdtridfd ncfdtridfn ncfdtrinc nctdtridf pdtrik stdtridf"
)
"""What need not have a solution at some probability."""


def wide_grid(name: str, count: int) -> list[NDArray[np.float64]]:
    """Probabilities where a probability stands, and numbers of all sizes up to 100."""
    rng = np.random.default_rng(1)
    columns = []
    for arg in FUNCTIONS[name].args.values():
        if arg.domain.upper == 1:
            columns.append(rng.choice([0.001, 0.3, 0.6, 0.95], count))
        else:
            columns.append(np.exp(rng.uniform(np.log(0.02), np.log(100), count)))
    return columns


def where_nothing_moves(name: str, columns: list[NDArray[np.float64]]) -> NDArray[np.bool_]:
    """Where SciPy gives the same number for arguments 1 % around."""
    own = getattr(scipy.special, name)
    value = own(*columns)
    still = np.isfinite(value)
    for k in range(len(columns)):
        for factor in (0.99, 1.01):
            still &= own(*columns[:k], columns[k] * factor, *columns[k + 1 :]) == value
    return still


@pytest.mark.parametrize("name", [name for name in REFERENCES if name in FUNCTIONS])
def test_partials(name: str) -> None:
    function, rows = FUNCTIONS[name], REFERENCES[name]
    points = [[row["arguments"][argument] for row in rows] for argument in function.args]
    ends = wide_grid(name, 60) if name in WITHOUT_SOLUTIONS.split() else [np.empty(0) for _ in points]
    columns = [np.concatenate(column) for column in zip(points, ends, strict=True)]
    smooth = [k for k, argument in enumerate(function.args) if not isinstance(function.ways[argument], Discrete)]
    f = getattr(jse, name)
    value, partials = jax.jit(jax.vmap(lambda *args: (f(*args), jax.grad(f, smooth)(*args))))(*columns)

    wanted = np.array([row["value"] for row in rows])
    off = np.abs(value[: len(rows)] - wanted) / np.abs(wanted)
    assert np.all(off < 1e-4)
    for k, partial in zip(smooth, partials, strict=True):
        want = np.array([row["partials"][list(function.args)[k]] for row in rows])
        error = np.abs(partial[: len(rows)] - want) / np.abs(want)
        assert np.all(error <= 1e-9 + 100 * off), (list(function.args)[k], error, off)

    if name in WITHOUT_SOLUTIONS.split():
        still = where_nothing_moves(name, ends)
        assert still.any()
        for partial in partials:
            end = np.asarray(partial)[len(rows) :]
            np.testing.assert_array_equal(end[still], 0)
            assert not np.isnan(end[np.isfinite(value[len(rows) :])]).any()
