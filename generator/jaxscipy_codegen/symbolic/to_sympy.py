"""Formula trees as SymPy expressions."""

import ast
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import sympy

from jaxscipy_codegen import rewriting
from jaxscipy_codegen.functions import CONSTANTS, ELEMENTARY
from jaxscipy_codegen.functions import Meaning as Meant
from jaxscipy_codegen.operators import ARITHMETIC, RELATIONS
from jaxscipy_codegen.symbolic.calls import Expr
from jaxscipy_codegen.symbolic.conditions import Conditions

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {**ARITHMETIC, ast.Mod: sympy.Mod}
_RELATIONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {**RELATIONS, ast.Eq: sympy.Eq, ast.NotEq: sympy.Ne}


class ToSympy:
    """Reads a formula tree as a SymPy expression."""

    def __init__(
        self,
        values: Mapping[str, Expr],
        fallback: Callable[[str, str | None, Sequence[Expr]], Expr],
        meanings: Mapping[str, Meant] = MappingProxyType({}),
    ) -> None:
        """`values`: the variables; `fallback(name, output, args)`: functions of the specs; `meanings`: SymPy's own."""
        self.values, self.fallback = values, fallback
        self.functions = {name: entry.sympy for name, entry in (*ELEMENTARY.items(), *meanings.items())}

    def __call__(self, node: ast.expr) -> Expr:
        match node:
            case ast.Constant(value):
                return _number(value)
            case ast.Name(id):
                return self.values[id] if id in self.values else CONSTANTS[id].sympy
            case ast.UnaryOp(ast.Not(), operand):
                return sympy.Not(self(operand))
            case ast.UnaryOp(op, operand):
                return -self(operand) if isinstance(op, ast.USub) else self(operand)
            case ast.BinOp(left, op, right):
                return _BINARY[type(op)](self(left), self(right))
            case ast.BoolOp(op, values):
                return (sympy.And if isinstance(op, ast.And) else sympy.Or)(*map(self, values))
            case ast.Compare(left, ops, comparators):
                sides = [self(side) for side in (left, *comparators)]
                pairs = zip(sides, ops, sides[1:], strict=False)
                return sympy.And(*(_RELATIONS[type(op)](a, b) for a, op, b in pairs))
            case ast.Attribute(ast.Call(ast.Name(function)) as inner, output):
                return self.fallback(function, output, self._args(inner))
            case ast.Call(ast.Name(function)):
                return self._call(function, node)
            case _:
                raise TypeError(f"no formula: {ast.unparse(node)}")

    def _args(self, node: ast.Call) -> list[Expr]:
        return [self(arg) for arg in node.args]

    def _call(self, function: str, node: ast.Call) -> Expr:
        if function == "where":
            test, *branches = node.args
            then, otherwise = map(self, branches)
            return sympy.Piecewise((then, _CONDITIONS(test, self.values)), (otherwise, True))
        if function == "Piecewise":
            return self(rewriting.where_form(node))
        if function in self.functions:
            return self.functions[function](*self._args(node))
        return self.fallback(function, None, self._args(node))


def _decided(condition: ast.expr, values: Mapping[str, Expr]) -> Expr:
    def unknown(name: str, output: str | None, args: Sequence[Expr]) -> Expr:
        raise TypeError(f"no elementary function: {name}")

    return ToSympy(values, unknown)(condition)


_CONDITIONS = Conditions(_decided)


def _number(value: object) -> Expr:
    match value:
        case bool():
            return sympy.true if value else sympy.false
        case int():
            return sympy.Integer(value)
        case float():
            exact = Fraction(repr(value))
            return sympy.Rational(exact.numerator, exact.denominator)
        case complex():
            return _number(value.imag) * sympy.I
        case None:
            return sympy.Symbol("None")
        case _:
            raise TypeError(f"no number: {value!r}")
