"""The names of the formula language: one line each with its SymPy, NumPy, mpmath and JAX form, stated nowhere else.

Elementary names may stand in every formula. Meaning names (SymPy's) stand in `formula:`, reference names (mpmath's) in
`reference:`. Functions of the specs come from the specs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import mpmath
import numpy as np
import sympy
from sympy.codegen.cfunctions import expm1, log1p
from sympy.core.function import ArgumentIndexError

# ------------------------------------------------------------------ SymPy classes that print as the name in the formula


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


def _sinc(x: sympy.Expr) -> sympy.Expr:
    return sympy.sinc(sympy.pi * x)


# -------------------------------------------------------------------------------------------------------- elementary


@dataclass(frozen=True)
class Elementary:
    """A name that may stand in every formula."""

    name: str
    sympy: Callable[..., Any]
    numpy: Callable[..., Any]
    mpmath: Callable[..., Any]
    jax: str
    """Text of the call: a function's name, or a template with `{0}` for the argument."""
    nargs: int = 1

    def jax_call(self, *arguments: str) -> str:
        """The text of a call in generated code."""
        return self.jax.format(*arguments) if "{" in self.jax else f"{self.jax}({', '.join(arguments)})"


# From the distance to the next integer: `sin(pi * x)` loses the digits that x has before the point.
_PARITY, _REST = "(1 - 2 * (jnp.round(jnp.real({0})) % 2))", "jnp.pi * ({0} - jnp.round(jnp.real({0})))"


