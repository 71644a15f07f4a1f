"""Spec files: what they may say, and that every mistake is reported at its place with what to write instead."""

import json
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from jaxscipy_codegen.errors import Problem, SpecError
from jaxscipy_codegen.load import load, loads
from jaxscipy_codegen.model import Derived, Discrete, Given, Inverse, Kernel, Ode, Stencil

GOOD = """\
# A comment.
module: spec
title: Bessel functions
chapter: DLMF 10
functions:
  jv:
    summary: "Bessel function of the first kind: real order."
    description: |
      Two lines
      of text.
    formula: besselj(v, z)
    args:
      v: {domain: real, derivative: {kernel: jaxscipy_ext.derivatives.bessel.jv_dv, source: DLMF 10.9.17, orders: 3}}
      z:
        domain: complex
        derivative:
          rule: (jv(v - 1, z) - jv(v + 1, z))/2
          source: DLMF 10.6.1
    check: {v: [0.3, 5], z: [1e-1, 30]}
    since: "1.15"
    notes: ["jv(0, 0) = 1.", no]
  gammainc:
    summary: Regularized lower incomplete gamma function.
    args:
      a: {domain: a > 0, derivative: {stencil: {lower: 0}}}
      x: {domain: x >= 0, derivative: {rule: exp((a - 1)*log(x) - x)/gamma(a)}}
  gamma: {summary: Gamma function., args: {z: {domain: complex}}, formula: gamma(z)}
  gammaincinv:
    summary: Inverse of gammainc in x.
    inverse: {of: gammainc, in: x}
    args: {a: {domain: a > 0}, y: {domain: 0 <= y <= 1}}
  airy:
    summary: Airy functions and their derivatives.
    args: {z: {domain: complex}}
    outputs: {ai: {formula: airyai(z)}, aip: {formula: airyaiprime(z)}}
    ode: {in: z, pairs: {ai: aip}, second: z*w}
  lambertw:
    summary: Lambert W function.
    formula: LambertW(z, k)
    args:
      z: {domain: complex, dtype: complex, derivative: {rule: exp(-F)/(1 + F), near: {z: 0, order: 4}}}
      k: {domain: integer, default: 0}
      tol: {domain: tol > 0, default: 1e-8, derivative: {discrete: true}}
      flag: {static: true, default: null}
  jn: {alias: jv}
"""


def messages(text: str, file: str = "spec.yaml") -> list[str]:
    with pytest.raises(SpecError) as caught:
        loads(text, file)
    lines = str(caught.value).splitlines()
    assert len(lines) == len(caught.value.problems)
    return lines


def entry(body: str, arguments: str = "{z: {domain: complex}}") -> str:
    """A module with one function `f` whose further keys are `body`; they start in line 7."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"module: spec\ntitle: T\nfunctions:\n  f:\n    summary: S\n    args: {arguments}\n{lines}"


# -------------------------------------------------------------------------------------------------------------- reading


def test_good_file_is_understood() -> None:
    library = loads(GOOD)
    jv = library["jv"]
    assert {name: type(way) for name, way in jv.ways.items()} == {"v": Kernel, "z": Given}
    assert {name: type(way) for name, way in library["gammaincinv"].ways.items()} == {"a": Inverse, "y": Inverse}
    assert type(library["gamma"].way("z")) is Derived
    assert type(library["airy"].way("z")) is Ode
    assert type(library["gammainc"].way("a")) is Stencil
    assert [type(way) for way in library["lambertw"].ways.values()] == [Given, Discrete, Discrete, Discrete]
    assert [argument.kind for argument in library["lambertw"].args.values()] == [
        "always-complex",
        "integer",
        "real",
        "static",
    ]
    assert library["jn"] is jv
    assert jv.host_path == "scipy.special.jv"
    assert jv.box == {"v": (0.3, 5), "z": (0.1, 30)}
    assert jv.notes == ("jv(0, 0) = 1.", "no")
    assert str(jv.position) == "spec.yaml:6:3"
    assert str(jv.place("args", "z", "derivative", "source")) == "spec.yaml:18:11"
    assert library["lambertw"].args["tol"].default == 1e-8
    assert library["lambertw"].args["flag"].has_default
    assert library["lambertw"].args["flag"].default is None


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("no", "no"),
        ("on", "on"),
        ("yes", "yes"),
        ("y", "y"),
        ("1:30", "1:30"),
        ("2020-01-01", "2020-01-01"),
        ("'1e-6'", "1e-6"),
    ],
)
def test_text_stays_text(written: str, read: str) -> None:
    """YAML 1.1 reads these as booleans, base-60 numbers and dates."""
    library = loads(entry(f"formula: z\nnotes: [{written}]"))
    assert library["f"].notes == (read,)


@pytest.mark.parametrize(
    ("written", "read"), [("1e-6", 1e-6), ("1.E+2", 100.0), (".5", 0.5), ("0x1F", 31), ("007", 7), ("-3", -3)]
)
def test_numbers_are_numbers(written: str, read: float) -> None:
    library = loads(entry("formula: z*x", f"{{z: {{domain: complex}}, x: {{default: {written}}}}}"))
    assert library["f"].args["x"].default == read
    assert type(library["f"].args["x"].default) is type(read)


def test_no_is_not_a_boolean() -> None:
    assert messages(entry("formula: z\npublic: no")) == [
        "spec.yaml:8:13: functions.f.public: expected true or false, not 'no'; write true or false"
    ]


# ----------------------------------------------------------------------------------------------- all mistakes at once

TEN_MISTAKES = """\
module: bad
title: Bad
functions:
  jv:
    sumary: Bessel function.
    formula: besselj(v, zz)
    args:
      v: {domain: rael, derivative: {unavailable: no reason}}
      z: {domain: complex, derivative: {rule: "jv(v - 1)", kernel: a.b}}
    check: {v: [5, 0.3], y: [0.1, 30]}
    since: 1.15
    source: DLMF 10.2
    source: DLMF 10.3
  psi:
    summary: Digamma function.
    args: {lambda: {domain: real}, x: {static: true, derivative: {rule: 1}}}
  digamma: {alias: psy}
