"""Parameter derivatives of the confluent function M(a; b; z) = 1F1, at real and complex z.

The power series and its derivative for small z, then Taylor steps outwards along the ray to z, in the half-plane
Re z >= 0 where exp(z) grows; Kummer's transformation (DLMF 13.2.39) for Re z < 0; the asymptotic series (DLMF 13.7.2)
and its derivative for large |z|. At a = -n, where 1F1 is a polynomial, its a-derivative is not: it grows like exp(z).
Each point is computed twice, with other steps and an added rounding error; where the two differ by more than 1e-12,
mostly for b < -3 and for a or b - a 1e-8 beside an integer, the power series is summed in exact arithmetic (`_exact`).

Attained, against mpmath, relative to the derivative: 5e-13 for |a|, |b| <= 20 and real |z| <= 500, 3e-12 for complex
|z| <= 300. At the poles b = 0, -1, -2, ... the result is NaN.
"""

from typing import Any

import numpy as np
import scipy.special as sc

from . import _exact
from ._march import march
from ._numerics import Mask, Real, by_region, digamma, kernel, rgamma_d

_TERMS = 60
_LONGEST_SUM = 4000
"""Upper parameters down to minus this are recognised as those of a polynomial."""
_OTHER_PACE = 0.83


def is_pole(b: Real) -> Mask:
    return (b <= 0) & (b == np.round(b))


def _is_polynomial(a: Real, da: Real | float) -> Mask:
    return is_pole(a) & (a >= -_LONGEST_SUM) & (da == 0)


def _scaled(a: Real, b: Real, x: Any, da: Real, db: Real, pace: Real) -> Any:
    """(F, dF) exp(-x) with F = 1F1(a; b; x), Re x >= 0, dF the derivative along (da, db); `pace`: of the steps."""
    r = np.abs(x)
    far = r > np.maximum(60.0, (np.abs(a) + 1) * (np.abs(a - b) + 1)) * np.where(pace == 1, 1.0, 1.6)
    # beyond its zeros a polynomial is recessive, so that steps outwards would lose it
    finite = _is_polynomial(a, da) & (r > 4 * np.abs(a) + 2 * np.abs(b))
    regions = (finite, _scaled_polynomial), (far, _asymptotic), (~far, _series_and_steps)
    return by_region((a, b, x, da, db, pace), *regions, outputs=2, dtype=np.result_type(x))


def _asymptotic(a: Real, b: Real, x: Any, da: Real, db: Real, pace: Real) -> Any:
    """DLMF 13.7.2; its second, recessive part (13.7.1) only for complex x."""
    f, g = _asymptotic_part(a, b, x, da, db)
    if not np.iscomplexobj(x):
        return f, g
    # the other part is the first one's at (b - a, b, -x), with -x = x exp(-+i pi)
    sign = np.where(x.imag >= 0, 1, -1)
    f2, g2 = _asymptotic_part(b - a, b, -x, db - da, db, np.log(x) - 1j * np.pi * sign)
    return f + f2 * np.exp(-x), g + g2 * np.exp(-x)


def _asymptotic_part(a: Real, b: Real, x: Any, da: Real, db: Real, log_x: Any = None) -> Any:
    """Gamma(b)/Gamma(a) x^(a-b) sum_k (1-a)_k (b-a)_k / (k! x^k) and its derivative."""
    log_x = np.log(x) if log_x is None else log_x
    term, slope = np.ones_like(x), np.zeros_like(x)
    f, g = term.copy(), slope.copy()
    for k in range(60):
        r = (1 - a + k) * (b - a + k)
        dr = -da * (b - a + k) + (1 - a + k) * (db - da)
        q = 1 / ((k + 1) * x)
        term, slope = term * r * q, (slope * r + term * dr) * q
        f, g = f + term, g + slope
    # 1/Gamma(a) is taken into the exponent for large a
    big = a > 20
    large = np.abs(b) > 100
    log_gamma = np.where(large, sc.gammaln(b), 0.0) - np.where(big, sc.gammaln(a), 0.0)
    front = np.where(large, sc.gammasgn(b), sc.gamma(b)) * np.exp(log_gamma + (a - b) * log_x)
    c = np.where(big, 1.0, sc.rgamma(a))
    dc = np.where(big, -digamma(np.where(big, a, 1.0)), rgamma_d(a)) * da + c * ((da - db) * log_x + db * digamma(b))
    return front * c * f, front * (dc * f + c * g)


