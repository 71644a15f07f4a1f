"""Arguments, outputs, the box, and how the host is called."""

from collections.abc import Iterator

from jaxscipy_codegen.errors import Problem, did_you_mean
from jaxscipy_codegen.fields import core_dimensions
from jaxscipy_codegen.functions import CONSTANTS, ELEMENTARY
from jaxscipy_codegen.mistakes.entry import Entry
from jaxscipy_codegen.mistakes.names import RESERVED
from jaxscipy_codegen.model import SINGLE, Argument, Domain


def problems(entry: Entry) -> Iterator[Problem]:
    """What is wrong with the signature of an entry and with its host's."""
    yield from _arguments(entry)
    yield from _outputs(entry)
    yield from _boxes(entry)
    yield from _calling(entry)


def _arguments(entry: Entry) -> Iterator[Problem]:
    defaulted = ""
    for name, argument in entry.function.args.items():
        where = ("args", name)
        if name in RESERVED or name in CONSTANTS or name == SINGLE:
            yield entry.problem(f"formulas and generated code use the name {name} themselves; rename it", *where)
        if argument.has_default:
            defaulted = name
        elif defaulted and not argument.static:
            message = f"no default, but {defaulted} before it has one; write a default here or move it to the front"
            yield entry.problem(message, *where)
        variable = argument.domain.variable
        if variable is not None and variable != name:
            yield entry.problem(f"the domain is about '{variable}'; write {name} in it", *where, "domain")
        yield from _default(entry, name, argument)


def _default(entry: Entry, name: str, argument: Argument) -> Iterator[Problem]:
    default, where = argument.default, ("args", name, "default")
    if argument.static:
        yield from _static(entry, name, argument)
        return
    if argument.choices:
        message = "only a static argument has choices; write static: true, or a domain such as 0 <= x <= 1"
        yield entry.problem(message, "args", name, "choices")
    if not argument.has_default:
        return
    if isinstance(default, str | bool | None):
        message = "the default of an array argument is a number; write one, or static: true for a Python value"
        yield entry.problem(message, *where)
    elif default not in argument.domain:
        yield entry.problem(f"{default} is outside the domain {argument.domain}; write one inside", *where)


def _static(entry: Entry, name: str, argument: Argument) -> Iterator[Problem]:
    default, where = argument.default, ("args", name)
    if argument.dtype is not None:
        yield entry.problem("a static argument has no dtype; leave it out", *where, "dtype")
    if argument.choices and argument.has_domain:
        yield entry.problem("choices say more than a domain; keep one of them", *where, "domain")
    elif argument.has_domain and argument.domain.kind != "integer":
        message = f"a static argument can't be {argument.domain}; write integer, integer >= 0, or choices: [1, 2]"
        yield entry.problem(message, *where, "domain")
    if isinstance(default, float):
        message = "the default of a static argument is true, false, a whole number, text or null; write such a one"
        yield entry.problem(message, *where, "default")
    elif argument.choices and argument.has_default and default not in argument.choices:
        choices = ", ".join(map(str, argument.choices))
        yield entry.problem(f"{default} is none of the choices; write one of: {choices}", *where, "default")
    elif argument.has_default and argument.domain.kind == "integer" and not _is_inside(default, argument.domain):
        message = f"the default is outside the domain {argument.domain}; write one inside"
        yield entry.problem(message, *where, "default")


def _is_inside(value: object, domain: Domain) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in domain


def _outputs(entry: Entry) -> Iterator[Problem]:
    function = entry.function
    if function.several and function.formula is not None:
        message = "a function with outputs has a formula for each; write it as outputs: {name: {formula: …}}"
        yield entry.problem(message, "formula")
    if function.several and "dtype" in function.model_fields_set:
        message = "a function with outputs has a dtype for each; write it as outputs: {name: {dtype: …}}"
        yield entry.problem(message, "dtype")
    for name in function.outputs:
        if name in function.args:
            yield entry.problem(f"{name} is an argument too; write another name", "outputs", name)
        elif name in CONSTANTS or name in ELEMENTARY or name in RESERVED or name.rstrip("0123456789") == SINGLE:
            message = f"formulas and generated code use the name {name} themselves; write another name"
            yield entry.problem(message, "outputs", name)


def _boxes(entry: Entry) -> Iterator[Problem]:
    for name, (low, high) in entry.function.check.items():
        argument = entry.function.args.get(name)
        if argument is None:
            hint = did_you_mean(name, entry.function.args)
            yield entry.problem(f"unknown argument '{name}'; {hint}", "check", name)
        elif argument.static:
            yield entry.problem(f"{name} is static; leave it out of the box", "check", name)
        elif not (low >= argument.domain.lower and high <= argument.domain.upper):
            message = f"[{low:g}, {high:g}] is not inside the domain {argument.domain}; write an interval inside"
            yield entry.problem(message, "check", name)


def _calling(entry: Entry) -> Iterator[Problem]:
    function = entry.function
    if function.ordered and function.callback == "pure":
        yield entry.problem("pure hosts have no order; write callback: io, or leave ordered out", "ordered")
    if function.callback == "debug" and function.several:
        yield entry.problem("a debug host returns nothing; leave the outputs out", "outputs")
    if function.callback != "pure" and (function.inverse or function.ode):
        message = f"{function.callback} hosts have no derivative; leave inverse and ode out"
        yield entry.problem(message, "callback")
    allowed = {"same-shape": ("broadcast_all",), "scalar": ("sequential", "sequential_unrolled")}
    methods = allowed.get(function.batch, ())
    if function.vmap_method is not None and methods and function.vmap_method not in (*methods, "sequential"):
        message = f"a {function.batch} host can't take {function.vmap_method}; write {methods[0]} or leave it out"
        yield entry.problem(message, "vmap_method")
    if function.signature is not None:
        inputs, outputs = map(len, core_dimensions(function.signature))
        arrays = sum(not argument.static for argument in function.args.values())
        if entry.complete and (inputs, outputs) != (arrays, len(function.results)):
            message = f"{inputs} inputs and {outputs} outputs, but the entry has {arrays} array arguments and "
            message += f"{len(function.results)} outputs; write a bracket for each"
            yield entry.problem(message, "signature")
