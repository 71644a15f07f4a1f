"""`check_function`: every comparison that an elementwise JAX function must pass."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import ArrayLike, NDArray

from jaxscipy_ext.runtime.rules import DerivativeUnavailable
from jaxscipy_ext.testing import differences
from jaxscipy_ext.testing.comparison import USABLE, attempt, compare
from jaxscipy_ext.testing.differences import Difference, Direction, leaves
from jaxscipy_ext.testing.results import Check, Report

TRANSFORMS = ("value", "jit", "vmap", "jvp", "vjp", "hessian")
"""What can be checked; `"grad"` stands for jvp and vjp."""

Reference = Callable[[int, Sequence[int]], "Sequence[complex] | None"]
"""`reference(i, orders)`: the derivative at point number i, of these orders by argument, one number per output."""

_RTOL = {np.dtype(np.float64): 1e-8, np.dtype(np.float32): 2e-4}
_SINGLE = 6
"""Points at which the host is also called alone."""
_ASKED = 4
"""Points at which a `reference` is asked even if the differences agree."""


def check_function(
    f: Callable[..., Any],
    *args: ArrayLike,
    host: Callable[..., Any],
    argnums: Sequence[int] | None = None,
    transforms: Sequence[str] = TRANSFORMS,
    dtype: Any = np.float64,
    rtol: float | None = None,
    name: str | None = None,
    argnames: Sequence[str] | None = None,
    holomorphic: Sequence[int] = (),
    reference: Reference | None = None,
    core_ranks: Sequence[int] | None = None,
    pure: bool = True,
) -> Report:
    """Compare the elementwise JAX function `f` with the NumPy function `host` that it stands for.

    Args:
      f: function of JAX arrays; one array or a tuple of them out.
      args: sample points, arrays of one common length (or scalars, which are repeated). Integer arrays stay integers.
      host: the same function of NumPy arrays, e.g. from `scipy.special`.
      argnums: arguments to differentiate; default: all that are not integers. One whose derivative raises
        `DerivativeUnavailable` passes, with the reason as its note.
      transforms: any of "value", "jit", "vmap", "jvp", "vjp", "hessian", and "grad" for jvp and vjp.
      dtype: precision of the check, float32 or float64 (complex arguments follow).
      rtol: tolerance of derivatives; default 1e-8 in float64, 2e-4 in float32. Values, jit and vmap must agree to the
        last bit but one.
      name: what the report calls the function; default: its `__name__`.
      argnames: what it calls the arguments; default: their numbers.
      holomorphic: real arguments in which the host takes complex numbers and is holomorphic: the complex step is used.
      reference: better derivatives than differences, where they are known (see `Reference`).
      core_ranks: for functions that are not elementwise, the number of core dimensions of every argument; the sample
        points are then the first dimension, and only values, jit and vmap are checked.
      pure: False for an impure host, whose values can't be compared: only shapes and dtypes are.
    """
    wanted = {t for name in transforms for t in (("jvp", "vjp") if name == "grad" else (name,))}
    unknown = wanted - set(TRANSFORMS)
    if unknown:
        raise ValueError(f"unknown transforms {sorted(unknown)}; write any of {', '.join(TRANSFORMS)}")
    precision = np.dtype(dtype)
    points = _points(args, precision, core_ranks)
    if argnums is None:
        argnums = [k for k, a in enumerate(points) if a.dtype.kind in "fc"]
    if not pure or (core_ranks is not None and any(core_ranks)):
        argnums = []
    names = list(argnames or map(str, range(len(points))))
    subject = _Subject(
        f,
        host,
        points,
        names,
        precision,
        _RTOL[precision] if rtol is None else rtol,
        frozenset(holomorphic),
        reference,
        pure,
    )
    with jax.enable_x64(True):
        checks = [
            *(_values(subject, wanted) if wanted & {"value", "jit", "vmap"} else ()),
            *(check for k in argnums for check in _first_order(subject, k, wanted)),
        ]
        if "hessian" in wanted:
            able = [k for k in argnums if not any(c.what == f"d/d{names[k]}" and "unavail" in c.note for c in checks)]
            checks += [_second_order(subject, i, j) for i in able for j in able if i <= j]
    return Report(name or getattr(f, "__name__", "function"), precision.name, tuple(checks))


@dataclass(frozen=True)
class _Subject:
    """What is checked, at which points."""

    f: Callable[..., Any]
    host: Callable[..., Any]
    points: list[NDArray[Any]]
    names: list[str]
    precision: np.dtype[Any]
    tolerance: float
    holomorphic: frozenset[int]
    reference: Reference | None
    pure: bool

    @property
    def arrays(self) -> list[jax.Array]:
        return [jnp.asarray(a) for a in self.points]

    def of(self, k: int, at: Sequence[jax.Array] | None = None) -> Callable[[jax.Array], Any]:
        """The function of argument `k` alone."""
        others = self.arrays if at is None else at
        return lambda x: self.f(*others[:k], x, *others[k + 1 :])


def _points(
    args: Sequence[ArrayLike], precision: np.dtype[Any], core_ranks: Sequence[int] | None
) -> list[NDArray[Any]]:
    arrays = [np.atleast_1d(np.asarray(a)) for a in args]
    if core_ranks is None or not any(core_ranks):
        arrays = list(np.broadcast_arrays(*arrays))
        if arrays[0].ndim != 1:
            raise ValueError("sample points are arrays of one dimension; write x.ravel()")
    kinds = {"f": precision, "c": np.result_type(precision, np.complex64)}
    return [a.astype(kinds[a.dtype.kind]) if a.dtype.kind in kinds else a.copy() for a in arrays]


# ------------------------------------------------------------------------------------------------------------- values


def _values(subject: _Subject, wanted: set[str]) -> Iterator[Check]:
    points, arrays, host = subject.points, subject.arrays, subject.host
    ulp = 2 * float(np.finfo(subject.precision).eps)
    try:
        expected = leaves(host(*points))
    except Exception as error:  # noqa: BLE001  what the host raises is what the check has found
        yield attempt("value", "value", _raising(error))
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
        yield against_host("vmap", jax.vmap(subject.f))
        yield attempt("vmap = loop", "vmap", lambda: _mixed_vmap(subject, ulp))


def _raising(error: Exception) -> Callable[[], Check]:
    def run() -> Check:
        raise error

    return run


def _purity(subject: _Subject, first: list[NDArray[Any]]) -> Check:
    """The host gives the same again, and at a point alone what it gives there among others."""
    points, host = subject.points, subject.host

    def again() -> Check:
        check = compare("host is pure", "value", points, leaves(host(*points)), first, 0.0)
        if not check.passed:
            return Check(*_but_note(check, "two calls at the same points differ; write `callback: io`"))
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
        return check if check.passed else Check(*_but_note(check, note))

    return attempt("host is elementwise", "value", again)


def _but_note(check: Check, note: str) -> tuple[Any, ...]:
    return (check.what, check.passed, check.error, check.points, check.worst, note, check.transform)


def _dtypes(subject: _Subject, got: list[NDArray[Any]], expected: list[NDArray[Any]]) -> Check:
    """Complex where the host is complex, and of the precision of the arguments."""
    complex_precision = np.result_type(subject.precision, np.complex64)
    for g, e in zip(got, expected, strict=True):
        if g.dtype.kind not in "fc":
            continue
        want = complex_precision if e.dtype.kind == "c" else subject.precision
        if g.dtype != want:
            return Check("dtype", False, np.inf, g.size, note=f"{g.dtype}, {want} expected", transform="value")
    return Check("dtype", True, 0.0, len(subject.points[0]), transform="value")


def _mixed_vmap(subject: _Subject, ulp: float) -> Check:
    """Mapped over every argument in turn, the others as arrays of another rank: what a wrong `vmap_method` breaks."""
    points, host = subject.points, subject.host
    if any(a.ndim > 1 for a in points):
        loop = [leaves(host(*(a[i] for a in points))) for i in range(min(3, len(points[0])))]
        some = [jnp.asarray(a[: len(loop)]) for a in points]
        expected = [np.stack(column) for column in zip(*loop, strict=True)]
        return compare("vmap = loop", "vmap", points, leaves(jax.vmap(subject.f)(*some)), expected, ulp)
    rows, columns = min(3, len(points[0])), min(4, len(points[0]))
    checks = []
    for k in range(len(points)):
        mapped, rest = points[k][:rows], [a[-columns:] for a in points]
        loop = [leaves(host(*rest[:k], np.full(columns, x), *rest[k + 1 :])) for x in mapped]
        expected = [np.stack(column) for column in zip(*loop, strict=True)]
        axes = tuple(0 if i == k else None for i in range(len(points)))
        if len(points) == 1:
            mapped = np.stack([np.roll(points[0][:columns], r) for r in range(rows)])
            expected = [np.stack(c) for c in zip(*(leaves(host(row)) for row in mapped), strict=True)]
        values = [jnp.asarray(mapped if i == k else rest[i]) for i in range(len(points))]
        grid = [np.broadcast_to(_at_rank(a, i == k, len(points)), expected[0].shape) for i, a in enumerate(values)]
        checks.append(compare("vmap = loop", "vmap", grid, leaves(jax.vmap(subject.f, axes)(*values)), expected, ulp))
    return max(checks, key=lambda check: (not check.passed, check.error))


def _at_rank(a: jax.Array, mapped: bool, count: int) -> NDArray[Any]:
    return np.asarray(a)[:, None] if mapped and count > 1 else np.asarray(a)


def _shapes_only(subject: _Subject, expected: list[NDArray[Any]], wanted: set[str]) -> Iterator[Check]:
    """What can be said of an impure host: shapes and dtypes, and that differentiation is refused with a sentence."""
    calls = {"value": subject.f, "jit": jax.jit(subject.f), "vmap": jax.vmap(subject.f)}
    for what in (what for what in calls if what in wanted):

        def run(what: str = what) -> Check:
            got = leaves(calls[what](*subject.arrays))
            wrong = [(g.shape, e.shape) for g, e in zip(got, expected, strict=True) if g.shape != e.shape]
            note = f"shape {wrong[0][0]}, {wrong[0][1]} expected" if wrong else "impure: shapes only"
            return Check(what, not wrong, np.inf if wrong else 0.0, len(subject.points[0]), note=note, transform=what)

        yield attempt(what, what, run)


# -------------------------------------------------------------------------------------------------------- derivatives


def _first_order(subject: _Subject, k: int, wanted: set[str]) -> Iterator[Check]:
    if not wanted & {"jvp", "vjp", "hessian"}:
        return
    is_complex = subject.points[k].dtype.kind == "c"
    tangents: dict[complex, list[NDArray[Any]]] = {}
    for suffix, direction in (("", 1.0), (" along i", 1j)) if is_complex else (("", 1.0),):
        what = f"d/d{subject.names[k]}{suffix}"
        x = subject.arrays[k]
        try:
            _, out = jax.jvp(subject.of(k), (x,), (jnp.full_like(x, direction),))
        except DerivativeUnavailable as reason:
            yield Check(what, True, 0.0, 0, note=f"unavailable: {reason}", transform="jvp")
            return
        except Exception as error:  # noqa: BLE001  what a rule raises is what the check has found
            yield attempt(what, "jvp", _raising(error))
            return
        tangents[direction] = leaves(out)
        if "jvp" in wanted:
            yield attempt(
                what, "jvp", lambda w=what, d=direction: _against_host(subject, w, "jvp", tangents[d], [(k, d)])
            )
    if "vjp" in wanted:
        what = f"d/d{subject.names[k]} reverse"
        yield attempt(what, "vjp", lambda: _reverse(subject, what, k, tangents))


def _second_order(subject: _Subject, i: int, j: int) -> Check:
    what = f"d2/d{subject.names[i]}d{subject.names[j]}"
    arrays = subject.arrays

    def first(x: jax.Array) -> Any:
        moved = [*arrays[:j], x, *arrays[j + 1 :]]
        return jax.jvp(subject.of(i, moved), (moved[i],), (jnp.ones_like(moved[i]),))[1]

    def run() -> Check:
        try:
            _, out = jax.jvp(first, (arrays[j],), (jnp.ones_like(arrays[j]),))
        except DerivativeUnavailable as reason:
            return Check(what, True, 0.0, 0, note=f"unavailable: {reason}", transform="hessian")
        return _against_host(subject, what, "hessian", leaves(out), [(i, 1.0), (j, 1.0)])

    return attempt(what, "hessian", run)


def _against_host(
    subject: _Subject, what: str, transform: str, got: list[NDArray[Any]], along: list[Direction]
) -> Check:
    """Tangents against differences of the host; where those contradict, and at a few points more, the reference."""
    tolerance = subject.tolerance * (100 if len(along) > 1 else 1)
    found = differences.derivative(subject.host, subject.points, along)
    if len(along) == 1 and along[0][0] in subject.holomorphic and along[0][1] == 1:
        steps = differences.complex_step(subject.host, subject.points, along[0][0])
        found = [_better(by_step, by_difference) for by_step, by_difference in zip(steps, found, strict=True)]
    expected = [np.array(d.value) for d in found]
    errors = [np.array(d.error) for d in found]
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
            errors[output][index] = 1e-14 * abs(value) + 1e-16 * sizes[output][index]
    check = compare(what, transform, subject.points, got, expected, tolerance, errors)
    note = "; ".join(filter(None, [check.note, f"mpmath at {told}" if told else ""]))
    return Check(*_but_note(check, note), check.series)


def _better(by_step: Difference, by_difference: Difference) -> Difference:
    """The complex step where it agrees with the difference: it has more digits, but may be on another branch."""
    gap = np.abs(by_step.value - by_difference.value)
    with np.errstate(all="ignore"):
        usable = by_difference.error <= USABLE * np.abs(by_difference.value)
        takes = usable & (gap <= 20 * by_difference.error) & (by_step.error < by_difference.error)
    value = np.where(takes, by_step.value, by_difference.value)
    return Difference(value, np.where(takes, by_step.error, by_difference.error))


def _reverse(subject: _Subject, what: str, k: int, tangents: dict[complex, list[NDArray[Any]]]) -> Check:
    """Re(cotangent * tangent) is the same in both modes, for every direction and for cotangents 1 and i."""
    value, pull = jax.vjp(subject.of(k), subject.arrays[k])
    outputs = jax.tree.leaves(value)
    slack = 64 * float(np.finfo(subject.precision).eps)
    size = np.max([np.abs(t) for forward in tangents.values() for t in forward], axis=0)
    units = [1.0, 1j] if any(jnp.iscomplexobj(leaf) for leaf in outputs) else [1.0]
    got: list[NDArray[Any]] = []
    expected: list[NDArray[Any]] = []
    for unit in units:
        cotangents = [jnp.full_like(leaf, unit if jnp.iscomplexobj(leaf) else 1.0) for leaf in outputs]
        (pulled,) = pull(jax.tree.unflatten(jax.tree.structure(value), cotangents))
        with np.errstate(all="ignore"):
            for direction, forward in tangents.items():
                there = np.real(np.asarray(pulled) * direction)
                here = np.sum([np.real(np.asarray(c) * t) for c, t in zip(cotangents, forward, strict=True)], 0)
                # Sums of several outputs cancel: their rounding counts relative to the terms.
                got.append(np.where(np.abs(there - here) <= slack * size, here, there))
                expected.append(here)
    # inf * 0 is NaN in one mode and may be inf in the other: only numbers are compared.
    finite = [np.isfinite(e) for e in expected]
    got = [np.where(known, g, 0.0) for known, g in zip(finite, got, strict=True)]
    expected = [np.where(known, e, 0.0) for known, e in zip(finite, expected, strict=True)]
    tolerance = 1e-10 if subject.precision == np.float64 else 1e-4
    return compare(what, "vjp", subject.points, got, expected, tolerance)
