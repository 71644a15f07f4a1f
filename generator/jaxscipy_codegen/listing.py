"""Every function, argument and derivative, for reading or as JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jaxscipy_codegen import _resources
from jaxscipy_codegen.derive import Derivations
from jaxscipy_codegen.load import load


def rows(specs: Sequence[Path]) -> list[dict[str, Any]]:
    """One entry per public function: its arguments with domain, way, rule and source. Raises `SpecError`."""
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
                    "source": partial.source,
                    "reason": partial.reason or None,
                }
                for arg, partial in definition.partials.items()
            }
            row: dict[str, Any] = {"name": name, "module": module.module, "summary": function.summary}
            row |= {"host": function.host_path, "arguments": arguments, "outputs": list(function.outputs) or None}
            found.append(row | ({"alias": function.name} if entry is not function else {}))
    return found


def table(found: Sequence[dict[str, Any]]) -> str:
    """The rows as aligned columns: function, argument, way, rule or reason, source."""
    lines = []
    for row in found:
        for arg, partial in row["arguments"].items():
            rule = partial["rule"] or partial["reason"] or ""
            lines.append((row["name"], arg, partial["way"], rule, partial["source"] or ""))
    if not lines:
        return "no functions"
    widths = [min(max(len(line[k]) for line in lines), 60) for k in range(4)]
    return "\n".join(
        "  ".join([*(cell.ljust(w) for cell, w in zip(line, widths, strict=False)), line[4]]).rstrip() for line in lines
    )
