"""Pieces as VASSAL builds them: a basic piece inside traits, each with a type and a state, parsed once into values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from laager.base import DataError, Problem
from laager.vasl.saves.owners import printable
from laager.vasl.saves.sequence import AddCommand, WorkLimit, decode, unfold

TAB = "\t"
MAX_TRAITS = 250
MAX_FIELDS = 1000
MAX_MAP = 64
FARTHEST = 1_000_000
"""Largest distance of a piece from the corner of a map, in pixels."""

_READ = frozenset({"emb2", "emb", "hide", "conceal", "concealment", "moved", "label", "rotate", "turr", "mark", "PROP"})
_BEHAVIOUR = frozenset(
    (
        *("info", "immob", "replace", "placemark", "placeDM", "report", "translate", "submenu", "macro", "sendto"),
        *("setprop", "hideCmd", "clone", "delete", "nonRect", "AreaOfEffect", "footprint"),
        # VASSAL 3.3 to 3.7
        *("nonRect2", "attach", "basicName", "border", "button", "calcProp", "cmt", "deselect", "globalhotkey"),
        *("globalkey", "locCommand", "locmsg", "markmoved", "mat", "matPiece", "menuSeparator", "pivot", "playSound"),
        *("propertysheet", "restrict", "return", "setpieceprop", "table"),
    )
)
"""Traits that say nothing of what a piece is."""
_BASIC = frozenset({"piece", "overlayPiece"})
"""Ids of what is inside all traits; draggable overlays have one of their own since VASL 6.6."""
_PICTURES, _LEVELS, _OLD_LEVELS, _FORMAT = 16, 17, 9, 12
"""Fields: a layer's pictures and levels, an old layer's levels, a label's format."""
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_SLOT = re.compile(r"([0-9a-zA-Z]{1,12}:)?[0-9]{1,9}")
_TRAIT = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,23}")
UNNAMED = "?"


@dataclass(frozen=True, repr=False)
class PieceTrait:
    """A trait: its id (the first field of its type), its type and its state, as sequences."""

    id: str
    type: str
    state: str

    def __repr__(self) -> str:
        # The state may be a user id, which is a password.
        return f"<Trait: type of {len(self.type)} and state of {len(self.state)} characters>"

    @cached_property
    def fields(self) -> list[str]:
        """The fields of the type; the id is the first. Raises DataError if there are too many."""
        return decode(self.type, ";", MAX_FIELDS)

    def field(self, number: int) -> str:
        """Return a field, or nothing where the type is shorter."""
        return self.fields[number] if number < len(self.fields) else ""


@dataclass(frozen=True)
class Position:
    """A position: the map (None: on no map) and pixels from its corner."""

    map: str | None
    x: int
    y: int


@dataclass(frozen=True)
class Layer:
    """The active level of a layer: its change of the name, and its picture."""

    name: str
    picture: str


@dataclass(frozen=True, repr=False)
class OwnerTrait:
    """The user who hides or conceals a piece, or who placed a concealment counter: a password, keep it in.

    `how` is hide, conceal or concealment; `nation` what the trait says of the nation.
    """

    how: str
    user: str
    nation: str = ""


@dataclass(frozen=True, repr=False)
class Inscription:
    """A text that players have written on a counter, the line that it is on, and how it changes the name."""

    slot: str
    text: str
    form: str


@dataclass(frozen=True, repr=False)
class Traits:
    """The traits of a piece, as values.

    `image` and `basic` are picture and name of the basic piece, `slot` its number in the palette. `layered` are layers,
    owners and inscriptions, from the innermost outwards. `turned` is in how many positions the piece can be turned, and
    in which it is (1: an angle). `unread` are the ids of traits that are not known.
    """

    image: str
    basic: str
    at: Position
    slot: str | None
    layered: tuple[Layer | OwnerTrait | Inscription, ...]
    marks: Mapping[str, str]
    moved: bool
    turned: tuple[int, float] | None
    mover: str
    unread: tuple[str, ...]

    def owners_of(self, *hows: str) -> Iterator[OwnerTrait]:
        """Yield the owners of some kinds, from the outermost inwards."""
        return (owner for owner in reversed(self.layered) if isinstance(owner, OwnerTrait) and owner.how in hows)

    @property
    def pictures(self) -> tuple[str, ...]:
        """The pictures of the piece, the basic one first."""
        return (self.image, *(layer.picture for layer in self.layered if isinstance(layer, Layer)))


