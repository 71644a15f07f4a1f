"""What generated modules may use: the half-public door between generated code and JAX (README.md beside this file)."""

from jaxscipy_ext.runtime import native
from jaxscipy_ext.runtime.batching import batched
from jaxscipy_ext.runtime.config import config, show_config
from jaxscipy_ext.runtime.effects import debug_call
from jaxscipy_ext.runtime.failures import HostError, raise_host_error
from jaxscipy_ext.runtime.half_turns import cospi, sinpi
from jaxscipy_ext.runtime.host_call import host_call
from jaxscipy_ext.runtime.native import disabled_checks
from jaxscipy_ext.runtime.promotion import promoted
from jaxscipy_ext.runtime.quotient import quotient
from jaxscipy_ext.runtime.roots import at_root
from jaxscipy_ext.runtime.rules import (
    DerivativeUnavailable,
    Partials,
    RealLinear,
    along,
    at,
    discrete,
    unavailable,
)
from jaxscipy_ext.runtime.static_values import Integer, OneOf
from jaxscipy_ext.runtime.stencil import stencil
from jaxscipy_ext.runtime.wrapping import wrap

__all__ = [
    "DerivativeUnavailable",
    "HostError",
    "Integer",
    "OneOf",
    "Partials",
    "RealLinear",
    "along",
    "at",
    "at_root",
    "batched",
    "config",
    "cospi",
    "debug_call",
    "disabled_checks",
    "discrete",
    "host_call",
    "promoted",
    "quotient",
    "raise_host_error",
    "show_config",
    "sinpi",
    "stencil",
    "unavailable",
    "wrap",
]

if config.backend != "callback":
    native.status()  # checks the library and registers its handler, which programs made by other processes look for
