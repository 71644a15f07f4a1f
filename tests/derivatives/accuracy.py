"""Measure the parameter derivatives, as users get them, against mpmath, and write docs/accuracy.md with pictures.

    python tests/derivatives/accuracy.py [--points N] [--out DIR] [NAME...]

The references are those of accuracy_references.py; derivatives come from `jax.jvp` through the public functions, in
float64. An error is relative to the true derivative. Points where SciPy's own value is wrong by more than 1e-6, or NaN,
are counted apart: no derivative rule can repair them.
"""

import argparse
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import accuracy_domains
import accuracy_references
import jax
import jax.numpy as jnp
import numpy as np
from accuracy_domains import Entry

import jaxscipy_ext as jse

ROOT = Path(__file__).parents[2]
WRONG = 1e-6
"""From this relative error on SciPy's value counts as wrong."""
ZERO = 1e-10
"""Beside its zeros a value is excused if a relative change of the parameter by this explains its error."""
GOAL = 1e-10


@dataclass(frozen=True)
class Result:
    """Errors of one parameter derivative; the worst output counts where there are several."""

    entry: Entry
    argument: str
    points: Any
    """(points, arguments)."""
    errors: Any
    value_errors: Any
    """Of SciPy's value."""

    @property
    def sound(self) -> Any:
        """Points where SciPy's value is right."""
        return self.value_errors <= WRONG

    @property
    def largest(self) -> float:
        return float(self.errors[self.sound].max(initial=0.0))

    def percentile(self, p: float) -> float:
        return float(np.percentile(self.errors[self.sound], p, method="lower")) if self.sound.any() else math.nan

    def worst(self, count: int = 1) -> list[tuple[float, tuple[Any, ...]]]:
        """The largest errors and where they are."""
        order = np.argsort(np.where(self.sound, self.errors, -1.0))[::-1][:count]
        return [(float(self.errors[i]), tuple(self.points[i].tolist())) for i in order]


def _relative(got: Any, want: Any) -> Any:
    """Largest relative error over the outputs; infinite for NaN."""
    error = np.abs(got - want) / np.abs(want)
    return np.where(np.isnan(error), np.inf, error).max(1)


def _columns(entry: Entry, points: Any) -> list[jax.Array]:
    last = points.shape[1] - 1
    columns = [points[:, k] if k == last else points[:, k].real for k in range(last + 1)]
    return [jnp.asarray(np.ascontiguousarray(c)) for c in columns]


def tangent(entry: Entry, k: int) -> Callable[..., Any]:
    """(value, derivative in argument k) of the public function, each with the outputs on the last axis."""
    f = getattr(jse, entry.function)

    def partial(*args: jax.Array) -> Any:
        def along(p: jax.Array) -> jax.Array:
            value = f(*args[:k], p, *args[k + 1 :])
            return jnp.stack(value, -1) if isinstance(value, tuple) else value[..., None]

        return jax.jvp(along, (args[k],), (jnp.ones_like(args[k]),))

    return partial


def measure(entry: Entry, limit: int | None = None) -> list[Result]:
    """One result per parameter, over all reference points or the first `limit`."""
    table = {key: array[:limit] for key, array in accuracy_references.load(entry).items()}
    results = []
    with jax.enable_x64(True):
        args = _columns(entry, table["args"])
        for j, (name, k) in enumerate(entry.arguments.items()):
            value, slope = (np.asarray(q) for q in tangent(entry, k)(*args))
            errors = _relative(slope, table["slope"][:, j])
            grain = ZERO * np.abs(table["slope"][:, j] * np.maximum(np.abs(table["args"][:, k, None]), 1.0))
            known = np.where(np.abs(value - table["value"]) <= grain, value, table["value"])
            with np.errstate(all="ignore"):
                value_errors = np.where(known == value, 0.0, np.abs(value - known) / np.abs(known))
            value_errors = np.where(np.isnan(value_errors), np.inf, value_errors).max(1)
            results.append(Result(entry, name, table["args"], errors, value_errors))
    return results


# ---- cost


@dataclass(frozen=True)
class Cost:
    """Nanoseconds per element, jitted, on `accuracy_domains` points."""

    function: str
    argument: str
    value: float
    derivative: float
    """Value and derivative together."""

    @property
    def factor(self) -> float:
        return self.derivative / self.value


def _seconds(f: Callable[..., Any], *args: jax.Array) -> float:
    start = time.process_time()
    jax.block_until_ready(f(*args))
    first = time.process_time() - start
    best = math.inf
    for _ in range(1 if first > 2 else 3):
        start = time.process_time()
        jax.block_until_ready(f(*args))
        best = min(best, time.process_time() - start)
    return best


