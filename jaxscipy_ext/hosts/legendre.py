"""Legendre functions and spherical harmonics with the number of derivatives as a static argument."""

from typing import Any

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike, NDArray

from jaxscipy_ext.hosts import guarded


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


def ferrers(m: ArrayLike, v: ArrayLike, x: ArrayLike) -> NDArray[Any]:
    """`lpmv`, and for whole v and m < -v, where SciPy has NaN, DLMF 14.3.1; degrees -1 - v are v (DLMF 14.9.5).

    The latter are infinite at x = -1, but given as 0: ladders that reach them multiply them by 0.
    """
    m, v, x = np.broadcast_arrays(m, v, x)
    degree = np.where(v < -0.5, -1 - v, v)
    beyond = (m < -degree) & (degree == np.floor(degree))
    values = np.array(guarded.lpmv(np.where(beyond, 0, m), v, x))
    order, n, z = -m[beyond].astype(values.dtype), degree[beyond], (1 - x[beyond]) / 2
    front = (np.where(z == 1, 0, z) / np.where(z == 1, 1, 1 - z)) ** (order / 2) * sc.rgamma(order + 1)
    values[beyond] = front * sc.hyp2f1(-n, n + 1, order + 1, z)
    return values
