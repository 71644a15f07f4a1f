"""Formula trees to JAX source: a rule prints as its author wrote it, with `jnp.` in front of the elementary functions.

A formula is a Python expression tree in the spec language (`ast.expr`): arguments, outputs, elementary functions, and
functions of the specs by name. Printing rewrites the tree but never its order, so that rounding is that of the text.
"""

import ast
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from jaxscipy_codegen import rewriting, trees
from jaxscipy_codegen.derive import Equation, Partial
from jaxscipy_codegen.model import SINGLE
from jaxscipy_codegen.printer.locals import Locals
from jaxscipy_codegen.printer.points import key, other_calls, point_names, points_in, uses_primal
from jaxscipy_codegen.printer.scope import OUT, Scope
from jaxscipy_codegen.printer.to_jax import Outputs, ToJax
from jaxscipy_codegen.safe import safe_where
from jaxscipy_codegen.trees import RealLinear, call, name, same


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
        rule = self._partial([ast.Tuple([quotient.left, quotient.right], ast.Load())], together=False)
        in_value = trees.is_number(quotient.left)  # 1/slope; the others have the partial of `of` there
        keywords = [ast.keyword("in_value", ast.Constant(True))] if in_value else []
        return ast.Call(
            name("at_root"), [of.func, ast.Tuple(of.args, ast.Load()), name(equation.value), rule], keywords
        )

    def _partial(self, rules: Sequence[ast.expr], *, together: bool = True) -> ast.expr:
        """`together`: other functions are evaluated with the function itself, not inside the rule's `lambda`."""
        test = _static_choice(rules, self.scope.static)
        if test is not None:
            then, otherwise = ([rewriting.chosen(rule, test, holds) for rule in rules] for holds in (True, False))
            return ast.IfExp(test, *(self._partial(branch, together=together) for branch in (then, otherwise)))
        if self.scope.operands is not None:
            rules = [safe_where(rule, self.scope.operands) for rule in rules]
        body: ast.expr = rules[0] if not self.scope.outputs else ast.Tuple(list(rules), ast.Load())
        body = self._locals.shared(body)
        others = other_calls(body, self.scope) if together else {}
        points = points_in(body, self.scope)
        own = self.scope.own_point
        points.pop(key(own), None)
        if not points and not others:
            outputs = rewriting.rewritten(Outputs(self.scope, {}), body)
            return _lambda(self.scope.outputs or (OUT,), self._expression(outputs))
        if uses_primal(body, self.scope):
            points = {key(own): own} | points
        names = dict(zip(points, point_names(tuple(points.values()), self.scope, self._locals.unguarded), strict=True))
        rest = rewriting.replaced(body, lambda node: name(OUT) if ast.dump(node) in others else None)
        parameters = self._parameters(others, {*names.values(), *trees.called(rest)})
        body = rewriting.replaced(body, lambda node: _parameter(node, parameters))
        body = self._expression(rewriting.rewritten(Outputs(self.scope, names), body))
        self.scope.needs("at")
        tuples = [ast.Tuple([self._expression(value) for value in point], ast.Load()) for point in points.values()]
        for other in others.values():
            function = trees.dotted(self.scope.refer(ast.unparse(other.func)))
            tuples.append(ast.Tuple([function, *map(self._expression, other.args)], ast.Load()))
        values = (*names.values(), *parameters.values())
        itself = len(values) == 1 and same(body, name(values[0]))
        return call("at", *tuples, *([] if itself else [_lambda(values, body)]))

    def _parameters(self, calls: Mapping[str, ast.Call], taken: Collection[str]) -> dict[str, str]:
        """A parameter for the value of every call: the name of its function, if that is free."""
        chosen: dict[str, str] = {}
        for dump, node in calls.items():
            used = {*taken, *chosen.values(), *self.scope.args, *self.scope.outputs}
            chosen[dump] = trees.free_name(ast.unparse(node.func), used)
        return chosen

    def _expression(self, tree: ast.expr) -> ast.expr:
        """`tree` in JAX: constants folded, conditions elementwise, `jnp.` in front of elementary functions."""
        return rewriting.rewritten(
            ToJax(self.scope, self._comments), rewriting.rewritten(rewriting.Elementwise(self.scope.static), tree)
        )


def _parameter(node: ast.AST, parameters: Mapping[str, str]) -> ast.expr | None:
    parameter = parameters.get(ast.dump(node)) if isinstance(node, ast.Call) else None
    return None if parameter is None else name(parameter)


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
