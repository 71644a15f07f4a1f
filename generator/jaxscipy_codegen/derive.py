"""Partial derivatives of every function, by the way its spec says, and the functions that kernels and stencils add.

All ways end in a `Partial`: a formula per output in the spec language, or the word that there is none and why. Partials
of the functions that are added (`jv_dv`, `betainc_dadb`) follow from equality of mixed partials: SymPy differentiates
the formulas, with every function of the specs as a SymPy function.
"""

import ast
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

import sympy

from jaxscipy_codegen import model, rewriting, trees
from jaxscipy_codegen.errors import Problem, SpecError
from jaxscipy_codegen.functions import MEANINGS
from jaxscipy_codegen.model import SINGLE, Function, Library
from jaxscipy_codegen.symbolic import Expr, Meaning, Meanings, NoDerivative, SpecCall, SpecFunctions, ToSympy, to_tree
from jaxscipy_codegen.trees import RealLinear, Rule

Index = Mapping[str, int]
"""Orders of differentiation by argument; only those that aren't zero."""


@dataclass(frozen=True)
class Partial:
    """The partial derivative of a function in one argument."""

    way: str
    """derived, given, kernel, stencil, inverse, ode, discrete or unavailable."""
    rules: tuple[Rule, ...] = ()
    """A formula for every output; none if the way is discrete or unavailable."""
    reason: str = ""
    """Why there is none."""
    source: str | None = None
    note: str | None = None
    text: str = ""
    """The rule for the docstring, as the author wrote it."""


@dataclass(frozen=True)
class Host:
    """What is called on the host: a function at a dotted path, or stencils of it, innermost first."""

    path: str
    stencils: tuple[tuple[int, int, float | None], ...] = ()
    """(position of the argument, order, lower end) of every stencil."""


