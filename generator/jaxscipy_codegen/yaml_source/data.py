"""Python data that knows where it stands in a YAML file."""

from typing import Any

from jaxscipy_codegen.errors import NOWHERE, Position


class Text(str):
    """A string of a file. `raw` is how it is written there, quotes and line breaks included."""

    position: Position = NOWHERE
    raw: str = ""
    style: str | None = None

    def at(self, offset: int) -> Position:
        """The place in the file of the character number `offset` of the string."""
        # The raw text holds the string's characters in order, between quotes, indentation and line breaks.
        place = self.raw.find("\n") + 1 if self.style in ("|", ">") else len(self.style or "")
        for index, character in enumerate(self):
            if character.isspace():
                continue
            found = self.raw.find(character, place)
            if found < 0:
                return self.position
            if index >= offset:
                place = found
                break
            place = found + 1
        before = self.raw[:place]
        newline = before.rfind("\n")
        if newline < 0:
            return self.position.shifted(place)
        return Position(self.position.file, self.position.line + before.count("\n"), place - newline)


class Whole(int):
    """An integer of a file."""

    position: Position = NOWHERE


class Real(float):
    """A real number of a file."""

    position: Position = NOWHERE


class Sequence(list[Any]):
    """A list of a file, with the places of its entries."""

    def __init__(self) -> None:
        super().__init__()
        self.values_at: list[Position] = []


class Mapping(dict[str, Any]):
    """A mapping of a file, with the places of its keys and values; `name` is the key that it stands under itself."""

    def __init__(self, position: Position, name: str) -> None:
        super().__init__()
        self.position, self.name = position, name
        self.keys_at: dict[str, Position] = {}
        self.values_at: dict[str, Position] = {}


Data = Mapping | Sequence | Text | Whole | Real | bool | None
