"""Between formula trees and SymPy. Functions of the specs are SymPy functions whose derivatives are their partials."""

import ast
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, TypeAlias

import sympy
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter

from jaxscipy_codegen import rewriting, trees
from jaxscipy_codegen.functions import CONSTANTS, ELEMENTARY
from jaxscipy_codegen.functions import Meaning as Meant

Expr: TypeAlias = Any
"""A SymPy expression (SymPy has no usable types)."""


class NoDerivative(ValueError):
    """A partial that doesn't exist as a formula; the message is the reason, a sentence."""


class Partials(Protocol):
    """What SymPy asks for when it meets a function of the specs in `diff`."""

    def partial_of(self, function: str, output: str | None, argument: int, args: Sequence[Expr]) -> Expr:
        """The partial of `function(*args)` in its argument at position `argument`. May raise `NoDerivative`."""
        ...


class SpecCall(sympy.Function):  # type: ignore[misc]
    """A call of a function of the specs (or of one of its outputs) inside SymPy."""

    spec: ClassVar[str]
    output: ClassVar[str | None]
    partials: ClassVar[Partials]

    def fdiff(self, argindex: int = 1) -> Expr:
        return type(self).partials.partial_of(self.spec, self.output, argindex - 1, self.args)

    def _eval_is_commutative(self) -> bool:
        return True


class SpecFunctions:
    """The SymPy classes of functions of the specs, one per function and output."""

    def __init__(self, partials: Partials) -> None:
        self._partials = partials
        self._classes: dict[tuple[str, str | None], type[SpecCall]] = {}

    def __call__(self, function: str, output: str | None, args: Sequence[Expr]) -> Expr:
        key = (function, output)
        if key not in self._classes:
            body = {"spec": function, "output": output, "partials": self._partials}
            self._classes[key] = type(function, (SpecCall,), body)
        return self._classes[key](*args)


_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.Mod: sympy.Mod,
}
_RELATIONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: sympy.Lt,
    ast.LtE: sympy.Le,
    ast.Gt: sympy.Gt,
    ast.GtE: sympy.Ge,
    ast.Eq: sympy.Eq,
    ast.NotEq: sympy.Ne,
}


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
            condition, then, otherwise = self._args(node)
            return sympy.Piecewise((then, condition), (otherwise, True))
        if function == "Piecewise":
            return self(rewriting.where_form(node))
        if function in self.functions:
            return self.functions[function](*self._args(node))
        return self.fallback(function, None, self._args(node))


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


# ------------------------------------------------------------------------------------------------ from SymPy to trees


@dataclass(frozen=True)
class Meaning:
    """A function of the specs whose formula is known."""

    spelling: str
    """Its name, `airy.ai` for an output."""
    arguments: tuple[Expr, ...]
    """The symbols of its arguments, in order."""
    required: tuple[Expr, ...]
    """Those without a default."""
    formula: Expr


class Meanings:
    """How SymPy's functions are spelled in the specs: elementary ones, and those that are an entry's whole formula.

    `besselj` is `jv` where jv's formula is `besselj(v, z)`; formulas with constants (`besselj(0, x)` of j0) go first.
    """

    def __init__(self, entries: Iterable[Meaning]) -> None:
        """Entries whose formula is more than one function of arguments and constants are left out."""
        self._entries: dict[type, list[Meaning]] = {}
        for entry in entries:
            symbols = [arg for arg in entry.formula.args if arg.is_Symbol]
            plain = all(arg.is_Symbol or arg.is_number for arg in entry.formula.args) and len({*symbols}) == len(
                symbols
            )
            if isinstance(entry.formula, sympy.Function) and plain and {*entry.required} <= {*symbols}:
                self._entries.setdefault(type(entry.formula), []).append(entry)
        for rows in self._entries.values():
            rows.sort(key=lambda row: (-sum(arg.is_number for arg in row.formula.args), row.spelling))

    def spelled(self, call: Expr) -> tuple[str, Sequence[Expr]]:
        """Name and arguments in the specs of a call of a SymPy function. Raises `NoDerivative`."""
        if type(call) in _ELEMENTARY_NAMES:
            return _ELEMENTARY_NAMES[type(call)], call.args
        entries = self._entries.get(type(call), [])
        for entry in entries:
            match = _matched(entry.formula, call)
            if match is not None:
                return entry.spelling, [match[symbol] for symbol in entry.arguments if symbol in match]
        hint = f" with these arguments (only {', '.join(entry.spelling for entry in entries)})" if entries else ""
        raise NoDerivative(f"no function of the specs means SymPy's {call}{hint}")


