"""Nodes and weights of Gauss quadrature rules (DLMF 3.5(v)), by the number of nodes.

The rules with shape parameters are differentiable in them: the nodes are zeros of a polynomial (implicit function
theorem), the weights a closed form of nodes and parameters.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array, custom_jvp
from jax.typing import ArrayLike

from jaxscipy_ext.composed.tables import python_integer, table
from jaxscipy_ext.hosts import sequences as hosts
from jaxscipy_ext.runtime import host_call
from jaxscipy_ext.special import gamma as _gamma
from jaxscipy_ext.special import orthogonal as _orthogonal

Weighted = tuple[Array, Array] | tuple[Array, Array, Array]


@table
def roots_legendre(n: int, mu: bool = False) -> Weighted:
    """Gauss-Legendre quadrature: the interval [-1, 1], weight 1."""


@table
def roots_sh_legendre(n: int, mu: bool = False) -> Weighted:
    """Gauss-Legendre quadrature on [0, 1], weight 1."""


@table
def roots_chebyt(n: int, mu: bool = False) -> Weighted:
    """Gauss-Chebyshev quadrature: [-1, 1], weight 1/sqrt(1 - x²)."""


@table
def roots_chebyu(n: int, mu: bool = False) -> Weighted:
    """Gauss-Chebyshev quadrature: [-1, 1], weight sqrt(1 - x²)."""


@table
def roots_chebyc(n: int, mu: bool = False) -> Weighted:
    """Gauss-Chebyshev quadrature: [-2, 2], weight 1/sqrt(1 - (x/2)²)."""


@table
def roots_chebys(n: int, mu: bool = False) -> Weighted:
    """Gauss-Chebyshev quadrature: [-2, 2], weight sqrt(1 - (x/2)²)."""


@table
def roots_sh_chebyt(n: int, mu: bool = False) -> Weighted:
    """Gauss-Chebyshev quadrature: [0, 1], weight 1/sqrt(x - x²)."""


@table
def roots_sh_chebyu(n: int, mu: bool = False) -> Weighted:
    """Gauss-Chebyshev quadrature: [0, 1], weight sqrt(x - x²)."""


@table
def roots_hermite(n: int, mu: bool = False) -> Weighted:
    """Gauss-Hermite quadrature: the real axis, weight exp(-x²)."""


@table
def roots_hermitenorm(n: int, mu: bool = False) -> Weighted:
    """Gauss-Hermite quadrature: the real axis, weight exp(-x²/2)."""


@table
def roots_laguerre(n: int, mu: bool = False) -> Weighted:
    """Gauss-Laguerre quadrature: x > 0, weight exp(-x)."""


p_roots = roots_legendre
ps_roots = roots_sh_legendre
t_roots = roots_chebyt
u_roots = roots_chebyu
c_roots = roots_chebyc
s_roots = roots_chebys
ts_roots = roots_sh_chebyt
us_roots = roots_sh_chebyu
h_roots = roots_hermite
he_roots = roots_hermitenorm
l_roots = roots_laguerre


@dataclass(frozen=True)
class _Rule:
    host: Callable[..., Any]
    polynomial: Callable[..., Array]
    """polynomial(n, x, *parameters), zero at the nodes."""
    log_weight: Callable[..., Array]
    """log_weight(n, x, *parameters) at the nodes."""


@functools.partial(custom_jvp, nondiff_argnums=(0, 1))
def _nodes_and_weights(rule: _Rule, n: int, parameters: tuple[Array, ...]) -> tuple[Array, Array]:
    signature = ",".join(["()"] * len(parameters)) + f"->({n}),({n})"
    outputs = ("same", "same")
    return host_call(rule.host, *parameters, outputs=outputs, signature=signature, static={"n": n}, batch="scalar")


@_nodes_and_weights.defjvp
def _jvp(rule: _Rule, n: int, primals: tuple[Any], tangents: tuple[Any]) -> Any:
    (parameters,), (slopes,) = primals, tangents
    x, w = _nodes_and_weights(rule, n, parameters)
    columns, column_slopes = (tuple(a[..., None] for a in arrays) for arrays in (parameters, slopes))
    polynomial = functools.partial(rule.polynomial, n)
    _, moved = jax.jvp(lambda *p: polynomial(x, *p), columns, column_slopes)
    _, slope = jax.jvp(lambda x: polynomial(x, *columns), (x,), (jnp.ones_like(x),))
    x_dot = -moved / slope
    _, log_w_dot = jax.jvp(functools.partial(rule.log_weight, n), (x, *columns), (x_dot, *column_slopes))
    return (x, w), (x_dot, w * log_w_dot)


def _jacobi(n: int, x: Array, alpha: Array, beta: Array) -> Array:
    return _orthogonal.eval_jacobi(n, alpha, beta, x)


def _jacobi_log_weight(n: int, x: Array, alpha: Array, beta: Array) -> Array:
    """Szegő, Orthogonal Polynomials, (15.3.1); P_n' by DLMF 18.9.15."""
    slope = (n + alpha + beta + 1) / 2 * _orthogonal.eval_jacobi(n - 1, alpha + 1, beta + 1, x)
    norm = _gamma.gammaln(n + alpha + 1) + _gamma.gammaln(n + beta + 1) - _gamma.gammaln(n + alpha + beta + 1)
    return norm + (alpha + beta + 1) * math.log(2) - jnp.log1p(-x * x) - 2 * jnp.log(jnp.abs(slope))


