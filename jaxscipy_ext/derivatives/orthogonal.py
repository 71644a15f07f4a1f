"""Derivatives of the orthogonal polynomials, at real degree n, in degree and shape parameters; Legendre functions.

Each is a quotient of gamma functions times 2F1 or 1F1 (DLMF 18.5.7-18.5.12, 14.3.4), and the derivative is that of the
product; `gauss` and `confluent` give function and derivative together. At integer degree the shape derivatives are
polynomials, the degree derivatives are not: with a logarithm at x = -1, infinite there and NaN beyond for real x.

Attained, against mpmath, relative to the derivative: 5e-12 for 0 <= n <= 40, shapes in (-1, 20), -0.99 <= x <= 3.
"""

from collections.abc import Callable
from itertools import zip_longest
from typing import Any

import numpy as np
import scipy.special as sc

from ._numerics import Mask, Real, by_region, digamma, kernel, rgamma_d
from .confluent import confluent, confluent_slope
from .gauss import gauss, gauss_slope

_ORDER_LIMIT = 170
_LONGEST_SUM = 100
Factor = tuple[Real, float]
"""The argument of a gamma function, and its derivative."""


def _gamma_quotient(above: list[Factor], below: list[Factor]) -> tuple[Real, Real]:
    """Product of Gamma(above) over that of Gamma(below) and its derivative, finite at the poles of those below."""
    value, slope = np.ones_like(above[0][0]), np.zeros_like(above[0][0])
    log_value, log_slope = np.zeros_like(value), np.zeros_like(value)
    large = np.zeros(value.shape, bool)
    for up, down in zip_longest(above, below):
        same = up is not None and down is not None and up[1] == down[1] and (up[0] == down[0])  # they cancel exactly
        for pair, sign in ((up, 1), (down, -1)):
            if pair is None:
                continue
            x, dx = pair
            g = sc.gamma(x) if sign > 0 else sc.rgamma(x)
            dg = g * digamma(x) * dx if sign > 0 and dx else rgamma_d(x) * dx if dx else np.zeros_like(x)
            g, dg = np.where(same, 1.0, g), np.where(same, 0.0, dg)
            value, slope = value * g, slope * g + value * dg
            log_value = log_value + np.where(same, 0.0, sign * sc.gammaln(x))
            log_slope = log_slope + np.where(same, 0.0, sign * digamma(x) * dx)
            large |= x > 80
    big = np.exp(log_value)
    return np.where(large, big, value), np.where(large, big * log_slope, slope)


def _product(c: tuple[Real, Real], f: tuple[Any, Any]) -> Any:
    return c[1] * f[0] + c[0] * f[1]


def _also_complex(function: Callable[..., Any]) -> Any:
    """A kernel that works as it is for a complex last argument, too."""
    public = kernel(work=32)(function)
    public.complex(work=64)(function)
    return public


# ---- whole degrees where 2F1 or 1F1 has a pole, which its factor cancels


def _whole(n: Real, c: Real) -> Mask:
    """Polynomials whose hypergeometric function has the lower parameter 0, -1, -2, ..."""
    return (n >= 0) & (n == np.round(n)) & (n <= _LONGEST_SUM) & (c <= 0) & (c == np.round(c))


def _polynomial(n: Real, b: Real, c: Real, w: Any, db: float, dc: float) -> tuple[Any, Any]:
    """sum_k (b)_k (c + k)_(n-k)/(k! (n-k)!) w^k and its derivative along (db, dc); without (b)_k if b is infinite."""
    top = int(n.max(initial=0))
    tail, dtail = np.ones_like(c), np.zeros_like(c)
    tails = [(tail, dtail)]
    for k in reversed(range(top)):
        factor = np.where(k < n, (c + k) / np.maximum(n - k, 1), 1.0)
        slope = np.where(k < n, dc / np.maximum(n - k, 1), 0.0)
        tail, dtail = tail * factor, dtail * factor + tail * slope
        tails.append((tail, dtail))
    head, dhead = np.ones_like(w), np.zeros_like(w)
    value, change = np.zeros_like(w), np.zeros_like(w)
    for k, (tail, dtail) in enumerate(reversed(tails)):
        here = k <= n
        value, change = value + np.where(here, head * tail, 0), change + np.where(here, dhead * tail + head * dtail, 0)
        rising = np.where(np.isinf(b), 1.0, b + k)
        head, dhead = (
            head * rising * w / (k + 1),
            (dhead * rising + np.where(np.isinf(b), 0.0, head * db)) * w / (k + 1),
        )
    return value, change


