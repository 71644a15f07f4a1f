"""Functions by SymPy's names, for `formula:`, and by mpmath's, for `reference:`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy


@dataclass(frozen=True)
class Meaning:
    """A function in SymPy's name and sense, for `formula:`."""

    name: str
    sympy: Callable[..., Any]
    mpmath: Callable[..., Any]
    nargs: tuple[int, ...] = (1,)


def _hyper(tops: int) -> Callable[..., Any]:
    return lambda *p: sympy.hyper(p[:tops], p[tops:-1], p[-1])


_MEANINGS = (
    Meaning("besselj", sympy.besselj, mpmath.besselj, (2,)),
    Meaning("bessely", sympy.bessely, mpmath.bessely, (2,)),
    Meaning("besseli", sympy.besseli, mpmath.besseli, (2,)),
    Meaning("besselk", sympy.besselk, mpmath.besselk, (2,)),
    Meaning("hankel1", sympy.hankel1, mpmath.hankel1, (2,)),
    Meaning("hankel2", sympy.hankel2, mpmath.hankel2, (2,)),
    Meaning("airyai", sympy.airyai, mpmath.airyai),
    Meaning("airybi", sympy.airybi, mpmath.airybi),
    Meaning("airyaiprime", sympy.airyaiprime, lambda z: mpmath.airyai(z, derivative=1)),
    Meaning("airybiprime", sympy.airybiprime, lambda z: mpmath.airybi(z, derivative=1)),
    Meaning("gamma", sympy.gamma, mpmath.gamma),
    Meaning("loggamma", sympy.loggamma, mpmath.loggamma),
    Meaning("digamma", sympy.digamma, mpmath.digamma),
    Meaning("polygamma", sympy.polygamma, mpmath.polygamma, (2,)),
    Meaning("beta", sympy.beta, mpmath.beta, (2,)),
    Meaning("binomial", sympy.binomial, mpmath.binomial, (2,)),
    Meaning("factorial", sympy.factorial, mpmath.factorial),
    Meaning("RisingFactorial", sympy.RisingFactorial, mpmath.rf, (2,)),
    Meaning("FallingFactorial", sympy.FallingFactorial, mpmath.ff, (2,)),
    Meaning("lowergamma", sympy.lowergamma, lambda a, x: mpmath.gammainc(a, 0, x), (2,)),
    Meaning("uppergamma", sympy.uppergamma, mpmath.gammainc, (2,)),
    Meaning("betainc", sympy.betainc, mpmath.betainc, (4,)),
    Meaning(
        "betainc_regularized",
        sympy.betainc_regularized,
        lambda a, b, lower, upper: mpmath.betainc(a, b, lower, upper, regularized=True),
        (4,),
    ),
    Meaning("erf", sympy.erf, mpmath.erf),
    Meaning("erfc", sympy.erfc, mpmath.erfc),
    Meaning("erfi", sympy.erfi, mpmath.erfi),
    Meaning("erfinv", sympy.erfinv, mpmath.erfinv),
    Meaning("fresnels", sympy.fresnels, mpmath.fresnels),
    Meaning("fresnelc", sympy.fresnelc, mpmath.fresnelc),
    Meaning("expint", sympy.expint, mpmath.expint, (2,)),
    Meaning("Ei", sympy.Ei, mpmath.ei),
    Meaning("E1", sympy.E1, mpmath.e1),
    Meaning("Si", sympy.Si, mpmath.si),
    Meaning("Ci", sympy.Ci, mpmath.ci),
    Meaning("Shi", sympy.Shi, mpmath.shi),
    Meaning("Chi", sympy.Chi, mpmath.chi),
    Meaning("li", sympy.li, mpmath.li),
    Meaning("zeta", sympy.zeta, mpmath.zeta, (1, 2)),
    Meaning("polylog", sympy.polylog, mpmath.polylog, (2,)),
    Meaning("LambertW", sympy.LambertW, mpmath.lambertw, (1, 2)),
    Meaning("elliptic_k", sympy.elliptic_k, mpmath.ellipk),
    Meaning("elliptic_e", sympy.elliptic_e, mpmath.ellipe, (1, 2)),
    Meaning("elliptic_f", sympy.elliptic_f, mpmath.ellipf, (2,)),
    Meaning("elliptic_pi", sympy.elliptic_pi, mpmath.ellippi, (2, 3)),
    Meaning("legendre", sympy.legendre, mpmath.legendre, (2,)),
    Meaning("assoc_legendre", sympy.assoc_legendre, mpmath.legenp, (3,)),
    Meaning("chebyshevt", sympy.chebyshevt, mpmath.chebyt, (2,)),
    Meaning("chebyshevu", sympy.chebyshevu, mpmath.chebyu, (2,)),
    Meaning("hermite", sympy.hermite, mpmath.hermite, (2,)),
    Meaning("gegenbauer", sympy.gegenbauer, mpmath.gegenbauer, (3,)),
    Meaning("jacobi", sympy.jacobi, mpmath.jacobi, (4,)),
    Meaning("laguerre", sympy.laguerre, lambda n, x: mpmath.laguerre(n, 0, x), (2,)),
    Meaning("assoc_laguerre", sympy.assoc_laguerre, mpmath.laguerre, (3,)),
    Meaning("Ynm", sympy.Ynm, mpmath.spherharm, (4,)),
    Meaning("hyp0f1", _hyper(0), mpmath.hyp0f1, (2,)),
    Meaning("hyp1f1", _hyper(1), mpmath.hyp1f1, (3,)),
    Meaning("hyp2f1", _hyper(2), mpmath.hyp2f1, (4,)),
)
MEANINGS = {entry.name: entry for entry in _MEANINGS}


_REFERENCE_NAMES = """
agm airyai airybi altzeta barnesg bei ber bernoulli bernpoly besseli besselj besselk bessely beta betainc binomial
chebyt chebyu chi ci clcos clsin coulombf coulombg digamma e1 ei ellipe ellipf ellipfun ellipk ellippi elliprc elliprd
elliprf elliprg elliprj erf erfc erfi erfinv eulernum eulerpoly expint factorial fac2 ff fresnelc fresnels gamma
gammainc gegenbauer hankel1 hankel2 harmonic hermite hyp0f1 hyp1f1 hyp1f2 hyp2f0 hyp2f1 hyp2f2 hyp2f3 hyp3f2 hyperfac
hyperu jacobi kei ker laguerre lambertw legendre legenp legenq lerchphi li log loggamma ncdf npdf pcfd pcfu pcfv pcfw
polyexp polylog primezeta psi rf rgamma scorergi scorerhi secondzeta shi si siegelz spherharm stieltjes struveh struvel
superfac whitm whitw zeta
"""
REFERENCES: dict[str, Callable[..., Any]] = {name: getattr(mpmath, name) for name in _REFERENCE_NAMES.split()}
"""Names that may stand in `reference:`; constants may be given by keyword (`gammainc(a, 0, x, regularized=True)`)."""
