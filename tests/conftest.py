"""Settings of the whole test suite: eight host devices, 64-bit, strict promotion of ranks, and two options."""

import os

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")

import jax
import pytest

jax.config.update("jax_enable_x64", True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--device", choices=["cpu", "gpu"], default="cpu", help="where the marked tests put their arrays")
    parser.addoption("--backend", choices=["auto", "native", "callback"], default=None, help="jse.config.backend")


def pytest_configure(config: pytest.Config) -> None:
    backend = config.getoption("--backend")
    if backend is not None:
        os.environ["JAXSCIPY_EXT_BACKEND"] = backend
    if config.getoption("--device") == "gpu" and _gpus():
        jax.config.update("jax_default_device", _gpus()[0])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--device") != "gpu":
        return
    for item in items:
        if not item.get_closest_marker("device"):
            item.add_marker(pytest.mark.skip(reason="a test of the CPU path or of no device at all"))
        elif not _gpus():
            item.add_marker(pytest.mark.skip(reason="no GPU: jax.devices('gpu') finds none"))


def _gpus() -> list[jax.Device]:
    try:
        return jax.devices("gpu")
    except RuntimeError:
        return []


@pytest.fixture
def host_calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[tuple[int, ...], ...]]]:
    """The calls of host functions on the callback path, as (name, shapes of the arguments), in order."""
    from jaxscipy_ext.runtime import config
    from jaxscipy_ext.runtime.callback import HostAdapter

    calls: list[tuple[str, tuple[tuple[int, ...], ...]]] = []
    original = HostAdapter.__call__

    def recorded(self: HostAdapter, *args: object) -> object:
        import numpy as np

        calls.append((self.__name__, tuple(np.shape(a) for a in args)))
        return original(self, *args)

    monkeypatch.setattr(HostAdapter, "__call__", recorded)
    before = config.backend
    config.backend = "callback"
    yield calls
    config.backend = before
