"""Wide-step differences against closed forms and mpmath."""

import math
from typing import Any

import mpmath as mp
import numpy as np
import pytest
import scipy.special as sc
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from jaxscipy_ext.runtime import stencil


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_exponential(order: int) -> None:
    x = np.linspace(-20, 20, 41)
    assert_allclose(stencil(np.exp, 0, order)(x), np.exp(x), rtol=1e-12 * 10**order)


def test_powers_of_very_different_scales() -> None:
    x = np.logspace(-3, 6, 30)
    assert_allclose(stencil(np.log, 0, 1, lower=0.0)(x), 1 / x, rtol=1e-11)


@pytest.mark.parametrize(
    ("host", "reference"),
    [(sc.jv, mp.besselj), (sc.yv, mp.bessely), (sc.kve, lambda v, z: mp.besselk(v, z) * mp.exp(z))],
)
def test_orders_of_bessel_functions(host: np.ufunc, reference: object) -> None:
    rng = np.random.default_rng(1)
    v, z = rng.uniform(-6, 30, 25), 10 ** rng.uniform(-1, 2, 25)
    with mp.workdps(40):
        want = [float(mp.diff(reference, (mp.mpf(a), mp.mpf(b)), (1, 0))) for a, b in zip(v, z, strict=True)]
    assert_allclose(stencil(host, 0)(v, z), want, rtol=1e-9)


def test_whole_steps_do_not_overlook_what_vanishes_at_the_integers() -> None:
    # I_-n = I_n, but between the integers K is in I_v, 90 orders of magnitude larger here
    want = mp.diff(mp.besseli, (-20, mp.mpf(0.0625)), (1, 0))
    assert_allclose(stencil(sc.iv, 0)(-20.0, 0.0625), float(want), rtol=1e-11)


def test_complex_argument() -> None:
    z = np.array([1 + 2j, 5 - 1j, 0.3 + 8j])
    with mp.workdps(40):
        want = [complex(mp.diff(mp.besselj, (mp.mpf(1.5), mp.mpc(b)), (1, 0))) for b in z]
    assert_allclose(stencil(sc.jv, 0)(1.5, z), want, rtol=1e-11)


def test_mixed_derivatives_nest_and_shapes_broadcast() -> None:
    f = stencil(stencil(sc.poch, 0), 1)  # Gamma(z+m)/Gamma(z)
    z, m = np.array([[1.5], [2.5]]), np.array([0.5, 1.5, 2.5])
    psi = sc.psi
    want = sc.poch(z, m) * ((psi(z + m) - psi(z)) * psi(z + m) + sc.polygamma(1, z + m))
    assert_allclose(f(z, m), want, rtol=1e-10)


def test_empty_scalar_nan_and_unchanged_arguments() -> None:
    assert stencil(np.exp, 0)(np.zeros((0, 3))).shape == (0, 3)
    assert stencil(np.exp, 0)(1.0).shape == ()
    assert np.isnan(stencil(np.log, 0)(np.array(-1.0)))
    x = np.linspace(0.0, 1.0, 5)
    x.setflags(write=False)
    stencil(np.exp, 0)(x)
    assert stencil(np.exp, 0) is stencil(np.exp, 0)


def test_hosts_with_several_outputs() -> None:
    x = np.linspace(0.5, 4.0, 6).reshape(2, 3)
    slopes = stencil(sc.sici, 0)(x)
    assert isinstance(slopes, tuple)
    assert_allclose(slopes[0], np.sin(x) / x, rtol=1e-11)
    assert_allclose(slopes[1], np.cos(x) / x, rtol=1e-11)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_at_an_end_of_the_domain_and_just_above_it(order: int) -> None:
    """The host is NaN below 0, and log(1 + x) has its branch point at -1; a host that jumps at 0 has no derivative."""
    x = np.array([0.0, 1e-300, 1e-12, 1e-6, 1e-3, 0.05, 0.3])
    want = -math.factorial(order - 1) * (-1.0 / (1 + x)) ** order
    assert_allclose(stencil(_log1p_above_zero, 0, order, lower=0.0)(x), want, rtol=(1e-12, 1e-11, 1e-9)[order - 1])
    assert np.isnan(stencil(_log1p_above_zero, 0, order, lower=0.0)(-1e-12))
    assert np.isnan(stencil(np.sign, 0, order, lower=0.0)(0.0))


def _log1p_above_zero(x: NDArray[Any]) -> NDArray[Any]:
    return np.where(x < 0, np.nan, np.log1p(x))


def test_beside_a_pole() -> None:
    """Steps are short there; what they can't resolve is no number, though an even host looks smooth from both sides."""
    derivative = stencil(_even_about_minus_two, 0)
    distance = np.array([1.0, 1e-2, -1e-4, 1e-6, 1e-10])
    assert_allclose(derivative(-2.0 + distance), -2.0 / ((-2.0 + distance) + 2.0) ** 3, rtol=1e-8)
    assert np.isnan(derivative(-2.0 + 1e-15))


def _even_about_minus_two(x: NDArray[Any]) -> NDArray[Any]:
    return 1 / (x + 2) ** 2
