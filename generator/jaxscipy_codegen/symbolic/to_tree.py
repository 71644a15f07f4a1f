"""SymPy expressions as formula trees."""

import ast
from collections.abc import Callable, Sequence
from typing import Any

import sympy
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter

from jaxscipy_codegen import trees
from jaxscipy_codegen.formula import MAX_CONSTANT
from jaxscipy_codegen.symbolic.calls import Expr, NoDerivative
from jaxscipy_codegen.symbolic.conditions import Condition, written

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

    def _print_Condition(self, expr: Condition) -> str:
        return ast.unparse(written(expr, lambda arg: trees.parse(self._print(arg))))

    def _print_Relational(self, expr: Expr) -> str:
        return f"{self._print(expr.lhs)} {expr.rel_op} {self._print(expr.rhs)}"

    _print_Equality = _print_Unequality = _print_Relational

    def _print_And(self, expr: Expr) -> str:
        return " and ".join(f"({self._print(arg)})" for arg in sorted(expr.args, key=sympy.default_sort_key))

    def _print_Or(self, expr: Expr) -> str:
        return " or ".join(f"({self._print(arg)})" for arg in sorted(expr.args, key=sympy.default_sort_key))

    def _print_Not(self, expr: Expr) -> str:
        return f"not ({self._print(expr.args[0])})"

    def _print_Integer(self, expr: Expr) -> str:
        """JAX takes no Python integer beyond int64, such as the denominator of 1e-20."""
        return str(expr.p) if abs(expr.p) < 2**63 else repr(float(expr.p))

    def _print_ITE(self, expr: Expr) -> str:
        """A comparison with a choice inside: SymPy turns it into a choice of comparisons."""
        return self._print(expr.to_nnf())  # type: ignore[no-any-return]

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
    if any(max(abs(number.p), number.q) > MAX_CONSTANT for number in expr.atoms(sympy.Rational)):
        raise NoDerivative(f"SymPy's answer holds a number larger than {MAX_CONSTANT:g}")
    return trees.parse(_Printer(spell).doprint(expr))
