"""Write `reference_inverses.json`: partials of inverses at known roots, by the implicit function theorem in mpmath.

    python tests/derivatives/make_reference_inverses.py

The root is chosen (SciPy's at a point of the entry's box, rounded), and the value computed at it, so that no search is
trusted. The functions that are inverted, and those without a file in `tests/reference`, are those of
`mpmath_functions`; derivatives are taken at 30 and at 40 digits, which must agree to 20.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mpmath as mp
import mpmath_functions as mf
import scipy.special
from jaxscipy_codegen.model import Discrete, Function
from spec_entries import box_points, library, public_functions

TABLE = Path(__file__).with_name("reference_inverses.json")
POINTS = 2
Point = dict[str, Any]

FORWARD: dict[str, Callable[..., Any]] = {
    "betainc": mf.betainc,
    "chdtr": lambda v, x: mf.gammainc(v / 2, x / 2),
    "chndtr": mf.chndtr,
    "continuous_bdtr": lambda k, n, p: 1 - mf.betainc(k + 1, n - k, p),
    "continuous_nbdtr": lambda k, n, p: mf.betainc(n, k + 1, p),
    "continuous_pdtr": lambda k, m: 1 - mf.gammainc(k + 1, m),
    "fdtr": mf.fdtr,
    "gdtr": lambda a, b, x: mf.gammainc(b, a * x),
    "kolmogorov": mf.kolmogorov,
    "ncfdtr": mf.ncfdtr,
    "nctdtr": lambda df, nc, t: (t < 0) + mf.nctdtr(df, nc, t),
    "smirnov": lambda n, d: mf.smirnov(int(n), d),
    "stdtr": lambda df, t: (1 + mp.sign(t) * 2 * mf.stdtr(df, abs(t))) / 2,
}
"""By the name of the function that is inverted, arguments in its order."""
DIRECT = ("chndtr", "nctdtr", "ncfdtr")


def partial(f: Callable[..., Any], point: Point, name: str) -> Any:
    values = []
    for digits in (30, 40):
        with mp.workdps(digits):
            exact = [mp.mpmathify(value) for value in point.values()]
            values.append(mp.diff(f, tuple(exact), tuple(int(key == name) for key in point)))
    assert abs(values[0] - values[1]) <= mp.mpf(10) ** -20 * abs(values[1]), (point, name, values)
    return values[1]


def of_inverse(function: Function) -> Iterator[dict[str, Any]]:
    inverse = function.inverse
    assert inverse is not None
    of = library()[inverse.of]
    f, value = FORWARD[of.name], inverse.value_in(function.args, of.args)
    assert value is not None
    for point in box_points(function, POINTS, seed=3):
        root = float(f"{getattr(scipy.special, function.name)(*point.values()):.5g}")
        at_root = {name: root if name == inverse.argument else point[name] for name in of.args}
        with mp.workdps(40):
            point[value] = float(f(*map(mp.mpmathify, at_root.values())))
        slope = partial(f, at_root, inverse.argument)
        partials = {
            name: float(1 / slope if name == value else -partial(f, at_root, name) / slope)
            for name in function.args
            if not isinstance(function.ways[name], Discrete)
        }
        yield {"arguments": point, "value": root, "partials": partials}


def of_function(function: Function) -> Iterator[dict[str, Any]]:
    f = FORWARD[function.name]
    for point in box_points(function, POINTS, seed=3):
        with mp.workdps(30):
            value = float(f(*map(mp.mpmathify, point.values())))
        partials = {name: float(partial(f, point, name)) for name in point}
        yield {"arguments": point, "value": value, "partials": partials}


if __name__ == "__main__":
    table = {}
    for name, function in public_functions().items():
        if function.inverse is not None or name in DIRECT:
            table[name] = list(of_inverse(function) if function.inverse else of_function(function))
            print(name, flush=True)
    TABLE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
