"""F distribution kernels against mpmath and at the edges."""

import numpy as np
import pytest
from distribution_reference import assert_close

from jaxscipy_ext.derivatives import fisher

KERNELS = ["fdtr_ddfn", "fdtr_ddfd", "fdtrc_ddfn", "fdtrc_ddfd", "f_pdf", "fdtr_dxddfn", "fdtr_dxddfd"]


@pytest.mark.parametrize("name", KERNELS)
def test_against_mpmath(name: str) -> None:
    assert_close(name, getattr(fisher, name), 1e-12)


def test_edges() -> None:
    for kernel in (fisher.fdtr_ddfn, fisher.fdtr_ddfd):
        np.testing.assert_array_equal(kernel(3.0, 2.0, [0, np.inf]), 0.0)
        assert np.isnan(kernel([0, 1, 1, np.inf, 1], [1, -1, 1, 1, np.inf], [1, 1, -1, 1, 1])).all()
    np.testing.assert_array_equal(fisher.f_pdf([1, 2, 3], 4.0, 0), [np.inf, 1, 0])


def test_reciprocal_symmetry() -> None:
    m, n, x = np.array([0.3, 2.0, 55.0]), np.array([7.0, 0.6, 31.0]), np.array([2.0, 0.4, 1.25])
    np.testing.assert_allclose(fisher.fdtr_ddfd(m, n, x), -fisher.fdtr_ddfn(n, m, 1 / x), rtol=1e-13)


def test_extreme_arguments_do_not_overflow() -> None:
    assert fisher.f_pdf(5, 2, 1e300) == 0
    assert np.isfinite(fisher.fdtr_dxddfn(5, 2, [1e300, 1e-300])).all()