"""


def test_more_than_ten_mistakes_in_one_file() -> None:
    found = [line.split(": ", 1)[0] + " " + line.split(": ")[1] for line in messages(TEN_MISTAKES, "specs/bad.yaml")]
    assert found == [
        "specs/bad.yaml:4:3 functions.jv.summary",  # missing
        "specs/bad.yaml:5:5 functions.jv.sumary",
        "specs/bad.yaml:6:25 functions.jv.formula",
        "specs/bad.yaml:8:19 functions.jv.args.v.domain",
        "specs/bad.yaml:9:40 functions.jv.args.z.derivative",
        "specs/bad.yaml:9:48 functions.jv.args.z.derivative.rule",
        "specs/bad.yaml:10:16 functions.jv.check.v",
        "specs/bad.yaml:10:26 functions.jv.check.y",
        "specs/bad.yaml:11:12 functions.jv.since",
        "specs/bad.yaml:13:5 functions.jv.source",
        "specs/bad.yaml:16:12 functions.psi.args.lambda",
        "specs/bad.yaml:16:54 functions.psi.args.x.derivative",
        "specs/bad.yaml:17:13 functions.digamma.alias",
    ]


def test_mistakes_of_all_files_at_once(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("module: one\ntitle: T\nfunctions: {f: {alias: g}}\n")
    (tmp_path / "two.yaml").write_text("module: two\n\ttitle: T\n")
    (tmp_path / "three.yaml").write_bytes(b"module: three\ntitle: \xff\n")
    (tmp_path / "four.yaml").write_text("module: 4\ntitle: T\nfunctions: {}\n")
    with pytest.raises(SpecError) as caught:
        load([tmp_path, tmp_path / "five.yaml"])
    names = sorted(Path(problem.position.file).name for problem in caught.value.problems)
    assert names == ["five.yaml", "four.yaml", "one.yaml", "three.yaml", "two.yaml"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\na: 2\n", "spec.yaml:2:1: a: the key stands here a second time, first in line 1; keep one of them"),
        ("title: &t T\n", "spec.yaml:1:8: &t: anchors are not part of specs; leave it out"),
        ("title: *t\n", "spec.yaml:1:8: *t: references to anchors are not part of specs; write the value again"),
        ("<<: {a: 1}\n", "spec.yaml:1:1: <<: merge keys are not part of specs; write the keys out"),
        ("title: !!python/name:os.system\n", "spec.yaml:1:8: !!python/name:os.system: tags are not part of specs; "),
        ("title:\n\tT\n", "spec.yaml:2:1: found character '\\t' that cannot start any token; indent with spaces"),
        ("title: a: b\n", "spec.yaml:1:9: mapping values are not allowed here; put text that holds ': ' in quotes"),
        ("title: {a, b\n", "spec.yaml:2:1: expected ',' or '}', but got '<stream end>'; close the brace"),
        ("- 1\n", "spec.yaml:1:1: expected a mapping at the top; write module, title and functions"),
        ("", "spec.yaml:1:1: the file is empty; write module, title and functions"),
        ("? [a]\n: 1\n", "spec.yaml:1:3: a key is a plain word; write key: value"),
        ("title: T\n--- \ntitle: T\n", "spec.yaml:2:1: found another document; write one document, without ---"),
        ("title: \x07\n", "spec.yaml:1:8: the character U+0007 can't stand in YAML; leave it out"),
        ("title: 1e999\n", "spec.yaml:1:8: title: 1e999 is too large for a number; write .inf"),
        ("title:\n", "spec.yaml:1:7: title: is empty; write a value or leave the key out"),
        ("[" * 1000, "spec.yaml:1:32: nested too deeply; specs have at most 30 levels"),
    ],
)
def test_yaml_mistakes(text: str, expected: str) -> None:
    assert any(line.startswith(expected) for line in messages(text)), messages(text)


def test_comma_in_braces_is_said_once() -> None:
    """`{rule: f(a, b)}` is two keys to YAML."""
    rule = "(f(v - 1, z) - f(v + 1, z))/2"
    (line,) = messages(entry("", f"{{v: {{derivative: {{rule: {rule}, source: S}}}}, z: {{derivative: {{rule: 1}}}}}}"))
    assert line.startswith("spec.yaml:6:35: functions.f.args.v.derivative.rule: a comma inside braces ends the value; ")
    assert line.endswith(f'write it in quotes: "{rule}"')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Forms of single values.
        (entry("formula: z\nhost: scipy special"), "7:?"),
        (
            entry("formula: z\nsince: 1.10"),
            '8:12: functions.f.since: a version is text, or 1.10 would become 1.1; write "1.1',
        ),
        (
            entry("formula: z\nsignature: n->n"),
            "8:16: functions.f.signature: 'n->n' is not a signature of core dimensions",
        ),
        (
            entry("formula: z\nbatch: scalars"),
            "8:12: functions.f.batch: 'scalars' isn't known here; write 'elementwise'",
        ),
        (entry("formula: z\nsource: 10.2"), "8:13: functions.f.source: a source is text; write DLMF 10.2"),
        (entry("formula: z\nnotes: text"), "8:12: functions.f.notes: expected a list, not 'text'"),
        (entry("formula: z\ncheck: {z: [1]}"), "8:16: functions.f.check.z: expected an interval"),
        (entry("formula: z\ncheck: {z: [.nan, 1]}"), "8:16: functions.f.check.z: expected an interval"),
        (entry("formula: z\ncheck: {z: [2, 1]}"), "8:16: functions.f.check.z: the interval is reversed; write [1, 2]"),
        (entry("formula: true"), "7:14: functions.f.formula: expected a formula"),
        (entry("formula: z", "{z: complex}"), "6:15: functions.f.args.z: expected a mapping, not 'complex'"),
        (entry("formula: 1", "{}"), "6:11: functions.f.args: is empty; write at least one entry"),
        (entry("formula: z\noutputs: {class: {}}"), "8:15: functions.f.outputs.class: 'class' is a Python keyword"),
        (entry("formula: z", "{z: {}, _x: {}}"), "6:19: functions.f.args._x: names that start with _ belong to"),
        (
            entry("formula: z", "{z: {}, 2x: {}}"),
            "6:19: functions.f.args.2x: '2x' is not a Python name; write letters, digits and _, for example x2x",
        ),
        (
            entry("formula: z", "{z: {domain: 1 < z > 2}}"),
            "6:24: functions.f.args.z.domain: '1 < z > 2' is not a domain",
        ),
        (entry("formula: z", "{z: {domain: 2 < z < 1}}"), "6:24: functions.f.args.z.domain: no number fulfils"),
        (
            entry("", "{z: {derivative: {rul: 1}}}"),
            "6:28: functions.f.args.z.derivative: doesn't say how the partial is ",
        ),
        (
            entry("", "{z: {derivative: {discrete: false}}}"),
            "6:39: functions.f.args.z.derivative.discrete: false isn't known here; write true",
        ),
        (
            entry("", "{z: {derivative: 2*z}}"),
            "6:28: functions.f.args.z.derivative: expected a mapping, not '2*z'; write {",
        ),
        (
            entry("", "{z: {derivative: {stencil: yes}}}"),
            "6:38: functions.f.args.z.derivative.stencil: expected a mapping, not 'yes'; write {key: value}, {} ",
        ),
        (
            entry("", "{z: {derivative: {rule: 1, orders: 2}}}"),
            "6:38: functions.f.args.z.derivative.orders: unknown key",
        ),
        (entry("", "{z: {derivative: {kernel: k}}}"), "6:37: functions.f.args.z.derivative.kernel: 'k' is not a path"),
        # Between the keys of an entry.
        (entry(""), "6:12: functions.f.args.z: nothing says how the partial in z is found; write formula:"),
        (entry("formula: z + q"), "7:18: functions.f.formula: unknown name 'q' among the arguments of f; write one of"),
        (entry("formula: g(z)"), "7:14: functions.f.formula: unknown function 'g'"),
        (entry("formula: besselj(z)"), "7:14: functions.f.formula: besselj takes 2 arguments, not 1"),
        (entry("formula: z\nreference: besselj(0, q)"), "8:27: functions.f.reference: unknown name 'q'"),
        (
            entry("formula: z", "{z: {default: 1}, x: {}}"),
            "6:29: functions.f.args.x: no default, but z before it has one",
        ),
        (
            entry("formula: z", "{z: {domain: x > 0}}"),
            "6:16: functions.f.args.z.domain: the domain is about 'x'; write z",
        ),
        (entry("formula: z", "{z: {domain: z > 0, default: 0}}"), "6:31: functions.f.args.z.default: 0 is outside"),
        (
            entry("formula: z", "{z: {default: x}}"),
            "6:16: functions.f.args.z.default: the default of an array argument",
        ),
        (
            entry("formula: 1", "{z: {static: true, default: 0.5}}"),
            "6:30: functions.f.args.z.default: the default of a static",
        ),
        (entry("formula: F", "{F: {}}"), "6:12: functions.f.args.F: formulas and generated code use the name F"),
        (entry("formula: pi", "{pi: {}}"), "6:12: functions.f.args.pi: formulas and generated code use the name pi"),
        (entry("formula: z\ncheck: {x: [0, 1]}"), "8:13: functions.f.check.x: unknown argument 'x'; write one of: z"),
        (
            entry("formula: z\ncheck: {z: [0, 2]}", "{z: {domain: 0 < z < 1}}"),
            "8:13: functions.f.check.z: [0, 2] is not inside",
        ),
        (entry("formula: z\noutputs: {a: {formula: z}}"), "7:5: functions.f.formula: a function with outputs has a"),
        (entry("outputs: {z: {formula: z}}"), "7:15: functions.f.outputs.z: z is an argument too"),
        (
            entry("", "{z: {derivative: {rule: {a: 1, b: 2}}}}"),
            "6:29: functions.f.args.z.derivative.rule: f has one output",
        ),
        (
            entry("outputs: {a: {}, b: {}}", "{z: {derivative: {rule: {a: 1}}}}"),
            "6:29: functions.f.args.z.derivative.rule: needs a formula for every output; write {a: …, b: …}",
        ),
        (
            entry("formula: z", "{z: {derivative: {rule: 1, near: {q: 0}}}}"),
            "6:38: functions.f.args.z.derivative.near: unknown",
        ),
        (
            entry("", "{z: {derivative: {rule: 1, near: {z: 0}}}}"),
            "6:38: functions.f.args.z.derivative.near: there is no",
        ),
        (
            entry("", "{z: {derivative: {let: {b: y + 1}, rule: 2 + b}}}"),
            "6:56: functions.f.args.z.derivative.rule: unknown name 'y'",
        ),
        (
            entry("", "{z: {derivative: {let: {a: z > 0}, rule: 1}}}"),
            "6:28: functions.f.args.z.derivative: let: a isn't used",
        ),
        (
            entry("", "{z: {derivative: {let: {z: 2}, rule: z}}}"),
            "6:35: functions.f.args.z.derivative.let.z: z is an argument already",
        ),
        (
            entry("", "{z: {derivative: {rule: 1, near: {order: 3}}}}"),
            "6:44: functions.f.args.z.derivative.near: expected",
        ),
        (entry("ordered: true\nformula: z"), "7:5: functions.f.ordered: pure hosts have no order; write callback: io"),
        (
            entry("callback: io", "{z: {derivative: {rule: 1}}}"),
            "6:16: functions.f.args.z.derivative: io hosts have no",
        ),
        (
            entry("formula: z\nsignature: (n),(n)->()"),
            "8:5: functions.f.signature: 2 inputs and 1 outputs, but the entry",
        ),
        (
            entry("signature: (n)->(n)", "{z: {derivative: {rule: F}}}"),
            "6:16: functions.f.args.z.derivative: the host mixes elements along core dimensions, so that",
        ),
        (
            entry("formula: z\nsignature: (n)->(n)"),
            "6:12: functions.f.args.z: the host mixes elements along core dimensions, so that the partial in z isn't",
        ),
        (
            entry("formula: z\nbatch: scalar\nvmap_method: expand_dims"),
            "9:5: functions.f.vmap_method: a scalar host can't",
        ),
        # Between entries.
        (entry("inverse: {of: g, in: x}"), "7:15: functions.f.inverse.of: unknown function 'g'"),
        (entry("inverse: {of: f, in: x}"), "7:22: functions.f.inverse.in: f has no argument 'x'"),
        (
            entry("ode: {in: x, pairs: {a: b}, second: w}\noutputs: {a: {}, b: {}}"),
            "7:11: functions.f.ode.in: f has no",
        ),
        (
            entry("ode: {in: z, pairs: {a: c}, second: w}\noutputs: {a: {}, b: {}}"),
            "7:26: functions.f.ode.pairs.a: unknown",
        ),
        (
            entry("ode: {in: z, pairs: {a: b}, second: q}\noutputs: {a: {}, b: {}}"),
            "7:41: functions.f.ode.second: unknown",
        ),
        (
            entry("ode: {in: z, pairs: {a: b}, second: w}\noutputs: {a: {}, b: {}, c: {}}"),
            "7:18: functions.f.ode.pairs: c is in no pair",
        ),
        (
            entry(
                "ode: {in: z, pairs: {a: b}, second: w}\noutputs: {a: {}, b: {}}",
                "{z: {derivative: {rule: {a: b, b: a}}}}",
            ),
            "6:16: functions.f.args.z.derivative: derivative and ode are two ways to the partial in z",
        ),
        (entry("formula: z") + "  g: {alias: h}\n", "8:7: functions.g.alias: unknown function 'h'"),
        (
            entry("formula: z") + "  g: {alias: f}\n  h: {alias: g}\n",
            "9:7: functions.h.alias: g is an alias itself; write f",
        ),
        (entry("formula: z") + "  where: {alias: f}\n", "8:3: functions.where: generated code uses the name where"),
        (
            entry("", "{z: {derivative: {stencil: {}}}}") + "  f_dz: {summary: S, args: {z: {}}, formula: z}\n",
            "7:3: functions.f_dz: the derivative f_dz of f is generated; leave this entry out or rename it",
        ),
    ],
)
def test_one_mistake_gives_one_line(text: str, expected: str) -> None:
    expected = expected.replace("7:?", "8:11: functions.f.host: 'scipy special' is not a path to import")
    (line,) = messages(text)
    assert line.startswith(f"spec.yaml:{expected}"), line
    assert "; " in line.rsplit(": ", 1)[-1] or ";" in line, "says what to write instead"


TWO = "\n  g: {summary: S, args: {a: {}, x: {}}, formula: a*x}\n"
PAIR = "\noutputs: {a: {}, b: {}}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (entry("formula: z\nsummary: S2"), "8:5: functions.f.summary: the key stands here a second time"),
        (
            entry("formula: z\ntitle: [T]"),
            "8:5: functions.f.title: unknown key; write one of: summary, description, host",
        ),
        (entry("formula: z\ndescription: 3"), '8:18: functions.f.description: expected text; write "3" with quotes'),
        (entry("formula: z\ndescription: [a]"), "8:18: functions.f.description: expected text, not a list"),
        (entry("formula: z\nnotes: [a, 2]"), '8:16: functions.f.notes.1: expected text; write "2" with quotes'),
        (entry("formula: z\nnotes: [' ']"), "8:13: functions.f.notes.0: is empty; write one line of text"),
        (entry("formula: z\nsince: new"), "8:12: functions.f.since: expected the lowest SciPy version"),
        (entry("formula: 2 z"), "7:16: functions.f.formula: not a formula"),
        (entry("formula: Piecewise()"), "7:14: functions.f.formula: write Piecewise((a, condition), (b, True))"),
        (entry("formula: z", "{z: {domain: 3}}"), "6:24: functions.f.args.z.domain: '3' is not a domain"),
        (
            entry("formula: z", "{z: {}, n: {static: true, domain: n > 0}}"),
            "6:37: functions.f.args.n.domain: a static argument can't be n > 0; write integer, integer >= 0, or",
        ),
        (
            entry("formula: z", "{z: {}, n: {static: true, domain: integer, choices: [1, 2]}}"),
            "6:37: functions.f.args.n.domain: choices say more than a domain; keep one of them",
        ),
        (
            entry("formula: z", "{z: {}, n: {static: true, domain: integer >= 1, default: 0}}"),
            "6:59: functions.f.args.n.default: the default is outside the domain integer >= 1; write one inside",
        ),
        (
            entry("formula: z", "{z: {}, n: {static: true, choices: [1, 2], default: 3}}"),
            "6:54: functions.f.args.n.default: 3 is none of the choices; write one of: 1, 2",
        ),
        (
            entry("formula: z", "{z: {choices: [1, 2]}}"),
            "6:16: functions.f.args.z.choices: only a static argument has choices; write static: true, or a domain",
        ),
        (
            entry("formula: z", "{z: {domain: 1 < integer < 2}}"),
            "6:24: functions.f.args.z.domain: no integer fulfils '1 < integer < 2'; write bounds with an integer",
        ),
        (
            entry("formula: z", "{z: {domain: integer, default: 0.5}}"),
            "6:33: functions.f.args.z.default: 0.5 is outside the domain integer; write one inside",
        ),
        (
            entry("formula: 'where(n, z, 0)'", "{z: {}, n: {static: true, default: 1}}"),
            "7:21: functions.f.formula: a number stands where a condition belongs; write a comparison",
        ),
        (entry("formula: z", "{z: {static: 1}}"), "6:24: functions.f.args.z.static: expected true or false, not '1'"),
        (
            entry("", "{z: {derivative: {stencil: {lower: a}}}}"),
            "6:46: functions.f.args.z.derivative.stencil.lower: expected a number, not 'a'; write for example 0.1",
        ),
        (
            entry("", "{z: {derivative: {stencil: {}, orders: 1.5}}}"),
            "6:50: functions.f.args.z.derivative.orders: expected a whole number, not '1.5'; write for example 2",
        ),
        (
            entry("", "{z: {derivative: {stencil: {}, orders: 0}}}"),
            "6:50: functions.f.args.z.derivative.orders: expected a number at least 1, not '0'; write such a number",
        ),
        (
            entry("", "{z: {domain: z > 0, derivative: {stencil: {lower: -1}}}}"),
            "6:54: functions.f.args.z.derivative.stencil.lower: -1 is outside the domain z > 0; write 0",
        ),
        (
            entry("", "{z: {derivative: {rule: {}}}}"),
            "6:35: functions.f.args.z.derivative.rule: is empty; write a formula",
        ),
        (
            entry("formula: 1", "{z: {static: true, dtype: complex}}"),
            "6:30: functions.f.args.z.dtype: a static argument",
        ),
        (
            entry("formula: 1", "{z: {static: true, derivative: {rule: 1}}}"),
            "6:30: functions.f.args.z.derivative: a static argument is a Python value and has no derivative",
        ),
        (entry("formula: 1\ncheck: {z: [0, 1]}", "{z: {static: true}}"), "8:13: functions.f.check.z: z is static"),
        (entry("dtype: complex\noutputs: {a: {formula: z}}"), "7:5: functions.f.dtype: a function with outputs has a"),
        (
            entry("outputs: {exp: {formula: z}}"),
            "7:15: functions.f.outputs.exp: formulas and generated code use the name",
        ),
        (
            entry("outputs: {F1: {formula: z}}"),
            "7:15: functions.f.outputs.F1: formulas and generated code use the name",
        ),
        (entry("callback: debug\noutputs: {a: {}}"), "8:5: functions.f.outputs: a debug host returns nothing"),
        (
            entry("callback: io\ninverse: {of: g, in: x}", "{a: {}, y: {}}") + TWO,
            "7:5: functions.f.callback: io hosts have no derivative;",
        ),
        (
            entry("", "{n: {domain: integer}, z: {derivative: {rule: 1, near: {n: 0}}}}\n    formula: n"),
            "6:60: functions.f.args.z.derivative.near: n is discrete and comes near nothing; leave near out",
        ),
        (
            entry("formula: z", "{z: {domain: z > 0, derivative: {rule: 1, near: {z: -1}}}}"),
            "6:53: functions.f.args.z.derivative.near: -1 is outside the domain z > 0; write a point inside",
        ),
        (
            entry("outputs: {a: {}}", "{z: {derivative: {rule: {a: 1}, near: {z: 0, series: z}}}}"),
            "6:56: functions.f.args.z.derivative.near.series: a series stands for one output only",
        ),
        (entry("inverse: {of: g, in: x}\noutputs: {a: {}}") + TWO, "7:5: functions.f.inverse: f has several outputs"),
        (
            entry("inverse: {of: g, in: x, value: q}") + TWO,
            "7:29: functions.f.inverse.value: f has no argument 'q'; write one of: z",
        ),
        (
            entry("inverse: {of: g, in: x}", "{a: {}, y: {}, z: {}}") + TWO,
            "7:5: functions.f.inverse.value: which argument is the value of g isn't clear; write value: with",
        ),
        (
            entry("inverse: {of: g, in: x, value: y}", "{y: {}, z: {}}") + TWO,
            "7:5: functions.f.inverse: arguments are matched by name; g also needs a; g has no z; write the same names",
        ),
        (
            entry("ode: {in: z, pairs: {a: b, c: b}, second: w}\noutputs: {a: {}, b: {}, c: {}}"),
            "7:32: functions.f.ode.pairs.c: the output b stands in two pairs",
        ),
        (
            entry("ode: {in: w, pairs: {a: b}, second: 1}" + PAIR, "{w: {}}"),
            "7:33: functions.f.ode.second: the argument w can't be told from the w of the equation; rename it",
        ),
        (
            entry("ode: {in: z, pairs: {a: b}, second: w, scale: z}" + PAIR),
            "7:51: functions.f.ode.scale: unknown name 'z' among the constants; write one of: Catalan",
        ),
    ],
)
def test_more_single_mistakes(text: str, expected: str) -> None:
    found = messages(text)
    assert found[0].startswith(f"spec.yaml:{expected}"), found
    assert len(found) == 1, found


@pytest.mark.parametrize("written", ["0o17", ".inf", "-.INF", ".nan"])
def test_other_numbers_of_yaml(written: str) -> None:
    library = loads(entry("formula: z*x", f"{{z: {{domain: complex}}, x: {{static: true, default: '{written}'}}}}"))
    assert library["f"].args["x"].default == written  # in quotes it is text
    expected = {"0o17": 15, ".inf": float("inf"), "-.INF": float("-inf")}.get(written)
    if expected is not None:
        library = loads(entry("formula: z*x", f"{{z: {{domain: complex}}, x: {{default: {written}}}}}"))
        assert library["f"].args["x"].default == expected
    else:
        (line,) = messages(entry("formula: z*x", f"{{z: {{domain: complex}}, x: {{default: {written}}}}}"))
        assert "nan is outside the domain real" in line


def test_inverse_with_the_same_argument_name() -> None:
    """The value may be called as the argument that is solved for."""
    text = entry("inverse: {of: g, in: x}", "{a: {}, x: {}}") + TWO
    function = loads(text)["f"]
    assert function.inverse is not None
    assert function.inverse.value_in(function.args, ["a", "x"]) == "x"
    assert function.inverse.value_in(["a", "y"], ["a", "x"]) == "y"


def test_misspelt_key_names_the_right_one() -> None:
    text = entry("formla: z\nformula: z", "{z: {derivatve: {discrete: true}}}")
    assert messages(text) == [
        "spec.yaml:6:16: functions.f.args.z.derivatve: unknown key; did you mean 'derivative'?",
        "spec.yaml:7:5: functions.f.formla: unknown key; did you mean 'formula'?",
    ]


@pytest.mark.parametrize(
    "text",
    [
        entry("formula: z\ntitle: 1\nmodule: 2\nsummary: [3]"),
        entry("formula: 1", "{lambda: 5, z: 6}"),
        entry("formula: z").replace("  f:", "  args:") + "    x: 5\n",
        "module: [1]\ntitle: {a: b}\nfunctions: {args: 5, outputs: {args: 5, outputs: {args: {args: 5}}}}\n",
        "functions: 5\n",
        "module: spec\ntitle: T\nfunctions: [f]\n",
    ],
)
def test_pruning_comes_to_an_end(text: str) -> None:
    assert messages(text)


def test_an_entry_with_mistakes_causes_no_other_mistakes() -> None:
    """What can't be read of an entry is not missed in the entries that refer to it."""
    text = entry("formula: z\nbatch: 5") + (
        "  g:\n    summary: 1\n    args: {x: {domain: rael}}\n    formula: x\n"
        "  h: {summary: S, args: {x: {derivative: {rule: g(x) + f(x)}}}}\n  i: {alias: g}\n"
    )
    assert [line.split(": ")[1] for line in messages(text)] == [
        "functions.f.batch",
        "functions.g.summary",
        "functions.g.args.x.domain",
    ]


