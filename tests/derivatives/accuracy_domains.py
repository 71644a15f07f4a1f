"""The domains on which the derivatives in orders and shape parameters are promised, and mpmath's function for each.

One entry per function: how its arguments are drawn (the domain's interior on a grid drawn afresh from a seed, its edges
and special values more often), in which arguments it is differentiated, and its definition in mpmath. Nothing of the
package under test is imported.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import mpmath_functions as d

Args = tuple[Any, ...]
Draw = Callable[[random.Random], Args]


@dataclass(frozen=True)
class Entry:
    function: str
    """Name in jaxscipy_ext."""
    arguments: dict[str, int]
    """The parameters in which it is differentiated, and their positions."""
    reference: Callable[..., Any]
    """mpmath's function of the same arguments; a tuple for several outputs."""
    draw: Draw
    domain: str
    family: str
    points: int = 150
    inverse: int | None = None
    """Of x, if the function is an inverse: `reference` is the forward function, and draw gives x."""
    kind: str = "real"
    """"complex": the last argument is complex."""

    @property
    def name(self) -> str:
        return self.function if self.kind == "real" else f"{self.function}_{self.kind}"


ENTRIES: list[Entry] = []


def add(function: str, arguments: dict[str, int], reference: Callable[..., Any], draw: Draw, domain: str, family: str,
        points: int = 150, **more: Any) -> None:  # fmt: skip
    ENTRIES.append(Entry(function, arguments, reference, draw, domain, family, points, **more))


# ---- drawing


def log_uniform(r: random.Random, low: float, high: float) -> float:
    return math.exp(r.uniform(math.log(low), math.log(high)))


def any_order(r: random.Random, low: float, high: float) -> float:
    """Real orders; as often integers, half-integers, and neighbours of integers at 1e-8; the ends and 0."""
    n = r.randint(math.ceil(low), math.floor(high))
    if r.random() < 0.5:
        n = max(math.ceil(low), min(math.floor(high), r.randint(-6, 6)))
    kind = r.randrange(8)
    if kind < 3:
        return r.uniform(low, high) if kind else r.uniform(max(low, -3), min(high, 3))
    v = n + [0.0, 0.0, 0.5, 1e-8, -1e-8][kind - 3]
    return min(max(v, low), high) if r.random() < 0.95 else r.choice((low, high, max(low, 0.0)))


def in_plane(r: random.Random, radius: float) -> complex:
    """On a circle; one in four on the axes, both sides of the cut among them."""
    if r.random() < 0.25:
        return r.choice((complex(-radius, 0.0), complex(0, radius), complex(0, -radius), complex(radius, 0.0)))
    angle = r.uniform(-math.pi, math.pi)
    return complex(radius * math.cos(angle), radius * math.sin(angle))


def signed(r: random.Random, low: float, high: float) -> float:
    return r.choice((-1, 1)) * log_uniform(r, low, high)


# ---- Bessel functions

ORDERS = "-20 ≤ v ≤ 100 with integers, half-integers, integers ± 1e-8"


def bessel_real(r: random.Random) -> Args:
    return any_order(r, -20, 100), log_uniform(r, 1e-6, 1e3)


def bessel_plane(r: random.Random) -> Args:
    return any_order(r, -20, 100), in_plane(r, log_uniform(r, 1e-6, 1e3))


BESSEL: dict[str, Callable[..., Any]] = {
    "jv": mp.besselj,
    "yv": mp.bessely,
    "iv": mp.besseli,
    "kv": mp.besselk,
    "jve": lambda v, z: mp.besselj(v, z) * mp.exp(-abs(mp.im(z))),
    "yve": lambda v, z: mp.bessely(v, z) * mp.exp(-abs(mp.im(z))),
    "ive": lambda v, z: mp.besseli(v, z) * mp.exp(-abs(mp.re(z))),
    "kve": lambda v, z: mp.besselk(v, z) * mp.exp(z),
    "hankel1": mp.hankel1,
    "hankel2": mp.hankel2,
    "hankel1e": lambda v, z: mp.hankel1(v, z) * mp.exp(mp.mpc(0, -1) * z),
    "hankel2e": lambda v, z: mp.hankel2(v, z) * mp.exp(mp.mpc(0, 1) * z),
}
for _name, _f in BESSEL.items():
    if _name in ("jv", "yv", "iv", "kv", "ive", "kve"):
        _points = 1000 if len(_name) == 2 else 200
        add(_name, {"v": 0}, _f, bessel_real, f"{ORDERS}; 1e-6 ≤ z ≤ 1e3", "Bessel", _points)
    _points = 500 if len(_name) == 2 else 250
    add(_name, {"v": 0}, _f, bessel_plane, f"{ORDERS}; 1e-6 ≤ |z| ≤ 1e3, all arg z", "Bessel", _points, kind="complex")
