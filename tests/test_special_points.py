"""The special points of all functions, in one program a family: the right derivative wherever SciPy has a value."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from special_points import FAMILIES, Special

import jaxscipy_ext as jse

WITHOUT_VALUE = ("fdtri", "stdtrit")
"""At the ends of their domains, in SciPy 1.15: there is nothing to differentiate."""


def column(values: Sequence[Any], differentiated: bool) -> Any:
    counts = not differentiated and all(isinstance(x, int) for x in values)
    return jnp.asarray(np.array(values), jnp.int32) if counts else jnp.asarray(np.array(values) * 1.0)


def columns(special: Special) -> list[Any]:
    return [column(values, k == special.argnum) for k, values in enumerate(zip(*special.slopes, strict=True))]


def value_and_slope(special: Special, args: list[Any]) -> Any:
    """At all points."""

    def along(x: Any) -> Any:
        varied = [*args[: special.argnum], x, *args[special.argnum + 1 :]]
        return jax.tree.leaves(getattr(jse, special.function)(*varied, **special.options))[special.output]

    def derivative(f: Any) -> Any:
        return lambda x: jax.jvp(f, (x,), (jnp.ones_like(x),))[1]

    x, lower = args[special.argnum], along
    for _ in range(special.order - 1):
        lower = derivative(lower)
    value, slope = jax.jvp(lower, (x,), (jnp.ones_like(x),))
    return (value if lower is along else along(x)), slope


@pytest.mark.parametrize("family", FAMILIES)
def test_derivatives_at_special_points(family: str) -> None:
    specials = FAMILIES[family]
    program = jax.jit(lambda points: [value_and_slope(*of) for of in zip(specials, points, strict=True)])
    results = program([columns(special) for special in specials])
    for special, (value, slope) in zip(specials, results, strict=True):
        known = ~np.isnan(np.ravel(value)) | (special.function not in WITHOUT_VALUE)
        got, want = np.ravel(slope)[known], np.array(list(special.slopes.values()))[known]
        if np.iscomplexobj(got):  # an infinite part is enough: complex infinities have no sign
            infinite = np.isinf(want)
            assert np.all(np.isinf(got[infinite])), special.function
            got, want = got[~infinite], want[~infinite]
        assert_allclose(got, want, rtol=1e-9, atol=1e-14, err_msg=f"{special.function} in argument {special.argnum}")
