"""Derivatives at the special points of SciPy's functions: limits, ends of domains, branch points, poles.

The values are limits of Taylor series, polynomials and elementary functions, or mpmath's at the point. An argument that
is written as an integer is passed as int32, except the one that is differentiated.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import mpmath as mp

inf, pi, e = math.inf, math.pi, math.e
Number = float | complex


class Special(NamedTuple):
    """Derivatives of the given order in argument `argnum` of one output; a complex infinity has no sign."""

    function: str
    argnum: int
    slopes: Mapping[tuple[Number, ...], Number]
    output: int = 0
    options: Mapping[str, Any] = {}
    order: int = 1


def slope(function: Callable[[Any], Any], x: Number, **options: Any) -> float:
    """The derivative by mpmath; of the real part, as Cauchy's principal values have it."""
    with mp.workdps(30):
        return float(mp.re(mp.diff(function, mp.mpf(x), **options)))


def gammainc_curvature(x: Any) -> float:
    """∂²P(a, x)/∂a² at a = 0: P is entire in a for x > 0 (DLMF 8.2)."""
    return slope(lambda a: mp.gammainc(a, 0, x, regularized=True), 0, n=2, singular=True)


def betainc_curvature(b: Any, x: Any) -> float:
    """∂²I_x(a, b)/∂a² at a = 0, from DLMF 8.17.7, which is analytic in a > -1 once a B(a, b) is written by Γ(a + 1)."""

    def analytic(a: Any) -> Any:
        return x**a * mp.gamma(a + b) / mp.gamma(a + 1) / mp.gamma(b) * mp.hyp2f1(a, 1 - b, a + 1, x)

    return slope(analytic, 0, n=2)


