"""Hypergeometric series and their parameter derivatives in integer arithmetic, for points where float64 loses digits.

1F1 and 2F1 with a lower parameter far below 0, with a polynomial's tiny remainder, or on a path where another solution
grows, can be smaller than the terms that they are summed from by any number of digits. Here numbers are integers, units
of 2^-bits, so that the working precision is free: it is raised until two results agree to 2^-50. Slow (1 to 50 ms a
point), meant for the few points that need it; `settled` finds them.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ._fixed_point import Integers, over, plus, rationals, real_times, times, to_fixed, to_float
from ._numerics import Mask

_MOST_BITS = 1 << 14
_AGREEMENT = 2.0**-50
_ZERO = 2.0**-400
"""What is no larger at two precisions is 0."""
_FAR_BELOW = -50.0
_NEGLIGIBLE = -60.0
"""Logarithm of terms that don't matter."""
_MOST_TERMS = 20_000
_NOISE = 16
"""Rounding downwards leaves terms of a few units where they should have vanished."""
_LARGEST_CONFLUENT, _LARGEST_GAUSS, _FARTHEST_CONFLUENT = 10_000, 2000, 3000
"""Larger parameters and arguments need more terms or digits than anybody waits for."""
_CHECK = 8
"""Every so many terms it is asked whether they have vanished."""
_DOUBT, _HOPELESS = 1e-12, 1e-9
Pair = tuple[complex, complex]


def settled(a: Any, b: Any) -> Mask:
    """Where two evaluations, ((F, dF), (F, dF)) by different steps and roundings, agree."""
    return np.logical_and.reduce([(p == q) | (np.abs(p - q) <= _DOUBT * np.abs(p)) for p, q in zip(a, b, strict=True)])


def repair(result: Any, other: Any, doubtful: Mask, exact: Callable[..., Any], *args: Any) -> None:
    """Put `exact(*point)` in place of `result`, a tuple of columns, at the doubtful points.

    Where that is None, what `result` and `other` agree on stays, and the rest is NaN.
    """
    for i in np.flatnonzero(doubtful):
        found = exact(*(q[i].item() for q in args))
        for k, (column, second) in enumerate(zip(result, other, strict=True)):
            if found is not None:
                column[i] = found[k] if column.dtype.kind == "c" else complex(found[k]).real
            elif column[i] != second[i] and not abs(column[i] - second[i]) <= _HOPELESS * abs(column[i]):
                column[i] = np.nan


def _until_agreed(evaluate: Callable[[int], Pair | None], bits: int) -> Pair | None:
    old = None
    while bits <= _MOST_BITS:
        new = evaluate(bits)
        if new is None:
            return None
        if old and all(map(_agree, old, new)):
            return new
        bits, old = bits + bits // 2, new
    return None


def _agree(p: complex, q: complex) -> bool:
    """Infinite is what the rounding of huge terms looks like with too few bits."""
    return cmath.isfinite(q) and (p == q or abs(p - q) <= max(_AGREEMENT * abs(q), _ZERO))


# ---- power series


def _series(
    a: float, b: float | None, c: float, direction: Sequence[int], z: complex, bits: int
) -> tuple[Integers, Integers, Integers, Integers] | None:
    """(F, dF, z F', z dF') of 2F1(a, b; c; z) along (da, db, dc); of 1F1(a; c; z) without b.

    The loops of this module write complex products out: each is a handful of integer operations, less than a call.
    """
    (ak, bk, ck), one = rationals([a, 1.0 if b is None else b, c])
    b_step = 0 if b is None else one
    da, db, dc = direction
    x, y = to_fixed(z, bits)
    t, ti = 1 << bits, 0
    f, fi = t, 0
    s = si = g = gi = f_slope = fi_slope = g_slope = gi_slope = 0
    longest = max(abs(z), -a, -c, 0.0 if b is None else -b)
    for k in range(1, _MOST_TERMS):
        if not ck:
            return None
        whole = ck * one * k
        ratio, rise = (ak * bk << bits) // whole, ((da * bk + db * ak) * one << bits) // whole
        fall = (dc * one << bits) // ck
        u, ui = ratio * t >> bits, ratio * ti >> bits
        v, vi = (ratio * s + rise * t - fall * u) >> bits, (ratio * si + rise * ti - fall * ui) >> bits
        t, ti = (u * x - ui * y) >> bits, (u * y + ui * x) >> bits
        s, si = (v * x - vi * y) >> bits, (v * y + vi * x) >> bits
        f, fi, g, gi = f + t, fi + ti, g + s, gi + si
        f_slope, fi_slope, g_slope, gi_slope = f_slope + k * t, fi_slope + k * ti, g_slope + k * s, gi_slope + k * si
        ak, bk, ck = ak + one, bk + b_step, ck + one
        if k % _CHECK == 0 and k > longest + 1 and max(map(abs, (t, ti, s, si))) <= _NOISE * (1 + abs(z)):
            return (f, fi), (g, gi), (f_slope, fi_slope), (g_slope, gi_slope)
    return None


