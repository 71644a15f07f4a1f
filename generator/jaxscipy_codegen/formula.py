"""Formulas of specs: read with Python's `ast` and a whitelist, never with `eval` or `sympify`, which run code.

`read` knows the grammar, `Vocabulary` the names that a formula at its place may use. `symbolic` turns a formula into
SymPy, `evaluate` into numbers; the printer prints `Formula.tree` as written (SymPy reorders, which changes rounding).
"""

import ast
import copy
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from jaxscipy_codegen.errors import NOWHERE, Position, did_you_mean

MAX_LENGTH = 4000
MAX_DEPTH = 100
MAX_EXPONENT = 100
MAX_CONSTANT = 1e300


class FormulaError(ValueError):
    """What is wrong in a formula, and the character (from 0) at which it is."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.message, self.offset = message, offset


def _nowhere(offset: int) -> Position:
    return NOWHERE


@dataclass(frozen=True)
class Formula:
    """A formula as written. `tree` holds only whitelisted nodes.

    After `load` all its names are known, outputs of functions are `ast.Attribute`s of calls (`airy(z).ai`, for
    `airy(z)[0]` too), and arguments are positional as far as no default is left out before them.
    """

    text: str
    tree: ast.expr = field(compare=False)
    at: Callable[[int], Position] = field(default=_nowhere, compare=False, repr=False)
    """The place in the spec file of a character of the formula (`col_offset` of a node)."""

    @property
    def position(self) -> Position:
        """The place of the first character."""
        return self.at(self.tree.col_offset)

    def settle(self, names: "Vocabulary") -> None:
        """Brings `tree` into the form that the rest of the generator reads; `load` calls it once."""
        object.__setattr__(self, "tree", _Resolved(names.functions).visit(copy.deepcopy(self.tree)))

    @property
    def names(self) -> frozenset[str]:
        """The names that stand for values: arguments, outputs, constants."""
        called = {id(node.func) for node in ast.walk(self.tree) if isinstance(node, ast.Call)}
        return frozenset(
            node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name) and id(node) not in called
        )

    @property
    def calls(self) -> frozenset[str]:
        """The names of the functions that are called."""
        return frozenset(called_name(node) for node in ast.walk(self.tree) if isinstance(node, ast.Call))

    def __str__(self) -> str:
        return self.text


def called_name(call: ast.Call) -> str:
    """The name of the function in a call of a validated tree."""
    assert isinstance(call.func, ast.Name)
    return call.func.id


# ----------------------------------------------------------------------------------------------------------- grammar

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


def read(text: str, at: Callable[[int], Position] = _nowhere) -> Formula:
    """The formula in `text`. Raises `FormulaError` when it holds anything but arithmetic, comparisons and calls."""
    start = len(text) - len(text.lstrip())
    # One line of the same length, so that an offset in the tree is an offset in `text`.
    line = text.translate({ord(blank): " " for blank in "\n\r\t\f\v"})[start:].rstrip()
    _check_characters(line, start)
    try:
        tree = ast.parse(line, mode="eval").body
    except SyntaxError as error:
        offset = error.offset - 1 if error.offset else len(line)
        raise FormulaError(_syntax_message(error), start + offset) from None
    except (ValueError, RecursionError, MemoryError):
        raise FormulaError("the formula is nested too deeply; split it up", start) from None
    try:
        _check(tree, 0)
        constant(tree)
    except FormulaError as error:
        raise FormulaError(error.message, start + error.offset) from None
    if start:
        for node in ast.walk(tree):
            if isinstance(node, ast.expr | ast.keyword):
                node.col_offset += start
    return Formula(text.strip(), tree, at)


def _check_characters(line: str, start: int) -> None:
    if not line:
        raise FormulaError("the formula is empty; write an expression in the arguments' names")
    if len(line) > MAX_LENGTH:
        raise FormulaError(f"the formula has {len(line)} characters; write at most {MAX_LENGTH}")
    depth = 0
    for offset, character in enumerate(line, start):
        if not character.isascii() or not character.isprintable():
            raise FormulaError(f"{character!r} is not part of formulas; write ASCII letters, digits and signs", offset)
        if character == "#":
            raise FormulaError("comments are not part of formulas; write it as note or as a YAML comment", offset)
        if character in "'\"":
            raise FormulaError("text is not part of formulas; write numbers and names", offset)
        depth += (character in "([{") - (character in ")]}")
        if depth > MAX_DEPTH:
            raise FormulaError(f"brackets are nested more than {MAX_DEPTH} deep; split the formula up", offset)


def _syntax_message(error: SyntaxError) -> str:
    if "Perhaps you forgot a comma" in (error.msg or ""):
        return "not a formula; write * between factors and commas between arguments"
    if "decimal literal" in (error.msg or ""):
        return "a number runs into a name; write * between them"
    return f"not a formula ({error.msg}); write an expression such as (jv(v - 1, z) - jv(v + 1, z))/2"


def _refuse(node: ast.AST, at: ast.AST, otherwise: str = "") -> FormulaError:
    message = _INSTEAD.get(type(node)) or otherwise
    message = message or f"{type(node).__name__} is not part of formulas; write arithmetic and calls"
    return FormulaError(message, getattr(at, "col_offset", 0))


def _check(node: ast.expr, depth: int) -> None:
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
        _check(child, depth + 1)


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


_NAMED = {"pi": math.pi, "E": math.e, "EulerGamma": 0.5772156649015329, "Catalan": 0.915965594177219}


def constant(node: ast.expr) -> complex | None:
    """The value of `node` if it is arithmetic of numbers only, else None. Refuses numbers that can't be held."""
    match node:
        case ast.Constant(value=value) if isinstance(value, int | float | complex) and type(value) is not bool:
            return float(value) if isinstance(value, int) else value
        case ast.Name(id=name):
            return _NAMED.get(name)
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


