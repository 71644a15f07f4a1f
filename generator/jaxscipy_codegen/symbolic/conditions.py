"""Conditions inside SymPy: kept as they are written, since nothing differentiates them and SymPy would reorder them.

SymPy would also write 1e-20 as a fraction of integers, and work out much that nobody asks for.
"""

import ast
from collections.abc import Callable, Mapping
from typing import ClassVar

from sympy.logic.boolalg import BooleanFunction

from jaxscipy_codegen import rewriting, trees
from jaxscipy_codegen.functions import ELEMENTARY
from jaxscipy_codegen.symbolic.calls import Expr


class Condition(BooleanFunction):  # type: ignore[misc]
    """A condition on `args`, the values of the variables that `tree` holds."""

    tree: ClassVar[ast.expr]
    variables: ClassVar[tuple[str, ...]]
    decided: ClassVar[Callable[[ast.expr, Mapping[str, Expr]], Expr]]

    @classmethod
    def eval(cls, *args: Expr) -> Expr | None:
        """Numbers decide it."""
        if all(arg.is_number for arg in args) and trees.called(cls.tree) <= {*ELEMENTARY}:
            return cls.decided(cls.tree, dict(zip(cls.variables, args, strict=True)))
        return None


class Conditions:
    """The SymPy classes of conditions, one per text."""

    def __init__(self, decided: Callable[[ast.expr, Mapping[str, Expr]], Expr]) -> None:
        """`decided`: a condition in numbers, in SymPy's own terms."""
        self.decided = decided
        self._classes: dict[str, type[Condition]] = {}

    def __call__(self, tree: ast.expr, values: Mapping[str, Expr]) -> Expr:
        """The condition `tree` in `values`."""
        text = ast.unparse(tree)
        if text not in self._classes:
            variables = tuple(sorted(trees.names(tree) & values.keys()))
            body = {"tree": tree, "variables": variables, "decided": staticmethod(self.decided)}
            self._classes[text] = type(f"Condition({text})", (Condition,), body)
        found = self._classes[text]
        return found(*(values[variable] for variable in found.variables))


def written(condition: Condition, tree_of: Callable[[Expr], ast.expr]) -> ast.expr:
    """The condition as it was written, in its arguments."""
    values = {name: tree_of(arg) for name, arg in zip(condition.variables, condition.args, strict=True)}
    return rewriting.substituted(condition.tree, values)
