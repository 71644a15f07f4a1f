"""Zeros of special functions, by number."""

from jax import Array

from jaxscipy_ext.composed.tables import table


@table
def ai_zeros(nt: int) -> tuple[Array, Array, Array, Array]:
    """The first `nt` zeros of Ai and of Ai', Ai at the zeros of Ai', Ai' at those of Ai (DLMF 9.9)."""


@table
def bi_zeros(nt: int) -> tuple[Array, Array, Array, Array]:
    """The first `nt` zeros of Bi and of Bi', Bi at the zeros of Bi', Bi' at those of Bi (DLMF 9.9)."""


@table
def jn_zeros(n: int, nt: int) -> Array:
    """The first `nt` positive zeros of the Bessel function J_n (DLMF 10.21)."""


@table
def jnp_zeros(n: int, nt: int) -> Array:
    """The first `nt` zeros of J_n' (DLMF 10.21)."""


@table
def jnjnp_zeros(nt: int) -> tuple[Array, Array, Array, Array]:
    """The first `nt` zeros of all J_n and J_n' by size: order, number, 0 for J_n or 1 for J_n', and the zero."""


@table
def jnyn_zeros(n: int, nt: int) -> tuple[Array, Array, Array, Array]:
    """The first `nt` zeros of J_n, J_n', Y_n and Y_n' (DLMF 10.21)."""


@table
def yn_zeros(n: int, nt: int) -> Array:
    """The first `nt` positive zeros of the Bessel function Y_n (DLMF 10.21)."""


@table
def ynp_zeros(n: int, nt: int) -> Array:
    """The first `nt` zeros of Y_n' (DLMF 10.21)."""


@table
def y0_zeros(nt: int, complex: bool = False) -> tuple[Array, Array]:
    """The first `nt` zeros of Y_0 and Y_0' at each; real ones, or those off the real axis."""


@table
def y1_zeros(nt: int, complex: bool = False) -> tuple[Array, Array]:
    """The first `nt` zeros of Y_1 and Y_1' at each; real ones, or those off the real axis."""


@table
def y1p_zeros(nt: int, complex: bool = False) -> tuple[Array, Array]:
    """The first `nt` zeros of Y_1' and Y_1 at each; real ones, or those off the real axis."""


@table
def erf_zeros(nt: int) -> Array:
    """The first `nt` zeros of erf in the first quadrant, by absolute value (DLMF 7.13)."""


@table
def fresnel_zeros(nt: int) -> tuple[Array, Array]:
    """The first `nt` complex zeros of the Fresnel integrals S and C (DLMF 7.13)."""


@table
def fresnelc_zeros(nt: int) -> Array:
    """The first `nt` complex zeros of the Fresnel integral C (DLMF 7.13)."""


@table
def fresnels_zeros(nt: int) -> Array:
    """The first `nt` complex zeros of the Fresnel integral S (DLMF 7.13)."""


@table
def kelvin_zeros(nt: int) -> tuple[Array, Array, Array, Array, Array, Array, Array, Array]:
    """The first `nt` zeros of ber, bei, ker, kei, ber', bei', ker', kei' (DLMF 10.70)."""


@table
def ber_zeros(nt: int) -> Array:
    """The first `nt` zeros of the Kelvin function ber (DLMF 10.70)."""


@table
def berp_zeros(nt: int) -> Array:
    """The first `nt` zeros of ber', the derivative of a Kelvin function (DLMF 10.70)."""


@table
def bei_zeros(nt: int) -> Array:
    """The first `nt` zeros of the Kelvin function bei (DLMF 10.70)."""


@table
def beip_zeros(nt: int) -> Array:
    """The first `nt` zeros of bei', the derivative of a Kelvin function (DLMF 10.70)."""


@table
def ker_zeros(nt: int) -> Array:
    """The first `nt` zeros of the Kelvin function ker (DLMF 10.70)."""


@table
def kerp_zeros(nt: int) -> Array:
    """The first `nt` zeros of ker', the derivative of a Kelvin function (DLMF 10.70)."""


@table
def kei_zeros(nt: int) -> Array:
    """The first `nt` zeros of the Kelvin function kei (DLMF 10.70)."""


@table
def keip_zeros(nt: int) -> Array:
    """The first `nt` zeros of kei', the derivative of a Kelvin function (DLMF 10.70)."""
