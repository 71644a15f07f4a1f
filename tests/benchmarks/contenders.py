"""The same functions by different means, all as `f(x)` of one array: ours, JAX's recipe for SciPy, and peers.

A peer that isn't installed, or lacks the function, is left out. Orders and parameters are fixed, since some peers want
them as Python numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special as sc

import jaxscipy_ext as jse
from jaxscipy_ext.runtime import native

jax.config.update("jax_enable_x64", True)

Function = Callable[[Any], Any]

NATIVE, CALLBACK, RECIPE, SCIPY, JAX = "jse native", "jse callback", "JAX docs' callback", "SciPy", "jax.scipy.special"


@dataclass(frozen=True)
class Subject:
    """One function of one variable on an interval, with who can compute it."""

    name: str
    interval: tuple[float, float]
    ours: Function
    scipy: Function
    recipe: Function
    peers: dict[str, Callable[[], Function]]

    def sample(self, size: int) -> np.ndarray[Any, Any]:
        return np.linspace(*self.interval, size)

    def contenders(self) -> dict[str, Function]:
        """Ours first, on both paths; each function is a new object, so that `jit` caches don't mix the paths up."""
        found: dict[str, Function] = {}
        if native.status().available:
            found[NATIVE] = _on("native", self.ours)
        found |= {CALLBACK: _on("callback", self.ours), RECIPE: self.recipe, SCIPY: self.scipy}
        for name, load in self.peers.items():
            try:
                function = load()
            except (ImportError, AttributeError):
                continue
            found[name] = function
        return found


def _on(backend: str, function: Function) -> Function:
    """`function`, traced for one of our paths (the setting is read while tracing)."""

    def call(x: Any) -> Any:
        before, jse.config._backend = jse.config.backend, backend  # not by the setter: it would clear JAX's caches
        try:
            return function(x)
        finally:
            jse.config._backend = before

    return call


def callback_recipe(host: Callable[..., Any], slope: Callable[[Function, Any], Any]) -> Function:
    """A SciPy function as JAX's page "External callbacks" wraps it, with a derivative in terms of itself."""

    def value(x: Any) -> Any:
        result = jax.ShapeDtypeStruct(jnp.shape(x), x.dtype)
        return jax.pure_callback(lambda x: host(np.asarray(x)), result, x, vmap_method="broadcast_all")

    function = jax.custom_jvp(value)
    function.defjvp(lambda primals, tangents: (function(*primals), slope(function, *primals) * tangents[0]))
    return function


def _recipe_of_order(host: Callable[..., Any], slope: Callable[[Callable[[int], Function], Any], Any]) -> Function:
    """The same for a Bessel function of order 3/2, whose slope needs neighbours."""

    def of(shift: int) -> Function:
        return callback_recipe(lambda x: host(1.5 + shift, x), lambda _, x: slope(lambda k: of(shift + k), x))

    return of(0)


def _peer(module: str, build: Callable[[Any], Function]) -> Callable[[], Function]:
    return lambda: build(import_module(module))


def _times_exp(function: Function) -> Function:
    return lambda x: jnp.exp(x) * function(x)


TFP = "tensorflow_probability.substrates.jax.math"

SUBJECTS = {
    subject.name: subject
    for subject in (
        Subject(
            "jv(1.5, x)",
            (0.1, 30.0),
            lambda x: jse.jv(1.5, x),
            lambda x: sc.jv(1.5, x),
            _recipe_of_order(sc.jv, lambda f, x: (f(-1)(x) - f(1)(x)) / 2),
            {
                "chebax": _peer("chebax", lambda m: m.besselj(1.5)),
                "jaxbessel": _peer("jaxbessel", lambda m: lambda x: x**1.5 * m.bessel_jv_over_xv(1.5, x)),
            },
        ),
        Subject(
            "kve(1.5, x)",
            (0.1, 30.0),
            lambda x: jse.kve(1.5, x),
            lambda x: sc.kve(1.5, x),
            _recipe_of_order(sc.kve, lambda f, x: f(0)(x) - (f(-1)(x) + f(1)(x)) / 2),
            {
                "tfp-nightly": _peer(TFP, lambda m: lambda x: m.bessel_kve(jnp.float64(1.5), x)),
                "chebax": _peer("chebax", lambda m: _times_exp(m.besselk(1.5))),
            },
        ),
        Subject(
            "k1(x)",
            (0.1, 30.0),
            jse.k1,
            sc.k1,
            callback_recipe(sc.k1, lambda f, x: -jse.k0(x) - f(x) / x),
            {"spexial": _peer("spexial", lambda m: m.k1)},
        ),
        Subject(
            "betainc(2.5, 1.5, x)",
            (0.01, 0.99),
            lambda x: jse.betainc(2.5, 1.5, x),
            lambda x: sc.betainc(2.5, 1.5, x),
            callback_recipe(
                lambda x: sc.betainc(2.5, 1.5, x), lambda _, x: x**1.5 * jnp.sqrt(1 - x) / float(sc.beta(2.5, 1.5))
            ),
            {
                JAX: lambda: lambda x: jax.scipy.special.betainc(2.5, 1.5, x),
                "tfp-nightly": _peer(TFP, lambda m: lambda x: m.betainc(2.5, 1.5, x)),
                "chebax": _peer("chebax", lambda m: m.betainc(2.5, 1.5)),
                "spexial": _peer(
                    "spexial", lambda m: lambda x: m.incomplete_beta(2.5, 1.5, x) / float(sc.beta(2.5, 1.5))
                ),
            },
        ),
        Subject(
            "gammaln(x)",
            (0.1, 30.0),
            jse.gammaln,
            sc.gammaln,
            callback_recipe(sc.gammaln, lambda _, x: jse.psi(x)),
            {JAX: lambda: jax.scipy.special.gammaln},
        ),
    )
}
