"""Counting functions (DLMF 24, 26): Python integers with `exact=True`, else arrays, by gamma functions."""

import operator
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.core import Tracer
from jax.typing import ArrayLike
from scipy import special as scipy_special

from jaxscipy_ext.composed.tables import flag
from jaxscipy_ext.runtime import host_call
from jaxscipy_ext.special import gamma as _gamma


def comb(N: ArrayLike, k: ArrayLike, *, exact: bool = False, repetition: bool = False) -> Any:
    """Number of ways to choose k of N things, with or without repetition (DLMF 26.3).

    N and k are real; outside 0 <= k <= N the result is 0. Differentiable in both. `exact=True` takes Python integers
    and returns one.
    """
    repetition = flag("comb", "repetition", repetition)
    if flag("comb", "exact", exact):
        return _exactly(scipy_special.comb, "comb", N, k, repetition=repetition)
    N, k = _real("comb", N=N, k=k)
    if repetition:
        return jnp.where((k == 0) & (N >= 0), 1.0, _gamma.binom(N + k - 1, k))
    return _inside((k <= N) & (N >= 0) & (k >= 0), _gamma.binom, N, k)


def perm(N: ArrayLike, k: ArrayLike, exact: bool = False) -> Any:
    """Number of ordered selections of k of N things, N!/(N - k)! (DLMF 26.3); 0 outside 0 <= k <= N.

    Differentiable in both. `exact=True` takes Python integers and returns one.
    """
    if flag("perm", "exact", exact):
        return _exactly(scipy_special.perm, "perm", N, k)
    N, k = _real("perm", N=N, k=k)
    return _inside((k <= N) & (N >= 0) & (k >= 0), lambda N, k: _gamma.poch(N - k + 1, k), N, k)


def factorial(n: ArrayLike, exact: bool = False, extend: str = "zero") -> Any:
    """n! = Gamma(n + 1); 0 for n < 0, or with `extend="complex"` the analytic function of complex n.

    `exact=True` takes integers that are known while tracing and returns Python integers or an integer array.
    """
    exact = flag("factorial", "exact", exact)
    _check_extend(exact, extend)
    if exact:
        return _exactly(scipy_special.factorial, "factorial", n)
    n = _number("factorial", n, complex_too=extend == "complex")
    if extend == "complex":
        return _gamma.gamma(n + 1)
    return _inside(~(n < 0), lambda n: _gamma.gamma(n + 1), n)


def factorial2(n: ArrayLike, exact: bool = False, extend: str = "zero") -> Any:
    """Double factorial n (n-2) (n-4) … of integers; with `extend="complex"` the analytic function (DLMF 5.4.2)."""
    return _multifactorial("factorial2", n, 2, exact, extend)


def factorialk(n: ArrayLike, k: int, exact: bool = False, extend: str = "zero") -> Any:
    """Multifactorial n (n-k) (n-2k) … of integers for a Python integer k >= 1.

    With `extend="complex"` the analytic function k**((n-1)/k) Gamma(n/k + 1)/Gamma(1/k + 1), which differs from it
    where n is not 1 modulo k.
    """
    return _multifactorial("factorialk", n, operator.index(k), exact, extend)


def _multifactorial(name: str, n: ArrayLike, k: int, exact: bool, extend: str) -> Any:
    exact = flag(name, "exact", exact)
    _check_extend(exact, extend)
    if k < 1:
        raise ValueError(f"{name}: k must be a positive integer, got {k}")
    if exact:
        return _exactly(scipy_special.factorialk, name, n, k)
    n = _number(name, n, complex_too=extend == "complex")
    if extend == "complex":
        return k ** (n / k) * _gamma.gamma(n / k + 1) * scipy_special.rgamma(1 / k + 1) / k ** (1 / k)
    if jnp.issubdtype(n.dtype, np.inexact):
        raise TypeError(
            f"{name} takes integers, got {n.dtype}; write extend='complex' for the analytic function of real numbers"
        )
    n = n.astype(jnp.result_type(float))
    rest = n % k
    of_rest = rest / k + 1
    value = k ** ((n - rest) / k) * _gamma.gamma(n / k + 1) / _gamma.gamma(of_rest) * jnp.maximum(rest, 1)
    return jnp.where(n < 0, 0.0, value)


def stirling2(N: ArrayLike, K: ArrayLike, *, exact: bool = False) -> Any:
    """Stirling number of the second kind (DLMF 26.8): partitions of N things into K sets, of integers N and K.

    `exact=True` takes integers known while tracing and returns Python integers or an integer array.
    """
    if flag("stirling2", "exact", exact):
        return _exactly(scipy_special.stirling2, "stirling2", N, K)
    N, K = jnp.asarray(N), jnp.asarray(K)
    for argument in (N, K):
        if not jnp.issubdtype(argument.dtype, np.integer):
            raise TypeError(f"stirling2 takes integers, got {argument.dtype}")
    return host_call(scipy_special.stirling2, N, K, outputs=(np.dtype(jnp.result_type(float)).name,))


def bernoulli(n: int) -> Array:
    """The Bernoulli numbers B_0 … B_n (DLMF 24.2) for a Python integer n."""
    return jnp.asarray(scipy_special.bernoulli(operator.index(n)), dtype=jnp.result_type(float))


def euler(n: int) -> Array:
    """The Euler numbers E_0 … E_n (DLMF 24.2) for a Python integer n."""
    return jnp.asarray(scipy_special.euler(operator.index(n)), dtype=jnp.result_type(float))


def _number(name: str, value: ArrayLike, complex_too: bool) -> Array:
    try:
        array = jnp.asarray(value)
    except TypeError:
        raise TypeError(f"{name} takes numbers, got {value!r}; write a number or an array of numbers") from None
    if jnp.issubdtype(array.dtype, np.complexfloating) and not complex_too:
        raise TypeError(f"{name} takes real numbers, got {array.dtype}; write extend='complex' for complex ones")
    return array


def _real(name: str, **values: ArrayLike) -> tuple[Array, ...]:
    arrays = [_number(name, value, complex_too=False) for value in values.values()]
    dtype = jnp.result_type(float, *arrays)
    return tuple(array.astype(dtype) if array.dtype != dtype else array for array in arrays)


def _inside(inside: Array, function: Callable[..., Array], *args: Array) -> Array:
    """The function where `inside` holds, 0 elsewhere, with operands that keep its derivatives finite there."""
    return jnp.where(inside, function(*(jnp.where(inside, arg, 1) for arg in args)), 0.0)


def _check_extend(exact: bool, extend: str) -> None:
    if extend not in ("zero", "complex"):
        raise ValueError(f"extend is {extend!r}; write 'zero' or 'complex'")
    if exact and extend == "complex":
        raise ValueError("exact=True counts with integers; leave out extend='complex'")


def _exactly(host: Callable[..., Any], name: str, *args: Any, **options: Any) -> Any:
    """SciPy's integer arithmetic of unlimited size, outside of JAX."""
    if any(isinstance(arg, Tracer) for arg in args):
        raise TypeError(f"{name}: exact=True needs integers that are known while tracing; leave it out inside jit")
    plain = [np.asarray(arg)[()] if isinstance(arg, jax.Array) else arg for arg in args]
    result = host(*plain, exact=True, **options)
    if isinstance(result, np.ndarray) and result.dtype != object:
        return jnp.asarray(result)
    return result
