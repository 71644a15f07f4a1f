"""What a host function says about its own arguments: their names, and what kinds of values they take."""

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jaxscipy_ext.runtime.promotion import Kind


def argument_kinds(host: Callable[..., Any]) -> dict[str, Kind]:
    """The arguments of `host` in order, each with its kind for `promoted`.

    A ufunc's loops tell the kinds, its docstring the names. In a Python function, a parameter whose default is a bool,
    a string or None is static, others are real. Raises `TypeError` where there is nothing to tell (`*args`, builtins).
    """
    if isinstance(host, np.ufunc):
        return {name: _ufunc_kind(host, k) for k, name in enumerate(_ufunc_names(host))}
    return {parameter.name: _kind(parameter) for parameter in _parameters(host)}


def argument_defaults(host: Callable[..., Any]) -> Mapping[str, Any]:
    """The defaults of the arguments that have one."""
    if isinstance(host, np.ufunc):
        return {}
    return {p.name: p.default for p in _parameters(host) if p.default is not inspect.Parameter.empty}


def _parameters(host: Callable[..., Any]) -> list[inspect.Parameter]:
    name = getattr(host, "__name__", type(host).__name__)
    try:
        parameters = list(inspect.signature(host).parameters.values())
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} doesn't tell its arguments; write a function around it: def f(x, y): return {name}(x, y)"
        ) from None
    for parameter in parameters:
        if parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            raise TypeError(
                f"{name} takes {parameter}, any number of arguments; write a function of named ones around it: "
                f"def f(x, y): return {name}(x, y)"
            )
    if not parameters:
        raise TypeError(f"{name} takes no arguments; give it at least one (a sampler: the shape or location it is for)")
    return parameters


def _kind(parameter: inspect.Parameter) -> Kind:
    keyword_only = parameter.kind is inspect.Parameter.KEYWORD_ONLY
    return "static" if keyword_only or isinstance(parameter.default, bool | str | None) else "real"


def _ufunc_names(ufunc: np.ufunc) -> list[str]:
    """From the last `name(v, z, ...)` line of the docstring: NumPy writes one with x1, x2, SciPy a better one below."""
    head = (ufunc.__doc__ or "").partition("Parameters")[0]
    for inside in reversed(re.findall(rf"^ *{re.escape(ufunc.__name__)}\(([^)]*)\)", head, re.MULTILINE)):
        names = [part.strip() for part in inside.split(",")][: ufunc.nin]
        if len(names) == ufunc.nin == len(set(names)) and all(name.isidentifier() for name in names):
            return names
    return ["x"] if ufunc.nin == 1 else [f"x{k + 1}" for k in range(ufunc.nin)]


def _ufunc_kind(ufunc: np.ufunc, position: int) -> Kind:
    loops = [loop.partition("->")[0] for loop in ufunc.types]
    if any(loop[position] in "FDG" for loop in loops):
        return "complex"
    mixed = any(loop[position] in "ilqp" and set(loop) & set("fd") for loop in loops)
    return "integer" if mixed else "real"
