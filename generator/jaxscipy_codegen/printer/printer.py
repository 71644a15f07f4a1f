"""Formula trees to JAX source: a rule prints as its author wrote it, with `jnp.` in front of the elementary functions.

A formula is a Python expression tree in the spec language (`ast.expr`): arguments, outputs, elementary functions, and
functions of the specs by name. Printing rewrites the tree but never its order, so that rounding is that of the text.
"""

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from jaxscipy_codegen import rewriting, text, trees
from jaxscipy_codegen.derive import Equation, Partial
from jaxscipy_codegen.model import SINGLE
from jaxscipy_codegen.printer.choices import body_of, branches, in_branches
from jaxscipy_codegen.printer.locals import Locals
from jaxscipy_codegen.printer.points import key, other_calls, point_names, points_in, uses_primal
from jaxscipy_codegen.printer.rules import Parameter, Rules
from jaxscipy_codegen.printer.scope import OUT, Scope
from jaxscipy_codegen.printer.to_jax import Outputs, in_jax
from jaxscipy_codegen.trees import call, name


@dataclass(frozen=True)
class Printed:
    """The text of one partial: `value` in the table of partials, `comments` on constants that were folded."""

    value: str
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """The text of a table of partials."""

    rows: Mapping[str, Printed]
    statements: tuple[str, ...] = ()
    """Assignments and functions before the table that its rows refer to."""


class Printer:
    """Prints the partials of one function. What its rules share becomes local variables, printed once."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._comments: dict[str, None] = {}
        self._locals = Locals(scope, self._text)
        self._rules = Rules(scope, self._locals, self._in_jax, self._text)

    def table(self, partials: Mapping[str, Partial]) -> Table:
        """The rows of the partials that have rules: a `lambda` of the outputs, `at(...)` or `at_root(...)` each."""
        bodies = {arg: body_of(partial, self.scope) for arg, partial in partials.items()}
        parts = {word: rewriting.where_form(p) for partial in partials.values() for word, p in partial.parts.items()}
        shared = iter(self._locals.shared([leaf for body in bodies.values() for leaf in branches(body)], parts))
        bodies = {arg: in_branches(body, lambda _: next(shared)) for arg, body in bodies.items()}
        self._rules.share_slopes([bodies[arg] for arg, partial in partials.items() if partial.equation is not None])
        rows: dict[str, Printed] = {}
        for arg, partial in partials.items():
            self._comments.clear()
            tree = in_branches(bodies[arg], lambda body, arg=arg, partial=partial: self._row(arg, partial, body))
            rows[arg] = Printed(ast.unparse(tree), tuple(self._comments))
        return Table(rows, (*self._locals.statements, *self._rules.statements))

    def _text(self, tree: ast.expr) -> str:
        """A formula as the end of a statement, with its own comment on constants that were folded."""
        comments: dict[str, None] = {}
        value = ast.unparse(in_jax(tree, self.scope, comments))
        return f"{value}  # {text.comment('; '.join(comments))}" if comments else value

    def _in_jax(self, tree: ast.expr) -> ast.expr:
        return in_jax(tree, self.scope, self._comments)

    def _row(self, arg: str, partial: Partial, body: ast.expr) -> ast.expr:
        return self._at_root(arg, partial.equation, body) if partial.equation is not None else self._at(arg, body)

    def _at_root(self, arg: str, equation: Equation, body: ast.expr) -> ast.expr:
        self.scope.needs("at_root")
        of = self._in_jax(rewriting.substituted(equation.of, {SINGLE: ast.Constant(...)}))
        assert isinstance(of, ast.Call)
        assert isinstance(body, ast.Tuple)
        in_value = trees.is_number(body.elts[0])  # 1/slope; the others have the partial of `of` there
        rule = self._rules.of(arg, [Parameter(OUT)], rewriting.rewritten(Outputs(self.scope, {}), body))
        keywords = [ast.keyword("in_value", ast.Constant(True))] if in_value else []
        return ast.Call(
            name("at_root"), [of.func, ast.Tuple(of.args, ast.Load()), name(equation.value), rule], keywords
        )

    def _at(self, arg: str, body: ast.expr) -> ast.expr:
        """Other functions that the rule calls are evaluated with the function itself, not inside the rule."""
        others = other_calls(body, self.scope)
        points = points_in(body, self.scope)
        own = self.scope.own_point
        points.pop(key(own), None)
        if not points and not others:
            outputs = [Parameter(output) for output in self.scope.outputs or (OUT,)]
            return self._rules.of(arg, outputs, rewriting.rewritten(Outputs(self.scope, {}), body))
        if uses_primal(body, self.scope):
            points = {key(own): own} | points
        chosen = point_names(tuple(points.values()), self.scope, self._locals.unguarded, tuple(self._locals.names))
        names = dict(zip(points, chosen, strict=True))
        rest = rewriting.replaced(body, lambda node: name(OUT) if ast.dump(node) in others else None)
        values = self._values(others, {*names.values(), *trees.called(rest)})
        body = rewriting.replaced(body, lambda node: _value(node, values))
        body = rewriting.rewritten(Outputs(self.scope, names), body)
        self.scope.needs("at")
        tuples = [ast.Tuple([self._in_jax(value) for value in point], ast.Load()) for point in points.values()]
        for other in others.values():
            function = trees.dotted(self.scope.refer(ast.unparse(other.func)))
            tuples.append(ast.Tuple([function, *map(self._in_jax, other.args)], ast.Load()))
        parameters = [Parameter(point, self.scope.function) for point in names.values()]
        parameters += [Parameter(values[dump], ast.unparse(other.func)) for dump, other in others.items()]
        itself = len(parameters) == 1 and self._is_itself(body, parameters[0])
        return call("at", *tuples, *([] if itself else [self._rules.of(arg, parameters, body)]))

    def _is_itself(self, body: ast.expr, value: Parameter) -> bool:
        """Whether the rule is the only value that it is made of, with all its outputs."""
        outputs = self.scope.outputs
        if not outputs:
            return ast.unparse(body) == value.name
        text = f"({', '.join(f'{value.name}.{output}' for output in outputs)})"
        return ast.unparse(body) == text and self.scope.outputs_of(value.function) == outputs

    def _values(self, calls: Mapping[str, ast.Call], taken: Collection[str]) -> dict[str, str]:
        """A parameter for the value of every call: the name of its function, if that is free."""
        chosen: dict[str, str] = {}
        for dump, node in calls.items():
            used = {*taken, *chosen.values(), *self.scope.args, *self.scope.outputs, *self._locals.names}
            chosen[dump] = trees.free_name(ast.unparse(node.func), used)
        return chosen


def _value(node: ast.AST, values: Mapping[str, str]) -> ast.expr | None:
    found = values.get(ast.dump(node)) if isinstance(node, ast.Call) else None
    return None if found is None else name(found)
