"""XLA flushes subnormals to zero around host code; SciPy needs them."""

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest

import jaxscipy_ext as jse
from jaxscipy_ext.runtime import host_call


@pytest.mark.parametrize("how", [lambda f: f, jax.jit, lambda f: jax.vmap(f, (None, 0))])
def test_values_that_pass_through_subnormals(how: object) -> None:
    got = how(lambda a, b: jse.beta(a, b))(97.06, jnp.array([74.32]))
    with mp.workdps(40):
        want = float(mp.beta(mp.mpf(97.06), mp.mpf(74.32)))
    assert want == pytest.approx(4.510898816500451e-52, rel=1e-12)
    np.testing.assert_allclose(np.ravel(got), want, rtol=1e-12)
    with mp.workdps(40):
        want = float(mp.besseli(-20, mp.mpf(700.6)))
    np.testing.assert_allclose(np.ravel(how(jse.iv)(-20.0, jnp.array([700.6]))), want, rtol=1e-9)


def test_the_host_sees_subnormals_and_xla_gets_its_mode_back() -> None:
    smallest_normal = 2.0**-1022

    def halve_and_scale(x: np.ndarray) -> np.ndarray:
        return (x / 2) * 2.0**60

    got = jax.jit(lambda x: host_call(halve_and_scale, x))(smallest_normal)
    assert float(got) == 2.0 ** (-1023 + 60)
    # XLA's own arithmetic flushes, before and after a host call in the same program.
    before, _, after = jax.jit(lambda x: (x * 0.5, host_call(np.sqrt, x), x * 0.25))(smallest_normal)
    assert float(before) == 0.0 == float(after)


def test_warnings_stay_silent_and_special_values_come_out(recwarn: pytest.WarningsRecorder) -> None:
    assert np.isposinf(jse.kv(1.0, 0.0)) and np.isnan(jse.gammainc(-1.0, 1.0)) and np.isposinf(jse.gamma(200.0))
    assert not recwarn.list
