"""Parameter derivatives of Gauss's function 2F1(a, b; c; z), at real z < 1 and at complex z.

Pfaff's transformation (DLMF 15.8.1), the larger upper parameter first, takes Re z < 0 to the disc |w - 1/2| < 1/2;
then the power series and its derivative for small z, and Taylor steps to z. Complex z beyond 1 are reached from ±i|z|
if a b > 0. Series that terminate, also after Euler's transformation, are summed, in 1 - z where the polynomial is
recessive there (DLMF 15.8.7). Real z > 1 lie on the cut: NaN, but for polynomials, if the derivative keeps them such.

Each point is computed twice, with other steps and an added rounding error; where the two differ by more than 1e-12, the
power series and Taylor steps along the ray are taken in exact arithmetic (`_exact`): mostly for c < -3, a b << 0, close
to the cut, and for parameters 1e-8 beside an integer.

Attained, against mpmath, relative to the derivative: 1e-12 for |a|, |b|, |c| <= 20, -1e3 <= z <= 1 - 1e-4 and complex
|z| <= 100. At the poles c = 0, -1, -2, ... the result is NaN, but for polynomials that end before. The function value
that comes along is right where SciPy's is not (scipy.special.hyp2f1(-40.2, 41.2, 1, 0.75)).
"""

from typing import Any

import numpy as np
import scipy.special as sc

from . import _exact
from ._march import march
from ._numerics import Mask, Real, by_region, digamma, kernel, rgamma_d

_TERMS = 60
_LONGEST_SUM = 400
"""Upper parameters down to minus this are recognised as those of a polynomial."""
_OTHER_PACE = 0.83


def _is_pole(q: Real) -> Mask:
    return (q <= 0) & (q == np.round(q))


def _is_exact(p: Real, q: Real) -> Mask:
    """Whether p - q is free of rounding."""
    s = p - q
    back = s - p
    return (p - (s - back)) - (q + back) == 0


def _polynomial(a: Real, b: Real, c: Real, z: Any, d: Any, da: Real, db: Real, dc: Real, pace: Real) -> Any:
    """(F, dF) for a = 0, -1, -2, ... and da = 0: finite sum in z or, for z > 1/2 (DLMF 15.8.7), in d = 1 - z."""
    n = -a
    mirrored = b - n - c + 1
    use = (z.real > 0.5) & ~_is_pole(mirrored)
    w, c2, dc2 = np.where(use, d, z), np.where(use, mirrored, c), np.where(use, db - dc, dc)
    p, dp = np.ones_like(a), np.zeros_like(a)  # (c-b)_n / (c)_n
    term, slope = np.ones_like(z), np.zeros_like(z)
    f, g = term.copy(), slope.copy()
    f_size, g_size = np.ones(a.shape), np.zeros(a.shape)
    for k in range(int(n.max())):
        on = use & (k < n)
        r = np.where(on, (c - b + k) / (c + k), 1.0)
        dr = np.where(on, (dc - db) / (c + k) - r * dc / (c + k), 0.0)
        p, dp = p * r, dp * r + p * dr
        m = w / ((c2 + k) * (k + 1))
        r = np.where(k < n, (a + k) * (b + k) * m, 0.0)
        dr = np.where(k < n, (a + k) * db * m - r * dc2 / (c2 + k), 0.0)
        term, slope = term * r, slope * r + term * dr
        f, g = f + term, g + slope
        f_size, g_size = f_size + np.abs(term), g_size + np.abs(slope)
    noise = np.where(pace == 1, 0.0, np.finfo(float).eps)
    f, g = f + noise * f_size, g + noise * g_size
    return p * f, dp * f + p * g + noise * np.abs(dp * f)


def _times_power(function: Any, z: Any, d: Any, e: Real, de: Real) -> Any:
    """Value and derivative of d^e, d = 1 - z, times a function given by its value and derivative."""
    f, g = function
    front = d**e
    near = np.abs(z) < 0.5  # there d has rounded z away
    log = np.where(near, sc.log1p(-np.where(near, z, 0)), np.log(d))
    return front * f, front * (g + de * log * f)


