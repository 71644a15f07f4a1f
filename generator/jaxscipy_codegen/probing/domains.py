"""Where a host has numbers, as far as a few places tell."""

import numpy as np

from jaxscipy_codegen.probing.calls import Calls, Seen
from jaxscipy_codegen.probing.results import finite


def domain(calls: Calls, seen: Seen, argument: str) -> tuple[str, str]:
    """`("x > 0", remark)`: where the host has numbers along one argument, among a few places; "real" otherwise."""
    places = np.array([-10.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 10.0])
    known: list[bool] = []
    for place in places:
        values = [float(place) if a == argument else v for a, v in seen.point.items()]
        known.append(finite(calls.attempt(values)))
    inside = places[known]
    if not inside.size or len(inside) == len(places):
        return "real", ""
    low, high = float(inside.min()), float(inside.max())
    bounds = {
        (0.5, 10.0): f"{argument} > 0",
        (0.0, 10.0): f"{argument} >= 0",
        (-0.5, 10.0): f"{argument} > -1",
        (-1.0, 10.0): f"{argument} >= -1",
        (2.0, 10.0): f"{argument} > 1",
        (1.0, 10.0): f"{argument} >= 1",
        (0.0, 1.0): f"0 <= {argument} <= 1",
        (0.5, 0.5): f"0 < {argument} < 1",
        (0.0, 0.5): f"0 <= {argument} < 1",
        (0.5, 1.0): f"0 < {argument} <= 1",
        (-1.0, 1.0): f"-1 <= {argument} <= 1",
        (-0.5, 0.5): f"-1 < {argument} < 1",
    }
    text = bounds.get((low, high), "real")
    if text == "real" or len(inside) != int(((places >= low) & (places <= high)).sum()):
        return "real", ""
    return text, f"no numbers outside {text}, as far as a few points tell"
