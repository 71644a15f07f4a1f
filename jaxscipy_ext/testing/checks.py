"""`check_function`: every comparison that an elementwise JAX function must pass."""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from numpy.typing import ArrayLike, NDArray

from jaxscipy_ext.testing import derivatives, values
from jaxscipy_ext.testing.results import Report
from jaxscipy_ext.testing.subject import Reference, Subject

TRANSFORMS = ("value", "jit", "vmap", "jvp", "vjp", "hessian")
"""What can be checked; `"grad"` stands for jvp and vjp."""

_RTOL = {np.dtype(np.float64): 1e-8, np.dtype(np.float32): 2e-4}


def check_function(
    f: Callable[..., Any],
    *args: ArrayLike,
    host: Callable[..., Any],
    argnums: Sequence[int] | None = None,
    transforms: Sequence[str] = TRANSFORMS,
    dtype: Any = np.float64,
    rtol: float | None = None,
    name: str | None = None,
    argnames: Sequence[str] | None = None,
    holomorphic: Sequence[int] = (),
    reference: Reference | None = None,
    core_ranks: Sequence[int] | None = None,
    pure: bool = True,
    host_errors: ArrayLike | None = None,
) -> Report:
    """Compare the elementwise JAX function `f` with the NumPy function `host` that it stands for.

    Args:
      f: function of JAX arrays; one array or a tuple of them out.
      args: sample points, arrays of one common length (or scalars, which are repeated). Integer arrays stay integers.
      host: the same function of NumPy arrays, e.g. from `scipy.special`.
      argnums: arguments to differentiate; default: all that are not integers. One whose derivative raises
        `DerivativeUnavailable` passes, with the reason as its note.
      transforms: any of "value", "jit", "vmap", "jvp", "vjp", "hessian", and "grad" for jvp and vjp.
      dtype: precision of the check, float32 or float64 (complex arguments follow).
      rtol: tolerance of derivatives; default 1e-8 in float64, 2e-4 in float32. Values, jit and vmap must agree to the
        last bit but one.
      name: what the report calls the function; default: its `__name__`.
      argnames: what it calls the arguments; default: their numbers.
      holomorphic: real arguments in which the host takes complex numbers and is holomorphic: the complex step is used.
      reference: better derivatives than differences, where they are known (see `Reference`).
      core_ranks: for functions that are not elementwise, the number of core dimensions of every argument; the sample
        points are then the first dimension, and only values, jit and vmap are checked.
      host_errors: for hosts that are known to be less exact than their precision, their relative error at every point:
        differences can't tell derivatives better than that.
      pure: False for an impure host, whose values can't be compared: only shapes and dtypes are.
    """
    wanted = {t for name in transforms for t in (("jvp", "vjp") if name == "grad" else (name,))}
    unknown = wanted - set(TRANSFORMS)
    if unknown:
        raise ValueError(f"unknown transforms {sorted(unknown)}; write any of {', '.join(TRANSFORMS)}")
    precision = np.dtype(dtype)
    points = _points(args, precision, core_ranks)
    if argnums is None:
        argnums = [k for k, a in enumerate(points) if a.dtype.kind in "fc"]
    if not pure or (core_ranks is not None and any(core_ranks)):
        argnums = []
    names = list(argnames or map(str, range(len(points))))
    subject = Subject(
        f,
        host,
        points,
        names,
        precision,
        _RTOL[precision] if rtol is None else rtol,
        frozenset(holomorphic),
        reference,
        pure,
        np.zeros(()) if host_errors is None else np.asarray(host_errors, np.float64),
    )
    with jax.enable_x64(True):
        checks = [*values.checks(subject, wanted), *derivatives.checks(subject, argnums, wanted)]
    return Report(name or getattr(f, "__name__", "function"), precision.name, tuple(checks))


def _points(
    args: Sequence[ArrayLike], precision: np.dtype[Any], core_ranks: Sequence[int] | None
) -> list[NDArray[Any]]:
    arrays = [np.atleast_1d(np.asarray(a)) for a in args]
    if core_ranks is None or not any(core_ranks):
        arrays = list(np.broadcast_arrays(*arrays))
        if arrays[0].ndim != 1:
            raise ValueError("sample points are arrays of one dimension; write x.ravel()")
    kinds = {"f": precision, "c": np.result_type(precision, np.complex64)}
    return [a.astype(kinds[a.dtype.kind]) if a.dtype.kind in kinds else a.copy() for a in arrays]