@dataclass(frozen=True)
class Definition:
    """A function to generate: one of the spec (`index` empty) or a derivative of it in kernel and stencil arguments."""

    name: str
    function: Function
    host: Host
    index: tuple[tuple[str, int], ...]
    """(argument, order) of the derivative that it is."""
    partials: Mapping[str, Partial] = field(default_factory=dict)

    @property
    def args(self) -> tuple[str, ...]:
        """Names of the arguments."""
        return tuple(self.function.args)

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of several outputs, () for one."""
        return tuple(self.function.outputs) if self.function.several else ()


class Derivations:
    """The definitions of all functions of a library, each derived once and only when it is asked for."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._calls = SpecFunctions(self)
        self._named: dict[str, tuple[Function, Index]] = {}
        self._partials: dict[tuple[str, str], Partial] = {}
        self._in_sympy: dict[tuple[str, str], tuple[Expr, ...]] = {}
        self._meanings: Meanings | None = None

    # ------------------------------------------------------------------------------------------------- definitions

    def family(self, function: Function) -> tuple[Definition, ...]:
        """The function itself, then its derivatives in kernel and stencil arguments."""
        return tuple(self.definition(name) for name in (function.name, *function.derivative_names))

    def definition(self, name: str) -> Definition:
        """What a name of a rule stands for, partials and all. Raises `SpecError`."""
        entry, index = self.lookup(name)
        partials = {arg: self._partial(entry, index, arg) for arg in entry.args}
        return Definition(_member(entry, index), entry, self.host(entry, index), tuple(index.items()), partials)

    def lookup(self, name: str) -> tuple[Function, Index]:
        """The entry and the orders of differentiation of a function, an alias, or a derivative such as `jv_dv`."""
        if not self._named:
            for module in (*self.library.context, *self.library.modules):
                for function in module.definitions.values():
                    self._named[function.name] = (function, {})
                    self._named |= {member: (function, index) for member, index in function.derivative_names.items()}
        return self._named[name] if name in self._named else (self.library[name], {})

    def host(self, function: Function, index: Index) -> Host:
        """The kernel of one of the arguments and stencils of it, or stencils of the function's own host."""
        path, remaining = function.host_path, dict(index)
        for arg in index:
            way = function.way(arg)
            if isinstance(way, model.Kernel):
                path = way.kernel
                remaining[arg] -= 1
                break
        positions = list(function.args)
        stencils = [
            (positions.index(arg), order, _lower_end(function, arg)) for arg, order in remaining.items() if order
        ]
        return Host(path, tuple(stencils))

    # ---------------------------------------------------------------------------------------------------- partials

    def _partial(self, function: Function, index: Index, arg: str) -> Partial:
        if not index:
            return self.partial(function, arg)
        way = function.way(arg)
        if isinstance(way, model.Kernel | model.Stencil):
            return self._numeric(function, index, arg)
        base = self.partial(function, arg)
        if not base.rules:
            return base
        try:
            rules = tuple(self._differentiated(function, rule, index) for rule in base.rules)
        except NoDerivative as error:
            return Partial("unavailable", reason=str(error))
        return Partial("derived", rules, text=_text(rules))

    def partial(self, function: Function, arg: str) -> Partial:
        """The partial of a function of the specs in `arg`."""
        key = (function.name, arg)
        if key not in self._partials:
            self._partials[key] = self._find_partial(function, arg)
        return self._partials[key]

    def _find_partial(self, function: Function, arg: str) -> Partial:
        if function.callback != "pure":
            return Partial("unavailable", reason=f"the host isn't pure (`callback: {function.callback}` in the spec)")
        match function.way(arg):
            case model.Given() as way:
                return self._given(function, arg, way)
            case model.Derived():
                rules = self._derived(function, arg)
                return Partial("derived", rules, text=_text(rules))
            case model.Kernel() | model.Stencil():
                return self._numeric(function, {}, arg)
            case model.Inverse() as way:
                return self._inverse(function, arg, way)
            case model.Ode() as way:
                return self._ode(function, way)
            case model.Unavailable(unavailable=reason):
                return Partial("unavailable", reason=reason)
            case model.Discrete(note=note):
                return Partial("discrete", note=note)
            case None:
                raise self._error(function, arg, "no way to this partial: write `formula:` or a `derivative:`")
        raise AssertionError("every way has a case")

    def _given(self, function: Function, arg: str, way: model.Given) -> Partial:
        rules: list[Rule] = []
        for output in function.results:
            tree: ast.expr = way.rule[output].tree
            real, imag = (part[output].tree if part and output in part else None for part in (way.real, way.imag))
            if way.near is not None:
                tree = self._near(function, arg, output, way.near, tree)
            rules.append(RealLinear(tree, real, imag) if real is not None or imag is not None else tree)
        written = [way.rule[output] for output in function.results]
        text = _text(written) if not (way.real or way.imag) else _text(rules)
        return Partial("given", tuple(rules), source=way.source, note=way.note, text=text)

    def _near(self, function: Function, arg: str, output: str, near: model.Near, rule: ast.expr) -> ast.expr:
        """`rule`, but close to the point its Taylor polynomial."""
        if near.series is not None:
            polynomial = near.series.tree
        else:
            symbol = self._symbol(function, near.argument)
            derivative = sympy.diff(self.meaning(function, output), self._symbol(function, arg))
            center = _exact(near.center)
            shifted = sympy.Dummy("t")
            series = sympy.series(derivative.subs(symbol, shifted + center), shifted, 0, near.order + 1).removeO()
            horner = sympy.horner(sympy.Poly(sympy.expand(series), shifted), shifted).subs(shifted, symbol - center)
            polynomial = self._tree(function, arg, horner)
        distance = trees.parse(f"abs({near.argument})" if near.center == 0 else f"abs({near.argument} - {near.center})")
        inside = ast.Compare(distance, [ast.Lt()], [ast.Constant(near.radius)])
        return trees.call("where", inside, polynomial, rule)

    def _derived(self, function: Function, arg: str) -> tuple[ast.expr, ...]:
        """SymPy's derivative of the formula; outputs of the function itself are used where they occur."""
        meanings = {output: self.meaning(function, output) for output in function.results}
        rules = []
        for meaning in meanings.values():
            derivative = sympy.diff(meaning, self._symbol(function, arg))
            for output, value in meanings.items():
                if not value.is_Symbol and not value.is_number:
                    derivative = derivative.subs(value, sympy.Symbol(output))
            rules.append(self._tree(function, arg, derivative))
        return tuple(rules)

    def _numeric(self, function: Function, index: Index, arg: str) -> Partial:
        """A call of the next function of the family, or the sentence that there is none."""
        way = function.way(arg)
        assert isinstance(way, model.Kernel | model.Stencil)
        more = {name: index.get(name, 0) + (name == arg) for name in function.args if name in index or name == arg}
        try:
            next_name = _member(function, more)
        except KeyError:
            *most, last = more
            names = f"{', '.join(most)} and {last}" if most else last
            word = ordinal(sum(index.values()))
            return Partial("unavailable", reason=f"no accurate method is known beyond the {word} derivative in {names}")
        value = trees.call(next_name, *map(trees.name, function.args))
        rules = tuple(ast.Attribute(value, output, ast.Load()) for output in function.outputs) or (value,)
        kind = "kernel" if isinstance(way, model.Kernel) else "stencil"
        return Partial(kind, rules, source=way.source, note=way.note, text=ast.unparse(value))

    def _inverse(self, function: Function, arg: str, way: model.Inverse) -> Partial:
        """The implicit function theorem on `of(..., F, ...) = value`."""
        of = self.library[way.of]
        value = way.value_in(function.args, of.args)
        at_output = {way.argument: trees.name(SINGLE)}
        slope = rewriting.substituted(self._holomorphic(of, way.argument), at_output | self._primal_at(of, at_output))
        if arg == value:
            rule: ast.expr = ast.BinOp(ast.Constant(1), ast.Div(), slope)
        else:
            inner = self.partial(of, arg)
            if not inner.rules:
                return inner
            change = rewriting.substituted(self._holomorphic(of, arg), at_output | self._primal_at(of, at_output))
            opposite = change.operand if _is_negative(change) else ast.UnaryOp(ast.USub(), change)
            rule = ast.BinOp(opposite, ast.Div(), slope)
        return Partial("inverse", (rule,), text=ast.unparse(rule))

    def _primal_at(self, of: Function, values: Mapping[str, ast.expr]) -> dict[str, ast.expr]:
        """`F` in a rule of another function: that function at its arguments."""
        return {SINGLE: trees.call(of.name, *(values.get(name, trees.name(name)) for name in of.args))}

    def _holomorphic(self, function: Function, arg: str) -> ast.expr:
        """The only rule of a function with one output, as a formula."""
        partial = self.partial(function, arg)
        if len(partial.rules) != 1 or isinstance(partial.rules[0], RealLinear):
            message = f"{function.name} has no formula for d/d{arg} that an inverse could use"
            raise SpecError([Problem(function.position, f"functions.{function.name}.args.{arg}", message)])
        return partial.rules[0]

    def _ode(self, function: Function, way: model.Ode) -> Partial:
        """(w, w') in the equation's own argument: w' and w''."""
        scale = way.scale.tree
        rules: dict[str, ast.expr] = {}
        for w, dw in way.pairs.items():
            second = rewriting.substituted(way.second.tree, {"w": trees.name(w), "dw": trees.name(dw)})
            rules[w], rules[dw] = _scaled(scale, trees.name(dw)), _scaled(scale, second)
        ordered = tuple(rules[output] for output in function.results)
        return Partial("ode", ordered, source=function.source, text=_text(ordered))

    # ------------------------------------------------------------------------------------------------ inside SymPy

    def partial_of(self, function: str, output: str | None, argument: int, args: Sequence[Expr]) -> Expr:
        """See `symbolic.Partials`."""
        entry, index = self.lookup(function)
        names = list(entry.args)
        rules = self._rules_in_sympy(entry, index, names[argument])
        position = list(entry.results).index(output or SINGLE)
        actual = {self._symbol(entry, name): value for name, value in zip(names, args, strict=True)}
        return rules[position].xreplace(actual)

    def _rules_in_sympy(self, entry: Function, index: Index, arg: str) -> tuple[Expr, ...]:
        name = _member(entry, index)
        key = (name, arg)
        if key not in self._in_sympy:
            partial = self._partial(entry, index, arg)
            if partial.way == "unavailable":
                raise NoDerivative(partial.reason)
            if any(isinstance(rule, RealLinear) for rule in partial.rules):
                raise NoDerivative(f"{name} is not holomorphic in {arg}")
            zeros = (sympy.S.Zero,) * len(entry.results)
            rules = tuple(self._sympy(entry, index, rule) for rule in partial.rules if isinstance(rule, ast.expr))
            self._in_sympy[key] = rules or zeros
        return self._in_sympy[key]

    def _differentiated(self, function: Function, rule: Rule, index: Index) -> Rule:
        """The formula of a closed partial, differentiated in the arguments of `index`."""

        def once(tree: ast.expr) -> ast.expr:
            expr = self._sympy(function, {}, tree)
            for arg, order in index.items():
                expr = sympy.diff(expr, self._symbol(function, arg), order)
            return self._spec_tree(expr)

        if isinstance(rule, RealLinear):
            extra = (None if part is None else once(part) for part in (rule.real, rule.imag))
            return RealLinear(once(rule.holomorphic), *extra)
        return once(rule)

    def _symbol(self, function: Function, arg: str) -> Expr:
        return sympy.Symbol(arg, real=True) if function.args[arg].domain.kind != "complex" else sympy.Symbol(arg)

    def _symbols(self, function: Function) -> dict[str, Expr]:
        return {arg: self._symbol(function, arg) for arg in function.args}

    def _sympy(self, function: Function, index: Index, tree: ast.expr) -> Expr:
        """A rule of `function` (or of its derivative) in SymPy: `F` and the outputs are calls of it."""
        values = self._symbols(function)
        own = _member(function, index)
        outputs = {output: self._call(own, output, list(values.values())) for output in function.results}
        numbered = {f"F{k}": value for k, value in enumerate(outputs.values())}
        return ToSympy(numbered | outputs | values, self._call)(tree)

    def _call(self, name: str, output: str | None, args: Sequence[Expr]) -> Expr:
        entry, index = self.lookup(name)
        defaults = [self._default(argument) for argument in list(entry.args.values())[len(args) :]]
        canonical = _member(entry, index)
        return self._calls(canonical, None if output == SINGLE else output, [*args, *defaults])

    def _default(self, argument: model.Argument) -> Expr:
        return sympy.sympify(argument.default) if argument.default is not None else sympy.Symbol("None")

    def meaning(self, function: Function, output: str) -> Expr:
        """The `formula` of an output in SymPy's own functions."""
        formula = function.results[output].formula
        assert formula is not None
        return ToSympy(self._symbols(function), self._call, MEANINGS)(formula.tree)

    # ------------------------------------------------------------------------------------------ from SymPy to trees

    def _tree(self, function: Function, arg: str, expr: Expr) -> ast.expr:
        try:
            return self._spec_tree(expr)
        except NoDerivative as error:
            raise self._error(
                function,
                arg,
                f"{error}; write the partial as `derivative: {{rule: …}}`, give a `kernel:` or `stencil:`, "
                f"or say `unavailable:` with a reason",
            ) from None

    def _spec_tree(self, expr: Expr) -> ast.expr:
        # Common factors once, as an author would write it; cheap, and never more than that (`simplify` takes minutes).
        return to_tree(sympy.factor_terms(expr), self._spell)

    def _spell(self, call: Expr) -> tuple[str, Sequence[Expr]]:
        """The name and arguments in the spec language of a function call in SymPy."""
        if isinstance(call, SpecCall):
            entry, _ = self.lookup(call.spec)
            args = list(call.args)
            for argument, given in reversed(list(zip(entry.args.values(), call.args, strict=True))):
                if not argument.has_default or given != self._default(argument):
                    break
                args.pop()
            return (f"{call.spec}.{call.output}" if call.output else call.spec), args
        if self._meanings is None:
            self._meanings = Meanings(self._one_function_formulas())
        return self._meanings.spelled(call)

    def _one_function_formulas(self) -> Iterator[Meaning]:
        """Functions of the specs (and outputs) whose formula is one SymPy function: how that one is spelled."""
        for module in (*self.library.context, *self.library.modules):
            for entry in module.definitions.values():
                for output, result in entry.results.items():
                    if result.formula is not None and trees.called(result.formula.tree) & set(MEANINGS):
                        required = tuple(self._symbol(entry, arg) for arg, a in entry.args.items() if not a.has_default)
                        spelling = f"{entry.name}.{output}" if entry.several else entry.name
                        arguments = tuple(self._symbols(entry).values())
                        yield Meaning(spelling, arguments, required, self.meaning(entry, output))

    def _error(self, function: Function, arg: str, message: str) -> SpecError:
        argument = function.args.get(arg)
        position = argument.position if argument is not None else function.position
        return SpecError([Problem(position, f"functions.{function.name}.args.{arg}", message)])


