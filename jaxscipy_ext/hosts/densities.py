"""Densities that the rules of distribution functions are made of.

Each is the whole analytic function of its shape parameters, so that ladders such as f'(x; a) = f(x; a-1) - f(x; a) hold
down to the ends of the support, where (a - 1)/x f(x; a) would be 0/0.
"""

import math

import numpy as np
import scipy.special as sc

from jaxscipy_ext.derivatives._kernel import Real, by_region, kernel
from jaxscipy_ext.derivatives._numerics import log1pmx, stirling_remainder
from jaxscipy_ext.derivatives.fisher import beta_variables
from jaxscipy_ext.derivatives.gamma import log_gamma_front
from jaxscipy_ext.derivatives.noncentral_chi2 import chndtr_dx
from jaxscipy_ext.derivatives.polygamma import psi_difference_excess
from jaxscipy_ext.hosts.beta import beta_density


@kernel(work=1, domain=lambda a, x: x >= 0)
def gamma_density(a: Real, x: Real) -> Real:
    """x^(a-1) e^-x/Γ(a) for real a and x >= 0; zero at a = 0, -1, -2 and so on."""
    return by_region(
        (a, x),
        (((a <= 0) & (a == np.floor(a))) | np.isinf(x) | np.isinf(a), 0.0),
        ((x == 0) & (a == 1), 1.0),
        (x == 0, lambda a, x: np.where(a > 1, 0.0, np.copysign(np.inf, sc.rgamma(a)))),
        (a > 0, lambda a, x: np.exp(log_gamma_front(a, x)) / x),
        (a <= 0, lambda a, x: np.exp((a - 1) * np.log(x) - x) * sc.rgamma(a)),
    )


@kernel(work=1, domain=lambda n, a, b, x: (a >= 0) & (x >= 0))
def scaled_gamma_density(n: Real, a: Real, b: Real, x: Real) -> Real:
    """x^n gamma_density(b, a x) as a function of x: at x = 0 its lowest power x^(n+b-1) decides, whatever a is."""
    power = n - 1 + b
    return by_region(
        (n, a, b, x, power),
        (((b <= 0) & (b == np.floor(b))) | np.isinf(a * x) | np.isinf(b), 0.0),
        ((x == 0) & (power > 0), 0.0),
        ((x == 0) & (power == 0), lambda n, a, b, x, power: a ** (b - 1) * sc.rgamma(b)),
        ((a == 0) & (b > 1), 0.0),
        ((a == 0) & (b == 1), lambda n, a, b, x, power: x**n),
        ((x == 0) | (a == 0), lambda n, a, b, x, power: np.copysign(np.inf, sc.rgamma(b))),
        ((a > 0) & (b > 0), lambda n, a, b, x, power: np.exp(log_gamma_front(b, a * x) + (n - 1) * np.log(x)) / a),
        (True, lambda n, a, b, x, power: x**power * a ** (b - 1) * np.exp(-a * x) * sc.rgamma(b)),
    )


@kernel(work=1, domain=lambda x, df, nc: (x >= 0) & (nc >= 0) & (df > -8))
def noncentral_chi2_density(x: Real, df: Real, nc: Real) -> Real:
    """exp(-(x+nc)/2) (x/nc)^(v/2) I_v(√(x nc))/2 with v = df/2 - 1, the noncentral chi-square density, for df > -8.

    For df <= 0, which derivatives ask for, by x f(df) = df f(df+2) + nc f(df+4) (DLMF 10.29.1).
    """
    return by_region(
        (x, df, nc),
        (df > 0, lambda x, df, nc: np.asarray(chndtr_dx(x, df, nc))),
        ((x == 0) & (df == 0), lambda x, df, nc: nc * np.exp(-nc / 2) / 4),
        (x == 0, lambda x, df, nc: np.copysign(np.inf, sc.rgamma(df / 2))),
        (True, _downwards),
    )


def _downwards(x: Real, df: Real, nc: Real) -> Real:
    next_one, next_but_one = (np.asarray(noncentral_chi2_density(x, df + step, nc)) for step in (2, 4))
    return (df * next_one + nc * next_but_one) / x


@kernel(work=1, domain=lambda dfn, dfd, x: (dfn > 0) & (dfd > 0) & (x >= 0))
def f_density(dfn: Real, dfd: Real, x: Real) -> Real:
    """The density of the F distribution, that of beta at t = dfn x/(dfn x + dfd) times dt/dx; 0 at infinity."""
    a, b, t, u = beta_variables(dfn, dfd, x)
    slope = (dfn / dfd) * u * u
    density = np.asarray(beta_density(a, b, t, u)) * slope
    return np.where(np.isinf(x) | np.isinf(dfn) | np.isinf(dfd), 0.0, density)


@kernel(work=1, domain=lambda df, t: df > 0)
def t_density(df: Real, t: Real) -> Real:
    """The density of Student's t distribution; the normal density at df = inf."""
    return by_region(
        (df, t),
        (np.isinf(df), lambda df, t: np.exp(-0.5 * t * t) / math.sqrt(2 * math.pi)),
        (np.isfinite(df), lambda df, t: np.exp(_log_t_norm(df) - (df + 1) / 2 * np.log1p(t * t / df)) / np.sqrt(df)),
    )


def _log_t_norm(v: Real) -> Real:
    """ln 1/B(v/2, 1/2) = ln Γ((v+1)/2)/(Γ(v/2) √π), by DLMF 5.11.1 for large v."""
    a = np.maximum(v / 2, 10.0)
    b = a + 0.5
    series = a * np.log1p(0.5 / a) - 0.5 + 0.5 * np.log(a) + stirling_remainder(b) - stirling_remainder(a)
    direct = sc.gammaln((v + 1) / 2) - sc.gammaln(v / 2)
    return np.where(v >= 20, series, direct) - 0.5 * math.log(math.pi)


@kernel(work=1, domain=lambda df, t: df > 0)
def t_density_ddf(df: Real, t: Real) -> Real:
    """∂t_density/∂df = density x score; the score is O(df^-2) and formed without cancellation for large df."""
    return by_region(
        (df, t),
        (np.isinf(df) | (np.abs(t) > 1e150), 0.0),
        (np.isfinite(df), lambda df, t: np.asarray(t_density(df, t)) * _t_score(df, t)),
    )


def _t_score(v: Real, t: Real) -> Real:
    r = t * t / v
    u = r / (1 + r)
    # ψ((v+1)/2) - ψ(v/2) - 1/v, then what the quadratic form contributes
    norm = psi_difference_excess(v / 2, np.full_like(v, 0.5)) + log1pmx(1 / v)
    return 0.5 * (norm + log1pmx(-u) + u / v)
