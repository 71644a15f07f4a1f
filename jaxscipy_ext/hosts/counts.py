"""Distribution functions of counts, continued to counts and numbers of trials that are no integers.

SciPy's inverses in a count solve these equations; its own `bdtr`, `nbdtr` and `pdtr` round counts down.
"""

from typing import Any

import scipy.special as sc
from numpy.typing import ArrayLike


def continuous_bdtr(k: ArrayLike, n: ArrayLike, p: ArrayLike) -> Any:
    """I_(1-p)(n - k, k + 1) (DLMF 8.17.5)."""
    return sc.betaincc(k + 1.0, n - k, p)


def continuous_nbdtr(k: ArrayLike, n: ArrayLike, p: ArrayLike) -> Any:
    """I_p(n, k + 1) (DLMF 8.17.5)."""
    return sc.betainc(n, k + 1.0, p)


def continuous_pdtr(k: ArrayLike, m: ArrayLike) -> Any:
    """Q(k + 1, m) (DLMF 8.4.10)."""
    return sc.gammaincc(k + 1.0, m)