# ------------------------------------------------------------------------------------------------------------- names


@dataclass(frozen=True)
class Signature:
    """How a function may be called in a formula."""

    name: str
    arguments: tuple[str, ...] = ()
    """Names, for calls by keyword; empty for functions that take none by keyword."""
    required: int = 0
    allowed: frozenset[int] = frozenset()
    """Numbers of positional arguments, where that isn't `required` to `len(arguments)`."""
    outputs: tuple[str, ...] = ()
    """Names of the outputs of a function with several."""
    free_keywords: bool = False
    """Constants may be given under any keyword (mpmath's functions)."""
    bounded: bool = False
    """Constant arguments must be small, because SymPy would compute them exactly."""

    def accepts(self, count: int) -> bool:
        """Whether the function can be called with `count` arguments."""
        return count in self.allowed if self.allowed else self.required <= count <= len(self.arguments)

    @property
    def counts(self) -> str:
        """The allowed numbers of arguments, for messages."""
        counts = sorted(self.allowed) or range(self.required, len(self.arguments) + 1)
        named = f" ({', '.join(self.arguments)})" if self.arguments else ""
        plural = "" if list(counts) == [1] else "s"
        return f"{' or '.join(map(str, counts))} argument{plural}{named}"


@dataclass(frozen=True)
class Vocabulary:
    """What a formula at one place may use."""

    values: frozenset[str]
    """Names of arguments and outputs."""
    functions: Mapping[str, Signature]
    """Functions that may be called."""
    constants: frozenset[str] = frozenset()
    """Names of numbers."""
    broken: frozenset[str] = frozenset()
    """Functions that exist, but whose entries have mistakes: nothing about calls of them is a mistake."""
    place: str = "here"
    """Where the formula stands, for messages: in the arguments of jv."""

    def problems(self, formula: Formula) -> Iterator[FormulaError]:
        """Everything that is wrong with the names, calls and truth values of a formula."""
        yield from self._value(formula.tree)

    def _value(self, node: ast.expr) -> Iterator[FormulaError]:
        match node:
            case ast.Name(id=name):
                yield from self._name(node, name)
            case ast.Constant(value=bool()):
                yield FormulaError("a truth value stands where a number belongs; write 1 or 0", node.col_offset)
            case ast.BinOp(left, _, right):
                yield from self._value(left)
                yield from self._value(right)
            case ast.UnaryOp(ast.USub() | ast.UAdd(), operand):
                yield from self._value(operand)
            case ast.UnaryOp() | ast.BoolOp() | ast.Compare():
                yield FormulaError(
                    "a condition stands where a number belongs; write where(condition, 1, 0)", node.col_offset
                )
                yield from self._condition(node)
            case ast.Attribute(value=ast.Call() as call, attr=attr):
                yield from self._call(call, selected=attr)
            case ast.Subscript(value=ast.Call() as call, slice=ast.Constant(value=int() as index)):
                yield from self._call(call, selected=index)
            case ast.Call():
                yield from self._call(node, selected=None)

    def _condition(self, node: ast.expr) -> Iterator[FormulaError]:
        match node:
            case ast.Compare(left, _, comparators):
                for child in (left, *comparators):
                    yield from self._value(child)
            case ast.BoolOp(values=values):
                for child in values:
                    yield from self._condition(child)
            case ast.UnaryOp(ast.Not(), operand):
                yield from self._condition(operand)
            case ast.Constant(value=bool()):
                pass
            case _:
                yield FormulaError("a number stands where a condition belongs; write a comparison", node.col_offset)
                yield from self._value(node)

    def _name(self, node: ast.expr, name: str) -> Iterator[FormulaError]:
        if name in self.values or name in self.constants:
            return
        if name in self.functions or name in ("where", "Piecewise"):
            yield FormulaError(f"{name} is a function; write {name}(…)", node.col_offset)
        else:
            hint = did_you_mean(name, self.values | self.constants)
            yield FormulaError(f"unknown name '{name}' {self.place}; {hint}", node.col_offset)

    def _call(self, call: ast.Call, selected: str | int | None) -> Iterator[FormulaError]:
        name = called_name(call)
        if name == "where":
            if len(call.args) != 3 or call.keywords:
                yield FormulaError("write where(condition, a, b)", call.col_offset)
            for index, argument in enumerate(call.args):
                yield from self._condition(argument) if index == 0 else self._value(argument)
            return
        if name == "Piecewise":
            for pair in call.args:
                assert isinstance(pair, ast.Tuple)
                yield from self._value(pair.elts[0])
                yield from self._condition(pair.elts[1])
            return
        signature = self.functions.get(name)
        if name in self.broken or name.rpartition("_d")[0] in self.broken:
            pass
        elif signature is None:
            yield from self._unknown_function(call, name)
        else:
            yield from self._arity(call, signature)
            yield from self._selection(call, signature, selected)
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            if not isinstance(argument, ast.Constant):
                yield from self._value(argument)

    def _unknown_function(self, call: ast.Call, name: str) -> Iterator[FormulaError]:
        if name in self.values:
            message = f"{name} is an argument, not a function; write {name}*(…)"
        else:
            hint = did_you_mean(name, self.functions) or "write the name of a spec's function or an elementary one"
            message = f"unknown function '{name}'; {hint}"
        yield FormulaError(message, call.col_offset)

    def _arity(self, call: ast.Call, signature: Signature) -> Iterator[FormulaError]:
        keywords = [keyword.arg or "" for keyword in call.keywords]
        if signature.free_keywords:
            return
        known = signature.arguments[len(call.args) :]
        for keyword in call.keywords:
            if keyword.arg not in known:
                message = f"{signature.name} has no argument '{keyword.arg}' left; "
                yield FormulaError(message + did_you_mean(keyword.arg or "", known), keyword.col_offset)
                return
        given = len(call.args) + len(keywords)
        if not signature.accepts(given):
            message = f"{signature.name} takes {signature.counts}, not {given}; write the missing ones"
            if given > max(signature.allowed or {len(signature.arguments)}):
                message = f"{signature.name} takes {signature.counts}, not {given}; leave out the others"
            yield FormulaError(message, call.col_offset)
        for argument in call.args if signature.bounded else ():
            if not _is_small(argument):
                message = (
                    f"a constant argument of {signature.name} is a number of at most {MAX_EXPONENT}; write such a one"
                )
                yield FormulaError(message, argument.col_offset)

    def _selection(self, call: ast.Call, signature: Signature, selected: str | int | None) -> Iterator[FormulaError]:
        name, outputs = signature.name, signature.outputs
        if selected is None:
            if outputs:
                yield FormulaError(
                    f"{name} has several outputs; write {name}(…).{outputs[0]} or {name}(…)[0]", call.col_offset
                )
        elif not outputs:
            yield FormulaError(f"{name} has one output; write {name}(…) alone", call.end_col_offset or 0)
        elif isinstance(selected, str) and selected not in outputs:
            yield FormulaError(
                f"{name} has no output '{selected}'; {did_you_mean(selected, outputs)}", call.end_col_offset or 0
            )
        elif isinstance(selected, int) and not 0 <= selected < len(outputs):
            yield FormulaError(
                f"{name} has the outputs 0 to {len(outputs) - 1}; write one of them", call.end_col_offset or 0
            )


