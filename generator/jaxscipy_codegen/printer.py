"""Formula trees to JAX source: a rule prints as its author wrote it, with `jnp.` in front of the elementary functions.

A formula is a Python expression tree in the spec language (`ast.expr`): arguments, outputs, elementary functions, and
functions of the specs by name. Printing rewrites the tree but never its order, so that rounding is that of the text.
"""

import ast
import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from jaxscipy_codegen import trees
from jaxscipy_codegen.evaluate import folded
from jaxscipy_codegen.functions import CONSTANTS, ELEMENTARY
from jaxscipy_codegen.safe import Operands, safe_where
from jaxscipy_codegen.trees import RealLinear, call, name, same

_OUT = "out"


@dataclass(frozen=True)
class Scope:
    """The function whose rules are printed, and what its rules may refer to."""

    function: str
    args: tuple[str, ...]
    outputs: tuple[str, ...] = ()
    """Names of several outputs; empty for one."""
    static: frozenset[str] = frozenset()
    defaults: Mapping[str, ast.expr] = field(default_factory=dict)
    refer: Callable[[str], str] = str
    """How generated code refers to a function of the specs (`jv`, `_gamma.psi`); remembers the import."""
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


@dataclass(frozen=True)
class Printed:
    """The text of one partial: `value` in the table of partials, `comments` on constants that were folded."""

    value: str
    comments: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    """Assignments before the table that `value` refers to."""


