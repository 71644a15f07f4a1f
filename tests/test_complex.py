"""Complex arguments: what JAX's transformations say of functions that are holomorphic, and of those that are not.

`jve`, `yve`, `ive` and the Bi part of `airye` are scaled by a modulus, so they have no complex derivative. Their
differential is linear over the reals: `jax.jvp` gives it in every direction, `jax.grad` of a real loss gives
d/dx - i d/dy as everywhere in JAX, and `holomorphic=True`, the caller's promise, gives the gradient of the real
part. Derivatives in complex directions are mpmath's, of t -> f(z + t d) for real t.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import jaxscipy_ext as jse

V = 1.3


def _zeta(z: Any) -> Any:
    return mp.mpf(2) / 3 * z * mp.sqrt(z)


NOT_HOLOMORPHIC: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "jve": (lambda z: jse.jve(V, z), lambda z: mp.exp(-abs(z.imag)) * mp.besselj(V, z)),
    "yve": (lambda z: jse.yve(V, z), lambda z: mp.exp(-abs(z.imag)) * mp.bessely(V, z)),
    "ive": (lambda z: jse.ive(V, z), lambda z: mp.exp(-abs(z.real)) * mp.besseli(V, z)),
    "airye.ebi": (lambda z: jse.airye(z).ebi, lambda z: mp.exp(-abs(_zeta(z).real)) * mp.airybi(z)),
    "airye.ebip": (lambda z: jse.airye(z).ebip, lambda z: mp.exp(-abs(_zeta(z).real)) * mp.airybi(z, derivative=1)),
}
HOLOMORPHIC: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "kve": (lambda z: jse.kve(V, z), lambda z: mp.exp(z) * mp.besselk(V, z)),
    "hankel1e": (lambda z: jse.hankel1e(V, z), lambda z: mp.exp(-1j * z) * mp.hankel1(V, z)),
    "hankel2e": (lambda z: jse.hankel2e(V, z), lambda z: mp.exp(1j * z) * mp.hankel2(V, z)),
    "airye.eai": (lambda z: jse.airye(z).eai, lambda z: mp.exp(_zeta(z)) * mp.airyai(z)),
    "airye.eaip": (lambda z: jse.airye(z).eaip, lambda z: mp.exp(_zeta(z)) * mp.airyai(z, derivative=1)),
    "wofz": (jse.wofz, lambda z: mp.exp(-z * z) * mp.erfc(-1j * z)),
    "lambertw": (jse.lambertw, mp.lambertw),
}
POINTS = [1.2 + 0.7j, 0.4 - 2.5j, -1.1 + 1.9j, -3.0 - 0.3j, 14.0 + 2.0j, 2.0 - 16.0j]
DIRECTIONS = [1.0 + 0j, 1j, 0.6 - 0.8j]


def directional(f: Callable[[Any], Any], z: complex, d: complex, order: int) -> complex:
    with mp.workdps(50):
        return complex(mp.diff(lambda t: f(mp.mpmathify(z) + t * mp.mpmathify(d)), 0, order))


def along(f: Callable[[Any], Any], d: complex) -> Callable[[Any], Any]:
    return lambda z: jax.jvp(f, (z,), (jnp.full_like(z, d),))[1]


@pytest.mark.parametrize("name", NOT_HOLOMORPHIC | HOLOMORPHIC)
def test_derivatives_along_directions(name: str) -> None:
    f, exact = (NOT_HOLOMORPHIC | HOLOMORPHIC)[name]
    z = jnp.asarray(POINTS)
    for d in DIRECTIONS:
        first, second = jax.jit(along(f, d))(z), jax.jit(along(along(f, d), d))(z)
        for order, got in ((1, first), (2, second)):
            want = [directional(exact, point, d, order) for point in POINTS]
            assert_allclose(got, want, rtol=1e-9, err_msg=f"order {order} along {d}")


@pytest.mark.parametrize("name", NOT_HOLOMORPHIC | HOLOMORPHIC)
def test_the_gradient_of_a_real_loss(name: str) -> None:
    """JAX's convention: d/dx - i d/dy, which is what descends."""
    f, exact = (NOT_HOLOMORPHIC | HOLOMORPHIC)[name]
    z = POINTS[0]
    value, (along_x, along_y) = complex(exact(mp.mpmathify(z))), (directional(exact, z, d, 1) for d in (1, 1j))
    loss = jax.grad(lambda z: jnp.abs(f(z)) ** 2)(jnp.asarray(z))
    want = 2 * (np.conj(value) * along_x).real - 2j * (np.conj(value) * along_y).real
    assert_allclose(loss, want, rtol=1e-9)


@pytest.mark.parametrize("name", NOT_HOLOMORPHIC)
def test_holomorphic_true_is_a_promise_that_these_do_not_keep(name: str) -> None:
    f, exact = NOT_HOLOMORPHIC[name]
    z = POINTS[0]
    along_x, along_y = (directional(exact, z, d, 1) for d in (1, 1j))
    assert abs(along_y - 1j * along_x) > 1e-3 * abs(along_x), "Cauchy and Riemann would be content"
    assert_allclose(jax.grad(f, holomorphic=True)(jnp.asarray(z)), along_x.real - 1j * along_y.real, rtol=1e-9)


@pytest.mark.parametrize("name", HOLOMORPHIC)
def test_holomorphic_gradients_are_complex_derivatives(name: str) -> None:
    f, exact = HOLOMORPHIC[name]
    for z in POINTS[:3]:
        assert_allclose(jax.grad(f, holomorphic=True)(jnp.asarray(z)), directional(exact, z, 1, 1), rtol=1e-9)


def test_on_the_kink_the_mean_of_both_sides() -> None:
    """On the line where the scaling's modulus has its kink: 0 is taken for its slope."""
    z = jnp.asarray(2.0 + 0j)
    assert_allclose(along(lambda z: jse.jve(V, z), 1j)(z), along(lambda z: jse.jv(V, z), 1j)(z), rtol=1e-12)
    z = jnp.asarray(2.0j)
    assert_allclose(along(lambda z: jse.ive(V, z), 1.0)(z), along(lambda z: jse.iv(V, z), 1.0)(z), rtol=1e-12)


def test_without_the_promise_a_complex_result_has_no_gradient() -> None:
    with pytest.raises(TypeError, match="holomorphic"):
        jax.grad(lambda z: jse.ive(V, z))(jnp.asarray(1 + 1j))


@pytest.mark.parametrize("transform", [jax.jacfwd, jax.jacrev])
def test_complex_results_of_real_arguments(transform: Any) -> None:
    """Tangents are real then, in forward and reverse mode alike."""
    x = 1.7
    with mp.workdps(30):
        want = complex(mp.diff(lambda x: mp.hankel1(V, x), x))
    real = transform(lambda x: jse.hankel1(V, x).real)(x)
    imag = transform(lambda x: jse.hankel1(V, x).imag)(x)
    assert_allclose([real, imag], [want.real, want.imag], rtol=1e-12)
