"""Integrals of a weight against the tails of a beta density, relative to the front x^a (1-x)^b/B(a, b).

In u = ln(t/(1-t)) the density is log-concave and analytic for |Im u| < π: 4 x 48 Gauss-Legendre nodes from u(x) to
where it has fallen by e^-42. Beyond |u| = 40 it is a pure exponential, integrated in closed form.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as sc

from ._numerics import CUTOFF, Real, contour_end, log1pmx, panels, stirling_remainder

_EDGE = 40.0
_PANELS, _NODES = 4, 48
WORK = _PANELS * _NODES


def log_beta_front(a: Real, b: Real, x: Real, y: Real) -> Real:
    """ln(x^a y^b/B(a, b)), y = 1 - x, about the saddle point where a or b is large.

    What x + y misses of 1 is a rounding error of the larger of the two, corrected to first order: with b = 1e4 it is
    worth 1e-12.
    """
    swap = a < b  # make a the larger one
    a, b = np.where(swap, b, a), np.where(swap, a, b)
    x, y = np.where(swap, y, x), np.where(swap, x, y)
    slip = (1 - np.maximum(x, y)) - np.minimum(x, y)
    slip_x, slip_y = np.where(x >= y, slip, 0.0), np.where(x >= y, 0.0, slip)
    large_a, large_b = np.maximum(a, 10.0), np.maximum(b, 10.0)

    n = large_a + large_b
    d = x * large_b - y * large_a + (slip_x * large_b - slip_y * large_a)  # n x - a
    both = large_a * log1pmx(d / large_a, x * n / large_a) + large_b * log1pmx(-d / large_b, y * n / large_b)
    both += stirling_remainder(n) - stirling_remainder(large_a) - stirling_remainder(large_b)
    both += 0.5 * np.log(large_a / n * large_b / (2 * math.pi))

    n = large_a + b
    offset = (x * b - y * large_a + (slip_x * b - slip_y * large_a)) / large_a  # x n/a - 1
    ln_x = np.where(np.abs(offset) < 0.5, np.log1p(offset), np.log(x * n / large_a))
    one = large_a * ln_x - 0.5 * np.log1p(b / large_a) - b + b * (np.log(y * n) + slip_y / y)
    one += stirling_remainder(n) - stirling_remainder(large_a) - sc.gammaln(b)

    neither = a * np.log(x) + b * np.log(y) - sc.betaln(a, b)
    return np.where(b >= 10, both, np.where(a >= 10, one, neither))


def score_tail(
    a: Real, b: Real, x: Real, y: Real, side: int, weight: Callable[[Real], Real], beyond: Callable[[Real], Any]
) -> Real:
    """∫ weight x density/front over (0, x) for side = -1, over (x, 1) for side = +1.

    `weight(p)` gets p = ln(t/x) at the nodes, on a last axis. `beyond(p)` gives the weight and its slope in |u| at the
    last node, used where that lies at |u| = 40: the weight is linear in u from there on.
    """
    logit = log_x(x, y) - log_x(y, x)

    def logs(s: Real, x: Real, y: Real) -> tuple[Real, Real]:
        """ln(t/x) and ln((1-t)/(1-x)) at u = u(x) + side s, without cancellation at x or y near 1."""
        behind, ahead = (x, y) if side < 0 else (y, x)
        by_behind, by_ahead = -np.log1p(behind * np.expm1(-s)), -np.log1p(ahead * np.expm1(s))
        up = np.where(behind < 0.5, by_behind, s + by_ahead)
        down = np.where(behind < 0.5, by_behind - s, by_ahead)
        return (down, up) if side < 0 else (up, down)

    def exponent(s: Real) -> Real:
        p, q = logs(s, x, y)
        return a * p + b * q

    limit = np.maximum(_EDGE - side * logit, _EDGE)
    end = contour_end(lambda s: exponent(s) + CUTOFF, np.zeros_like(a), limit)
    s, weights = panels(np.zeros_like(a), end, _PANELS, _NODES)
    p, q = logs(s, x[:, None], y[:, None])
    inner = (weights * weight(p) * np.exp(a[:, None] * p + b[:, None] * q)).sum(-1)
    p, _ = logs(end, x, y)
    value, slope = beyond(p)
    rate = a if side < 0 else b
    outer = np.exp(exponent(end)) * (value / rate + slope / rate**2)
    return inner + np.where(end >= limit * (1 - 1e-6), outer, 0.0)


def log_x(x: Real, y: Real) -> Real:
    """ln x, from y = 1 - x where that is the smaller one."""
    return np.where(x < 0.5, np.log(x), np.log1p(-y))
