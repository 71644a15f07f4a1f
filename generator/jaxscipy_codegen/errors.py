"""Mistakes in specs: where they are, what is wrong, what to write instead; always all of them at once."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True, order=True)
class Position:
    """A place in a spec file; `line` and `column` count from 1, as editors do."""

    file: str
    line: int
    column: int

    def shifted(self, columns: int) -> "Position":
        """The place `columns` characters further on in the same line."""
        return Position(self.file, self.line, self.column + columns)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Position("<python>", 1, 1)
"""The position of what was made in Python and not read from a file."""


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake. `path` is the way from the top of the file (`functions.jv.args.z`)."""

    position: Position
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.position}: {self.path}: {self.message}" if self.path else f"{self.position}: {self.message}"


class SpecError(ValueError):
    """Every mistake that was found, one line each, in the order of the files; `problems` has them as data."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(map(str, self.problems)))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`did you mean 'x'?` when a known name is near, else the list of known names (at most twelve), else nothing."""
    names = sorted(set(known))
    close = get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    return "write one of: " + ", ".join(names) if 0 < len(names) <= 12 else ""
