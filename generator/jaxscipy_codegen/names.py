"""The names in a generated module: what it imports and under which alias, so that nothing shadows anything."""

import re
import sys
from collections.abc import Callable, Iterable, Sequence

from jaxscipy_codegen import trees
from jaxscipy_codegen.derive import Definition, Derivations
from jaxscipy_codegen.model import Module

_ALWAYS_TAKEN = frozenset({"jnp", "jax", "Array", "ArrayLike", "NamedTuple", "custom_jvp", "partial", "out", "here"})


_CUSTOMARY = {"numpy": "np"}
"""Aliases that readers and linters expect."""


class ModuleNames:
    """Collects what the text of one module refers to; `import_lines` then says it once, sorted as ruff sorts it."""

    def __init__(
        self, module: Module, definitions: Sequence[Definition], derivations: Derivations, package: str | None
    ) -> None:
        self.module, self.derivations, self.package = module, derivations, package
        self.arguments = {arg for definition in definitions for arg in definition.args}
        self.locals = {name for d in definitions for name in (d.name, f"_{d.name}", f"_{d.name}_partials")}
        self.locals |= set(module.aliases) | _ALWAYS_TAKEN
        self._runtime: set[str] = set()
        self._from: dict[str, set[str]] = {}
        self._modules: dict[str, str] = {}
        self._siblings: dict[str, str] = {}
        self._plain: set[str] = set()

    def runtime(self, name: str) -> str:
        """A name of `jaxscipy_ext.runtime`."""
        self._runtime.add(name)
        return name

    def jax(self, name: str) -> str:
        """A name of `jax`."""
        return self._imported("jax", name)

    def array_like(self) -> str:
        """The type of arguments."""
        return self._imported("jax.typing", "ArrayLike")

    def typing(self, name: str) -> str:
        """A name of `typing`."""
        return self._imported("typing", name)

    def functools(self, name: str) -> str:
        """A name of `functools`."""
        return self._imported("functools", name)

    def numpy(self) -> None:
        """`jnp` is used."""
        self._plain.add("import jax.numpy as jnp")

    def _imported(self, module: str, name: str) -> str:
        self._from.setdefault(module, set()).add(name)
        return name

    def host(self, path: str) -> str:
        """A host function as an attribute of its module."""
        module, _, attribute = path.rpartition(".")
        if module not in self._modules:
            parent, _, last = module.rpartition(".")
            prefix = "kernels" if parent.endswith("derivatives") else parent.rpartition(".")[2]
            taken = {*self._modules.values(), *self.arguments, *self.locals, *self.derivations.library.names}
            wanted = f"kernels_{last}" if prefix == "kernels" else _CUSTOMARY.get(module, last)
            self._modules[module] = (
                wanted if wanted not in taken else trees.free_name(f"{prefix}_{last}".lstrip("_"), taken)
            )
        return f"{self._modules[module]}.{attribute}"

    def refer_from(self, definition: Definition) -> Callable[[str], str]:
        """How the rules of `definition` refer to functions of the specs."""

        def refer(name: str) -> str:
            entry, _ = self.derivations.lookup(name)
            home = self.derivations.library.module_of(entry.name)
            if home is self.module and name not in definition.args:
                return name
            return f"{self._sibling(home)}.{name}"

        return refer

    def _sibling(self, module: Module) -> str:
        if module.module not in self._siblings:
            alias = f"_{module.module}"
            if alias in self.locals:
                alias = trees.free_name(f"{alias}_module", self.locals)
            self._siblings[module.module] = alias
        return self._siblings[module.module]

    def import_lines(self) -> list[str]:
        """The import statements, blank lines between groups included."""
        library = self.derivations.library
        shipped = {module.module for module in library.context} | (
            {m.module for m in library.modules} if self.package else set()
        )
        lines = [*self._plain, f"from jaxscipy_ext.runtime import {', '.join(sort_names(self._runtime))}"]
        members = {module: set(names) for module, names in self._from.items()}
        for path, alias in self._modules.items():
            parent, _, last = path.rpartition(".")
            if parent and alias == last:  # two modules of one package share a line
                members.setdefault(parent, set()).add(last)
            else:
                lines.append(_module_line(path, alias))
        lines += [f"from {module} import {', '.join(sort_names(names))}" for module, names in members.items()]
        relative = []
        for module, alias in self._siblings.items():
            if module in shipped:
                lines.append(f"from {self.package or 'jaxscipy_ext.special'} import {module} as {alias}")
            else:
                relative.append(f"from . import {module} as {alias}")
        ordered = sort_imports(lines)
        # Linters put a package apart from the libraries that it stands on.
        standard = [line for line in ordered if line.split()[1].partition(".")[0] in sys.stdlib_module_names]
        own = [line for line in ordered if self.package and line.startswith("from jaxscipy_ext")]
        groups = [standard, [line for line in ordered if line not in (*standard, *own)], own, sorted(relative)]
        text: list[str] = []
        for group in filter(None, groups):
            text += [*([""] if text else []), *group]
        return text


def _module_line(path: str, alias: str) -> str:
    parent, _, last = path.rpartition(".")
    if not parent:
        return f"import {last}" if alias == last else f"import {last} as {alias}"
    return f"from {parent} import {last} as {alias}"


def sort_imports(lines: Iterable[str]) -> list[str]:
    """Import statements of one group in isort's order."""
    return [line for _, line in sorted(map(_keyed, lines))]


def _keyed(line: str) -> tuple[tuple[object, ...], str]:
    words = line.split()  # plain imports come first, then by module, then by kind of name and name
    member = words[3].rstrip(",") if words[0] == "from" else "x"
    return (words[0] == "from", natural(words[1]), _kind(member), natural(member)), line


def sort_names(names: Iterable[str]) -> list[str]:
    """Names in the order of ruff's isort: CONSTANTS, Classes, functions; numbers in names by their value."""
    return sorted(names, key=lambda name: (_kind(name), natural(name)))


def _kind(name: str) -> int:
    return 0 if name.isupper() and len(name) > 1 else 1 if name[0].isupper() else 2


def natural(name: str) -> list[tuple[int, int | str]]:
    """Sort key that puts `exp2` before `exp10`."""
    parts = re.findall(r"\d+|\D", name)
    return [(0, int(part)) if part.isdigit() else (1, part) for part in parts]
