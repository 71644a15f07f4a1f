"""What shapes a host takes: any that broadcast, equal ones, single numbers, or whole vectors."""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxscipy_codegen.probing.calls import Calls, CannotProbe, Seen
from jaxscipy_codegen.probing.results import brief, close, numeric, results_of


def look_at_shapes(calls: Calls, seen: Seen) -> None:
    """Conclude `batch`, `vmap_method` and `signature`. Raises `CannotProbe`."""
    impure = seen.callback == "io"
    loop = _loop(calls, seen)
    grids = _grids(calls, seen)
    same, mixed = calls.attempt(grids["same"]), calls.attempt(grids["mixed"])
    shape = (3,)
    if isinstance(same, Exception) or not numeric(same):
        seen.batch = "scalar"
        seen.remarks.append(f"arrays of shape (3,) fail ({brief(same)}): single numbers only, the loop is on the host")
        return
    shapes = [np.shape(result) for result in results_of(same)]
    if any(s != shape for s in shapes) or not (impure or close(same, loop["same"])):
        _core(calls, seen, shapes, grids)
        return
    as_loop = "" if impure or isinstance(loop["same"], Exception) else ", equal to the loop over its elements"
    seen.remarks.append(f"shape (3,) gave shape (3,){as_loop}")
    if len(calls.arrays) == 1:
        return
    ok = not isinstance(mixed, Exception) and all(np.shape(r) == (2, 3) for r in results_of(mixed))
    if ok and (impure or close(mixed, loop["mixed"])):
        seen.remarks.append("shapes (2, 1) and (3,) gave (2, 3): it broadcasts")
        return
    why = brief(mixed) if isinstance(mixed, Exception) else f"shape {np.shape(results_of(mixed)[0])} or wrong values"
    seen.batch, seen.vmap_method = "same-shape", "broadcast_all"
    seen.remarks.append(f"shapes (2, 1) and (3,) don't broadcast ({why}): equal shapes only")


def _grids(calls: Calls, seen: Seen) -> dict[str, list[NDArray[Any]]]:
    factors = {
        "same": np.array([1.0, 0.9, 0.8]),
        "column": np.array([[1.0], [0.95]]),
        "row": np.array([1.0, 0.9, 0.8]),
    }

    def grid(argument: str, factor: NDArray[Any]) -> NDArray[Any]:
        value = seen.point[argument]
        return np.full(factor.shape, value) if argument in calls.integers else value * factor

    first = calls.arrays[0]
    return {
        "same": [grid(a, factors["same"]) for a in calls.arrays],
        "mixed": [grid(a, factors["column"] if a == first else factors["row"]) for a in calls.arrays],
    }


def _loop(calls: Calls, seen: Seen) -> dict[str, Any]:
    """The host at every element of the grids alone; an exception where it takes no single numbers."""
    found: dict[str, Any] = {}
    for name, grid in _grids(calls, seen).items():
        arrays = np.broadcast_arrays(*grid)
        points = list(zip(*(a.ravel().tolist() for a in arrays), strict=True))
        rows = [calls.attempt(point) for point in points]
        bad = next((row for row in rows if isinstance(row, Exception)), None)
        columns = zip(*map(results_of, rows), strict=True) if bad is None else ()
        with contextlib.suppress(ValueError):
            found[name] = bad or tuple(np.reshape(np.array(column), arrays[0].shape) for column in columns)
        found.setdefault(name, bad)
    return found


def _core(calls: Calls, seen: Seen, shapes: Sequence[tuple[int, ...]], grids: Mapping[str, list[NDArray[Any]]]) -> None:
    """The host reads its arguments as whole vectors."""
    if any(shape not in ((), (3,)) for shape in shapes):
        raise CannotProbe(
            f"{calls.name} returned shapes {', '.join(map(str, shapes))} for arrays of shape (3,); write its core "
            f"dimensions yourself, for example signature: (n)->(n)"
        )
    inside = ",".join(["(n)"] * len(calls.arrays))
    seen.signature = f"{inside}->{','.join('(n)' if shape else '()' for shape in shapes)}"
    stacked = calls.attempt([np.stack([a, a]) for a in grids["same"]])
    expected = [(2, *shape) for shape in shapes]
    one = calls.attempt(grids["same"])
    batches = not isinstance(stacked, Exception) and [np.shape(r) for r in results_of(stacked)] == expected
    if batches and close(tuple(np.asarray(r)[0] for r in results_of(stacked)), one):
        seen.remarks.append(f"shape (3,) gave shape {shapes[0]} with other values than the loop: `{seen.signature}`")
        seen.remarks.append("shape (2, 3) gave the same twice: leading dimensions are a batch")
        return
    seen.batch = "scalar"
    seen.remarks.append(f"shape (3,) gave shape {shapes[0]}: it reads whole vectors, `{seen.signature}`")
    seen.remarks.append("shape (2, 3) isn't a batch for it: one vector at a time, the loop is on the host")
