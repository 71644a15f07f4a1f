"""docs/status.md: every public name of scipy.special and its state here.

`python tests/status_table.py` writes the file; `test_coverage_of_scipy.py` compares it.
"""

import ast
from pathlib import Path

from jaxscipy_codegen.load import load
from jaxscipy_codegen.model import WAY_KEYS, Derived, Function, Inverse, Ode

ROOT = Path(__file__).resolve().parents[1]
PATH = ROOT / "docs" / "status.md"

_POLYNOMIAL = "returns a NumPy polynomial object, not an array; use the eval_ function of that name"
_ERRORS = "SciPy's own error handling; hosts run with all warnings off, special values come out as inf and NaN"
_MODULE = "a module of SciPy's implementation, not a function"
LEFT_OUT = {
    **dict.fromkeys(
        [
            "chebyc",
            "chebys",
            "chebyt",
            "chebyu",
            "gegenbauer",
            "genlaguerre",
            "hermite",
            "hermitenorm",
            "jacobi",
            "laguerre",
            "legendre",
            "sh_chebyt",
            "sh_chebyu",
            "sh_jacobi",
            "sh_legendre",
        ],
        _POLYNOMIAL,
    ),
    **dict.fromkeys(["SpecialFunctionError", "SpecialFunctionWarning", "errstate", "geterr", "seterr"], _ERRORS),
    **dict.fromkeys(
        ["add_newdocs", "basic", "orthogonal", "os", "sf_error", "specfun", "spfun_stats", "warnings"], _MODULE
    ),
    **{
        old: f"deprecated in SciPy 1.15 and removed in 1.17; use `{new}`"
        for old, new in {
            "clpmn": "assoc_legendre_p_all",
            "lpmn": "assoc_legendre_p_all",
            "lpn": "legendre_p_all",
            "sph_harm": "sph_harm_y",
        }.items()
    },
    "test": "SciPy's own test runner",
}
"""Public names of scipy.special that have no counterpart, each with the reason."""

_WORDS = {kind: key for key, kind in WAY_KEYS.items()} | {Derived: "derived", Inverse: "inverse", Ode: "ode"}
_WORDS |= {WAY_KEYS["rule"]: "given"}


def composed() -> dict[str, str]:
    """The functions written by hand, and the module each is in."""
    tree = ast.parse((ROOT / "jaxscipy_ext" / "composed" / "__init__.py").read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module or "" for node in imports for alias in node.names}


def covered() -> dict[str, str]:
    """Every public function, with what the table says about its derivatives."""
    library = load([ROOT / "specs"])
    rows: dict[str, str] = {}
    for module in library:
        for name, function in module.definitions.items():
            if function.public:
                rows[name] = _derivatives(function)
        rows |= {name: f"as {entry.alias}" for name, entry in module.aliases.items()}
    return rows | {name: f"composed ({module.rpartition('.')[2]})" for name, module in composed().items()}


def _derivatives(function: Function) -> str:
    static = {name for name, argument in function.args.items() if argument.static}
    words = [f"{name}: {_WORDS[type(way)]}" for name, way in function.ways.items() if way and name not in static]
    return ", ".join([*words, *(f"{name}: static" for name in function.args if name in static)])


def text() -> str:
    """The file's text."""
    rows = [f"| `{name}` | {state} |" for name, state in sorted(covered().items())]
    left_out = [f"| `{name}` | {reason} |" for name, reason in sorted(LEFT_OUT.items())]
    return "\n".join(
        [
            "# State of every name of scipy.special",
            "",
            f"{len(rows)} functions are here; {len(left_out)} names of SciPy are left out, with the reason.",
            "Partial derivatives are *given* by a formula, *derived* by SymPy from the function's meaning, those of an",
            "*inverse* or of a differential equation (*ode*), a host *kernel*, a *stencil* of the function itself,",
            "*discrete* (zero tangent), or *unavailable* (asking for it raises the reason). What is *composed* is put",
            "together by hand of other functions.",
            "",
            "## Here",
            "",
            "| function | derivatives |",
            "| --- | --- |",
            *rows,
            "",
            "## Left out",
            "",
            "| name | reason |",
            "| --- | --- |",
            *left_out,
            "",
        ]
    )


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8", newline="\n")
