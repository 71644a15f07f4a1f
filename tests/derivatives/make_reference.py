"""Reference values of the order, degree and shape derivatives, by mpmath alone.

    python tests/derivatives/make_reference.py > tests/derivatives/reference.csv

Every function is written down from its definition and differentiated by a fourth-order central difference with step
1e-12, at a working precision so high (90 digits and more) that the references hold to more than 25 digits. Arguments
are drawn with a fixed seed over the domains that the kernels promise. Nothing of the package under test is imported.
Takes some minutes.
"""

import functools
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import mpmath as mp

STEP = mp.mpf(10) ** -12
SMALLEST, LARGEST = mp.mpf("1e-290"), mp.mpf("1e290")
Args = tuple[Any, ...]

random.seed(7)


def partial(f: Callable[..., Any], k: int, args: Args) -> Any:
    """The derivative of f in argument k."""
    exact = [mp.mpmathify(a) for a in args]

    def at(shift: int) -> Any:
        return f(*exact[:k], exact[k] + shift * STEP, *exact[k + 1 :])

    return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * STEP)


def along_x(f: Callable[..., Any]) -> Callable[..., Any]:
    """The derivative of f in its last argument."""
    return lambda *args: partial(f, len(args) - 1, args)


# ---- the functions, from their definitions

PRECISE = {"maxprec": 200_000, "zeroprec": 3000}


def parabolic_even_odd(a: Any, x: Any) -> tuple[Any, Any]:
    """DLMF 12.4.1, 12.4.2 in closed form."""
    half, q = mp.mpf(1) / 2, mp.mpf(1) / 4
    e, y = mp.exp(-x * x / 4), x * x / 2
    return e * mp.hyp1f1(a / 2 + q, half, y, **PRECISE), x * e * mp.hyp1f1(a / 2 + 3 * q, 3 * half, y, **PRECISE)


def pbdv(v: Any, x: Any) -> Any:
    a, q = -v - mp.mpf(1) / 2, mp.mpf(1) / 4
    even, odd = parabolic_even_odd(a, x)
    front = mp.sqrt(mp.pi)
    return front * (mp.rgamma(3 * q + a / 2) / 2 ** (a / 2 + q) * even - mp.rgamma(q + a / 2) / 2 ** (a / 2 - q) * odd)


def pbvv(v: Any, x: Any) -> Any:
    a, q = -v - mp.mpf(1) / 2, mp.mpf(1) / 4
    even, odd = parabolic_even_odd(a, x)
    at_zero = mp.pi * 2 ** (a / 2 + q) * mp.rgamma(3 * q - a / 2) ** 2 * mp.rgamma(q + a / 2)
    slope = mp.pi * 2 ** (a / 2 + 3 * q) * mp.rgamma(q - a / 2) ** 2 * mp.rgamma(3 * q + a / 2)
    return at_zero * even + slope * odd


def pbwa(a: Any, x: Any) -> Any:
    q, j = mp.mpf(1) / 4, mp.mpc(0, 1)
    r = mp.sqrt(abs(mp.gamma(q + j * a / 2) / mp.gamma(3 * q + j * a / 2)))
    e, y = mp.exp(-j * x * x / 4), j * x * x / 2
    even = e * mp.hyp1f1(q - j * a / 2, mp.mpf(1) / 2, y)
    odd = x * e * mp.hyp1f1(3 * q - j * a / 2, mp.mpf(3) / 2, y)
    return mp.re(2 ** (-3 * q) * (r * even - mp.sqrt(2) / r * odd))


def jacobi(n: Any, a: Any, b: Any, x: Any) -> Any:
    front = mp.gamma(n + a + 1) * mp.rgamma(n + 1) * mp.rgamma(a + 1)
    return front * mp.hyp2f1(-n, n + a + b + 1, a + 1, (1 - x) / 2, **PRECISE)


def sh_jacobi(n: Any, p: Any, q: Any, x: Any) -> Any:
    return jacobi(n, p - q, q - 1, 2 * x - 1) * mp.gamma(n + 1) * mp.gamma(n + p) * mp.rgamma(2 * n + p)


