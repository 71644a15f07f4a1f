"""`jaxscipy-ext check` catches every kind of mistake that was planted for it, and says which and where."""

import json
import re
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jaxscipy_codegen import checking, cli

from jaxscipy_ext.testing import check_function

HOSTS = """
import numpy as np

_generator = np.random.default_rng(0)


def sine(x):
    return np.sin(x)


def nowhere(x):
    return np.where(np.abs(x) < 1e9, np.nan, np.sin(x))


def stacked(x, y):
    return np.stack([x, y]).sum(0)


def first_only(x):
    return np.sin(np.asarray(x).ravel()[:2])


def running(x):
    return np.cumsum(np.atleast_1d(x)).reshape(np.shape(x))


def words(x):
    return np.full(np.shape(x), "one")


def turned(x):
    return np.exp(1j * x)


def noisy(x):
    return np.sin(x) * _generator.normal(1, 1e-3, np.shape(x))


def mirrored(x):
    return np.sin(np.conj(x))


def raising(x):
    if np.any(np.asarray(x) > 2):
        raise OverflowError("too far")
    return np.sin(x)


def reading(x):
    x *= 2
    return x
"""


def one(host: str, derivative: str = "{rule: cos(x)}", more: str = "") -> str:
    return f"  f: {{summary: s., host: planted_hosts.{host}, args: {{x: {{derivative: {derivative}}}}}{more}}}\n"


TWO = """\
  f:
    summary: s.
    host: planted_hosts.stacked
    args: {x: {derivative: {rule: '1'}}, y: {derivative: {rule: '1'}}}
"""

