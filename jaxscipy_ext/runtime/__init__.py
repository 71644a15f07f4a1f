"""What generated modules may use: the half-public door between generated code and JAX (README.md beside this file)."""

from jaxscipy_ext.runtime.config import config, show_config
from jaxscipy_ext.runtime.effects import debug_call
from jaxscipy_ext.runtime.host_call import host_call
from jaxscipy_ext.runtime.promotion import promoted
from jaxscipy_ext.runtime.rules import (
    DerivativeUnavailable,
    Partials,
    RealLinear,
    along,
    at,
    discrete,
    unavailable,
)
from jaxscipy_ext.runtime.stencil import stencil

__all__ = [
    "DerivativeUnavailable",
    "Partials",
    "RealLinear",
    "along",
    "at",
    "config",
    "debug_call",
    "discrete",
    "host_call",
    "promoted",
    "show_config",
    "stencil",
    "unavailable",
]
