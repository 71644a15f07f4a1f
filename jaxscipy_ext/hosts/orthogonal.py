"""Orthogonal polynomials: what SciPy lacks or has for nonnegative degrees only."""

from typing import Any

import numpy as np
import scipy.special as sc
from numpy.typing import NDArray

from jaxscipy_ext.derivatives._kernel import Real, kernel


@kernel(work=1)
def sh_jacobi_norm(n: Real, p: Real) -> Real:
    """1/binom(2n + p - 1, n) = Γ(n+1) Γ(n+p)/Γ(2n+p), the factor of a shifted Jacobi polynomial (DLMF 18.1.2)."""
    return np.asarray(sc.beta(n + 1, n + p) * (2 * n + p))


def gegenbauer(n: NDArray[Any], alpha: NDArray[Any], x: NDArray[Any]) -> NDArray[Any]:
    """`eval_gegenbauer`; zero at n = -1, -2, ..., where 1/Γ(n+1) makes the function zero (DLMF 18.5.9), 1 at n = 0."""
    return _polynomial(sc.eval_gegenbauer, n, alpha, x)


def jacobi(n: NDArray[Any], alpha: NDArray[Any], beta: NDArray[Any], x: NDArray[Any]) -> NDArray[Any]:
    """`eval_jacobi`; zero at n = -1, -2, ... (DLMF 18.5.7), 1 at n = 0."""
    return _polynomial(sc.eval_jacobi, n, alpha, beta, x)


def laguerre(n: NDArray[Any], alpha: NDArray[Any], x: NDArray[Any]) -> NDArray[Any]:
    """`eval_genlaguerre`; zero at n = -1, -2, ... (DLMF 18.5.12), 1 at n = 0."""
    return _polynomial(sc.eval_genlaguerre, n, alpha, x)


def _polynomial(evaluated: Any, n: NDArray[Any], *rest: NDArray[Any]) -> NDArray[Any]:
    known = (n <= 0) & (n == np.floor(n))
    return np.where(known, n == 0, evaluated(np.where(known, 1, n), *rest))
