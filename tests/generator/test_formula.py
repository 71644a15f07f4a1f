"""The formula language: what it refuses and where, and that its table of names means the same in all four columns."""

import ast
import cmath
import time
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import sympy
from jaxscipy_codegen.formula import Formula, FormulaError, read
from jaxscipy_codegen.functions import CONSTANTS, ELEMENTARY, MEANINGS, REFERENCES
from jaxscipy_codegen.load import loads
from jaxscipy_codegen.reference import NoReference, reference
from jaxscipy_codegen.vocabulary import Signature, Vocabulary

from jaxscipy_ext import runtime

VOCABULARY = Vocabulary(
    values=frozenset({"v", "z", "F"}),
    functions={
        "jv": Signature("jv", ("v", "z"), 2),
        "airy": Signature("airy", ("z",), 1, outputs=("ai", "aip")),
        "lambertw": Signature("lambertw", ("z", "k", "tol"), 1),
        "gamma": Signature("gamma", allowed=frozenset({1}), bounded=True),
        "exp": Signature("exp", allowed=frozenset({1})),
        "gammainc": Signature("gammainc", free_keywords=True),
    },
    constants=frozenset(CONSTANTS),
    broken=frozenset({"unread"}),
)


def problems(text: str) -> list[tuple[int, str]]:
    try:
        formula = read(text)
    except FormulaError as error:
        return [(error.offset, error.message)]
    return [(error.offset, error.message) for error in VOCABULARY.problems(formula)]


