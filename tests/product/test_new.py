"""`jaxscipy-ext new`: the draft says what it saw, and is right."""

import re
from pathlib import Path

import pytest
import yaml
from jaxscipy_codegen import cli

HOSTS = '''
import numpy as np

_generator = np.random.default_rng(0)


def broadcasting(x, y):
    """A sum."""
    return x + 2 * y


def equal_shapes(x, y):
    assert x.shape == y.shape
    return np.stack([x, y]).sum(0), x * y


def single(x):
    return x if x > 0.1 else -x


def norm(x):
    return np.sqrt(np.sum(np.asarray(x) ** 2))


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def sampler(mean, scale=1.0):
    return _generator.normal(mean, scale)


def watch(x):
    pass


def logarithm(x, base=10.0, mode="fast"):
    return np.log(x) / np.log(base)


def wave(x):
    return np.exp(1j * x)


def far(x):
    return np.sqrt(x - 100)


def anything(*args):
    return args
'''


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "new_hosts.py").write_text(HOSTS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


UNKNOWN = {"derivative": {"unavailable": "say why, or give a rule"}}
DRAFTS = {
    "new_hosts.broadcasting": (
        {"summary": "A sum.", "vmap_method": "expand_dims", "args": {"x": UNKNOWN, "y": UNKNOWN}},
        "shapes (2, 1) and (3,) gave (2, 3): it broadcasts",
    ),
    "new_hosts.equal_shapes": (
        {"batch": "same-shape", "vmap_method": "broadcast_all", "outputs": {"out0": {}, "out1": {}}},
        "shapes (2, 1) and (3,) don't broadcast (AssertionError: ): equal shapes only",
    ),
    "new_hosts.single": ({"batch": "scalar"}, "single numbers only, the loop is on the host"),
    "new_hosts.norm": ({"batch": "scalar", "signature": "(n)->()"}, "it reads whole vectors, `(n)->()`"),
    "new_hosts.softmax": ({"signature": "(n)->(n)"}, "leading dimensions are a batch"),
    "new_hosts.sampler": (
        {"callback": "io", "args": {"mean": {}, "scale": {"default": 1.0}}},
        "not pure (`callback: io`)",
    ),
    "new_hosts.watch": ({"callback": "debug", "args": {"x": {}}}, "returned None: the host only looks"),
    "new_hosts.logarithm": (
        {"args": {"x": {"domain": "x > 0", **UNKNOWN}, "base": {"default": 10.0, **UNKNOWN}}},
        "it broadcasts",
    ),
    "new_hosts.wave": ({"dtype": "complex"}, "complex numbers for real arguments"),
    "scipy.special.jv": (
        {"formula": "besselj(v, z)", "args": {"v": UNKNOWN, "z": {"domain": "complex"}}},
        "its values are those of besselj(v, z): SymPy derives the partials in z",
    ),
    "numpy.sinc": ({"formula": "sinc(x)", "args": {"x": {}}}, "SymPy derives the partials in x"),
    "numpy.vecdot": ({"signature": "(n),(n)->()"}, "core dimensions (n),(n)->()"),
}


@pytest.mark.parametrize("host", DRAFTS)
def test_drafts(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    wanted, remark = DRAFTS[host]
    assert cli.main(["new", host]) == 0
    text = capsys.readouterr().out
    assert remark in " ".join(text.replace("#", "").split())
    (entry,) = yaml.safe_load(text)["functions"].values()
    assert entry["host"] == host
    for key, value in wanted.items():
        found = {name: entry[key][name] for name in value} if key == "args" else entry[key]
        assert found == value
    assert ("batch" in entry) == ("batch" in wanted) and ("signature" in entry) == ("signature" in wanted)


def test_out_makes_a_file_and_adds_to_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["new", "new_hosts.wave", "--out", "mine.yaml"]) == 0
    out = capsys.readouterr().out
    assert "saw: it returned complex numbers" in out and "wrote mine.yaml: edit it, then run" in out
    assert cli.main(["new", "new_hosts.single", "--out", "mine.yaml"]) == 0
    assert list(yaml.safe_load((folder / "mine.yaml").read_text())["functions"]) == ["wave", "single"]
    assert cli.main(["generate", "mine.yaml", "--out", "mine"]) == 0
    before = (folder / "mine.yaml").read_text()
    open_ = (
        r"note: mine.yaml:\d+:\d+: functions.wave.args.x: the derivative raises 'say why, or give a rule', as drafted; "
    )
    assert re.search(open_, capsys.readouterr().err)
    assert cli.main(["new", "new_hosts.wave", "--out", "mine.yaml"]) == 2
    assert "has an entry wave already; remove it, or write another file\nnothing was written" in capsys.readouterr().err
    assert (folder / "mine.yaml").read_text() == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["wave"], "'wave' is no path to import; write module.function"),
        (["new_hosts.wafe"], "new_hosts has no 'wafe'; did you mean 'wave'?"),
        (["no_such_package.f"], "no_such_package can't be imported"),
        (["new_hosts.anything"], "takes *args, any number of arguments; write a function of named ones around it"),
        (["new_hosts.far"], "gave no numbers at any of the points that were tried, such as far(0.5)"),
        (["new_hosts.wave", "--at", "z=1"], "has no argument 'z'; write --at with x"),
        (
            ["new_hosts.wave", "--out", "not-a-name.yaml"],
            "the file's name becomes a module's name; write for example not_a",
        ),
        (
            ["numpy.sin", "--out", "sin.yaml"],
            "the function sin would hide the module of that name; write sin_functions",
        ),
    ],
)
def test_mistakes_say_what_to_write(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["new", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_point_may_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["new", "new_hosts.far", "--at", "x=150"]) == 0
    assert "far:" in capsys.readouterr().out
