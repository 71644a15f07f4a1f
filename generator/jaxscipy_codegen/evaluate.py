"""Formula trees as numbers: in NumPy to check rules (functions of the specs are their hosts), in mpmath to fold."""

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

import mpmath
import numpy as np

from jaxscipy_codegen import rewriting, trees
from jaxscipy_codegen.functions import CONSTANTS, ELEMENTARY
from jaxscipy_codegen.operators import ARITHMETIC, RELATIONS

Environment = Callable[[str, str | None], Callable[..., Any]]
"""The host of a function of the specs (of one of its outputs), by name."""

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    **ARITHMETIC,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: np.logical_and,
    ast.BitOr: np.logical_or,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: np.logical_not,
}


def evaluate(tree: ast.expr, values: Mapping[str, Any], environment: Environment) -> Any:
    """`tree` in NumPy at `values` (scalars or arrays that broadcast); warnings are off, special values come out."""
    numbers = {name: _as_float(value) for name, value in values.items()}

    def visit(node: ast.expr) -> Any:
        match node:
            case ast.Constant(value):
                return _as_float(value)
            case ast.Name(id):
                return numbers[id] if id in numbers else CONSTANTS[id].numpy
            case ast.UnaryOp(op, operand):
                return _UNARY[type(op)](visit(operand))
            case ast.BinOp(left, op, right):
                return _BINARY[type(op)](visit(left), visit(right))
            case ast.Compare(left, [op], [right]):
                return np.asarray(RELATIONS[type(op)](visit(left), visit(right)))
            case ast.Attribute(ast.Call(ast.Name(function)) as inner, output):
                return called(environment(function, output), inner)
            case ast.Call(ast.Name(function)) if trees.is_where(node):
                condition, then, otherwise = map(visit, node.args)
                return np.where(condition, then, otherwise)
            case ast.Call(ast.Name(function)):
                known = ELEMENTARY.get(function)
                return called(known.numpy if known else environment(function, None), node)
            case _:
                raise TypeError(f"no number: {ast.unparse(node)}")

    def called(function: Callable[..., Any], node: ast.Call) -> Any:
        return function(*map(visit, node.args), **{k.arg or "": visit(k.value) for k in node.keywords})

    with np.errstate(all="ignore"):
        return visit(rewriting.Elementwise().visit(rewriting.where_form(tree)))


def _as_float(value: Any) -> Any:
    """Integers as NumPy floats: in Python's own numbers 1/0 raises."""
    if isinstance(value, (bool, np.bool_, str, type(None))):
        return value
    return np.float64(value) if isinstance(value, (int, float)) else np.asarray(value)[()]


class NotFinite(ValueError):
    """A constant that isn't a finite real number."""


def folded(tree: ast.expr) -> float:
    """The value of a constant formula, rounded once from 40 digits. Raises `NotFinite`."""

    def visit(node: ast.expr) -> Any:
        match node:
            case ast.Constant(value):
                return mpmath.mpf(repr(value)) if isinstance(value, float) else mpmath.mpmathify(value)
            case ast.Name(id):
                return CONSTANTS[id].mpmath()
            case ast.UnaryOp(op, operand):
                return _UNARY[type(op)](visit(operand))
            case ast.BinOp(left, op, right):
                return _BINARY[type(op)](visit(left), visit(right))
            case ast.Call(ast.Name(function), args):
                return ELEMENTARY[function].mpmath(*map(visit, args))
            case _:
                raise TypeError(f"no constant: {ast.unparse(node)}")

    with mpmath.workdps(40):
        try:
            value = visit(tree)
            number = float(mpmath.re(value))
        except ArithmeticError:
            value = number = np.inf
        if mpmath.im(value) != 0 or not np.isfinite(number):
            raise NotFinite(f"{ast.unparse(tree)} is not a finite real number; write inf, nan or a number")
        return number
