"""The state as named parts and fields: read as plain values, written from them, and who may know each.

A part is what a record sheet is made of: the lines of a roster (`units`, `forts`, `groups`, `sides`, `past`,
`areas`), one thing (`ground`, and `fight` or `scenario`), or what is left (`campaign`). Parts and fields are those of
the state's own classes, so a new field of them is one here without anything being said twice.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from pydantic import AfterValidator, BaseModel, ValidationError, create_model

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.base.files import Document, FilePart, problems_of
from laager.rules.board.knowledge import Known
from laager.rules.board.state import BoardState, evolve
from laager.rules.board.units import RecordLine, Unit

StateT = TypeVar("StateT", bound=BoardState)

CAMPAIGN = "campaign"
"""The part with what belongs to no other: agreed, option, the line of the front …"""
LEFT_OUT = frozenset({"viewer", "turning", "taking_up", "omit", "done", "round", "notes"})
"""Fields of a state that no part has: who looks, the sequence, and notes, which are only ever added to."""


LINES = frozenset({"units", "forts", "groups", "sides", "past", "areas"})
"""The fields of states that are lists of lines."""
ALONE = frozenset({"ground", "fight", "scenario"})
"""The fields of states that are one line each."""


def battle_part(state_class: type[BoardState]) -> str:
    """Return the name of the part that is the present battle: a fight, or a scenario."""
    return next(name for name in ("fight", "scenario") if name in parts_of(state_class))


@dataclass(frozen=True)
class Part:
    """A named part of a state: its lines are of class `line`, by `keys` (units by id, …) or one alone ("")."""

    name: str
    line: type
    keys: str = ""

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields of a line with their types."""
        return _fields(self.line)

    def lines(self, state: BoardState) -> Mapping[str, Any]:
        """Return the lines of a state by their keys as text."""
        if self.name == CAMPAIGN:
            return {"": state}
        value = getattr(state, self.name)
        if not self.keys:
            return {"": value}
        if isinstance(value, Mapping):
            return {to_plain_key(key): line for key, line in value.items()}
        return {to_plain_key(_key_in(self, line)): line for line in value}

    def with_line(self, state: StateT, key: str, line: Any) -> StateT:
        """Return the state with a line in the place of the one with this key, or added; None removes it."""
        if self.name == CAMPAIGN:
            return line  # type: ignore[no-any-return]
        if not self.keys:
            return evolve(state, **{self.name: line})
        held = getattr(state, self.name)
        if isinstance(held, Mapping):
            lines = {own: line if to_plain_key(own) == key else old for own, old in held.items()}
            if line is not None and key not in map(to_plain_key, held):
                lines[_key_in(self, line)] = line
            return evolve(state, **{self.name: {own: kept for own, kept in lines.items() if kept is not None}})
        lines_ = {**self.lines(state), key: line}
        return evolve(state, **{self.name: tuple(kept for kept in lines_.values() if kept is not None)})


@cache
def parts_of(state_class: type[BoardState]) -> Mapping[str, Part]:
    """Return the parts of states of a class, by name."""
    parts = {}
    hints = get_type_hints(state_class)
    for field in dataclasses.fields(state_class):
        if field.name in LINES | ALONE:
            parts[field.name] = _part(state_class, field.name, hints[field.name])
    return parts | {CAMPAIGN: Part(CAMPAIGN, state_class)}


def _part(state_class: type[BoardState], name: str, hint: Any) -> Part:
    """Return the part that a field of a state is."""
    if name == "sides":
        return Part(name, state_class.side_class, "side")
    line = next(inner for inner in (hint, *get_args(hint)) if dataclasses.is_dataclass(inner) or _is_model(inner))
    return Part(name, line, "" if name in ALONE else {"past": "number"}.get(name, "id"))


def _is_model(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, BaseModel)


@cache
def _fields(line: type) -> Mapping[str, Any]:
    """Return the fields of a class of lines with their types."""
    hints = get_type_hints(line)
    if issubclass(line, BaseModel):
        return {name: hints[name] for name in line.model_fields}
    names = _names(line)
    if issubclass(line, BoardState):
        names = [name for name in names if name not in LEFT_OUT | LINES | ALONE]
    return {name: hints[name] for name in names}


def _names(line: Any) -> list[str]:
    return [field.name for field in dataclasses.fields(line)]


def _key_in(part: Part, line: Any) -> Any:
    """Return the key under which a state keeps a line."""
    if part.name == "groups":
        return line.side, line.id
    if part.name == "areas":
        return line.side, line.name
    return getattr(line, part.keys)


# Plain values -------------------------------------------------------------------------------------


def to_plain_key(key: Any) -> str:
    """Return a key of a mapping as text: `axis:I1/2` for the group I1/2 of the Axis."""
    return ":".join(map(str, key)) if isinstance(key, tuple) else str(key)


