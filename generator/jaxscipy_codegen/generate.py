"""What one run of `jaxscipy-ext generate` does: which specs, into which files."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jaxscipy_codegen import _resources, contradictions, emit, key_tables, model
from jaxscipy_codegen.derive import Derivations
from jaxscipy_codegen.errors import Problem, SpecError
from jaxscipy_codegen.host_functions import HostFunctions
from jaxscipy_codegen.hosts import check_hosts
from jaxscipy_codegen.load import load
from jaxscipy_codegen.model import Library, Module

Progress = Callable[[str], None]


class NoTarget(OSError):
    """It isn't clear where the files go; the message says what to write."""


@dataclass(frozen=True)
class Job:
    """Specs and where their modules go."""

    library: Library
    modules: tuple[Module, ...]
    """Those that are written; the others of the library are only looked at."""
    target: emit.Target
    folder: Path
    """Where the modules go."""
    root: Path | None = None
    """The checkout, if the modules go into our own package there: exports, schema and the page of keys go there too."""
    complete: tuple[Path, ...] = ()
    """Folders in which other generated modules are stale."""

    @classmethod
    def of(cls, specs: Sequence[Path], out: Path | None) -> "Job":
        """The job that the command line asks for. Raises `SpecError`, `NoTarget`."""
        shipped = _resources.specs()
        if specs and not all(_is_inside(path, shipped) for path in specs):
            if out is None:
                raise NoTarget("where to? write --out DIR, the folder (a package of yours) that the modules go into")
            library = load(specs, context=load([shipped]))
            names = " ".join(path.name if path.is_absolute() else path.as_posix() for path in specs)
            folder = out.resolve().name if out.is_absolute() else out.as_posix()
            target = emit.Target(None, f"jaxscipy-ext generate {names} --out {folder}")
            return cls(library, library.modules, target, out)
        library = load([shipped])
        files = {path.resolve() for given in specs for path in ([given] if given.is_file() else given.glob("*.yaml"))}
        chosen = tuple(m for m in library.modules if not specs or Path(m.position.file).resolve() in files)
        if out is not None:
            return cls(library, chosen, emit.Target(), out)
        root = _resources.checkout()
        if root is None:
            raise NoTarget("the shipped modules are installed already; write --out DIR to generate them elsewhere")
        folder = root / "jaxscipy_ext" / "special"
        return cls(library, chosen, emit.Target(), folder, root, () if specs else (folder,))

    @property
    def command(self) -> str:
        """What writes the files of this job."""
        return self.target.command

    def shown(self, path: Path) -> str:
        """The name of a file in messages and diffs."""
        base = self.root or self.folder.parent
        return path.relative_to(base).as_posix() if path.is_relative_to(base) else path.as_posix()

    @property
    def remarks(self) -> tuple[Problem, ...]:
        """What is right and hardly meant: partials that a draft has left open."""
        words = f"the derivative raises {model.TO_SAY!r}, as drafted; {model.TO_SAY} here"
        return tuple(
            Problem(function.place("args", arg, "derivative"), f"functions.{name}.args.{arg}", words)
            for module in self.modules
            for name, function in module.definitions.items()
            for arg, way in function.ways.items()
            if isinstance(way, model.Unavailable) and way.unavailable == model.TO_SAY
        )

    def files(self, progress: Progress, compared: bool = True) -> dict[Path, str]:
        """The text of every file, all rules compared with their hosts. Raises `SpecError` with all that is wrong."""
        check_hosts(self.library)
        derivations = Derivations(self.library)
        functions = HostFunctions(derivations)
        problems: list[Problem] = []
        texts: dict[Path, str] = {}
        for module in self.modules if compared else ():
            problems += _contradicted(module, derivations, functions, progress)
        for module in () if problems else self.modules:
            try:
                text = emit.ModuleText(module, derivations, functions, self.target).render(lambda name: None)
                texts[self.folder / f"{module.module}.py"] = text
            except SpecError as error:
                problems += error.problems
        progress("")
        if problems:
            raise SpecError(problems)
        if self.root is not None:
            texts[self.folder / "__init__.py"] = emit.family_init(self.target)
            package = self.root / "jaxscipy_ext"
            composed = (package / "composed" / "__init__.py").read_text(encoding="utf-8")
            texts[package / "__init__.py"] = emit.package_init(self.library, self.target, composed)
        elif self.target.package is None:
            texts[self.folder / "__init__.py"] = emit.user_init(self.library, self.target)
        shown = {self.shown(path): path for path in texts}
        formatted = emit.formatted({name: texts[path] for name, path in shown.items()})
        result = {path: formatted[name] for name, path in shown.items()}
        if self.root is not None:
            result[self.root / "specs" / "schema.json"] = model.schema_json()
            page = self.root / "docs" / "spec-language.md"
            result[page] = key_tables.with_tables(page.read_text(encoding="utf-8"))
        return result


def _contradicted(
    module: Module, derivations: Derivations, functions: HostFunctions, progress: Progress
) -> list[Problem]:
    """Everything that hosts contradict in a module, and what can't be derived."""
    problems: list[Problem] = []
    for function in module.definitions.values():
        progress(f"{module.module}: {function.name}")
        try:
            problems += contradictions.problems(derivations.definition(function.name), functions)
        except SpecError as error:
            problems += error.problems
    return problems


def _is_inside(path: Path, folder: Path) -> bool:
    return path.resolve() == folder or folder in path.resolve().parents
