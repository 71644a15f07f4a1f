"""Reference values of the distribution, gamma, beta and zeta kernels, by mpmath alone.

    python tests/derivatives/make_reference_distributions.py > tests/derivatives/reference_distributions.csv

Every function is written down from its definition (incomplete gamma and beta functions, their Poisson mixtures,
Hurwitz's zeta function) and differentiated by a fourth-order central difference with a relative step of 1e-14, at a
working precision that grows with the smallness of the value: the references hold to more than 25 digits, and a higher
precision must agree to 20. Arguments are drawn with a fixed seed over the magnitudes that the kernels promise. Nothing
of the package under test is imported.
"""

import itertools
import math
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import mpmath as mp
from agreement import agreed
from mpmath_functions import (
    betainc,
    chndtr,
    fdtr,
    gammainc,
    kolmogorov,
    ncfdtr,
    nctdtr,
    smirnov,
    stdtr,
    tukey_probability,
)

DIGITS = 60
STEP = 14  # relative step 1e-14: truncation error 1e-56
SMALLEST, LARGEST = mp.mpf("1e-290"), mp.mpf("1e290")

Args = tuple[float, ...]
Function = Callable[..., Any]


def log_uniform(low: float, high: float) -> float:
    return float(10 ** random.uniform(mp.log10(low), mp.log10(high)))


def partial(f: Function, k: int, args: Args) -> Any:
    """The derivative of f in argument k, at the precision set by the caller."""
    exact = [mp.mpmathify(a) for a in args]
    step = mp.mpf(10) ** -STEP * (abs(exact[k]) or mp.mpf("1e-3"))

    def at(shift: int) -> Any:
        moved = list(exact)
        moved[k] += shift * step
        return f(*moved)

    return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step)


def sure(f: Function, k: int, args: Args) -> Any:
    """`partial`, if a higher precision agrees."""
    return agreed(lambda: partial(f, k, args), mp.mp.dps, steps=4, noise=SMALLEST)


# ---- the points


def seen(*ln_density: float) -> bool:
    """Whether a tail of this logarithm is in the range of float64: spares the long sums of those that are not."""
    return sum(ln_density) > -660


def gamma_points() -> Iterator[Args]:
    for a in (1e-3, 1e-2, 0.1, 0.5, 1.0, 2.0, 3.7, 10.0, 30.0, 100.0, 1e3, 1e4):
        factors = random.sample((1e-4, 0.1, 0.5, 0.8, 0.99, 1.0, 1.01, 1.3, 2.0, 5.0, 20.0), 3)
        near = a + random.uniform(-5, 5) * a**0.5 if a > 30 else random.choice((1e-8, 0.3, 0.55, 0.57, 2.0, 30.0))
        for x in (*(a * f for f in factors), near):
            if seen(a * math.log(x / a), a - x):
                yield a, x


def beta_points() -> Iterator[Args]:
    shapes = (1e-2, 0.3, 1.0, 2.5, 11.0, 300.0, 1e4)
    for a, b in itertools.product(shapes, shapes):
        mean, deviation = a / (a + b), (a * b / (a + b + 1)) ** 0.5 / (a + b)
        near = mean + random.choice((-8, -3, -1, 1, 3, 8)) * deviation
        for x in (near, random.choice((1e-30, 1e-15, 1e-8, 1e-4, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1 - 1e-10))):
            if 0 < x < 1 and seen(a * math.log(x / mean), b * math.log((1 - x) / (1 - mean))):
                yield a, b, x


def student_points() -> Iterator[Args]:
    for v in (0.1, 0.5, 1.0, 3.0, 5.5, 10.0, 30.0, 100.0, 1e3, 1e4, 1e6):
        for t in random.sample((1e-6, 0.1, 0.5, 1.0, 1.5, 1.7, 2.0, 3.0, 5.0, 10.0, 50.0, 1e3), 4):
            if seen(-(v + 1) / 2 * math.log1p(t * t / v)):
                yield v, t


def fisher_points() -> Iterator[Args]:
    for m in (0.1, 1.0, 2.0, 7.3, 40.0, 1e3):
        for n in (0.2, 1.0, 5.0, 33.0, 1e3):
            spread = 2.718281828 ** (random.choice((-3, -1, 1, 3)) * (2 / m + 2 / n) ** 0.5)
            yield from ((m, n, spread), (m, n, random.choice((1e-6, 0.05, 0.5, 0.9, 1.1, 3.0, 1e4))))


