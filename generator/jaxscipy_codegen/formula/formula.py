"""Formulas of specs: read with Python's `ast` and a whitelist, never with `eval` or `sympify`, which run code."""

import ast
import keyword
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from jaxscipy_codegen.errors import NOWHERE, Position
from jaxscipy_codegen.formula.constants import constant
from jaxscipy_codegen.formula.grammar import MAX_DEPTH, FormulaError, check

MAX_LENGTH = 4000
_RESERVED = {*keyword.kwlist} - {"and", "or", "not", "if", "else", "in", "is", "True", "False", "None"}


def _nowhere(offset: int) -> Position:
    return NOWHERE


@dataclass(frozen=True)
class Formula:
    """A formula as written. `tree` holds only whitelisted nodes.

    After `load` all its names are known, outputs of functions are `ast.Attribute`s of calls (`airy(z).ai`, for
    `airy(z)[0]` too), and arguments are positional as far as no default is left out before them.
    """

    text: str
    tree: ast.expr = field(compare=False)
    at: Callable[[int], Position] = field(default=_nowhere, compare=False, repr=False)
    """The place in the spec file of a character of the formula (`col_offset` of a node)."""

    @property
    def position(self) -> Position:
        """The place of the first character."""
        return self.at(self.tree.col_offset)

    @property
    def names(self) -> frozenset[str]:
        """The names that stand for values: arguments, outputs, constants."""
        called = {id(node.func) for node in ast.walk(self.tree) if isinstance(node, ast.Call)}
        return frozenset(
            node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name) and id(node) not in called
        )

    @property
    def calls(self) -> frozenset[str]:
        """The names of the functions that are called."""
        return frozenset(called_name(node) for node in ast.walk(self.tree) if isinstance(node, ast.Call))

    def __str__(self) -> str:
        return self.text


def called_name(call: ast.Call) -> str:
    """The name of the function in a call of a validated tree."""
    assert isinstance(call.func, ast.Name)
    return call.func.id


def read(text: str, at: Callable[[int], Position] = _nowhere) -> Formula:
    """The formula in `text`. Raises `FormulaError` when it holds anything but arithmetic, comparisons and calls."""
    start = len(text) - len(text.lstrip()) if text.strip() else 0
    # One line of the same length, so that an offset in the tree is an offset in `text`.
    line = text.translate({ord(blank): " " for blank in "\n\r\t\f\v"})[start:].rstrip()
    _check_characters(line, start)
    try:
        tree = ast.parse(line, mode="eval").body
    except SyntaxError as error:
        offset = error.offset - 1 if error.offset else len(line)
        raise FormulaError(_syntax_message(error, line), start + offset) from None
    except (ValueError, RecursionError, MemoryError):
        raise FormulaError("the formula is nested too deeply; split it up", start) from None
    try:
        check(tree)
        constant(tree)
    except FormulaError as error:
        raise FormulaError(error.message, start + error.offset) from None
    if start:
        for node in ast.walk(tree):
            if isinstance(node, ast.expr | ast.keyword):
                node.col_offset += start
    return Formula(text.strip(), tree, at)


def _check_characters(line: str, start: int) -> None:
    if not line:
        raise FormulaError("the formula is empty; write an expression in the arguments' names")
    if len(line) > MAX_LENGTH:
        raise FormulaError(f"the formula has {len(line)} characters; write at most {MAX_LENGTH}")
    depth = 0
    for offset, character in enumerate(line, start):
        if not character.isascii() or not character.isprintable():
            raise FormulaError(f"{character!r} is not part of formulas; write ASCII letters, digits and signs", offset)
        if character == "#":
            raise FormulaError("comments are not part of formulas; write it as note or as a YAML comment", offset)
        if character in "'\"":
            raise FormulaError("text is not part of formulas; write numbers and names", offset)
        depth += (character in "([{") - (character in ")]}")
        if depth > MAX_DEPTH:
            raise FormulaError(f"brackets are nested more than {MAX_DEPTH} deep; split the formula up", offset)


def _syntax_message(error: SyntaxError, line: str) -> str:
    reserved = [word for word in re.findall(r"[A-Za-z_]\w*", line) if word in _RESERVED]
    if reserved:
        return f"{reserved[0]!r} is a word of Python; write another name"
    if "Perhaps you forgot a comma" in (error.msg or ""):
        return "not a formula; write * between factors and commas between arguments"
    if "decimal literal" in (error.msg or ""):
        return "a number runs into a name; write * between them"
    return f"not a formula ({error.msg}); write an expression such as (jv(v - 1, z) - jv(v + 1, z))/2"