for _name, _f, _sign in (("jvp", mp.besselj, -1), ("yvp", mp.bessely, -1), ("ivp", mp.besseli, 1)):
    add(_name, {"v": 0}, lambda v, z, f=_f, s=_sign: (f(v - 1, z) + s * f(v + 1, z)) / 2, bessel_real,
        f"{ORDERS}; 1e-6 ≤ z ≤ 1e3; n = 1", "Bessel", 60)  # fmt: skip
add("kvp", {"v": 0}, lambda v, z: -(mp.besselk(v - 1, z) + mp.besselk(v + 1, z)) / 2, bessel_real,
    f"{ORDERS}; 1e-6 ≤ z ≤ 1e3; n = 1", "Bessel", 60)  # fmt: skip
add("struve", {"v": 0}, mp.struveh, lambda r: (any_order(r, -6, 30), log_uniform(r, 1e-3, 80)),
    "-6 ≤ v ≤ 30, 1e-3 ≤ x ≤ 80", "Struve", 200)  # fmt: skip
add("modstruve", {"v": 0}, mp.struvel, lambda r: (any_order(r, -6, 30), log_uniform(r, 1e-3, 80)),
    "-6 ≤ v ≤ 30, 1e-3 ≤ x ≤ 80", "Struve", 200)  # fmt: skip


# ---- gamma functions

LOWEST = -640
"""Logarithm of the smallest densities that are drawn."""


def gamma_args(r: random.Random) -> Args:
    while True:
        a = r.choice((log_uniform(r, 1e-3, 1e4), log_uniform(r, 1e-3, 1e4), 1e-3, 1e4, float(r.randint(1, 20))))
        x = a * math.exp(r.uniform(-3, 3) / math.sqrt(1 + a) * r.choice((0.3, 1, 6)))
        x = r.choice((x, x, log_uniform(r, 1e-6, 50 + 2 * a)))
        if a * math.log(x / a) + a - x > LOWEST:
            return a, x


def chi_args(r: random.Random) -> Args:
    a, x = gamma_args(r)
    return 2 * a, 2 * x


def scaled_args(r: random.Random) -> Args:
    a, x = gamma_args(r)
    return 2.5, a, x / 2.5


CHI, GDTR = "2e-3 ≤ v ≤ 2e4, values down to 1e-290", "a = 2.5, 1e-3 ≤ b ≤ 1e4, values down to 1e-290"
GAMMA = "1e-3 ≤ a ≤ 1e4, values down to 1e-290"


def gammaincc(a: Any, x: Any) -> Any:
    return 1 - d.gammainc(a, x)


add("gammainc", {"a": 0}, d.gammainc, gamma_args, GAMMA, "gamma", 1000)
add("gammaincc", {"a": 0}, gammaincc, gamma_args, GAMMA, "gamma")
add("chdtr", {"v": 0}, lambda v, x: d.gammainc(v / 2, x / 2), chi_args, CHI, "gamma", 60)
add("chdtrc", {"v": 0}, lambda v, x: gammaincc(v / 2, x / 2), chi_args, CHI, "gamma", 60)
add("gdtr", {"b": 1}, lambda a, b, x: d.gammainc(b, a * x), scaled_args, GDTR, "gamma", 60)
add("gdtrc", {"b": 1}, lambda a, b, x: gammaincc(b, a * x), scaled_args, GDTR, "gamma", 60)
add("gammaincinv", {"a": 0}, d.gammainc, gamma_args, "1e-3 ≤ a ≤ 1e4, 1e-290 < y < 1 - 1e-10", "gamma", 100, inverse=1)
add("gammainccinv", {"a": 0}, gammaincc, gamma_args, "1e-3 ≤ a ≤ 1e4, 1e-290 < y < 1 - 1e-10", "gamma", 100, inverse=1)
add("zeta", {"x": 0}, lambda x, q: mp.zeta(x, q), lambda r: (1 + log_uniform(r, 1e-3, 60), log_uniform(r, 1e-3, 1e4)),
    "1.001 ≤ x ≤ 61, 1e-3 ≤ q ≤ 1e4", "zeta")  # fmt: skip