def _gegenbauer_polynomial(n: Real, alpha: Real, x: Any) -> Any:
    """∂C_n/∂alpha by the recurrence in n (DLMF 18.9.1)."""
    old, dold, c, dc = np.zeros_like(x), np.zeros_like(x), np.ones_like(x), np.zeros_like(x)
    for k in range(1, int(n.max(initial=0)) + 1):
        u, v = 2 * x * (k + alpha - 1) / k, (k + 2 * alpha - 2) / k
        here = k <= n
        following = u * c - v * old, u * dc + 2 * x / k * c - v * dold - 2 / k * old
        old, dold = np.where(here, c, old), np.where(here, dc, dold)
        c, dc = np.where(here, following[0], c), np.where(here, following[1], dc)
    return dc


# ---- whole degrees: constants, and the left half by the right one, where (1 - x)/2 is small


def _is_constant(n: Real) -> Mask:
    """Degree 0, and -1, -2, ..., where 1/Γ(n+1) makes the function zero."""
    return (n <= 0) & (n == np.round(n))


def _is_left(n: Real, y: Any) -> Mask:
    """Where P_n(-y) = (-1)^n P_n(y) with exchanged shapes (DLMF 18.6.1) is used."""
    return (y.real < 0) & (n == np.round(n))


def _parity(n: Real) -> Real:
    return np.where(n % 2 == 0, 1.0, -1.0)


# ---- Jacobi: binom(n + alpha, n) 2F1(-n, n + alpha + beta + 1; alpha + 1; (1 - x)/2)


def _jacobi(n: Real, alpha: Real, beta: Real, x: Any, dn: float, dalpha: float, dbeta: float) -> Any:
    if dn:
        return _jacobi_right(n, alpha, beta, x, dn, dalpha, dbeta)
    return by_region(
        (n, alpha, beta, x),
        (_is_constant(n), 0.0),
        (_is_left(n, x), lambda n, a, b, x: _parity(n) * _jacobi_right(n, b, a, -x, 0.0, dbeta, dalpha)),
        (True, lambda n, a, b, x: _jacobi_right(n, a, b, x, 0.0, dalpha, dbeta)),
        dtype=x.dtype,
    )


def _jacobi_right(n: Real, alpha: Real, beta: Real, x: Any, dn: float, dalpha: float, dbeta: float) -> Any:
    c = _gamma_quotient([(n + alpha + 1, dn + dalpha)], [(n + 1, dn), (alpha + 1, dalpha)])
    f = gauss(-n, n + alpha + beta + 1, alpha + 1, (1 - x) / 2, -dn, dn + dalpha + dbeta, dalpha)
    slope = _product(c, f)
    if dn:
        return slope
    at = _whole(n, alpha + 1)
    m, a, b = n[at], alpha[at], beta[at]
    slope[at] = _polynomial(m, m + a + b + 1, a + 1, (x[at] - 1) / 2, dalpha + dbeta, dalpha)[1]
    return slope


@_also_complex
def eval_jacobi_dn(n: Real, alpha: Real, beta: Real, x: Any) -> Any:
    """∂/∂n of the Jacobi function P_n^(alpha, beta)(x), alpha > -1; real x > -1 or complex x."""
    return _jacobi(n, alpha, beta, x, 1.0, 0.0, 0.0)


@_also_complex
def eval_jacobi_dalpha(n: Real, alpha: Real, beta: Real, x: Any) -> Any:
    """∂/∂alpha of the Jacobi function P_n^(alpha, beta)(x); any real x if n is an integer."""
    return _jacobi(n, alpha, beta, x, 0.0, 1.0, 0.0)


@_also_complex
def eval_jacobi_dbeta(n: Real, alpha: Real, beta: Real, x: Any) -> Any:
    """∂/∂beta of the Jacobi function P_n^(alpha, beta)(x); any real x if n is an integer."""
    return _jacobi(n, alpha, beta, x, 0.0, 0.0, 1.0)


# ---- shifted Jacobi: P_n^(p-q, q-1)(2x - 1)/binom(2n + p - 1, n)


