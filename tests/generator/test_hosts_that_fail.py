"""Entries that go wrong only together with their hosts: each a sentence at its place, never a traceback."""

import pytest
from jaxscipy_codegen import cli

HOSTS = """\
import numpy as np

def raises(x): raise RuntimeError("no such device")
def text(x): return "text"
def nothing(x): return None
def short(x): return np.zeros(3)
def two(x): return x, x
def one(x): return x
def writes(x):
    x *= 2
    return x
def leaves(x): raise SystemExit(3)
def turns(x): return np.asarray(x) * 1j
def needs(x, *, flag): return x
"""
BROKEN = {
    "broken_raises": "raise RuntimeError('boom')",
    "broken_leaves": "import sys; sys.exit(7)",
    "broken_needs": "import no_such_module",
    "broken_text": "def f(x:\n  pass",
}


X = "args: {x: {derivative: {rule: x}}}"
SICI = (
    "host: scipy.special.sici, outputs: {si: {}, ci: {}},"
    " args: {x: {domain: x > 0, derivative: {rule: {si: sin(x)/x, ci: cos(x)/x}}}}"
)
# The key with the mistake is marked; the rest of an entry is `f: {summary: s., …}`.
CASES = [
    (f"»host: the_hosts.raises, {X}", "the_hosts.raises raises RuntimeError: no such device; correct it, or write a"),
    (f"»host: the_hosts.leaves, {X}", "raises SystemExit: 3; correct it, or write a `check:` box where it works"),
    (f"»host: the_hosts.text, {X}", "returns no numbers (<U4); return an array of them"),
    (f"»host: the_hosts.nothing, {X}", "returns no numbers (object); return an array of them"),
    (f"»host: the_hosts.short, {X}", "returns the shape (3,) for arguments of the shape (24,); write batch: scalar, "),
    (f"»host: the_hosts.two, {X}", "returns 2 values, the entry has 1; write outputs: with a name for each"),
    ("»" + SICI.replace("scipy.special.sici", "the_hosts.one"), "returns 1 values, the entry has 2; write outputs:"),
    (f"»host: the_hosts.writes, {X}", "writes into its arguments; copy them in it first"),
    (f"»host: the_hosts.turns, {X}", "returns complex numbers for real ones; write dtype: complex for the output"),
    (
        f"»host: math.sin, {X}",
        "math.sin raises TypeError: only ",
    ),
    (f"host: the_hosts.needs, »{X}", "argument: 'flag'); write its arguments"),
    ("host: numpy.sin, args: {x: {»derivative: {kernel: the_hosts.raises}}}", "the_hosts.raises raises RuntimeError: "),
    (
        f"»host: broken_raises.f, {X}",
        "broken_raises can't be imported (RuntimeError: boom); install it, or write another",
    ),
    (
        f"»host: broken_leaves.f, {X}",
        "broken_leaves can't be imported (SystemExit: 7); install it, or write another path",
    ),
    (f"»host: broken_needs.f, {X}", "(ModuleNotFoundError: No module named 'no_such_module'); install it, or write"),
    (f"»host: broken_text.f, {X}", "can't be imported (SyntaxError: '(' was never closed"),
    (f"»host: nowhere.f, {X}", "nowhere can't be imported (ModuleNotFoundError: No module named 'nowhere'); install"),
    (f"»host: numpy.sinn, {X}", "numpy has no 'sinn'; did you mean 'sin"),
    (f"»host: numpy.pi, {X}", "numpy.pi is a float, not a function; write the path of a function"),
    (f"»host: jax.numpy.sin, {X}", "is a JAX function and can't run on the host; write its NumPy or SciPy counterpart"),
    (
        f"{SICI}}}\n  »FResult: {{summary: s., host: numpy.exp, {X}",
        "f returns a class FResult, as FResult is called; rename",
    ),
    (
        "host: numpy.exp, args: {x: {»derivative: {rule: inf}}}",
        "at x = 0 it gives inf, the host's numerical derivative is 1",
    ),
    ("host: numpy.exp, args: {x: {»derivative: {rule: f(f(f(x)))}}}", "f(f(f(x))) of f in x is wrong: at x = "),
    (
        "host: numpy.sin, formula: f(x), args: {»x: {}}",
        "this partial is needed to find itself; write `derivative: {rule:",
    ),
    (
        "host: numpy.log, formula: log(x), args: {»x: {derivative: {rule: 1/x, near: {x: 0}}}}",
        "SymPy finds no Taylor polynom",
    ),
    (
        (
            "host: numpy.sin, inverse: {of: g, in: y}, args: {x: {}}}\n"
            "  g: {summary: g., host: numpy.arcsin, args: {»y: {derivative: {unavailable: no}}}"
        ),
        "g has no formula for d/dy that an inverse could use; write a derivative: with a rule",
    ),
    (
        "host: numpy.sin, formula: gamma(100)*gamma(99)*x, args: {»x: {}}",
        "SymPy's answer holds a number larger than 1e+300; write the partial as",
    ),
    (
        f"host: numpy.sin, args: {{x: {{»derivative: {{rule: {'sin(' * 90}x{')' * 90}}}}}}}",
        "sin(sin(sin(… of f in x is wrong: at x = ",
    ),
]


@pytest.mark.parametrize(("entry", "message"), CASES, ids=[message for _, message in CASES])
def test_a_sentence_at_its_place(entry, message, tmp_path, monkeypatch, capsys):
    empty = tmp_path / "shipped"
    empty.mkdir()
    monkeypatch.setattr("jaxscipy_codegen._resources.specs", lambda: empty)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "the_hosts.py").write_text(HOSTS)
    for name, code in BROKEN.items():
        (tmp_path / f"{name}.py").write_text(code)
    spec = tmp_path / "m.yaml"
    text = f"module: m\ntitle: T\nfunctions:\n  f: {{summary: s., {entry}}}\n"
    before = text.partition("»")[0]
    place = f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"
    spec.write_text(text.replace("»", ""))
    assert cli.main(["generate", str(spec), "--out", str(tmp_path / "o")]) == 2
    lines = capsys.readouterr().err.splitlines()
    (line,) = [line for line in lines if line.startswith(f"{spec.as_posix()}:{place}: functions.")]
    assert message in line, line
    assert "; " in line, "says what to write instead"
    assert lines[-1].endswith("nothing was written")
    assert not (tmp_path / "o").exists()


def test_a_kink_among_the_points_is_no_contradiction(tmp_path, monkeypatch):
    """Central differences see the mean of both slopes of abs at 0."""
    empty = tmp_path / "shipped"
    empty.mkdir()
    monkeypatch.setattr("jaxscipy_codegen._resources.specs", lambda: empty)
    spec = tmp_path / "m.yaml"
    for rule, code in (("where(x < 0, -1, 1)", 0), ("where(x < 0, 1, -1)", 2)):
        entry = f'{{summary: s., host: numpy.abs, args: {{x: {{derivative: {{rule: "{rule}"}}}}}}}}'
        spec.write_text(f"module: m\ntitle: T\nfunctions:\n  f: {entry}\n")
        assert cli.main(["generate", str(spec), "--out", str(tmp_path / "o")]) == code