add("zetac", {"x": 0}, lambda x: mp.zeta(x) - 1,
    lambda r: (r.choice((r.uniform(-80, 60), r.uniform(-5, 5), float(r.randint(-20, 0)))),), "-80 ≤ x ≤ 60",
    "zeta")  # fmt: skip


# ---- beta functions and the distributions made of them


def beta_args(r: random.Random) -> Args:
    while True:
        a, b = (r.choice((log_uniform(r, 1e-2, 1e4), log_uniform(r, 1e-2, 1e4), 1e-2, 1e4, 1.0)) for _ in range(2))
        mean, deviation = a / (a + b), math.sqrt(a * b / (a + b + 1)) / (a + b)
        x = mean + r.uniform(-1, 1) * deviation * r.choice((1, 3, 10))
        if not 0 < x < 1 or r.random() < 0.4:
            x = r.choice((r.random(), log_uniform(r, 1e-12, 1), 1 - log_uniform(r, 1e-12, 0.5)))
        if a * math.log(x / mean) + b * math.log((1 - x) / (1 - mean)) > LOWEST:
            return a, b, x


BETA = "1e-2 ≤ a, b ≤ 1e4, values down to 1e-290"
AB = {"a": 0, "b": 1}


def betaincc(a: Any, b: Any, x: Any) -> Any:
    return d.betainc(b, a, 1 - x)


add("betainc", AB, d.betainc, beta_args, BETA, "beta", 1000)
add("betaincc", AB, betaincc, beta_args, BETA, "beta", 100)
add("betaincinv", AB, d.betainc, beta_args, "1e-2 ≤ a, b ≤ 1e4, 1e-290 < y < 1 - 1e-10", "beta", 100, inverse=2)
add("betainccinv", AB, betaincc, beta_args, "1e-2 ≤ a, b ≤ 1e4, 1e-290 < y < 1 - 1e-10", "beta", 100, inverse=2)


def stdtr(df: Any, t: Any) -> Any:
    half = mp.mpf(1) / 2
    front = t * mp.rf(df / 2, half) / mp.sqrt(mp.pi * df)
    return half + front * mp.hyp2f1(half, (df + 1) / 2, 3 * half, -t * t / df, **d.PRECISE)


def student_args(r: random.Random) -> Args:
    df = r.choice((log_uniform(r, 0.1, 1e6), log_uniform(r, 0.1, 1e6), float(r.randint(1, 30)), 0.1, 1e6))
    return df, signed(r, 1e-3, 1e3 if r.random() < 0.3 else 10)


STUDENT = "0.1 ≤ df ≤ 1e6, 1e-3 ≤ |t| ≤ 1e3, values down to 1e-290"


def fisher_args(r: random.Random) -> Args:
    m, n = log_uniform(r, 0.1, 1e4), log_uniform(r, 0.1, 1e4)
    return m, n, math.exp(r.gauss(0, 1) * r.choice((1, 3)) * math.sqrt(2 / m + 2 / n + 0.01))


FISHER = "0.1 ≤ dfn, dfd ≤ 1e4"
DFS = {"dfn": 0, "dfd": 1}
add("fdtr", DFS, d.fdtr, fisher_args, FISHER, "Fisher", 150)
add("fdtrc", DFS, lambda m, n, x: d.betainc(n / 2, m / 2, n / (m * x + n), m * x / (m * x + n)), fisher_args, FISHER,
    "Fisher", 80)  # fmt: skip
add("fdtri", DFS, d.fdtr, fisher_args, FISHER + ", 1e-290 < p < 1 - 1e-10", "Fisher", 60, inverse=2)


def chi2_args(r: random.Random) -> Args:
    df, nc = log_uniform(r, 0.1, 1e3), r.choice((log_uniform(r, 1e-3, 300), 1e-3, 300.0))
    return (df + nc) * math.exp(r.gauss(0, 1.5) / math.sqrt(1 + df + nc) * r.choice((1, 4))), df, nc


NONCENTRAL = "0.1 ≤ df ≤ 1e3, 1e-3 ≤ nc ≤ 300"
add("chndtr", {"df": 1, "nc": 2}, d.chndtr, chi2_args, NONCENTRAL, "non-central", 120)
add("chndtrix", {"df": 1, "nc": 2}, d.chndtr, chi2_args, NONCENTRAL + ", 1e-12 < p < 1 - 1e-10", "non-central", 40,
    inverse=0)  # fmt: skip