def settled(text: str) -> str:
    formula = read(text)
    assert not list(VOCABULARY.problems(formula))
    VOCABULARY.settle(formula)
    return ast.unparse(formula.tree)


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("__import__('os').system('x')", 11, "text is not part of formulas"),
        ("__import__(1)", 0, "names that start with _ are not part of formulas"),
        ("z + __name__", 4, "names that start with _ are not part of formulas"),
        ("z.real", 1, "a dot may only follow a call"),
        ("z[0]", 1, "square brackets may only follow a call"),
        ("airy(z)[v]", 7, "square brackets may only follow a call"),
        ("airy(z)[0:1]", 7, "square brackets may only follow a call"),
        ("airy(z).__class__", 7, "a dot may only follow a call"),
        ("airy(z).ai.real", 10, "a dot may only follow a call"),
        ("z.conjugate()", 0, "only functions by their plain name can be called"),
        ("(lambda: 1)()", 1, "only functions by their plain name can be called"),
        ("1 + (lambda z: z)", 5, "lambda is not part of formulas"),
        ("[z for z in v]", 0, "comprehensions are not part of formulas"),
        ("exp(z for z in v)", 3, "comprehensions are not part of formulas"),
        ("[1, 2]", 0, "lists are not part of formulas"),
        ("{1: 2}", 0, "braces are not part of formulas"),
        ("exp(*z)", 4, "* before an argument is not part of formulas"),
        ("exp(**z)", 6, "** is not part of calls"),
        ("(z := 1)", 1, ":= is not part of formulas"),
        ("z if v > 0 else 1", 0, "'if … else' is not part of formulas; write where(condition, a, b)"),
        ("z^2", 0, "^ is not a power here; write **"),
        ("z % 2", 0, "% is not part of formulas; write x - y*floor(x/y)"),
        ("z // 2", 0, "// is not part of formulas"),
        ("~z", 0, "~ is not part of formulas; write not"),
        ("where(z in v, 1, 0)", 6, "'in' is not part of formulas"),
        ("z, v", 0, "a comma may only stand between arguments"),
        ("2z", 0, "a number runs into a name; write *"),
        ("2(z)", 1, "a bracket follows a value; write *"),
        ("z # comment", 2, "comments are not part of formulas"),
        ("𝐞xp(z)", 0, "'𝐞' is not part of formulas; write ASCII"),
        ("z\x00", 1, "'\\x00' is not part of formulas"),
        ("jv(v, z", 2, "not a formula ('(' was never closed)"),
        ("z +", 3, "not a formula"),
        ("x**2 + lambda", 7, "'lambda' is a word of Python; write another name"),
        ("  z +", 5, "not a formula"),
        ("", 0, "the formula is empty"),
        (" \n ", 0, "the formula is empty"),
        ("9**9**9", 3, "the exponent is larger than 100"),
        ("z**1000", 3, "the exponent is larger than 100"),
        ("(9**99)**99", 0, "the number is larger than 1e+300"),
        ("1e400", 0, "the number is larger than 1e+300"),
        ("1 + 9**99*9**99*9**99*9**99", 4, "the number is larger than 1e+300"),
        ("exp(1/(2 - 2))", 7, "division by zero; write inf or nan"),
        ("(" * 300 + "z" + ")" * 300, 100, "brackets are nested more than 100 deep"),
        ("+".join("z" * 500), 0, "the formula is nested more than 100 deep"),
        ("1" * 5000, 0, "the formula has 5000 characters"),
        ("gamma(1000000)", 6, "a constant argument of gamma is a number of at most 100"),
        ("gamma(gamma(20))", 6, "a constant argument of gamma is a number of at most 100"),
        ("gamma(exp(50))", 6, "a constant argument of gamma is a number of at most 100"),
        ("zz + 1", 0, "unknown name 'zz' here; did you mean 'z'?"),
        ("1 + jvv(v, z)", 4, "unknown function 'jvv'; did you mean 'jv'?"),
        ("v(z)", 0, "v is an argument, not a function; write v*(…)"),
        ("exp + 1", 0, "exp is a function; write exp(…)"),
        ("jv(z)", 0, "jv takes 2 arguments (v, z), not 1"),
        ("jv(v, z, 1)", 0, "jv takes 2 arguments (v, z), not 3; leave out the others"),
        ("jv(v, y=z)", 6, "jv has no argument 'y' left"),
        ("jv(v, v=z)", 6, "jv has no argument 'v' left"),
        ("airy(z)", 0, "airy has several outputs; write airy(…).ai or airy(…)[0]"),
        ("airy(z).bi", 7, "airy has no output 'bi'; write one of: ai, aip"),
        ("airy(z)[2]", 7, "airy has the outputs 0 to 1"),
        ("jv(v, z)[0]", 8, "jv has one output; write jv(…) alone"),
        ("z > 0", 0, "a condition stands where a number belongs; write where"),
        ("True", 0, "a truth value stands where a number belongs"),
        ("where(z, 1, 0)", 6, "a number stands where a condition belongs"),
        ("where(z > 0, 1)", 0, "write where(condition, a, b)"),
        ("Piecewise((1, z > 0))", 14, "the last part of Piecewise covers the rest; write (value, True)"),
        ("Piecewise(1, 2)", 10, "every part of Piecewise is a pair"),
    ],
)
def test_refused_at_its_place_with_a_way_out(text: str, offset: int, message: str) -> None:
    found = problems(text)
    assert len(found) == 1, found
    assert found[0][0] == offset
    assert found[0][1].startswith(message)
    assert "write" in found[0][1] or "split" in found[0][1] or "did you mean" in found[0][1] or "leave" in found[0][1]


def test_depth_of_signs_is_no_crash() -> None:
    """The parser's own stack gives up somewhere here, on some Pythons."""
    for count in (200, 1500, 3999):
        ((_, message),) = problems("-" * count + "z")
        assert "nested" in message


def test_every_problem_of_names_at_once() -> None:
    found = problems("q + jv(v) + airy(z).bi + where(z, r, 0)")
    assert [offset for offset, _ in found] == [0, 4, 19, 31, 34]


