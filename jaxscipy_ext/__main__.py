"""`python -m jaxscipy_ext`: the configuration, then one Bessel function under JAX's transformations, beside SciPy.

Exits with 1 if a number is off by more than 1e-10 (relative), so it is also a quick check of an installation.
"""

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import jax
import numpy as np
from scipy import special

import jaxscipy_ext as jse

ORDER, POINT = 2.5, 7.1
GRID = np.linspace(0.1, 30.0, 1000)
TOLERANCE = 1e-10


class Row(NamedTuple):
    """One number, or one array of numbers, computed twice."""

    what: str
    ours: Any
    reference: str
    scipys: Any

    @property
    def error(self) -> float:
        """The largest relative error; absolute where the reference is 0."""
        ours, scipys = np.asarray(self.ours), np.asarray(self.scipys)
        return float(np.max(np.abs(ours - scipys) / np.where(scipys == 0, 1, np.abs(scipys))))


def rows() -> Iterator[Row]:
    """The demo. SciPy differentiates in z only: in v, the reference is a difference quotient of SciPy's jv."""
    v, z, zs = ORDER, POINT, 3.0 + 4.0j
    in_z = jax.grad(jse.jv, argnums=1)
    yield Row("jv(2.5, 7.1)", jse.jv(v, z), "jv", special.jv(v, z))
    yield Row("grad in z", in_z(v, z), "jvp", special.jvp(v, z))
    yield Row("grad in v", jax.grad(jse.jv)(v, z), "difference of jv", _difference_in_order(v, z))
    yield Row("hessian in z", jax.hessian(jse.jv, argnums=1)(v, z), "jvp, n=2", special.jvp(v, z, 2))
    yield Row("third derivative in z", jax.grad(jax.grad(in_z, 1), 1)(v, z), "jvp, n=3", special.jvp(v, z, 3))
    yield Row("jv(2.5, 3+4j)", jse.jv(v, zs), "jv", special.jv(v, zs))
    yield Row("holomorphic grad", jax.grad(jse.jv, 1, holomorphic=True)(v, zs), "jvp", special.jvp(v, zs))
    yield Row("jit, 1000 points", jax.jit(jse.jv)(v, GRID), "jv", special.jv(v, GRID))
    yield Row("vmap of grad, 1000 points", jax.vmap(in_z, (None, 0))(v, GRID), "jvp", special.jvp(v, GRID))


def _difference_in_order(v: float, z: float, step: float = 0.03) -> float:
    """First derivative by the central difference of order 8: good to 1e-11, jv's last digits divided by the step."""
    weights = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])
    shifts = step * np.arange(1, 5)
    return float(weights @ (special.jv(v + shifts, z) - special.jv(v - shifts, z)) / step)


def _shown(value: Any) -> str:
    value = np.asarray(value)
    if value.ndim:
        return f"{value.size} values"
    return f"{value:.10f}" if np.iscomplexobj(value) else f"{value:.16f}"


def main() -> int:
    """Print the configuration and the table; the exit status of the program."""
    jax.config.update("jax_enable_x64", True)
    jse.show_config()
    print(f"\n{'jv(v, z)':<26} {'jaxscipy_ext':<30} {'SciPy':<30} {'scipy.special':<17} error")
    worst = 0.0
    for row in rows():
        worst = max(worst, row.error)
        print(f"{row.what:<26} {_shown(row.ours):<30} {_shown(row.scipys):<30} {row.reference:<17} {row.error:.1g}")
    if worst < TOLERANCE:
        return 0
    print(f"\nAn error above {TOLERANCE:g}: this installation is not right.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