def noncentral_t_args(r: random.Random) -> Args:
    df, nc = log_uniform(r, 0.1, 1e4), r.choice((r.uniform(-5, 5), r.uniform(-5, 35), 0.0))
    return df, nc, r.choice((nc + r.gauss(0, 2), r.gauss(0, 3), nc * math.exp(r.gauss(0, 1))))


def nctdtr(df: Any, nc: Any, t: Any) -> Any:
    return 1 + d.nctdtr(df, nc, t) if t < 0 else d.nctdtr(df, nc, t)  # d.nctdtr leaves the constant out


NCT = "0.1 ≤ df ≤ 1e4, -5 ≤ nc ≤ 35"
add("nctdtr", {"df": 0, "nc": 1}, nctdtr, noncentral_t_args, NCT, "non-central", 60)
add("nctdtrit", {"df": 0, "nc": 1}, nctdtr, noncentral_t_args, NCT + ", 1e-12 < p < 1 - 1e-10", "non-central", 15,
    inverse=2)  # fmt: skip


def noncentral_f_args(r: random.Random) -> Args:
    m, n, nc = log_uniform(r, 0.3, 200), log_uniform(r, 0.5, 1e3), log_uniform(r, 1e-2, 100)
    return m, n, nc, (1 + nc / m) * math.exp(r.gauss(0, 1.2) * math.sqrt(2 / m + 2 / n))


NCF = "0.3 ≤ dfn ≤ 200, 0.5 ≤ dfd ≤ 1e3, 1e-2 ≤ nc ≤ 100"
add("ncfdtr", {"dfn": 0, "dfd": 1, "nc": 2}, d.ncfdtr, noncentral_f_args, NCF, "non-central", 100)
add("ncfdtri", {"dfn": 0, "dfd": 1, "nc": 2}, d.ncfdtr, noncentral_f_args, NCF + ", 1e-12 < p < 1 - 1e-10",
    "non-central", 30, inverse=3)  # fmt: skip
add("stdtr", {"df": 0}, stdtr, student_args, STUDENT, "Student", 500)
add("stdtrit", {"df": 0}, stdtr, student_args, "0.1 ≤ df ≤ 1e6, 1e-290 < p < 1 - 1e-10", "Student", 60, inverse=1)


# ---- other distributions


def tukey_args(r: random.Random) -> Args:
    lmbda = r.choice((r.uniform(-2, 5), signed(r, 1e-12, 1e-1), 0.0, 1e-300, -0.5, 1.0, 2.0))
    x = signed(r, 1e-6, 40)
    return (x, lmbda) if lmbda * abs(x) < 0.95 else (math.copysign(0.9 * r.random() / lmbda, x), lmbda)


def tklmbda(x: Any, lmbda: Any) -> Any:
    return 1 - d.tukey_probability(-x, lmbda) if x > 0 else d.tukey_probability(x, lmbda)


add("tklmbda", {"x": 0, "lmbda": 1}, tklmbda, tukey_args, "-2 ≤ lmbda ≤ 5, |x| < 0.95/lmbda, 1e-6 ≤ |x| ≤ 40",
    "other distributions", 80)  # fmt: skip
add("smirnov", {"d": 1}, lambda n, x: d.smirnov(int(n), x),
    lambda r: (float(r.choice((1, 2, 5, 17, 64, 300))), r.choice((r.uniform(0.001, 0.999), log_uniform(r, 1e-4, 0.9)))),
    "1 ≤ n ≤ 300, 0 < d < 1", "other distributions", 80)  # fmt: skip
add("kolmogorov", {"y": 0}, d.kolmogorov, lambda r: (log_uniform(r, 0.05, 15),), "0.05 ≤ y ≤ 15", "other distributions",
    80)  # fmt: skip


def owens_t(h: Any, a: Any) -> Any:
    return mp.quad(lambda t: mp.exp(-h * h * (1 + t * t) / 2) / (1 + t * t), mp.linspace(0, a, 5)) / (2 * mp.pi)


add("owens_t", {"h": 0, "a": 1}, owens_t, lambda r: (signed(r, 1e-2, 8), signed(r, 1e-2, 5)),
    "1e-2 ≤ |h| ≤ 8, 1e-2 ≤ |a| ≤ 5", "other distributions", 40)  # fmt: skip


