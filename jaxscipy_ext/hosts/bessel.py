"""Order derivatives of `scipy.special.jvp` and its kin, from those of the functions that they are sums of."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jaxscipy_ext.derivatives import bessel


def _combination(slope: Callable[..., Any], v: ArrayLike, z: ArrayLike, n: int, phase: int, factor: float) -> Any:
    """factor^n Σ C(n, k) phase^k slope(v - n + 2k, z): DLMF 10.6.7 and 10.29.5, differentiated in the order."""
    lowest = np.asarray(v, np.float64) - n
    with np.errstate(all="ignore"):
        terms = (phase**k * math.comb(n, k) * np.asarray(slope(lowest + 2 * k, z)) for k in range(n + 1))
        return factor**n * sum(terms)


def jvp_dv(v: ArrayLike, z: ArrayLike, n: int = 1) -> Any:
    """∂jvp(v, z, n)/∂v for real v and z >= 0 or complex z."""
    return _combination(bessel.jv_dv, v, z, n, -1, 0.5)


def yvp_dv(v: ArrayLike, z: ArrayLike, n: int = 1) -> Any:
    """∂yvp(v, z, n)/∂v for real v and z >= 0 or complex z."""
    return _combination(bessel.yv_dv, v, z, n, -1, 0.5)


def h1vp_dv(v: ArrayLike, z: ArrayLike, n: int = 1) -> Any:
    """∂h1vp(v, z, n)/∂v for real v and complex z."""
    return _combination(bessel.hankel1_dv, v, z, n, -1, 0.5)


def h2vp_dv(v: ArrayLike, z: ArrayLike, n: int = 1) -> Any:
    """∂h2vp(v, z, n)/∂v for real v and complex z."""
    return _combination(bessel.hankel2_dv, v, z, n, -1, 0.5)


def ivp_dv(v: ArrayLike, z: ArrayLike, n: int = 1) -> Any:
    """∂ivp(v, z, n)/∂v for real v and z >= 0 or complex z."""
    return _combination(bessel.iv_dv, v, z, n, 1, 0.5)


def kvp_dv(v: ArrayLike, z: ArrayLike, n: int = 1) -> Any:
    """∂kvp(v, z, n)/∂v for real v and z >= 0 or complex z."""
    return _combination(bessel.kv_dv, v, z, n, 1, -0.5)
