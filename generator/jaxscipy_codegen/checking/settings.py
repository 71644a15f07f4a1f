"""What a run looks at: functions, precisions, backends, and where."""

import functools
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jaxscipy_codegen import _resources
from jaxscipy_codegen.derive import Derivations
from jaxscipy_codegen.hosts import is_available
from jaxscipy_codegen.load import load
from jaxscipy_codegen.model import Function, Library
from jaxscipy_ext.runtime.config import Backend


@dataclass(frozen=True)
class Settings:
    """What a run does with every function."""

    specs: tuple[str, ...] = ()
    """Spec files of the user's; none: the shipped ones."""
    package: str | None = None
    """The folder of the modules that were generated from them."""
    transforms: tuple[str, ...] = ()
    """Empty: all of them (in float32 values and first derivatives only)."""
    points: int = 16
    seed: int = 0
    device: str = "cpu"

    def options(self) -> list[str]:
        """Their words on the command line, where they differ from the default."""
        words = [f"--points {self.points}"] if self.points != Settings.points else []
        words += [f"--seed {self.seed}"] if self.seed else []
        words += [f"--device {self.device}"] if self.device != "cpu" else []
        return words + [f"--spec {shlex.quote(spec)}" for spec in self.specs]


@dataclass(frozen=True)
class Task:
    """One function in one precision on one backend."""

    name: str
    dtype: str
    backend: Backend


def tasks(names: Sequence[str], settings: Settings, dtypes: Sequence[str], backends: Sequence[Backend]) -> list[Task]:
    """All tasks, grouped by backend (changing it makes JAX forget what it compiled). Raises `SpecError`, `KeyError`."""
    library, _ = library_of(settings)
    own = [name for module in library for name, f in module.definitions.items() if f.public and is_available(f)]
    known = known_names(settings)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise KeyError(unknown[0])
    chosen = list(dict.fromkeys(library[name].name for name in names)) or own
    return [
        Task(name, dtype, backend)
        for backend in backends
        for name in chosen
        for dtype in dtypes
        if dtype != "complex128" or _takes_complex(library[name])
    ]


def known_names(settings: Settings) -> frozenset[str]:
    """Every name that can be checked."""
    return frozenset(name for module in library_of(settings)[0] for name in module.functions)


def library_of(settings: Settings) -> tuple[Library, Derivations]:
    """The functions of the specs and their partials."""
    return _loaded(settings.specs, Path.cwd())


@functools.cache
def _loaded(specs: tuple[str, ...], _folder: Path) -> tuple[Library, Derivations]:
    shipped = load([_resources.specs()])
    library = load(specs, context=shipped) if specs else shipped
    return library, Derivations(library)


def _takes_complex(function: Function) -> bool:
    return any(arg.kind in ("complex", "always-complex") for arg in function.args.values())
