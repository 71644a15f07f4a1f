"""Draws the pictures of single pages while the site is built, from the code that the page shows.

`python docs/extensions/pictures.py` draws the one of the README, which is kept in the repository.
"""

import re
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import matplotlib as mpl
import numpy as np
import plots
from matplotlib.figure import Figure
from sphinx.application import Sphinx

import jaxscipy_ext as jse

DOCS = Path(__file__).resolve().parents[1]
README = DOCS / "_static" / "bessel.svg"
FOLDER = DOCS / "generated" / "pictures"


def bessel(path: Path = README) -> None:
    """Bessel functions and their derivatives in the order."""
    z = jnp.linspace(0.02, 16.0, 200)
    figure = Figure(figsize=(8.4, 2.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    for order, colour in zip((0.0, 1.0, 2.5), plots.COLOURS, strict=False):
        v = jnp.full_like(z, order)
        value, slope = jax.jvp(lambda v: jse.jv(v, z), (v,), (jnp.ones_like(v),))
        left.plot(z, value, color=colour, label=f"v = {order:g}")
        right.plot(z, slope, color=colour)
    for axes, title in ((left, "jse.jv(v, z)"), (right, "jax.grad(jse.jv)(v, z): in the order")):
        axes.set_title(title, loc="left")
        axes.set_xlabel("z")
        axes.grid(visible=True)
    left.legend(frameon=False, fontsize=9)
    figure.savefig(path, metadata={"Date": None, "Creator": None})


def fit_a_profile(path: Path) -> None:
    """The data and the fit of the tutorial, by its own code."""
    page = (DOCS / "tutorial" / "fit-a-profile.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {"print": lambda *_: None}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(compile(block, "fit-a-profile.md", "exec"), names)  # noqa: S102
    r, fine = names["r"], np.linspace(0, float(names["r"][-1]), 400)
    figure = Figure(figsize=(4.8, 3.0), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(r, names["data"], ".", color="#808080", markersize=3, label="data")
    axes.plot(fine, names["intensity"](names["fitted"], fine), color=plots.COLOURS[0], label="fit")
    axes.plot(fine, names["intensity"](names["truth"], fine), "--", color=plots.COLOURS[1], label="truth")
    axes.set_xlabel("r")
    axes.set_title("intensity", loc="left")
    axes.grid(visible=True)
    axes.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None, "Creator": None})


def draw_missing(_app: Sphinx) -> None:
    """Draw what is older than the page that it belongs to."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path, page = FOLDER / "fit-a-profile.svg", DOCS / "tutorial" / "fit-a-profile.md"
    if not path.exists() or path.stat().st_mtime < page.stat().st_mtime:
        with mpl.rc_context(plots.STYLE), jax.enable_x64(True):  # pyright: ignore[reportPrivateImportUsage]
            fit_a_profile(path)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", draw_missing)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    with mpl.rc_context(plots.STYLE), jax.enable_x64(True):  # pyright: ignore[reportPrivateImportUsage]
        bessel()
