"""The way to every partial: there is one and only one, and it fits its argument."""

from collections.abc import Iterator
from types import NoneType

from jaxscipy_codegen.errors import Problem, did_you_mean
from jaxscipy_codegen.mistakes.entry import Entry
from jaxscipy_codegen.model import SINGLE, Argument, Discrete, Given, Stencil, Unavailable

_WAYS_OUT = (
    "write formula: (SymPy derives), or derivative: with rule, kernel, stencil, discrete or unavailable, "
    "or inverse: or ode: for the function"
)


def problems(entry: Entry) -> Iterator[Problem]:
    """What is wrong with the derivatives of the arguments of an entry."""
    for name, argument in entry.function.args.items():
        yield from _derivative(entry, name, argument)


def _derivative(entry: Entry, name: str, argument: Argument) -> Iterator[Problem]:
    function, where = entry.function, ("args", name, "derivative")
    way = argument.derivative
    if function.callback != "pure":
        if way is not None and not isinstance(way, Unavailable | Discrete):
            yield entry.problem(f"{function.callback} hosts have no derivative; leave it out", *where)
        return
    if function.mixes(name) and not isinstance(function.way(name), Unavailable | Discrete | NoneType):
        key = where if way is not None else ("args", name)
        message = f"the host mixes elements along core dimensions, so that the partial in {name} isn't elementwise"
        yield entry.problem(f"{message}; write derivative: {{unavailable: …}}", *key)
        return
    if way is None:
        astray = function.ode is not None and function.ode.argument not in function.args  # said in `_ode`
        if entry.complete and function.way(name) is None and not astray:
            yield entry.problem(f"nothing says how the partial in {name} is found; {_WAYS_OUT}", "args", name)
        return
    if argument.static:
        yield entry.problem("a static argument is a Python value and has no derivative; leave it out", *where)
    if function.ode is not None and function.ode.argument == name:
        yield entry.problem(f"derivative and ode are two ways to the partial in {name}; keep one of them", *where)
    match way:
        case Given():
            yield from _given(entry, way, where)
        case Stencil(stencil=options) if options.lower is not None and options.lower < argument.domain.lower:
            message = f"{options.lower:g} is outside the domain {argument.domain}; write {argument.domain.lower:g}"
            yield entry.problem(message, *where, "stencil", "lower")
        case _:
            pass


def _given(entry: Entry, way: Given, where: tuple[str, ...]) -> Iterator[Problem]:
    outputs = tuple(entry.function.results)
    for part in way.let.keys() & {*entry.function.args, *outputs, SINGLE}:
        meaning = "an argument" if part in entry.function.args else "an output"
        yield entry.problem(f"{part} is {meaning} already; choose another name", *where, "let", part)
    for key, rules in (("rule", way.rule), ("real", way.real), ("imag", way.imag)):
        if rules is None or tuple(rules) == outputs:
            continue
        if not entry.function.several:
            yield entry.problem(f"{entry.function.name} has one output; write one formula", *where, key)
        elif set(rules) != set(outputs):
            names = ", ".join(f"{output}: …" for output in outputs)
            yield entry.problem(f"needs a formula for every output; write {{{names}}}", *where, key)
    if way.near is None:
        return
    near, argument = way.near, entry.function.args.get(way.near.argument)
    if argument is None:
        hint = did_you_mean(near.argument, [*entry.function.args, "order", "radius", "series"])
        yield entry.problem(f"unknown argument '{near.argument}'; {hint}", *where, "near")
    elif argument.static or argument.domain.kind == "integer":
        yield entry.problem(f"{near.argument} is discrete and comes near nothing; leave near out", *where, "near")
    elif not argument.domain.lower <= near.center <= argument.domain.upper:
        message = f"{near.center:g} is outside the domain {argument.domain}; write a point inside"
        yield entry.problem(message, *where, "near")
    if near.series is not None and entry.function.several:
        message = "a series stands for one output only; write formulas for the outputs and leave series out"
        yield entry.problem(message, *where, "near", "series")
    formulas = [output.formula for output in entry.function.results.values()]
    if near.series is None and None in formulas and entry.complete:
        yield entry.problem("there is no formula to make a series of; write formula: or series:", *where, "near")
