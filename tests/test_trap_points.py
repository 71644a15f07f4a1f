"""First to third derivatives where textbook rules give NaN, 0*inf or noise: exact values, forward and reverse.

The values are those of Taylor series and polynomials, or mpmath's at the point (a limit where that is meant).
"""

import math
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
import scipy.special as sc
from numpy.testing import assert_allclose

import jaxscipy_ext as jse

inf = np.inf


def taylor(f: Callable[[Any], Any], x: Any, orders: int = 3) -> list[complex | float]:
    """Derivatives of order 1 to `orders` by mpmath at 60 digits."""
    with mp.workdps(60):
        values = [complex(mp.diff(f, mp.mpmathify(x), order, h=mp.mpf(10) ** -12)) for order in range(1, orders + 1)]
    return values if isinstance(x, complex) else [value.real for value in values]


def lambert(z: complex, k: int) -> list[Any]:
    """The first three derivatives of W_k (DLMF 4.13.4, differentiated)."""
    with mp.workdps(40):
        w = mp.lambertw(z, k)
        first = mp.exp(-w) / (1 + w)
        factors = (1, -(2 + w) / (1 + w), (9 + 8 * w + 2 * w * w) / (1 + w) ** 2)
        number = complex if isinstance(z, complex) else float
        return [number(first**n * factor) for n, factor in enumerate(factors, 1)]


def inverse_gamma_shape(p: float, x: float) -> list[float]:
    """The first two derivatives of the shape b with P(b, x) = p, at SciPy's root."""
    with mp.workdps(40):
        root = mp.mpf(float(sc.gdtrib(1, p, x)))
        slopes = [mp.diff(lambda b: mp.gammainc(b, 0, x, regularized=True), root, n) for n in (1, 2)]
        return [float(1 / slopes[0]), float(-slopes[1] / slopes[0] ** 3)]


