"""Numerical derivatives of a host with their own error: central differences, extrapolated by Richardson.

The steps of a point form a geometric ladder; Neville's tableau removes one even power of the step per column (Ridders,
Adv. Eng. Softw. 4 (1982) 75). Of all entries the one with the smallest estimated error wins, point by point: the
distance to its neighbours in the tableau (truncation, noise of the host) and the rounding of the values.
Where the host is NaN on one side only, the differences are one-sided (all powers of the step are removed).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Host = Callable[..., Any]
Direction = tuple[int, complex]
"""An argument and the direction in which it moves (1, or 1j for complex ones)."""
Noise = float | NDArray[np.float64]

_LEVELS = 12
_WIDE_LEVELS = (6, 8)
"""So many levels of the ladder are asked for themselves."""
_WIDEST = 0.25
"""Of the larger of |x| and 1/4."""
_EPS = np.finfo(float).eps


@dataclass(frozen=True)
class Difference:
    """A derivative of one output at every point, with its estimated error (inf where none)."""

    value: NDArray[Any]
    error: NDArray[np.float64]


def leaves(result: Any) -> list[NDArray[Any]]:
    """The outputs of a host or function as arrays."""
    return [np.asarray(leaf) for leaf in (result if isinstance(result, tuple) else (result,))]


def in_double(points: Sequence[NDArray[Any]]) -> list[NDArray[Any]]:
    """The same numbers in double precision."""
    return [a.astype(np.result_type(a.dtype, np.float64)) if a.dtype.kind in "fc" else a for a in points]


def derivative(
    host: Host, points: Sequence[NDArray[Any]], along: Sequence[Direction], noise: Noise = 0.0
) -> list[Difference]:
    """The derivative along one or two directions, of every output. `noise`: the host's relative error at every point.

    A search that stops early is wrong by a smooth function between two jumps: short steps are sure of its slope.
    """
    wide = in_double(points)
    central = [_best(ladder, 4.0) for ladder in _ladders(host, wide, along, _CENTRAL, noise)]
    if len(along) > 1 or all(np.all(np.isfinite(d.error)) for d in central):
        return central
    sides = [[_best(ladder, 2.0) for ladder in _ladders(host, wide, along, side, noise)] for side in (_ABOVE, _BELOW)]
    return [_with_sides(*found) for found in zip(central, *sides, strict=True)]


def complex_step(host: Host, points: Sequence[NDArray[Any]], argument: int) -> list[Difference]:
    """The derivative in a real argument of a host that is holomorphic in it: Im f(x + ih)/h, without cancellation."""
    wide = in_double(points)
    x = wide[argument]
    estimates = []
    for exponent in (-60, -50):
        h = np.exp2(exponent + np.floor(np.log2(np.maximum(np.abs(x), 1.0))))
        moved = [*wide[:argument], x + 1j * h, *wide[argument + 1 :]]
        estimates.append([np.imag(leaf) / h for leaf in leaves(host(*moved))])
    return [Difference(a, _gap(a, b) + 4 * _EPS * np.abs(a)) for a, b in zip(*estimates, strict=True)]


# Difference quotients as {multiples of the steps: weight}, over h (times h of the second direction).
_Quotient = dict[tuple[float, ...], float]
_CENTRAL: dict[int, _Quotient] = {
    1: {(1,): 0.5, (-1,): -0.5},
    2: {(1, 1): 0.25, (1, -1): -0.25, (-1, 1): -0.25, (-1, -1): 0.25},
    -2: {(1,): 1.0, (0,): -2.0, (-1,): 1.0},  # twice along the same direction
}
_ABOVE: dict[int, _Quotient] = {1: {(1,): 1.0, (0,): -1.0}}
_BELOW: dict[int, _Quotient] = {1: {(0,): 1.0, (-1,): -1.0}}


@dataclass(frozen=True)
class _Ladder:
    """Difference quotients of one output, widest step first, and the rounding error of each."""

    values: list[NDArray[Any]]
    rounding: list[NDArray[np.float64]]
    noise: list[NDArray[np.float64]]
    """The host's own error in each, if it changed from one node to the next."""

    def upto(self, levels: int) -> "_Ladder":
        """Its widest steps."""
        return _Ladder(self.values[:levels], self.rounding[:levels], self.noise[:levels])


