"""YAML files as data with places. Strict: a mistake is never read as something else."""

import re
from typing import Any

import yaml
from yaml.composer import Composer
from yaml.parser import Parser
from yaml.reader import Reader, ReaderError
from yaml.scanner import Scanner

from jaxscipy_codegen.errors import Position, Problem
from jaxscipy_codegen.yaml_source.data import Data, Mapping, Real, Sequence, Text, Whole

MAX_DEPTH = 30


def read(text: str, file: str) -> tuple[Data, list[Problem]]:
    """The data in the YAML document `text`, and what is wrong with it; `file` is the name in positions."""
    try:
        composer = _Composer(text, file)
    except ReaderError as error:
        before = text[: error.position]
        position = Position(file, before.count("\n") + 1, len(before) - before.rfind("\n"))
        message = f"the character U+{ord(text[error.position]):04X} can't stand in YAML; leave it out"
        return None, [Problem(position, "", message)]
    try:
        node = composer.get_single_node()
    except yaml.MarkedYAMLError as error:
        return None, [*composer.problems, composer.syntax_problem(error)]
    if node is None:
        return None, [Problem(Position(file, 1, 1), "", "the file is empty; write module, title and functions")]
    return composer.data(node, name="", key_at=composer.place(node.start_mark), path=()), composer.problems


