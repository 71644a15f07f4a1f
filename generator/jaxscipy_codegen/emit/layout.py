"""Templates, and the layout of the finished text by the pinned ruff."""

import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import jinja2

from jaxscipy_codegen import _resources, text


def template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_resources.templates(), encoding="utf-8"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    return environment.get_template(name)


def formatted(files: Mapping[str, str]) -> dict[str, str]:
    """The files in the layout of `ruff format`, all in one run.

    Raises `RuntimeError` if ruff refuses a file, which is a fault of the generator.
    """
    if importlib.util.find_spec("ruff") is None:
        raise ModuleNotFoundError("No module named 'ruff'", name="ruff")
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder) / f"{k}.py" for k, name in enumerate(files)}
        for name, path in paths.items():
            path.write_bytes(files[name].encode())
        command = [sys.executable, "-m", "ruff", "format", "--isolated", "--no-cache", "--quiet"]
        options = [f"--line-length={text.WIDTH}", "--target-version=py311"]
        run = subprocess.run([*command, *options, folder], capture_output=True, text=True, check=False)
        if run.returncode:
            raise RuntimeError(f"ruff can't format the generated text: {run.stderr.strip()}")
        return {name: path.read_bytes().decode() for name, path in paths.items()}
