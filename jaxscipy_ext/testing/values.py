"""Values, under `jit` and `vmap`, against the host's; and whether the host is what a pure elementwise one must be."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from jaxscipy_ext.testing.comparison import attempt, but_note, compare, raising
from jaxscipy_ext.testing.differences import leaves
from jaxscipy_ext.testing.programs import outcomes, outputs_of
from jaxscipy_ext.testing.results import Check
from jaxscipy_ext.testing.subject import Subject

_SINGLE = 6
"""Points at which the host is also called alone."""


def checks(subject: Subject, wanted: set[str]) -> Iterator[Check]:
    points, arrays, host = subject.points, subject.arrays, subject.host
    ulp = 2 * float(np.finfo(subject.precision).eps)
    try:
        expected = leaves(host(*points))
    except Exception as error:  # noqa: BLE001  what the host raises is what the check has found
        yield attempt("value", "value", raising(error))
        return
    if not subject.pure:
        yield from _shapes_only(subject, expected, wanted)
        return

    def against_host(what: str, call: Callable[..., Any]) -> Check:
        def run() -> Check:
            return compare(what, what, points, leaves(call(*arrays)), expected, ulp)

        return attempt(what, what, run)

    if "value" in wanted:
        yield _purity(subject, expected)
        yield against_host("value", subject.f)
        yield attempt("dtype", "value", lambda: _dtypes(subject, leaves(subject.f(*arrays)), expected))
    if "jit" in wanted:
        yield against_host("jit", jax.jit(subject.f))
    if "vmap" in wanted:
        yield from _mapped(subject, expected, ulp)


def _purity(subject: Subject, first: list[NDArray[Any]]) -> Check:
    """The host gives the same again, and at a point alone what it gives there among others."""
    points, host = subject.points, subject.host

    def again() -> Check:
        check = compare("host is pure", "value", points, leaves(host(*points)), first, 0.0)
        if not check.passed:
            return but_note(check, "two calls at the same points differ; write `callback: io`")
        odd = [leaf.shape for leaf in first if leaf.shape[:1] not in ((), points[0].shape[:1])]
        if odd:
            note = f"the host returned shape {odd[0]} for arguments of shape {points[0].shape}; write `batch: scalar` "
            note += "for a host of single numbers, or its core dimensions as `signature`"
            return Check("host is elementwise", False, np.inf, 0, note=note, transform="value")
        chosen = np.linspace(0, len(points[0]) - 1, min(_SINGLE, len(points[0]))).astype(int)
        alone = [leaves(host(*(a[i : i + 1] for a in points))) for i in chosen]
        columns = [np.concatenate(column) for column in zip(*alone, strict=True)]
        some = [a[chosen] for a in points]
        check = compare("host is elementwise", "value", some, columns, [leaf[chosen] for leaf in first], 1e-12)
        note = "a point alone gives another value than among others; write its core dimensions as `signature`"
        return check if check.passed else but_note(check, note)

    return attempt("host is elementwise", "value", again)


def _dtypes(subject: Subject, got: list[NDArray[Any]], expected: list[NDArray[Any]]) -> Check:
    """Complex where the host is complex, and of the precision of the arguments."""
    complex_precision = np.result_type(subject.precision, np.complex64)
    for g, e in zip(got, expected, strict=True):
        if g.dtype.kind not in "fc":
            continue
        want = complex_precision if e.dtype.kind == "c" else subject.precision
        if g.dtype != want:
            return Check("dtype", False, np.inf, g.size, note=f"{g.dtype}, {want} expected", transform="value")
    return Check("dtype", True, 0.0, len(subject.points[0]), transform="value")


def _mapped(subject: Subject, expected: list[NDArray[Any]], ulp: float) -> Iterator[Check]:
    """`vmap` over all arguments, and over every one in turn beside arrays of another rank, against a loop."""
    points = subject.points
    turns = _blocks(subject) if any(a.ndim > 1 for a in points) else [_turn(subject, k) for k in range(len(points))]
    runs = {"all": jax.vmap(subject.f), **{str(k): turn.run for k, turn in enumerate(turns)}}
    found = outcomes(runs, subject.arrays)
    yield attempt("vmap", "vmap", lambda: compare("vmap", "vmap", points, outputs_of(found["all"]), expected, ulp))

    def loop() -> Check:
        checks = [
            compare("vmap = loop", "vmap", turn.grid, outputs_of(found[str(k)]), turn.expected, ulp)
            for k, turn in enumerate(turns)
        ]
        return max(checks, key=lambda check: (not check.passed, check.error))

    yield attempt("vmap = loop", "vmap", loop)


@dataclass(frozen=True)
class _Turn:
    """One way to map: the run, and what a loop gives at the points of `grid`."""

    run: Callable[..., Any]
    grid: Sequence[NDArray[Any]]
    expected: list[NDArray[Any]]


def _blocks(subject: Subject) -> list[_Turn]:
    """Arguments with core dimensions, a few of them."""
    points, count = subject.points, min(3, len(subject.points[0]))
    loop = [leaves(subject.host(*(a[i] for a in points))) for i in range(count)]
    expected = [np.stack(column) for column in zip(*loop, strict=True)]
    return [_Turn(lambda *arrays: jax.vmap(subject.f)(*(a[:count] for a in arrays)), points, expected)]


def _turn(subject: Subject, k: int) -> _Turn:
    """Mapped over argument `k`, the others as arrays of another rank: what a wrong `vmap_method` breaks."""
    rows, columns = min(3, len(subject.points[0])), min(4, len(subject.points[0]))

    def values(arrays: Sequence[Any]) -> list[Any]:
        if len(arrays) == 1:
            return [jnp.stack([jnp.roll(arrays[0][:columns], row) for row in range(rows)])]
        return [a[:rows] if i == k else a[-columns:] for i, a in enumerate(arrays)]

    def run(*arrays: Any) -> Any:
        axes = tuple(0 if i == k else None for i in range(len(arrays)))
        return jax.vmap(subject.f, axes)(*values(arrays))

    mapped = list(map(np.asarray, values(subject.points)))
    loop = [leaves(subject.host(*mapped[:k], _row(row, columns), *mapped[k + 1 :])) for row in mapped[k]]
    expected = [np.stack(column) for column in zip(*loop, strict=True)]
    grid = [a[:, None] if i == k and len(mapped) > 1 else a for i, a in enumerate(mapped)]
    return _Turn(run, [np.broadcast_to(a, (rows, columns)) for a in grid], expected)


def _row(row: NDArray[Any], columns: int) -> NDArray[Any]:
    return row if row.ndim else np.full(columns, row)


def _shapes_only(subject: Subject, expected: list[NDArray[Any]], wanted: set[str]) -> Iterator[Check]:
    """What can be said of an impure host: shapes and dtypes, and that differentiation is refused with a sentence."""
    calls = {"value": subject.f, "jit": jax.jit(subject.f), "vmap": jax.vmap(subject.f)}
    for what in (what for what in calls if what in wanted):

        def run(what: str = what) -> Check:
            got = leaves(calls[what](*subject.arrays))
            wrong = [(g.shape, e.shape) for g, e in zip(got, expected, strict=True) if g.shape != e.shape]
            note = f"shape {wrong[0][0]}, {wrong[0][1]} expected" if wrong else "impure: shapes only"
            return Check(what, not wrong, np.inf if wrong else 0.0, len(subject.points[0]), note=note, transform=what)

        yield attempt(what, what, run)
