"""Values of single keys in a spec: names, paths, versions, domains, intervals, formulas."""

import keyword
import math
import re
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from jaxscipy_codegen import formula as formulas
from jaxscipy_codegen.errors import NOWHERE
from jaxscipy_codegen.formula import Formula


def wrong(message: str, offset: int = 0) -> PydanticCustomError:
    """A mistake in the sentence's own words; `offset`: characters from the start of the value to the mistake."""
    return PydanticCustomError("spec", "{sentence}", {"sentence": message, "offset": offset})


def formula_of(value: object) -> Formula:
    """The formula in a value of a file."""
    if isinstance(value, Formula):
        return value
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise wrong("expected a formula; write it as text, for example: (jv(v - 1, z) - jv(v + 1, z))/2")
    try:
        position = getattr(value, "position", NOWHERE)
        return formulas.read(str(value), getattr(value, "at", lambda _: position))
    except formulas.FormulaError as error:
        raise wrong(error.message, error.offset) from None


def _identifier(value: str) -> str:
    if not value.isidentifier() or not value.isascii():
        raise wrong(f"'{value}' is not a Python name; write letters, digits and _, for example {_as_name(value)}")
    if keyword.iskeyword(value):
        raise wrong(f"'{value}' is a Python keyword; write another name, for example {value}_")
    if value.startswith("_"):
        raise wrong(f"names that start with _ belong to generated code; write {value.lstrip('_') or 'x'}")
    return value


def _as_name(text: str) -> str:
    name = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_") or "x"
    return f"x{name}" if name[0].isdigit() else name


def _dotted(value: str) -> str:
    parts = value.split(".")
    if len(parts) < 2 or not all(part.isidentifier() and not keyword.iskeyword(part) for part in parts):
        raise wrong(f"'{value}' is not a path to import; write module.function, for example scipy.special.jv")
    return value


def _version(value: object) -> object:
    if _is_number(value):
        raise wrong(f'a version is text, or 1.10 would become 1.1; write "{value}" with quotes')
    if not isinstance(value, str) or not re.fullmatch(r"\d+\.\d+(\.\d+)?", value):
        raise wrong('expected the lowest SciPy version that has the function; write for example "1.15"')
    return value


def _signature(value: str) -> str:
    core = r"\((\w+(,\w+)*)?\)"
    if not re.fullmatch(rf"{core}(,{core})*->{core}(,{core})*", value.replace(" ", "")):
        raise wrong(f"'{value}' is not a signature of core dimensions; write for example (n),()->(n)")
    return value.replace(" ", "")


def _one_line(value: str) -> str:
    if not value.strip():
        raise wrong("is empty; write one line of text")
    if "\n" in value.strip():
        raise wrong("has several lines; write one line here and the rest under description")
    return value.strip()


def _source(value: object) -> object:
    if _is_number(value):
        raise wrong(f"a source is text; write DLMF {value}, or put the number in quotes")
    return value


Signature: TypeAlias = Annotated[str, AfterValidator(_signature)]


def core_dimensions(signature: str) -> tuple[list[str], list[str]]:
    """The core dimensions of every input and of every output: `(n),()->(n)` is (["n", ""], ["n"])."""
    inputs, outputs = (re.findall(r"\(([^)]*)\)", side) for side in signature.split("->"))
    return [core.strip() for core in inputs], [core.strip() for core in outputs]


FormulaField: TypeAlias = Annotated[Formula, PlainValidator(formula_of), WithJsonSchema({"type": ["string", "number"]})]
Identifier: TypeAlias = Annotated[str, AfterValidator(_identifier)]
DottedPath: TypeAlias = Annotated[str, AfterValidator(_dotted)]
Version: TypeAlias = Annotated[str, BeforeValidator(_version)]
Line: TypeAlias = Annotated[str, AfterValidator(_one_line)]
Source: TypeAlias = Annotated[str, BeforeValidator(_source), AfterValidator(_one_line)]


