"""What each place in a spec lets a formula use: meanings, references, rules, equations."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache

from jaxscipy_codegen.functions import CONSTANTS, ELEMENTARY, MEANINGS, REFERENCES
from jaxscipy_codegen.model import SINGLE, Function, Library
from jaxscipy_codegen.vocabulary.names import Signature, Vocabulary


def signatures(library: Library) -> Mapping[str, Signature]:
    """Every function of a library that a rule may call, and the derivatives that come with kernels and stencils."""
    found: dict[str, Signature] = {}
    for name in library.names:
        function = library[name]
        found[name] = _signature(name, function)
        found |= {derivative: _signature(derivative, function) for derivative in function.derivative_names}
    return found


def _signature(name: str, function: Function) -> Signature:
    required = sum(not argument.has_default for argument in function.args.values())
    return Signature(name, tuple(function.args), required, outputs=tuple(function.outputs))


@cache
def _elementary() -> Mapping[str, Signature]:
    return {name: Signature(name, allowed=frozenset({entry.nargs})) for name, entry in ELEMENTARY.items()}


@cache
def _meanings() -> Mapping[str, Signature]:
    return {name: Signature(name, allowed=frozenset(entry.nargs), bounded=True) for name, entry in MEANINGS.items()}


@cache
def _references() -> Mapping[str, Signature]:
    return {name: Signature(name, free_keywords=True) for name in REFERENCES}


def of_meaning(function: Function, functions: Mapping[str, Signature], broken: frozenset[str]) -> Vocabulary:
    """`formula:`: SymPy's names win over those of the specs."""
    return _of(function, {**functions, **_meanings()}, "the arguments", broken=broken)


def of_reference(function: Function) -> Vocabulary:
    """`reference:`: mpmath's names."""
    return _of(function, _references(), "the arguments")


def of_rule(function: Function, functions: Mapping[str, Signature], broken: frozenset[str]) -> Vocabulary:
    """Rules of partials: arguments, outputs, functions of the specs."""
    outputs = {*function.outputs, *(f"{SINGLE}{index}" for index in range(len(function.outputs)))} or {SINGLE}
    return _of(function, functions, "the arguments and outputs", outputs, broken)


def of_condition(function: Function, functions: Mapping[str, Signature], broken: frozenset[str]) -> Vocabulary:
    """`where:` of a known exception: arguments, functions of the specs."""
    return replace(_of(function, functions, "the arguments", broken=broken), condition=True)


def of_second(function: Function, functions: Mapping[str, Signature], broken: frozenset[str]) -> Vocabulary:
    """`second:` of an ode: arguments, `w` and `dw`."""
    return _of(function, functions, "w, dw and the arguments", {"w", "dw"}, broken)


def of_constant() -> Vocabulary:
    """`scale:` of an ode: numbers."""
    return Vocabulary(frozenset(), _elementary(), frozenset(CONSTANTS), place="among the constants")


def _of(
    function: Function,
    functions: Mapping[str, Signature],
    place: str,
    more: Collection[str] = (),
    broken: frozenset[str] = frozenset(),
) -> Vocabulary:
    flags = frozenset(name for name, argument in function.args.items() if argument.is_flag)
    return Vocabulary(
        frozenset({*function.args, *more}),
        {**functions, **_elementary()},
        frozenset(CONSTANTS),
        broken,
        f"among {place} of {function.name}",
        flags,
    )
