"""Parameter derivatives of Tricomi's confluent function U(a, b, z), z >= 0.

For a >= 1 the Laplace integral (DLMF 13.4.4) in log t, by the trapezoidal rule around its saddle, differentiated under
the integral. Smaller a: the recurrence DLMF 13.3.7 and its derivatives downwards in a; for b >> 1 it loses digits where
z < b, so that there U is taken at a larger z and followed inwards by Taylor steps, the direction in which it grows. For
b < 1 Kummer's transformation (DLMF 13.2.40) saves most of the recurrence. At a = 0, -1, ... U is a polynomial, and its
b-derivative comes from the recurrence alone, or from the exact sum where that loses digits; its a-derivative is not
zero. Within 1e-3 of such a, where U hides a multiple of z^(1-b), ∂U/∂b is interpolated in a.

Attained, against mpmath, relative to the derivative: 5e-11 for -20 <= a <= 40, |b| <= 20, 1e-3 <= z <= 300.
"""

import numpy as np
import scipy.special as sc

from . import _exact
from ._march import march
from ._numerics import CUTOFF, Mask, Real, bisect, by_region, kernel, rgamma_d
from .confluent import kummer_next_terms, kummer_step_length

_NODES = 192
_LOWEST = 4000
"""The recurrence goes down to a = -_LOWEST; below, the result is NaN."""
_LONGEST_SUM = 200
_BESIDE, _NODE_GAP = 1e-3, 1 / 32
_AT_ONCE = 64
"""Points that are interpolated at once, each between 16."""
Triple = tuple[Real, Real, Real]
"""U, ∂U/∂a, ∂U/∂b."""


def _integral(a: Real, b: Real, z: Real) -> Triple:
    """DLMF 13.4.4 for a >= 1, t = e^w."""

    def exponent(w: Real, a: Real, b: Real, z: Real) -> Real:
        return a * w - z * np.exp(w) + (b - a - 1) * np.logaddexp(0, w)

    p = z - b + 1  # saddle: z t² + p t - a = 0
    root = np.sqrt(p * p + 4 * a * z)
    saddle = np.log(np.where(p > 0, 2 * a / (p + root), (root - p) / (2 * z)))
    top = exponent(saddle, a, b, z)
    reach = 60.0 + np.abs(np.log(z))

    def level(w: Real) -> Real:
        return exponent(w, a, b, z) - top + CUTOFF

    low, high = bisect(level, saddle, saddle - reach, 30), bisect(level, saddle, saddle + reach, 30)
    step = ((high - low) / _NODES)[:, None]
    w = low[:, None] + step * (np.arange(_NODES) + 0.5)
    weight = step * np.exp(exponent(w, a[:, None], b[:, None], z[:, None]) - top[:, None])
    front = np.exp(top - sc.gammaln(a))
    log1p_t = np.logaddexp(0, w)
    slope_a = (weight * (w - log1p_t - sc.digamma(a)[:, None])).sum(1)
    return front * weight.sum(1), front * slope_a, front * (weight * log1p_t).sum(1)


def _recurrence(a: Real, b: Real, z: Real, start: Real, at: Triple, above: Triple) -> Triple:
    """DLMF 13.3.7 and its derivatives, from `start` (U there, and above it) down to a."""
    steps = np.round(start - a).astype(int)
    for k in range(int(steps.max(initial=0))):
        go = k < steps
        q, r = 2 * start + z - b, start * (start - b + 1)
        below = (
            q * at[0] - r * above[0],
            q * at[1] + 2 * at[0] - r * above[1] - (2 * start - b + 1) * above[0],
            q * at[2] - at[0] - r * above[2] + start * above[0],
        )
        above = tuple(np.where(go, x, y) for x, y in zip(at, above, strict=True))  # type: ignore[assignment]
        at = tuple(np.where(go, x, y) for x, y in zip(below, at, strict=True))  # type: ignore[assignment]
        start = np.where(go, start - 1, start)
    return at


def _downwards(a: Real, b: Real, z: Real) -> Triple:
    start = a + np.maximum(0, np.ceil(1 - a))
    return _recurrence(a, b, z, start, _integral(start, b, z), _integral(start + 1, b, z))


def _inwards(a: Real, b: Real, z: Real) -> Triple:
    """From twice b, where the recurrence is stable, to z; U' = -a U(a + 1, b + 1, z) (DLMF 13.3.22)."""
    far = 2 * b + 2 * np.abs(a)
    u, u_a, u_b = _downwards(a, b, far)
    v, v_a, v_b = _downwards(a + 1, b + 1, far)
    one, zero = np.ones_like(a), np.zeros_like(a)
    # along a and along b at once
    start, end, a2, b2, value, slope, ones = (np.concatenate((q, q)) for q in (far, z, a, b, u, -a * v, one))
    da, db = np.concatenate((one, zero)), np.concatenate((zero, one))
    state = value, np.concatenate((u_a, u_b)), slope, np.concatenate((-v - a * v_a, -a * v_b))
    parameters = a2, b2, da, db, ones
    f, g, _, _ = march(start, end, state, parameters, kummer_step_length, kummer_next_terms, terms=60)
    return f[: a.size], g[: a.size], g[a.size :]