# ---- hypergeometric functions


def shape(r: random.Random) -> float:
    return any_order(r, -20, 20) if r.random() < 0.5 else any_order(r, -6, 8)


def lower(r: random.Random) -> float:
    """Not 0, -1, -2, ..., where the functions have poles."""
    b = shape(r)
    return b if b > 0 or b != round(b) else b + 0.5


SHAPES = "parameters in [-20, 20] with integers (negative ones too), half-integers, integers ± 1e-8"
add("hyp0f1", {"v": 0}, lambda v, z: mp.hyp0f1(v, z), lambda r: (lower(r), signed(r, 1e-3, 1e3)),
    f"{SHAPES}; 1e-3 ≤ |z| ≤ 1e3", "hypergeometric")  # fmt: skip
add("hyp0f1", {"v": 0}, lambda v, z: mp.hyp0f1(v, z), lambda r: (lower(r), in_plane(r, log_uniform(r, 1e-3, 1e3))),
    f"{SHAPES}; 1e-3 ≤ |z| ≤ 1e3", "hypergeometric", kind="complex")  # fmt: skip
add("hyp1f1", AB, lambda a, b, z: mp.hyp1f1(a, b, z, **d.PRECISE),
    lambda r: (shape(r), lower(r), signed(r, 1e-2, 500)), f"{SHAPES}; 1e-2 ≤ |z| ≤ 500", "hypergeometric",
    1000)  # fmt: skip
add("hyp1f1", AB, lambda a, b, z: mp.hyp1f1(a, b, z, **d.PRECISE),
    lambda r: (shape(r), lower(r), in_plane(r, log_uniform(r, 1e-2, 300))), f"{SHAPES}; 1e-2 ≤ |z| ≤ 300",
    "hypergeometric", 500, kind="complex")  # fmt: skip


def gauss_real(r: random.Random) -> Args:
    z = r.choice((1 - log_uniform(r, 1e-4, 1), -log_uniform(r, 1e-2, 1e3), r.uniform(-1, 1)))
    return shape(r), shape(r), lower(r), z


def gauss_plane(r: random.Random) -> Args:
    z = r.choice((complex(r.gauss(0, 1), r.gauss(0, 1)), 1 + in_plane(r, log_uniform(r, 1e-2, 1)),
                  complex(r.uniform(1, 5), signed(r, 1e-3, 1)), in_plane(r, log_uniform(r, 0.1, 100))))  # fmt: skip
    return shape(r), shape(r), lower(r), z if z.imag or z.real < 1 else z + 0.01j


ABC = {"a": 0, "b": 1, "c": 2}
add("hyp2f1", ABC, lambda a, b, c, z: mp.hyp2f1(a, b, c, z, **d.PRECISE), gauss_real,
    f"{SHAPES}; -1e3 ≤ z ≤ 1 - 1e-4", "hypergeometric", 1000)  # fmt: skip
add("hyp2f1", ABC, lambda a, b, c, z: mp.hyp2f1(a, b, c, z, **d.PRECISE), gauss_plane,
    f"{SHAPES}; |z| ≤ 100, |Im z| ≥ 1e-3 beyond 1", "hypergeometric", 500, kind="complex")  # fmt: skip
add("hyperu", AB, lambda a, b, x: mp.hyperu(a, b, x), lambda r: (shape(r), shape(r), log_uniform(r, 1e-2, 300)),
    f"{SHAPES}; 1e-2 ≤ x ≤ 300", "hypergeometric", 500)  # fmt: skip


# ---- parabolic cylinder functions, orthogonal polynomials, Legendre and Wright functions


def parabolic_args(r: random.Random) -> Args:
    return any_order(r, -20, 20), r.choice((r.uniform(-12, 15), r.uniform(-5, 5), 0.0))


add("pbdv", {"v": 0}, d.with_slope(d.pbdv, d.pbdv_dx), parabolic_args, "|v| ≤ 20, -12 ≤ x ≤ 15", "parabolic", 150)
add("pbvv", {"v": 0}, d.with_slope(d.pbvv, d.pbvv_dx), parabolic_args, "|v| ≤ 20, -12 ≤ x ≤ 15", "parabolic", 150)
add("pbwa", {"a": 0}, d.with_slope(d.pbwa, d.pbwa_dx), lambda r: (r.choice((r.uniform(-5, 5), 0.0)), r.uniform(-5, 5)),
    "|a| ≤ 5, |x| ≤ 5 (SciPy's domain)", "parabolic", 150)  # fmt: skip