CASES: dict[str, tuple[Callable[[Any], Any], complex, Sequence[complex]]] = {
    # Bessel functions at z = 0: the power series (DLMF 10.2.2, 10.25.2, 10.53.1)
    "jv order 1, complex": (lambda z: jse.jv(1, z), 0j, [1 / 2, 0, -3 / 8]),
    "jve order 1": (lambda z: jse.jve(1, z), 0.0, [1 / 2, 0, -3 / 8]),
    "j0": (jse.j0, 0.0, [0, -1 / 2, 0]),
    "j1": (jse.j1, 0.0, [1 / 2, 0, -3 / 8]),
    "i0": (jse.i0, 0.0, [0, 1 / 2, 0]),
    "i1": (jse.i1, 0.0, [1 / 2, 0, 3 / 8]),
    "i0e, mean of both sides": (jse.i0e, 0.0, [0]),
    "i1e": (jse.i1e, 0.0, [1 / 2]),
    "ive order 1": (lambda z: jse.ive(1, z), 0.0, [1 / 2]),
    "spherical_jn 1, derivative": (lambda z: jse.spherical_jn(1, z, True), 0.0, [0, -1 / 5, 0]),
    "yv near 0, order -3/2": (  # -J_(3/2)
        lambda z: jse.yv(-1.5, z),
        5e-196,
        [-c / math.gamma(2.5) / 2**1.5 for c in (1.5 * 5e-196**0.5, 0.75 / 5e-196**0.5)],
    ),
    "keip near 0": (jse.keip, 1e-200, [-0.5 * (0.5 + np.euler_gamma + math.log(5e-201)), -5e199]),  # DLMF 10.65.5
    # order 0 (DLMF 10.15.5, 10.38.2-3)
    "jv in v": (lambda v: jse.jv(v, 2.0), 0.0, [float(mp.pi / 2 * mp.bessely(0, 2))]),
    "yv in v": (lambda v: jse.yv(v, 2.0), 0.0, [float(-mp.pi / 2 * mp.besselj(0, 2))]),
    "iv in v": (lambda v: jse.iv(v, 2.0), 0.0, [float(-mp.besselk(0, 2))]),
    "kv in v": (lambda v: jse.kv(v, 2.0), 0.0, [0]),
    "ive in v at large z": (lambda v: jse.ive(v, 30.0), 0.0, [float(-mp.exp(-30) * mp.besselk(0, 30))]),
    # scaled functions at large arguments
    "kve far": (lambda z: jse.kve(0.3, z), 1e3, taylor(lambda z: mp.exp(z) * mp.besselk(0.3, z), 1e3)),
    "ive far": (lambda z: jse.ive(0.3, z), 1e3, taylor(lambda z: mp.exp(-z) * mp.besseli(0.3, z), 1e3)),
    "hankel1e far": (
        lambda z: jse.hankel1e(0.3, z),
        500 + 3j,
        taylor(lambda z: mp.exp(-1j * z) * mp.hankel1(0.3, z), 500 + 3j),
    ),
    "i0e far": (jse.i0e, -1e3, taylor(lambda z: mp.exp(z) * mp.besseli(0, z), -1e3)),
    "erfcx far": (jse.erfcx, 1e4, taylor(lambda x: mp.hyperu(0.5, 0.5, x * x) / mp.sqrt(mp.pi), 1e4)),
    "erfcx, x < 0": (jse.erfcx, -3.0, taylor(lambda x: mp.exp(x * x) * mp.erfc(x), -3)),
    "dawsn far": (jse.dawsn, 30.0, taylor(lambda x: mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x), 30)),
    "dawsn at infinity": (jse.dawsn, inf, [0, 0, 0]),
    "erfcx at infinity": (jse.erfcx, inf, [0, 0, 0]),
    "kve at infinity": (lambda z: jse.kve(0.5, z), inf, [0, 0, 0]),
    "ive at -infinity": (lambda z: jse.ive(1, z), -inf, [0, 0, 0]),
    "voigt_profile at infinity": (lambda x: jse.voigt_profile(x, 1.0, 0.5), inf, [0, 0, 0]),
    "log_ndtr at infinity": (jse.log_ndtr, inf, [0]),
    "dawsn at 0": (jse.dawsn, 0.0, [1, 0, -4]),
    "dawsn near 0, complex": (  # odd: D'' = -4z + ..., where w(z) and w(-z) cancel
        jse.dawsn,
        1e-9 + 2e-9j,
        taylor(lambda x: mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x), 1e-9 + 2e-9j),
    ),
    "wofz far": (jse.wofz, 40 + 3j, taylor(lambda z: mp.exp(-z * z) * mp.erfc(-1j * z), 40 + 3j)),
    "log_ndtr far": (jse.log_ndtr, -30.0, taylor(lambda x: mp.log(mp.erfc(-x / mp.sqrt(2)) / 2), -30)),
    "log_ndtr, x > 0": (jse.log_ndtr, 8.0, taylor(lambda x: mp.log1p(-mp.erfc(x / mp.sqrt(2)) / 2), 8)),
    "ndtri at 0": (jse.ndtri, 0.0, [inf]),
    "erfinv at 1": (jse.erfinv, 1.0, [inf]),
    # limits of the Voigt profile: Cauchy, normal
    "voigt_profile, sigma = 0": (
        lambda x: jse.voigt_profile(x, 0.0, 0.5),
        0.7,
        taylor(lambda x: mp.mpf(0.5) / mp.pi / (x * x + mp.mpf(0.25)), 0.7),
    ),
    "voigt_profile in sigma at 0": (lambda s: jse.voigt_profile(0.7, s, 0.5), 0.0, [0]),
    "voigt_profile, gamma = 0": (lambda x: jse.voigt_profile(x, 1.0, 0.0), 9.0, taylor(mp.npdf, 9.0)),
    # degrees whose neighbours SciPy has no value for
    "lpmv, m = v = 0": (lambda x: jse.lpmv(0, 0.0, x), 0.5, [0, 0]),
    "lpmv, v = -1": (lambda x: jse.lpmv(0, -1.0, x), 0.5, [0, 0]),
    "eval_legendre, n = -3": (lambda x: jse.eval_legendre(-3, x), 0.5, [1.5, 3]),
    "eval_sh_legendre, n = -3": (lambda x: jse.eval_sh_legendre(-3, x), 0.75, [3, 12]),
    "eval_gegenbauer, alpha = -1": (lambda x: jse.eval_gegenbauer(1.0, -1.0, x), 0.5, [-2, 0]),
    # quotients of gammas at zeros, and where two poles cancel
    "poch near 0": (lambda z: jse.poch(z, 3), 1e-20, [2, 6, 6]),
    "poch at -2": (lambda z: jse.poch(z, 5), -2.0, [4, 0, -30]),
    "poch of a small m": (lambda z: jse.poch(z, 1e-9), -0.49, taylor(lambda z: mp.rf(z, mp.mpf(1e-9)), -0.49)),
    "beta at -2": (lambda a: jse.beta(a, 2), -2.0, taylor(lambda a: 1 / (a * (a + 1)), -2)),
    "betaln at -2": (lambda b: jse.betaln(2, b), -2.0, taylor(lambda a: -mp.log(a * (a + 1)), -2)),
    "binom far outside": (
        lambda y: jse.binom(20, y),
        690.0,
        taylor(lambda y: mp.binomial(20, y), 690),
    ),
    "binom far below": (lambda y: jse.binom(0.25, y), -690.3, taylor(lambda y: mp.binomial(0.25, y), -690.3)),
    "binom far below, in x": (lambda x: jse.binom(x, -690.3), 0.25, taylor(lambda x: mp.binomial(x, -690.3), 0.25)),
    "betainc, b = 0": (lambda x: jse.betainc(0.5, 0.0, x), 0.3, [0, 0, 0]),
    # where a slope is infinite and the mixed one isn't (DLMF 19.18.1)
    "elliprg, slope of d/dx at y = 0": (
        lambda y: jax.grad(jse.elliprg)(1.0, y, 2.0),
        0.0,
        [float(-mp.elliprd(0, 2, 1) / 24)],
    ),
    "eval_chebyt, slope of d/dn at the left end": (lambda x: jax.grad(jse.eval_chebyt)(0.0, x), -1.0, [0]),
    "gdtr, slope of d/da": (lambda x: jax.grad(jse.gdtr)(2.0, 1.0, x), 0.0, [1, -4]),
    "chndtr in df at 0, central": (lambda v: jse.chndtr(1.5, v, 0.0), 0.0, [float(-mp.e1(0.75) / 2)]),
    "gdtrib, improbable": (lambda p: jse.gdtrib(1.0, p, 1.5), 1e-200, inverse_gamma_shape(1e-200, 1.5)),
    "fdtr, slope of d/dx": (lambda n: jax.grad(jse.fdtr, 2)(n, 2.0, 0.0), 3.0, [0]),
    # entropies
    "xlogy in y": (lambda y: jse.xlogy(0.0, y), 0.0, [0, 0, 0]),
    "xlogy in y near 0": (lambda y: jse.xlogy(0.0, y), 1e-200, [0, 0, 0]),
    "rel_entr in y near 0": (lambda y: jse.rel_entr(1e-170, y), 1e-160, [-1e-10, 1e150, -inf]),
    "xlogy in y, complex": (lambda y: jse.xlogy(0j, y), 0j, [0, 0]),
    "xlogy, slope of d/dy": (lambda x: jax.grad(jse.xlogy, 1)(x, 2.0), 0.0, [1 / 2, 0]),
    "xlogy, slope of d/dy at y = 0": (lambda x: jax.grad(jse.xlogy, 1)(x, 0.0), 0.0, [inf]),
    "xlogy in x": (lambda x: jse.xlogy(x, 0.0), 0.0, [-inf]),
    "xlog1py in y": (lambda y: jse.xlog1py(0.0, y), -1.0, [0, 0, 0]),
    "entr": (jse.entr, 0.0, [inf]),
    "rel_entr in x": (lambda x: jse.rel_entr(x, 1.0), 0.0, [-inf]),
    "rel_entr in y": (lambda y: jse.rel_entr(0.0, y), 2.0, [0, 0]),
    "rel_entr in y at 0": (lambda y: jse.rel_entr(0.0, y), 0.0, [0, 0]),
    "kl_div in x": (lambda x: jse.kl_div(x, 1.0), 0.0, [-inf]),
    "kl_div in y at 0": (lambda y: jse.kl_div(0.0, y), 0.0, [1, 0]),
    "kl_div, x near y": (lambda x: jse.kl_div(x, 1.0), 1 + 2.0**-30, [float(mp.log1p(mp.mpf(2) ** -30))]),
    # poles of gamma and psi
    "rgamma at 0": (jse.rgamma, 0.0, taylor(mp.rgamma, 0)),
    "rgamma at -3": (jse.rgamma, -3.0, taylor(mp.rgamma, -3)),
    "rgamma at -3, complex": (jse.rgamma, -3 + 0j, taylor(mp.rgamma, -3 + 0j)),
    "rgamma near -3": (jse.rgamma, -3 + 1e-9, taylor(mp.rgamma, -3 + 1e-9)),
    "binom at its zero": (
        lambda y: jse.binom(2.0, y),
        3.0,
        taylor(lambda y: 2 * mp.rgamma(y + 1) * mp.rgamma(3 - y), 3),
    ),
    "binom at y = -2": (
        lambda y: jse.binom(2.5, y),
        -2.0,
        taylor(lambda y: mp.gamma(3.5) * mp.rgamma(y + 1) * mp.rgamma(3.5 - y), -2),
    ),
    "binom in x at its zero": (
        lambda x: jse.binom(x, 3.0),
        2.0,
        taylor(lambda x: x * (x - 1) * (x - 2) / 6, 2),
    ),
    "poch at z = -2": (lambda z: jse.poch(z, 4.0), -2.0, [2, -2, -12]),
    "poch at z = -2, z + m < 0": (lambda z: jse.poch(z, 1.0), -2.0, [1, 0, 0]),
    "poch in m at z = -2": (lambda m: jse.poch(-2.0, m), 0.5, [0, 0, 0]),
    "beta at its zero": (
        lambda b: jse.beta(-0.5, b),
        0.5,
        taylor(lambda b: mp.gamma(-0.5) * mp.gamma(b) * mp.rgamma(b - 0.5), 0.5),
    ),
    "beta, b << a": (lambda a: jse.beta(a, 1e-6), 50.0, taylor(lambda a: mp.beta(a, mp.mpf(1e-6)), 50)),
    # incomplete functions at the ends
    "gammainc at x = 0, a = 1": (lambda x: jse.gammainc(1.0, x), 0.0, [1, -1, 1]),
    "gammainc at x = 0, a = 2": (lambda x: jse.gammainc(2.0, x), 0.0, [0, 1, -2]),
    "gammainc at x = 0, a = 1.5": (lambda x: jse.gammainc(1.5, x), 0.0, [0, inf]),
    "gammainc at x = 0, a = 0.5": (lambda x: jse.gammainc(0.5, x), 0.0, [inf]),
    "gammainc in a at x = 0": (lambda a: jse.gammainc(a, 0.0), 1.5, [0]),
    "gammainc in a at x = inf": (lambda a: jse.gammainc(a, inf), 1.5, [0]),
    "gammaincc in a near 0": (lambda a: jse.gammaincc(a, 2.0), 0.0, [float(mp.e1(2))]),
    # x = (Γ(a + 1) y)^(1/a) (1 + ...), by reversion of DLMF 8.7.1; a = 1/2 is the square of erfinv, a = 1 a logarithm
    "gammaincinv at y = 0, a = 0.3": (lambda y: jse.gammaincinv(0.3, y), 0.0, [0, 0, 0]),
    "gammaincinv at y = 0, a = 1/3": (lambda y: jse.gammaincinv(1 / 3, y), 0.0, [0, 0, 6 * math.gamma(4 / 3) ** 3]),
    "gammaincinv at y = 0, a = 0.4": (lambda y: jse.gammaincinv(0.4, y), 0.0, [0, 0, inf]),
    "gammaincinv at y = 0, a = 0.5": (lambda y: jse.gammaincinv(0.5, y), 0.0, [0, math.pi / 2, 0]),
    "gammaincinv at y = 0, a = 0.7": (lambda y: jse.gammaincinv(0.7, y), 0.0, [0, inf]),
    "gammaincinv at y = 0, a = 1": (lambda y: jse.gammaincinv(1.0, y), 0.0, [1, 1, 2]),
    "gammaincinv at y = 0, a = 2": (lambda y: jse.gammaincinv(2.0, y), 0.0, [inf]),
    "gammaincinv near 0": (  # f**3 underflows
        lambda y: jse.gammaincinv(0.8, y),
        1e-120,
        [math.gamma(1.8) ** 1.25 * c * 1e-120 ** (1.25 - n) for n, c in enumerate((1.25, 0.3125, -0.234375), 1)],
    ),
    "gammaincinv in a at y = 0": (lambda a: jse.gammaincinv(a, 0.0), 0.4, [0]),
    "gammaincinv, slope of d/dy in a at y = 0": (lambda a: jax.grad(jse.gammaincinv, 1)(a, 0.0), 0.4, [0]),
    "gammainccinv at y = 1, a = 0.5": (lambda y: jse.gammainccinv(0.5, y), 1.0, [0, math.pi / 2, 0]),
    "betaincinv at y = 0, (0.4, 2)": (lambda y: jse.betaincinv(0.4, 2.0, y), 0.0, [0, 0, inf]),
    "betaincinv at y = 0, (0.5, 0.5)": (lambda y: jse.betaincinv(0.5, 0.5, y), 0.0, [0, math.pi**2 / 2, 0]),
    "betaincinv at y = 1, (0.5, 0.5)": (lambda y: jse.betaincinv(0.5, 0.5, y), 1.0, [0, -(math.pi**2) / 2, 0]),
    "betainccinv at y = 1, (0.5, 0.5)": (lambda y: jse.betainccinv(0.5, 0.5, y), 1.0, [0, math.pi**2 / 2, 0]),
    "betainc at x = 0, (1, 3)": (lambda x: jse.betainc(1.0, 3.0, x), 0.0, [3, -6, 6]),
    "betainc at x = 0, (2, 1)": (lambda x: jse.betainc(2.0, 1.0, x), 0.0, [0, 2, 0]),
    "betainc at x = 1, (2, 1)": (lambda x: jse.betainc(2.0, 1.0, x), 1.0, [2, 2, 0]),
    "betainc at x = 1, (1, 1)": (lambda x: jse.betainc(1.0, 1.0, x), 1.0, [1, 0, 0]),
    "betainc at x = 0, (0.5, 2)": (lambda x: jse.betainc(0.5, 2.0, x), 0.0, [inf]),
    "betainc, (0.5, 0.5)": (
        lambda x: jse.betainc(0.5, 0.5, x),
        0.3,
        taylor(lambda x: 2 / mp.pi * mp.asin(mp.sqrt(x)), 0.3),
    ),
    "betainc in a at x = 0": (lambda a: jse.betainc(a, 2.0, 0.0), 1.5, [0]),
    "betainc in b at x = 1": (lambda b: jse.betainc(1.5, b, 1.0), 1.5, [0]),
    "betaincinv at y = 0, (1, 2)": (
        lambda y: jse.betaincinv(1.0, 2.0, y),
        0.0,
        [1 / 2, 1 / 4, 3 / 8],
    ),
    "betaincinv in a at y = 0": (lambda a: jse.betaincinv(a, 2.0, 0.0), 1.5, [0]),
    # Lambert W, Airy
    "lambertw at 0": (jse.lambertw, 0j, [1, -2, 9]),
    "lambertw beside -1/e": (lambda z: jse.lambertw(z).real, 1e-12 - 1 / math.e, lambert(1e-12 - 1 / math.e, 0)),
    "lambertw beside -1/e, k = -1": (  # SciPy's value is -1.0000000008 there instead of -1.00002
        lambda z: jse.lambertw(z, -1).real,
        1e-10 - 1 / math.e,
        lambert(1e-10 - 1 / math.e, -1),
    ),
    "lambertw a hair above the cut, k = -1": (  # SciPy's value is on the other side of -1 there
        lambda z: jse.lambertw(z, -1),
        -1 / math.e + 1e-25j,
        lambert(-1 / math.e + 1e-25j, -1)[:1],
    ),
    "lambertw at -1/e": (jse.lambertw, -1 / math.e + 0j, lambert(-1 / math.e + 0j, 0)),
    "lambertw at -1/e, k = -1": (lambda z: jse.lambertw(z, -1), -1 / math.e + 0j, lambert(-1 / math.e + 0j, -1)),
    "wrightomega far left": (jse.wrightomega, -800.0, [0, 0]),
    "wrightomega far right": (jse.wrightomega, 1e4, taylor(lambda z: mp.lambertw(mp.exp(z)), 1e4)),
    "airy at 0": (lambda z: jse.airy(z).ai, 0.0, [float(mp.airyai(0, derivative=1)), 0, float(mp.airyai(0))]),
    "airye, Bi at x < 0": (lambda z: jse.airye(z).ebi, -2.0, taylor(mp.airybi, -2)),
    "airye, Ai far": (
        lambda z: jse.airye(z).eai,
        60.0,
        taylor(lambda z: mp.exp(2 * z**1.5 / 3) * mp.airyai(z), 60),
    ),
    "airye, Ai where both exponentials count": (
        lambda z: jse.airye(z).eai,
        -28 - 2.9j,
        taylor(lambda z: mp.exp(2 * z * mp.sqrt(z) / 3) * mp.airyai(z), -28 - 2.9j),
    ),
    "airye, Ai' far": (
        lambda z: jse.airye(z).eaip,
        40 + 9j,
        taylor(lambda z: mp.exp(2 * z * mp.sqrt(z) / 3) * mp.airyai(z, derivative=1), 40 + 9j),
    ),
    "airye, Bi' far": (
        lambda z: jse.airye(z).ebip,
        300.0,
        taylor(lambda z: mp.exp(-2 * z**1.5 / 3) * mp.airybi(z, derivative=1), 300),
    ),
}


