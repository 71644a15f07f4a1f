"""Safe operands, and conditions in several terms, that occur more than once become local variables.

`condition = (x > 0) & (y > 0)`, `safe_x = jnp.where(condition, x, 1)`.
"""

import ast
from collections import Counter
from collections.abc import Callable

from jaxscipy_codegen import rewriting, trees
from jaxscipy_codegen.printer.points import uses_primal
from jaxscipy_codegen.printer.scope import Scope
from jaxscipy_codegen.trees import name


class Locals:
    """The local variables of one table of partials. What is equal is found by number, not by comparing all pairs."""

    def __init__(self, scope: Scope, text: Callable[[ast.expr], str]) -> None:
        """`text`: how an operand reads in JAX."""
        self.scope, self.text = scope, text
        self.statements: list[str] = []
        """The assignments; one may use the variables of those before it."""
        self._structures = trees.Structures()
        self.named: dict[int, str] = {}
        """Variables by the number of what they stand for."""
        self._variables: dict[str, str] = {}
        """The argument that a variable guards."""
        self._constant: dict[int, bool] = {}

    def shared(self, body: ast.expr) -> ast.expr:
        """A copy of `body` with a variable for all that stands there twice and holds no output."""
        body = rewriting.copied(body)
        numbers = self._structures.numbered(body)
        candidates = [found for node in ast.walk(body) for found in _worth_a_name(node, self.scope.static)]
        times = Counter(numbers[id(node)] for node in candidates)
        repeated: set[int] = set()
        for node in candidates:
            number = numbers[id(node)]
            if number not in self._constant:
                self._constant[number] = not uses_primal(node, self.scope)
            if self._constant[number] and (times[number] > 1 or number in self.named):
                repeated.add(number)
        return rewriting.rewritten(_Naming(self, numbers, repeated), body)

    def variable(self, number: int, node: ast.expr) -> ast.expr:
        """The variable of a safe operand or a condition; what it contains are variables already."""
        if number not in self.named:
            text = self.text(rewriting.copied(node))
            guarded = _guarded(node, self._variables) if trees.is_call(node, trees.SAFE) else None
            taken = {*self.scope.args, *self.scope.outputs, *self.named.values()}
            variable = trees.free_name(f"safe_{guarded}" if guarded else "condition", taken)
            self.named[number] = variable
            if guarded:
                self._variables[variable] = guarded
            self.statements.append(f"{variable} = {text}")
        return name(self.named[number])

    def unguarded(self, tree: ast.expr) -> ast.expr:
        """`tree` with arguments in place of their safe operands."""

        def argument(node: ast.AST) -> ast.expr | None:
            if trees.is_call(node, trees.SAFE):
                return name(_guarded(node, self._variables))
            return name(self._variables[node.id]) if isinstance(node, ast.Name) and node.id in self._variables else None

        return rewriting.replaced(tree, argument)


class _Naming(ast.NodeTransformer):
    def __init__(self, variables: Locals, numbers: dict[int, int], repeated: set[int]) -> None:
        self.variables, self.numbers, self.repeated = variables, numbers, repeated

    def visit(self, node: ast.AST) -> ast.AST:
        number = self.numbers.get(id(node))  # none: `ctx` of a name
        if number is None or number not in self.repeated or not isinstance(node, ast.expr):
            return self.generic_visit(node)
        if number not in self.variables.named:
            self.generic_visit(node)
        return self.variables.variable(number, node)


def _worth_a_name(node: ast.AST, static: frozenset[str]) -> tuple[ast.expr, ...]:
    """`node` if it is a safe operand, and the condition in several terms that it depends on."""
    if not trees.is_where(node):
        return ()
    condition = node.args[0]
    long = isinstance(condition, ast.BoolOp) and not trees.names(condition) <= static
    return (*([node] if trees.is_call(node, trees.SAFE) else []), *([condition] if long else []))


def _guarded(operand: ast.Call, variables: dict[str, str]) -> str:
    """The argument that a safe operand stands for."""
    found = trees.names(operand.args[1]) | trees.names(operand.args[2])
    return min(variables.get(used, used) for used in found)
