"""The card of a historical (HASL) campaign: one campaign game, with its dates, sides and forces.

The models below are the file format that card designers write (`laager: hasl-card/1`). What the
module's printed charts say is not here but in the files that the card names (`charts`, `tables`),
so that the owner of a module can enter them once for all its campaign games. All values are
immutable.
"""

from __future__ import annotations

import itertools
from datetime import date
from typing import Annotated, Literal

from pydantic import Field, field_validator

from laager.base import WrongValueError, did_you_mean
from laager.base.files import FilePart
from laager.base.texts import FreeText
from laager.rules.board.card.parts import CampaignCard, CardGoal, CardSide, SideId, Turn, UnitLine, refuse_repeats

Circled = Annotated[int, Field(ge=1, le=12)]
DateId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 -]*$")]


class Points(FilePart):
    """Points that arrive: so many, and the sum of so many DR or dr on top."""

    fixed: int = 0
    dice: Literal["DR", "dr"] | None = None


class GivenGroup(FilePart):
    """A reinforcement group that the OB gives (`rg` is a key of the side's chart: `I1`, `K-I1`).

    `arrival` None: the players choose among those that the rules allow.
    """

    rg: str
    arrival: Literal["on-map", "enter", "reserve"] | None = None
    area: str = ""
    """The Setup Area or the arrow hex of the Entry Area; empty: the owner chooses."""
    leaders: tuple[str, ...] | None = None
    """Leaders named by the card; None: they are rolled for."""
    setup: tuple[str, ...] = ()
    """The only hexes where its units set up on the date when they come; empty: as `arrival` and `area` say."""
    observer: bool = False
    """True if an Offboard Observer directs it, for an OBA module."""
    pre_registered: bool = False
    """True if a Pre-Registered hex comes with it, for an OBA module; its owner chooses the hex."""


class GivenUnit(UnitLine):
    """Units that the OB gives, with the only hexes where they set up when they come, or the area for which they are.

    `area` is a Setup Area or the arrow hex of an Entry Area. Without both they set up or enter anywhere.
    """

    setup: tuple[str, ...] = ()
    area: str = ""


class GivenFort(FilePart):
    """Fortifications that the OB gives, `concealment` ("?" counters) and `hip` among them.

    `setup` are the only hexes where they are set up on the date when they come.
    """

    kind: str
    size: str = ""
    count: int = Field(default=1, ge=1, le=99)
    setup: tuple[str, ...] = ()


class Given(FilePart):
    """What a side gets without buying it: groups of its chart, units, fortifications, FPP, CPP."""

    groups: tuple[GivenGroup, ...] = ()
    units: tuple[GivenUnit, ...] = ()
    fortifications: tuple[GivenFort, ...] = ()
    fpp: int = Field(default=0, ge=0)
    cpp: int = Field(default=0, ge=0)
    note: FreeText = ""


class CgDate(FilePart):
    """One CG Date: a calendar day and a part of it; one scenario at most is played on it.

    `circled` are the Game End numbers by Game Turn (None: the charts' own). `weather`, `ec`, `wind`
    and `moon` are what is printed for the date; what is not stands to be rolled or asked.
    `exhaustion` is each side's Campaign Exhaustion DRM.
    """

    id: DateId
    day: date
    part: Literal["AM", "Day", "PM", "Eve", "N"]
    label: FreeText = ""
    circled: dict[Turn, Circled] | None = None
    weather: str = ""
    ec: str = ""
    wind: str = ""
    moon: str = ""
    nvr: int | None = Field(default=None, ge=0, le=12)
    cpp: dict[SideId, Points] = {}
    exhaustion: dict[SideId, int] = {}
    given: dict[SideId, Given] = {}
    rules: tuple[FreeText, ...] = ()

    @property
    def night(self) -> bool:
        """True if its scenario is a CG Night Scenario."""
        return self.part == "N"

    @property
    def title(self) -> str:
        """What players call it."""
        return self.label or self.id


class Formation(FilePart):
    """A part of a side with reinforcement groups and Entry Areas of its own (a Kampfgruppe)."""

    id: str = Field(pattern=r"^[A-Z][A-Za-z0-9]{0,7}$")
    name: FreeText
    arrows: tuple[str, ...] = ()


class Chits(FilePart):
    """How often a side may choose each initiative chit in the campaign (None: no limit)."""

    attack: int | None = Field(default=None, ge=0)
    idle: int | None = Field(default=None, ge=0)


