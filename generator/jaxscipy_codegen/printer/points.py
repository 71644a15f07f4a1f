"""What a rule evaluates: its own function at points, other functions, and readable names for the values there."""

import ast
from collections.abc import Callable, Collection, Sequence
from typing import TypeGuard

from jaxscipy_codegen import trees
from jaxscipy_codegen.functions import ELEMENTARY
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


def other_calls(tree: ast.expr, scope: Scope) -> dict[str, ast.Call]:
    """The calls of other functions in `tree` that need no value of a function themselves, by `ast.dump`.

    They can be evaluated together with the function itself.
    """
    calls: dict[str, ast.Call] = {}

    def visit(node: ast.AST) -> bool:
        """Whether `node` needs values of functions, at points that aren't the function's own."""
        if scope.point_of(node) is not None:
            return True
        needs = [visit(child) for child in ast.iter_child_nodes(node)]
        if not _is_of_specs(node):
            return any(needs)
        if not (any(needs) or node.keywords or uses_primal(node, scope)) and scope.has_host(ast.unparse(node.func)):
            calls.setdefault(ast.dump(node), node)
        return True

    visit(tree)
    return calls


def _is_of_specs(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether `node` calls a function of the specs."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in _NOT_OF_SPECS


_NOT_OF_SPECS = {*ELEMENTARY, "where", trees.SAFE, "RealLinear"}
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
    points: Sequence[tuple[ast.expr, ...]],
    scope: Scope,
    unguarded: Callable[[ast.expr], ast.expr],
    taken: Collection[str] = (),
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
        chosen.append(trees.free_name(wanted, {*chosen, *scope.args, *scope.outputs, *taken}))
    return chosen
