"""Before and after: what differs between two states of a campaign, as a viewer sees it, in words."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from laager.rules.board.card.parts import SIDES
from laager.rules.board.context import CardContext
from laager.rules.board.record import parts
from laager.rules.board.rulings.words import field_in_words, value_in_words
from laager.rules.board.state import BoardState

UNSAID = frozenset({"next_unit", "next_fort", "arrived"})
"""Fields that only count, of which nobody needs to read."""


@dataclass(frozen=True)
class Difference:
    """One field of the record, before and after."""

    part: str
    key: str
    label: str
    """What players call the line: `4-6-7 A (AX101)`, `axis`."""
    field: str
    before: Any
    after: Any
    names: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """What players call the sides."""

    @property
    def text(self) -> str:
        """The difference in a line."""
        head = ": ".join(word for word in (self.line, self.about) if word)
        return f"{head}: {self.was} → {self.now}"

    @property
    def line(self) -> str:
        """What players call the line; a side by its people."""
        return self.names.get(self.label, self.label)

    @property
    def about(self) -> str:
        """What players call the field; "" for a line that comes or goes."""
        return field_in_words(self.part, self.field) if self.field else ""

    @property
    def was(self) -> str:
        """What was there, in words."""
        return self._in_words(self.before)

    @property
    def now(self) -> str:
        """What is there now, in words."""
        return self._in_words(self.after)

    def _in_words(self, value: Any) -> str:
        return self.names.get(value) or value_in_words(value) if isinstance(value, str) else value_in_words(value)

    def describe(self) -> dict[str, Any]:
        """Return it for programs."""
        return {
            "part": self.part,
            "key": self.key,
            "field": self.field,
            "before": self.before,
            "after": self.after,
            "words": [self.line, self.about, self.was, self.now],
            "text": self.text,
        }


def differences(before: CardContext, after: CardContext) -> list[Difference]:
    """Return every field in which two states of a campaign differ, part by part."""
    names = {side: after.people_of(side) for side in SIDES}
    return [replace(difference, names=names) for difference in _differences(before.state, after.state)]


def _differences(before: BoardState, after: BoardState) -> list[Difference]:
    by_part = (_in_part(part, before, after) for part in parts.parts_of(type(after)).values())
    return [difference for in_part in by_part for difference in in_part]


def _in_part(part: parts.Part, before: BoardState, after: BoardState) -> Iterator[Difference]:
    old, new = part.lines(before), part.lines(after)
    for key in dict.fromkeys((*old, *new)):
        was, now = old.get(key), new.get(key)
        if was is now or was == now:
            continue
        label = str(getattr(now if was is None else was, "label", "")) or key.replace(":", " ")
        if part.name == "forts":
            label = f"{label} ({key})"
        if was is None or now is None:
            there = _sketch(part, was or now)
            yield Difference(part.name, key, label, "", there if now is None else None, there if was is None else None)
            continue
        for name in part.fields:
            if name not in UNSAID:
                yield from _in_field(part, key, label, name, was, now)


def _in_field(part: parts.Part, key: str, label: str, name: str, was: Any, now: Any) -> Iterator[Difference]:
    old, new = parts.to_plain(getattr(was, name)), parts.to_plain(getattr(now, name))
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for item in dict.fromkeys((*old, *new)):
            if old.get(item) != new.get(item):
                yield Difference(part.name, key, label, f"{name}[{item}]", old.get(item), new.get(item))
        return
    yield Difference(part.name, key, label, name, old, new)


def _sketch(part: parts.Part, line: Any) -> str:
    """Return what is said of a line that comes or goes: its side, and where it is."""
    said = [str(getattr(line, name, "") or "") for name in ("side", "place", "at")]
    return " ".join(word for word in said if word) or part.name