def to_plain(value: Any) -> Any:
    """Return a value of a state as a file has it: mappings, lists, text, numbers. Sets are in order."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, frozenset | set):
        return sorted(map(to_plain, value))
    if isinstance(value, Mapping):
        return {to_plain_key(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, BaseModel):
        return {name: to_plain(getattr(value, name)) for name in type(value).model_fields}
    if dataclasses.is_dataclass(value):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return value


@cache
def values_model(line: type) -> type[BaseModel]:
    """Return the model of a line's fields as a file has them, none of them needed."""
    fields: dict[str, Any] = {name: (_as_filed(hint), None) for name, hint in _fields(line).items()}
    return create_model(f"{line.__name__}Values", __base__=FilePart, __doc__=line.__doc__, **fields)


def _as_filed(hint: Any) -> Any:
    """Return a type as files have it: keys of several parts are text."""
    if issubclass(get_origin(hint) or object, Mapping):
        key, item = get_args(hint)
        if get_origin(key) is tuple:
            kinds = get_args(key)
            by_text: Any = dict.__class_getitem__((str, item))
            return Annotated[by_text, AfterValidator(lambda held: _split_keys(held, kinds))]
    return hint


def _split_keys(held: Mapping[str, Any], kinds: tuple[type, ...]) -> dict[Any, Any]:
    split = {}
    for text, item in held.items():
        words = text.split(":", len(kinds) - 1)
        if len(words) != len(kinds):
            raise ValueError(f"{text!r} isn't a key here; write SIDE:NAME")
        split[tuple(kind(word) for kind, word in zip(kinds, words, strict=True))] = item
    return split


def from_plain(line: type, values: Mapping[str, Any], where: str = "") -> dict[str, Any]:
    """Return fields of a line from plain values. Raises DataError with every problem; `where` begins their fields."""
    model = values_model(line)
    try:
        read = model.model_validate(values)
    except ValidationError as err:
        problems = problems_of(err, Document(values, ""), model)
        raise DataError([problem.inside(where) if where else problem for problem in problems]) from None
    return {name: getattr(read, name) for name in read.model_fields_set}


# Reading and writing one field --------------------------------------------------------------------


@dataclass(frozen=True)
class Ref:
    """What is named in a state: a part, the key of a line in it, a field, and a key in a field that is a mapping.

    As text: `units AX101 marks`, `ground control[H7]`, `sides axis cp`.
    """

    part: str
    key: str
    field: str
    item: str = ""

    def __str__(self) -> str:
        field = f"{self.field}[{self.item}]" if self.item else self.field
        return " ".join(word for word in (self.part, self.key, field) if word)


def refer(part: str, key: str, field: str) -> Ref:
    """Return what a part, the key of a line and a field name; `control[H7]` names one item of a mapping."""
    name, bracket, item = field.partition("[")
    return Ref(part, key, name, item.removesuffix("]") if bracket else "")


def find_part(state: BoardState, name: str) -> Part:
    """Return a part of a state. Raises RefusedError if there is none of this name."""
    parts = parts_of(type(state))
    if name not in parts:
        advice = did_you_mean(name, parts, "there are")
        raise RefusedError(Refusal.NO_SUCH, f"the record has no part {name!r}", advice)
    return parts[name]


def find_line(state: BoardState, part: str, key: str) -> Any:
    """Return a line of a part. Raises RefusedError if there is none with this key."""
    there = find_part(state, part)
    if there.keys and key in (held := getattr(state, there.name)):
        return held[key]
    lines = there.lines(state)
    if key not in lines:
        raise RefusedError(Refusal.NO_SUCH, f"there is no {key!r} in {part}", did_you_mean(key, lines, "there are"))
    return lines[key]


def find_field(state: BoardState, ref: Ref) -> Any:
    """Return the type of a field. Raises RefusedError if lines of its part have no such field."""
    fields = find_part(state, ref.part).fields
    if ref.field not in fields:
        advice = did_you_mean(ref.field, fields, "there are")
        raise RefusedError(Refusal.NO_SUCH, f"{ref.part} has no field {ref.field!r}", advice)
    return fields[ref.field]


def read(state: BoardState, ref: Ref) -> Any:
    """Return a field as a plain value; None for an item that its mapping doesn't have. Raises RefusedError."""
    find_field(state, ref)
    value = to_plain(getattr(find_line(state, ref.part, ref.key), ref.field))
    return value.get(ref.item) if ref.item else value


def write(state: StateT, part: str, key: str, changes: Mapping[str, Any]) -> StateT:
    """Return the state with fields of a line written from plain values, or as it is if it has no such line.

    A field `control[H7]` is one item of a mapping, and None removes it. Raises RefusedError for a part or field
    that there isn't, DataError with everything that is wrong with the values.
    """
    held = find_part(state, part).lines(state).get(key)
    if held is None:
        return state
    values: dict[str, Any] = {}
    for name, value in changes.items():
        ref = refer(part, key, name)
        find_field(state, ref)
        items = values.get(ref.field, to_plain(getattr(held, ref.field)))
        values[ref.field] = _with_item(items, ref, value) if ref.item else value
    fields = from_plain(type(held), values, f"{part}.{key}" if key else part)
    return parts_of(type(state))[part].with_line(state, key, change_line(held, fields))


