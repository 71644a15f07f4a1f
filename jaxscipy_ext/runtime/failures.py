"""Host functions that raise: whose exception it was, and what to write instead.

Hosts must not raise: under `jit` there is no Python frame to raise into, and XLA turns whatever comes out of a callback
into its own `JaxRuntimeError` with a traceback as text. So the last line of that text says it all (`HostError`), and
where a call is not traced the user's own exception is put back.

One device of several must not even do that: the others would wait for it in their next collective until XLA ends the
process, after a minute. There the result is NaN, the sentence is on the standard error stream at once, and the
exception is kept for `raise_host_error`.
"""

import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import jax


class HostError(RuntimeError):
    """A host function raised, or returned what was not declared. The message names the function and the reason."""


_lock = threading.Lock()
_last: dict[str, Exception] = {}
"""The last exception by the message it was reported with; at most one, so that nothing is kept alive for long."""


def reported(name: str, host: Callable[..., Any], error: Exception) -> HostError:
    """What to raise, inside a callback, in place of `error`."""
    path = host_path(host)
    who = f"{name}: its host" if path.rpartition(".")[2] == name else f"{name}: its host {path}"
    sentence = (
        f"{who} raised {type(error).__name__}: {error} (hosts must not raise: return nan where there is no value)"
    )
    with _lock:
        _last.clear()
        _last[sentence] = error
    return HostError(sentence)


_kept: list[Exception] = []
"""The first exception of a host among several devices that nobody has asked for yet; at most one."""


def keep(report: HostError) -> None:
    """Say at once what a host raised on one of several devices, and keep its exception for `raise_host_error`."""
    error = report.__cause__ if isinstance(report.__cause__, Exception) else report
    sys.stderr.write(f"{report}; the result is nan, jaxscipy_ext.raise_host_error() raises the exception\n")
    if error is not report:
        error.add_note(str(report))
    with _lock:
        if not _kept:
            _kept.append(error)


def raise_host_error() -> None:
    """Raise what a host raised on one of several devices; return if none did since the last time.

    A host that raises can't stop a program that several devices run: the others would wait for it. The result there is
    `nan` (0 for integers), and the exception is kept for this function. Call it where the results are complete
    (`jax.block_until_ready`). Several processes keep the exceptions of their own hosts.
    """
    with _lock:
        error = _kept.pop() if _kept else None
    if error is not None:
        raise error


def host_path(host: Callable[..., Any]) -> str:
    """`module.name` of a host, for messages."""
    name = getattr(host, "__name__", type(host).__name__)
    module = getattr(host, "__module__", None)
    return f"{module}.{name}" if module else name


@contextmanager
def own_exceptions() -> Generator[None, None, None]:
    """Put the user's own exception, with a note that names the function, in place of XLA's report of it."""
    try:
        yield
    except jax.errors.JaxRuntimeError as report:
        text = str(report)
        with _lock:
            found = next(((sentence, error) for sentence, error in _last.items() if sentence in text), None)
            _last.clear()
        if found is None:
            raise
        sentence, error = found
        error.add_note(sentence)
        raise error from None
