"""What pydantic finds wrong in a spec file, in our own words: where, what, and what to write instead."""

import re
from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, Tag
from pydantic_core import ErrorDetails

from jaxscipy_codegen import yaml_source
from jaxscipy_codegen.errors import Position, Problem, did_you_mean
from jaxscipy_codegen.model import WAY_KEYS, Module


def is_tag(part: int | str) -> bool:
    """Whether a step of pydantic's path is one that the file doesn't have."""
    return isinstance(part, str) and (part.startswith("(") or part == "[key]")


def problem(detail: ErrorDetails, data: yaml_source.Mapping) -> Problem:
    loc = detail["loc"]
    path = ".".join(str(part) for part in loc if not is_tag(part))
    of_key = detail["type"] in ("extra_forbidden", "missing") or loc[-1:] == ("[key]",)
    position = _position(loc, data, of_key)
    offset = detail.get("ctx", {}).get("offset", 0)
    value = detail["input"]
    if offset and isinstance(value, yaml_source.Text):
        position = value.at(offset)
    return Problem(position, path, _sentence(detail))


def _position(loc: Sequence[int | str], data: Any, of_key: bool) -> Position:
    """The place of a value (or its key) by pydantic's path; of a missing key: the mapping it is missing in."""
    position = data.position
    steps = [part for part in loc if not is_tag(part)]
    for index, part in enumerate(steps):
        last = index == len(steps) - 1
        if isinstance(data, yaml_source.Mapping) and part in data.keys_at:
            position = data.keys_at[part] if last and of_key else data.values_at[part]
            data = data.get(str(part))
            if isinstance(data, yaml_source.Mapping) and not last:
                position = data.position
        elif isinstance(data, yaml_source.Sequence) and isinstance(part, int) and part < len(data):
            position, data = data.values_at[part], data[part]
        else:
            break
    return position


def _sentence(detail: ErrorDetails) -> str:
    value, context = detail["input"], detail.get("ctx", {})
    match detail["type"]:
        case "spec":
            return context["sentence"]
        case "extra_forbidden":
            model = _model_at(detail["loc"][:-1])
            keys = _keys(model)
            hint = did_you_mean(str(detail["loc"][-1]), keys) or f"write one of: {', '.join(keys)}"
            return f"unknown key; {hint}"
        case "missing":
            return f"is missing; write {detail['loc'][-1]}: …"
        case "union_tag_not_found":
            return _wrong_way(value)
        case "literal_error":
            return f"{_shown(value)} isn't known here; write {_expected(context['expected'])}"
        case "string_type":
            if isinstance(value, bool | int | float):
                return f'expected text; write "{value}" with quotes'
            return f"expected text, not {_shown(value)}; write one line of text"
        case "bool_type":
            return f"expected true or false, not {_shown(value)}; write true or false"
        case "int_type" | "int_from_float":
            return f"expected a whole number, not {_shown(value)}; write for example 2"
        case "float_type":
            return f"expected a number, not {_shown(value)}; write for example 0.1"
        case "model_type" | "model_attributes_type" | "mapping_type" | "dict_type":
            return f"expected a mapping, not {_shown(value)}; write {{key: value}}, {{}} for none"
        case "greater_than_equal" | "greater_than" | "less_than_equal":
            least = {"ge": "at least", "gt": "above", "le": "at most"}
            limit = " and ".join(f"{least[key]} {value:g}" for key, value in context.items() if key in least)
            return f"expected a number {limit}, not {_shown(value)}; write such a number"
        case "tuple_type" | "list_type":
            return f"expected a list, not {_shown(value)}; write [first, second]"
        case "too_short":
            return "is empty; write at least one entry"
        case _:
            message = re.sub(r"^Input should be ", "expected ", detail["msg"])
            return f"{message}, not {_shown(value)}; write such a value"


def _expected(choices: str) -> str:
    """What pydantic expects, with Python's True as YAML's."""
    return "true" if choices == "True" else choices


def _shown(value: object) -> str:
    match value:
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case bool():
            return str(value).lower()
        case _:
            text = str(value)
            return f"'{text[:40]}…'" if len(text) > 40 else f"'{text}'"


