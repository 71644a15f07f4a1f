"""Where functions of the specs are looked at: points in the box of an entry, and one point inside it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxscipy_codegen import hosts
from jaxscipy_codegen.host_functions import HostFunctions
from jaxscipy_codegen.model import Function


def sample_points(function: Function, count: int, seed: int = 0) -> dict[str, Any]:
    """Points in the box of an entry (the same ones for the same seed): for every argument but static ones, an array.

    Low-discrepancy multiples of irrational numbers. Positive boxes of more than two decades are covered evenly in the
    logarithm. Complex arguments get imaginary parts of both signs, and every fourth point stays real.
    """
    points: dict[str, Any] = {}
    for k, (name, (low, high)) in enumerate(function.box.items()):
        kind = function.args[name].kind
        share = _spread(count, 3 * k, seed)
        if kind == "integer":
            points[name] = (low + np.floor(share * (high - low + 1))).astype(np.int64)
            continue
        values = low * (high / low) ** share if low > 0 and high > 100 * low else low + share * (high - low)
        if kind in ("complex", "always-complex"):
            height = min((high - low) / 4, 2.0)
            imaginary = height * (2 * _spread(count, 3 * k + 1, seed) - 1)
            values = values + 1j * np.where(np.arange(count) % 4 == 3, 0.0, imaginary)
        points[name] = values
    return {name: points.get(name) for name in function.args}


def sample(function: Function, host_functions: HostFunctions) -> dict[str, Any]:
    """One real point inside the box, off its middle (often a symmetry point), and the outputs there."""
    inside: dict[str, Any] = {}
    for name, arg in function.args.items():
        if arg.static:
            inside[name] = arg.static_value
        else:
            low, high = function.box[name]
            inside[name] = int((low + high) // 2) if arg.kind == "integer" else low + 0.618 * (high - low)
    values = dict(inside)
    for k, output in enumerate(function.results):
        try:
            value = complex(np.asarray(host_functions(function.name, output)(*inside.values())))
        except (hosts.HostMissing, TypeError, ValueError):
            value = complex(1.0)
        values[output] = value.real if value.imag == 0 else value
        if function.several:
            values[f"F{k}"] = values[output]
    return values


_IRRATIONAL = np.sqrt(np.array([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71]))


def _spread(count: int, axis: int, seed: int) -> NDArray[np.float64]:
    """`count` numbers that cover (0, 1) evenly, different ones for every axis and seed."""
    return (0.5 + (seed * count + np.arange(count)) * _IRRATIONAL[axis % len(_IRRATIONAL)]) % 1.0


def static_choices(function: Function) -> Sequence[tuple[tuple[str, Any], ...]]:
    """Values of the static arguments to check with: the defaults, and every flag and every choice in turn."""
    static = {name: argument for name, argument in function.args.items() if argument.static}
    base = tuple((name, argument.static_value) for name, argument in static.items())
    found = [base]
    for k, (name, argument) in enumerate(static.items()):
        if argument.allowed:
            found += [(*base[:k], (name, other), *base[k + 1 :]) for other in argument.static_values[1:]]
    return found
