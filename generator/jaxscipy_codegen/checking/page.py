"""A verification run as one HTML file: a table, and per function its checks and plots. Nothing is loaded from afar."""

import html
import platform
from collections.abc import Iterable, Sequence
from importlib.metadata import version

import numpy as np

from jaxscipy_codegen.checking.plots import plot
from jaxscipy_codegen.checking.results import Result
from jaxscipy_codegen.checking.settings import Settings

_STYLE = """
:root { --ink: #1b2733; --soft: #5b6b7b; --line: #d8dfe6; --paper: #fff; --panel: #f5f7f9; --good: #1a7f4b;
  --bad: #c0262d; --curve: #1f6fb2; --dots: #e07b00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e9ef; --soft: #9aabbb; --line: #33414e; --paper: #12181e;
  --panel: #1a222a; --good: #4cc38a; --bad: #ff6b6b; --curve: #6cb2ee; --dots: #f2a33a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.2rem; font: 15px/1.45 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); }
h1 { font-size: 1.5rem; margin: 0 0 .3rem; }
p { margin: .3rem 0; color: var(--soft); overflow-wrap: anywhere; }
code, td.num { font-family: ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; font-size: .87em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .6rem 0; }
th, td { padding: .15rem .7rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--soft); white-space: nowrap; }
.num { text-align: right; white-space: nowrap; } .note { width: 100%; }
td:first-child:not(.worst) { white-space: nowrap; }
td a { color: inherit; }
td.note { color: var(--soft); }
td.worst { font: .87em ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere;
  border-left: 3px solid var(--bad); }
@media (max-width: 34rem) { body { padding: .7rem; } th, td { padding: .15rem .35rem; } details { padding: 0 .5rem; }
  td.note { font-size: .85em; } }
.ok { color: var(--good); } .fail { color: var(--bad); font-weight: 600; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .45rem 0; padding: 0 .8rem; }
details[open] { padding-bottom: .8rem; }
summary { cursor: pointer; padding: .45rem 0; }
summary .soft, .soft { color: var(--soft); }
h3 { font-size: 1rem; margin: .9rem 0 .2rem; }
pre { background: var(--panel); padding: .6rem .8rem; border-radius: 6px; overflow-x: auto; margin: .5rem 0; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: .8rem; }
figure { margin: 0; background: var(--panel); border-radius: 6px; padding: .5rem; }
figcaption { font-size: .85em; color: var(--soft); }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--soft); font-size: 10px; }
.axis { stroke: var(--line); fill: none; } .curve { stroke: var(--curve); stroke-width: 1.6; fill: none; }
.dots { fill: var(--dots); } .bars { stroke: var(--bad); stroke-width: 1.6; }
.controls { display: flex; flex-wrap: wrap; gap: .5rem 1rem; margin: .8rem 0; align-items: center; }
input[type=search] { font: inherit; padding: .25rem .6rem; border: 1px solid var(--line); border-radius: 6px;
  color: inherit; background: var(--panel); max-width: 100%; }
[hidden] { display: none !important; }
"""

_SCRIPT = """
const search = document.getElementById('search'), failed = document.getElementById('failed');
function show() {
  const word = search.value.trim().toLowerCase();
  for (const e of document.querySelectorAll('[data-name]'))
    e.hidden = !e.dataset.name.includes(word) || (failed.checked && e.dataset.ok === 'yes');
}
search.addEventListener('input', show); failed.addEventListener('change', show);
function open_it() { const e = document.getElementById(location.hash.slice(1)); if (e) e.open = true; }
addEventListener('hashchange', open_it); open_it();
"""

_HOW = (
    "Values are compared with the host's, derivatives with extrapolated differences of the host and with mpmath. "
    "Errors are relative, beyond the error of the reference; dots in the plots are the reference."
)


def page(found: Sequence[Result], settings: Settings) -> str:
    """The page."""
    by_name: dict[str, list[Result]] = {}
    for result in found:
        by_name.setdefault(result.task.name, []).append(result)
    failed = [result for result in found if not result.passed]
    verdict = (
        f'<span class="fail">{len(failed)} of {len(found)} runs failed</span>'
        if failed
        else f'<span class="ok">all {len(found)} runs passed</span>'
    )
    versions = ", ".join(f"{name} {version(name)}" for name in ("jax", "jaxlib", "numpy", "scipy"))
    options = " ".join(settings.options()) or "default points"
    order = sorted(by_name.items(), key=lambda item: all(result.passed for result in item[1]))
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>jaxscipy-ext check</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
            f"<h1>Verification of {len(by_name)} functions: {verdict}</h1>",
            f"<p>{_text(versions)}, Python {platform.python_version()}, device {settings.device}, {_text(options)}</p>",
            f"<p>{_HOW}</p>",
            '<div class="controls"><input type="search" id="search" placeholder="function" aria-label="function">',
            '<label><input type="checkbox" id="failed"> only failures</label></div>',
            _overview(order),
            *(_section(name, results) for name, results in order),
            f"<script>{_SCRIPT}</script>\n</body>\n</html>\n",
        ]
    )


