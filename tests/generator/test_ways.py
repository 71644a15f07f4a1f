"""Every way to a partial, and every kind of argument and host: a small spec of its own, generated, imported and run.

Expected values are closed forms or mpmath's.
"""

import importlib
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.special as sc
from jaxscipy_codegen import cli

HOSTS = '''\
"""Hosts of the specs below: NumPy and Python only."""

import math

import numpy as np

CALLS = []


def scaled(x, y):
    if np.shape(x) != np.shape(y):
        raise AssertionError("unequal shapes")
    return np.asarray(x) * np.exp(y)


def python_gamma(x):
    CALLS.append(x)
    assert type(x) is float
    return math.gamma(x)


def norm(v, p):
    return np.sqrt(np.sum(v * v, axis=-1)) * p


def power(x, *, n, root=False, kind="plain"):
    return x ** (1 / n if root else n) * {"plain": 1, "double": 2}[kind]


def power_dx(x, *, n, root=False, kind="plain"):
    return x ** (1 / n if root else n) * {"plain": 1, "double": 2}[kind] / x


def log_x(x, b):
    return np.log(x) / np.log(b)


def log_db(x, b):
    return -np.log(x) / (np.log(b) ** 2 * b)


def draw(x):
    CALLS.append(np.shape(x))
    return x + 1


def watch(x):
    CALLS.append(np.asarray(x).tolist())
'''


@pytest.fixture
def generated(tmp_path, monkeypatch, capsys):
    """Generates the functions of a spec and imports them."""
    empty = tmp_path / "shipped"
    empty.mkdir()
    monkeypatch.setattr("jaxscipy_codegen._resources.specs", lambda: empty)
    (tmp_path / "small_hosts.py").write_text(HOSTS)
    monkeypatch.syspath_prepend(tmp_path)

    def generate(functions: str):
        spec = tmp_path / "small.yaml"
        spec.write_text(f"module: small\ntitle: Small\nfunctions:\n{functions}")
        code = cli.main(["generate", str(spec), "--out", str(tmp_path / "small_package")])
        assert code == 0, capsys.readouterr().err
        return importlib.import_module("small_package")

    yield generate
    for name in [name for name in sys.modules if name.startswith(("small_package", "small_hosts"))]:
        del sys.modules[name]


def source(package) -> str:
    return (Path(package.__file__).parent / "small.py").read_text()


def test_derived(generated):
    small = generated("  f: {summary: f., host: scipy.special.erfcx, formula: exp(x**2)*erfc(x), args: {x: {}}}\n")
    expected = mpmath.diff(lambda x: mpmath.exp(x**2) * mpmath.erfc(x), 0.7, 2)
    assert np.isclose(jax.grad(jax.grad(small.f))(0.7), float(expected), rtol=1e-12)


def test_given(generated):
    small = generated("  f: {summary: f., host: scipy.special.expit, args: {x: {derivative: {rule: F*(1 - F)}}}}\n")
    assert np.isclose(jax.grad(small.f)(0.3), 0.25 / np.cosh(0.15) ** 2, rtol=1e-14)
    assert '"x": lambda out: out * (1 - out),' in source(small)


def test_given_for_complex_arguments(generated):
    small = generated(
        "  f: {summary: f., host: numpy.arctan, args: {z: {domain: complex, derivative: {rule: 1/(1 + z**2)}}}}\n"
    )
    z = 0.4 + 0.3j
    assert np.isclose(jax.grad(small.f, holomorphic=True)(z), 1 / (1 + z * z), rtol=1e-14)
    assert jax.grad(small.f)(jnp.float32(0.5)).dtype == jnp.float32


def test_given_for_a_function_that_is_not_holomorphic(generated):
    rule = "{rule: 0, real: real(z)/F, imag: imag(z)/F}"
    small = generated(
        f"  f: {{summary: f., host: numpy.abs, dtype: real, args: {{z: {{domain: complex, derivative: {rule}}}}},"
        " check: {z: [1, 3]}}\n"
    )
    _, tangent = jax.jvp(small.f, (3 + 4j,), (1 - 1j,))
    assert np.isclose(tangent, (3 - 4) / 5, rtol=1e-14)