def degree(r: random.Random) -> float:
    return r.choice((r.uniform(0, 40), r.uniform(0, 5), float(r.randint(0, 20)), r.randint(0, 10) + 0.5))


def alpha(r: random.Random) -> float:
    return r.choice((r.uniform(-0.9, 15), r.uniform(-0.9, 2), float(r.randint(0, 6)), -0.5, 0.5))


def interval(r: random.Random) -> float:
    return r.choice((r.uniform(-0.99, 1), 1.0, 0.0, r.uniform(0.9, 1)))


POLYNOMIAL = "0 ≤ n ≤ 40, shapes in (-0.9, 15), -0.99 ≤ x ≤ 1"
add("eval_jacobi", {"n": 0, "alpha": 1, "beta": 2}, d.jacobi,
    lambda r: (degree(r), alpha(r), alpha(r), interval(r)), POLYNOMIAL, "orthogonal polynomials", 120)  # fmt: skip


def shifted_jacobi_args(r: random.Random) -> Args:
    q = alpha(r) + 1
    return degree(r), q + alpha(r), q, (1 + interval(r)) / 2


add("eval_sh_jacobi", {"n": 0, "p": 1, "q": 2}, d.sh_jacobi, shifted_jacobi_args, POLYNOMIAL, "orthogonal polynomials",
    100)  # fmt: skip
add("eval_gegenbauer", {"n": 0, "alpha": 1}, d.gegenbauer,
    lambda r: (degree(r), r.choice((log_uniform(r, 1e-2, 10), r.uniform(-0.4, 0.0), 0.5, 1.0)), interval(r)),
    POLYNOMIAL, "orthogonal polynomials", 100)  # fmt: skip
add("eval_genlaguerre", {"n": 0, "alpha": 1}, d.laguerre, lambda r: (degree(r), alpha(r), r.uniform(-10, 40)),
    "0 ≤ n ≤ 40, -0.9 ≤ alpha ≤ 15, -10 ≤ x ≤ 40", "orthogonal polynomials", 100)  # fmt: skip
add("eval_laguerre", {"n": 0}, lambda n, x: d.laguerre(n, 0, x), lambda r: (degree(r), r.uniform(-10, 40)),
    "0 ≤ n ≤ 40, -10 ≤ x ≤ 40", "orthogonal polynomials", 100)  # fmt: skip
add(
    "eval_legendre", {"n": 0}, d.legendre, lambda r: (degree(r), interval(r)), POLYNOMIAL, "orthogonal polynomials", 100
)
add("eval_sh_legendre", {"n": 0}, lambda n, x: d.legendre(n, 2 * x - 1), lambda r: (degree(r), (1 + interval(r)) / 2),
    POLYNOMIAL, "orthogonal polynomials", 60)  # fmt: skip
add("lpmv", {"v": 1}, d.lpmv, lambda r: (float(r.randint(-5, 5)), degree(r), r.uniform(-0.99, 0.999)),
    "|m| ≤ 5, 0 ≤ v ≤ 40, -0.99 ≤ x < 1", "orthogonal polynomials", 120)  # fmt: skip
add("wright_bessel", AB, d.wright_bessel,
    lambda r: (r.choice((0.0, 1.0, r.uniform(0, 4))), r.choice((0.0, r.uniform(0.01, 8))), log_uniform(r, 1e-2, 50)),
    "0 ≤ a ≤ 4, 0 ≤ b ≤ 8, 1e-2 ≤ x ≤ 50", "Wright", 80)  # fmt: skip
add("log_wright_bessel", AB, lambda a, b, x: mp.log(d.wright_bessel(a, b, x)),
    lambda r: (r.choice((0.0, 1.0, r.uniform(0, 4))), r.uniform(0.01, 8), log_uniform(r, 1e-2, 50)),
    "0 ≤ a ≤ 4, 0 < b ≤ 8, 1e-2 ≤ x ≤ 50", "Wright", 80)  # fmt: skip


# ---- Mathieu, spheroidal and Lamé functions


def mathieu_q(r: random.Random) -> float:
    return r.choice((r.uniform(-30, 30), r.uniform(-30, 30), r.uniform(-1, 1), signed(r, 1e-4, 1), 30.0))


def mathieu_args(r: random.Random, lowest: int) -> Args:
    return float(r.randint(lowest, r.choice((4, 12)))), mathieu_q(r)