def traits_of(added: AddCommand, work: WorkLimit) -> tuple[PieceTrait, ...]:
    """Return the traits of a piece from the outermost inwards; the last is the basic piece.

    Raises DataError if it is nested too deeply or no basic piece is inside.
    """
    types = unfold(added.type, TAB, work, MAX_TRAITS)
    states = unfold(added.state, TAB, work, MAX_TRAITS)
    if len(types) != len(states):
        raise DataError([Problem(f"has a piece of {len(types)} traits with {len(states)} states", "one for each")])
    traits = tuple(PieceTrait(kind.partition(";")[0], kind, state) for kind, state in zip(types, states, strict=True))
    if traits[-1].id not in _BASIC:
        raise DataError([Problem("has something that is neither a piece nor a stack")])
    return traits


def read_traits(traits: Sequence[PieceTrait]) -> Traits:
    """Return the traits of a piece as values. Raises DataError if it has no position."""
    *outer, inner = traits
    marks: dict[str, str] = {}
    turned, mover = None, ""
    # Of two that say the same the outer one counts, so it comes last.
    for trait in reversed(outer):
        if trait.id == "mark":
            names, values = decode(trait.field(1), ","), decode(trait.state, ",")
            marks.update(zip(names, [*values, *[""] * len(names)], strict=False))
        elif trait.id == "rotate":
            turned = _read_turn(trait)
        elif trait.id == "PROP" and trait.field(1) == "Owner":
            mover = trait.state
    state = decode(inner.state, ";")
    slot = "".join(state[3:4])
    return Traits(
        image=printable(inner.field(3)),
        basic=printable(inner.field(4))[:200],
        at=parse_position(state),
        slot=slot if _SLOT.fullmatch(slot) else None,
        layered=tuple(filter(None, map(_read_layered, reversed(outer)))),
        marks=marks,
        moved=any(trait.id == "moved" and trait.state == "true" for trait in outer),
        turned=turned,
        mover=mover,
        # A file can put anything in place of an id.
        unread=tuple(
            trait.id if _TRAIT.fullmatch(trait.id) else UNNAMED for trait in outer if trait.id not in _READ | _BEHAVIOUR
        ),
    )


def _read_layered(trait: PieceTrait) -> Layer | OwnerTrait | Inscription | None:
    match trait.id:
        case "emb2" | "emb":
            return _read_layer(trait)
        case "hide":
            return OwnerTrait("hide", trait.state)
        case "conceal":
            return OwnerTrait("conceal", decode(trait.state, ";")[0], trait.field(3))
        case "concealment":
            return OwnerTrait("concealment", trait.field(1), trait.field(2))
        case "label" if trait.state:
            return Inscription(trait.field(2), trait.state, trait.field(_FORMAT))
    return None


def _read_layer(trait: PieceTrait) -> Layer | None:
    """Return the active level of a layer, or None if the layer is off."""
    level = parse_whole(trait.state.partition(";")[0]) or 0
    if level <= 0:
        return None
    if trait.id == "emb2":
        pictures, names = (decode(trait.field(at), ",") for at in (_PICTURES, _LEVELS))
    else:
        pairs = [[*decode(field, ","), ""] for field in trait.fields[_OLD_LEVELS:]]
        pictures, names = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    name, picture = ("".join(texts[level - 1 : level]) for texts in (names, pictures))
    return Layer(name, picture.strip())


def _read_turn(trait: PieceTrait) -> tuple[int, float] | None:
    count = parse_whole(trait.field(1))
    angle = trait.state.partition(";")[0].strip()
    if count is None or not 0 < count <= 360:
        return None
    if count > 1:
        return count, (parse_whole(angle) or 0) % count
    sign = -1 if angle.startswith("-") else 1
    return 1, sign * (parse_whole(angle.lstrip("+-").partition(".")[0]) or 0) % 360


def parse_whole(text: str) -> int | None:
    """Return a whole number, or None. Unlike `int` it never repeats what it was given."""
    text = text.strip()
    return int(text) if _NUMBER.fullmatch(text) else None


def parse_position(fields: Sequence[str]) -> Position:
    """Return the position with which a state begins. Raises DataError if there is none."""
    if len(fields) < 3:
        raise DataError([Problem("has a piece without a position", "map, x and y")])
    x, y = parse_whole(fields[1]), parse_whole(fields[2])
    if x is None or y is None or max(abs(x), abs(y)) > FARTHEST:
        raise DataError([Problem("has a piece at impossible coordinates", f"whole numbers up to {FARTHEST}")])
    name = printable(fields[0])[:MAX_MAP]
    return Position(None if name in ("", "null") else name, x, y)
