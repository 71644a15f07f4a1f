"""Arrays that depend on Python integers only: made by SciPy while tracing, nothing to differentiate."""

import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from scipy import special as scipy_special

from jaxscipy_ext.runtime import OneOf

P = ParamSpec("P")
T = TypeVar("T")


def table(declaration: Callable[P, T]) -> Callable[P, T]:
    """`scipy.special.<name>` with the declared signature, its results as JAX arrays; the body is empty."""
    name = declaration.__name__
    host = getattr(scipy_special, name)
    signature = inspect.signature(declaration)

    @functools.wraps(declaration)
    def tabulated(*args: P.args, **kwargs: P.kwargs) -> T:
        bound = signature.bind(*args, **kwargs)
        for argument, value in bound.arguments.items():
            bound.arguments[argument] = value if isinstance(value, bool) else python_integer(name, argument, value)
        try:
            return as_jax(host(*bound.args, **bound.kwargs))
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None

    tabulated.__doc__ = f"{declaration.__doc__}\n\nAs `scipy.special.{name}`, of Python integers, in JAX arrays."
    return tabulated


def python_integer(name: str, argument: str, value: Any) -> int:
    """`value` as an int; a `TypeError` that says what to write if it isn't known while tracing."""
    try:
        return operator.index(value)
    except TypeError:
        known = "" if isinstance(value, Tracer) else f", got {value!r}"
        raise TypeError(f"{name}: {argument!r} must be a Python integer known while tracing{known}") from None


def flag(name: str, argument: str, value: Any) -> bool:
    """`value` as a bool. Raises `TypeError` for a traced one, `ValueError` for what is neither True nor False."""
    if isinstance(value, Tracer):
        raise TypeError(f"{name}: {argument!r} must be True or False, known while tracing")
    return bool(OneOf(False, True).checked(name, argument, value))


def as_jax(value: Any) -> Any:
    """NumPy's result as JAX arrays in JAX's default precision; tuples and lists become tuples."""
    if isinstance(value, (tuple, list)):
        return tuple(map(as_jax, value))
    array = np.asarray(value)
    kinds = {"f": float, "c": complex, "i": int}
    return jnp.asarray(array, dtype=jnp.result_type(kinds[array.dtype.kind]))
