"""Order derivatives of the Bessel functions at special points."""

import mpmath as mp
import numpy as np
import pytest
import scipy.special as sc

from jaxscipy_ext.derivatives import bessel, bessel_related

Z = np.array([1e-200, 1e-9, 1e-6, 0.3, 1.0, 2.5, 7.0, 30.0, 400.0])


def test_order_zero() -> None:
    # DLMF 10.15.5, 10.38.6
    np.testing.assert_allclose(bessel.jv_dv(0, Z), np.pi / 2 * sc.y0(Z), rtol=3e-13)
    np.testing.assert_allclose(bessel.yv_dv(0, Z), -np.pi / 2 * sc.j0(Z), rtol=3e-13)
    np.testing.assert_allclose(bessel.iv_dv(0, Z), -sc.k0(Z), rtol=3e-13)
    np.testing.assert_array_equal(bessel.kv_dv(0, Z), 0)


def test_a_tail_underflows_to_zero() -> None:
    # dI/dv = -K_0 at v = 0, where I_0 itself overflows
    assert bessel.iv_dv(0, 800.0) == 0
    assert bessel.jv_dv(300.0, 1e-3) == 0
    assert bessel.kv_dv(300.0, 1e-3) == np.inf
    assert bessel.yv_dv(-200.3, 1e-6) == np.inf or bessel.yv_dv(-200.3, 1e-6) == -np.inf


def test_origin() -> None:
    v = np.array([-2, -1.5, -1, -0.5, 0, 0.5, 3])
    inf = np.inf
    np.testing.assert_array_equal(bessel.jv_dv(v, 0), [-inf, inf, inf, -inf, -inf, 0, 0])
    np.testing.assert_array_equal(bessel.iv_dv(v, 0), [-inf, inf, inf, -inf, -inf, 0, 0])
    np.testing.assert_array_equal(bessel.yv_dv(v, 0), [inf, inf, -inf, -inf, -np.pi / 2, -inf, -inf])
    np.testing.assert_array_equal(bessel.kv_dv(v, 0), [-inf, -inf, -inf, -inf, 0, inf, inf])
    for name in ("jv_dv", "yv_dv", "iv_dv", "kv_dv"):
        kernel = getattr(bessel, name)
        signs = np.sign(kernel(v, 1e-30))
        at_zero = kernel(v, 0.0)
        np.testing.assert_array_equal(signs[np.isinf(at_zero)], np.sign(at_zero[np.isinf(at_zero)]))


def test_infinity_and_outside() -> None:
    assert bessel.jv_dv(1.5, np.inf) == bessel.yv_dv(1.5, np.inf) == bessel.kv_dv(1.5, np.inf) == 0
    np.testing.assert_array_equal(bessel.iv_dv([-1, 0, 1], np.inf), [np.inf, 0, -np.inf])
    assert bessel.ive_dv(1.5, np.inf) == 0
    for name in ("jv_dv", "yv_dv", "iv_dv", "kv_dv", "jve_dv", "yve_dv", "ive_dv", "kve_dv"):
        assert np.isnan(getattr(bessel, name)([1.0, 1.5, np.inf], [-2.0, -2.0, 1.0])).all()


@pytest.mark.parametrize("name", ["jv_dv", "yv_dv", "iv_dv", "ive_dv", "kv_dv", "kve_dv"])
def test_complex_type_on_the_real_axis(name: str) -> None:
    v, z = np.meshgrid([-1.5, 0, 0.3, 4], [0.2, 3.0, 60.0])
    kernel = getattr(bessel, name)
    np.testing.assert_array_equal(kernel(v, z + 0j), kernel(v, z))


def test_negative_axis_is_the_upper_side_of_the_cut() -> None:
    mp.mp.dps = 40
    for f, kernel in ((mp.besselj, bessel.jv_dv), (mp.besseli, bessel.iv_dv), (mp.besselk, bessel.kv_dv)):
        want = complex(mp.diff(lambda v, f=f: f(v, mp.mpc(-2)), mp.mpf(0.75)))
        assert abs(kernel(0.75, -2 + 0j) - want) < 1e-12 * abs(want)