class Printer:
    """Prints the partials of one function. Safe operands that its rules share become local variables, printed once."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._comments: dict[str, None] = {}
        self._locals: dict[str, str] = {}
        self._variables: dict[str, str] = {}

    def partial(self, rules: Sequence[ast.expr | RealLinear]) -> Printed:
        """The value in the table of partials: a `lambda` of the outputs or `at(...)`; one rule per output."""
        self._comments.clear()
        before = len(self._locals)
        value = ast.unparse(self._partial([_prepared(rule, self.scope) for rule in rules]))
        statements = tuple(f"{local} = {text}" for text, local in list(self._locals.items())[before:])
        return Printed(value, tuple(self._comments), statements)

    def _partial(self, rules: Sequence[ast.expr]) -> ast.expr:
        split = _static_choice(rules, self.scope.static)
        if split is not None:
            test, then, otherwise = split
            return ast.IfExp(test, self._partial(then), self._partial(otherwise))
        if self.scope.operands is not None:
            rules = [safe_where(rule, self.scope.operands) for rule in rules]
        body: ast.expr = rules[0] if not self.scope.outputs else ast.Tuple(list(rules), ast.Load())
        body = self._with_locals(body)
        points: dict[str, tuple[ast.expr, ...]] = {}
        for node in ast.walk(body):
            point = self.scope.point_of(node)
            if point is not None:
                points.setdefault(_key(point), point)
        own = tuple(name(arg) for arg in self.scope.points)
        points.pop(_key(own), None)
        if not points:
            return _lambda(
                self.scope.outputs or (_OUT,), self._expression(trees.rewritten(_Outputs(self.scope, {}), body))
            )
        if _uses_primal(body, self.scope):
            points = {_key(own): own} | points
        names = dict(zip(points, _point_names(tuple(points.values()), self.scope, self._unguarded), strict=True))
        body = self._expression(trees.rewritten(_Outputs(self.scope, names), body))
        self.scope.needs("at")
        tuples = [ast.Tuple([self._expression(value) for value in point], ast.Load()) for point in points.values()]
        return call("at", *tuples, _lambda(tuple(names.values()), body))

    def _with_locals(self, body: ast.expr) -> ast.expr:
        """`body` with a local variable for every safe operand that occurs more than once and holds no output."""
        operands = [node for node in ast.walk(body) if trees.is_call(node, trees.SAFE)]
        repeated = {
            ast.dump(node)
            for node in operands
            if not _uses_primal(node, self.scope)
            and (sum(same(node, other) for other in operands) > 1 or self._text(node) in self._locals)
        }

        return trees.replaced(body, lambda node: self._local(node) if ast.dump(node) in repeated else None)

    def _text(self, operand: ast.AST) -> str:
        assert isinstance(operand, ast.Call)
        return ast.unparse(self._expression(copy.deepcopy(operand)))

    def _local(self, operand: ast.AST) -> ast.expr:
        text = self._text(operand)
        if text not in self._locals:
            variable = _variable_of(operand)
            taken = {*self.scope.args, *self.scope.outputs, *self._locals.values()}
            self._locals[text] = trees.free_name(f"safe_{variable}", taken)
            self._variables[self._locals[text]] = variable
        return name(self._locals[text])

    def _unguarded(self, tree: ast.expr) -> ast.expr:
        """`tree` with variables in place of their safe operands."""

        def variable(node: ast.AST) -> ast.expr | None:
            if trees.is_call(node, trees.SAFE):
                return name(_variable_of(node))
            return name(self._variables[node.id]) if isinstance(node, ast.Name) and node.id in self._variables else None

        return trees.replaced(tree, variable)

    def _expression(self, tree: ast.expr) -> ast.expr:
        """`tree` in JAX: constants folded, conditions elementwise, `jnp.` in front of elementary functions."""
        return trees.rewritten(
            _ToJax(self.scope, self._comments), trees.rewritten(trees.Elementwise(self.scope.static), tree)
        )


def _variable_of(operand: ast.AST) -> str:
    """The variable that a safe operand stands for."""
    assert isinstance(operand, ast.Call)
    return min(trees.names(operand.args[1]) | trees.names(operand.args[2]))


def _prepared(rule: ast.expr | RealLinear, scope: Scope) -> ast.expr:
    if isinstance(rule, RealLinear):
        scope.needs("RealLinear")
        parts = {"real": rule.real, "imag": rule.imag}
        keywords = [ast.keyword(key, trees.where_form(part)) for key, part in parts.items() if part is not None]
        return ast.Call(name("RealLinear"), [trees.where_form(rule.holomorphic)], keywords)
    return trees.where_form(rule)


def _key(point: tuple[ast.expr, ...]) -> str:
    return ast.dump(ast.Tuple(list(point), ast.Load()))


def _lambda(params: Sequence[str], body: ast.expr) -> ast.Lambda:
    args = ast.arguments(posonlyargs=[], args=[ast.arg(p) for p in params], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.Lambda(args, body)


def _output_symbols(scope: Scope) -> frozenset[str]:
    """Every name that means an output of the function at its own arguments."""
    return frozenset((*scope.outputs, *(f"F{k}" for k in range(len(scope.outputs)))) or ("F",))


def _uses_primal(tree: ast.AST, scope: Scope) -> bool:
    own = _key(tuple(name(arg) for arg in scope.points))
    return bool(trees.names(tree) & _output_symbols(scope)) or any(
        point is not None and _key(point) == own for point in map(scope.point_of, ast.walk(tree))
    )


def _static_choice(
    rules: Sequence[ast.expr], static: frozenset[str]
) -> tuple[ast.expr, list[ast.expr], list[ast.expr]] | None:
    """`where` over static arguments alone at the top of a rule: a choice that Python makes while tracing."""
    for rule in rules:
        if trees.is_call(rule, "where") and trees.names(rule.args[0]) and trees.names(rule.args[0]) <= static:
            test = rule.args[0]
            then = [trees.chosen(r, test, True) for r in rules]
            otherwise = [trees.chosen(r, test, False) for r in rules]
            return test, then, otherwise
    return None


class _Outputs(ast.NodeTransformer):
    """Values of the function itself become the parameters of the rule's `lambda`."""

    def __init__(self, scope: Scope, points: Mapping[str, str]) -> None:
        self.scope, self.parameters = scope, points
        self.own = _key(tuple(name(arg) for arg in scope.points))

    def _primal(self, output: str | None) -> ast.expr:
        here = self.parameters.get(self.own)
        if output is None:
            return name(here or _OUT)
        return ast.Attribute(name(here), output, ast.Load()) if here else name(output)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        outputs = self.scope.outputs
        if node.id not in _output_symbols(self.scope):
            return node
        if not outputs:
            return self._primal(None)
        return self._primal(node.id if node.id in outputs else outputs[int(node.id[1:])])

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        point = self.scope.point_of(node.value)
        if point is not None and _key(point) == self.own:
            return self._primal(node.attr)
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        point = self.scope.point_of(node)
        if point is None:
            return self.generic_visit(node)  # type: ignore[return-value]
        return name(self.parameters[_key(point)]) if _key(point) in self.parameters else self._primal(None)


