"""`inverse:` and `ode:`: the functions, arguments and outputs that they name are there and fit."""

from collections.abc import Iterator

from jaxscipy_codegen.errors import Problem, did_you_mean
from jaxscipy_codegen.mistakes.entry import Entry
from jaxscipy_codegen.model import Inverse, Ode


def problems(entry: Entry) -> Iterator[Problem]:
    """What is wrong with the equations of an entry."""
    if entry.function.inverse is not None:
        yield from _inverse(entry, entry.function.inverse)
    if entry.function.ode is not None:
        yield from _ode(entry, entry.function.ode)


def _inverse(entry: Entry, inverse: Inverse) -> Iterator[Problem]:
    function = entry.function
    if inverse.of not in entry.library:
        if inverse.of not in entry.vague:
            hint = did_you_mean(inverse.of, entry.library.names)
            yield entry.problem(f"unknown function '{inverse.of}'; {hint}", "inverse", "of")
        return
    of = entry.library[inverse.of]
    if function.several or of.several:
        many = function if function.several else of
        message = f"{many.name} has several outputs; write a derivative for every argument instead"
        yield entry.problem(message, "inverse")
        return
    if inverse.argument not in of.args:
        hint = did_you_mean(inverse.argument, of.args)
        yield entry.problem(f"{of.name} has no argument '{inverse.argument}'; {hint}", "inverse", "in")
        return
    if not entry.complete or of.name in entry.broken:
        return
    value = inverse.value_in(function.args, of.args)
    if inverse.value is not None and inverse.value not in function.args:
        hint = did_you_mean(inverse.value, function.args)
        yield entry.problem(f"{function.name} has no argument '{inverse.value}'; {hint}", "inverse", "value")
    elif value is None:
        message = f"which argument is the value of {of.name} isn't clear; write value: with one of "
        yield entry.problem(message + ", ".join(function.args), "inverse", "value")
    else:
        expected = {name for name in of.args if name != inverse.argument and not of.args[name].has_default}
        missing = expected - {name for name in function.args if name != value}
        extra = {name for name in function.args if name != value} - set(of.args)
        if missing or extra:
            message = "arguments are matched by name; " + "; ".join(
                [f"{of.name} also needs {name}" for name in sorted(missing)]
                + [f"{of.name} has no {name}" for name in sorted(extra)]
            )
            yield entry.problem(f"{message}; write the same names in both entries", "inverse")


def _ode(entry: Entry, ode: Ode) -> Iterator[Problem]:
    function = entry.function
    if ode.argument not in function.args:
        hint = did_you_mean(ode.argument, function.args)
        yield entry.problem(f"{function.name} has no argument '{ode.argument}'; {hint}", "ode", "in")
    seen: set[str] = set()
    for w, dw in ode.pairs.items():
        for name in (w, dw):
            if name not in function.outputs:
                hint = did_you_mean(name, function.outputs) or "write outputs: for the function"
                yield entry.problem(f"unknown output '{name}'; {hint}", "ode", "pairs", w)
            elif name in seen:
                yield entry.problem(f"the output {name} stands in two pairs; keep one of them", "ode", "pairs", w)
            seen.add(name)
    left_out = [name for name in function.outputs if name not in seen]
    if left_out and entry.complete and seen <= set(function.outputs):
        message = f"{', '.join(left_out)} is in no pair; write every output into one, or give derivative: instead"
        yield entry.problem(message, "ode", "pairs")
    for name in ("w", "dw"):
        if name in function.args:
            message = f"the argument {name} can't be told from the {name} of the equation; rename it"
            yield entry.problem(message, "ode", "second")
