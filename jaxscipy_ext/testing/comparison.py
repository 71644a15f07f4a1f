"""Comparing what came out with what should, at all points and over all outputs."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

from jaxscipy_ext.testing.results import Check, Point, Series

USABLE = 1e-4
"""A reference whose own relative error is larger can't tell digits."""
UNDECIDED = "no point where differences can tell"
"""The note of a comparison that passed because nothing could be compared."""
_INFINITE = 1e290
"""SciPy writes 1e300 for infinity in places; slopes there overflow sooner or later."""


def compare(
    what: str,
    transform: str,
    points: Sequence[NDArray[Any]],
    got: Sequence[NDArray[Any]],
    expected: Sequence[NDArray[Any]],
    tolerance: float,
    errors: Sequence[NDArray[np.float64]] | None = None,
) -> Check:
    """Largest relative error over outputs and points; equal NaN and inf agree. `errors`: of `expected` itself."""
    if len(got) != len(expected):
        note = f"{len(got)} outputs, the host has {len(expected)}"
        return Check(what, False, np.inf, 0, note=note, transform=transform)
    worst, worst_error, counted, series = None, 0.0, 0, []
    for k, (g, wanted) in enumerate(zip(got, expected, strict=True)):
        if np.shape(g) != np.shape(wanted):
            note = f"shape {np.shape(g)}, {np.shape(wanted)} expected"
            return Check(what, False, np.inf, 0, note=note, transform=transform)
        uncertainty = np.zeros(g.shape) if errors is None else 20 * errors[k]
        relative = relative_error(g, wanted, uncertainty)
        relative = np.where(np.isnan(g) & np.isnan(wanted) & (errors is None), 0.0, relative)
        series.append(Series(g, wanted, relative))
        told = ~np.isnan(relative)
        counted += int(told.sum())
        if told.any() and np.nanmax(relative) >= worst_error:
            at = np.unravel_index(int(np.nanargmax(relative)), relative.shape)
            worst_error = float(relative[at])
            worst = Point(tuple(a[at[: a.ndim]].tolist() for a in points), wanted[at].item(), g[at].item())
    note = "" if counted else UNDECIDED
    passed = worst_error <= tolerance
    return Check(what, passed, worst_error, counted, worst, note, transform, tuple(series))


def relative_error(got: NDArray[Any], expected: NDArray[Any], uncertainty: NDArray[np.float64]) -> NDArray[np.float64]:
    """|got - expected| beyond the uncertainty of `expected`, over |expected|; NaN where nothing is known.

    Where the uncertainty is large beside |expected| (near zeros, kinks and poles), digits can't be compared: there only
    what is wrong by far more than the noise counts.
    """
    with np.errstate(all="ignore"):
        overflown = np.isinf(got) & (np.abs(expected) > _INFINITE) & (np.sign(got) == np.sign(expected))
        same = (got == expected) | (np.isnan(got) & np.isnan(expected)) | overflown
        gap = np.abs(got - expected)
        usable = (uncertainty <= USABLE * np.abs(expected)) | (uncertainty == 0)
        far_off = np.isfinite(gap) & (gap > uncertainty / USABLE)
        # near a zero of what is expected there are no digits, but a number: NaN isn't right there
        usual = np.median(np.abs(expected[np.isfinite(expected)])) if np.isfinite(expected).any() else 0.0
        lost = np.isnan(got) & np.isfinite(expected) & (uncertainty <= USABLE * usual)
        size = np.maximum(np.where(usable, np.abs(expected), uncertainty / USABLE), np.finfo(float).tiny)
        relative = np.where(same, 0.0, np.maximum(gap - uncertainty, 0.0) / size)
        relative = np.where(np.isnan(relative), np.inf, relative)
    return np.where(usable | far_off | lost | (same & np.isfinite(uncertainty)), relative, np.nan)


def attempt(what: str, transform: str, run: Callable[[], Check]) -> Check:
    """`run()`; a failed check if something is raised."""
    try:
        return run()
    except Exception as error:  # noqa: BLE001  what a function raises is what the check has found
        return Check(what, False, np.inf, 0, note=sentence(error), transform=transform)


def sentence(error: Exception) -> str:
    """An exception on one line. XLA's reports end in what the host raised."""
    lines = [line for line in str(error).strip().splitlines() if line.strip()] or [""]
    if isinstance(error, jax.errors.JaxRuntimeError):
        return lines[-1].strip()
    return f"{type(error).__name__}: {lines[0].strip()}"


def raising(error: Exception) -> Callable[[], Check]:
    """A run that has raised already, for `attempt`."""

    def run() -> Check:
        raise error

    return run


def but_note(check: Check, note: str) -> Check:
    """The same with another note."""
    return replace(check, note=note)