def _sh_jacobi(n: Real, p: Real, q: Real, x: Any, dn: float, dp: float, dq: float) -> Any:
    if dn:
        return _sh_jacobi_right(n, p, q, x, dn, dp, dq)
    return by_region(
        (n, p, q, x),
        ((n == 0) | (q == 1 - n) & (dq == 0), 0.0),  # x^n
        (
            _is_left(n, x - 0.5),
            lambda n, p, q, x: _parity(n) * _sh_jacobi_right(n, p, p - q + 1, 1 - x, 0.0, dp, dp - dq),
        ),
        (True, lambda n, p, q, x: _sh_jacobi_right(n, p, q, x, 0.0, dp, dq)),
        dtype=x.dtype,
    )


def _sh_jacobi_right(n: Real, p: Real, q: Real, x: Any, dn: float, dp: float, dq: float) -> Any:
    above = [(n + p - q + 1, dn + dp - dq), (n + p, dn + dp)]
    c = _gamma_quotient(above, [(p - q + 1, dp - dq), (2 * n + p, 2 * dn + dp)])
    slope = _product(c, gauss(-n, n + p, p - q + 1, 1 - x, -dn, dn + dp, dp - dq))
    if dn:
        return slope
    at = _whole(n, p - q + 1)
    m, r = n[at], p[at]
    norm = _gamma_quotient([(m + 1, 0.0), (m + r, dp)], [(2 * m + r, dp)])
    slope[at] = _product(norm, _polynomial(m, m + r, r - q[at] + 1, x[at] - 1, dp, dp - dq))
    return slope


@_also_complex
def eval_sh_jacobi_dn(n: Real, p: Real, q: Real, x: Any) -> Any:
    """∂/∂n of the shifted Jacobi function G_n^(p, q)(x)."""
    return _sh_jacobi(n, p, q, x, 1.0, 0.0, 0.0)


@_also_complex
def eval_sh_jacobi_dp(n: Real, p: Real, q: Real, x: Any) -> Any:
    """∂/∂p of the shifted Jacobi function G_n^(p, q)(x)."""
    return _sh_jacobi(n, p, q, x, 0.0, 1.0, 0.0)


@_also_complex
def eval_sh_jacobi_dq(n: Real, p: Real, q: Real, x: Any) -> Any:
    """∂/∂q of the shifted Jacobi function G_n^(p, q)(x)."""
    return _sh_jacobi(n, p, q, x, 0.0, 0.0, 1.0)


# ---- Gegenbauer: Gamma(n + 2 alpha)/(Gamma(2 alpha) n!) 2F1(-n, n + 2 alpha; alpha + 1/2; (1 - x)/2)


def _gegenbauer(n: Real, alpha: Real, x: Any, dn: float, dalpha: float) -> Any:
    if dn:
        return _gegenbauer_right(n, alpha, x, dn, dalpha)
    return by_region(
        (n, alpha, x),
        (_is_constant(n), 0.0),
        (_is_left(n, x), lambda n, a, x: _parity(n) * _gegenbauer_right(n, a, -x, 0.0, dalpha)),
        (True, lambda n, a, x: _gegenbauer_right(n, a, x, 0.0, dalpha)),
        dtype=x.dtype,
    )


def _gegenbauer_right(n: Real, alpha: Real, x: Any, dn: float, dalpha: float) -> Any:
    c = _gamma_quotient([(n + 2 * alpha, dn + 2 * dalpha)], [(n + 1, dn), (2 * alpha, 2 * dalpha)])
    slope = _product(c, gauss(-n, n + 2 * alpha, alpha + 0.5, (1 - x) / 2, -dn, dn + 2 * dalpha, dalpha))
    if dn:
        return slope
    at = _whole(n, np.where(x == 0, 0.0, 2 * alpha))  # odd ones are exactly 0 at x = 0
    slope[at] = _gegenbauer_polynomial(n[at], alpha[at], x[at])
    return slope


@_also_complex
def eval_gegenbauer_dn(n: Real, alpha: Real, x: Any) -> Any:
    """∂/∂n of the Gegenbauer function C_n^(alpha)(x), alpha > -1/2; real x > -1 or complex x."""
    return _gegenbauer(n, alpha, x, 1.0, 0.0)


@_also_complex
def eval_gegenbauer_dalpha(n: Real, alpha: Real, x: Any) -> Any:
    """∂/∂alpha of the Gegenbauer function C_n^(alpha)(x); 2 T_n(x)/n at alpha = 0; any real x if n is an integer."""
    return _gegenbauer(n, alpha, x, 0.0, 1.0)


# ---- Laguerre: binom(n + alpha, n) 1F1(-n; alpha + 1; x)