Series = Callable[[Any, Any, int], Any]


def series(sign: int, power: float, front: Callable[[int, Any], Any], last: int = 40) -> Series:
    """The n-th derivative of Σ sign^k (z/2)^(2k + v + power) front(k, v), term by term: no cancellation at small z."""

    def derivative(v: Any, z: Any, n: int) -> Any:
        total = mp.mpf(0)
        for k in range(last):
            exponent = 2 * k + v + power
            factors = sign**k * mp.ff(exponent, n) * front(k, v) / 2**exponent
            total += factors * z ** (exponent - n) if factors else 0
        return total

    return derivative


bessel_j = series(-1, 0, lambda k, v: mp.rgamma(k + 1) * mp.rgamma(v + k + 1))
bessel_i = series(1, 0, lambda k, v: mp.rgamma(k + 1) * mp.rgamma(v + k + 1))
struve_h = series(-1, 1, lambda k, v: mp.rgamma(k + mp.mpf(1.5)) * mp.rgamma(v + k + mp.mpf(1.5)))
struve_l = series(1, 1, lambda k, v: mp.rgamma(k + mp.mpf(1.5)) * mp.rgamma(v + k + mp.mpf(1.5)))
besselpoly = series(-1, 0, lambda k, v: 2 ** (2 * k + v) * mp.rgamma(k + 1) * mp.rgamma(v + k + 1) / (2 * k + v + 2))


