"""1 + W, which the derivatives of Lambert's W divide by, with its digits beside the branch point z = -1/e too.

There W is -1 + O(√(z + 1/e)), so that 1 + W cancels; and on branch -1 SciPy's W is crude for z + 1/e < 1e-9. The
series DLMF 4.13.6 in t, -t²/2 = log(-z) + 1, is that of 1 + W itself; -e z = 1 - y keeps its digits if 1/e is taken in
three parts.
"""

import math
from typing import Any

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike

_INVERSE_E = (0.3678794503211975, -9.149755619830557e-09, 4.3166045617727424e-16)
"""The sum is 1/e to 40 digits; z plus the first, and that plus the second, are exact near -1/e."""
_SERIES = (1.0, -1 / 3, 1 / 36, 1 / 270, 1 / 4320, -1 / 17010, -139 / 5443200)


def lambertw_plus_1(z: ArrayLike, k: ArrayLike) -> Any:
    """1 + W_k(z) for complex z and integer k."""
    z, k = np.broadcast_arrays(np.asarray(z, complex), k)
    with np.errstate(all="ignore"):
        result = np.asarray(1 + sc.lambertw(z, k))
        y = math.e * sum(_INVERSE_E, start=z)
        below = np.signbit(z.imag)
        # SciPy's value at the number next to -1/e is NaN; other branches are far from -1 there
        unknown = np.isnan(result) & ((k == 0) | (k == -1) & ~below)
        near = (np.abs(y) < 1e-3) & (unknown | (np.abs(result) < 0.1))
        if near.any():
            t = np.sqrt(-2 * sc.log1p(-y[near]))
            # W_0 is right of -1, W_1 and W_-1 are left; SciPy's W tells the side on the cut, but not 1e-20 beside it
            known, beside = (z.imag == 0) & ~unknown, (t * result[near].conj()).real < 0
            t = np.where(np.where(known[near], beside, ((k != 0) | unknown & below)[near]), -t, t)
            result[near] = t * np.polynomial.polynomial.polyval(t, _SERIES)
    return result[()]
