"""Struve, Wright, parabolic cylinder, Mathieu, spheroidal and ellipsoidal kernels at special points."""

from functools import partial
from typing import Any

import jax
import mpmath as mp
import numpy as np
import pytest
import scipy.special as sc

import jaxscipy_ext as jse
from jaxscipy_ext.derivatives import (
    besselpoly,
    ellipsoidal,
    mathieu,
    mathieu_modified,
    parabolic,
    spheroidal,
    struve,
    wright,
)
from jaxscipy_ext.hosts import spheroidal as radial_hosts


def test_struve_ends() -> None:
    v, inf = np.array([-2.5, -2, -1.5, -1.2, -1, -0.5, 0]), np.inf
    for kernel in (struve.struve_dv, struve.modstruve_dv):
        np.testing.assert_array_equal(kernel(v, 0.0), [-inf, inf, inf, -inf, -inf, 0, 0])
        np.testing.assert_array_equal(np.sign(kernel(v[:5], 1e-30)), np.sign(kernel(v[:5], 0.0)))
        assert np.isnan(kernel([0.0, 1.0, inf], [-1.0, -1.0, 1.0])).all()
    assert struve.struve_dv(0.5, inf) == 0


def test_struve_of_large_orders() -> None:
    """Where 1/Gamma(v + 3/2) underflows, or the power of x overflows, the derivative does neither."""
    v, x = [60.1, 200.0, 391.4, 223.0], [20.0, 45.7, 114.5, 519.0]
    for kernel, function in ((struve.struve_dv, mp.struveh), (struve.modstruve_dv, mp.struvel)):
        with mp.workdps(60):
            want = [float(mp.diff(lambda q, z=z, f=function: f(q, z), w, h=1e-20)) for w, z in zip(v, x, strict=True)]
        np.testing.assert_allclose(kernel(v, x), want, rtol=1e-12)


@pytest.mark.parametrize("x", [8.0, 16.0, 24.0, 60.0])
def test_modified_struve_where_its_derivative_is_exponentially_small(x: float) -> None:
    mp.mp.dps = 60
    for v in (0.0, 1e-10, 0.01):
        h = mp.mpf(10) ** -20
        want = (mp.struvel(v + h, x) - mp.struvel(v - h, x)) / (2 * h)
        assert abs(struve.modstruve_dv(v, x) / want - 1) < 1e-12


def test_wright_bessel_at_zero() -> None:
    np.testing.assert_array_equal(wright.wright_bessel_da(0.7, [0.0, 1.5], 0.0), 0)
    # d(1/Gamma(b))/db, 1 at b = 0
    want = [1.0, -sc.digamma(1.5) * sc.rgamma(1.5)]
    np.testing.assert_allclose(wright.wright_bessel_db(0.7, [0.0, 1.5], 0.0), want, rtol=1e-14)
    np.testing.assert_allclose(wright.log_wright_bessel_db(0.7, 1.5, 0.0), -sc.digamma(1.5), rtol=1e-14)


def test_wright_bessel_does_not_overflow_in_logarithm() -> None:
    # a = 0: the function is e^x/Gamma(b)
    np.testing.assert_allclose(wright.log_wright_bessel_db(0.0, 1.5, [1e3, 1e6]), -sc.digamma(1.5), rtol=1e-12)
    # a = 1: I_(b-1)(2 x^(1/2)) x^((1-b)/2); d ln/db ~ -ln(x)/2 - (b-1)/(2 x^(1/2)) ...
    got = wright.log_wright_bessel_db(1.0, 1.0, 1e6)
    assert abs(got + np.log(1e6) / 2) < 1e-12


def test_parabolic_cylinder_at_the_origin() -> None:
    mp.mp.dps = 30
    v = mp.mpf(1.25)
    want = mp.diff(lambda v: mp.sqrt(mp.pi) * 2 ** (v / 2) * mp.rgamma((1 - v) / 2), v)
    want_slope = mp.diff(lambda v: -mp.sqrt(mp.pi) * 2 ** ((v + 1) / 2) * mp.rgamma(-v / 2), v)
    got, slope = parabolic.pbdv_dv(1.25, 0.0)
    assert abs(got / want - 1) < 1e-14
    assert abs(slope / want_slope - 1) < 1e-14


def test_parabolic_cylinder_is_continuous_between_its_methods() -> None:
    edge = 2 * np.sqrt(2.5)
    for value, other in zip(
        parabolic.pbdv_dv(2.0, edge * (1 - 1e-15)), parabolic.pbdv_dv(2.0, edge * (1 + 1e-15)), strict=True
    ):
        np.testing.assert_allclose(value, other, rtol=1e-12)


