"""Core dimensions of generalised ufuncs: `"(n),(n)->()"` and what shapes follow from it."""

import functools
import re
from dataclasses import dataclass

import numpy as np

_CORE = r"\(\s*(?:[A-Za-z_]\w*|\d+)?(?:\s*,\s*(?:[A-Za-z_]\w*|\d+))*\s*\)"
_SIGNATURE = re.compile(rf"\s*{_CORE}(\s*,\s*{_CORE})*\s*->\s*{_CORE}(\s*,\s*{_CORE})*\s*")

Core = tuple[str, ...]


@dataclass(frozen=True)
class Signature:
    """NumPy's generalised ufunc signature; the elementwise one has no core dimensions anywhere."""

    inputs: tuple[Core, ...]
    outputs: tuple[Core, ...]

    def loop_rank(self, shapes: tuple[tuple[int, ...], ...]) -> int:
        """The largest number of dimensions in front of the core dimensions."""
        return max(len(shape) - len(core) for shape, core in zip(shapes, self.inputs, strict=True))

    def output_shapes(self, shapes: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
        """The shapes of the outputs for arguments of these shapes."""
        sizes: dict[str, int] = {}
        loops = []
        for position, (shape, core) in enumerate(zip(shapes, self.inputs, strict=True)):
            if len(shape) < len(core):
                raise ValueError(f"argument {position} has shape {shape}; its core dimensions are {_text(core)}")
            cut = len(shape) - len(core)
            loops.append(shape[:cut])
            for name, size in zip(core, shape[cut:], strict=True):
                expected = int(name) if name.isdigit() else sizes.setdefault(name, size)
                if size != expected:
                    raise ValueError(f"core dimension {name} is {size} in argument {position}, {expected} before")
        loop = np.broadcast_shapes(*loops)
        return tuple(loop + tuple(int(n) if n.isdigit() else sizes[n] for n in core) for core in self.outputs)


@functools.cache
def parse_signature(text: str) -> Signature:
    """Read `"(m,n),(n)->(m)"`. Every output dimension must occur among the inputs or be a number."""
    if not _SIGNATURE.fullmatch(text):
        raise ValueError(f"signature {text!r} is not of the form '(m,n),(n)->(m)'")
    left, right = text.split("->")
    signature = Signature(_cores(left), _cores(right))
    known = {name for core in signature.inputs for name in core}
    for name in (name for core in signature.outputs for name in core):
        if name not in known and not name.isdigit():
            raise ValueError(f"signature {text!r}: output dimension {name!r} occurs in no input; write its size")
    return signature


def _cores(side: str) -> tuple[Core, ...]:
    return tuple(
        tuple(name.strip() for name in core.split(",") if name.strip()) for core in re.findall(r"\(([^)]*)\)", side)
    )


def _text(core: Core) -> str:
    return f"({', '.join(core)})"


def elementwise(n_in: int, n_out: int) -> Signature:
    """The signature without core dimensions."""
    return Signature(((),) * n_in, ((),) * n_out)
