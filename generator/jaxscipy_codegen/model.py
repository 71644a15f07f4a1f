"""What a spec may say: frozen pydantic models, one per YAML mapping, that are also what the generator works with.

A field stands for a YAML key (docs/ and `specs/schema.json` are made from the descriptions here); a property is what
follows from the keys. `position` and `name` (the key an entry stands under) come from the file.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    ModelWrapValidatorHandler,
    PlainValidator,
    PrivateAttr,
    Tag,
    WithJsonSchema,
    model_validator,
)

from jaxscipy_codegen.errors import NOWHERE, Position
from jaxscipy_codegen.fields import (
    Domain,
    DomainField,
    DottedPath,
    FormulaField,
    Identifier,
    Interval,
    Line,
    Signature,
    Source,
    Version,
    formula_of,
    wrong,
)
from jaxscipy_codegen.formula import Formula, read

SINGLE = "F"
"""The name of the output of a function with one output: its key in `results` and in `Given.rules`."""


class Node(BaseModel):
    """A mapping of a spec file."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, arbitrary_types_allowed=True, use_attribute_docstrings=True
    )

    _name: str = PrivateAttr("")
    _position: Position = PrivateAttr(NOWHERE)
    _source: Any = PrivateAttr(None)

    @property
    def name(self) -> str:
        """The key that this mapping stands under."""
        return self._name

    @property
    def position(self) -> Position:
        """Where that key is."""
        return self._position

    def place(self, *path: str) -> Position:
        """Where a key below this mapping is (`place("args", "z", "domain")`), or as far as the file has the path."""
        here, position = self._source, self._position
        for key in path:
            places = getattr(here, "keys_at", {})
            if key not in places:
                break
            position, here = places[key], here.get(key)
        return position

    @model_validator(mode="wrap")
    @classmethod
    def _keep_place(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        node = handler(data)
        if not isinstance(data, Node):
            node._name, node._position = getattr(data, "name", ""), getattr(data, "position", NOWHERE)
            node._source = data
        return node

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


# ----------------------------------------------------------------------------------- ways to one partial derivative


class Near(Node):
    """Taylor polynomial around a removable singularity: `{x: 0, order: 8, radius: 0.1}`."""

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


def _rules(value: object) -> Mapping[str, Formula]:
    if not isinstance(value, dict):
        return {SINGLE: formula_of(value)}
    if not value:
        raise wrong("is empty; write a formula for every output, for example {ai: aip, aip: z*ai}")
    return {output: formula_of(text) for output, text in value.items()}


RulesField: TypeAlias = Annotated[
    Mapping[str, Formula],
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


# ---------------------------------------------------------------------------------------- arguments, outputs, entries


class Argument(Node):
    """One argument of a function."""

    domain: DomainField = Field(default_factory=lambda: Domain("real", "real"))
    """real, complex, integer (kept for the host's integer loops; discrete, unless a `derivative` says how real values
    are differentiated), or an inequality such as `a > 0`, `0 <= y <= 1` (real and inside)."""
    dtype: Literal["complex"] | None = None
    """complex: always promoted to complex, as SciPy does for functions without real loops."""
    default: bool | int | float | str | None = None
    """The default value, a Python literal."""
    static: bool = False
    """True: must be a Python value (bool, int, str, None), not an array; it is passed on as a keyword."""
    unit: Line | None = None
    """Unit, for the docstring (degrees)."""
    doc: Line | None = None
    """What the argument is, for the docstring."""
    derivative: Derivative | None = None
    """How the partial derivative is found; absent: SymPy derives it from `formula`."""

    @property
    def has_default(self) -> bool:
        """Whether `default` was written (`default: null` is None)."""
        return "default" in self.model_fields_set

    @property
    def kind(self) -> Literal["real", "complex", "always-complex", "integer", "static"]:
        """The argument's kind for `runtime.promoted`."""
        if self.static:
            return "static"
        return "always-complex" if self.dtype == "complex" else self.domain.kind


class Output(Node):
    """One output of a function."""

    formula: FormulaField | None = None
    """Meaning of this output."""
    dtype: Literal["same", "complex", "real"] = "same"
    """dtype of the output beside that of the arguments."""
    doc: Line | None = None
    """What the output is, for the docstring."""


class Function(Node):
    """One function: its meaning, arguments, partial derivatives, and how the host is called."""

    summary: Line
    """One line: first line of the docstring."""
    description: str | None = None
    """Paragraphs for the docstring, Markdown."""
    host: DottedPath | None = None
    """Dotted path of the host function; default: scipy.special.<name>. See `host_path`."""
    formula: FormulaField | None = None
    """Meaning, in SymPy's names: partials are derived from it, docs show it."""
    reference: FormulaField | None = None
    """Meaning in mpmath's functions, for tests, where `formula` can't be written or evaluated."""
    args: Mapping[Identifier, Argument] = Field(min_length=1)
    """The arguments in the order of the signature."""
    outputs: Mapping[Identifier, Output] = Field(default_factory=dict)
    """Several outputs, in order (absent for one output). See `results`."""
    dtype: Literal["same", "complex", "real"] = "same"
    """dtype of the only output beside that of the arguments."""
    inverse: Inverse | None = None
    """This function is the inverse of another one."""
    ode: Ode | None = None
    """Outputs come in pairs of a value and its derivative."""
    check: Mapping[Identifier, Interval] = Field(default_factory=dict)
    """The box where gradients are sampled; default: inside the domain. See `box`."""
    source: Source | None = None
    """Where the definition is from, for example DLMF 10.2.2."""
    since: Version | None = None
    """The lowest SciPy version that has the function."""
    notes: tuple[Line, ...] = Field(default=(), strict=False)
    """Sentences for the docstring: edge values, defects of the host."""
    batch: Literal["elementwise", "same-shape", "scalar"] = "elementwise"
    """What shapes the host takes: any that broadcast, equal ones only, scalars only."""
    vmap_method: Literal["sequential", "sequential_unrolled", "expand_dims", "broadcast_all"] | None = None
    """`vmap_method` of `jax.pure_callback`; default: the one that `batch` needs."""
    signature: Signature | None = None
    """Core dimensions of a host that isn't elementwise: `(n),()->(n)`."""
    callback: Literal["pure", "io", "debug"] = "pure"
    """pure: same output for same input; io: has side effects, no derivative; debug: returns nothing."""
    ordered: bool = False
    """Calls of an io or debug host keep their order."""
    public: bool = True
    """False: a private helper for rules, not exported."""

    @property
    def host_path(self) -> str:
        """Dotted path of the host function."""
        return self.host or f"scipy.special.{self.name}"

    @property
    def results(self) -> Mapping[str, Output]:
        """All outputs by name; the only output of a function with one is called `F`."""
        if self.outputs:
            return self.outputs
        only = Output(formula=self.formula, dtype=self.dtype)
        only._name, only._position = SINGLE, self.position
        return {SINGLE: only}

    @property
    def several(self) -> bool:
        """Whether the function returns a tuple (`outputs:` is there, even with one output)."""
        return bool(self.outputs)

    @property
    def box(self) -> Mapping[str, tuple[float, float]]:
        """Where gradients are sampled, for every argument that isn't static."""
        return {name: self.check.get(name, arg.domain.box) for name, arg in self.args.items() if not arg.static}

    def way(self, argument: str) -> Way | None:
        """How the partial in `argument` is found; None: nobody said how (an error that `load` reports)."""
        arg = self.args[argument]
        if arg.derivative is not None:
            return arg.derivative
        if arg.static or arg.domain.kind == "integer":
            return Discrete(discrete=True)
        if self.ode is not None and self.ode.argument == argument:
            return self.ode
        if self.inverse is not None:
            return self.inverse
        if all(output.formula is not None for output in self.results.values()):
            return Derived()
        return None

    @property
    def derivative_names(self) -> Mapping[str, Mapping[str, int]]:
        """Private functions that come with kernels and stencils, and the orders they stand for.

        `betainc` with kernels in a and b, orders 2: betainc_da, betainc_db, betainc_da2, betainc_dadb, betainc_db2.
        """
        orders = {name: way.orders for name, way in self.ways.items() if isinstance(way, Kernel | Stencil)}
        names: dict[str, Mapping[str, int]] = {}
        for total in range(1, max(orders.values(), default=0) + 1):
            for chosen in combinations_with_replacement(orders, total):
                index = {name: chosen.count(name) for name in orders if name in chosen}
                if total <= min(orders[name] for name in index):
                    suffix = "".join(f"d{name}{order if order > 1 else ''}" for name, order in index.items())
                    names[f"{self.name}_{suffix}"] = index
        return names

    @property
    def ways(self) -> Mapping[str, Way | None]:
        """`way` of every argument."""
        return {name: self.way(name) for name in self.args}


class Alias(Node):
    """The same function under a second name."""

    alias: Identifier
    """The function's first name."""
    since: Version | None = None
    """The lowest SciPy version that has the second name."""


def _entry_kind(value: object) -> str:
    return "(alias)" if isinstance(value, Alias) or (isinstance(value, dict) and "alias" in value) else "(function)"


Entry: TypeAlias = Annotated[
    Annotated[Function, Tag("(function)")] | Annotated[Alias, Tag("(alias)")], Discriminator(_entry_kind)
]


class Module(Node):
    """One spec file: a family of functions that becomes one generated module."""

    module: Identifier
    """Name of the generated module; equal to the file's name."""
    title: Line
    """Title of the module's docstring and reference page."""
    chapter: Line | None = None
    """Where the family is treated: DLMF 10."""
    description: str | None = None
    """Paragraphs for the module's docstring and reference page, Markdown."""
    functions: Mapping[Identifier, Entry]
    """The functions by name, in the order in which they are printed."""

    @property
    def definitions(self) -> Mapping[str, Function]:
        """The entries that aren't aliases, private ones too."""
        return {name: entry for name, entry in self.functions.items() if isinstance(entry, Function)}

    @property
    def aliases(self) -> Mapping[str, Alias]:
        """The entries that are aliases."""
        return {name: entry for name, entry in self.functions.items() if isinstance(entry, Alias)}


@dataclass(frozen=True)
class Library:
    """All spec files together. `context` is what they may call but what isn't generated (the shipped specs)."""

    modules: tuple[Module, ...]
    context: tuple[Module, ...] = ()
    _found: dict[str, tuple[Module, Function]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        everything = (*self.context, *self.modules)
        for module in everything:
            self._found.update({name: (module, function) for name, function in module.definitions.items()})
        for module in everything:
            for name, entry in module.aliases.items():
                if entry.alias in self._found:
                    self._found[name] = self._found[entry.alias]

    def __iter__(self) -> Iterator[Module]:
        return iter(self.modules)

    def __contains__(self, name: str) -> bool:
        return name in self._found

    def __getitem__(self, name: str) -> Function:
        """The function called `name`; an alias gives the function it stands for."""
        return self._found[name][1]

    def module_of(self, name: str) -> Module:
        """The module that defines the function `name`."""
        return self._found[name][0]

    @property
    def names(self) -> frozenset[str]:
        """Every name that a rule may call: functions, private ones and aliases too."""
        return frozenset(self._found)


def schema_json() -> str:
    """JSON Schema of a spec file, for editors; the same text for the same model, on every machine."""
    schema = Module.model_json_schema(by_alias=True)
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "jaxscipy-ext spec file"}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
