"""From spec files to a `Library`: every mistake of every file at once, each with its place and what to write instead.

Nothing from a file is run or imported here; `hosts` looks at the host functions in a pass of its own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from jaxscipy_codegen import yaml_source
from jaxscipy_codegen.errors import Position, Problem, SpecError
from jaxscipy_codegen.mistakes import problems_of, pydantic_errors
from jaxscipy_codegen.model import Library, Module


def load(paths: Iterable[Path | str], context: Library | None = None) -> Library:
    """The functions in spec files and folders of spec files. Raises `SpecError` with all problems in all of them.

    `context`: functions that the files may call and that aren't generated with them (the shipped ones, for user specs);
    files that are among `paths` too aren't context.
    """
    sources: list[tuple[str, str]] = []
    problems: list[Problem] = []
    paths = [Path(path) for path in paths]
    for folder in paths if context else ():
        if folder.is_dir() and not spec_files([folder]):
            top = Position(folder.as_posix(), 1, 1)
            problems.append(Problem(top, "", "the folder holds no *.yaml file; write the path of a spec file"))
    files = spec_files(paths)
    for path in files:
        top = Position(path.as_posix(), 1, 1)
        try:
            sources.append((path.as_posix(), path.read_bytes().decode("utf-8-sig")))
        except UnicodeDecodeError as error:
            problems.append(Problem(top, "", f"not UTF-8 ({error.reason}); save it as UTF-8"))
        except OSError as error:
            problems.append(Problem(top, "", f"can't be read ({error.strerror}); write the path of a spec file"))
    own = {path.resolve() for path in files}
    known = (*context.context, *context.modules) if context else ()
    return _library(sources, [module for module in known if Path(module.position.file).resolve() not in own], problems)


def loads(text: str, file: str = "spec.yaml", context: Library | None = None) -> Library:
    """The functions in the text of one spec file; `file` is its name in messages."""
    return _library([(file, text)], (*context.context, *context.modules) if context else (), [])


def spec_files(paths: Iterable[Path | str]) -> list[Path]:
    """The files that `paths` stand for: a folder stands for its *.yaml files in the order of their names."""
    files: dict[Path, None] = {}
    for path in map(Path, paths):
        found = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
        files.update(dict.fromkeys(found))
    return list(files)


def _library(sources: Iterable[tuple[str, str]], context: Iterable[Module], problems: list[Problem]) -> Library:
    read = [_read(text, file) for file, text in sources]
    library = Library(tuple(found.module for found in read if found.module is not None), tuple(context))
    for found in read:
        problems += found.problems
    broken, vague = (frozenset[str]().union(*(getattr(found, kind) for found in read)) for kind in ("broken", "vague"))
    problems += problems_of(library, broken, vague)
    if problems:
        raise SpecError(problems)
    return library


_ROUNDS = 50
"""A mistake inside a mistake takes another round; the levels of a spec bound them, this number in any case."""


@dataclass
class _Read:
    """A spec file, as far as it can be understood."""

    module: Module | None = None
    problems: list[Problem] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    """Functions whose entries have mistakes."""
    vague: set[str] = field(default_factory=set)
    """Functions whose arguments or outputs aren't known because of that."""

    def blame(self, path: Sequence[str]) -> None:
        """Remembers the entry that a mistake is in."""
        if len(path) > 1 and path[0] == "functions":
            self.broken.add(path[1])
            if len(path) < 3 or (path[2] in ("args", "outputs") and (len(path) < 5 or path[4] == "default")):
                self.vague.add(path[1])


def _read(text: str, file: str) -> _Read:
    read = _Read()
    data, read.problems = yaml_source.read(text, file)
    if not isinstance(data, yaml_source.Mapping):
        if not read.problems:
            message = "expected a mapping at the top; write module, title and functions"
            read.problems.append(Problem(Position(file, 1, 1), "", message))
        return read
    read.problems += _empty_values(data, ())
    for problem in read.problems:
        read.blame(problem.path.split("."))
    functions = data.get("functions")
    refused = {problem.position for problem in read.problems}
    for _ in range(_ROUNDS):
        try:
            read.module = Module.model_validate(data)
        except ValidationError as error:
            details = error.errors(include_url=False)
        else:
            break
        for detail in details:
            problem = pydantic_errors.problem(detail, data)
            read.blame(problem.path.split("."))
            if problem.position not in refused and not pydantic_errors.was_there(detail, data):
                read.problems.append(problem)
        # What can't be understood is left out, and the rest is looked at again: the later checks want to see it.
        if not pydantic_errors.prune(data, details):
            break
    if isinstance(functions, dict):
        understood = read.module.functions if read.module is not None else {}
        read.vague |= functions.keys() - understood.keys()
    return read


def _empty_values(data: yaml_source.Data, path: tuple[str, ...]) -> list[Problem]:
    """Keys with nothing behind them (which would silently mean the default); they are taken out of `data`."""
    problems: list[Problem] = []
    if isinstance(data, yaml_source.Mapping):
        for key, value in list(data.items()):
            if value is None and key != "default":
                message = "is empty; write a value or leave the key out"
                problems.append(Problem(data.values_at[key], ".".join((*path, key)), message))
                del data[key]
            problems += _empty_values(value, (*path, key))
    elif isinstance(data, yaml_source.Sequence):
        for index, value in enumerate(data):
            problems += _empty_values(value, (*path, str(index)))
    return problems