def _inner(a: Real, b: Real, c: Real, z: Any, d: Any, da: Real, db: Real, dc: Real, pace: Real) -> Any:
    """(F, dF) for Re z >= 0, d = 1 - z, along (da, db, dc)."""

    def terminates(a: Real, b: Real, c: Real, da: Real) -> Mask:
        mirrored = a + b - c + 1
        recessive = (c < a + b) & (np.abs(a * b) * np.abs(d) < 4 * (np.abs(mirrored) + 1)) & ~_is_pole(mirrored)
        on_cut = (z.imag == 0) & (z.real >= 1)
        return _is_pole(a) & (a >= -_LONGEST_SUM) & (da == 0) & (recessive | (a >= -3) | on_cut)

    # for a b < 0 |F| grows along rays from 0, through the ellipses with foci 0 and 1, by about exp(2 sqrt(-a b)); but
    # close to the cut a ray passes by z = 1, where another solution is (1-z)^(c-a-b)
    off_cut = np.abs(c - a - b) * np.log(np.abs(d) / np.abs(z.imag)) <= 2 * np.sqrt(np.abs(a * b))

    def euler(a: Real, b: Real, c: Real, z: Any, d: Any, da: Real, db: Real, dc: Real, pace: Real) -> Any:
        transformed = _polynomial(c - a, c - b, c, z, d, dc - da, dc - db, dc, pace)
        return _times_power(transformed, z, d, c - a - b, dc - da - db)

    def swapped(function: Any) -> Any:
        return lambda a, b, c, z, d, da, db, dc, pace: function(b, a, c, z, d, db, da, dc, pace)

    return by_region(
        (a, b, c, z, d, da, db, dc, pace),
        (terminates(a, b, c, da), _polynomial),
        (terminates(b, a, c, db), swapped(_polynomial)),
        (terminates(c - a, c - b, c, dc - da) & (z != 1) & _is_exact(c, a), euler),
        (terminates(c - b, c - a, c, dc - db) & (z != 1) & _is_exact(c, b), swapped(euler)),
        (z == 1, _at_one),
        ((z.real > 1) & np.isrealobj(z), np.nan),
        ((np.abs(z) <= 1) | (z.real <= 0.5) | ((a * b <= 0) & off_cut), _series_and_steps),
        (np.isfinite(z), _around),
        outputs=2,
        dtype=np.result_type(z),
    )


def _at_one(a: Real, b: Real, c: Real, z: Any, d: Any, da: Real, db: Real, dc: Real, pace: Real) -> Any:
    """DLMF 15.4.20 for c - a - b > 0; else infinite, with the sign from DLMF 15.4.21, 15.4.23."""
    e, de = c - a - b, dc - da - db
    p, q = c - a, c - b
    front, r, s = sc.gamma(c) * sc.gamma(e), sc.rgamma(p), sc.rgamma(q)
    f = front * r * s
    g = f * (digamma(c) * dc + digamma(e) * de) + front * (rgamma_d(p) * (dc - da) * s + r * rgamma_d(q) * (dc - db))
    # else F ~ Gamma(c) Gamma(-e)/(Gamma(a) Gamma(b)) (1-z)^e, or with -log(1-z) for e = 0
    sign, r, s = sc.gammasgn(c), sc.rgamma(a), sc.rgamma(b)
    strength = sign * r * s
    slope = sign * (rgamma_d(a) * da * s + r * rgamma_d(b) * db) + strength * digamma(c) * dc
    infinite = np.inf * np.where((strength != 0) & (de != 0), -np.sign(strength * de), np.sign(slope))
    return np.where(e > 0, f, np.inf * np.sign(strength)), np.where(e > 0, g, infinite)


def _series_and_steps(a: Real, b: Real, c: Real, z: Any, d: Any, da: Real, db: Real, dc: Real, pace: Real) -> Any:
    size = 1 + np.abs(a * b) / (np.abs(c) + 1)
    slow = 1 + np.abs(a + b - c) / 15
    r = np.abs(z)
    radius = np.minimum(r, pace * np.minimum(0.5 / slow, 1.5 / size))
    start = np.where(radius < r, z * (radius / np.maximum(r, 1e-300)), z)
    state = _power_series(a, b, c, start, da, db, dc)
    return _steps(start, z, d, state, a, b, c, da, db, dc, pace)


def _around(a: Real, b: Real, c: Real, z: Any, d: Any, da: Real, db: Real, dc: Real, pace: Real) -> Any:
    """Complex z beyond the singularity: from +-i|z|, along a line on which F does not decay against other solutions.

    F' = (a b/c) F(a + 1, b + 1; c + 1; z) there (DLMF 15.5.1).
    """
    start = 1j * np.where(z.imag >= 0, 1, -1) * np.abs(z)
    f, g = _pfaff(a, b, c, start, da, db, dc, pace)
    f1, g1 = _pfaff(a + 1, b + 1, c + 1, start, da, db, dc, pace)
    r = a * b / c
    dr = (da * b + a * db - r * dc) / c
    return _steps(start, z, d, (f, g, r * f1, dr * f1 + r * g1), a, b, c, da, db, dc, pace)


