"""Check a JAX function against its host function: values, derivatives and transformations, at points of your choice.

    >>> import numpy as np, scipy.special as sc, jaxscipy_ext as jse
    >>> from jaxscipy_ext.testing import check_function
    >>> report = check_function(jse.jv, np.full(5, 1.5), np.linspace(0.1, 9, 5), host=sc.jv)
    >>> report.passed
    True

Derivatives are compared with Richardson-extrapolated central differences of the host in float64, whose step is chosen
per point and whose own error is estimated: a point counts where the differences are good enough to tell.
"""

from jaxscipy_ext.testing.checks import TRANSFORMS, check_function
from jaxscipy_ext.testing.results import Check, Point, Report, Series

__all__ = ["TRANSFORMS", "Check", "Point", "Report", "Series", "check_function"]