def _bits_of_terms(a: float, b: float | None, c: float, near: complex, z: complex) -> int:
    """How small terms of the series at `near` get before others that matter at z: for c << 0 they grow again."""
    if c > _FAR_BELOW:
        return 0
    k = np.arange(int(abs(a) + abs(b or 0) + abs(c)) + 200)
    with np.errstate(all="ignore"):
        sizes = np.log2(np.abs((a + k) * (1.0 if b is None else b + k) / ((c + k) * (k + 1))))
        at_z = np.cumsum(sizes + math.log2(abs(z) if b is None else min(abs(z), 1.0)))
        at_near = np.cumsum(sizes + math.log2(abs(near)))
    needed = np.flatnonzero((at_z > _NEGLIGIBLE) & (at_z > np.minimum.accumulate(at_z) + 1))
    return int(max(0.0, -np.min(at_near[: needed[-1] + 1]))) if needed.size and np.isfinite(at_near).all() else 0


def confluent_reaches(a: Any, b: Any, z: Any) -> Any:
    """Where `confluent` doesn't take too long."""
    return (np.maximum(np.abs(a), np.abs(b)) <= _LARGEST_CONFLUENT) & (np.abs(z) <= _FARTHEST_CONFLUENT)


def confluent(a: float, b: float, z: complex, da: float, db: float) -> Pair | None:
    """(F, dF) of 1F1(a; b; z) along (da, db), whole numbers; None where it would take too long."""
    if not confluent_reaches(a, b, z):
        return None

    def evaluate(bits: int) -> Pair | None:
        sums = _series(a, None, b, (int(da), 0, int(db)), z, bits)
        return sums and (to_float(sums[0], bits), to_float(sums[1], bits))

    return _until_agreed(evaluate, 128 + int(1.5 * abs(z)) + _bits_of_terms(a, None, b, z, z)) if z else None


# ---- 2F1: the series, and Taylor steps of its equation along a ray


def gauss(a: float, b: float, c: float, z: complex, da: float, db: float, dc: float) -> Pair | None:
    """(F, dF) of 2F1(a, b; c; z) along (da, db, dc), whole numbers; None where it would take too long."""
    z = complex(z)
    on_cut = z.imag == 0 and z.real > 1
    if max(abs(a), abs(b), abs(c)) > _LARGEST_GAUSS or abs(z) > 1e6 or abs(1 - z) < 1e-12 or on_cut:
        return None
    direction = int(da), int(db), int(dc)
    beside_cut = z.imag != 0 and z.real > 1 and abs(z.imag) < 0.5 * abs(z)
    # a way around 1 needs fewer steps than one past it
    corner = math.copysign(abs(z), z.imag) * 1j if beside_cut else z
    near = corner if abs(z) <= 0.4 else corner / abs(z) * 0.375

    def evaluate(bits: int) -> Pair | None:
        sums = _series(a, b, c, direction, near, bits)
        if sums is None:
            return None
        x = to_fixed(near, bits)
        state = sums[0], sums[1], over(sums[2], x, bits), over(sums[3], x, bits)
        for stop in (corner, z):
            end = to_fixed(stop, bits)
            while x != end:
                gap = to_float((end[0] - x[0], end[1] - x[1]), bits)
                here = to_float(x, bits)
                longest = 0.5 * min(abs(here), abs(1 - here))
                h = (
                    (end[0] - x[0], end[1] - x[1])
                    if abs(gap) <= longest
                    else to_fixed(gap * (longest / abs(gap)), bits)
                )
                state = _gauss_step(x, h, state, (a, b, c), direction, bits)
                x = plus(x, h)
        return to_float(state[0], bits), to_float(state[1], bits)

    return _until_agreed(evaluate, 128 + _bits_of_terms(a, b, c, near, z)) if z else None


