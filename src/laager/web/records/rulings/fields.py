"""A line of the record as fields of a form: as it holds now, as the draft of a ruling has it, and read back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from enum import Enum
from typing import Any, Literal, get_args, get_origin

from django.http import QueryDict

from laager.base import DataError
from laager.base.files import parse_document
from laager.campaign.wording import yaml_text
from laager.rules.board.card.parts import SIDES
from laager.rules.board.rulings.words import field_in_words

PREFIX = "v."
"""How the names of fields begin in a form."""
LONGEST = 4000
"""Longest text of a field, in characters."""
LONGEST_YAML = 40_000
"""Longest text of a field that holds more, in characters."""


@dataclass(frozen=True)
class FieldView:
    """One field: its name in the record, what it's called, how it's asked (`kind`), and what stands in it.

    Kinds are text, number, check, select, list (text with commas), several (checkboxes) and yaml (whatever holds more,
    such as MLR links).
    """

    name: str
    label: str
    kind: str
    value: Any
    now: Any
    options: tuple[tuple[str, str], ...] = ()
    hint: str = ""

    @property
    def is_changed(self) -> bool:
        """True if the draft has it otherwise than the record."""
        return bool(self.value != self.now)

    @property
    def input_name(self) -> str:
        """The name of the control."""
        return f"{PREFIX}{self.name}"

    @property
    def text(self) -> str:
        """What stands in a control with text."""
        return self.in_words(self.value)

    def in_words(self, value: Any) -> str:
        """Return a value as a control has it."""
        if self.kind == "yaml":
            return value if isinstance(value, str) else yaml_text(value) if value else ""
        if self.kind in ("list", "several"):
            return ", ".join(map(str, value or ()))
        return "" if value is None else str(value)


@dataclass(frozen=True)
class LineView:
    """A line of the record in the editor: its part and key, its title, its fields, and its counter if it has one."""

    part: str
    key: str
    title: str
    fields: tuple[FieldView, ...]
    side: str = ""
    counter: str = ""

    @property
    def is_changed(self) -> bool:
        """True if the draft changes anything of it."""
        return any(field.is_changed for field in self.fields)

    @property
    def id(self) -> str:
        """The id of its form."""
        return "line-" + "".join(sign if sign.isalnum() else "-" for sign in f"{self.part}-{self.key}")


def fields_of(
    part: str, hints: Mapping[str, Any], now: Mapping[str, Any], drafted: Mapping[str, Any]
) -> Iterator[FieldView]:
    """Yield the fields of a line by their types; those that hold more than text and numbers stay for the file."""
    for name, value in now.items():
        hint = hints.get(name)
        if _is_deep(value, hint):
            own = drafted.get(name)
            whole = {**value, **own} if isinstance(value, dict) and isinstance(own, dict) else own
            yield FieldView(name, field_in_words(part, name), "yaml", value if own is None else whole, value)
        elif isinstance(value, dict):
            own = drafted.get(name)
            own = own if isinstance(own, dict) else {}
            for item, held in value.items():
                yield from _field(part, f"{name}[{item}]", None, held, own.get(item, held))
        else:
            yield from _field(part, name, hint, value, drafted.get(name, value))


def _is_deep(value: Any, hint: Any) -> bool:
    """True if a value holds more than text, numbers and lists of text, or will do once there is one."""
    if isinstance(value, dict):
        inner = get_args(get_args(hint)[-1]) if get_args(hint) else ()
        return any(isinstance(held, dict | list) for held in value.values()) or (not value and bool(inner))
    if isinstance(value, list):
        return any(not isinstance(held, str) for held in value)
    return value is None and any(is_dataclass(kind) for kind in _alternatives(hint))


def _field(part: str, name: str, hint: Any, now: Any, value: Any) -> Iterator[FieldView]:
    label = field_in_words(part, name)
    if isinstance(now, bool):
        yield FieldView(name, label, "check", bool(value), now)
    elif isinstance(now, int):
        yield FieldView(name, label, "number", value, now)
    elif options := _options(hint, name, now):
        yield FieldView(name, label, "select", value or "", now or "", options)
    elif isinstance(now, str) or now is None:
        kind = "number" if now is None and _has_number(hint) else "text"
        yield FieldView(name, label, kind, value, now)
    elif isinstance(now, list) and all(isinstance(item, str) for item in now):
        yield FieldView(name, label, "list", value, now)


def _options(hint: Any, name: str, now: Any) -> tuple[tuple[str, str], ...]:
    """Return the values among which a field chooses; () if it doesn't."""
    for kind in _alternatives(hint):
        if isinstance(kind, type) and issubclass(kind, Enum):
            return (("", "–"), *((str(member.value), str(member.value)) for member in kind))
        if get_origin(kind) is Literal:
            return tuple((str(value), str(value)) for value in get_args(kind))
    if now in SIDES or name in ("attacker", "moves_first", "sets_up_first", "last_player", "winner"):
        return (("", "–"), *((side, side) for side in SIDES))
    return ()


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) is not Literal and get_args(hint) else (hint,)


def _has_number(hint: Any) -> bool:
    return int in _alternatives(hint)


# Reading back -------------------------------------------------------------------------------------


def read_fields(given: QueryDict, fields: Iterable[FieldView]) -> dict[str, Any]:
    """Return what a form says otherwise than the record, by field; items of mappings one level down."""
    changes: dict[str, Any] = {}
    for field in fields:
        value = _read(given, field)
        if value == field.now or (value == "" and field.now is None):
            continue
        name, bracket, item = field.name.partition("[")
        if bracket:
            changes.setdefault(name, {})[item.removesuffix("]")] = value
        else:
            changes[name] = value
    return changes


def _read(given: QueryDict, field: FieldView) -> Any:
    if field.kind == "check":
        return field.input_name in given
    if field.kind == "several":
        return [value for value in given.getlist(field.input_name) if value]
    if field.kind == "yaml":
        return _read_yaml(given.get(field.input_name, "").replace("\r\n", "\n")[:LONGEST_YAML], field)
    text = given.get(field.input_name, "").strip()[:LONGEST]
    if field.kind == "list":
        return [word.strip() for word in text.split(",") if word.strip()]
    if field.kind == "number" and text:
        # What isn't a number is refused with the rest, in words.
        return int(text) if text.lstrip("-").isdecimal() and len(text) < 12 else text
    return text


def _read_yaml(text: str, field: FieldView) -> Any:
    """Return what a text means; the text itself if it can't be read, which is refused with the rest."""
    if not text.strip():
        return type(field.now)() if isinstance(field.now, dict | list) else None
    try:
        # A draft is kept as JSON: its names are text.
        return json.loads(json.dumps(parse_document(text, "").data))
    except (DataError, TypeError, ValueError):
        return text
