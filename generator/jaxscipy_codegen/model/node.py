"""A mapping of a spec file as a frozen pydantic model that knows its key and its place."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ModelWrapValidatorHandler, PrivateAttr, model_validator

from jaxscipy_codegen.errors import NOWHERE, Position


class Node(BaseModel):
    """A mapping of a spec file."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, arbitrary_types_allowed=True, use_attribute_docstrings=True
    )

    _name: str = PrivateAttr("")
    _position: Position = PrivateAttr(NOWHERE)
    _source: Any = PrivateAttr(None)

    @property
    def name(self) -> str:
        """The key that this mapping stands under."""
        return self._name

    @property
    def position(self) -> Position:
        """Where that key is."""
        return self._position

    def place(self, *path: str) -> Position:
        """Where a key below this mapping is (`place("args", "z", "domain")`), or as far as the file has the path."""
        here, position = self._source, self._position
        for key in path:
            places = getattr(here, "keys_at", {})
            if key not in places:
                break
            position, here = places[key], here.get(key)
        return position

    @model_validator(mode="wrap")
    @classmethod
    def _keep_place(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        node = handler(data)
        if not isinstance(data, Node):
            node._name, node._position = getattr(data, "name", ""), getattr(data, "position", NOWHERE)
            node._source = data
        return node

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other