@dataclass(frozen=True)
class Domain:
    """Where an argument may lie: `kind` and, for real ones, the interval between `lower` and `upper`."""

    text: str
    kind: Literal["real", "complex", "integer"]
    lower: float = -math.inf
    upper: float = math.inf
    includes_lower: bool = False
    includes_upper: bool = False
    variable: str | None = None
    """The argument's name inside an inequality."""

    def __contains__(self, value: float) -> bool:
        if self.kind == "integer" and not float(value).is_integer():
            return False
        above = value > self.lower or (value == self.lower and (self.includes_lower or math.isinf(value)))
        below = value < self.upper or (value == self.upper and (self.includes_upper or math.isinf(value)))
        return above and below

    @property
    def is_bounded(self) -> bool:
        """Whether there are numbers outside."""
        return math.isfinite(self.lower) or math.isfinite(self.upper)

    @property
    def box(self) -> "tuple[float, float]":
        """An interval well inside, where gradients are sampled when the entry has no `check` (complex: both parts)."""
        if self.kind == "integer":
            lower = self.lower if math.isfinite(self.lower) else min(0, self.upper - 5)
            return (lower, min(lower + 5, self.upper))
        if math.isfinite(self.lower) and math.isfinite(self.upper):
            margin = 0.1 * (self.upper - self.lower)
            return (self.lower + margin, self.upper - margin)
        if math.isfinite(self.lower):
            return (self.lower + 0.1, self.lower + 5.0)
        if math.isfinite(self.upper):
            return (self.upper - 5.0, self.upper - 0.1)
        return (-3.0, 3.0)

    def __str__(self) -> str:
        return self.text


_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_INEQUALITY = re.compile(
    rf"(?:(?P<left>{_NUMBER})\s*(?P<left_sign><=?)\s*)?(?P<name>[A-Za-z]\w*)"
    rf"(?:\s*(?P<sign><=?|>=?)\s*(?P<right>{_NUMBER}))?"
)


def _domain(value: object) -> Domain:
    if isinstance(value, Domain):
        return value
    text = str(value).strip()
    if text in ("real", "complex", "integer"):
        return Domain(text, text)  # type: ignore[arg-type]
    match = _INEQUALITY.fullmatch(text) if isinstance(value, str) else None
    if not match or not (match["left"] or match["right"]) or (match["left"] and (match["sign"] or "<")[0] == ">"):
        raise wrong(
            f"'{text}' is not a domain; write real, complex, integer, or an inequality such as x > 0, 0 <= x < 1, "
            f"integer >= 0"
        )
    lower, upper, includes_lower, includes_upper = -math.inf, math.inf, False, False
    if match["left"]:
        lower, includes_lower = float(match["left"]), match["left_sign"] == "<="
    if match["right"] and match["sign"].startswith("<"):
        upper, includes_upper = float(match["right"]), match["sign"] == "<="
    elif match["right"]:
        lower, includes_lower = float(match["right"]), match["sign"] == ">="
    if not lower < upper:
        raise wrong(f"no number fulfils '{text}'; write the smaller bound on the left")
    if match["name"] == "integer":
        if math.isfinite(lower):
            lower = math.ceil(lower) if includes_lower else math.floor(lower) + 1
        if math.isfinite(upper):
            upper = math.floor(upper) if includes_upper else math.ceil(upper) - 1
        if lower > upper:
            raise wrong(f"no integer fulfils '{text}'; write bounds with an integer between them")
        return Domain(text, "integer", lower, upper, includes_lower=True, includes_upper=True)
    return Domain(text, "real", lower, upper, includes_lower, includes_upper, match["name"])


DomainField: TypeAlias = Annotated[Domain, PlainValidator(_domain), WithJsonSchema({"type": "string"})]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _interval(value: object) -> tuple[float, float]:
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(map(_is_number, value)):
        low, high = value
        if math.isfinite(low) and math.isfinite(high) and low < high:
            return (low, high)
        if low > high:
            raise wrong(f"the interval is reversed; write [{high}, {low}]")
    raise wrong("expected an interval of two different finite numbers; write [lower, upper], for example [0.1, 30]")


Interval: TypeAlias = Annotated[
    tuple[float, float],
    PlainValidator(_interval),
    WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
]
