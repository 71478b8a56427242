"""The CG Card: everything that one campaign adds to the rules (PL 1.2).

The models below are the file format that card designers write (`laager: pl-card/1`). Whatever the
card says overrides the rules. All values are immutable.
"""

from __future__ import annotations

import itertools
from datetime import date
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from laager.base import WrongValueError, did_you_mean
from laager.base.files import FilePart
from laager.base.texts import FreeText
from laager.rules.board.card.parts import (
    CampaignCard,
    CardGoal,
    CardSide,
    ChartLine,
    SideId,
    Turn,
    UnitLine,
    refuse_repeats,
)


class Intensity(StrEnum):
    """How intense a campaign is: the column of CP replenishment (PL 2.11)."""

    LOW = "low"
    MID = "mid"
    HIGH = "high"


class Setup(StrEnum):
    """How a reinforcement group comes into play (PL 2.34)."""

    OFF_MAP = "off-map"
    ON_MAP = "on-map"
    RESERVE = "reserve"


class RgKind(StrEnum):
    """What a reinforcement group is; the letters are those of its ID (PL 2.33, 2.34)."""

    INFANTRY = "infantry"
    HEAVY_WEAPONS = "heavy-weapons"
    GUN = "gun"
    AFV = "afv"
    VEHICLE = "vehicle"
    OBA = "oba"
    AIR = "air-support"
    BOMBARDMENT = "bombardment"
    SAN = "san"
    CAPABILITY = "capability"

    @property
    def prefix(self) -> str:
        """The letters with which its IDs begin."""
        return _PREFIX[self]


_PREFIX = {
    RgKind.INFANTRY: "I",
    RgKind.HEAVY_WEAPONS: "HW",
    RgKind.GUN: "G",
    RgKind.AFV: "A",
    RgKind.VEHICLE: "V",
    RgKind.OBA: "O",
    RgKind.AIR: "AS",
    RgKind.BOMBARDMENT: "B",
    RgKind.SAN: "S",
    RgKind.CAPABILITY: "C",
}


class ReinforcementGroup(ChartLine):
    """One line of a side's chart (PL 1.4 Reinforcement Groups).

    `cost` in CP; `per_firefight` and `total` are the most that may be bought in one firefight and
    in the whole campaign (None: no limit). `first`/`last` bound the firefights (from 1) in which it
    may be bought.
    """

    kind: RgKind
    size: Literal["section", "platoon", "company"] | None = None
    troops: Literal["elite", "first-line", "second-line", "green", "conscript"] | None = None
    per_firefight: int | None = Field(default=None, ge=1)
    first: int = Field(default=1, ge=1)
    last: int | None = Field(default=None, ge=1)
    units: tuple[UnitLine, ...] = ()
    leader_rolls: int | None = Field(default=None, ge=0, le=8)
    """DR for leaders (PL 2.36); None: one for a platoon of infantry or AFV, four for a company."""
    reserve: bool | None = None
    """True if it may be bought In Reserve; None: as PL 2.33 has it for its kind."""
    san: int = Field(default=1, ge=1, le=3)
    """By how much a SAN increase raises the SAN."""
    hexes: int | None = Field(default=None, ge=1)
    """How many hexes a Bombardment covers (PL CG4a)."""
    op_vehicle: str | None = None
    """The vehicle that belongs to an OBA module and leaves with it (PL 3.15a)."""

    @model_validator(mode="after")
    def _fits(self) -> ReinforcementGroup:
        if self.letters != self.kind.prefix:
            right = f"IDs of {self.kind} begin with {self.kind.prefix}"
            raise ValueError(f"{self.id} does not fit its kind; {right}")
        needs_size = self.kind in {RgKind.INFANTRY, RgKind.AFV, RgKind.HEAVY_WEAPONS}
        if needs_size and self.size is None:
            raise ValueError(f"{self.id} has no size; add size: platoon, section or company")
        if self.kind is RgKind.INFANTRY and self.troops is None:
            raise ValueError(f"{self.id} does not say its troops; add troops: elite, first-line, …")
        has_units = self.kind in {
            RgKind.INFANTRY, RgKind.HEAVY_WEAPONS, RgKind.GUN, RgKind.AFV, RgKind.VEHICLE,
        }  # fmt: skip
        if has_units and not self.units:
            raise ValueError(f"{self.id} has no units; list them under units")
        if self.last is not None and self.last < self.first:
            raise ValueError(f"{self.id} ends before it begins; last must be {self.first} or more")
        return self

    @property
    def leader_dice(self) -> int:
        """How many leader DR the group brings (PL 2.36)."""
        if self.leader_rolls is not None:
            return self.leader_rolls
        if self.kind not in {RgKind.INFANTRY, RgKind.AFV}:
            return 0
        return {"section": 0, "platoon": 1, "company": 4}[self.size or "section"]

    @property
    def platoons(self) -> int:
        """How many infantry platoons it counts as (PL 2.3): a company three, a section none."""
        if self.kind is not RgKind.INFANTRY:
            return 0
        return {"section": 0, "platoon": 1, "company": 3}[self.size or "section"]

    @property
    def may_reserve(self) -> bool:
        """True if it may be bought In Reserve where the campaign has Reserves (PL 2.33)."""
        if self.reserve is not None:
            return self.reserve
        return self.kind in {RgKind.INFANTRY, RgKind.GUN, RgKind.HEAVY_WEAPONS, RgKind.AFV}


