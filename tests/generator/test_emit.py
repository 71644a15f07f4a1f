"""Generated modules: they read well, are formatted, run, and text from specs can't change what they do."""

import importlib
import inspect
import json
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.special as sc
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from jaxscipy_codegen import emit
from jaxscipy_codegen.derive import Derivations
from jaxscipy_codegen.errors import SpecError
from jaxscipy_codegen.host_functions import HostFunctions
from jaxscipy_codegen.load import loads

SPEC = """\
module: family
title: A family
chapter: DLMF 10
functions:
  f:
    summary: Bessel function of the first kind.
    host: scipy.special.jv
    formula: besselj(v, z)
    args:
      v: {doc: Order, derivative: {kernel: jaxscipy_ext.derivatives.bessel.jv_dv, source: DLMF 10.9.17, orders: 2}}
      z: {domain: complex, derivative: {rule: "(f(v - 1, z) - f(v + 1, z))/2", source: DLMF 10.6.1}}
    check: {v: [0.3, 5], z: [0.1, 30]}
    notes: [At z = 0 the value is 1 for v = 0.]
  g:
    summary: Scaled Bessel function.
    host: scipy.special.jve
    args:
      v: {derivative: {unavailable: nobody knows}}
      z: {domain: complex, derivative: {rule: "(g(v - 1, z) - g(v + 1, z))/2", imag: -sign(imag(z))*F}}
    check: {v: [0.3, 5], z: [0.1, 30]}
  erf: {summary: erf., formula: erf(z), args: {z: {domain: complex}}}
  airy:
    summary: Airy.
    args: {z: {domain: complex}}
    outputs:
      ai: {formula: airyai(z)}
      aip: {formula: airyaiprime(z)}
      bi: {formula: airybi(z)}
      bip: {formula: airybiprime(z)}
  sph:
    summary: Spherical Bessel function.
    host: scipy.special.spherical_jn
    args:
      n: {domain: integer}
      z: {derivative: {rule: "(n*sph(n - 1, z, derivative) - (n + 1)*sph(n + 1, z, derivative))/(2*n + 1)"}}
      derivative: {static: true, default: false}
    check: {n: [1, 5], z: [0.5, 10]}
  lambertw:
    summary: Lambert W.
    formula: LambertW(z, k)
    dtype: complex
    args: {z: {domain: complex, dtype: complex}, k: {domain: integer, default: 0}}
    check: {z: [1, 3], k: [0, 2]}
  ylogx:
    summary: y log x, with arguments named like functions.
    host: scipy.special.xlogy
    args: {erf: {derivative: {rule: log(airy)}}, airy: {derivative: {rule: "where(erf == 0, 0, erf/airy)"}}}
    check: {erf: [1, 2], airy: [1, 2]}
  w: {alias: lambertw}
  hidden: {summary: Private., host: scipy.special.j0, public: false, args: {x: {derivative: {unavailable: private}}}}
  scalar:
    summary: A host of Python numbers.
    host: math.modf
    batch: scalar
    args: {x: {domain: x > 0, derivative: {rule: {frac: 1, whole: 0}}}}
    outputs: {frac: {}, whole: {dtype: same}}
    check: {x: [0.3, 0.9]}
  noisy: {summary: Not pure., host: numpy.log, callback: io, ordered: true, args: {x: {}}}
  look: {summary: Looks., host: builtins.print, callback: debug, args: {x: {}}}
"""


def texts(spec: str, file: str, target=None) -> dict[str, str]:
    target = target or emit.Target(None, f"jaxscipy-ext generate {file}")
    library = loads(spec, file)
    derivations = Derivations(library)
    functions = HostFunctions(derivations)
    files = {
        f"{m.module}.py": emit.ModuleText(m, derivations, functions, target).render(lambda n: None) for m in library
    }
    return emit.formatted(files | {"__init__.py": emit.user_init(library, target)})


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "generated_family"
    folder.mkdir()
    for name, source in texts(SPEC, "family.yaml").items():
        (folder / name).write_bytes(source.encode())
    sys.path.insert(0, str(folder.parent))
    yield importlib.import_module("generated_family")
    sys.path.remove(str(folder.parent))


@pytest.fixture(scope="module")
def source(package) -> str:
    return (Path(package.__file__).parent / "family.py").read_text(encoding="utf-8")


def test_values_are_those_of_the_host(package):
    z = np.linspace(0.5, 20, 7)
    np.testing.assert_array_equal(package.f(1.5, z), sc.jv(1.5, z))
    np.testing.assert_array_equal(package.sph(2, z, derivative=True), sc.spherical_jn(2, z, derivative=True))
    assert package.w is package.lambertw
    assert package.lambertw(jnp.float32(1.0)).dtype == jnp.complex64
    assert not hasattr(package, "hidden")
    assert not hasattr(package, "f_dv")


