"""The terms of a purchase: what both players agree on before anything is bought (DYO H1.1).

The models below are the file format `laager: dyo/1`. All values are immutable.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from laager.base import WrongValueError
from laager.base.files import FilePart
from laager.base.texts import FreeText, InLanguages
from laager.campaign import implements
from laager.campaign.summary import CardSummary, PlayingTime, SideSummary
from laager.catalogue.dyo import Month

AXIS = "axis"
ALLIED = "allied"
SIDES = (AXIS, ALLIED)

SideId = Literal["axis", "allied"]

FIRST_YEAR = 1937
LAST_YEAR = 1945
MOST_CONTINGENTS = 5
MOST_TURNS = 99
NationId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
MOST_POINTS = 20_000
"""A bound on an allotment, so that a slip of the finger is refused."""


def other_side(side: str) -> str:
    """Return the opposing side."""
    return ALLIED if side == AXIS else AXIS


def month_of(text: str) -> Month:
    """Return the month of a text `1944-09`. Raises WrongValueError for any other form."""
    if not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", text):
        raise WrongValueError(f"{text!r} is not a month", "write the year and month, as 1944-09")
    return Month(int(text[:4]), int(text[5:]))


class Board(FilePart):
    """One board in use; `whole`: all of it is in play (DYO H1.6-n2, H1.6-n4)."""

    id: str = Field(min_length=1, max_length=40)
    whole: bool = True


class Agreements(FilePart):
    """What the rules leave to the players, or let them change, by agreement.

    `extra_pieces`: they own more than one game holds, so that counters set no limit (DYO H1.11);
    `any_arrangement`: of optional armament (DYO H1.12).
    """

    extra_pieces: bool = False
    any_arrangement: bool = False


class Contingent(FilePart):
    """A further nation of a side, agreed on: its pieces stand in the side's OB (DYO H1.2).

    `elr` None: that of the ELR Chart.
    """

    nation: NationId
    elr: int | None = Field(default=None, ge=0, le=5)


class Reinforcements(FilePart):
    """Squads of a side that the scenario lets enter later (DYO H1.84): in which turn, how many.

    `squads` at least, as far as the side has such; `type` "": of any type.
    """

    turn: int = Field(ge=1, le=MOST_TURNS)
    squads: int = Field(ge=1, le=MOST_POINTS)
    type: str = Field(default="", max_length=40)


class SideTerms(FilePart):
    """One side: its nation (an id of the catalogue), its allotment and its ELR.

    `elr` None: that of the ELR Chart (DYO H1.28). `name`: what its players are called.
    `contingents`: further nations that fight on this side. `reinforcements`: what of its purchase
    the scenario lets enter later.
    """

    nation: NationId
    points: int = Field(ge=1, le=MOST_POINTS)
    elr: int | None = Field(default=None, ge=0, le=5)
    name: FreeText = Field(default="", max_length=60)
    contingents: tuple[Contingent, ...] = Field(default=(), max_length=MOST_CONTINGENTS)
    reinforcements: tuple[Reinforcements, ...] = ()

    @model_validator(mode="after")
    def _nations_differ(self) -> SideTerms:
        nations = self.nations
        twice = sorted({name for name in nations if nations.count(name) > 1})
        if twice:
            raise WrongValueError(f"{twice[0]} is named twice on one side", "name each nation once")
        return self

    @property
    def nations(self) -> tuple[str, ...]:
        """Its own nation, then those of its contingents."""
        return (self.nation, *(contingent.nation for contingent in self.contingents))

    @property
    def allied_elr(self) -> dict[str, int]:
        """The ELR of each contingent, once loading the terms has settled it."""
        return {contingent.nation: contingent.elr for contingent in self.contingents if contingent.elr is not None}


class Terms(FilePart):
    """All that is agreed before the purchase begins.

    `open`: buying in the open; then `first` is the side that buys each category before the other,
    or both do it at once and show what they have bought when both have. `catalogue`: the shipped
    set of nations; `own`: catalogue files in the folder of the terms, laid over it. `theatre`: a free word;
    the rules know norway, burma, north-africa and nw-europe. `weather` "": asked at the beginning.
    `house`: house rules, a file of them without its first lines. `playing_time`, `needs` and `hints`: as on the card of
    a campaign.
    """

    laager: Literal["dyo/1"]
    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,60}$")
    title: FreeText = Field(min_length=1, max_length=120)
    source: str = Field(default="house", max_length=60)
    source_note: FreeText = ""
    date: str
    open: bool = False
    first: Literal["both", "axis", "allied"] = "both"
    boards: tuple[Board, ...] = ()
    victory: FreeText = Field(default="", max_length=4000)
    theatre: str = Field(default="", max_length=40)
    weather: str = Field(default="", max_length=60)
    catalogue: Literal["house", "published", "none"] = "house"
    own: tuple[str, ...] = ()
    agreements: Agreements = Agreements()
    readings: dict[str, str] = {}
    house: dict[str, Any] = {}
    playing_time: PlayingTime | None = None
    needs: tuple[Annotated[str, Field(max_length=200), InLanguages()], ...] = Field(default=(), max_length=20)
    hints: dict[str, FreeText] = {}
    sides: dict[SideId, SideTerms]

    @field_validator("date")
    @classmethod
    def _a_month(cls, value: str) -> str:
        month = month_of(value)
        if not FIRST_YEAR <= month.year <= LAST_YEAR:
            right = f"a month from {FIRST_YEAR} to {LAST_YEAR}, such as 1944-09"
            raise WrongValueError(f"{value} is outside the war", right)
        return str(month)

    @field_validator("boards")
    @classmethod
    def _boards_differ(cls, value: tuple[Board, ...]) -> tuple[Board, ...]:
        names = [board.id for board in value]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise WrongValueError(f"board {twice[0]} is named twice", "name each board once")
        return value

    @model_validator(mode="after")
    def _both_sides(self) -> Terms:
        missing = [side for side in SIDES if side not in self.sides]
        if missing:
            right = "both axis and allied need a nation and points"
            raise WrongValueError(f"{' and '.join(missing)} is missing in sides", right)
        if self.first != "both" and not self.open:
            right = "leave first out, or add open: true"
            raise WrongValueError(f"first: {self.first} has no meaning in secret buying", right)
        return self

    @property
    def month(self) -> Month:
        """The current month and year (DYO H1.1)."""
        return month_of(self.date)

    def side(self, side: str) -> SideTerms:
        """Return a side's half of the terms."""
        return self.sides[side]  # type: ignore[index]

    def name(self, side: str) -> str:
        """Return what a side is called: its players' name, or its nation."""
        half = self.side(side)
        return half.name or half.nation.replace("-", " ").capitalize()

    def enemy(self, side: str) -> str:
        """Return the nation against which a side buys."""
        return self.side(other_side(side)).nation

    @property
    @implements("DYO H1.14")
    def nations(self) -> tuple[str, ...]:
        """The nations of both sides, each once. A side is one buyer, however many its players (H1.14)."""
        return tuple(dict.fromkeys(name for side in SIDES for name in self.side(side).nations))

    @property
    def whole_boards(self) -> int:
        """How many boards are all in play; without any named, one."""
        return sum(board.whole for board in self.boards) if self.boards else 1

    def summary(self) -> CardSummary:
        """Return what players compare before they choose these terms."""
        day = date(self.month.year, self.month.month, 1)
        return CardSummary(
            title=self.title,
            source=self.source,
            source_note=self.source_note,
            theatre=self.theatre.replace("-", " ").title(),
            first=day,
            last=day,
            by_month=True,
            sides=tuple(SideSummary(side, self.name(side), self.side(side).points) for side in SIDES),
            battles=1,
            playing_time=self.playing_time,
            about=self.victory,
            needs=self.needs,
            boards=tuple(board.id for board in self.boards),
        )
