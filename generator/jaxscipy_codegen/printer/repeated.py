"""What stands more than once in the rules of a table, and is long enough to get a name."""

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from jaxscipy_codegen import trees
from jaxscipy_codegen.printer.scope import Scope

_SHORT: dict[type[ast.expr], int] = {ast.BoolOp: 0, ast.Compare: 24, ast.BinOp: 12, ast.Call: 20}
"""Characters below which a repeated condition or value is read more easily where it stands, about."""
_NAME = 8
"""Characters of a name, about."""


class Repetitions:
    """Everything that some rules contain, by number: equal parts are found at once, not by comparing all pairs."""

    def __init__(self, bodies: Sequence[ast.expr], scope: Scope, known: Callable[[ast.expr], bool], saved: int) -> None:
        """`known`: whether a part can be computed beforehand; `saved`: characters that a name has to save in all."""
        self.known, self.saved = known, saved
        self._static = scope.static
        self._structures = trees.Structures()
        self.numbers: dict[int, int] = {}
        """The number of every node, by the node's `id`."""
        for body in bodies:
            self.numbers |= self._structures.numbered(body)
        self._nodes: dict[int, ast.expr] = {}
        self._times: Counter[int] = Counter()
        self._places: dict[int, set[tuple[int, int]]] = {}
        """Where the parts stand: what is inside a repeated part stands in one place, that part."""
        for k, body in enumerate(bodies):
            self._look_at(body, (-1, k))

    def _look_at(self, node: ast.AST, place: tuple[int, int]) -> None:
        number = self.numbers[id(node)]
        if isinstance(node, ast.expr):
            self._nodes.setdefault(number, node)
            self._times[number] += 1
            self._places.setdefault(number, set()).add(place)
        for k, child in enumerate(ast.iter_child_nodes(node)):
            if id(child) in self.numbers:
                self._look_at(child, (number, k))

    def worth_a_name(self) -> Iterator[tuple[int, ast.expr]]:
        """Whatever a name makes shorter by as much as was asked for."""
        lengths: dict[int, int] = {}
        for number in sorted(self._nodes):  # parts before the whole
            node = self._nodes[number]
            lengths[number] = length = _length(node, lambda part: lengths[self.numbers[id(part)]])
            if self.known(node) and self._is_long(number, node, length):
                lengths[number] = _NAME
                yield number, node

    def _is_long(self, number: int, node: ast.expr, length: int) -> bool:
        # A safe operand is named inside of what is named, too: it says little where it stands.
        places = self._times[number] if trees.is_call(node, trees.SAFE) else len(self._places[number])
        if places < 2 or type(node) not in _SHORT or trees.names(node) <= self._static:
            return False
        return length >= _SHORT[type(node)] and (places - 1) * (length - _NAME) >= self.saved

    def equal_to(
        self, parts: Mapping[str, ast.expr], unguarded: Callable[[ast.expr], ast.expr]
    ) -> Iterator[tuple[int, str]]:
        """Everything that is one of `parts`, maybe with safe operands in place of arguments, with that part's name."""
        wanted = {self._number(part): word for word, part in parts.items()}
        for number, node in self._nodes.items() if wanted else ():
            if not isinstance(node, ast.Name | ast.Constant) and self.known(node):
                word = wanted.get(number) or wanted.get(self._number(unguarded(node)))
                if word:
                    yield number, word

    def _number(self, tree: ast.expr) -> int:
        return self._structures.numbered(tree)[id(tree)]


def _length(node: ast.expr, of: Callable[[ast.expr], int]) -> int:
    """About how many characters `node` has in JAX, from the lengths of its parts."""
    parts = [of(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    match node:
        case ast.Name(id):
            return len(id)
        case ast.Constant(value):
            return len(repr(value))
        case ast.Call():
            return sum(parts) + 2 * len(parts) + 4
        case _:
            return sum(parts) + 3 * (len(parts) - 1)
