"""What a user writes, for the strict type checker: `basedpyright --project tests/typing`."""

from typing import assert_type

import jax.numpy as jnp
import numpy as np
from jax import Array

import jaxscipy_ext as jse
from jaxscipy_ext.runtime import DerivativeUnavailable
from jaxscipy_ext.testing import Report, check_function

numbers = np.linspace(0.1, 1.0, 5)
x = jnp.asarray(numbers)

# Arrays of JAX and NumPy, and Python numbers, are all accepted; what comes back is a JAX array.
assert_type(jse.kv(1.5, x), Array)
assert_type(jse.kv(1, 2.0), Array)
assert_type(jse.jv(v=numbers, z=x), Array)
assert_type(jse.hankel1(0, 1.0 + 2.0j), Array)
assert_type(jse.betainc(2.0, 3.0, x), Array)
assert_type(jse.gammaincinv(2.0, 0.5), Array)
assert_type(jse.stdtrit(4.0, x), Array)
assert_type(jse.lambertw(x), Array)
assert_type(jse.lambertw(x, k=-1), Array)
assert_type(jse.spherical_jn(2, x, derivative=True), Array)
assert_type(jse.eval_legendre(3, x), Array)
assert_type(jse.erfcx(x), Array)
assert_type(jse.digamma(x), Array)
assert_type(jse.softmax(x, axis=0), Array)
assert_type(jse.zeta(2.0), Array)
assert_type(jse.jn_zeros(0, 3), Array)

# Several outputs have names.
airy = jse.airy(x)
assert_type(airy.ai, Array)
assert_type(airy.bip, Array)
sn, cn, dn, ph = jse.ellipj(x, 0.5)
assert_type(sn, Array)
assert_type(jse.sici(x).ci, Array)
assert_type(jse.pbdv(1.5, x).dp, Array)


def loss(v: Array) -> Array:
    return jnp.mean(jse.jv(v, x) ** 2)


def slope(v: Array) -> Array | None:
    try:
        return loss(v)
    except DerivativeUnavailable as reason:
        print(reason)
        return None


assert_type(check_function(jse.k0, numbers, host=np.sin), Report)
assert_type(jse.config.backend == "native", bool)
jse.show_config()

# What is wrong is told before it runs.
jse.kv(1.5)  # pyright: ignore[reportCallIssue]
jse.kv("1.5", x)  # pyright: ignore[reportArgumentType]
print(jse.airy(x).ci)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType]
