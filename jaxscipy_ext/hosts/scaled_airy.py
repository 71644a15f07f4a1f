"""Derivatives in z, of any order, of the exponentially scaled Airy functions, ζ = 2/3 z^(3/2) (DLMF 9.7.1).

By Airy's equation they are Laurent polynomials in √z times the functions; but for large |z| these sums cancel, by
4|z|^(3/2) per order. There the asymptotic series DLMF 9.7.5-9.7.8 are differentiated term by term. Attained, against
mpmath: 1e-10 relative for n <= 3 and real z > 0, 5e-10 for complex z, the median 1e-15.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as sc
from numpy.typing import ArrayLike, NDArray

from jaxscipy_ext.derivatives._kernel import by_region
from jaxscipy_ext.hosts._orders import by_order

_TERMS = 40
_FAR = 9.0
_DOMINANT = 18.0
"""Re ζ from which on the smaller of two exponentials is below rounding."""

Inexact = NDArray[Any]
Laurent = dict[int, float]
"""Coefficients by the power of √z."""


def airye_derivative(n: ArrayLike, z: ArrayLike) -> tuple[Inexact, ...]:
    """The n-th derivatives of e^ζ Ai and e^ζ Ai'; then e^(sζ-|Re ζ|) d^n/dz^n of e^(-sζ) Bi and e^(-sζ) Bi'.

    s is the sign of Re ζ. For real z all four are the derivatives of what `airye` returns.
    """
    n, z = np.broadcast_arrays(n, z)
    flat = (n.reshape(-1), z.reshape(-1).astype(np.complex128 if z.dtype.kind == "c" else np.float64))
    with np.errstate(all="ignore"):
        return tuple(by_order(one, *flat).reshape(z.shape)[()] for one in _OUTPUTS)


def _zeta(z: Inexact) -> Inexact:
    """ζ, complex for z < 0."""
    return 2 / 3 * z * np.sqrt(z if z.dtype.kind == "c" else z + 0j)


def _as(z: Inexact, value: Inexact) -> Inexact:
    return value if z.dtype.kind == "c" else value.real


def _series(n: int, z: Inexact, primed: bool, sign: float) -> Inexact:
    """The n-th derivative of z^(∓1/4) Σ sign^k c_k ζ^-k, c_k = u_k or v_k of DLMF 9.7.2, up to its smallest term."""
    root = np.sqrt(z)
    inverse = 1.5 / (z * root)
    u, power, total, smallest = 1.0, np.ones_like(z), np.zeros_like(z), np.full(z.shape, np.inf)
    for k in range(_TERMS):
        if k:
            u *= (6 * k - 5) * (6 * k - 3) * (6 * k - 1) / ((2 * k - 1) * 216 * k)
            power = power * (sign * inverse)
        c = u * (6 * k + 1) / (1 - 6 * k) if primed else u
        exponent = (0.25 if primed else -0.25) - 1.5 * k
        term = c * math.prod(exponent - m for m in range(n)) * power
        smaller = np.abs(term) < smallest
        if not smaller.any():
            break
        total = total + np.where(smaller, term, 0)
        smallest = np.where(smaller, np.abs(term), 0)
    return total * np.sqrt(root) ** (1 if primed else -1) / z**n


def _growth(n: int, z: Inexact) -> Inexact:
    """e^-2ζ times the n-th derivative of e^2ζ."""
    terms: Laurent = {0: 1.0}
    for _ in range(n):
        terms = _derivative(terms, {}, 0, 2.0)
    return sum((c * np.sqrt(z) ** power for power, c in terms.items()), start=np.zeros_like(z))


def _closed(n: int, z: Inexact, values: tuple[Inexact, Inexact], sign: float, primed: bool) -> Inexact:
    """e^(-sign ζ) d^n/dz^n of e^(sign ζ) times a solution, from it and its derivative, both scaled (w'' = z w)."""
    p: Laurent = {} if primed else {0: 1.0}
    q: Laurent = {0: 1.0} if primed else {}
    for _ in range(n):
        p, q = _derivative(p, q, 2, sign), _derivative(q, p, 0, sign)
    total = np.zeros_like(z)
    for value, polynomial in zip(values, (p, q), strict=True):
        for power, c in polynomial.items():  # of z, with √z apart: without a sign there are whole powers only
            total = total + c * z ** (power // 2) * (np.sqrt(z) if power % 2 else 1) * value
    at_zero = [(power, c * value) for value, terms in ((values[0], p), (values[1], q)) for power, c in terms.items()]
    power, coefficient = min(at_zero, key=lambda term: term[0])
    return np.where((z == 0) & (power < 0) & (z.dtype.kind == "f"), coefficient * np.inf, total)


def _derivative(own: Laurent, other: Laurent, shift: int, sign: float) -> Laurent:
    """own' + sign √z own + √z^shift other; a coefficient of w gets z from w'', one of w' nothing."""
    result: Laurent = {}
    for power, c in own.items():
        if power:
            result[power - 2] = result.get(power - 2, 0.0) + c * power / 2
        if sign:
            result[power + 1] = result.get(power + 1, 0.0) + sign * c
    for power, c in other.items():
        result[power + shift] = result.get(power + shift, 0.0) + c
    return {power: c for power, c in result.items() if c}


def _ai_far(n: int, z: Inexact, primed: bool) -> Inexact:
    """Both exponentials, e^-ζ and ±i e^ζ, by their series; the second counts to the left alone (DLMF 9.2.10, 9.7.5)."""
    value = (-1 if primed else 1) * _series(n, z, primed, -1)
    left = z.real < 0
    if left.any():
        w = z[left]
        other = sum(math.comb(n, k) * _growth(n - k, w) * _series(k, w, primed, 1) for k in range(n + 1))
        value[left] += np.where(np.signbit(w.imag), -1j, 1j) * np.exp(2 * _zeta(w)) * other
    return value / (2 * math.sqrt(math.pi))


def _ai(n: int, z: Inexact, primed: bool) -> Inexact:
    far = (np.abs(z) > _FAR) & np.isfinite(z) & ((z.real > 0) | (z.dtype.kind == "c"))
    return by_region(
        (z,),
        (np.isposinf(z.real) & (n > 0), 0.0),
        (far, lambda z: _ai_far(n, z, primed)),
        (True, lambda z: _closed(n, z, sc.airye(z)[:2], 1.0, primed)),
        dtype=z.dtype,
    )


def _bi(n: int, z: Inexact, primed: bool) -> Inexact:
    zeta = _zeta(z)
    dominant = (np.abs(z) > _FAR) & np.isfinite(z)
    phase = np.exp(1j * zeta.imag)
    side = np.where(z.imag >= 0, 1j, -1j) if z.dtype.kind == "c" else 1j
    minus = -1 if primed else 1
    return by_region(
        (z, phase, np.broadcast_to(side, z.shape)),
        (np.isposinf(z.real) & (n > 0), 0.0),
        (
            dominant & (zeta.real > _DOMINANT),
            lambda z, phase, side: _as(z, phase) * _series(n, z, primed, 1) / math.sqrt(math.pi),
        ),
        (
            dominant & (zeta.real < -_DOMINANT),
            lambda z, phase, side: side * minus / phase * _series(n, z, primed, -1) / (2 * math.sqrt(math.pi)),
        ),
        (
            (zeta.real > 0) | (z.dtype.kind == "f") & (z >= 0),  # where ζ underflows, too
            lambda z, phase, side: _closed(n, z, sc.airye(z)[2:], -1.0, primed),
        ),
        (zeta.real < 0, lambda z, phase, side: _closed(n, z, sc.airye(z)[2:], 1.0, primed)),
        (True, lambda z, phase, side: _closed(n, z, sc.airye(z)[2:], 0.0, primed)),
        dtype=z.dtype,
    )


_OUTPUTS: tuple[Callable[[int, Inexact], Inexact], ...] = (
    lambda n, z: _ai(n, z, False),
    lambda n, z: _ai(n, z, True),
    lambda n, z: _bi(n, z, False),
    lambda n, z: _bi(n, z, True),
)
