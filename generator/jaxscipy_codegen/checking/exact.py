"""A second witness: derivatives of a function's formula in mpmath, where that can evaluate it in reasonable time."""

import contextlib
import signal
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

import mpmath
import numpy as np
from numpy.typing import NDArray

from jaxscipy_codegen.host_functions import HostFunctions
from jaxscipy_codegen.model import Function, Library
from jaxscipy_codegen.reference import NoReference, reference

_DIGITS = 30
_PATIENCE = 1.0
"""Seconds for one function in one precision; some of mpmath's series take minutes at a point."""
_SAME = 1e-7
"""Relative distance at which the formula's value counts as the host's: else it is on another branch."""
_STEADY = 1e-10
"""Relative distance at which two derivatives with other steps count as one."""


class ExactDerivatives:
    """Derivatives at a point by its number: what `check_function` takes as its `reference`."""

    def __init__(
        self,
        function: Function,
        library: Library,
        hosts: HostFunctions,
        arrays: Mapping[str, NDArray[Any]],
        static: Mapping[str, Any],
        precision: Any,
    ) -> None:
        """Raises `NoReference` if the entry says nothing that mpmath can evaluate."""
        self.function, self.static, self.names = function, static, list(arrays)
        self._exact = [reference(library, function.name, output) for output in function.results]
        self._hosts = [hosts(function.name, output) for output in function.results]
        self._arrays = [a.astype(precision) if a.dtype.kind == "f" else a for a in arrays.values()]
        self._left = _PATIENCE

    def __call__(self, index: int, orders: Sequence[int]) -> list[complex] | None:
        """One number per output; None where mpmath has none, or where its patience is at an end."""
        if self._left <= 0:
            return None
        started = time.perf_counter()
        values = {**{name: a[index].item() for name, a in zip(self.names, self._arrays, strict=True)}, **self.static}
        steps = {name: order for name, order in zip(self.names, orders, strict=True) if order}
        try:
            with _at_most(self._left), mpmath.workdps(_DIGITS):
                return [_derivative(self.function, *pair, values, steps) for pair in self._pairs]
        except Exception:  # noqa: BLE001  mpmath gives up in many ways
            return None
        finally:
            self._left -= time.perf_counter() - started

    @property
    def _pairs(self) -> list[tuple[Callable[..., Any], Callable[..., Any]]]:
        return list(zip(self._exact, self._hosts, strict=True))


def exact_derivatives(*args: Any) -> ExactDerivatives | None:
    """Those of a function (see `ExactDerivatives`); None where mpmath can't evaluate it."""
    try:
        return ExactDerivatives(*args)
    except NoReference:
        return None


def _derivative(
    function: Function,
    exact: Callable[..., Any],
    host: Callable[..., Any],
    values: Mapping[str, Any],
    steps: Mapping[str, int],
) -> complex:
    """The partial of `exact`. Raises `ValueError` where its value isn't the host's, or not a number."""
    point = [values[name] for name in function.args]
    result = np.asarray(host(*map(np.asarray, point)))
    own, theirs, is_complex = complex(exact(*point)), complex(result), result.dtype.kind == "c"
    if not abs(own - theirs) <= _SAME * max(abs(own), 1e-300):
        raise ValueError("another branch, or a host that is off")

    def along(*args: Any) -> Any:
        moved = {**values, **dict(zip(steps, args, strict=True))}
        return exact(*(moved[name] for name in function.args))

    start = tuple(mpmath.mpmathify(values[name]) for name in steps)
    where, order = (start[0], next(iter(steps.values()))) if len(start) == 1 else (start, tuple(steps.values()))
    found = complex(mpmath.diff(along, where, order))
    with mpmath.workdps(_DIGITS + 15):
        again = complex(mpmath.diff(along, where, order))
    # mpmath takes differences with a step that depends on the digits: at kinks and poles they disagree.
    if not abs(found - again) <= _STEADY * abs(again):
        raise ValueError("no derivative there")
    if not is_complex and abs(again.imag) > _STEADY * abs(again):
        raise ValueError("another branch")
    return again if is_complex else again.real


@contextlib.contextmanager
def _at_most(seconds: float) -> Generator[None, None, None]:
    """`TimeoutError` after that time, where the system has alarms and this is the main thread."""

    def give_up(_signal: int, _frame: Any) -> None:
        raise TimeoutError

    try:
        old = signal.signal(signal.SIGALRM, give_up)
    except (AttributeError, ValueError):
        yield
        return
    # Again and again: an alarm inside a destructor or a callback of the garbage collector is swallowed.
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.01), 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
