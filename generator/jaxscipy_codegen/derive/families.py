"""Kernels and stencils: the functions that come with them, what those call on the host, and where they end."""

import ast
import math

from jaxscipy_codegen import trees
from jaxscipy_codegen.derive.definitions import Host, Index, Partial
from jaxscipy_codegen.model import Function, Kernel, Stencil


def host_of(function: Function, index: Index) -> Host:
    """The kernel of one of the arguments and stencils of it, or stencils of the function's own host."""
    path, remaining = function.host_path, dict(index)
    for arg in index:
        way = function.way(arg)
        if isinstance(way, Kernel):
            path = way.kernel
            remaining[arg] -= 1
            break
    positions = list(function.args)
    stencils = [
        (positions.index(arg), order, _lower_end(function, arg), function.args[arg].poles)
        for arg, order in remaining.items()
        if order
    ]
    return Host(path, tuple(stencils), function.batch if stencils else "elementwise")


def _lower_end(function: Function, arg: str) -> float | None:
    way = function.way(arg)
    if isinstance(way, Stencil) and way.stencil.lower is not None:
        return way.stencil.lower
    lower = function.args[arg].domain.lower
    return None if math.isinf(lower) else lower


def numeric(function: Function, index: Index, arg: str, way: Kernel | Stencil) -> Partial:
    """A call of the next function of the family, or the sentence that there is none."""
    more = {name: index.get(name, 0) + (name == arg) for name in function.args if name in index or name == arg}
    try:
        next_name = function.derivative_name(more)
    except KeyError:
        *most, last = more
        names = f"{', '.join(most)} and {last}" if most else last
        word = ordinal(sum(index.values()))
        return Partial("unavailable", reason=f"no accurate method is known beyond the {word} derivative in {names}")
    value = trees.call(next_name, *map(trees.name, function.args))
    rules = tuple(ast.Attribute(value, output, ast.Load()) for output in function.outputs) or (value,)
    kind = "kernel" if isinstance(way, Kernel) else "stencil"
    return Partial(kind, rules, source=way.source, note=way.note, text=ast.unparse(value))


_ORDINALS = {1: "first", 2: "second", 3: "third"}


def ordinal(number: int) -> str:
    """`first`, `second`, `third`, `4th`."""
    return _ORDINALS.get(number, f"{number}th")
