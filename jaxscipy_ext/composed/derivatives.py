"""How the composed functions are differentiated, per argument: what `jaxscipy-ext list` says about them.

The rest of their arguments are Python values: integers that decide a shape, axes and switches.
"""

from typing import NamedTuple


class Way(NamedTuple):
    """`way` as in a spec; `rule` for what has one, `reason` for what has none."""

    way: str
    rule: str | None = None
    source: str | None = None
    reason: str | None = None


_COUNT = Way("discrete", reason="an integer: its tangent is zero")
_NODES = Way("inverse", "-P_p/P_x at each node, and the weights' closed form", "implicit function theorem, DLMF 18.9")
_SOLUTION = "the second output; that one by the differential equation"
_ENTRYWISE = "that of the function of one degree, at every degree"


def _ladder(source: str) -> Way:
    return Way("composed", _ENTRYWISE, source)


def _multifactorial(k: str) -> Way:
    return Way(
        "composed", f'F*(log({k}) + psi(n/{k} + 1))/{k} with extend="complex"; integers are discrete', "DLMF 5.2.2"
    )


def _length(argument: str) -> Way:
    return Way("unavailable", reason=f"{argument} decides how long the result is: it has to be a Python number")


DERIVATIVES: dict[str, dict[str, Way]] = {
    "logsumexp": {
        "a": Way("composed", "b*exp(a - F)", "definition"),
        "b": Way("composed", "exp(a - F)", "definition"),
    },
    "softmax": {"x": Way("composed", "F*(dx - sum(F*dx))", "definition")},
    "log_softmax": {"x": Way("composed", "dx - sum(exp(F)*dx)", "definition")},
    "softplus": {"x": Way("composed", "expit(x)", "definition")},
    "sinc": {"x": Way("composed", "-pi*spherical_jn(1, pi*x)", "DLMF 10.51.2")},
    "zeta": {
        "x": Way(
            "composed", "as zeta and riemann_zeta: Euler-Maclaurin sums of log(k + q)*(k + q)**-x", "DLMF 25.11.5"
        ),
        "q": Way("composed", "-x*zeta(x + 1, q)", "DLMF 25.11.17"),
    },
    "comb": {
        "N": Way("composed", "that of binom(N, k), 0 where the count is cut off", "DLMF 5.2.2"),
        "k": Way("composed", "that of binom(N, k), 0 where the count is cut off", "DLMF 5.2.2"),
    },
    "perm": {
        "N": Way("composed", "that of poch(N - k + 1, k), 0 where the count is cut off", "DLMF 5.2.4"),
        "k": Way("composed", "that of poch(N - k + 1, k), 0 where the count is cut off", "DLMF 5.2.4"),
    },
    "factorial": {"n": Way("composed", "F*psi(n + 1), 0 for n < 0 unless extend is complex", "DLMF 5.2.2")},
    "factorial2": {"n": _multifactorial("2")},
    "factorialk": {"n": _multifactorial("k")},
    "stirling2": {"N": _COUNT, "K": _COUNT},
    **{key: {"alpha": _NODES, "beta": _NODES} for key in ("roots_jacobi", "j_roots")},
    **{key: {"p1": _NODES, "q1": _NODES} for key in ("roots_sh_jacobi", "js_roots")},
    **{key: {"alpha": _NODES} for key in ("roots_gegenbauer", "cg_roots", "roots_genlaguerre", "la_roots")},
    "assoc_laguerre": {
        "x": Way("composed", "that of eval_genlaguerre(n, k, x)", "DLMF 18.9.23"),
        "n": Way("composed", "that of eval_genlaguerre(n, k, x); integers are discrete", "DLMF 18.5.12"),
        "k": Way("composed", "that of eval_genlaguerre(n, k, x)", "DLMF 18.5.12"),
    },
    "lmbda": {"v": _length("v"), "x": Way("composed", "-x/(2*(v + 1))*lmbda(v + 1, x)", "DLMF 10.6.6")},
    **{key: {"z": Way("ode", _SOLUTION, "DLMF 14.2.2")} for key in ("lqn", "lqmn")},
    **{key: {"v": _length("v"), "x": Way("ode", _SOLUTION, "DLMF 12.2.2")} for key in ("pbdv_seq", "pbvv_seq")},
    "pbdn_seq": {"z": Way("ode", _SOLUTION, "DLMF 12.2.2")},
    **{key: {"x": Way("ode", _SOLUTION, "DLMF 10.47.1")} for key in ("riccati_jn", "riccati_yn")},
    **{key: {"c": _ladder("DLMF 30.3")} for key in ("pro_cv_seq", "obl_cv_seq")},
    "legendre_p": {"n": _COUNT, "z": Way("composed", "(n + 1)/2*eval_jacobi(n - 1, 1, 1, z)", "DLMF 18.9.15")},
    "legendre_p_all": {"z": _ladder("DLMF 18.9.15")},
    "assoc_legendre_p": {
        "n": _COUNT,
        "m": _COUNT,
        "z": Way("ode", "the first derivative; that one by the equation", "DLMF 14.2.2"),
    },
    "assoc_legendre_p_all": {"z": _ladder("DLMF 14.2.2")},
    "sph_legendre_p": {
        "n": _COUNT,
        "m": _COUNT,
        "theta": Way("composed", "ladder in the order m", "DLMF 14.10.1, 14.10.5"),
    },
    "sph_legendre_p_all": {"theta": _ladder("DLMF 14.10.1, 14.10.5")},
    "sph_harm_y": {
        "n": _COUNT,
        "m": _COUNT,
        "theta": Way("composed", "ladder in the order m", "DLMF 14.30.11"),
        "phi": Way("composed", "1j*m*F", "DLMF 14.30.1"),
    },
    "sph_harm_y_all": {"theta": _ladder("DLMF 14.30.11"), "phi": _ladder("DLMF 14.30.1")},
    **{key: {"q": _length("q")} for key in ("mathieu_even_coef", "mathieu_odd_coef")},
}
