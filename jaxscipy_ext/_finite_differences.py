"""Difference quotients on integer nodes: weights, an embedded formula that tells the error, and what tells of a pole.

NumPy alone: kernels of derivatives, which import nothing of the runtime, use the weights, too.
"""

import functools
import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

HALF_WIDTH = 8


@dataclass(frozen=True)
class Formula:
    """Weights of a derivative at 0 on `nodes`, of an embedded formula and of the highest difference."""

    nodes: NDArray[np.int64]
    fine: NDArray[np.float64]
    coarse: NDArray[np.float64]
    highest_difference: NDArray[np.float64]
    """Its absolute values add up to 1."""
    noise: float
    """Rounding errors of the result in those of the largest value."""


@functools.cache
def around(order: int, half_width: int = HALF_WIDTH) -> Formula:
    """The central formula on -half_width..half_width; the embedded one has three quarters of the width."""
    nodes = np.arange(-half_width, half_width + 1)
    differences = [(-1) ** k * math.comb(2 * half_width, k) for k in range(nodes.size)]
    narrow = 3 * half_width // 4
    return Formula(
        nodes,
        _weights(half_width, order),
        np.pad(_weights(narrow, order), half_width - narrow),
        np.array(differences) / 4.0**half_width,
        4.0,
    )


@functools.cache
def upward(order: int) -> Formula:
    """The formula in t on -16..16, folded: 17 nodes t^2."""
    even = around(2 * order, 2 * HALF_WIDTH)
    jacobian = math.factorial(order) / math.factorial(2 * order)

    def folded(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        middle = weights.size // 2
        return np.concatenate([weights[middle : middle + 1], 2 * weights[middle + 1 :]])

    fine, coarse = jacobian * folded(even.fine), jacobian * folded(even.coarse)
    squares = np.arange(2 * HALF_WIDTH + 1) ** 2
    return Formula(squares, fine, coarse, folded(even.highest_difference), float(np.sum(np.abs(fine))))


def _weights(half_width: int, order: int) -> NDArray[np.float64]:
    return difference_weights(tuple(range(-half_width, half_width + 1)), order)


@functools.cache
def difference_weights(nodes: tuple[int, ...], order: int = 1) -> NDArray[np.float64]:
    """Weights of the `order`-th derivative at 0 on integer nodes (Fornberg, Math. Comp. 51 (1988) 699), exactly."""
    table = [[Fraction(0)] * (order + 1) for _ in nodes]
    table[0][0] = Fraction(1)
    previous = Fraction(1)
    for i in range(1, len(nodes)):
        product = Fraction(1)
        old = [row[:] for row in table]
        for j in range(i):
            gap = nodes[i] - nodes[j]
            product *= gap
            for k in range(order + 1):
                table[j][k] = (nodes[i] * old[j][k] - (k * old[j][k - 1] if k else 0)) / gap
        for k in range(order + 1):
            table[i][k] = previous / product * ((k * old[i - 1][k - 1] if k else 0) - nodes[i - 1] * old[i - 1][k])
        previous = product
    return np.array([float(row[order]) for row in table])
