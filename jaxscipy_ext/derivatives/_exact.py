"""Hypergeometric series and their parameter derivatives in integer arithmetic, for points where float64 loses digits.

1F1 and 2F1 with a lower parameter far below 0, with a polynomial's tiny remainder, or on a path where another solution
grows, can be smaller than the terms that they are summed from by any number of digits. Here numbers are integers, units
of 2^-bits, so that the working precision is free: it is raised until two results agree to 2^-50. Slow (1 to 50 ms a
point), meant for the few points that need it; `settled` finds them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ._numerics import Mask

_MOST_BITS = 1 << 14
_AGREEMENT = 2.0**-50
_MOST_TERMS = 20_000
_NOISE = 16
"""Rounding downwards leaves terms of a few units where they should have vanished."""
_DOUBT = 1e-12
Integers = tuple[int, int]
"""Real and imaginary part, in units of 2^-bits."""
Pair = tuple[complex, complex]


def settled(a: Any, b: Any) -> Mask:
    """Where two evaluations, ((F, dF), (F, dF)) by different steps and roundings, agree."""
    return np.logical_and.reduce([(p == q) | (np.abs(p - q) <= _DOUBT * np.abs(p)) for p, q in zip(a, b, strict=True)])


def repair(result: Any, doubtful: Mask, exact: Callable[..., Any], *args: Any) -> None:
    """Put `exact(*point)` in place of `result`, a tuple of columns, at the doubtful points, where it is not None."""
    for i in np.flatnonzero(doubtful):
        found = exact(*(q[i].item() for q in args))
        if found is not None:
            for column, value in zip(result, found, strict=True):
                column[i] = value if column.dtype.kind == "c" else complex(value).real


def _until_agreed(evaluate: Callable[[int], Pair | None], bits: int) -> Pair | None:
    old = None
    while bits <= _MOST_BITS:
        new = evaluate(bits)
        if new is None:
            return None
        if old is not None and all(abs(p - q) <= _AGREEMENT * abs(q) for p, q in zip(old, new, strict=True)):
            return new
        bits, old = bits + bits // 2, new
    return None


# ---- fixed point


def _fixed(z: complex, bits: int) -> Integers:
    def part(x: float) -> int:
        numerator, denominator = x.as_integer_ratio()
        return (numerator << bits) // denominator

    z = complex(z)
    return part(z.real), part(z.imag)


def _float(x: Integers, bits: int) -> complex:
    def part(n: int) -> float:
        shift = max(0, abs(n).bit_length() - 64)
        try:
            return math.ldexp(float(n >> shift), shift - bits)
        except OverflowError:
            return math.inf if n > 0 else -math.inf

    return complex(part(x[0]), part(x[1]))


def _times(x: Integers, y: Integers, bits: int) -> Integers:
    if not x[1] and not y[1]:
        return (x[0] * y[0]) >> bits, 0
    return (x[0] * y[0] - x[1] * y[1]) >> bits, (x[0] * y[1] + x[1] * y[0]) >> bits


def _real_times(r: int, x: Integers, bits: int) -> Integers:
    return r * x[0] >> bits, r * x[1] >> bits


def _over(x: Integers, y: Integers, bits: int) -> Integers:
    size = y[0] * y[0] + y[1] * y[1]
    return ((x[0] * y[0] + x[1] * y[1]) << bits) // size, ((x[1] * y[0] - x[0] * y[1]) << bits) // size


def _scaled(x: Integers, n: int, d: int) -> Integers:
    return x[0] * n // d, x[1] * n // d


def _plus(x: Integers, y: Integers) -> Integers:
    return x[0] + y[0], x[1] + y[1]


# ---- power series


def _rationals(values: Sequence[float]) -> tuple[list[int], int]:
    """Integers n and one power of two d with values = n/d."""
    ratios = [v.as_integer_ratio() for v in values]
    d = max(q for _, q in ratios)
    return [n * (d // q) for n, q in ratios], d


def _series(
    upper: Sequence[float], lower: Sequence[float], d_upper: Sequence[float], d_lower: Sequence[float],
    z: complex, bits: int,
) -> tuple[Integers, Integers, Integers, Integers] | None:  # fmt: skip
    """(F, dF, z F', z dF') of sum_k (upper)_k/(lower)_k z^k/k!, dF along (d_upper, d_lower), whole numbers."""
    numbers, one = _rationals([*upper, *lower])
    tops, bottoms = numbers[: len(upper)], numbers[len(upper) :]
    x, zero = _fixed(z, bits), (0, 0)
    term: Integers = (1 << bits, 0)
    slope = f_slope = g_slope = g = zero
    f = term
    for k in range(_MOST_TERMS):
        p, dp, q, dq = 1, 0, 1, 0
        for n, dn in zip(tops, d_upper, strict=True):
            p, dp = p * (n + k * one), dp * (n + k * one) + p * int(dn) * one
        for n, dn in zip(bottoms, d_lower, strict=True):
            q, dq = q * (n + k * one), dq * (n + k * one) + q * int(dn) * one
        if not q:
            return None
        whole = q * one ** (len(upper) - len(lower)) * (k + 1)
        ratio, rise, fall = (p << bits) // whole, (dp << bits) // whole, (dq << bits) // q
        next_term = _real_times(ratio, term, bits)
        change = _plus(_real_times(rise, term, bits), _real_times(-fall, next_term, bits))
        slope = _plus(_real_times(ratio, slope, bits), change)
        term, slope = _times(next_term, x, bits), _times(slope, x, bits)
        f, g = _plus(f, term), _plus(g, slope)
        f_slope = _plus(f_slope, _scaled(term, k + 1, 1))
        g_slope = _plus(g_slope, _scaled(slope, k + 1, 1))
        small = max(map(abs, (*term, *slope))) <= _NOISE * (1 + abs(z))
        if small and k > max(0, *(-v for v in (*upper, *lower))) and abs(z) < k:
            return f, g, f_slope, g_slope
    return None


def confluent(a: float, b: float, z: complex, da: float, db: float) -> Pair | None:
    """(F, dF) of 1F1(a; b; z) along (da, db), whole numbers; None where it would take too long."""
    if max(abs(a), abs(b)) > 500 or abs(z) > 1000:
        return None

    def evaluate(bits: int) -> Pair | None:
        sums = _series((a,), (b,), (da,), (db,), z, bits)
        return sums and (_float(sums[0], bits), _float(sums[1], bits))

    return _until_agreed(evaluate, 160 + int(2 * abs(z)))


# ---- 2F1: the series, and Taylor steps of its equation along a ray


def gauss(a: float, b: float, c: float, z: complex, da: float, db: float, dc: float) -> Pair | None:
    """(F, dF) of 2F1(a, b; c; z) along (da, db, dc), whole numbers; None where it would take too long."""
    if max(abs(a), abs(b), abs(c)) > 200 or abs(z) > 1e6 or abs(1 - z) < 1e-12 or (complex(z).imag == 0 and z.real > 1):
        return None
    direction = int(da), int(db), int(dc)
    near = z if abs(z) <= 0.4 else z / abs(z) * 0.375

    def evaluate(bits: int) -> Pair | None:
        sums = _series((a, b), (c,), direction[:2], direction[2:], near, bits)
        if sums is None:
            return None
        x, end = _fixed(near, bits), _fixed(z, bits)
        f, g, df, dg = sums[0], sums[1], _over(sums[2], x, bits), _over(sums[3], x, bits)
        while x != end:
            gap = _float((end[0] - x[0], end[1] - x[1]), bits)
            here = _float(x, bits)
            longest = 0.5 * min(abs(here), abs(1 - here))
            h = (end[0] - x[0], end[1] - x[1]) if abs(gap) <= longest else _fixed(gap * (longest / abs(gap)), bits)
            f, g, df, dg = _gauss_step(x, h, (f, g, df, dg), (a, b, c), direction, bits)
            x = _plus(x, h)
        return _float(f, bits), _float(g, bits)

    return _until_agreed(evaluate, 256) if z else None


def _gauss_step(
    x: Integers, h: Integers, state: tuple[Integers, ...], parameters: Sequence[float], direction: Sequence[int],
    bits: int,
) -> tuple[Integers, ...]:  # fmt: skip
    """Taylor series at x of x (1 - x) w'' + (c - (a + b + 1) x) w' - a b w = 0 (DLMF 15.10.1) and its derivative."""
    one = 1 << bits
    a, b, c = (_fixed(q, bits)[0] for q in parameters)
    da, db, dc = direction
    f, g, df, dg = state
    scale = _over(h, _times(x, (one - x[0], -x[1]), bits), bits)  # h/(x (1 - x))
    square = _times(scale, h, bits)
    at_x = _times(scale, _plus((c, 0), _real_times(-(a + b + one), x, bits)), bits)
    per_k = _times(scale, (one - 2 * x[0], -2 * x[1]), bits)
    forcing = _times(scale, (dc * one - (da + db) * x[0], -(da + db) * x[1]), bits)
    w0, w1, s0, s1 = f, _times(df, h, bits), g, _times(dg, h, bits)
    f, g, f_slope, g_slope = _plus(f, w1), _plus(g, s1), w1, s1
    for k in range(_MOST_TERMS):
        ak, bk, n = a + k * one, b + k * one, (k + 1) * (k + 2)
        u, du = (ak * bk >> bits) // n, (da * bk + db * ak) // n
        v = (-(k * per_k[0] + at_x[0]) // (k + 2), -(k * per_k[1] + at_x[1]) // (k + 2))
        w2 = _plus(_times(square, _real_times(u, w0, bits), bits), _times(v, w1, bits))
        lead = _times(square, _plus(_real_times(u, s0, bits), _real_times(du, w0, bits)), bits)
        s2 = _plus(_plus(lead, _times(v, s1, bits)), _scaled(_times(forcing, w1, bits), -1, k + 2))
        w0, w1, s0, s1 = w1, w2, s1, s2
        f, g = _plus(f, w2), _plus(g, s2)
        f_slope, g_slope = _plus(f_slope, _scaled(w2, k + 2, 1)), _plus(g_slope, _scaled(s2, k + 2, 1))
        if max(map(abs, (*w1, *w2, *s1, *s2))) <= _NOISE and k > 20:
            break
    return f, g, _over(f_slope, h, bits), _over(g_slope, h, bits)


# ---- Tricomi's polynomials


def tricomi_polynomial_db(a: float, b: float, z: float) -> tuple[float]:
    """∂U(a, b, z)/∂b for a = 0, -1, ..., by the sum DLMF 13.2.7 of rational numbers."""
    n = int(-a)
    (p, x), one = _rationals([b, z])
    total, product, slope = 0, 1, 0  # product: (b+s)_(n-s)
    for s in range(n, -1, -1):
        if s < n:
            product, slope = product * (p + s * one), slope * (p + s * one) + product * one
        total += math.comb(n, s) * slope * (-x) ** s
    return ((-1) ** n * total / one**n,)