def test_duplicates_between_files(tmp_path: Path) -> None:
    text = "module: {0}\ntitle: T\nfunctions: {{f: {{summary: S, args: {{z: {{}}}}, formula: z}}}}\n"
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text(text.format(name))
    with pytest.raises(SpecError, match=r"two\.yaml:3:13: functions\.f: f is defined at .*one\.yaml:3:13 already"):
        load([tmp_path])
    (tmp_path / "two.yaml").write_text(text.format("one").replace("f:", "g:"))
    with pytest.raises(SpecError, match=r"two\.yaml:1:1: module: .*one\.yaml makes a module one too"):
        load([tmp_path])


def test_context_may_be_called_but_is_not_generated(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(GOOD)
    (tmp_path / "mine.yaml").write_text(
        "module: mine\ntitle: T\nfunctions: {f: {summary: S, args: {z: {derivative: {rule: 'jv(0, z)'}}}}}\n"
    )
    with pytest.raises(SpecError, match="unknown function 'jv'"):
        load([tmp_path / "mine.yaml"])
    shipped = load([tmp_path / "spec.yaml"])
    mine = load([tmp_path / "mine.yaml"], shipped)
    assert [module.module for module in mine] == ["mine"]
    assert mine["jv"] is shipped["jv"]
    # A file that is generated isn't its own context.
    assert [module.module for module in load([tmp_path / "spec.yaml"], shipped)] == ["spec"]


# ----------------------------------------------------------------------------------------------------------- any text


class Watch:
    """An audit hook (there is no taking it out again) that notes what would run, import or open something."""

    forbidden = ("exec", "import", "open", "os.", "subprocess.", "socket.", "shutil.", "ctypes.")

    def __init__(self) -> None:
        self.on = False
        self.seen: list[str] = []
        sys.addaudithook(self)

    def __call__(self, event: str, args: tuple[object, ...]) -> None:
        if self.on and event.startswith(self.forbidden):
            self.seen.append(f"{event} {args}")

    def __enter__(self) -> None:
        self.seen.clear()
        self.on = True

    def __exit__(self, *_: object) -> None:
        self.on = False
        assert not self.seen


watch = Watch()


def problems_in(text: str) -> tuple[Problem, ...]:
    """What `loads` complains about; nothing but `SpecError` may come, and nothing may be run, imported or opened."""
    with watch:
        try:
            loads(text)
        except SpecError as error:
            return error.problems
    return ()


def check_any(text: str) -> None:
    lines = len(text.splitlines()) + 1
    problems = problems_in(text)
    assert all(1 <= problem.position.line <= lines and problem.position.column >= 1 for problem in problems)


_WORDS = """
jv gammainc airy z v a x y ai rule kernel stencil derivative domain formula args outputs ode inverse near check static
default alias : , { } [ ] ( ) ' " | > & * ! % @ # - + / ** 0 1 -1 1e400 .nan null true no lambda 9**9**9 [z.__class__]
__import__('os').system('x') complex integer real
"""
_PIECES = st.sampled_from(
    [*_WORDS.split(), " ", "\t", "\n", "\n\n", "\x00", "\x85", "\u2028", "\ud800", "\U0001f600", "é"]
)


@st.composite
def _mutations(draw: st.DrawFn) -> str:
    text = GOOD
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 12))
        kind = draw(st.sampled_from(["replace", "insert", "delete", "double", "move"]))
        piece = draw(_PIECES)
        match kind:
            case "replace":
                text = text[:start] + piece + text[start + length :]
            case "insert":
                text = text[:start] + piece + text[start:]
            case "delete":
                text = text[:start] + text[start + length :]
            case "double":
                text = text[:start] + text[start : start + 10 * length] + text[start:]
            case _:
                other = draw(st.integers(0, len(text)))
                moved = text[other : other + 5 * length]
                text = text[:start] + moved + text[start:]
    return text


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(_mutations())
@example(GOOD)
def test_no_text_crashes_or_runs(text: str) -> None:
    check_any(text)


