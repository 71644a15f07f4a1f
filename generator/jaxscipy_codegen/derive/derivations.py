"""The definitions of all functions of a library, each partial derived once and only when it is asked for."""

from jaxscipy_codegen import model
from jaxscipy_codegen.derive import equations, families, formulas
from jaxscipy_codegen.derive.definitions import Definition, Host, Index, Partial, no_partial, text_of
from jaxscipy_codegen.derive.in_sympy import InSympy
from jaxscipy_codegen.model import Function, Library
from jaxscipy_codegen.symbolic import Expr, NoDerivative


class Derivations:
    """Looks up what a name in a rule stands for, and derives it."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._in_sympy = InSympy(library, self.lookup, self._partial)
        self._named: dict[str, tuple[Function, Index]] = {}
        self._partials: dict[tuple[str, str], Partial] = {}
        self._under_way: set[tuple[str, str]] = set()

    def family(self, function: Function) -> tuple[Definition, ...]:
        """The function itself, then its derivatives in kernel and stencil arguments."""
        return tuple(self.definition(name) for name in (function.name, *function.derivative_names))

    def definition(self, name: str) -> Definition:
        """What a name of a rule stands for, partials and all. Raises `SpecError`."""
        entry, index = self.lookup(name)
        partials = {arg: self._partial(entry, index, arg) for arg in entry.args}
        host = self.host(entry, index)
        return Definition(entry.derivative_name(index), entry, host, tuple(index.items()), partials)

    def lookup(self, name: str) -> tuple[Function, Index]:
        """The entry and the orders of differentiation of a function, an alias, or a derivative such as `jv_dv`."""
        if not self._named:
            for module in (*self.library.context, *self.library.modules):
                for function in module.definitions.values():
                    self._named[function.name] = (function, {})
                    self._named |= {member: (function, index) for member, index in function.derivative_names.items()}
        return self._named[name] if name in self._named else (self.library[name], {})

    def host(self, function: Function, index: Index) -> Host:
        """What a function or its derivative calls."""
        return families.host_of(function, index)

    def meaning(self, function: Function, output: str) -> Expr:
        """The `formula` of an output in SymPy."""
        return self._in_sympy.meaning(function, output)

    def partial(self, function: Function, arg: str) -> Partial:
        """The partial of a function of the specs in `arg`. Raises `SpecError`."""
        return self._partial(function, {}, arg)

    def _partial(self, function: Function, index: Index, arg: str) -> Partial:
        key = (function.derivative_name(index), arg)
        if key not in self._partials:
            if key in self._under_way:
                raise no_partial(function, arg, "this partial is needed to find itself; write `derivative: {rule: …}`")
            self._under_way.add(key)
            try:
                found = self._of_derivative(function, index, arg) if index else self._of_function(function, arg)
            finally:
                self._under_way.remove(key)
            self._partials[key] = found
        return self._partials[key]

    def _of_function(self, function: Function, arg: str) -> Partial:
        if function.callback != "pure":
            why = f"the host isn't pure (`callback: {function.callback}` in the spec)"
            return Partial("unavailable", reason=f"{why}; put jax.lax.stop_gradient around its inputs")
        match function.way(arg):
            case model.Given() as way:
                return formulas.given(function, arg, way, self._in_sympy)
            case model.Derived():
                return formulas.derived(function, arg, self._in_sympy)
            case model.Kernel() | model.Stencil() as way:
                return families.numeric(function, {}, arg, way)
            case model.Inverse() as way:
                of = self.library[way.of]
                return equations.inverse(function, arg, way, of, self.partial)
            case model.Ode() as way:
                return equations.ode(function, way)
            case model.Unavailable(unavailable=reason):
                return Partial("unavailable", reason=reason)
            case model.Discrete(note=note):
                return Partial("discrete", note=note)
            case None:
                raise no_partial(function, arg, "no way to this partial: write `formula:` or a `derivative:`")
        raise AssertionError("every way has a case")

    def _of_derivative(self, function: Function, index: Index, arg: str) -> Partial:
        way = function.way(arg)
        if isinstance(way, model.Kernel | model.Stencil):
            return families.numeric(function, index, arg, way)
        base = self._partial(function, {}, arg)
        if not base.rules:
            return base
        try:
            rules = tuple(self._in_sympy.differentiated(function, rule, index) for rule in base.rules)
        except NoDerivative as error:
            return Partial("unavailable", reason=str(error))
        return Partial("derived", rules, text=text_of(rules), parts=base.parts)