def test_given_for_several_outputs(generated):
    small = generated(
        "  f: {summary: f., host: scipy.special.sici, outputs: {si: {}, ci: {}},\n"
        "      args: {x: {domain: x > 0, derivative: {rule: {si: sin(x)/x, ci: cos(x)/x}}}}}\n"
    )
    values, tangents = jax.jvp(small.f, (2.0,), (1.0,))
    assert values._fields == ("si", "ci")
    np.testing.assert_allclose(tangents, [np.sin(2) / 2, np.cos(2) / 2], rtol=1e-14)


def test_inverse(generated):
    small = generated(
        "  f: {summary: f., host: scipy.special.ndtr, args: {x: {derivative: {rule: exp(-x**2/2)/sqrt(2*pi)}}}}\n"
        "  g: {summary: g., host: scipy.special.ndtri, inverse: {of: f, in: x}, args: {p: {domain: 0 < p < 1}}}\n"
    )
    x = 0.8
    assert np.isclose(jax.grad(small.g)(sc.ndtr(x)), np.sqrt(2 * np.pi) * np.exp(x * x / 2), rtol=1e-13)


def test_ode(generated):
    small = generated(
        "  f: {summary: f., host: scipy.special.airy, outputs: {ai: {}, aip: {}, bi: {}, bip: {}},\n"
        "      args: {z: {domain: complex}}, ode: {in: z, pairs: {ai: aip, bi: bip}, second: z*w}}\n"
    )
    second = jax.grad(jax.grad(lambda z: small.f(z).bi))(1.3)
    assert np.isclose(second, 1.3 * float(mpmath.airybi(1.3)), rtol=1e-13)


def test_stencil(generated):
    small = generated(
        "  f: {summary: f., host: scipy.special.gammainc, check: {a: [0.5, 5], x: [0.5, 5]}, args: {\n"
        "      a: {domain: a > 0, derivative: {stencil: {lower: 0}, orders: 1}},\n"
        "      x: {domain: x > 0, derivative: {unavailable: not here}}}}\n"
    )
    expected = mpmath.diff(lambda a: mpmath.gammainc(a, 0, 1.5, regularized=True), 2.5)
    assert np.isclose(jax.grad(small.f)(2.5, 1.5), float(expected), rtol=1e-11)
    with pytest.raises(NotImplementedError, match="beyond the first derivative in a"):
        jax.grad(jax.grad(small.f))(2.5, 1.5)


def test_kernel(generated):
    small = generated(
        "  f: {summary: f., host: small_hosts.log_x, check: {x: [0.5, 5], b: [2, 5]}, args: {\n"
        "      x: {domain: x > 0, derivative: {rule: 1/(x*log(b))}},\n"
        "      b: {domain: b > 0, derivative: {kernel: small_hosts.log_db, orders: 2}}}}\n"
    )
    assert np.isclose(jax.grad(small.f, 1)(3.0, 2.0), -np.log(3) / (2 * np.log(2) ** 2), rtol=1e-14)
    second = mpmath.diff(lambda b: mpmath.log(3) / mpmath.log(b), 2, 2)
    assert np.isclose(jax.grad(jax.grad(small.f, 1), 1)(3.0, 2.0), float(second), rtol=1e-10)
    mixed = -1 / (3 * 2 * np.log(2) ** 2)
    assert np.isclose(jax.grad(jax.grad(small.f, 1), 0)(3.0, 2.0), mixed, rtol=1e-12)


def test_discrete(generated):
    small = generated(
        "  f: {summary: f., host: scipy.special.eval_legendre, args: {n: {domain: integer},\n"
        "      x: {derivative: {rule: 'n*(x*F - f(n - 1, x))/(x**2 - 1)'}}}, check: {n: [1, 5], x: [-0.9, 0.9]}}\n"
        "  g: {summary: g., host: numpy.floor, args: {x: {derivative: {discrete: true}}}, check: {x: [0.2, 0.8]}}\n"
    )
    assert jax.grad(small.g)(0.3) == 0
    assert np.isclose(jax.grad(small.f, 1)(2, 0.5), 1.5, rtol=1e-14)  # P_2 = (3x^2 - 1)/2
    _, tangent = jax.jvp(lambda n: small.f(n, 0.5), (2,), (np.zeros((), jax.dtypes.float0),))
    assert tangent == 0


def test_unavailable(generated):
    small = generated("  f: {summary: f., host: numpy.cbrt, args: {x: {derivative: {unavailable: nobody asked}}}}\n")
    with pytest.raises(NotImplementedError, match=r"f.*x.*nobody asked"):
        jax.jit(jax.grad(small.f))(1.0)


