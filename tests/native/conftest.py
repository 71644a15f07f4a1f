"""Tests of the compiled library: skipped, with its own reason, where the package was installed without it."""

import pytest

from jaxscipy_ext.runtime import native


@pytest.fixture(autouse=True)
def _library() -> None:
    status = native.status()
    if not status.available:
        pytest.skip(f"no native library: {status.reason}")
