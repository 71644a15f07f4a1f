"""Functions of the specs inside SymPy: their meanings, their partials as `fdiff`, and the way back to formulas."""

import ast
from collections.abc import Callable, Iterator, Sequence

import sympy

from jaxscipy_codegen import trees
from jaxscipy_codegen.derive.definitions import Index, Partial
from jaxscipy_codegen.functions import MEANINGS
from jaxscipy_codegen.model import SINGLE, Argument, Function, Library
from jaxscipy_codegen.symbolic import Expr, Meaning, Meanings, NoDerivative, SpecCall, SpecFunctions, ToSympy, to_tree
from jaxscipy_codegen.trees import RealLinear, Rule


class InSympy:
    """Translates between formula trees and SymPy for one library."""

    def __init__(
        self,
        library: Library,
        lookup: Callable[[str], tuple[Function, Index]],
        partial: Callable[[Function, Index, str], Partial],
    ) -> None:
        """`lookup`: what a name in a rule stands for; `partial`: the partial of a function or of its derivative."""
        self.library, self.lookup, self.partial = library, lookup, partial
        self._calls = SpecFunctions(self)
        self._rules: dict[tuple[str, str], tuple[Expr, ...]] = {}
        self._meanings: Meanings | None = None

    # ------------------------------------------------------------------------------------------------- into SymPy

    def symbol(self, function: Function, arg: str) -> Expr:
        """The variable of an argument."""
        return sympy.Symbol(arg, real=True) if function.args[arg].domain.kind != "complex" else sympy.Symbol(arg)

    def _symbols(self, function: Function) -> dict[str, Expr]:
        return {arg: self.symbol(function, arg) for arg in function.args}

    def meaning(self, function: Function, output: str) -> Expr:
        """The `formula` of an output in SymPy's own functions."""
        formula = function.results[output].formula
        assert formula is not None
        return ToSympy(self._symbols(function), self._call, MEANINGS)(formula.tree)

    def _rule(self, function: Function, index: Index, tree: ast.expr) -> Expr:
        """A rule of `function` (or of its derivative) in SymPy: `F` and the outputs are calls of it."""
        values = self._symbols(function)
        own = function.derivative_name(index)
        outputs = {output: self._call(own, output, list(values.values())) for output in function.results}
        numbered = {f"F{k}": value for k, value in enumerate(outputs.values())}
        return ToSympy(numbered | outputs | values, self._call)(tree)

    def _call(self, name: str, output: str | None, args: Sequence[Expr]) -> Expr:
        entry, index = self.lookup(name)
        defaults = [_default(argument) for argument in list(entry.args.values())[len(args) :]]
        canonical = entry.derivative_name(index)
        return self._calls(canonical, None if output == SINGLE else output, [*args, *defaults])

    # -------------------------------------------------------------------------------------------- differentiation

    def partial_of(self, function: str, output: str | None, argument: int, args: Sequence[Expr]) -> Expr:
        """See `symbolic.Partials`."""
        entry, index = self.lookup(function)
        names = list(entry.args)
        rules = self._partial_rules(entry, index, names[argument])
        position = list(entry.results).index(output or SINGLE)
        actual = {self.symbol(entry, name): value for name, value in zip(names, args, strict=True)}
        return rules[position].xreplace(actual)

    def _partial_rules(self, entry: Function, index: Index, arg: str) -> tuple[Expr, ...]:
        name = entry.derivative_name(index)
        key = (name, arg)
        if key not in self._rules:
            partial = self.partial(entry, index, arg)
            if partial.way == "unavailable":
                raise NoDerivative(partial.reason)
            if any(isinstance(rule, RealLinear) for rule in partial.rules):
                raise NoDerivative(f"{name} is not holomorphic in {arg}")
            zeros = (sympy.S.Zero,) * len(entry.results)
            rules = tuple(self._rule(entry, index, rule) for rule in partial.rules if isinstance(rule, ast.expr))
            self._rules[key] = rules or zeros
        return self._rules[key]

    def differentiated(self, function: Function, rule: Rule, index: Index) -> Rule:
        """The formula of a closed partial, differentiated in the arguments of `index`. May raise `NoDerivative`."""

        def once(tree: ast.expr) -> ast.expr:
            expr = self._rule(function, {}, tree)
            for arg, order in index.items():
                expr = sympy.diff(expr, self.symbol(function, arg), order)
            return self.tree(expr)

        if isinstance(rule, RealLinear):
            extra = (None if part is None else once(part) for part in (rule.real, rule.imag))
            return RealLinear(once(rule.holomorphic), *extra)
        return once(rule)

    # ------------------------------------------------------------------------------------------------ out of SymPy

    def tree(self, expr: Expr) -> ast.expr:
        """An expression as a formula. Raises `NoDerivative` where formulas can't say it."""
        # Common factors once, as an author would write it; cheap, and never more than that (`simplify` takes minutes).
        return to_tree(sympy.factor_terms(expr), self._spell)

    def _spell(self, call: Expr) -> tuple[str, Sequence[Expr]]:
        """The name and arguments in the spec language of a function call in SymPy."""
        if isinstance(call, SpecCall):
            entry, _ = self.lookup(call.spec)
            args = list(call.args)
            for argument, given in reversed(list(zip(entry.args.values(), call.args, strict=True))):
                if not argument.has_default or given != _default(argument):
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
                        required = tuple(self.symbol(entry, arg) for arg, a in entry.args.items() if not a.has_default)
                        spelling = f"{entry.name}.{output}" if entry.several else entry.name
                        arguments = tuple(self._symbols(entry).values())
                        yield Meaning(spelling, arguments, required, self.meaning(entry, output))


def _default(argument: Argument) -> Expr:
    return sympy.sympify(argument.default) if argument.default is not None else sympy.Symbol("None")
