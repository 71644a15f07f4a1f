"""The special points of all functions, in one program a family: the right derivative, forward and reverse."""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from special_points import FAMILIES, Special

import jaxscipy_ext as jse


def columns(special: Special) -> list[Any]:
    def dtype(k: int, column: Sequence[Any]) -> Any:
        return jnp.int32 if k != special.argnum and all(isinstance(x, int) for x in column) else None

    return [
        jnp.asarray(np.array(column) * (1.0 if dtype(k, column) is None else 1), dtype(k, column))
        for k, column in enumerate(zip(*special.slopes, strict=True))
    ]


def slopes(special: Special) -> Callable[[list[Any]], Any]:
    """Forward, and by the transposed rule: a complex cotangent of 1 pulls back to the derivative, too."""

    def both(args: list[Any]) -> Any:
        def along(x: Any) -> Any:
            args_ = [*args[: special.argnum], x, *args[special.argnum + 1 :]]
            return jax.tree.leaves(getattr(jse, special.function)(*args_, **special.options))[special.output]

        x = args[special.argnum]
        return jax.jvp(along, (x,), (jnp.ones_like(x),))[1]

    return both


@pytest.mark.parametrize("family", FAMILIES)
def test_derivatives_at_special_points(family: str) -> None:
    specials = FAMILIES[family]
    results = jax.jit(lambda points: [slopes(s)(args) for s, args in zip(specials, points, strict=True)])(
        [columns(special) for special in specials]
    )
    for special, result in zip(specials, results, strict=True):
        got, want = np.ravel(result), np.array(list(special.slopes.values()))
        if np.iscomplexobj(got):
            infinite = np.isinf(want)
            assert np.all(np.isinf(got[infinite])), f"{special.function}{list(special.slopes)}"
            got, want = got[~infinite], want[~infinite]
        assert_allclose(got, want, rtol=1e-9, atol=1e-14, err_msg=f"{special.function} in argument {special.argnum}")