def _text(rules: Sequence[object]) -> str:
    texts = [_one_text(rule) for rule in rules]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def _one_text(rule: object) -> str:
    if isinstance(rule, RealLinear):
        parts = {"": rule.holomorphic, "real=": rule.real, "imag=": rule.imag}
        return f"RealLinear({', '.join(key + ast.unparse(part) for key, part in parts.items() if part is not None)})"
    return ast.unparse(rule) if isinstance(rule, ast.AST) else str(rule)


def _exact(value: float) -> Expr:
    return sympy.nsimplify(value, rational=True)


def _is_negative(tree: ast.expr) -> TypeGuard[ast.UnaryOp]:
    return isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub)


def _scaled(scale: ast.expr, tree: ast.expr) -> ast.expr:
    is_one = isinstance(scale, ast.Constant) and scale.value == 1
    return tree if is_one else ast.BinOp(scale, ast.Mult(), tree)


_ORDINALS = {1: "first", 2: "second", 3: "third"}


def ordinal(number: int) -> str:
    """`first`, `second`, `third`, `4th`."""
    return _ORDINALS.get(number, f"{number}th")


def _member(function: Function, index: Index) -> str:
    """The name of the derivative of those orders, of the function itself without any. Raises `KeyError`."""
    if not index:
        return function.name
    for name, orders in function.derivative_names.items():
        if orders == index:
            return name
    raise KeyError(f"{function.name} has no derivative {dict(index)}")


def _lower_end(function: Function, arg: str) -> float | None:
    way = function.way(arg)
    if isinstance(way, model.Stencil) and way.stencil.lower is not None:
        return way.stencil.lower
    lower = function.args[arg].domain.lower
    return None if math.isinf(lower) else lower
