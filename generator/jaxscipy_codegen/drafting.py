"""`jaxscipy-ext new`: the draft of a spec entry for a host function, with what was seen of it as comments."""

import importlib
import keyword
import re
import textwrap
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import yaml

from jaxscipy_codegen import _resources, hosts
from jaxscipy_codegen.derive import Derivations
from jaxscipy_codegen.errors import SpecError
from jaxscipy_codegen.functions import ELEMENTARY, MEANINGS
from jaxscipy_codegen.load import load, loads
from jaxscipy_codegen.model import TO_SAY, Library
from jaxscipy_codegen.probing import Probe, Seen
from jaxscipy_codegen.reference import reference


class CannotDraft(ValueError):
    """What is in the way of a draft, and what to write."""


class Draft:
    """The entry of one host."""

    def __init__(self, path: str, given: Mapping[str, float]) -> None:
        """`path`: of the host; `given`: values of arguments at which it can be called. Raises `CannotDraft`."""
        if path.count(".") < 1:
            raise CannotDraft(f"{path!r} is no path to import; write module.function, for example numpy.sinc")
        self.path = path
        try:
            self.host = hosts.host(path)
        except hosts.HostMissing as error:
            raise CannotDraft(str(error)) from None
        host_arguments = importlib.import_module("jaxscipy_ext.runtime.host_arguments")
        try:
            self.kinds: dict[str, str] = dict(host_arguments.argument_kinds(self.host))
            self.defaults: Mapping[str, Any] = host_arguments.argument_defaults(self.host)
        except TypeError as error:
            raise CannotDraft(str(error)) from None
        unknown = [name for name in given if name not in self.kinds]
        if unknown:
            raise CannotDraft(f"{path} has no argument {unknown[0]!r}; write --at with {', '.join(self.kinds)}")
        self.library = load([_resources.specs()])
        self.name = _entry_name(path.rpartition(".")[2], self.library)
        self.probe = Probe(self.host, self.kinds, given, path.rpartition(".")[2])
        self.seen: Seen = self.probe.look()
        self.unknown: set[str] = {name for name, kind in self.kinds.items() if kind in ("real", "complex")}
        """The arguments whose partials nobody knows yet."""
        self.formula = self._formula()

    @property
    def remarks(self) -> list[str]:
        """What was seen, one sentence each."""
        return self.seen.remarks

    # --------------------------------------------------------------------------------------------------------- formula

    def _formula(self) -> str | None:
        """A formula in SymPy's names whose values are the host's, if its name is known."""
        plain = self.seen.signature is None and len(self.seen.outputs) == 1 and self.seen.callback == "pure"
        arguments = [name for name, kind in self.kinds.items() if kind != "static"]
        if not plain or len(arguments) < len(self.kinds):
            return None
        for text in self._candidates(arguments):
            try:
                library = self._meaning(text, arguments)
            except SpecError:
                continue
            if self._agrees(reference(library, "f_")):
                self.unknown = {name for name in arguments if not _derivable(library, name)} & self.unknown
                known = [name for name in arguments if name not in self.unknown]
                derived = f"SymPy derives the partials in {', '.join(known)}" if known else "SymPy derives no partial"
                self.seen.remarks.append(f"its values are those of {text}: {derived}")
                return text
        return None

    def _meaning(self, formula: str, arguments: list[str]) -> Library:
        args = ", ".join(f"{name}: {{domain: {self.kinds[name]}}}" for name in arguments)
        entry = f'{{summary: s, host: a.b, formula: "{formula}", args: {{{args}}}}}'
        return loads(f"module: m\ntitle: t\nfunctions:\n  f_: {entry}\n", "m.yaml", context=self.library)

    def _candidates(self, arguments: list[str]) -> list[str]:
        name = self.path.rpartition(".")[2]
        found: list[str] = []
        shipped = [self.library[name]] if name in self.library.names else []
        for function in shipped:
            known = [a for a, arg in function.args.items() if not arg.static]
            if function.formula is not None and len(known) == len(arguments):
                renamed = dict(zip(known, arguments, strict=True))
                pattern = rf"\b({'|'.join(map(re.escape, known))})\b(?!\()"
                found.append(re.sub(pattern, partial(_renamed, renamed), function.formula.text))
        if name in MEANINGS or name in ELEMENTARY:
            found.append(f"{name}({', '.join(arguments)})")
        return found

    def _agrees(self, exact: Callable[..., Any]) -> bool:
        """Whether a formula has the host's values at a few points."""
        told = 0
        for factor in (1.0, 0.9, 1.1, 0.7, 1.3):
            values = [v if isinstance(v, int) else v * factor for v in self.seen.point.values()]
            try:
                with mpmath.workdps(20):
                    ours = complex(exact(*values))
                theirs = complex(np.asarray(self.host(*values)))
            except (ArithmeticError, ValueError, TypeError, LookupError, NotImplementedError):
                continue
            if not abs(ours - theirs) <= 1e-8 * abs(ours):
                return False
            told += 1
        return told >= 2

    # ------------------------------------------------------------------------------------------------------------ text

    def entry(self) -> str:
        """The entry as YAML below `functions:`."""
        seen = self.seen
        said = (
            textwrap.wrap(remark, 114, initial_indent="  # ", subsequent_indent="  #   ") for remark in seen.remarks
        )
        lines = [*(line for remark in said for line in remark), f"  {self.name}:"]
        lines.append(f"    summary: {_quoted(self._summary())}")
        lines.append(f"    host: {self.path}")
        if self.formula:
            lines.append(f"    formula: {_quoted(self.formula)}")
        if seen.callback != "pure":
            lines.append(f"    callback: {seen.callback}")
            lines.append("    ordered: false  # true: in the order of the program, but then no vmap")
        if seen.batch != "elementwise":
            lines.append(f"    batch: {seen.batch}")
        if seen.callback != "debug" and seen.batch != "scalar" and not isinstance(self.host, np.ufunc):
            lines.append(f"    vmap_method: {seen.vmap_method}")
        if seen.signature:
            lines.append(f"    signature: {_quoted(seen.signature)}")
        lines.append("    args:")
        for name, kind in self.kinds.items():
            lines.append(f"      {name}: {self._argument(name, kind)}")
        lines += self._outputs()
        return "\n".join(lines) + "\n"

    def _summary(self) -> str:
        doc = (self.host.__doc__ or "").strip()
        lines = [line.strip() for line in doc.splitlines() if line.strip()]
        lines = [line for line in lines if not re.match(rf"{re.escape(self.path.rpartition('.')[2])}\(", line)]
        line = lines[0] if lines else f"{self.path.rpartition('.')[2]} of {self.path.rpartition('.')[0]}"
        return line if line.endswith((".", "!", "?")) else f"{line}."

    def _argument(self, name: str, kind: str) -> str:
        if kind == "static":
            default = f", default: {_default(self.defaults[name])}" if name in self.defaults else ""
            return f"{{static: true{default}}}"
        parts: list[str] = []
        if kind in ("complex", "integer"):
            parts.append(f"domain: {kind}")
        elif self.seen.signature is None and self.seen.callback == "pure":
            domain, remark = self.probe.domain(self.seen, name)
            parts += [f"domain: {domain}"] if remark else []
        if name in self.defaults:
            parts.append(f"default: {_default(self.defaults[name])}")
        if name in self.unknown and self.seen.callback == "pure":
            parts.append(f'derivative: {{unavailable: "{TO_SAY}"}}')
        return f"{{{', '.join(parts)}}}"

    def _outputs(self) -> list[str]:
        outputs = self.seen.outputs
        if self.seen.callback == "debug" or outputs == ("same",):
            return []
        if len(outputs) == 1:
            return [f"    dtype: {outputs[0]}"]
        rows = [
            f"      out{k}: {{}}" if kind == "same" else f"      out{k}: {{dtype: {kind}}}"
            for k, kind in enumerate(outputs)
        ]
        return ["    outputs:  # name them", *rows]


