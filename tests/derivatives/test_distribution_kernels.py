"""What every gamma, beta, zeta and distribution kernel promises about shapes, dtypes, its arguments and memory."""

import inspect
import tracemalloc
from typing import Any

import numpy as np
import pytest

from jaxscipy_ext.derivatives import (
    beta,
    fisher,
    gamma,
    kolmogorov,
    noncentral_chi2,
    noncentral_f,
    noncentral_t,
    polygamma,
    student,
    tukey,
    zeta,
)
from jaxscipy_ext.derivatives._kernel import Kernel

MODULES = (
    beta,
    fisher,
    gamma,
    kolmogorov,
    noncentral_chi2,
    noncentral_f,
    noncentral_t,
    polygamma,
    student,
    tukey,
    zeta,
)
KERNELS = {
    f"{m.__name__.rpartition('.')[2]}.{k}": f
    for m in MODULES
    for k, f in vars(m).items()
    if isinstance(f, Kernel) and f.__module__ == m.__name__
}
INSIDE = 0.4375
"""Inside every domain but those that want integers, and exact in float16."""


def arguments(kernel: Kernel) -> list[float]:
    whole = {"polygamma": [2.0, INSIDE], "smirnov_dd": [3.0, INSIDE], "hurwitz_zeta_dx": [1 + INSIDE, INSIDE]}
    return whole.get(kernel.__name__, [INSIDE] * len(inspect.signature(kernel).parameters))


@pytest.fixture(params=KERNELS, ids=str)
def case(request: pytest.FixtureRequest) -> tuple[Kernel, list[float]]:
    kernel = KERNELS[request.param]
    return kernel, arguments(kernel)


def test_every_partial_of_a_shape_has_a_kernel() -> None:
    names = {k.rpartition(".")[2] for k in KERNELS} | {"zeta_dx"}
    wanted = """
        gammainc_da gammaincc_da chdtr_dv chdtrc_dv gdtr_db gdtrc_db betainc_da betainc_db betaincc_da betaincc_db
        stdtr_ddf fdtr_ddfn fdtr_ddfd fdtrc_ddfn fdtrc_ddfd chndtr_ddf nctdtr_ddf nctdtr_dnc ncfdtr_ddfn ncfdtr_ddfd
        ncfdtr_dnc zeta_dx zetac_dx
    """
    assert not set(wanted.split()) - names


def test_scalars(case: tuple[Kernel, list[float]]) -> None:
    kernel, args = case
    value = kernel(*args)
    assert isinstance(value, np.float64)
    assert np.isfinite(value)


def test_broadcasting_and_empty_arrays(case: tuple[Kernel, list[float]]) -> None:
    kernel, args = case
    columns: list[Any] = list(args)
    columns[-1] = np.full((2, 1, 3), args[-1])
    columns[0] = np.full((4, 1) if len(args) > 1 else (2, 4, 3), args[0])
    value = kernel(*columns)
    assert value.shape == (2, 4, 3)
    np.testing.assert_array_equal(value, kernel(*args))
    columns[-1] = np.zeros((0, 1, 3)) if len(args) > 1 else np.zeros((0, 4, 3))
    assert kernel(*columns).shape == (0, 4, 3)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_narrow_dtypes_are_computed_in_float64(case: tuple[Kernel, list[float]], dtype: Any) -> None:
    kernel, args = case
    value = kernel(*(np.array([a], dtype) for a in args))
    assert value.dtype == np.float64
    np.testing.assert_array_equal(value, kernel(*args))


def test_arguments_are_left_alone(case: tuple[Kernel, list[float]]) -> None:
    kernel, args = case
    arrays = [np.full(5, a) for a in args]
    for a in arrays:
        a.flags.writeable = False
    kernel(*arrays)


def test_nan_and_nonsense_give_nan_or_a_number_but_no_error(case: tuple[Kernel, list[float]]) -> None:
    kernel, args = case
    odd = [np.nan, -np.inf, -1e300, -1.5, -1.0, -0.0, 0.0, 5e-324, 1e-300, 1.0, 1e8, 1e300, np.inf]
    for k in range(len(args)):
        for value in odd:
            moved = [*args[:k], value, *args[k + 1 :]]
            result = kernel(*moved)
            assert result.shape == ()
            assert np.isnan(result) or not np.isnan(value)


@pytest.mark.parametrize(
    ("kernel", "points"),
    [
        (gamma.gammainc_da, 400_000),
        (beta.betainc_da, 50_000),
        (student.stdtr_ddf, 20_000),
        (noncentral_t.nctdtr_ddf, 3_000),
        (noncentral_chi2.chndtr_ddf, 10_000),
        (polygamma.polygamma, 400_000),
    ],
    ids=lambda p: getattr(p, "__name__", str(p)),
)
def test_temporaries_stay_small(kernel: Kernel, points: int) -> None:
    args = [np.full(points, a) for a in arguments(kernel)]
    tracemalloc.start()
    try:
        kernel(*args)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 64e6, f"{peak / 1e6:.0f} MB"


def test_a_long_poisson_window_stays_small() -> None:
    tracemalloc.start()
    try:
        noncentral_f.ncfdtr_ddfn(3.0, 4.0, 2e9, np.array([7e8]))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 400e6, f"{peak / 1e6:.0f} MB in all"
