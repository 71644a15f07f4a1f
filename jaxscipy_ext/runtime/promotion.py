"""From what the user writes to the arrays a host loop takes, and back: JAX's promotion rules, kept to the letter."""

from __future__ import annotations  # the decorators' own would be computed 600 times

import functools
import inspect
from collections.abc import Callable
from typing import Any, Literal, ParamSpec, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from jaxscipy_ext.runtime.static_values import Integer, OneOf

P = ParamSpec("P")
R = TypeVar("R")
Kind = Literal["real", "complex", "always-complex", "integer", "truncated", "static"] | Integer | OneOf
_COUNTED = ("integer", "truncated")

_SCALARS = (bool, int, float, complex, np.generic, np.ndarray, jax.Array)


def promoted(**kinds: Kind) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a public function so that its body sees arrays of one precision.

    `kinds` says, per argument, what SciPy's loops take there: `"real"`, `"complex"` (real or complex),
    `"always-complex"`, `"integer"` (integer dtypes are kept for SciPy's integer loops, floating ones take part in
    promotion), `"truncated"` (so, and the host would cut floating ones to C's `int`, with a warning), `"static"` (a
    Python value, passed through), `Integer(lower=0)` or `OneOf(-1, 1)` (a Python value that is checked). JAX's lattice
    decides the dtype; float16 and bfloat16 are computed in float32 and cast back; the result is weakly typed where
    JAX's own functions would make it so.

    Raises `TypeError` while tracing for lists, strings, objects, wrong arity, complex values in a real argument and
    arrays in a static one, `ValueError` for a static value that isn't among those it may have.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        name = function.__name__

        def prepared(*args: Any, **kwargs: Any) -> tuple[inspect.BoundArguments, np.dtype[Any], np.dtype[Any], bool]:
            """The arguments as the body sees them; the dtype of the result, of the computation, and whether weak."""
            signature = _signature_of(function)
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError as error:
                unknown = [key for key in kwargs if key not in signature.parameters]
                problem = f"got an unexpected keyword argument {unknown[0]!r}" if unknown else error
                raise TypeError(f"{name}{signature_text(signature)}: {problem}") from None
            bound.apply_defaults()
            values = bound.arguments
            arrays = {
                argument: _as_array(name, argument, values[argument], kind)
                for argument, kind in kinds.items()
                if not (kind == "static" or isinstance(kind, Integer | OneOf))
            }
            for argument, kind in kinds.items():
                if kind == "static" or isinstance(kind, Integer | OneOf):
                    values[argument] = _static_value(name, argument, values[argument], kind)
            dtype, weak = _common_dtype(arrays, kinds)
            compute = np.dtype(np.float32) if _is_half(dtype) else dtype
            for argument, array in arrays.items():
                values[argument] = _cast(array, kinds[argument], compute)
            return bound, dtype, compute, weak

        @functools.wraps(function)
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
            bound, dtype, compute, weak = prepared(*args, **kwargs)
            result = function(*bound.args, **bound.kwargs)
            if compute != dtype:
                result = jax.tree.map(lambda leaf: _to_half(leaf, dtype), result)
            return jax.tree.map(_weaken, result) if weak else result

        wrapper.__dict__["prepared"] = lambda *args: prepared(*args)[0].args
        return wrapper

    return decorate


_signature_of = functools.cache(inspect.signature)
"""Read at the first call: 600 of them would slow the import."""


def signature_text(signature: inspect.Signature) -> str:
    """`(v, z)`: the argument names alone."""
    return "(" + ", ".join(signature.parameters) + ")"


def _as_array(function: str, argument: str, value: Any, kind: Kind) -> Array:
    if not isinstance(value, _SCALARS) and not hasattr(value, "__jax_array__"):
        raise TypeError(
            f"{function} requires arrays or scalars, got {type(value).__name__} for argument {argument!r}; "
            f"write jnp.asarray(...) for sequences"
        )
    if isinstance(value, (np.ndarray, np.generic)) and not _has_jax_dtype(value):
        raise TypeError(
            f"{function} requires numbers, got dtype {value.dtype} for argument {argument!r}; "
            f"write np.asarray({argument}, dtype=float) if that holds numbers"
        )
    try:
        if kind not in _COUNTED and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)  # a Python integer of any size is a fine real argument
        array = value if isinstance(value, jax.Array) else jnp.asarray(value)
    except OverflowError:
        largest = "float64 holds" if isinstance(value, int) and kind not in _COUNTED else "JAX's integers hold"
        raise OverflowError(f"{function}: argument {argument!r} is larger than {largest}; write a float") from None
    if kind in ("real", *_COUNTED) and jnp.issubdtype(array.dtype, np.complexfloating):
        raise TypeError(
            f"{function} takes a real {argument!r}, got {array.dtype.name}; its host takes no complex numbers there "
            f"(write jnp.real({argument}) if the imaginary part is zero)"
        )
    if not (jnp.issubdtype(array.dtype, np.number) or array.dtype == np.bool_):
        raise TypeError(f"{function} requires numbers, got dtype {array.dtype} for argument {argument!r}")
    return array


