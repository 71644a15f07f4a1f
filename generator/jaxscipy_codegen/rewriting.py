"""Rewriting formula trees: substitution, choices, conditions for arrays. Nothing that is given is changed."""

import ast
from collections.abc import Callable, Mapping, Sequence

from jaxscipy_codegen import trees


def copied(tree: ast.expr) -> ast.expr:
    """A copy of `tree` that shares no node with it, without places in the file; `copy.deepcopy` is much slower."""

    def part(value: object) -> object:
        if isinstance(value, list):
            return [part(entry) for entry in value]
        if isinstance(value, ast.AST):
            return type(value)(**{field: part(inner) for field, inner in ast.iter_fields(value)})
        return value

    found = part(tree)
    assert isinstance(found, ast.expr)
    return found


def rewritten(transformer: ast.NodeTransformer, tree: ast.expr) -> ast.expr:
    """`tree` after a transformation that makes formulas of formulas; it may change `tree` in place."""
    found = transformer.visit(tree)
    assert isinstance(found, ast.expr)
    return found


class _Substitution(ast.NodeTransformer):
    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copied(self.values[node.id]) if node.id in self.values else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return ast.Call(
            node.func if isinstance(node.func, ast.Name) else rewritten(self, node.func),
            [rewritten(self, arg) for arg in node.args],
            [ast.keyword(k.arg, rewritten(self, k.value)) for k in node.keywords],
        )


def substituted(tree: ast.expr, values: Mapping[str, ast.expr]) -> ast.expr:
    """`tree` with variables replaced, all at once; names of functions that are called stay."""
    return rewritten(_Substitution(values), copied(tree))


class _WritingOut(ast.NodeTransformer):
    def __init__(self, parts: Mapping[str, ast.expr]) -> None:
        self.parts = parts

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.parts:
            return node
        found = copied(self.parts[node.id])
        for part in ast.walk(found):
            ast.copy_location(part, node)
        return found

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function = node.func
        self.generic_visit(node)
        node.func = function if isinstance(function, ast.Name) else node.func
        return node


def write_out(tree: ast.expr, parts: Mapping[str, ast.expr]) -> ast.expr:
    """Replaces, in `tree` itself, names by what they stand for, which gets the name's place in the file."""
    return rewritten(_WritingOut(parts), tree) if parts else tree


class _WhereForm(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not trees.is_call(node, "Piecewise"):
            return node
        *branches, last = node.args
        assert isinstance(last, ast.Tuple)
        result = last.elts[0]
        if not trees.is_true(last.elts[1]):
            result = trees.call("where", last.elts[1], result, trees.name("nan"))
        for branch in reversed(branches):
            assert isinstance(branch, ast.Tuple)
            result = trees.call("where", branch.elts[1], branch.elts[0], result)
        return result


def where_form(tree: ast.expr) -> ast.expr:
    """A copy of `tree` in which `Piecewise((a, condition), (b, True))` is written `where(condition, a, b)`."""
    return rewritten(_WhereForm(), copied(tree))


class _Replacement(ast.NodeTransformer):
    def __init__(self, replacement: Callable[[ast.AST], ast.expr | None]) -> None:
        self.replacement = replacement

    def visit(self, node: ast.AST) -> ast.AST:
        found = self.replacement(node)
        return super().visit(node) if found is None else found


def replaced(tree: ast.expr, replacement: Callable[[ast.AST], ast.expr | None]) -> ast.expr:
    """A copy of `tree` in which parts are replaced, from the top down; `replacement` answers None to leave a part."""
    return rewritten(_Replacement(replacement), copied(tree))


class _Choice(ast.NodeTransformer):
    def __init__(self, test: ast.expr, holds: bool) -> None:
        self.test, self.holds = test, holds

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if trees.is_call(node, "where") and trees.same(node.args[0], self.test):
            return rewritten(self, node.args[1 if self.holds else 2])
        self.generic_visit(node)
        return node


def chosen(tree: ast.expr, test: ast.expr, holds: bool) -> ast.expr:
    """`tree` where `test` is known to hold or not: every `where(test, a, b)` is its branch."""
    return rewritten(_Choice(test, holds), copied(tree))


def both(tests: list[ast.expr]) -> ast.expr:
    """The conjunction of one or more conditions, elementwise."""
    result = tests[0]
    for test in tests[1:]:
        result = ast.BinOp(result, ast.BitAnd(), test)
    return result


def joined(operator: ast.boolop, tests: Sequence[ast.expr]) -> ast.expr:
    """One condition of one or more, in the spec language."""
    return tests[0] if len(tests) == 1 else ast.BoolOp(operator, [*tests])


class Elementwise(ast.NodeTransformer):
    """Rewrites `and`, `or`, `not` and `a < b < c` for arrays; conditions on `static` variables alone stay Python's."""

    def __init__(self, static: frozenset[str] = frozenset()) -> None:
        self.static = static

    def _is_python(self, node: ast.expr) -> bool:
        used = trees.names(node)
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