def _steps(
    start: Any, z: Any, d: Any, state: Any, a: Real, b: Real, c: Real, da: Real, db: Real, dc: Real, pace: Real
) -> Any:  # fmt: skip
    """From start to z in y = 1 - z, which is accurate near z = 1: the same equation with c -> a + b - c + 1."""
    f, g, f_slope, g_slope = state
    mirrored = (a, b, a + b - c + 1, da, db, da + db - dc, pace)
    y = np.where(start == z, d, 1 - start)
    return march(y, d, (f, g, -f_slope, -g_slope), mirrored, _step_length, _next_terms, terms=_TERMS)[:2]


def _power_series(a: Real, b: Real, c: Real, z: Any, da: Real, db: Real, dc: Real) -> Any:
    term, slope, power = np.ones_like(z), np.zeros_like(z), np.ones_like(z)
    f, g = term.copy(), slope.copy()
    f_slope, g_slope = slope.copy(), slope.copy()
    for k in range(_TERMS):
        q = (c + k) * (k + 1)
        r = (a + k) * (b + k) / q
        dr = (da * (b + k) + db * (a + k)) / q - r * dc / (c + k)
        term, slope = term * r, slope * r + term * dr
        f_slope, g_slope = f_slope + (k + 1) * term * power, g_slope + (k + 1) * slope * power
        power = power * z
        f, g = f + term * power, g + slope * power
    return f, g, f_slope, g_slope


def _step_length(x: Any, a: Real, b: Real, c: Real, da: Real, db: Real, dc: Real, pace: Real) -> Real:
    to_0, to_1 = np.abs(x) / (1 + np.abs(c) / 15), np.abs(1 - x) / (1 + np.abs(a + b - c) / 15)
    return pace * np.minimum(0.5 * np.minimum(to_0, to_1), 2 / np.sqrt(np.abs(a * b / (x * (1 - x))) + 1))


def _next_terms(
    k: int, x: Any, h: Any, w: list[Any], s: list[Any], a: Real, b: Real, c: Real, da: Real, db: Real, dc: Real,
    pace: Real,
) -> Any:  # fmt: skip
    """x (1 - x) w'' + (c - (a + b + 1) x) w' - a b w = 0 (DLMF 15.10.1) and its derivative."""
    den = x * (1 - x) * ((k + 1) * (k + 2))
    u = (a + k) * (b + k) * h * h / den
    v = (k + 1) * ((1 - 2 * x) * k + c - (a + b + 1) * x) * h / den
    forcing = (da * (b + k) + db * (a + k)) * h * h * w[0] - (k + 1) * (dc - (da + db) * x) * h * w[1]
    return u * w[0] - v * w[1], u * s[0] - v * s[1] + forcing / den


def _pfaff(a: Real, b: Real, c: Real, z: Any, da: Real, db: Real, dc: Real, pace: Real) -> Any:
    # the larger one first keeps the generic behaviour dominant, but derivatives proportional to a tiny one keep it
    swap = np.where(np.minimum(np.abs(a), np.abs(b)) < 0.01, np.abs(b) < np.abs(a), b > a)
    a, b, da, db = np.where(swap, b, a), np.where(swap, a, b), np.where(swap, db, da), np.where(swap, da, db)
    slip = np.where(pace == 1, 0.0, np.finfo(float).eps) * np.maximum(np.abs(b), np.abs(c))
    inner = _inner(a, c - b + slip, c, z / (z - 1), 1 / (1 - z), da, dc - db, dc, pace)
    return _times_power(inner, z, 1 - z, -a, -da)


def _direct(a: Real, b: Real, c: Real, z: Any, da: Real, db: Real, dc: Real, pace: Real) -> Any:
    return _inner(a, b, c, z, 1 - z, da, db, dc, pace)


def gauss(a: Real, b: Real, c: Real, z: Any, da: float, db: float, dc: float) -> Any:
    """(F, dF) of F = 2F1(a, b; c; z) along the direction (da, db, dc), whole numbers, for flat arrays."""
    return _evaluate(a, b, c, z, da, db, dc, 0)


def gauss_slope(a: Real, b: Real, c: Real, z: Any, da: float, db: float, dc: float) -> Any:
    """dF alone, which is cheaper next to zeros of F."""
    return _evaluate(a, b, c, z, da, db, dc, 1)[1]


