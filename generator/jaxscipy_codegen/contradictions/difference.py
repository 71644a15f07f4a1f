"""A numerical derivative with an estimate of its error.

A central difference of order 8 with a ladder of steps; of the steps that agree with finer ones the one with the
smallest error estimate wins (truncation and noise from an embedded formula of order 6, rounding).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_WEIGHTS_8 = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])
_WEIGHTS_6 = np.array([3 / 4, -3 / 20, 1 / 60, 0])
_STEPS = 2.0 ** -np.arange(2, 13)

Point = Mapping[str, Any]


@dataclass(frozen=True)
class Difference:
    """A numerical derivative at every point, with its estimated error."""

    value: NDArray[Any]
    error: NDArray[np.float64]


def numerical_derivative(host: Callable[..., Any], points: Point, arg: str, direction: complex) -> Difference:
    """The derivative of `host` along `direction` in `arg` at all points."""
    x = np.asarray(points[arg])
    scale = np.maximum(np.abs(x), 0.25)
    estimates: list[NDArray[Any]] = []
    errors: list[NDArray[np.float64]] = []
    sizes: list[NDArray[np.float64]] = []
    with np.errstate(all="ignore"):
        for step in _STEPS:
            h = np.exp2(np.round(np.log2(scale * step)))
            high, low, size = 0.0, 0.0, np.zeros(())
            for k, (eight, six) in enumerate(zip(_WEIGHTS_8, _WEIGHTS_6, strict=True), start=1):
                above, below = (
                    np.asarray(host(*{**points, arg: x + side * k * h * direction}.values())) for side in (1, -1)
                )
                high, low = high + eight * (above - below), low + six * (above - below)
                size = np.maximum(size, np.maximum(np.abs(above), np.abs(below)))
            estimates.append(np.asarray(high / h))
            sizes.append(size)
            errors.append((np.abs(high - low) + 8 * np.finfo(float).eps * size) / h)
    value, error = estimates[-1], np.maximum(errors[-1], errors[-2])
    with np.errstate(all="ignore"):
        error = np.maximum(error, np.abs(estimates[-1] - estimates[-2]))
        smooth = error <= 0.1 * np.abs(value) + 1e-9 * sizes[-1] / scale
        for coarser, its_error in zip(reversed(estimates[:-1]), reversed(errors[:-1]), strict=True):
            # Wide steps may agree on a wrong slope (of a phase reduced modulo 2 pi): finer ones must agree with them.
            better = (its_error < error) & (np.abs(coarser - value) <= 4 * (its_error + error))
            value, error = np.where(better, coarser, value), np.where(better, its_error, error)
        smooth &= ~_is_kink(host, points, arg, direction, scale, value)
    return Difference(value, np.where(smooth & np.isfinite(value) & np.isfinite(error), error, np.inf))


def _is_kink(
    host: Callable[..., Any], points: Point, arg: str, direction: complex, scale: NDArray[Any], slope: NDArray[Any]
) -> NDArray[np.bool_]:
    """Whether the slopes on both sides differ: central differences see their mean there, which is no derivative."""
    x = np.asarray(points[arg])
    jumps: list[NDArray[Any]] = []
    for step in (2.0**-8, 2.0**-12):
        h = np.exp2(np.round(np.log2(scale * step)))
        above, here, below = (np.asarray(host(*{**points, arg: x + k * h * direction}.values())) for k in (1, 0, -1))
        jumps.append(np.abs(above - 2 * here + below) / h)
    coarse, fine = jumps  # of a smooth function a sixteenth
    return (fine > 0.5 * coarse) & (fine > 1e-3 * np.abs(slope)) & (fine > 1e-6)
