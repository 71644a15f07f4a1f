"""Docstrings of generated functions: what a reader needs at the call, in the order in which it is needed."""

from collections.abc import Iterable, Mapping

from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE

from jaxscipy_codegen import model, text, trees
from jaxscipy_codegen.derive import Definition, Derivations, Partial, ordinal
from jaxscipy_codegen.model import SINGLE, Argument, Function
from jaxscipy_codegen.symbolic import Expr

_FILL = text.WIDTH - 4


def module_docstring(module: model.Module) -> str:
    """The docstring literal of a generated module."""
    chapter = f" ({module.chapter})" if module.chapter else ""
    parts = [f"{module.title}{chapter}."]
    if module.description:
        parts.append(text.filled(module.description, width=text.WIDTH))
    return text.docstring("\n\n".join(parts), indent="")


def function_docstring(definition: Definition, derivations: Derivations) -> str:
    """The docstring literal of a public function."""
    function = definition.function
    parts = [function.summary if function.summary.endswith((".", "!", "?")) else f"{function.summary}."]
    formula = math(function, derivations)
    if formula:
        parts.append(".. math::\n\n" + "\n".join(f"    {line}" for line in formula))
    if function.host_path.startswith("scipy."):
        parts.append(f"Equivalent to :obj:`{function.host_path}`.")
    if function.description:
        parts.append(text.filled(function.description, width=_FILL))
    parts.append(_section("Args", (_item(name, _argument(arg)) for name, arg in function.args.items())))
    parts.append(_returns(function))
    if function.callback != "debug":
        parts.append(_derivatives(function, definition.partials))
    parts.append(_raises(function, definition.partials if function.callback != "debug" else {}))
    if function.notes:
        parts.append(_section("Note", (text.filled(note, "  ", width=_FILL) for note in function.notes)))
    last = [f"Source: {function.source}." if function.source else "", _since(function)]
    parts.append(" ".join(filter(None, last)))
    return text.docstring("\n\n".join(filter(None, parts)))


def derivative_docstring(definition: Definition) -> str:
    """The docstring literal of a function that is a derivative of another one."""
    orders = dict(definition.index)
    word = "" if len(orders) == sum(orders.values()) else f"{ordinal(sum(orders.values()))} "
    arguments = " and ".join(
        arg if order == 1 or len(orders) == 1 else f"{arg} ({order} times)" for arg, order in orders.items()
    )
    return text.docstring(f"The {word}derivative of `{definition.function.name}` in {arguments}.")


def private_docstring(definition: Definition) -> str:
    """The docstring literal of a private entry."""
    return text.docstring(definition.function.summary)


def math(function: Function, derivations: Derivations) -> list[str]:
    """The meaning of every output in LaTeX, one line each."""
    formulas = {output: result.formula for output, result in function.results.items() if result.formula is not None}
    latex = {output: _Latex().doprint(derivations.meaning(function, output)) for output in formulas}
    if not function.several:
        return list(latex.values())
    rows = [rf"\mathrm{{{output}}} &= {row}".replace("_", r"\_", output.count("_")) for output, row in latex.items()]
    return [*(rf"{row} \\" for row in rows[:-1]), *rows[-1:]]


class _Latex(LatexPrinter):  # type: ignore[misc]
    def _print_abs(self, expr: Expr) -> str:
        return rf"\left|{{{self._print(expr.args[0])}}}\right|"

    def _print_floor(self, expr: Expr, exp: object = None) -> str:
        return rf"\left\lfloor{{{self._print(expr.args[0])}}}\right\rfloor"

    def _print_minimum(self, expr: Expr) -> str:
        return rf"\min\left({', '.join(map(self._print, expr.args))}\right)"

    def _print_maximum(self, expr: Expr) -> str:
        return rf"\max\left({', '.join(map(self._print, expr.args))}\right)"

    def _print_sinpi(self, expr: Expr) -> str:
        return rf"\sin\left(\pi {self.parenthesize(expr.args[0], PRECEDENCE['Mul'])}\right)"

    def _print_cospi(self, expr: Expr) -> str:
        return rf"\cos\left(\pi {self.parenthesize(expr.args[0], PRECEDENCE['Mul'])}\right)"

    def _print_polygamma(self, expr: Expr) -> str:
        order, x = expr.args
        return (
            rf"\psi\left({self._print(x)}\right)"
            if order == 0
            else rf"\psi^{{({self._print(order)})}}\left({self._print(x)}\right)"
        )


def _section(title: str, items: Iterable[str]) -> str:
    return "\n".join([f"{title}:", *items])


def _item(name: str, sentence: str) -> str:
    return text.filled(f"{name}: {sentence}", "  ", "    ", width=_FILL)