class _Resolved(ast.NodeTransformer):
    def __init__(self, functions: Mapping[str, Signature]) -> None:
        self.functions = functions

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        call = self.visit(node.value)
        assert isinstance(call, ast.Call)
        assert isinstance(node.slice, ast.Constant)
        output = self.functions[called_name(call)].outputs[node.slice.value]
        return ast.copy_location(ast.Attribute(call, output, ast.Load()), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        signature = self.functions.get(called_name(node))
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        # Arguments by keyword become positional as far as no default lies between.
        for argument in signature.arguments[len(node.args) :] if signature else ():
            if argument not in named:
                break
            node.args.append(named.pop(argument))
        node.keywords = [keyword for keyword in node.keywords if keyword.arg in named]
        return node


def _is_small(node: ast.expr) -> bool:
    """Not a constant, or one whose exact evaluation by SymPy is cheap."""
    value = constant(node)
    if value is not None:
        return abs(value) <= MAX_EXPONENT
    return any(isinstance(child, ast.Name) and child.id not in _NAMED for child in _values_in(node))


def _values_in(node: ast.expr) -> Iterator[ast.Name]:
    functions = {id(child.func) for child in ast.walk(node) if isinstance(child, ast.Call)}
    return (child for child in ast.walk(node) if isinstance(child, ast.Name) and id(child) not in functions)
