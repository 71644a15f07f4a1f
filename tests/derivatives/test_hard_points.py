"""Points at which float64 alone had lost the derivative, against mpmath."""

from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from jaxscipy_ext.derivatives import bessel_related, confluent, gauss, parabolic, tricomi, tukey, zeta
from jaxscipy_ext.derivatives._exact import settled

HARD: list[tuple[Callable[..., Any], Callable[..., Any], int, tuple[Any, ...]]] = [
    (confluent.hyp1f1_da, mp.hyp1f1, 0, (-4.0, -19.9638, -19.0804)),
    (confluent.hyp1f1_db, mp.hyp1f1, 1, (-6.0, -19.6545, 32.7766)),
    (confluent.hyp1f1_db, mp.hyp1f1, 1, (-1e-8, 4.0, -156.735)),
    (confluent.hyp1f1_db, mp.hyp1f1, 1, (-3.99999999, 2.07476, 65.3503)),
    (confluent.hyp1f1_db, mp.hyp1f1, 1, (-14.5, -18.3, 54.6 - 12.1j)),
    (gauss.hyp2f1_da, mp.hyp2f1, 0, (2.0, 0.5, -2.5, 1e-14)),
    (gauss.hyp2f1_da, mp.hyp2f1, 0, (2.0, 0.5, -10.3, -1e-7 + 0j)),
    (gauss.hyp2f1_da, mp.hyp2f1, 0, (-4.00000001, -5.0, -17.5, -702.413)),
    (gauss.hyp2f1_dc, mp.hyp2f1, 2, (2.0, -4.5, -19.5, 0.9949)),
    (gauss.hyp2f1_db, mp.hyp2f1, 1, (1e-8, 0.99999999, -0.99999999, 0.993)),
    (gauss.hyp2f1_da, mp.hyp2f1, 0, (6.68, -3.97, 3.0, 3.617 + 0.00224j)),
    (tricomi.hyperu_db, mp.hyperu, 1, (1e-8, -2.00000001, 79.5)),
    (tricomi.hyperu_db, mp.hyperu, 1, (-20.0, -12.656, 0.1517)),
]


def reference(f: Callable[..., Any], k: int, point: tuple[Any, ...]) -> complex:
    with mp.workdps(90):
        args, h = [mp.mpmathify(p) for p in point], mp.mpf(10) ** -25
        up, down = (f(*args[:k], args[k] + s * h, *args[k + 1 :]) for s in (1, -1))
        return complex((up - down) / (2 * h))


@pytest.mark.parametrize(("kernel", "f", "k", "point"), HARD, ids=lambda p: getattr(p, "__name__", None))
def test_against_mpmath(kernel: Callable[..., Any], f: Callable[..., Any], k: int, point: tuple[Any, ...]) -> None:
    np.testing.assert_allclose(complex(kernel(*point)), reference(f, k, point), rtol=1e-12)


def test_large_parameters() -> None:
    """Sums of the power series with 2500 digits; mpmath's own hyp1f1 and hyp2f1 miss terms that grow late."""
    slopes = [
        confluent.hyp1f1_da(797.5, -782.25, 68.0),
        confluent.hyp1f1_db(-683.5, -866.25, -11.0),
        gauss.hyp2f1_da(629.5, -9.75, -678.25, 0.3125),
        gauss.hyp2f1_dc(656.5, 6.75, -750.25, -0.5),
    ]
    # terms beyond the largest float64; mpmath at 700 digits, differences of 1e-60
    slopes.append(confluent.hyp1f1_da(-5000.0, 0.5, 50.0))
    expected = [
        -3.26261762758992486e41,
        -1.680330479582464e-6,
        -1.84639813689789396e237,
        0.369709410770098175,
        3960453935.114219,
    ]
    np.testing.assert_allclose(slopes, expected, rtol=1e-13)


@pytest.mark.parametrize(("v", "z"), [(0.0, 24.0), (1e-8, 24.0), (0.2, 200.0), (-0.3, 3.0)])
@pytest.mark.parametrize("n", [1, 2])
def test_z_derivatives_of_i_beside_order_zero(v: float, z: float, n: int) -> None:
    def derivative(order: Any) -> Any:  # DLMF 10.29.5
        return sum(mp.binomial(n, k) * mp.besseli(order - n + 2 * k, z) for k in range(n + 1)) / 2**n

    with mp.workdps(250):
        h = mp.mpf(10) ** -30
        want = float((derivative(mp.mpf(v) + h) - derivative(mp.mpf(v) - h)) / (2 * h))
    np.testing.assert_allclose(bessel_related.ivp_dv(v, z, n), want, rtol=1e-11)


def test_tails() -> None:
    """Infinite with the right sign, 0 where the derivative underflows, finite where only factors overflow."""
    slope, slope_prime = parabolic.pbdv_dv([0, 0, 10, 11], [-100, -1000, -1000, -1000])
    np.testing.assert_array_equal(slope, [-np.inf, -np.inf, -np.inf, np.inf])
    np.testing.assert_array_equal(slope_prime, -slope)
    np.testing.assert_allclose(parabolic.pbvv_dv(250.25, 1.5)[0], -1.89176404076e-247, rtol=1e-11)
    # values at x = 0, from where they are followed, that float64 has not; mpmath at 120 digits, differences of 1e-40
    np.testing.assert_allclose(
        parabolic.pbdv_dv([-500.3, 250.0, 1000.5, 1000.5, -1000.3], [-60.0, -20.0, 60.0, -60.0, 60.0])[0],
        [3.200023583645425e160, -1.3227204808300853e246, -np.inf, np.inf, 0.0], rtol=1e-11,
    )  # fmt: skip
    np.testing.assert_allclose(
        parabolic.pbvv_dv([250.0, -500.3, 1500.3], [-20.0, -30.0, 20.0])[0], [4.606098672525359e-247, -np.inf, 0.0],
        rtol=1e-11,
    )  # fmt: skip
    infinite = [
        bessel_related.yvp_dv(60.0, 1e-6),
        bessel_related.ivp_dv(-60.7, 1e-6),
        bessel_related.ivp_dv(-59.7, 1e-6),
    ]
    with mp.workdps(60):
        orders = ((mp.bessely, -1, 60.0), (mp.besseli, 1, -60.7), (mp.besseli, 1, -59.7))
        slopes = [
            mp.diff(lambda v, f=f, s=s: (f(v - 1, 1e-6) + s * f(v + 1, 1e-6)) / 2, mp.mpf(v)) for f, s, v in orders
        ]
    np.testing.assert_array_equal(infinite, [np.inf * int(mp.sign(slope)) for slope in slopes])
    np.testing.assert_array_equal(tukey.tklmbda_dlmbda([-1e300, 1e300], [-1e-12, 0.0]), 0.0)
    s, q = 1 + 1e-12, 1e300  # the first terms of DLMF 25.11.5 suffice
    with mp.workdps(40):
        want = float(mp.diff(lambda x: mp.mpf(q) ** (1 - x) / (x - 1), mp.mpf(s)))
    np.testing.assert_allclose(zeta.hurwitz_zeta_dx(s, q), want, rtol=1e-13)


def test_equal_infinities_and_zeros_are_settled() -> None:
    a = np.array([np.inf, 0.0, 1.0, 1.0, np.nan])
    b = np.array([np.inf, 0.0, 1.0 + 1e-14, 1.1, np.nan])
    np.testing.assert_array_equal(settled((a, a), (b, a)), [True, True, True, False, False])