def _polynomial(a: Real, b: Real, x: Any, da: Real, db: Real, pace: Real) -> Any:
    term, slope = np.ones_like(x), np.zeros_like(x)
    f, g = term.copy(), slope.copy()
    f_size, g_size = np.ones(a.shape), np.zeros(a.shape)
    for k in range(int(-a.min())):
        below = np.where(k < -a, b + k, 1.0)  # may be 0 beyond the last term
        r = np.where(k < -a, a + k, 0.0) / below * x / (k + 1)
        term, slope = term * r, slope * r - term * r * db / below
        f, g = f + term, g + slope
        f_size, g_size = f_size + np.abs(term), g_size + np.abs(slope)
    noise = np.where(pace == 1, 0.0, np.finfo(float).eps)
    return f + noise * f_size, g + noise * g_size


def _scaled_polynomial(a: Real, b: Real, x: Any, da: Real, db: Real, pace: Real) -> Any:
    f, g = _polynomial(a, b, x, da, db, pace)
    return f * np.exp(-x), g * np.exp(-x)


def _series_and_steps(a: Real, b: Real, x: Any, da: Real, db: Real, pace: Real) -> Any:
    # the solution z^(1-b), which grows outwards for b < 0, is best avoided by a long first step
    longest = np.where(b < 0, np.minimum(12.0, 1.5 - b / 2), 1.5)
    radius = np.minimum(np.abs(x), pace * np.minimum(longest, 1.5 * (np.abs(b) + 1) / (np.abs(a) + 1)))
    z = np.where(radius < np.abs(x), x * (radius / np.maximum(np.abs(x), 1e-300)), x)
    term, slope, power = np.ones_like(z), np.zeros_like(z), np.ones_like(z)
    f, g = term.copy(), slope.copy()
    f_slope, g_slope = np.zeros_like(z), np.zeros_like(z)
    for k in range(_TERMS):
        r = (a + k) / (b + k)
        dr = (da - r * db) / (b + k)
        term, slope = term * r / (k + 1), (slope * r + term * dr) / (k + 1)  # coefficients of z^(k+1)
        f_slope, g_slope = f_slope + (k + 1) * term * power, g_slope + (k + 1) * slope * power
        power = power * z
        f, g = f + term * power, g + slope * power
    state = tuple(q * np.exp(-z) for q in (f, g, f_slope, g_slope))
    return march(z, x, state, (a, b, da, db, pace), kummer_step_length, kummer_next_terms, terms=_TERMS, decay=True)[:2]


def kummer_step_length(z: Any, a: Real, b: Real, da: Real, db: Real, pace: Real) -> Real:
    r = np.abs(z)
    return pace * np.minimum(0.5 * r / (1 + np.abs(b) / 15), np.minimum(2 / np.sqrt(np.abs(a) / r + 0.3), 3.0))


def kummer_next_terms(
    k: int, z: Any, h: Any, c: list[Any], s: list[Any], a: Real, b: Real, da: Real, db: Real, pace: Real
) -> Any:
    """Kummer's equation z w'' + (b - z) w' - a w = 0 (DLMF 13.2.1) and its derivative."""
    den = z * ((k + 1) * (k + 2))
    u, w = (a + k) * h * h / den, (k + 1) * (k + b - z) * h / den
    c_next = u * c[0] - w * c[1]
    return c_next, u * s[0] - w * s[1] + (da * h * h * c[0] - (k + 1) * db * h * c[1]) / den


def confluent(a: Real, b: Real, z: Any, da: float, db: float) -> Any:
    """(F, dF) of F = 1F1(a; b; z) along the direction (da, db), whole numbers, for flat arrays."""
    return _evaluate(a, b, z, da, db, 0)


