"""What a formula may be made of: arithmetic, comparisons and calls; everything else with what to write instead."""

import ast

MAX_DEPTH = 100
MAX_CONSTANT = 1e300


class FormulaError(ValueError):
    """What is wrong in a formula, and the character (from 0) at which it is."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.message, self.offset = message, offset


_BINARY = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
_UNARY = (ast.USub, ast.UAdd, ast.Not)
_COMPARE = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)

_INSTEAD: dict[type[ast.AST], str] = {
    ast.BitXor: "^ is not a power here; write ** for powers",
    ast.BitAnd: "& is not part of formulas; write and",
    ast.BitOr: "| is not part of formulas; write or",
    ast.Invert: "~ is not part of formulas; write not",
    ast.FloorDiv: "// is not part of formulas; write floor(x/y)",
    ast.Mod: "% is not part of formulas; write x - y*floor(x/y)",
    ast.MatMult: "@ is not part of formulas; write * for products",
    ast.IfExp: "'if … else' is not part of formulas; write where(condition, a, b)",
    ast.Lambda: "lambda is not part of formulas; write the expression in the arguments' names",
    ast.ListComp: "comprehensions are not part of formulas; write the terms out",
    ast.SetComp: "comprehensions are not part of formulas; write the terms out",
    ast.DictComp: "comprehensions are not part of formulas; write the terms out",
    ast.GeneratorExp: "comprehensions are not part of formulas; write the terms out",
    ast.JoinedStr: "text is not part of formulas; write numbers and names",
    ast.NamedExpr: ":= is not part of formulas; write the expression twice",
    ast.Starred: "* before an argument is not part of formulas; write the arguments out",
    ast.List: "lists are not part of formulas; write the numbers as arguments",
    ast.Dict: "braces are not part of formulas; write round brackets",
    ast.Set: "braces are not part of formulas; write round brackets",
    ast.Await: "await is not part of formulas; leave it out",
    ast.Yield: "yield is not part of formulas; leave it out",
    ast.YieldFrom: "yield is not part of formulas; leave it out",
    ast.In: "'in' is not part of formulas; write comparisons",
    ast.NotIn: "'in' is not part of formulas; write comparisons",
    ast.Is: "'is' is not part of formulas; write ==",
    ast.IsNot: "'is' is not part of formulas; write !=",
}


def _refuse(node: ast.AST, at: ast.AST, otherwise: str = "") -> FormulaError:
    message = _INSTEAD.get(type(node)) or otherwise
    message = message or f"{type(node).__name__} is not part of formulas; write arithmetic and calls"
    return FormulaError(message, getattr(at, "col_offset", 0))


def check(node: ast.expr, depth: int = 0) -> None:
    """Refuses the first node that isn't part of the language, with its place."""
    if depth > MAX_DEPTH:
        raise FormulaError(f"the formula is nested more than {MAX_DEPTH} deep; split it up", node.col_offset)
    match node:
        case ast.BinOp(left, op, right):
            if not isinstance(op, _BINARY):
                raise _refuse(op, node)
            children = [left, right]
        case ast.UnaryOp(op, operand):
            if not isinstance(op, _UNARY):
                raise _refuse(op, node)
            children = [operand]
        case ast.BoolOp(values=values):
            children = values
        case ast.Compare(left, ops, comparators):
            for op in ops:
                if not isinstance(op, _COMPARE):
                    raise _refuse(op, node)
            children = [left, *comparators]
        case ast.Call():
            children = _check_call(node)
        case ast.Attribute(value=ast.Call() as call, attr=attr) if not attr.startswith("_"):
            children = [call]
        case ast.Subscript(value=ast.Call() as call, slice=ast.Constant(value=int() as index)) if type(index) is int:
            children = [call]
        case ast.Attribute():
            raise FormulaError(
                "a dot may only follow a call, to name one of its outputs; write for example airy(z).ai",
                (node.value.end_col_offset or 1),
            )
        case ast.Subscript():
            raise FormulaError(
                "square brackets may only follow a call, around the number of an output; write for example airy(z)[0]",
                (node.value.end_col_offset or 1),
            )
        case ast.Constant(value=bool() | int() | float() | complex() as value):
            if type(value) is not bool and not abs(value) <= MAX_CONSTANT:
                raise FormulaError(f"the number is larger than {MAX_CONSTANT:g}; write inf or log", node.col_offset)
            children = []
        case ast.Name(id=name):
            if name.startswith("_"):
                raise FormulaError(
                    "names that start with _ are not part of formulas; write an argument's name", node.col_offset
                )
            children = []
        case ast.Tuple():
            raise FormulaError("a comma may only stand between arguments; write . in decimal numbers", node.col_offset)
        case _:
            raise _refuse(node, node)
    for child in children:
        check(child, depth + 1)


def _check_call(node: ast.Call) -> list[ast.expr]:
    if not isinstance(node.func, ast.Name):
        if isinstance(node.func, ast.Constant | ast.BinOp | ast.Call | ast.UnaryOp):
            raise FormulaError("a bracket follows a value; write * between factors", node.func.end_col_offset or 0)
        raise FormulaError(
            "only functions by their plain name can be called; write for example jv(v, z)", node.func.col_offset
        )
    if node.func.id == "Piecewise":
        if node.keywords or not node.args:
            raise FormulaError("write Piecewise((a, condition), (b, True))", node.col_offset)
        for pair in node.args:
            if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2:
                raise FormulaError("every part of Piecewise is a pair; write (value, condition)", pair.col_offset)
        last = node.args[-1]
        assert isinstance(last, ast.Tuple)
        if not (isinstance(last.elts[1], ast.Constant) and last.elts[1].value is True):
            raise FormulaError(
                "the last part of Piecewise covers the rest; write (value, True)", last.elts[1].col_offset
            )
        return [node.func, *(part for pair in node.args if isinstance(pair, ast.Tuple) for part in pair.elts)]
    for keyword in node.keywords:
        if keyword.arg is None:
            raise FormulaError("** is not part of calls; write the arguments out", keyword.value.col_offset)
    return [node.func, *node.args, *(keyword.value for keyword in node.keywords)]