FAULTS = {
    "wrong sign": (
        one("sine", "{rule: -cos(x)}"),
        r"d/dx: .*\n    inputs    x = .*\n    expected  .*\n    got .*\n    error     2 relative",
    ),
    "wrong factor at one point": (
        one("sine", "{rule: 'where(x == 1, 1.5*cos(x), cos(x))'}"),
        r"d/dx: .*\n    inputs    x = 1.0\n    expected  0.5403023058\d*\n    got       0.81045\d*\n    error     0.5",
    ),
    "wrong at zero only": (
        one("sine", "{rule: 'where(x == 0, 0, cos(x))'}"),
        r"d/dx: .*\n    inputs    x = -?0.0\n    expected  (1.0|0.99999\d*)\n    got       0.0\n    error     1 rel",
    ),
    "wrong only in the second order": (
        one("sine", "{rule: 'cos(x) + 1e-9*sin(1e6*x)'}"),
        r"d2/dxdx: .*\n    inputs    x = ",
    ),
    "wrong in float32 only": (
        one("sine", "{rule: cos(x)*(1e30*x)*1e30/(1e60*x)}"),
        r"f \(float32, auto\): d/dx: .*\n    inputs    x = .*\n.*\n    got       (nan|inf|0.0)",
    ),
    "wrong off the real axis only": (
        one("mirrored").replace("x: {", "x: {domain: complex, "),
        r"f \(complex128, auto\): d/dx: .*\n    inputs    x = .*j\)\n(.*\n){3}    also      d/dx along i",
    ),
    "silently zero": (one("sine", "{discrete: true}"), r"d/dx: .*\n    inputs    x = .*\n.*\n    got       0.0"),
    "wrong vmap_method": (
        TWO,
        r"(vmap = loop|value): .*(all input arrays must have the same shape|batch: same-shape)",
    ),
    "wrong shape": (
        one("first_only"),
        r"shape \(2,\) for arguments of (the )?shape \(\d+,\); write `?batch: scalar",
    ),
    "not elementwise": (one("running"), r"host is elementwise: a point alone gives another value .*`signature`"),
    "no numbers": (one("words"), r"value|host is pure"),
    "wrong dtype": (
        one("turned"),
        r"planted_hosts\.turned returns complex numbers for real ones; write dtype: complex",
    ),
    "not pure": (one("noisy"), r"host is pure: two calls at the same points differ; write `callback: io`"),
    "raising": (one("raising"), r"value: .*too far"),
    "writing into its arguments": (
        one("reading", "{rule: '2'}"),
        r"planted_hosts\.reading writes into its arguments; copy them",
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "planted_hosts.py").write_text(HOSTS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(folder: Path, entry: str, *options: str) -> int:
    (folder / "planted.yaml").write_text(f"module: planted\ntitle: Planted\nfunctions:\n{entry}")
    return cli.main(["check", "--spec", "planted.yaml", "--dtype", "float64", "--points", "3", *options])


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entry, words = FAULTS[fault]
    transforms = ["jvp", "hessian"] if "d/d" in words or "d2/d" in words else ["value", "vmap"]
    dtype = (re.findall(r"\((float32|complex128)", words.replace("\\", "")) or ["float64"])[0]
    assert check(folder, entry, "--dtype", dtype, "--transform", *transforms) == 1
    out = capsys.readouterr().out
    assert re.search(words, out), out
    assert re.search(r"^f +FAIL", out, re.M) and "0 passed, 1 failed" in out
    assert f"again     jaxscipy-ext check f --dtype {dtype} --points 3 --spec planted.yaml --transform " in out


def test_the_command_in_the_message_shows_the_same_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(folder, FAULTS["wrong factor at one point"][0], "--transform", "jvp", "--seed", "3") == 1
    before = capsys.readouterr().out
    (command,) = re.findall(r"again     jaxscipy-ext (.*)", before)
    assert cli.main(command.split()) == 1
    what = r"(f .*\n    inputs.*\n    expected.*\n    got.*\n    error.*)\n"
    assert re.findall(what, capsys.readouterr().out) == re.findall(what, before)


def test_ctrl_c_shows_and_saves_what_was_found(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(checking.Progress, "__call__", interrupt)
    entries = one("sine") + one("sine").replace("  f:", "  g:")
    assert check(folder, entries, "--transform", "value", "--json", "out.json") == 130
    out, error = capsys.readouterr()
    assert "1 passed, 0 failed" in out and "interrupted; 1 of 2 runs were through" in error
    assert [row["function"] for row in json.loads((folder / "out.json").read_text())] == ["f"]


def test_a_missing_partial_is_a_mistake_in_the_spec(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(folder, "  f: {summary: s., host: planted_hosts.sine, args: {x: {}}}\n") == 2
    assert re.search(r"planted.yaml:4:\d+: .*x.*write", capsys.readouterr().err)


def test_what_is_right_passes_and_what_is_unavailable_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = one("sine") + one("sine", "{unavailable: not today}").replace("  f:", "  g:")
    assert check(folder, entries, "--json", "out.json", "--report", "out.html") == 0
    assert "2 passed, 0 failed" in capsys.readouterr().out
    found = json.loads((folder / "out.json").read_text())
    assert [row["passed"] for row in found] == [True, True]
    assert list(found[0]) == ["function", "module", "dtype", "backend", "passed", "seconds", "command", "checks"]
    assert list(found[0]["checks"][0]) == ["what", "transform", "passed", "error", "points", "note", "worst"]
    notes = [row["note"] for row in found[1]["checks"] if row["what"] == "d/dx"]
    assert len(notes) == 1 and "not today" in notes[0]
    page = (folder / "out.html").read_text()
    assert page.count("<svg") >= 3 and "http" not in page.replace("https://", "http").split("<body>")[0]
    assert not re.search(r'(src|href)="(?!#)', page)


def test_known_exceptions_are_said_and_hide_nothing_else(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = ", exceptions: [{where: x == 0, reason: The host is wrong at 0.}]"
    entries = one("sine", "{rule: 'where(x == 0, 0, cos(x))'}", known)
    entries += one("sine", "{rule: 'where(x == 0, 0, -cos(x))'}", known).replace("  f:", "  g:")
    assert check(folder, entries, "--transform", "grad", "hessian") == 1
    out = capsys.readouterr().out
    assert "f: known exception at 2 of 12 points: The host is wrong at 0\n" in out
    assert re.search(r"^f +ok", out, re.M) and re.search(r"^g \(float64, auto\): d/dx: wrong at", out, re.M)
    assert check(folder, one("sine", more=", exceptions: [{where: y, reason: The host is wrong.}]")) == 2
    places = r"planted.yaml:4:\d+: functions.f.exceptions.0.where: (a number stands where a cond|unknown name 'y')"
    assert len(re.findall(places, capsys.readouterr().err)) == 2


def test_what_no_point_can_decide_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = one("nowhere", "{rule: -cos(x)}") + one("sine", "{rule: cos(x)}").replace("  f:", "  g:")
    assert check(folder, entries) == 0
    lines = capsys.readouterr().out.splitlines()
    place = lines.index("Passed, but at no point could differences tell:")
    assert lines[place + 1 : place + 3] == ["f (float64, auto): d/dx, d2/dxdx", ""]
    assert cli.main(["check", "erf", "--spec", str(folder / "planted.yaml")]) == 2
    assert "there is no function 'erf' with a spec; write one of: f" in capsys.readouterr().err


def test_impure_hosts_are_checked_for_shapes_only(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(folder, "  f: {summary: s., host: planted_hosts.noisy, callback: io, args: {x: {}}}\n") == 0
    assert "1 passed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "jvv"], "there is no function 'jvv' with a spec; did you mean 'jv'?"),
        (["check", "jv", "--device", "gpu"], "no GPU"),
        (["check", "jv", "--json", "."], ".: is a folder; write the name of a file in it"),
        (
            ["check", "jv", "--report", "nowhere/r.html"],
            "nowhere/r.html: its folder doesn't exist; write one that does",
        ),
        (
            ["check", "gammainc", "--dtype", "complex128"],
            "nothing to check: none of the functions takes such arguments",
        ),
    ],
)
def test_requests_that_cannot_be_met(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments) == 2
    assert words in capsys.readouterr().err


def test_forward_unlike_reverse() -> None:
    """No spec can say this: JAX transposes the rule. A function written by hand can."""

    @jax.custom_jvp
    def f(x: Any) -> Any:
        return jnp.sin(x)

    @f.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        slope = jnp.cos(primals[0])
        forward, backward = (lambda s, t: s * t), (lambda s, t: 2 * s * t)
        return f(*primals), jax.custom_derivatives.linear_call(forward, backward, slope, tangents[0])

    report = check_function(f, np.linspace(0.1, 1, 4), host=np.sin, transforms=["value", "grad"])
    assert [c.what for c in report.checks if not c.passed] == ["d/d0 reverse"]
    with pytest.raises(AssertionError, match=r"FAIL d/d0 reverse +1.00e\+00"):
        report.raise_for_failures()