def chi2_points() -> Iterator[Args]:
    for df in (0.1, 1.0, 2.0, 7.5, 60.0, 1e3):
        for nc in (0.0, 1e-3, 1.0, 12.0, 300.0):
            yield random.choice((1e-3, 0.5, 20.0)), df, nc
            yield (df + nc) * random.choice((0.7, 1.0, 1.3)), df, nc


def noncentral_f_points() -> Iterator[Args]:
    for m in (0.5, 2.0, 7.0, 120.0):
        for n in (0.7, 5.0, 90.0, 1e3):
            for nc in random.sample((0.0, 0.4, 8.0, 60.0), 2):
                yield m, n, nc, (1 + nc / m) * random.choice((0.02, 0.3, 1.0, 1.5, 4.0))


def noncentral_t_points() -> Iterator[Args]:
    for v in (0.1, 0.8, 2.5, 9.0, 100.0, 1e4):
        for d in (-3.0, -0.5, 0.0, 1.3, 8.0, 35.0):
            yield v, d, random.choice((-4.0, -0.6, 0.01, 0.7, 2.0, 5.0, 40.0))


def zeta_points() -> Iterator[Args]:
    for x in (1.001, 1.5, 2.0, 7.7, 30.0, 90.0):
        for q in (1e-3, 0.4, 1.0, 30.0, 1e4):
            yield x, q


def riemann_points() -> Iterator[Args]:
    yield from ((x,) for x in (-200.5, -81.8, -50.0, -21.3, -4.0, -3.0, -2.0, -1.0, -0.3, -0.2, -1e-9, 0.0, 0.5, 0.999))
    yield from ((x,) for x in (1.000001, 1.5, 2.0, 11.1, 60.0))


def riemann_complex_points() -> Iterator[tuple[complex]]:
    for _ in range(20):
        yield (complex(random.uniform(-30, 30), random.uniform(-60, 60)),)
    yield from ((0.5 + 14.134725j,), (-2 + 1e-6j,), (0.5 + 300j,))


def polygamma_points() -> Iterator[tuple[int, complex]]:
    for n in (1, 2, 3, 5, 8, 9, 14, 30):
        for _ in range(4):
            yield n, complex(random.uniform(-8, 8), random.uniform(-2, 2))
        yield n, complex(-log_uniform(1, 300), random.uniform(-20, 20))
        yield n, complex(log_uniform(0.1, 1e3), log_uniform(0.01, 1e3))
        yield n, complex(-3.3, 0.0)


def smirnov_points() -> Iterator[Args]:
    for n in (1, 2, 5, 10, 64, 500):
        for d in (
            random.uniform(0, 1),
            random.uniform(0, 1) / n,
            2.4 / max(n, 5),
            0.7 / n**0.5,
            1.9 / max(n, 5) ** 0.5,
        ):
            yield float(n), d


def tukey_points() -> Iterator[Args]:
    for lmbda in (-2.0, -0.7, -1e-3, 0.0, 1e-9, 0.14, 0.5, 1.0, 1.7, 5.0):
        for x in (-1e-6, -0.05, -0.19, -3.0, -40.0):
            if lmbda * -x < 0.99:
                yield x, lmbda


# ---- the table


def row(kernel: str, args: tuple[Any, ...], value: Any) -> None:
    """Print one line; values outside the range of float64 are left out."""
    if not SMALLEST < abs(value) < LARGEST:
        return
    real, imag = mp.re(value), mp.im(value)
    print(kernel, ";".join(map(repr, args)), mp.nstr(real, 25), mp.nstr(imag, 25) if imag else "", sep=",")


def partials(
    points: Iterator[Args], f: Function, kernels: dict[str, tuple[int, int]], extra: Function | None = None
) -> None:
    """Rows for kernels {name: (argument, sign)}, then for slopes: extra(derivatives) -> {name: value}.

    The digits lost where f is near 1 but a derivative is tiny are found from a rough value of that derivative.
    """
    for args in points:
        mp.mp.dps = 2 * STEP + 380
        rough = min(abs(partial(f, k, args)) for k, _ in kernels.values())
        if rough < SMALLEST:
            continue
        mp.mp.dps = DIGITS + 60 + int(max(0, -mp.log10(rough)))
        slopes = {name: sign * sure(f, k, args) for name, (k, sign) in kernels.items()}
        for name, value in (slopes | (extra(slopes) if extra else {})).items():
            row(name, args, value)


