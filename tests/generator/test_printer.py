"""Formula trees as JAX text: written order, points of the function, folded constants, safe operands, safe text."""

import ast
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special as sc
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jaxscipy_codegen import text, trees
from jaxscipy_codegen.derive import Partial
from jaxscipy_codegen.evaluate import NotFinite, evaluate, folded
from jaxscipy_codegen.printer import Printer, Scope
from jaxscipy_codegen.safe import NoHarmlessOperand, Operands

from jaxscipy_ext import runtime


def environment(name, output=None):
    return getattr(sc, name)


@dataclass(frozen=True)
class Row:
    """The only row of a table."""

    value: str
    comments: tuple[str, ...]
    statements: tuple[str, ...]


def printed(
    function, args, *rules, outputs=(), static=(), defaults=None, sample=None, integers=(), hosts=(), parts=None
) -> Row:
    sample = sample or dict.fromkeys([*args, *(outputs or ["F"])], 1.5)
    scope = Scope(
        function=function,
        args=tuple(args),
        outputs=tuple(outputs),
        static=frozenset(static),
        defaults=defaults or {},
        operands=Operands(sample, environment, integers),
        has_host=lambda name: name in hosts,
    )
    parsed = tuple(trees.parse(rule) if isinstance(rule, str) else rule for rule in rules)
    named = {word: trees.parse(part) for word, part in (parts or {}).items()}
    table = Printer(scope).table({args[0]: Partial("given", parsed, parts=named)})
    row = table.rows[args[0]]
    return Row(row.value, row.comments, table.statements)


@pytest.mark.parametrize(
    ("args", "rule", "expected"),
    [
        ("x", "F", "lambda out: out"),
        ("x", "-sin(x)", "lambda out: -jnp.sin(x)"),
        ("x", "(x - 1) + (x - 2)*x", "lambda out: x - 1 + (x - 2) * x"),
        ("x", "x*(x*x)", "lambda out: x * (x * x)"),
        ("x", "pi/180*(1 + F**2)", "lambda out: jnp.pi / 180 * (1 + out ** 2)"),
        ("x", "1j*E*x", "lambda out: 1j * jnp.e * x"),
        ("E", "E", "lambda out: E"),  # an argument's name wins
        ("vz", "(f(v - 1, z) - f(v + 1, z))/2", "at((v - 1, z), (v + 1, z), lambda below, above: (below - above) / 2)"),
        ("vz", "f(v, z)*v", "lambda out: out * v"),
        ("vz", "f(v - 2, z) + F", "at((v, z), (v - 2, z), lambda out, two_below: two_below + out)"),
        ("x", "F*f(-x)", "at((x,), (-x,), lambda out, mirrored: out * mirrored)"),
        ("ab", "f(a + 1, b) + f(a, b + 1)", "at((a + 1, b), (a, b + 1), lambda a_above, b_above: a_above + b_above)"),
        (
            "ab",
            "f(a + 1, b - 1) - f(a + 1, b + 1)",
            "at((a + 1, b - 1), (a + 1, b + 1), lambda below, above: below - above)",
        ),
        ("ab", "f(abs(a), b)", "at((jnp.abs(a), b))"),
        ("ab", "a*f(a + 1, b + 1)", "at((a + 1, b + 1), lambda shifted: a * shifted)"),
        ("vz", "f(v + 1, z) + f(v + 1, z)", "at((v + 1, z), lambda above: above + above)"),
        ("x", "g(x, g(x, 1))", "lambda out: g(x, g(x, 1))"),
        ("x", "sign(x)*abs(x)", "lambda out: jnp.sign(x) * jnp.abs(x)"),
    ],
)
def test_rules_print_as_written(args, rule, expected):
    assert printed("f", args, rule).value == expected


def test_several_outputs():
    airy = printed("airy", "z", "aip", "z*ai", "F3", "z*F2", outputs=["ai", "aip", "bi", "bip"])
    assert airy.value == "lambda ai, aip, bi, bip: (aip, z * ai, bip, z * bi)"
    pbdv = printed("f", "vx", "f(v + 1, x).d - dp", "f(v, x).dp", outputs=["d", "dp"])
    assert pbdv.value == "at((v, x), (v + 1, x), lambda here, above: (above.d - here.dp, here.dp))"


