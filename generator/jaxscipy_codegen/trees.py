"""Small tools on formula trees (`ast.expr` in the spec language): build, compare, ask, rewrite."""

import ast
import copy
from collections.abc import Callable, Collection, Mapping
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
    return ast.dump(one) == ast.dump(other)


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


def rewritten(transformer: ast.NodeTransformer, tree: ast.expr) -> ast.expr:
    """`tree` after a transformation that makes formulas of formulas; it may change `tree` in place."""
    found = transformer.visit(tree)
    assert isinstance(found, ast.expr)
    return found


class _Substitution(ast.NodeTransformer):
    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.values[node.id]) if node.id in self.values else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return ast.Call(
            node.func if isinstance(node.func, ast.Name) else rewritten(self, node.func),
            [rewritten(self, arg) for arg in node.args],
            [ast.keyword(k.arg, rewritten(self, k.value)) for k in node.keywords],
        )


def substituted(tree: ast.expr, values: Mapping[str, ast.expr]) -> ast.expr:
    """`tree` with variables replaced, all at once; names of functions that are called stay."""
    return rewritten(_Substitution(values), copy.deepcopy(tree))


class _WhereForm(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not is_call(node, "Piecewise"):
            return node
        *branches, last = node.args
        assert isinstance(last, ast.Tuple)
        result = last.elts[0]
        if not is_true(last.elts[1]):
            result = call("where", last.elts[1], result, name("nan"))
        for branch in reversed(branches):
            assert isinstance(branch, ast.Tuple)
            result = call("where", branch.elts[1], branch.elts[0], result)
        return result


def where_form(tree: ast.expr) -> ast.expr:
    """A copy of `tree` in which `Piecewise((a, condition), (b, True))` is written `where(condition, a, b)`."""
    return rewritten(_WhereForm(), copy.deepcopy(tree))


class _Replacement(ast.NodeTransformer):
    def __init__(self, replacement: Callable[[ast.AST], ast.expr | None]) -> None:
        self.replacement = replacement

    def visit(self, node: ast.AST) -> ast.AST:
        found = self.replacement(node)
        return super().visit(node) if found is None else found


def replaced(tree: ast.expr, replacement: Callable[[ast.AST], ast.expr | None]) -> ast.expr:
    """A copy of `tree` in which parts are replaced, from the top down; `replacement` answers None to leave a part."""
    return rewritten(_Replacement(replacement), copy.deepcopy(tree))


def is_true(tree: ast.expr) -> bool:
    """Whether `tree` is the literal True."""
    return isinstance(tree, ast.Constant) and tree.value is True


class _Choice(ast.NodeTransformer):
    def __init__(self, test: ast.expr, holds: bool) -> None:
        self.test, self.holds = test, holds

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if is_call(node, "where") and same(node.args[0], self.test):
            return rewritten(self, node.args[1 if self.holds else 2])
        self.generic_visit(node)
        return node


def chosen(tree: ast.expr, test: ast.expr, holds: bool) -> ast.expr:
    """`tree` where `test` is known to hold or not: every `where(test, a, b)` is its branch."""
    return rewritten(_Choice(test, holds), copy.deepcopy(tree))


def offset(tree: ast.expr, variable: str) -> int | None:
    """The integer k if `tree` reads `variable + k` (0 for the variable itself), else None."""
    if same(tree, name(variable)):
        return 0
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add | ast.Sub) and same(tree.left, name(variable)):
        right = tree.right
        if isinstance(right, ast.Constant) and type(right.value) is int:
            return right.value if isinstance(tree.op, ast.Add) else -right.value
    return None


def both(tests: list[ast.expr]) -> ast.expr:
    """The conjunction of one or more conditions, elementwise."""
    result = tests[0]
    for test in tests[1:]:
        result = ast.BinOp(result, ast.BitAnd(), test)
    return result


class Elementwise(ast.NodeTransformer):
    """Rewrites `and`, `or`, `not` and `a < b < c` for arrays; conditions on `static` variables alone stay Python's."""

    def __init__(self, static: frozenset[str] = frozenset()) -> None:
        self.static = static

    def _is_python(self, node: ast.expr) -> bool:
        used = names(node)
        return bool(used) and used <= self.static

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) == 1 or self._is_python(node):
            return node
        sides = [node.left, *node.comparators]
        return both([ast.Compare(a, [op], [b]) for a, op, b in zip(sides, node.ops, sides[1:], strict=False)])

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        if self._is_python(node):
            return node
        if isinstance(node.op, ast.And):
            return both(node.values)
        result = node.values[0]
        for value in node.values[1:]:
            result = ast.BinOp(result, ast.BitOr(), value)
        return result

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and not self._is_python(node):
            return ast.UnaryOp(ast.Invert(), node.operand)
        return node


_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


def negated(condition: ast.expr) -> ast.expr:
    """The opposite of a condition, as `x >= 0` for `x < 0` where that is possible."""
    if isinstance(condition, ast.Compare) and len(condition.ops) == 1:
        return ast.Compare(condition.left, [_OPPOSITE[type(condition.ops[0])]()], condition.comparators)
    return ast.UnaryOp(ast.Not(), condition)


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
