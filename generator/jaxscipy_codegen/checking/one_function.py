"""One function of the specs, in one precision, on one backend, against everything that is known.

Values are compared with the host's, derivatives with extrapolated differences of the host and, where the entry has a
formula that mpmath can evaluate, with mpmath's.
"""

import contextlib
import functools
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import jax
import numpy as np

import jaxscipy_ext
from jaxscipy_codegen import trees
from jaxscipy_codegen.checking.exact import exact_derivatives
from jaxscipy_codegen.checking.known_exceptions import exempt
from jaxscipy_codegen.checking.own_modules import generated_function
from jaxscipy_codegen.checking.points import Points, points_of
from jaxscipy_codegen.checking.results import Result, Slice
from jaxscipy_codegen.checking.roots import root_errors
from jaxscipy_codegen.checking.settings import Settings, Task, library_of
from jaxscipy_codegen.derive import Derivations
from jaxscipy_codegen.host_functions import HostFunctions
from jaxscipy_codegen.model import Function
from jaxscipy_codegen.sampling import static_choices
from jaxscipy_ext.runtime.config import Backend
from jaxscipy_ext.testing import TRANSFORMS, Check, check_function

_RTOL = {"float64": 1e-6, "float32": 2e-4}
"""Of first derivatives; some of SciPy's functions are themselves good to seven digits only."""
_IN_FLOAT32 = ("value", "jit", "vmap", "grad")


def no_gpu() -> str:
    """Why there is no GPU to run on; empty if there is one."""
    try:
        return "" if jax.devices("gpu") else "no GPU: jax.devices('gpu') is empty"
    except RuntimeError as error:
        return f"no GPU ({error}); install jax[cuda12] there, or leave --device out"


def run(task: Task, settings: Settings) -> Result:
    """Check one function. What is raised on the way is a failed check; nothing is raised here."""
    started = time.perf_counter()
    library, derivations = library_of(settings)
    function = library[task.name]
    checks: list[Check] = []
    slices: list[Slice] = []
    if function.callback == "debug":
        note = "a debug host returns nothing: nothing to compare"
        checks.append(Check("value", True, 0.0, 0, note=note, transform="value"))
    else:
        points = points_of(function, task.dtype, settings.points, settings.seed)
        with _backend(task.backend), jax.default_device(jax.devices(settings.device)[0]):
            for static in _static_values(function):
                checks += _checks(function, derivations, task, settings, points, static)
                slices = slices or _slices(function, points, checks)
    return Result(
        task,
        library.module_of(task.name).module,
        tuple(checks),
        time.perf_counter() - started,
        _command(task, settings),
        tuple(name for name, arg in function.args.items() if not arg.static),
        tuple(slices),
    )


def _command(task: Task, settings: Settings) -> str:
    """What shows the same again."""
    backend = [] if task.backend == "auto" else [f"--backend {task.backend}"]
    return " ".join(["jaxscipy-ext check", task.name, f"--dtype {task.dtype}", *settings.options(), *backend])


@contextlib.contextmanager
def _backend(name: Backend) -> Generator[None, None, None]:
    before, jaxscipy_ext.config.backend = jaxscipy_ext.config.backend, name
    try:
        yield
    finally:
        jaxscipy_ext.config.backend = before


def _static_values(function: Function) -> list[dict[str, Any]]:
    has_static = any(arg.static for arg in function.args.values())
    return [dict(choice) for choice in static_choices(function)] if has_static else [{}]


def _checks(
    function: Function,
    derivations: Derivations,
    task: Task,
    settings: Settings,
    points: Points,
    static: Mapping[str, Any],
) -> list[Check]:
    """All checks, static arguments fixed; their values are in the notes."""
    hosts = HostFunctions(derivations)
    precision = "float32" if task.dtype == "float32" else "float64"
    pure = function.callback == "pure"
    names = list(points.arrays)
    ours = generated_function(task.name, settings.package) if settings.package else getattr(jaxscipy_ext, task.name)
    host = hosts.load(derivations.host(function, {})) if function.signature else hosts(function.name)
    known = exempt(function, hosts, points.arrays, static)
    report = check_function(
        _fixed(ours, function, names, static),
        *points.arrays.values(),
        host=_fixed(host, function, names, static),
        transforms=settings.transforms or (_IN_FLOAT32 if precision == "float32" else TRANSFORMS),
        dtype=precision,
        rtol=_RTOL[precision],
        name=function.name,
        argnames=names,
        argnums=None if pure else [],
        holomorphic=_holomorphic(function, derivations, points),
        reference=known.reference(
            exact_derivatives(function, derivations.library, hosts, points.arrays, static, precision)
        ),
        core_ranks=points.core_ranks,
        host_errors=known.errors(root_errors(function, hosts, points.arrays)),
        pure=pure,
    )
    words = ", ".join(f"{name}={value!r}" for name, value in static.items())
    return [
        replace(check, note="; ".join(filter(None, [words, check.note, known.note if _of_derivative(check) else ""])))
        for check in report.checks
    ]


def _of_derivative(check: Check) -> bool:
    """Whether it compares derivatives with the host's."""
    return check.transform in ("jvp", "hessian")


def _fixed(
    call: Callable[..., Any], function: Function, names: Sequence[str], static: Mapping[str, Any]
) -> Callable[..., Any]:
    """`call` as a function of its array arguments alone."""
    if not static:
        return call

    @functools.wraps(call)
    def fixed(*arrays: Any) -> Any:
        values = {**dict(zip(names, arrays, strict=True)), **static}
        return call(*(values[name] for name in function.args))

    return fixed


def _holomorphic(function: Function, derivations: Derivations, points: Points) -> list[int]:
    """The real arguments in which the host is holomorphic, as far as the rules tell."""
    partials = derivations.definition(function.name).partials
    smooth = [
        name
        for name, partial in partials.items()
        if partial.rules and not any(isinstance(rule, trees.RealLinear) for rule in partial.rules)
    ]
    return [
        k
        for k, (name, array) in enumerate(points.arrays.items())
        if function.args[name].kind == "complex" and name in smooth and array.dtype.kind != "c"
    ]


def _slices(function: Function, points: Points, checks: Sequence[Check]) -> list[Slice]:
    """The value and every derivative along every argument."""
    found: list[Slice] = []
    by_name = {check.what: check for check in reversed(checks)}
    for name, line in points.lines.items():
        for what in ("value", f"d/d{name}"):
            check = by_name.get(what)
            if check is None or not check.series:
                continue
            x = np.real(points.arrays[name][line]).astype(float)
            for output, series in zip(function.results, check.series, strict=True):
                label = what if len(check.series) == 1 else f"{what}, {output}"
                found.append(Slice(name, label, x, series.got[line], series.expected[line], series.error[line]))
    return found
