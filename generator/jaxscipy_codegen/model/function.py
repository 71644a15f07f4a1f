"""Entries of a spec file: functions with their arguments and outputs, and second names of functions."""

from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Annotated, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

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
    core_dimensions,
)
from jaxscipy_codegen.model.node import Node
from jaxscipy_codegen.model.ways import (
    SINGLE,
    Derivative,
    Derived,
    Discrete,
    Inverse,
    Kernel,
    Ode,
    Stencil,
    Way,
)


class Argument(Node):
    """One argument of a function."""

    domain: DomainField = Field(default_factory=lambda: Domain("real", "real"))
    """real, complex, integer (kept for the host's integer loops; discrete, unless a `derivative` says how real values
    are differentiated), or an inequality such as `a > 0`, `0 <= y <= 1` (real and inside), `integer >= 0` (an integer
    and inside). The domain of a static argument is checked while tracing."""
    dtype: Literal["complex"] | None = None
    """complex: always promoted to complex, as SciPy does for functions without real loops."""
    default: bool | int | float | str | None = None
    """The default value, a Python literal."""
    static: bool = False
    """True: must be a Python value (bool, int, str, None), not an array; it is passed on as a keyword."""
    choices: tuple[int | float | str, ...] = Field(default=(), strict=False)
    """The values that a static argument may have, where they are few: `[-1, 1]`."""
    truncated: bool = False
    """True: the host cuts real values to integers, with a Python warning; the wrapper does it before, without one."""
    poles: float | None = None
    """The largest pole in this argument, with others 1, 2, … below: differences of the function stay clear of them."""
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
    def has_domain(self) -> bool:
        """Whether `domain` was written."""
        return "domain" in self.model_fields_set

    @property
    def is_flag(self) -> bool:
        """Whether it is a Python value that is true or false, and so a condition in formulas."""
        return self.static and isinstance(self.default, bool)

    @property
    def allowed(self) -> tuple[int | float | str, ...]:
        """The only values that a static argument may have; empty where that is a range, or anything."""
        return (False, True) if self.is_flag and not self.choices else self.choices

    @property
    def static_value(self) -> bool | int | float | str | None:
        """A value that a static argument may have: the default, or the first one allowed."""
        if self.has_default:
            return self.default
        return self.choices[0] if self.choices else int(self.domain.box[0]) if self.domain.kind == "integer" else None

    @property
    def static_values(self) -> tuple[bool | int | float | str | None, ...]:
        """Values that a static argument may have, `static_value` first: every flag and choice, integers that follow."""
        first = self.static_value
        others = self.allowed
        if isinstance(first, int) and not others:
            others = tuple(value for value in (first + 1, first + 2) if value in self.domain)
        return (first, *(value for value in others if value != first))

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


class KnownException(Node):
    """Where derivatives aren't compared with the host, because one of them is known to be wrong, and why."""

    where: FormulaField
    """A condition in the arguments: `x < 2.4`."""
    reason: Line
    """What is wrong there, a sentence: `check` prints it in place of a comparison."""


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
    exceptions: tuple[KnownException, ...] = Field(default=(), strict=False)
    """Points at which `check` doesn't compare derivatives, each with the reason; values are compared there too."""
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
    def result_class(self) -> str:
        """`AiryResult`: the class of the outputs of a function with several."""
        return "".join(part.capitalize() for part in self.name.split("_")) + "Result"

    @property
    def box(self) -> Mapping[str, tuple[float, float]]:
        """Where gradients are sampled, for every argument that isn't static."""
        return {name: self.check.get(name, arg.domain.box) for name, arg in self.args.items() if not arg.static}

    def mixes(self, argument: str, signature: str | None = None) -> bool:
        """Whether the host mixes elements of the argument or of a result, so that no partial is elementwise.

        `signature`: that of a generalised ufunc, where the entry writes none.
        """
        text = self.signature or signature
        if text is None:
            return False
        inputs, outputs = core_dimensions(text)
        arrays = [name for name, arg in self.args.items() if not arg.static]
        if len(inputs) != len(arrays) or argument not in arrays:
            return False  # what doesn't fit is an error of its own; static arguments have no partial
        return any(outputs) or inputs[arrays.index(argument)] != ""

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

    def derivative_name(self, orders: Mapping[str, int]) -> str:
        """The name of the derivative of those orders, of the function itself without any. Raises `KeyError`."""
        if not orders:
            return self.name
        for name, index in self.derivative_names.items():
            if index == orders:
                return name
        raise KeyError(f"{self.name} has no derivative {dict(orders)}")

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
