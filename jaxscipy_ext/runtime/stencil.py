"""Derivatives of a host function in a parameter, by wide-step central differences in float64 on the host.

With 2m = 16 points the truncation error is of order h^16 and a step of about a quarter of the function's scale reaches
1e-13 relative to the derivative. The step is chosen per point: of a geometric ladder the one with the smallest
estimated error (truncation from the embedded 12-point formula, rounding from the size of the values).

At an end of the domain and just above it, f(p + t^2) is an even function of t, and its central differences need nodes
on one side of p alone: d^n f/dp^n = n!/(2n)! d^2n/dt^2n. Nodes that crowd towards the end like squares make a formula
a hundred times less sensitive to rounding than equidistant ones on one side.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxscipy_ext._finite_differences import HALF_WIDTH, Formula, around, upward
from jaxscipy_ext.runtime.python_handler import description_of

_LEVELS, _LEVELS_BESIDE_A_POLE = 24, 44
"""Halvings of the widest step: to 6e-8, and to 6e-14 as long as that helps, beside a pole as near as 1e-12; few points
take more than ten."""
_WIDEST_STEP = 0.5
_RELATIVE_WIDEST_STEP = 1 / 16
_OFF_THE_INTEGERS = 1 - 2.0**-10
"""Whole steps from an integer meet integers alone, where a part of a function, as of I in its order, may vanish."""
_RESOLVED = 1e-8
"""From this relative error on, a step that does worse than a longer one ends the search."""
_LEVELS_TO_FIND = 9
"""Where the host has no finite values around after so many halvings, there are none ..."""
_LEVELS_TO_AN_END = 16
"""... unless it has one at the point itself, which may lie as near as 1e-4 to an end of the domain."""
_UNRESOLVED = 1e-3
"""A highest difference, over its weights' sum, of more than this part of the largest value tells of a pole among the
nodes, which neither formula need notice: a derivative's weight at the middle is 0, and sides of equal size cancel."""
_BESIDE_THE_END = 1 / 4
"""Nearer to an end than this, steps that stay above it are short, and lose digits of higher derivatives first."""
_PRECISE = 1e-12
"""Relative error from which on a point beside an end needs no differences on one side."""
_BLOCK = 4096
"""Points per block: 17 nodes * 4096 points * 16 bytes is about 1 MB a level, whatever the input size."""


@functools.cache
def stencil(
    host: Callable[..., Any], argnum: int, order: int = 1, lower: float | None = None, poles: float | None = None
) -> "Stencil":
    """The `order`-th derivative of `host` in argument `argnum`, as a host function of the same arguments.

    `lower`: end of the domain in this argument; the points stay above it, and at the end itself, where `host` has a
    value there, the result is the derivative from above. `poles`: `host` has poles there and 1, 2, … below; without
    it, poles are noticed unless they are so weak that only a derivative shows them. The result is NaN where `host` is
    NaN at the points around, or has a pole among them. Mixed derivatives nest: `stencil(stencil(f, 0), 1)`.
    """
    return Stencil(host, argnum, order, lower, poles)


