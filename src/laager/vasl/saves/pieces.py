"""Pieces as VASSAL builds them: a basic piece inside traits, each with a type and a state."""

from __future__ import annotations

import re
from dataclasses import dataclass

from laager.base import DataError, Problem
from laager.vasl.saves.commands import Added
from laager.vasl.saves.owners import printable
from laager.vasl.saves.sequence import Work, decode, unfold

TAB = "\t"
MAX_TRAITS = 250
MAX_FIELDS = 1000
MAX_MAP = 64
FARTHEST = 1_000_000
"""How far from the corner of a map a piece may lie, in pixels."""

_BEHAVIOUR = frozenset(
    {
        "info",
        "immob",
        "replace",
        "placemark",
        "placeDM",
        "report",
        "translate",
        "submenu",
        "macro",
        "sendto",
        "setprop",
        "hideCmd",
        "clone",
        "delete",
        "nonRect",
        "AreaOfEffect",
        "footprint",
    }
)
_READ = frozenset({"emb2", "emb", "hide", "conceal", "concealment", "moved", "label", "rotate", "turr", "mark", "PROP"})
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_SLOT = re.compile(r"([0-9a-zA-Z]{1,12}:)?[0-9]{1,9}")
_TRAIT = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,23}")
UNNAMED = "?"


@dataclass(frozen=True, repr=False, slots=True)
class Trait:
    """A trait: its id (the first field of its type), its type and its state, as sequences."""

    id: str
    type: str
    state: str

    def __repr__(self) -> str:
        # The state may be a user id, which is a password.
        return f"<Trait: type of {len(self.type)} and state of {len(self.state)} characters>"

    @property
    def fields(self) -> list[str]:
        """The fields of the type; the id is the first. Raises DataError if there are too many."""
        return decode(self.type, ";", MAX_FIELDS)

    def field(self, number: int) -> str:
        """Return a field, or nothing where the type is shorter."""
        fields = self.fields
        return fields[number] if number < len(fields) else ""

    @property
    def telling(self) -> bool:
        """Whether the trait tells something of what the piece is."""
        return self.id in _READ

    @property
    def known(self) -> bool:
        """Whether the trait is read, or is known to tell nothing of what the piece is."""
        return self.id in _READ or self.id in _BEHAVIOUR

    @property
    def public_id(self) -> str:
        """The id as it may be shown: a file can put anything in its place."""
        return self.id if _TRAIT.fullmatch(self.id) else UNNAMED


@dataclass(frozen=True)
class Position:
    """Where something lies: the map (None: on no map) and pixels from its corner."""

    map: str | None
    x: int
    y: int


def traits_of(added: Added, work: Work) -> tuple[Trait, ...]:
    """Return the traits of a piece from the outermost inwards; the last is the basic piece.

    Raises DataError if it is nested too deeply or no basic piece is inside.
    """
    types = unfold(added.type, TAB, work, MAX_TRAITS)
    states = unfold(added.state, TAB, work, MAX_TRAITS)
    if len(types) != len(states):
        what = f"has a piece of {len(types)} traits with {len(states)} states"
        raise DataError([Problem(what, "one for each")])
    found = tuple(Trait(kind.partition(";")[0], kind, state) for kind, state in zip(types, states, strict=True))
    if found[-1].id != "piece":
        raise DataError([Problem("has something that is neither a piece nor a stack")])
    return found


def whole(text: str) -> int | None:
    """Return a whole number, or None. Unlike `int` it never repeats what it was given."""
    text = text.strip()
    return int(text) if _NUMBER.fullmatch(text) else None


def position(fields: list[str]) -> Position:
    """Return the position with which a state begins. Raises DataError if there is none."""
    if len(fields) < 3:
        raise DataError([Problem("has a piece without a position", "map, x and y")])
    x, y = whole(fields[1]), whole(fields[2])
    if x is None or y is None or max(abs(x), abs(y)) > FARTHEST:
        what = "has a piece at impossible coordinates"
        raise DataError([Problem(what, f"whole numbers up to {FARTHEST}")])
    name = printable(fields[0])[:MAX_MAP]
    return Position(None if name in ("", "null") else name, x, y)


def slot_of(text: str) -> str | None:
    """Return the number of the palette slot that a piece came from, if it has one."""
    return text if _SLOT.fullmatch(text) else None
