"""What is timed: each task makes, from a contender and a subject, a function without arguments that does it once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
from contenders import SCIPY, Function, Subject

SCAN_LENGTH = 1000


@dataclass(frozen=True)
class Task:
    name: str
    build: Callable[[Function, Subject], Callable[[], Any]]
    per: int = 1
    """How many evaluations one run holds: times are divided by it."""
    for_scipy: bool = True
    """Whether plain SciPy can do it."""


def _jitted(program: Function, x: Any) -> Callable[[], Any]:
    compiled = jax.jit(program)
    argument = jnp.asarray(x)
    return lambda: jax.block_until_ready(compiled(argument))


def _array(size: int) -> Callable[[Function, Subject], Callable[[], Any]]:
    def build(function: Function, subject: Subject) -> Callable[[], Any]:
        x = subject.sample(size)
        return (lambda: function(x)) if function is subject.scipy else _jitted(function, x)

    return build


def _scalar(function: Function, subject: Subject) -> Callable[[], Any]:
    x = sum(subject.interval) / 3
    return (lambda: function(x)) if function is subject.scipy else _jitted(function, x)


def _scan(function: Function, subject: Subject) -> Callable[[], Any]:
    def program(x: Any) -> Any:
        return jax.lax.scan(lambda total, x: (total + function(x), None), jnp.zeros(()), x)[0]

    return _jitted(program, subject.sample(SCAN_LENGTH))


def _value_and_grad(function: Function, subject: Subject) -> Callable[[], Any]:
    return _jitted(jax.value_and_grad(lambda x: function(x).sum()), subject.sample(10_000))


def _hessian(function: Function, subject: Subject) -> Callable[[], Any]:
    return _jitted(jax.hessian(lambda x: function(x).sum()), subject.sample(30))


def tasks(largest: int) -> list[Task]:
    """All tasks, with arrays of up to 10**`largest` elements."""
    return [
        Task("jitted call", _scalar),
        Task("scan step", _scan, SCAN_LENGTH, for_scipy=False),
        *(Task(f"10^{k} elements", _array(10**k)) for k in range(2, largest + 1)),
        Task("value_and_grad of 10^4", _value_and_grad, for_scipy=False),
        Task("hessian of 30", _hessian, for_scipy=False),
    ]


def takes_part(task: Task, contender: str) -> bool:
    return task.for_scipy or contender != SCIPY