def test_static_arguments_are_no_points_and_choose_while_tracing():
    rule = "where(flag == 1, F*2, n*f(n - 1, z, flag) + f(n, z, 0))"
    result = printed("f", ["n", "z", "flag"], rule, static=["flag"], integers=["n"])
    assert result.value == (
        "(lambda out: out * 2) if flag == 1 else at((n - 1, z), lambda below: n * below + f(n, z, 0))"
    )


def test_defaults_complete_a_point():
    rule = printed("f", ["z", "k"], "f(z + 1)", defaults={"k": ast.Constant(0)})
    assert rule.value == "at((z + 1, 0))"


def test_calls_of_other_functions_are_made_together():
    assert printed("f", "x", "g(x, 1)", hosts="gh").value == "at((g, x, 1))"
    assert printed("f", "x", "F*g(x, 1) + g(x, 1)*f(x + 1)", hosts="gh").value == (
        "at((x,), (x + 1,), (g, x, 1), lambda out, above, g: out * g + g * above)"
    )
    # what needs a value itself is called with it, later; what has no host is called as it stands
    assert printed("f", "x", "g(F, 1) + h(g(x, 2)) + k(x)", hosts="gh").value == (
        "at((x,), (g, x, 2), lambda out, g_2: g(out, 1) + h(g_2) + k(x))"
    )


def test_not_holomorphic():
    rule = trees.RealLinear(trees.parse("f(v + 1, z)"), imag=trees.parse("-sign(imag(z))*F"))
    assert printed("f", "vz", rule).value == (
        "at((v, z), (v + 1, z), lambda out, above: RealLinear(above, imag=-jnp.sign(jnp.imag(z)) * out))"
    )


def test_constants_are_folded_with_their_meaning_in_a_comment():
    rule = printed("f", "x", "2/sqrt(pi)*exp(-x**2) + Catalan")
    assert rule.value == "lambda out: 1.1283791670955126 * jnp.exp(-x ** 2) + 0.915965594177219"
    assert rule.comments == ("1.1283791670955126 = 2 / sqrt(pi)",)
    assert folded(trees.parse("2/sqrt(pi)")) == 1.1283791670955126  # mpmath.mp.dps = 40: 1.12837916709551257389...
    assert jax.eval_shape(eval(rule.value, {"jnp": jnp, "x": jnp.float32(1)}), 1.0).dtype == jnp.float32  # noqa: S307
    with pytest.raises(NotFinite, match="not a finite real number"):
        folded(trees.parse("sqrt(-1)"))


# ---------------------------------------------------------------------------------------------------- safe operands


def run(rule: Row, **values):
    names = {"jnp": jnp, **values}
    for statement in rule.statements:
        exec(statement, names)  # noqa: S102
    return eval(rule.value, names)(values.get("out"))  # noqa: S307


@pytest.mark.parametrize("x", [0.0, 1e-3, 0.7, -2.0])
def test_gradient_of_where_is_finite_where_the_other_branch_is_singular(x):
    rule = printed("f", "x", "where(x > 0, x*log(x) + log(x)*0, 0)")
    assert "safe_x" in rule.value
    assert rule.statements == ("safe_x = jnp.where(x > 0, x, 1)",)
    expected = np.log(x) + 1 if x > 0 else 0.0
    assert np.isclose(jax.grad(lambda x: run(rule, x=x))(x), expected, rtol=1e-12)


def test_an_operand_that_occurs_once_stays_in_place():
    rule = printed("f", "xy", "where(x == 0, 0, y/x)")
    assert rule.value == "lambda out: jnp.where(x == 0, 0, y / jnp.where(x == 0, 1, x))"


def test_the_operand_satisfies_the_condition_of_its_branch():
    rule = printed("f", "x", "where(x < 2, 1/(x - 3), 1/(x - 1))")
    assert "jnp.where(x < 2, x, 1)" in rule.value
    assert "jnp.where(x < 2, 2, x)" in rule.value


def test_polynomial_branches_need_no_guard():
    assert printed("f", "x", "where(abs(x) < 0.1, 1 + x/2, x**2)").value == (
        "lambda out: jnp.where(jnp.abs(x) < 0.1, 1 + x / 2, x ** 2)"
    )


def test_outputs_are_guarded_inside_the_rule():
    rule = printed("f", "x", "where(F == 0, 1, sin(F)/F)")
    assert rule.statements == ()
    assert np.isclose(run(rule, x=0.0, out=0.0), 1)


