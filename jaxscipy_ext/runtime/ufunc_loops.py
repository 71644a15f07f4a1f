"""The compiled inner loops of NumPy ufuncs: which loop fits which dtypes, where it is in memory, what it is called.

A ufunc is a table of C functions, one per combination of dtypes. Its layout, `PyUFuncObject` in NumPy's public header
`numpy/ufuncobject.h`, has not changed since NumPy 1.0; it is read here with ctypes and every field that Python can
see as well is compared, so that a foreign layout is noticed instead of believed.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from jaxscipy_ext.runtime.core_dims import own_signature

MAX_OPERANDS = 8
"""Largest number of inputs, and of outputs, that the native handler takes."""

MAX_CORE_DIMENSIONS, MAX_CORE_ENTRIES = 8, 32
"""Largest number of different core dimensions, and of their mentions in a signature."""

XLA_DATA_TYPES: dict[np.dtype[Any], tuple[int, str]] = {
    np.dtype(np.bool_): (1, "?"),
    np.dtype(np.int8): (2, "b"),
    np.dtype(np.int16): (3, "h"),
    np.dtype(np.int32): (4, "i"),
    np.dtype(np.int64): (5, "q"),
    np.dtype(np.uint8): (6, "B"),
    np.dtype(np.uint16): (7, "H"),
    np.dtype(np.uint32): (8, "I"),
    np.dtype(np.uint64): (9, "Q"),
    np.dtype(np.float32): (11, "f"),
    np.dtype(np.float64): (12, "d"),
    np.dtype(np.complex64): (15, "F"),
    np.dtype(np.complex128): (18, "D"),
}
"""`XLA_FFI_DataType` of `xla/ffi/api/c_api.h`, and a letter that means the same size on every platform
(NumPy's `l` is 4 bytes wide on Windows and 8 elsewhere)."""


class LayoutError(Exception):
    """The memory of a ufunc object is not laid out as `PyUFuncObject` says."""


class Loop(NamedTuple):
    """One inner loop: where it is and what it takes."""

    name: str
    function: int
    data: int | None
    in_dtypes: tuple[np.dtype[Any], ...]
    out_dtypes: tuple[np.dtype[Any], ...]
    core_ranks: tuple[int, ...]
    """The number of core dimensions of every operand."""
    core_entries: tuple[int, ...]
    """For all operands in turn, which core dimension each of theirs is, counted as they appear in the signature."""

    @property
    def may_raise(self) -> bool:
        """Loops of integers alone report faults by a Python exception (`numpy.power`): they have no NaN to return."""
        return all(dtype.kind in "iu" for dtype in (*self.in_dtypes, *self.out_dtypes))


class _UfuncFields(ctypes.Structure):
    """What follows `PyObject_HEAD` in `PyUFuncObject`."""

    _fields_ = (
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.c_void_p),
        ("data", ctypes.c_void_p),
        ("ntypes", ctypes.c_int),
        ("reserved1", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("types", ctypes.c_void_p),
    )


def read_pointers(host: np.ufunc) -> tuple[list[int | None], list[int | None]]:
    """Return the addresses of the functions and of the data of all loops of `host`, in the order of `host.types`.

    Raises:
      LayoutError: if a field differs from what Python says about `host`.
    """
    fields = _UfuncFields.from_address(id(host) + object.__basicsize__)
    counts = (fields.nin, fields.nout, fields.nargs, fields.ntypes)
    if counts != (host.nin, host.nout, host.nargs, host.ntypes):
        raise LayoutError(f"the counts of {host.__name__} read as {counts}")
    if not (fields.functions and fields.types and fields.name == host.__name__.encode()):
        raise LayoutError(f"the name of {host.__name__} reads as {fields.name!r}")
    numbers = list((ctypes.c_byte * (host.ntypes * host.nargs)).from_address(fields.types))
    if numbers != [np.dtype(letter).num for types in host.types for letter in types.replace("->", "")]:
        raise LayoutError(f"the types of {host.__name__} read as {numbers}")
    return _read_table(fields.functions, host.ntypes), _read_table(fields.data, host.ntypes)


def _read_table(address: int | None, length: int) -> list[int | None]:
    return list((ctypes.c_void_p * length).from_address(address)) if address else [None] * length


@functools.cache
def find_loop(host: np.ufunc, in_dtypes: tuple[np.dtype[Any], ...]) -> Loop | None:
    """Return the loop that NumPy would run for arguments of these dtypes, or None where there is no such compiled loop.

    The loop's own dtypes may be wider than `in_dtypes` (`kn` of int32 runs a loop of int64): the native handler casts.
    """
    if max(host.nin, host.nout) > MAX_OPERANDS or len(in_dtypes) != host.nin:
        return None
    if not all(dtype in XLA_DATA_TYPES for dtype in in_dtypes):
        return None
    # By name: `np.longlong` equals int64, but NumPy would search the loops in another order for it.
    in_dtypes = tuple(np.dtype(dtype.name) for dtype in in_dtypes)
    try:
        dtypes = host.resolve_dtypes((*in_dtypes, *[None] * host.nout))
    except TypeError:  # no loop takes these dtypes
        return None
    return _loop_of(host, dtypes)


def find_by_name(name: str) -> Loop | None:
    """Return the loop of this name, of a ufunc that one of the modules imported so far holds, or None."""
    path, _, types = name.rpartition(":")
    module, _, attribute = path.rpartition(".")
    host = getattr(sys.modules.get(module), attribute, None)
    if not isinstance(host, np.ufunc) or _public_name(host) != path:
        return None
    return next((_loop_of(host, dtypes) for _, dtypes in _loops(host) if _signature(host, dtypes) == types), None)


def _loop_of(host: np.ufunc, dtypes: tuple[np.dtype[Any], ...]) -> Loop | None:
    index = next((index for index, own in _loops(host) if own == dtypes), None)
    if index is None:
        return None
    core = _core_dimensions(host)
    functions, data = read_pointers(host)
    function = functions[index]
    if function is None or core is None:
        return None
    name = f"{_public_name(host)}:{_signature(host, dtypes)}"
    return Loop(name, function, data[index], dtypes[: host.nin], dtypes[host.nin :], *core)


def _core_dimensions(host: np.ufunc) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return ranks and entries of the core dimensions; None if they broadcast (`n|1`) or are too many."""
    try:
        signature = own_signature(host)
    except ValueError:
        return None
    cores = (*signature.inputs, *signature.outputs)
    places = {name: place for place, name in enumerate(dict.fromkeys(name for core in cores for name in core))}
    entries = tuple(places[name] for core in cores for name in core)
    if len(places) > MAX_CORE_DIMENSIONS or len(entries) > MAX_CORE_ENTRIES:
        return None
    return tuple(map(len, cores)), entries


def _loops(host: np.ufunc) -> Iterator[tuple[int, tuple[np.dtype[Any], ...]]]:
    for index, types in enumerate(host.types):
        dtypes = tuple(np.dtype(letter) for letter in types.replace("->", ""))
        if all(dtype in XLA_DATA_TYPES for dtype in dtypes):
            yield index, dtypes


def _signature(host: np.ufunc, dtypes: tuple[np.dtype[Any], ...]) -> str:
    letters = "".join(XLA_DATA_TYPES[dtype][1] for dtype in dtypes)
    return f"{letters[: host.nin]}->{letters[host.nin :]}"


_named: dict[str, np.ufunc] = {}


@functools.cache
def _public_name(host: np.ufunc) -> str:
    """Return a name that means `host` in this process for good, and in other processes if an import leads to it."""
    name = next(_importable_names(host), f"anonymous.{host.__name__}")
    count = 2
    unique = name
    while _named.setdefault(unique, host) is not host:  # a redefined ufunc, or another one of the same name
        unique = f"{name}#{count}"
        count += 1
    return unique


def _importable_names(host: np.ufunc) -> Iterator[str]:
    # SciPy and NumPy come first: a module that re-exports their ufuncs is not there in every process.
    first = ("scipy.special", "numpy", "scipy.special._ufuncs", "scipy.special._special_ufuncs")
    for module in (*first, *list(sys.modules)):
        if vars(sys.modules.get(module, object)).get(host.__name__) is host:
            yield f"{module}.{host.__name__}"
