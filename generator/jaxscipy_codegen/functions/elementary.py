"""Names that may stand in every formula: elementary functions and constants, in SymPy, NumPy, mpmath and JAX."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import truediv
from typing import Any

import mpmath
import numpy as np
import sympy
from sympy.codegen.cfunctions import expm1, log1p

from jaxscipy_codegen.functions.in_sympy import absolute, cospi, floor, maximum, minimum, sign, sinpi


@dataclass(frozen=True)
class Elementary:
    """A name that may stand in every formula."""

    name: str
    sympy: Callable[..., Any]
    numpy: Callable[..., Any]
    mpmath: Callable[..., Any]
    jax: str
    """The function's name; those of the runtime have no dot."""
    nargs: int = 1

    @property
    def is_of_runtime(self) -> bool:
        """Whether `jaxscipy_ext.runtime` has it."""
        return "." not in self.jax


def _half_turns(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The function of pi x, as jaxscipy_ext/runtime/half_turns.py has it."""

    def value(x: Any) -> Any:
        whole = np.round(np.real(x))
        return (1 - 2 * (whole % 2)) * function(np.pi * (x - whole))

    return value


def _sinc(x: sympy.Expr) -> sympy.Expr:
    return sympy.sinc(sympy.pi * x)


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
    Elementary("sinpi", sinpi, _half_turns(np.sin), mpmath.sinpi, "sinpi"),
    Elementary("cospi", cospi, _half_turns(np.cos), mpmath.cospi, "cospi"),
    Elementary("sinc", _sinc, np.sinc, mpmath.sincpi, "jnp.sinc"),  # sin(pi x)/(pi x), as in NumPy and SciPy
    Elementary("abs", absolute, np.abs, mpmath.fabs, "jnp.abs"),
    Elementary("sign", sign, np.sign, mpmath.sign, "jnp.sign"),
    Elementary("real", sympy.re, np.real, mpmath.re, "jnp.real"),
    Elementary("imag", sympy.im, np.imag, mpmath.im, "jnp.imag"),
    Elementary("conjugate", sympy.conjugate, np.conjugate, mpmath.conj, "jnp.conjugate"),
    Elementary("floor", floor, np.floor, mpmath.floor, "jnp.floor"),
    Elementary("minimum", minimum, np.minimum, min, "jnp.minimum", 2),
    Elementary("maximum", maximum, np.maximum, max, "jnp.maximum", 2),
    Elementary("quotient", truediv, np.divide, truediv, "quotient", 2),  # a/b
)
ELEMENTARY = {entry.name: entry for entry in _ELEMENTARY}
CHOICES = ("where", "Piecewise")
"""`where(condition, a, b)`, `Piecewise((a, condition), …, (b, True))`: the printers give them safe operands."""


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
