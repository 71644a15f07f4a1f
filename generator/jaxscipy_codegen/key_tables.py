"""The tables of the spec language's page: every key with its meaning, from the model that reads the specs."""

from collections.abc import Iterator
from typing import Any, get_args

from jaxscipy_codegen import model

_TABLES: dict[str, type[model.Node]] = {
    "A spec file": model.Module,
    "A function": model.Function,
    "An alias": model.Alias,
    "An argument": model.Argument,
    "An output": model.Output,
    "Derivative by a formula": model.Given,
    "A polynomial near a removable singularity": model.Near,
    "Derivative by a host kernel": model.Kernel,
    "Derivative by differences": model.Stencil,
    "Options of differences": model.StencilOptions,
    "A discrete argument": model.Discrete,
    "A derivative that nobody has": model.Unavailable,
    "The inverse of another function": model.Inverse,
    "A known exception": model.KnownException,
    "Outputs that are a function and its derivative": model.Ode,
}


_MARK = "<!-- The rest of this page is written by `jaxscipy-ext generate`. -->\n"


def with_tables(page: str) -> str:
    """The page, the tables below its mark renewed."""
    above, mark, _ = page.partition(_MARK)
    return f"{above}{mark}\n" + "\n".join(tables()).rstrip() + "\n" if mark else page


def tables() -> Iterator[str]:
    """A section for each kind of mapping."""
    for title, node in _TABLES.items():
        yield f"## {title}\n"
        yield " ".join((node.__doc__ or "").split()) + "\n"
        yield "| key | meaning | default |\n| --- | --- | --- |"
        for name, field in node.model_fields.items():
            if name.startswith("_"):
                continue
            meaning = _cell(" ".join((field.description or "").split()))
            choices = [c for part in (field.annotation, *get_args(field.annotation)) for c in _choices(part)]
            if choices:
                meaning += f" One of {', '.join(f'`{choice}`' for choice in choices)}."
            yield f"| `{field.alias or name}` | {meaning} | {_default(field)} |"
        yield ""


def _cell(text: str) -> str:
    """As the cell of a table; `<` outside of code isn't HTML."""
    parts = text.replace("|", "\\|").split("`")
    return "`".join(part.replace("<", "&lt;") if k % 2 == 0 else part for k, part in enumerate(parts))


def _choices(annotation: Any) -> list[str]:
    values = get_args(annotation)
    return [str(value) for value in values] if values and all(isinstance(value, str) for value in values) else []


def _default(field: Any) -> str:
    if field.is_required():
        return "must be there"
    value = field.get_default(call_default_factory=True)
    if value is None or value == () or value == {} or not isinstance(value, bool | int | float | str):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"
