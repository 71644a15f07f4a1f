"""Tukey's lambda kernels against mpmath, closed forms and at the edges."""

import numpy as np
from distribution_reference import assert_close

from jaxscipy_ext.derivatives import tukey


def test_against_mpmath() -> None:
    assert_close("tklmbda_dx", tukey.tklmbda_dx, 1e-12)
    assert_close("tklmbda_dlmbda", tukey.tklmbda_dlmbda, 1e-12)


def test_logistic_and_uniform() -> None:
    x = np.array([-700.0, -3.0, 0.0, 1e-8, 2.0, 30.0])
    p, q = 1 / (1 + np.exp(-x)), 1 / (1 + np.exp(x))
    np.testing.assert_allclose(tukey.tklmbda_dx(x, 0), p * q, rtol=1e-13)
    np.testing.assert_array_equal(tukey.tklmbda_dx([-0.99, 0, 0.5], 1), 0.5)
    np.testing.assert_allclose(tukey.tklmbda_dx([-0.49, 0, 0.3], 2), 1.0, rtol=1e-15)


def test_symmetry_and_the_end_of_the_support() -> None:
    x, lmbda = np.array([0.3, 1.9, 40.0]), np.array([2.0, 0.4, -1.0])
    np.testing.assert_array_equal(tukey.tklmbda_dx(-x, lmbda), tukey.tklmbda_dx(x, lmbda))
    np.testing.assert_array_equal(tukey.tklmbda_dlmbda(-x, lmbda), -tukey.tklmbda_dlmbda(x, lmbda))
    for kernel in (tukey.tklmbda_dx, tukey.tklmbda_dlmbda):
        np.testing.assert_array_equal(kernel([2, -2, np.inf, -np.inf], [1, 0.5, 1, -1]), 0)
    assert tukey.tklmbda_dlmbda(0, 0.3) == 0
