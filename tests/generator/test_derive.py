"""Partials by way, and the numerical check of every one of them against its host."""

import ast

import mpmath
import numpy as np
import pytest
from jaxscipy_codegen import contradictions, sampling
from jaxscipy_codegen.derive import Derivations
from jaxscipy_codegen.errors import SpecError
from jaxscipy_codegen.evaluate import evaluate
from jaxscipy_codegen.host_functions import HostFunctions
from jaxscipy_codegen.load import loads

SPEC = """\
module: spec
title: Test
functions:
  jv:
    summary: J.
    formula: besselj(v, z)
    args: {v: {derivative: {stencil: {}, orders: 2}}, z: {domain: complex}}
    check: {v: [0.3, 5], z: [0.5, 20]}
  j0: {summary: J0., formula: "besselj(0, x)", args: {x: {}}}
  j1: {summary: J1., formula: "besselj(1, x)", args: {x: {}}}
  psi: {summary: psi., formula: digamma(x), args: {x: {domain: x > 0}}}
  polygamma: {summary: psi^(n)., formula: "polygamma(n, x)", args: {n: {domain: integer}, x: {domain: x > 0}}}
  gamma: {summary: Gamma., formula: gamma(x), args: {x: {domain: x > 0}}}
  gammaln: {summary: ln Gamma., args: {x: {domain: x > 0, derivative: {rule: psi(x)}}}}
  gammainc:
    summary: P.
    args:
      a: {domain: a > 0, derivative: {stencil: {}, orders: 3}}
      x: {domain: x > 0, derivative: {rule: exp((a - 1)*log(x) - x - gammaln(a))}}
  gammaincinv:
    summary: Inverse of P.
    inverse: {of: gammainc, in: x}
    args: {a: {domain: a > 0}, y: {domain: 0 <= y <= 1}}
    check: {a: [0.5, 5]}
  betainc:
    summary: I.
    args:
      a: {domain: a > 0, derivative: {kernel: jaxscipy_ext.derivatives.beta.betainc_da}}
      b: {domain: b > 0, derivative: {kernel: jaxscipy_ext.derivatives.beta.betainc_db}}
      x:
        domain: 0 <= x <= 1
        derivative: {rule: "x**(a - 1)*(1 - x)**(b - 1)/exp(gammaln(a) + gammaln(b) - gammaln(a + b))"}
  erfc: {summary: erfc., formula: erfc(z), args: {z: {domain: complex}}, check: {z: [-2, 2]}}
  erfcx: {summary: erfcx., formula: exp(z**2)*erfc(z), args: {z: {domain: complex}}, check: {z: [-2, 2]}}
  airy:
    summary: Airy.
    args: {z: {domain: complex}}
    outputs:
      ai: {formula: airyai(z)}
      aip: {formula: airyaiprime(z)}
      bi: {formula: airybi(z)}
      bip: {formula: airybiprime(z)}
  airy_by_equation:
    summary: Airy.
    host: scipy.special.airy
    args: {z: {domain: complex}}
    outputs: {ai: {}, aip: {}, bi: {}, bip: {}}
    ode: {in: z, pairs: {ai: aip, bi: bip}, second: z*w}
  mathieu_cem:
    summary: Even Mathieu function and its derivative; x in degrees.
    args:
      m: {domain: integer}
      q: {derivative: {unavailable: no rule here}}
      x: {domain: real, unit: degrees}
    outputs: {y: {}, yp: {}}
    ode: {in: x, pairs: {y: yp}, second: "(2*q*cos(pi/90*x) - mathieu_a(m, q))*w", scale: pi/180}
    check: {m: [0, 3], q: [0.5, 4], x: [5, 80]}
  mathieu_a: {summary: a., args: {m: {domain: integer}, q: {derivative: {unavailable: no rule here}}}}
  exprel:
    summary: (exp(x) - 1)/x.
    formula: (exp(x) - 1)/x
    args: {x: {derivative: {rule: (exp(x) - F)/x, near: {x: 0, order: 8, radius: 0.1}}}}
  jve:
    summary: Scaled J.
    args:
      v: {derivative: {stencil: {}}}
      z: {domain: complex, derivative: {rule: "(jve(v - 1, z) - jve(v + 1, z))/2", imag: -sign(imag(z))*F}}
    check: {v: [0.3, 5], z: [0.5, 20]}
"""


