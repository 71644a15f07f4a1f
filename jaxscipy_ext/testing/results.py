"""What a check found: per comparison the largest error and the point where it is."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Point:
    """The point with the largest error."""

    inputs: tuple[Any, ...]
    expected: Any
    got: Any

    def __str__(self) -> str:
        return f"at ({', '.join(repr(x) for x in self.inputs)}): expected {self.expected!r}, got {self.got!r}"


@dataclass(frozen=True)
class Series:
    """One output of one comparison at all points, for plots: what came out, what should, and the relative error."""

    got: NDArray[Any]
    expected: NDArray[Any]
    error: NDArray[np.float64]
    """NaN where the reference can't tell."""


@dataclass(frozen=True)
class Check:
    """One comparison over all points. `error` is the largest ``|got - expected| / max(|expected|, scale)``."""

    what: str
    passed: bool
    error: float
    points: int
    worst: Point | None = None
    note: str = ""
    transform: str = ""
    """The transform (see `TRANSFORMS`) that it belongs to."""
    series: tuple[Series, ...] = field(default=(), repr=False, compare=False)

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

    @property
    def worst(self) -> Check | None:
        """The failed check with the largest error; None if all passed."""
        return max((check for check in self.checks if not check.passed), key=lambda check: check.error, default=None)

    def raise_for_failures(self) -> None:
        """`AssertionError` with the worst points, if any check failed."""
        if not self.passed:
            raise AssertionError(str(self))

    def __str__(self) -> str:
        return "\n".join([f"{self.function} ({self.dtype})", *map(str, self.checks)])
