"""Verification runs: one function of the specs, in one precision, on one backend, against everything that is known.

Values are compared with the host's, derivatives with extrapolated differences of the host and, where the entry has a
formula that mpmath can evaluate, with mpmath's. The points lie in the entry's `check` box, on one line through it per
argument (those are plotted), and at special places: 0, 1, -1 and the ends of the domain.
"""

import contextlib
import functools
import importlib
import importlib.util
import signal
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
from numpy.typing import NDArray

from jaxscipy_codegen import _resources, trees
from jaxscipy_codegen.derive import Derivations
from jaxscipy_codegen.host_functions import HostFunctions
from jaxscipy_codegen.hosts import is_available
from jaxscipy_codegen.load import load
from jaxscipy_codegen.model import Function, Library
from jaxscipy_codegen.reference import NoReference, reference
from jaxscipy_codegen.sampling import sample_points, static_choices

DTYPES = ("float32", "float64", "complex128")
BACKENDS = ("auto", "native", "callback")

_EXACT = 30
"""Digits of mpmath's derivatives."""
_PATIENCE = 1.0
"""Seconds for mpmath's derivatives of one function in one precision; some of its series take minutes at a point."""
_RTOL = {"float64": 1e-6, "float32": 2e-4}
"""Of first derivatives; some of SciPy's functions are themselves good to seven digits only."""
_CORE = 3
"""Size of core dimensions in sample arrays."""


@dataclass(frozen=True)
class Settings:
    """What a run checks, of every function."""

    specs: tuple[str, ...] = ()
    """Spec files of the user's; none: the shipped ones."""
    package: str | None = None
    """The folder of the modules that were generated from them."""
    transforms: tuple[str, ...] = ()
    """Empty: all of them (in float32 values and first derivatives only)."""
    points: int = 16
    seed: int = 0
    device: str = "cpu"

    def options(self) -> list[str]:
        """Their words on the command line, where they differ from the default."""
        words = [f"--points {self.points}"] if self.points != Settings.points else []
        words += [f"--seed {self.seed}"] if self.seed else []
        words += [f"--device {self.device}"] if self.device != "cpu" else []
        return words + [f"--spec {spec}" for spec in self.specs]


@dataclass(frozen=True)
class Task:
    """One function in one precision on one backend."""

    name: str
    dtype: str
    backend: str


@dataclass(frozen=True)
class Slice:
    """What a plot shows: along one argument (the others fixed) a value or derivative, what it should be, its error."""

    argument: str
    what: str
    x: NDArray[np.float64]
    got: NDArray[Any]
    expected: NDArray[Any]
    error: NDArray[np.float64]


@dataclass(frozen=True)
class Result:
    """What one task found."""

    task: Task
    module: str
    checks: tuple[Any, ...]
    """Of `jaxscipy_ext.testing.Check`."""
    seconds: float
    command: str
    arguments: tuple[str, ...] = ()
    slices: tuple[Slice, ...] = field(default=(), repr=False)

    @property
    def passed(self) -> bool:
        return all(check.passed for check in self.checks)

    @property
    def failures(self) -> list[Any]:
        """The failed checks; those that explain others come first (an impure host, then values, then derivatives)."""
        return [check for check in self.checks if not check.passed]

    def as_json(self) -> dict[str, Any]:
        """The result in JSON's types; infinite errors are the string "inf"."""
        return {
            "function": self.task.name,
            "module": self.module,
            "dtype": self.task.dtype,
            "backend": self.task.backend,
            "passed": self.passed,
            "seconds": round(self.seconds, 3),
            "command": self.command,
            "checks": [
                {
                    "what": check.what,
                    "transform": check.transform,
                    "passed": check.passed,
                    "error": check.error if np.isfinite(check.error) else "inf",
                    "points": check.points,
                    "note": check.note,
                    "worst": self._worst(check),
                }
                for check in self.checks
            ],
        }

    def _worst(self, check: Any) -> dict[str, Any] | None:
        if check.worst is None:
            return None
        inputs = dict(zip(self.arguments, map(repr, check.worst.inputs), strict=False))
        return {"inputs": inputs, "expected": repr(check.worst.expected), "got": repr(check.worst.got)}


