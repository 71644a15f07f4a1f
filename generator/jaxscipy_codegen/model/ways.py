"""The ways to a partial derivative that a spec may name: one model each."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import ConfigDict, Discriminator, Field, PlainValidator, Tag, WithJsonSchema, model_validator

from jaxscipy_codegen import rewriting
from jaxscipy_codegen.fields import DottedPath, FormulaField, Identifier, Line, Source, formula_of, wrong
from jaxscipy_codegen.formula import Formula, read
from jaxscipy_codegen.model.node import Node

SINGLE = "F"
"""The name of the output of a function with one output: its key in `results` and in `Given.rules`."""


class Near(Node):
    """Taylor polynomial around a removable singularity, an argument and its value there: `{x: 0, radius: 0.1}`."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, float] = Field(init=False)  # pyright: ignore[reportIncompatibleVariableOverride]

    order: Annotated[int, Field(ge=1, le=40)] = 8
    """Degree of the polynomial."""
    radius: Annotated[float, Field(gt=0)] = 0.1
    """The polynomial is used where |argument - center| < radius."""
    series: FormulaField | None = None
    """The polynomial, where SymPy can't make it from the entry's `formula`."""

    @model_validator(mode="after")
    def _one_argument(self) -> Self:
        if len(self.__pydantic_extra__) != 1:
            raise wrong("expected exactly one argument and the point near it; write for example {x: 0, order: 8}")
        return self

    @property
    def argument(self) -> str:
        """The argument that comes near the point."""
        return next(iter(self.__pydantic_extra__))

    @property
    def center(self) -> float:
        """The point."""
        return self.__pydantic_extra__[self.argument]


def _rules(value: object) -> dict[str, Formula]:
    if not isinstance(value, dict):
        return {SINGLE: formula_of(value)}
    if not value:
        raise wrong("is empty; write a formula for every output, for example {ai: aip, aip: z*ai}")
    return {output: formula_of(text) for output, text in value.items()}


RulesField: TypeAlias = Annotated[
    dict[str, Formula],
    PlainValidator(_rules),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": ["string", "number"]},
                {"type": "object", "additionalProperties": {"type": ["string", "number"]}},
            ]
        }
    ),
]


class Given(Node):
    """The partial is the formula `rule`, printed as written and verified numerically."""

    rule: RulesField
    """The partial; with several outputs one per output: `{ai: aip, aip: z*ai}`."""
    let: Mapping[Identifier, FormulaField] = Field(default_factory=dict)
    """Names for parts of the rule, each in the names before it: `{near: abs(x) < 1}`. The module keeps them."""
    real: RulesField | None = None
    """Not holomorphic: the factor of Re(dz) that comes on top of rule*dz."""
    imag: RulesField | None = None
    """Not holomorphic: the factor of Im(dz) that comes on top of rule*dz."""
    near: Near | None = None
    """Use a Taylor polynomial near a removable singularity of the rule."""
    source: Source | None = None
    """Where the rule is from, for example DLMF 10.6.1."""
    note: Line | None = None
    """A sentence for the derivative table in the docstring."""

    @model_validator(mode="after")
    def _written_out(self) -> Self:
        parts: dict[str, ast.expr] = {}
        used: set[str] = set()

        def written_out(formula: Formula) -> ast.expr:
            used.update(formula.names & parts.keys())
            return rewriting.write_out(formula.tree, parts)

        for name, formula in self.let.items():
            parts[name] = written_out(formula)
        for rules in filter(None, (self.rule, self.real, self.imag)):
            rules.update({output: replace(formula, tree=written_out(formula)) for output, formula in rules.items()})
        for name in self.let.keys() - used:
            raise wrong(f"let: {name} isn't used; use it in the rule, or leave it out")
        return self


