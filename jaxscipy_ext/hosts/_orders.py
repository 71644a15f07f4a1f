"""Host functions whose first argument counts differentiations: one evaluation per distinct order."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxscipy_ext.derivatives._kernel import Mask, Real, by_region


def is_order(n: Real, *args: NDArray[Any]) -> Mask:
    """Where n is a whole number >= 0: the domain of such a kernel."""
    return (n >= 0) & (n == np.floor(n)) & np.isfinite(n)


def by_order(one_order: Callable[..., Any], n: Real, *args: NDArray[Any]) -> Any:
    """`one_order(int, *points)` for every order in `n`, NaN elsewhere; results have the dtype of the last argument."""
    distinct = np.unique(n[is_order(n)])
    orders = [(n == order, lambda _, *rest, order=int(order): one_order(order, *rest)) for order in distinct]
    return by_region((n, *args), *orders, dtype=args[-1].dtype)
