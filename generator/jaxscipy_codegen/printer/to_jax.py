"""Formula trees as JAX expressions: elementary functions in `jnp`, outputs as parameters, constants folded."""

import ast
from collections.abc import Mapping

from jaxscipy_codegen import rewriting, trees
from jaxscipy_codegen.evaluate import folded
from jaxscipy_codegen.functions import CONSTANTS, ELEMENTARY
from jaxscipy_codegen.printer import points
from jaxscipy_codegen.printer.scope import OUT, Scope
from jaxscipy_codegen.trees import call, name


class Outputs(ast.NodeTransformer):
    """Values of the function itself become the parameters of the rule's `lambda`."""

    def __init__(self, scope: Scope, parameters: Mapping[str, str]) -> None:
        self.scope, self.parameters = scope, parameters
        self.own = points.key(scope.own_point)

    def _primal(self, output: str | None) -> ast.expr:
        here = self.parameters.get(self.own)
        if output is None:
            return name(here or OUT)
        return ast.Attribute(name(here), output, ast.Load()) if here else name(output)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        outputs = self.scope.outputs
        if node.id not in self.scope.output_symbols:
            return node
        if not outputs:
            return self._primal(None)
        return self._primal(node.id if node.id in outputs else outputs[int(node.id[1:])])

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        point = self.scope.point_of(node.value)
        if point is not None and points.key(point) == self.own:
            return self._primal(node.attr)
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        point = self.scope.point_of(node)
        if point is None:
            return self.generic_visit(node)  # type: ignore[return-value]
        return name(self.parameters[points.key(point)]) if points.key(point) in self.parameters else self._primal(None)


def in_jax(tree: ast.expr, scope: Scope, comments: dict[str, None]) -> ast.expr:
    """`tree` in JAX: constants folded, conditions elementwise, `jnp.` in front of elementary functions."""
    elementwise = rewriting.rewritten(rewriting.Elementwise(scope.static), tree)
    return rewriting.rewritten(_ToJax(scope, comments), elementwise)


class _ToJax(ast.NodeTransformer):
    def __init__(self, scope: Scope, comments: dict[str, None]) -> None:
        self.scope, self.comments = scope, comments

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr) and _is_worth_folding(node, self.scope):
            value = folded(node)
            if value != 0:  # zeros have a sign, which only floating-point arithmetic finds
                self.comments[f"{value!r} = {ast.unparse(node)}"] = None
                return trees.number(value)
        return super().visit(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        known = node.id in CONSTANTS and node.id not in self.scope.args
        return trees.parse(CONSTANTS[node.id].jax) if known else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        args = [rewriting.rewritten(self, arg) for arg in node.args]
        keywords = [ast.keyword(k.arg, rewriting.rewritten(self, k.value)) for k in node.keywords]
        if not isinstance(node.func, ast.Name) or node.func.id == "RealLinear":
            return ast.Call(node.func, args, keywords)
        if trees.is_where(node):
            return call("jnp.where", *args)
        if node.func.id in ELEMENTARY:
            if ELEMENTARY[node.func.id].is_of_runtime:
                self.scope.needs(node.func.id)
            return call(ELEMENTARY[node.func.id].jax, *args)
        return ast.Call(trees.dotted(self.scope.refer(node.func.id)), args, keywords)


def _is_worth_folding(node: ast.expr, scope: Scope) -> bool:
    """A constant that Python wouldn't compute by itself: it calls a function of constants (`2/sqrt(pi)`)."""
    if not isinstance(node, ast.BinOp | ast.UnaryOp | ast.Call):
        return False
    calls = trees.called(node)
    return bool(calls) and calls <= set(ELEMENTARY) and trees.names(node) <= set(CONSTANTS) - set(scope.args)
