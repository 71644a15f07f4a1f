"""Every formula is checked against the host it is the derivative of, before anything is written.

The error estimate of the numerical derivative is part of the tolerance, so that a host that is only good to ten digits
doesn't make a right rule look wrong.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxscipy_codegen import hosts, trees
from jaxscipy_codegen.contradictions.difference import Difference, Point, numerical_derivative
from jaxscipy_codegen.derive import Definition, Partial
from jaxscipy_codegen.errors import Problem
from jaxscipy_codegen.evaluate import evaluate
from jaxscipy_codegen.host_functions import ComplexRefused, HostFailed, HostFunctions
from jaxscipy_codegen.model import SINGLE, Function, Given, Kernel
from jaxscipy_codegen.sampling import sample_points, static_choices

POINTS = 24
TOLERANCE = 1e-6
"""Relative to the larger of both values. Wrong rules are wrong in the first digits somewhere; the slopes of some of
SciPy's approximations and of inverses that stop early are only good to six."""
CONCLUSIVE = 1e-4
"""Differences whose estimated error is relatively larger say nothing."""


def problems(definition: Definition, host_functions: HostFunctions) -> Iterator[Problem]:
    """One problem for every partial of a function of the specs that its host contradicts."""
    function = definition.function
    if definition.index or function.callback != "pure" or function.signature or not hosts.is_available(function):
        return
    for arg, partial in definition.partials.items():
        if not partial.rules or partial.way == "stencil":
            continue
        path = f"functions.{function.name}.args.{arg}"
        for choice in static_choices(function):
            try:
                message = _contradiction(definition, arg, partial, dict(choice), host_functions)
            except ComplexRefused as error:
                message = f"{error}; write a rule for complex arguments, or domain: real"
            except HostFailed as error:
                key = ("args", arg, "derivative") if partial.way == "kernel" else ("host",)
                yield Problem(function.place(*key), f"functions.{function.name}.{'.'.join(key)}", str(error))
                return
            if message:
                yield Problem(function.place("args", arg, "derivative"), path, message)
                break


def _contradiction(
    definition: Definition, arg: str, partial: Partial, static: Mapping[str, Any], host_functions: HostFunctions
) -> str:
    """The sentence that a partial is wrong, with the worst point; empty if it is right."""
    function = definition.function
    points = {**sample_points(function, POINTS), **static}
    outputs = list(function.results)
    primal = {output: host_functions(function.name, output)(*points.values()) for output in outputs}
    numbered = {f"F{k}": value for k, value in enumerate(primal.values())}
    values = {**primal, **(numbered if function.several else {}), **points}
    is_complex = function.args[arg].domain.kind == "complex"
    checked = False
    for output, rule in zip(outputs, partial.rules, strict=True):
        host = host_functions(function.name, output)
        for direction in (1, 1j) if is_complex else (1,):
            expected = _along(rule, direction, values, host_functions)
            if partial.way == "inverse":
                difference = _implicit(function, primal[output], points, arg, direction, host_functions)
            else:
                difference = numerical_derivative(host, points, arg, direction)
            worst, conclusive = _worst(expected, difference)
            checked |= conclusive
            if worst is not None:
                return _sentence(function, arg, output, partial, points, worst, expected, difference, direction)
    if not checked:
        box = ", ".join(f"{name} in [{low:g}, {high:g}]" for name, (low, high) in function.box.items())
        return f"the rule could not be checked at any point of {box}; write a `check:` box where the host is smooth"
    return ""


def _along(rule: Any, direction: complex, values: Mapping[str, Any], host_functions: HostFunctions) -> NDArray[Any]:
    """The change of the output for a change `direction` of the argument, by the rule."""
    if not isinstance(rule, trees.RealLinear):
        return np.asarray(evaluate(rule, values, host_functions)) * direction
    total = np.asarray(evaluate(rule.holomorphic, values, host_functions)) * direction
    for part, share in ((rule.real, np.real(direction)), (rule.imag, np.imag(direction))):
        if part is not None:
            total = total + np.asarray(evaluate(part, values, host_functions)) * share
    return total


def _implicit(
    function: Function, root: Any, points: Point, arg: str, direction: complex, host_functions: HostFunctions
) -> Difference:
    """The derivative of an inverse, from differences of the function it inverts at the root that the host returns.

    Roots that a host finds to a few digits are no smooth function; the equation that they solve is.
    """
    inverse = function.inverse
    assert inverse is not None
    of = host_functions.derivations.library[inverse.of]
    forward = host_functions(of.name)
    at_root = {
        name: root if name == inverse.argument else points[name]
        for name in of.args
        if name in (*points, inverse.argument)
    }
    slope = numerical_derivative(forward, at_root, inverse.argument, 1)
    with np.errstate(all="ignore"):
        if arg == inverse.value_in(function.args, of.args):
            value = direction / slope.value
            return Difference(value, np.abs(value) * slope.error / np.abs(slope.value))
        change = numerical_derivative(forward, at_root, arg, direction)
        value = -change.value / slope.value
        error = (change.error + np.abs(value) * slope.error) / np.abs(slope.value)
    return Difference(value, np.where(np.isfinite(error), error, np.inf))


def _worst(expected: NDArray[Any], difference: Difference) -> tuple[int | None, bool]:
    """The point that contradicts most, if any; and whether any point said something."""
    expected = np.broadcast_to(expected, difference.value.shape)
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(expected), np.abs(difference.value))
        size = np.where(np.isnan(size), np.abs(difference.value), size)
        conclusive = difference.error <= CONCLUSIVE * np.abs(difference.value) + 1e-12
        allowed = TOLERANCE * size + 20 * difference.error + 1e-13
        gap = np.abs(expected - difference.value)
        excess = np.where(np.isfinite(gap), gap / allowed, np.inf)
    excess = np.where(conclusive, excess, 0.0)
    worst = int(np.argmax(excess))
    return (worst if excess[worst] > 1 else None), bool(conclusive.any())


def _sentence(
    function: Function,
    arg: str,
    output: str,
    partial: Partial,
    points: Point,
    worst: int,
    expected: NDArray[Any],
    difference: Difference,
    direction: complex,
) -> str:
    at = ", ".join(f"{name} = {_shown(_at(value, worst))}" for name, value in points.items())
    what = function.name if output == SINGLE else f"output {output} of {function.name}"
    side = " along the imaginary axis" if direction == 1j else ""
    ruled, found = _at(expected, worst), difference.value[worst]
    match function.way(arg):
        case Kernel(kernel=text):
            to_correct = "the kernel"
        case Given():
            text, to_correct = partial.text, "the rule"
        case _:
            text, to_correct = partial.text, f"the entry, or write a rule for {arg}"
    return (
        f"the {partial.way} partial {_short(text)} of {what} in {arg} is wrong{side}: "
        f"at {at} it gives {_shown(ruled)}, the host's numerical derivative is {_shown(found)} "
        f"(+- {difference.error[worst]:.0e}); correct {to_correct}"
    )


def _short(text: str, width: int = 120) -> str:
    return text if len(text) <= width else f"{text[:width]}…"


def _at(value: Any, index: int) -> Any:
    array = np.asarray(value)
    return array[index] if array.ndim else array[()]


def _shown(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, (float, complex, np.number)) else repr(value)