def _laguerre(n: Real, alpha: Real, x: Any, dn: float, dalpha: float) -> Any:
    c = _gamma_quotient([(n + alpha + 1, dn + dalpha)], [(n + 1, dn), (alpha + 1, dalpha)])
    slope = _product(c, confluent(-n, alpha + 1, x, -dn, dalpha))
    if dn:
        return slope
    at = _whole(n, alpha + 1)
    # far to the right in alpha the gammas are too large, and the polynomial's terms fall from the first
    at |= ~np.isfinite(slope) & _whole(n, np.where(n * np.abs(x) < alpha, 0.0, 1.0))
    slope[at] = _polynomial(n[at], np.full(at.sum(), np.inf), alpha[at] + 1, -x[at], 0.0, dalpha)[1]
    return np.where(_is_constant(n), 0.0, slope)


@_also_complex
def eval_genlaguerre_dn(n: Real, alpha: Real, x: Any) -> Any:
    """∂/∂n of the generalized Laguerre function L_n^(alpha)(x), alpha > -1."""
    return _laguerre(n, alpha, x, 1.0, 0.0)


@_also_complex
def eval_genlaguerre_dalpha(n: Real, alpha: Real, x: Any) -> Any:
    """∂/∂alpha of the generalized Laguerre function; at integer n sum_(k<n) L_k^(alpha)(x)/(n - k)."""
    return _laguerre(n, alpha, x, 0.0, 1.0)


@_also_complex
def eval_laguerre_dn(n: Real, x: Any) -> Any:
    """∂/∂n of the Laguerre function L_n(x)."""
    return -confluent_slope(-n, np.ones_like(n), x, 1.0, 0.0)


def assoc_laguerre_dn(x: Any, n: Any, k: Any = 0.0) -> Any:
    """∂/∂n of `scipy.special.assoc_laguerre`(x, n, k)."""
    return eval_genlaguerre_dn(n, k, x)


def assoc_laguerre_dk(x: Any, n: Any, k: Any = 0.0) -> Any:
    """∂/∂k of `scipy.special.assoc_laguerre`(x, n, k)."""
    return eval_genlaguerre_dalpha(n, k, x)


# ---- Legendre: 2F1(-n, n + 1; 1; (1 - x)/2)


@_also_complex
def eval_legendre_dn(n: Real, x: Any) -> Any:
    """∂/∂n of the Legendre function P_n(x); real x > -1 or complex x, infinite at x = -1."""
    return gauss_slope(-n, n + 1, np.ones_like(n), (1 - x) / 2, -1.0, 1.0, 0.0)


@_also_complex
def eval_sh_legendre_dn(n: Real, x: Any) -> Any:
    """∂/∂n of the shifted Legendre function P_n(2x - 1); real x > 0 or complex x, infinite at x = 0."""
    return gauss_slope(-n, n + 1, np.ones_like(n), 1 - x, -1.0, 1.0, 0.0)


def _order_is_integer(m: Real, v: Real, x: Real) -> Mask:
    return (m == np.round(m)) & (np.abs(m) <= _ORDER_LIMIT) & np.isfinite(v) & (np.abs(x) <= 1)


@kernel(work=32, domain=_order_is_integer)
def lpmv_dv(m: Real, v: Real, x: Real) -> Real:
    """∂/∂v of the associated Legendre function P_v^m(x), integer m, |m| <= 170, |x| <= 1; infinite at x = -1.

    DLMF 14.3.4: (-1)^m (v-m+1)_2m/(2^m m!) (1-x²)^(m/2) 2F1(m-v, m+v+1; m+1; (1-x)/2); for order -m without (-1)^m and
    (v-m+1)_2m (DLMF 14.9.3).
    """
    order = np.abs(m)
    p, dp = np.ones_like(v), np.zeros_like(v)
    for k in range(int(2 * m.max(initial=0))):
        factor = np.where(k < 2 * m, v - m + 1 + k, 1.0)
        p, dp = p * factor, dp * factor + np.where(k < 2 * m, p, 0.0)
    front = np.where((m > 0) & (m % 2 == 1), -1.0, 1.0) / (2**order * sc.gamma(order + 1))
    f, g = gauss(order - v, order + v + 1, order + 1, (1 - x) / 2, -1.0, 1.0, 0.0)
    inside = front * (1 - x * x) ** (order / 2) * (dp * f + p * g)
    return np.where(x == -1, front * np.where(p == 0, dp * f, p * g), inside)
