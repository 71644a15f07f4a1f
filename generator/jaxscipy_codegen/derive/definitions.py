"""What derivation ends in: functions to generate, each with its host and its partials."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from jaxscipy_codegen.errors import Problem, SpecError
from jaxscipy_codegen.model import Function
from jaxscipy_codegen.trees import RealLinear, Rule

Index = Mapping[str, int]
"""Orders of differentiation by argument; only those that aren't zero."""


@dataclass(frozen=True)
class Equation:
    """What the value of an inverse solves: `of` = `value`."""

    of: ast.Call
    """The function that is inverted, `F` where the root stands."""
    value: str
    """The argument that is its value."""


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
    parts: Mapping[str, ast.expr] = field(default_factory=dict)
    """Parts of the rules that the spec has given names."""
    equation: Equation | None = None
    """Of an inverse, whose only rule is a quotient then."""


@dataclass(frozen=True)
class Host:
    """What is called on the host: a function at a dotted path, or stencils of it, innermost first."""

    path: str
    stencils: tuple[tuple[int, int, float | None, float | None], ...] = ()
    """(position of the argument, order, lower end, largest pole) of every stencil."""
    batch: str = "elementwise"
    """What shapes the function takes: stencils need one that broadcasts."""


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
        return tuple(self.function.outputs)


def text_of(rules: Sequence[object]) -> str:
    """Rules for a docstring: trees, or formulas as they were written."""
    texts = [_one_text(rule) for rule in rules]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def _one_text(rule: object) -> str:
    if isinstance(rule, RealLinear):
        parts = {"": rule.holomorphic, "real=": rule.real, "imag=": rule.imag}
        return f"RealLinear({', '.join(key + ast.unparse(part) for key, part in parts.items() if part is not None)})"
    return ast.unparse(rule) if isinstance(rule, ast.AST) else str(rule)


def no_partial(function: Function, arg: str, message: str) -> SpecError:
    """The mistake that a partial can't be found as its entry says."""
    return SpecError([Problem(function.args[arg].position, f"functions.{function.name}.args.{arg}", message)])
