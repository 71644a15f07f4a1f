"""Formulas for `jse.wrap`: a spec of one function, made in memory, and its table of partials as a Python function."""

import functools
import importlib
import inspect
import json
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jaxscipy_codegen import _resources
from jaxscipy_codegen.derive import Definition, Derivations
from jaxscipy_codegen.emit.scopes import scope_of
from jaxscipy_codegen.errors import SpecError
from jaxscipy_codegen.functions import ELEMENTARY
from jaxscipy_codegen.host_functions import HostFunctions
from jaxscipy_codegen.load import load, loads
from jaxscipy_codegen.model import Library
from jaxscipy_codegen.printer import Printer

Formulas = str | Mapping[str, str]


def partials(
    name: str,
    kinds: Mapping[str, str],
    rules: Mapping[str, Formulas],
    formula: Formulas | None,
    outputs: Sequence[str] | None,
    public: Callable[..., Any],
) -> Callable[..., Mapping[str, Any]]:
    """The partials in the arguments that have a rule, or all of them if there is a `formula`; others are missing.

    `kinds`: the arguments with their kinds, as for `promoted`; `outputs`: the names of several outputs; `public`: the
    function itself, which rules may call by its name. Raises `ValueError` with what is wrong in the formulas.
    """
    library = _shipped()
    spec_name = name if name not in library.names and name not in ELEMENTARY else "f_"
    entry: dict[str, Any] = {"summary": "In memory.", "host": "in_memory.host", "args": {}}
    for argument, kind in kinds.items():
        entry["args"][argument] = _argument(kind)
        if argument in rules:
            entry["args"][argument]["derivative"] = {"rule": rules[argument]}
        elif formula is None and kind in ("real", "complex", "always-complex"):
            entry["args"][argument]["derivative"] = {"unavailable": "no rule was given"}
    meanings = formula if isinstance(formula, Mapping) else {}
    if outputs is not None:
        entry["outputs"] = {key: {"formula": meanings[key]} if key in meanings else {} for key in outputs}
    elif formula is not None:
        entry["formula"] = formula
    text = json.dumps({"module": "in_memory", "title": "In memory", "functions": {spec_name: entry}})
    try:
        own = loads(text, "in_memory.yaml", context=library)
        derivations = Derivations(own)
        definition = derivations.definition(spec_name)
    except SpecError as error:
        lines = "\n".join(f"{p.path.removeprefix(f'functions.{spec_name}.')}: {p.message}" for p in error.problems)
        raise ValueError(f"{name}: {lines}") from None
    wanted = [a for a in kinds if kinds[a] != "static" and (formula is not None or a in rules)]
    return _compiled(definition, derivations, wanted, public)


@functools.cache
def _shipped() -> Library:
    return load([_resources.specs()])


def _argument(kind: str) -> dict[str, Any]:
    match kind:
        case "static":
            return {"static": True}
        case "always-complex":
            return {"domain": "complex", "dtype": "complex"}
        case _:
            return {"domain": kind}


def _compiled(
    definition: Definition, derivations: Derivations, wanted: Sequence[str], public: Callable[..., Any]
) -> Callable[..., Mapping[str, Any]]:
    """The same text that a generated module holds, as a function."""
    function = definition.function
    runtime = importlib.import_module("jaxscipy_ext.runtime")
    namespace: dict[str, Any] = {"jnp": importlib.import_module("jax.numpy"), **vars(runtime)}

    def refer(called: str) -> str:
        entry, _ = derivations.lookup(called)
        if entry is function:
            namespace["_self"] = public
            return "_self"
        module = derivations.library.module_of(entry.name).module
        namespace[f"_{module}"] = importlib.import_module(f"jaxscipy_ext.special.{module}")
        return f"_{module}.{called}"

    hosts = HostFunctions(derivations)
    chosen = {argument: definition.partials[argument] for argument in wanted}
    scope = scope_of(definition, hosts, refer)
    table = Printer(scope).table({argument: partial for argument, partial in chosen.items() if partial.rules})
    rows = {argument: printed.value for argument, printed in table.rows.items()}
    for argument, partial in chosen.items():
        if not partial.rules:
            rows[argument] = "discrete" if partial.way == "discrete" else f"unavailable({partial.reason!r})"
    entries = ", ".join(f"{argument!r}: {value}" for argument, value in rows.items())
    body = textwrap.indent("\n".join([*table.statements, f"return {{{entries}}}"]), "    ")
    # Only names and formulas that passed the whitelist are in this text, as in a generated module.
    source = f"from __future__ import annotations\ndef partials({', '.join(function.args)}):\n{body}"
    exec(source, namespace)  # noqa: S102
    made = namespace["partials"]
    assert list(inspect.signature(made).parameters) == list(function.args)
    return made