def test_near_a_removable_singularity(generated):
    small = generated(
        "  f: {summary: f., host: scipy.special.exprel, formula: (exp(x) - 1)/x, check: {x: [-1, 1]},\n"
        "      args: {x: {derivative: {rule: (exp(x) - F)/x, near: {x: 0, order: 10, radius: 0.2}}}}}\n"
    )
    grad = small.f
    for order in (1, 2, 3):
        grad = jax.grad(grad)
        assert np.isclose(grad(0.0), 1 / (order + 1), rtol=1e-14)  # sum of x^k/(k + 1)!
    assert np.isclose(jax.grad(small.f)(1.0), 1.0, rtol=1e-14)


def test_piecewise_with_safe_operands(generated):
    small = generated(
        "  f: {summary: f., host: scipy.special.xlogy, check: {x: [0, 2], y: [0.1, 2]},\n"
        "      args: {x: {derivative: {rule: 'Piecewise((log(y), y > 0), (0, True))'}},\n"
        "             y: {derivative: {rule: 'where(x == 0 and y == 0, 0, x/y)'}}}}\n"
    )
    assert jax.grad(jax.grad(small.f, 1), 1)(0.0, 0.0) == 0
    assert np.isclose(jax.grad(jax.grad(small.f, 1), 1)(1.0, 2.0), -1 / 4)
    assert np.isclose(jax.grad(small.f, 0)(1.0, 2.0), np.log(2))
    assert jax.grad(jax.grad(small.f, 0), 1)(1.0, -1.0) == 0


def test_conditions_on_flags(generated):
    small = generated(
        "  f: {summary: f., host: small_hosts.power, check: {x: [1, 3]}, args: {\n"
        "      x: {domain: x > 0, derivative: {rule: '2*where(root, F/(n*x), n*F/x)/2'}},\n"
        "      n: {static: true, domain: integer >= 1, default: 2},\n"
        "      root: {static: true, default: false}, kind: {static: true, choices: [plain, double], default: plain}}}\n"
    )
    assert small.f(3.0, 2) == 9
    assert np.isclose(jax.grad(small.f)(3.0, 3), 27, rtol=1e-14)
    assert np.isclose(jax.grad(lambda x: small.f(x, root=True))(4.0), 0.25, rtol=1e-14)
    assert "if root else" in source(small)
    assert "jnp.where" not in source(small)
    assert small.f(3.0, np.int64(2), kind="double") == 18
    with pytest.raises(ValueError, match="f: 'n' must be an integer >= 1, got 0"):
        jax.jit(small.f, static_argnums=1)(3.0, 0)
    with pytest.raises(TypeError, match=r"f: 'n' must be an integer >= 1, got 2\.5"):
        small.f(3.0, 2.5)
    with pytest.raises(TypeError, match="f: 'n' must be a Python value known while tracing"):
        jax.vmap(small.f)(jnp.ones(2), jnp.ones(2, int))
    with pytest.raises(ValueError, match="f: 'kind' must be 'plain' or 'double', got 'triple'"):
        small.f(3.0, 2, False, "triple")


def test_same_shape_hosts(generated):
    small = generated(
        "  f: {summary: f., host: small_hosts.scaled, batch: same-shape,\n"
        "      args: {x: {derivative: {rule: exp(y)}}, y: {derivative: {rule: F}}}}\n"
    )
    x, y = jnp.arange(3.0), jnp.arange(2.0)
    table = jax.vmap(jax.vmap(small.f, (None, 0)), (0, None))(x, y)
    np.testing.assert_allclose(table, np.arange(3)[:, None] * np.exp(np.arange(2)), rtol=1e-15)


def test_scalar_hosts(generated):
    small = generated(
        "  f: {summary: f., host: small_hosts.python_gamma, batch: scalar, vmap_method: sequential,\n"
        "      args: {x: {domain: x > 0, derivative: {unavailable: not here}}}}\n"
    )
    np.testing.assert_allclose(jax.vmap(small.f)(jnp.array([1.0, 4.0, 5.0])), [1, 6, 24], rtol=1e-14)
    np.testing.assert_allclose(jax.jit(small.f)(jnp.array([[3.0], [2.0]])), [[2], [1]], rtol=1e-14)


