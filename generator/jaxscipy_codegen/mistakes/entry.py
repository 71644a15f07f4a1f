"""The entry that is checked, and what is known of the others."""

from collections.abc import Mapping
from dataclasses import dataclass

from jaxscipy_codegen.errors import Problem
from jaxscipy_codegen.model import Function, Library
from jaxscipy_codegen.vocabulary import Signature


@dataclass(frozen=True)
class Entry:
    """One function of a library."""

    library: Library
    function: Function
    functions: Mapping[str, Signature]
    """What rules may call."""
    broken: frozenset[str]
    """Entries with mistakes that are reported already and that therefore aren't complete."""
    vague: frozenset[str]
    """Those whose arguments or outputs aren't known because of that."""

    @property
    def complete(self) -> bool:
        """Whether the file was understood as far as this entry goes."""
        return self.function.name not in self.broken

    def problem(self, message: str, *path: str) -> Problem:
        """A mistake at a key of the entry."""
        return Problem(self.function.place(*path), ".".join(("functions", self.function.name, *path)), message)
