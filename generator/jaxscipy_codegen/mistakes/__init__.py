"""Mistakes that show only when the entries of all spec files are seen together. Nothing is run or imported here."""

from jaxscipy_codegen import vocabulary
from jaxscipy_codegen.errors import Problem
from jaxscipy_codegen.mistakes import calling, derivatives, equations, formulas, names
from jaxscipy_codegen.mistakes.entry import Entry
from jaxscipy_codegen.model import Library


def problems_of(
    library: Library, broken: frozenset[str] = frozenset(), vague: frozenset[str] = frozenset()
) -> list[Problem]:
    """Everything that is wrong between the entries of a library; `broken` and `vague`: see `Entry`."""
    problems = list(names.problems(library, vague))
    functions = vocabulary.signatures(library)
    for module in library:
        for function in module.definitions.values():
            entry = Entry(library, function, functions, broken, vague)
            for check in (calling, derivatives, equations, formulas):
                problems += check.problems(entry)
    return problems