def _kummer(a: Real, b: Real, z: Real) -> Triple:
    """DLMF 13.2.40: U(a, b, z) = z^(1-b) U(a - b + 1, 2 - b, z)."""
    u, u_a, u_b = _positive(a - b + 1, 2 - b, z)
    front = z ** (1 - b)
    return front * u, front * u_a, -front * (np.log(z) * u + u_a + u_b)


def _positive(a: Real, b: Real, z: Real) -> Triple:
    regions = (a >= 1, _integral), (b < 1, _kummer), ((b > 2) & (z < 2 * b), _inwards), (z > 0, _downwards)
    return by_region((a, b, z), *regions, outputs=3)


def _slope_a(a: Real, b: Real, z: Real) -> Real:
    return _positive(a, b, z)[1]


def _slope_b(a: Real, b: Real, z: Real) -> Real:
    polynomial = _is_polynomial(a)
    beside = (a < 0.5) & (np.abs(a - np.round(a)) < _BESIDE)
    regions = (polynomial, _slope_b_of_polynomial), (beside, _slope_b_beside_polynomial)
    return by_region((a, b, z), *regions, (True, lambda a, b, z: _positive(a, b, z)[2]))


def _slope_b_of_polynomial(a: Real, b: Real, z: Real) -> Real:
    one, zero = np.ones_like(a), np.zeros_like(a)
    g = _recurrence(a, b, z, zero, (one, zero, zero), (zero, zero, zero))[2]
    moved = _recurrence(a, b * (1 + 2e-16), z * (1 + 3e-16), zero, (one, zero, zero), (zero, zero, zero))[2]
    doubtful = ~(np.abs(g - moved) <= 1e-12 * np.abs(g)) & (a >= -_LONGEST_SUM)
    _exact.repair((g,), (moved,), doubtful, _exact.tricomi_polynomial_db, a, b, z)
    return g


def _slope_b_beside_polynomial(a: Real, b: Real, z: Real) -> Real:
    """Interpolated between the polynomial and values further away, where the recurrence has kept its digits."""
    k = np.delete(np.arange(-8, 9), 8)
    result = np.empty_like(a)
    for start in range(0, a.size, _AT_ONCE):
        here = slice(start, start + _AT_ONCE)
        p, q, x, n = a[here], b[here], z[here], np.round(a[here])
        at = n[:, None] + k * _NODE_GAP
        others = _positive(at.ravel(), np.repeat(q, k.size), np.repeat(x, k.size))[2].reshape(at.shape)
        nodes = np.column_stack((n, at))
        share = (-1.0) ** np.append(0, k) * sc.binom(16, np.append(8, k + 8)) / (p[:, None] - nodes)
        slopes = np.column_stack((_slope_b_of_polynomial(n, q, x), others))
        result[here] = (share * slopes).sum(1) / share.sum(1)
    return result


def _is_polynomial(a: Real) -> Mask:
    return (a <= 0) & (a == np.round(a))


def _slope_a_at_origin(a: Real, b: Real, z: Real) -> Real:
    """DLMF 13.2.16-22: Gamma(b-1)/Gamma(a) z^(1-b) for b >= 1, Gamma(1-b)/Gamma(a-b+1) for b < 1."""
    return np.where(b < 1, sc.gamma(1 - b) * rgamma_d(a - b + 1), np.inf * np.sign(rgamma_d(a)))


def _slope_b_at_origin(a: Real, b: Real, z: Real) -> Real:
    finite = -sc.gamma(1 - b) * (sc.digamma(1 - b) * sc.rgamma(a - b + 1) + rgamma_d(a - b + 1))
    polynomial = np.where(a % 2 == 0, 1.0, -1.0) * sc.poch(b, -a) * (sc.digamma(b - a) - sc.digamma(b))
    infinite = np.where(_is_polynomial(a), polynomial, np.inf * np.sign(sc.rgamma(a)))
    return np.where(b < 1, finite, infinite)


def _domain(a: Real, b: Real, z: Real) -> Mask:
    return (a >= -_LOWEST) & np.isfinite(a) & np.isfinite(b) & (z >= 0)


@kernel(work=_NODES, domain=_domain)
def hyperu_da(a: Real, b: Real, x: Real) -> Real:
    """∂U(a, b, x)/∂a for x >= 0; NaN at x = inf unless a > 0."""
    return by_region((a, b, x), (x == 0, _slope_a_at_origin), (np.isfinite(x), _slope_a), (a > 0, 0.0))


@kernel(work=_NODES, domain=_domain)
def hyperu_db(a: Real, b: Real, x: Real) -> Real:
    """∂U(a, b, x)/∂b for x >= 0; NaN at x = inf unless a > 0."""
    return by_region((a, b, x), (x == 0, _slope_b_at_origin), (np.isfinite(x), _slope_b), (a > 0, 0.0))
