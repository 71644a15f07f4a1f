"""Formula trees to JAX source: a rule prints as its author wrote it, with `jnp.` in front of the elementary functions.

A formula is a Python expression tree in the spec language (`ast.expr`): arguments, outputs, elementary functions, and
functions of the specs by name. Printing rewrites the tree but never its order, so that rounding is that of the text.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from jaxscipy_codegen import rewriting, trees
from jaxscipy_codegen.derive import Equation, Partial
from jaxscipy_codegen.model import SINGLE
from jaxscipy_codegen.printer.locals import Locals
from jaxscipy_codegen.printer.points import key, point_names, points_in, uses_primal
from jaxscipy_codegen.printer.scope import OUT, Scope
from jaxscipy_codegen.printer.to_jax import Outputs, ToJax
from jaxscipy_codegen.safe import safe_where
from jaxscipy_codegen.trees import RealLinear, call, name


@dataclass(frozen=True)
class Printed:
    """The text of one partial: `value` in the table of partials, `comments` on constants that were folded."""

    value: str
    comments: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    """Assignments before the table that `value` refers to."""


class Printer:
    """Prints the partials of one function. Safe operands that its rules share become local variables, printed once."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._comments: dict[str, None] = {}
        self._locals = Locals(scope, lambda operand: ast.unparse(self._expression(operand)))

    def partial(self, partial: Partial) -> Printed:
        """The value in the table of partials: a `lambda` of the outputs, `at(...)` or `at_root(...)`."""
        self._comments.clear()
        before = len(self._locals.statements)
        rules = [_prepared(rule, self.scope) for rule in partial.rules]
        tree = self._partial(rules) if partial.equation is None else self._at_root(partial.equation, *rules)
        return Printed(ast.unparse(tree), tuple(self._comments), tuple(self._locals.statements[before:]))

    def _at_root(self, equation: Equation, quotient: ast.expr) -> ast.expr:
        assert isinstance(quotient, ast.BinOp) and isinstance(quotient.op, ast.Div)
        self.scope.needs("at_root")
        unknown = rewriting.substituted(equation.of, {SINGLE: ast.Constant(...)})
        of = self._expression(unknown)
        assert isinstance(of, ast.Call)
        rule = self._partial([ast.Tuple([quotient.left, quotient.right], ast.Load())])
        return ast.Call(name("at_root"), [of.func, ast.Tuple(of.args, ast.Load()), name(equation.value), rule], [])

    def _partial(self, rules: Sequence[ast.expr]) -> ast.expr:
        test = _static_choice(rules, self.scope.static)
        if test is not None:
            then, otherwise = ([rewriting.chosen(rule, test, holds) for rule in rules] for holds in (True, False))
            return ast.IfExp(test, self._partial(then), self._partial(otherwise))
        if self.scope.operands is not None:
            rules = [safe_where(rule, self.scope.operands) for rule in rules]
        body: ast.expr = rules[0] if not self.scope.outputs else ast.Tuple(list(rules), ast.Load())
        body = self._locals.shared(body)
        points = points_in(body, self.scope)
        own = self.scope.own_point
        points.pop(key(own), None)
        if not points:
            outputs = rewriting.rewritten(Outputs(self.scope, {}), body)
            return _lambda(self.scope.outputs or (OUT,), self._expression(outputs))
        if uses_primal(body, self.scope):
            points = {key(own): own} | points
        names = dict(zip(points, point_names(tuple(points.values()), self.scope, self._locals.unguarded), strict=True))
        body = self._expression(rewriting.rewritten(Outputs(self.scope, names), body))
        self.scope.needs("at")
        tuples = [ast.Tuple([self._expression(value) for value in point], ast.Load()) for point in points.values()]
        return call("at", *tuples, _lambda(tuple(names.values()), body))

    def _expression(self, tree: ast.expr) -> ast.expr:
        """`tree` in JAX: constants folded, conditions elementwise, `jnp.` in front of elementary functions."""
        return rewriting.rewritten(
            ToJax(self.scope, self._comments), rewriting.rewritten(rewriting.Elementwise(self.scope.static), tree)
        )


def _prepared(rule: ast.expr | RealLinear, scope: Scope) -> ast.expr:
    if isinstance(rule, RealLinear):
        scope.needs("RealLinear")
        parts = {"real": rule.real, "imag": rule.imag}
        keywords = [ast.keyword(key, rewriting.where_form(part)) for key, part in parts.items() if part is not None]
        return ast.Call(name("RealLinear"), [rewriting.where_form(rule.holomorphic)], keywords)
    return rewriting.where_form(rule)


def _lambda(params: Sequence[str], body: ast.expr) -> ast.Lambda:
    args = ast.arguments(posonlyargs=[], args=[ast.arg(p) for p in params], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.Lambda(args, body)


def _static_choice(rules: Sequence[ast.expr], static: frozenset[str]) -> ast.expr | None:
    """The first condition on static arguments alone: a choice that Python makes while tracing."""
    for rule in rules if static else ():
        for node in ast.walk(rule):
            if trees.is_call(node, "where") and trees.names(node.args[0]) and trees.names(node.args[0]) <= static:
                return node.args[0]
    return None
