"""The points at which a rule evaluates its own function, and readable names for the values there."""

import ast
from collections.abc import Callable, Sequence

from jaxscipy_codegen import trees
from jaxscipy_codegen.printer.scope import OUT, Scope
from jaxscipy_codegen.trees import name, same

Point = tuple[ast.expr, ...]


def key(point: Point) -> str:
    """The same text for equal points."""
    return ast.dump(ast.Tuple(list(point), ast.Load()))


def points_in(tree: ast.expr, scope: Scope) -> dict[str, Point]:
    """The points of all calls of the function itself in `tree`, by `key`, in the order in which they stand there."""
    points: dict[str, Point] = {}
    for node in ast.walk(tree):
        point = scope.point_of(node)
        if point is not None:
            points.setdefault(key(point), point)
    return points


def uses_primal(tree: ast.AST, scope: Scope) -> bool:
    """Whether `tree` holds an output of the function at its own arguments."""
    own = key(scope.own_point)
    return bool(trees.names(tree) & scope.output_symbols) or any(
        point is not None and key(point) == own for point in map(scope.point_of, ast.walk(tree))
    )


_NEIGHBOURS: dict[int | str, str] = {
    1: "above",
    -1: "below",
    2: "two_above",
    -2: "two_below",
    3: "three_above",
    -3: "three_below",
    "negated": "mirrored",
    "unknown": "elsewhere",
}


def _shift(value: ast.expr, arg: str) -> int | str:
    """How an argument of a point lies to the function's own: the integer between them, or a word."""
    if same(value, ast.UnaryOp(ast.USub(), name(arg))):
        return "negated"
    found = trees.offset(value, arg)
    return "unknown" if found is None else found


def point_names(
    points: Sequence[tuple[ast.expr, ...]], scope: Scope, unguarded: Callable[[ast.expr], ast.expr]
) -> list[str]:
    """Readable parameter names: `below` and `above` for neighbours, `a_above` where several arguments vary."""
    shifts = [
        {arg: _shift(unguarded(value), arg) for arg, value in zip(scope.points, point, strict=True)} for point in points
    ]
    moved = [{arg: shift for arg, shift in point.items() if shift != 0} for point in shifts]
    others = [point for point in moved if point]
    # A shift that all points share says nothing about which is which.
    shared = {arg for arg in scope.points if len(others) > 1 and len({str(p.get(arg, 0)) for p in others}) == 1}
    telling = [{arg: shift for arg, shift in point.items() if arg not in shared} for point in moved]
    varying = {arg for point in telling for arg in point}
    chosen: list[str] = []
    for point, distinct in zip(moved, telling, strict=True):
        if not point:
            wanted = "here" if scope.outputs else OUT
        elif len(distinct) == 1:
            [(arg, shift)] = distinct.items()
            wanted = (f"{arg}_" if len(varying) > 1 else "") + _NEIGHBOURS.get(shift, "shifted")
        else:
            wanted = "shifted"
        chosen.append(trees.free_name(wanted, {*chosen, *scope.args, *scope.outputs}))
    return chosen
