"""The normalisation of the shifted Jacobi polynomials."""

import numpy as np
import scipy.special as sc

from jaxscipy_ext.derivatives._kernel import Real, kernel


@kernel(work=1)
def sh_jacobi_norm(n: Real, p: Real) -> Real:
    """1/binom(2n + p - 1, n) = Γ(n+1) Γ(n+p)/Γ(2n+p), the factor of a shifted Jacobi polynomial (DLMF 18.1.2)."""
    return np.asarray(sc.beta(n + 1, n + p) * (2 * n + p))
