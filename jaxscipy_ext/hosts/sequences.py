"""SciPy's sequence functions with the continuous argument first and the ones that fix the length as keywords."""

from typing import Any

import scipy.special as sc


def riccati_jn(x: Any, *, n: int) -> Any:
    """x j_k(x) and derivatives, k = 0 … n."""
    return sc.riccati_jn(n, float(x))


def riccati_yn(x: Any, *, n: int) -> Any:
    """x y_k(x) and derivatives, k = 0 … n."""
    return sc.riccati_yn(n, float(x))


def pbdv_seq(x: Any, *, v: float) -> Any:
    """D of the orders v - int(v) … v at x and derivatives."""
    return sc.pbdv_seq(v, float(x))


def pbvv_seq(x: Any, *, v: float) -> Any:
    """V of the orders v - int(v) … v at x and derivatives."""
    return sc.pbvv_seq(v, float(x))


def pbdn_seq(z: Any, *, n: int) -> Any:
    """D of the orders 0 … n at complex z and derivatives."""
    return sc.pbdn_seq(n, complex(z))


def lqn(z: Any, *, n: int) -> Any:
    """Legendre functions of the second kind of the degrees 0 … n and derivatives."""
    return sc.lqn(n, z)


def lqmn(z: Any, *, m: int, n: int) -> Any:
    """Associated Legendre functions of the second kind, orders 0 … m, degrees 0 … n, and derivatives."""
    return sc.lqmn(m, n, z)


def lmbda(x: Any, *, v: float) -> Any:
    """Jahnke-Emden functions of the orders v - int(v) … v and derivatives."""
    return sc.lmbda(v, float(x))


def roots_jacobi(alpha: Any, beta: Any, *, n: int) -> Any:
    """Nodes and weights of the Gauss-Jacobi rule."""
    return sc.roots_jacobi(n, float(alpha), float(beta))


def roots_sh_jacobi(p1: Any, q1: Any, *, n: int) -> Any:
    """Nodes and weights of the Gauss rule of the shifted Jacobi polynomials."""
    return sc.roots_sh_jacobi(n, float(p1), float(q1))


def roots_gegenbauer(alpha: Any, *, n: int) -> Any:
    """Nodes and weights of the Gauss-Gegenbauer rule."""
    return sc.roots_gegenbauer(n, float(alpha))


def roots_genlaguerre(alpha: Any, *, n: int) -> Any:
    """Nodes and weights of the generalized Gauss-Laguerre rule."""
    return sc.roots_genlaguerre(n, float(alpha))