def _ladders(
    host: Host,
    points: Sequence[NDArray[Any]],
    along: Sequence[Direction],
    quotients: dict[int, _Quotient],
    noise: Noise,
) -> list[_Ladder]:
    same = len(along) == 2 and along[0] == along[1]
    directions = along[:1] if same else along
    weights = quotients[-2 if same else len(along)]
    scales = [np.maximum(np.abs(points[k]), _WIDEST) for k, _ in directions]
    ladders: list[_Ladder] = []
    with np.errstate(all="ignore"):
        for level in range(_LEVELS):
            steps = [np.exp2(np.floor(np.log2(_WIDEST * scale)) - level) for scale in scales]
            divisor = steps[0] ** 2 if same else np.prod(steps, axis=0)
            totals: list[Any] = []
            sizes: list[Any] = []
            for multiples, weight in weights.items():
                moved = list(points)
                for multiple, step, (k, direction) in zip(multiples, steps, directions, strict=True):
                    moved[k] = moved[k] + multiple * step * (direction if direction != 1 else 1.0)
                found = leaves(host(*moved))
                totals = totals or [0.0] * len(found)
                sizes = sizes or [0.0] * len(found)
                totals = [total + weight * value for total, value in zip(totals, found, strict=True)]
                sizes = [np.fmax(size, np.abs(value)) for size, value in zip(sizes, found, strict=True)]
            ladders = ladders or [_Ladder([], [], []) for _ in totals]
            # The step itself is rounded, too, relative to the argument.
            grain = _EPS * sum(scale / step for scale, step in zip(scales, steps, strict=True))
            for ladder, total, size in zip(ladders, totals, sizes, strict=True):
                ladder.values.append(np.asarray(total / divisor))
                ladder.rounding.append(4 * _EPS * size / np.abs(divisor) + grain * np.abs(total / divisor))
                ladder.noise.append(noise * size / np.abs(divisor))
    return ladders


def _best(ladder: _Ladder, base: float) -> Difference:
    """The best entry of the tableau; without digits where wide and narrow steps each are sure of another slope.

    (A host may be a step function on a small scale, or switch to another formula close to a point.)
    """
    best = _winner(ladder, base)
    error = best.error
    for levels in _WIDE_LEVELS:
        wide = _winner(ladder.upto(levels), base)
        gap = _gap(best.value, wide.value)
        contradicts = np.isfinite(wide.error) & (gap > 20 * (best.error + wide.error))
        error = np.where(contradicts, np.fmax(error, gap), error)
    return Difference(best.value, error)


def _winner(ladder: _Ladder, base: float) -> Difference:
    """The entry of Neville's tableau with the smallest estimated error; `base`: factor between columns.

    The noise of the host only helps to choose: its entries may agree by accident, but what it makes of a derivative
    depends on how fast it changes.
    """
    previous: list[NDArray[Any]] = []
    finest = ladder.values[-1]
    finest_error = _gap(finest, ladder.values[-2]) + ladder.rounding[-1] + ladder.noise[-1]
    value = np.full_like(finest, np.nan)
    error, doubt = np.full(finest.shape, np.inf), np.full(finest.shape, np.inf)
    with np.errstate(all="ignore"):
        for quotient, rounding, noise in zip(ladder.values, ladder.rounding, ladder.noise, strict=True):
            row = [quotient]
            for column, above in enumerate(previous, start=1):
                factor = base**column
                better = row[-1] + (row[-1] - above) / (factor - 1)
                estimate = np.maximum(_gap(better, row[-1]), _gap(better, above)) + 2 * rounding
                # Wide steps may agree on a wrong slope (of a phase modulo 2 pi): the finest quotient has a say.
                agrees = np.abs(better - finest) <= 8 * (estimate + finest_error)
                wins = agrees & (estimate + noise < doubt)
                value, error = np.where(wins, better, value), np.where(wins, estimate, error)
                doubt = np.where(wins, estimate + noise, doubt)
                row.append(better)
            previous = row
    return Difference(value, np.where(np.isfinite(value), error, np.inf))


def _gap(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.float64]:
    with np.errstate(all="ignore"):
        gap = np.abs(a - b)
    return np.where(np.isnan(gap), np.inf, gap)


def _with_sides(central: Difference, above: Difference, below: Difference) -> Difference:
    """The central value; where there is none, that of the only side on which the host has values."""
    value, error = central.value, central.error
    for side, other in ((above, below), (below, above)):
        alone = np.isinf(error) & np.isfinite(side.error) & np.isinf(other.error)
        value, error = np.where(alone, side.value, value), np.where(alone, side.error, error)
    return Difference(value, error)
