"""Small tools on formula trees (`ast.expr` in the spec language): build, compare, ask."""

import ast
from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard

SAFE = "_safe"
"""The function that a safe operand is written with in trees: `_safe(condition, variable, literal)`, a `where`."""


@dataclass(frozen=True)
class RealLinear:
    """The rule of a function that isn't holomorphic: holomorphic*dz + real*Re(dz) + imag*Im(dz)."""

    holomorphic: ast.expr
    real: ast.expr | None = None
    imag: ast.expr | None = None


Rule: TypeAlias = "ast.expr | RealLinear"


def parts(rule: Rule) -> tuple[ast.expr, ...]:
    """The formulas in a rule: one, or those of a rule that isn't holomorphic."""
    if isinstance(rule, RealLinear):
        return tuple(part for part in (rule.holomorphic, rule.real, rule.imag) if part is not None)
    return (rule,)


def name(identifier: str) -> ast.Name:
    """A variable or function by name."""
    return ast.Name(identifier, ast.Load())


def dotted(path: str) -> ast.expr:
    """`jnp.exp` as a tree."""
    first, *rest = path.split(".")
    node: ast.expr = name(first)
    for part in rest:
        node = ast.Attribute(node, part, ast.Load())
    return node


def call(function: str, *args: ast.expr) -> ast.Call:
    """`function(*args)`; `function` may be dotted."""
    return ast.Call(dotted(function), list(args), [])


def parse(text: str) -> ast.expr:
    """The tree of an expression that our own code wrote."""
    return ast.parse(text, mode="eval").body


def same(one: ast.AST, other: ast.AST) -> bool:
    """Whether two trees are equal, places in the file apart."""
    return type(one) is type(other) and ast.dump(one) == ast.dump(other)


def is_call(node: ast.AST, function: str) -> TypeGuard[ast.Call]:
    """Whether `node` calls the function of that name."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function


def is_where(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether `node` is a `where`, a safe operand (see `safe`) among them."""
    return is_call(node, "where") or is_call(node, SAFE)


def called(tree: ast.AST) -> frozenset[str]:
    """The names of all functions that `tree` calls."""
    return frozenset(
        node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    )


def names(tree: ast.AST) -> frozenset[str]:
    """The names of all variables and constants in `tree`; functions that are called don't count."""
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in functions)


def count(tree: ast.AST, variable: str) -> int:
    """How often `variable` occurs in `tree`."""
    return sum(isinstance(node, ast.Name) and node.id == variable for node in ast.walk(tree))


def is_true(tree: ast.expr) -> bool:
    """Whether `tree` is the literal True."""
    return isinstance(tree, ast.Constant) and tree.value is True


def offset(tree: ast.expr, variable: str) -> int | None:
    """The integer k if `tree` reads `variable + k` (0 for the variable itself), else None."""
    if same(tree, name(variable)):
        return 0
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add | ast.Sub) and same(tree.left, name(variable)):
        right = tree.right
        if isinstance(right, ast.Constant) and type(right.value) is int:
            return right.value if isinstance(tree.op, ast.Add) else -right.value
    return None


def is_number(tree: ast.expr) -> bool:
    """Whether `tree` is arithmetic of literal numbers alone."""
    return not any(isinstance(node, ast.Name) for node in ast.walk(tree))


def number(value: float) -> ast.expr:
    """The literal of a number; a negative one as `-x`, as Python reads it."""
    return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if value < 0 else ast.Constant(value)


def free_name(wanted: str, taken: Collection[str]) -> str:
    """`wanted`, or `wanted_2`, `wanted_3`, … if it is taken."""
    candidate, count = wanted, 1
    while candidate in taken:
        count += 1
        candidate = f"{wanted}_{count}"
    return candidate


class Structures:
    """Numbers for trees: equal ones have the same number, wherever they stand, so that comparing takes no time."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[object, ...], int] = {}

    def numbered(self, tree: ast.AST) -> dict[int, int]:
        """The number of every node in `tree`, by the node's `id`; numbers hold from call to call."""
        found: dict[int, int] = {}

        def visit(node: ast.AST) -> int:
            key = (type(node), *(part(value) for field, value in ast.iter_fields(node) if field not in _NO_STRUCTURE))
            found[id(node)] = self._numbers.setdefault(key, len(self._numbers))
            return found[id(node)]

        def part(value: object) -> object:
            if isinstance(value, list):
                return tuple(map(part, value))
            return visit(value) if isinstance(value, ast.AST) else repr(value)  # 1, 1.0 and True are equal

        visit(tree)
        return found


_NO_STRUCTURE = frozenset({"ctx", "kind"})
