"""Partials from an equation: of inverses by the implicit function theorem, of pairs (w, w') by w'' = second(w, w')."""

import ast
from collections.abc import Callable, Mapping
from typing import TypeGuard

from jaxscipy_codegen import rewriting, trees
from jaxscipy_codegen.derive.definitions import Equation, Partial, no_partial, text_of
from jaxscipy_codegen.model import SINGLE, Function, Inverse, Ode
from jaxscipy_codegen.trees import RealLinear

PartialOf = Callable[[Function, str], Partial]


def inverse(function: Function, arg: str, way: Inverse, of: Function, partial: PartialOf) -> Partial:
    """The implicit function theorem on `of(..., F, ...) = value`."""
    value = way.value_in(function.args, of.args)
    at_output = {way.argument: trees.name(SINGLE)}
    slope = rewriting.substituted(_holomorphic(of, way.argument, partial), at_output | _primal_at(of, at_output))
    if arg == value:
        rule: ast.expr = ast.BinOp(ast.Constant(1), ast.Div(), slope)
    else:
        inner = partial(of, arg)
        if not inner.rules:
            return inner
        change = rewriting.substituted(_holomorphic(of, arg, partial), at_output | _primal_at(of, at_output))
        opposite = change.operand if _is_negative(change) else ast.UnaryOp(ast.USub(), change)
        rule = ast.BinOp(opposite, ast.Div(), slope)
    equation = Equation(_primal_at(of, at_output)[SINGLE], str(value))
    return Partial("inverse", (rule,), source="implicit function theorem", text=ast.unparse(rule), equation=equation)


def _primal_at(of: Function, values: Mapping[str, ast.expr]) -> dict[str, ast.Call]:
    """`F` in a rule of another function: that function at its arguments."""
    return {SINGLE: trees.call(of.name, *(values.get(name, trees.name(name)) for name in of.args))}


def _holomorphic(function: Function, arg: str, partial: PartialOf) -> ast.expr:
    """The only rule of a function with one output, as a formula."""
    rules = partial(function, arg).rules
    if len(rules) != 1 or isinstance(rules[0], RealLinear):
        raise no_partial(
            function,
            arg,
            f"{function.name} has no formula for d/d{arg} that an inverse could use; write a derivative: with a rule",
        )
    return rules[0]


def _is_negative(tree: ast.expr) -> TypeGuard[ast.UnaryOp]:
    return isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub)


def ode(function: Function, way: Ode) -> Partial:
    """(w, w') in the equation's own argument: w' and w''."""
    scale = way.scale.tree
    rules: dict[str, ast.expr] = {}
    for w, dw in way.pairs.items():
        second = rewriting.substituted(way.second.tree, {"w": trees.name(w), "dw": trees.name(dw)})
        rules[w], rules[dw] = _scaled(scale, trees.name(dw)), _scaled(scale, second)
    ordered = tuple(rules[output] for output in function.results)
    return Partial("ode", ordered, source=function.source, text=text_of(ordered))


def _scaled(scale: ast.expr, tree: ast.expr) -> ast.expr:
    is_one = isinstance(scale, ast.Constant) and scale.value == 1
    return tree if is_one else ast.BinOp(scale, ast.Mult(), tree)
