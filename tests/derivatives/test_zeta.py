"""Zeta kernels against mpmath and at the edges."""

import numpy as np
import pytest
from distribution_reference import assert_close

from jaxscipy_ext.derivatives import zeta


@pytest.mark.parametrize("kind", [float, complex])
def test_riemann_against_mpmath(kind: type) -> None:
    assert_close("riemann_zeta_dx", zeta.riemann_zeta_dx, 3e-13, kind)


def test_hurwitz_against_mpmath() -> None:
    assert_close("hurwitz_zeta_dx", zeta.hurwitz_zeta_dx, 1e-13)


def test_edges() -> None:
    np.testing.assert_array_equal(zeta.zeta_dx([1.0, np.inf]), [-np.inf, 0])
    np.testing.assert_array_equal(zeta.zeta_dx([1.0, 2, 2, np.inf], [1, 0, np.inf, 2]), [-np.inf, np.inf, 0, 0])
    assert np.isnan(zeta.zeta_dx([0.5, 2, np.nan, -np.inf], [1, -1, 1, 1])).all()
    assert np.isnan(zeta.zeta_dx(np.array([1 + 0j, complex(2, 1e6), complex(np.nan, 1)]))).all()


def test_huge_exponents_do_not_overflow() -> None:
    assert zeta.zeta_dx(1e30, 1e5) == 0
    np.testing.assert_allclose(zeta.zeta_dx(500.0, 0.5), np.log(2) * 2.0**500, rtol=1e-12)


def test_known_values_and_consistency() -> None:
    assert abs(zeta.zeta_dx(0.0) + 0.5 * np.log(2 * np.pi)) < 3e-15  # DLMF 25.6.11
    x = np.array([-7.3, -2.0, 0.5, 3.0])
    np.testing.assert_array_equal(zeta.zetac_dx(x), zeta.zeta_dx(x))
    np.testing.assert_allclose(zeta.zeta_dx(x + 0j), zeta.zeta_dx(x), rtol=1e-13)
    np.testing.assert_allclose(zeta.zeta_dx(x[3:], 1.0), zeta.zeta_dx(x[3:]), rtol=1e-15)