def test_derivatives(package):
    f = package.f
    assert np.isclose(jax.grad(f, 1)(1.5, 2.0), sc.jvp(1.5, 2.0), rtol=1e-12)
    assert np.isclose(jax.grad(f, 0)(1.5, 2.0), float(mpmath.diff(lambda v: mpmath.besselj(v, 2), 1.5)), rtol=1e-10)
    mixed = float(mpmath.diff(mpmath.besselj, (1.5, 2.0), (1, 1)))
    assert np.isclose(jax.grad(jax.grad(f, 0), 1)(1.5, 2.0), mixed, rtol=1e-9)
    assert np.isclose(jax.grad(jax.grad(f, 1), 0)(1.5, 2.0), mixed, rtol=1e-9)
    second = float(mpmath.diff(lambda v: mpmath.besselj(v, 2), 1.5, 2))
    assert np.isclose(jax.grad(jax.grad(f))(1.5, 2.0), second, rtol=1e-9)
    with pytest.raises(NotImplementedError, match="beyond the second derivative in v"):
        jax.grad(jax.grad(jax.grad(f)))(1.5, 2.0)
    with pytest.raises(NotImplementedError, match="nobody knows"):
        jax.grad(package.g)(1.5, 2.0)
    _, tangent = jax.jvp(package.airy, (0.3,), (1.0,))
    np.testing.assert_allclose(
        tangent, [sc.airy(0.3)[1], 0.3 * sc.airy(0.3)[0], sc.airy(0.3)[3], 0.3 * sc.airy(0.3)[2]]
    )
    assert jax.grad(package.ylogx, 1)(0.0, 0.0) == 0
    _, tangent = jax.jvp(lambda z: package.g(1.5, z), (2 + 1j,), (1j,))
    expected = (package.g(1.5, 2 + 1j + 1e-5j) - package.g(1.5, 2 + 1j - 1e-5j)) / 2e-5
    assert np.isclose(tangent, expected, rtol=1e-8)
    with pytest.raises(NotImplementedError, match="isn't pure"):
        jax.grad(package.noisy)(1.0)


def test_one_stacked_host_call_for_value_and_gradient(package, host_calls):
    jax.value_and_grad(package.f, 1)(1.5, 2.0)
    assert len(host_calls) == 1
    jax.value_and_grad(package.sph, 1)(2, 2.0)
    assert len(host_calls) == 2


def test_the_text_of_a_function(source):
    assert (
        source[source.index("@promoted(v=") : source.index('@promoted(v="real", z="complex")\ndef f_dv(')] == EXPECTED
    )


EXPECTED = '''\
@promoted(v="real", z="complex")
def f(v: ArrayLike, z: ArrayLike) -> Array:
    r"""Bessel function of the first kind.

    .. math::

        J_{v}\\left(z\\right)

    Equivalent to :obj:`scipy.special.jv`.

    Args:
      v: Order, real.
      z: Real or complex.

    Returns:
      Array of the arguments' broadcast shape, of the promoted dtype of the arguments.

    Derivatives:
      v: kernel up to order 2, ``f_dv(v, z)`` (DLMF 10.9.17).
      z: given, ``(f(v - 1, z) - f(v + 1, z))/2`` (DLMF 10.6.1).

    Raises:
      TypeError: While tracing, if an argument is no number or array, or complex where only real ones are taken.

    Note:
      At z = 0 the value is 1 for v = 0.
    """
    return _f(v, z)


@custom_jvp
def _f(v: Array, z: Array) -> Array:
    return host_call(special.jv, v, z, name="f")


@along(_f)
def _f_partials(v: Array, z: Array) -> Partials:
    return {
        "v": at((f_dv, v, z)),  # DLMF 10.9.17
        "z": at((v - 1, z), (v + 1, z), lambda below, above: (below - above) / 2),  # DLMF 10.6.1
    }


'''


def test_what_else_a_module_holds(source):
    assert source.startswith(
        "# Generated by jaxscipy-ext from family.yaml. Do not edit: change the spec, then run\n#     "
    )
    assert '"""A family (DLMF 10)."""' in source
    assert "lambda out: 1.1283791670955126 * jnp.exp(-(z**2)),  # 1.1283791670955126 = 2 / sqrt(pi)" in source
    assert "_f_dv2_host = stencil(kernels_bessel.jv_dv, 0)" in source
    assert "@partial(custom_jvp, nondiff_argnums=(2,))" in source
    assert 'host_call(special.spherical_jn, n, z, static={"derivative": derivative}, name="sph")' in source
    assert 'host_call(math.modf, x, outputs=("same", "same"), batch="scalar", name="scalar")' in source
    assert 'host_call(np.log, x, callback="io", ordered=True, name="noisy")' in source
    assert "def lambertw(z: ArrayLike, k: ArrayLike = 0) -> Array:" in source
    assert source.endswith("w = lambertw\n")


def test_docstrings(package):
    for name in ("f", "g", "airy", "sph", "lambertw"):
        assert getattr(package, name).__doc__
    document = inspect.getdoc(package.g)
    assert "v: unavailable, nobody knows." in document
    assert "DerivativeUnavailable: While tracing, if a derivative with respect to `v` is asked for." in document
    assert r"\mathrm{ai} &= Ai\left(z\right) \\" in inspect.getdoc(package.airy)


