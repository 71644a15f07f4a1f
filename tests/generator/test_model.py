"""The model beside the file: derived facts, the JSON Schema, and that it can't be changed by accident."""

import json
import math
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml
from jaxscipy_codegen import _resources
from jaxscipy_codegen.errors import Position, Problem, SpecError, did_you_mean
from jaxscipy_codegen.hosts import HostMissing, check_hosts, host, is_available
from jaxscipy_codegen.load import load, loads
from jaxscipy_codegen.model import Domain, Library, Module, schema_json
from pydantic import ValidationError

SPEC = """\
module: spec
title: T
functions:
  betainc:
    summary: S
    args:
      a: {domain: a > 0, derivative: {kernel: jaxscipy_ext.derivatives.beta.betainc_da, orders: 3}}
      b: {domain: b > 0, derivative: {stencil: {}, orders: 2}}
      x: {domain: 0 <= x <= 1, derivative: {rule: x**(a - 1)*(1 - x)**(b - 1)}}
      n: {domain: integer}
      z: {domain: complex}
      u: {domain: u < 2}
      s: {static: true}
    formula: z
  airy: {summary: S, args: {z: {}}, outputs: {ai: {formula: z, dtype: complex}, aip: {formula: 1}}}
"""


def test_names_of_derivatives() -> None:
    """Total orders stay within those of every argument that takes part."""
    names = loads(SPEC)["betainc"].derivative_names
    assert {name: dict(index) for name, index in names.items()} == {
        "betainc_da": {"a": 1},
        "betainc_db": {"b": 1},
        "betainc_da2": {"a": 2},
        "betainc_dadb": {"a": 1, "b": 1},
        "betainc_db2": {"b": 2},
        "betainc_da3": {"a": 3},
    }


def test_boxes_lie_inside_the_domains() -> None:
    box = loads(SPEC)["betainc"].box
    assert box == {"a": (0.1, 5), "b": (0.1, 5), "x": (0.1, 0.9), "n": (0, 5), "z": (-3, 3), "u": (-3, 1.9)}


def test_results_of_one_and_of_several_outputs() -> None:
    library = loads(SPEC)
    assert list(library["betainc"].results) == ["F"]
    assert str(library["betainc"].results["F"].formula) == "z"
    assert not library["betainc"].several
    assert [(name, output.dtype) for name, output in library["airy"].results.items()] == [
        ("ai", "complex"),
        ("aip", "same"),
    ]


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("0 <= x < 1", [0, 0.5], [1, -1e-9]),
        ("x > -1.5e1", [-14.9, 3], [-15, -math.inf]),
        ("0 < x", [1e-300], [0]),
        ("x <= .5", [0.5, -math.inf], [0.6]),
        ("x >= 2", [2], [1.9]),
        ("-1 < x <= 1", [1], [-1, math.nan]),
    ],
)
def test_domains(text: str, inside: list[float], outside: list[float]) -> None:
    library = loads(
        f"module: spec\ntitle: T\nfunctions: {{f: {{summary: S, args: {{x: {{domain: {text}}}}}, formula: x}}}}"
    )
    domain = library["f"].args["x"].domain
    assert isinstance(domain, Domain)
    assert domain.kind == "real"
    assert str(domain) == text
    assert all(value in domain for value in inside)
    assert not any(value in domain for value in outside)


def test_model_is_frozen() -> None:
    function = loads(SPEC)["betainc"]
    with pytest.raises(ValidationError, match="frozen"):
        function.summary = "other"  # type: ignore[misc]


def test_model_can_be_made_in_python() -> None:
    module = Module.model_validate(
        {"module": "m", "title": "T", "functions": {"f": {"summary": "S", "args": {"x": {}}, "formula": "x"}}}
    )
    function = Library((module,))["f"] if module.definitions["f"].name else module.definitions["f"]
    assert str(function.position) == "<python>:1:1"
    assert str(function.formula) == "x"


# ----------------------------------------------------------------------------------------------------------- schema


def test_schema_accepts_what_load_accepts_and_refuses_other_keys() -> None:
    schema = json.loads(schema_json())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    data = yaml.safe_load(SPEC)
    assert list(validator.iter_errors(data)) == []
    data["functions"]["airy"]["sumary"] = "S"
    data["functions"]["betainc"]["args"]["a"]["derivative"] = {"kernel": "a.b", "rule": "x"}
    assert {tuple(error.path)[:2] for error in validator.iter_errors(data)} == {
        ("functions", "airy"),
        ("functions", "betainc"),
    }


def test_schema_describes_every_key() -> None:
    for name, definition in json.loads(schema_json())["$defs"].items():
        assert definition["description"]
        for key, value in definition.get("properties", {}).items():
            assert value.get("description"), f"{name}.{key}"


def test_schema_is_the_same_in_every_process() -> None:
    code = "import sys; from jaxscipy_codegen.model import schema_json; sys.stdout.write(schema_json())"
    others = {
        subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True, encoding="utf-8"
        ).stdout
        for _ in range(2)
    }
    assert others == {schema_json()}


# ------------------------------------------------------------------------------------------------------------ hosts


