"""Formulas of specs: read with Python's `ast` and a whitelist, never with `eval` or `sympify`, which run code.

`read` knows the grammar, `Vocabulary` the names that a formula at its place may use. `symbolic` turns a formula into
SymPy, `evaluate` into numbers; the printer prints `Formula.tree` as written (SymPy reorders, which changes rounding).
"""

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass, field

from jaxscipy_codegen.errors import NOWHERE, Position

MAX_LENGTH = 4000
MAX_DEPTH = 100
MAX_EXPONENT = 100
MAX_CONSTANT = 1e300


class FormulaError(ValueError):
    """What is wrong in a formula, and the character (from 0) at which it is."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.message, self.offset = message, offset


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


# ----------------------------------------------------------------------------------------------------------- grammar

_BINARY = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
_UNARY = (ast.USub, ast.UAdd, ast.Not)
_COMPARE = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)

_INSTEAD: dict[type[ast.AST], str] = {
    ast.BitXor: "^ is not a power here; write ** for powers",
    ast.BitAnd: "& is not part of formulas; write and",
    ast.BitOr: "| is not part of formulas; write or",
    ast.Invert: "~ is not part of formulas; write not",
    ast.FloorDiv: "// is not part of formulas; write floor(x/y)",
    ast.Mod: "% is not part of formulas; write x - y*floor(x/y)",
    ast.MatMult: "@ is not part of formulas; write * for products",
    ast.IfExp: "'if … else' is not part of formulas; write where(condition, a, b)",
    ast.Lambda: "lambda is not part of formulas; write the expression in the arguments' names",
    ast.ListComp: "comprehensions are not part of formulas; write the terms out",
    ast.SetComp: "comprehensions are not part of formulas; write the terms out",
    ast.DictComp: "comprehensions are not part of formulas; write the terms out",
    ast.GeneratorExp: "comprehensions are not part of formulas; write the terms out",
    ast.JoinedStr: "text is not part of formulas; write numbers and names",
    ast.NamedExpr: ":= is not part of formulas; write the expression twice",
    ast.Starred: "* before an argument is not part of formulas; write the arguments out",
    ast.List: "lists are not part of formulas; write the numbers as arguments",
    ast.Dict: "braces are not part of formulas; write round brackets",
    ast.Set: "braces are not part of formulas; write round brackets",
    ast.Await: "await is not part of formulas; leave it out",
    ast.Yield: "yield is not part of formulas; leave it out",
    ast.YieldFrom: "yield is not part of formulas; leave it out",
    ast.In: "'in' is not part of formulas; write comparisons",
    ast.NotIn: "'in' is not part of formulas; write comparisons",
    ast.Is: "'is' is not part of formulas; write ==",
    ast.IsNot: "'is' is not part of formulas; write !=",
}


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
        raise FormulaError(_syntax_message(error), start + offset) from None
    except (ValueError, RecursionError, MemoryError):
        raise FormulaError("the formula is nested too deeply; split it up", start) from None
    try:
        _check(tree, 0)
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


def _syntax_message(error: SyntaxError) -> str:
    if "Perhaps you forgot a comma" in (error.msg or ""):
        return "not a formula; write * between factors and commas between arguments"
    if "decimal literal" in (error.msg or ""):
        return "a number runs into a name; write * between them"
    return f"not a formula ({error.msg}); write an expression such as (jv(v - 1, z) - jv(v + 1, z))/2"


def _refuse(node: ast.AST, at: ast.AST, otherwise: str = "") -> FormulaError:
    message = _INSTEAD.get(type(node)) or otherwise
    message = message or f"{type(node).__name__} is not part of formulas; write arithmetic and calls"
    return FormulaError(message, getattr(at, "col_offset", 0))


def _check(node: ast.expr, depth: int) -> None:
    """Refuses the first node that isn't part of the language, with its place."""
    if depth > MAX_DEPTH:
        raise FormulaError(f"the formula is nested more than {MAX_DEPTH} deep; split it up", node.col_offset)
    match node:
        case ast.BinOp(left, op, right):
            if not isinstance(op, _BINARY):
                raise _refuse(op, node)
            children = [left, right]
        case ast.UnaryOp(op, operand):
            if not isinstance(op, _UNARY):
                raise _refuse(op, node)
            children = [operand]
        case ast.BoolOp(values=values):
            children = values
        case ast.Compare(left, ops, comparators):
            for op in ops:
                if not isinstance(op, _COMPARE):
                    raise _refuse(op, node)
            children = [left, *comparators]
        case ast.Call():
            children = _check_call(node)
        case ast.Attribute(value=ast.Call() as call, attr=attr) if not attr.startswith("_"):
            children = [call]
        case ast.Subscript(value=ast.Call() as call, slice=ast.Constant(value=int() as index)) if type(index) is int:
            children = [call]
        case ast.Attribute():
            raise FormulaError(
                "a dot may only follow a call, to name one of its outputs; write for example airy(z).ai",
                (node.value.end_col_offset or 1),
            )
        case ast.Subscript():
            raise FormulaError(
                "square brackets may only follow a call, around the number of an output; write for example airy(z)[0]",
                (node.value.end_col_offset or 1),
            )
        case ast.Constant(value=bool() | int() | float() | complex() as value):
            if type(value) is not bool and not abs(value) <= MAX_CONSTANT:
                raise FormulaError(f"the number is larger than {MAX_CONSTANT:g}; write inf or log", node.col_offset)
            children = []
        case ast.Name(id=name):
            if name.startswith("_"):
                raise FormulaError(
                    "names that start with _ are not part of formulas; write an argument's name", node.col_offset
                )
            children = []
        case ast.Tuple():
            raise FormulaError("a comma may only stand between arguments; write . in decimal numbers", node.col_offset)
        case _:
            raise _refuse(node, node)
    for child in children:
        _check(child, depth + 1)