def bessel_y(v: Any, z: Any, n: int) -> Any:
    return (mp.cospi(v) * bessel_j(v, z, n) - bessel_j(-v, z, n)) / mp.sinpi(v)


def scaled_i(v: Any, z: Any, n: int) -> Any:
    return mp.exp(-z) * mp.fsum(mp.binomial(n, k) * (-1) ** (n - k) * bessel_i(v, z, k) for k in range(n + 1))


def spherical(sign: int) -> Series:
    return lambda v, z, n: (
        mp.sqrt(mp.pi) / 2 * series(sign, 0, lambda k, v: mp.rgamma(k + 1) * mp.rgamma(k + v + 1.5))(v, z, n)
    )


AT_ZERO = [(0, 0), (1, 0), (2, 0), (3, 0), (-1, 0)]
# Beside 0, -1, ... the part of J and I that is regular and the other one both count; beside -1/2, -3/2, ... those of Y.
BESIDE = [
    (1e-13, 1e-8),
    (-1e-9, 1e-3),
    (1e-4, 0.2),
    (-1 - 1e-12, 0.1),
    (-1 + 1e-12, 3),
    (-2 - 1e-9, 1e-3),
    (-3 + 1e-7, 0.4),
]
HALF = [
    (-0.5, 1e-8),
    (-0.5 - 1e-9, 0.1),
    (-1.5, 1e-100),
    (-1.5 + 1e-12, 1e-3),
    (-2.5, 0.1),
    (-2.5 - 1e-7, 3),
    (-0.3, 2),
]
FAMILIES: dict[str, tuple[Callable[[Any, Any], Any], Series, Sequence[tuple[float, float]]]] = {
    "jv": (jse.jv, bessel_j, [*AT_ZERO, *BESIDE, (0.3, 2.0)]),
    "jve": (jse.jve, bessel_j, [AT_ZERO[1], *BESIDE]),
    "iv": (jse.iv, bessel_i, [*AT_ZERO, *BESIDE, (0.3, 2.0)]),
    "ive": (jse.ive, scaled_i, [*BESIDE, (-1 + 4e-16, 1e-4), (-1.5, 1e-30)]),
    "yv": (jse.yv, bessel_y, [*HALF, (0.3, 1e-60), (8.3, 6e-6), (-8.3, 6e-6)]),
    "struve": (jse.struve, struve_h, [*AT_ZERO, *HALF, (-1, 1e-8), (-1 + 1e-9, 1e-3), (1e-9, 0.1)]),
    "modstruve": (jse.modstruve, struve_l, [*AT_ZERO, *HALF, (-1, 1e-8), (-1.5 - 1e-7, 10)]),
    "jvp": (lambda v, z: jse.jvp(v, z, 2), lambda v, z, n: bessel_j(v, z, n + 2), [*AT_ZERO, *BESIDE[:4], BESIDE[6]]),
    "ivp": (lambda v, z: jse.ivp(v, z, 1), lambda v, z, n: bessel_i(v, z, n + 1), [*AT_ZERO, *BESIDE[:4], BESIDE[6]]),
    "besselpoly": (lambda v, z: jse.besselpoly(z, 1.0, v), besselpoly, [*AT_ZERO[:4], *BESIDE[:3], BESIDE[6]]),
    "poch": (
        lambda m, z: jse.poch(z, m),
        lambda m, z, n: mp.diff(lambda t: mp.gamma(t + m) * mp.rgamma(t), z, n, h=mp.mpf(10) ** -10),
        [(0.5, -600), (0.5, -600.3), (-0.3, -1000), (50.7, -101)],
    ),
    "spherical_jn": (lambda n, z: jse.spherical_jn(jnp.int32(n), z), spherical(-1), [*AT_ZERO[:4], (0, 0.5)]),
    "spherical_in": (lambda n, z: jse.spherical_in(jnp.int32(n), z), spherical(1), [*AT_ZERO[:4], (0, 0.5)]),
}
# Where the derivatives are infinite: their signs (. for a finite one), for orders 1 to 3.
INFINITE: dict[str, tuple[Callable[[Any, Any], Any], Sequence[tuple[float, float, str]]]] = {
    "jv": (
        jse.jv,
        [
            (0.5, 0, "+-+"),
            (-0.5, 0, "-+-"),
            (-1.5, 0, "+-+"),
            (-1.5, 1e-200, "+-+"),
            (0.5, 1e-300, ".-+"),
            (-0.5, 1e-300, "-+-"),
            (-0.3, 1e-300, "-+-"),
        ],
    ),
    "iv": (jse.iv, [(0.5, 0, "+-+"), (-0.5, 0, "-+-"), (-2.5, 1e-100, "-+-")]),
    "ive": (jse.ive, [(0.5, 0, "+-+"), (-0.5, 1e-300, "-+-"), (1.5, 0, ".+-")]),
    "yv": (
        jse.yv,
        [
            (0, 0, "+-+"),
            (0, 1e-170, ".-+"),
            (50, 1e-8, "+-+"),
            (-50, 1e-8, "+-+"),
            (1, 0, "+-+"),
            (2.5, 1e-200, "+-+"),
            (-1.3, 0, "-+-"),
            (-0.3, 0, "+-+"),
            (0.3, 1e-300, "+-+"),
            (-0.3, 1e-300, "+-+"),
            (0.5, 1e-300, "+-+"),
        ],
    ),
    "yn": (
        lambda n, x: jse.yn(jnp.int32(n), x),
        [(1, 0, "+-+"), (7, 1e-100, "+-+"), (-1, 0, "-+-"), (50, 1e-8, "+-+"), (-51, 1e-8, "-+-")],
    ),
    "kv": (jse.kv, [(0, 0, "-+-"), (1.5, 1e-200, "-+-")]),
    "kve": (jse.kve, [(0, 0, "-+-"), (0.5, 1e-300, "-+-"), (-7.3, 1e-200, "-+-")]),
    "y1": (lambda v, x: jse.y1(x), [(1, 0, "+-+"), (1, 1e-200, "+-+")]),
    "spherical_yn": (
        lambda n, z: jse.spherical_yn(jnp.int32(n), z),
        [(0, 0, "+-+"), (2, 1e-200, "+-+"), (2, -1e-200, "+++"), (50, 1e-8, "+-+"), (50, 4.9e-5, ".-+")],
    ),
    "spherical_kn": (lambda n, z: jse.spherical_kn(jnp.int32(n), z), [(0, 0, "-+-"), (0, 1e-200, "-+-")]),
    "airye, Ai": (lambda _, z: jse.airye(z).eai, [(0, 0, ".+-")]),
    "airye, Bi": (lambda _, z: jse.airye(z).ebi, [(0, 0, ".-+")]),
    "keip": (lambda _, x: jse.keip(x), [(0, 0, "+-")]),
    "gamma": (lambda _, z: jse.gamma(z), [(0, 1e-200, "-+-"), (0, -1e-200, "---")]),
    "psi": (lambda _, z: jse.psi(z), [(0, 1e-200, "+-+"), (0, -1e-200, "+++")]),
}