def _gauss_step(
    x: Integers, h: Integers, state: tuple[Integers, ...], parameters: Sequence[float], direction: Sequence[int],
    bits: int,
) -> tuple[Integers, ...]:  # fmt: skip
    """Taylor series at x of x (1 - x) w'' + (c - (a + b + 1) x) w' - a b w = 0 (DLMF 15.10.1) and its derivative."""
    one = 1 << bits
    a, b, c = (to_fixed(q, bits)[0] for q in parameters)
    da, db, dc = direction
    f, g, df, dg = state
    scale = over(h, times(x, (one - x[0], -x[1]), bits), bits)  # h/(x (1 - x))
    square = times(scale, h, bits)
    at_x = times(scale, plus((c, 0), real_times(-(a + b + one), x, bits)), bits)
    per_k = times(scale, (one - 2 * x[0], -2 * x[1]), bits)
    forcing = times(scale, (dc * one - (da + db) * x[0], -(da + db) * x[1]), bits)
    (m, mi), (p, pi), (q, qi), (r, ri) = square, at_x, per_k, forcing
    (w0, w0i), (s0, s0i) = f, g
    (w1, w1i), (s1, s1i) = w_slope, s_slope = times(df, h, bits), times(dg, h, bits)
    w, wi, s, si = w0 + w1, w0i + w1i, s0 + s1, s0i + s1i
    (f_slope, fi_slope), (g_slope, gi_slope) = w_slope, s_slope
    for k in range(2, _MOST_TERMS):
        u, du = (a * b >> bits) // (k * (k - 1)), (da * b + db * a) // (k * (k - 1))
        v, vi = -p // k, -pi // k
        n, ni = (m * w0 - mi * w0i) >> bits, (m * w0i + mi * w0) >> bits
        o, oi = (m * s0 - mi * s0i) >> bits, (m * s0i + mi * s0) >> bits
        w0, w0i, s0, s0i = w1, w1i, s1, s1i
        w1, w1i = (u * n + v * w0 - vi * w0i) >> bits, (u * ni + v * w0i + vi * w0) >> bits
        s1 = (u * o + du * n + v * s0 - vi * s0i - (r * w0 - ri * w0i) // k) >> bits
        s1i = (u * oi + du * ni + v * s0i + vi * s0 - (r * w0i + ri * w0) // k) >> bits
        w, wi, s, si = w + w1, wi + w1i, s + s1, si + s1i
        f_slope, fi_slope = f_slope + k * w1, fi_slope + k * w1i
        g_slope, gi_slope = g_slope + k * s1, gi_slope + k * s1i
        a, b, p, pi = a + one, b + one, p + q, pi + qi
        if k % _CHECK == 0 and k > 20 and max(map(abs, (w0, w0i, w1, w1i, s0, s0i, s1, s1i))) <= _NOISE:
            break
    return (w, wi), (s, si), over((f_slope, fi_slope), h, bits), over((g_slope, gi_slope), h, bits)


# ---- Tricomi's polynomials


def tricomi_polynomial_db(a: float, b: float, z: float) -> tuple[float]:
    """∂U(a, b, z)/∂b for a = 0, -1, ..., by the sum DLMF 13.2.7 of rational numbers."""
    n = int(-a)
    (p, x), one = rationals([b, z])
    total, product, slope = 0, 1, 0  # product: (b+s)_(n-s)
    for s in range(n, -1, -1):
        if s < n:
            product, slope = product * (p + s * one), slope * (p + s * one) + product * one
        total += math.comb(n, s) * slope * (-x) ** s
    return ((-1) ** n * total / one**n,)
