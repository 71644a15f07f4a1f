"""The functions whose parameter derivatives are tested, written down from their definitions with mpmath alone.

Arguments are mpmath numbers (or integers where a function is defined for those only); the working precision is the
caller's. Nothing of the package under test is imported.
"""

import functools
from collections.abc import Callable, Iterator
from typing import Any

import mpmath as mp

# ---- orders and degrees

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


def mathieu_coefficients(m: int, q: Any, parity: str) -> tuple[list[int], list[Any], Any]:
    return _mathieu_coefficients(m, q, parity, mp.mp.prec)


@functools.lru_cache(maxsize=64)
def _mathieu_coefficients(m: int, q: Any, parity: str, precision: int) -> tuple[list[int], list[Any], Any]:
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


# ---- distributions


def gammainc(a: Any, x: Any) -> Any:
    """P(a, x) by the series of positive terms in DLMF 8.7.1."""
    term = mp.exp(a * mp.log(x) - x - mp.loggamma(a + 1))
    total, n = mp.mpf(0), 0
    while term > total * mp.eps or a + n < x:
        total += term
        n += 1
        term *= x / (a + n)
    return total


def betainc(a: Any, b: Any, x: Any, y: Any = None) -> Any:
    """I_x(a, b), y = 1 - x."""
    y = 1 - x if y is None else y
    return beta_lower(a, b, x, y) if x <= y else 1 - beta_lower(b, a, y, x)


def beta_lower(a: Any, b: Any, x: Any, y: Any) -> Any:
    """I_x(a, b) by the series of positive terms DLMF 8.17.8."""
    term = mp.exp(a * mp.log(x) + b * mp.log(y) - mp.log(a) + mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b))
    total, n = mp.mpf(0), 0
    while term > total * mp.eps or (a + b + n) * x > a + n + 1:
        total += term
        term *= (a + b + n) / (a + n + 1) * x
        n += 1
    return total


def stdtr(v: Any, t: Any) -> Any:
    """For t > 0."""
    square = t * t
    return betainc(mp.mpf(1) / 2, v / 2, square / (v + square), v / (v + square)) / 2


def fdtr(m: Any, n: Any, x: Any) -> Any:
    return betainc(m / 2, n / 2, m * x / (m * x + n), n / (m * x + n))


def poisson_terms(lam: Any) -> Iterator[tuple[int, Any]]:
    """Poisson's probabilities, as far as the working precision sees them beside 1."""
    j, weight = 0, mp.exp(-lam)
    while j <= lam or weight > mp.eps:
        yield j, weight
        j += 1
        weight *= lam / j


def chndtr(x: Any, df: Any, nc: Any) -> Any:
    y, a = x / 2, df / 2
    value, total = mp.gammainc(a, 0, y, regularized=True), mp.mpf(0)
    step = mp.exp(a * mp.log(y) - y - mp.loggamma(a + 1))
    for j, weight in poisson_terms(nc / 2):
        total += weight * value
        value -= step
        step *= y / (a + j + 1)
    return total


def ncfdtr(m: Any, n: Any, nc: Any, f: Any) -> Any:
    a, b, t, u = m / 2, n / 2, m * f / (m * f + n), n / (m * f + n)
    value, total = betainc(a, b, t, u), mp.mpf(0)
    step = mp.exp(a * mp.log(t) + b * mp.log(u) - mp.log(a) + mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b))
    for j, weight in poisson_terms(nc / 2):
        total += weight * value
        value -= step
        step *= t * (a + b + j) / (a + j + 1)
    return total


def nctdtr(v: Any, d: Any, t: Any) -> Any:
    """Guenther's series (as in AS 243) for t > 0; F(t; d) = 1 - F(-t; -d)."""
    if t < 0:
        return -nctdtr(v, -d, -t)
    b, x, y = v / 2, t * t / (v + t * t), v / (v + t * t)
    half, total = d * d / 2, mp.ncdf(-d)

    def rung(a: Any) -> tuple[Any, Any]:
        front = a * mp.log(x) + b * mp.log(y) - mp.log(a) + mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b)
        return betainc(a, b, x, y), mp.exp(front)

    odd, odd_step = rung(mp.mpf(1) / 2)
    even, even_step = rung(mp.mpf(1))
    q = d * mp.exp(-half) / (mp.sqrt(2) * mp.gamma(mp.mpf(3) / 2))
    for j, p in poisson_terms(half):
        total += (p * odd + q * even) / 2
        odd, even = odd - odd_step, even - even_step
        odd_step *= x * (j + mp.mpf(1) / 2 + b) / (j + mp.mpf(3) / 2)
        even_step *= x * (j + 1 + b) / (j + 2)
        q *= half / (j + mp.mpf(3) / 2)
    return total


def smirnov(n: int, d: Any) -> Any:
    terms = range(int(mp.floor(n * (1 - d))) + 1)
    return d * mp.fsum(
        mp.binomial(n, j) * (d + mp.mpf(j) / n) ** (j - 1) * (1 - d - mp.mpf(j) / n) ** (n - j) for j in terms
    )


