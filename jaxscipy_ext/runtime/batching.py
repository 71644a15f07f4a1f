"""Hosts that broadcast, made of hosts that want equal shapes or single numbers."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np


@functools.cache
def batched(
    host: Callable[..., Any],
    batch: str,
    signature: str | None = None,
    n_out: int = 1,
    static: frozenset[str] = frozenset(),
) -> Callable[..., Any]:
    """A host that broadcasts, from one that doesn't; always the same object, since JAX's caches compare by identity."""
    match batch:
        case "elementwise":
            return host
        case "same-shape":

            def with_equal_shapes(*args: Any, **static: Any) -> Any:
                return host(*map(np.copy, np.broadcast_arrays(*args)), **static)

            return functools.wraps(host)(with_equal_shapes)
        case "scalar" if signature is not None:
            return functools.wraps(host)(np.vectorize(host, signature=signature, excluded=set(static)))
        case "scalar":
            return _Loop(host, n_out)
        case _:
            raise ValueError(f"batch is {batch!r}; write 'elementwise', 'same-shape' or 'scalar'")


class _Loop:
    """A host of Python numbers, applied to every element."""

    def __init__(self, host: Callable[..., Any], n_out: int) -> None:
        self.host, self.n_out = host, n_out
        functools.update_wrapper(self, host)

    def __call__(self, *args: Any, **static: Any) -> Any:
        arrays = np.broadcast_arrays(*args)
        rows = [
            self.host(*(x.item() for x in point), **static) for point in zip(*(a.flat for a in arrays), strict=True)
        ]
        columns = list(zip(*rows, strict=True)) if self.n_out > 1 else [rows]
        results = tuple(np.asarray(c).reshape(arrays[0].shape) for c in columns) if rows else None
        if results is None:
            results = tuple(np.zeros(arrays[0].shape) for _ in range(self.n_out))
        return results if self.n_out > 1 else results[0]
