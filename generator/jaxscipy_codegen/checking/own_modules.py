"""The modules that the user's own specs describe, generated into a temporary folder for one run."""

import contextlib
import importlib.util
import sys
import tempfile
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

from jaxscipy_codegen import write
from jaxscipy_codegen.checking.settings import Settings
from jaxscipy_codegen.generate import Job


@contextlib.contextmanager
def generated(settings: Settings) -> Generator[Settings, None, None]:
    """The settings with the folder of the modules.

    Rules aren't compared with their hosts on the way: that is what the run is for. Raises `SpecError`.
    """
    if not settings.specs:
        yield settings
        return
    with tempfile.TemporaryDirectory(prefix="jaxscipy_check_") as folder:
        out = Path(folder) / Path(folder).name
        job = Job.of([Path(spec) for spec in settings.specs], out)
        write.apply(write.changes(job.files(lambda name: None, compared=False)))
        yield replace(settings, package=str(out))


def generated_function(name: str, package: str) -> Callable[..., Any]:
    """The JAX function of the package in that folder; every process of a run imports it once."""
    folder = Path(package)
    if folder.name not in sys.modules:
        spec = importlib.util.spec_from_file_location(folder.name, folder / "__init__.py")
        assert spec is not None and spec.loader is not None
        sys.modules[folder.name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[folder.name])
    return getattr(sys.modules[folder.name], name)
