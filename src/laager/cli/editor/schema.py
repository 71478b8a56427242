"""What the JSON Schema of a kind of file says about a place in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.cli.editor.cursor import Step

Node = Mapping[str, Any]
"""A part of a JSON Schema."""


@dataclass(frozen=True)
class FieldHelp:
    """A field that can stand at a place, what it means, and if it must be there."""

    name: str
    meaning: str
    default: str
    needed: bool


class FileSchema:
    """The JSON Schema of a kind of file, asked by paths."""

    def __init__(self, schema: Node) -> None:
        self._schema = schema

    def find(self, path: Sequence[Step]) -> tuple[Node, ...]:
        """Return what can stand at a path: several parts of the schema where it leaves a choice."""
        nodes = tuple(self._choices(self._schema))
        for step in path:
            nodes = tuple(choice for node in nodes for part in _inside(node, step) for choice in self._choices(part))
        return nodes

    def list_fields(self, path: Sequence[Step]) -> list[FieldHelp]:
        """Return the fields that the mapping at a path can have, those that it needs first."""
        fields: dict[str, FieldHelp] = {}
        for node in self.find(path):
            for name, part in node.get("properties", {}).items():
                default = _show(part["default"]) if part.get("default") is not None else ""
                needed = name in node.get("required", ())
                fields.setdefault(name, FieldHelp(name, self.explain(part), default, needed))
            for name in self.list_words([node.get("propertyNames", {})]):
                fields.setdefault(name, FieldHelp(name, "", "", needed=False))
        return sorted(fields.values(), key=lambda field: not field.needed)

    def list_words(self, nodes: Iterable[Node]) -> list[str]:
        """Return the words that can stand at a place where only some can."""
        words: dict[str, None] = {}
        for choice in (choice for node in nodes for choice in self._choices(node)):
            values = [choice["const"]] if "const" in choice else choice.get("enum", ())
            shown = ["yes", "no"] if choice.get("type") == "boolean" else map(_show, values)
            words.update(dict.fromkeys(shown))
        return list(words)

    def explain(self, node: Node) -> str:
        """Return what a part means: by itself, else by what it leads to; "" if nothing is said of it."""
        if "description" in node:
            return str(node["description"])
        meant = (choice["description"] for choice in self._choices(node) if "description" in choice)
        return str(next(meant, ""))

    def _choices(self, node: Node) -> Iterator[Node]:
        """Yield the parts that a part refers to or leaves a choice between."""
        if "$ref" in node:
            yield from self._choices(self._schema["$defs"][node["$ref"].rsplit("/", 1)[-1]])
            return
        choices = [*node.get("anyOf", ()), *node.get("oneOf", ()), *node.get("allOf", ())]
        for choice in choices:
            yield from self._choices(choice)
        if not choices:
            yield node


def _inside(node: Node, step: Step) -> Iterator[Node]:
    """Yield what can stand one step inside a part."""
    if isinstance(step, int):
        items = [node.get("items"), *node.get("prefixItems", ())]
        yield from (part for part in items if isinstance(part, dict))
    elif step in node.get("properties", {}):
        yield node["properties"][step]
    elif isinstance(node.get("additionalProperties"), dict):
        yield node["additionalProperties"]
    else:
        yield from node.get("patternProperties", {}).values()


def _show(value: object) -> str:
    """Return a value as YAML has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value in ([], {}) else str(value)
