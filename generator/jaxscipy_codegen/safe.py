"""`where` with safe operands ("double where"): reverse-mode derivatives see both branches, so none may be inf or NaN.

`where(x > 0, x*log(x), 0)` alone has the gradient 0*inf = NaN at x = 0: JAX differentiates the branch that isn't taken
and multiplies by zero. So every branch gets operands that are harmless where it isn't taken:
`where(x > 0, s*log(s), 0)` with `s = where(x > 0, x, 1)`. In a branch of a branch, `s` is x where both are taken.
"""

import ast
from collections.abc import Collection, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import Any

import numpy as np

from jaxscipy_codegen import rewriting, trees
from jaxscipy_codegen.evaluate import Environment, evaluate

_CANDIDATES = (1.0, 0.5, 2.0, 0.25, -1.0, -0.5, 0.75, 3.0, 10.0, 0.1, -2.0, -10.0, 0.0, 100.0, -100.0, 1e3)
_WHOLE = (1, 2, 0, 3, 5, 10, -1, -2)
_ENTIRE = frozenset(
    {"sin", "cos", "tanh", "atan", "abs", "sign", "floor", "minimum", "maximum", "real", "imag", "conjugate", "where"}
)


class NoHarmlessOperand(ValueError):
    """No value was found at which a branch of `where` is finite."""


class Operands:
    """Finds harmless operands numerically: round numbers that satisfy a branch's condition and keep it finite."""

    def __init__(
        self,
        samples: Mapping[str, Any],
        environment: Environment,
        integers: Collection[str] = (),
        static: Mapping[str, Sequence[Any]] = MappingProxyType({}),
    ) -> None:
        """`samples`: a value inside the domain for every variable.

        `integers`: those that are counted; `static`: those that are Python's own and stay what they are, with some of
        the values that they may have.
        """
        self.environment, self.integers = environment, frozenset(integers)
        self.movable = frozenset(samples) - static.keys()
        self.samples = [{**samples, **dict(zip(static, chosen, strict=True))} for chosen in product(*static.values())]

    def harmless(self, tests: Sequence[ast.expr], branch: ast.expr) -> dict[str, ast.expr]:
        """A literal for every variable of `tests` in `branch`, its inner conditions apart; {} where none is needed.

        `tests`: what holds where the branch is taken, outermost first. Literals with which all of it holds are the
        natural ones; if there are none, the innermost test has to do.
        """
        own = rewriting.rewritten(_WithoutConditions(), rewriting.copied(branch))
        named = frozenset[str]().union(*map(trees.names, tests)) & self.movable
        wanted = sorted(named & trees.names(own))
        if not wanted or _is_entire(own):
            return {}
        for kept in (tests, tests[-1:]) if len(tests) > 1 else (tests,):
            condition = rewriting.joined(ast.And(), kept)
            others = sorted((trees.names(condition) & self.movable) - {*wanted})
            for searched in [wanted, [*wanted, *others]] if others else [wanted]:
                values = self._search(searched, condition, branch)
                if values is not None:
                    return {
                        variable: ast.Constant(int(v) if v == int(v) else v)
                        for variable, v in zip(wanted, values, strict=False)
                    }
        raise NoHarmlessOperand(
            f"found no {', '.join(wanted)} with {ast.unparse(tests[-1])} where {ast.unparse(branch)} is finite; "
            f"write the branch so that it is finite at some round number"
        )

    def _search(self, wanted: Sequence[str], condition: ast.expr, branch: ast.expr) -> tuple[float, ...] | None:
        """Values of `wanted`: good for all values of the static arguments, or for as many as there are."""
        found: dict[int, tuple[float, ...]] = {}
        for values in product(*(_WHOLE if v in self.integers else _CANDIDATES for v in wanted)):
            points = [sample | dict(zip(wanted, values, strict=True)) for sample in self.samples]
            holding = [point for point in points if self._holds(condition, point)]
            if holding and len(holding) not in found and all(self._is_finite(branch, p, wanted) for p in holding):
                found[len(holding)] = values
            if len(points) in found:
                break
        return found[max(found)] if found else None

    def _holds(self, condition: ast.expr, point: Mapping[str, Any]) -> bool:
        return bool(np.all(evaluate(condition, point, self.environment)))

    def _is_finite(self, branch: ast.expr, point: Mapping[str, Any], moved: Sequence[str]) -> bool:
        steps = [dict(point)] + [
            dict(point) | {v: point[v] + h} for v in set(moved) - self.integers for h in (-1e-4, 1e-4)
        ]
        values = [np.asarray(evaluate(branch, step, self.environment)) for step in steps]
        return all(np.all(np.isfinite(value)) and np.all(np.abs(value) < 1e100) for value in values)