def entry(body: str) -> Library:
    return loads(f"module: spec\ntitle: T\nfunctions:\n  f:\n    summary: S\n{body}")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "    host: scipy.special.jvv\n    args: {x: {}}\n    formula: x\n",
            "spec.yaml:6:5: functions.f.host: scipy.special has no 'jvv'; did you mean 'jv",
        ),
        ("    args: {x: {}}\n    formula: x\n", "spec.yaml:4:3: functions.f.host: scipy.special has no 'f'; "),
        (
            "    host: scipy.spezial.jv\n    args: {x: {}}\n    formula: x\n",
            "spec.yaml:6:5: functions.f.host: scipy.spezial can't be imported (ModuleNotFoundError: ",
        ),
        (
            "    host: numpy.pi\n    args: {x: {}}\n    formula: x\n",
            "spec.yaml:6:5: functions.f.host: numpy.pi is a float, not a function; write the path of a function",
        ),
        (
            "    host: scipy.special.jv\n    args: {x: {}}\n    formula: x\n",
            "spec.yaml:7:5: functions.f.args: scipy.special.jv takes 2 arrays, the entry has 1 (x); write one argument",
        ),
        (
            "    host: scipy.special.airy\n    args: {z: {}}\n    formula: z\n",
            "spec.yaml:6:5: functions.f.host: scipy.special.airy returns 4 arrays, the entry 1; write outputs:",
        ),
        (
            "    host: scipy.special.jv\n    args: {v: {}, z: {}}\n    outputs: {a: {formula: z}, b: {formula: z}}\n",
            "spec.yaml:8:5: functions.f.outputs: scipy.special.jv returns 1 arrays, the entry 2; write no outputs:",
        ),
        (
            "    host: scipy.special.jvp\n    args: {v: {}}\n    formula: v\n",
            "spec.yaml:7:5: functions.f.args: scipy.special.jvp(v, z, n=1) can't be called with v (missing a required",
        ),
        (
            "    host: scipy.special.gamma\n    args: {x: {derivative: {kernel: math.nothing}}}\n",
            "spec.yaml:7:29: functions.f.args.x.derivative.kernel: math has no 'nothing'; ",
        ),
        (
            "    host: scipy.special.gamma\n    args: {x: {derivative: {kernel: math.hypot}}}\n    since: '1.0'\n",
            "",
        ),
    ],
)
def test_hosts_are_checked_against_entries(body: str, expected: str) -> None:
    library = entry(body)
    if not expected:
        check_hosts(library)
        return
    with pytest.raises(SpecError) as caught:
        check_hosts(library)
    assert str(caught.value).startswith(expected)
    assert len(caught.value.problems) == 1


def test_all_misfits_at_once() -> None:
    text = "module: spec\ntitle: T\nfunctions:\n"
    for name in ("f", "g", "h"):
        text += f"  {name}: {{summary: S, args: {{x: {{}}}}, formula: x}}\n"
    with pytest.raises(SpecError) as caught:
        check_hosts(loads(text))
    assert [problem.position.line for problem in caught.value.problems] == [4, 5, 6]


def test_absent_in_an_older_scipy_is_no_mistake() -> None:
    library = entry("    args: {x: {}}\n    formula: x\n    since: '99.0'\n")
    assert not is_available(library["f"])
    check_hosts(library)


def test_reasons_of_failed_imports_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_host.py").write_text("raise RuntimeError('no licence')\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(HostMissing, match="RuntimeError: no licence"):
        host("broken_host.f")


def test_methods_of_classes_are_hosts() -> None:
    assert host("numpy.ndarray.sum")


def test_kernels_are_found_beside_broken_generated_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else one broken generated module would stop the generator from repairing it."""
    package = tmp_path / "half_generated"
    package.mkdir()
    (package / "__init__.py").write_text("from half_generated import not_yet_generated\n")
    (package / "kernels.py").write_text("def f_dx(x):\n    return x\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert host("half_generated.kernels.f_dx")(3) == 3
    assert "half_generated" not in sys.modules


# ---------------------------------------------------------------------------------------------------------- the rest


def test_problems_are_sorted_and_said_once() -> None:
    second, first = (Problem(Position("a.yaml", line, 1), "x", "wrong; write right") for line in (10, 9))
    assert (
        str(SpecError([second, first, second]))
        == "a.yaml:9:1: x: wrong; write right\na.yaml:10:1: x: wrong; write right"
    )


def test_did_you_mean() -> None:
    assert did_you_mean("formla", ["formula", "form"]) == "did you mean 'formula'?"
    assert did_you_mean("qqq", ["b", "a"]) == "write one of: a, b"
    assert did_you_mean("qqq", map(str, range(100))) == ""


def test_shipped_specs_are_found_and_fit_their_hosts() -> None:
    check_hosts(load([_resources.specs()]))
    assert (_resources.templates() / "module.py.jinja").is_file()


def test_missing_resources_are_an_error_with_a_way_out() -> None:
    with pytest.raises(FileNotFoundError, match="nowhere/ is neither beside"):
        _resources._folder("nowhere")
