"""∂kolmogorov/∂y and ∂smirnov/∂d: minus the densities of the Kolmogorov-Smirnov statistics.

Kolmogorov's limit distribution by its two theta series (DLMF 20.7.32), differentiated, with the switch at y = 1: five
terms reach rounding.

The one-sided statistic D+ of n observations has the survival function (Birnbaum & Tingey, Ann. Math. Stat. 22 (1951))

    S(n, d) = d Σ_{j <= n(1-d)} C(n, j) A^(j-1) B^(n-j),    A = d + j/n, B = 1 - d - j/n,
    ∂S/∂d = Σ_j C(n, j) A^(j-1) B^(n-j) [j/n - n d²/B]/A.

The binomial probabilities are formed about their saddle point. The sum cancels by a factor 1/(4 n d²); for small n d
Abel's identity leaves the n d + 1 terms of 1 - S = d Σ_{k <= n d} C(n, k) (k/n - d)^k (1 + d - k/n)^(n-k-1).

Attained, against mpmath: 5e-14 (kolmogorov), 1e-13 for n <= 1e5 (smirnov), values down to 1e-290.
"""

import math

import numpy as np
import scipy.special as sc

from ._beta_tails import log_beta_front
from ._numerics import Mask, Real, by_region, kernel

_LARGEST_N = 2e7
_SLICE = 4096
_FEW_TERMS = 4.0


@kernel(work=1)
def kolmogorov_dy(y: Real) -> Real:
    """∂kolmogorov(y)/∂y <= 0; 0 for y <= 0, where SciPy's value is 1, and at y = inf."""
    regions = ((y <= 0) | np.isinf(y), -0.0), (y < 1, _theta_small), (True, _theta_large)
    return by_region((y,), *regions)


def _theta_large(y: Real) -> Real:
    return 8 * y * sum((-1) ** k * k * k * np.exp(-2 * (k * y) ** 2) for k in range(1, 6))


def _theta_small(y: Real) -> Real:
    squares = [((2 * k - 1) * math.pi / (2 * y)) ** 2 for k in range(1, 6)]
    total = sum(np.where(r > 1500, 0.0, (r - 1) * np.exp(-r / 2)) for r in squares)
    return -math.sqrt(2 * math.pi) / np.maximum(y, 1e-100) ** 2 * total


def _domain(n: Real, d: Real) -> Mask:
    return (n >= 1) & (n <= _LARGEST_N) & (d >= 0) & (d <= 1)


@kernel(work=_SLICE, domain=_domain)
def smirnov_dd(n: Real, d: Real) -> Real:
    """∂smirnov(n, d)/∂d <= 0 for n >= 1 (truncated to an integer, as SciPy does), 0 <= d <= 1.

    -1 at d = 0; at its only jump, d = 1/n, the derivative from the right. O(n) work a point: NaN for n > 2e7.
    """
    n = np.floor(n)
    few = (n * d <= 1) | (n * d <= _FEW_TERMS) & (n * d * d <= 0.5)
    regions = (few, _by_complement), (True, _by_survival)
    return by_region((n, d), *regions)


def _by_complement(n: Real, d: Real) -> Real:
    total = np.zeros_like(d)
    for k in range(int(_FEW_TERMS) + 1):
        gap, power = k / n - d, n - k - 1
        rest = np.exp(sc.xlog1py(power, d - k / n))
        slope = gap**k * (1 + d * power / (1 + d - k / n)) - d * k * gap ** max(k - 1, 0)
        total += np.where(k <= np.minimum(n * d, n - 1), _binomial(n, k) * rest * slope, 0.0)
    return -total


def _binomial(n: Real, k: int) -> Real:
    return np.prod([(n - i) / (i + 1) for i in range(k)], axis=0) * np.ones_like(n)


def _by_survival(n: Real, d: Real) -> Real:
    total = -n * np.exp((n - 1) * np.log1p(-d))  # j = 0
    last = np.minimum(np.floor(n * (1 - d)), n - 1)
    width = int(min(_SLICE, max(1, last.max())))
    for start in range(1, int(last.max()) + 1, width):
        index = start + np.arange(width)
        m, e = n[:, None], d[:, None]
        j = np.minimum(index, m - 1)
        a, b = e + j / m, (m - j) / m - e
        log_probability = log_beta_front(j, m - j, a, b) + np.log(m / (j * (m - j)))
        term = np.exp(log_probability) / a * (j / m - m * e * e / b) / a
        total += np.where((index <= last[:, None]) & (b > 0), term, 0.0).sum(-1)
    return total
