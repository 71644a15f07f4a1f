"""Derivatives of first and second order against differences of the host; forward mode against reverse mode."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxscipy_ext.runtime.rules import DerivativeUnavailable
from jaxscipy_ext.testing import differences
from jaxscipy_ext.testing.comparison import USABLE, attempt, but_note, compare
from jaxscipy_ext.testing.differences import Difference, Direction, leaves
from jaxscipy_ext.testing.programs import (
    Outcome,
    cotangent,
    outcomes,
    outputs_of,
    pulled_back,
    second_tangent,
    tangent,
    units,
)
from jaxscipy_ext.testing.results import Check
from jaxscipy_ext.testing.subject import Subject

_ASKED = 4
"""Points at which a `reference` is asked even if the differences agree."""
_LOST = 1e-5
"""A relative error of single precision that isn't rounding."""


def checks(subject: Subject, argnums: Sequence[int], wanted: set[str]) -> Iterator[Check]:
    """All of them: first in every argument alone, then in every pair of those that have a derivative."""
    if not wanted & {"jvp", "vjp", "hessian"}:
        return
    runs = {(k, d): tangent(subject.f, k, d) for k in argnums for d in _directions(subject, k)}
    tangents = outcomes(runs, subject.arrays)
    reverse = outcomes({k: pulled_back(subject.f, k) for k in argnums}, subject.arrays) if "vjp" in wanted else {}
    able: list[int] = []
    for k in argnums:
        forward = {direction: tangents[k, direction] for direction in _directions(subject, k)}
        if isinstance(reason := forward[1.0], DerivativeUnavailable):
            yield Check(f"d/d{subject.names[k]}", True, 0.0, 0, note=f"unavailable: {reason}", transform="jvp")
            continue
        able.append(k)
        yield from _first_order(subject, k, forward, wanted)
        if k in reverse:
            yield _reverse(subject, k, forward, reverse[k])
    if "hessian" in wanted:
        pairs = {(i, j): second_tangent(subject.f, i, j) for i in able for j in able if i <= j}
        for (i, j), found in outcomes(pairs, subject.arrays).items():
            yield _second_order(subject, i, j, found)


def _directions(subject: Subject, k: int) -> dict[complex, str]:
    """The directions in which an argument moves, and what they are called."""
    return {1.0: "", 1j: " along i"} if subject.points[k].dtype.kind == "c" else {1.0: ""}


def _first_order(subject: Subject, k: int, forward: Mapping[complex, Outcome], wanted: set[str]) -> Iterator[Check]:
    for direction, suffix in _directions(subject, k).items():
        found = forward[direction]
        if "jvp" in wanted or isinstance(found, Exception):
            yield _judged(subject, f"d/d{subject.names[k]}{suffix}", "jvp", found, [(k, direction)])


def _second_order(subject: Subject, i: int, j: int, found: Outcome) -> Check:
    what = f"d2/d{subject.names[i]}d{subject.names[j]}"
    if isinstance(found, DerivativeUnavailable):
        return Check(what, True, 0.0, 0, note=f"unavailable: {found}", transform="hessian")
    return _judged(subject, what, "hessian", found, [(i, 1.0), (j, 1.0)])


def _judged(subject: Subject, what: str, transform: str, found: Outcome, along: list[Direction]) -> Check:
    def run() -> Check:
        return _against_host(subject, what, transform, outputs_of(found), along)

    return attempt(what, transform, run)


def _against_host(
    subject: Subject, what: str, transform: str, got: list[NDArray[Any]], along: list[Direction]
) -> Check:
    """Tangents against differences of the host; where those contradict, and at a few points more, the reference."""
    tolerance = subject.tolerance * (100 if len(along) > 1 else 1)
    found = differences.derivative(subject.host, subject.points, along, subject.host_errors)
    if len(along) == 1 and along[0][0] in subject.holomorphic and along[0][1] == 1:
        steps = differences.complex_step(subject.host, subject.points, along[0][0])
        found = [_better(by_step, by_difference) for by_step, by_difference in zip(steps, found, strict=True)]
    expected = [np.array(d.value) for d in found]
    # Cancellation inside a rule is judged by the size of the derivative around, not where it happens to vanish.
    floors = [4 * float(np.finfo(subject.precision).eps) * _typical(value) for value in expected]
    own = _of_host(subject, along, expected)
    errors = [d.error + floor + error for d, floor, error in zip(found, floors, own, strict=True)]
    check = compare(what, transform, subject.points, got, expected, tolerance, errors)
    if subject.reference is None or any(direction != 1 for _, direction in along):
        return check
    orders = [sum(k == position for k, _ in along) for position in range(len(subject.points))]
    doubted = np.max([np.nan_to_num(s.error, nan=0.0, posinf=1e300) for s in check.series], axis=0)
    failing = [int(i) for i in np.argsort(-doubted) if doubted[i] > tolerance]
    sample = np.linspace(0, len(doubted) - 1, _ASKED).astype(int).tolist()
    told = 0
    sizes = [np.nan_to_num(np.abs(leaf), posinf=0.0) for leaf in leaves(subject.host(*subject.points))]
    for index in dict.fromkeys([*failing, *sample]):
        values = subject.reference(index, orders)
        if values is None:
            continue
        told += 1
        for output, value in enumerate(values):
            expected[output][index] = value
            rounding = 1e-14 * abs(value) + 1e-16 * sizes[output][index] + floors[output]
            errors[output][index] = rounding + own[output][index]  # a rule in the host's values is off as they are
    check = compare(what, transform, subject.points, got, expected, tolerance, errors)
    note = "; ".join(filter(None, [check.note, f"mpmath at {told}" if told else ""]))
    return but_note(check, note)