def test_linters_find_nothing(package):
    folder = Path(package.__file__).parent
    ruff = [sys.executable, "-m", "ruff"]
    options = ["--isolated", "--no-cache", "--line-length=120", "--target-version=py311"]
    rules = "B,BLE,C4,E,F,I,ICN,ISC,PIE,PLC,PLE,PLW,RET,RUF,SIM,TID,UP,W"
    check = [*ruff, "check", *options, f"--select={rules}", "--ignore=E501,PLW0108", str(folder)]
    run = subprocess.run(check, capture_output=True, text=True, check=False, cwd=folder)
    assert run.returncode == 0, run.stdout
    layout = [*ruff, "format", "--check", *options, str(folder)]
    run = subprocess.run(layout, capture_output=True, text=True, check=False, cwd=folder)
    assert run.returncode == 0, run.stdout


def test_the_same_text_every_time_and_everywhere(source):
    again = texts(SPEC, "elsewhere/family.yaml", emit.Target(None, "jaxscipy-ext generate family.yaml"))["family.py"]
    assert again == source
    script = (
        "import sys, json; from test_emit import SPEC, texts; "
        "json.dump(texts(SPEC, 'family.yaml')['family.py'], sys.stdout)"
    )
    # Another process with another hash seed: nothing may depend on the order of sets.
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": ":".join([str(Path(__file__).parent), *sys.path]), "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert json.loads(run.stdout) == source, run.stderr


_TEXTS = st.lists(
    st.sampled_from(
        ['"""', "\\", '"', "'", "{{ 7*7 }}", "{% endfor %}", "{# x #}", "\u202e", "#", "a", " ", "\\N{DASH}"]
    ),
    min_size=1,
).map("".join)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_TEXTS, _TEXTS)
@example('"""\n    import os\n"""', "fmt: off")
@example("{{ 7*7 }}\\", "noqa")
def test_text_from_specs_changes_nothing_but_text(summary, source):
    summary, source = (" ".join(f"x{t}".split()) for t in (summary, source))
    entry = {
        "summary": summary,
        "description": summary,
        "source": source,
        "notes": [summary],
        "host": "scipy.special.j0",
    }
    rule = {"rule": "-scipy_j1(x)", "source": source, "note": summary}
    entry["args"] = {
        "x": {"doc": summary, "unit": source, "derivative": rule},
        "y": {"derivative": {"unavailable": summary}},
    }
    other = {"summary": "j1", "host": "scipy.special.j1", "args": {"x": {"derivative": {"unavailable": "no"}}}}
    entry["host"] = "scipy.special.jv"
    spec = {"module": "m", "title": summary, "chapter": source, "functions": {"nasty": entry, "scipy_j1": other}}
    try:
        generated = texts(json.dumps(spec, ensure_ascii=False), "m.yaml")["m.py"]
    except SpecError:  # the loader refuses invisible characters
        assert "\u202e" in summary + source
        return
    names = {"__name__": "m", "__builtins__": __builtins__}
    exec(compile(generated, "m.py", "exec"), names)  # noqa: S102
    functions = {name for name, value in names.items() if inspect.isfunction(value) and value.__module__ == "m"}
    assert {"nasty", "_nasty_partials", "scipy_j1", "_scipy_j1_partials"} <= functions
    assert {n for n in functions if not n.startswith("_")} == {"nasty", "scipy_j1"}
    assert "49" not in generated
    assert float(names["nasty"](1.0, 2.0)) == sc.jv(1.0, 2.0)


def test_a_function_that_would_hide_its_module_is_refused():
    entry = "family: {summary: s., host: numpy.log, args: {x: {derivative: {rule: 1/x}}}}"
    spec = f"module: family\ntitle: T\nfunctions:\n  {entry}"
    with pytest.raises(SpecError, match="would hide the module"):
        texts(spec, "family.yaml")


def test_functions_that_need_a_newer_scipy_are_absent_with_a_sentence(tmp_path, monkeypatch):
    spec = """\
module: future
title: Future
functions:
  old: {summary: s., host: numpy.log, args: {x: {derivative: {rule: 1/x}}}}
  new: {summary: s., since: "99.0", host: scipy.special.no_such, args: {x: {derivative: {unavailable: no}}}}
"""
    folder = tmp_path / "future_package"
    folder.mkdir()
    for name, source in texts(spec, "future.yaml").items():
        (folder / name).write_bytes(source.encode())
    monkeypatch.syspath_prepend(tmp_path)
    package = importlib.import_module("future_package")
    assert float(package.old(1.0)) == 0
    with pytest.raises(AttributeError, match=r"future_package.new needs SciPy >= 99.0; \d+\.\d+.* is installed"):
        package.new  # noqa: B018
    with pytest.raises(AttributeError, match="has no attribute 'other'"):
        package.other  # noqa: B018