class Stencil:
    """See `stencil`. One object per (host, argument, order), so that JAX caches calls by identity."""

    def __init__(
        self, host: Callable[..., Any], argnum: int, order: int, lower: float | None, poles: float | None
    ) -> None:
        self.host, self.argnum, self.order, self.lower, self.poles = host, argnum, order, lower, poles
        self.__name__ = f"{getattr(host, '__name__', 'host')}_d{argnum}" + (f"_{order}" if order > 1 else "")

    @property
    def description(self) -> str | None:
        """The same text in every process for the same stencil, if the host has one."""
        host = description_of(self.host)
        return host and f"stencil({host}, {self.argnum}, {self.order}, {self.lower}, {self.poles})"

    def __call__(self, *args: Any, **static: Any) -> NDArray[Any] | tuple[NDArray[Any], ...]:
        values = self.with_error(*args, **static)[0]
        return tuple(values) if values.ndim > max(map(np.ndim, args)) else values

    def with_error(self, *args: Any, **static: Any) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """The derivative and its estimated absolute error (inf where none); several outputs on a first axis."""
        arrays = np.broadcast_arrays(*map(np.asarray, args))
        flat = [_widened(a, k == self.argnum).reshape(-1) for k, a in enumerate(arrays)]
        blocks = [
            self._block([a[start : start + _BLOCK] for a in flat], static)
            for start in range(0, max(flat[0].size, 1), _BLOCK)
        ]
        joined = (np.concatenate(column, axis=-1) for column in zip(*blocks, strict=True))
        values, errors = joined
        self._at_infinity(values, errors, flat, static)
        return values.reshape((*values.shape[:-1], *arrays[0].shape)), errors.reshape(
            (*errors.shape[:-1], *arrays[0].shape)
        )

    def _at_infinity(
        self, values: NDArray[Any], errors: NDArray[Any], args: list[NDArray[Any]], static: dict[str, Any]
    ) -> None:
        """Where the host is finite at an infinite parameter, it has reached its limit: the derivative there is 0."""
        far = np.flatnonzero(np.isinf(args[self.argnum]))
        if far.size:
            with np.errstate(all="ignore"):
                limit = np.isfinite(np.asarray(self.host(*(a[far] for a in args), **static)))
            values[..., far] = np.where(limit, 0, values[..., far])
            errors[..., far] = np.where(limit, 0, errors[..., far])

    def _block(self, args: list[NDArray[Any]], static: dict[str, Any]) -> tuple[NDArray[Any], NDArray[np.float64]]:
        p = args[self.argnum]
        widest = np.maximum(_WIDEST_STEP, np.abs(p) * _RELATIVE_WIDEST_STEP)
        central = around(self.order)
        with np.errstate(all="ignore"):
            if self.poles is not None:
                return self._between_poles(widest, self.poles, args, static)
            if self.lower is None:
                return self._search(central, widest, args, static)
            above = p - self.lower
            best, error = self._search(central, np.minimum(widest, above / (HALF_WIDTH + 1)), args, static)
            vague = (~(error <= _PRECISE * np.abs(best))).any(axis=tuple(range(best.ndim - 1)))
            beside = np.flatnonzero((above >= 0) & (above < _BESIDE_THE_END) & vague)
            if beside.size:
                one_sided, step = upward(self.order), widest[beside] * HALF_WIDTH / (2 * HALF_WIDTH) ** 2
                found, its_error = self._search(one_sided, step, [a[beside] for a in args], static)
                better = its_error < error[..., beside]
                best[..., beside] = np.where(better, found, best[..., beside])
                error[..., beside] = np.where(better, its_error, error[..., beside])
        return best, error

    def _between_poles(
        self, widest: NDArray[Any], poles: float, args: list[NDArray[Any]], static: dict[str, Any]
    ) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """The best of the steps whose points stay between two poles; near one, also of wider ones that agree.

        A weak pole may be invisible in values around it, but not in the derivative at a point close to it. Short steps
        are right and lose digits; where a wider one finds the same as far as these go, the pole is of no account.
        """
        formula, p = around(self.order), args[self.argnum]
        nearest = np.minimum(np.round(p - poles), 0) + poles
        short = np.minimum(widest, np.abs(p - nearest) / (HALF_WIDTH + 1))
        best, error = self._search(formula, short, args, static)
        vague = np.flatnonzero((~(error <= _PRECISE * np.abs(best))).any(axis=tuple(range(best.ndim - 1))))
        if vague.size:
            found, its_error = self._search(formula, widest[vague], [a[vague] for a in args], static)
            old, old_error = best[..., vague], error[..., vague]
            agrees = (its_error < old_error) & (np.abs(found - old) <= old_error)
            best[..., vague] = np.where(agrees, found, old)
            error[..., vague] = np.where(agrees, its_error, old_error)
        return best, error

    def _search(
        self, formula: Formula, widest: NDArray[Any], args: list[NDArray[Any]], static: dict[str, Any]
    ) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """The best of the steps `widest`, `widest`/2 …, per point, and its estimated error."""
        best = best_error = np.empty(0)
        left = np.arange(widest.size)
        for level in range(_LEVELS_BESIDE_A_POLE):
            # Steps are powers of two times p's own grain, so that p + k h is exact to rounding.
            h = np.exp2(np.floor(np.log2(widest[left])) - level)
            h = np.where(h >= 1, h * _OFF_THE_INTEGERS, h)
            estimate, truncation, rounding, defined = self._estimate(formula, [a[left] for a in args], h, static)
            error = truncation + rounding
            error[~np.isfinite(error)] = np.inf
            if level == 0:
                best, best_error = np.full_like(estimate, np.nan), np.full(estimate.shape, np.inf)
            old, old_error = best[..., left], best_error[..., left]
            better = error < old_error
            best[..., left] = np.where(better, estimate, old)
            best_error[..., left] = np.where(better, error, old_error)
            # smaller steps only add rounding errors, of the points' own or of the host
            # (infinite values at the nodes have no error yet, they only ask for a smaller step)
            done = (truncation <= rounding) & (error < np.inf) | (~better & (old_error <= _RESOLVED * np.abs(old)))
            hopeless = ~np.isfinite(estimate) & (level >= np.where(defined, _LEVELS_TO_AN_END, _LEVELS_TO_FIND))
            settled = done | hopeless | ((level >= _LEVELS) & ~better & (old_error <= _UNRESOLVED * np.abs(old)))
            left = left[~settled.all(axis=tuple(range(done.ndim - 1)))]
            if not left.size:
                break
        return best, best_error

    def _estimate(
        self, formula: Formula, args: list[NDArray[Any]], h: NDArray[Any], static: dict[str, Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[np.bool_]]:
        """The difference quotient with step `h`, errors of truncation and rounding, and if the point has a value."""
        nodes, p = formula.nodes, args[self.argnum]
        at_nodes = [a[None] for a in args]
        at_nodes[self.argnum] = p + nodes[:, None] * h
        values = self.host(*at_nodes, **static)
        shape = (nodes.size, *p.shape)
        if isinstance(values, tuple):
            values = np.stack([np.broadcast_to(output, shape) for output in values], axis=1)
        values = np.broadcast_to(values, (nodes.size, *values.shape[1:-1], *p.shape))
        fine, coarse = np.tensordot(formula.fine, values, 1), np.tensordot(formula.coarse, values, 1)
        scale = h**self.order
        largest = np.max(np.abs(values), axis=0)
        smooth = np.abs(np.tensordot(formula.highest_difference, values, 1)) <= _UNRESOLVED * largest
        truncation = np.where(smooth, np.abs(fine - coarse), np.inf)
        defined = np.isfinite(values[np.argmin(np.abs(nodes))])
        return fine / scale, truncation / scale, formula.noise * np.finfo(float).eps * largest / scale, defined


def _widened(array: NDArray[Any], parameter: bool) -> NDArray[Any]:
    """float64 or complex128; integers stay integers unless they are what is varied."""
    if array.dtype.kind == "c" and not parameter:
        return array.astype(np.complex128)
    return array if array.dtype.kind in "iub" and not parameter else array.astype(np.float64)
