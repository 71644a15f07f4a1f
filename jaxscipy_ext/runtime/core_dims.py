"""Core dimensions of generalised ufuncs: `"(n),(n)->()"` and what shapes follow from it."""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

_CORE = r"\(\s*(?:[A-Za-z_]\w*|\d+)?(?:\s*,\s*(?:[A-Za-z_]\w*|\d+))*\s*\)"
_SIGNATURE = re.compile(rf"\s*{_CORE}(\s*,\s*{_CORE})*\s*->\s*{_CORE}(\s*,\s*{_CORE})*\s*")

Core = tuple[str, ...]


@dataclass(frozen=True)
class Signature:
    """NumPy's generalised ufunc signature; the elementwise one has no core dimensions anywhere."""

    inputs: tuple[Core, ...]
    outputs: tuple[Core, ...]

    @property
    def is_elementwise(self) -> bool:
        return not any((*self.inputs, *self.outputs))

    @property
    def ranks(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The number of core dimensions of every input, and of every output."""
        return tuple(map(len, self.inputs)), tuple(map(len, self.outputs))

    def loop_rank(self, shapes: tuple[tuple[int, ...], ...]) -> int:
        """The largest number of dimensions in front of the core dimensions."""
        for position, (shape, core) in enumerate(zip(shapes, self.inputs, strict=True)):
            if len(shape) < len(core):
                raise ValueError(f"argument {position} has shape {shape}; its core dimensions are {_text(core)}")
        return max(len(shape) - len(core) for shape, core in zip(shapes, self.inputs, strict=True))

    def output_shapes(
        self, shapes: tuple[tuple[int, ...], ...], broadcast: Callable[..., tuple[int, ...]] = np.broadcast_shapes
    ) -> tuple[tuple[int, ...], ...]:
        """The shapes of the outputs for arguments of these shapes (symbolic ones need `lax.broadcast_shapes`)."""
        sizes: dict[str, int] = {}
        loops = []
        for position, (shape, core) in enumerate(zip(shapes, self.inputs, strict=True)):
            cut = len(shape) - len(core)
            loops.append(shape[:cut])
            for name, size in zip(core, shape[cut:], strict=True):
                expected = int(name) if name.isdigit() else sizes.setdefault(name, size)
                if size != expected:
                    raise ValueError(f"core dimension {name} is {size} in argument {position}, {expected} before")
        loop = broadcast(*loops)
        return tuple(loop + tuple(int(n) if n.isdigit() else sizes[n] for n in core) for core in self.outputs)


@functools.cache
def parse_signature(text: str) -> Signature:
    """Read `"(m,n),(n)->(m)"`. Every output dimension must occur among the inputs or be a number."""
    signature = _parse(text)
    known = {name for core in signature.inputs for name in core}
    for name in (name for core in signature.outputs for name in core):
        if name not in known and not name.isdigit():
            raise ValueError(f"signature {text!r}: output dimension {name!r} occurs in no input; write its size")
    return signature


@functools.cache
def own_signature(host: np.ufunc) -> Signature:
    """The signature of a ufunc itself: its output dimensions may be unknown. Optional ones (`n?`) must be there.

    Raises:
      ValueError: for core dimensions that broadcast (`n|1`).
    """
    if host.signature is None:
        return elementwise(host.nin, host.nout)
    return _parse(host.signature.replace("?", ""))


@functools.cache
def signature_of(host: Any, text: str | None, n_in: int, n_out: int) -> Signature:
    """The core dimensions of a host: those that are written, else a ufunc's own, else none.

    Raises:
      ValueError: if a ufunc has others than those that are written, or its output dimensions are unknown.
    """
    own = host.signature if isinstance(host, np.ufunc) else None
    if text is None:
        return parse_signature(own.replace("?", "")) if own else elementwise(n_in, n_out)
    signature = parse_signature(text)
    if own and signature.ranks != own_signature(host).ranks:
        raise ValueError(f"signature {text!r} does not fit {host.__name__}, whose own is {host.signature!r}")
    return signature


def has_open_outputs(host: Any) -> bool:
    """Say whether a host is a ufunc that can't know the sizes of its results (SciPy's `_lqn`, `()->(np1),(np1)`)."""
    if not isinstance(host, np.ufunc):
        return False
    own = own_signature(host)
    known = {name for core in own.inputs for name in core}
    return any(not (name in known or name.isdigit()) for core in own.outputs for name in core)


def _parse(text: str) -> Signature:
    if not _SIGNATURE.fullmatch(text):
        raise ValueError(f"signature {text!r} is not of the form '(m,n),(n)->(m)'")
    left, right = text.split("->")
    return Signature(_cores(left), _cores(right))


def _cores(side: str) -> tuple[Core, ...]:
    return tuple(
        tuple(name.strip() for name in core.split(",") if name.strip()) for core in re.findall(r"\(([^)]*)\)", side)
    )


def _text(core: Core) -> str:
    return f"({', '.join(core)})"


def elementwise(n_in: int, n_out: int) -> Signature:
    """The signature without core dimensions."""
    return Signature(((),) * n_in, ((),) * n_out)
