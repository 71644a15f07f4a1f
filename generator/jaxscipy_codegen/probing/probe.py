"""What is asked of a host, in order."""

import contextlib
from typing import Any

import numpy as np

from jaxscipy_codegen.probing import domains
from jaxscipy_codegen.probing.calls import Calls, CannotProbe, Seen
from jaxscipy_codegen.probing.results import brief, finite, results_of, same
from jaxscipy_codegen.probing.shapes import look_at_shapes


class Probe(Calls):
    """Everything that calls of a host tell."""

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
        alone = self.attempt(seen.point.values())
        if isinstance(alone, Exception):
            seen.remarks.append(f"a single number fails ({brief(alone)}): arrays only")
            alone = self.call(np.full(3, value) for value in seen.point.values())
        self._purity(seen, alone)
        self._kinds(seen, alone)
        look_at_shapes(self, seen)
        return seen

    def _point(self, seen: Seen) -> dict[str, float]:
        """The first point at which the host returns numbers."""
        reasons: list[str] = []
        for point in self.candidates():
            try:
                found = self.call(point.values())
            except Exception as error:  # noqa: BLE001  a foreign host's exception is a reason not to take this point
                reasons.append(f"{type(error).__name__}: {error}")
                point_as_array = {a: np.full(3, v) for a, v in point.items()}
                with contextlib.suppress(Exception):  # hosts of arrays only
                    found = self.call(point_as_array.values())
                    if finite(found):
                        return point
                continue
            if found is None:
                seen.callback = "debug"
                seen.remarks.append(f"{self.shown(point)} returned None: the host only looks (`callback: debug`)")
                return point
            if finite(found):
                return point
            reasons.append(f"it returned {found!r}")
        tried = self.shown(self.candidates()[0])
        raise CannotProbe(
            f"{self.name} gave no numbers at any of the points that were tried, such as {tried} ({reasons[0]}); "
            f"write a point where it does: --at {' '.join(f'{a}=1.0' for a in self.arrays)}"
        )

    def _ufunc(self, seen: Seen, ufunc: np.ufunc) -> None:
        seen.outputs = ("same",) * ufunc.nout
        if ufunc.signature:
            seen.signature = ufunc.signature
            seen.remarks.append(f"a generalised ufunc with the core dimensions {ufunc.signature}")
            return
        loops = ", ".join(ufunc.types[:6]) + (", ..." if len(ufunc.types) > 6 else "")
        seen.remarks.append(f"a ufunc with the loops {loops}: it broadcasts, and runs without Python on CPUs")

    def _purity(self, seen: Seen, first: Any) -> None:
        values = [np.full(np.shape(results_of(first)[0]), v) for v in seen.point.values()]
        again = [self.attempt(seen.point.values() if np.ndim(values[0]) == 0 else values) for _ in range(3)]
        if any(isinstance(other, Exception) for other in again) or all(same(first, other) for other in again):
            return
        seen.callback = "io"
        seen.remarks.append(
            f"{self.shown(seen.point)} gave {brief(first)}, then {brief(again[0])}: not pure (`callback: io`); "
            f"it has no derivative, and is called exactly as often as the program says"
        )

    def _kinds(self, seen: Seen, alone: Any) -> None:
        results = alone if isinstance(alone, tuple) else (alone,)
        seen.outputs = tuple("complex" if np.iscomplexobj(result) else "same" for result in results)
        if isinstance(alone, tuple):
            seen.remarks.append(f"it returned {len(results)} results: one output each (name them)")
        if "complex" in seen.outputs:
            seen.remarks.append("it returned complex numbers for real arguments (`dtype: complex`)")

    def domain(self, seen: Seen, argument: str) -> tuple[str, str]:
        """See `domains.domain`."""
        return domains.domain(self, seen, argument)
