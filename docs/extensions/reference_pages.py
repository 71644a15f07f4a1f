"""Writes the reference: a page per family, from the specs that the functions themselves are generated from.

Pages go to `docs/reference/families/`, plots to `docs/generated/plots/`; neither is kept in the repository.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import composed_functions
import jinja2
import numpy as np
import plots
from jaxscipy_codegen import _resources, describe
from jaxscipy_codegen.derive import Definition, Derivations
from jaxscipy_codegen.load import load
from jaxscipy_codegen.model import Argument, Function, Kernel, Library, Module, Stencil
from sphinx.application import Sphinx

DOCS = Path(__file__).resolve().parents[1]
FAMILIES = DOCS / "reference" / "families"

_WAYS = {
    "derived": "derived by SymPy",
    "given": "formula",
    "kernel": "host kernel",
    "stencil": "differences",
    "inverse": "implicit function theorem",
    "ode": "differential equation",
    "discrete": "discrete: zero",
    "unavailable": "unavailable: raises",
    "static": "Python value",
}


_DEFECT = re.compile(r"SciPy.*(wrong|noise|lose|off|NaN|crude)")
"""Notes that tell of a fault of SciPy's, not of a convention."""


@dataclass(frozen=True)
class Entry:
    """What the page says about one function."""

    name: str
    definition: Definition
    derivations: Derivations
    aliases: tuple[str, ...]

    @property
    def function(self) -> Function:
        """Its entry in the spec."""
        return self.definition.function

    @property
    def signature(self) -> str:
        """Arguments with their defaults."""
        return ", ".join(
            f"{name}={argument.default!r}" if argument.has_default else name
            for name, argument in self.function.args.items()
        )

    @property
    def formula(self) -> str:
        """The meaning as LaTeX, "" if the spec has none."""
        lines = describe.math(self.function, self.derivations)
        return "\\begin{aligned}\n" + "\n".join(lines) + "\n\\end{aligned}" if len(lines) > 1 else "".join(lines)

    @property
    def host(self) -> str:
        """A link to SciPy's page, or the name of our own host."""
        path = self.function.host_path
        if not path.startswith("scipy.special."):
            return f"`{path}`"
        return f"[`{path}`](https://docs.scipy.org/doc/scipy/reference/generated/{path}.html)"

    @cached_property
    def arguments(self) -> list[tuple[str, str, str]]:
        """Name, domain, meaning."""
        return [(name, _domain(a), _cell(_meaning(a))) for name, a in self.function.args.items()]

    @property
    def meanings(self) -> bool:
        """Whether any argument has more to say than its domain."""
        return any(meaning for _, _, meaning in self.arguments)

    @property
    def dtypes(self) -> str:
        """What it computes in."""
        text = ", ".join(describe.dtypes(self.function))
        if not self.function.several and self.function.dtype != "same":
            text += f"; the result is {self.function.dtype}"
        counted = any(argument.kind == "integer" for argument in self.function.args.values())
        if counted and _has_integer_loops(self.function.host_path):
            text += "; integers take SciPy's integer loop"
        return text

    @property
    def outputs(self) -> list[tuple[str, str]]:
        """Name and meaning of several outputs."""
        return [(name, _cell(output.doc or "")) for name, output in self.function.outputs.items()]

    @property
    def result(self) -> str:
        """The class of several outputs."""
        return self.function.result_class if self.function.several else ""

    @property
    def derivatives(self) -> Iterator[tuple[str, str, str, str]]:
        """Argument, way, rule or reason, source."""
        for name, partial in self.definition.partials.items():
            if self.function.args[name].static:
                continue
            rule = f"`` {partial.text} ``" if partial.text else _cell(partial.reason)
            note = f" {_cell(partial.note)}" if partial.note else ""
            yield name, _WAYS.get(partial.way, partial.way), f"{rule}{note}".strip(), linked(partial.source or "")

    @cached_property
    def errors(self) -> list[str]:
        """What the accuracy page measured for parameter derivatives, a phrase for each."""
        return [
            f"in `{argument}`{kind}: {largest} at worst, {most} at 99 % of the points"
            for name, kind, argument, largest, most in measured()
            if name == self.name
        ]

    @property
    def orders(self) -> list[str]:
        """How often kernels and stencils can be differentiated in their own arguments."""
        ways = self.function.ways.items()
        return [f"{name}: {way.orders}" for name, way in ways if isinstance(way, Kernel | Stencil)]

    @property
    def source(self) -> str:
        """Where the definition is from."""
        return linked(self.function.source or "")


