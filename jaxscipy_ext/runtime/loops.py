"""Which loop of a host function runs for given argument dtypes, and what comes out of it."""

import functools
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from jaxscipy_ext.runtime.promotion import complex_dtype, real_dtype

OutputKind = Literal["same", "real", "complex"]


@dataclass(frozen=True)
class Loop:
    """The dtypes of one evaluation: what the host computes, and what the caller gets (float32 stays float32)."""

    inputs: tuple[np.dtype[Any], ...]
    computed: tuple[np.dtype[Any], ...] | None
    """None for Python hosts, whose results are cast whatever they are."""
    outputs: tuple[np.dtype[Any], ...]


@functools.cache
def resolve(host: Any, dtypes: tuple[np.dtype[Any], ...], outputs: tuple[str, ...] | None) -> Loop:
    """The loop of `host` for arguments of these dtypes.

    A ufunc is asked itself (`resolve_dtypes`, so integer orders take SciPy's integer loops); the result keeps the
    precision of the inexact arguments, even where the integer loop computes in float64. Python hosts declare the kind
    of every output: `"same"` as the arguments, `"real"`, `"complex"`, or a dtype's name.
    """
    inexact = [dtype for dtype in dtypes if dtype.kind in "fc"]
    precision = functools.reduce(np.promote_types, inexact) if inexact else np.dtype(np.float64)
    if outputs is None and isinstance(host, np.ufunc):
        if len(dtypes) != host.nin:
            raise TypeError(f"{host.__name__} takes {host.nin} arguments, got {len(dtypes)}")
        try:
            resolved = host.resolve_dtypes((*dtypes, *[None] * host.nout))
        except TypeError:
            given = ", ".join(dtype.name for dtype in dtypes)
            raise TypeError(
                f"{host.__name__} has no loop for ({given}); SciPy's loops are {', '.join(host.types)}"
            ) from None
        computed = tuple(resolved[host.nin :])
        return Loop(tuple(resolved[: host.nin]), computed, tuple(_at_precision(dtype, precision) for dtype in computed))
    kinds = outputs or ("same",)
    return Loop(dtypes, None, tuple(_of_kind(kind, precision) for kind in kinds))


def _at_precision(dtype: np.dtype[Any], precision: np.dtype[Any]) -> np.dtype[Any]:
    if dtype.kind == "c":
        return complex_dtype(precision)
    return real_dtype(precision) if dtype.kind == "f" else dtype


def _of_kind(kind: str, precision: np.dtype[Any]) -> np.dtype[Any]:
    match kind:
        case "same":
            return precision
        case "real":
            return real_dtype(precision)
        case "complex":
            return complex_dtype(precision)
        case _:
            return np.dtype(kind)
