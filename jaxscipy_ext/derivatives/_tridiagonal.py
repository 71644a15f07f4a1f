"""Eigenvectors of symmetric tridiagonal matrices, and their derivatives in a parameter of the matrix.

By perturbation theory, accurate relative to the largest component; and by continued fractions, accurate relative to
every component, however small, which the series of Bessel functions that grow as fast need.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy

from ._numerics import Mask, Real


class Matrix(NamedTuple):
    """Diagonal and subdiagonal, their derivatives, and the index of the eigenvalue, counted from below."""

    diagonal: Real
    off: Real
    d_diagonal: Real
    d_off: Real
    index: int


class Eigenpair(NamedTuple):
    """An eigenvalue with its unit vector, of either sign, and their derivatives."""

    value: float
    d_value: float
    vector: Real
    d_vector: Real


def perturbed(matrix: Matrix) -> Eigenpair:
    """The eigenpair, by first-order perturbation theory (Kato, Perturbation Theory for Linear Operators, II.2).

    LAPACK's tridiagonal solver runs in one thread; the dense one's threads cost more than these matrices.
    """
    # by attribute, which SciPy loads when it is wanted: scipy.linalg is 40 ms that most programs don't need
    values, vectors = scipy.linalg.eigh_tridiagonal(matrix.diagonal, matrix.off, check_finite=False)
    index = matrix.index
    vector = vectors[:, index]
    change = matrix.d_diagonal * vector
    change[:-1] += matrix.d_off * vector[1:]
    change[1:] += matrix.d_off * vector[:-1]
    coupling = change @ vectors
    gap = values[index] - values
    gap[index] = np.inf
    return Eigenpair(values[index], coupling[index], vector, vectors @ (coupling / gap))


def ratios(matrix: Matrix, pair: Eigenpair) -> tuple[Real, Real, int]:
    """The components over the largest one, derivatives of these ratios, and the largest one's index.

    Fractions x_i/x_(i-1) = -off_(i-1)/(diagonal_i - value + off_i x_(i+1)/x_i) from either end towards the largest.
    """
    s = int(np.argmax(np.abs(pair.vector)))
    shifted, d_shifted = matrix.diagonal - pair.value, matrix.d_diagonal - pair.d_value
    above = _outwards(shifted[s:], matrix.off[s:], d_shifted[s:], matrix.d_off[s:])
    below = _outwards(shifted[s::-1], matrix.off[:s][::-1], d_shifted[s::-1], matrix.d_off[:s][::-1])
    ratio, slope = (np.concatenate((q[:0:-1], p)) for p, q in zip(above, below, strict=True))
    return ratio, slope, s


def _outwards(diagonal: Real, off: Real, d_diagonal: Real, d_off: Real) -> tuple[Real, Real]:
    """Components over the first one, and their derivatives; the first equation is not used."""
    d, e, dd, de = diagonal.tolist(), [*off.tolist(), 0.0], d_diagonal.tolist(), [*d_off.tolist(), 0.0]
    fractions, ratio, slope = [], 0.0, 0.0
    for i in range(len(d) - 1, 0, -1):
        den, d_den = d[i] + e[i] * ratio, dd[i] + de[i] * ratio + e[i] * slope
        ratio, slope = -e[i - 1] / den, (e[i - 1] * d_den / den - de[i - 1]) / den
        fractions.append((ratio, slope))
    components, slopes = [1.0], [0.0]
    for ratio, slope in fractions[::-1]:
        slopes.append(slopes[-1] * ratio + components[-1] * slope)
        components.append(components[-1] * ratio)
    return np.array(components), np.array(slopes)


def each(keys: tuple[Real, ...], evaluate: Callable[..., Any], outputs: int) -> Any:
    """`evaluate(*key, mask)` once for each different key, in columns."""
    result = np.empty((outputs, keys[0].size))
    different, inverse = np.unique(np.stack(keys), axis=1, return_inverse=True)
    inverse = inverse.reshape(-1)
    for i, key in enumerate(different.T.tolist()):
        here: Mask = inverse == i
        result[:, here] = evaluate(*key, here)
    return result