def _half_turns(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def value(x: Any) -> Any:
        whole = np.round(np.real(x))
        return (1 - 2 * (whole % 2)) * function(np.pi * (x - whole))

    return value


_ELEMENTARY = (
    Elementary("exp", sympy.exp, np.exp, mpmath.exp, "jnp.exp"),
    Elementary("log", sympy.log, np.log, mpmath.log, "jnp.log"),
    Elementary("log1p", log1p, np.log1p, mpmath.log1p, "jnp.log1p"),
    Elementary("expm1", expm1, np.expm1, mpmath.expm1, "jnp.expm1"),
    Elementary("sqrt", sympy.sqrt, np.sqrt, mpmath.sqrt, "jnp.sqrt"),
    Elementary("sin", sympy.sin, np.sin, mpmath.sin, "jnp.sin"),
    Elementary("cos", sympy.cos, np.cos, mpmath.cos, "jnp.cos"),
    Elementary("tan", sympy.tan, np.tan, mpmath.tan, "jnp.tan"),
    Elementary("sinh", sympy.sinh, np.sinh, mpmath.sinh, "jnp.sinh"),
    Elementary("cosh", sympy.cosh, np.cosh, mpmath.cosh, "jnp.cosh"),
    Elementary("tanh", sympy.tanh, np.tanh, mpmath.tanh, "jnp.tanh"),
    Elementary("asin", sympy.asin, np.arcsin, mpmath.asin, "jnp.arcsin"),
    Elementary("acos", sympy.acos, np.arccos, mpmath.acos, "jnp.arccos"),
    Elementary("atan", sympy.atan, np.arctan, mpmath.atan, "jnp.arctan"),
    Elementary("sinpi", sinpi, _half_turns(np.sin), mpmath.sinpi, f"{_PARITY} * jnp.sin({_REST})"),
    Elementary("cospi", cospi, _half_turns(np.cos), mpmath.cospi, f"{_PARITY} * jnp.cos({_REST})"),
    Elementary("sinc", _sinc, np.sinc, mpmath.sincpi, "jnp.sinc"),  # sin(pi x)/(pi x), as in NumPy and SciPy
    Elementary("abs", absolute, np.abs, mpmath.fabs, "jnp.abs"),
    Elementary("sign", sign, np.sign, mpmath.sign, "jnp.sign"),
    Elementary("real", sympy.re, np.real, mpmath.re, "jnp.real"),
    Elementary("imag", sympy.im, np.imag, mpmath.im, "jnp.imag"),
    Elementary("conjugate", sympy.conjugate, np.conjugate, mpmath.conj, "jnp.conjugate"),
    Elementary("floor", floor, np.floor, mpmath.floor, "jnp.floor"),
    Elementary("minimum", minimum, np.minimum, min, "jnp.minimum", 2),
    Elementary("maximum", maximum, np.maximum, max, "jnp.maximum", 2),
)
ELEMENTARY = {entry.name: entry for entry in _ELEMENTARY}
CHOICES = ("where", "Piecewise")
"""`where(condition, a, b)`, `Piecewise((a, condition), …, (b, True))`: the printers give them safe operands."""


# --------------------------------------------------------------------------------------------------------- constants


@dataclass(frozen=True)
class Constant:
    """A name that is a number."""

    name: str
    sympy: Any
    numpy: float
    mpmath: Callable[[], Any]
    jax: str


_CONSTANTS = (
    Constant("pi", sympy.pi, np.pi, lambda: +mpmath.pi, "jnp.pi"),
    Constant("E", sympy.E, np.e, lambda: +mpmath.e, "jnp.e"),
    Constant("EulerGamma", sympy.EulerGamma, np.euler_gamma, lambda: +mpmath.euler, "jnp.euler_gamma"),
    Constant("Catalan", sympy.Catalan, float(sympy.Catalan), lambda: +mpmath.catalan, repr(float(sympy.Catalan))),
    Constant("inf", sympy.oo, np.inf, lambda: mpmath.inf, "jnp.inf"),
    Constant("nan", sympy.nan, np.nan, lambda: mpmath.nan, "jnp.nan"),
)
CONSTANTS = {entry.name: entry for entry in _CONSTANTS}


# ------------------------------------------------------------------------------------------- meaning (SymPy's names)


@dataclass(frozen=True)
class Meaning:
    """A function in SymPy's name and sense, for `formula:`."""

    name: str
    sympy: Callable[..., Any]
    mpmath: Callable[..., Any]
    nargs: tuple[int, ...] = (1,)


def _hyper(tops: int) -> Callable[..., Any]:
    return lambda *p: sympy.hyper(p[:tops], p[tops:-1], p[-1])


_MEANINGS = (
    Meaning("besselj", sympy.besselj, mpmath.besselj, (2,)),
    Meaning("bessely", sympy.bessely, mpmath.bessely, (2,)),
    Meaning("besseli", sympy.besseli, mpmath.besseli, (2,)),
    Meaning("besselk", sympy.besselk, mpmath.besselk, (2,)),
    Meaning("hankel1", sympy.hankel1, mpmath.hankel1, (2,)),
    Meaning("hankel2", sympy.hankel2, mpmath.hankel2, (2,)),
    Meaning("airyai", sympy.airyai, mpmath.airyai),
    Meaning("airybi", sympy.airybi, mpmath.airybi),
    Meaning("airyaiprime", sympy.airyaiprime, lambda z: mpmath.airyai(z, derivative=1)),
    Meaning("airybiprime", sympy.airybiprime, lambda z: mpmath.airybi(z, derivative=1)),
    Meaning("gamma", sympy.gamma, mpmath.gamma),
    Meaning("loggamma", sympy.loggamma, mpmath.loggamma),
    Meaning("digamma", sympy.digamma, mpmath.digamma),
    Meaning("polygamma", sympy.polygamma, mpmath.polygamma, (2,)),
    Meaning("beta", sympy.beta, mpmath.beta, (2,)),
    Meaning("binomial", sympy.binomial, mpmath.binomial, (2,)),
    Meaning("factorial", sympy.factorial, mpmath.factorial),
    Meaning("RisingFactorial", sympy.RisingFactorial, mpmath.rf, (2,)),
    Meaning("FallingFactorial", sympy.FallingFactorial, mpmath.ff, (2,)),
    Meaning("lowergamma", sympy.lowergamma, lambda a, x: mpmath.gammainc(a, 0, x), (2,)),
    Meaning("uppergamma", sympy.uppergamma, mpmath.gammainc, (2,)),
    Meaning("betainc", sympy.betainc, mpmath.betainc, (4,)),
    Meaning(
        "betainc_regularized",
        sympy.betainc_regularized,
        lambda a, b, lower, upper: mpmath.betainc(a, b, lower, upper, regularized=True),
        (4,),
    ),
    Meaning("erf", sympy.erf, mpmath.erf),
    Meaning("erfc", sympy.erfc, mpmath.erfc),
    Meaning("erfi", sympy.erfi, mpmath.erfi),
    Meaning("erfinv", sympy.erfinv, mpmath.erfinv),
    Meaning("fresnels", sympy.fresnels, mpmath.fresnels),
    Meaning("fresnelc", sympy.fresnelc, mpmath.fresnelc),
    Meaning("expint", sympy.expint, mpmath.expint, (2,)),
    Meaning("Ei", sympy.Ei, mpmath.ei),
    Meaning("E1", sympy.E1, mpmath.e1),
    Meaning("Si", sympy.Si, mpmath.si),
    Meaning("Ci", sympy.Ci, mpmath.ci),
    Meaning("Shi", sympy.Shi, mpmath.shi),
    Meaning("Chi", sympy.Chi, mpmath.chi),
    Meaning("li", sympy.li, mpmath.li),
    Meaning("zeta", sympy.zeta, mpmath.zeta, (1, 2)),
    Meaning("polylog", sympy.polylog, mpmath.polylog, (2,)),
    Meaning("LambertW", sympy.LambertW, mpmath.lambertw, (1, 2)),
    Meaning("elliptic_k", sympy.elliptic_k, mpmath.ellipk),
    Meaning("elliptic_e", sympy.elliptic_e, mpmath.ellipe, (1, 2)),
    Meaning("elliptic_f", sympy.elliptic_f, mpmath.ellipf, (2,)),
    Meaning("elliptic_pi", sympy.elliptic_pi, mpmath.ellippi, (2, 3)),
    Meaning("legendre", sympy.legendre, mpmath.legendre, (2,)),
    Meaning("assoc_legendre", sympy.assoc_legendre, mpmath.legenp, (3,)),
    Meaning("chebyshevt", sympy.chebyshevt, mpmath.chebyt, (2,)),
    Meaning("chebyshevu", sympy.chebyshevu, mpmath.chebyu, (2,)),
    Meaning("hermite", sympy.hermite, mpmath.hermite, (2,)),
    Meaning("gegenbauer", sympy.gegenbauer, mpmath.gegenbauer, (3,)),
    Meaning("jacobi", sympy.jacobi, mpmath.jacobi, (4,)),
    Meaning("laguerre", sympy.laguerre, lambda n, x: mpmath.laguerre(n, 0, x), (2,)),
    Meaning("assoc_laguerre", sympy.assoc_laguerre, mpmath.laguerre, (3,)),
    Meaning("Ynm", sympy.Ynm, mpmath.spherharm, (4,)),
    Meaning("hyp0f1", _hyper(0), mpmath.hyp0f1, (2,)),
    Meaning("hyp1f1", _hyper(1), mpmath.hyp1f1, (3,)),
    Meaning("hyp2f1", _hyper(2), mpmath.hyp2f1, (4,)),
)
MEANINGS = {entry.name: entry for entry in _MEANINGS}


# --------------------------------------------------------------------------------------- reference (mpmath's names)

_REFERENCE_NAMES = """
agm airyai airybi altzeta barnesg bei ber bernoulli bernpoly besseli besselj besselk bessely beta betainc binomial
chebyt chebyu chi ci clcos clsin coulombf coulombg digamma e1 ei ellipe ellipf ellipfun ellipk ellippi elliprc elliprd
elliprf elliprg elliprj erf erfc erfi erfinv eulernum eulerpoly expint factorial fac2 ff fresnelc fresnels gamma
gammainc gegenbauer hankel1 hankel2 harmonic hermite hyp0f1 hyp1f1 hyp1f2 hyp2f0 hyp2f1 hyp2f2 hyp2f3 hyp3f2 hyperfac
hyperu jacobi kei ker laguerre lambertw legendre legenp legenq lerchphi li log loggamma ncdf npdf pcfd pcfu pcfv pcfw
polyexp polylog primezeta psi rf rgamma scorergi scorerhi secondzeta shi si siegelz spherharm stieltjes struveh struvel
superfac whitm whitw zeta
"""
REFERENCES: dict[str, Callable[..., Any]] = {name: getattr(mpmath, name) for name in _REFERENCE_NAMES.split()}
"""Names that may stand in `reference:`; constants may be given by keyword (`gammainc(a, 0, x, regularized=True)`)."""