_KEY_WORDS = """
module title functions f args outputs summary formula domain derivative rule kernel stencil discrete unavailable near
order radius series x z a inverse of in value ode pairs second scale check host default static dtype alias since notes
lambda _x batch signature callback ordered public lower orders real imag source note
"""
_KEYS = st.sampled_from(_KEY_WORDS.split())
_VALUES = st.recursive(
    st.sampled_from(
        [None, True, 1, -0.5, "x", "z", "real", "integer", "x > 0", "F", "f(x)", "a.b", "lambda", "", "1.15"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=25,
)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(_KEYS, _VALUES, max_size=3), st.dictionaries(_KEYS, _VALUES, max_size=6))
def test_no_structure_crashes_or_runs(functions: dict[str, object], keys: dict[str, object]) -> None:
    """Right keys in wrong places."""
    f = {"summary": "S", "args": {"x": {}, "z": {"domain": "complex"}}, "formula": "x*z"} | keys
    check_any(json.dumps({"module": "spec", "title": "T", "functions": functions | {"f": f}}))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_no_formula_crashes_or_runs(formula: str) -> None:
    check_any(entry(f"formula: {json.dumps(formula)}"))


def test_code_in_a_formula_is_refused() -> None:
    for code in ("__import__('os').system('x')", "().__class__.__bases__", "open(1)", "eval(z)", "z.__class__"):
        (line,) = messages(entry(f'formula: "{code}"'))
        assert line.startswith("spec.yaml:7:")


def test_an_integer_argument_may_have_a_derivative_for_real_values() -> None:
    text = entry("formula: z", "{z: {domain: integer, derivative: {rule: 1}}}")
    argument = loads(text)["f"].args["z"]
    assert argument.kind == "integer"
    assert isinstance(argument.derivative, Given)