@pytest.mark.parametrize("method", ["expand_dims", "broadcast_all", "sequential", "sequential_unrolled"])
def test_vmap_methods(generated, method):
    small = generated(
        f"  f: {{summary: f., host: small_hosts.log_x, vmap_method: {method},\n"
        "      args: {x: {derivative: {unavailable: no}}, b: {derivative: {unavailable: no}}}}\n"
    )
    found = jax.vmap(small.f, (0, None))(jnp.array([2.0, 4.0]), jnp.array([2.0, 16.0]))
    np.testing.assert_allclose(found, [[1, 0.25], [2, 0.5]], rtol=1e-15)


def test_core_dimensions(generated):
    small = generated(
        '  f: {summary: f., host: small_hosts.norm, signature: "(n),()->()",\n'
        "      args: {v: {derivative: {unavailable: no}}, p: {derivative: {rule: F/p}}}}\n"
    )
    np.testing.assert_allclose(small.f(jnp.array([3.0, 4.0]), 2.0), 10)
    np.testing.assert_allclose(jax.vmap(small.f, (0, None))(jnp.array([[3.0, 4.0], [6.0, 8.0]]), 1.0), [5, 10])
    np.testing.assert_allclose(jax.grad(small.f, 1)(jnp.array([3.0, 4.0]), 2.0), 5)


def test_an_elementwise_partial_of_a_gufunc_is_refused(generated):
    entry = "  f: {{summary: f., host: numpy.vecdot, args: {{x1: {{derivative: {0}}}, x2: {{derivative: {0}}}}}}}\n"
    small = generated(entry.format("{unavailable: no}"))
    np.testing.assert_allclose(small.f(jnp.ones((2, 3)), jnp.ones(3)), [3, 3])
    with pytest.raises(AssertionError, match=r"numpy.vecdot mixes elements along core dimensions \(n\),\(n\)->\(\)"):
        generated(entry.format("{rule: x2}"))


def test_complex_results_and_defaults(generated):
    small = generated(
        "  f: {summary: f., host: scipy.special.lambertw, dtype: complex, check: {z: [1, 3], k: [0, 2]}, args: {\n"
        "      z: {domain: complex, dtype: complex, derivative: {rule: F/(z*(1 + F))}},\n"
        "      k: {domain: integer, default: 0}}}\n"
    )
    assert small.f(jnp.float32(1)).dtype == jnp.complex64
    w = complex(mpmath.lambertw(2, 1))
    assert np.isclose(jax.grad(lambda z: small.f(z, 1), holomorphic=True)(2 + 0j), w / (2 * (1 + w)), rtol=1e-13)


def test_since(generated):
    small = generated(
        '  f: {summary: f., since: "99.1", host: scipy.special.later, args: {x: {derivative: {unavailable: no}}}}\n'
        "  g: {summary: g., host: numpy.exp, args: {x: {derivative: {rule: F}}}}\n"
    )
    assert jax.grad(small.g)(0.0) == 1
    with pytest.raises(AttributeError, match=r"f needs SciPy >= 99\.1; .* is installed"):
        _ = small.f


def test_private_entries_and_aliases(generated):
    small = generated(
        "  f: {summary: f., host: numpy.sin, args: {x: {derivative: {rule: g(x)}}}}\n"
        "  g: {summary: g., host: numpy.cos, public: false, args: {x: {derivative: {rule: -f(x)}}}}\n"
        "  h: {alias: f}\n"
    )
    assert small.h is small.f
    assert not hasattr(small, "g")
    assert np.isclose(jax.grad(jax.grad(small.f))(0.5), -np.sin(0.5), rtol=1e-15)


def test_hosts_with_side_effects(generated):
    small = generated(
        "  f: {summary: f., host: small_hosts.draw, callback: io, ordered: true, args: {x: {}}}\n"
        "  g: {summary: g., host: small_hosts.watch, callback: debug, args: {x: {}}}\n"
    )
    calls = sys.modules["small_hosts"].CALLS
    calls.clear()
    assert jax.jit(lambda x: small.f(x) + small.f(x))(1.0) == 4
    assert calls == [(), ()]
    with pytest.raises(NotImplementedError, match="the host isn't pure"):
        jax.grad(small.f)(1.0)
    calls.clear()

    def watched(x):
        small.g(x)
        return x * x

    assert jax.grad(watched)(3.0) == 6
    jax.effects_barrier()
    assert calls == [3.0]
