"""Safe operands that occur more than once become local variables: `safe_x = jnp.where(x > 0, x, 1)`."""

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
        """Variables by the number of their operand."""
        self._variables: dict[str, str] = {}
        self._constant: dict[int, bool] = {}

    def shared(self, body: ast.expr) -> ast.expr:
        """A copy of `body` with a variable for every safe operand that stands there twice and holds no output."""
        body = rewriting.copied(body)
        numbers = self._structures.numbered(body)
        operands = [node for node in ast.walk(body) if trees.is_call(node, trees.SAFE)]
        times = Counter(numbers[id(node)] for node in operands)
        repeated: set[int] = set()
        for node in operands:
            number = numbers[id(node)]
            if number not in self._constant:
                self._constant[number] = not uses_primal(node, self.scope)
            if self._constant[number] and (times[number] > 1 or number in self.named):
                repeated.add(number)
        return rewriting.rewritten(_Naming(self, numbers, repeated), body)

    def variable(self, number: int, operand: ast.Call) -> ast.expr:
        """The variable of an operand; its own operands are variables already."""
        if number not in self.named:
            text = self.text(rewriting.copied(operand))
            guarded = _guarded(operand, self._variables)
            taken = {*self.scope.args, *self.scope.outputs, *self._variables}
            variable = trees.free_name(f"safe_{guarded}", taken)
            self.named[number], self._variables[variable] = variable, guarded
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

    def visit_Call(self, node: ast.Call) -> ast.expr:
        number = self.numbers[id(node)]
        if number in self.repeated and number in self.variables.named:
            return self.variables.variable(number, node)
        self.generic_visit(node)
        return self.variables.variable(number, node) if number in self.repeated else node


def _guarded(operand: ast.Call, variables: dict[str, str]) -> str:
    """The argument that a safe operand stands for."""
    found = trees.names(operand.args[1]) | trees.names(operand.args[2])
    return min(variables.get(used, used) for used in found)
