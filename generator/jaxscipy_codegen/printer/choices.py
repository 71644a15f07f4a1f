"""From a partial to the formula that is printed: one for all outputs, with a choice where static arguments decide.

A choice is Python's `a if test else b`, which formulas don't have: it can stand nowhere else in them.
"""

import ast
from collections.abc import Callable, Iterator

from jaxscipy_codegen import rewriting, trees
from jaxscipy_codegen.derive import Partial
from jaxscipy_codegen.printer.scope import Scope
from jaxscipy_codegen.safe import safe_where
from jaxscipy_codegen.trees import RealLinear, name


def body_of(partial: Partial, scope: Scope) -> ast.expr:
    """The rules of a partial as one formula (a tuple for several outputs), with safe operands.

    That of an inverse is the pair of numerator and denominator.
    """
    rules = [_written(rule, scope) for rule in partial.rules]
    if partial.equation is not None:
        (quotient,) = rules
        assert isinstance(quotient, ast.BinOp)
        assert isinstance(quotient.op, ast.Div)
        return _chosen(ast.Tuple([quotient.left, quotient.right], ast.Load()), scope)
    return _chosen(ast.Tuple(rules, ast.Load()) if scope.outputs else rules[0], scope)


def _written(rule: ast.expr | RealLinear, scope: Scope) -> ast.expr:
    if isinstance(rule, RealLinear):
        scope.needs("RealLinear")
        parts = {"real": rule.real, "imag": rule.imag}
        keywords = [ast.keyword(key, rewriting.where_form(part)) for key, part in parts.items() if part is not None]
        return ast.Call(name("RealLinear"), [rewriting.where_form(rule.holomorphic)], keywords)
    return rewriting.where_form(rule)


def _chosen(body: ast.expr, scope: Scope) -> ast.expr:
    test = _static_test(body, scope.static)
    if test is not None:
        branches = (_chosen(rewriting.chosen(body, test, holds), scope) for holds in (True, False))
        return ast.IfExp(test, *branches)
    return body if scope.operands is None else safe_where(body, scope.operands)


def _static_test(body: ast.expr, static: frozenset[str]) -> ast.expr | None:
    """The first condition on static arguments alone: a choice that Python makes while tracing."""
    for node in ast.walk(body) if static else ():
        if trees.is_call(node, "where") and trees.names(node.args[0]) and trees.names(node.args[0]) <= static:
            return node.args[0]
    return None


def branches(tree: ast.expr) -> Iterator[ast.expr]:
    """The formulas that a choice is made between; a formula without a choice is its own."""
    if isinstance(tree, ast.IfExp):
        yield from branches(tree.body)
        yield from branches(tree.orelse)
    else:
        yield tree


def in_branches(tree: ast.expr, change: Callable[[ast.expr], ast.expr]) -> ast.expr:
    """The same choices between changed formulas, in the order of `branches`."""
    if isinstance(tree, ast.IfExp):
        then = in_branches(tree.body, change)
        return ast.IfExp(tree.test, then, in_branches(tree.orelse, change))
    return change(tree)
