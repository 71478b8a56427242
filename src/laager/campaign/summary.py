"""What players compare before they choose a card: when and where, who, how long, what they must own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal, Self

from pydantic import Field, model_validator

from laager.base.files import FilePart

Battle = Literal["firefight", "CG Date", "scenario"]
"""What a rule system calls one battle of its campaigns."""


class PlayingTime(FilePart):
    """How long a whole campaign takes, as its designer judges it."""

    least: int = Field(ge=1, le=1000)
    most: int | None = Field(default=None, ge=1, le=1000)
    """None: it is always about as long."""
    unit: Literal["minutes", "hours", "evenings"] = "evenings"

    @property
    def hours(self) -> float:
        """About how many hours it takes at least, to compare times in different units."""
        return self.least * {"minutes": 1 / 60, "hours": 1, "evenings": 4}[self.unit]

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.most is not None and self.most < self.least:
            raise ValueError(f"most ({self.most}) is below least; it must be {self.least} or more")
        return self


@dataclass(frozen=True)
class SideSummary:
    """One side: its id, what players call it, its points if the players have agreed on some."""

    id: str
    name: str
    points: int | None = None


@dataclass(frozen=True)
class CardSummary:
    """The facts of one card, from the card alone: no other file is read.

    `first` and `last` are the days of its first and last battle; with `by_month` only their months count.
    `battles` is the number of firefights or CG Dates, each a `battle`; 0 if the rule system doesn't tell.
    `map` is the map as the card names it ("": it has none), `boards` are those that the players lay out.
    `length` and `about` are the designer's own words.
    """

    title: str
    source: str
    source_note: str = ""
    theatre: str = ""
    first: date | None = None
    last: date | None = None
    by_month: bool = False
    sides: tuple[SideSummary, ...] = ()
    battles: int = 0
    battle: Battle = "scenario"
    playing_time: PlayingTime | None = None
    length: str = ""
    about: str = ""
    needs: tuple[str, ...] = ()
    boards: tuple[str, ...] = ()
    map: str = ""

    @property
    def estimated(self) -> bool:
        """True if `takes` is a rule of thumb, not the designer's word."""
        return self.playing_time is None and self.battles > 0

    @property
    def takes(self) -> PlayingTime | None:
        """How long it takes: as the designer says, else an evening for each battle; None if nobody knows."""
        if self.estimated:
            return PlayingTime(least=self.battles)
        return self.playing_time


def in_english(when: CardSummary) -> str:
    """Return the days of a campaign as players write them: 11 to 15 July 1943; "" if the card has none."""
    first, last = when.first, when.last or when.first
    if first is None or last is None:
        return ""
    if when.by_month:
        return f"{first:%B %Y}"
    if first == last:
        return f"{first.day} {first:%B %Y}"
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day} to {last.day} {last:%B %Y}"
    year = "" if first.year == last.year else f" {first.year}"
    return f"{first.day} {first:%B}{year} to {last.day} {last:%B %Y}"