def _wrong_way(value: object) -> str:
    if not isinstance(value, dict):
        return f"expected a mapping, not {_shown(value)}; write {{rule: {_shown(value).strip(chr(39))}}} for a formula"
    ways = [key for key in WAY_KEYS if key in value]
    if len(ways) > 1:
        return f"{' and '.join(ways)} are two ways to one partial; keep one of them"
    misspelt = (did_you_mean(key, WAY_KEYS) for key in value)
    hint = next((hint for hint in misspelt if hint.startswith("did")), f"write one of: {', '.join(WAY_KEYS)}")
    return f"doesn't say how the partial is found; {hint}"


def _keys(model: Any) -> list[str]:
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        return []
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_at(loc: Sequence[int | str]) -> Any:
    """The model of the mapping at pydantic's path."""
    current: Any = Module
    for part in loc:
        current = _plain(current)
        if isinstance(current, type) and issubclass(current, BaseModel):
            fields = {field.alias or name: field for name, field in current.model_fields.items()}
            annotation = fields[str(part)].annotation if part in fields else None
            metadata = fields[str(part)].metadata if part in fields else []
            current = Annotated[annotation, *metadata] if metadata else annotation
        elif get_origin(current) in (Union, UnionType):
            current = next(
                (choice for choice in get_args(current) if Tag(str(part)) in getattr(choice, "__metadata__", ())), None
            )
        elif get_origin(current) is Mapping:
            current = get_args(current)[1]
        else:
            return None
    return _plain(current)


def _plain(annotation: Any) -> Any:
    """`annotation` without what pydantic wraps around it, and without None."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        choices = [choice for choice in get_args(annotation) if choice is not NoneType]
        if len(choices) == 1:
            return _plain(choices[0])
    return annotation


def was_there(detail: ErrorDetails, data: yaml_source.Mapping) -> bool:
    """Whether what pydantic misses is in the file, but was taken out for a mistake, which has been said."""
    if detail["type"] == "union_tag_not_found":
        value = detail["input"]
        return isinstance(value, yaml_source.Mapping) and any(key in value.keys_at.keys() - value for key in WAY_KEYS)
    if detail["type"] != "missing":
        return False
    here: yaml_source.Data = data
    for part in detail["loc"]:
        if not is_tag(part) and isinstance(here, yaml_source.Mapping):
            if part in here.keys_at and part not in here:
                return True
            here = here.get(str(part), here)
    return False


def _stand_in(steps: Sequence[int | str]) -> str | None:
    """A value for a key without which its mapping can't be looked at."""
    match steps:
        case ["module" | "title" as key] | ["functions", _, "summary" as key]:
            return key
        case _:
            return None


def _is_argument(steps: Sequence[int | str]) -> bool:
    match steps:
        case ["functions", _, "args" | "outputs", _]:
            return True
        case _:
            return False


def prune(data: yaml_source.Mapping, details: Sequence[ErrorDetails]) -> bool:
    """Takes what is wrong out of `data`, or puts in what is missing; False if nothing is left to look at."""
    for detail in details:
        steps = [part for part in detail["loc"] if not is_tag(part)]
        if detail["type"] == "union_tag_not_found" and isinstance(detail["input"], dict):
            spare = [key for key in WAY_KEYS if key in detail["input"]][1:]
            for key in spare:
                del detail["input"][key]
            if spare:
                continue
        if detail["type"] == "missing" and _stand_in(steps) is None:
            steps.pop()  # without the key its mapping can't be read
        owners: list[Any] = [data]
        for part in steps:
            inside = owners[-1]
            there = part in inside if isinstance(inside, dict) else isinstance(inside, list)
            owners.append(inside[part] if there else None)
        *owners, value = owners
        # The innermost key that can be taken out; None among the owners: that was done already.
        while steps and isinstance(owners[-1], yaml_source.Sequence):
            value = owners.pop()
            steps.pop()
        if not steps:
            return False
        owner, key = owners[-1], str(steps[-1])
        if not isinstance(owner, yaml_source.Mapping):
            continue
        owner.pop(key, None)
        stand_in = _stand_in(steps)
        if stand_in is not None:
            owner[key] = yaml_source.Text(stand_in)
        elif _is_argument(steps) and not isinstance(value, dict) and detail["loc"][-1] != "[key]":
            owner[key] = yaml_source.Mapping(owner.keys_at[key], key)  # formulas name it
    return True
