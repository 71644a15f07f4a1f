"""Looking at a host by calling it with small arrays: what shapes it takes, what it returns, where it is defined.

Everything that is concluded is also said (`Seen.remarks`): the author of the spec can judge it.
"""

import contextlib
import itertools
import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

_PLACES = (0.5, 1.5, 0.25, 2.5, -0.5, 3.0, 1.0, 2.0, 10.0)
_CLOSE = 1e-9


class CannotProbe(ValueError):
    """The host can't be called; the message says with what it was tried and what to write."""


@dataclass
class Seen:
    """What a host did."""

    batch: str = "elementwise"
    vmap_method: str = "expand_dims"
    signature: str | None = None
    callback: str = "pure"
    outputs: tuple[str, ...] = ("same",)
    """The kind of every output."""
    point: dict[str, float] = field(default_factory=dict)
    """A point at which the host returns numbers."""
    remarks: list[str] = field(default_factory=list)


class Probe:
    """Calls of one host."""

    def __init__(
        self, host: Callable[..., Any], kinds: Mapping[str, str], given: Mapping[str, float], name: str = "host"
    ) -> None:
        """`kinds`: of the arguments (static ones keep their defaults); `given`: values that the author wants."""
        self.host, self.name = host, name
        self.arrays = [argument for argument, kind in kinds.items() if kind != "static"]
        self.integers = {argument for argument, kind in kinds.items() if kind == "integer"}
        self.given = dict(given)

    def look(self) -> Seen:
        """All that can be seen. Raises `CannotProbe`."""
        seen = Seen()
        if isinstance(self.host, np.ufunc) and self.host.signature:
            self._ufunc(seen, self.host)
            return seen
        seen.point = self._point(seen)
        if seen.callback == "debug":
            return seen
        if isinstance(self.host, np.ufunc):
            self._ufunc(seen, self.host)
            return seen
        alone = self._try(seen.point.values())
        if isinstance(alone, Exception):
            seen.remarks.append(f"a single number fails ({_brief(alone)}): arrays only")
            alone = self._call(np.full(3, value) for value in seen.point.values())
        self._purity(seen, alone)
        self._kinds(seen, alone)
        self._shapes(seen)
        return seen

    # ------------------------------------------------------------------------------------------------------- calling

    def _value(self, argument: str, place: float) -> Any:
        return round(place) if argument in self.integers else float(place)

    def _call(self, values: Any) -> Any:
        with _quiet():
            return self.host(*values)

    def _candidates(self) -> list[dict[str, float]]:
        free = [argument for argument in self.arrays if argument not in self.given]
        rows = (
            itertools.product(_PLACES, repeat=len(free)) if len(free) <= 2 else zip(*[_PLACES] * len(free), strict=True)
        )
        shifted = (tuple(np.roll(_PLACES, k)[: len(free)]) for k in range(len(_PLACES)))
        points = itertools.chain(rows, shifted if len(free) > 2 else ())
        return [
            {a: self._value(a, self.given.get(a, dict(zip(free, row, strict=True)).get(a, 0.0))) for a in self.arrays}
            for row in points
        ]

    def _point(self, seen: Seen) -> dict[str, float]:
        """The first point at which the host returns numbers."""
        reasons: list[str] = []
        for point in self._candidates():
            try:
                found = self._call(point.values())
            except Exception as error:  # noqa: BLE001  a foreign host's exception is a reason not to take this point
                reasons.append(f"{type(error).__name__}: {error}")
                point_as_array = {a: np.full(3, v) for a, v in point.items()}
                with contextlib.suppress(Exception):  # hosts of arrays only
                    found = self._call(point_as_array.values())
                    if _finite(found):
                        return point
                continue
            if found is None:
                seen.callback = "debug"
                seen.remarks.append(f"{self._shown(point)} returned None: the host only looks (`callback: debug`)")
                return point
            if _finite(found):
                return point
            reasons.append(f"it returned {found!r}")
        tried = self._shown(self._candidates()[0])
        raise CannotProbe(
            f"{self.name} gave no numbers at any of the points that were tried, such as {tried} ({reasons[0]}); "
            f"write a point where it does: --at {' '.join(f'{a}=1.0' for a in self.arrays)}"
        )

    def _shown(self, point: Mapping[str, Any]) -> str:
        return f"{self.name}({', '.join(f'{v:g}' if np.ndim(v) == 0 else str(v) for v in point.values())})"

    # ------------------------------------------------------------------------------------------------------ concluding

    def _ufunc(self, seen: Seen, ufunc: np.ufunc) -> None:
        seen.outputs = ("same",) * ufunc.nout
        if ufunc.signature:
            seen.signature = ufunc.signature
            seen.remarks.append(f"a generalised ufunc with the core dimensions {ufunc.signature}")
            return
        loops = ", ".join(ufunc.types[:6]) + (", ..." if len(ufunc.types) > 6 else "")
        seen.remarks.append(f"a ufunc with the loops {loops}: it broadcasts, and runs without Python on CPUs")

    def _purity(self, seen: Seen, first: Any) -> None:
        values = [np.full(np.shape(_tuple(first)[0]), v) for v in seen.point.values()]
        again = [self._try(seen.point.values() if np.ndim(values[0]) == 0 else values) for _ in range(3)]
        if any(isinstance(other, Exception) for other in again) or all(_same(first, other) for other in again):
            return
        seen.callback = "io"
        seen.remarks.append(
            f"{self._shown(seen.point)} gave {_brief(first)}, then {_brief(again[0])}: not pure (`callback: io`); "
            f"it has no derivative, and is called exactly as often as the program says"
        )

    def _kinds(self, seen: Seen, alone: Any) -> None:
        results = alone if isinstance(alone, tuple) else (alone,)
        seen.outputs = tuple("complex" if np.iscomplexobj(result) else "same" for result in results)
        if isinstance(alone, tuple):
            seen.remarks.append(f"it returned {len(results)} results: one output each (name them)")
        if "complex" in seen.outputs:
            seen.remarks.append("it returned complex numbers for real arguments (`dtype: complex`)")

    def _shapes(self, seen: Seen) -> None:
        impure = seen.callback == "io"
        loop = self._loop(seen)
        grids = self._grids(seen)
        same, mixed = self._try(grids["same"]), self._try(grids["mixed"])
        shape = (3,)
        if isinstance(same, Exception) or not _numeric(same):
            seen.batch = "scalar"
            seen.remarks.append(
                f"arrays of shape (3,) fail ({_brief(same)}): single numbers only, the loop is on the host"
            )
            return
        shapes = [np.shape(result) for result in _tuple(same)]
        if any(s != shape for s in shapes) or not (impure or _close(same, loop["same"])):
            self._core(seen, shapes, grids)
            return
        as_loop = "" if impure or isinstance(loop["same"], Exception) else ", equal to the loop over its elements"
        seen.remarks.append(f"shape (3,) gave shape (3,){as_loop}")
        if len(self.arrays) == 1:
            return
        ok = not isinstance(mixed, Exception) and all(np.shape(r) == (2, 3) for r in _tuple(mixed))
        if ok and (impure or _close(mixed, loop["mixed"])):
            seen.remarks.append("shapes (2, 1) and (3,) gave (2, 3): it broadcasts")
            return
        why = _brief(mixed) if isinstance(mixed, Exception) else f"shape {np.shape(_tuple(mixed)[0])} or wrong values"
        seen.batch, seen.vmap_method = "same-shape", "broadcast_all"
        seen.remarks.append(f"shapes (2, 1) and (3,) don't broadcast ({why}): equal shapes only")

    def _grids(self, seen: Seen) -> dict[str, list[NDArray[Any]]]:
        factors = {
            "same": np.array([1.0, 0.9, 0.8]),
            "column": np.array([[1.0], [0.95]]),
            "row": np.array([1.0, 0.9, 0.8]),
        }

        def grid(argument: str, factor: NDArray[Any]) -> NDArray[Any]:
            value = seen.point[argument]
            return np.full(factor.shape, value) if argument in self.integers else value * factor

        first = self.arrays[0]
        return {
            "same": [grid(a, factors["same"]) for a in self.arrays],
            "mixed": [grid(a, factors["column"] if a == first else factors["row"]) for a in self.arrays],
        }

    def _loop(self, seen: Seen) -> dict[str, Any]:
        """The host at every element of the grids alone; an exception where it takes no single numbers."""
        found: dict[str, Any] = {}
        for name, grid in self._grids(seen).items():
            arrays = np.broadcast_arrays(*grid)
            points = list(zip(*(a.ravel().tolist() for a in arrays), strict=True))
            rows = [self._try(point) for point in points]
            bad = next((row for row in rows if isinstance(row, Exception)), None)
            columns = zip(*map(_tuple, rows), strict=True) if bad is None else ()
            with contextlib.suppress(ValueError):
                found[name] = bad or tuple(np.reshape(np.array(column), arrays[0].shape) for column in columns)
            found.setdefault(name, bad)
        return found

    def _try(self, values: Any) -> Any:
        try:
            return self._call(values)
        except Exception as error:  # noqa: BLE001  what a foreign host raises is what is seen
            return error

    def _core(self, seen: Seen, shapes: Sequence[tuple[int, ...]], grids: Mapping[str, list[NDArray[Any]]]) -> None:
        """The host reads its arguments as whole vectors."""
        if any(shape not in ((), (3,)) for shape in shapes):
            raise CannotProbe(
                f"{self.name} returned shapes {', '.join(map(str, shapes))} for arrays of shape (3,); write its core "
                f"dimensions yourself, for example signature: (n)->(n)"
            )
        inside = ",".join(["(n)"] * len(self.arrays))
        seen.signature = f"{inside}->{','.join('(n)' if shape else '()' for shape in shapes)}"
        stacked = self._try([np.stack([a, a]) for a in grids["same"]])
        expected = [(2, *shape) for shape in shapes]
        one = self._try(grids["same"])
        batches = not isinstance(stacked, Exception) and [np.shape(r) for r in _tuple(stacked)] == expected
        if batches and _close(tuple(np.asarray(r)[0] for r in _tuple(stacked)), one):
            seen.remarks.append(
                f"shape (3,) gave shape {shapes[0]} with other values than the loop: `{seen.signature}`"
            )
            seen.remarks.append("shape (2, 3) gave the same twice: leading dimensions are a batch")
            return
        seen.batch = "scalar"
        seen.remarks.append(f"shape (3,) gave shape {shapes[0]}: it reads whole vectors, `{seen.signature}`")
        seen.remarks.append("shape (2, 3) isn't a batch for it: one vector at a time, the loop is on the host")

    # --------------------------------------------------------------------------------------------------------- domains

    def domain(self, seen: Seen, argument: str) -> tuple[str, str]:
        """`("x > 0", remark)`: where the host has numbers along one argument, among a few places; "real" otherwise."""
        places = np.array([-10.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 10.0])
        known: list[bool] = []
        for place in places:
            values = [float(place) if a == argument else v for a, v in seen.point.items()]
            known.append(_finite(self._try(values)))
        inside = places[known]
        if not inside.size or len(inside) == len(places):
            return "real", ""
        low, high = float(inside.min()), float(inside.max())
        bounds = {
            (0.5, 10.0): f"{argument} > 0",
            (0.0, 10.0): f"{argument} >= 0",
            (-0.5, 10.0): f"{argument} > -1",
            (-1.0, 10.0): f"{argument} >= -1",
            (2.0, 10.0): f"{argument} > 1",
            (1.0, 10.0): f"{argument} >= 1",
            (0.0, 1.0): f"0 <= {argument} <= 1",
            (0.5, 0.5): f"0 < {argument} < 1",
            (0.0, 0.5): f"0 <= {argument} < 1",
            (0.5, 1.0): f"0 < {argument} <= 1",
            (-1.0, 1.0): f"-1 <= {argument} <= 1",
            (-0.5, 0.5): f"-1 < {argument} < 1",
        }
        text = bounds.get((low, high), "real")
        if text == "real" or len(inside) != int(((places >= low) & (places <= high)).sum()):
            return "real", ""
        return text, f"no numbers outside {text}, as far as a few points tell"


def _tuple(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


def _numeric(result: Any) -> bool:
    try:
        return all(np.asarray(r).dtype.kind in "biufc" for r in _tuple(result))
    except ValueError:
        return False


def _finite(result: Any) -> bool:
    return (
        not isinstance(result, Exception) and _numeric(result) and all(np.all(np.isfinite(r)) for r in _tuple(result))
    )


def _same(one: Any, other: Any) -> bool:
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(_tuple(one), _tuple(other), strict=True))


def _close(one: Any, other: Any) -> bool:
    if isinstance(one, Exception) or isinstance(other, Exception) or other is None:
        return other is None or not isinstance(one, Exception)
    pairs = zip(_tuple(one), _tuple(other), strict=False)
    return all(np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=_CLOSE, atol=0, equal_nan=True) for a, b in pairs)


def _brief(what: Any) -> str:
    if isinstance(what, Exception):
        line = (str(what).splitlines() or [""])[0]
        return f"{type(what).__name__}: {line}"
    return repr(what)


@contextlib.contextmanager
def _quiet() -> Generator[None, None, None]:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
