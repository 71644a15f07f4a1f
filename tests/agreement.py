"""Reference values that two working precisions agree on."""

from collections.abc import Callable
from typing import Any

import mpmath as mp

DIGITS = 20


def agreed(compute: Callable[[], Any], digits: int, steps: int = 1, noise: Any = 0) -> Any:
    """`compute()` at a working precision of `digits` and at 20 more, up to `steps` times, until two agree to 20 digits.

    What cancels in the computation differs from one precision to the other; sums and matrices that are cut off
    according to the precision show whether they are long enough. Below `noise` the value is 0. Raises
    `ArithmeticError` where no two precisions agree.
    """
    with mp.workdps(digits):
        lower = +compute()
    for step in range(1, steps + 1):
        with mp.workdps(digits + 20 * step):
            value = +compute()
        if abs(value - lower) <= mp.mpf(10) ** -DIGITS * abs(value) or (mp.isnan(value) and mp.isnan(lower)):
            return value
        if max(abs(value), abs(lower)) < noise:
            return mp.mpf(0)
        lower = value
    raise ArithmeticError(
        f"no two precisions agree up to {digits + 20 * steps} digits, the last on {mp.nstr(lower, 30)}"
    )
