"""From a library to the text of its modules: values for the templates, rendered, then formatted by the pinned ruff."""

import ast
import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
import numpy as np

from jaxscipy_codegen import _resources, describe, text, trees
from jaxscipy_codegen.derive import Definition, Derivations, Partial
from jaxscipy_codegen.errors import Problem, SpecError
from jaxscipy_codegen.evaluate import NotFinite
from jaxscipy_codegen.host_functions import HostFunctions
from jaxscipy_codegen.hosts import HostMissing, is_available
from jaxscipy_codegen.model import Argument, Function, Library, Module
from jaxscipy_codegen.names import ModuleNames, sort_imports
from jaxscipy_codegen.printer import Printer, Scope
from jaxscipy_codegen.safe import NoHarmlessOperand, Operands
from jaxscipy_codegen.sampling import sample

PACKAGE = "jaxscipy_ext.special"


@dataclass(frozen=True)
class Target:
    """Where the modules go: into our own package, or into a folder of the user's."""

    package: str | None = PACKAGE
    """Package of the generated modules; None: they import each other relatively."""
    command: str = "jaxscipy-ext generate"
    """What regenerates them, for the header."""


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
        return _template("module.py.jinja").render(
            origin=text.comment(_origin(self.module, self.target)),
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
        result = describe.result_class(function.name) if several else None
        if several and not definition.index:
            names.typing("NamedTuple")
        call = self._host_call(definition)
        returns = result or names.jax("Array")
        view = {
            "name": definition.name,
            "core": f"_{definition.name}",
            "kinds": ", ".join(f'{name}="{arg.kind}"' for name, arg in args.items()),
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
            "name": describe.result_class(function.name),
            "docstring": text.docstring(f"The outputs of `{function.name}`."),
            "fields": list(function.outputs),
        }

    def _host_constant(self, definition: Definition) -> str:
        """`_jv_dv2_host = stencil(kernels.jv_dv, 0)`: stencils are made once, JAX's caches compare by identity."""
        if not definition.host.stencils:
            return ""
        self.names.runtime("stencil")
        value = self.names.host(definition.host.path)
        for argnum, order, lower in definition.host.stencils:
            options = "".join(
                [f", order={order}" if order > 1 else "", f", lower={lower:g}" if lower is not None else ""]
            )
            value = f"stencil({value}, {argnum}{options})"
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
        scope = Scope(
            function=definition.name,
            args=definition.args,
            outputs=definition.outputs,
            static=frozenset(name for name, arg in function.args.items() if arg.static),
            defaults={name: ast.Constant(arg.default) for name, arg in function.args.items() if arg.has_default},
            refer=self.names.refer_from(definition),
            needs=self.names.runtime,
            operands=self._operands(definition),
        )
        printer = Printer(scope)
        statements: list[str] = []
        rows = []
        for arg, partial in definition.partials.items():
            if function.args[arg].static:
                continue
            row, more = self._row(printer, arg, partial)
            rows.append(row)
            statements += more
        return {"partials": rows, "statements": statements}

    def _row(self, printer: Printer, arg: str, partial: Partial) -> tuple[Row, tuple[str, ...]]:
        source = [text.comment(partial.source)] if partial.source else []
        if partial.way == "discrete":
            return Row(arg, self.names.runtime("discrete")), ()
        if partial.way == "unavailable":
            return Row(arg, f"{self.names.runtime('unavailable')}({text.string(partial.reason)})"), ()
        printed = printer.partial(partial.rules)
        if "jnp." in printed.value + "".join(printed.statements):
            self.names.numpy()
        comment = "; ".join([*(text.comment(c) for c in printed.comments), *source])
        fits = len(f'        "{arg}": {printed.value},  # {comment}') <= text.WIDTH
        row = Row(arg, printed.value, () if fits or not comment else (comment,), comment if fits else "")
        return row, printed.statements

    def _operands(self, definition: Definition) -> Operands | None:
        rules = [rule for partial in definition.partials.values() for rule in partial.rules]
        if not any(trees.called(part) & {"where", "Piecewise"} for rule in rules for part in trees.parts(rule)):
            return None
        function = definition.function
        values = sample(function, self.hosts)
        integers = [name for name, arg in function.args.items() if arg.kind == "integer"]
        return Operands(values, self.hosts, integers)


def package_init(library: Library, target: Target, composed: str) -> str:
    """`jaxscipy_ext/__init__.py`: every public function of the shipped specs, and what the runtime offers users.

    `composed`: source of the package that re-exports the functions written by hand; they are re-exported here, too.
    """
    exports = [line for module in library.modules for line in _exports(f"{PACKAGE}.{module.module}", module)]
    exports += [
        f"from {node.module} import {alias.name} as {alias.name}"
        for node in ast.parse(composed).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    runtime = [f"from jaxscipy_ext.runtime import {name} as {name}" for name in _RUNTIME_EXPORTS]
    docstring = text.docstring(
        "Every function of scipy.special as a first-class JAX function: jit, vmap, grad, sharding, CPU and GPU.", ""
    )
    return _init("specs/", target, docstring, sort_imports([*runtime, *exports]), library)


_RUNTIME_EXPORTS = ("DerivativeUnavailable", "HostError", "config", "show_config", "wrap")


def family_init(target: Target) -> str:
    """`jaxscipy_ext/special/__init__.py`, without exports: a function `gamma` would hide the module `gamma`."""
    docstring = text.docstring("The functions, one module per family; `jaxscipy_ext` exports them all.", "")
    return _init("specs/", target, docstring, [], None)


def user_init(library: Library, target: Target) -> str:
    """`__init__.py` of a user's folder. Raises `SpecError` where a function would hide the module it is in."""
    problems = [
        Problem(
            module.place("module"), "module", f"the function {module.module} would hide the module; rename the module"
        )
        for module in library.modules
        if any(module.module in other.functions for other in library.modules)
    ]
    if problems:
        raise SpecError(problems)
    exports = [line for module in library.modules for line in _exports(f".{module.module}", module)]
    titles = ", ".join(module.title for module in library.modules)
    origin = ", ".join(_origin(module, target) for module in library.modules)
    return _init(text.comment(origin), target, text.docstring(f"{titles}.", ""), sort_imports(exports), library)


def _exports(path: str, module: Module) -> list[str]:
    """The public names of a module, re-exported in the form that type checkers and linters know."""
    entries = module.functions.items()
    names = [name for name, entry in entries if not isinstance(entry, Function) or entry.public]
    return [f"from {path} import {name} as {name}" for name in names]


def _init(origin: str, target: Target, docstring: str, exports: list[str], library: Library | None) -> str:
    entries = [pair for module in (library.modules if library else ()) for pair in module.functions.items()]
    since = sorted((name, entry.since) for name, entry in entries if entry.since)
    groups = [["import scipy"] if since else [], exports]
    return _template("init.py.jinja").render(
        origin=origin, command=target.command, docstring=docstring, imports=[g for g in groups if g], since=since
    )


def _static_type(arg: Argument) -> str:
    if arg.has_default and arg.default is not None:
        return type(arg.default).__name__
    return "bool | int | float | str | None"


def _origin(module: Module, target: Target) -> str:
    name = Path(module.position.file).name if module.position.file.endswith(".yaml") else f"{module.module}.yaml"
    return f"specs/{name}" if target.package else name


def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_resources.templates(), encoding="utf-8"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    return environment.get_template(name)


def formatted(files: Mapping[str, str]) -> dict[str, str]:
    """The files in the layout of `ruff format`, all in one run.

    Raises `RuntimeError` if ruff refuses a file, which is a fault of the generator.
    """
    if importlib.util.find_spec("ruff") is None:
        raise ModuleNotFoundError("No module named 'ruff'", name="ruff")
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder) / f"{k}.py" for k, name in enumerate(files)}
        for name, path in paths.items():
            path.write_bytes(files[name].encode())
        command = [sys.executable, "-m", "ruff", "format", "--isolated", "--no-cache", "--quiet"]
        options = [f"--line-length={text.WIDTH}", "--target-version=py311"]
        run = subprocess.run([*command, *options, folder], capture_output=True, text=True, check=False)
        if run.returncode:
            raise RuntimeError(f"ruff can't format the generated text: {run.stderr.strip()}")
        return {name: path.read_bytes().decode() for name, path in paths.items()}