def kolmogorov(y: Any) -> Any:
    if y < 1:
        terms = (mp.exp(-(((2 * k - 1) * mp.pi / y) ** 2) / 8) for k in range(1, 20))
        return 1 - mp.sqrt(2 * mp.pi) / y * mp.fsum(terms)
    return 2 * mp.fsum((-1) ** (k - 1) * mp.exp(-2 * (k * y) ** 2) for k in range(1, 20))


def tukey_probability(x: Any, lmbda: Any) -> Any:
    """F(x) for x < 0, by bisection in the logit: |Q(p)| grows without cancellation."""
    low, high = mp.mpf(-2000), mp.mpf(0)
    for _ in range(int(3.4 * mp.mp.dps) + 20):
        u = (low + high) / 2
        p = 1 / (1 + mp.exp(-u))
        quantile = u if lmbda == 0 else (p**lmbda - (1 - p) ** lmbda) / lmbda
        low, high = (u, high) if quantile < x else (low, u)
    return 1 / (1 + mp.exp(-low))


# ---- second outputs: derivatives in x, by identities that differ from the package's rules


def with_slope(f: Callable[..., Any], slope: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: (f(*args), slope(*args))


def along_last(f: Callable[..., Any]) -> Callable[..., Any]:
    """The derivative of f in its last argument, to 30 digits where the working precision is above 50."""
    h = mp.mpf(10) ** -16
    return lambda *args: (f(*args[:-1], args[-1] + h) - f(*args[:-1], args[-1] - h)) / (2 * h)


def pbdv_dx(v: Any, x: Any) -> Any:
    return v * pbdv(v - 1, x) - x / 2 * pbdv(v, x)  # DLMF 12.8.2


def pbvv_dx(v: Any, x: Any) -> Any:
    return pbvv(v - 1, x) - x / 2 * pbvv(v, x)  # DLMF 12.8.7


def pbwa_dx(a: Any, x: Any) -> Any:
    q, j = mp.mpf(1) / 4, mp.mpc(0, 1)
    r = mp.sqrt(abs(mp.gamma(q + j * a / 2) / mp.gamma(3 * q + j * a / 2)))
    e, y, low, high = mp.exp(-j * x * x / 4), j * x * x / 2, q - j * a / 2, 3 * q - j * a / 2
    half, half3, half5 = mp.mpf(1) / 2, mp.mpf(3) / 2, mp.mpf(5) / 2
    even = e * (-j * x / 2 * mp.hyp1f1(low, half, y) + j * x * low / half * mp.hyp1f1(low + 1, half3, y))
    odd = e * (
        (1 - j * x * x / 2) * mp.hyp1f1(high, half3, y) + j * x * x * high / half3 * mp.hyp1f1(high + 1, half5, y)
    )
    return mp.re(2 ** (-3 * q) * (r * even - mp.sqrt(2) / r * odd))


# ---- radial spheroidal functions


def radial(sign: int, kind: int) -> Callable[..., Any]:
    """(R, R') of the prolate (sign 1) or oblate (-1) radial function: DLMF 30.11.3, convergent for x > 1."""

    def coefficients(m: int, n: int, c: Any) -> list[tuple[int, Any]]:
        def coupling(l: int) -> Any:
            return mp.sqrt(mp.mpf((l - m + 1) * (l + m + 1)) / ((2 * l + 1) * (2 * l + 3))) if l >= m else mp.mpf(0)

        degrees = [m + (n - m) % 2 + 2 * i for i in range(_RADIAL_TERMS)]
        matrix = mp.zeros(_RADIAL_TERMS)
        for i, l in enumerate(degrees):
            matrix[i, i] = l * (l + 1) + sign * c * c * (coupling(l) ** 2 + coupling(l - 1) ** 2)
            if i:
                matrix[i, i - 1] = matrix[i - 1, i] = sign * c * c * coupling(l - 1) * coupling(l - 2)
        values, vectors = mp.eigsy(matrix)
        index = sorted(range(_RADIAL_TERMS), key=lambda i: values[i])[(n - m) // 2]
        # from the orthonormal basis, times (l+m)!/(l-m)!
        return [
            (l, vectors[i, index] * mp.sqrt(mp.mpf(2 * l + 1) * mp.factorial(l + m) / mp.factorial(l - m)))
            for i, l in enumerate(degrees)
        ]

    def value(m: Any, n: Any, c: Any, x: Any) -> Any:
        m, n = int(m), int(n)
        bessel = mp.besselj if kind == 1 else mp.bessely
        terms = coefficients(m, n, c)
        half = mp.mpf(1) / 2

        def spherical(l: int) -> Any:
            return mp.sqrt(mp.pi / (2 * c * x)) * bessel(l + half, c * x)

        front, norm = (1 - sign / (x * x)) ** (mp.mpf(m) / 2), mp.fsum(a for _, a in terms)
        total = slope = mp.mpf(0)
        for l, a in terms:
            weight = a * (-1) ** ((l - n) // 2) / norm
            w = spherical(l)
            total += weight * w
            slope += weight * c * (l / (c * x) * w - spherical(l + 1))  # DLMF 10.51.2
        return front * total, front * (slope + total * m * sign / (x * (x * x - sign)))

    return value


_RADIAL_TERMS = 40