def _has_jax_dtype(value: np.ndarray[Any, Any] | np.generic) -> bool:
    """False for objects, strings, dates, records and long doubles, on which JAX's own message is a riddle."""
    dtype = value.dtype
    return (jnp.issubdtype(dtype, np.number) or dtype == np.bool_) and dtype.char not in "gG"


def _static_value(function: str, argument: str, value: Any, kind: Literal["static"] | Integer | OneOf) -> Any:
    if isinstance(value, (jax.Array, np.ndarray)):
        raise TypeError(
            f"{function}: {argument!r} must be a Python value known while tracing, got {type(value).__name__}; "
            f"pass a literal or mark it static (jit's static_argnames)"
        )
    return value if kind == "static" else kind.checked(function, argument, value)


def _is_integer(array: Array) -> bool:
    return not jnp.issubdtype(array.dtype, np.inexact)


def _common_dtype(arrays: dict[str, Array], kinds: dict[str, Kind]) -> tuple[np.dtype[Any], bool]:
    """The inexact dtype that JAX's lattice gives, and whether it is weak."""
    taking_part = [
        array for argument, array in arrays.items() if not (kinds[argument] in _COUNTED and _is_integer(array))
    ]
    inexact = [array for array in taking_part if not _is_integer(array)]
    dtype = jnp.result_type(*taking_part) if taking_part else jnp.result_type(float)
    if not jnp.issubdtype(dtype, np.inexact):
        dtype = jnp.result_type(dtype, float)
    weak = all(array.weak_type for array in inexact or arrays.values())
    return np.dtype(dtype), weak


def _is_half(dtype: np.dtype[Any]) -> bool:
    return dtype.itemsize < 4


def real_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """float32 for complex64, float64 for complex128, real dtypes unchanged."""
    return np.finfo(dtype).dtype if dtype.kind == "c" else dtype


def complex_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """complex64 for float32, complex128 for float64, complex dtypes unchanged."""
    return np.result_type(dtype, np.complex64)


def _cast(array: Array, kind: Kind, dtype: np.dtype[Any]) -> Array:
    if kind in _COUNTED and _is_integer(array):
        return array.astype(np.int32) if array.dtype == np.bool_ else array
    if kind == "truncated":
        return _as_c_int(lax.convert_element_type(array, dtype))
    is_complex = kind == "always-complex" or (kind == "complex" and jnp.issubdtype(array.dtype, np.complexfloating))
    wanted = complex_dtype(dtype) if is_complex else real_dtype(dtype)
    as_it_is = array.dtype == wanted and not array.weak_type  # JAX takes a while to find that out
    return array if as_it_is else lax.convert_element_type(array, wanted)


def _as_c_int(array: Array) -> Array:
    """What a cast to C's `int` leaves of a floating value, and what x86 gives for large ones. NaN and inf stay."""
    lowest = -(2.0**31)
    return jnp.where(jnp.abs(array) < -lowest, jnp.trunc(array), jnp.where(jnp.isfinite(array), lowest, array))


def _to_half(leaf: Array, dtype: np.dtype[Any]) -> Array:
    return lax.convert_element_type(leaf, dtype) if jnp.issubdtype(leaf.dtype, np.floating) else leaf


@jax.jit
def _weaken(leaf: Array) -> Array:
    """The same values, weakly typed. JAX has no public cast for that, but a scatter keeps its operand's weak type."""
    scalar = jnp.asarray(0j if jnp.issubdtype(leaf.dtype, np.complexfloating) else 0.0)
    if scalar.dtype != leaf.dtype:
        return leaf
    return jnp.broadcast_to(scalar, leaf.shape).at[...].set(leaf, indices_are_sorted=True, unique_indices=True)
