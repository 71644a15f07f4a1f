"""Functions of the specs as SymPy functions: what SymPy asks for in `diff` are their partials."""

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, TypeAlias

import sympy

Expr: TypeAlias = Any
"""A SymPy expression (SymPy has no usable types)."""


class NoDerivative(ValueError):
    """A partial that doesn't exist as a formula; the message is the reason, a sentence."""


class Partials(Protocol):
    """What SymPy asks for when it meets a function of the specs in `diff`."""

    def partial_of(self, function: str, output: str | None, argument: int, args: Sequence[Expr]) -> Expr:
        """The partial of `function(*args)` in its argument at position `argument`. May raise `NoDerivative`."""
        ...


class SpecCall(sympy.Function):  # type: ignore[misc]
    """A call of a function of the specs (or of one of its outputs) inside SymPy."""

    spec: ClassVar[str]
    output: ClassVar[str | None]
    partials: ClassVar[Partials]

    def fdiff(self, argindex: int = 1) -> Expr:
        return type(self).partials.partial_of(self.spec, self.output, argindex - 1, self.args)

    def _eval_is_commutative(self) -> bool:
        return True


class SpecFunctions:
    """The SymPy classes of functions of the specs, one per function and output."""

    def __init__(self, partials: Partials) -> None:
        self._partials = partials
        self._classes: dict[tuple[str, str | None], type[SpecCall]] = {}

    def __call__(self, function: str, output: str | None, args: Sequence[Expr]) -> Expr:
        key = (function, output)
        if key not in self._classes:
            body = {"spec": function, "output": output, "partials": self._partials}
            self._classes[key] = type(function, (SpecCall,), body)
        return self._classes[key](*args)
