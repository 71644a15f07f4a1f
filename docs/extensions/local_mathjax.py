"""Serves MathJax from the site itself: no content delivery network, at build time or in the reader's browser.

The files come from the Python package `sphinx-mathjax-offline`. Of its 24 MB only TeX input and the fonts are copied.
"""

import shutil
from importlib.util import find_spec
from pathlib import Path

from sphinx.application import Sphinx

PROGRAM = "tex-chtml.js"
FONTS = "output/chtml/fonts/woff-v2"


def files() -> Path:
    """The folder of MathJax's files in the installed package."""
    spec = find_spec("sphinx-mathjax-offline")
    if spec is None or not spec.submodule_search_locations:
        raise ImportError('MathJax is missing; run: python -m pip install "jaxscipy_ext[docs]"')
    return Path(spec.submodule_search_locations[0]) / "static" / "mathjax"


def copy(app: Sphinx, error: Exception | None) -> None:
    """Put program and fonts where `mathjax_path` points to."""
    if error or app.builder.format != "html":
        return
    target = Path(app.outdir) / "_static" / "mathjax"
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy2(files() / PROGRAM, target / PROGRAM)
    shutil.copytree(files() / FONTS, target / FONTS, dirs_exist_ok=True)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.config.mathjax_path = f"mathjax/{PROGRAM}"
    # The menu and the speech engine would load further files on demand.
    app.config.mathjax3_config = {"options": {"enableMenu": False}, "chtml": {"displayAlign": "left"}}
    app.connect("build-finished", copy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
