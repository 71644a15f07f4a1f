"""Derivatives in y, of any order, of the inverses of the incomplete gamma and beta functions.

Where P(a, x) = y, dx/dy is x/f with f = x^a e^-x/Γ(a), and by induction

    d^n x/dy^n = x f^-n p_n(x),    p_1 = 1,  p_(n+1) = (1 - n a + n x) p_n + x p_n'.

Where I_x(a, b) = y the same holds with f = x^a w^b/B(a, b), w = 1 - x, a further factor w and

    p_(n+1) = ((1 - n a) w - (1 - n b) x) p_n + x w p_n'.

At x = 0 the lowest power that remains, x^(1-na+k), decides: zero, finite or infinite, where a quotient of densities
would be inf/inf.
"""

from typing import Any

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike

from jaxscipy_ext.derivatives._beta_tails import log_beta_front
from jaxscipy_ext.derivatives._kernel import Mask, Real, by_region, kernel
from jaxscipy_ext.derivatives.beta import dxda_pair
from jaxscipy_ext.derivatives.gamma import gammainc_dxda, log_gamma_front
from jaxscipy_ext.hosts._orders import by_order

Coefficients = list[Real]


def _polynomial(n: int, a: Real, s: Real | None, da: float, ds: float) -> tuple[Coefficients, Coefficients]:
    """Coefficients of p_n, and their derivatives for changes `da`, `ds` of a and s = a + b; s is None for gamma."""
    p, dp = [np.ones_like(a)], [np.zeros_like(a)]
    for m in range(1, n):
        zero = np.zeros_like(a)
        low, dlow = [*p, zero], [*dp, zero]
        high, dhigh = [zero, *p], [zero, *dp]
        keep = [1 - m * a + k for k in range(m + 1)]
        raise_ = [np.full_like(a, float(m)) if s is None else m * s - 1 - k for k in range(m + 1)]
        p = [u * q + v * r for u, q, v, r in zip(keep, low, raise_, high, strict=True)]
        dp = [
            u * dq - m * da * q + v * dr + m * ds * r
            for u, dq, q, v, dr, r in zip(keep, dlow, low, raise_, dhigh, high, strict=True)
        ]
    return p, dp


def _horner(coefficients: Coefficients, x: Real) -> tuple[Real, Real]:
    """Value and derivative of a polynomial."""
    value, slope = np.zeros_like(x), np.zeros_like(x)
    for c in reversed(coefficients):
        value, slope = value * x + c, slope * x + value
    return value, slope


def _at_zero(n: int, a: Real, p: Coefficients, front: Real) -> Real:
    """The limit of x^(1-na) p_n(x) front^n."""
    result, open_ = np.zeros_like(a), np.ones(a.shape, bool)
    for k, c in enumerate(p):
        here = open_ & (c != 0)
        power = 1 - n * a + k
        limit = np.where(power > 0, 0.0, np.where(power == 0, c * front**n, np.copysign(np.inf, c)))
        result, open_ = np.where(here, limit, result), open_ & ~here
    return result


# ------------------------------------------------------------------------------------------------ incomplete gamma


def _gamma(n: int, a: Real, x: Real) -> Real:
    p, _ = _polynomial(n, a, None, 0.0, 0.0)
    return by_region(
        (a, x, *p),
        (x == 0, lambda a, x, *p: _at_zero(n, a, list(p), sc.gamma(a))),
        (np.isinf(x), np.inf),
        (True, lambda a, x, *p: np.exp(np.log(x) - n * log_gamma_front(a, x)) * _horner(list(p), x)[0]),
    )


def _gamma_da(n: int, a: Real, x: Real) -> Real:
    p, dp = _polynomial(n, a, None, 1.0, 0.0)
    return by_region(
        (a, x, *p, *dp),
        ((x == 0) & (n * a < 1), 0.0),
        ((x > 0) & np.isfinite(x), lambda a, x, *c: _gamma_da_inside(n, a, x, list(c[:n]), list(c[n:]))),
    )


def _gamma_da_inside(n: int, a: Real, x: Real, p: Coefficients, dp: Coefficients) -> Real:
    slope = np.asarray(gammainc_dxda(a, x))
    log_front = np.log(x) - sc.digamma(a) + (a / x - 1) * slope
    value, along = _horner(p, x)
    change = _horner(dp, x)[0] + along * slope
    front = np.exp(np.log(x) - n * log_gamma_front(a, x))  # at once: the power alone may overflow
    return front * (slope / x * value + change - n * log_front * value)


def _domain(n: Real, a: Real, y: Real) -> Mask:
    return (n >= 1) & (n == np.floor(n)) & (a > 0) & np.isfinite(a) & (y >= 0) & (y <= 1)


@kernel(work=8, domain=_domain)
def gammaincinv_derivative(n: Real, a: Real, y: Real) -> Real:
    """The n-th derivative of gammaincinv in y."""
    return by_order(_gamma, n, a, sc.gammaincinv(a, y))


@kernel(work=8, domain=_domain)
def gammainccinv_derivative(n: Real, a: Real, y: Real) -> Real:
    """The n-th derivative of gammainccinv in y."""
    return (-1.0) ** n * by_order(_gamma, n, a, sc.gammainccinv(a, y))


@kernel(work=64, domain=_domain)
def gammaincinv_derivative_da(n: Real, a: Real, y: Real) -> Real:
    """∂/∂a of the n-th derivative of gammaincinv in y."""
    return by_order(_gamma_da, n, a, sc.gammaincinv(a, y))


