"""The generated `__init__.py` files: what a package exports."""

import ast

from jaxscipy_codegen import text
from jaxscipy_codegen.emit.layout import template
from jaxscipy_codegen.emit.target import PACKAGE, Target, origin
from jaxscipy_codegen.errors import Problem, SpecError
from jaxscipy_codegen.model import Function, Library, Module
from jaxscipy_codegen.names import sort_imports


def package_init(library: Library, target: Target, composed: str) -> str:
    """`jaxscipy_ext/__init__.py`: every public function of the shipped specs, and what the runtime offers users.

    `composed`: source of the package that re-exports the functions written by hand; they are re-exported here, too.
    """
    exports = [line for module in library.modules for line in _exports(f"{PACKAGE}.{module.module}", module)]
    exports += [
        f"from {node.module} import {alias.name} as {alias.name}"
        for node in ast.parse(composed).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    runtime = [f"from jaxscipy_ext.runtime import {name} as {name}" for name in _RUNTIME_EXPORTS]
    docstring = text.docstring(
        "Every function of scipy.special as a first-class JAX function: jit, vmap, grad, sharding, CPU and GPU.", ""
    )
    return _init("specs/", target, docstring, sort_imports([*runtime, *exports]), library)


_RUNTIME_EXPORTS = (
    "DerivativeUnavailable",
    "HostError",
    "config",
    "disabled_checks",
    "raise_host_error",
    "show_config",
    "wrap",
)


def family_init(target: Target) -> str:
    """`jaxscipy_ext/special/__init__.py`, without exports: a function `gamma` would hide the module `gamma`."""
    docstring = text.docstring("The functions, one module per family; `jaxscipy_ext` exports them all.", "")
    return _init("specs/", target, docstring, [], None)


def user_init(library: Library, target: Target) -> str:
    """`__init__.py` of a user's folder. Raises `SpecError` where a function would hide the module it is in."""
    problems = [
        Problem(
            module.place("module"),
            "module",
            f"the function {module.module} would hide the module; rename the module and its file, for example to "
            f"{module.module}_functions",
        )
        for module in library.modules
        if any(module.module in other.functions for other in library.modules)
    ]
    if problems:
        raise SpecError(problems)
    exports = [line for module in library.modules for line in _exports(f".{module.module}", module)]
    titles = ", ".join(module.title for module in library.modules)
    sources = ", ".join(origin(module, target) for module in library.modules)
    return _init(text.comment(sources), target, text.docstring(f"{titles}.", ""), sort_imports(exports), library)


def _exports(path: str, module: Module) -> list[str]:
    """The public names of a module, re-exported in the form that type checkers and linters know."""
    entries = module.functions.items()
    names = [name for name, entry in entries if not isinstance(entry, Function) or entry.public]
    return [f"from {path} import {name} as {name}" for name in names]


def _init(source: str, target: Target, docstring: str, exports: list[str], library: Library | None) -> str:
    entries = [pair for module in (library.modules if library else ()) for pair in module.functions.items()]
    since = sorted((name, entry.since) for name, entry in entries if entry.since)
    if since:
        exports = sort_imports(
            [
                *exports,
                "from jaxscipy_ext.runtime.absent import absent as _absent",
                "from jaxscipy_ext.runtime.absent import remove_newer as _remove_newer",
            ]
        )
    return template("init.py.jinja").render(
        origin=source, command=target.command, docstring=docstring, imports=[exports] if exports else [], since=since
    )
