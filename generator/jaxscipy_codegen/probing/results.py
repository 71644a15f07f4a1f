"""What comes out of a host, compared and shown."""

from typing import Any

import numpy as np

_CLOSE = 1e-9


def results_of(result: Any) -> tuple[Any, ...]:
    """The results of a host, one or several."""
    return result if isinstance(result, tuple) else (result,)


def numeric(result: Any) -> bool:
    """Whether all are arrays of numbers."""
    try:
        return all(np.asarray(r).dtype.kind in "biufc" for r in results_of(result))
    except ValueError:
        return False


def finite(result: Any) -> bool:
    """Whether all are numbers, and finite; False for an exception."""
    return (
        not isinstance(result, Exception)
        and numeric(result)
        and all(np.all(np.isfinite(r)) for r in results_of(result))
    )


def same(one: Any, other: Any) -> bool:
    """Whether two calls gave the same, bit for bit."""
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(results_of(one), results_of(other), strict=True))


def close(one: Any, other: Any) -> bool:
    """Whether two calls gave the same but for rounding."""
    if isinstance(one, Exception) or isinstance(other, Exception) or other is None:
        return other is None or not isinstance(one, Exception)
    pairs = zip(results_of(one), results_of(other), strict=False)
    return all(np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=_CLOSE, atol=0, equal_nan=True) for a, b in pairs)


def brief(what: Any) -> str:
    """What came out, or was raised, on one line."""
    if isinstance(what, Exception):
        line = (str(what).splitlines() or [""])[0]
        return f"{type(what).__name__}: {line}"
    return repr(what)