def _renamed(names: Mapping[str, str], found: re.Match[str]) -> str:
    return names[found[1]]


def _derivable(library: Library, argument: str) -> bool:
    derivations = Derivations(library)
    try:
        return derivations.partial(library["f_"], argument).way != "unavailable"
    except SpecError:
        return False


def _entry_name(name: str, library: Library) -> str:
    name = re.sub(r"\W", "_", name).strip("_") or "f"
    return f"my_{name}" if name in library.names else name


def _quoted(text: str) -> str:
    """`text` as a YAML scalar, with quotes only where YAML would read something else."""
    plain = re.fullmatch(r"[\w .,()+*/-]*", text) and text.strip() == text and yaml.safe_load(text) == text
    return text if plain else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _default(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return _quoted(value) if isinstance(value, str) else repr(value)


def document(draft: Draft, module: str) -> str:
    """A whole spec file with one entry."""
    title = _quoted(f"Functions of {draft.path.partition('.')[0]}")
    return f"module: {module}\ntitle: {title}\nfunctions:\n{draft.entry()}"


def added(draft: Draft, path: Path) -> str:
    """The text of the spec file at `path` with the entry at its end, or a new one. Raises `CannotDraft`."""
    if not path.exists():
        if not path.stem.isidentifier():
            raise CannotDraft(
                f"the file's name becomes a module's name; write for example {module_name(path.stem)}.yaml"
            )
        if path.stem == draft.name:
            raise CannotDraft(
                f"the function {draft.name} would hide the module of that name; write {draft.name}_functions.yaml"
            )
        return document(draft, path.stem)
    text = path.read_text(encoding="utf-8")
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise CannotDraft(f"{path} is no YAML ({str(error).splitlines()[0]}); mend it first") from None
    if not isinstance(data, dict) or list(data)[-1:] != ["functions"] or not isinstance(data["functions"], dict):
        raise CannotDraft(f"{path} doesn't end with `functions:` and its entries; write the entry into another file")
    if draft.name in data["functions"]:
        raise CannotDraft(f"{path} has an entry {draft.name} already; remove it, or write another file")
    return f"{text.rstrip()}\n{draft.entry()}"


def module_name(stem: str) -> str:
    name = re.sub(r"\W|^(?=\d)", "_", stem).strip("_")
    return "mine" if not name or keyword.iskeyword(name) else name


def checked(text: str, path: Path, library: Library) -> str:
    """The text, if it loads. A draft that doesn't is a fault of this program: raises `SpecError`."""
    loads(text, path.as_posix(), context=library)
    return text


__all__ = ["CannotDraft", "Draft", "added", "checked", "document"]