@pytest.fixture(scope="module")
def derivations():
    return Derivations(loads(SPEC, "spec.yaml"))


@pytest.fixture(scope="module")
def functions(derivations):
    return HostFunctions(derivations)


def rules(derivations, name, arg):
    return [ast.unparse(rule) for rule in derivations.definition(name).partials[arg].rules]


@pytest.mark.parametrize(
    ("name", "arg", "way", "expected"),
    [
        ("jv", "z", "derived", ["(jv(v - 1, z) - jv(v + 1, z)) / 2"]),
        ("jv", "v", "stencil", ["jv_dv(v, z)"]),
        ("j0", "x", "derived", ["-j1(x)"]),
        ("psi", "x", "derived", ["polygamma(1, x)"]),
        ("gamma", "x", "derived", ["F * psi(x)"]),
        ("erfcx", "z", "derived", ["2 * (F * z - 1 / sqrt(pi))"]),
        ("airy", "z", "derived", ["aip", "ai * z", "bip", "bi * z"]),
        ("airy_by_equation", "z", "ode", ["aip", "z * ai", "bip", "z * bi"]),
        ("gammaincinv", "y", "inverse", ["1 / exp((a - 1) * log(F) - F - gammaln(a))"]),
        ("gammaincinv", "a", "inverse", ["-gammainc_da(a, F) / exp((a - 1) * log(F) - F - gammaln(a))"]),
        ("polygamma", "n", "discrete", []),
        ("mathieu_a", "q", "unavailable", []),
    ],
)
def test_ways(derivations, name, arg, way, expected):
    assert derivations.definition(name).partials[arg].way == way
    assert rules(derivations, name, arg) == expected


def test_families_have_every_multi_index_within_the_order(derivations):
    family = [d.name for d in derivations.family(derivations.library["betainc"])]
    assert family == ["betainc", "betainc_da", "betainc_db", "betainc_da2", "betainc_dadb", "betainc_db2"]
    mixed = derivations.definition("betainc_dadb")
    assert mixed.host.path == "jaxscipy_ext.derivatives.beta.betainc_da"
    assert mixed.host.stencils == ((1, 1, 0.0, None),)
    assert mixed.partials["a"].way == "unavailable"
    assert "beyond the second derivative in a and b" in mixed.partials["a"].reason
    third = derivations.definition("gammainc_da3")
    assert third.host.path == "scipy.special.gammainc"
    assert third.host.stencils == ((0, 3, 0.0, None),)


def test_stencils_know_the_poles_of_an_argument():
    arguments = "args: {v: {poles: 0, derivative: {stencil: {}}}, z: {derivative: {unavailable: no}}}"
    derivations = Derivations(
        loads(f"module: m\ntitle: T\nfunctions:\n  hyp0f1: {{summary: s., {arguments}}}\n", "m.yaml")
    )
    assert derivations.definition("hyp0f1_dv2").host.stencils == ((0, 2, None, 0.0),)


def test_mixed_partials_are_derivatives_of_the_closed_rule(derivations, functions):
    """d/dx gammainc_da = d/da of the density, here against mpmath."""
    rule = derivations.definition("gammainc_da").partials["x"].rules[0]
    for a, x in [(0.7, 0.3), (2.5, 4.0), (6.0, 2.0)]:
        expected = mpmath.diff(lambda p, x=x: x ** (p - 1) * mpmath.exp(-x) / mpmath.gamma(p), a)
        assert np.isclose(evaluate(rule, {"a": a, "x": x}, functions), float(expected), rtol=1e-10)


def test_mixed_partials_of_a_recurrence_are_the_recurrence_of_the_derivatives(derivations):
    assert rules(derivations, "jv_dv", "z") == ["(jv_dv(v - 1, z) - jv_dv(v + 1, z)) / 2"]
    rule = derivations.definition("jve_dv").partials["z"].rules[0]
    assert ast.unparse(rule.holomorphic) == "(jve_dv(v - 1, z) - jve_dv(v + 1, z)) / 2"
    assert ast.unparse(rule.imag) == "-jve_dv(v, z) * sign(imag(z))"


