"""Every function, argument and derivative, for reading or as JSON."""

import inspect
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from jaxscipy_codegen import _resources
from jaxscipy_codegen.derive import Derivations
from jaxscipy_codegen.describe import dtypes
from jaxscipy_codegen.load import load


def rows(specs: Sequence[Path]) -> list[dict[str, Any]]:
    """One entry per public function: its host, dtypes, and arguments with domain, way, rule and source.

    `since`: the SciPy that brought it; None where every supported one has it. Without `specs`: all of `jaxscipy_ext`,
    what is composed by hand included. Raises `SpecError`.
    """
    library = load(specs, context=load([_resources.specs()])) if specs else load([_resources.specs()])
    derivations = Derivations(library)
    found = []
    for module in library:
        for name, entry in module.functions.items():
            function = library[name]
            if not function.public:
                continue
            definition = derivations.definition(function.name)
            arguments = {
                arg: {
                    "domain": str(function.args[arg].domain),
                    "way": "static" if function.args[arg].static else partial.way,
                    "rule": partial.text or None,
                    "source": partial.source or (function.source if partial.way == "derived" else None),
                    "reason": partial.reason or None,
                }
                for arg, partial in definition.partials.items()
            }
            row: dict[str, Any] = {"name": name, "module": module.module, "summary": function.summary}
            row |= {"host": function.host_path, "dtypes": dtypes(function), "since": function.since}
            row |= {"arguments": arguments, "outputs": list(function.outputs) or None}
            found.append(row | ({"alias": function.name} if entry is not function else {}))
    return found if specs else [*found, *_composed()]


def _composed() -> Iterator[dict[str, Any]]:
    """The functions that are put together by hand, with what `composed.derivatives` says of their arguments."""
    from jaxscipy_ext import composed  # imports JAX
    from jaxscipy_ext.composed.derivatives import DERIVATIVES, Way

    for name, function in vars(composed).items():
        if inspect.isfunction(function):
            ways = DERIVATIVES.get(name, {})
            arguments = {
                argument: {"domain": None, **ways.get(argument, Way("static"))._asdict()}
                for argument in inspect.signature(function).parameters
            }
            row: dict[str, Any] = {"name": name, "module": function.__module__.removeprefix("jaxscipy_ext.")}
            row |= {"summary": (inspect.getdoc(function) or "").partition("\n")[0], "host": None, "dtypes": None}
            row |= {"since": None, "arguments": arguments, "outputs": None}
            yield row | ({"alias": function.__name__} if function.__name__ != name else {})


def table(found: Sequence[dict[str, Any]]) -> str:
    """The rows as aligned columns under a header."""
    lines = [("function", "argument", "way", "rule or reason", "source")]
    for row in found:
        for arg, partial in row["arguments"].items():
            rule = partial["rule"] or partial["reason"] or ""
            lines.append((row["name"], arg, partial["way"], rule, partial["source"] or ""))
    if not found:
        return "no functions"
    widths = [min(max(len(line[k]) for line in lines), 60) for k in range(4)]
    return "\n".join(
        "  ".join([*(cell.ljust(w) for cell, w in zip(line, widths, strict=False)), line[4]]).rstrip() for line in lines
    )