def _check_call(node: ast.Call) -> list[ast.expr]:
    if not isinstance(node.func, ast.Name):
        if isinstance(node.func, ast.Constant | ast.BinOp | ast.Call | ast.UnaryOp):
            raise FormulaError("a bracket follows a value; write * between factors", node.func.end_col_offset or 0)
        raise FormulaError(
            "only functions by their plain name can be called; write for example jv(v, z)", node.func.col_offset
        )
    if node.func.id == "Piecewise":
        if node.keywords or not node.args:
            raise FormulaError("write Piecewise((a, condition), (b, True))", node.col_offset)
        for pair in node.args:
            if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2:
                raise FormulaError("every part of Piecewise is a pair; write (value, condition)", pair.col_offset)
        last = node.args[-1]
        assert isinstance(last, ast.Tuple)
        if not (isinstance(last.elts[1], ast.Constant) and last.elts[1].value is True):
            raise FormulaError(
                "the last part of Piecewise covers the rest; write (value, True)", last.elts[1].col_offset
            )
        return [node.func, *(part for pair in node.args if isinstance(pair, ast.Tuple) for part in pair.elts)]
    for keyword in node.keywords:
        if keyword.arg is None:
            raise FormulaError("** is not part of calls; write the arguments out", keyword.value.col_offset)
    return [node.func, *node.args, *(keyword.value for keyword in node.keywords)]


NAMED = {"pi": math.pi, "E": math.e, "EulerGamma": 0.5772156649015329, "Catalan": 0.915965594177219}


def constant(node: ast.expr) -> complex | None:
    """The value of `node` if it is arithmetic of numbers only, else None. Refuses numbers that can't be held."""
    match node:
        case ast.Constant(value=value) if isinstance(value, int | float | complex) and type(value) is not bool:
            return float(value) if isinstance(value, int) else value
        case ast.Name(id=name):
            return NAMED.get(name)
        case ast.UnaryOp(op, operand):
            value = constant(operand)
            return None if value is None else -value if isinstance(op, ast.USub) else value
        case ast.BinOp(left, op, right):
            return _constant_operation(node, op, constant(left), constant(right))
        case _:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    constant(child)
            return None


def _constant_operation(
    node: ast.BinOp, op: ast.operator, left: complex | None, right: complex | None
) -> complex | None:
    if isinstance(op, ast.Pow) and right is not None and not abs(right) <= MAX_EXPONENT:
        raise FormulaError(f"the exponent is larger than {MAX_EXPONENT}; write exp(…)", node.right.col_offset)
    if left is None or right is None:
        return None
    try:
        match op:
            case ast.Add():
                value = left + right
            case ast.Sub():
                value = left - right
            case ast.Mult():
                value = left * right
            case ast.Div():
                value = left / right
            case _:
                value = left**right
    except ZeroDivisionError:
        raise FormulaError("division by zero; write inf or nan", node.right.col_offset) from None
    except OverflowError:
        value = math.inf
    if not abs(value) <= MAX_CONSTANT:
        raise FormulaError(f"the number is larger than {MAX_CONSTANT:g}; write inf or log", node.col_offset)
    return value