def forward(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: jax.jvp(f, (x,), (jnp.ones_like(x),))[1]


def reverse(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def derivative(x: Any) -> Any:
        value, pullback = jax.vjp(f, x)
        return pullback(jnp.ones_like(value))[0]

    return derivative


@pytest.mark.parametrize("case", CASES)
def test_derivatives(case: str) -> None:
    f, x, wanted = CASES[case]
    found = nested(f, len(wanted))(jnp.asarray(x))
    for name, derivatives in found.items():
        for order, (got, want) in enumerate(zip(derivatives, wanted, strict=False), 1):
            assert_allclose(got, want, rtol=1e-9, atol=1e-15 if want == 0 else 0, err_msg=f"{name}, order {order}")


def nested(f: Callable[[Any], Any], orders: int) -> Callable[[Any], dict[str, list[Any]]]:
    """The derivatives of f up to an order, forward, reverse and reverse over forward, as one program."""
    ways = {"forward": forward, "reverse": reverse}
    functions = {
        way: list(accumulate([f] + [mode] * orders, lambda g, mode: mode(g)))[1:] for way, mode in ways.items()
    }
    if orders > 1:
        functions["reverse over forward"] = [functions["forward"][0], reverse(functions["forward"][0])]
    return jax.jit(lambda x: {name: [g(x) for g in listed] for name, listed in functions.items()})


def orders(f: Callable[[Any, Any], Any], mode: Callable[..., Any], points: Sequence[Any]) -> list[Any]:
    """The first three derivatives in the second argument, at all points in one program."""
    v, z = (jnp.asarray([float(point[i]) for point in points]) for i in (0, 1))

    @jax.jit
    def derivatives(z: Any) -> list[Any]:
        found, derivative = [], lambda z: f(v, z)
        for _ in range(3):
            derivative = mode(derivative)
            found.append(derivative(z))
        return found

    return [np.asarray(values) for values in derivatives(z)]


@pytest.mark.parametrize("mode", [forward, reverse])
@pytest.mark.parametrize("name", FAMILIES)
def test_derivatives_in_z_beside_special_orders(name: str, mode: Callable[..., Any]) -> None:
    f, reference, points = FAMILIES[name]
    for n, got in enumerate(orders(f, mode, points), 1):
        with mp.workdps(40):
            want = [float(reference(mp.mpf(v), mp.mpf(z), n)) for v, z in points]
        assert_allclose(got, want, rtol=1e-9, atol=1e-300, err_msg=f"order {n} at {points}")


@pytest.mark.parametrize("name", INFINITE)
def test_infinite_derivatives_have_their_sign(name: str) -> None:
    f, points = INFINITE[name]
    for n, got in enumerate(orders(f, forward, points)):
        for value, (v, z, signs) in zip(got, points, strict=True):
            wanted = signs[n : n + 1]
            assert np.isfinite(value) if wanted == "." else not wanted or value == float(wanted + "inf"), (n + 1, v, z)
