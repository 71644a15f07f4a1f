"""Host functions that raise: whose exception it was, and what to write instead.

Hosts must not raise: under `jit` there is no Python frame to raise into, and XLA turns whatever comes out of a callback
into its own `JaxRuntimeError` with a traceback as text. So the last line of that text says it all (`HostError`), and
where a call is not traced the user's own exception is put back.
"""

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
