"""Functions of the specs in mpmath, from `formula:` and `reference:`: any precision, and nothing owed to SciPy."""

import ast
from collections.abc import Callable, Mapping
from typing import Any

import mpmath

from jaxscipy_codegen.functions import CONSTANTS, ELEMENTARY, MEANINGS, REFERENCES
from jaxscipy_codegen.model import SINGLE, Function, Library
from jaxscipy_codegen.operators import ARITHMETIC, RELATIONS


class NoReference(LookupError):
    """A function whose entry says nothing that mpmath can evaluate."""


def reference(library: Library, name: str, output: str = SINGLE) -> Callable[..., Any]:
    """The function called `name` (one of its outputs), as a function of mpmath numbers. Raises `NoReference`."""
    function = library[name]
    tree, known = _meaning(function, output)

    def value(*args: Any) -> Any:
        values = dict(zip(function.args, map(_number, args), strict=False))
        for argument, entry in function.args.items():
            if argument not in values and entry.has_default:
                values[argument] = _number(entry.default)
        return _Evaluation(library, values, known).value(tree)

    return value


def _meaning(function: Function, output: str) -> tuple[ast.expr, Mapping[str, Callable[..., Any]]]:
    if function.reference is not None and output == SINGLE:
        return function.reference.tree, REFERENCES
    formula = function.results[output].formula
    if formula is None:
        raise NoReference(f"{function.name}: neither formula nor reference; write one of them")
    return formula.tree, {name: meaning.mpmath for name, meaning in MEANINGS.items()}


def _number(value: Any) -> Any:
    """Python and NumPy numbers exactly; what isn't a number stays."""
    if isinstance(value, bool | str | None):
        return value
    return mpmath.mpmathify(value)


class _Evaluation:
    def __init__(self, library: Library, values: Mapping[str, Any], known: Mapping[str, Callable[..., Any]]) -> None:
        self.library, self.values, self.known = library, values, known

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=float() as number):
                return mpmath.mpf(repr(number))  # 0.1 in a formula means one tenth
            case ast.Constant(value=number):
                return _number(number)
            case ast.Name(id=name):
                return self.values[name] if name in self.values else CONSTANTS[name].mpmath()
            case ast.UnaryOp(op=op, operand=operand):
                value = self.value(operand)
                return (not value) if isinstance(op, ast.Not) else -value if isinstance(op, ast.USub) else value
            case ast.BinOp(left=left, op=op, right=right):
                return ARITHMETIC[type(op)](self.value(left), self.value(right))
            case ast.BoolOp(op=op, values=values):
                return (all if isinstance(op, ast.And) else any)(self.value(value) for value in values)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                sides = [self.value(side) for side in (left, *comparators)]
                pairs = zip(sides, ops, sides[1:], strict=False)
                return all(RELATIONS[type(op)](one, other) for one, op, other in pairs)
            case ast.Attribute(value=ast.Call(func=ast.Name(id=name)) as call, attr=output):
                return reference(self.library, name, output)(*map(self.value, call.args))
            case ast.Call(func=ast.Name(id=name)):
                return self._call(name, node)
            case _:
                raise AssertionError(f"not part of formulas: {ast.dump(node)}")

    def _call(self, name: str, call: ast.Call) -> Any:
        if name == "where":
            condition, then, otherwise = call.args
            return self.value(then if self.value(condition) else otherwise)
        if name == "Piecewise":
            pairs = (pair.elts for pair in call.args if isinstance(pair, ast.Tuple))
            return next(self.value(value) for value, condition in pairs if self.value(condition))
        if name in ELEMENTARY:
            function = ELEMENTARY[name].mpmath
        else:
            function = self.known[name] if name in self.known else reference(self.library, name)
        keywords = {keyword.arg or "": self.value(keyword.value) for keyword in call.keywords}
        return function(*map(self.value, call.args), **keywords)