def _evaluate(a: Real, b: Real, c: Real, z: Any, da: float, db: float, dc: float, needed_from: int) -> Any:
    """As `gauss`: by float64 in two ways, and by exact arithmetic where these differ in what is needed."""
    finite = np.isfinite(a) & np.isfinite(b) & np.isfinite(c) & np.isfinite(z)
    regular = ~_is_pole(c) & finite
    twice = (np.concatenate((q, q)) for q in (a, b, c, z, regular))
    both = _in_float64(*twice, da, db, dc, np.repeat((1.0, _OTHER_PACE), a.size))
    result, other = (tuple(q[half] for q in both) for half in (slice(a.size), slice(a.size, None)))
    # far below 0 the terms after those that float64 sums, where c + k is small, may be the largest
    doubtful = (~_exact.settled(result[needed_from:], other[needed_from:]) | (c < -_TERMS / 2)) & regular
    _exact.repair(result, other, doubtful, lambda *point: _exact.gauss(*point, da, db, dc), a, b, c, z)
    poles = finite & ~regular
    if poles.any():
        for whole, here in zip(result, _at_poles(a[poles], b[poles], c[poles], z[poles], da, db, dc), strict=True):
            whole[poles] = here
    return result


def _at_poles(a: Real, b: Real, c: Real, z: Any, da: float, db: float, dc: float) -> Any:
    """c = 0, -1, ...: SciPy has the polynomials of no higher degree, and for real z at c = a (1 - z)^-b."""

    def short(a: Real, b: Real, c: Real, z: Any, *direction: Real) -> Any:
        return _polynomial(a, b, c, z, 1 - z, *direction, np.ones_like(a))

    def swapped(a: Real, b: Real, c: Real, z: Any, da: Real, db: Real, dc: Real) -> Any:
        return short(b, a, c, z, db, da, dc)

    def power(a: Real, b: Real, c: Real, z: Any, da: Real, db: Real, dc: Real) -> Any:
        return _times_power((np.ones_like(z), np.zeros_like(z)), z, 1 - z, -b, -db)

    direction = (np.full(a.shape, q) for q in (da, db, dc))
    return by_region(
        (a, b, c, z, *direction),
        ((a == c) & np.isrealobj(z) & (da == dc == 0) & (z < 1), power),
        (_is_pole(a) & (a >= c) & ((a > c) | np.iscomplexobj(z)) & (a >= -_LONGEST_SUM) & (da == 0), short),
        (_is_pole(b) & (b >= c) & (b >= -_LONGEST_SUM) & (db == 0), swapped),
        outputs=2,
        dtype=np.result_type(z),
    )


def _in_float64(
    a: Real, b: Real, c: Real, z: Any, regular: Mask, da: float, db: float, dc: float, pace: Real
) -> Any:  # fmt: skip
    direction = (np.full(a.shape, q) for q in (da, db, dc))
    beyond = (z.real < 0) | ((z.real < 0.5) & (np.abs(z) > 1))
    short = (_is_pole(a) & (a >= -3) & (da == 0)) | (_is_pole(b) & (b >= -3) & (db == 0))
    regions = (regular & beyond & ~short, _pfaff), (regular, _direct)
    return by_region((a, b, c, z, *direction, pace), *regions, outputs=2, dtype=np.result_type(z))


@kernel(work=32)
def hyp2f1_da(a: Real, b: Real, c: Real, z: Real) -> Real:
    """∂/∂a of 2F1(a, b; c; z), real parameters, real z < 1 or complex z; at c = 0, -1, ... of short polynomials."""
    return gauss_slope(a, b, c, z, 1.0, 0.0, 0.0)


@kernel(work=32)
def hyp2f1_db(a: Real, b: Real, c: Real, z: Real) -> Real:
    """∂/∂b of 2F1(a, b; c; z), real parameters, real z < 1 or complex z; at c = 0, -1, ... of short polynomials."""
    return gauss_slope(a, b, c, z, 0.0, 1.0, 0.0)


@kernel(work=32)
def hyp2f1_dc(a: Real, b: Real, c: Real, z: Real) -> Real:
    """∂/∂c of 2F1(a, b; c; z), real parameters, real z < 1 or complex z; at c = 0, -1, ... of short polynomials."""
    return gauss_slope(a, b, c, z, 0.0, 0.0, 1.0)


hyp2f1_da.complex(work=64)(hyp2f1_da.__wrapped__)
hyp2f1_db.complex(work=64)(hyp2f1_db.__wrapped__)
hyp2f1_dc.complex(work=64)(hyp2f1_dc.__wrapped__)
