"""Check a JAX function against its host function: values, derivatives and transformations, at points of your choice.

    >>> import numpy as np, scipy.special as sc, jaxscipy_ext as jse
    >>> from jaxscipy_ext.testing import check_function
    >>> report = check_function(jse.jv, np.full(5, 1.5), np.linspace(0.1, 9, 5), host=sc.jv)
    >>> report.passed
    True

Derivatives are compared with 16-point central differences of the host in float64, whose step is chosen per point and
whose own error is estimated: a point counts where the differences are good enough to tell.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import ArrayLike, NDArray

from jaxscipy_ext.runtime.rules import DerivativeUnavailable
from jaxscipy_ext.runtime.stencil import Stencil

TRANSFORMS = ("value", "jit", "vmap", "jvp", "vjp", "hessian")
_RTOL = {np.dtype(np.float64): 1e-8, np.dtype(np.float32): 2e-4}
# Differences whose own relative error is larger can't tell right from wrong.
_USABLE = 1e-4


@dataclass(frozen=True)
class Point:
    """The point with the largest error."""

    inputs: tuple[Any, ...]
    expected: Any
    got: Any

    def __str__(self) -> str:
        return f"at ({', '.join(repr(x) for x in self.inputs)}): expected {self.expected!r}, got {self.got!r}"


@dataclass(frozen=True)
class Check:
    """One comparison over all points. `error` is the largest ``|got - expected| / max(|expected|, scale)``."""

    what: str
    passed: bool
    error: float
    points: int
    worst: Point | None = None
    note: str = ""

    def __str__(self) -> str:
        state = "ok  " if self.passed else "FAIL"
        text = f"{state} {self.what:<18} {self.error:9.2e}  {self.points:4d} points  {self.note}".rstrip()
        return text if self.passed or self.worst is None else f"{text}\n     {self.worst}"


@dataclass(frozen=True)
class Report:
    """All checks of one function."""

    function: str
    dtype: str
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        return all(check.passed for check in self.checks)

    def raise_for_failures(self) -> None:
        """`AssertionError` with the worst points, if any check failed."""
        if not self.passed:
            raise AssertionError(str(self))

    def __str__(self) -> str:
        return "\n".join([f"{self.function} ({self.dtype})", *map(str, self.checks)])


def check_function(
    f: Callable[..., Any],
    *args: ArrayLike,
    host: Callable[..., Any],
    argnums: Sequence[int] | None = None,
    transforms: Sequence[str] = TRANSFORMS,
    dtype: Any = np.float64,
    rtol: float | None = None,
    name: str | None = None,
) -> Report:
    """Compare the elementwise JAX function `f` with the NumPy function `host` that it stands for.

    Args:
      f: function of JAX arrays; one array or a tuple of them out.
      args: sample points, arrays of one common length (or scalars, which are repeated). Integer arrays stay integers.
      host: the same function of NumPy arrays, e.g. from `scipy.special`.
      argnums: arguments to differentiate; default: all that are not integers. One whose derivative raises
        `DerivativeUnavailable` passes, with the reason as its note.
      transforms: any of "value", "jit", "vmap", "jvp", "vjp", "hessian".
      dtype: precision of the check, float32 or float64 (complex arguments follow).
      rtol: tolerance of derivatives; default 1e-8 in float64, 2e-4 in float32. Values, jit and vmap must agree to the
        last bit but one.
      name: what the report calls the function; default: its `__name__`.
    """
    unknown = set(transforms) - set(TRANSFORMS)
    if unknown:
        raise ValueError(f"unknown transforms {sorted(unknown)}; write any of {', '.join(TRANSFORMS)}")
    precision = np.dtype(dtype)
    points = _points(args, precision)
    if argnums is None:
        argnums = [k for k, a in enumerate(points) if a.dtype.kind in "fc"]
    tolerance = _RTOL[precision] if rtol is None else rtol
    ulp = 2 * float(np.finfo(precision).eps)
    with jax.enable_x64(True):
        arrays = [jnp.asarray(a) for a in points]
        expected = _leaves(host(*points))
        checks: list[Check] = []
        for transform, call in (("value", f), ("jit", jax.jit(f)), ("vmap", jax.vmap(f))):
            if transform in transforms:
                checks.append(_compare(transform, points, _leaves(call(*arrays)), expected, ulp))
        for k in argnums:
            checks += _derivative_checks(f, host, points, arrays, k, transforms, tolerance)
        if "hessian" in transforms:
            for i, j in ((i, j) for i in argnums for j in argnums if i <= j):
                checks.append(_second_order(f, host, points, arrays, i, j, tolerance * 100))
    return Report(name or getattr(f, "__name__", "function"), precision.name, tuple(checks))


def _points(args: Sequence[ArrayLike], precision: np.dtype[Any]) -> list[NDArray[Any]]:
    broadcast = np.broadcast_arrays(*map(np.atleast_1d, map(np.asarray, args)))
    if broadcast[0].ndim != 1:
        raise ValueError("sample points are arrays of one dimension; write x.ravel()")
    kinds = {"f": precision, "c": np.result_type(precision, np.complex64)}
    return [a.astype(kinds[a.dtype.kind]) if a.dtype.kind in kinds else a.copy() for a in broadcast]


def _leaves(result: Any) -> list[NDArray[Any]]:
    return [np.asarray(leaf) for leaf in (result if isinstance(result, tuple) else (result,))]


def _derivative_checks(
    f: Callable[..., Any],
    host: Callable[..., Any],
    points: list[NDArray[Any]],
    arrays: list[jax.Array],
    k: int,
    transforms: Sequence[str],
    tolerance: float,
) -> list[Check]:
    checks = []
    directions = [("", 1.0), (" along i", 1j)] if points[k].dtype.kind == "c" else [("", 1.0)]
    for suffix, direction in directions:
        what = f"d/d{k}{suffix}"
        try:
            _, tangents = jax.jvp(_of(f, arrays, k), (arrays[k],), (jnp.full_like(arrays[k], direction),))
        except DerivativeUnavailable as reason:
            return [Check(what, True, 0.0, 0, note=f"unavailable: {reason}")]
        got = _leaves(tangents)
        if "jvp" in transforms:
            expected, errors = _differences(host, points, [(k, direction)])
            checks.append(_compare(what, points, got, expected, tolerance, errors))
        if "vjp" in transforms and direction == 1.0:
            checks.append(_reverse(f, points, arrays, k, got))
    return checks


def _of(f: Callable[..., Any], arrays: list[jax.Array], k: int) -> Callable[[jax.Array], Any]:
    return lambda x: f(*arrays[:k], x, *arrays[k + 1 :])


def _reverse(
    f: Callable[..., Any], points: list[NDArray[Any]], arrays: list[jax.Array], k: int, forward: list[NDArray[Any]]
) -> Check:
    """Reverse mode on the sum of the outputs against the sum of the forward tangents."""
    value, pull = jax.vjp(_of(f, arrays, k), arrays[k])
    (cotangent,) = pull(jax.tree.map(jnp.ones_like, value))
    total = np.sum(forward, axis=0)
    got = np.asarray(cotangent)
    if got.dtype.kind != "c":
        total = np.real(total)
    return _compare(f"d/d{k} reverse", points, [got], [total], 1e-10 if got.dtype.itemsize >= 8 else 1e-4)


def _second_order(
    f: Callable[..., Any],
    host: Callable[..., Any],
    points: list[NDArray[Any]],
    arrays: list[jax.Array],
    i: int,
    j: int,
    tolerance: float,
) -> Check:
    what = f"d2/d{i}d{j}"

    def first(x: jax.Array) -> Any:
        moved = [*arrays[:j], x, *arrays[j + 1 :]]
        return jax.jvp(_of(f, moved, i), (moved[i],), (jnp.ones_like(moved[i]),))[1]

    try:
        _, tangents = jax.jvp(first, (arrays[j],), (jnp.ones_like(arrays[j]),))
    except DerivativeUnavailable as reason:
        return Check(what, True, 0.0, 0, note=f"unavailable: {reason}")
    expected, errors = _differences(host, points, [(i, 1.0), (j, 1.0)])
    return _compare(what, points, _leaves(tangents), expected, tolerance, errors)


def _differences(
    host: Callable[..., Any], points: list[NDArray[Any]], along: list[tuple[int, complex]]
) -> tuple[list[NDArray[Any]], list[NDArray[np.float64]]]:
    """Central differences of every output of `host` along one or two directions, with their estimated errors."""
    wide = [a.astype(np.result_type(a.dtype, np.float64)) if a.dtype.kind in "fc" else a for a in points]
    count = len(_leaves(host(*points)))
    values, errors = [], []
    for out in range(count):

        def shifted(*args: Any, out: int = out) -> Any:
            *steps, base = args[: len(along)], list(args[len(along) :])
            for step, (k, direction) in zip(steps[0], along, strict=True):
                base[k] = base[k] + step * (direction if direction != 1.0 else 1.0)
            return _leaves(host(*base))[out]

        if len(along) == 2 and along[0][0] == along[1][0]:
            k = along[0][0]
            single = lambda t, *base, out=out, k=k: _leaves(host(*base[:k], base[k] + t, *base[k + 1 :]))[out]  # noqa: E731
            stencil = Stencil(single, 0, 2, None)
            value, error = stencil.with_error(np.zeros(len(points[0])), *wide)
        else:
            inner: Any = shifted
            for position in range(len(along) - 1):
                inner = Stencil(inner, position + 1, 1, None)
            value, error = Stencil(inner, 0, 1, None).with_error(*[np.zeros(len(points[0]))] * len(along), *wide)
        values.append(value)
        errors.append(error)
    return values, errors


def _compare(
    what: str,
    points: list[NDArray[Any]],
    got: list[NDArray[Any]],
    expected: list[NDArray[Any]],
    tolerance: float,
    errors: list[NDArray[np.float64]] | None = None,
) -> Check:
    """Largest relative error over outputs and points; equal NaN and inf agree."""
    worst, worst_error, counted = None, 0.0, 0
    for k, (g, wanted) in enumerate(zip(got, expected, strict=True)):
        e = np.broadcast_to(wanted, g.shape)
        uncertainty = np.zeros(g.shape) if errors is None else 20 * errors[k]
        with np.errstate(all="ignore"):
            usable = uncertainty <= _USABLE * np.abs(e) if errors is not None else np.ones(g.shape, bool)
            same = (g == e) | (np.isnan(g) & np.isnan(e))
            excess = np.maximum(np.abs(g - e) - uncertainty, 0.0)
            relative = np.where(same, 0.0, excess / np.maximum(np.abs(e), np.finfo(float).tiny))
        relative = np.where(np.isnan(relative), np.inf, relative)[usable]
        counted += relative.size
        if relative.size and relative.max() >= worst_error:
            worst_error = float(relative.max())
            at = int(np.flatnonzero(usable)[relative.argmax()])
            worst = Point(tuple(a[at].item() for a in points), e[at].item(), g[at].item())
    note = "" if counted else "no point where differences can tell"
    return Check(what, worst_error <= tolerance, worst_error, counted, worst, note)