class _Composer(Reader, Scanner, Parser, Composer):
    """PyYAML up to its nodes; from there on our own rules."""

    def __init__(self, text: str, file: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)
        self.text, self.file, self.problems, self.depth = text, file, list[Problem](), 0

    def place(self, mark: yaml.Mark) -> Position:
        return Position(self.file, mark.line + 1, mark.column + 1)

    def syntax_problem(self, error: yaml.MarkedYAMLError) -> Problem:
        mark = error.problem_mark or error.context_mark
        message = (error.problem or error.context or "not YAML").removeprefix("but ")
        hint = next((hint for part, hint in _SYNTAX_HINTS.items() if part in message), _SYNTAX_HINTS[""])
        return Problem(self.place(mark) if mark else Position(self.file, 1, 1), "", f"{message}; {hint}")

    # Called by PyYAML for every node.

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node:
        event = self.peek_event()
        if self.depth > MAX_DEPTH:
            raise yaml.MarkedYAMLError(problem="nested too deeply", problem_mark=event.start_mark)
        if isinstance(event, yaml.AliasEvent):
            self.get_event()
            self._refuse(event, f"*{event.anchor}: references to anchors are not part of specs; write the value again")
            return yaml.ScalarNode(_REFUSED, "", event.start_mark, event.end_mark)
        if event.anchor is not None:
            self._refuse(event, f"&{event.anchor}: anchors are not part of specs; leave it out")
            event.anchor = None
        if event.tag is not None and event.tag != "!":
            self._refuse(
                event, f"{event.tag.replace('tag:yaml.org,2002:', '!!')}: tags are not part of specs; leave it out"
            )
        self.depth += 1
        try:
            node = super().compose_node(parent, index)
            assert node is not None
            return node
        finally:
            self.depth -= 1

    def _refuse(self, event: yaml.NodeEvent, message: str) -> None:
        self.problems.append(Problem(self.place(event.start_mark), "", message))

    def descend_resolver(self, current_node: yaml.Node | None, current_index: Any) -> None:
        """Tags are ours to resolve, in `data`."""

    def ascend_resolver(self) -> None:
        """See `descend_resolver`."""

    def resolve(self, kind: type[yaml.Node], value: str | None, implicit: Any) -> str:
        return ""

    # From nodes to data.

    def data(self, node: yaml.Node, name: str, key_at: Position, path: tuple[str, ...]) -> Data:
        match node:
            case yaml.MappingNode():
                return self._mapping(node, name, key_at, path)
            case yaml.SequenceNode():
                values = Sequence()
                for index, child in enumerate(node.value):
                    position = self.place(child.start_mark)
                    values.append(self.data(child, "", position, (*path, str(index))))
                    values.values_at.append(position)
                return values
            case yaml.ScalarNode():
                return self._scalar(node, path)
            case _:
                raise AssertionError(f"no node of YAML: {node}")

    def _mapping(self, node: yaml.MappingNode, name: str, position: Position, path: tuple[str, ...]) -> Mapping:
        mapping = Mapping(position, name)
        for key_node, value_node in self._joined(node, path):
            key_at = self.place(key_node.start_mark)
            if not isinstance(key_node, yaml.ScalarNode):
                self.problems.append(Problem(key_at, ".".join(path), "a key is a plain word; write key: value"))
                continue
            key = key_node.value
            here = (*path, key)
            if key == "<<" and key_node.style is None:
                message = "merge keys are not part of specs; write the keys out"
                self.problems.append(Problem(key_at, ".".join(here), message))
            elif key in mapping:
                message = (
                    f"the key stands here a second time, first in line {mapping.keys_at[key].line}; keep one of them"
                )
                self.problems.append(Problem(key_at, ".".join(here), message))
            else:
                mapping.keys_at[key] = key_at
                mapping.values_at[key] = self.place(value_node.start_mark)
                mapping[key] = self.data(value_node, key, key_at, here)
        return mapping

    def _joined(self, node: yaml.MappingNode, path: tuple[str, ...]) -> list[tuple[yaml.Node, yaml.Node]]:
        """The pairs of a mapping. `{rule: jv(v, z)}` is two pairs to YAML: said once, and read as it was meant."""
        pairs: list[tuple[yaml.Node, yaml.Node]] = []
        for key, value in node.value:
            bare = isinstance(key, yaml.ScalarNode) and key.style is None and value.end_mark.index <= key.end_mark.index
            if not (node.flow_style and bare and pairs and isinstance(pairs[-1][1], yaml.ScalarNode)):
                pairs.append((key, value))
                continue
            owner, cut = pairs.pop()
            text = " ".join(self.text[cut.start_mark.index : key.end_mark.index].split())
            pairs.append((owner, yaml.ScalarNode("", text, cut.start_mark, key.end_mark)))
            place = self.place(cut.start_mark)
            said = [problem for problem in self.problems if problem.position != place]
            message = f'a comma inside braces ends the value; write it in quotes: "{text}"'
            self.problems = [*said, Problem(place, ".".join((*path, owner.value)), message)]
        return pairs

    def _scalar(self, node: yaml.ScalarNode, path: tuple[str, ...]) -> Data:
        position = self.place(node.start_mark)
        number: Whole | Real | None = None
        if node.style is None:
            if node.tag == _REFUSED or node.value in ("", "~", "null", "Null", "NULL"):
                return None
            if node.value in ("true", "True", "TRUE", "false", "False", "FALSE"):
                return node.value.lower() == "true"
            number = self._number(node.value, position, path)
        if number is not None:
            number.position = position
            return number
        text = Text(node.value)
        text.position, text.style = position, node.style
        text.raw = self.text[node.start_mark.index : node.end_mark.index]
        return text

    def _number(self, text: str, position: Position, path: tuple[str, ...]) -> Whole | Real | None:
        if len(text) < 400 and re.fullmatch(r"[-+]?[0-9]+", text):
            return Whole(text)
        if re.fullmatch(r"0o[0-7]{1,40}", text):
            return Whole(text[2:], 8)
        if re.fullmatch(r"0x[0-9a-fA-F]{1,40}", text):
            return Whole(text[2:], 16)
        if re.fullmatch(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", text):
            number = Real(text)
            if abs(number) == float("inf"):
                message = f"{text[:20]} is too large for a number; write .inf"
                self.problems.append(Problem(position, ".".join(path), message))
            return number
        if re.fullmatch(r"[-+]?\.(inf|Inf|INF)", text):
            return Real(text.replace(".", ""))
        return Real("nan") if text in (".nan", ".NaN", ".NAN") else None


_REFUSED = "refused"
_SYNTAX_HINTS = {
    "\\t": "indent with spaces, not tabs",
    "mapping values are not allowed": "put text that holds ': ' in quotes",
    "block collection": "check the indentation",
    "found a tab": "indent with spaces, not tabs",
    "expected <block end>": "check the indentation and put text that starts with a sign in quotes",
    "could not find expected ':'": "write key: value",
    "',' or '}'": "close the brace, and put text that holds , : { } [ ] or # in quotes",
    "',' or ']'": "close the bracket, and put text that holds , : { } [ ] or # in quotes",
    "while scanning a quoted scalar": "close the quotes",
    "unexpected end of stream": "close the quotes",
    "cannot start any token": "put the text in quotes",
    "another document": "write one document, without ---",
    "nested too deeply": f"specs have at most {MAX_DEPTH} levels",
    "": "check the indentation and put text with special signs in quotes",
}
