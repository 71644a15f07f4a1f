"""Derivatives of the radial spheroidal functions in c: series where they converge, differences of SciPy's elsewhere."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jaxscipy_ext.derivatives import spheroidal_radial
from jaxscipy_ext.derivatives._numerics import Real, central_difference
from jaxscipy_ext.hosts import guarded

_BLOCK = 2**14
"""Points at a time."""


class Completed:
    """A kernel whose NaN are filled in by 16-point differences of SciPy's function."""

    def __init__(self, kernel: Callable[..., Any], function: Callable[..., Any]) -> None:
        self.kernel, self.function = kernel, function
        self.__name__ = self.__qualname__ = kernel.__name__
        self.__doc__ = kernel.__doc__

    def __call__(self, *args: ArrayLike) -> Any:
        arrays = np.broadcast_arrays(*args)
        result = np.array(self.kernel(*arrays))
        rows, columns = result.reshape(2, -1), [a.flat for a in arrays]
        for start in range(0, rows.shape[1], _BLOCK):
            block = rows[:, start : start + _BLOCK]
            gaps = np.isnan(block).any(0)
            if gaps.any():
                block[:, gaps] = self._differences(*(c[start : start + _BLOCK][gaps].astype(float) for c in columns))
        return tuple(result)

    def _differences(self, m: Real, n: Real, c: Real, x: Real) -> Real:
        # powers of c at 0, and an oscillation like exp(i c x)
        with np.errstate(all="ignore"):
            step = np.minimum(c / 24, 0.25 / (np.abs(x) + 1))
            return central_difference(lambda p: np.stack(self.function(m, n, p, x)), c, step)

    def __reduce__(self) -> str:
        return self.__qualname__  # pickled by reference, as functions are


pro_rad1_dc = Completed(spheroidal_radial.pro_rad1_dc, guarded.pro_rad1)
pro_rad2_dc = Completed(spheroidal_radial.pro_rad2_dc, guarded.pro_rad2)
obl_rad1_dc = Completed(spheroidal_radial.obl_rad1_dc, guarded.obl_rad1)
obl_rad2_dc = Completed(spheroidal_radial.obl_rad2_dc, guarded.obl_rad2)
