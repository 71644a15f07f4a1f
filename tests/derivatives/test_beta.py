"""Incomplete beta kernels against mpmath, closed forms and at the edges."""

import mpmath as mp
import numpy as np
import pytest
from distribution_reference import assert_close

from jaxscipy_ext.derivatives import beta
from jaxscipy_ext.hosts import beta as density

KERNELS = ["betainc_da", "betainc_db", "betaincc_da", "betaincc_db", "beta_pdf", "betainc_dxda", "betainc_dxdb"]


@pytest.mark.parametrize("name", KERNELS)
def test_against_mpmath(name: str) -> None:
    assert_close(name, getattr(beta, name), 3e-13)


def test_edges_of_the_shape_derivatives() -> None:
    a, b, x = np.array([[2, 3, 0], [2, 3, 1], [np.inf, 1, 0.3], [1, np.inf, 0.3], [1, 0, 0.3]]).T
    np.testing.assert_array_equal(beta.betainc_da(a, b, x), 0.0)
    outside = np.array(
        [[0, 0, 0.3], [-1, 1, 0.3], [1, 1, 1.1], [1, 1, -0.1], [np.inf, np.inf, 0.3], [np.nan, 1, 0.3]]
    ).T
    assert np.isnan(beta.betainc_da(*outside)).all()
    assert np.isnan(beta.betainc_db(*outside)).all()


def test_limit_of_zero_shape() -> None:
    # a -> 0+: -int_x^1 (1-t)^(b-1)/t dt
    mp.mp.dps = 30
    want = -mp.quad(lambda t: (1 - t) ** mp.mpf(1.5) / t, [mp.mpf(0.3), 1])
    assert abs(beta.betainc_da(0, 2.5, 0.3) / want - 1) < 1e-13
    assert abs(beta.betainc_db(2.5, 0, 0.7) / -want - 1) < 1e-13


def test_density_in_a_shape_that_is_zero() -> None:
    # 1/B(a, b) is a to first order: x^(-1) y^(b-1) and its derivatives in x and y; 0 in the other shape
    a, b, x, y, i, j = np.array([[0, 2.5, 0.6, 0.4, 0, 0], [0, 2.5, 0.6, 0.4, 1, 1]]).T
    want = [0.4**1.5 / 0.6, -1.5 * 0.4**0.5 / 0.6**2]
    np.testing.assert_allclose(density.beta_density_da(a, b, x, y, i, j), want, rtol=1e-14)
    np.testing.assert_allclose(density.beta_density_db(b, a, y, x, j, i), want, rtol=1e-14)
    np.testing.assert_array_equal(density.beta_density_db(a, b, x, y, i, j), 0.0)


def test_density_at_the_edges() -> None:
    np.testing.assert_array_equal(beta.beta_pdf([0.5, 1, 2], 3.0, 0), [np.inf, 3, 0])
    np.testing.assert_array_equal(beta.beta_pdf(3.0, [0.5, 1, 2], 1), [np.inf, 3, 0])


@pytest.mark.parametrize("b", [0.003, 0.01, 0.4, 2.0, 30.0])
def test_inverse_keeps_its_digits_next_to_one(b: float) -> None:
    # a = 1: 1 - x = (1-y)^(1/b); SciPy 1.15 returns it to 1.3e-13 at b = 0.003, 1.17 to 1e-15
    mp.mp.dps = 30
    y, rest = 0.5, mp.mpf(0.5) ** (1 / mp.mpf(b))
    assert abs(beta.betaincinv_db(1, b, y) / (rest * mp.log(1 - y) / mp.mpf(b) ** 2) - 1) < 5e-13
    assert abs(beta.betaincinv_dy(1, b, y) / (rest / (1 - y) / mp.mpf(b)) - 1) < 5e-13


def test_inverse_in_the_first_shape() -> None:
    # b = 1: x = y^(1/a)
    a, y = np.array([0.02, 0.5, 3.0, 100.0]), np.array([0.9, 1e-3, 1e-300, 0.5])
    x = y ** (1 / a)
    np.testing.assert_allclose(beta.betaincinv_da(a, 1.0, y), -x * np.log(y) / a**2, rtol=1e-12)


def test_binomial_inverses_from_the_slopes() -> None:
    # bdtr(k, n, p) = I_{1-p}(n-k, k+1): slopes along the cdf, by a difference of mpmath's roots
    k, n, p = 2.3, 9.0, 0.4
    s_a, s_b = beta.betainc_dxda(k + 1, n - k, p), beta.betainc_dxdb(k + 1, n - k, p)
    mp.mp.dps = 40

    def cdf(k: float, n: float, p: float) -> mp.mpf:
        return mp.betainc(n - k, k + 1, 0, 1 - mp.mpf(p), regularized=True)

    level, h = cdf(k, n, p), mp.mpf("1e-15")
    dk_dp = (mp.findroot(lambda q: cdf(q, n, p + h) - level, k) - k) / h
    dk_dn = (mp.findroot(lambda q: cdf(q, n + h, p) - level, k) - k) / h
    assert abs(1 / (s_a - s_b) / dk_dp - 1) < 1e-12
    assert abs(-s_b / (s_a - s_b) / dk_dn - 1) < 1e-12