def test_mathieu_at_zero_and_between_the_signs_of_q() -> None:
    np.testing.assert_allclose(mathieu.mathieu_a_dq([0, 1, 2, 3], 0.0), [0, 1, 0, 0], atol=1e-15)
    np.testing.assert_allclose(mathieu.mathieu_b_dq([1, 2, 3], 0.0), [-1, 0, 0], atol=1e-15)
    # DLMF 28.2.26-27: a_2n(-q) = a_2n(q), a_2n+1(-q) = b_2n+1(q)
    np.testing.assert_allclose(mathieu.mathieu_a_dq(2, -3.0), -mathieu.mathieu_a_dq(2, 3.0), rtol=1e-13)
    np.testing.assert_allclose(mathieu.mathieu_a_dq(3, -3.0), -mathieu.mathieu_b_dq(3, 3.0), rtol=1e-13)
    assert np.isnan(mathieu.mathieu_b_dq(0, 1.0))
    assert np.isnan(mathieu.mathieu_a_dq([0.5, -1], 1.0)).all()
    np.testing.assert_array_equal(mathieu.mathieu_sem_dq(0, 1.0, 20.0), 0)
    assert np.isnan(mathieu_modified.mathieu_modcem1_dq(2, [-1.0, 0.0], 0.5)).all()
    # an even and an odd function of x, in which differences must not find noise
    assert mathieu_modified.mathieu_modcem1_dq(2, 9.461, 0.0)[1] == 0
    assert mathieu_modified.mathieu_modsem1_dq(3, 9.461, 0.0)[0] == 0


def test_mathieu_signs_are_those_of_scipy() -> None:
    m, q, x, h = np.arange(1.0, 7)[:, None, None], np.array([-400.0, -20, -1, 1, 20, 400])[:, None], 77.0, 1e-4
    for host, kernel in ((sc.mathieu_cem, mathieu.mathieu_cem_dq), (sc.mathieu_sem, mathieu.mathieu_sem_dq)):
        want = (host(m, q + h, x)[0] - host(m, q - h, x)[0]) / (2 * h)
        np.testing.assert_allclose(kernel(m, q, x)[0], want, rtol=2e-5, atol=1e-7)


def test_spheroidal_at_zero() -> None:
    np.testing.assert_array_equal(spheroidal.pro_cv_dc(1, [1, 2, 3], 0.0), 0)
    np.testing.assert_array_equal(spheroidal.obl_ang1_dc(1, [1, 2, 3], 0.0, 0.4), 0)
    assert np.isnan(spheroidal.pro_cv_dc([2, 0.5], [1, 1], 1.0)).all()
    assert np.isnan(spheroidal.pro_ang1_dc(0, 1, 1.0, 1.5)).all()


def test_spheroidal_radial_functions() -> None:
    """Where the series of the second kind does not converge, and beside it; against a difference of another step."""
    for host, kernel, x in (
        (sc.pro_rad1, radial_hosts.pro_rad1_dc, np.array([1.00001, 1.5])),
        (sc.obl_rad1, radial_hosts.obl_rad1_dc, np.array([0.0, 0.5])),
        (sc.obl_rad2, radial_hosts.obl_rad2_dc, np.array([0.5])),
    ):
        h = 1e-3
        f = [np.array(host(1, 2, 1.2 + k * h, x)) for k in (-2, -1, 1, 2)]
        want = (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * h)
        np.testing.assert_allclose(kernel(1, 2, 1.2, x), want, rtol=1e-8)


def test_besselpoly_where_its_power_series_cancels() -> None:
    points = [(0.7, 1.5, 0.3), (2.0, 0.0, 4.0), (17.0, 3.0, 5.0), (74.0, 0.3, 2.5)]

    def integral(a: Any, lmb: Any, nu: Any) -> Any:
        top = lmb + nu + 1
        return a**nu / (mp.gamma(nu + 1) * top) * mp.hyper([top / 2], [nu + 1, top / 2 + 1], -a * a)

    for kernel, index in ((besselpoly.besselpoly_dlmb, (0, 1, 0)), (besselpoly.besselpoly_dnu, (0, 0, 1))):
        with mp.workdps(60):
            want = [float(mp.diff(integral, tuple(map(mp.mpf, point)), index)) for point in points]
        np.testing.assert_allclose(kernel(*np.transpose(points)), want, rtol=1e-10)


def test_ellipsoidal_harmonics_of_degree_one() -> None:
    # s, (s² - h²)^(1/2), (s² - k²)^(1/2) and their normalisation
    h2, k2, s = 5.0, 8.0, 3.5
    np.testing.assert_allclose(
        ellipsoidal.ellip_harm_dh2(h2, k2, 1, [1, 2, 3], s), [0, -0.5 / np.sqrt(s * s - h2), 0], rtol=1e-11, atol=1e-13
    )
    np.testing.assert_allclose(
        ellipsoidal.ellip_harm_dk2(h2, k2, 1, [1, 2, 3], s), [0, 0, -0.5 / np.sqrt(s * s - k2)], rtol=1e-11, atol=1e-13
    )
    assert ellipsoidal.ellip_harm_dk2(h2, k2, 2, 3, s) == 0  # s (s² - h²)^(1/2): noise would be differentiated again
    assert np.isnan(ellipsoidal.ellip_harm_dh2(8.0, 5.0, 1, 1, s))
    assert np.isnan(ellipsoidal.ellip_harm_dh2(5.0, 8.0, 1, 4, s))


