"""`wrap`: a host function as a JAX function without files, on the same runtime that generated modules use."""

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from jax import Array, custom_jvp

from jaxscipy_ext.runtime.effects import debug_call
from jaxscipy_ext.runtime.host_arguments import argument_defaults
from jaxscipy_ext.runtime.host_call import host_call
from jaxscipy_ext.runtime.promotion import Kind, promoted
from jaxscipy_ext.runtime.rules import Discrete, Partials, Unavailable, along, discrete, unavailable
from jaxscipy_ext.runtime.wrap_arguments import (
    check_core_dimensions,
    check_derivatives,
    check_host,
    check_outputs,
    kinds_of,
)

Derivative: TypeAlias = "Callable[..., Any] | str | Mapping[str, str] | Discrete | Unavailable"

# Formulas are read by the generator, which this package must not import: it is looked up by name, when it is wanted.
_FORMULAS = "jaxscipy_codegen.in_memory"
_EXTRA = 'pip install "jaxscipy_ext[generate]"'


def wrap(
    host: Callable[..., Any],
    *,
    derivatives: Mapping[str, Derivative] | None = None,
    formula: str | Mapping[str, str] | None = None,
    arguments: Mapping[str, Kind] | None = None,
    outputs: str | Sequence[str] | Mapping[str, str] | None = None,
    batch: str = "elementwise",
    vmap_method: str = "expand_dims",
    signature: str | None = None,
    callback: str = "pure",
    ordered: bool = False,
    name: str | None = None,
) -> Callable[..., Any]:
    """The JAX function that calls `host`: under jit, vmap, scan, and grad where there are derivatives.

        >>> import jax, numpy as np, jaxscipy_ext as jse
        >>> sinc = jse.wrap(np.sinc, derivatives={"x": lambda x: (jax.numpy.cos(jax.numpy.pi * x) - sinc(x)) / x})
        >>> round(float(jax.grad(sinc)(0.5)), 6)
        -1.27324

    Args:
      host: a NumPy ufunc, or a Python function of NumPy arrays (of single numbers with `batch="scalar"`). It must not
        call JAX, and a pure one must not have side effects. Keep one object: JAX's caches compare hosts by identity,
        and hosts are kept as long as the process. (In a loop, make what changes an argument, not a new closure; the
        programs of old ones, about 1.5 MB each, go with `jax.clear_caches()`.)
        Its arguments are XLA's own memory, which is used anew when it has returned: copy what is to be kept.
      derivatives: by argument, the partial derivative: a function of the same arguments in JAX terms (a tuple with one
        partial per output where there are several; a parameter named `out` receives the value), or a formula as in
        specs, for example `"(jv(v - 1, z) - jv(v + 1, z))/2"` (`F`: the value). Arguments without one raise
        `DerivativeUnavailable` when their derivative is asked for; integer ones have none. Nothing compares them with
        the host unasked: `jaxscipy_ext.testing.check_function(f, *points, host=host).raise_for_failures()` does.
      formula: the meaning in SymPy's names (per output, if they have names): derivatives that aren't given follow from
        it. Formulas need the generate extra.
      arguments: kinds that differ from what the host tells: `"real"`, `"complex"` (real or complex),
        `"always-complex"`, `"integer"` or `"static"` (a Python value, passed on as a keyword).
      outputs: for hosts that aren't ufuncs, the kind of the output (`"same"` as the arguments, `"real"`, `"complex"` or
        a dtype's name), or several of them; with names (`{"value": "same", "error": "real"}`) a named tuple comes out.
      batch: what shapes the host takes: `"elementwise"` (any that broadcast), `"same-shape"` or `"scalar"`.
      vmap_method: as for `jax.pure_callback`.
      signature: core dimensions of a host that isn't elementwise, `"(n),()->(n)"`.
      callback: `"pure"`, `"io"` (side effects; called exactly as often as the program says, no derivative) or
        `"debug"` (only looks; returns nothing).
      ordered: for `"io"` and `"debug"`: in the order of the program.
      name: what errors call the function; default: the host's own name.

    Raises `TypeError` or `ValueError` for what doesn't fit together, with what to write instead.
    """
    if not callable(host):
        raise TypeError(f"wrap needs a function, got {host!r}; write the function itself, not its name")
    name = name or str(getattr(host, "__name__", type(host).__name__))
    name = name if name.isidentifier() else "function"
    check_host(name, host, batch, vmap_method)
    kinds = kinds_of(name, host, arguments or {})
    derivatives = dict(derivatives or {})
    check_derivatives(name, kinds, derivatives, formula, callback, ordered)
    check_core_dimensions(name, host, signature, kinds, derivatives, formula)
    check_outputs(name, outputs)
    kind_of_output, result = _outputs(name, outputs)
    static = [argument for argument, kind in kinds.items() if kind == "static"]
    arrays = [argument for argument in kinds if argument not in static]
    parameters = _signature(host, kinds)

    def split(args: tuple[Any, ...]) -> tuple[list[Any], dict[str, Any]]:
        values = dict(zip(kinds, args, strict=True))
        return [values[argument] for argument in arrays], {argument: values[argument] for argument in static}

    if callback == "debug":

        @_shaped(name, parameters, host)
        def look(*args: Any) -> None:
            values, settings = split(args)
            debug_call(_with_settings(host, tuple(settings.items())), *values, ordered=ordered, name=name)

        return promoted(**kinds)(look)

    @functools.partial(
        custom_jvp, nondiff_argnums=tuple(k for k, kind in enumerate(kinds.values()) if kind == "static")
    )
    @_shaped(name, parameters, host)
    def core(*args: Any) -> Any:
        values, settings = split(args)
        found = host_call(
            host,
            *values,
            outputs=kind_of_output,
            batch=batch,
            vmap_method=vmap_method,
            signature=signature,
            static=settings,
            callback=callback,
            ordered=ordered,
            name=name,
        )
        return result(*found) if result is not None else found

    @_shaped(name, parameters, host)
    def function(*args: Any) -> Any:
        return core(*args)

    public = promoted(**kinds)(function)
    output_names = list(outputs) if isinstance(outputs, Mapping) else None
    n_out = host.nout if isinstance(host, np.ufunc) else len(kind_of_output or ("same",))
    along(core)(_table(name, kinds, derivatives, formula, callback, output_names, n_out, parameters, public))
    return public