def gegenbauer(n: Any, a: Any, x: Any) -> Any:
    front = mp.gamma(n + 2 * a) * mp.rgamma(n + 1) * mp.rgamma(2 * a)
    return front * mp.hyp2f1(-n, n + 2 * a, a + mp.mpf(1) / 2, (1 - x) / 2, **PRECISE)


def laguerre(n: Any, a: Any, x: Any) -> Any:
    return mp.gamma(n + a + 1) * mp.rgamma(n + 1) * mp.rgamma(a + 1) * mp.hyp1f1(-n, a + 1, x, **PRECISE)


def legendre(n: Any, x: Any) -> Any:
    return mp.hyp2f1(-n, n + 1, 1, (1 - x) / 2, **PRECISE)


def lpmv(m: Any, v: Any, x: Any) -> Any:
    k = abs(int(m))
    front = (1 - x * x) ** (mp.mpf(k) / 2) / (2**k * mp.factorial(k))
    f = front * mp.hyp2f1(k - v, k + v + 1, k + 1, (1 - x) / 2, **PRECISE)
    return f if m <= 0 else (-1) ** k * mp.rf(v - k + 1, 2 * k) * f


def wright_bessel(a: Any, b: Any, x: Any) -> Any:
    total, k = mp.mpf(0), 0
    while True:
        term = x**k / mp.factorial(k) * mp.rgamma(a * k + b)
        total += term
        k += 1
        if k > 10 and k > 2 * x and abs(term) < mp.eps * abs(total):
            return total


