"""Legendre functions and spherical harmonics with the number of derivatives as a static argument."""

from typing import Any

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike, NDArray


def legendre_p_derivative(n: ArrayLike, z: ArrayLike, k: int = 0) -> NDArray[Any]:
    """The k-th derivative (0, 1, 2) of the Legendre polynomial P_n(z)."""
    return sc.legendre_p(n, z, diff_n=k)[k]


def assoc_legendre_jet(
    n: ArrayLike, m: ArrayLike, z: ArrayLike, branch_cut: int = 2, norm: bool = False
) -> tuple[NDArray[Any], ...]:
    """The associated Legendre function and its first two derivatives in z."""
    return tuple(sc.assoc_legendre_p(n, m, z, branch_cut=branch_cut, norm=norm, diff_n=2))


def sph_legendre(n: ArrayLike, m: ArrayLike, theta: ArrayLike) -> NDArray[Any]:
    """The spherical Legendre function, without the leading axis of its derivatives."""
    return np.asarray(sc.sph_legendre_p(n, m, theta))[0]