def test_points_of_the_function_itself_are_guarded():
    rule = printed("spherical_jn", "nz", "where(n > 0, spherical_jn(n - 1, z), -z)", integers=["n"])
    assert rule.value == "at((jnp.where(n > 0, n, 1) - 1, z), lambda below: jnp.where(n > 0, below, -z))"


def test_nested_choices():
    rule = printed("f", "x", "where(x > 1, log(x - 1), where(x > 0, log(x), 0))")
    for x, expected in [(3.0, 0.5), (0.5, 2.0), (-1.0, 0.0), (0.0, 0.0), (1.0, 1.0)]:
        assert np.isclose(jax.grad(lambda x: run(rule, x=x))(x), expected, rtol=1e-12)


def test_elementwise_conditions():
    rule = printed("f", "x", "where(0 < x < 1 or not x == 2, x, 1)")
    assert rule.value == "lambda out: jnp.where((0 < x) & (x < 1) | ~(x == 2), x, 1)"


def test_no_harmless_operand_is_an_error():
    with pytest.raises(NoHarmlessOperand, match=r"found no x with x > 0 where .* is finite"):
        printed("f", "x", "where(x > 0, 1/(x - x), 0)")


# ------------------------------------------------------------------------------------------- printing = evaluating

# Not pi: sin(pi) is zero where constants are folded with 40 digits, and 1e-16 in floating point.
_LEAVES = st.sampled_from(["x", "y", "2", "0.5", "E", "3"])
_FORMULAS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(st.sampled_from(["sin", "exp", "sqrt", "abs", "tanh", "sinpi"]), inner).map(
            lambda t: f"{t[0]}({t[1]})"
        ),
        st.tuples(inner, inner, inner).map(lambda t: f"where({t[0]} < {t[1]}, {t[2]}, {t[0]})"),
        inner.map(lambda t: f"(-{t})"),
    ),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(_FORMULAS, st.floats(0.1, 2), st.floats(-2, 2, allow_subnormal=False))  # XLA flushes subnormals
@example("x / sinpi(3)", 1.0, 0.0)  # sinpi(3) is -0.0
def test_printed_text_computes_what_the_formula_says(formula, x, y):
    try:
        rule = printed("f", "xy", formula)
    except (NoHarmlessOperand, NotFinite):  # singular everywhere, or a constant that isn't finite
        return
    try:
        with np.errstate(all="ignore"):
            expected = evaluate(trees.parse(formula), {"x": x, "y": y}, environment)
    except ZeroDivisionError:  # 2/(2 - 2) is refused when a spec is read
        return
    values = {"jnp": jnp, **vars(runtime), "x": jnp.float64(x), "y": jnp.float64(y)}
    for statement in rule.statements:
        exec(statement, values)  # noqa: S102
    value = eval(rule.value, values)(None)  # noqa: S307
    np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-12)


# ------------------------------------------------------------------------------------------------------- safe text

_NASTY = [
    '"""',
    "'''",
    "\\",
    '"',
    "{{ x }}",
    "\u202e",
    "\x00",
    "\r",
    "\n\n",
    "#",
    "\\N{",
    "\\u12",
    "ends with \\",
    '""""""',
]


@settings(max_examples=200, deadline=None)
@given(st.text() | st.lists(st.sampled_from(_NASTY) | st.text(max_size=3)).map("".join))
@example('"""')
@example("a\\")
@example('\\"""')
@example('a\n"')
def test_nothing_leaves_a_docstring_string_or_comment(value):
    docstring, string, comment = text.docstring(f"Summary. {value}"), text.string(value), text.comment(value)
    source = f"def f():\n    {docstring}\n    return {string}  # {comment}\n"
    source.encode()
    function = ast.parse(source).body
    assert len(function) == 1
    assert len(function[0].body) == 2
    docstring, result = function[0].body
    assert isinstance(docstring.value, ast.Constant)
    assert docstring.value.value.startswith("Summary.")
    assert isinstance(result.value, ast.Constant)
    assert isinstance(result.value.value, str)