def _argument(argument: Argument) -> str:
    words = [argument.doc.rstrip(".")] if argument.doc else []
    match argument.kind:
        case "static":
            words.append(f"{_static_values(argument)}, known while tracing")
        case "integer":
            cut = "; a real value is cut to its integer part" if argument.truncated else ""
            words.append(f"{argument.domain} (integer dtypes take the host's integer loops{cut})")
        case "complex":
            words.append("real or complex")
        case "always-complex":
            words.append("real or complex, computed as complex")
        case "real":
            words.append("real" if argument.domain.variable is None else f"real, {argument.domain.text}")
    if argument.unit:
        words.append(f"in {argument.unit}")
    sentence = ", ".join(words)
    if argument.has_default and not argument.static:
        sentence += f" (default {argument.default!r})"
    return sentence[0].upper() + sentence[1:] + "."


def dtypes(function: Function) -> list[str]:
    """The dtypes that a function computes in. Integers are computed in the default float."""
    kinds = {argument.kind for argument in function.args.values()}
    real = [] if "always-complex" in kinds else ["float32", "float64"]
    return [*real, *(["complex64", "complex128"] if kinds & {"complex", "always-complex"} else [])]


def _static_values(argument: Argument) -> str:
    if argument.allowed:
        return f"a Python value, {' or '.join(map(repr, argument.allowed))}"
    return f"a Python {argument.domain}" if argument.domain.kind == "integer" else "a Python value"


_OUTPUT_KINDS = {
    "same": "of the promoted dtype of the arguments",
    "complex": "complex",
    "real": "real",
}


def _returns(function: Function) -> str:
    if function.callback == "debug":
        return _section("Returns", ["  None; the host only looks."])
    shape = "the arguments' broadcast shape" if function.signature is None else f"the shape of `{function.signature}`"
    if not function.several:
        return _section("Returns", [text.filled(f"Array of {shape}, {_OUTPUT_KINDS[function.dtype]}.", "  ", "    ")])
    head = text.filled(f"`{function.result_class}`, a named tuple of arrays of {shape}:", "  ", "    ")
    rows = []
    for name, output in function.outputs.items():
        words = [output.doc.rstrip(".") if output.doc else "", "" if output.dtype == "same" else output.dtype]
        words = [word for word in words if word]
        rows.append(text.filled(f"{name}: {', '.join(words)}." if words else f"{name}.", "    ", "      ", width=_FILL))
    return _section("Returns", [head, *rows])


def _derivatives(function: Function, partials: Mapping[str, Partial]) -> str:
    rows = []
    for arg, partial in partials.items():
        if function.args[arg].static:
            continue
        match partial.way:
            case "discrete":
                sentence = "discrete, the tangent is zero."
            case "unavailable":
                sentence = f"unavailable, {partial.reason.rstrip('.')}."
            case way:
                source = f" ({partial.source})" if partial.source else ""
                sentence = f"{way}{_extent(function.way(arg))}, ``{partial.text}``{source}."
                if any(trees.names(part) & {SINGLE} for rule in partial.rules for part in trees.parts(rule)):
                    sentence += " F is the value."
                if partial.equation is not None:
                    sentence += " 0 where the host found no root."
        if partial.note:
            sentence += f" {partial.note}" if partial.note.endswith(".") else f" {partial.note}."
        rows.append(_item(arg, sentence))
    return _section("Derivatives", rows) if rows else ""


def _extent(way: model.Way | None) -> str:
    """How far a derivative on the host goes; where a polynomial takes the place of a rule."""
    match way:
        case model.Kernel(orders=orders) | model.Stencil(orders=orders):
            return f" up to order {orders}"
        case model.Given(near=model.Near() as near):
            distance = f"{near.argument} - {near.center:g}" if near.center else near.argument
            return f" (a Taylor polynomial for abs({distance}) < {near.radius:g})"
        case _:
            return ""


def _raises(function: Function, partials: Mapping[str, Partial]) -> str:
    missing = [arg for arg, partial in partials.items() if partial.way == "unavailable"]
    static = [name for name, arg in function.args.items() if arg.allowed or (arg.static and arg.domain.is_bounded)]
    rows = []
    if missing:
        rows.append(
            f"DerivativeUnavailable: While tracing, if a derivative with respect to {_any_of(missing)} is asked for."
        )
    rows.append(
        "TypeError: While tracing, if an argument is no number or array, or complex where only real ones are taken."
    )
    if static:
        rows.append(f"ValueError: While tracing, if {_any_of(static)} is outside the values above.")
    return _section("Raises", (text.filled(row, "  ", "    ", width=_FILL) for row in rows))


def _any_of(names: Iterable[str]) -> str:
    return " or ".join(f"`{name}`" for name in names)


def _since(function: Function) -> str:
    return f"Needs SciPy >= {function.since}." if function.since else ""
