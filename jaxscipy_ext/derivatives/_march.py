"""Analytic continuation of a function and its parameter derivative by Taylor steps of their differential equation.

If w'' = P w' + Q w holds with coefficients that are rational in z and in a parameter, then the Taylor coefficients of w
and of dw/dparameter at a regular point follow from a recurrence and its derivative ("dual" recurrence), and the sums of
the two series give both at a point nearby. Steps are stable in directions where w does not decay against the other
solution.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

State = tuple[Any, Any, Any, Any]
"""w, dw, w', dw', where d is the derivative in the parameter."""

_MOST_STEPS = 5_000
_RANGE = 1e100
_NEGLIGIBLE = 1e-20


def march(
    start: Any,
    target: Any,
    state: State,
    parameters: tuple[Any, ...],
    length: Callable[..., Any],
    next_terms: Callable[..., tuple[Any, Any]],
    *,
    terms: int,
    memory: int = 2,
    decay: bool = False,
    log_scale: Any = None,
) -> State:
    """Continue `state` from `start` to `target` along straight lines in the (real or complex) plane.

    `length(z, *parameters)` is the longest step for which `terms` terms are enough. `next_terms(k, z, h, c, s,
    *parameters)` returns the coefficients of h^(k+2) in w and dw, times h^(k+2); `c` and `s` hold the last `memory`
    ones of each, in order, ending with k + 1. With `decay` the state is that of exp(-z) times w, dw, w' and dw'. With
    `log_scale`, an array that is updated, the state is exp(-log_scale) times these, and stays in float64's range.
    Points that do not arrive within 5000 steps become NaN.
    """
    z = start.copy()
    result = [np.array(q, np.result_type(q, target), copy=True) for q in state]
    left = np.flatnonzero(z != target)
    for _ in range(_MOST_STEPS):
        if not left.size:
            break
        here, parameters_here = z[left], [p[left] for p in parameters]
        gap = target[left] - here
        distance, longest = np.abs(gap), length(here, *parameters_here)
        if (longest * _MOST_STEPS < distance).any():  # out of reach: do not even start
            left = _give_up(result, left, longest * _MOST_STEPS < distance)
            continue
        last = ~(longest < distance)
        h = np.where(last, gap, gap * (longest / distance))
        f, g, f_slope, g_slope = (q[left] for q in result)
        stepped = _taylor_step(here, h, (f, g, f_slope, g_slope), parameters_here, next_terms, terms, memory)
        factor = np.exp(-h) if decay else 1.0
        if log_scale is not None:
            size = np.max(np.abs(stepped), axis=0)
            factor = np.where((size > _RANGE) | ((size < 1 / _RANGE) & (size > 0)), 1 / size, factor)
            log_scale[left] -= np.log(factor)
        for q, new in zip(result, stepped, strict=True):
            q[left] = new * factor
        z[left] = here + h
        left = left[~last]
    _give_up(result, left, np.ones(left.size, bool))
    return tuple(result)  # type: ignore[return-value]


def _give_up(result: list[Any], left: Any, hopeless: Any) -> Any:
    for q in result:
        q[left[hopeless]] = np.nan
    return left[~hopeless]


def _taylor_step(
    z: Any,
    h: Any,
    state: State,
    parameters: list[Any],
    next_terms: Callable[..., tuple[Any, Any]],
    terms: int,
    memory: int,
) -> State:
    f, g, f_slope, g_slope = state
    padding = [np.zeros_like(f)] * (memory - 2)
    c, s = [*padding, f, f_slope * h], [*padding, g, g_slope * h]
    f, g, f_slope, g_slope = f + c[-1], g + s[-1], c[-1], s[-1]
    for k in range(terms):
        c_next, s_next = next_terms(k, z, h, c, s, *parameters)
        c, s = [*c[1:], c_next], [*s[1:], s_next]
        f, g = f + c_next, g + s_next
        f_slope, g_slope = f_slope + (k + 2) * c_next, g_slope + (k + 2) * s_next
        if k % 8 == 7 and _settled(c, f, f_slope) and _settled(s, g, g_slope):
            break
    return f, g, f_slope / h, g_slope / h


def _settled(terms: list[Any], total: Any, slope: Any) -> bool:
    size = sum(np.abs(t) for t in terms)
    return bool(np.all(size <= _NEGLIGIBLE * (np.abs(total) + np.abs(slope))))