_NEIGHBOURS: dict[int | str, str] = {
    1: "above",
    -1: "below",
    2: "two_above",
    -2: "two_below",
    3: "three_above",
    -3: "three_below",
    "negated": "mirrored",
    "unknown": "elsewhere",
}


def _shift(value: ast.expr, arg: str) -> int | str:
    """How an argument of a point lies to the function's own: the integer between them, or a word."""
    if same(value, ast.UnaryOp(ast.USub(), name(arg))):
        return "negated"
    found = trees.offset(value, arg)
    return "unknown" if found is None else found


def _point_names(
    points: Sequence[tuple[ast.expr, ...]], scope: Scope, unguarded: Callable[[ast.expr], ast.expr]
) -> list[str]:
    """Readable parameter names: `below` and `above` for neighbours, `a_above` where several arguments vary."""
    shifts = [
        {arg: _shift(unguarded(value), arg) for arg, value in zip(scope.points, point, strict=True)} for point in points
    ]
    moved = [{arg: shift for arg, shift in point.items() if shift != 0} for point in shifts]
    others = [point for point in moved if point]
    # A shift that all points share says nothing about which is which.
    shared = {arg for arg in scope.points if len(others) > 1 and len({str(p.get(arg, 0)) for p in others}) == 1}
    telling = [{arg: shift for arg, shift in point.items() if arg not in shared} for point in moved]
    varying = {arg for point in telling for arg in point}
    chosen: list[str] = []
    for point, distinct in zip(moved, telling, strict=True):
        if not point:
            wanted = "here" if scope.outputs else _OUT
        elif len(distinct) == 1:
            [(arg, shift)] = distinct.items()
            wanted = (f"{arg}_" if len(varying) > 1 else "") + _NEIGHBOURS.get(shift, "shifted")
        else:
            wanted = "shifted"
        chosen.append(trees.free_name(wanted, {*chosen, *scope.args, *scope.outputs}))
    return chosen


class _ToJax(ast.NodeTransformer):
    def __init__(self, scope: Scope, comments: dict[str, None]) -> None:
        self.scope, self.comments = scope, comments

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr) and _is_worth_folding(node, self.scope):
            value = folded(node)
            self.comments[f"{value!r} = {ast.unparse(node)}"] = None
            return trees.number(value)
        return super().visit(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        known = node.id in CONSTANTS and node.id not in self.scope.args
        return trees.parse(CONSTANTS[node.id].jax) if known else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        args = [trees.rewritten(self, arg) for arg in node.args]
        keywords = [ast.keyword(k.arg, trees.rewritten(self, k.value)) for k in node.keywords]
        if not isinstance(node.func, ast.Name) or node.func.id == "RealLinear":
            return ast.Call(node.func, args, keywords)
        if trees.is_where(node):
            return call("jnp.where", *args)
        if node.func.id in ELEMENTARY:
            return trees.parse(ELEMENTARY[node.func.id].jax_call(*map(ast.unparse, args)))
        return ast.Call(trees.dotted(self.scope.refer(node.func.id)), args, keywords)


def _is_worth_folding(node: ast.expr, scope: Scope) -> bool:
    """A constant that Python wouldn't compute by itself: it calls a function of constants (`2/sqrt(pi)`)."""
    if not isinstance(node, ast.BinOp | ast.UnaryOp | ast.Call):
        return False
    calls = trees.called(node)
    return bool(calls) and calls <= set(ELEMENTARY) and trees.names(node) <= set(CONSTANTS) - set(scope.args)
