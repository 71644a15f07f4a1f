"""Ellipsoidal harmonics that answer NaN where SciPy raises: a host function never raises for a value."""

import warnings
from typing import Any

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike

from jaxscipy_ext.hosts.guarded import Guarded, Mask, Number


class _Integrated(Guarded):
    """A Python function of SciPy's that integrates point by point; it takes n and p as integers."""

    def __call__(self, *args: ArrayLike) -> Any:
        h2, k2, n, p, *rest = np.broadcast_arrays(*args)
        answers = self.answers(h2, k2, n, p, *rest)
        result = np.full(answers.shape, np.nan)
        if answers.any():
            whole = (n[answers].astype(int), p[answers].astype(int))
            with warnings.catch_warnings():  # quadrature tells that it has reached rounding
                warnings.simplefilter("ignore")
                result[answers] = self.ufunc(h2[answers], k2[answers], *whole, *(s[answers] for s in rest))
        return result


def _answers(h2: Number, k2: Number, n: Number, p: Number, *rest: Number) -> Mask:
    """0 < h2 < k2 < s**2 and 1 <= p <= 2n + 1."""
    answers = (h2 > 0) & (h2 < k2) & np.isfinite(k2) & (n >= 0) & (p >= 1) & (p <= 2 * n + 1)
    for s in rest:
        answers = answers & (s**2 > k2)
    return answers


ellip_harm_2 = _Integrated(sc.ellip_harm_2, _answers)
ellip_normal = _Integrated(sc.ellip_normal, _answers)
