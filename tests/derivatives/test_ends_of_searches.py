"""Inverses where SciPy's search ends without a solution: the value is constant there, so every derivative is 0."""

import jax
import numpy as np
import pytest
import scipy.special
from jaxscipy_codegen.model import Inverse
from spec_entries import public_functions

import jaxscipy_ext as jse

FUNCTIONS = public_functions()
SOLVABLE_AT_ANY_PROBABILITY = (
    "btdtria btdtrib bdtrin nbdtrin chdtriv chndtrix fdtri gdtrib kolmogi ncfdtri nctdtrinc nctdtrit smirnovi stdtrit"
)
INVERSES = [
    name
    for name, function in FUNCTIONS.items()
    if isinstance(function.inverse, Inverse) and name not in SOLVABLE_AT_ANY_PROBABILITY.split()
]


def grid(name: str, count: int) -> list[np.ndarray]:
    """Probabilities where a probability stands, and numbers of all sizes up to 100."""
    rng = np.random.default_rng(1)
    columns = []
    for arg in FUNCTIONS[name].args.values():
        if arg.domain.upper == 1:
            columns.append(rng.choice([0.001, 0.3, 0.6, 0.95], count))
        else:
            columns.append(np.exp(rng.uniform(np.log(0.02), np.log(100), count)))
    return columns


@pytest.mark.parametrize("name", INVERSES)
def test_derivatives_are_zero_where_nothing_moves(name: str) -> None:
    columns = grid(name, 60)
    own = getattr(scipy.special, name)
    value = own(*columns)
    still = np.isfinite(value)
    for k in range(len(columns)):
        for factor in (0.99, 1.01):
            still &= own(*columns[:k], columns[k] * factor, *columns[k + 1 :]) == value
    f = getattr(jse, name)
    every = jax.jit(jax.vmap(jax.grad(f, range(len(columns)))))(*columns)
    for derivative in every:
        np.testing.assert_array_equal(np.asarray(derivative)[still], 0)
    assert still.any()
    assert not np.isnan(np.asarray(every))[:, np.isfinite(value)].any()
