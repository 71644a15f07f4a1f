"""Noncentral chi-square, t and F kernels against mpmath, in their central limits and at the edges."""

import numpy as np
import pytest
from distribution_reference import assert_close

from jaxscipy_ext.derivatives import fisher, gamma, noncentral_chi2, noncentral_f, noncentral_t, student


@pytest.mark.parametrize("name", ["chndtr_dx", "chndtr_ddf", "chndtr_dnc"])
def test_chi_square_against_mpmath(name: str) -> None:
    assert_close(name, getattr(noncentral_chi2, name), 5e-13)


@pytest.mark.parametrize("name", ["nctdtr_ddf", "nctdtr_dnc", "nctdtr_dt"])
def test_t_against_mpmath(name: str) -> None:
    assert_close(name, getattr(noncentral_t, name), 1e-12)


@pytest.mark.parametrize("name", ["ncfdtr_ddfn", "ncfdtr_ddfd", "ncfdtr_dnc", "ncfdtr_df"])
def test_f_against_mpmath(name: str) -> None:
    assert_close(name, getattr(noncentral_f, name), 1e-12)


def test_central_chi_square() -> None:
    x, df = np.array([0.01, 3.0, 200.0]), np.array([0.5, 2.5, 150.0])
    np.testing.assert_allclose(noncentral_chi2.chndtr_ddf(x, df, 0), gamma.chdtr_dv(df, x), rtol=1e-13)
    np.testing.assert_allclose(noncentral_chi2.chndtr_dx(x, df, 0), gamma.gamma_pdf(df / 2, x / 2) / 2, rtol=1e-13)
    want = -gamma.gamma_pdf(df / 2 + 1, x / 2) / 2
    np.testing.assert_allclose(noncentral_chi2.chndtr_dnc(x, df, 0), want, rtol=1e-13)


def test_central_t() -> None:
    df, t = np.array([0.3, 2.0, 10.0, 1e4]), np.array([0.5, -2.0, 3.0, 20.0])
    np.testing.assert_allclose(noncentral_t.nctdtr_ddf(df, 0, t), student.stdtr_ddf(df, t), rtol=1e-13)
    np.testing.assert_allclose(noncentral_t.nctdtr_dt(df, 0, t), student.t_pdf(df, t), rtol=1e-13)


def test_central_f() -> None:
    m, n, f = np.array([0.3, 3.0, 400.0]), np.array([5.0, 4.0, 1e3]), np.array([0.2, 1.2, 0.9])
    np.testing.assert_allclose(noncentral_f.ncfdtr_ddfn(m, n, 0, f), fisher.fdtr_ddfn(m, n, f), rtol=1e-13)
    np.testing.assert_allclose(noncentral_f.ncfdtr_ddfd(m, n, 0, f), fisher.fdtr_ddfd(m, n, f), rtol=1e-13)
    np.testing.assert_allclose(noncentral_f.ncfdtr_df(m, n, 0, f), fisher.f_pdf(m, n, f), rtol=1e-13)


def test_edges_of_chi_square() -> None:
    np.testing.assert_array_equal(noncentral_chi2.chndtr_ddf([0, np.inf], 2, 1), 0)
    np.testing.assert_array_equal(noncentral_chi2.chndtr_dx(0, [1, 2, 3], 1), [np.inf, 0.5 * np.exp(-0.5), 0])
    x, df, nc = np.array([[-1, 1, 1], [1, 0, 1], [1, 1, -1], [1, 1, 1e11], [np.nan, 1, 1]]).T
    for kernel in (noncentral_chi2.chndtr_dx, noncentral_chi2.chndtr_ddf, noncentral_chi2.chndtr_dnc):
        assert np.isnan(kernel(x, df, nc)).all()
        np.testing.assert_array_equal(kernel(1, [1, np.inf], [np.inf, 1]), 0)


def test_edges_of_t() -> None:
    np.testing.assert_array_equal(noncentral_t.nctdtr_ddf([np.inf, 1, 1], 1, [1, 0, np.inf]), 0)
    phi = np.exp(-0.125) / np.sqrt(2 * np.pi)
    np.testing.assert_allclose(noncentral_t.nctdtr_dt([1e16, np.inf], 1, 1.5), phi, rtol=1e-14)
    np.testing.assert_allclose(noncentral_t.nctdtr_dnc([1e16, np.inf], 1, 1.5), -phi, rtol=1e-14)
    assert np.isnan(noncentral_t.nctdtr_ddf([0, -1, 1], [1, 1, np.inf], 1)).all()


def test_edges_of_f() -> None:
    for kernel in (noncentral_f.ncfdtr_ddfn, noncentral_f.ncfdtr_ddfd, noncentral_f.ncfdtr_dnc):
        np.testing.assert_array_equal(kernel(3, 2, 1, [0, np.inf]), 0)
        assert np.isnan(kernel([0, 1, 1, 1], [1, 0, 1, 1], [1, 1, -1, np.inf], 1)).all()
    np.testing.assert_array_equal(noncentral_f.ncfdtr_df([1, 2, 3], 1, 1, 0), [np.inf, np.exp(-0.5), 0])


def test_large_noncentrality_is_normal() -> None:
    # chi'^2(df, nc) ~ N(nc + df, 4 nc)
    nc = 1e9
    want = 1 / np.sqrt(8 * np.pi * nc)
    assert abs(noncentral_chi2.chndtr_dx(nc, 1.0, nc) / want - 1) < 1e-8
    assert abs(noncentral_chi2.chndtr_ddf(nc, 1.0, nc) / -want - 1) < 1e-4
