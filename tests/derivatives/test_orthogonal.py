"""Degree and shape derivatives of the orthogonal polynomials at special points."""

import numpy as np
import scipy.special as sc

from jaxscipy_ext.derivatives import jacobi, laguerre, legendre


def test_shape_derivatives_of_a_constant_vanish() -> None:
    for kernel in (jacobi.eval_jacobi_dalpha, jacobi.eval_jacobi_dbeta):
        np.testing.assert_array_equal(kernel(0, 0.3, 1.2, [-0.4, 0.9, 3.0]), 0)
    np.testing.assert_array_equal(jacobi.eval_gegenbauer_dalpha(0, [0.0, 0.7], 0.3), 0)
    np.testing.assert_array_equal(laguerre.eval_genlaguerre_dalpha(0, 0.7, 0.3), 0)


def test_low_degrees() -> None:
    # P_1 = (alpha + 1) + (alpha + beta + 2)(x - 1)/2, L_1 = alpha + 1 - x, C_1 = 2 alpha x
    x = np.array([-3.0, -0.5, 0.2, 1.0, 2.0])
    np.testing.assert_allclose(jacobi.eval_jacobi_dalpha(1, 0.3, 1.2, x), (x + 1) / 2, rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(jacobi.eval_jacobi_dbeta(1, 0.3, 1.2, x), (x - 1) / 2, rtol=1e-14)
    np.testing.assert_allclose(laguerre.eval_genlaguerre_dalpha(1, 0.3, x), 1.0, rtol=1e-14)
    np.testing.assert_allclose(jacobi.eval_gegenbauer_dalpha(1, 0.3, x), 2 * x, rtol=1e-13)


def test_laguerre_identity_at_integer_degree() -> None:
    n, alpha, x = 7, 0.3, np.array([0.1, 3.0, 14.0])
    want = sum(sc.eval_genlaguerre(k, alpha, x) / (n - k) for k in range(n))
    np.testing.assert_allclose(laguerre.eval_genlaguerre_dalpha(n, alpha, x), want, rtol=1e-12)


def test_gegenbauer_at_alpha_zero() -> None:
    x = np.array([-0.9, 0.1, 0.7])
    np.testing.assert_allclose(jacobi.eval_gegenbauer_dalpha(5, 0.0, x), 2 / 5 * sc.eval_chebyt(5, x), rtol=1e-13)


def test_ends_of_the_interval() -> None:
    assert legendre.eval_legendre_dn(2.3, 1.0) == 0
    # logarithm at x = -1, of either sign
    for n in (2.0, 2.3, 3.0, 3.7):
        at, near = legendre.eval_legendre_dn(n, -1.0), legendre.eval_legendre_dn(n, -1 + 1e-12)
        assert np.isinf(at)
        assert np.sign(at) == np.sign(near)
        assert legendre.lpmv_dv(0, n, -1.0) == at
    assert np.isnan(legendre.eval_legendre_dn(2.3, -1.5))


def test_shifted_legendre() -> None:
    x = np.array([0.1, 0.6, 0.9])
    np.testing.assert_allclose(legendre.eval_sh_legendre_dn(2.3, x), legendre.eval_legendre_dn(2.3, 2 * x - 1), 1e-13)


def test_associated_legendre_conventions_are_those_of_scipy() -> None:
    v, h = 2.4, 1e-5
    for m in (-3, -2, -1, 0, 1, 2, 3):
        want = (sc.lpmv(m, v + h, 0.3) - sc.lpmv(m, v - h, 0.3)) / (2 * h)
        np.testing.assert_allclose(legendre.lpmv_dv(m, v, 0.3), want, rtol=1e-8)
    assert legendre.lpmv_dv(1, v, 1.0) == 0
    assert np.isnan(legendre.lpmv_dv([0.5, 1, 1], [v, v, np.nan], [0.3, 1.2, 0.3])).all()


def test_associated_laguerre_has_its_own_argument_order() -> None:
    assert laguerre.assoc_laguerre_dn(0.7, 2.3, 0.4) == laguerre.eval_genlaguerre_dn(2.3, 0.4, 0.7)
    assert laguerre.assoc_laguerre_dk(0.7, 2.3, 0.4) == laguerre.eval_genlaguerre_dalpha(2.3, 0.4, 0.7)
    assert laguerre.assoc_laguerre_dn(0.7, 2.3) == laguerre.eval_genlaguerre_dn(2.3, 0.0, 0.7)