class OrderOfBattle(FilePart):
    """What a side gets besides its purchases: from the start, or groups later."""

    groups: tuple[GivenGroup, ...] = ()
    units: tuple[UnitLine, ...] = ()


class GivenGroup(FilePart):
    """A group of the chart that the OB gives. With `leaders` the card names them (PL 2.36)."""

    rg: str
    firefight: int = Field(default=1, ge=1)
    """The firefight for which it comes; 1 is the Initial one."""
    setup: Setup = Setup.ON_MAP
    leaders: tuple[str, ...] | None = None


class Fortifications(FilePart):
    """What a side may build (PL 2.38). `fp_per_cp` FP are bought with one CP.

    `allowed` names rows of the fortification table (None: all that the rules have); `limits` are
    the most of a type in one firefight; `prices` override or complete the table's FP prices.
    """

    fp_per_cp: int = Field(ge=1, le=50)
    allowed: tuple[str, ...] | None = None
    limits: dict[str, int] = {}
    prices: dict[str, int] = {}
    booby_traps: bool = False
    max_cp: int | None = Field(default=None, ge=0)


class Drm(FilePart):
    """DRM and drm printed on a side's card. `leader` None: the card prints none (legacy drm)."""

    cp: int = 0
    oba: int = 0
    leader: int | None = None
    armor_leader: int | None = None
    promotion: int = 0
    disease: int = 0


class HistoricalDrm(FilePart):
    """The card's Historical DRM, per table."""

    oba: int = 0
    leader: int = 0
    promotion: int = 0
    elr: int = 0
    disease: int = 0


class SideCard(CardSide):
    """One side of the card. Hex lists may hold ranges (`C4-C9`, `C4-K4`)."""

    cp: int = Field(ge=0, le=200)
    intensity: Intensity | None = None
    drm: Drm = Drm()
    historical: HistoricalDrm = HistoricalDrm()
    friendly_edges: tuple[Literal["north", "south", "east", "west"], ...] = ()
    entry_hexes: tuple[str, ...] = ()
    setup: tuple[str, ...]
    ob: OrderOfBattle = OrderOfBattle()
    chart: tuple[ReinforcementGroup, ...]
    fortifications: Fortifications | None = None
    attack_cost: int = Field(ge=0, le=50)
    patrols: bool = True
    patrol_cost: int = Field(default=1, ge=0)
    max_patrols: int | None = Field(default=None, ge=0)
    reserves: bool = True
    max_platoons: int = Field(default=3, ge=0)
    """The most infantry platoons bought in one firefight (PL 2.3)."""
    commissars: bool = False
    pre_registered: bool = False
    starts_massacre: bool = False

    @field_validator("chart")
    @classmethod
    def _ids_differ(cls, chart: tuple[ReinforcementGroup, ...]) -> tuple[ReinforcementGroup, ...]:
        refuse_repeats((line.id for line in chart), "give each line its own ID")
        return chart

    @model_validator(mode="after")
    def _given_exist(self) -> SideCard:
        for i, given in enumerate(self.ob.groups):
            if self.group(given.rg) is None:
                advice = did_you_mean(given.rg, [line.id for line in self.chart], "it has")
                raise WrongValueError(
                    f"the OB gives {given.rg}, which is not on the chart", advice, ("ob", "groups", i, "rg"), ("chart",)
                )
        return self

    def given_for(self, firefight: int) -> tuple[GivenGroup, ...]:
        """Return the groups that the OB gives for a firefight, in the order of the card."""
        return tuple(item for item in self.ob.groups if item.firefight == firefight)

    def group(self, rg: str) -> ReinforcementGroup | None:
        """Return a line of the chart by its ID."""
        return next((line for line in self.chart if line.id == rg), None)