def test_names_for_parts_of_a_rule_are_written_out():
    way = "{let: {low: x < 1, s: 'where(low, 2, 3)'}, rule: s*sin(s*x)}"
    entry = f"  f:\n    summary: f.\n    args: {{x: {{derivative: {way}}}}}"
    derivations = Derivations(loads(f"module: spec\ntitle: Test\nfunctions:\n{entry}", "spec.yaml"))
    assert rules(derivations, "f", "x") == ["where(x < 1, 2, 3) * sin(where(x < 1, 2, 3) * x)"]
    assert derivations.definition("f").partials["x"].text == "s*sin(s*x); low = x < 1; s = where(low, 2, 3)"


def test_a_comparison_may_hold_a_choice(functions):
    entry = (
        "{summary: s., host: scipy.special.j0, formula: 'where(abs(x) < where(x < 1, 2, 3), x**2, x)', args: {x: {}}}"
    )
    derivations = Derivations(loads(f"module: spec\ntitle: Test\nfunctions: {{bent: {entry}}}\n", "spec.yaml"))
    (rule,) = derivations.definition("bent").partials["x"].rules
    assert evaluate(rule, {"x": np.array([-2.5, -1.5, 0.5, 2.5, 3.5])}, functions).tolist() == [1, -3, 1, 5, 1]


def test_tiny_constants_are_no_integers_beyond_int64():
    entry = "{summary: s., host: scipy.special.j0, formula: 1e-20*x**2, args: {x: {}}}"
    derivations = Derivations(loads(f"module: spec\ntitle: Test\nfunctions: {{small: {entry}}}\n", "spec.yaml"))
    assert rules(derivations, "small", "x") == ["x / 5e+19"]


def test_the_polynomial_near_a_removable_singularity(derivations, functions):
    rule = derivations.definition("exprel").partials["x"].rules[0]
    for x in (0.0, 1e-9, 0.05, -0.09):
        expected = mpmath.nsum(lambda k, x=x: mpmath.mpf(x) ** (k - 1) * k / mpmath.factorial(k + 1), [1, mpmath.inf])
        expected = float(expected) if x else 0.5
        assert np.isclose(evaluate(rule, {"x": x, "F": 1.0}, functions), expected, rtol=1e-13)


def test_right_rules_pass(derivations, functions):
    for function in derivations.library.modules[0].definitions.values():
        assert not list(contradictions.problems(derivations.definition(function.name), functions)), function.name


def problems(entry: str) -> list[str]:
    library = loads(f"module: spec\ntitle: Test\nfunctions:\n{entry}", "spec.yaml")
    derivations = Derivations(library)
    found = []
    for function in library.modules[0].definitions.values():
        found += contradictions.problems(derivations.definition(function.name), HostFunctions(derivations))
    return [str(problem) for problem in found]


WRONG = {
    "a sine": (
        "j0: {summary: J0., args: {x: {derivative: {rule: sin(x)}}}}",
        ["spec.yaml:4:", "args.x", "sin(x) of j0 in x is wrong"],
    ),
    "off by 1e-4": (
        "expit: {summary: s., args: {x: {derivative: {rule: F*(1 - F)*1.0001}}}}",
        ["of expit in x is wrong"],
    ),
    "NaN where the derivative is finite": (
        "exprel: {summary: e., args: {x: {derivative: {rule: (exp(x) - F)/x}}}, check: {x: [-1, 1]}}",
        ["x = 0", "gives nan", "is 0.5"],
    ),
    "a part that isn't holomorphic": (
        """ive:
    summary: I.
    args:
      v: {derivative: {unavailable: no}}
      z: {domain: complex, derivative: {rule: "(ive(v - 1, z) + ive(v + 1, z))/2"}}
    check: {v: [1, 3], z: [1, 5]}""",
        ["of ive in z is wrong", "z = "],
    ),
    "one output": (
        """airy:
    summary: A.
    args: {z: {derivative: {rule: {ai: aip, aip: z*ai, bi: bip, bip: -z*bi}}}}
    outputs: {ai: {}, aip: {}, bi: {}, bip: {}}""",
        ["output bip of airy in z is wrong"],
    ),
    "a kernel": (
        """betainc:
    summary: I.
    args:
      a: {domain: a > 0, derivative: {kernel: jaxscipy_ext.derivatives.beta.betainc_db}}
      b: {domain: b > 0, derivative: {unavailable: no}}
      x: {domain: 0 <= x <= 1, derivative: {unavailable: no}}""",
        ["kernel partial jaxscipy_ext.derivatives.beta.betainc_db of betainc in a is wrong", "correct the kernel"],
    ),
    "a conjugate": (
        "conj: {host: numpy.conjugate, summary: c., args: {z: {domain: complex, derivative: {rule: 1 + 0*z}}}}",
        ["wrong along the imaginary axis"],
    ),
    "complex values for a real function": (
        """gamma: {summary: G., args: {z: {domain: complex, derivative: {rule: F*digamma(z)}}}}
  digamma: {summary: d., args: {x: {derivative: {unavailable: no}}}}""",
        ["digamma takes a real x, the rule gives it a complex one"],
    ),
    "nothing to compare with": (
        "nowhere: {host: numpy.log, summary: l., args: {x: {derivative: {rule: 1/x}}}, check: {x: [-3, -1]}}",
        ["could not be checked at any point of x in [-3, -1]"],
    ),
}


