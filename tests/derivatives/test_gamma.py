"""Incomplete gamma kernels against mpmath, at the edges, and where the density under- or overflows."""

import numpy as np
import pytest
import scipy.special as sc
from distribution_reference import assert_close

from jaxscipy_ext.derivatives import gamma


@pytest.mark.parametrize("name", ["gammainc_da", "gammaincc_da", "gamma_pdf", "gammainc_dxda"])
def test_against_mpmath(name: str) -> None:
    assert_close(name, getattr(gamma, name), 3e-13)


def test_edges_of_the_shape_derivative() -> None:
    a = np.array([0, 0, 1, 1, np.inf, 0, -1, 1, np.nan])
    x = np.array([1, 0.3, 0, np.inf, 1, 0, 1, -1, 1])
    want = [-sc.exp1(1), -sc.exp1(0.3), 0, 0, 0, np.nan, np.nan, np.nan, np.nan]
    np.testing.assert_allclose(gamma.gammainc_da(a, x), want, rtol=4e-16)


def test_small_shapes_tend_to_the_limit() -> None:
    x = np.array([1e-300, 1e-5, 0.5, 0.6, 3.0, 700.0])
    np.testing.assert_allclose(gamma.gammainc_da(1e-200, x), -sc.exp1(x), rtol=1e-13)


def test_underflow_keeps_the_sign() -> None:
    values = gamma.gammainc_da([1e4, 1e4, 0.5], [1.0, 1e6, 1e4])
    assert (values == 0).all()
    assert np.signbit(values).all()


def test_density_at_the_edges() -> None:
    np.testing.assert_array_equal(gamma.gamma_pdf([0.5, 1, 2, 2, 0], [0, 0, 0, np.inf, 1]), [np.inf, 1, 0, 0, 0])


def test_slope_where_the_density_underflows() -> None:
    # x -> inf: dx/da ~ ln x - psi(a)
    x = 1e8
    assert gamma.gamma_pdf(3.0, x) == 0
    assert abs(gamma.gammainc_dxda(3.0, x) / (np.log(x) - sc.digamma(3.0)) - 1) < 1e-6
    np.testing.assert_array_equal(gamma.gammainc_dxda([2, 2, 0], [0, np.inf, 1]), [0, np.inf, np.inf])


def test_slope_at_large_shapes() -> None:
    # at x = a: 1 + 1/(6 a) + O(a^-3/2) relative to the deviation
    assert abs(gamma.gammainc_dxda(1e12, 1e12) - 1) < 1e-10


def test_chi_square_and_gamma_distribution() -> None:
    v, x = np.array([0.4, 3.0, 50.0]), np.array([0.1, 4.0, 70.0])
    half = 0.5 * gamma.gammainc_da(v / 2, x / 2)
    np.testing.assert_array_equal(gamma.chdtr_dv(v, x), half)
    np.testing.assert_array_equal(gamma.chdtrc_dv(v, x), -half)
    np.testing.assert_array_equal(gamma.gdtr_db(2.0, v, x), gamma.gammainc_da(v, 2 * x))
    np.testing.assert_array_equal(gamma.gdtrc_db(2.0, v, x), -gamma.gammainc_da(v, 2 * x))