def linked(source: str) -> str:
    """`DLMF 10.6.1` as a link to that equation of the Digital Library of Mathematical Functions."""

    def link(found: re.Match[str]) -> str:
        chapter, section, equation = found["chapter"], found["section"], found["equation"]
        path = chapter + (f".{section}" if section else "") + (f"#E{equation}" if equation else "")
        return f"[{found[0]}](https://dlmf.nist.gov/{path})"

    number = r"(?P<chapter>\d+)(?:\.(?P<section>\d+)(?:\.(?P<equation>\d+))?)?"
    if not source.startswith("DLMF"):
        return _cell(source)
    head, *rest = re.split(r"([;(])", source, maxsplit=1)
    return re.sub(rf"(?:DLMF )?\b{number}\b", link, head) + _cell("".join(rest))


@cache
def measured() -> list[tuple[str, str, str, str, str]]:
    """Function, ", complex" or "", argument, largest error and 99 % of them: the tables of the accuracy page."""
    page = DOCS / "accuracy.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    number = r"([\de.+-]+|NaN)"
    row = rf"^\| `(\w+)`(, complex)? \| `(\w+)` \| (?:[^|\\]|\\.)* \| \d+ \| {number} \| {number} \| {number} \|"
    return [tuple(found[:5]) for found in re.findall(row, text, re.MULTILINE)]


def _domain(argument: Argument) -> str:
    if argument.kind == "always-complex":
        return "complex"
    return "static" if argument.static else argument.domain.text.replace("<", "&lt;").replace(">", "&gt;")


def _meaning(argument: Argument) -> str:
    words = [argument.doc.rstrip(".") + "." if argument.doc else "", f"In {argument.unit}." if argument.unit else ""]
    return " ".join(filter(None, words))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def _has_integer_loops(path: str) -> bool:
    module, _, name = path.rpartition(".")
    host: Any = getattr(__import__(module, fromlist=[name]), name, None)
    return isinstance(host, np.ufunc) and any(set(loop.split("->")[0]) & set("ilqp") for loop in host.types)


@dataclass(frozen=True)
class Family:
    """One spec file."""

    module: Module
    entries: tuple[Entry, ...]

    @property
    def names(self) -> list[str]:
        """Functions and aliases."""
        return [name for entry in self.entries for name in (entry.name, *entry.aliases)]


def families() -> list[Family]:
    """All families, in the order of the DLMF's chapters."""
    library: Library = load([_resources.specs()])
    derivations = Derivations(library)
    found = []
    for module in library:
        entries = tuple(
            Entry(
                name,
                derivations.definition(name),
                derivations,
                tuple(alias for alias, entry in module.aliases.items() if entry.alias == name),
            )
            for name, function in module.definitions.items()
            if function.public
        )
        found.append(Family(module, entries))
    return sorted(found, key=lambda family: (*_chapter(family.module.chapter), family.module.title))


def _chapter(chapter: str | None) -> tuple[float, ...]:
    numbers = [float(number) for number in re.findall(r"\d+", chapter or "")]
    return (numbers[0], numbers[1] if len(numbers) > 1 else 0.0) if numbers else (99.0, 0.0)


def write(path: Path, text: str) -> None:
    """Write a file only if it changes, so that Sphinx doesn't read it again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def generate(app: Sphinx) -> None:
    """Write all pages and plots."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(DOCS / "_templates"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # Markdown, not HTML
    )
    found = families()
    definitions = [entry.definition for family in found for entry in family.entries]
    drawn = plots.draw_all(definitions) if app.config.draw_plots else plots.drawn()
    pages = {f"{family.module.module}.md": ("family.md.jinja", {"family": family, "plots": drawn}) for family in found}
    composed = composed_functions.groups()
    pages |= {f"{group.page}.md": ("composed.md.jinja", {"group": group}) for group in composed}
    for name, (template, values) in pages.items():
        write(FAMILIES / name, environment.get_template(template).render(values, linked=linked))
    for stale in {path.name for path in FAMILIES.glob("*.md")} - set(pages) - {"index.md"}:
        (FAMILIES / stale).unlink()
    write(DOCS / "generated" / "scipy-defects.md", "\n".join(_defects(found)))
    index = environment.get_template("families.md.jinja").render(families=found, groups=composed, linked=linked)
    write(FAMILIES / "index.md", index)


def _defects(found: list[Family]) -> Iterator[str]:
    """A table of what the specs note about SciPy's values."""
    yield from ("| function | what is wrong |", "| --- | --- |")
    for family in found:
        seen: dict[str, list[str]] = {}
        for entry in family.entries:
            for note in entry.function.notes:
                if _DEFECT.search(note):
                    seen.setdefault(note, []).append(f"`jse.{entry.name}`")
        yield from (f"| {', '.join(names)} | {_cell(note)} |" for note, names in seen.items())
    yield ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_config_value("draw_plots", True, "", types=[bool])  # -D draw_plots=0: quick builds while writing
    # Before Sphinx looks which files there are.
    app.connect("builder-inited", generate)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