@kernel(work=64, domain=_domain)
def gammainccinv_derivative_da(n: Real, a: Real, y: Real) -> Real:
    """∂/∂a of the n-th derivative of gammainccinv in y."""
    return (-1.0) ** n * by_order(_gamma_da, n, a, sc.gammainccinv(a, y))


def gammaincinv_da(a: ArrayLike, y: ArrayLike) -> Any:
    """∂gammaincinv/∂a."""
    return gammainc_dxda(a, sc.gammaincinv(a, y))


def gammainccinv_da(a: ArrayLike, y: ArrayLike) -> Any:
    """∂gammainccinv/∂a."""
    return gammainc_dxda(a, sc.gammainccinv(a, y))


# ------------------------------------------------------------------------------------------------- incomplete beta


def _beta_power(n: int, a: Real, b: Real, x: Real, w: Real) -> Real:
    """x w f^-n, at once: the power alone may overflow."""
    return np.exp(np.log(x * w) - n * log_beta_front(a, b, x, w))


def _beta(n: int, a: Real, b: Real, x: Real, w: Real) -> Real:
    """For x <= 1/2; the polynomial is one in x there."""
    p, _ = _polynomial(n, a, a + b, 0.0, 0.0)
    return by_region(
        (a, b, x, w, *p),
        (x == 0, lambda a, b, x, w, *p: _at_zero(n, a, list(p), sc.beta(a, b))),
        (True, lambda a, b, x, w, *p: _beta_power(n, a, b, x, w) * _horner(list(p), x)[0]),
    )


def _beta_change(n: int, a: Real, b: Real, x: Real, w: Real, da: float, db: float) -> Real:
    p, dp = _polynomial(n, a, a + b, da, da + db)

    def inside(a: Real, b: Real, x: Real, w: Real, *c: Real) -> Real:
        slope = dxda_pair(a, b, x, w) if da else -dxda_pair(b, a, w, x)
        own = np.log(x) - sc.digamma(a) if da else np.log(w) - sc.digamma(b)
        log_front = own + sc.digamma(a + b) + (a / x - b / w) * slope
        value, along = _horner(list(c[:n]), x)
        change = _horner(list(c[n:]), x)[0] + along * slope
        return _beta_power(n, a, b, x, w) * ((1 / x - 1 / w) * slope * value + change - n * log_front * value)

    return by_region((a, b, x, w, *p, *dp), ((x == 0) & (n * a < 1), 0.0), (x > 0, inside))


def _on_both_sides(left: Any, right: Any, n: Real, a: Real, b: Real, x: Real, w: Real) -> Real:
    """`left` where x <= 1/2; elsewhere x = 1 - w and y -> 1 - y: `right` of (b, a, w, x)."""
    return by_region(
        (n, a, b, x, w),
        (x <= 0.5, lambda n, a, b, x, w: by_order(left, n, a, b, x, w)),
        (x > 0.5, lambda n, a, b, x, w: -((-1.0) ** n) * by_order(right, n, b, a, w, x)),
    )


def _beta_domain(n: Real, a: Real, b: Real, y: Real) -> Mask:
    return _domain(n, a, y) & (b > 0) & np.isfinite(b)


def _in_a(n: int, a: Real, b: Real, x: Real, w: Real) -> Real:
    return _beta_change(n, a, b, x, w, 1.0, 0.0)


def _in_b(n: int, a: Real, b: Real, x: Real, w: Real) -> Real:
    return _beta_change(n, a, b, x, w, 0.0, 1.0)


@kernel(work=8, domain=_beta_domain)
def betaincinv_derivative(n: Real, a: Real, b: Real, y: Real) -> Real:
    """The n-th derivative of betaincinv in y; SciPy's two inverses give x and 1 - x to full precision."""
    return _on_both_sides(_beta, _beta, n, a, b, sc.betaincinv(a, b, y), sc.betainccinv(b, a, y))


@kernel(work=64, domain=_beta_domain)
def betaincinv_derivative_da(n: Real, a: Real, b: Real, y: Real) -> Real:
    """∂/∂a of the n-th derivative of betaincinv in y."""
    return _on_both_sides(_in_a, _in_b, n, a, b, sc.betaincinv(a, b, y), sc.betainccinv(b, a, y))


@kernel(work=64, domain=_beta_domain)
def betaincinv_derivative_db(n: Real, a: Real, b: Real, y: Real) -> Real:
    """∂/∂b of the n-th derivative of betaincinv in y."""
    return _on_both_sides(_in_b, _in_a, n, a, b, sc.betaincinv(a, b, y), sc.betainccinv(b, a, y))


def betainccinv_derivative(n: ArrayLike, a: ArrayLike, b: ArrayLike, y: ArrayLike) -> Any:
    """The n-th derivative of betainccinv(a, b, y) = 1 - betaincinv(b, a, y) in y."""
    return -betaincinv_derivative(n, b, a, y)


def betainccinv_derivative_da(n: ArrayLike, a: ArrayLike, b: ArrayLike, y: ArrayLike) -> Any:
    """∂/∂a of the n-th derivative of betainccinv in y."""
    return -betaincinv_derivative_db(n, b, a, y)


def betainccinv_derivative_db(n: ArrayLike, a: ArrayLike, b: ArrayLike, y: ArrayLike) -> Any:
    """∂/∂b of the n-th derivative of betainccinv in y."""
    return -betaincinv_derivative_da(n, b, a, y)
