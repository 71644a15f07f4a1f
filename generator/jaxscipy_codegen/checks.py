"""Mistakes that show only when the entries of all spec files are seen together. Nothing is run or imported here."""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from jaxscipy_codegen import vocabulary
from jaxscipy_codegen.errors import Position, Problem, did_you_mean
from jaxscipy_codegen.formula import Formula
from jaxscipy_codegen.functions import CHOICES, CONSTANTS, ELEMENTARY
from jaxscipy_codegen.model import (
    SINGLE,
    Argument,
    Discrete,
    Function,
    Given,
    Inverse,
    Library,
    Module,
    Ode,
    Stencil,
    Unavailable,
)
from jaxscipy_codegen.vocabulary import Signature, Vocabulary

RESERVED = frozenset(
    {"jax", "jnp", "lax", "np", "special", "partial", "out", "Array", "ArrayLike", "NamedTuple", "Partials"}
    | {"RealLinear", "custom_jvp", "promoted", "host_call", "along", "at", "discrete", "unavailable", "stencil"}
)
"""Names that generated modules use themselves."""


def problems_of(
    library: Library, broken: frozenset[str] = frozenset(), vague: frozenset[str] = frozenset()
) -> list[Problem]:
    """Everything that is wrong between the entries of a library.

    `broken`: entries with mistakes that are reported already and that therefore aren't complete; `vague`: those whose
    arguments or outputs aren't known because of that.
    """
    problems = [*_modules(library), *_names(library)]
    functions = vocabulary.signatures(library)
    for module in library:
        for name, alias in module.aliases.items():
            problems += _alias(library, name, alias.alias, alias.place("alias"), vague)
        for function in module.definitions.values():
            check = _FunctionCheck(library, function, functions, broken, vague)
            problems += check.problems()
    return problems


def _modules(library: Library) -> Iterator[Problem]:
    first: dict[str, Module] = {module.module: module for module in library.context}
    for module in library:
        file = PurePosixPath(module.position.file)
        if module.module in first:
            other = first[module.module].position.file
            yield Problem(
                module.place("module"), "module", f"{other} makes a module {module.module} too; write another name"
            )
        elif module.module != file.stem and module.module != "module":
            yield Problem(
                module.place("module"), "module", f"the file is called {file.name}; write module: {file.stem}"
            )
        first.setdefault(module.module, module)


def _names(library: Library) -> Iterator[Problem]:
    first: dict[str, Position] = {}
    for module in (*library.context, *library.modules):
        for name, entry in module.functions.items():
            path = f"functions.{name}"
            if name in first:
                yield Problem(entry.position, path, f"{name} is defined at {first[name]} already; keep one of them")
            elif name in RESERVED or name in CHOICES:
                yield Problem(entry.position, path, f"generated code uses the name {name} itself; write another name")
            first.setdefault(name, entry.position)
    for module in library:
        for function in module.definitions.values():
            for name in function.derivative_names:
                if name in first:
                    message = (
                        f"the derivative {name} of {function.name} is generated; leave this entry out or rename it"
                    )
                    yield Problem(first[name], f"functions.{name}", message)


def _alias(library: Library, name: str, of: str, position: Position, vague: frozenset[str]) -> Iterator[Problem]:
    path = f"functions.{name}.alias"
    if of in library and library[of].name != of:
        yield Problem(position, path, f"{of} is an alias itself; write {library[of].name}")
    elif of not in library and of not in vague:
        yield Problem(position, path, f"unknown function '{of}'; {did_you_mean(of, library.names)}")


_WAYS_OUT = (
    "write formula: (SymPy derives), or derivative: with rule, kernel, stencil, discrete or unavailable, "
    "or inverse: or ode: for the function"
)