def tasks(names: Sequence[str], settings: Settings, dtypes: Sequence[str], backends: Sequence[str]) -> list[Task]:
    """All tasks, grouped by backend (changing it makes JAX forget what it compiled). Raises `SpecError`, `KeyError`."""
    library, derivations = _library(settings.specs)
    own = [name for module in library for name, f in module.definitions.items() if f.public and is_available(f)]
    unknown = [name for name in names if name not in library.names]
    if unknown:
        raise KeyError(unknown[0])
    chosen = list(dict.fromkeys(library[name].name for name in names)) or own
    return [
        Task(name, dtype, backend)
        for backend in backends
        for name in chosen
        for dtype in dtypes
        if dtype != "complex128" or _complex_arguments(derivations.library[name])
    ]


def no_gpu() -> str:
    """Why there is no GPU to run on; empty if there is one."""
    import jax

    try:
        return "" if jax.devices("gpu") else "no GPU: jax.devices('gpu') is empty"
    except RuntimeError as error:
        return f"no GPU ({error}); install jax[cuda12] there, or leave --device out"


def known_names(settings: Settings) -> frozenset[str]:
    """Every name that can be checked."""
    return _library(settings.specs)[0].names


def _library(specs: tuple[str, ...]) -> tuple[Library, Derivations]:
    return _loaded(specs, Path.cwd())


@functools.cache
def _loaded(specs: tuple[str, ...], _folder: Path) -> tuple[Library, Derivations]:
    shipped = load([_resources.specs()])
    library = load(specs, context=shipped) if specs else shipped
    return library, Derivations(library)


def _complex_arguments(function: Function) -> list[str]:
    return [name for name, arg in function.args.items() if arg.kind in ("complex", "always-complex")]


# -------------------------------------------------------------------------------------------------------- one function


def run(task: Task, settings: Settings) -> Result:
    """Check one function. What is raised on the way is a failed check; nothing is raised here."""
    started = time.perf_counter()
    library, derivations = _library(settings.specs)
    function = library[task.name]
    testing = importlib.import_module("jaxscipy_ext.testing")
    config = importlib.import_module("jaxscipy_ext").config
    command = " ".join(["jaxscipy-ext check", task.name, f"--dtype {task.dtype}", *settings.options()])
    if task.backend != "auto":
        command += f" --backend {task.backend}"
    module = library.module_of(task.name).module
    checks: list[Any] = []
    slices: list[Slice] = []
    if function.callback == "debug":
        note = "a debug host returns nothing: nothing to compare"
        checks.append(testing.Check("value", True, 0.0, 0, note=note, transform="value"))
    else:
        before, config.backend = config.backend, task.backend
        try:
            with _on(settings.device):
                for static in static_choices(function) if _has_static(function) else [()]:
                    found = _Run(function, derivations, task, settings, dict(static))
                    checks += found.checks(_function(task.name, settings))
                    slices = slices or found.slices(checks)
        finally:
            config.backend = before
    names = tuple(name for name, arg in function.args.items() if not arg.static)
    return Result(task, module, tuple(checks), time.perf_counter() - started, command, names, tuple(slices))


def _has_static(function: Function) -> bool:
    return any(arg.static for arg in function.args.values())


@contextlib.contextmanager
def _on(device: str) -> Generator[None, None, None]:
    import jax

    with jax.default_device(jax.devices(device)[0]):
        yield


def _function(name: str, settings: Settings) -> Callable[..., Any]:
    """The JAX function: ours, or that of the modules generated from the user's specs."""
    if settings.package is None:
        return getattr(importlib.import_module("jaxscipy_ext"), name)
    folder = Path(settings.package)
    if folder.name not in sys.modules:
        spec = importlib.util.spec_from_file_location(folder.name, folder / "__init__.py")
        assert spec is not None and spec.loader is not None
        sys.modules[folder.name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[folder.name])
    return getattr(sys.modules[folder.name], name)


