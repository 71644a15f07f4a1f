"""Kolmogorov-Smirnov densities against mpmath, closed forms and at the edges."""

import numpy as np
from distribution_reference import assert_close

from jaxscipy_ext.derivatives import kolmogorov


def test_against_mpmath() -> None:
    assert_close("kolmogorov_dy", kolmogorov.kolmogorov_dy, 2e-13)
    assert_close("smirnov_dd", kolmogorov.smirnov_dd, 5e-13)


def test_edges() -> None:
    np.testing.assert_array_equal(kolmogorov.kolmogorov_dy([0, -1, np.inf, 1e-3, 1e-200]), 0)
    np.testing.assert_array_equal(kolmogorov.smirnov_dd([1, 1, 2, 3, 5], [0, 1, 1, 0, 1]), [-1, -1, 0, -1, 0])
    assert np.isnan(kolmogorov.smirnov_dd([0.5, 5, 5, 1e9, np.nan], [0.3, -1, 1.1, 0.1, 0.1])).all()


def test_small_samples() -> None:
    # n = 2: S = (1-d)^2 + d (1-2d) for d <= 1/2 and (1-d)^2 beyond
    d = np.array([0.1, 0.3, 0.49, 0.51, 0.7, 0.99])
    want = np.where(d < 0.5, -1 - 2 * d, -2 * (1 - d))
    np.testing.assert_allclose(kolmogorov.smirnov_dd(2, d), want, rtol=1e-14)
    assert kolmogorov.smirnov_dd(2, 0.5) == -1  # from the right at the jump d = 1/n


def test_n_is_truncated_and_the_sum_spans_slices() -> None:
    assert kolmogorov.smirnov_dd(2.7, 0.3) == kolmogorov.smirnov_dd(2, 0.3)
    n, z = 1e5, 0.9  # S = exp(-2 z^2) (1 - 2z/(3 sqrt n) + O(1/n)), z = d sqrt n
    want = -np.exp(-2 * z * z) * np.sqrt(n) * (4 * z + 2 / (3 * np.sqrt(n)) * (1 - 4 * z * z))
    assert abs(kolmogorov.smirnov_dd(n, z / np.sqrt(n)) / want - 1) < 1e-4