def test_small_orders_at_complex_arguments() -> None:
    # both derivatives are of the size of v, or exponentially small
    mp.mp.dps = 60
    for v in (0.0, 1e-9, -1e-4, 0.03):
        for z in (20 + 3j, 2 - 1j):
            h = mp.mpf(10) ** -20
            for f, kernel in ((mp.besseli, bessel.iv_dv), (mp.besselk, bessel.kv_dv)):
                want = complex((f(mp.mpf(v) + h, z) - f(mp.mpf(v) - h, z)) / (2 * h))
                assert abs(kernel(v, z) - want) <= 1e-11 * abs(want)


def test_hankel_functions_are_combinations() -> None:
    v, z = np.array([-1.5, 0, 0.3, 40]), np.array([0.2, 3.0, 60.0, 20.0])
    both = bessel.jv_dv(v, z), bessel.yv_dv(v, z)
    np.testing.assert_array_equal(bessel.hankel1_dv(v, z), both[0] + 1j * both[1])
    np.testing.assert_array_equal(bessel.hankel2_dv(v, z), both[0] - 1j * both[1])
    np.testing.assert_allclose(bessel.hankel1e_dv(v, z), (both[0] + 1j * both[1]) * np.exp(-1j * z), rtol=1e-14)
    np.testing.assert_allclose(bessel.hankel2e_dv(v, z), (both[0] - 1j * both[1]) * np.exp(1j * z), rtol=1e-14)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_derivatives_of_z_derivatives(n: int) -> None:
    mp.mp.dps = 40
    for name, f in (("jvp", mp.besselj), ("yvp", mp.bessely), ("ivp", mp.besseli), ("kvp", mp.besselk)):
        want = float(mp.diff(f, (mp.mpf(0.75), mp.mpf(2)), (1, n)))
        assert abs(getattr(bessel_related, f"{name}_dv")(0.75, 2.0, n) / want - 1) < 1e-12
    for name, f in (("h1vp", mp.hankel1), ("h2vp", mp.hankel2)):
        want = complex(mp.diff(f, (mp.mpf(0.75), mp.mpf(2)), (1, n)))
        assert abs(getattr(bessel_related, f"{name}_dv")(0.75, 2.0, n) / want - 1) < 1e-12


@pytest.mark.parametrize("z", [8e-4, 1.0, 300.0, -0.5 + 0.3j])
def test_derivative_of_k_beside_order_zero(z: complex) -> None:
    """Odd in the order, so that its terms nearly cancel."""
    with mp.workdps(60):
        want = complex(mp.diff(lambda v: -(mp.besselk(v - 1, z) + mp.besselk(v + 1, z)) / 2, mp.mpf(1e-8)))
    np.testing.assert_allclose(bessel_related.kvp_dv(1e-8, z, 1), want, rtol=1e-11)


def test_order_of_differentiation_is_checked() -> None:
    with pytest.raises(ValueError, match="integer >= 0, not -1"):
        bessel_related.jvp_dv(1, 2.0, -1)


def test_lmbda() -> None:
    mp.mp.dps = 40

    def lmbda(v: mp.mpf, x: mp.mpf) -> mp.mpf:
        return mp.gamma(v + 1) * (2 / x) ** v * mp.besselj(v, x)

    orders = [mp.mpf(0.5), mp.mpf(1.5)]
    got = bessel_related.lmbda_dv(1.5, 2.0)
    np.testing.assert_allclose(got[0], [float(mp.diff(lmbda, (v, 2), (1, 0))) for v in orders], rtol=1e-13)
    np.testing.assert_allclose(got[1], [float(mp.diff(lmbda, (v, 2), (1, 1))) for v in orders], rtol=1e-13)
