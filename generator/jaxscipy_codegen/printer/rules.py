"""What a row of a table computes: a `lambda`, or a function of its own where that reads better."""

import ast
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jaxscipy_codegen import rewriting, text, trees
from jaxscipy_codegen.printer.locals import Locals
from jaxscipy_codegen.printer.scope import Scope
from jaxscipy_codegen.printer.to_jax import Outputs
from jaxscipy_codegen.trees import name, same

_INDENT = 12
_LONG = 40


@dataclass(frozen=True)
class Parameter:
    """A value that a rule is given."""

    name: str
    function: str = ""
    """The function whose value it is, with all outputs; none: a single output."""


class Rules:
    """The rules of one table."""

    def __init__(
        self,
        scope: Scope,
        variables: Locals,
        in_jax: Callable[[ast.expr], ast.expr],
        text: Callable[[ast.expr], str],
    ) -> None:
        """`in_jax`, `text`: a formula in JAX, as a tree and as the end of a statement."""
        self.scope, self.variables, self.in_jax, self.text = scope, variables, in_jax, text
        self.statements: list[str] = []
        """Functions that rows refer to."""
        self._slope: ast.expr | None = None

    def of(self, arg: str, parameters: Sequence[Parameter], body: ast.expr) -> ast.expr:
        """The rule for the derivative in `arg`, from formulas in `parameters`."""
        inner = Locals(self.scope, self.text)
        shorter = inner.of_values(body, [parameter.name for parameter in parameters], self.variables)
        found = self._lambda(parameters, body)
        if not inner.statements and _INDENT + len(f"lambda {ast.unparse(found.args)}: (") <= text.WIDTH:
            return found
        return self._function(arg, parameters, [*inner.statements, f"return {self.text(shorter)}"], _type(body))

    def _lambda(self, parameters: Sequence[Parameter], body: ast.expr) -> ast.Lambda:
        names = [ast.arg(parameter.name) for parameter in parameters]
        args = ast.arguments(posonlyargs=[], args=names, kwonlyargs=[], kw_defaults=[], defaults=[])
        if self._slope is not None and isinstance(body, ast.Tuple) and same(body.elts[1], self._slope):
            slope = trees.parse(f"slope({parameters[0].name})")
            return ast.Lambda(args, ast.Tuple([self.in_jax(body.elts[0]), slope], ast.Load()))
        return ast.Lambda(args, self.in_jax(body))

    def _function(self, arg: str, parameters: Sequence[Parameter], statements: Sequence[str], returns: str) -> ast.expr:
        signature = ", ".join(f"{parameter.name}: {self.scope.type_of(parameter.function)}" for parameter in parameters)
        function = trees.free_name(f"along_{arg}", {*self.scope.args, *self.scope.outputs, *self.variables.names})
        body = textwrap.indent("\n".join(statements), "    ")
        self.statements.append(f"def {function}({signature}) -> {returns}:\n{body}")
        return name(function)

    def share_slopes(self, bodies: Sequence[ast.expr]) -> None:
        """Give the denominator that inverses have in common a name, if it is long."""
        slopes = [body.elts[1] for body in bodies if isinstance(body, ast.Tuple)]
        times = Counter(map(ast.unparse, slopes))
        for slope in slopes:
            if times[ast.unparse(slope)] > 1 and len(ast.unparse(slope)) > _LONG:
                self._slope = rewriting.rewritten(Outputs(self.scope, {}), rewriting.copied(slope))
                value = self.text(rewriting.copied(self._slope))
                self.statements.append(f"def slope(out: Array) -> Array:\n    return {value}")
                return


def _type(body: ast.expr) -> str:
    """The type of a rule's result."""
    if isinstance(body, ast.Tuple):
        return f"tuple[{', '.join(map(_type, body.elts))}]"
    return "RealLinear" if trees.is_call(body, "RealLinear") else "Array"