def cost(entry: Entry, size: int = 500) -> list[Cost]:
    """Time of value and derivative beside that of the value, on the reference points repeated to `size`."""
    points = accuracy_references.load(entry)["args"]
    costs = []
    with jax.enable_x64(True):
        args = _columns(entry, np.resize(points, (size, points.shape[1])))
        f = getattr(jse, entry.function)
        value = _seconds(jax.jit(lambda *args: f(*args)), *args)
        for name, k in entry.arguments.items():
            derivative = _seconds(jax.jit(tangent(entry, k)), *args)
            costs.append(Cost(entry.name, name, value / size * 1e9, derivative / size * 1e9))
    return costs


# ---- the page


@dataclass(frozen=True)
class Map:
    """A panel of an error map: the reference points of an entry over two arguments."""

    entry: str
    argument: str
    x: str
    y: str
    scales: tuple[str, str] = ("linear", "log")


def _student(points: Any) -> dict[str, Any]:
    return {"df": points[:, 0], "|t|": np.abs(points[:, 1])}


PICTURES: dict[str, tuple[Map, ...]] = {
    "bessel": tuple(Map(name, "v", "0: v", "1: z") for name in ("jv", "yv", "iv", "kv")),
    "gamma": (Map("gammainc", "a", "0: a", "1: x", ("log", "log")),),
    "beta": tuple(Map("betainc", a, "0: a", "1: b", ("log", "log")) for a in "ab"),
    "student": (Map("stdtr", "df", "0: df", "1: |t|", ("log", "log")),),
    "hypergeometric": (
        *(Map("hyp1f1", a, "0: a", "2: z", ("linear", "symlog")) for a in "ab"),
        *(Map("hyp2f1", a, "0: a", "3: z", ("linear", "symlog")) for a in "ac"),
    ),
}


def draw(name: str, results: dict[tuple[str, str], Result], folder: Path) -> Path:
    """One picture: a panel per map, a dot per reference point."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    maps = [m for m in PICTURES[name] if (m.entry, m.argument) in results]
    columns = min(2, len(maps))
    rows = -(-len(maps) // columns)
    figure, axes = plt.subplots(
        rows, columns, figsize=(4.6 * columns, 3.4 * rows), squeeze=False, layout="constrained", sharey="all"
    )
    for m, axis in zip(maps, axes.flat, strict=False):
        result = results[m.entry, m.argument]
        (i, x_label), (j, y_label) = (label.split(": ") for label in (m.x, m.y))
        x, y = result.points[:, int(i)], result.points[:, int(j)]
        y = np.abs(y) if y_label.startswith("|") else y
        sound = result.sound
        level = np.log10(np.maximum(result.errors, 1e-16))
        dots = axis.scatter(x[sound], y[sound], c=level[sound], s=9, vmin=-16, vmax=-10, cmap="viridis", linewidths=0)
        axis.scatter(x[~sound], y[~sound], marker="x", c="tab:red", s=14)
        axis.set(xscale=m.scales[0], yscale=m.scales[1], xlabel=x_label, ylabel=y_label)
        axis.set_title(f"{m.entry} in {m.argument}", fontsize=10)
    figure.colorbar(dots, ax=axes, label="log10 of the relative error")
    path = folder / f"accuracy-{name}.png"
    figure.savefig(path, dpi=100)
    plt.close(figure)
    return path


def _number(x: float) -> str:
    return "0" if x == 0 else "NaN" if not math.isfinite(x) else f"{x:.0e}".replace("e-0", "e-").replace("e+0", "e+")


def _point(values: Sequence[Any]) -> str:
    def text(v: Any) -> str:
        return f"{v.real:.6g}{v.imag:+.6g}j" if isinstance(v, complex) and v.imag else f"{complex(v).real:.6g}"

    return ", ".join(map(text, values))


def label(entry: Entry) -> str:
    return f"`{entry.function}`" + (", complex" if entry.kind == "complex" else "")


def _rows(results: Sequence[Result]) -> Iterator[str]:
    for r in results:
        wrong, domain = int((~r.sound).sum()), r.entry.domain.replace("|", "\\|")
        yield (
            f"| {label(r.entry)} | `{r.argument}` | {domain} | {len(r.points)} | {_number(r.largest)} | "
            f"{_number(r.percentile(99))} | {_number(r.percentile(50))} | {wrong or ''} |"
        )


def _above_goal(results: Sequence[Result]) -> Iterator[str]:
    for r in results:
        count = int((r.errors[r.sound] > GOAL).sum())
        if count:
            error, where = r.worst()[0]
            share = f"{count} of {len(r.points)}"
            yield f"| {label(r.entry)} | `{r.argument}` | {share} | {_number(error)} | ({_point(where)}) |"


def _scipy_wrong(results: Sequence[Result]) -> Iterator[str]:
    seen = set()
    for r in results:
        if r.sound.all() or r.entry.name in seen:
            continue
        seen.add(r.entry.name)
        bad = r.points[~r.sound]
        spans = "; ".join(f"{a:.3g} … {b:.3g}" for a, b in zip(bad.real.min(0), bad.real.max(0), strict=True))
        nan = int((~np.isfinite(r.value_errors)).sum())
        worst = int(np.argmax(np.where(np.isfinite(r.value_errors), r.value_errors, -1.0)))
        at = worst if r.value_errors[worst] > WRONG else int(np.argmin(r.sound))
        error = _number(r.value_errors[at])
        share, where = f"{len(bad)} of {len(r.points)}", _point(r.points[at].tolist())
        yield f"| {label(r.entry)} | {share} | {nan or ''} | {spans} | {error} at ({where}) |"


HEAD = """# Accuracy of the derivatives in orders and shape parameters

