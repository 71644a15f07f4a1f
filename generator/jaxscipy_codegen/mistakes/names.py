"""Names of modules, functions and aliases: each stands for one thing, and none for one of generated code's own."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from jaxscipy_codegen.errors import Position, Problem, did_you_mean
from jaxscipy_codegen.functions import CHOICES
from jaxscipy_codegen.model import Library, Module

RESERVED = frozenset(
    {"jax", "jnp", "lax", "np", "special", "partial", "out", "Array", "ArrayLike", "NamedTuple", "Partials"}
    | {"Integer", "OneOf", "RealLinear", "along", "at", "custom_jvp", "debug_call", "discrete", "host_call", "promoted"}
    | {"stencil", "unavailable", "bool", "float", "globals", "int", "object", "scipy", "str", "tuple"}
)
"""Names that generated modules use themselves."""


def problems(library: Library, vague: frozenset[str]) -> Iterator[Problem]:
    """Names that clash or stand for nothing."""
    yield from _modules(library)
    yield from _names(library)
    for module in library:
        for name, alias in module.aliases.items():
            yield from _alias(library, name, alias.alias, alias.place("alias"), vague)


def _modules(library: Library) -> Iterator[Problem]:
    first: dict[str, Module] = {module.module: module for module in library.context}
    for module in library:
        file = PurePosixPath(module.position.file)
        if module.module in first:
            other = first[module.module].position.file
            yield Problem(
                module.place("module"), "module", f"{other} makes a module {module.module} too; write another name"
            )
        elif module.module != file.stem and module.module != "module":
            yield Problem(
                module.place("module"),
                "module",
                f"the module is called as its file, {file.name}; write module: {file.stem}, or rename the file to "
                f"{module.module}.yaml",
            )
        first.setdefault(module.module, module)


def _names(library: Library) -> Iterator[Problem]:
    first: dict[str, Position] = {}
    for module in (*library.context, *library.modules):
        for name, entry in module.functions.items():
            path = f"functions.{name}"
            if name in first:
                yield Problem(entry.position, path, f"{name} is defined at {first[name]} already; keep one of them")
            elif name in RESERVED or name in CHOICES:
                yield Problem(entry.position, path, f"generated code uses the name {name} itself; write another name")
            first.setdefault(name, entry.position)
    for module in library:
        for function in module.definitions.values():
            for name in function.derivative_names:
                if name in first:
                    message = (
                        f"the derivative {name} of {function.name} is generated; leave this entry out or rename it"
                    )
                    yield Problem(first[name], f"functions.{name}", message)
        yield from _result_classes(module)


def _result_classes(module: Module) -> Iterator[Problem]:
    owners: dict[str, str] = {}
    for name, function in module.definitions.items():
        result = function.result_class
        if not function.several:
            continue
        if result in module.functions or result in owners:
            other = module.functions[result].position if result in module.functions else function.position
            message = f"{name} returns a class {result}, as {owners.get(result, result)} is called; rename one of them"
            yield Problem(other, f"functions.{result if result in module.functions else name}", message)
        owners[result] = f"that of {name}"


def _alias(library: Library, name: str, of: str, position: Position, vague: frozenset[str]) -> Iterator[Problem]:
    path = f"functions.{name}.alias"
    if of == name:
        yield Problem(position, path, f"{name} is an alias of itself; write the name of the function it stands for")
    elif of in library and library[of].name != of:
        yield Problem(position, path, f"{of} is an alias itself; write {library[of].name}")
    elif of not in library and of not in vague:
        hint = did_you_mean(of, library.names) or "write the name of a function"
        yield Problem(position, path, f"unknown function '{of}'; {hint}")
