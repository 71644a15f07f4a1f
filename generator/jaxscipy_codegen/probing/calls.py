"""Calls of one host at points that suit its arguments, and what is known of it in the end."""

import contextlib
import itertools
import warnings
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

_PLACES = (0.5, 1.5, 0.25, 2.5, -0.5, 3.0, 1.0, 2.0, 10.0)


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


class Calls:
    """Calls of one host."""

    def __init__(
        self, host: Callable[..., Any], kinds: Mapping[str, str], given: Mapping[str, float], name: str = "host"
    ) -> None:
        """`kinds`: of the arguments (static ones keep their defaults); `given`: values that the author wants."""
        self.host, self.name = host, name
        self.arrays = [argument for argument, kind in kinds.items() if kind != "static"]
        self.integers = {argument for argument, kind in kinds.items() if kind == "integer"}
        self.given = dict(given)

    def _value(self, argument: str, place: float) -> Any:
        return round(place) if argument in self.integers else float(place)

    def call(self, values: Any) -> Any:
        """The host at these arguments, without warnings."""
        with _quiet():
            return self.host(*values)

    def candidates(self) -> list[dict[str, float]]:
        """Points to try, those that the author gave in part."""
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

    def shown(self, point: Mapping[str, Any]) -> str:
        """A call as it is written."""
        return f"{self.name}({', '.join(f'{v:g}' if np.ndim(v) == 0 else str(v) for v in point.values())})"

    def attempt(self, values: Any) -> Any:
        """`call`, or the exception that the host has raised."""
        try:
            return self.call(values)
        except Exception as error:  # noqa: BLE001  what a foreign host raises is what is seen
            return error


@contextlib.contextmanager
def _quiet() -> Generator[None, None, None]:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
