"""Where generated modules go, and what their headers say about where they come from."""

from dataclasses import dataclass
from pathlib import Path

from jaxscipy_codegen.model import Module

PACKAGE = "jaxscipy_ext.special"


@dataclass(frozen=True)
class Target:
    """Where the modules go: into our own package, or into a folder of the user's."""

    package: str | None = PACKAGE
    """Package of the generated modules; None: they import each other relatively."""
    command: str = "jaxscipy-ext generate"
    """What regenerates them, for the header."""


def origin(module: Module, target: Target) -> str:
    name = Path(module.position.file).name if module.position.file.endswith(".yaml") else f"{module.module}.yaml"
    return f"specs/{name}" if target.package else name
