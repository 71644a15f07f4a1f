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


class HostFailed(ValueError):
    """A host that raises, or returns what its entry doesn't say; the message is a sentence."""


class HostFunctions:
    """Looks functions up for `evaluate`, by name and output."""

    def __init__(self, derivations: Derivations) -> None:
        """`derivations` knows what a name stands for."""
        self.derivations = derivations
        self._loaded: dict[Host, Callable[..., Any]] = {}

    def __call__(self, name: str, output: str | None = None) -> Callable[..., Any]:
        """The function called `name` (or one of its outputs), of arrays and static values in the entry's order."""
        entry, index = self.derivations.lookup(name)
        host = self.derivations.host(entry, index)
        function = self.load(host)
        position = list(entry.results).index(output) if output is not None and entry.several else None

        def call(*args: Any, **keywords: Any) -> Any:
            given = dict(zip(entry.args, args, strict=False)) | keywords
            defaults = {name: argument.default for name, argument in entry.args.items() if argument.has_default}
            values = {name: given.get(name, defaults.get(name)) for name in entry.args}
            result = _call(function, entry, host.path, values)
            return result if position is None else result[position]

        return call

    def load(self, host: Host) -> Callable[..., Any]:
        """The callable of a host, stencils included. Raises `hosts.HostMissing`."""
        if host not in self._loaded:
            function = hosts.host(host.path)
            if host.batch != "elementwise":
                function = hosts.host("jaxscipy_ext.runtime.batching.batched")(function, host.batch)
            for options in host.stencils:
                function = hosts.host("jaxscipy_ext.runtime.stencil.stencil")(function, *options)
            self._loaded[host] = function
        return self._loaded[host]


def _call(function: Callable[..., Any], entry: Function, path: str, values: dict[str, Any]) -> Any:
    """Call a host as generated code does: kinds of arguments, static ones by keyword, shapes as it wants them."""
    kinds = {name: argument.kind for name, argument in entry.args.items()}
    arrays = [
        _of_kind(value, kinds[name], entry.name, name) for name, value in values.items() if kinds[name] != "static"
    ]
    static = {name: _python_value(value) for name, value in values.items() if kinds[name] == "static"}
    if entry.batch == "scalar":
        return _one_by_one(function, entry, path, arrays, static)
    if entry.batch == "same-shape":
        arrays = [array.copy() for array in np.broadcast_arrays(*arrays)]
    with _quiet():
        try:
            result = function(*map(_read_only, arrays), **static)
        except (ValueError, ArithmeticError) as error:
            if "read-only" in str(error):
                raise HostFailed(f"{path} writes into its arguments; copy them in it first") from None
            if entry.signature:
                raise HostFailed(f"{path} raises {_named(error)}; write another `check:` box or `signature:`") from None
        except (Exception, SystemExit) as error:
            advice = "; write batch: scalar for a host of Python numbers" if isinstance(error, TypeError) else ""
            raise HostFailed(f"{path} raises {_named(error)}{advice or _ELSEWHERE}") from error
        else:
            return _fitting(result, entry, path, arrays)
    return _one_by_one(function, entry, path, arrays, static)


_ELSEWHERE = "; correct it, or write a `check:` box where it works"


def _named(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _read_only(array: Any) -> Any:
    """As in generated code, where hosts see JAX's own memory."""
    if isinstance(array, np.ndarray):
        array = array.view()
        array.flags.writeable = False
    return array


def _fitting(result: Any, entry: Function, path: str, arrays: list[Any]) -> Any:
    """What a host returned, if it is what its entry says. Raises `HostFailed`."""
    outputs = len(entry.results)
    found = _sequence(result, outputs)
    if len(found) != outputs:
        word = f"{len(found)} values, the entry has {outputs}"
        raise HostFailed(f"{path} returns {word}; write outputs: with a name for each")
    shape = np.broadcast_shapes(*(np.shape(array) for array in arrays))
    is_real = not any(np.iscomplexobj(array) for array in arrays)
    values = tuple(map(np.asarray, found))
    for value, output in zip(values, entry.results.values(), strict=True):
        if value.dtype.kind not in "biufc":
            raise HostFailed(f"{path} returns no numbers ({value.dtype}); return an array of them")
        if entry.signature is None and value.shape != shape:
            message = f"{path} returns the shape {value.shape} for arguments of the shape {shape}"
            raise HostFailed(f"{message}; write batch: scalar, batch: same-shape or a signature:")
        if is_real and value.dtype.kind == "c" and output.dtype != "complex":
            raise HostFailed(f"{path} returns complex numbers for real ones; write dtype: complex for the output")
    return values if entry.several else values[0]


def _python_value(value: Any) -> Any:
    """A static value as the host gets it: integers in formulas are evaluated as floats."""
    if isinstance(value, np.generic):
        value = value.item()
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _one_by_one(
    function: Callable[..., Any], entry: Function, path: str, arrays: list[Any], static: dict[str, Any]
) -> Any:
    """`function` at every point; NaN at those that it raises at."""
    points, outputs = np.broadcast(*arrays), len(entry.results)
    columns: list[list[Any]] = [[] for _ in range(outputs)]
    with _quiet():
        for point in points:
            numbers = [x.item() for x in point] if entry.batch == "scalar" else point
            try:
                found = function(*numbers, **static)
            except (ValueError, ArithmeticError):
                found = (np.nan,) * outputs
            except (Exception, SystemExit) as error:
                raise HostFailed(f"{path} raises {_named(error)}{_ELSEWHERE}") from error
            row = _sequence(found, outputs)
            if len(row) != outputs or not all(np.ndim(x) == 0 and np.asarray(x).dtype.kind in "biufc" for x in row):
                raise HostFailed(f"{path} returns {found!r}; return one number for each of the {outputs} output(s)")
            for column, value in zip(columns, row, strict=True):
                column.append(value)
    results = tuple(np.array(column).reshape(points.shape) for column in columns)
    return results if entry.several else results[0]


def _sequence(result: Any, outputs: int) -> tuple[Any, ...]:
    if isinstance(result, tuple) or (outputs > 1 and isinstance(result, list)):
        return tuple(result)
    return (result,)


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
