"""Spec files, one module each, and all of them together."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from jaxscipy_codegen.fields import Identifier, Line
from jaxscipy_codegen.model.function import Alias, Entry, Function
from jaxscipy_codegen.model.node import Node


class Module(Node):
    """One spec file: a family of functions that becomes one generated module."""

    module: Identifier
    """Name of the generated module; equal to the file's name."""
    title: Line
    """Title of the module's docstring and reference page."""
    chapter: Line | None = None
    """Where the family is treated: DLMF 10."""
    description: str | None = None
    """Paragraphs for the module's docstring and reference page, Markdown."""
    functions: Mapping[Identifier, Entry]
    """The functions by name, in the order in which they are printed."""

    @property
    def definitions(self) -> Mapping[str, Function]:
        """The entries that aren't aliases, private ones too."""
        return {name: entry for name, entry in self.functions.items() if isinstance(entry, Function)}

    @property
    def aliases(self) -> Mapping[str, Alias]:
        """The entries that are aliases."""
        return {name: entry for name, entry in self.functions.items() if isinstance(entry, Alias)}


@dataclass(frozen=True)
class Library:
    """All spec files together. `context` is what they may call but what isn't generated (the shipped specs)."""

    modules: tuple[Module, ...]
    context: tuple[Module, ...] = ()
    _found: dict[str, tuple[Module, Function]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        everything = (*self.context, *self.modules)
        for module in everything:
            self._found.update({name: (module, function) for name, function in module.definitions.items()})
        for module in everything:
            for name, entry in module.aliases.items():
                if entry.alias in self._found:
                    self._found[name] = self._found[entry.alias]

    def __iter__(self) -> Iterator[Module]:
        return iter(self.modules)

    def __contains__(self, name: str) -> bool:
        return name in self._found

    def __getitem__(self, name: str) -> Function:
        """The function called `name`; an alias gives the function it stands for."""
        return self._found[name][1]

    def module_of(self, name: str) -> Module:
        """The module that defines the function `name`."""
        return self._found[name][0]

    @property
    def names(self) -> frozenset[str]:
        """Every name that a rule may call: functions, private ones and aliases too."""
        return frozenset(self._found)


def schema_json() -> str:
    """JSON Schema of a spec file, for editors; the same text for the same model, on every machine."""
    schema = Module.model_json_schema(by_alias=True)
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "jaxscipy-ext spec file"}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
