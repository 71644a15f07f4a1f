"""Arithmetic of numbers in formulas, done before SymPy does it: a power of powers would take all memory and time."""

import ast
import math

from jaxscipy_codegen.formula.grammar import MAX_CONSTANT, FormulaError

MAX_EXPONENT = 100


NAMED = {"pi": math.pi, "E": math.e, "EulerGamma": 0.5772156649015329, "Catalan": 0.915965594177219}


def constant(node: ast.expr) -> complex | None:
    """The value of `node` if it is arithmetic of numbers only, else None. Refuses numbers that can't be held."""
    match node:
        case ast.Constant(value=value) if isinstance(value, int | float | complex) and type(value) is not bool:
            return float(value) if isinstance(value, int) else value
        case ast.Name(id=name):
            return NAMED.get(name)
        case ast.UnaryOp(op, operand):
            value = constant(operand)
            return None if value is None else -value if isinstance(op, ast.USub) else value
        case ast.BinOp(left, op, right):
            return _constant_operation(node, op, constant(left), constant(right))
        case _:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    constant(child)
            return None


def _constant_operation(
    node: ast.BinOp, op: ast.operator, left: complex | None, right: complex | None
) -> complex | None:
    if isinstance(op, ast.Pow) and right is not None and not abs(right) <= MAX_EXPONENT:
        raise FormulaError(f"the exponent is larger than {MAX_EXPONENT}; write exp(…)", node.right.col_offset)
    if left is None or right is None:
        return None
    try:
        match op:
            case ast.Add():
                value = left + right
            case ast.Sub():
                value = left - right
            case ast.Mult():
                value = left * right
            case ast.Div():
                value = left / right
            case _:
                value = left**right
    except ZeroDivisionError:
        raise FormulaError("division by zero; write inf or nan", node.right.col_offset) from None
    except OverflowError:
        value = math.inf
    if not abs(value) <= MAX_CONSTANT:
        raise FormulaError(f"the number is larger than {MAX_CONSTANT:g}; write inf or log", node.col_offset)
    return value