_ELEMENTARY_NAMES = {entry.sympy: name for name, entry in ELEMENTARY.items() if isinstance(entry.sympy, type)} | {
    sympy.sign: "sign",
    sympy.floor: "floor",
    sympy.Max: "maximum",
    sympy.Min: "minimum",
}


def _matched(pattern: Expr, call: Expr) -> dict[Expr, Expr] | None:
    """The arguments of `call` by the symbols of `pattern`, whose arguments are symbols and numbers."""
    if len(pattern.args) != len(call.args):
        return None
    found: dict[Expr, Expr] = {}
    for wanted, given in zip(pattern.args, call.args, strict=True):
        if wanted.is_Symbol:
            found[wanted] = given
        elif wanted != given:
            return None
    return found


UNEVALUATED = (sympy.Derivative, sympy.Subs, sympy.Integral, sympy.meijerg, sympy.Limit, sympy.Sum, sympy.Order)
"""What SymPy answers with when it knows no closed form."""


_SPELLINGS = {
    sympy.I: "1j",
    sympy.oo: "inf",
    -sympy.oo: "-inf",
    sympy.zoo: "nan",
    sympy.nan: "nan",
    sympy.E: "E",
}


class _Printer(StrPrinter):  # type: ignore[misc]
    def __init__(self, spell: Callable[[Expr], str | tuple[str, Sequence[Expr]]]) -> None:
        super().__init__()
        self.spell = spell

    def _print_Function(self, expr: Expr) -> str:
        spelt = self.spell(expr)
        if isinstance(spelt, str):
            return spelt
        pattern, args = spelt
        function, _, output = pattern.partition(".")
        text = f"{function}({', '.join(map(self._print, args))})"
        return f"{text}.{output}" if output else text

    _print_re = _print_im = _print_Abs = _print_sign = _print_Max = _print_Min = _print_floor = _print_Function
    _print_conjugate = _print_Heaviside = _print_LambertW = _print_Function

    def _print_Piecewise(self, expr: Expr) -> str:
        text = "nan"
        for value, condition in reversed(expr.args):
            if condition == sympy.true:
                text = self._print(value)
            else:
                text = f"where({self._print(condition)}, {self._print(value)}, {text})"
        return text

    def _print_Relational(self, expr: Expr) -> str:
        return f"{self._print(expr.lhs)} {expr.rel_op} {self._print(expr.rhs)}"

    _print_Equality = _print_Unequality = _print_Relational

    def _print_And(self, expr: Expr) -> str:
        return " and ".join(f"({self._print(arg)})" for arg in sorted(expr.args, key=sympy.default_sort_key))

    def _print_Or(self, expr: Expr) -> str:
        return " or ".join(f"({self._print(arg)})" for arg in sorted(expr.args, key=sympy.default_sort_key))

    def _print_Not(self, expr: Expr) -> str:
        return f"not ({self._print(expr.args[0])})"

    def emptyPrinter(self, expr: Expr) -> str:
        raise NoDerivative(f"SymPy answers with {type(expr).__name__}, which formulas can't say")

    def _print(self, expr: Expr, **options: Any) -> str:
        return _SPELLINGS[expr] if expr in _SPELLINGS else super()._print(expr, **options)

    def _print_Mul(self, expr: Expr) -> str:
        """Irrational constants come first and together, so that they are folded into one number."""
        constant = sympy.Mul(*(f for f in expr.args if not f.free_symbols and f.is_number and not f.has(sympy.I)))
        if constant.is_Rational or constant == expr:
            return super()._print_Mul(expr)
        rest = sympy.Mul(*(f for f in expr.args if f.free_symbols or not f.is_number or f.has(sympy.I)))
        numerator, denominator = sympy.fraction(rest, exact=True)
        text = self.parenthesize(constant, PRECEDENCE["Mul"])
        if constant.is_Mul or constant.is_Pow:
            text = f"({self._print(constant)})"
        if numerator != 1:
            text += f"*{self.parenthesize(numerator, PRECEDENCE['Mul'])}"
        if denominator != 1:
            text += f"/{self.parenthesize(denominator, PRECEDENCE['Pow'])}"
        return text


def to_tree(expr: Expr, spell: Callable[[Expr], str | tuple[str, Sequence[Expr]]]) -> ast.expr:
    """The formula tree of a SymPy expression. `spell` names its functions: `("airy.ai", args)` or a finished text.

    Raises `NoDerivative` if SymPy left something unevaluated.
    """
    left_over = sorted({type(part).__name__ for part in expr.atoms(*UNEVALUATED)})
    if left_over:
        raise NoDerivative(f"SymPy found no closed form (it answers with {', '.join(left_over)})")
    return trees.parse(_Printer(spell).doprint(expr))
