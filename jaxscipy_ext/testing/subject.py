"""What is checked: a function, its host, and the points."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

Reference = Callable[[int, Sequence[int]], "Sequence[complex] | None"]
"""`reference(i, orders)`: the derivative at point number i, of these orders by argument, one number per output."""


@dataclass(frozen=True)
class Subject:
    """What is checked, at which points."""

    f: Callable[..., Any]
    host: Callable[..., Any]
    points: list[NDArray[Any]]
    names: list[str]
    precision: np.dtype[Any]
    tolerance: float
    holomorphic: frozenset[int]
    reference: Reference | None
    pure: bool
    host_errors: NDArray[np.float64]

    @property
    def arrays(self) -> list[jax.Array]:
        return [jnp.asarray(a) for a in self.points]

    def of(self, k: int, at: Sequence[jax.Array] | None = None) -> Callable[[jax.Array], Any]:
        """The function of argument `k` alone."""
        others = self.arrays if at is None else at
        return lambda x: self.f(*others[:k], x, *others[k + 1 :])
