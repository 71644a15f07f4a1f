"""Ctrl-C and SIGTERM: both end a run in the same tidy way, and neither comes between two files that belong together."""

import contextlib
import signal
import threading
from collections.abc import Generator, Mapping
from typing import Any


def terminating() -> contextlib.AbstractContextManager[None]:
    """SIGTERM raises `KeyboardInterrupt`, as Ctrl-C does: temporary files go, processes of ours end."""
    return _handlers({signal.SIGTERM: signal.default_int_handler})


def held() -> contextlib.AbstractContextManager[None]:
    """No interrupt: moving finished files takes a moment, and half of them are worse than all or none."""
    return _handlers({signal.SIGINT: signal.SIG_IGN, signal.SIGTERM: signal.SIG_IGN})


def left_to_the_parent() -> None:
    """Ctrl-C reaches every process of a terminal: those that another one started leave it to that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def _handlers(wanted: Mapping[signal.Signals, Any]) -> Generator[None, None, None]:
    if threading.current_thread() is not threading.main_thread():  # signals come to the main thread only
        yield
        return
    before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
