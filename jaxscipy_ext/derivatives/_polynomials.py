"""What the orthogonal polynomials share: factors, and sums where the hypergeometric function has a pole."""

from collections.abc import Callable
from itertools import zip_longest
from typing import Any

import numpy as np
import scipy.special as sc

from ._numerics import Mask, Real, digamma, kernel, rgamma_d

_LONGEST_SUM = 100
Factor = tuple[Real, float]
"""The argument of a gamma function, and its derivative."""


def gamma_quotient(above: list[Factor], below: list[Factor]) -> tuple[Real, Real]:
    """Product of Gamma(above) over that of Gamma(below) and its derivative, finite at the poles of those below."""
    value, slope = np.ones_like(above[0][0]), np.zeros_like(above[0][0])
    log_value, log_slope = np.zeros_like(value), np.zeros_like(value)
    large = np.zeros(value.shape, bool)
    for up, down in zip_longest(above, below):
        same = up is not None and down is not None and up[1] == down[1] and (up[0] == down[0])  # they cancel exactly
        for pair, sign in ((up, 1), (down, -1)):
            if pair is None:
                continue
            x, dx = pair
            g = sc.gamma(x) if sign > 0 else sc.rgamma(x)
            dg = g * digamma(x) * dx if sign > 0 and dx else rgamma_d(x) * dx if dx else np.zeros_like(x)
            g, dg = np.where(same, 1.0, g), np.where(same, 0.0, dg)
            value, slope = value * g, slope * g + value * dg
            log_value = log_value + np.where(same, 0.0, sign * sc.gammaln(x))
            log_slope = log_slope + np.where(same, 0.0, sign * digamma(x) * dx)
            large |= x > 80
    big = np.exp(log_value)
    return np.where(large, big, value), np.where(large, big * log_slope, slope)


def product(c: tuple[Real, Real], f: tuple[Any, Any]) -> Any:
    return c[1] * f[0] + c[0] * f[1]


def also_complex(function: Callable[..., Any]) -> Any:
    """A kernel that works as it is for a complex last argument, too."""
    public = kernel(work=32)(function)
    public.complex(work=64)(function)
    return public


def whole(n: Real, c: Real) -> Mask:
    """Polynomials whose hypergeometric function has the lower parameter 0, -1, ..., a pole that the factor cancels."""
    return (n >= 0) & (n == np.round(n)) & (n <= _LONGEST_SUM) & (c <= 0) & (c == np.round(c))


def polynomial(n: Real, b: Real, c: Real, w: Any, db: float, dc: float) -> tuple[Any, Any]:
    """sum_k (b)_k (c + k)_(n-k)/(k! (n-k)!) w^k and its derivative along (db, dc); without (b)_k if b is infinite."""
    top = int(n.max(initial=0))
    tail, dtail = np.ones_like(c), np.zeros_like(c)
    tails = [(tail, dtail)]
    for k in reversed(range(top)):
        factor = np.where(k < n, (c + k) / np.maximum(n - k, 1), 1.0)
        slope = np.where(k < n, dc / np.maximum(n - k, 1), 0.0)
        tail, dtail = tail * factor, dtail * factor + tail * slope
        tails.append((tail, dtail))
    head, dhead = np.ones_like(w), np.zeros_like(w)
    value, change = np.zeros_like(w), np.zeros_like(w)
    for k, (tail, dtail) in enumerate(reversed(tails)):
        here = k <= n
        value, change = value + np.where(here, head * tail, 0), change + np.where(here, dhead * tail + head * dtail, 0)
        rising = np.where(np.isinf(b), 1.0, b + k)
        head, dhead = (
            head * rising * w / (k + 1),
            (dhead * rising + np.where(np.isinf(b), 0.0, head * db)) * w / (k + 1),
        )
    return value, change


def is_constant(n: Real) -> Mask:
    """Degree 0, and -1, -2, ..., where 1/Γ(n+1) makes the function zero."""
    return (n <= 0) & (n == np.round(n))


def is_left(n: Real, y: Any) -> Mask:
    """Where P_n(-y) = (-1)^n P_n(y) with exchanged shapes (DLMF 18.6.1) is used."""
    return (y.real < 0) & (n == np.round(n))


def parity(n: Real) -> Real:
    return np.where(n % 2 == 0, 1.0, -1.0)
