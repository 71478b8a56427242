"""What the cards of all campaigns have: two sides, parts that are checked, texts for players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from laager.base import WrongValueError
from laager.base.files import FilePart
from laager.base.texts import FreeText, InLanguages
from laager.campaign.summary import Battle, CardSummary, PlayingTime, SideSummary

AXIS = "axis"
ALLIED = "allied"
SIDES = (AXIS, ALLIED)

SideId = Literal["axis", "allied"]
Turn = Annotated[int, Field(ge=1, le=30)]


def other_side(side: str) -> str:
    """Return the opposing side."""
    return ALLIED if side == AXIS else AXIS


def refuse_repeats(names: Iterable[str], right: str, inside: Sequence[str] = ()) -> None:
    """Raise WrongValueError, at both places, if a part of a list has the name of one before it.

    The list is `inside` these fields of the value that is checked.
    """
    listed = list(names)
    twice = sorted({name for name in listed if listed.count(name) > 1})
    if twice:
        first, again = [i for i, name in enumerate(listed) if name == twice[0]][:2]
        names_twice = ", ".join(twice)
        raise WrongValueError(f"{names_twice} is there twice", right, (*inside, again, "id"), (*inside, first, "id"))


class UnitLine(FilePart):
    """Some units of one type in a group. `type` is a name of the catalogue."""

    type: str
    count: int = Field(default=1, ge=1, le=40)
    engineers: bool = False
    """True if these squads are Assault Engineers (PL 3.52)."""


class ChartLine(FilePart):
    """A line of a side's chart of reinforcement groups.

    `cost` is its printed price in points, `total` the most that can be bought in the campaign (None: no limit).
    """

    id: str = Field(pattern=r"^[A-Z]{1,2}[0-9]{1,2}$")
    name: FreeText
    cost: int = Field(ge=0, le=99)
    total: int | None = Field(default=None, ge=1)
    notes: FreeText = ""

    @property
    def key(self) -> str:
        """Its name in answers and on the record."""
        return self.id

    @property
    def letters(self) -> str:
        """The letters of its id, which tell its kind."""
        return self.id.rstrip("0123456789")


class CardSide(FilePart):
    """What every card says of a side."""

    name: FreeText
    nation: str
    nations: tuple[str, ...] = ()
    """Further nations of the catalogue among its units."""
    elr: int = Field(ge=0, le=5)
    san: int = Field(ge=0, le=7)

    @property
    def all_nations(self) -> tuple[str, ...]:
        """Its nation, then the further ones."""
        return (self.nation, *self.nations)


class Balance(FilePart):
    """A balance provision: the players can agree on it at the start (PL 1.3)."""

    id: str
    side: SideId
    text: FreeText
    cp: int = 0
    san: int = 0
    elr: int = 0


class About(FilePart):
    """What players read before they choose the campaign."""

    history: FreeText
    play: FreeText = ""
    length: FreeText = ""
    designer_notes: FreeText = ""


class CardGoal(FilePart):
    """Something that a side fights for: to Control Locations or areas, all of them or at least `count`."""

    side: SideId
    text: FreeText
    controls: tuple[str, ...] = ()
    count: int | None = Field(default=None, ge=1)


class CampaignCard(FilePart):
    """What the card of every campaign says: two sides on a map, and texts for players."""

    laager: str
    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    title: FreeText
    source: Literal["house", "own", "published"]
    source_note: FreeText
    version: int = Field(default=1, ge=1)
    about: About
    theatre: FreeText = Field(default="", max_length=60)
    """Where it is fought, in the designer's words."""
    playing_time: PlayingTime | None = None
    needs: tuple[Annotated[str, Field(max_length=200), InLanguages()], ...] = Field(default=(), max_length=20)
    """What players must own or print to play it, one thing each."""
    map: str
    catalogue: tuple[str, ...] = ()
    """Files next to the card with nations and unit types of the designer's own."""
    balance: tuple[Balance, ...] = ()
    readings: dict[str, str] = {}
    rules: tuple[FreeText, ...] = ()
    """Special rules, shown at setup and in play."""
    house: dict[str, Any] = {}
    """House rules: a file of house rules without its first lines."""
    hints: dict[str, FreeText] = {}
    """Help for players who learn with this card, by question key; `redeploy` serves `redeploy-isolated` too."""

    @field_validator("sides", check_fields=False)
    @classmethod
    def _check_sides(cls, sides: dict[SideId, Any]) -> dict[SideId, Any]:
        missing = [side for side in SIDES if side not in sides]
        if missing:
            raise ValueError(f"{missing[0]} is missing; a card has {' and '.join(SIDES)}")
        return sides

    def summary(self, days: Sequence[date], battle: Battle) -> CardSummary:
        """Return what players compare before they choose the card. `days` are those of its battles, in order."""
        halves: Mapping[str, CardSide] = self.sides  # type: ignore[attr-defined]
        return CardSummary(
            title=self.title,
            source=self.source,
            source_note=self.source_note,
            theatre=self.theatre,
            first=days[0],
            last=days[-1],
            sides=tuple(SideSummary(side, halves[side].name) for side in SIDES),
            battles=len(days),
            battle=battle,
            playing_time=self.playing_time,
            length=self.about.length,
            about=self.about.history,
            needs=self.needs,
            map=self.map,
        )
