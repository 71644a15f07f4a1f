"""Parameter derivatives of the hypergeometric functions at special points."""

import mpmath as mp
import numpy as np
import scipy.special as sc

from jaxscipy_ext.derivatives import hypergeometric as hyper


def test_origin_and_poles() -> None:
    for kernel in (hyper.hyp1f1_da, hyper.hyp1f1_db):
        assert kernel(1.5, 0.7, 0.0) == 0
        assert np.isnan(kernel(1.5, [0.0, -1.0, -7.0], 0.3)).all()
    for kernel in (hyper.hyp2f1_da, hyper.hyp2f1_db, hyper.hyp2f1_dc):
        assert kernel(1.5, 0.7, 0.6, 0.0) == 0
        assert np.isnan(kernel(1.5, 0.7, [0.0, -1.0, -7.0], 0.3)).all()
    assert hyper.hyp0f1_dv(0.7, 0.0) == 0
    assert np.isnan(hyper.hyp0f1_dv([0.0, -1.0], 0.3)).all()


def test_confluent_derivative_at_a_polynomial_is_none() -> None:
    # dM/da at a = 0: sum_k>0 x^k / (k (b)_k) grows like e^x
    x, b = 30.0, 1.5
    want = mp.nsum(lambda k: mp.mpf(x) ** k / (k * mp.rf(b, k)), [1, mp.inf])
    assert abs(hyper.hyp1f1_da(0, b, x) / want - 1) < 1e-13
    np.testing.assert_array_equal(hyper.hyp1f1_db(0, b, [x, -x, 1e4]), 0)


def test_confluent_overflow_keeps_its_sign() -> None:
    np.testing.assert_array_equal(hyper.hyp1f1_da(0.7, 1.5, [800.0, 1e5]), np.inf)
    np.testing.assert_array_equal(hyper.hyp1f1_db(0.7, 1.5, [800.0, 1e5]), -np.inf)


def test_gauss_at_one() -> None:
    # Gauss's sum, DLMF 15.4.20, differentiated
    a, b, c = 0.3, 0.7, 2.6
    f = sc.gamma(c) * sc.gamma(c - a - b) / (sc.gamma(c - a) * sc.gamma(c - b))
    psi = sc.digamma
    np.testing.assert_allclose(hyper.hyp2f1_da(a, b, c, 1.0), f * (psi(c - a) - psi(c - a - b)), rtol=1e-13)
    np.testing.assert_allclose(hyper.hyp2f1_db(a, b, c, 1.0), f * (psi(c - b) - psi(c - a - b)), rtol=1e-13)
    want = f * (psi(c) + psi(c - a - b) - psi(c - a) - psi(c - b))
    np.testing.assert_allclose(hyper.hyp2f1_dc(a, b, c, 1.0), want, rtol=1e-13)


def test_gauss_is_infinite_at_one_with_the_sign_of_its_neighbourhood() -> None:
    for parameters in ((1.3, 0.7, 1.6), (1.3, 0.7, 2.0), (-1.3, 2.7, 0.6), (-2.0, 3.0, 1.0), (0.4, 0.6, 1.0)):
        for kernel in (hyper.hyp2f1_da, hyper.hyp2f1_db, hyper.hyp2f1_dc):
            near, at = kernel(*parameters, 1 - 1e-14), kernel(*parameters, 1.0)
            assert (np.isinf(at) and np.sign(at) == np.sign(near)) or abs(at / near - 1) < 1e-6


def test_gauss_beyond_one() -> None:
    assert np.isnan(hyper.hyp2f1_da(0.5, 0.7, 1.3, 1.5))
    assert np.isnan(hyper.hyp2f1_da(-2.0, 0.7, 1.3, 1.5))  # leaves the polynomials
    # dF/db of 1 - 2bz/c + b(b+1)z²/(c(c+1))
    b, c, z = 0.7, 1.3, 1.5
    want = -2 * z / c + (2 * b + 1) * z * z / (c * (c + 1))
    np.testing.assert_allclose(hyper.hyp2f1_db(-2.0, b, c, z), want, rtol=1e-13)


def test_complex_type_on_the_real_axis() -> None:
    np.testing.assert_allclose(
        hyper.hyp1f1_da(0.7, 1.3, [2 + 0j, -9, 80]), hyper.hyp1f1_da(0.7, 1.3, [2, -9, 80]), 1e-13
    )
    z = np.array([0.3, 0.95, -0.7, -40])
    np.testing.assert_allclose(hyper.hyp2f1_dc(0.7, 1.3, 0.4, z + 0j), hyper.hyp2f1_dc(0.7, 1.3, 0.4, z), 1e-13)


def test_tricomi_for_large_b_and_small_x() -> None:
    # U(-3 - e, b, x): a region where the recurrence in a alone has no digit left
    mp.mp.dps = 80
    h = mp.mpf(10) ** -20
    for a, b, x in ((-3.5, 15.0, 0.2), (-11.3, 18.0, 1.5), (-0.5, 12.0, 3.0)):
        for k, kernel in enumerate((hyper.hyperu_da, hyper.hyperu_db)):
            step = [h * (k == 0), h * (k == 1)]
            above, below = mp.hyperu(a + step[0], b + step[1], x), mp.hyperu(a - step[0], b - step[1], x)
            assert abs(kernel(a, b, x) / ((above - below) / (2 * h)) - 1) < 1e-11


def test_tricomi_at_its_ends() -> None:
    np.testing.assert_allclose(hyper.hyperu_db(-2.0, 3.0, 0.0), 7.0, rtol=1e-14)  # d/db b(b+1)
    np.testing.assert_array_equal(hyper.hyperu_da([-2.0, 0.5], [3.0, 2.0], 0.0), np.inf)
    np.testing.assert_allclose(hyper.hyperu_da(1.5, 0.3, 0.0), hyper.hyperu_da(1.5, 0.3, 1e-12), rtol=1e-8)
    np.testing.assert_allclose(hyper.hyperu_db(1.5, 0.3, 0.0), hyper.hyperu_db(1.5, 0.3, 1e-15), rtol=1e-8)
    assert hyper.hyperu_da(1.5, 2.0, np.inf) == 0
    assert np.isnan(hyper.hyperu_da(1.5, 2.0, -1.0))


def test_parameters_out_of_reach_give_nan_at_once() -> None:
    assert np.isnan(hyper.hyp1f1_da(1e200, 1.0, 2.0))
    assert np.isnan(hyper.hyp2f1_da(-1e12, 1.0, 2.0, 0.5))
