"""How SymPy's functions are called in the specs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import sympy

from jaxscipy_codegen.functions import ELEMENTARY
from jaxscipy_codegen.symbolic.calls import Expr, NoDerivative


@dataclass(frozen=True)
class Meaning:
    """A function of the specs whose formula is known."""

    spelling: str
    """Its name, `airy.ai` for an output."""
    arguments: tuple[Expr, ...]
    """The symbols of its arguments, in order."""
    required: tuple[Expr, ...]
    """Those without a default."""
    formula: Expr


class Meanings:
    """How SymPy's functions are spelled in the specs: elementary ones, and those that are an entry's whole formula.

    `besselj` is `jv` where jv's formula is `besselj(v, z)`; formulas with constants (`besselj(0, x)` of j0) go first.
    """

    def __init__(self, entries: Iterable[Meaning]) -> None:
        """Entries whose formula is more than one function of arguments and constants are left out."""
        self._entries: dict[type, list[Meaning]] = {}
        for entry in entries:
            symbols = [arg for arg in entry.formula.args if arg.is_Symbol]
            plain = all(arg.is_Symbol or arg.is_number for arg in entry.formula.args) and len({*symbols}) == len(
                symbols
            )
            if isinstance(entry.formula, sympy.Function) and plain and {*entry.required} <= {*symbols}:
                self._entries.setdefault(type(entry.formula), []).append(entry)
        for rows in self._entries.values():
            rows.sort(key=lambda row: (-sum(arg.is_number for arg in row.formula.args), row.spelling))

    def spelled(self, call: Expr) -> tuple[str, Sequence[Expr]]:
        """Name and arguments in the specs of a call of a SymPy function. Raises `NoDerivative`."""
        if type(call) in _ELEMENTARY_NAMES:
            return _ELEMENTARY_NAMES[type(call)], call.args
        entries = self._entries.get(type(call), [])
        for entry in entries:
            match = _matched(entry.formula, call)
            if match is not None:
                return entry.spelling, [match[symbol] for symbol in entry.arguments if symbol in match]
        hint = f" with these arguments (only {', '.join(entry.spelling for entry in entries)})" if entries else ""
        raise NoDerivative(f"no function of the specs means SymPy's {call}{hint}")


_ELEMENTARY_NAMES = {entry.sympy: name for name, entry in ELEMENTARY.items() if isinstance(entry.sympy, type)} | {
    sympy.sign: "sign",
    sympy.floor: "floor",
    sympy.Max: "maximum",
    sympy.Min: "minimum",
}


def _matched(pattern: Expr, call: Expr) -> dict[Expr, Expr] | None:
    """The arguments of `call` by the symbols of `pattern`, whose arguments are symbols and numbers."""
    if len(pattern.args) != len(call.args):
        return None
    found: dict[Expr, Expr] = {}
    for wanted, given in zip(pattern.args, call.args, strict=True):
        if wanted.is_Symbol:
            found[wanted] = given
        elif wanted != given:
            return None
    return found