Made by `python tests/derivatives/accuracy.py`, from references that `python tests/derivatives/accuracy_references.py`
computes with mpmath alone, to 18 digits and more, at points drawn with a seed over the domains below and, more often,
on their edges and special values. The derivatives are those of `jax.jvp` through the public functions, in float64.

Errors are relative to the true derivative itself, next to its zeros too. *Left out* counts the points where SciPy's own
value is NaN, or wrong by more than 1e-6 and by more than a change of the parameter in its tenth digit explains; they
are listed further down.
"""


def page(results: Sequence[Result], costs: Sequence[Cost], pictures: Sequence[str]) -> str:
    """The text of docs/accuracy.md."""
    families: dict[str, list[Result]] = {}
    for r in results:
        families.setdefault(r.entry.family, []).append(r)
    lines = [HEAD]
    for family, members in families.items():
        lines += [f"## {family[0].upper()}{family[1:]}", ""]
        lines += [
            "| function | in | domain | points | max | 99 % | median | left out |",
            "| --- | --- | --- | --- | --- | --- | --- | --- |",
            *_rows(members),
            "",
        ]
        name = family.lower()
        if name in pictures:
            text = f"Relative error of the derivatives over the two main arguments, {family} family"
            lines += [f"![{text}](pictures/accuracy-{name}.png)", "", f"*{text}; crosses: SciPy's value is wrong.*", ""]
    above = list(_above_goal(results))
    lines += ["## Where the error exceeds 1e-10", ""]
    lines += (
        ["| function | in | points | max | at |", "| --- | --- | --- | --- | --- |", *above] if above else ["Nowhere."]
    )
    lines += ["", "## Where SciPy's own value is wrong", ""]
    wrong = list(_scipy_wrong(results))
    lines += [
        "Points of the tables above that were left out; the ranges are those of the arguments at these points, in",
        "order, not boxes in which every value is wrong.",
        "",
        "| function | points | NaN | ranges | largest finite error |",
        "| --- | --- | --- | --- | --- |",
        *wrong,
        "",
    ]
    if costs:
        lines += _cost_section(costs)
    return "\n".join(lines).rstrip() + "\n"


def _cost_section(costs: Sequence[Cost]) -> list[str]:
    ranked = sorted(costs, key=lambda c: -c.derivative)
    most = ", ".join(f"`{c.function}` in `{c.argument}`" for c in ranked[:3])
    return [
        "## Cost",
        "",
        "Nanoseconds of CPU time per element: the value alone, value and derivative together, both jitted, on 500 of",
        f"the points above, with jax {jax.__version__}. The most expensive three: {most}.",
        "",
        "| function | in | value | with derivative | factor |",
        "| --- | --- | --- | --- | --- |",
        *(f"| `{c.function}` | `{c.argument}` | {c.value:.0f} | {c.derivative:.0f} | {c.factor:.0f} |" for c in ranked),
        "",
    ]


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="entries of accuracy_domains; default: all")
    parser.add_argument("--points", type=int, help="only so many points of each")
    parser.add_argument("--out", type=Path, default=ROOT / "docs", help="folder of accuracy.md and pictures/")
    parser.add_argument("--no-cost", action="store_true", help="leave the timings out")
    options = parser.parse_args(argv)
    results: list[Result] = []
    costs: list[Cost] = []
    for entry in accuracy_domains.ENTRIES:
        if (options.names and entry.name not in options.names) or not accuracy_references.path(entry).exists():
            continue
        for r in measure(entry, options.points):
            results.append(r)
            error, where = r.worst()[0]
            print(f"{entry.name} in {r.argument}: {error:.1e} at {where}", flush=True)
        costs += [] if options.no_cost else cost(entry)
    folder = options.out / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    table = {(r.entry.name, r.argument): r for r in results}
    drawn = [name for name, maps in PICTURES.items() if any((m.entry, m.argument) in table for m in maps)]
    for name in drawn:
        draw(name, table, folder)
    (options.out / "accuracy.md").write_text(page(results, costs, drawn), encoding="utf-8")


if __name__ == "__main__":
    main()