def _text(value: object) -> str:
    return html.escape(str(value))


def _marked(name: str, results: Sequence[Result]) -> str:
    ok = "yes" if all(result.passed for result in results) else "no"
    return f'data-name="{_text(name.lower())}" data-ok="{ok}"'


def _state(passed: bool) -> str:
    return '<span class="ok">ok</span>' if passed else '<span class="fail">FAIL</span>'


def _error(error: float) -> str:
    return "0" if error == 0 else f"{error:.0e}"


def _number_head(title: str) -> str:
    return f'<th class="num">{_text(title)}</th>'


def _overview(order: Iterable[tuple[str, list[Result]]]) -> str:
    rows = list(order)
    columns = list(dict.fromkeys((r.task.dtype, r.task.backend) for _, results in rows for r in results))
    several = len({backend for _, backend in columns}) > 1
    heads = [f"{dtype} {backend}" if several else dtype for dtype, backend in columns]
    lines = [f"<tr><th>function</th><th></th>{''.join(map(_number_head, [*heads, 'seconds']))}</tr>"]
    for name, results in rows:
        cells = {(r.task.dtype, r.task.backend): r for r in results}
        errors = [_error(cells[c].largest) if c in cells else "" for c in columns]
        lines.append(
            f'<tr {_marked(name, results)}><td><a href="#{_text(name)}"><code>{_text(name)}</code></a></td>'
            f"<td>{_state(all(r.passed for r in results))}</td>"
            + "".join(f'<td class="num">{error}</td>' for error in errors)
            + f'<td class="num">{sum(r.seconds for r in results):.1f}</td></tr>'
        )
    body = "\n".join(lines)
    return (
        f"<details {'open' if len(rows) <= 40 else ''}><summary>Largest error per function and precision</summary>"
        f'<div class="scroll"><table>\n{body}\n</table></div></details>'
    )


def _section(name: str, results: Sequence[Result]) -> str:
    passed = all(result.passed for result in results)
    parts: list[str] = [
        f'<details id="{_text(name)}" {_marked(name, results)}{"" if passed else " open"}>',
        f"<summary><code>{_text(name)}</code> {_state(passed)} <span class='soft'>{_text(results[0].module)}</span>",
        "</summary>",
    ]
    for result in results:
        parts.append(
            f"<h3>{_text(result.task.dtype)} {_state(result.passed)} <span class='soft'>{_text(result.task.backend)}"
        )
        parts.append(f"</span></h3>{_checks(result)}")
    drawn = next((result for result in results if result.slices and result.task.dtype == "float64"), results[0])
    if drawn.slices:
        plots = "\n".join(_figure(drawn, k) for k in range(len(drawn.slices)))
        parts.append(f"<h3>Along each argument <span class='soft'>{_text(drawn.task.dtype)}</span></h3>")
        parts.append(f'<div class="plots">\n{plots}\n</div>')
    parts.append("</details>")
    return "\n".join(parts)


def _checks(result: Result) -> str:
    heads = "<th>check</th><th></th>" + _number_head("error") + _number_head("points")
    rows = [f"<tr>{heads}<th class='note'></th></tr>"]
    for check in result.checks:
        rows.append(
            f"<tr><td>{_text(check.what)}</td><td>{_state(check.passed)}</td><td class='num'>{_error(check.error)}</td>"
            f"<td class='num'>{check.points or ''}</td><td class='note'>{_text(check.note)}</td></tr>"
        )
        if not check.passed and check.worst is not None:
            inputs = ", ".join(f"{name} = {x!r}" for name, x in result.inputs(check).items())
            at = f"at {inputs}: expected {check.worst.expected!r}, got {check.worst.got!r}"
            rows.append(f"<tr><td colspan='5' class='worst'>{_text(at)}</td></tr>")
    again = "" if result.passed else f"<pre><code>{_text(result.command)}</code></pre>"
    body = "\n".join(rows)
    return f"<div class='scroll'><table>\n{body}\n</table></div>{again}"


def _figure(result: Result, k: int) -> str:
    piece = result.slices[k]
    fixed = "" if len(result.arguments) == 1 else f" along {piece.argument}"
    told = np.isfinite(piece.error)
    largest = f"error {_error(float(np.max(piece.error[told])))}" if told.any() else "no reference here"
    label = f"{result.task.name}: {piece.what}{fixed}"
    return (
        f"<figure>{plot(piece.x, piece.got, piece.expected, piece.error, label)}"
        f"<figcaption><b>{_text(piece.what)}</b>{_text(fixed)}, {largest}</figcaption></figure>"
    )
