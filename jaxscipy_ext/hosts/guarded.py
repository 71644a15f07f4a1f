"""SciPy's functions that crash, never return or raise at some arguments: there they answer NaN.

Each is SciPy's ufunc, called only where its argument check below holds; what it answers there is untouched. The checks
are the sizes of the fixed arrays in SciPy's Fortran heritage (`specfun.h`, names as there), and arguments at which its
loops run on: NaN or infinite orders become the smallest C integer, float32 bisections wait for 14 digits.
"""

from math import inf
from typing import Any

import scipy.special as sc

from jaxscipy_ext.runtime.guarded import Guarded

Number = Any
"""An array of NumPy's or JAX's, of numbers."""
Mask = Any
"""The same, of bools."""

_LOOPS = 1e6
"""The longest loop over an order that is waited for."""

_TINY = 1.2e-38
"""Below it, XLA's programs don't tell float32 numbers from zero."""


def _bits(x: Number) -> Number:
    """The floats' bits as integers of the same sign. XLA's programs compare subnormal floats as if they were zero."""
    return x.view(f"i{x.dtype.itemsize}")


# ------------------------------------------------------------------------------------------------- hypergeometric


def _hyp1f1_answers(a: Number, b: Number, x: Number) -> Mask:
    small = (abs(a) <= _LOOPS) & (abs(b) <= _LOOPS) & (x.real <= _LOOPS)
    return (small & (abs(x.real) < inf) & (abs(x.imag) < inf)) | (abs(a) < _TINY)  # a series that ends at once


def _hyperu_answers(a: Number, b: Number, x: Number) -> Mask:
    return (abs(a) <= _LOOPS) & (abs(b) <= _LOOPS) & (abs(x) < inf)


hyp1f1 = Guarded(sc.hyp1f1, _hyp1f1_answers, (1, 1, 0))
hyperu = Guarded(sc.hyperu, _hyperu_answers, (1, 1, 1))

# ------------------------------------------------------------------------------- Legendre and parabolic cylinder


def _lpmv_answers(m: Number, v: Number, x: Number) -> Mask:
    return (abs(m) <= _LOOPS) & (abs(v) <= _LOOPS)


def _pbdv_answers(v: Number, x: Number) -> Mask:
    return abs(v) <= _LOOPS


lpmv = Guarded(sc.lpmv, _lpmv_answers, (0, 1, 0))
pbdv = Guarded(sc.pbdv, _pbdv_answers, (0, 0))
pbvv = Guarded(sc.pbvv, _pbdv_answers, (0, 0))

# --------------------------------------------------------------------------------------------------------- Mathieu


def _mathieu_answers(m: Number, q: Number, x: Number) -> Mask:
    return (abs(m) <= _LOOPS) & (abs(q) <= _LOOPS)


mathieu_cem = Guarded(sc.mathieu_cem, _mathieu_answers, (1, 1, 1))
mathieu_sem = Guarded(sc.mathieu_sem, _mathieu_answers, (1, 1, 1))
mathieu_modcem1 = Guarded(sc.mathieu_modcem1, _mathieu_answers, (1, 1, 1))
mathieu_modcem2 = Guarded(sc.mathieu_modcem2, _mathieu_answers, (1, 1, 1))
mathieu_modsem1 = Guarded(sc.mathieu_modsem1, _mathieu_answers, (1, 1, 1))
mathieu_modsem2 = Guarded(sc.mathieu_modsem2, _mathieu_answers, (1, 1, 1))

# ------------------------------------------------------------------------------------------------------- spheroidal

_LARGEST_ORDER = 2.0**15
"""Squares of larger ones overflow C's `int`."""


def _whole(m: Number, n: Number) -> Mask:
    return (m >= 0) & (m % 1 == 0) & (n % 1 == 0) & (n >= m) & (n - m <= 198) & (m < _LARGEST_ORDER)


def _terms(m: Number, n: Number, c: Number) -> Number:
    """Terms of the expansions beyond the first: half of the nodes and one per unit of c."""
    return 0.5 * (n - m) + c


def _cv_answers(m: Number, n: Number, c: Number) -> Mask:
    return _whole(m, n) & (_terms(m, n, c) < 290)  # segv: a[300], nm = 10 + terms


def _ang_answers(m: Number, n: Number, c: Number, *rest: Number) -> Mask:
    return _whole(m, n) & (_terms(m, n, c) < 160)  # aswfa: ck[200], nm = 40 + terms


def _rad_answers(m: Number, n: Number, c: Number, *rest: Number) -> Mask:
    """rmn1: sj[252], nm2 = 2*(25 + terms) + m; sphj: loops from about c*x down; for c <= 0 unwritten memory is read."""
    terms, x = _terms(m, n, c), rest[-1]
    return _whole(m, n) & (_bits(c) > 0) & (2 * terms + m <= 200) & (abs(c * x) <= _LOOPS)


pro_cv = Guarded(sc.pro_cv, _cv_answers, (0, 1, 1), double=True)
obl_cv = Guarded(sc.obl_cv, _cv_answers, (0, 1, 1), double=True)
pro_ang1 = Guarded(sc.pro_ang1, _ang_answers, (0, 1, 1, 0.5), double=True)
obl_ang1 = Guarded(sc.obl_ang1, _ang_answers, (0, 1, 1, 0.5), double=True)
pro_ang1_cv = Guarded(sc.pro_ang1_cv, _ang_answers, (0, 1, 1, 1.5, 0.5), double=True)
obl_ang1_cv = Guarded(sc.obl_ang1_cv, _ang_answers, (0, 1, 1, 1.5, 0.5), double=True)
pro_rad1 = Guarded(sc.pro_rad1, _rad_answers, (0, 1, 1, 2), double=True)
pro_rad2 = Guarded(sc.pro_rad2, _rad_answers, (0, 1, 1, 2), double=True)
obl_rad1 = Guarded(sc.obl_rad1, _rad_answers, (0, 1, 1, 2), double=True)
obl_rad2 = Guarded(sc.obl_rad2, _rad_answers, (0, 1, 1, 2), double=True)
pro_rad1_cv = Guarded(sc.pro_rad1_cv, _rad_answers, (0, 1, 1, 1.5, 2), double=True)
pro_rad2_cv = Guarded(sc.pro_rad2_cv, _rad_answers, (0, 1, 1, 1.5, 2), double=True)
obl_rad1_cv = Guarded(sc.obl_rad1_cv, _rad_answers, (0, 1, 1, 1.5, 2), double=True)
obl_rad2_cv = Guarded(sc.obl_rad2_cv, _rad_answers, (0, 1, 1, 1.5, 2), double=True)