def confluent_slope(a: Real, b: Real, z: Any, da: float, db: float) -> Any:
    """dF alone, which is cheaper next to zeros of F."""
    return _evaluate(a, b, z, da, db, 1)[1]


def _evaluate(a: Real, b: Real, z: Any, da: float, db: float, needed_from: int) -> Any:
    """As `confluent`: by float64 in two ways, and by exact arithmetic where these differ in what is needed."""
    twice = (np.concatenate((q, q)) for q in (a, b, z))
    both = _in_float64(*twice, da, db, np.repeat((1.0, _OTHER_PACE), a.size))
    result, other = (tuple(q[half] for q in both) for half in (slice(a.size), slice(a.size, None)))
    overflown = _overflown(result[1], a, b, z)
    for column in other:
        column[overflown] = np.nan
    doubtful = ~_exact.settled(result[needed_from:], other[needed_from:]) & _regular(a, b, z)
    _exact.repair(result, other, doubtful, lambda *point: _exact.confluent(*point, da, db), a, b, z)
    return result


def _overflown(slope: Any, a: Real, b: Real, z: Any) -> Mask:
    """Where both ways overflow, with any sign, before they come to a point at which the function is finite.

    Only where exact arithmetic can tell more: SciPy's function itself doesn't return for huge arguments.
    """
    infinite: Mask = np.isinf(slope) & _exact.confluent_reaches(a, b, z)
    if infinite.any():
        infinite[infinite] = np.isfinite(sc.hyp1f1(a[infinite], b[infinite], z[infinite]))
    return infinite


def _regular(a: Real, b: Real, z: Any) -> Mask:
    return ~is_pole(b) & np.isfinite(a) & np.isfinite(b) & np.isfinite(z)


def _in_float64(a: Real, b: Real, z: Any, da: float, db: float, pace: Real) -> Any:
    left = z.real < 0
    finite = left & _is_polynomial(a, da)
    direction = np.full(a.shape, da), np.full(a.shape, db)
    # at b = 0, -1, ... SciPy's values are those of polynomials that end before
    short = is_pole(b) & _is_polynomial(a, da) & (a >= b) & np.isfinite(z)
    special = (short, _polynomial), (~_regular(a, b, z), np.nan), (finite, _polynomial)
    everywhere = np.ones(a.shape, bool)
    regions = *special, (everywhere, _outwards)
    return by_region((a, b, z, *direction, pace), *regions, outputs=2, dtype=np.result_type(z))


def _outwards(a: Real, b: Real, z: Any, da: Real, db: Real, pace: Real) -> Any:
    """For Re z < 0 by DLMF 13.2.39, M(a, b, z) = exp(z) M(b - a, b, -z); all in one march, whose steps cost by number.

    At the other pace with a further rounding error of b - a.
    """
    left = z.real < 0
    slip = np.where(pace == 1, 0.0, np.finfo(float).eps) * np.maximum(np.abs(a), np.abs(b))
    upper, d_upper = np.where(left, b - a + slip, a), np.where(left, db - da, da)
    f, g = _scaled(upper, b, np.where(left, -z, z), d_upper, db, pace)
    front = np.exp(np.where(left, 0, z))
    return f * front, np.where(g == 0, g, g * front)


@kernel(work=32)
def hyp1f1_da(a: Real, b: Real, z: Real) -> Real:
    """∂/∂a of 1F1(a; b; z), real a and b, real or complex z; at b = 0, -1, ... of short polynomials."""
    return confluent_slope(a, b, z, 1.0, 0.0)


@kernel(work=32)
def hyp1f1_db(a: Real, b: Real, z: Real) -> Real:
    """∂/∂b of 1F1(a; b; z), real a and b, real or complex z; at b = 0, -1, ... of short polynomials."""
    return confluent_slope(a, b, z, 0.0, 1.0)


hyp1f1_da.complex(work=64)(hyp1f1_da.__wrapped__)
hyp1f1_db.complex(work=64)(hyp1f1_db.__wrapped__)
