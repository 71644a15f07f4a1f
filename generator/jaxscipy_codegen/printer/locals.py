"""What the rules of a table share becomes local variables: parts that the spec names, safe operands, long repetitions.

`one_sided = (v < 0) & (z != 0)`, `safe_x = jnp.where(x > 0, x, 1)`, `total = a + b`.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from jaxscipy_codegen import rewriting, trees
from jaxscipy_codegen.functions import ELEMENTARY
from jaxscipy_codegen.printer.points import uses_primal
from jaxscipy_codegen.printer.repeated import Repetitions
from jaxscipy_codegen.printer.scope import RESERVED, Scope
from jaxscipy_codegen.trees import name

_SAVED, _SAVED_IN_RULES = 10, 60
"""Characters that a variable has to save: more where a rule has to become a function of several lines for it."""


class Locals:
    """The local variables of one table of partials."""

    def __init__(self, scope: Scope, text: Callable[[ast.expr], str]) -> None:
        """`text`: how an expression reads in JAX."""
        self.scope, self.text = scope, text
        self.statements: list[str] = []
        """The assignments; one may use the variables of those before it."""
        self._named: dict[int, str] = {}
        """Variables by the number of what they stand for."""
        self._guarded: dict[str, str] = {}
        """The argument that a variable is a safe operand of."""

    def shared(self, bodies: Sequence[ast.expr], parts: Mapping[str, ast.expr]) -> list[ast.expr]:
        """The rules `bodies` with variables for what they share; `parts`: what the spec has named."""
        return self._with_variables(bodies, parts, self._is_constant, _SAVED)

    def of_values(self, body: ast.expr, values: Sequence[str], variables: "Locals") -> ast.expr:
        """The rule `body` in parameters with variables for what it repeats; `variables`: those of the whole table."""
        self._named |= {-1 - k: taken for k, taken in enumerate((*values, *variables.names))}
        (found,) = self._with_variables([body], {}, _is_elementary, _SAVED_IN_RULES)
        return found

    def _is_constant(self, node: ast.expr) -> bool:
        """Whether `node` is known before any function of the specs is called."""
        known = bool(trees.names(node) & {*self.scope.args}) and not uses_primal(node, self.scope)
        return known and _is_elementary(node)

    def _with_variables(
        self, bodies: Sequence[ast.expr], parts: Mapping[str, ast.expr], known: Callable[[ast.expr], bool], saved: int
    ) -> list[ast.expr]:
        copies = [rewriting.copied(body) for body in bodies]
        found = Repetitions(copies, self.scope, known, saved)
        wanted = {number: _name_of(node) for number, node in found.worth_a_name()}
        wanted |= dict(found.equal_to(parts, self.unguarded))
        called = frozenset[str]().union(*map(trees.called, copies))
        taken = {*self.scope.args, *self.scope.outputs, *called, *RESERVED}
        return [rewriting.rewritten(_Naming(self, found.numbers, wanted, taken), body) for body in copies]

    def variable(self, number: int, wanted: str, node: ast.expr, taken: set[str]) -> ast.expr:
        """The variable of `node`; what it contains are variables already."""
        if number not in self._named:
            guarded = _guarded(node, self._guarded) if trees.is_call(node, trees.SAFE) else None
            variable = trees.free_name(f"safe_{guarded}" if guarded else wanted, {*taken, *self._named.values()})
            self._named[number] = variable
            if guarded:
                self._guarded[variable] = guarded
            self.statements.append(f"{variable} = {self.text(rewriting.copied(node))}")
        return name(self._named[number])

    @property
    def names(self) -> Iterator[str]:
        """All variables."""
        yield from self._named.values()

    def unguarded(self, tree: ast.expr) -> ast.expr:
        """`tree` with arguments in place of their safe operands."""

        def argument(node: ast.AST) -> ast.expr | None:
            if trees.is_call(node, trees.SAFE):
                return name(_guarded(node, self._guarded))
            return name(self._guarded[node.id]) if isinstance(node, ast.Name) and node.id in self._guarded else None

        return rewriting.replaced(tree, argument)


class _Naming(ast.NodeTransformer):
    def __init__(
        self, variables: Locals, numbers: Mapping[int, int], wanted: Mapping[int, str], taken: set[str]
    ) -> None:
        self.variables, self.numbers, self.wanted, self.taken = variables, numbers, wanted, taken

    def visit(self, node: ast.AST) -> ast.AST:
        number = self.numbers.get(id(node))  # none: `ctx` of a name
        self.generic_visit(node)
        if number is None or number not in self.wanted or not isinstance(node, ast.expr):
            return node
        return self.variables.variable(number, self.wanted[number], node, self.taken)


def _is_elementary(node: ast.expr) -> bool:
    return trees.called(node) <= {*ELEMENTARY, "where", trees.SAFE}


def _guarded(operand: ast.Call, variables: Mapping[str, str]) -> str:
    """The argument that a safe operand stands for."""
    found = trees.names(operand.args[1]) | trees.names(operand.args[2])
    return min(variables.get(used, used) for used in found)


_OPERATIONS: dict[type[ast.AST], str] = {
    ast.Add: "total",
    ast.Sub: "difference",
    ast.Mult: "product",
    ast.Div: "ratio",
    ast.Pow: "power",
}
_CALLS = {
    "sqrt": "root",
    "exp": "exponential",
    "log": "logarithm",
    "sin": "sine",
    "cos": "cosine",
    "sinpi": "sine",
    "cospi": "cosine",
    "abs": "size",
    "quotient": "ratio",
    "where": "choice",
}


def _name_of(node: ast.expr) -> str:
    """A word for the operation that comes last."""
    match node:
        case ast.BoolOp() | ast.Compare():
            return "condition"
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(2)):
            return "square"
        case ast.BinOp(op=op):
            return _OPERATIONS[type(op)]
        case ast.Call(ast.Name(function)) if function in _CALLS:
            return _CALLS[function]
        case ast.Call(ast.Name(function)) if function in ELEMENTARY:
            return f"{function}_value"
        case _:
            return "value"