def _laguerre(n: int, x: Array, alpha: Array) -> Array:
    return _orthogonal.eval_genlaguerre(n, alpha, x)


def _laguerre_log_weight(n: int, x: Array, alpha: Array) -> Array:
    slope = _orthogonal.eval_genlaguerre(n - 1, alpha + 1, x)
    return _gamma.gammaln(n + alpha + 1) - jnp.log(x) - 2 * jnp.log(jnp.abs(slope))


_JACOBI = _Rule(hosts.roots_jacobi, _jacobi, _jacobi_log_weight)
_SHIFTED_JACOBI = _Rule(
    hosts.roots_sh_jacobi,
    lambda n, x, p, q: _jacobi(n, 2 * x - 1, p - q, q - 1),
    lambda n, x, p, q: _jacobi_log_weight(n, 2 * x - 1, p - q, q - 1) - p * math.log(2),
)
_GEGENBAUER = _Rule(
    hosts.roots_gegenbauer,
    lambda n, x, alpha: _jacobi(n, x, alpha - 0.5, alpha - 0.5),
    lambda n, x, alpha: _jacobi_log_weight(n, x, alpha - 0.5, alpha - 0.5),
)
_LAGUERRE = _Rule(hosts.roots_genlaguerre, _laguerre, _laguerre_log_weight)


def _roots(name: str, rule: _Rule, n: int, parameters: dict[str, ArrayLike], mu: Array | None) -> Weighted:
    arrays = [jnp.asarray(p) for p in parameters.values()]
    for argument, array in zip(parameters, arrays, strict=True):
        if array.ndim:
            raise ValueError(f"{name}: {argument!r} must be a scalar, got shape {array.shape}; use jax.vmap")
    dtype = jnp.result_type(float, *arrays)
    n = python_integer(name, "n", n)
    if n < 1:
        raise ValueError(f"{name}: n must be a positive integer, got {n}")
    x, w = _nodes_and_weights(rule, n, tuple(array.astype(dtype) for array in arrays))
    return (x, w) if mu is None else (x, w, mu)


def roots_jacobi(n: int, alpha: ArrayLike, beta: ArrayLike, mu: bool = False) -> Weighted:
    """n nodes and weights for (1-x)**alpha (1+x)**beta on [-1, 1]; with `mu` their sum too."""
    total = 2.0 ** (alpha + beta + 1) * _gamma.beta(alpha + 1, beta + 1) if mu else None  # type: ignore[operator]
    return _roots("roots_jacobi", _JACOBI, n, {"alpha": alpha, "beta": beta}, total)


def roots_sh_jacobi(n: int, p1: ArrayLike, q1: ArrayLike, mu: bool = False) -> Weighted:
    """n nodes and weights for (1-x)**(p1-q1) x**(q1-1) on [0, 1]; with `mu` their sum too."""
    total = _gamma.beta(p1 - q1 + 1, q1) if mu else None  # type: ignore[operator]
    return _roots("roots_sh_jacobi", _SHIFTED_JACOBI, n, {"p1": p1, "q1": q1}, total)


def roots_gegenbauer(n: int, alpha: ArrayLike, mu: bool = False) -> Weighted:
    """n nodes and weights for (1-x**2)**(alpha-1/2) on [-1, 1]; with `mu` their sum too."""
    total = _gamma.beta(alpha + 0.5, 0.5) if mu else None  # type: ignore[operator]
    return _roots("roots_gegenbauer", _GEGENBAUER, n, {"alpha": alpha}, total)


def roots_genlaguerre(n: int, alpha: ArrayLike, mu: bool = False) -> Weighted:
    """n nodes and weights for x**alpha exp(-x) on [0, inf); with `mu` their sum too."""
    total = _gamma.gamma(alpha + 1) if mu else None  # type: ignore[operator]
    return _roots("roots_genlaguerre", _LAGUERRE, n, {"alpha": alpha}, total)


j_roots, js_roots, cg_roots, la_roots = roots_jacobi, roots_sh_jacobi, roots_gegenbauer, roots_genlaguerre
