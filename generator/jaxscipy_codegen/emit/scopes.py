"""From a definition to what the printer needs to know of it."""

import ast
from collections.abc import Callable

from jaxscipy_codegen import trees
from jaxscipy_codegen.derive import Definition
from jaxscipy_codegen.host_functions import HostFunctions
from jaxscipy_codegen.printer import Scope
from jaxscipy_codegen.safe import Operands
from jaxscipy_codegen.sampling import sample


def scope_of(
    definition: Definition,
    hosts: HostFunctions,
    refer: Callable[[str], str],
    needs: Callable[[str], object] = lambda name: None,
) -> Scope:
    """The scope of the rules of a definition; `refer` and `needs` as in `Scope`."""
    args = definition.function.args
    return Scope(
        function=definition.name,
        args=definition.args,
        outputs=definition.outputs,
        static=frozenset(name for name, arg in args.items() if arg.static),
        defaults={name: ast.Constant(arg.default) for name, arg in args.items() if arg.has_default},
        refer=refer,
        needs=needs,
        has_host=lambda name: hosts.derivations.lookup(name)[0].callback == "pure",
        outputs_of=lambda name: tuple(hosts.derivations.lookup(name)[0].outputs),
        type_of=lambda name: _type(name, hosts, refer),
        operands=_operands(definition, hosts),
    )


def _type(name: str, hosts: HostFunctions, refer: Callable[[str], str]) -> str:
    """The type of a value: an array, or the class of the outputs where the function stands."""
    entry = hosts.derivations.lookup(name)[0] if name else None
    if entry is None or not entry.several:
        return "Array"
    return ".".join([*refer(name).split(".")[:-1], entry.result_class])


def _operands(definition: Definition, hosts: HostFunctions) -> Operands | None:
    rules = [rule for partial in definition.partials.values() for rule in partial.rules]
    if not any(trees.called(part) & {"where", "Piecewise"} for rule in rules for part in trees.parts(rule)):
        return None
    args = definition.function.args
    integers = [name for name, arg in args.items() if arg.kind == "integer"]
    static = {name: arg.static_values for name, arg in args.items() if arg.static}
    return Operands(sample(definition.function, hosts), hosts, integers, static)