class _FunctionCheck:
    """Everything that can be wrong in one entry beside its form."""

    def __init__(
        self,
        library: Library,
        function: Function,
        functions: Mapping[str, Signature],
        broken: frozenset[str],
        vague: frozenset[str],
    ) -> None:
        self.library, self.function, self.functions, self.broken, self.vague = (
            library,
            function,
            functions,
            broken,
            vague,
        )
        self.complete = function.name not in broken

    def problems(self) -> Iterator[Problem]:
        yield from self._arguments()
        yield from self._outputs()
        yield from self._boxes()
        yield from self._calling()
        for name, argument in self.function.args.items():
            yield from self._derivative(name, argument)
        if self.function.inverse is not None:
            yield from self._inverse(self.function.inverse)
        if self.function.ode is not None:
            yield from self._ode(self.function.ode)
        yield from self._formulas()

    def _at(self, message: str, *path: str) -> Problem:
        return Problem(self.function.place(*path), ".".join(("functions", self.function.name, *path)), message)

    # -------------------------------------------------------------------------------------------- arguments, outputs

    def _arguments(self) -> Iterator[Problem]:
        defaulted = ""
        for name, argument in self.function.args.items():
            where = ("args", name)
            if name in RESERVED or name in CONSTANTS or name == SINGLE:
                yield self._at(f"formulas and generated code use the name {name} themselves; rename it", *where)
            if argument.has_default:
                defaulted = name
            elif defaulted and not argument.static:
                message = f"no default, but {defaulted} before it has one; write a default here or move it to the front"
                yield self._at(message, *where)
            variable = argument.domain.variable
            if variable is not None and variable != name:
                yield self._at(f"the domain is about '{variable}'; write {name} in it", *where, "domain")
            yield from self._default(name, argument)

    def _default(self, name: str, argument: Argument) -> Iterator[Problem]:
        default, where = argument.default, ("args", name, "default")
        if argument.static:
            if isinstance(default, float):
                message = (
                    "the default of a static argument is true, false, a whole number, text or null; write such a one"
                )
                yield self._at(message, *where)
            if argument.dtype is not None:
                message = "a static argument has no dtype; leave it out"
                yield self._at(message, "args", name, "dtype")
        elif argument.has_default:
            if isinstance(default, str | bool | None):
                message = "the default of an array argument is a number; write one, or static: true for a Python value"
                yield self._at(message, *where)
            elif default not in argument.domain:
                yield self._at(f"{default} is outside the domain {argument.domain}; write one inside", *where)

    def _outputs(self) -> Iterator[Problem]:
        function = self.function
        if function.several and function.formula is not None:
            message = "a function with outputs has a formula for each; write it as outputs: {name: {formula: …}}"
            yield self._at(message, "formula")
        if function.several and "dtype" in function.model_fields_set:
            message = "a function with outputs has a dtype for each; write it as outputs: {name: {dtype: …}}"
            yield self._at(message, "dtype")
        for name in function.outputs:
            if name in function.args:
                yield self._at(f"{name} is an argument too; write another name", "outputs", name)
            elif name in CONSTANTS or name in ELEMENTARY or name in RESERVED or name.rstrip("0123456789") == SINGLE:
                message = f"formulas and generated code use the name {name} themselves; write another name"
                yield self._at(message, "outputs", name)

    def _boxes(self) -> Iterator[Problem]:
        for name, (low, high) in self.function.check.items():
            argument = self.function.args.get(name)
            if argument is None:
                hint = did_you_mean(name, self.function.args)
                yield self._at(f"unknown argument '{name}'; {hint}", "check", name)
            elif argument.static:
                yield self._at(f"{name} is static; leave it out of the box", "check", name)
            elif not (low >= argument.domain.lower and high <= argument.domain.upper):
                message = f"[{low:g}, {high:g}] is not inside the domain {argument.domain}; write an interval inside"
                yield self._at(message, "check", name)

    # ------------------------------------------------------------------------------------------------ how it is called

    def _calling(self) -> Iterator[Problem]:
        function = self.function
        if function.ordered and function.callback == "pure":
            yield self._at("pure hosts have no order; write callback: io, or leave ordered out", "ordered")
        if function.callback == "debug" and function.several:
            yield self._at("a debug host returns nothing; leave the outputs out", "outputs")
        if function.callback != "pure" and (function.inverse or function.ode):
            message = f"{function.callback} hosts have no derivative; leave inverse and ode out"
            yield self._at(message, "callback")
        allowed = {"same-shape": ("broadcast_all",), "scalar": ("sequential", "sequential_unrolled")}
        methods = allowed.get(function.batch, ())
        if function.vmap_method is not None and methods and function.vmap_method not in (*methods, "sequential"):
            message = f"a {function.batch} host can't take {function.vmap_method}; write {methods[0]} or leave it out"
            yield self._at(message, "vmap_method")
        if function.signature is not None:
            inputs, outputs = (side.count("(") for side in function.signature.split("->"))
            arrays = sum(not argument.static for argument in function.args.values())
            if self.complete and (inputs, outputs) != (arrays, len(function.results)):
                message = f"{inputs} inputs and {outputs} outputs, but the entry has {arrays} array arguments and "
                message += f"{len(function.results)} outputs; write a bracket for each"
                yield self._at(message, "signature")

    # ---------------------------------------------------------------------------------------------------- derivatives

    def _derivative(self, name: str, argument: Argument) -> Iterator[Problem]:
        function, where = self.function, ("args", name, "derivative")
        way = argument.derivative
        if function.callback != "pure":
            if way is not None and not isinstance(way, Unavailable | Discrete):
                yield self._at(f"{function.callback} hosts have no derivative; leave it out", *where)
            return
        if way is None:
            astray = function.ode is not None and function.ode.argument not in function.args  # said in `_ode`
            if self.complete and function.way(name) is None and not astray:
                yield self._at(f"nothing says how the partial in {name} is found; {_WAYS_OUT}", "args", name)
            return
        if argument.static:
            yield self._at("a static argument is a Python value and has no derivative; leave it out", *where)
        if function.ode is not None and function.ode.argument == name:
            yield self._at(f"derivative and ode are two ways to the partial in {name}; keep one of them", *where)
        match way:
            case Given():
                yield from self._given(way, where)
            case Stencil(stencil=options) if options.lower is not None and options.lower < argument.domain.lower:
                message = f"{options.lower:g} is outside the domain {argument.domain}; write {argument.domain.lower:g}"
                yield self._at(message, *where, "stencil", "lower")
            case _:
                pass

    def _given(self, way: Given, where: tuple[str, ...]) -> Iterator[Problem]:
        outputs = tuple(self.function.results)
        for key, rules in (("rule", way.rule), ("real", way.real), ("imag", way.imag)):
            if rules is None or tuple(rules) == outputs:
                continue
            if not self.function.several:
                yield self._at(f"{self.function.name} has one output; write one formula", *where, key)
            elif set(rules) != set(outputs):
                names = ", ".join(f"{output}: …" for output in outputs)
                yield self._at(f"needs a formula for every output; write {{{names}}}", *where, key)
        if way.near is None:
            return
        near, argument = way.near, self.function.args.get(way.near.argument)
        if argument is None:
            hint = did_you_mean(near.argument, [*self.function.args, "order", "radius", "series"])
            yield self._at(f"unknown argument '{near.argument}'; {hint}", *where, "near")
        elif argument.static or argument.domain.kind == "integer":
            yield self._at(f"{near.argument} is discrete and comes near nothing; leave near out", *where, "near")
        elif not argument.domain.lower <= near.center <= argument.domain.upper:
            message = f"{near.center:g} is outside the domain {argument.domain}; write a point inside"
            yield self._at(message, *where, "near")
        if near.series is not None and self.function.several:
            message = "a series stands for one output only; write formulas for the outputs and leave series out"
            yield self._at(message, *where, "near", "series")
        formulas = [output.formula for output in self.function.results.values()]
        if near.series is None and None in formulas and self.complete:
            yield self._at("there is no formula to make a series of; write formula: or series:", *where, "near")

    def _inverse(self, inverse: Inverse) -> Iterator[Problem]:
        function = self.function
        if inverse.of not in self.library:
            if inverse.of not in self.vague:
                hint = did_you_mean(inverse.of, self.library.names)
                yield self._at(f"unknown function '{inverse.of}'; {hint}", "inverse", "of")
            return
        of = self.library[inverse.of]
        if function.several or of.several:
            many = function if function.several else of
            message = f"{many.name} has several outputs; write a derivative for every argument instead"
            yield self._at(message, "inverse")
            return
        if inverse.argument not in of.args:
            hint = did_you_mean(inverse.argument, of.args)
            yield self._at(f"{of.name} has no argument '{inverse.argument}'; {hint}", "inverse", "in")
            return
        if not self.complete or of.name in self.broken:
            return
        value = inverse.value_in(function.args, of.args)
        if inverse.value is not None and inverse.value not in function.args:
            hint = did_you_mean(inverse.value, function.args)
            yield self._at(f"{function.name} has no argument '{inverse.value}'; {hint}", "inverse", "value")
        elif value is None:
            message = f"which argument is the value of {of.name} isn't clear; write value: with one of "
            yield self._at(message + ", ".join(function.args), "inverse", "value")
        else:
            expected = {name for name in of.args if name != inverse.argument and not of.args[name].has_default}
            missing = expected - {name for name in function.args if name != value}
            extra = {name for name in function.args if name != value} - set(of.args)
            if missing or extra:
                message = "arguments are matched by name; " + "; ".join(
                    [f"{of.name} also needs {name}" for name in sorted(missing)]
                    + [f"{of.name} has no {name}" for name in sorted(extra)]
                )
                yield self._at(f"{message}; write the same names in both entries", "inverse")

    def _ode(self, ode: Ode) -> Iterator[Problem]:
        function = self.function
        if ode.argument not in function.args:
            hint = did_you_mean(ode.argument, function.args)
            yield self._at(f"{function.name} has no argument '{ode.argument}'; {hint}", "ode", "in")
        seen: set[str] = set()
        for w, dw in ode.pairs.items():
            for name in (w, dw):
                if name not in function.outputs:
                    hint = did_you_mean(name, function.outputs) or "write outputs: for the function"
                    yield self._at(f"unknown output '{name}'; {hint}", "ode", "pairs", w)
                elif name in seen:
                    yield self._at(f"the output {name} stands in two pairs; keep one of them", "ode", "pairs", w)
                seen.add(name)
        left_out = [name for name in function.outputs if name not in seen]
        if left_out and self.complete and seen <= set(function.outputs):
            message = f"{', '.join(left_out)} is in no pair; write every output into one, or give derivative: instead"
            yield self._at(message, "ode", "pairs")
        for name in ("w", "dw"):
            if name in function.args:
                message = f"the argument {name} can't be told from the {name} of the equation; rename it"
                yield self._at(message, "ode", "second")

    # ------------------------------------------------------------------------------------------------------- formulas

    def _formulas(self) -> Iterator[Problem]:
        function = self.function
        meaning = vocabulary.of_meaning(function, self.functions, self.vague)
        rule = vocabulary.of_rule(function, self.functions, self.vague)
        yield from self._names(function.formula, meaning, "formula")
        yield from self._names(function.reference, vocabulary.of_reference(function), "reference")
        for name, output in function.outputs.items():
            yield from self._names(output.formula, meaning, "outputs", name, "formula")
        if function.ode is not None:
            second = vocabulary.of_second(function, self.functions, self.vague)
            yield from self._names(function.ode.second, second, "ode", "second")
            yield from self._names(function.ode.scale, vocabulary.of_constant(), "ode", "scale")
        for name, argument in function.args.items():
            if isinstance(argument.derivative, Given):
                given, where = argument.derivative, ("args", name, "derivative")
                for key, rules in (("rule", given.rule), ("real", given.real), ("imag", given.imag)):
                    for output, formula in (rules or {}).items():
                        path = (*where, key) if output == SINGLE else (*where, key, output)
                        yield from self._names(formula, rule, *path)
                if given.near is not None:
                    yield from self._names(given.near.series, rule, *where, "near", "series")

    def _names(self, formula: Formula | None, names: Vocabulary, *path: str) -> Iterator[Problem]:
        if formula is None:
            return
        clean = True
        for error in names.problems(formula):
            clean = False
            full = ".".join(("functions", self.function.name, *path))
            yield Problem(formula.at(error.offset), full, error.message)
        if clean:
            names.settle(formula)
