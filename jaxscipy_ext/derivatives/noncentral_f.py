"""The noncentral F distribution: ∂ncfdtr/∂dfn, ∂ncfdtr/∂dfd, ∂ncfdtr/∂nc, ∂ncfdtr/∂f.

With a = dfn/2, b = dfd/2, λ = nc/2 and t = dfn f/(dfn f + dfd), u = 1 - t, the cdf is Σ_j Poisson(j; λ) I_t(a + j, b).

- ∂/∂f and ∂/∂nc are sums of terms of one sign: ∂I/∂t, and I_t(s+1, b) - I_t(s, b) (DLMF 8.17.20).
- The j-th term as a function of dfd is the central F distribution with 2(a + j) and dfd degrees of freedom; as a
  function of dfn it is that with its own dfn, but for a multiple j of the density. The central derivatives (`fisher`,
  free of cancellation) follow a recurrence in j whose steps are free of cancellation, too: with s = a + j and
  front = t^s u^b/B(s, b)

      ∂dfn: -front/(2s) [ln(1+e) - e + K(s+1, b-1)],    1 + e = t (s+b)/(s+1),
      ∂dfd: -front/(2s) [ln(1+e) - e + K(b, s)],        1 + e = u (s+b)/b,

  K(a, b) = ψ(a+b) - ψ(a) - ln(1 + b/a). It is run from both ends of the window to the middle, e = 0.

The inverse rules are plain ratios of these: a density underflows only where the probability does.
Attained, against mpmath: 3e-13 relative for dfn, dfd in [0.3, 300], nc in [0, 100], values down to 1e-290, away from
the zeros of ∂dfn and ∂dfd.
"""

from collections.abc import Callable

import numpy as np

from ._beta_tails import log_beta_front
from ._numerics import Mask, Real, by_region, kernel, log1pmx
from ._poisson import LARGEST_MEAN, ladder, poisson_sum
from .fisher import beta_variables, ddfn_pair
from .polygamma import psi_difference_excess


def _mixture(term: Callable[..., Real], dfn: Real, dfd: Real, nc: Real, f: Real) -> Real:
    """Σ_j Poisson(j; λ) term(s, b, t, u, front, j)."""
    a, b, t, u = beta_variables(dfn, dfd, f)
    lam = nc / 2
    # the j of the largest Poisson(j; λ) t^j Γ(a+b+j)/Γ(a+j+1): j (j + a) = λ t (j + a + b)
    half, product = (a - lam * t) / 2, lam * t * (a + b)
    root = np.sqrt(half * half + product)
    peak = np.where(half > 0, product / (half + root), root - half)

    def with_front(j: Real, a: Real, b: Real, t: Real, u: Real) -> Real:
        s = a + j
        return term(s, b, t, u, np.exp(log_beta_front(s, b, t, u)), j)

    return poisson_sum(lam, peak, with_front, a, b, t, u)


def _excess(a: Real, b: Real) -> Real:
    a, b = np.broadcast_arrays(a, b)
    return psi_difference_excess(a.ravel(), b.ravel()).reshape(a.shape)


def _central(a: Real, b: Real, t: Real, u: Real) -> Real:
    return ddfn_pair(*(q[:, 0] for q in (a, b, t, u)))[:, None]


def _df(dfn: Real, dfd: Real, nc: Real, f: Real) -> Real:
    return _mixture(lambda s, b, t, u, front, j: front, dfn, dfd, nc, f) / f


def _dnc(dfn: Real, dfd: Real, nc: Real, f: Real) -> Real:
    return -0.5 * _mixture(lambda s, b, t, u, front, j: front / s, dfn, dfd, nc, f)


def _ddfn(dfn: Real, dfd: Real, nc: Real, f: Real) -> Real:
    def term(s: Real, b: Real, t: Real, u: Real, front: Real, j: Real) -> Real:
        e = (t * (b - 1) - u * (s + 1)) / (s + 1)
        step = -front / (2 * s) * (log1pmx(e, t * (s + b) / (s + 1)) + _excess(s + 1, b - 1))
        bottom, top = _central(s[:, :1], b, t, u), _central(s[:, -1:] + 1, b, t, u)
        # 2(a + j) is the central dfn, dfn = 2a: t depends on the latter
        return ladder(bottom, top, step, e > 0) + front * j / (2 * s * (s - j))

    return _mixture(term, dfn, dfd, nc, f)


def _ddfd(dfn: Real, dfd: Real, nc: Real, f: Real) -> Real:
    def term(s: Real, b: Real, t: Real, u: Real, front: Real, j: Real) -> Real:
        e = (u * s - t * b) / b
        step = -front / (2 * s) * (log1pmx(e, u * (s + b) / b) + _excess(b, s))
        bottom, top = -_central(b, s[:, :1], u, t), -_central(b, s[:, -1:] + 1, u, t)
        return ladder(bottom, top, step, e < 0)

    return _mixture(term, dfn, dfd, nc, f)


def _domain(dfn: Real, dfd: Real, nc: Real, f: Real) -> Mask:
    finite = np.isfinite(dfn) & np.isfinite(dfd)
    return finite & (dfn > 0) & (dfd > 0) & (nc >= 0) & (nc <= 2 * LARGEST_MEAN) & (f >= 0)


def _edges(zero: Real | float, *args: Real, inside: Callable[..., Real]) -> Real:
    f = args[-1]
    return by_region(args, ((f == 0) | np.isinf(f), zero), (True, inside))


@kernel(work=1, domain=_domain)
def ncfdtr_df(dfn: Real, dfd: Real, nc: Real, f: Real) -> Real:
    """∂ncfdtr(dfn, dfd, nc, f)/∂f, the density, for dfn, dfd > 0, 0 <= nc <= 2e9, f >= 0.

    At f = 0 it is 0 for dfn > 2, exp(-nc/2) for dfn = 2 and inf for dfn < 2.
    """
    return by_region(
        (dfn, dfd, nc, f),
        (f == 0, lambda m, n, nc, f: np.where(m > 2, 0.0, np.where(m == 2, np.exp(-nc / 2), np.inf))),
        (np.isinf(f), 0.0),
        (True, _df),
    )


@kernel(work=1, domain=_domain)
def ncfdtr_dnc(dfn: Real, dfd: Real, nc: Real, f: Real) -> Real:
    """∂ncfdtr(dfn, dfd, nc, f)/∂nc <= 0; 0 at f = 0 and f = inf; domain as `ncfdtr_df`."""
    return _edges(-0.0, dfn, dfd, nc, f, inside=_dnc)


@kernel(work=1, domain=_domain)
def ncfdtr_ddfn(dfn: Real, dfd: Real, nc: Real, f: Real) -> Real:
    """∂ncfdtr(dfn, dfd, nc, f)/∂dfn; 0 at f = 0 and f = inf; domain as `ncfdtr_df`."""
    return _edges(0.0, dfn, dfd, nc, f, inside=_ddfn)


@kernel(work=1, domain=_domain)
def ncfdtr_ddfd(dfn: Real, dfd: Real, nc: Real, f: Real) -> Real:
    """∂ncfdtr(dfn, dfd, nc, f)/∂dfd; 0 at f = 0 and f = inf; domain as `ncfdtr_df`."""
    return _edges(0.0, dfn, dfd, nc, f, inside=_ddfd)
