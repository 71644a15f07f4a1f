"""The noncentral chi-square distribution: ∂chndtr/∂x, ∂chndtr/∂df, ∂chndtr/∂nc.

With a = df/2, y = x/2, λ = nc/2 the cdf is Σ_j Poisson(j; λ) P(a + j, y).

- ∂/∂x and ∂/∂nc are sums of terms of one sign: the density with df, and minus the density with df + 2 (DLMF 8.8.5).
- ∂/∂df needs ∂Q/∂a at a + j for all j of the window. The recurrence of Q, differentiated,
  ∂Q/∂a(s+1) = ∂Q/∂a(s) + (ln y - ψ(s+1)) y^s e^-y/Γ(s+1), runs upwards from one kernel value while its steps are
  positive and downwards from another where they are negative.

The inverse rules are plain ratios of these: a density underflows only where the probability does.
Attained, against mpmath: 3e-13 relative for df in [0.1, 1e3], nc in [0, 3e3], values down to 1e-290; median 1e-15.
"""

import numpy as np
import scipy.special as sc

from ._numerics import Mask, Real, by_region, kernel
from ._poisson import LARGEST_MEAN, ladder, log_poisson, poisson_sum
from .gamma import gammainc_da, gammaincc_da


def _peak(y: Real, a: Real, lam: Real) -> Real:
    """The j of the largest Poisson(j; λ) y^(a+j)/Γ(a+j+1): j (j + a) = λ y."""
    return 2 * lam * y / (a + np.sqrt(a * a + 4 * lam * y))


def _density(x: Real, df: Real, nc: Real) -> Real:
    def term(j: Real, y: Real, a: Real) -> Real:
        return np.exp(log_poisson(a + j, y)) * (a + j)

    y, a, lam = x / 2, df / 2, nc / 2
    return poisson_sum(lam, _peak(y, a, lam), term, y, a) / x


def _ddf(x: Real, df: Real, nc: Real) -> Real:
    def term(j: Real, y: Real, a: Real) -> Real:
        s = a + j
        score = np.log(y) - sc.digamma(s + 1)
        bottom, top = gammaincc_da(s[:, :1], y), gammaincc_da(s[:, -1:] + 1, y)
        return ladder(bottom, top, np.exp(log_poisson(s, y)) * score, score > 0)

    y, a, lam = x / 2, df / 2, nc / 2
    return -0.5 * poisson_sum(lam, _peak(y, a, lam), term, y, a)


def _domain(x: Real, df: Real, nc: Real) -> Mask:
    return (x >= 0) & ((df > 0) | ((df == 0) & (nc == 0))) & (nc >= 0) & ((nc <= 2 * LARGEST_MEAN) | np.isinf(nc))


def _is_far(x: Real, df: Real, nc: Real) -> Mask:
    """Where the distribution function is 0 or 1, whatever the other arguments."""
    return np.isinf(x) | np.isinf(df) | np.isinf(nc)


@kernel(work=1, domain=_domain)
def chndtr_dx(x: Real, df: Real, nc: Real) -> Real:
    """∂chndtr(x, df, nc)/∂x, the density, for x >= 0, df > 0, 0 <= nc <= 2e9.

    At x = 0 it is 0 for df > 2, exp(-nc/2)/2 for df = 2 and inf for df < 2.
    """
    return by_region(
        (x, df, nc),
        (
            (x == 0) & np.isfinite(nc),
            lambda x, df, nc: np.where(df > 2, 0.0, np.where(df == 2, 0.5 * np.exp(-nc / 2), np.inf)),
        ),
        (_is_far(x, df, nc), 0.0),
        (True, _density),
    )


@kernel(work=1, domain=_domain)
def chndtr_dnc(x: Real, df: Real, nc: Real) -> Real:
    """∂chndtr(x, df, nc)/∂nc <= 0, minus the density with df + 2; 0 at x = 0 and x = inf; domain as `chndtr_dx`."""
    return by_region(
        (x, df, nc), ((x == 0) | _is_far(x, df, nc), -0.0), (True, lambda x, df, nc: -_density(x, df + 2, nc))
    )


@kernel(work=1, domain=_domain)
def chndtr_ddf(x: Real, df: Real, nc: Real) -> Real:
    """∂chndtr(x, df, nc)/∂df <= 0; 0 at x = 0 and x = inf; domain as `chndtr_dx`."""
    return by_region(
        (x, df, nc),
        ((x == 0) | _is_far(x, df, nc), -0.0),
        (df == 0, lambda x, df, nc: np.asarray(gammainc_da(df, x / 2)) / 2),
        (True, _ddf),
    )