def test_text_is_kept_where_it_is_harmless():
    assert text.string("no 'closed' form") == "\"no 'closed' form\""
    assert text.docstring(r"\alpha") == r'r"""\alpha"""'
    assert text.docstring("a\n\nb", "  ") == '"""a\n\n  b\n  """'
    assert text.comment("fmt: off") == "see fmt: off"
    assert text.string("a\u202eb") == '"a\\\\u202eb"'  # visible, and no longer in force


def test_nested_choices_print_their_operands_once():
    """Each level uses the variables of the levels around it: the text grows with the rule, not with a power of it."""
    rule = "0"
    for level in range(8):
        rule = f"where(x > {level}, log(x + {level})/y, {rule})"
    result = printed("f", "xy", rule)
    assert len(result.value) + sum(map(len, result.statements)) < 150 * 8


def test_conditions_print_without_safe_operands():
    """What is chosen in a branch that isn't taken doesn't matter, as long as every operand there is harmless."""
    rule = printed("f", "x", "where(x < 10, where(x > 5, log(x - 5), x), 0)")
    assert rule.value == (
        "lambda out: jnp.where(x < 10, jnp.where(x > 5, "
        "jnp.log(jnp.where((x < 10) & (x > 5), x, 10) - 5), jnp.where(x < 10, x, 1)), 0)"
    )
    gradient = jax.grad(lambda x: run(rule, x=x))
    assert [float(gradient(x)) for x in (20.0, 7.0, 2.0)] == [0.0, 0.5, 1.0]


def test_what_needs_no_operand_itself_may_be_a_factor_of_what_does():
    """Infinite values in the branch that isn't taken make 0*inf of its derivative in y."""
    rule = printed("f", "xy", "where(y > 0, where(x > 0, y, -y)*F/y, 0)")
    gradient = jax.grad(lambda y: run(rule, x=1.0, y=y, out=jnp.inf))
    assert float(gradient(-1.0)) == 0.0


# --------------------------------------------------------------------------------------------------- local variables


def test_names_of_the_spec_are_kept():
    rule = "where(a < 0 and b > 0, log(b)*log(-a), 0) + where(a < 0 and b > 0, 1, 2)*f(a + where(b > 0, 0, 1), b)"
    result = printed("f", "ab", rule, parts={"apart": "a < 0 and b > 0", "up": "where(b > 0, 0, 1)"})
    assert result.statements == ("apart = (a < 0) & (b > 0)", "up = jnp.where(b > 0, 0, 1)")
    assert result.value == (
        "at((a + up, b), lambda elsewhere: jnp.where(apart, jnp.log(jnp.where(apart, b, 1)) "
        "* jnp.log(-jnp.where(apart, a, -1)), 0) + jnp.where(apart, 1, 2) * elsewhere)"
    )


def test_long_repetitions_get_a_name():
    result = printed("f", "xy", "sin(x + x*y - y**2)/(x + x*y - y**2) + exp(x + x*y - y**2)")
    assert result.statements == ("difference = x + x * y - y ** 2",)
    assert result.value == "lambda out: jnp.sin(difference) / difference + jnp.exp(difference)"
    assert printed("f", "xy", "(x - y)*sin(x - y)").statements == ()


def test_a_rule_that_repeats_values_becomes_a_function():
    value = "(F**2 + x*y + 3*g(x, 1)*F + exp(F)*x)"
    result = printed("f", "xy", f"sin{value}/{value} + exp{value}", hosts="g")
    assert result.value == "at((x, y), (g, x, 1), along_x)"
    (along_x,) = result.statements
    assert along_x.splitlines() == [
        "def along_x(out: Array, g: Array) -> Array:",
        "    total = out ** 2 + x * y + 3 * g * out + jnp.exp(out) * x",
        "    return jnp.sin(total) / total + jnp.exp(total)",
    ]


def test_operands_are_harmless_for_every_value_of_a_static_argument():
    samples = {"n": 2, "k": 0, "x": 0.5, "flag": True}
    static = {"k": (0, 1, 2), "flag": (True, False)}
    operands = Operands(samples, environment, integers=["n"], static=static)
    found = operands.harmless([trees.parse("n > k")], trees.parse("1/(n - k)"))
    assert {name: ast.unparse(value) for name, value in found.items()} == {"n": "3"}
    found = operands.harmless([trees.parse("x > 1 and flag")], trees.parse("1/(x - 2)"))  # never with flag = False
    assert {name: ast.unparse(value) for name, value in found.items()} == {"x": "3"}
