"""Functions of the specs in NumPy: by the names that rules use, with their hosts, kernels and stencils behind."""

import contextlib
import sys
import warnings
from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from jaxscipy_codegen import hosts
from jaxscipy_codegen.derive import Derivations, Host
from jaxscipy_codegen.model import Function


class ComplexRefused(ValueError):
    """A complex number where a function takes real ones; the message is a sentence."""


class HostFunctions:
    """Looks functions up for `evaluate`, by name and output."""

    def __init__(self, derivations: Derivations) -> None:
        """`derivations` knows what a name stands for."""
        self.derivations = derivations
        self._loaded: dict[Host, Callable[..., Any]] = {}

    def __call__(self, name: str, output: str | None = None) -> Callable[..., Any]:
        """The function called `name` (or one of its outputs), of arrays and static values in the entry's order."""
        entry, index = self.derivations.lookup(name)
        function = self.load(self.derivations.host(entry, index))
        position = list(entry.results).index(output) if output is not None and entry.several else None

        def call(*args: Any, **keywords: Any) -> Any:
            given = dict(zip(entry.args, args, strict=False)) | keywords
            defaults = {name: argument.default for name, argument in entry.args.items() if argument.has_default}
            result = _call(function, entry, {name: given.get(name, defaults.get(name)) for name in entry.args})
            return result if position is None else result[position]

        return call

    def load(self, host: Host) -> Callable[..., Any]:
        """The callable of a host, stencils included. Raises `hosts.HostMissing`."""
        if host not in self._loaded:
            function = hosts.host(host.path)
            if host.batch != "elementwise":
                function = hosts.host("jaxscipy_ext.runtime.batching.batched")(function, host.batch)
            for argnum, order, lower in host.stencils:
                function = hosts.host("jaxscipy_ext.runtime.stencil.stencil")(function, argnum, order, lower)
            self._loaded[host] = function
        return self._loaded[host]


def _call(function: Callable[..., Any], entry: Function, values: dict[str, Any]) -> Any:
    """Call a host as generated code does: kinds of arguments, static ones by keyword, shapes as it wants them."""
    kinds = {name: argument.kind for name, argument in entry.args.items()}
    arrays = [
        _of_kind(value, kinds[name], entry.name, name) for name, value in values.items() if kinds[name] != "static"
    ]
    static = {name: _python_value(value) for name, value in values.items() if kinds[name] == "static"}
    if entry.batch == "scalar":
        return _one_by_one(function, arrays, static, len(entry.results))
    if entry.batch == "same-shape":
        arrays = [array.copy() for array in np.broadcast_arrays(*arrays)]
    with _quiet():
        try:
            return function(*arrays, **static)
        except (ValueError, ArithmeticError):
            if entry.signature:
                raise
    return _one_by_one(function, arrays, static, len(entry.results))


def _python_value(value: Any) -> Any:
    """A static value as the host gets it: integers in formulas are evaluated as floats."""
    if isinstance(value, np.generic):
        value = value.item()
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _one_by_one(function: Callable[..., Any], arrays: list[Any], static: dict[str, Any], outputs: int) -> Any:
    """`function` at every point; NaN at those that it raises at."""
    points = np.broadcast(*arrays)
    columns: list[list[Any]] = [[] for _ in range(outputs)]
    with _quiet():
        for point in points:
            try:
                found = function(*point, **static)
                row = found if outputs > 1 else (found,)
            except (ValueError, ArithmeticError):
                row = (np.nan,) * outputs
            for column, value in zip(columns, row, strict=True):
                column.append(value)
    results = tuple(np.array(column).reshape(points.shape) for column in columns)
    return results if outputs > 1 else results[0]


@contextlib.contextmanager
def _quiet() -> Generator[None, None, None]:
    """No warnings: a host may doubt its digits, the difference quotients see it themselves."""
    hook = sys.unraisablehook
    sys.unraisablehook = lambda unraisable: None  # quad callbacks in SciPy's Cython code print what they can't raise
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.unraisablehook = hook


def _of_kind(value: Any, kind: str, function: str, argument: str) -> Any:
    array = np.asarray(value)
    if array.dtype.kind == "c" and kind in ("real", "integer"):
        raise ComplexRefused(f"{function} takes a real {argument}, the rule gives it a complex one")
    if kind == "integer" and array.dtype.kind == "f" and np.all(array == np.round(array)):
        return array.astype(np.int64)
    return array.astype(np.complex128) if kind == "always-complex" else array
