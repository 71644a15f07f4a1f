"""Points at which an entry says that derivatives can't be compared with the host, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxscipy_codegen.evaluate import evaluate
from jaxscipy_codegen.host_functions import HostFunctions
from jaxscipy_codegen.model import Function
from jaxscipy_ext.testing.subject import Reference


@dataclass(frozen=True)
class Exempt:
    """The points, and what the report says of them."""

    points: NDArray[np.bool_]
    note: str

    def errors(self, of_host: NDArray[np.float64] | None) -> NDArray[np.float64]:
        """The host's errors, without bound at these points."""
        return np.where(self.points, np.inf, 0.0 if of_host is None else of_host)

    def reference(self, known: Reference | None) -> Reference | None:
        """The reference, silent at these points."""

        def elsewhere(index: int, orders: Sequence[int]) -> Sequence[complex] | None:
            return None if known is None or self.points[index] else known(index, orders)

        return known and elsewhere


def exempt(
    function: Function, hosts: HostFunctions, arrays: Mapping[str, NDArray[Any]], static: Mapping[str, Any]
) -> Exempt:
    """Where the conditions of `exceptions:` hold."""
    count = len(next(iter(arrays.values())))
    points, notes = np.zeros(count, bool), []
    for exception in function.exceptions:
        here = np.broadcast_to(evaluate(exception.where.tree, {**arrays, **static}, hosts), (count,)).astype(bool)
        points |= here
        if here.any():
            notes.append(f"known exception at {int(here.sum())} of {count} points: {exception.reason.rstrip('.')}")
    return Exempt(points, "; ".join(notes))