class _Run:
    """The points of a function, and its checks there."""

    def __init__(
        self, function: Function, derivations: Derivations, task: Task, settings: Settings, static: Mapping[str, Any]
    ) -> None:
        self.function, self.derivations, self.task = function, derivations, task
        self.settings, self.static = settings, static
        self.names = [name for name, arg in function.args.items() if not arg.static]
        self.hosts = HostFunctions(derivations)
        self.blocks: dict[str, slice] = {}
        self.core = _core_shapes(function)
        self.points = self._arrays() if any(self.core) else self._points()

    # -------------------------------------------------------------------------------------------------------- points

    def _points(self) -> dict[str, NDArray[Any]]:
        function, count = self.function, self.settings.points
        box = function.box
        spread = sample_points(function, count, self.settings.seed)
        parts: dict[str, list[Any]] = {name: [np.asarray(spread[name])] for name in self.names}
        middle = {name: _middle(function, name, low, high) for name, (low, high) in box.items()}
        start = count
        for moving in self.names:
            low, high = box[moving]
            kind = function.args[moving].kind
            line = np.linspace(low, high, 2 * count)
            line = np.unique(np.round(line)) if kind == "integer" else line
            places = np.concatenate([line, self._special(moving)])
            self.blocks[moving] = slice(start, start + len(line))
            start += len(places)
            for name in self.names:
                values = places if name == moving else np.full(len(places), middle[name])
                parts[name].append(values.astype(np.int64) if function.args[name].kind == "integer" else values)
        return {name: self._of_dtype(name, np.concatenate(values)) for name, values in parts.items()}

    def _special(self, name: str) -> NDArray[np.float64]:
        """0, 1 and -1 inside the box, and the ends of the domain that belong to it."""
        domain = self.function.args[name].domain
        low, high = self.function.box[name]
        places = {place for place in (0.0, 1.0, -1.0) if low <= place <= high}
        places |= {end for end in (domain.lower, domain.upper) if np.isfinite(end)}
        return np.array(sorted(place for place in places if place in domain))

    def _of_dtype(self, name: str, values: NDArray[Any]) -> NDArray[Any]:
        kind = self.function.args[name].kind
        if kind == "always-complex" or (kind == "complex" and self.task.dtype == "complex128"):
            return values.astype(np.complex128)
        return np.real(values) if values.dtype.kind == "c" else values

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """Arrays with core dimensions in the box."""
        rng = np.random.default_rng(self.settings.seed)
        found = {}
        for name, core in zip(self.names, self.core, strict=True):
            low, high = self.function.box[name]
            values = rng.uniform(low, high, (self.settings.points, *core))
            found[name] = np.round(values).astype(np.int64) if self.function.args[name].kind == "integer" else values
        return found

    # -------------------------------------------------------------------------------------------------------- checks

    def checks(self, f: Callable[..., Any]) -> list[Any]:
        """All checks, static arguments fixed."""
        testing = importlib.import_module("jaxscipy_ext.testing")
        precision = "float32" if self.task.dtype == "float32" else "float64"
        default = ("value", "jit", "vmap", "grad") if precision == "float32" else testing.TRANSFORMS
        report = testing.check_function(
            self._with_static(f),
            *self.points.values(),
            host=self._with_static(self._host()),
            transforms=self.settings.transforms or default,
            dtype=precision,
            rtol=_RTOL[precision],
            name=self.function.name,
            argnames=self.names,
            argnums=None if self.function.callback == "pure" else [],
            holomorphic=self._holomorphic(),
            reference=self._reference(),
            core_ranks=[len(core) for core in self.core],
            pure=self.function.callback == "pure",
        )
        if not self.static:
            return list(report.checks)
        words = ", ".join(f"{name}={value!r}" for name, value in self.static.items())
        return [
            testing.Check(**{**vars(check), "note": "; ".join(filter(None, [words, check.note]))})
            for check in report.checks
        ]

    def _with_static(self, call: Callable[..., Any]) -> Callable[..., Any]:
        if not self.static:
            return call

        def fixed(*arrays: Any) -> Any:
            values = {**dict(zip(self.names, arrays, strict=True)), **self.static}
            return call(*(values[name] for name in self.function.args))

        return fixed

    def _host(self) -> Callable[..., Any]:
        single = self.hosts(self.function.name)
        if not self.function.signature:
            return single
        return self.hosts.load(self.derivations.host(self.function, {}))

    def _holomorphic(self) -> list[int]:
        partials = self.derivations.definition(self.function.name).partials
        smooth = [
            name
            for name, partial in partials.items()
            if partial.rules and not any(isinstance(rule, trees.RealLinear) for rule in partial.rules)
        ]
        return [
            k
            for k, name in enumerate(self.names)
            if self.function.args[name].kind == "complex" and name in smooth and self.points[name].dtype.kind != "c"
        ]

    def _reference(self) -> Callable[[int, Sequence[int]], list[complex] | None] | None:
        """mpmath's derivatives, at points where the formula agrees with the host (it may choose other branches)."""
        outputs = list(self.function.results)
        try:
            exact = [reference(self.derivations.library, self.function.name, output) for output in outputs]
        except NoReference:
            return None
        hosts = [self.hosts(self.function.name, output) for output in outputs]
        arrays = list(self.points.values())
        precision = np.float32 if self.task.dtype == "float32" else np.float64
        left = [_PATIENCE]

        def at(index: int, orders: Sequence[int]) -> list[complex] | None:
            if left[0] <= 0:
                return None
            started = time.perf_counter()
            point = [a[index].astype(precision).item() if a.dtype.kind == "f" else a[index].item() for a in arrays]
            values = {**dict(zip(self.names, point, strict=True)), **self.static}
            try:
                with _patience(left[0]), mpmath.workdps(_EXACT):
                    return [self._derivative(f, h, values, orders) for f, h in zip(exact, hosts, strict=True)]
            except Exception:  # noqa: BLE001  mpmath gives up in many ways
                return None
            finally:
                left[0] -= time.perf_counter() - started

        return at

    def _derivative(
        self, exact: Callable[..., Any], host: Callable[..., Any], values: Mapping[str, Any], orders: Sequence[int]
    ) -> complex:
        """The partial of `exact`. Raises `ValueError` where its value isn't the host's, or not a number."""
        point = [values[name] for name in self.function.args]
        result = np.asarray(host(*map(np.asarray, point)))
        own, theirs, is_complex = complex(exact(*point)), complex(result), result.dtype.kind == "c"
        if not abs(own - theirs) <= 1e-7 * max(abs(own), 1e-300):
            raise ValueError("another branch, or a host that is off")
        moving = [name for name, order in zip(self.names, orders, strict=True) if order]
        steps = tuple(order for order in orders if order)

        def along(*args: Any) -> Any:
            moved = {**values, **dict(zip(moving, args, strict=True))}
            return exact(*(moved[name] for name in self.function.args))

        start = [mpmath.mpmathify(values[name]) for name in moving]
        where, order = (start[0], steps[0]) if len(start) == 1 else (tuple(start), steps)
        found = complex(mpmath.diff(along, where, order))
        with mpmath.workdps(_EXACT + 15):
            again = complex(mpmath.diff(along, where, order))
        # mpmath takes differences with a step that depends on the digits: at kinks and poles they disagree.
        if not abs(found - again) <= 1e-10 * abs(again):
            raise ValueError("no derivative there")
        if not is_complex and abs(again.imag) > 1e-10 * abs(again):
            raise ValueError("another branch")
        return again if is_complex else again.real

    # --------------------------------------------------------------------------------------------------------- plots

    def slices(self, checks: Sequence[Any]) -> list[Slice]:
        """The value and every derivative along every argument."""
        found: list[Slice] = []
        by_name = {check.what: check for check in reversed(checks)}
        for name, block in self.blocks.items():
            for what in ("value", f"d/d{name}"):
                check = by_name.get(what)
                if check is None or not check.series:
                    continue
                x = np.real(self.points[name][block]).astype(float)
                for k, series in enumerate(check.series):
                    label = what if len(check.series) == 1 else f"{what}, {list(self.function.results)[k]}"
                    found.append(Slice(name, label, x, series.got[block], series.expected[block], series.error[block]))
        return found


def _middle(function: Function, name: str, low: float, high: float) -> float:
    """A place inside the box, off its middle, which is often a symmetry point."""
    return float((low + high) // 2) if function.args[name].kind == "integer" else low + 0.618 * (high - low)


def _core_shapes(function: Function) -> list[tuple[int, ...]]:
    """The core dimensions of every array argument in numbers."""
    arrays = [name for name, arg in function.args.items() if not arg.static]
    if not function.signature:
        return [()] * len(arrays)
    core_dims = importlib.import_module("jaxscipy_ext.runtime.core_dims")
    signature = core_dims.parse_signature(function.signature)
    return [tuple(int(d) if d.isdigit() else _CORE for d in core) for core in signature.inputs]


@contextlib.contextmanager
def _patience(seconds: float) -> Generator[None, None, None]:
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