def oblate_at_zero(n: int, c: float, terms: int = 12) -> tuple[float, float]:
    """λ and R⁽¹⁾ at x = 0, order 0, even degree, by Legendre polynomials (DLMF 30.8.1; 30.11.3, j_r(0) = δ_r0)."""
    matrix = mp.zeros(terms)
    for k, r in enumerate(range(0, 2 * terms, 2)):
        matrix[k, k] = r * (r + 1) - c * c * mp.mpf(2 * r * (r + 1) - 1) / ((2 * r - 1) * (2 * r + 3))
        if k + 1 < terms:
            beside = mp.mpf((r + 1) * (r + 2)) / ((2 * r + 3) * mp.sqrt((2 * r + 1) * (2 * r + 5)))
            matrix[k, k + 1] = matrix[k + 1, k] = -c * c * beside
    values, vectors = mp.eigsy(matrix)
    d = [vectors[k, n // 2] * mp.sqrt(4 * k + 1) for k in range(terms)]
    return float(values[n // 2]), float((-1) ** (n // 2) * d[0] / mp.fsum(d))


def phi(x: float) -> float:
    return math.exp(-x * x / 2) / math.sqrt(2 * pi)


def erfcx(x: Any) -> Any:
    return mp.hyperu(0.5, 0.5, x * x) / mp.sqrt(mp.pi)


def erfcinv_slope(y: float) -> float:
    with mp.workdps(30):
        root = mp.findroot(lambda x: mp.log(mp.erfc(x)) - mp.log(mp.mpf(y)), mp.sqrt(-mp.log(y)))
        return float(-mp.sqrt(mp.pi) / 2 * mp.exp(root * root))


def voigt_slope_in_gamma(x: float) -> float:
    """For σ = 1, γ = 0, from w' = -2zw + 2i/√π (DLMF 7.10.1)."""
    z = mp.mpf(x) / mp.sqrt(2)
    w = mp.exp(-z * z) * mp.erfc(-1j * z)
    return float(mp.re(1j * (-2 * z * w + 2j / mp.sqrt(mp.pi))) / (2 * mp.sqrt(mp.pi)))


def odd_factorial2(z: Any) -> Any:
    """SciPy's z!! for complex z: 2^((z - 1)/2) Γ(z/2 + 1)/Γ(3/2)."""
    return 2 ** ((z - 1) / 2) * mp.gamma(z / 2 + 1) / mp.gamma(1.5)


def logistic_slope_in_lambda(x: float) -> float:
    """Of Tukey's distribution at λ = 0."""
    f = 1 / (1 + math.exp(-x))
    return -(math.log(f) ** 2 - math.log1p(-f) ** 2) * f * (1 - f) / 2


AM = -(0.7 - math.sin(0.7) * math.cos(0.7)) / 4
"""∂am(u, m)/∂m at m = 0, u = 0.7 (DLMF 22.16.1 and 19.7)."""


def rj_slopes(argnum: int, *points: tuple[float, ...]) -> dict[tuple[Number, ...], Number]:
    def along(point: tuple[float, ...]) -> float:
        return slope(lambda t: mp.elliprj(*point[:argnum], t, *point[argnum + 1 :]), point[argnum])

    return {point: along(point) for point in points}


def rj_principal(x: float, y: float, z: float, p: Any) -> Any:
    """Cauchy's principal value of R_J for p < 0 by R_J of a positive one (DLMF 19.20.14)."""
    other = (z * (x + y - p) - x * y) / (z - p)
    rest = x * y - other * p
    last = 3 * mp.sqrt(x * y * z / rest) * mp.elliprc(rest, -other * p) if x * y * z else 0
    return ((other - z) * mp.elliprj(x, y, z, other) - 3 * mp.elliprf(x, y, z) + last) / (z - p)


P_NEGATIVE = [(1.0, 2.0, 3.0, -0.5), (0.0, 2.0, 3.0, -0.5), (2.0, 0.0, 3.0, -1.0)]
P_EQUALS = [(1.0, 2.0, 3.0, 1.0), (1.0, 2.0, 3.0, 2.0), (1.0, 2.0, 3.0, 3.0)]

ELEMENTARY = [
    Special("cbrt", 0, {(0.0,): inf}),
    Special("sindg", 0, {(0.0,): pi / 180, (90.0,): 0, (180.0,): -pi / 180}),
    Special("cosdg", 0, {(0.0,): 0, (90.0,): -pi / 180, (180.0,): 0, (270.0,): pi / 180}),
    Special("tandg", 0, {(90.0,): inf, (270.0,): inf, (180.0,): pi / 180}),
    Special("cotdg", 0, {(0.0,): -inf, (180.0,): -inf, (90.0,): -pi / 180, (45.0,): -pi / 90}),
    Special("expm1", 0, {(-50.0,): math.exp(-50), (-700.0,): math.exp(-700), (-inf,): 0}),
    Special("exprel", 0, {(0.0,): 1 / 2, (1e-9,): 1 / 2 + 1e-9 / 3, (-inf,): 0}),
    Special("expit", 0, {(40.0,): math.exp(-40), (700.0,): math.exp(-700), (-40.0,): math.exp(-40)}),
    Special("log_expit", 0, {(-inf,): 1, (inf,): 0}),
    Special("logit", 0, {(0.0,): inf, (1.0,): inf}),
    Special("log1p", 0, {(-1.0,): inf}),
    Special("log1p", 0, {(-2 + 0j,): -1}),
    Special("entr", 0, {(0.0,): inf}),
    Special(
        "rel_entr", 0, {(0, 1): -inf, (1e-300, 1e300): 1 - 600 * math.log(10), (1e300, 1e-300): 1 + 600 * math.log(10)}
    ),
    Special("rel_entr", 1, {(0, 2): 0, (0, 0): 0}),
    Special("kl_div", 0, {(0, 1): -inf, (1e300, 1e-3): 303 * math.log(10)}),
    Special("kl_div", 1, {(0, 2): 1}),
    Special("huber", 0, {(2, 2): 0, (1, 1): 0, (1, -1): 0, (1, 3): 2, (0, 0): 0}),
    Special("huber", 1, {(1, 1): 1, (1, -1): -1, (0, 0): 0}),
    Special("pseudo_huber", 0, {(0, 1): 1, (0, -2): 2, (1, 0): 0, (1e-300, 0): 0, (1e-150, 3): 3}),  # δ|r| for small δ
    Special("pseudo_huber", 1, {(1, 0): 0, (0, 0): 0}),
    Special("boxcox", 0, {(0, 1): 1, (0, 2): 0, (0, 0.5): inf, (0, 0): inf}),
    Special("boxcox", 1, {(2, 0): math.log(2) ** 2 / 2}),
    Special("boxcox1p", 0, {(-1, 1): 1, (-1, 2): 0, (-1, 0.5): inf, (-1, 0): inf}),
    Special("boxcox1p", 1, {(1, 0): math.log(2) ** 2 / 2}),
    Special("inv_boxcox", 0, {(1, 0): e, (-1, 1): 1, (-2, 0.5): 0, (-0.5, 2): inf}),
    Special("inv_boxcox", 1, {(1, 0): -e / 2, (2, 0): -2 * e**2, (-1, 1): -1, (-2, 0.5): 0}),
    Special("inv_boxcox1p", 0, {(1, 0): e, (1.5, 1e-300): e**1.5, (-1, 1): 1, (-2, 0.5): 0, (-0.5, 2): inf}),
    Special("inv_boxcox1p", 1, {(1, 0): -e / 2, (-1, 1): -1, (-2, 0.5): 0}),
    Special("powm1", 0, {(0, 2): 0, (0, 1): 1, (0, 0.5): inf, (-2, 3): 12, (-2, 2): -4}),
    Special("powm1", 1, {(0, 2): 0, (0, 0.5): 0}),
    Special("xlogy", 0, {(0, 0): -inf}),
    Special("xlogy", 1, {(0, 0): 0, (0, 2): 0}),
    Special("xlog1py", 0, {(0, -1): -inf}),
    Special("xlog1py", 1, {(0, -1): 0, (0, 2): 0}),
    Special("round", 0, {(0.3,): 0, (0.5,): 0, (2.5,): 0}),
    Special("sinc", 0, {(0.0,): 0, (1.0,): -1}),
    Special("diric", 0, {(0.0, 5): 0, (2 * pi, 4): 0, (4 * pi, 3): 0, (1e-9, 5): -2e-9}),
    Special("comb", 0, {(3, 7.0): 0, (-2, 2.0): 0, (5, -1.0): 0}),
    Special("comb", 1, {(3.0, 7): 0, (5.0, -1): 0}),
    Special("perm", 0, {(3, 7.0): 0, (-2, 2.0): 0, (5, -1.0): 0}),
    Special("factorial", 0, {(-2.5,): 0, (3.0,): float(6 * mp.psi(0, 4))}),
    Special("factorial2", 0, {(z + 0j,): slope(odd_factorial2, z) for z in (3.3, 3, 4)}, options={"extend": "complex"}),
]

ERROR = [
    Special("erfcx", 0, {(60.0,): slope(erfcx, 60), (1e4,): slope(erfcx, 1e4)}),
    Special("dawsn", 0, {(30.0,): slope(lambda x: mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x), 30)}),
    Special("wofz", 0, {(40 + 3j,): complex(mp.diff(lambda z: mp.exp(-z * z) * mp.erfc(-1j * z), 40 + 3j))}),
    Special("erfinv", 0, {(1.0,): inf, (-1.0,): inf}),
    Special("erfcinv", 0, {(0.0,): -inf, (2.0,): -inf, (1e-300,): erfcinv_slope(1e-300)}),
    Special("log_ndtr", 0, {(-30.0,): slope(lambda x: mp.log(mp.ncdf(x)), -30)}),
    Special("ndtr", 0, {(0.0,): phi(0), (-30.0,): phi(-30)}),
    Special("ndtri", 0, {(0.0,): inf, (1.0,): inf}),
    Special("ndtri_exp", 0, {(0.0,): inf}),
    Special("voigt_profile", 0, {(0.7, 0, 0.5): -0.7 / pi / 0.74**2, (9.0, 1, 0.0): -9 * phi(9), (0.7, 0, 0.0): 0}),
    Special("voigt_profile", 1, {(0.7, 0, 0.5): 0}),
    Special("voigt_profile", 2, {(0.7, 1.0, 0): voigt_slope_in_gamma(0.7)}),
    Special("owens_t", 0, {(0.5, inf): -phi(0.5) / 2, (0.5, -inf): phi(0.5) / 2, (0, 0.5): 0}),
    Special("modfresnelp", 0, {(30.0,): complex(-mp.expj(900))}),
    Special("modfresnelm", 0, {(30.0,): complex(-mp.expj(-900))}),
]

GAMMA = [
    Special("gammasgn", 0, {(0.3,): 0, (-0.5,): 0}),
    *(Special(name, 0, {(0.0,): -inf}) for name in ("gamma", "gammaln")),
    Special("psi", 0, {(0.0,): inf}),
    Special("polygamma", 1, {(1, 0): -inf}),
    Special("rgamma", 0, {(0.0,): 1, (-1.0,): -1, (-2.0,): 2, (-3.0,): -6}),
    Special("gammaln", 0, {(-2.5,): float(mp.psi(0, -2.5))}),
    Special("loggamma", 0, {(-2.5 + 0j,): float(mp.psi(0, -2.5))}),
    Special("beta", 0, {(50, 1e-6): slope(lambda a: mp.beta(a, mp.mpf(1e-6)), 50)}),
    Special("betaln", 0, {(50, 1e-6): slope(lambda a: mp.log(mp.beta(a, mp.mpf(1e-6))), 50)}),
    Special("poch", 0, {(-2, 4): 2, (-2, 1): 1, (-3, 2): -5}),
    Special("binom", 0, {(2, 3): 1 / 3}),
    Special("binom", 1, {(2, 3): -1 / 3, (2.5, -2): -float(mp.gamma(3.5) / mp.gamma(5.5))}),
    Special("zeta", 0, {(x,): float(mp.zeta(x, 1, 1)) for x in (0.5, -3.0, 0.0)}),
    Special("zeta", 1, {(2.0, 0): -inf}),
    Special("zetac", 0, {(x,): float(mp.zeta(x, 1, 1)) for x in (0.5, 0.0)}),
    Special("gammainc", 0, {(0, 2): -float(mp.e1(2)), (1.5, 0): 0, (1.5, inf): 0}),
    Special("gammainc", 1, {(2.0, 0): 0, (1.0, 0): 1, (0.5, 0): inf}),
    Special("gammaincc", 0, {(0, 2): float(mp.e1(2)), (1.5, 0): 0, (1.5, inf): 0}),
    Special("gammaincc", 1, {(2.0, 0): 0, (1.0, 0): -1, (0.5, 0): -inf}),
    Special("gammainc", 0, {(0, x): gammainc_curvature(x) for x in (0.1, 2.0)}, order=2),
    Special("gammaincc", 0, {(0, x): -gammainc_curvature(x) for x in (0.1, 2.0)}, order=2),
    Special("gammaincinv", 0, {(1.5, 0): 0, (1e-3, 1e-3): 0}),
    Special("gammaincinv", 1, {(0.5, 0): 0, (1.0, 0): 1, (2.0, 0): inf}),
    Special("gammainccinv", 0, {(1.5, 1): 0}),
    Special("gammainccinv", 1, {(0.5, 1): 0, (1.0, 1): -1, (2.0, 1): -inf}),
    Special("betainc", 0, {(1.5, 2, 0): 0, (1.5, 2, 1): 0}),
    Special("betainc", 1, {(1.5, 2, 0): 0, (1.5, 2, 1): 0}),
    Special("betainc", 2, {(2, 3, 0): 0, (1, 3, 0): 3, (0.5, 3, 0): inf, (3, 2, 1): 0, (3, 1, 1): 3, (3, 0.5, 1): inf}),
    Special("betainc", 0, {(0, b, x): betainc_curvature(b, x) for b, x in ((2.0, 0.3), (0.5, 0.75))}, order=2),
    Special("betaincc", 1, {(2.0, 0, 0.75): betainc_curvature(2.0, 0.25)}, order=2),
    Special("betaincc", 0, {(1.5, 2, 0): 0, (1.5, 2, 1): 0}),
    Special("betaincc", 2, {(2, 3, 0): 0, (1, 3, 0): -3, (0.5, 3, 0): -inf, (3, 1, 1): -3, (3, 0.5, 1): -inf}),
    Special("betaincinv", 0, {(1.5, 2, 0): 0, (1.5, 2, 1): 0}),
    Special("betaincinv", 2, {(0.5, 3, 0): 0, (1, 3, 0): 1 / 3, (2, 3, 0): inf, (3, 0.5, 1): 0, (3, 1, 1): 1 / 3}),
    Special("betainccinv", 0, {(1.5, 2, 0): 0, (1.5, 2, 1): 0}),
    Special("betainccinv", 2, {(0.5, 3, 1): 0, (1, 3, 1): -1 / 3, (2, 3, 1): -inf, (3, 0.5, 0): 0, (3, 1, 0): -1 / 3}),
]

DISTRIBUTIONS = [
    Special("chdtr", 0, {(3, 0.0): 0}),
    Special("chdtr", 1, {(2, 0): 1 / 2, (1, 0): inf, (4, 0): 0}),
    Special("chdtrc", 1, {(2, 0): -1 / 2, (1, 0): -inf, (4, 0): 0}),
    Special("chdtr", 0, {(0, 4.0): gammainc_curvature(2.0) / 4}, order=2),
    Special("chdtri", 1, {(1, 1): 0, (2, 1): -2, (4, 1): -inf}),
    Special("gdtr", 0, {(2, 1, 0): 0}),
    Special("gdtr", 2, {(2, 1.0, 0): 2, (2, 0.5, 0): inf, (2, 3.0, 0): 0}),
    Special("gdtria", 0, {(0, 0.5, 2): 0, (0, 1, 2): 1 / 2, (0, 2, 2): inf}),
    Special("gdtrix", 2, {(2, 0.5, 0): 0, (2, 1, 0): 1 / 2, (2, 2, 0): inf}),
    Special("pdtr", 0, {(1, 2): 0}),
    Special("pdtr", 1, {(0, 0): -1, (1, 0): 0}),
    Special("pdtrc", 0, {(1, 2): 0}),
    Special("pdtrc", 1, {(0, 0): 1, (1, 0): 0}),
    Special("pdtri", 0, {(1, 0.3): 0}),
    Special("pdtri", 1, {(0, 1): -1, (1, 1): -inf}),
    Special("pdtrik", 0, {(math.exp(-2) / 2, 2): 0}),  # no k has so small a probability: SciPy gives 0
    Special("pdtrik", 1, {(math.exp(-2) / 2, 2): 0}),
    Special("bdtr", 0, {(1, 5, 0.3): 0}),
    Special("bdtr", 2, {(3, 3, 0.3): 0}),
    Special("bdtrc", 0, {(1, 5, 0.3): 0}),
    Special("bdtrc", 2, {(-1, 3, 0.3): 0}),
    Special("bdtri", 0, {(1, 5, 0.3): 0}),
    Special("bdtri", 2, {(0, 3, 1): -1 / 3, (1, 3, 1): -inf, (2, 3, 0): -1 / 3, (0, 3, 0): -inf}),
    Special("bdtrik", 0, {(0.7**5 / 2, 5, 0.3): 0}),
    Special("bdtrik", 1, {(0.7**5 / 2, 5, 0.3): 0}),
    Special("bdtrik", 2, {(0.7**5 / 2, 5, 0.3): 0}),
    Special("nbdtr", 0, {(2, 2, 0.3): 0}),
    Special("nbdtr", 2, {(2, 1, 0): 3, (2, 2, 0): 0}),
    Special("nbdtrc", 0, {(2, 2, 0.3): 0}),
    Special("nbdtrc", 2, {(2, 1, 0): -3, (2, 2, 0): 0}),
    Special("nbdtri", 0, {(2, 2, 0.3): 0}),
    Special("nbdtri", 2, {(2, 1, 0): 1 / 3, (1, 2, 0): inf, (0, 2, 1): 1 / 2, (1, 2, 1): inf}),
    Special("stdtr", 0, {(3, 0.0): 0, (inf, 0.5): 0, (3, inf): 0, (3, -inf): 0}),
    Special("stdtr", 1, {(inf, 0.5): phi(0.5), (3, 0): 2 / (pi * math.sqrt(3))}),
    Special("stdtrit", 0, {(3, 0.5): 0, (1.5, 0.5): 0}),
    Special("stdtrit", 1, {(3, 0): inf, (3, 1): inf}),
    Special("nrdtrimn", 0, {(0, 1, 2): -inf, (1, 1, 2): -inf}),
    Special("fdtr", 2, {(2, 3, 0): 1, (1, 3, 0): inf, (4, 3, 0): 0}),
    Special("fdtrc", 2, {(2, 3, 0): -1, (1, 3, 0): -inf, (4, 3, 0): 0}),
    Special("fdtri", 0, {(2, 3, 0): 0, (5, 3, 0): 0}),  # at the end of the support, whatever the parameters
    Special("fdtri", 2, {(1, 3, 0): 0, (2, 3, 0): 1, (4, 3, 0): inf}),
    Special("ncfdtr", 3, {(1, 3, 1, 0): inf, (2, 3, 1, 0): math.exp(-0.5), (4, 3, 1, 0): 0}),
    Special("chndtrix", 1, {(0, 3, 1): 0}),
    Special("ncfdtri", 0, {(3, 2, 3, 0): 0}),
    Special("chndtr", 0, {(0, 2, 1): math.exp(-0.5) / 2, (0, 4, 1): 0, (0, 1, 1): inf}),
    Special("chndtr", 1, {(0, 2, 1): 0}),
    Special("chndtr", 2, {(3, 2, 0): -0.75 * math.exp(-1.5), (0, 2, 1): 0}),
    Special("nctdtr", 0, {(inf, 1, 0.5): 0}),
    Special("nctdtr", 1, {(3, 40, 0.5): 0}),  # SciPy's value is constant beyond 38
    Special("nctdtr", 2, {(3, 1, 0): 2 / (pi * math.sqrt(3)) * math.exp(-1 / 2)}),
    Special("nrdtrisd", 0, {(1, 0.5, 2): -inf}),
    Special("kolmogorov", 0, {(y,): 0 for y in (0.0, -1.0, 1e-300)}),
    Special("kolmogi", 0, {(0.0,): -inf, (1.0,): -inf}),
    Special("smirnov", 1, {(3, 0): -1, (3, 1): 0}),
    Special("smirnovi", 1, {(3, 0): -inf, (1, 0): -1}),
    Special("tklmbda", 0, {(3, 0.5): 0, (-3, 0.5): 0, (1, 0.0): e / (1 + e) ** 2, (0, 1.0): 1 / 2}),
    Special("tklmbda", 1, {(1, 0): logistic_slope_in_lambda(1), (3, 0.5): 0}),
]

J_AT_0: dict[tuple[Number, ...], Number] = {
    (0.0, 0): 0,
    (1.0, 0): 1 / 2,
    (-1.0, 0): -1 / 2,
    (2.0, 0): 0,
    (1.5, 0): 0,
    (0.5, 0): inf,
    (1.0, -2): slope(lambda z: mp.besselj(1, z), -2),
}
BESSEL = [
    Special("jv", 0, {(0, 2): float(mp.pi / 2 * mp.bessely(0, 2))}),
    Special("jv", 1, J_AT_0),
    Special("jn", 1, J_AT_0),
    Special("jve", 0, {(0, 2): float(mp.pi / 2 * mp.bessely(0, 2))}),
    Special("jve", 1, J_AT_0),
    Special("yv", 0, {(0, 2): float(-mp.pi / 2 * mp.besselj(0, 2))}),
    Special("yve", 0, {(0, 2): float(-mp.pi / 2 * mp.besselj(0, 2))}),
    Special("yv", 1, {(0.0, 0): inf, (1.5, 0): inf}),
    Special("iv", 0, {(0, 2): float(-mp.besselk(0, 2))}),
    Special("iv", 1, {(1.0, 0): 1 / 2, (-1.0, 0): 1 / 2, (0.0, 0): 0, (2.0, 0): 0, (0.5, 0): inf}),
    Special("ive", 0, {(0, 2): float(-mp.exp(-2) * mp.besselk(0, 2))}),
    Special("ive", 1, {(1.0, 0): 1 / 2, (0.0, 0): 0, (0.5, 0): inf}),
    Special("kv", 0, {(0, 2): 0}),
    Special("kve", 0, {(0, 2): 0}),
    Special("kv", 1, {(0.0, 0): -inf, (1.5, 0): -inf}),
    Special("kve", 1, {(0.0, 0): -inf}),
    *(Special(name, 0, {(0.0,): 0}) for name in ("j0", "i0", "i0e", "ber", "bei", "kei", "berp")),
    *(Special(name, 0, {(0.0,): 1 / 2}) for name in ("j1", "i1", "i1e", "beip")),
    *(Special(name, 0, {(0.0,): inf}) for name in ("y0", "y1", "kerp", "keip")),
    *(Special(name, 0, {(0.0,): -inf}) for name in ("k0", "k1", "k0e", "k1e", "ker")),
    Special("kn", 1, {(0, 0): -inf, (2, 0): -inf}),
    Special("yn", 1, {(0, 0): inf, (2, 0): inf}),
    Special("itj0y0", 0, {(0.0,): 1}),
    Special("itj0y0", 0, {(0.0,): -inf}, output=1),
    Special("it2j0y0", 0, {(0.0,): 0}),
    Special("it2j0y0", 0, {(0.0,): inf}, output=1),
    Special("iti0k0", 0, {(0.0,): 1}),
    Special("iti0k0", 0, {(0.0,): inf}, output=1),
    Special("it2i0k0", 0, {(0.0,): 0}),
    Special("it2i0k0", 0, {(0.0,): -inf}, output=1),
    Special("it2struve0", 0, {(0.0,): -2 / pi}),
    *(Special("itairy", 0, {(0.0,): float(f(0))}, output=k) for k, f in enumerate([mp.airyai, mp.airybi] * 2)),
    Special("kelvin", 0, {(0.0,): 0}),
    Special("kelvin", 0, {(0.0,): 0.5j}, output=2),
    Special("kelvin", 0, {(0.0,): inf}, output=3),
    Special("struve", 1, {(0.0, 0): 2 / pi, (0.5, 0): 0, (1.0, 0): 0, (-0.5, 0): inf}),
    Special("modstruve", 1, {(0.0, 0): 2 / pi, (0.5, 0): 0, (1.0, 0): 0, (-0.5, 0): inf}),
    Special("modstruve", 0, {(1e-3, 15): slope(lambda v: mp.struvel(v, 15), 1e-3)}),
    Special("besselpoly", 0, {(0, 0.5, 1.0): 0.4, (0, 0.5, 0.0): 0, (0, 0.5, 2.0): 0}),
    Special("spherical_jn", 1, {(1, 0): 1 / 3, (0, 0): 0, (2, 0): 0}),
    Special("spherical_in", 1, {(1, 0): 1 / 3, (0, 0): 0, (2, 0): 0}),
    Special("spherical_jn", 1, {(1, 0): 0, (0, 0): -1 / 3, (2, 0): 2 / 15}, options={"derivative": True}),
    Special("spherical_in", 1, {(1, 0): 0, (0, 0): 1 / 3, (2, 0): 2 / 15}, options={"derivative": True}),
    Special("spherical_yn", 1, {(0, 0): inf, (1, 0): inf}),
    Special("spherical_kn", 1, {(0, 0): -inf, (1, 0): -inf}),
]

ELLIPTIC = [
    Special("agm", 0, {(2, 2): 1 / 2, (-2, -2): 1 / 2, (1, 0): 0, (0, 1): inf}),
    Special("agm", 1, {(2, 2): 1 / 2, (1, 0): inf, (-2, -2): 1 / 2}),
    Special("ellipk", 0, {(0.0,): pi / 8, (1.0,): inf}),
    Special("ellipkm1", 0, {(0.0,): -inf, (1.0,): -pi / 8}),
    Special("ellipe", 0, {(0.0,): -pi / 8, (1.0,): -inf}),
    Special("ellipkinc", 0, {(pi / 2, 1): inf}),
    Special("ellipj", 0, {(0.7, 0): math.cos(0.7), (0.7, 1): 1 / math.cosh(0.7) ** 2}),
    Special(
        "ellipkinc",
        1,
        {
            (1.0, 0): (1 - math.sin(2) / 2) / 4,
            (5.0, 0): (5 - math.sin(10) / 2) / 4,
            (5.0, 0.3): slope(lambda m: mp.ellipf(5, m), 0.3),
            (pi / 2, 0.3): slope(mp.ellipk, 0.3),
            (1.0, 1): slope(lambda m: mp.ellipf(1, m), 1),
            (0.0, 0.5): 0,
        },
    ),
    Special(
        "ellipeinc",
        1,
        {
            (1.0, 0): (math.sin(2) / 2 - 1) / 4,
            (5.0, 0): (math.sin(10) / 2 - 5) / 4,
            (5.0, 0.3): slope(lambda m: mp.ellipe(5, m), 0.3),
            (pi / 2, 0.3): slope(mp.ellipe, 0.3),
            (1.0, 1): slope(lambda m: mp.ellipe(1, m), 1),
            (0.0, 0.5): 0,
        },
    ),
    *(
        Special("ellipj", 1, {(0.7, 0): value}, output=k)
        for k, value in enumerate([math.cos(0.7) * AM, -math.sin(0.7) * AM, -(math.sin(0.7) ** 2) / 2, AM])
    ),
    Special("elliprf", 0, {(0, 1, 2): -inf, (2, 2, 2): -(2**-1.5) / 6, (1, 2, inf): 0}),
    Special("elliprf", 1, {(1, 0, 2): -inf}),
    Special("elliprf", 2, {(1, 2, 0): -inf}),
    Special("elliprc", 0, {(2, 2): -(2**-1.5) / 6, (0, 2): -inf, (2, -1): slope(lambda x: mp.elliprc(x, -1), 2)}),
    Special("elliprc", 1, {(2, 2): -(2**-1.5) / 3, (2, -1): slope(lambda y: mp.elliprc(2, y), -1)}),
    Special(
        "elliprd",
        0,
        {(2, 3, 2): slope(lambda x: mp.elliprd(x, 3, 2), 2), (0, 1, 2): -inf, (2, 2, 2): -0.3 / 2**2.5, (1, inf, 2): 0},
    ),
    Special("elliprd", 1, {(3, 2, 2): slope(lambda y: mp.elliprd(3, y, 2), 2), (1, 0, 2): -inf}),
    Special("elliprd", 2, {(2, 3, 2): slope(lambda z: mp.elliprd(2, 3, z), 2), (1, 2, 0): -inf}),
    Special(  # R_G(x, 0, 0) = sqrt(x)/2
        "elliprg",
        0,
        {
            (0, 1, 2): float(mp.elliprf(0, 1, 2) / 4),
            (2, 0, 0): 2**-0.5 / 4,
            (2, 0, 1): slope(lambda x: mp.elliprg(x, 0, 1), 2),
            (0, 0, 2): inf,
        },
    ),
    Special("elliprg", 1, {(1, 0, 2): float(mp.elliprf(0, 1, 2) / 4)}),
    Special("elliprg", 2, {(1, 2, 0): float(mp.elliprf(0, 1, 2) / 4)}),
    Special("elliprj", 0, {**rj_slopes(0, *P_EQUALS), (0.0, 1.0, 2.0, 3.0): -inf}),
    Special("elliprj", 1, {**rj_slopes(1, *P_EQUALS), (1.0, 0.0, 2.0, 3.0): -inf}),
    Special("elliprj", 2, {**rj_slopes(2, *P_EQUALS), (1.0, 2.0, 0.0, 3.0): -inf}),
    Special(
        "elliprj",
        3,
        {
            **rj_slopes(3, *P_EQUALS),
            **{(*xyz, p): slope(lambda q, xyz=xyz: rj_principal(*xyz, q), p) for *xyz, p in P_NEGATIVE},
        },
    ),
]

ORTHOGONAL = [
    # P_v(x) is like sin(πv) log((1 + x)/2)/π near x = -1 (DLMF 14.8.3 reflected)
    Special("eval_legendre", 0, {(2.0, -1): -inf, (3.0, -1): inf, (2.0, 1): 0}),
    Special("lpmv", 1, {(0, 2.0, -1): -inf}),
    Special("eval_legendre", 1, {(3, 1): 6, (3, -1): 6, (4, 1): 10, (4, -1): -10, (0, 0.5): 0}),
    Special("eval_jacobi", 3, {(3, 0.5, 0.25, x): slope(lambda t: mp.jacobi(3, 0.5, 0.25, t), x) for x in (1, -1)}),
    # parameters at which the hypergeometric function has a pole and the polynomial none: C_1 = 2αx,
    # C_2 = 2α(α+1)x² - α, C_3 = 4α(α+1)(α+2)x³/3 - 2α(α+1)x, P_1 = α + 1 + (α+β+2)(x-1)/2, L_1 = α + 1 - x
    Special(
        "eval_gegenbauer",
        1,
        {
            (3, 0.0, 0.4): 2 * math.cos(3 * math.acos(0.4)) / 3,
            (2, -0.5, 0.5): -1,
            (3, -0.5, 0.5): -1 / 24,
            (2, -1.0, 0.5): -1.5,
            (1, 0.0, 0.5): 1,
        },
    ),
    Special("eval_jacobi", 1, {(1, -1, 0.5, 0.3): 0.65, (1, -2, 0.5, 0.3): 0.65}),
    Special("eval_jacobi", 2, {(1, -1, 0.5, 0.3): -0.35, (1, -2, 0.5, 0.3): -0.35}),
    Special("eval_jacobi", 3, {(0, -2, 1.5, -0.9): 0, (0, 1.5, -2, 0.3): 0}),
    Special("eval_gegenbauer", 2, {(0, 0.5, 0.2): 0, (3, 0.75, 1): slope(lambda x: mp.gegenbauer(3, 0.75, x), 1)}),
    Special(
        "eval_genlaguerre",
        1,
        {(3, 0.25, 2): slope(lambda a: mp.laguerre(3, a, 2), 0.25), (1, -1, 0.3): 1, (2, -2, 0.3): -0.8},
    ),
    *(Special(name, 1, {(0, 0.5): 0}) for name in ("eval_laguerre", "eval_hermite", "eval_hermitenorm")),
    Special("eval_sh_jacobi", 3, {(0, 2, 1.5, 0.25): 0}),
    Special("eval_chebyt", 0, {(2.3, 1): 0, (0.5, -1): -pi}),
    Special("eval_chebyt", 1, {(3.0, 1): 9, (3.0, -1): 9, (2.5, 1): 6.25, (0.0, 0.5): 0}),
    Special("eval_chebyu", 0, {(2.3, 1): 1}),
    Special("eval_chebyu", 1, {(2, 1): 8, (2, -1): -8, (0, 0.5): 0}),
    Special("eval_chebyc", 0, {(2.3, 2): 0, (0.5, -2): -2 * pi}),
    Special("eval_chebyc", 1, {(3, 2): 9, (0, 0.5): 0}),
    Special("eval_chebys", 0, {(2.3, 2): 1}),
    Special("eval_chebys", 1, {(2, 2): 4, (2, -2): -4, (0, 0.5): 0}),
    Special("eval_sh_legendre", 1, {(3, 0): 12, (3, 1): 12}),
    Special("eval_sh_chebyt", 0, {(2.3, 1): 0, (0.5, 0): -pi}),
    Special("eval_sh_chebyt", 1, {(3, 0): 18, (3, 1): 18, (0, 0.5): 0}),
    Special("eval_sh_chebyu", 0, {(2.3, 1): 1}),
    Special("eval_sh_chebyu", 1, {(2, 0): -16, (2, 1): 16, (0, 0.5): 0}),
    Special("lpmv", 1, {(0, -0.5, 0.3): 0}),
    Special("lpmv", 2, {(0, 2, 1): 3, (0, 2.5, 1): 4.375, (1, 2, 1): inf, (2, 2, 1): -6, (3, 3, 1): 0, (2, 2, -1): 6}),
    Special("legendre_p", 1, {(3, 1): 6, (3, -1): 6, (0, 0.5): 0}),
    Special("assoc_legendre_p", 2, {(2, 1, 1): inf, (2, 0, 1): 3, (2, 2, 1): -6, (3, 3, 1): 0}),
    Special("sph_legendre_p", 2, {(2, 0, 0): 0, (2, 2, 0): 0, (3, 3, 0): 0, (1, 1, 0): -math.sqrt(3 / (8 * pi))}),
    Special(
        "sph_harm_y",
        2,
        {
            (1, 0, 0, 0.3): 0,
            (2, 2, 0, 0.3): 0,
            (1, 1, 0, 0.3): complex(-mp.sqrt(3 / (8 * mp.pi)) * mp.expj(0.3)),
            (2, 1, pi, 0.3): complex(-mp.sqrt(15 / (8 * mp.pi)) * mp.expj(0.3)),
        },
    ),
    Special("assoc_laguerre", 0, {(0.5, 0, 0.25): 0}),
]

HYPERGEOMETRIC = [
    # of 1/Γ(1 + ak), (γ² - π²/6)k² at a = 0
    Special("wright_bessel", 0, {(0, 1.0, 2.0): float(mp.euler**2 - mp.zeta(2)) * 6 * math.exp(2)}, order=2),
    Special("hyp0f1", 0, {(2, 0): 0}),
    Special("hyp0f1", 1, {(2, 0): 1 / 2}),
    Special(
        "hyp1f1",
        0,
        {(a, 1.5, x): slope(lambda t, x=x: mp.hyp1f1(t, 1.5, x), a) for a, x in [(-2, 3), (-1, 20), (0, 3)]},
    ),
    # c, or b, a negative integer and the series shorter: SciPy's values are those of the polynomials
    Special(
        "hyp1f1", 1, {(0, 1.5, 3): 0, (-1, -2, 0.3): 0.075, (-2, -2, 0.3): 0.2175, (-2, -3, 0.3): 0.2 / 3 + 0.0125}
    ),
    Special("hyp1f1", 2, {(2, 3, 0): 2 / 3, (0, 3, 1): 0}),
    Special("hyp2f1", 0, {(-2, 1.5, 2.5, 0.25): slope(lambda a: mp.hyp2f1(a, 1.5, 2.5, 0.25), -2)}),
    Special("hyp2f1", 0, {(0.3, -1, -2, 0.25): 0.125, (0.3, -2, -2, 0.25): 0.3}),
    Special("hyp2f1", 2, {(-1, 0.5, -2, 0.25): 0.125 / 4, (-2, 0.5, -3, 0.25): 0.0625 * (4 / 9 + 0.75 * 5 / 36)}),
    Special("hyp2f1", 3, {(1, 1, 4, 1): 3 / 2, (1, 1, 2.5, 1): inf, (0.5, 0.5, 1.5, 1): inf, (1, 2, 3, 0): 2 / 3}),
    Special("hyperu", 0, {(0, 1.5, 2): slope(lambda a: mp.hyperu(a, 1.5, 2), 0, h=mp.mpf(10) ** -10)}),
    Special("hyperu", 2, {(1, 1.5, 0): -inf, (1.2, -1.5, 0): float(-mp.mpf(1.2) * mp.gamma(1.5) / mp.gamma(3.7))}),
    Special("wright_bessel", 0, {(1, 2, 0): 0}),
    Special("exp1", 0, {(0.0,): -inf}),
    Special("expi", 0, {(0.0,): inf}),
    Special("expn", 1, {(0, 2): -0.75 * math.exp(-2), (3, 0): -1, (4, 0): -1 / 2, (2, 0): -inf, (1, 0): -inf}),
    Special("sici", 0, {(0.0,): 1, (inf,): 0, (-inf,): 0}),
    Special("sici", 0, {(0.0,): inf, (-2.0,): -math.cos(2) / 2}, output=1),
    Special("shichi", 0, {(0.0,): 1}),
    Special("shichi", 0, {(0.0,): inf}, output=1),
    Special("spence", 0, {(1.0,): -1, (0.0,): -inf}),
    Special("lambertw", 0, {(0j, 0): 1}),
    Special("wrightomega", 0, {(-1 + pi * 1j,): inf, (-1 - pi * 1j,): inf}),
]

OBLATE_AT_ZERO = {(0, n, c, (pair := oblate_at_zero(n, c))[0]): pair[1] for n, c in ((2, 2.0), (4, 3.0))}
"""R⁽¹⁾ at x = 0 by m, n, c and the characteristic value."""

SPHEROIDAL = [
    Special("mathieu_a", 1, {(0, 0): 0, (1, 0): 1, (2, 0): 0, (3, 0): 0}),
    Special("mathieu_b", 1, {(1, 0): -1, (2, 0): 0, (3, 0): 0}),
    Special("mathieu_cem", 2, {(2, 0, 30): -2 * math.sin(pi / 3) * pi / 180}),  # cos(2x), x in degrees
    Special("mathieu_sem", 2, {(2, 0, 30): 2 * math.cos(pi / 3) * pi / 180}),
    Special("mathieu_sem", 2, {(0, 1, 30): 0}, output=1),  # se_0 = 0
    # Mc_0 = 1 - q cosh(2x)/2, Mc_1 = sqrt(q) cosh(x), Ms_1 = sqrt(q) sinh(x), Ms_2 = q sinh(2x)/4 (DLMF 28.24)
    Special("mathieu_modcem1", 1, {(0, 0, 0.7): -math.cosh(1.4) / 2, (1, 0, 0.7): inf}),
    Special("mathieu_modcem1", 1, {(0, 0, 0.7): -math.sinh(1.4), (1, 0, -0.7): -inf}, output=1),
    Special("mathieu_modsem1", 1, {(2, 0, 0.7): math.sinh(1.4) / 4, (1, 0, -0.7): -inf, (1, 0, 0): 0}),
    Special("mathieu_modsem1", 1, {(2, 0, 0.7): math.cosh(1.4) / 2, (1, 0, 0.7): inf}, output=1),
    Special("ellip_harm", 0, {(1, 8, 1, 1, 1): 0, (1, 8, 1, 3, -1): 0}),
    Special("pbdv", 1, {(2, -1e300): 0}, output=1),
    Special("pro_cv", 2, {(0, 2, 0): 0, (1, 3, 0): 0}),
    Special("obl_cv", 2, {(0, 2, 0): 0, (1, 3, 0): 0}),
    # w'' = λw, which is the slope of the second output, too (DLMF 30.2.1)
    Special("obl_rad1_cv", 4, {(*point, 0.0): point[3] * w for point, w in OBLATE_AT_ZERO.items()}, order=2),
    Special("obl_rad1_cv", 4, {(*point, 0.0): point[3] * w for point, w in OBLATE_AT_ZERO.items()}, output=1),
    Special("obl_rad1", 3, {(*point[:3], 0.0): point[3] * w for point, w in OBLATE_AT_ZERO.items()}, output=1),
    # sqrt|s² - h²|, sqrt|s² - k²|, s sqrt|s² - h²|, s sqrt|s² - k²|, sqrt|(s² - h²)(s² - k²)|
    Special(
        "ellip_harm",
        4,
        {
            (4, 9, 1, 2, 0): 0,
            (4, 9, 1, 2, 2): inf,
            (4, 9, 1, 3, 3): inf,
            (4, 9, 2, 3, 2): inf,
            (4, 9, 2, 4, 2): 1 / math.sqrt(5),
            (4, 9, 2, 5, 3): inf,
        },
    ),
]

FAMILIES = {
    "elementary": ELEMENTARY,
    "error": ERROR,
    "gamma": GAMMA,
    "distributions": DISTRIBUTIONS,
    "bessel": BESSEL,
    "elliptic": ELLIPTIC,
    "orthogonal": ORTHOGONAL,
    "hypergeometric": HYPERGEOMETRIC,
    "spheroidal": SPHEROIDAL,
}