class SideCard(CardSide):
    """One side of the campaign. Hex lists may hold ranges (`C4-C9`).

    `setup` are the hexes of its setup area in the Initial Scenario. `controls` are Blocks, named
    areas of the map or Locations that it Controls at the start. `areas` are its Setup Areas at the
    start where the card lists areas: name -> hexes (a name alone stands for the map's own area).
    """

    cpp: int = Field(ge=0, le=200)
    ammunition: int = Field(default=0, ge=0, le=5)
    """Its Ammunition Shortage level at the start, where the rules have levels."""
    chits: Chits = Chits()
    setup: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()
    areas: dict[str, tuple[str, ...]] = {}
    arrows: tuple[str, ...] = ()
    """Arrow hexes of the Entry Areas that any of its units may use."""
    arrow_dates: dict[str, DateId] = {}
    """The first CG Date on which an Entry Area may be used, by its arrow hex; else all dates."""
    formations: tuple[Formation, ...] = ()
    ob: Given = Given()
    exits: tuple[Literal["north", "south", "east", "west"], ...] = ()
    """Map edges over which its units may leave the map and be Retained."""

    @field_validator("formations")
    @classmethod
    def _differ(cls, value: tuple[Formation, ...]) -> tuple[Formation, ...]:
        refuse_repeats((formation.id for formation in value), "give each formation its own id")
        return value

    @property
    def setup_hexes(self) -> tuple[str, ...]:
        """Its setup area in the Initial Scenario, with those of the parts of its OB that have one of their own."""
        own = [*(group.setup for group in self.ob.groups), *(unit.setup for unit in self.ob.units)]
        return (*self.setup, *(text for texts in own for text in texts))

    def formation(self, name: str) -> Formation | None:
        """Return a formation by its id."""
        return next((candidate for candidate in self.formations if candidate.id == name), None)


class InitialScenario(FilePart):
    """The first scenario: which side counts as attacker, which sets up and moves first."""

    attacker: SideId
    sets_up_first: SideId
    moves_first: SideId
    weather: str = ""
    ec: str = ""
    wind: str = ""
    rules: tuple[FreeText, ...] = ()


class Condition(CardGoal):
    """Something that decides the campaign for a side. Without a test the players are asked.

    `cvp_ratio` asks that CVP amassed are at least so many times CVP lost; `cvp` that so many are amassed.
    """

    cvp_ratio: int | None = Field(default=None, ge=1)
    cvp: int | None = Field(default=None, ge=1)

    @property
    def asked(self) -> bool:
        """True if the players have to say if it is fulfilled."""
        return not self.controls and self.cvp_ratio is None and self.cvp is None


class Victory(FilePart):
    """How the campaign is decided: `sudden` conditions after any scenario, `final` at CG End.

    The first condition fulfilled, in the order listed, wins; `otherwise` is who wins if none is
    (None: a draw).
    """

    sudden: tuple[Condition, ...] = ()
    final: tuple[Condition, ...] = ()
    otherwise: SideId | None = None
    text: FreeText = ""


class Card(CampaignCard):
    """A campaign game of the HASL family."""

    laager: Literal["hasl-card/1"]
    ruleset: Literal["abtf", "er", "hasl"]
    charts: str
    """The file with the module's charts (RG charts, fortifications and others)."""
    tables: str = ""
    """The file with the module's tables; what it leaves out is asked of the players."""
    areas: Literal["blocks", "listed"] = "blocks"
    """What Setup Areas are: Blocks of the map, or areas that card and players list."""
    omit: tuple[str, ...] = ()
    """Optional steps of the sequence that this campaign does without, by their ids."""
    dates: tuple[CgDate, ...] = Field(min_length=1)
    initial: InitialScenario
    sides: dict[SideId, SideCard]
    victory: Victory

    @field_validator("dates")
    @classmethod
    def _in_order(cls, dates: tuple[CgDate, ...]) -> tuple[CgDate, ...]:
        refuse_repeats((f"CG Date {date.id}" for date in dates), "give each its own id")
        for i, (before, after) in enumerate(itertools.pairwise(dates)):
            if after.day < before.day:
                fault = f"{after.id} comes after {before.id}"
                raise WrongValueError(fault, "sort the CG Dates by day", (i + 1, "day"), (i, "day"))
        return dates

    def date_number(self, name: str) -> int:
        """Return the number of a CG Date, from 1. Raises ValueError with advice."""
        ids = [date.id for date in self.dates]
        if name not in ids:
            raise ValueError(f"there is no CG Date {name!r}; {did_you_mean(name, ids, 'dates are')}")
        return ids.index(name) + 1
