"""How far the roots that a host finds are from the true ones: some of SciPy's searches stop after five digits.

Such a host is a smooth function beside the inverse, and its differences are sure of slopes that are off as much.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxscipy_codegen.contradictions import numerical_derivative
from jaxscipy_codegen.host_functions import HostFunctions
from jaxscipy_codegen.model import Function


def root_errors(
    function: Function, hosts: HostFunctions, arrays: Mapping[str, NDArray[Any]]
) -> NDArray[np.float64] | None:
    """The relative distance at every point, by one step of Newton's method; None for what is no inverse.

    Infinite where there is no root at all: there SciPy answers with an end of its search.
    """
    inverse = function.inverse
    if inverse is None:
        return None
    of = hosts.derivations.library[inverse.of]
    points = {name: array.astype(np.float64) if array.dtype.kind == "f" else array for name, array in arrays.items()}
    root = np.asarray(hosts(function.name)(*(points[name] for name in function.args)))
    at_root = {name: root if name == inverse.argument else points[name] for name in of.args}
    value = inverse.value_in(function.args, of.args)
    assert value is not None
    forward = hosts(of.name)
    with np.errstate(all="ignore"):
        residual = np.abs(np.asarray(forward(*at_root.values())) - points[value])
        slope = np.abs(numerical_derivative(forward, at_root, inverse.argument, 1).value)
        distance = residual / (slope * np.abs(root))
    return np.where(np.isnan(distance), np.where(residual > 0, np.inf, 0.0), distance)
