"""Several computations at the same points as one compiled program: a check spends most of its time in the compiler."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

Key = TypeVar("Key")
Outcome = list[NDArray[Any]] | Exception


def outcomes(runs: Mapping[Key, Callable[..., Any]], arrays: Sequence[jax.Array]) -> dict[Key, Outcome]:
    """The outputs of every run at `arrays`, under `jit`; in place of them what it raises while it is traced.

    If the program itself fails, a host has raised: every run is made alone then, to tell which.
    """
    refused: dict[Key, Exception] = {}

    def program(*arrays: jax.Array) -> list[list[jax.Array]]:
        found: list[list[jax.Array]] = []
        for key, run in runs.items():
            try:
                found.append(jax.tree.leaves(run(*arrays)))
            except Exception as error:  # noqa: BLE001  what is raised is what the check has found
                refused[key] = error
        return found

    try:
        found = iter([list(map(np.asarray, leaves)) for leaves in jax.jit(program)(*arrays)])
    except Exception as error:  # noqa: BLE001
        if len(runs) == 1:
            return dict.fromkeys(runs, error)
        return {key: outcome for key, run in runs.items() for outcome in outcomes({key: run}, arrays).values()}
    return {key: refused[key] if key in refused else next(found) for key in runs}


def outputs_of(outcome: Outcome) -> list[NDArray[Any]]:
    """The outputs of a run. Raises what it has raised."""
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def tangent(f: Callable[..., Any], k: int, direction: complex) -> Callable[..., Any]:
    """The run of the derivative in argument `k` along a direction, forward."""

    def run(*arrays: jax.Array) -> Any:
        x = arrays[k]
        return jax.jvp(_of(f, k, arrays), (x,), (jnp.full_like(x, direction),))[1]

    return run


def second_tangent(f: Callable[..., Any], i: int, j: int) -> Callable[..., Any]:
    """The run of the second derivative in the arguments `i` and `j`."""
    return tangent(tangent(f, i, 1.0), j, 1.0)


def pulled_back(f: Callable[..., Any], k: int) -> Callable[..., Any]:
    """The run of the derivative in argument `k`, reverse: for cotangents 1 and, where an output is complex, i."""

    def run(*arrays: jax.Array) -> list[jax.Array]:
        value, pull = jax.vjp(_of(f, k, arrays), arrays[k])
        return [pull(jax.tree.map(lambda leaf, unit=unit: cotangent(leaf, unit), value))[0] for unit in units(value)]

    return run


def units(outputs: Any) -> tuple[complex, ...]:
    """The cotangents that tell all about a derivative."""
    return (1.0, 1j) if any(map(np.iscomplexobj, jax.tree.leaves(outputs))) else (1.0,)


def cotangent(output: Any, unit: complex) -> Any:
    """The cotangent for one output: `unit` for a complex one, 1 for a real one."""
    return np.full(output.shape, unit if np.iscomplexobj(output) else 1.0, output.dtype)


def _of(f: Callable[..., Any], k: int, arrays: Sequence[jax.Array]) -> Callable[[jax.Array], Any]:
    """The function of argument `k` alone."""
    return lambda x: f(*arrays[:k], x, *arrays[k + 1 :])
