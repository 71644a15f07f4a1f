"""SciPy's functions that crash, never return or raise at some arguments: there they answer NaN.

Each is SciPy's ufunc, called only where its argument check below holds; what it answers there is untouched. The checks
are the sizes of the fixed arrays in SciPy's Fortran heritage (`specfun.h`, names as there), and arguments at which its
loops run on: NaN or infinite orders become the smallest C integer, float32 bisections wait for 14 digits.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike, NDArray

Mask = NDArray[np.bool_]
Number = NDArray[Any]

_LOOPS = 1e6
"""The longest loop over an order that is waited for."""


class Guarded:
    """`ufunc` where `answers(*args)` holds, NaN elsewhere; with `double` computed in float64 in any precision."""

    def __init__(self, ufunc: np.ufunc, answers: Callable[..., Mask], double: bool = False) -> None:
        self.ufunc, self.answers, self.double = ufunc, answers, double
        self.__name__, self.__qualname__ = ufunc.__name__, ufunc.__name__
        self.__doc__ = f"`scipy.special.{ufunc.__name__}`, NaN where it doesn't answer."

    def __call__(self, *args: ArrayLike) -> Any:
        arrays = [np.asarray(arg) for arg in args]
        if self.double:
            arrays = [array.astype(np.float64) if array.dtype.kind == "f" else array for array in arrays]
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
        arrays = [np.broadcast_to(array, shape) for array in arrays]
        with np.errstate(all="ignore"):
            answers = np.broadcast_to(self.answers(*arrays), shape)
            found = self.ufunc(*(array[answers] for array in arrays))
        results = []
        for values in found if isinstance(found, tuple) else (found,):
            results.append(np.full(shape, np.nan, values.dtype))
            results[-1][answers] = values
        return tuple(results) if len(results) > 1 else results[0]

    def __reduce__(self) -> str:
        return self.__qualname__  # pickled by reference, as functions are


# ------------------------------------------------------------------------------------------------- hypergeometric


def _hyp1f1_answers(a: Number, b: Number, x: Number) -> Mask:
    small = (np.abs(a) <= _LOOPS) & (np.abs(b) <= _LOOPS) & (np.real(x) <= _LOOPS) & np.isfinite(x)
    return small | (a == 0)


def _hyperu_answers(a: Number, b: Number, x: Number) -> Mask:
    return (np.abs(a) <= _LOOPS) & (np.abs(b) <= _LOOPS) & np.isfinite(x)


hyp1f1 = Guarded(sc.hyp1f1, _hyp1f1_answers)
hyperu = Guarded(sc.hyperu, _hyperu_answers)

# ------------------------------------------------------------------------------- Legendre and parabolic cylinder


def _lpmv_answers(m: Number, v: Number, x: Number) -> Mask:
    return (np.abs(m) <= _LOOPS) & (np.abs(v) <= _LOOPS)


def _pbdv_answers(v: Number, x: Number) -> Mask:
    return np.abs(v) <= _LOOPS


lpmv = Guarded(sc.lpmv, _lpmv_answers)
pbdv = Guarded(sc.pbdv, _pbdv_answers)
pbvv = Guarded(sc.pbvv, _pbdv_answers)

# --------------------------------------------------------------------------------------------------------- Mathieu


def _mathieu_answers(m: Number, q: Number, x: Number) -> Mask:
    return (np.abs(m) <= _LOOPS) & (np.abs(q) <= _LOOPS)


mathieu_cem = Guarded(sc.mathieu_cem, _mathieu_answers)
mathieu_sem = Guarded(sc.mathieu_sem, _mathieu_answers)
mathieu_modcem1 = Guarded(sc.mathieu_modcem1, _mathieu_answers)
mathieu_modcem2 = Guarded(sc.mathieu_modcem2, _mathieu_answers)
mathieu_modsem1 = Guarded(sc.mathieu_modsem1, _mathieu_answers)
mathieu_modsem2 = Guarded(sc.mathieu_modsem2, _mathieu_answers)

# ------------------------------------------------------------------------------------------------------- spheroidal

_LARGEST_ORDER = 2.0**15
"""Squares of larger ones overflow C's `int`."""


def _whole(m: Number, n: Number) -> Mask:
    return (m >= 0) & (m == np.floor(m)) & (n == np.floor(n)) & (n >= m) & (n - m <= 198) & (m < _LARGEST_ORDER)


def _terms(m: Number, n: Number, c: Number) -> NDArray[np.float64]:
    """Terms of the expansions beyond the first: half of the nodes and one per unit of c."""
    return 0.5 * (n - m) + c


def _cv_answers(m: Number, n: Number, c: Number) -> Mask:
    return _whole(m, n) & (_terms(m, n, c) < 290)  # segv: a[300], nm = 10 + terms


def _ang_answers(m: Number, n: Number, c: Number, *rest: Number) -> Mask:
    return _whole(m, n) & (_terms(m, n, c) < 160)  # aswfa: ck[200], nm = 40 + terms


def _rad_answers(m: Number, n: Number, c: Number, *rest: Number) -> Mask:
    """rmn1: sj[252], nm2 = 2*(25 + terms) + m; sphj: loops from about c*x down; for c <= 0 unwritten memory is read."""
    terms, x = _terms(m, n, c), rest[-1]
    return _whole(m, n) & (c > 0) & (2 * terms + m <= 200) & (np.abs(c * x) <= _LOOPS)


pro_cv = Guarded(sc.pro_cv, _cv_answers, double=True)
obl_cv = Guarded(sc.obl_cv, _cv_answers, double=True)
pro_ang1 = Guarded(sc.pro_ang1, _ang_answers, double=True)
obl_ang1 = Guarded(sc.obl_ang1, _ang_answers, double=True)
pro_ang1_cv = Guarded(sc.pro_ang1_cv, _ang_answers, double=True)
obl_ang1_cv = Guarded(sc.obl_ang1_cv, _ang_answers, double=True)
pro_rad1 = Guarded(sc.pro_rad1, _rad_answers, double=True)
pro_rad2 = Guarded(sc.pro_rad2, _rad_answers, double=True)
obl_rad1 = Guarded(sc.obl_rad1, _rad_answers, double=True)
obl_rad2 = Guarded(sc.obl_rad2, _rad_answers, double=True)
pro_rad1_cv = Guarded(sc.pro_rad1_cv, _rad_answers, double=True)
pro_rad2_cv = Guarded(sc.pro_rad2_cv, _rad_answers, double=True)
obl_rad1_cv = Guarded(sc.obl_rad1_cv, _rad_answers, double=True)
obl_rad2_cv = Guarded(sc.obl_rad2_cv, _rad_answers, double=True)
