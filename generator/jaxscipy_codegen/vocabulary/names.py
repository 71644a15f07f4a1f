"""The names, calls and truth values of a formula: which are right at its place, and what to write instead."""

import ast
import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from jaxscipy_codegen.errors import did_you_mean
from jaxscipy_codegen.formula import MAX_EXPONENT, NAMED, Formula, FormulaError, called_name, constant
from jaxscipy_codegen.functions import CHOICES


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
    flags: frozenset[str] = frozenset()
    """Static arguments that are true or false: conditions as they stand."""
    condition: bool = False
    """Whether a condition stands there, not a number."""

    def problems(self, formula: Formula) -> Iterator[FormulaError]:
        """Everything that is wrong with the names, calls and truth values of a formula."""
        yield from (self._condition if self.condition else self._value)(formula.tree)

    def settle(self, formula: Formula) -> None:
        """Brings the tree of a formula without problems into the form that the rest of the generator reads."""
        object.__setattr__(formula, "tree", _Settled(self.functions).visit(copy.deepcopy(formula.tree)))

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
            case _:
                pass  # a number

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
            case ast.Name(id=name) if name in self.flags:
                pass
            case _:
                yield FormulaError("a number stands where a condition belongs; write a comparison", node.col_offset)
                yield from self._value(node)

    def _name(self, node: ast.expr, name: str) -> Iterator[FormulaError]:
        if name in self.values or name in self.constants:
            return
        if name in self.functions or name in CHOICES:
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


class _Settled(ast.NodeTransformer):
    def __init__(self, functions: Mapping[str, Signature]) -> None:
        self.functions = functions

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        call = self.visit(node.value)
        assert isinstance(call, ast.Call)
        assert isinstance(node.slice, ast.Constant)
        assert isinstance(node.slice.value, int)
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
    return any(child.id not in NAMED for child in _values_in(node))


def _values_in(node: ast.expr) -> Iterator[ast.Name]:
    functions = {id(child.func) for child in ast.walk(node) if isinstance(child, ast.Call)}
    return (child for child in ast.walk(node) if isinstance(child, ast.Name) and id(child) not in functions)
