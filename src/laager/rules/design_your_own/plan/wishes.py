"""What a side wishes to have: the file format `laager: dyo-wishes/1` (and options of a command)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from laager.base.files import FilePart, check, read_document
from laager.rules.design_your_own.answers import format_count

Several = Annotated[int, Field(ge=1, le=300)]
Faces = Annotated[int, Field(ge=2, le=12)]
Class = Literal["elite", "first-line", "second-line", "green", "conscript"]
Mark = Literal["assault-engineer", "sapper", "commando", "parachute"]
WideMark = Literal["mol", "ski", "winter-camouflage"]
Goal = Literal["equivalency", "squads", "afv", "guns", "points"]


class SquadWish(FilePart):
    """At least `count` squads: of a type, or of at least a class; with these capabilities.

    With a `type`, half-squads and crews can be wished for too.
    """

    count: Several
    type: str = ""
    at_least: Class | None = None
    capabilities: tuple[Mark, ...] = ()

    @property
    def words(self) -> str:
        """The wish in words."""
        noun = self.type or "squads"
        if self.at_least:
            noun += f" of class {self.at_least} or better"
        marks = f" as {', '.join(self.capabilities)}" if self.capabilities else ""
        return f"{self.count} {noun}{marks}"


class PieceWish(FilePart):
    """At least `count` Guns or vehicles of one type: any type, or one of a sort."""

    count: Several = 1
    type: str = ""
    sort: str = ""

    def words_for(self, noun: str) -> str:
        """The wish in words; `noun` names a piece in general."""
        if self.type:
            return f"{self.count} {self.type}"
        return f"{format_count(self.count, f'{self.sort} {noun}'.strip())} of one type"


class WorkWish(FilePart):
    """A fortification and how many of it are wished for; a pillbox has its sizes."""

    type: str
    number: Several = 1
    capacity: int = Field(default=0, ge=0, le=9)
    ca_drm: int = Field(default=0, ge=0, le=9)
    nca_drm: int = Field(default=0, ge=0, le=9)

    @property
    def words(self) -> str:
        """The wish in words."""
        sizes = (self.capacity, self.ca_drm, self.nca_drm)
        shown = " " + "+".join(map(str, sizes)) if any(sizes) else ""
        return f"{self.number} {self.type}{shown}"


class WishedDice(FilePart):
    """Dice that have fallen already, or that are taken as given."""

    ordnance: Faces | None = None
    vehicles: Faces | None = None
    oba: tuple[Faces, ...] = ()
    air: Faces | None = None


class WishLine(NamedTuple):
    """One wish: where it stands in the file, and in words."""

    field: str
    place: int
    words: str


class Wishes(FilePart):
    """All that a side wishes, and how the points that remain are to be spent.

    `platoons` are AFV. `oba` is the least number of batteries. Dice that are not given are taken
    as `outlook` says. `capabilities` are those that all of a side have or none. `maximise` is what
    there is to be most of; whatever points are left then are spent as far as they go.
    """

    laager: Literal["dyo-wishes/1"] = "dyo-wishes/1"
    squads: tuple[SquadWish, ...] = ()
    platoons: tuple[PieceWish, ...] = ()
    vehicles: tuple[PieceWish, ...] = ()
    guns: tuple[PieceWish, ...] = ()
    oba: int = Field(default=0, ge=0, le=40)
    air: bool = False
    fortifications: tuple[WorkWish, ...] = ()
    san: int = Field(default=2, ge=2, le=20)
    motorized: bool = False
    capabilities: tuple[WideMark, ...] = ()
    reserve: int = Field(default=0, ge=0)
    maximise: Goal = "equivalency"
    outlook: Literal["expected", "worst"] = "expected"
    dice: WishedDice = WishedDice()

    def costly_wishes(self) -> Iterator[WishLine]:
        """Yield the wishes that cost something, in order."""
        for place, squads in enumerate(self.squads):
            yield WishLine("squads", place, squads.words)
        pieces: Sequence[tuple[str, tuple[PieceWish, ...], str]] = (
            ("platoons", self.platoons, "AFV"),
            ("vehicles", self.vehicles, "vehicle"),
            ("guns", self.guns, "Gun"),
        )
        for field, wished, noun in pieces:
            for place, piece in enumerate(wished):
                yield WishLine(field, place, piece.words_for(noun))
        if self.oba:
            yield WishLine("oba", 0, f"{self.oba} OBA")
        if self.air:
            yield WishLine("air", 0, "Air Support")
        for place, work in enumerate(self.fortifications):
            yield WishLine("fortifications", place, work.words)
        if self.san > 2:
            yield WishLine("san", 0, f"a SAN of {self.san}")
        if self.motorized:
            yield WishLine("motorized", 0, "a motorized unit")
        if self.reserve:
            yield WishLine("reserve", 0, f"{self.reserve} points left over")

    def only(self, kept: Sequence[WishLine]) -> Wishes:
        """Return the same with these wishes alone."""
        places: dict[str, set[int]] = {}
        for wish in kept:
            places.setdefault(wish.field, set()).add(wish.place)
        blank = Wishes()
        changes = {
            wish.field: _those(getattr(self, wish.field), places.get(wish.field, set()), blank, wish)
            for wish in self.costly_wishes()
        }
        return self.model_copy(update=changes)


def _those(value: object, places: set[int], blank: Wishes, wish: WishLine) -> object:
    if isinstance(value, tuple):
        return tuple(part for place, part in enumerate(value) if place in places)
    return value if places else getattr(blank, wish.field)


def load_wishes(path: Path) -> Wishes:
    """Read a file of wishes. Raises DataError with every problem."""
    return check(read_document(path), Wishes)
