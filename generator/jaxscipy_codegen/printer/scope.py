"""The function whose rules are printed, and what its rules may refer to."""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from jaxscipy_codegen.functions import ELEMENTARY
from jaxscipy_codegen.safe import Operands
from jaxscipy_codegen.trees import name, same

OUT = "out"
"""How rules call the value of a function with one output."""
RESERVED = frozenset(
    {OUT, "here", "jnp", "at", "at_root", "slope", "discrete", "unavailable", "RealLinear", *ELEMENTARY}
)
"""Names in the text of a table of partials that no variable may hide."""


@dataclass(frozen=True)
class Scope:
    """What a rule sees."""

    function: str
    args: tuple[str, ...]
    outputs: tuple[str, ...] = ()
    """Names of several outputs; empty for one."""
    static: frozenset[str] = frozenset()
    defaults: Mapping[str, ast.expr] = field(default_factory=dict)
    refer: Callable[[str], str] = str
    """How generated code refers to a function of the specs (`jv`, `_gamma.psi`); remembers the import."""
    has_host: Callable[[str], bool] = lambda name: False
    """Whether a function of the specs is a pure call of its host, which `at` can make together with others."""
    outputs_of: Callable[[str], tuple[str, ...]] = lambda name: ()
    """Names of several outputs of a function of the specs."""
    type_of: Callable[[str], str] = lambda name: "Array"
    """The type of the value of a function of the specs; "" is one output."""
    needs: Callable[[str], object] = lambda name: None
    """Told every name of `jaxscipy_ext.runtime` that the text uses."""
    operands: Operands | None = None
    """Finds harmless operands for branches of `where` that aren't taken."""

    @property
    def points(self) -> tuple[str, ...]:
        """The arguments that make a point of `at`: all that aren't static."""
        return tuple(arg for arg in self.args if arg not in self.static)

    def point_of(self, node: ast.AST) -> tuple[ast.expr, ...] | None:
        """The point if `node` calls the function itself with its own static arguments, else None."""
        if not (isinstance(node, ast.Call) and same(node.func, name(self.function))):
            return None
        given = dict(zip(self.args, node.args, strict=False)) | {k.arg: k.value for k in node.keywords if k.arg}
        given = {**self.defaults, **given}
        if set(given) != set(self.args) or not all(same(given[arg], name(arg)) for arg in self.static):
            return None
        return tuple(given[arg] for arg in self.points)

    @property
    def own_point(self) -> tuple[ast.expr, ...]:
        """The point at which the function itself is evaluated: its arguments."""
        return tuple(map(name, self.points))

    @property
    def output_symbols(self) -> frozenset[str]:
        """Every name that means an output of the function at its own arguments."""
        return frozenset((*self.outputs, *(f"F{k}" for k in range(len(self.outputs)))) or ("F",))
