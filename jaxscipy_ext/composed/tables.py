"""Arrays that depend on Python integers only: made by SciPy while tracing, nothing to differentiate."""

import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.core import Tracer
from scipy import special as scipy_special


def table(name: str) -> Callable[..., Array | tuple[Array, ...]]:
    """`scipy.special.<name>` with SciPy's signature, its results as JAX arrays."""
    host = getattr(scipy_special, name)
    signature = inspect.signature(host)

    @functools.wraps(host)
    def tabulated(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        for argument, value in bound.arguments.items():
            bound.arguments[argument] = value if isinstance(value, bool) else python_integer(name, argument, value)
        return as_jax(host(*bound.args, **bound.kwargs))

    tabulated.__module__ = __name__
    tabulated.__doc__ = f"{_first_line(host)}\n\nAs `scipy.special.{name}`, of Python integers, in JAX arrays."
    return tabulated


def python_integer(name: str, argument: str, value: Any) -> int:
    """`value` as an int; a `TypeError` that says what to write if it isn't known while tracing."""
    try:
        return operator.index(value)
    except TypeError:
        known = "" if isinstance(value, Tracer) else f", got {value!r}"
        raise TypeError(f"{name}: {argument!r} must be a Python integer known while tracing{known}") from None


def as_jax(value: Any) -> Any:
    """NumPy's result as JAX arrays in JAX's default precision; tuples and lists become tuples."""
    if isinstance(value, (tuple, list)):
        return tuple(map(as_jax, value))
    array = np.asarray(value)
    kinds = {"f": float, "c": complex, "i": int}
    return jnp.asarray(array, dtype=jnp.result_type(kinds[array.dtype.kind]))


def _first_line(host: Any) -> str:
    return " ".join((inspect.getdoc(host) or "").split("\n\n")[0].split())
