"""What the reference says about the functions that are composed by hand: their own signatures and docstrings."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jaxscipy_ext
from jaxscipy_ext import composed

TITLES = {
    "arrays": "Reductions and functions that JAX has",
    "combinatorics": "Counting",
    "quadrature": "Nodes and weights of quadrature rules",
    "sequences": "Sequences of rising order or degree",
    "spherical": "Legendre functions and spherical harmonics in SciPy's arrays",
    "zeros": "Zeros",
}


@dataclass(frozen=True)
class Composed:
    """One function."""

    name: str
    function: Callable[..., Any]
    aliases: tuple[str, ...]

    @property
    def signature(self) -> str:
        """Names and defaults of the arguments, without annotations."""
        parameters = inspect.signature(self.function).parameters.values()
        bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in parameters]
        return str(inspect.Signature(bare)).strip("()")

    @property
    def text(self) -> str:
        """The docstring; single backquotes mean code in Markdown too."""
        return inspect.getdoc(self.function) or ""


@dataclass(frozen=True)
class Group:
    """One module of `jaxscipy_ext.composed`."""

    page: str
    title: str
    text: str
    functions: tuple[Composed, ...]

    @property
    def names(self) -> list[str]:
        """Functions and aliases."""
        return [name for function in self.functions for name in (function.name, *function.aliases)]


def groups() -> list[Group]:
    """One group a module, in the order of `TITLES`."""
    exported = {name for name in vars(composed) if hasattr(jaxscipy_ext, name)}
    found = []
    for module in [info.name for info in pkgutil.iter_modules(composed.__path__)]:
        members = vars(importlib.import_module(f"jaxscipy_ext.composed.{module}"))
        names: dict[int, list[str]] = {}
        for name, value in members.items():
            if name in exported and getattr(jaxscipy_ext, name) is value and callable(value):
                names.setdefault(id(value), []).append(name)
        # An alias (`c_roots`) is shorter than the name that it stands for (`roots_chebyc`).
        functions = [Composed(max(all_, key=len), members[all_[0]], _but_longest(all_)) for all_ in names.values()]
        if functions:
            title, text = TITLES.get(module, module.capitalize()), members["__doc__"] or ""
            found.append(Group(f"composed_{module}", title, re.sub(r"\n(?!\n)", "\n", text), tuple(functions)))
    return found


def _but_longest(names: list[str]) -> tuple[str, ...]:
    longest = max(names, key=len)
    return tuple(name for name in names if name != longest)
