"""Student's t kernels against mpmath and at the edges."""

import numpy as np
import pytest
from distribution_reference import assert_close

from jaxscipy_ext.derivatives import student


@pytest.mark.parametrize("name", ["stdtr_ddf", "t_pdf", "stdtr_dtddf"])
def test_against_mpmath(name: str) -> None:
    assert_close(name, getattr(student, name), 3e-13)


def test_parity() -> None:
    df, t = np.array([0.3, 2.0, 1e5]), np.array([1e-3, 1.7, 30.0])
    np.testing.assert_array_equal(student.stdtr_ddf(df, -t), -student.stdtr_ddf(df, t))
    np.testing.assert_array_equal(student.stdtr_dtddf(df, -t), -student.stdtr_dtddf(df, t))
    np.testing.assert_array_equal(student.t_pdf(df, -t), student.t_pdf(df, t))


def test_edges() -> None:
    np.testing.assert_array_equal(student.stdtr_ddf([1, 1, 1, np.inf], [0, np.inf, -np.inf, 1]), 0.0)
    np.testing.assert_array_equal(
        student.stdtr_dtddf([1, 1, 1, np.inf], [0, np.inf, -np.inf, 1]), [0, -np.inf, np.inf, 0]
    )
    assert np.isnan(student.stdtr_ddf([0, -1, np.nan, 2], [1, 1, 1, np.nan])).all()


def test_cauchy() -> None:
    t = np.array([0.0, 0.5, -3.0, 1e8])
    np.testing.assert_allclose(student.t_pdf(1, t), 1 / (np.pi * (1 + t * t)), rtol=1e-14)


def test_large_df_is_the_edgeworth_term() -> None:
    # dF/dv -> phi(t) (t^3 + t)/(4 v^2)
    t = np.array([0.1, 1.0, 3.0])
    want = np.exp(-t * t / 2) / np.sqrt(2 * np.pi) * (t**3 + t) / 4
    for df in (1e12, 1e20, 1e100):
        np.testing.assert_allclose(student.stdtr_ddf(df, t) * df**2, want, rtol=1e-10)
    np.testing.assert_allclose(student.t_pdf([1e15, np.inf], 1.0), np.exp(-0.5) / np.sqrt(2 * np.pi), rtol=1e-14)
