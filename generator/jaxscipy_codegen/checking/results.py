"""What a run found, for the table, the page and JSON."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxscipy_codegen.checking.settings import Task
from jaxscipy_ext.testing.comparison import UNDECIDED


@dataclass(frozen=True)
class Slice:
    """What a plot shows: along one argument (the others fixed) a value or derivative, what it should be, its error."""

    argument: str
    what: str
    x: NDArray[np.float64]
    got: NDArray[Any]
    expected: NDArray[Any]
    error: NDArray[np.float64]


@dataclass(frozen=True)
class Result:
    """What one task found."""

    task: Task
    module: str
    checks: tuple[Any, ...]
    """Of `jaxscipy_ext.testing.Check`."""
    seconds: float
    command: str
    arguments: tuple[str, ...] = ()
    slices: tuple[Slice, ...] = field(default=(), repr=False)

    @property
    def passed(self) -> bool:
        return all(check.passed for check in self.checks)

    @property
    def failures(self) -> list[Any]:
        """The failed checks; those that explain others come first (an impure host, then values, then derivatives)."""
        return [check for check in self.checks if not check.passed]

    @property
    def exceptions(self) -> list[str]:
        """What wasn't compared, because the entry says that it can't be, and why."""
        words = (part for check in self.checks for part in check.note.split("; ") if part.startswith("known exception"))
        return list(dict.fromkeys(words))

    @property
    def undecided(self) -> list[str]:
        """What passed without a single point at which it could be compared."""
        return list(dict.fromkeys(check.what for check in self.checks if UNDECIDED in check.note.split("; ")))

    @property
    def largest(self) -> float:
        """The largest error of all checks."""
        return max((check.error for check in self.checks), default=0.0)

    def inputs(self, check: Any) -> dict[str, Any]:
        """The arguments at the worst point of a check, by name."""
        return dict(zip(self.arguments, check.worst.inputs, strict=False))

    def as_json(self) -> dict[str, Any]:
        """The result in JSON's types; infinite errors are the string "inf"."""
        return {
            "function": self.task.name,
            "module": self.module,
            "dtype": self.task.dtype,
            "backend": self.task.backend,
            "passed": self.passed,
            "seconds": round(self.seconds, 3),
            "command": self.command,
            "checks": [
                {
                    "what": check.what,
                    "transform": check.transform,
                    "passed": check.passed,
                    "error": check.error if np.isfinite(check.error) else "inf",
                    "points": check.points,
                    "note": check.note,
                    "worst": self._worst(check),
                }
                for check in self.checks
            ],
        }

    def _worst(self, check: Any) -> dict[str, Any] | None:
        if check.worst is None:
            return None
        inputs = {name: repr(value) for name, value in self.inputs(check).items()}
        return {"inputs": inputs, "expected": repr(check.worst.expected), "got": repr(check.worst.got)}
