"""The text of one generated module: values for the template, and the template rendered."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jaxscipy_codegen import describe, text
from jaxscipy_codegen.derive import Definition, Derivations, Partial
from jaxscipy_codegen.emit.layout import template
from jaxscipy_codegen.emit.scopes import scope_of
from jaxscipy_codegen.emit.target import Target, origin
from jaxscipy_codegen.errors import Problem, SpecError
from jaxscipy_codegen.evaluate import NotFinite
from jaxscipy_codegen.host_functions import HostFunctions
from jaxscipy_codegen.hosts import HostMissing, is_available
from jaxscipy_codegen.model import Argument, Module
from jaxscipy_codegen.names import ModuleNames
from jaxscipy_codegen.printer import Printed, Printer
from jaxscipy_codegen.safe import NoHarmlessOperand


@dataclass(frozen=True)
class Row:
    """One line of a table of partials."""

    argument: str
    value: str
    comments: tuple[str, ...] = ()
    trailing: str = ""


class ModuleText:
    """The text of one generated module."""

    def __init__(self, module: Module, derivations: Derivations, hosts: HostFunctions, target: Target) -> None:
        self.module, self.derivations, self.hosts, self.target = module, derivations, hosts, target
        self.definitions = [d for function in module.definitions.values() for d in derivations.family(function)]
        self.names = ModuleNames(module, self.definitions, derivations, target.package)

    def render(self, progress: Callable[[str], None]) -> str:
        """The module before formatting; `progress` is told every function's name. Raises `SpecError`."""
        functions, problems = [], []
        for definition in self.definitions:
            if not definition.index:
                progress(definition.name)
            try:
                functions.append(self._function(definition))
            except (HostMissing, NoHarmlessOperand, NotFinite) as error:
                function = definition.function
                problems.append(Problem(function.position, f"functions.{function.name}", str(error)))
        if problems:
            raise SpecError(problems)
        self.names.runtime("promoted")
        return template("module.py.jinja").render(
            origin=text.comment(origin(self.module, self.target)),
            command=self.target.command,
            docstring=describe.module_docstring(self.module),
            functions=functions,
            aliases=[{"name": name, "of": alias.alias} for name, alias in self.module.aliases.items()],
            imports=self.names.import_lines(),
        )

    def _function(self, definition: Definition) -> dict[str, Any]:
        function, names = definition.function, self.names
        args = function.args
        several = function.several
        result = function.result_class if several else None
        if several and not definition.index:
            names.typing("NamedTuple")
        call = self._host_call(definition)
        returns = result or names.jax("Array")
        view = {
            "name": definition.name,
            "core": f"_{definition.name}",
            "kinds": ", ".join(f"{name}={self._kind(arg)}" for name, arg in args.items()),
            "signature": ", ".join(self._parameter(name, arg) for name, arg in args.items()),
            "core_signature": ", ".join(self._core_parameter(name, arg) for name, arg in args.items()),
            "arguments": ", ".join(args),
            "returns": returns,
            "call": f"{result}(*{call})" if several else call,
            "docstring": self._docstring(definition),
            "result": self._result(definition) if several and not definition.index else None,
            "host_constant": self._host_constant(definition),
            "is_plain": function.callback == "debug",
        }
        if function.callback == "debug":
            view["returns"] = "None"
        if not view["is_plain"]:
            view |= {"custom_jvp": self._custom_jvp(args), **self._partials(definition)}
        return view

    # ------------------------------------------------------------------------------------------------- small parts

    def _kind(self, arg: Argument) -> str:
        """What `promoted` is told about an argument."""
        if arg.static and arg.allowed:
            return f"{self.names.runtime('OneOf')}({', '.join(map(repr, arg.allowed))})"
        if arg.static and arg.domain.kind == "integer":
            ends = {"lower": arg.domain.lower, "upper": arg.domain.upper}
            limits = ", ".join(f"{end}={value:.0f}" for end, value in ends.items() if math.isfinite(value))
            return f"{self.names.runtime('Integer')}({limits})"
        return f'"{"truncated" if arg.truncated else arg.kind}"'

    def _parameter(self, name: str, arg: Argument) -> str:
        annotation = _static_type(arg) if arg.static else self.names.array_like()
        default = f" = {arg.default!r}" if arg.has_default else ""
        return f"{name}: {annotation}{default}"

    def _core_parameter(self, name: str, arg: Argument) -> str:
        return f"{name}: {_static_type(arg) if arg.static else self.names.jax('Array')}"

    def _custom_jvp(self, args: Mapping[str, Argument]) -> str:
        self.names.jax("custom_jvp")
        static = [k for k, arg in enumerate(args.values()) if arg.static]
        if not static:
            return "@custom_jvp"
        self.names.functools("partial")
        return f"@partial(custom_jvp, nondiff_argnums=({', '.join(map(str, static))},))"

    def _docstring(self, definition: Definition) -> str:
        if definition.index:
            return describe.derivative_docstring(definition)
        if not definition.function.public:
            return describe.private_docstring(definition)
        return describe.function_docstring(definition, self.derivations)

    def _result(self, definition: Definition) -> dict[str, Any]:
        function = definition.function
        return {
            "name": function.result_class,
            "docstring": text.docstring(f"The outputs of `{function.name}`."),
            "fields": list(function.outputs),
        }

    def _host_constant(self, definition: Definition) -> str:
        """`_jv_dv2_host = stencil(kernels.jv_dv, 0)`: stencils are made once, JAX's caches compare by identity."""
        if not definition.host.stencils:
            return ""
        self.names.runtime("stencil")
        value = self.names.host(definition.host.path)
        if definition.host.batch != "elementwise":
            value = f'{self.names.runtime("batched")}({value}, "{definition.host.batch}")'
        for argnum, order, lower, poles in definition.host.stencils:
            ends = {"lower": lower, "poles": poles}
            options = [f"order={order}"] * (order > 1) + [f"{k}={v:g}" for k, v in ends.items() if v is not None]
            value = f"stencil({', '.join([value, str(argnum), *options])})"
        return f"_{definition.name}_host = {value}"

    def _host_call(self, definition: Definition) -> str:
        function, host = definition.function, definition.host
        target = f"_{definition.name}_host" if host.stencils else self.names.host(host.path)
        arrays = [name for name, arg in function.args.items() if not arg.static]
        if function.callback == "debug":
            self.names.runtime("debug_call")
            ordered = ["ordered=True"] if function.ordered else []
            return f"debug_call({', '.join([target, *arrays, *ordered, *self._own_name(definition)])})"
        self.names.runtime("host_call")
        options: dict[str, str] = {}
        kinds = tuple(output.dtype for output in function.results.values())
        if kinds != ("same",) and not self._is_ufunc(definition):
            options["outputs"] = repr(kinds)
        if function.batch != "elementwise" and not host.stencils:
            options["batch"] = repr(function.batch)
        if function.vmap_method:
            options["vmap_method"] = repr(function.vmap_method)
        if function.signature:
            options["signature"] = repr(function.signature)
        static = [name for name, arg in function.args.items() if arg.static]
        if static:
            options["static"] = "{" + ", ".join(f'"{name}": {name}' for name in static) + "}"
        if function.callback != "pure":
            options |= {"callback": repr(function.callback), "ordered": repr(function.ordered)}
        keywords = [*(f"{key}={value}" for key, value in options.items()), *self._own_name(definition)]
        return f"host_call({', '.join([target, *arrays, *keywords])})"

    @staticmethod
    def _own_name(definition: Definition) -> list[str]:
        """The function's name for messages about its host, where the host is called otherwise."""
        function = definition.function
        telling = {function.name, *function.derivative_names}
        return [] if definition.host.path.rpartition(".")[2] in telling else [f'name="{definition.name}"']

    def _is_ufunc(self, definition: Definition) -> bool:
        """Whether the host tells its dtypes itself. Functions of a SciPy newer than the installed one count as such."""
        function = definition.function
        return not is_available(function) or isinstance(self.hosts.load(definition.host), np.ufunc)

    # ---------------------------------------------------------------------------------------------------- partials

    def _partials(self, definition: Definition) -> dict[str, Any]:
        self.names.runtime("along")
        self.names.runtime("Partials")
        function = definition.function
        scope = scope_of(definition, self.hosts, self.names.refer_from(definition), self.names.runtime)
        table = Printer(scope).table({arg: partial for arg, partial in definition.partials.items() if partial.rules})
        rows = [
            self._row(definition, arg, partial, table.rows.get(arg))
            for arg, partial in definition.partials.items()
            if not function.args[arg].static
        ]
        if any("jnp." in part for part in (*table.statements, *(row.value for row in rows))):
            self.names.numpy()
        return {"partials": rows, "statements": table.statements}

    def _row(self, definition: Definition, arg: str, partial: Partial, printed: Printed | None) -> Row:
        if partial.way == "unavailable":
            function = definition.function.name
            of = "" if definition.name == function else f", {text.string(function)}"
            return Row(arg, f"{self.names.runtime('unavailable')}({text.string(partial.reason)}{of})")
        if printed is None:
            return Row(arg, self.names.runtime("discrete"))
        source = [text.comment(partial.source)] if partial.source else []
        comment = "; ".join([*(text.comment(c) for c in printed.comments), *source])
        fits = len(f'        "{arg}": {printed.value},  # {comment}') <= text.WIDTH
        return Row(arg, printed.value, () if fits or not comment else (comment,), comment if fits else "")


def _static_type(arg: Argument) -> str:
    if arg.has_default and arg.default is not None:
        return type(arg.default).__name__
    return "bool | int | float | str | None"