@pytest.mark.parametrize(
    "text",
    [
        "(jv(v - 1, z) - jv(v + 1, z))/2",
        "+z**-2.5 + 1e-6*2j - pi/E",
        "where(0 < v <= 1 and not (z == 0 or z != 1), F, inf)",
        "Piecewise((z, v > 0), (-z, True))",
        "lambertw(z, k=1) + lambertw(z, 0, tol=1e-8)",
        "gammainc(v, 0, z, regularized=True)",
        "unread(1, 2, 3).x + unread_dv(z)",
        "z**100",
        "gamma(z + 1000)",
    ],
)
def test_accepted(text: str) -> None:
    assert problems(text) == []


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("airy(z)[1]", "airy(z).aip"),
        ("airy(airy(z)[0] + z)[1]", "airy(airy(z).ai + z).aip"),
        ("jv(z=1, v=v)", "jv(v, 1)"),
        ("lambertw(z, tol=1)", "lambertw(z, tol=1)"),
        ("lambertw(k=1, z=z, tol=2)", "lambertw(z, 1, 2)"),
        ("z*(v*2)", "z * (v * 2)"),
    ],
)
def test_settled_form(text: str, tree: str) -> None:
    assert settled(text) == tree


def test_written_order_is_kept() -> None:
    """SymPy would reorder, which changes rounding."""
    assert settled("z*2 + 1 - (3 - v) + z") == "z * 2 + 1 - (3 - v) + z"


def test_positions_in_every_style_of_yaml() -> None:
    text = """\
module: spec
title: T
functions:
  f:
    summary: S
    args: {z: {}}
    formula: >
      z +
      bad1
  g: {summary: S, args: {z: {}}, formula: 'z + bad2'}
  h:
    summary: S
    args: {z: {}}
    formula: "z + \\
      bad3"
  i:
    summary: S
    args: {z: {}}
    formula: z
      + bad4
"""
    with pytest.raises(ValueError, match="bad1") as caught:
        loads(text)
    lines = text.splitlines()
    for problem in caught.value.problems:  # type: ignore[attr-defined]
        assert lines[problem.position.line - 1][problem.position.column - 1 :].startswith("bad")
    assert len(caught.value.problems) == 4  # type: ignore[attr-defined]


def test_names_and_calls() -> None:
    formula = read("exp(z)*jv(v, pi) + exp")
    assert formula.names == {"z", "v", "pi", "exp"}
    assert formula.calls == {"exp", "jv"}
    assert formula == Formula("exp(z)*jv(v, pi) + exp", formula.tree)


# --------------------------------------------------------------------------------- the table: four columns, one meaning

REAL = [0.3, -0.3, 0.75, -0.99]
COMPLEX = [0.3 + 0.4j, -0.7 + 0.2j, 0.5 - 1.25j]


def in_jax(name: str) -> Callable[..., Any]:
    """What generated code calls."""
    return getattr(runtime, name) if "." not in name else getattr(jnp, name.removeprefix("jnp."))


NOT_ANALYTIC = {"floor", "minimum", "maximum"}


@pytest.mark.parametrize("name", sorted(ELEMENTARY))
def test_columns_agree(name: str) -> None:
    """The exact value is mpmath's; the others agree with it to a few units in the last place."""
    entry = ELEMENTARY[name]
    points: list[complex] = list(REAL) if name in NOT_ANALYTIC else [*REAL, *COMPLEX]
    for point in points:
        if name in ("log", "sqrt") and point == point.real and point.real < 0:
            continue  # NumPy stays real there
        args = [point, 0.1] if entry.nargs == 2 else [point]
        expected = complex(entry.mpmath(*map(mpmath.mpmathify, args)))
        with np.errstate(all="raise"):
            assert cmath.isclose(complex(entry.numpy(*args)), expected, rel_tol=4e-16, abs_tol=1e-16)
        symbols = sympy.symbols("x y")[: entry.nargs]
        exact = entry.sympy(*symbols).subs(dict(zip(symbols, map(sympy.sympify, args), strict=True)))
        exact = exact.rewrite(sympy.sin).rewrite(sympy.cos) if name in ("sinpi", "cospi") else exact
        if name not in NOT_ANALYTIC | {"sign"} and complex(point).imag == 0:
            assert cmath.isclose(complex(exact.evalf(20).doit()), expected, rel_tol=4e-16, abs_tol=1e-16)
        value = in_jax(entry.jax)(*map(jnp.asarray, args))
        assert cmath.isclose(complex(value), expected, rel_tol=2e-15, abs_tol=1e-16)


