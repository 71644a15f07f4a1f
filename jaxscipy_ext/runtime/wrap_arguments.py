"""What `wrap` is given: completed where the host tells it, refused where it doesn't fit together."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

import numpy as np

from jaxscipy_ext.runtime.core_dims import signature_of
from jaxscipy_ext.runtime.host_arguments import argument_kinds
from jaxscipy_ext.runtime.loops import OutputKind
from jaxscipy_ext.runtime.promotion import Kind
from jaxscipy_ext.runtime.rules import Discrete, Unavailable
from jaxscipy_ext.runtime.static_values import Integer, OneOf


def kinds_of(name: str, host: Callable[..., Any], given: Mapping[str, Kind]) -> dict[str, Kind]:
    """The kind of every argument: as given, else as the host tells."""
    found = argument_kinds(host)
    for argument in given:
        if argument not in found:
            raise ValueError(f"{name} has no argument {argument!r}; write one of {', '.join(found)}")
    for argument, kind in given.items():
        if not (isinstance(kind, Integer | OneOf) or kind in _KINDS):
            raise ValueError(f"{name}: argument {argument!r} is {kind!r}; write one of {', '.join(map(repr, _KINDS))}")
    return {**found, **given}


_KINDS = tuple(get_args(get_args(Kind)[0]))


def check_host(name: str, host: Callable[..., Any], batch: str, vmap_method: str) -> None:
    """Raise `TypeError` for JAX's own functions, `ValueError` for ways to call the host that don't exist."""
    of_jax = str(getattr(host, "__module__", None) or type(host).__module__).partition(".")[0] in ("jax", "jaxlib")
    if of_jax or any(hasattr(host, attribute) for attribute in ("lower", "defjvp", "defvjp", "core")):
        raise TypeError(
            f"{name} is a JAX function: as a host it would wait for the program that calls it; call it as it is, and "
            f"wrap functions of NumPy arrays"
        )
    for key, given, known in (("batch", batch, _BATCHES), ("vmap_method", vmap_method, _VMAP_METHODS)):
        if given not in known:
            raise ValueError(f"{name}: {key} is {given!r}; write {' or '.join(map(repr, known))}")


_BATCHES = ("elementwise", "same-shape", "scalar")
_VMAP_METHODS = ("expand_dims", "broadcast_all", "sequential", "sequential_unrolled", "legacy_vectorized")


def check_derivatives(
    name: str, kinds: Mapping[str, Kind], derivatives: Mapping[str, Any], formula: Any, callback: str, ordered: bool
) -> None:
    """Raise `ValueError` or `TypeError` for derivatives that can't be."""
    for argument in derivatives:
        if kinds.get(argument, "static") == "static":
            able = [known for known, kind in kinds.items() if kind != "static"]
            raise ValueError(f"{name} has no argument {argument!r} to differentiate; write one of {', '.join(able)}")
    for argument, way in derivatives.items():
        if not (callable(way) or isinstance(way, str | Mapping | Discrete | Unavailable)):
            raise TypeError(f"{name}: the derivative in {argument!r} is {way!r}; write a function or a formula")
        if callable(way) and not _takes(way, len(kinds)):
            given = f"{inspect.signature(way)}"
            raise TypeError(
                f"{name}: the derivative in {argument!r} takes {given}; write a function of all arguments, "
                f"({', '.join(kinds)}), and of `out` if it wants the value"
            )
    if callback not in ("pure", "io", "debug"):
        raise ValueError(f"{name}: callback is {callback!r}; write 'pure', 'io' or 'debug'")
    if callback != "pure" and (derivatives or formula):
        raise ValueError(f"{name}: {callback} hosts have no derivatives; leave them out, or write callback='pure'")
    if ordered and callback == "pure":
        raise ValueError(f"{name}: pure calls have no order; write callback='io', or leave ordered out")


def _takes(derivative: Callable[..., Any], count: int) -> bool:
    """Whether a function can be called with that many arguments, `out` apart."""
    try:
        signature = inspect.signature(derivative)
    except (TypeError, ValueError):  # not every callable says what it takes
        return True
    try:
        signature.bind(*range(count), **({"out": None} if "out" in signature.parameters else {}))
    except TypeError:
        return False
    return True


def check_core_dimensions(
    name: str,
    host: Callable[..., Any],
    signature: str | None,
    kinds: Mapping[str, Kind],
    derivatives: Mapping[str, Any],
    formula: Any,
) -> None:
    """Partials are multiplied with tangents element by element: wrong where the host mixes elements."""
    arrays = [argument for argument, kind in kinds.items() if kind != "static"]
    core = signature_of(host, signature, len(arrays), 1) if derivatives or formula is not None else None
    if core is None or core.is_elementwise:
        return
    for argument, own in zip(arrays, core.inputs, strict=False):
        given = derivatives.get(argument)
        ruled = formula is not None if given is None else not isinstance(given, Discrete | Unavailable)
        if ruled and (own or any(core.outputs)):
            raise ValueError(
                f"{name}: the host mixes elements along core dimensions, so that the partial in {argument!r} isn't "
                f"elementwise; leave it out, and it raises"
            )


def check_outputs(name: str, outputs: Any) -> None:
    """Raise `ValueError` for an output of an unknown kind."""
    for kind in () if outputs is None else (outputs,) if isinstance(outputs, str) else _values(outputs):
        if kind not in _OUTPUT_KINDS and not _is_dtype(kind):
            known = ", ".join(map(repr, _OUTPUT_KINDS))
            raise ValueError(f"{name}: outputs has {kind!r}; write {known} or the name of a dtype")


_OUTPUT_KINDS = get_args(OutputKind)


def _values(outputs: Sequence[str] | Mapping[str, str]) -> Sequence[str]:
    return tuple(outputs.values()) if isinstance(outputs, Mapping) else tuple(outputs)


def _is_dtype(name: str) -> bool:
    try:
        return bool(np.dtype(name).kind in "biufc")
    except TypeError:
        return False