@pytest.mark.parametrize(("entry", "parts"), WRONG.values(), ids=WRONG)
def test_wrong_rules_are_refused_with_the_point_and_both_values(entry, parts):
    found = problems(f"  {entry}\n")
    assert len(found) == 1, found
    for part in parts:
        assert part in found[0], found[0]


def test_a_phase_that_is_reduced_modulo_two_pi_does_not_mislead():
    """log_ndtr's imaginary part jumps far from the real axis; wide steps see a smooth function with another slope."""
    entry = """log_ndtr:
    summary: s.
    args: {x: {domain: complex, derivative: {rule: exp(-x**2/2 - F)/sqrt(2*pi)}}}
    check: {x: [-30, -20]}"""
    assert problems(f"  {entry}\n") == []


def test_a_host_that_raises_at_some_points_is_checked_at_the_others():
    entry = "ln: {{summary: s., host: math.log, batch: scalar, args: {{x: {{derivative: {}}}}}, check: {{x: [-1, 3]}}}}"
    assert problems(f"  {entry.format('{rule: 1/x}')}\n") == []
    assert "is wrong" in problems(f"  {entry.format('{rule: 2/x}')}\n")[0]


def test_an_unevaluated_answer_is_an_error_that_names_the_ways_out():
    library = loads(
        "module: spec\ntitle: T\nfunctions:\n  jv: {summary: J., formula: 'besselj(v, z)', args: {v: {}, z: {}}}",
        "spec.yaml",
    )
    with pytest.raises(
        SpecError, match=r"spec.yaml:4:\d+: functions.jv.args.v: SymPy found no closed form.*Derivative"
    ):
        Derivations(library).definition("jv")
    with pytest.raises(SpecError, match=r"kernel.*stencil.*unavailable"):
        Derivations(library).definition("jv")


def test_a_sympy_function_that_no_entry_means_is_an_error():
    library = loads("module: spec\ntitle: T\nfunctions:\n  erfi: {summary: e., formula: Si(x), args: {x: {}}}\n"
                    "  dawsn: {summary: d., formula: erfi(x)*gamma(x), args: {x: {}}}", "spec.yaml")  # fmt: skip
    with pytest.raises(SpecError, match="no function of the specs means SymPy's"):
        Derivations(library).definition("dawsn")


def test_io_hosts_have_no_derivative():
    library = loads(
        "module: spec\ntitle: T\nfunctions:\n  log: {summary: l., host: numpy.log, callback: io, args: {x: {}}}",
        "spec.yaml",
    )
    partial = Derivations(library).definition("log").partials["x"]
    assert partial.way == "unavailable"
    assert "io" in partial.reason


def test_sample_points_are_the_same_ones_always_and_inside_the_box():
    function = loads(SPEC, "spec.yaml")["jv"]
    one, two = sampling.sample_points(function, 24), sampling.sample_points(function, 24)
    for name, (low, high) in function.box.items():
        np.testing.assert_array_equal(one[name], two[name])
        assert np.all((np.real(one[name]) >= low) & (np.real(one[name]) <= high))
    assert len(set(one["v"])) == contradictions.POINTS
    assert np.any(np.imag(one["z"]) > 0)
    assert np.any(np.imag(one["z"]) < 0)
    assert np.any(np.imag(one["z"]) == 0)