def _outputs(name: str, outputs: Any) -> tuple[tuple[str, ...] | None, Callable[..., Any] | None]:
    """The kinds for `host_call`, and the class of the result where outputs have names."""
    if outputs is None:
        return None, None
    if isinstance(outputs, str):
        return (outputs,), None
    if isinstance(outputs, Mapping):
        words = [part.capitalize() for part in name.split("_")]
        fields = [(key, Array) for key in outputs]
        return tuple(outputs.values()), NamedTuple("".join([*words, "Result"]), fields)
    return tuple(outputs), None


def _signature(host: Callable[..., Any], kinds: Mapping[str, Kind]) -> inspect.Signature:
    defaults = argument_defaults(host)
    return inspect.Signature(
        [
            inspect.Parameter(
                argument,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=defaults.get(argument, inspect.Parameter.empty),
            )
            for argument in kinds
        ]
    )


def _shaped(name: str, signature: inspect.Signature, host: Callable[..., Any]) -> Callable[..., Any]:
    """Give a function of `*args` the name, signature and docstring that users and `inspect` see."""

    def decorate(function: Any) -> Any:
        function.__name__ = function.__qualname__ = name
        function.__signature__ = signature
        own = f"JAX function that calls the host {host!r}."
        function.__doc__ = f"{doc}\n\n{own}" if (doc := inspect.getdoc(host)) else own
        return function

    return decorate


@functools.cache
def _with_settings(host: Callable[..., Any], settings: tuple[tuple[str, Any], ...]) -> Callable[..., Any]:
    return functools.wraps(host)(functools.partial(host, **dict(settings))) if settings else host


def _table(
    name: str,
    kinds: Mapping[str, Kind],
    derivatives: Mapping[str, Derivative],
    formula: str | Mapping[str, str] | None,
    callback: str,
    output_names: list[str] | None,
    n_out: int,
    signature: inspect.Signature,
    public: Callable[..., Any],
) -> Callable[..., Partials]:
    """The function that gives the table of partials at given arguments."""
    rules = {argument: way for argument, way in derivatives.items() if isinstance(way, str | Mapping)}
    from_formulas: Callable[..., Partials] | None = None
    if rules or formula is not None:
        names = output_names or ([f"out{k}" for k in range(n_out)] if n_out > 1 else None)
        from_formulas = _reader(name)(name, kinds, rules, formula, names, public)
    missing = f"none was given; write derivatives={{'ARGUMENT': ...}} or formula=... in jse.wrap({name}, ...)"
    if callback == "io":
        missing = "an io host isn't pure; put jax.lax.stop_gradient around its inputs"

    def way(argument: str, args: tuple[Array, ...], formulas: Partials) -> Any:
        given = derivatives.get(argument)
        if isinstance(given, Discrete | Unavailable):
            return given
        if callable(given):
            return _called(given, args)
        if argument in formulas:
            return formulas[argument]
        return discrete if kinds[argument] == "integer" else unavailable(missing.replace("ARGUMENT", argument))

    @_shaped(name, signature, public)
    def partials(*args: Any) -> Partials:
        formulas = from_formulas(*args) if from_formulas is not None else {}
        return {argument: way(argument, args, formulas) for argument, kind in kinds.items() if kind != "static"}

    return partials


def _called(derivative: Callable[..., Any], args: tuple[Any, ...]) -> Callable[..., Any]:
    """A derivative that the user wrote as a function, as the runtime calls it: with the outputs."""
    try:
        wants_value = "out" in inspect.signature(derivative).parameters
    except (TypeError, ValueError):
        wants_value = False
    if not wants_value:
        return lambda *outputs: derivative(*args)

    def with_value(out: Any, *others: Any) -> Any:
        return derivative(*args, out=(out, *others) if others else out)

    return with_value


def _reader(name: str) -> Callable[..., Callable[..., Partials]]:
    try:
        return importlib.import_module(_FORMULAS).partials
    except ImportError as error:
        raise ImportError(
            f"{name}: formulas need {error.name}, which isn't installed; run\n    {_EXTRA}\n"
            f"or write the derivatives as functions: derivatives={{'x': lambda x: ...}}"
        ) from None