def _with_item(items: Any, ref: Ref, value: Any) -> dict[str, Any]:
    """Return a mapping with one item set, or without it if the value is None. Raises DataError."""
    if not isinstance(items, Mapping):
        raise DataError([Problem(f"{ref.field} has no items by name", f"write {ref.field} alone", str(ref))])
    others = {name: item for name, item in items.items() if name != ref.item}
    return others if value is None else {**others, ref.item: value}


def change_line(line: Any, fields: Mapping[str, Any]) -> Any:
    """Return a line with some fields changed to values that were read."""
    if isinstance(line, RecordLine):
        return line.but(**fields)
    return evolve(line, **fields)


def new_line(part: Part, values: Mapping[str, Any], where: str = "") -> Any:
    """Return a new line from plain values, what they leave out as its class has it. Raises DataError."""
    fields = from_plain(part.line, values, where)
    try:
        return part.line(**fields)
    except ValidationError as err:
        problems = problems_of(err, Document(values, ""), part.line)
        raise DataError([problem.inside(where) if where else problem for problem in problems]) from None
    except TypeError:
        needed = ", ".join(name for name in part.fields if name not in fields and _is_needed(part.line, name))
        raise DataError([Problem(f"{needed} is missing", "add it", where)]) from None


def add(state: StateT, part: str, values: Mapping[str, Any]) -> StateT:
    """Return the state with a new line in a part. Raises RefusedError or DataError."""
    there = find_part(state, part)
    line = new_line(there, values, part)
    key = to_plain_key(_key_in(there, line)) if there.keys and part != "sides" else ""
    if key in there.lines(state):
        raise DataError([Problem(f"{key} is in {part} already", "choose another number", part)])
    return there.with_line(state, key, line)


def remove(state: StateT, part: str, key: str) -> StateT:
    """Return the state without a line, or as it is if it has no such line. Raises RefusedError."""
    there = find_part(state, part)
    return there.with_line(state, key, None) if key in there.lines(state) else state


def defaults(line: type) -> Mapping[str, Any]:
    """Return what the fields of a line are if nothing is said, as plain values; needed ones are left out."""
    return _defaults(line)


@cache
def _defaults(line: type) -> Mapping[str, Any]:
    values = {}
    if issubclass(line, BaseModel):
        for name, info in line.model_fields.items():
            if not info.is_required():
                values[name] = to_plain(info.get_default(call_default_factory=True))
        return values
    kept: Any = line
    for field in dataclasses.fields(kept):
        if field.default is not dataclasses.MISSING:
            values[field.name] = to_plain(field.default)
        elif field.default_factory is not dataclasses.MISSING:
            values[field.name] = to_plain(field.default_factory())
    return values


def _is_needed(line: type, name: str) -> bool:
    return name not in _defaults(line)


# Who knows ----------------------------------------------------------------------------------------


def who_knows(state: BoardState, ref: Ref) -> tuple[str, ...] | None:
    """Return who may know a field, as facts say it: None for everybody, else the sides.

    `state` is the umpire's. A field whose items belong to different sides is nobody's: name the item. The SAN is
    everybody's without what was bought in secret. Raises RefusedError.
    """
    find_field(state, ref)
    line = find_line(state, ref.part, ref.key)
    known = knowledge(state, line, ref.part, ref.field)
    if known is Known.LINE:
        return line_audience(line)
    if known is Known.OWN:
        return (ref.key,) if ref.part == "sides" else (line.side,)
    if isinstance(known, Known) and known is not Known.PUBLIC:
        owner = owner_of(state, known, ref.item)
        return (owner,) if owner else ()
    return None if known is Known.PUBLIC else (known,)


def knowledge(state: BoardState, line: Any, part: str, field: str) -> Known | str:
    """Return who knows a field of a line: in the words of its class, or a side."""
    table = getattr(type(line), "knowledge", {})
    default = Known.LINE if isinstance(line, RecordLine) and hasattr(line, "id") else Known.PUBLIC
    default = Known.OWN if part == "groups" else default
    said = table.get(field, default)
    return said if isinstance(said, Known) else said(state, line)


def line_audience(line: Any) -> tuple[str, ...] | None:
    """Return who may know that a line is there: a known unit is everybody's to know, as is a fort that isn't hidden."""
    if isinstance(line, Unit):
        return line.audience
    if hasattr(line, "hidden"):
        return (line.side,) if line.hidden else None
    return (line.side,) if hasattr(line, "side") and hasattr(line, "id") else None


def owner_of(state: BoardState, known: Known, item: str) -> str:
    """Return the side to which an item of a mapping belongs; "" if none is known."""
    if known is Known.BY_SIDE:
        return item.split(":", maxsplit=1)[0]
    lines: Mapping[str, Any] = state.units if known is Known.BY_UNIT else state.forts
    return lines[item].side if item in lines else ""