def _of_host(subject: Subject, along: list[Direction], derivatives: list[NDArray[Any]]) -> list[NDArray[np.float64]]:
    """What the host's own error makes of its derivatives: it may change on a tenth of the argument's scale."""
    values = leaves(subject.host(*subject.points))
    own = [np.maximum(subject.host_errors, lost) for lost in _lost_in_single(subject, values)]
    if not any(error.any() for error in own):
        return [np.zeros(value.shape) for value in derivatives]
    scale = np.prod([0.1 * np.maximum(np.abs(subject.points[k]), 0.25) for k, _ in along], axis=0)
    with np.errstate(invalid="ignore"):  # 0 * inf: nothing is known
        sizes = [np.abs(d) + np.abs(value) / scale for d, value in zip(derivatives, values, strict=True)]
        return [np.nan_to_num(error * size, nan=np.inf) for error, size in zip(own, sizes, strict=True)]


def _lost_in_single(subject: Subject, values: list[NDArray[Any]]) -> list[NDArray[np.float64]]:
    """The host's relative error in single precision, where its loop loses digits (SciPy's Kelvin functions: all)."""
    if subject.precision != np.float32:
        return [np.zeros(value.shape) for value in values]
    lost = [np.zeros(value.shape) for value in values]
    for shift in (0.0, -(2.0**-10), 2.0**-10):  # at one point alone it may be lucky
        near = [a * a.dtype.type(1 + shift) if a.dtype.kind in "fc" else a for a in subject.points]
        single, double = leaves(subject.host(*near)), leaves(subject.host(*differences.in_double(near)))
        with np.errstate(all="ignore"):
            errors = [np.abs(value / exact - 1) for value, exact in zip(single, double, strict=True)]
        lost = [np.fmax(known, error) for known, error in zip(lost, errors, strict=True)]
    return [np.where(error > _LOST, error, 0.0) for error in lost]


def _typical(values: NDArray[Any]) -> float:
    sizes = np.abs(values[np.isfinite(values)])
    return float(np.median(sizes)) if sizes.size else 0.0


def _better(by_step: Difference, by_difference: Difference) -> Difference:
    """The complex step where it agrees with the difference: it has more digits, but may be on another branch."""
    gap = np.abs(by_step.value - by_difference.value)
    with np.errstate(all="ignore"):
        usable = by_difference.error <= USABLE * np.abs(by_difference.value)
        takes = usable & (gap <= 20 * by_difference.error) & (by_step.error < by_difference.error)
    value = np.where(takes, by_step.value, by_difference.value)
    return Difference(value, np.where(takes, by_step.error, by_difference.error))


def _reverse(subject: Subject, k: int, forward: Mapping[complex, Outcome], pulled: Outcome) -> Check:
    """Re(cotangent * tangent) is the same in both modes, for every direction and for cotangents 1 and i."""
    what = f"d/d{subject.names[k]} reverse"

    def run() -> Check:
        tangents = {direction: outputs_of(found) for direction, found in forward.items()}
        size = np.max([np.abs(t) for found in tangents.values() for t in found], axis=0)
        slack = 64 * float(np.finfo(subject.precision).eps)
        got: list[NDArray[Any]] = []
        expected: list[NDArray[Any]] = []
        for unit, there in zip(units(tangents[1.0]), outputs_of(pulled), strict=True):
            for direction, found in tangents.items():
                with np.errstate(all="ignore"):
                    reverse = np.real(there * direction)
                    here = np.sum([np.real(np.asarray(cotangent(t, unit)) * t) for t in found], 0)
                    # Sums of several outputs cancel: their rounding counts relative to the terms.
                    got.append(np.where(np.abs(reverse - here) <= slack * size, here, reverse))
                expected.append(here)
        # inf * 0 is NaN in one mode and may be inf in the other: only numbers are compared.
        finite = [np.isfinite(e) for e in expected]
        got = [np.where(known, g, 0.0) for known, g in zip(finite, got, strict=True)]
        expected = [np.where(known, e, 0.0) for known, e in zip(finite, expected, strict=True)]
        tolerance = 1e-10 if subject.precision == np.float64 else 1e-4
        return compare(what, "vjp", subject.points, got, expected, tolerance)

    return attempt(what, "vjp", run)
