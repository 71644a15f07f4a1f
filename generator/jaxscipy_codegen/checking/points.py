"""Where a function is looked at: in its `check` box, along one line through it per argument, and at special places."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxscipy_codegen.model import Function
from jaxscipy_codegen.sampling import sample_points
from jaxscipy_ext.runtime import core_dims

_CORE = 3
"""Size of core dimensions in sample arrays."""


@dataclass(frozen=True)
class Points:
    """Arrays of one length for the array arguments of a function."""

    arrays: Mapping[str, NDArray[Any]]
    lines: Mapping[str, slice] = field(default_factory=dict)
    """By argument: where it moves along a line and the others stay (that is what is plotted)."""
    core_ranks: tuple[int, ...] = ()


def points_of(function: Function, dtype: str, count: int, seed: int) -> Points:
    """`count` points in the box, twice as many on each line, and 0, 1, -1 and the ends of the domain."""
    core = _core_shapes(function)
    return _blocks(function, core, count, seed) if any(core) else _numbers(function, dtype, count, seed)


def _numbers(function: Function, dtype: str, count: int, seed: int) -> Points:
    names = [name for name, arg in function.args.items() if not arg.static]
    spread = sample_points(function, count, seed)
    parts: dict[str, list[Any]] = {name: [np.asarray(spread[name])] for name in names}
    middle = {name: _middle(function, name) for name in names}
    lines: dict[str, slice] = {}
    start = count
    for moving in names:
        line = np.linspace(*function.box[moving], 2 * count)
        line = np.unique(np.round(line)) if function.args[moving].kind == "integer" else line
        places = np.concatenate([line, _special(function, moving)])
        lines[moving] = slice(start, start + len(line))
        start += len(places)
        for name in names:
            values = places if name == moving else np.full(len(places), middle[name])
            parts[name].append(values.astype(np.int64) if function.args[name].kind == "integer" else values)
    arrays = {name: _of_dtype(function.args[name].kind, dtype, np.concatenate(parts[name])) for name in names}
    return Points(arrays, lines, (0,) * len(names))


def _special(function: Function, name: str) -> NDArray[np.float64]:
    """0, 1 and -1 inside the box, and the ends of the domain that belong to it."""
    domain = function.args[name].domain
    low, high = function.box[name]
    places = {place for place in (0.0, 1.0, -1.0) if low <= place <= high}
    places |= {end for end in (domain.lower, domain.upper) if np.isfinite(end)}
    return np.array(sorted(place for place in places if place in domain))


def _of_dtype(kind: str, dtype: str, values: NDArray[Any]) -> NDArray[Any]:
    if kind == "always-complex" or (kind == "complex" and dtype == "complex128"):
        return values.astype(np.complex128)
    return np.real(values) if values.dtype.kind == "c" else values


def _middle(function: Function, name: str) -> float:
    """A place inside the box, off its middle, which is often a symmetry point."""
    low, high = function.box[name]
    return float((low + high) // 2) if function.args[name].kind == "integer" else low + 0.618 * (high - low)


def _blocks(function: Function, core: list[tuple[int, ...]], count: int, seed: int) -> Points:
    """Arrays with core dimensions, uniformly distributed in the box."""
    rng = np.random.default_rng(seed)
    names = [name for name, arg in function.args.items() if not arg.static]
    arrays = {}
    for name, shape in zip(names, core, strict=True):
        values = rng.uniform(*function.box[name], (count, *shape))
        arrays[name] = np.round(values).astype(np.int64) if function.args[name].kind == "integer" else values
    return Points(arrays, core_ranks=tuple(map(len, core)))


def _core_shapes(function: Function) -> list[tuple[int, ...]]:
    """The core dimensions of every array argument in numbers."""
    if not function.signature:
        return [()] * sum(not arg.static for arg in function.args.values())
    signature = core_dims.parse_signature(function.signature)
    return [tuple(int(d) if d.isdigit() else _CORE for d in shape) for shape in signature.inputs]