def test_ellipsoidal_normalisation_and_second_kind() -> None:
    h2, k2 = 5.0, 8.0
    third = 4 * np.pi / 3
    np.testing.assert_allclose(ellipsoidal.ellip_normal_dh2(h2, k2, 1, 1), third * k2, rtol=1e-12)
    np.testing.assert_allclose(ellipsoidal.ellip_normal_dk2(h2, k2, 1, 2), third * h2, rtol=1e-12)
    mp.mp.dps = 20

    def second_kind(h2: mp.mpf, k2: mp.mpf) -> mp.mpf:
        return mp.quad(lambda t: 1 / mp.sqrt((t * t - h2) * (t * t - k2)), [4, 8, mp.inf])

    np.testing.assert_allclose(
        ellipsoidal.ellip_harm_2_dh2(h2, k2, 0, 1, 4.0), float(mp.diff(second_kind, (h2, k2), (1, 0))), rtol=1e-12
    )
    np.testing.assert_allclose(
        ellipsoidal.ellip_harm_2_dk2(h2, k2, 0, 1, 4.0), float(mp.diff(second_kind, (h2, k2), (0, 1))), rtol=1e-12
    )


def _lame(p: int, h2: Any, k2: Any, s: Any) -> Any:
    """Lamé functions of degree 2, in SciPy's numbering, with the leading coefficient 1 (DLMF 29.12)."""
    root = mp.sqrt(h2 * h2 - h2 * k2 + k2 * k2)
    match p:
        case 1 | 2:
            return s * s - (h2 + k2 + (root if p == 1 else -root)) / 3
        case 3:
            return s * mp.sqrt(s * s - h2)
        case 4:
            return s * mp.sqrt(s * s - k2)
    return mp.sqrt((s * s - h2) * (s * s - k2))


def _lame_of_the_second_kind(p: int, h2: Any, k2: Any, s: Any) -> Any:
    def integrand(t: Any) -> Any:
        return 1 / (_lame(p, h2, k2, t) ** 2 * mp.sqrt((t * t - h2) * (t * t - k2)))

    return 5 * _lame(p, h2, k2, s) * mp.quad(integrand, [s, 2 * s, mp.inf])


def _normalisation(p: int, h2: Any, k2: Any) -> Any:
    """8 ∫_0^h ∫_h^k (x² - y²) E(x)² E(y)² / sqrt((x² - h²)(k² - x²)(h² - y²)(k² - y²)) dx dy, without singular ends."""

    def moment(power: int, inner: bool) -> Any:
        def integrand(angle: Any) -> Any:
            c, s = mp.cos(angle) ** 2, mp.sin(angle) ** 2
            square = h2 * s if inner else h2 * c + k2 * s
            return (
                square**power * abs(_lame(p, h2, k2, mp.sqrt(square))) ** 2 / mp.sqrt(k2 - square if inner else square)
            )

        return mp.quad(integrand, [0, mp.pi / 4, mp.pi / 2])

    return 8 * (moment(1, False) * moment(0, True) - moment(0, False) * moment(1, True))


@pytest.mark.filterwarnings("ignore:The occurrence of roundoff error:")
def test_ellipsoidal_harmonics_of_degree_two() -> None:
    point, numbers = (mp.mpf(5), mp.mpf(8), mp.mpf("3.5")), [1, 4]
    h2, k2, s = map(float, point)
    slopes = jax.jit(jax.vmap(jax.grad(jse.ellip_harm_2, (0, 1, 4)), (None, None, None, 0, None)))
    norms = jax.jit(jax.vmap(jax.grad(jse.ellip_normal, (0, 1)), (None, None, None, 0)))
    for got, meaning, count in (
        (slopes(h2, k2, 2, np.array(numbers), s), _lame_of_the_second_kind, 3),
        (norms(h2, k2, 2, np.array(numbers)), _normalisation, 2),
    ):
        for k, values in enumerate(got):
            index = tuple(int(i == k) for i in range(count))
            with mp.workdps(25):
                want = [float(mp.diff(partial(meaning, p), point[:count], index)) for p in numbers]
            # the slope in s contains SciPy's value
            np.testing.assert_allclose(np.asarray(values), want, rtol=1e-8 if k == 2 else 1e-11)
