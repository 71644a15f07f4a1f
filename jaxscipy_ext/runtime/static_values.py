"""What a static argument may be: checked while tracing, before a host function meets a value that it raises for."""

import operator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Integer:
    """An integer between two ends, both included."""

    lower: int | None = None
    upper: int | None = None

    def checked(self, function: str, argument: str, value: Any) -> int:
        """`value` as Python's int. Raises `TypeError` or `ValueError`, as SciPy does."""
        try:
            number = operator.index(value)
        except TypeError:
            raise TypeError(f"{function}: {argument!r} must be {self}, got {value!r}") from None
        if (self.lower is not None and number < self.lower) or (self.upper is not None and number > self.upper):
            raise ValueError(f"{function}: {argument!r} must be {self}, got {number}")
        return number

    def __str__(self) -> str:
        match self.lower, self.upper:
            case None, None:
                return "an integer"
            case lower, None:
                return f"an integer >= {lower}"
            case None, upper:
                return f"an integer <= {upper}"
            case lower, upper:
                return f"an integer from {lower} to {upper}"


class OneOf:
    """One of a few values."""

    def __init__(self, *choices: float | str) -> None:
        self.choices = choices

    def checked(self, function: str, argument: str, value: Any) -> int | float | str:
        """The choice that equals `value`. Raises `ValueError`."""
        for choice in self.choices:
            if isinstance(value, str) == isinstance(choice, str) and value == choice:
                return choice
        listed = " or ".join(map(repr, self.choices))
        raise ValueError(f"{function}: {argument!r} must be {listed}, got {value!r}")