@functools.lru_cache(maxsize=64)
def mathieu_coefficients(m: int, q: Any, parity: str) -> tuple[list[int], list[Any], Any]:
    """Frequencies, Fourier coefficients and characteristic value (DLMF 28.4.5-28.4.8), ce_m(0), se_m'(0) > 0."""
    size = 22 + m // 2
    first = 1 if m % 2 else (0 if parity == "c" else 2)
    matrix = mp.zeros(size)
    for i in range(size):
        matrix[i, i] = mp.mpf(first + 2 * i) ** 2
        if i:
            matrix[i, i - 1] = matrix[i - 1, i] = q * (mp.sqrt(2) if i == 1 and first == 0 else 1)
    if m % 2:
        matrix[0, 0] += q if parity == "c" else -q
    values, vectors = mp.eigsy(matrix)
    index = sorted(range(size), key=lambda i: values[i])[(m - first) // 2]
    k = [first + 2 * i for i in range(size)]
    c = [vectors[i, index] * (mp.sqrt(mp.mpf(1) / 2) if k[i] == 0 else 1) for i in range(size)]
    size_at_zero = mp.fsum(c) if parity == "c" else mp.fsum(i * x for i, x in zip(k, c, strict=True))
    return k, [x * mp.sign(size_at_zero) for x in c], values[index]


def mathieu(parity: str, what: str) -> Callable[..., Any]:
    def value(m: Any, q: Any, x: Any = 0) -> Any:
        k, c, a = mathieu_coefficients(int(m), q, parity)
        t = mp.mpf(x) * mp.pi / 180
        if what == "value":
            return a
        if what == "function":
            return mp.fsum(y * (mp.cos(i * t) if parity == "c" else mp.sin(i * t)) for i, y in zip(k, c, strict=True))
        return mp.fsum(i * y * (-mp.sin(i * t) if parity == "c" else mp.cos(i * t)) for i, y in zip(k, c, strict=True))

    return value


def modified_mathieu(parity: str, kind: int) -> Callable[..., Any]:
    """DLMF 28.24.2-28.24.5 with s = 0 (first kind) or with the largest coefficient."""
    outer = mp.besselj if kind == 1 else mp.bessely

    def value(m: Any, q: Any, x: Any) -> Any:
        k, c, _ = mathieu_coefficients(int(m), q, parity)
        s = max(range(len(c)), key=lambda i: abs(c[i]))
        h, t = mp.sqrt(q), k[0]
        u, w, sign = h * mp.exp(-x), h * mp.exp(x), 1 if parity == "c" else -1
        terms = (
            (-1) ** i * c[i] / c[s]
            * (mp.besselj(i - s, u) * outer(i + s + t, w) + sign * mp.besselj(i + s + t, u) * outer(i - s, w))
            for i in range(len(c))
        )  # fmt: skip
        return (-1) ** ((int(m) - t) // 2) * mp.fsum(terms) / (2 if t == 0 and s == 0 else 1)

    return value


def spheroidal(sign: int, what: str) -> Callable[..., Any]:
    """The angular function in the orthonormal Legendre basis, normalised as P_n^m at x = 0 (Flammer)."""

    def coupling(m: int, l: int) -> Any:
        return mp.sqrt(mp.mpf((l - m + 1) * (l + m + 1)) / ((2 * l + 1) * (2 * l + 3))) if l >= m else mp.mpf(0)

    def value(m: Any, n: Any, c: Any, x: Any = 0) -> Any:
        m, n = int(m), int(n)
        size = 22 + (n - m) // 2
        degrees = [m + (n - m) % 2 + 2 * i for i in range(size)]
        matrix = mp.zeros(size)
        for i, l in enumerate(degrees):
            matrix[i, i] = l * (l + 1) + sign * c * c * (coupling(m, l) ** 2 + coupling(m, l - 1) ** 2)
            if i:
                matrix[i, i - 1] = matrix[i - 1, i] = sign * c * c * coupling(m, l - 1) * coupling(m, l - 2)
        values, vectors = mp.eigsy(matrix)
        index = sorted(range(size), key=lambda i: values[i])[(n - m) // 2]
        if what == "value":
            return values[index]

        def basis(l: int, t: Any) -> Any:
            last, p = mp.mpf(0), mp.sqrt(mp.mpf(1) / 2 * mp.fprod(mp.mpf(2 * k + 1) / (2 * k) for k in range(1, m + 1)))
            p *= (1 - t * t) ** (mp.mpf(m) / 2)
            for q in range(m, l):
                last, p = p, (t * p - coupling(m, q - 1) * last) / coupling(m, q)
            return p

        def total(t: Any) -> Any:
            return mp.fsum(vectors[i, index] * basis(l, t) for i, l in enumerate(degrees))

        def at_zero(f: Callable[[Any], Any]) -> Any:
            return f(mp.mpf(0)) if (n - m) % 2 == 0 else mp.diff(f, 0)

        norm = mp.sqrt((2 * n + 1) * mp.factorial(n - m) / (2 * mp.factorial(n + m)))
        factor = at_zero(lambda t: basis(n, t)) / norm / at_zero(total)
        return factor * (total(x) if what == "function" else mp.diff(total, x))

    return value


# ---- arguments


def log_uniform(low: float, high: float) -> float:
    return float(10 ** random.uniform(mp.log10(low), mp.log10(high)))


def order(low: float = -20, high: float = 100) -> float:
    """Real orders, with many integers, half-integers and neighbours of integers."""
    kind = random.randrange(6)
    if kind < 2:
        return random.uniform(low, high) if kind else random.uniform(max(low, -3), min(high, 3))
    n = random.randint(int(max(low, -12)), int(min(high, 12)))
    return n + [0.0, 0.0, 0.5, random.choice([-1e-8, 1e-8])][kind - 2]


def in_plane(r: float) -> complex:
    return complex(mp.mpf(r) * mp.expjpi(random.uniform(-1, 1)))


def shape() -> float:
    return random.choice([random.uniform(-0.9, 12), random.uniform(-0.9, 2), float(random.randint(0, 6))])


def draw(kernel: str, is_complex: bool) -> Args:
    name = kernel.rsplit("_d", 1)[0]
    x = random.uniform(-0.99, 1) if not is_complex else complex(random.gauss(0, 1), random.gauss(0, 1))
    degree = random.choice([random.uniform(0, 20), random.uniform(0, 5), float(random.randint(1, 15))])
    match name:
        case "hyp0f1":
            r = log_uniform(1e-2, 1e3)
            return order(-5, 20) or 0.3, in_plane(r) if is_complex else r * random.choice([-1, 1])
        case "hyp1f1":
            r = log_uniform(1e-2, 300)
            return order(-8, 10), order(-5, 10), in_plane(r) if is_complex else r * random.choice([-1, 1])
        case "hyp2f1":
            z = random.choice([1 - log_uniform(1e-5, 1), -log_uniform(1e-2, 1e3), x])
            return order(-8, 10), order(-8, 10), order(-5, 10), x if is_complex else z
        case "hyperu":
            return order(-12, 12), order(-10, 15), log_uniform(1e-2, 300)
        case "pbdv" | "pbvv":
            return order(-20, 20), random.uniform(-12, 15)
        case "pbwa":
            return random.uniform(-5, 5), random.uniform(-5, 5)
        case "struve" | "modstruve":
            return random.choice([order(-5, 20), random.uniform(-0.6, 0.8)]), log_uniform(1e-2, 80)
        case "eval_jacobi":
            return degree, shape(), shape(), x
        case "eval_sh_jacobi":
            q = shape() + 1
            return degree, q + shape(), q, x if is_complex else random.uniform(0.01, 1)
        case "eval_gegenbauer":
            return degree, abs(shape()) / 2 + 0.01, x
        case "eval_genlaguerre":
            return degree, shape(), 10 * x
        case "eval_laguerre" | "eval_legendre":
            return degree, x
        case "lpmv":
            return float(random.randint(-4, 4)), degree, x
        case "wright_bessel" | "log_wright_bessel":
            return random.choice([0.0, 1.0, random.uniform(0, 4)]), random.uniform(0.1, 8), log_uniform(1e-2, 50)
        case "mathieu_a" | "mathieu_b":
            return float(random.randint(1, 7)), random.uniform(-30, 30)
        case "mathieu_cem" | "mathieu_sem":
            return float(random.randint(1, 7)), random.uniform(-30, 30), random.uniform(-180, 180)
        case "mathieu_modcem1" | "mathieu_modcem2" | "mathieu_modsem1" | "mathieu_modsem2":
            return float(random.randint(1, 6)), log_uniform(0.05, 30), random.uniform(0, 1.5)
        case "pro_cv" | "obl_cv" | "pro_ang1" | "obl_ang1":
            m = random.randint(0, 3)
            args = float(m), float(m + random.randint(0, 4)), random.uniform(0.2, 6)
            return args if name.endswith("cv") else (*args, random.uniform(-0.9, 0.9))
        case _:  # Bessel functions
            r = log_uniform(1e-6, 1e3) if not is_complex else log_uniform(1e-3, 300)
            return order(), in_plane(r) if is_complex else r


# ---- the table

BESSEL = {
    "jv": mp.besselj,
    "yv": mp.bessely,
    "ive": lambda v, z: mp.besseli(v, z) * mp.exp(-abs(mp.re(z))),
    "kve": lambda v, z: mp.besselk(v, z) * mp.exp(z),
    "hankel1e": lambda v, z: mp.hankel1(v, z) * mp.exp(mp.mpc(0, -1) * z),
    "hankel2e": lambda v, z: mp.hankel2(v, z) * mp.exp(mp.mpc(0, 1) * z),
}
# kernel: (outputs, argument, complex too?, points)
TABLE: dict[str, tuple[list[Callable[..., Any]], int, str, int]] = {
    **{f"{name}_dv": ([f], 0, "c" if name[0] == "h" else "rc", 40) for name, f in BESSEL.items()},
    "hyp0f1_dv": ([mp.hyp0f1], 0, "rc", 30),
    **{f"hyp1f1_d{a}": ([mp.hyp1f1], k, "rc", 30) for k, a in enumerate("ab")},
    **{f"hyp2f1_d{a}": ([mp.hyp2f1], k, "rc", 40) for k, a in enumerate("abc")},
    **{f"hyperu_d{a}": ([mp.hyperu], k, "r", 40) for k, a in enumerate("ab")},
    "pbdv_dv": ([pbdv, along_x(pbdv)], 0, "r", 30),
    "pbvv_dv": ([pbvv, along_x(pbvv)], 0, "r", 30),
    "pbwa_da": ([pbwa, along_x(pbwa)], 0, "r", 30),
    "struve_dv": ([mp.struveh], 0, "r", 40),
    "modstruve_dv": ([mp.struvel], 0, "r", 40),
    **{f"eval_jacobi_d{a}": ([jacobi], k, "rc", 20) for k, a in enumerate(["n", "alpha", "beta"])},
    **{f"eval_sh_jacobi_d{a}": ([sh_jacobi], k, "rc", 20) for k, a in enumerate("npq")},
    **{f"eval_gegenbauer_d{a}": ([gegenbauer], k, "rc", 20) for k, a in enumerate(["n", "alpha"])},
    **{f"eval_genlaguerre_d{a}": ([laguerre], k, "rc", 20) for k, a in enumerate(["n", "alpha"])},
    "eval_laguerre_dn": ([lambda n, x: laguerre(n, 0, x)], 0, "rc", 20),
    "eval_legendre_dn": ([legendre], 0, "rc", 20),
    "lpmv_dv": ([lpmv], 1, "r", 30),
    **{f"wright_bessel_d{a}": ([wright_bessel], k, "r", 20) for k, a in enumerate("ab")},
    **{f"log_wright_bessel_d{a}": ([lambda *p: mp.log(wright_bessel(*p))], k, "r", 20) for k, a in enumerate("ab")},
    "mathieu_a_dq": ([mathieu("c", "value")], 1, "r", 8),
    "mathieu_b_dq": ([mathieu("s", "value")], 1, "r", 8),
    "mathieu_cem_dq": ([mathieu("c", "function"), mathieu("c", "slope")], 1, "r", 8),
    "mathieu_sem_dq": ([mathieu("s", "function"), mathieu("s", "slope")], 1, "r", 8),
    **{
        f"mathieu_mod{p}em{kind}_dq": ([modified_mathieu(p, kind), along_x(modified_mathieu(p, kind))], 1, "r", 8)
        for p in "cs"
        for kind in (1, 2)
    },
    **{f"{n}_cv_dc": ([spheroidal(s, "value")], 2, "r", 6) for n, s in (("pro", 1), ("obl", -1))},
    **{
        f"{n}_ang1_dc": ([spheroidal(s, "function"), spheroidal(s, "slope")], 2, "r", 6)
        for n, s in (("pro", 1), ("obl", -1))
    },
}
EIGENVALUE_KERNELS = ("mathieu", "pro", "obl")


def digits(kernel: str, args: Args) -> int:
    if kernel.startswith(EIGENVALUE_KERNELS):
        return 50
    size = float(abs(args[-1]))
    if kernel.startswith("pb"):
        return 130 + int(0.6 * size**2 / 2.3)
    if kernel == "ive_dv" and abs(args[0]) < 1e-6:
        return 100 + int(2 * size / 2.3)
    return 110 + (int(size) if isinstance(args[-1], complex) else 0)


def is_pole(kernel: str, args: Args) -> bool:
    """Whether the differentiated lower parameter is 0, -1, ...: there the difference quotient means nothing."""
    lower = {"hyp0f1_dv": 0, "hyp1f1_db": 1, "hyp2f1_dc": 2}.get(kernel)
    return lower is not None and args[lower] <= 0 and args[lower] == int(args[lower])


def rows() -> Iterator[tuple[str, Args, list[Any]]]:
    for kernel, (functions, k, domains, count) in TABLE.items():
        for domain in domains:
            done = 0
            while done < count:
                args = draw(kernel, domain == "c")
                mp.mp.dps = digits(kernel, args)
                try:
                    values = [partial(f, k, args) for f in functions]
                except (ValueError, ZeroDivisionError, mp.mp.NoConvergence):
                    continue  # a pole, or out of mpmath's reach
                if all(SMALLEST < abs(v) < LARGEST for v in values):
                    done += 1
                    if not is_pole(kernel, args):
                        yield kernel, args, values
            print(kernel, domain, file=sys.stderr)


def text(z: Any) -> str:
    real, imag = mp.nstr(mp.re(z), 25), mp.nstr(mp.im(z), 25)
    return real if isinstance(z, mp.mpf) else f"{real};{imag}"


def main() -> None:
    print("# Made by make_reference.py with mpmath only; see there. One value per output, complex ones as real;imag.")
    print("kernel,arguments,value,value2")
    for kernel, args, values in rows():
        print(kernel, ";".join(map(repr, args)), *map(text, values), *[""] * (2 - len(values)), sep=",", flush=True)


if __name__ == "__main__":
    main()
