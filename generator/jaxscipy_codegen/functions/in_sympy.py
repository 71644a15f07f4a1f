"""SymPy functions that print as the name in the formula, where SymPy's own differentiate to what formulas can't say."""

from collections.abc import Callable
from typing import Any, ClassVar

import sympy
from sympy.core.function import ArgumentIndexError


class StepFunction(sympy.Function):
    """Piecewise constant: the derivative is zero almost everywhere (SymPy answers `Derivative` or `DiracDelta`)."""

    nargs = 1

    def fdiff(self, argindex: int = 1) -> Any:
        return sympy.S.Zero


class sign(StepFunction):
    """sign(x), sign(0) = 0; for complex numbers x/|x|."""

    @classmethod
    def eval(cls, *args: Any) -> Any:
        (x,) = args
        return sympy.sign(x) if x.is_Number else None


class floor(StepFunction):
    """The largest integer that isn't above x."""

    @classmethod
    def eval(cls, *args: Any) -> Any:
        (x,) = args
        return sympy.floor(x) if x.is_Number else None


class sinpi(sympy.Function):
    """sin(pi x), exact at integers."""

    nargs = 1

    def fdiff(self, argindex: int = 1) -> Any:
        return sympy.pi * cospi(self.args[0])

    def _eval_rewrite_as_sin(self, x: sympy.Expr, **_: Any) -> sympy.Expr:
        return sympy.sin(sympy.pi * x)


class cospi(sympy.Function):
    """cos(pi x), exact at integers."""

    nargs = 1

    def fdiff(self, argindex: int = 1) -> Any:
        return -sympy.pi * sinpi(self.args[0])

    def _eval_rewrite_as_cos(self, x: sympy.Expr, **_: Any) -> sympy.Expr:
        return sympy.cos(sympy.pi * x)


class absolute(sympy.Function):
    """abs(x). SymPy's own Abs differentiates to its own sign, and that one to DiracDelta."""

    nargs = 1

    @classmethod
    def eval(cls, *args: Any) -> Any:
        (x,) = args
        return sympy.Abs(x) if x.is_Number else None

    def fdiff(self, argindex: int = 1) -> Any:
        (x,) = self.args
        if x.has(sympy.I) or not all(symbol.is_extended_real for symbol in x.free_symbols):
            raise ArgumentIndexError(self, argindex)  # not holomorphic: SymPy then answers with `Derivative`
        return sign(x)


absolute.__name__ = "abs"


class _Choice(sympy.Function):
    """minimum or maximum (SymPy's Min and Max differentiate to Heaviside)."""

    nargs = 2
    takes_first: ClassVar[Callable[..., Any]]

    def fdiff(self, argindex: int = 1) -> Any:
        first = self.takes_first(*self.args)
        return sympy.Piecewise((1, first), (0, True)) if argindex == 1 else sympy.Piecewise((0, first), (1, True))


class minimum(_Choice):
    """The smaller one."""

    takes_first = staticmethod(sympy.Le)


class maximum(_Choice):
    """The larger one."""

    takes_first = staticmethod(sympy.Ge)
