"""What `wrap` is given: completed where the host tells it, refused where it doesn't fit together."""

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
    if callback not in ("pure", "io", "debug"):
        raise ValueError(f"{name}: callback is {callback!r}; write 'pure', 'io' or 'debug'")
    if callback != "pure" and (derivatives or formula):
        raise ValueError(f"{name}: {callback} hosts have no derivatives; leave them out, or write callback='pure'")
    if ordered and callback == "pure":
        raise ValueError(f"{name}: pure calls have no order; write callback='io', or leave ordered out")


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
