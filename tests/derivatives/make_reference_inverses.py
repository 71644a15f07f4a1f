"""Write `reference_inverses.json`: partials of inverses at known roots, by the implicit function theorem in mpmath.

    python tests/derivatives/make_reference_inverses.py

The root is chosen (SciPy's at a point of the entry's box, rounded), and the value computed at it, so that no search is
trusted. The functions that are inverted, and those without a file in `tests/reference`, are those of
`mpmath_functions`; derivatives are taken at 30 and at 50 digits, which must agree to 20.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mpmath as mp
import mpmath_functions as mf
import scipy.special
from agreement import agreed
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
    along = tuple(int(key == name) for key in point)
    return agreed(lambda: mp.diff(f, tuple(map(mp.mpmathify, point.values())), along), 30)


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


def table() -> dict[str, list[dict[str, Any]]]:
    functions = public_functions().items()
    return {
        name: list(of_inverse(f)) if f.inverse else list(of_function(f))
        for name, f in functions
        if f.inverse or name in DIRECT
    }


if __name__ == "__main__":
    TABLE.write_text(json.dumps(table(), indent=1) + "\n", encoding="utf-8")
