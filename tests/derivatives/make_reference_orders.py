"""Reference values of the order, degree and shape derivatives, by mpmath alone.

    python tests/derivatives/make_reference_orders.py > tests/derivatives/reference.csv

Every function is written down from its definition and differentiated by a fourth-order central difference with step
1e-12, at a working precision so high (50 digits and more) that the references hold to more than 25 digits; a higher
one must agree to 20. Arguments are drawn with a fixed seed over the domains that the kernels promise. Nothing of the
package under test is imported.
Takes some minutes.
"""

import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import mpmath as mp
from agreement import agreed
from mpmath_functions import (
    gegenbauer,
    jacobi,
    laguerre,
    legendre,
    lpmv,
    mathieu,
    modified_mathieu,
    pbdv,
    pbvv,
    pbwa,
    sh_jacobi,
    spheroidal,
    wright_bessel,
)  # fmt: skip

STEP = mp.mpf(10) ** -12
SMALLEST, LARGEST = mp.mpf("1e-290"), mp.mpf("1e290")
Args = tuple[Any, ...]


def partial(f: Callable[..., Any], k: int, args: Args) -> Any:
    """The derivative of f in argument k."""
    exact = [mp.mpmathify(a) for a in args]

    def at(shift: int) -> Any:
        return f(*exact[:k], exact[k] + shift * STEP, *exact[k + 1 :])

    return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * STEP)


def along_x(f: Callable[..., Any]) -> Callable[..., Any]:
    """The derivative of f in its last argument."""
    return lambda *args: partial(f, len(args) - 1, args)


def output(f: Callable[..., Any], index: int) -> Callable[..., Any]:
    return lambda *args: f(*args)[index]


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
        f"mathieu_mod{p}em{kind}_dq": (
            [output(modified_mathieu(p, kind), 0), output(modified_mathieu(p, kind), 1)],
            1,
            "r",
            8,
        )
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


def values(kernel: str, args: Args) -> list[Any]:
    """The derivative of every output; raises what mpmath raises at a pole, or out of its reach."""
    functions, k, _, _ = TABLE[kernel]
    if is_pole(kernel, args):
        return [partial(f, k, args) for f in functions]
    return [agreed(lambda f=f: partial(f, k, args), digits(kernel, args)) for f in functions]


def rows() -> Iterator[tuple[str, Args, list[Any]]]:
    random.seed(7)
    for kernel, (_, _, domains, count) in TABLE.items():
        for domain in domains:
            done = 0
            while done < count:
                args = draw(kernel, domain == "c")
                mp.mp.dps = digits(kernel, args)  # at which the next arguments are drawn, too
                try:
                    found = values(kernel, args)
                except (ValueError, ZeroDivisionError, mp.mp.NoConvergence):
                    continue
                if all(SMALLEST < abs(v) < LARGEST for v in found):
                    done += 1
                    if not is_pole(kernel, args):
                        yield kernel, args, found
            print(kernel, domain, file=sys.stderr)


def text(z: Any) -> str:
    """25 digits; an imaginary part that is noise is 0."""
    imag = mp.im(z) if abs(mp.im(z)) > mp.mpf("1e-60") * abs(z) else mp.mpf(0)
    return mp.nstr(z, 25) if isinstance(z, mp.mpf) else f"{mp.nstr(mp.re(z), 25)};{mp.nstr(imag, 25)}"


def main() -> None:
    print("# Made by make_reference_orders.py with mpmath only. One value per output, complex ones as real;imag.")
    print("kernel,arguments,value,value2")
    for kernel, args, found in rows():
        print(kernel, ";".join(map(repr, args)), *map(text, found), *[""] * (2 - len(found)), sep=",", flush=True)


if __name__ == "__main__":
    main()
