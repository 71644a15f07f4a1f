"""The choice of backend, and a report of what is in use."""

import os
import platform
from typing import Any, Literal, get_args

Backend = Literal["auto", "native", "callback"]
_VARIABLE = "JAXSCIPY_EXT_BACKEND"


class Config:
    """Settings of the package. `config.backend` is `"auto"`, `"native"` or `"callback"`.

    The start value is read from the environment variable `JAXSCIPY_EXT_BACKEND` at import. A change never leaves a
    stale trace behind: functions that were traced before are traced anew.
    """

    def __init__(self) -> None:
        self._backend: Backend = _checked(os.environ.get(_VARIABLE, "auto"), f"environment variable {_VARIABLE}")

    @property
    def backend(self) -> Backend:
        return self._backend

    @backend.setter
    def backend(self, value: Backend) -> None:
        value = _checked(value, "config.backend")
        if value != self._backend:
            import jax

            self._backend = value
            jax.clear_caches()

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in ("backend", "_backend"):
            raise AttributeError(f"config has no setting {name!r}; write config.backend")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return f"Config(backend={self._backend!r})"


def _checked(value: Any, where: str) -> Backend:
    if value not in get_args(Backend):
        raise ValueError(f"{where} is {value!r}; write one of {', '.join(map(repr, get_args(Backend)))}")
    return value


config = Config()


def show_config() -> None:
    """Print versions, the path that host calls take on each platform, and why the native library isn't there if not."""
    from importlib.metadata import version

    import jax
    import numpy as np
    import scipy

    from jaxscipy_ext.runtime import fenv, native, python_handler

    status = native.status()
    elsewhere = "callback (jax.pure_callback)"
    hosts_on_cpu = "callback (XLA FFI in Python)" if python_handler.available() else elsewhere
    on_cpu = "native (XLA FFI)" if config.backend != "callback" and status.available else hosts_on_cpu
    rows = {
        "python": platform.python_version(),
        "jax / jaxlib": f"{jax.__version__} / {version('jaxlib')}",
        "numpy / scipy": f"{np.__version__} / {scipy.__version__}",
        "devices": ", ".join(sorted({f"{d.platform} ({d.device_kind})" for d in jax.devices()})),
        "64-bit": "on" if jax.config.read("jax_enable_x64") else "off (jax.config.update('jax_enable_x64', True))",
        "backend": config.backend,
        "ufuncs on cpu": on_cpu,
        "Python hosts on cpu": hosts_on_cpu,
        "elsewhere": elsewhere,
        "native library": "loaded" if status.available else f"not in use: {status.reason}",
        "floating-point environment": "restored around host code"
        if fenv.available
        else "NOT restored: subnormals are 0",
    }
    width = max(map(len, rows))
    print("\n".join(f"{key:<{width}}  {value}" for key, value in rows.items()))
