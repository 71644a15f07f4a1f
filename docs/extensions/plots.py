"""Draws every function and its derivative: two SVG files each, kept until the spec or this file changes.

What is drawn follows from the spec alone. The argument on the axis is a differentiable one over the box where the
tests sample gradients; one other argument takes three values, the rest one value inside their boxes.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import matplotlib as mpl
import matplotlib.ticker
import numpy as np
import scipy
from jaxscipy_codegen.derive import Definition
from jaxscipy_codegen.model import Function
from matplotlib.figure import Figure

import jaxscipy_ext as jse

FOLDER = Path(__file__).resolve().parents[1] / "generated" / "plots"
MANIFEST = FOLDER / "manifest.json"
POINTS = 241
USUAL = ("x", "z", "t", "u", "f")
"""Names that texts give to the variable of a function, rather than to a parameter."""
COLOURS = ("#3b82c4", "#d9772b", "#4a9c5d", "#b05fb5")
"""Readable on white and on black, like the grey of the axes."""
STYLE = {
    "axes.edgecolor": "#808080",
    "axes.facecolor": "none",
    "axes.labelcolor": "#808080",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlecolor": "#808080",
    "axes.titlesize": 10,
    "figure.facecolor": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "grid.color": "#80808040",
    "legend.labelcolor": "#808080",
    "lines.linewidth": 1.6,
    "savefig.facecolor": "none",
    "svg.fonttype": "none",
    "svg.hashsalt": "jaxscipy_ext",
    "text.color": "#808080",
    "xtick.color": "#808080",
    "ytick.color": "#808080",
}


@dataclass(frozen=True)
class Plot:
    """One picture."""

    file: str
    alt: str


@dataclass(frozen=True)
class View:
    """What of a function is drawn: `variable` over `interval`, `parameter` at `values`, the rest `fixed`."""

    variable: str
    interval: tuple[float, float]
    parameter: str | None
    values: tuple[float, ...]
    fixed: dict[str, float]

    def arguments(self, function: Function) -> list[Any]:
        """Arrays of shape (values, points) for every argument that isn't static or left at its default."""
        found: list[Any] = []
        for name, argument in function.args.items():
            if name == self.variable:
                found.append(jnp.linspace(*self.interval, POINTS)[None, :])
            elif name == self.parameter:
                found.append(jnp.asarray(self.values, int if argument.kind == "integer" else float)[:, None])
            elif name in self.fixed:
                found.append(int(self.fixed[name]) if argument.kind == "integer" else self.fixed[name])
        return found


def view(definition: Definition) -> View | None:
    """The view of a function; None if no argument can be drawn."""
    function = definition.function
    drawn = {name: a for name, a in function.args.items() if not (a.static or a.has_default)}
    ways = {name: definition.partials[name].way for name in drawn}
    smooth = [name for name, way in ways.items() if way not in ("discrete", "unavailable", "static")]
    closed = [name for name in smooth if ways[name] not in ("kernel", "stencil")] or smooth
    if not closed:
        return None
    variable = next((name for name in USUAL if name in closed), closed[-1])
    others = {name: function.box[name] for name in drawn if name != variable}
    parameter = next(iter(others), None)
    shown = tuple(_inside(function, parameter, others[parameter])) if parameter else ()
    # The middle, unless that is 0, where many a function is trivial.
    choices = {name: _inside(function, name, box) for name, box in others.items() if name != parameter}
    fixed = {name: values[1] or values[2] for name, values in choices.items()}
    return View(variable, function.box[variable], parameter, shown, fixed)


