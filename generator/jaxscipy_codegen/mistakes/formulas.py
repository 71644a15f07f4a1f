"""The names in every formula of an entry."""

from collections.abc import Iterator

from jaxscipy_codegen import vocabulary
from jaxscipy_codegen.errors import Problem
from jaxscipy_codegen.formula import Formula
from jaxscipy_codegen.mistakes.entry import Entry
from jaxscipy_codegen.model import SINGLE, Given
from jaxscipy_codegen.vocabulary import Vocabulary


def problems(entry: Entry) -> Iterator[Problem]:
    """Unknown names and wrong calls; formulas without any are brought into their settled form."""
    function = entry.function
    meaning = vocabulary.of_meaning(function, entry.functions, entry.vague)
    rule = vocabulary.of_rule(function, entry.functions, entry.vague)
    yield from _names(entry, function.formula, meaning, "formula")
    yield from _names(entry, function.reference, vocabulary.of_reference(function), "reference")
    for name, output in function.outputs.items():
        yield from _names(entry, output.formula, meaning, "outputs", name, "formula")
    condition = vocabulary.of_condition(function, entry.functions, entry.vague)
    for k, exception in enumerate(function.exceptions):
        yield from _names(entry, exception.where, condition, "exceptions", str(k), "where")
    if function.ode is not None:
        second = vocabulary.of_second(function, entry.functions, entry.vague)
        yield from _names(entry, function.ode.second, second, "ode", "second")
        yield from _names(entry, function.ode.scale, vocabulary.of_constant(), "ode", "scale")
    for name, argument in function.args.items():
        if isinstance(argument.derivative, Given):
            given, where = argument.derivative, ("args", name, "derivative")
            for key, rules in (("rule", given.rule), ("real", given.real), ("imag", given.imag)):
                for output, formula in (rules or {}).items():
                    path = (*where, key) if output == SINGLE else (*where, key, output)
                    yield from _names(entry, formula, rule, *path)
            if given.near is not None:
                yield from _names(entry, given.near.series, rule, *where, "near", "series")


def _names(entry: Entry, formula: Formula | None, names: Vocabulary, *path: str) -> Iterator[Problem]:
    if formula is None:
        return
    clean = True
    for error in names.problems(formula):
        clean = False
        full = ".".join(("functions", entry.function.name, *path))
        yield Problem(formula.at(error.offset), full, error.message)
    if clean:
        names.settle(formula)