@pytest.mark.parametrize(
    ("name", "x", "expected"), [("sinpi", 1e8 + 0.5, 1.0), ("cospi", 1e8 + 1, -1.0), ("sinpi", 7, 0)]
)
def test_pi_multiples_are_exact(name: str, x: float, expected: float) -> None:
    """sin(pi*x) has lost eight digits there."""
    entry = ELEMENTARY[name]
    assert float(entry.numpy(x)) == expected
    assert float(in_jax(entry.jax)(jnp.asarray(float(x)))) == expected


@pytest.mark.parametrize("name", sorted(set(CONSTANTS) - {"nan"}))
def test_constants_agree(name: str) -> None:
    entry = CONSTANTS[name]
    assert entry.numpy == float(entry.mpmath()) == float(entry.sympy)
    assert float(eval(entry.jax, {"jnp": jnp})) == entry.numpy  # noqa: S307


# Arguments at which a function and its neighbours in argument order differ.
_AT = {1: (0.3,), 2: (1.25, 0.5), 3: (1.25, 0.5, 0.25), 4: (1.25, 0.5, 0.125, 0.25)}
_SPECIAL_AT = {
    "Ynm": (2, 1, 0.5, 0.25),
    "elliptic_pi": {2: (0.25, 0.5), 3: (0.25, 0.75, 0.5)},
    "betainc": (1.25, 0.5, 0.125, 0.25),
}
_POLYNOMIALS = {"legendre", "chebyshevt", "chebyshevu", "hermite", "laguerre"}
_INTEGER_FIRST = {"polygamma", "assoc_legendre", "gegenbauer", "jacobi", "assoc_laguerre"}


@pytest.mark.parametrize(
    ("name", "count"), [(name, count) for name in sorted(MEANINGS) for count in MEANINGS[name].nargs]
)
def test_meaning_is_the_same_in_sympy_and_mpmath(name: str, count: int) -> None:
    args = _SPECIAL_AT.get(name, _AT[count])
    args = args[count] if isinstance(args, dict) else args
    if name in _POLYNOMIALS:
        args = (3, 0.25)
    if name in _INTEGER_FIRST:
        args = (2, *_AT[4][1:count])
    if name == "assoc_legendre":
        args = (2, 1, 0.25)
    if name == "LambertW" and count == 2:
        args = (0.3, -1)
    if name == "zeta" and count == 1:
        args = (1.75,)
    entry = MEANINGS[name]
    exact = [sympy.Rational(value).limit_denominator(10**6) if isinstance(value, float) else value for value in args]
    expected = complex(sympy.N(entry.sympy(*exact), 20))
    given = [mpmath.mpf(value.p) / value.q if isinstance(value, sympy.Rational) else value for value in exact]
    assert cmath.isclose(complex(entry.mpmath(*given)), expected, rel_tol=1e-13, abs_tol=1e-15)


def test_derivatives_of_step_functions_and_choices_stay_in_the_language() -> None:
    x = sympy.Symbol("x", real=True)
    z = sympy.Symbol("z")
    absolute, sign, floor = (ELEMENTARY[name].sympy for name in ("abs", "sign", "floor"))
    assert absolute(x).diff(x) == sign(x)
    assert absolute(x).diff(x, 2) == 0
    assert floor(x).diff(x) == 0
    assert absolute(z).diff(z).has(sympy.Derivative)  # not holomorphic: an error later, never a wrong rule
    assert ELEMENTARY["maximum"].sympy(x, 2 * x).diff(x).subs(x, 3) == 2
    assert ELEMENTARY["minimum"].sympy(x, 2 * x).diff(x).subs(x, 3) == 1
    assert ELEMENTARY["sinpi"].sympy(x).diff(x, 2) == -(sympy.pi**2) * ELEMENTARY["sinpi"].sympy(x)