class Night(FilePart):
    """Night conditions as the card states them (PL 2.42)."""

    base_nvr: int = Field(ge=0, le=6)
    moon: Literal["none", "half", "full"] = "half"
    note: FreeText = ""


Circled = Annotated[int, Field(ge=1, le=6)]


class Firefight(FilePart):
    """One slot of the campaign's calendar (PL 1.4 CG Firefight).

    `game_end` gives the circled number of each turn that has one (PL CG2).
    """

    date: date
    time: FreeText
    night: Night | None = None
    game_end: Annotated[dict[Turn, Circled], Field(min_length=1)]
    weather: str | None = None
    historical_attacker: SideId | None = None
    cp: dict[SideId, int] = {}
    """CP that a side gets for this firefight instead of rolling for them (PL 2.1)."""
    disease: bool = False
    rules: tuple[FreeText, ...] = ()

    @field_validator("game_end")
    @classmethod
    def _by_turn(cls, game_end: dict[int, int]) -> dict[int, int]:
        # A log may keep the turns in another order: as text 10 comes before 6.
        return dict(sorted(game_end.items()))


class WeatherRow(FilePart):
    """One result of the card's weather table; bounds of the final roll, open ends left out."""

    low: int | None = None
    high: int | None = None
    weather: str


class WeatherTable(FilePart):
    """How weather is rolled where the card does not list it (PL 2.2)."""

    dice: Literal["DR", "dr"] = "dr"
    rows: tuple[WeatherRow, ...] = Field(min_length=1)


class Objective(CardGoal):
    """Something a side fights for. Exactly one test, or none: then the players are asked.

    `tvp` are at least so many in the campaign, `cvp_lead` at least so many more CVP than the enemy in all of it.
    """

    tvp: int | None = Field(default=None, ge=1)
    cvp_lead: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _one_test(self) -> Objective:
        if sum([bool(self.controls), self.tvp is not None, self.cvp_lead is not None]) > 1:
            raise ValueError("has several tests; keep one of controls, tvp, cvp_lead")
        return self

    @property
    def asked(self) -> bool:
        """True if the players have to say if it is fulfilled."""
        return not self.controls and self.tvp is None and self.cvp_lead is None


class Victory(FilePart):
    """How the campaign is decided when its last firefight is over (PL 1.3).

    `points` is what counts; the side with more wins, or `tie` if they are equal (None: a draw).
    A lead below `margin` counts as equal.
    """

    points: Literal["tvp", "cvp", "tvp+cvp", "firefights", "asked"]
    margin: int = Field(default=1, ge=1)
    tie: SideId | None = None
    text: FreeText = ""


class Objectives(FilePart):
    """Objectives of the first firefight and of the campaign (PL 1.31, 1.3).

    A `sudden` objective ends the campaign at once when fulfilled after a firefight.
    """

    initial: tuple[Objective, ...] = ()
    sudden: tuple[Objective, ...] = ()
    campaign: Victory


class Card(CampaignCard):
    """A Platoon Leader CG Card."""

    laager: Literal["pl-card/1"]
    pto: bool = False
    intensity: Intensity = Intensity.LOW
    attacking_side: SideId
    initial_attacker: SideId
    initial_attack_cost: int | None = Field(default=None, ge=0)
    """CP for the assigned attack of the Initial Firefight; None: it is free."""
    firefights: tuple[Firefight, ...] = Field(min_length=1)
    sides: dict[SideId, SideCard]
    tvp: dict[str, int] = {}
    strategic: tuple[str, ...] = ()
    woods_line_also: tuple[Literal["orchard", "brush"], ...] = ()
    weather_table: WeatherTable | None = None
    objectives: Objectives

    @field_validator("firefights")
    @classmethod
    def _in_order(cls, firefights: tuple[Firefight, ...]) -> tuple[Firefight, ...]:
        for i, (before, after) in enumerate(itertools.pairwise(firefights)):
            if after.date < before.date:
                raise WrongValueError(
                    f"{after.date} comes after {before.date}",
                    "sort the firefights by date",
                    (i + 1, "date"),
                    (i, "date"),
                )
        return firefights

    def intensity_of(self, side: str) -> Intensity:
        """Return a side's column of CP replenishment (PL 2.11)."""
        return self.sides[side].intensity or self.intensity  # type: ignore[index]


OrderOfBattle.model_rebuild()