class Kernel(Node):
    """The partial is a NumPy function `kernel` of the same arguments; higher orders by stencils of it."""

    kernel: DottedPath
    """Dotted path of the host function that returns the partial."""
    orders: Annotated[int, Field(ge=1, le=8)] = 2
    """Highest total order of derivatives in arguments that have kernels or stencils; beyond it an error is raised."""
    source: Source | None = None
    """Where the kernel's method is from."""
    note: Line | None = None
    """A sentence for the derivative table in the docstring."""


class StencilOptions(Node):
    """Limits of a stencil."""

    lower: float | None = None
    """End of the argument's range (exclusive) that the points stay above; default: the domain's."""


class Stencil(Node):
    """The partial is a 16-point difference of the function itself, where that is accurate enough."""

    stencil: StencilOptions
    """Options of the stencil; `{}` for none."""
    orders: Annotated[int, Field(ge=1, le=8)] = 2
    """Highest total order of derivatives in arguments that have kernels or stencils; beyond it an error is raised."""
    source: Source | None = None
    """Where the accuracy was measured."""
    note: Line | None = None
    """A sentence for the derivative table in the docstring."""


class Discrete(Node):
    """The argument is counted, not measured: its tangent is zero."""

    discrete: Literal[True]
    """Always true."""
    note: Line | None = None
    """A sentence for the derivative table in the docstring."""


class Unavailable(Node):
    """Nobody has a right rule: asking for the partial raises the reason while tracing."""

    unavailable: Line
    """The reason, a sentence."""


TO_SAY = "say why, or give a rule"
"""The reason in a draft for a partial that nobody knows yet."""


class Derived(Node):
    """SymPy derives the partial from the entry's formula (nothing to write: the default where there is a formula)."""


WAY_KEYS = {"rule": Given, "kernel": Kernel, "stencil": Stencil, "discrete": Discrete, "unavailable": Unavailable}
"""The key that says which way a partial is found."""


def _way(value: object) -> str | None:
    if isinstance(value, Node):
        return f"({next(key for key, way in WAY_KEYS.items() if isinstance(value, way))})"
    keys = [key for key in WAY_KEYS if isinstance(value, dict) and key in value]
    return f"({keys[0]})" if len(keys) == 1 else None


Derivative: TypeAlias = Annotated[
    Annotated[Given, Tag("(rule)")]
    | Annotated[Kernel, Tag("(kernel)")]
    | Annotated[Stencil, Tag("(stencil)")]
    | Annotated[Discrete, Tag("(discrete)")]
    | Annotated[Unavailable, Tag("(unavailable)")],
    Discriminator(_way),
]


class Inverse(Node):
    """The function is the inverse of another one: partials by the implicit function theorem."""

    of: Identifier
    """The function that is inverted."""
    argument: Identifier = Field(alias="in")
    """The argument of that function which this one solves for."""
    value: Identifier | None = None
    """The argument here that is the value there; default: the only one that `of` lacks."""

    def value_in(self, arguments: Iterable[str], of: Iterable[str]) -> str | None:
        """`value`, or what it is by default; `of`: the arguments of the function that is inverted. None if unclear."""
        if self.value is not None:
            return self.value
        shared = set(of) - {self.argument}
        own = [name for name in arguments if name not in shared]
        return own[0] if len(own) == 1 else None


class Ode(Node):
    """Outputs come in pairs (w, w') that close under differentiation: w'' = second(w, dw, arguments)."""

    argument: Identifier = Field(alias="in")
    """The argument that the equation is in."""
    pairs: Mapping[Identifier, Identifier]
    """Each output w and the output that is its derivative."""
    second: FormulaField
    """w'' in terms of `w`, `dw` and the arguments."""
    scale: FormulaField = Field(default_factory=lambda: read("1"))
    """d(w)/d(argument) = scale * dw, where the second output is the derivative in another unit (pi/180 for degrees)."""


Way: TypeAlias = Given | Kernel | Stencil | Discrete | Unavailable | Derived | Inverse | Ode
