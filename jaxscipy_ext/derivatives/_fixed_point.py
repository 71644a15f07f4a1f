"""Complex numbers as pairs of integers, in units of 2^-bits: a working precision that is free."""

import math
from collections.abc import Sequence

Integers = tuple[int, int]
"""Real and imaginary part."""


def to_fixed(z: complex, bits: int) -> Integers:
    def part(x: float) -> int:
        numerator, denominator = x.as_integer_ratio()
        return (numerator << bits) // denominator

    z = complex(z)
    return part(z.real), part(z.imag)


def to_float(x: Integers, bits: int) -> complex:
    def part(n: int) -> float:
        shift = max(0, abs(n).bit_length() - 64)
        try:
            return math.ldexp(float(n >> shift), shift - bits)
        except OverflowError:
            return math.inf if n > 0 else -math.inf

    return complex(part(x[0]), part(x[1]))


def times(x: Integers, y: Integers, bits: int) -> Integers:
    if not x[1] and not y[1]:
        return (x[0] * y[0]) >> bits, 0
    return (x[0] * y[0] - x[1] * y[1]) >> bits, (x[0] * y[1] + x[1] * y[0]) >> bits


def real_times(r: int, x: Integers, bits: int) -> Integers:
    return r * x[0] >> bits, r * x[1] >> bits


def over(x: Integers, y: Integers, bits: int) -> Integers:
    size = y[0] * y[0] + y[1] * y[1]
    return ((x[0] * y[0] + x[1] * y[1]) << bits) // size, ((x[1] * y[0] - x[0] * y[1]) << bits) // size


def plus(x: Integers, y: Integers) -> Integers:
    return x[0] + y[0], x[1] + y[1]


def rationals(values: Sequence[float]) -> tuple[list[int], int]:
    """Integers n and one power of two d with values = n/d."""
    ratios = [v.as_integer_ratio() for v in values]
    d = max(q for _, q in ratios)
    return [n * (d // q) for n, q in ratios], d
