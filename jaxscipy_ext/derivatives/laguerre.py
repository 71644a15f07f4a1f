"""Derivatives of Laguerre functions, at real degree n, in the degree and in alpha.

L_n^(alpha)(x) = binom(n + alpha, n) 1F1(-n; alpha + 1; x) (DLMF 18.5.12), and the derivative is that of the product;
`confluent` gives function and derivative together.

Attained, against mpmath, relative to the derivative: 5e-12 for 0 <= n <= 40, alpha in (-1, 20), -0.99 <= x <= 3.
"""

from typing import Any

import numpy as np

from ._numerics import Real
from ._polynomials import also_complex, gamma_quotient, is_constant, polynomial, product, whole
from .confluent import confluent, confluent_slope


def _laguerre(n: Real, alpha: Real, x: Any, dn: float, dalpha: float) -> Any:
    c = gamma_quotient([(n + alpha + 1, dn + dalpha)], [(n + 1, dn), (alpha + 1, dalpha)])
    slope = product(c, confluent(-n, alpha + 1, x, -dn, dalpha))
    if dn:
        return slope
    at = whole(n, alpha + 1)
    # far to the right in alpha the gammas are too large, and the polynomial's terms fall from the first
    at |= ~np.isfinite(slope) & whole(n, np.where(n * np.abs(x) < alpha, 0.0, 1.0))
    slope[at] = polynomial(n[at], np.full(at.sum(), np.inf), alpha[at] + 1, -x[at], 0.0, dalpha)[1]
    return np.where(is_constant(n), 0.0, slope)


@also_complex
def eval_genlaguerre_dn(n: Real, alpha: Real, x: Any) -> Any:
    """∂/∂n of the generalized Laguerre function L_n^(alpha)(x), alpha > -1."""
    return _laguerre(n, alpha, x, 1.0, 0.0)


@also_complex
def eval_genlaguerre_dalpha(n: Real, alpha: Real, x: Any) -> Any:
    """∂/∂alpha of the generalized Laguerre function; at integer n sum_(k<n) L_k^(alpha)(x)/(n - k)."""
    return _laguerre(n, alpha, x, 0.0, 1.0)


@also_complex
def eval_laguerre_dn(n: Real, x: Any) -> Any:
    """∂/∂n of the Laguerre function L_n(x)."""
    return -confluent_slope(-n, np.ones_like(n), x, 1.0, 0.0)


def assoc_laguerre_dn(x: Any, n: Any, k: Any = 0.0) -> Any:
    """∂/∂n of `scipy.special.assoc_laguerre`(x, n, k)."""
    return eval_genlaguerre_dn(n, k, x)


def assoc_laguerre_dk(x: Any, n: Any, k: Any = 0.0) -> Any:
    """∂/∂k of `scipy.special.assoc_laguerre`(x, n, k)."""
    return eval_genlaguerre_dalpha(n, k, x)
