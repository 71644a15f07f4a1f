"""Sums over a Poisson mixture, Σ_j Poisson(j; λ) g_j: the noncentral chi-square and F distributions.

The terms are log-concave in j with a peak known in closed form, so only a window about the peak is evaluated, O(sqrt λ)
terms. Points with windows of similar length share a padded block.
"""

from collections.abc import Callable

import numpy as np

from ._numerics import BLOCK_BYTES, Mask, Real
from .gamma import log_gamma_front

LARGEST_MEAN = 1e9
"""Beyond this λ the window of a single point, 24 sqrt λ terms, outgrows a block; the kernels answer NaN."""


def log_poisson(s: Real, y: Real) -> Real:
    """ln(y^s e^-y/Γ(s+1)) for real s >= 0, y >= 0, without cancellation at large s."""
    positive = np.where(s > 0, s, 1.0)
    return np.where(s > 0, log_gamma_front(positive, y) - np.log(positive), -y)


def poisson_sum(lam: Real, peak: Real, term: Callable[..., Real], *args: Real) -> Real:
    """Σ_j exp(ln Poisson(j; λ)) term(j, *args) for every point.

    `term` gets j (one row per point) and the other arguments as columns. `peak` is the j of the largest term: the
    Poisson factor alone makes the terms fall like exp(-(j - peak)²/(2 max(j, peak))), by e^-40 within 12 sqrt(peak) +
    40 steps.
    """
    peak = np.minimum(peak, lam + 60 * np.sqrt(lam) + 1000)  # beyond, every term underflows
    half = 12 * np.sqrt(peak) + 40
    first = np.maximum(np.floor(peak - half), 0.0)
    count = np.ceil(peak + half) - first + 1
    order = np.argsort(count, kind="stable")
    out = np.empty_like(lam)
    start = 0
    while start < order.size:
        stop = start + 1
        while stop < order.size and (stop + 1 - start) * count[order[stop]] <= BLOCK_BYTES // 8:
            stop += 1
        at = order[start:stop]
        j = first[at, None] + np.arange(count[at].max())
        out[at] = (np.exp(log_poisson(j, lam[at, None])) * term(j, *(q[at, None] for q in args))).sum(-1)
        start = stop
    return out


def ladder(bottom: Real, top: Real, step: Real, from_below: Mask) -> Real:
    """D_j, j = 0 ... J-1, from D_{j+1} = D_j + step_j, D_0 = `bottom` and D_J = `top` (columns).

    Where `from_below` holds (for the lower j) the steps are added to the bottom, elsewhere subtracted from the top.
    With steps of one sign on either side no partial sum cancels.
    """
    lower, upper = np.where(from_below, step, 0.0), np.where(from_below, 0.0, step)
    rising = bottom + np.cumsum(lower, axis=1) - lower
    falling = top - np.cumsum(upper[:, ::-1], axis=1)[:, ::-1]
    return np.where(from_below, rising, falling)