def _is_entire(tree: ast.expr) -> bool:
    """Whether `tree` and its derivatives are finite for every finite operand of reasonable size, by its form alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _ENTIRE):
            return False
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and not trees.is_number(node.right):
            return False
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            power = node.right
            if not (isinstance(power, ast.Constant) and type(power.value) is int and power.value >= 0):
                return False
    return True


class _WithoutConditions(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        return ast.Call(node.func, node.args[1:], []) if trees.is_call(node, "where") else node


Path = tuple[tuple[ast.expr, bool], ...]
"""The conditions on the way to a branch, outermost first, and whether each holds there."""


class _Guard(ast.NodeTransformer):
    """Rewrites a branch: its variables become safe operands, conditions stay, inner branches have guards of their own.

    Conditions need no safe operands: they have no derivative, and what they choose where their own branch isn't taken
    doesn't matter, since the branches inside are harmless wherever any condition around them fails.
    """

    def __init__(
        self, operands: Operands, path: Path, branch: ast.expr, around: Mapping[str, ast.expr] = MappingProxyType({})
    ) -> None:
        """`around`: the safe operands of the branch around; what needs none for itself may be a factor of what does."""
        self.operands, self.path = operands, path
        tests = [condition if holds else rewriting.negated(condition) for condition, holds in path]
        literals = operands.harmless(tests, branch) if path else {}
        self.guards = {**around, **{variable: _operand(path, variable, value) for variable, value in literals.items()}}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return rewriting.copied(self.guards[node.id]) if node.id in self.guards else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if not trees.is_call(node, "where"):
            keywords = [ast.keyword(k.arg, rewriting.rewritten(self, k.value)) for k in node.keywords]
            return ast.Call(node.func, [rewriting.rewritten(self, arg) for arg in node.args], keywords)
        condition, then, otherwise = node.args
        return trees.call(
            "where", condition, self._branch(condition, True, then), self._branch(condition, False, otherwise)
        )

    def _branch(self, condition: ast.expr, holds: bool, branch: ast.expr) -> ast.expr:
        inner = _Guard(self.operands, (*self.path, (condition, holds)), branch, self.guards)
        return rewriting.rewritten(inner, branch)


def _operand(path: Path, variable: str, literal: ast.expr) -> ast.expr:
    """The variable where all conditions that name it are as on the path, the literal elsewhere."""
    telling = [(condition, holds) for condition, holds in path if variable in trees.names(condition)]
    tests = [condition for condition, _ in telling]
    if not any(holds for _, holds in telling):
        return trees.call(trees.SAFE, rewriting.joined(ast.Or(), tests), literal, trees.name(variable))
    # `not` as it is: the opposite comparison would take NaN for a value that the branch isn't taken at.
    tests = [condition if holds else ast.UnaryOp(ast.Not(), condition) for condition, holds in telling]
    return trees.call(trees.SAFE, rewriting.joined(ast.And(), tests), trees.name(variable), literal)


def safe_where(tree: ast.expr, operands: Operands) -> ast.expr:
    """A copy of `tree` with harmless operands in every branch of every `where`."""
    copy = rewriting.copied(tree)
    return rewriting.rewritten(_Guard(operands, (), copy), copy)