def _inside(function: Function, name: str, box: tuple[float, float]) -> list[float]:
    """Three round numbers inside the box."""
    low, high = box
    if function.args[name].kind == "integer":
        step = max(1, int((high - low) // 3))
        return [float(max(0, int(low)) + k * step) for k in range(3)]
    unit = 10.0 ** np.floor(np.log10((high - low) / 3))
    unit = unit / 2 if (high - low) / unit < 6 else unit
    return [float(np.round(np.round((low + part * (high - low)) / unit) * unit, 10)) for part in (0.2, 0.5, 0.8)]


def curves(definition: Definition, shown: View) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Label, values and derivatives of every curve."""
    function = definition.function
    arguments = shown.arguments(function)
    position = [name for name in function.args if name in {shown.variable, shown.parameter, *shown.fixed}].index(
        shown.variable
    )
    public = getattr(jse, definition.name)

    def along(x: jax.Array) -> Any:
        return public(*arguments[:position], x, *arguments[position + 1 :])

    x = jnp.broadcast_to(arguments[position], np.broadcast_shapes(*map(np.shape, arguments)))
    values, slopes = jax.jvp(along, (x,), (jnp.ones_like(x),))
    names = tuple(function.outputs) if function.several else ("",)
    several = tuple(values) if function.several else (values,)
    for output, value, slope in zip(names, several, tuple(slopes) if function.several else (slopes,), strict=True):
        for k, row in enumerate(np.asarray(value)):
            if output and k != 1 and len(value) > 1:
                continue
            label = output if output or not shown.parameter else f"{shown.parameter} = {shown.values[k]:g}"
            yield label, row, np.asarray(slope)[k]


def draw(definition: Definition) -> list[Plot]:
    """Draw a function and its derivative."""
    shown = view(definition)
    if shown is None:
        return []
    found = list(curves(definition, shown))
    x = np.linspace(*shown.interval, POINTS)
    fixed = dict(shown.fixed)
    if definition.function.several and shown.parameter:
        fixed[shown.parameter] = shown.values[1]
    at = ", ".join(f"{name} = {value:g}" for name, value in fixed.items())
    drawn = []
    titles = (definition.name, f"∂{definition.name}/∂{shown.variable}")
    for suffix, title, rows in zip(
        ("", "_derivative"), titles, ([f for _, f, _ in found], [g for _, _, g in found]), strict=True
    ):
        figure = Figure(figsize=(3.5, 2.5), layout="constrained")
        axes = figure.add_subplot()
        for k, ((label, *_), row) in enumerate(zip(found, rows, strict=True)):
            colour = COLOURS[k % len(COLOURS)]
            axes.plot(x, row.real, color=colour, label=label or None)
            if np.iscomplexobj(row) and np.any(row.imag):
                axes.plot(x, row.imag, color=colour, linestyle="--")
        _scale(axes, np.stack(rows))
        axes.grid(visible=True)
        axes.set_xlabel(shown.variable)
        axes.set_title(title + (f"   ({at})" if at else ""), loc="left")
        if any(label for label, *_ in found):
            figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9, handlelength=1.2)
        file = f"{definition.name}{suffix}.svg"
        figure.savefig(FOLDER / file, metadata={"Date": None, "Creator": None})
        labels = ", ".join(label for label, *_ in found if label)
        alt = f"{title} over {shown.variable}{' for ' + labels if labels else ''}{' at ' + at if at else ''}"
        drawn.append(Plot(file, alt))
    return drawn


def _scale(axes: Any, rows: np.ndarray) -> None:
    """Logarithmic where a function keeps its sign over decades; where it oscillates, a pole is cut off."""
    rows = np.concatenate([rows.real, rows.imag]) if np.iscomplexobj(rows) else rows
    finite = rows[np.isfinite(rows) & (rows != 0)]
    if not finite.size:
        return
    size = np.abs(finite)
    typical = float(np.median(size))
    if size.max() < 100 * typical:
        return
    if np.all(finite > 0):
        axes.set_yscale("log")
        return
    changes = max(np.count_nonzero(np.diff(np.sign(row[np.isfinite(row)]))) for row in rows)
    if changes > 2:
        limit = 4 * typical
        axes.set_ylim(max(-limit, 1.05 * float(finite.min())), min(limit, 1.05 * float(finite.max())))
    elif size.max() > 300 * typical or not np.ptp(np.sign(finite)):
        straight = 10.0 ** np.floor(np.log10(typical if np.ptp(np.sign(finite)) else size.min()))
        axes.set_yscale("symlog", linthresh=straight)
        locator = mpl.ticker.SymmetricalLogLocator(base=10, linthresh=straight)
        locator.set_params(numticks=6)
        axes.yaxis.set_major_locator(locator)


def digest(definition: Definition) -> str:
    """What a picture depends on."""
    function = definition.function
    rules = {name: (partial.way, partial.text) for name, partial in definition.partials.items()}
    seen = (function.host_path, sorted(rules.items()), sorted(function.box.items()), list(function.outputs))
    versions = (scipy.__version__, mpl.__version__)
    text = Path(__file__).read_text(encoding="utf-8")
    return hashlib.sha256(json.dumps([seen, versions, text], default=str).encode()).hexdigest()[:16]


def drawn() -> dict[str, list[Plot]]:
    """The pictures that are there, whatever they were drawn from."""
    kept = json.loads(MANIFEST.read_text(encoding="utf-8")) if MANIFEST.exists() else {}
    return {
        name: [Plot(*plot) for plot in entry["plots"] if (FOLDER / plot[0]).exists()] for name, entry in kept.items()
    }


def draw_all(definitions: Sequence[Definition]) -> dict[str, list[Plot]]:
    """The pictures of all functions by name; only what has changed is drawn."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = json.loads(MANIFEST.read_text(encoding="utf-8")) if MANIFEST.exists() else {}
    found: dict[str, list[Plot]] = {}
    try:
        with mpl.rc_context(STYLE), jax.enable_x64(True):  # pyright: ignore[reportPrivateImportUsage]
            for definition in definitions:
                key, name = digest(definition), definition.name
                if kept.get(name, {}).get("digest") == key and all(
                    (FOLDER / f).exists() for f, _ in kept[name]["plots"]
                ):
                    found[name] = [Plot(*plot) for plot in kept[name]["plots"]]
                else:
                    found[name] = draw(definition)
                kept[name] = {"digest": key, "plots": [(plot.file, plot.alt) for plot in found[name]]}
    finally:  # what was drawn before an interruption counts
        MANIFEST.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    return found