def distributions() -> None:
    partials(
        gamma_points(),
        gammainc,
        {"gammainc_da": (0, 1), "gammaincc_da": (0, -1), "gamma_pdf": (1, 1)},
        lambda s: {"gammainc_dxda": -s["gammainc_da"] / s["gamma_pdf"]},
    )
    partials(
        beta_points(),
        betainc,
        {
            "betainc_da": (0, 1),
            "betainc_db": (1, 1),
            "betaincc_da": (0, -1),
            "betaincc_db": (1, -1),
            "beta_pdf": (2, 1),
        },
        lambda s: {f"betainc_dxd{k}": -s[f"betainc_d{k}"] / s["beta_pdf"] for k in "ab"},
    )
    partials(
        student_points(),
        stdtr,
        {"stdtr_ddf": (0, 1), "t_pdf": (1, 1)},
        lambda s: {"stdtr_dtddf": -s["stdtr_ddf"] / s["t_pdf"]},
    )
    partials(
        fisher_points(),
        fdtr,
        {"fdtr_ddfn": (0, 1), "fdtr_ddfd": (1, 1), "fdtrc_ddfn": (0, -1), "fdtrc_ddfd": (1, -1), "f_pdf": (2, 1)},
        lambda s: {f"fdtr_dxd{k}": -s[f"fdtr_d{k}"] / s["f_pdf"] for k in ("dfn", "dfd")},
    )
    partials(chi2_points(), chndtr, {"chndtr_dx": (0, 1), "chndtr_ddf": (1, 1)})
    partials((p for p in chi2_points() if p[2]), chndtr, {"chndtr_dnc": (2, 1)})
    names = {"ncfdtr_ddfn": (0, 1), "ncfdtr_ddfd": (1, 1), "ncfdtr_df": (3, 1)}
    partials(noncentral_f_points(), ncfdtr, names)
    partials((p for p in noncentral_f_points() if p[2]), ncfdtr, {"ncfdtr_dnc": (2, 1)})
    partials(noncentral_t_points(), nctdtr, {"nctdtr_ddf": (0, 1), "nctdtr_dnc": (1, 1), "nctdtr_dt": (2, 1)})


def others() -> None:
    mp.mp.dps = 120
    for args in zeta_points():
        row("hurwitz_zeta_dx", args, sure(mp.zeta, 0, args))
    for args in (*riemann_points(), *riemann_complex_points()):
        row("riemann_zeta_dx", args, sure(mp.zeta, 0, args))
    for n, z in polygamma_points():
        row("polygamma", (n, z), mp.psi(n, mp.mpmathify(z)))
    for z in (-5.5, -0.3, 0.2, 7.7, -3.2 + 0.4j, -3 + 1e-9j, 2.5 - 4j, -12 + 3j, 0.1 + 20j):
        row("rgamma_dz", (z,), sure(mp.rgamma, 0, (z,)))
    for z in range(6):
        row("rgamma_dz", (-float(z),), (-1) ** z * mp.factorial(z))
    for _ in range(40):
        a, b = log_uniform(1e-3, 1e6), log_uniform(1e-8, 1e6)
        row("psi_difference", (a, b), mp.psi(0, mp.mpf(a) + mp.mpf(b)) - mp.psi(0, mp.mpf(a)))
    for n, d in smirnov_points():
        row("smirnov_dd", (n, d), sure(lambda d, n=n: smirnov(int(n), d), 0, (d,)))
    for y in (0.04, 0.067, 0.2, 0.5, 0.8, 0.999, 1.0, 1.2, 2.0, 5.0, 18.0):
        row("kolmogorov_dy", (y,), sure(kolmogorov, 0, (y,)))
    for x, lmbda in tukey_points():
        row("tklmbda_dx", (x, lmbda), sure(tukey_probability, 0, (x, lmbda)))
        row("tklmbda_dlmbda", (x, lmbda), sure(tukey_probability, 1, (x, lmbda + 0.0)))


def main() -> None:
    random.seed(20240815)
    print("# Made by make_reference_distributions.py with mpmath", mp.__version__, "alone: do not edit.")
    print("# Derivatives by a fourth-order central difference of the definition at 120 or more digits; 25 digits kept.")
    print("kernel,arguments,real,imag")
    distributions()
    others()


if __name__ == "__main__":
    sys.exit(main())
