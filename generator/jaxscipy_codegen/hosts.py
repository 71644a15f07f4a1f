"""The host functions that specs name: importing them, and whether they fit their entries. A pass after `load`."""

import contextlib
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any

import numpy as np
import scipy

from jaxscipy_codegen.errors import Problem, SpecError, did_you_mean
from jaxscipy_codegen.model import Discrete, Function, Kernel, Library, Unavailable


class HostMissing(ImportError):
    """A host that can't be imported; the message says why and what to write instead."""


def host(path: str) -> Callable[..., Any]:
    """The function at a dotted path. Raises `HostMissing`."""
    module_name, name = path.rsplit(".", 1)
    module = _module(module_name)
    try:
        found = getattr(module, name)
    except AttributeError:
        hint = did_you_mean(name, [known for known in dir(module) if not known.startswith("_")])
        raise HostMissing(f"{module_name} has no '{name}'; {hint or 'write the path of a function'}") from None
    if not callable(found):
        raise HostMissing(f"{path} is a {type(found).__name__}, not a function; write the path of a function")
    if str(getattr(found, "__module__", None)).partition(".")[0] in ("jax", "jaxlib"):
        raise HostMissing(f"{path} is a JAX function and can't run on the host; write its NumPy or SciPy counterpart")
    return found


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # whatever a foreign module raises is the reason why it can't be used
        with contextlib.suppress(Exception):
            return _beside_generated_code(name)
        # The last part may be a class or another object that holds the function.
        owner, _, attribute = name.rpartition(".")
        if owner and isinstance(error, ModuleNotFoundError) and error.name == name:
            found = getattr(_module(owner), attribute, None)
            if found is not None:
                return found
        reason = f"{type(error).__name__}: {error}"
        raise HostMissing(f"{name} can't be imported ({reason}); install it, or write another path") from error


def _beside_generated_code(name: str) -> Any:
    """A module of a package whose `__init__` fails, without running that.

    Kernels live beside the generated modules: while those are missing or broken, the generator must still find them.
    """
    package = name.partition(".")[0]
    spec = PathFinder.find_spec(package)
    if "." not in name or package in sys.modules or spec is None or spec.submodule_search_locations is None:
        raise ImportError(name)
    bare = ModuleType(package)
    bare.__path__ = list(spec.submodule_search_locations)
    sys.modules[package] = bare
    try:
        return importlib.import_module(name)
    finally:
        # The next import of the package itself must run its `__init__` again.
        del sys.modules[package]


def is_available(function: Function) -> bool:
    """Whether the installed SciPy is new enough for an entry."""
    return function.since is None or _numbers(scipy.__version__) >= _numbers(function.since)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])


def check_hosts(library: Library) -> None:
    """Raises `SpecError` with every entry whose host or kernel is missing or takes other arguments."""
    problems = [problem for module in library for f in module.definitions.values() for problem in _problems(f)]
    if problems:
        raise SpecError(problems)


def _problems(function: Function) -> Iterator[Problem]:
    if not is_available(function):
        return
    top = f"functions.{function.name}"
    try:
        found = host(function.host_path)
    except HostMissing as error:
        advice = "" if function.host else ", or say host:"
        yield Problem(function.place("host"), f"{top}.host", f"{error}{advice}")
    else:
        for key, message in _misfits(function, found, function.host_path):
            yield Problem(function.place(key), f"{top}.{key}", message)
    for name, argument in function.args.items():
        way = argument.derivative
        if isinstance(way, Kernel):
            path = ("args", name, "derivative", "kernel")
            try:
                misfits = list(_misfits(function, host(way.kernel), way.kernel))
            except HostMissing as error:
                misfits = [("", str(error))]
            for _, message in misfits:
                yield Problem(function.place(*path), ".".join((top, *path)), message)


def _misfits(function: Function, found: Callable[..., Any], path: str) -> Iterator[tuple[str, str]]:
    """What doesn't fit between an entry and a host: the key it is about and a sentence."""
    arrays = [name for name, argument in function.args.items() if not argument.static]
    if isinstance(found, np.ufunc):
        if found.nin != len(arrays) or len(arrays) < len(function.args):
            message = f"{path} takes {found.nin} arrays, the entry has {len(arrays)} ({', '.join(arrays)})"
            static = " and static ones" if len(arrays) < len(function.args) else ""
            yield "args", f"{message}{static}; write one argument for each array"
        if found.nout != len(function.results):
            several = "outputs: with a name for each" if found.nout > 1 else "no outputs:"
            message = f"{path} returns {found.nout} arrays, the entry {len(function.results)}; write {several}"
            yield ("outputs" if function.several else "host"), message
        for name in arrays if found.signature and not function.signature else ():
            if function.mixes(name, found.signature) and not isinstance(function.way(name), Unavailable | Discrete):
                message = f"{path} mixes elements along core dimensions {found.signature}, so that the partial in "
                yield "args", f"{message}{name} isn't elementwise; write derivative: {{unavailable: …}} for {name}"
        return
    try:
        signature = inspect.signature(found)
    except ValueError:
        return  # compiled, and doesn't tell its arguments
    try:
        signature.bind(*arrays, **{name: None for name, argument in function.args.items() if argument.static})
    except TypeError as error:
        message = f"{path}{signature} can't be called with {', '.join(function.args)} ({error}); write its arguments"
        yield "args", message