def test_branches_are_not_lost() -> None:
    """An argument is a complex number: sqrt(z**2) isn't z, log(exp(z)) isn't z."""
    z = sympy.Symbol("z")
    assert ELEMENTARY["sqrt"].sympy(z**2) != z
    assert ELEMENTARY["log"].sympy(ELEMENTARY["exp"].sympy(z)) != z


def test_a_formula_takes_no_time() -> None:
    """Numbers that SymPy or Python would compute exactly for hours are refused before."""
    start = time.perf_counter()
    for text in ("9**9**9**9", "gamma(10**20)", "(2**100)**(100)", "gamma(gamma(gamma(9)))", "10**100**100"):
        assert problems(text)
    assert time.perf_counter() - start < 1


# ------------------------------------------------------------------------------------------------------------- mpmath

SPEC = """\
module: spec
title: T
functions:
  jv: {summary: S, args: {v: {}, z: {domain: complex}}, formula: "besselj(v, z)"}
  j1: {summary: S, args: {z: {domain: complex}}, formula: "jv(1, z)"}
  airy:
    summary: S
    args: {z: {domain: complex}}
    outputs: {ai: {formula: airyai(z)}, aip: {formula: airyaiprime(z)}}
  exprel: {summary: S, args: {x: {}}, formula: "Piecewise((1, x == 0), (expm1(x)/x, True))"}
  ramp:
    summary: S
    args: {x: {}, edge: {default: 0.1}}
    formula: "where(not (x < edge or x >= 1), x - edge, airy(x)[1])"
  gammainc:
    summary: S
    args: {a: {domain: a > 0, derivative: {unavailable: none}}, x: {derivative: {unavailable: none}}}
    reference: "gammainc(a, 0, x, regularized=True)"
  tenth: {summary: S, args: {x: {}}, formula: 0.1*x}
  opaque: {summary: S, args: {x: {derivative: {unavailable: none}}}}
"""


def test_reference_values() -> None:
    """Against mpmath's own functions, closed forms and DLMF 9.2.3 (Ai(0) = 3^(-2/3)/gamma(2/3))."""
    library = loads(SPEC)
    with mpmath.workdps(30):
        assert mpmath.almosteq(reference(library, "jv")(mpmath.mpf("0.5"), 2), mpmath.sin(2) / mpmath.sqrt(mpmath.pi))
        assert reference(library, "j1")(2) == mpmath.besselj(1, 2)
        assert mpmath.almosteq(
            reference(library, "airy", "ai")(0), mpmath.mpf(3) ** (-mpmath.mpf(2) / 3) / mpmath.gamma(mpmath.mpf(2) / 3)
        )
        assert mpmath.almosteq(reference(library, "gammainc")(1, 2), 1 - mpmath.exp(-2))
        assert reference(library, "exprel")(0) == 1
        assert reference(library, "exprel")(1) == mpmath.expm1(1)
        # A number in a formula is what is written; a default is the double that the host gets.
        assert reference(library, "tenth")(1) == mpmath.mpf(1) / 10
        assert reference(library, "ramp")(mpmath.mpf(1) / 2) == mpmath.mpf(1) / 2 - mpmath.mpf(0.1)
        assert reference(library, "ramp")(2) == mpmath.airyai(2, derivative=1)
        with pytest.raises(NoReference, match="opaque: neither formula nor reference"):
            reference(library, "opaque")


def test_reference_names_are_mpmath_functions() -> None:
    assert all(callable(function) for function in REFERENCES.values())