def modified_args(r: random.Random, lowest: int, nearest: float) -> Args:
    q = r.choice((log_uniform(r, 0.01, 30), 0.01, 30.0))
    return float(r.randint(lowest, 10)), q, r.choice((r.uniform(nearest, 2), r.uniform(nearest, 2), nearest, 2.0))


for _kind, _p, _low in (("a", "c", 0), ("b", "s", 1)):
    add(f"mathieu_{_kind}", {"q": 1}, d.mathieu(_p, "value"), lambda r, low=_low: mathieu_args(r, low),
        f"{_low} ≤ m ≤ 12, |q| ≤ 30", "Mathieu")  # fmt: skip
    add(f"mathieu_{_p}em", {"q": 1}, d.with_slope(d.mathieu(_p, "function"), d.mathieu(_p, "slope")),
        lambda r, low=_low: (*mathieu_args(r, low), r.uniform(-180, 180)),
        f"{_low} ≤ m ≤ 12, |q| ≤ 30, |x| ≤ 180", "Mathieu")  # fmt: skip
    for _n, _x in ((1, 0.0), (2, 0.01)):
        add(f"mathieu_mod{_p}em{_n}", {"q": 1}, d.modified_mathieu(_p, _n),
            lambda r, low=_low, nearest=_x: modified_args(r, low, nearest),
            f"{_low} ≤ m ≤ 10, 0.01 ≤ q ≤ 30, {_x:g} ≤ x ≤ 2", "Mathieu", 120)  # fmt: skip


def spheroidal_args(r: random.Random, largest: float = 12.0, degrees: int = 8) -> Args:
    m = r.randint(0, 4)
    c = r.choice((r.uniform(0.2, largest), log_uniform(r, 0.05, largest), float(r.randint(1, 6)), largest))
    return float(m), float(m + r.randint(0, degrees)), c


ANGULAR, RADIAL = "0 ≤ m ≤ 4, n ≤ m + 8, 0.05 ≤ c ≤ 12", "0 ≤ m ≤ 4, n ≤ m + 4, 0.05 ≤ c ≤ 6"
for _prefix, _s in (("pro", 1), ("obl", -1)):
    add(f"{_prefix}_cv", {"c": 2}, d.spheroidal(_s, "value"), spheroidal_args, ANGULAR, "spheroidal")
    add(f"{_prefix}_ang1", {"c": 2}, d.with_slope(d.spheroidal(_s, "function"), d.spheroidal(_s, "slope")),
        lambda r: (*spheroidal_args(r), r.choice((r.uniform(-0.99, 0.99), 1e-3, 0.99))), f"{ANGULAR}, |x| ≤ 0.99",
        "spheroidal")  # fmt: skip
    for _n, _x in ((1, 1.05), (2, 2)):
        add(f"{_prefix}_rad{_n}", {"c": 2}, d.radial(_s, _n),
            lambda r, low=_x: (*spheroidal_args(r, 6.0, 4), r.choice((r.uniform(low, 6), float(low)))),
            f"{RADIAL}, {_x} ≤ x ≤ 6", "spheroidal", 120)  # fmt: skip


def lame_args(r: random.Random) -> Args:
    """(h2, k2, n, p)."""
    k2, n = log_uniform(r, 0.1, 100), r.choice((r.randint(0, 3), r.randint(0, 8)))
    return k2 * r.choice((r.uniform(0.02, 0.98), 0.5)), k2, float(n), float(r.randint(1, 2 * n + 1))


def outside(r: random.Random) -> Args:
    h2, k2, n, p = lame_args(r)
    return h2, k2, n, p, math.sqrt(k2) * (1 + log_uniform(r, 1e-2, 5))


LAME = "0.1 ≤ k2 ≤ 100, 0.02 ≤ h2/k2 ≤ 0.98, 0 ≤ n ≤ 8, all p"
H2_K2 = {"h2": 0, "k2": 1}
add("ellip_harm", H2_K2, d.ellip_harm, outside, f"{LAME}, 1.01 ≤ s/k ≤ 6", "Lamé", 120)
add("ellip_harm_2", H2_K2, d.ellip_harm_2, outside, f"{LAME}, 1.01 ≤ s/k ≤ 6", "Lamé", 60)
add("ellip_normal", H2_K2, d.ellip_normal, lame_args, LAME, "Lamé", 60)
