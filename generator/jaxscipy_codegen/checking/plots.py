"""Small plots as SVG text: a curve with the reference as dots, and the relative error below on a logarithmic axis."""

import html
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_WIDTH, _HEIGHT = 320, 214
_LEFT, _RIGHT, _TOP = 56, 8, 8
_UPPER, _GAP, _LOWER = 116, 16, 48
_SMALLEST, _LARGEST = 1e-17, 1.0


def plot(x: NDArray[Any], got: NDArray[Any], expected: NDArray[Any], error: NDArray[Any], label: str) -> str:
    """One plot. Complex values are shown by their real parts; values far off the bulk of the others leave the frame."""
    y, wanted = np.real(got).astype(float), np.real(expected).astype(float)
    horizontal = _Axis(float(x.min()), float(x.max()), _LEFT, _WIDTH - _RIGHT)
    low, high = _bulk(np.concatenate([y[np.isfinite(y)], wanted[np.isfinite(wanted)]]))
    vertical = _Axis(low, high, _TOP + _UPPER, _TOP)
    bottom = _TOP + _UPPER + _GAP + _LOWER
    errors = _Axis(np.log10(_SMALLEST), np.log10(_LARGEST), bottom, bottom - _LOWER)
    inside = np.isfinite(wanted) & (wanted >= low) & (wanted <= high)
    dots = "".join(
        f'<circle cx="{horizontal(a):.1f}" cy="{vertical(b):.1f}" r="2.2"/>'
        for a, b in zip(x[inside], wanted[inside], strict=True)
    )
    told = ~np.isnan(error)
    clipped = np.clip(np.nan_to_num(error[told], posinf=_LARGEST), _SMALLEST, _LARGEST)
    bars = "".join(
        f"M{horizontal(a):.1f} {bottom}V{errors(np.log10(e)):.1f}" for a, e in zip(x[told], clipped, strict=True)
    )
    lines = "".join(
        f'<polyline class="curve" points="{piece}"/>' for piece in _pieces(x, y, low, high, horizontal, vertical)
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html.escape(label)}">'
        f'<path class="axis" d="M{_LEFT} {_TOP}V{_TOP + _UPPER}H{_WIDTH - _RIGHT}M{_LEFT} {bottom - _LOWER}V{bottom}'
        f'H{_WIDTH - _RIGHT}"/>'
        f'{lines}<g class="dots">{dots}</g><path class="bars" d="{bars}"/>'
        f"{_words(_LEFT - 4, [(_TOP + 8, _short(high)), (_TOP + _UPPER, _short(low))])}"
        f"{_words(_LEFT - 4, [(bottom - _LOWER + 8, 'error 1'), (bottom, '1e-17')])}"
        f'<text x="{_LEFT}" y="{bottom + 13}">{_short(float(x.min()))}</text>'
        f'<text x="{_WIDTH - _RIGHT}" y="{bottom + 13}" text-anchor="end">{_short(float(x.max()))}</text></svg>'
    )


class _Axis:
    """Numbers to places on the page."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.span, self.start, self.end = low, (high - low) or 1.0, start, end

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / self.span * (self.end - self.start)


def _bulk(values: NDArray[np.float64]) -> tuple[float, float]:
    """The range of most values: poles must not press everything else flat."""
    if not values.size:
        return 0.0, 1.0
    inner_low, inner_high = np.percentile(values, [8, 92])
    reach = 3 * (inner_high - inner_low) + 1e-300
    kept = values[(values >= inner_low - reach) & (values <= inner_high + reach)]
    low, high = float(kept.min()), float(kept.max())
    return (low, high) if high > low else (low - max(abs(low), 1.0) / 2, high + max(abs(high), 1.0) / 2)


def _pieces(x: NDArray[Any], y: NDArray[Any], low: float, high: float, horizontal: _Axis, vertical: _Axis) -> list[str]:
    """The curve, broken where it leaves the frame or has no value."""
    pieces: list[list[str]] = [[]]
    for a, b in zip(x, y, strict=True):
        if np.isfinite(b) and low <= b <= high:
            pieces[-1].append(f"{horizontal(a):.1f},{vertical(b):.1f}")
        elif pieces[-1]:
            pieces.append([])
    return [" ".join(piece) for piece in pieces if len(piece) > 1]


def _words(x: float, words: Sequence[tuple[float, str]]) -> str:
    return "".join(f'<text x="{x}" y="{y}" text-anchor="end">{word}</text>' for y, word in words)


def _short(value: float) -> str:
    return f"{value:.3g}"
