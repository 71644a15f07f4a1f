"""Complex polygamma, 1/Gamma and digamma differences against mpmath and closed forms."""

import numpy as np
import pytest
import scipy.special as sc
from distribution_reference import assert_close

from jaxscipy_ext.derivatives import polygamma


def test_polygamma_against_mpmath() -> None:
    assert_close("polygamma", polygamma.polygamma, 3e-14)


@pytest.mark.parametrize("kind", [float, complex])
def test_rgamma_against_mpmath(kind: type) -> None:
    assert_close("rgamma_dz", polygamma.rgamma_dz, 3e-14, kind)


def test_psi_difference_against_mpmath() -> None:
    assert_close("psi_difference", polygamma.psi_difference, 5e-15)


def test_real_polygamma_is_scipys_on_the_right_and_at_poles() -> None:
    n, x = np.arange(6)[:, None], np.array([0.5, 1.0, 3.7, 100.0])
    np.testing.assert_array_equal(polygamma.polygamma(n, x), sc.polygamma(n, x))
    np.testing.assert_array_equal(polygamma.polygamma([1, 2, 3], [0, -1, -7]), [np.inf, -np.inf, np.inf])


def test_far_left_is_fast_and_periodic() -> None:
    # psi'(x) + psi'(1 - x) = (pi/sin(pi x))^2; x = -1e9 - 1/4 is exact
    assert abs(polygamma.polygamma(1, -1e9 - 0.25) - (2 * np.pi**2 - 1e-9)) < 1e-12


def test_orders_that_are_none_are_nan() -> None:
    assert np.isnan(polygamma.polygamma([-1, 0.5, np.inf, np.nan], 2.0)).all()
    assert np.isnan(polygamma.polygamma(1, 0j))


def test_conjugate_symmetry_and_infinity() -> None:
    z = np.array([-3.3 + 2j, 0.2 + 0.1j, 5 + 80j])
    np.testing.assert_array_equal(polygamma.polygamma(4, z.conj()), polygamma.polygamma(4, z).conj())
    assert polygamma.polygamma(1, complex(np.inf, 0)) == 0


def test_rgamma_at_the_poles_of_gamma_is_exact() -> None:
    np.testing.assert_array_equal(polygamma.rgamma_dz(-np.arange(6.0)), [1, -1, 2, -6, 24, -120])
