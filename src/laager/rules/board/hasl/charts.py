"""The charts of a HASL module, as its owner enters them (`laager: hasl-charts/1`).

Printed modules differ in their charts, not in what charts there are. What a file leaves out is
asked of the players when it is needed. Charts that are rolled on stand in the file of tables
(`laager: tables/1`) next to this one, under the names that `TABLES` lists. All values are immutable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from laager.base.files import FilePart
from laager.campaign import implements
from laager.rules.board.card.parts import ChartLine, SideId, Turn, UnitLine, refuse_repeats
from laager.rules.board.hasl.card.card import Circled, Points

TABLES = {
    "strength": "RG Strength: full or depleted",
    "leaders": "Leaders of reinforcement groups",
    "san": "SAN adjustment: a change of the SAN",
    "elr": "ELR loss or gain: a change of the ELR",
    "ammunition": "Ammunition Shortage: a change of the level",
    "escape": "Escape: what becomes of a unit that tries to leave an Isolated area",
    "shift": "Shift: whether a unit comes to another area",
    "repair": "Repair of SW, Guns and vehicles",
    "wounded-leaders": "What becomes of wounded leaders",
    "battle-hardening": "Battle Hardening",
    "weather": "Weather",
    "random-weather": "Optional random weather",
    "recon": "Reconnaissance: drm of the Recon dr",
}
"""The tables that steps look for in a module's file of tables, and what they decide."""


class Kind(StrEnum):
    """The types of reinforcement groups, by the letters of their ids."""

    INFANTRY = "I"
    HEAVY_WEAPONS = "HW"
    AFV = "A"
    VEHICLE = "V"
    GUN = "G"
    OBA = "O"
    MISCELLANEOUS = "M"
    TRANSPORT = "T"
    FORTIFICATION = "F"
    SAN = "S"


WITH_UNITS = frozenset({Kind.INFANTRY, Kind.HEAVY_WEAPONS, Kind.AFV, Kind.VEHICLE, Kind.GUN, Kind.TRANSPORT})
"""The types whose groups are units, which set up or enter somewhere."""


class SwLine(FilePart):
    """A support weapon of a group. `need` is the number in parentheses: one comes on such a dr."""

    type: str
    count: int = Field(default=1, ge=1, le=9)
    need: int | None = Field(default=None, ge=1, le=6)


class Module(FilePart):
    """The Draw Pile of an OBA module, and what it is (a calibre, smoke)."""

    black: int = Field(ge=1, le=20)
    red: int = Field(ge=0, le=20)
    name: str = ""


@implements("ER 1.5181", "ER 1.5182", "ER 1.5183", "ER 1.5184", "ER 1.5185", "ER 1.5186")
class RgLine(ChartLine):
    """One line of a side's RG chart.

    `cost` in CPP. `full` are the units left of the "/", `depleted` those right of it (None: a group
    of this line is never Depleted). `per_date` and `total` are the most that may be bought for one
    CG Date and in the campaign. `dates` are the CG Dates on which it may be bought (empty: all).
    `leader` names the column of the leader table ("" for none) and `leader_drm` its DRM.
    """

    formation: str = ""
    kind: Kind
    full: tuple[UnitLine, ...] = ()
    depleted: tuple[UnitLine, ...] | None = None
    sw: tuple[SwLine, ...] = ()
    per_date: int | None = Field(default=None, ge=1)
    dates: tuple[str, ...] = ()
    arrows: tuple[str, ...] = ()
    """Arrow hexes of its Eligible Entry Areas; empty: those of its formation, else of its side."""
    on_map: bool = True
    """True if it may set up on the map on the date of its purchase."""
    leader: str = ""
    leader_drm: int = 0
    fpp: int = Field(default=0, ge=0)
    san: int = Field(default=0, ge=0, le=3)
    module: Module | None = None
    special: Literal["", "bombardment", "fpf-barrage", "observer", "pre-registration"] = ""

    @model_validator(mode="after")
    def _fits(self) -> RgLine:
        if self.letters != self.kind:
            raise ValueError(f"{self.id} does not fit its kind; ids of kind {self.kind} begin so")
        if self.kind in WITH_UNITS and not self.full:
            raise ValueError(f"{self.id} has no units; list them under full")
        if self.kind is Kind.OBA and self.module is None:
            raise ValueError(f"{self.id} has no module; add module: {{black: 8, red: 2}} or such")
        if self.kind is Kind.FORTIFICATION and not self.fpp:
            raise ValueError(f"{self.id} gives no FPP; add fpp: 12 or such")
        if self.kind is Kind.SAN and not self.san:
            raise ValueError(f"{self.id} raises no SAN; add san: 1")
        return self

    @property
    def key(self) -> str:
        """Its name in the side's chart: `I1`, with a formation before it `K-I1`."""
        return f"{self.formation}-{self.id}" if self.formation else self.id


class FortPrice(FilePart):
    """What a fortification costs in FPP, and for whom it is.

    `kind` is a row of the fortifications catalogue, or one of `concealment` ("?" counters), `hip`
    (`size` squad, half-squad, crew, smc), `set-dc`, `jungle-path`, `trench-upgrade`,
    `pillbox-upgrade`.
    """

    kind: str
    size: str = ""
    cost: int = Field(ge=0, le=99)
    sides: tuple[SideId, ...] = ()
    """The sides that may buy it; empty: both."""
    per_date: int | None = Field(default=None, ge=1)
    isolated: bool = True
    """True if it may be set up in an Isolated Location."""
    notes: str = ""

    @property
    def key(self) -> str:
        """Its name on the chart."""
        return f"{self.kind} {self.size}".rstrip()


class ScenarioType(FilePart):
    """One kind of scenario: by the chits chosen, who sets up and moves first.

    `dr` stands for a dr at the start, `second` for the side that sets up second.
    """

    axis: Literal["attack", "idle"]
    allied: Literal["attack", "idle"]
    name: str
    sets_up_first: SideId | Literal["dr"] | None = None
    moves_first: SideId | Literal["dr", "second"] | None = None


class BlockControlRule(FilePart):
    """How Control of a Block follows from its Strategic Locations.

    A side Controls a Block if it Controls at least `share` percent of the Strategic Locations in it
    and the enemy Controls at most `enemy` of them; nobody does if neither does.
    """

    share: int = Field(ge=1, le=100)
    enemy: int | None = Field(default=None, ge=0)


class Recon(FilePart):
    """What reconnaissance costs (CPP), and each CPP more for +1 on its dr up to `most`."""

    cost: int = Field(ge=0)
    drm_cost: int = Field(default=1, ge=0)
    most: int = Field(default=1, ge=0)


class SideCharts(FilePart):
    """A side's own charts: reinforcement groups, and the points that arrive every date."""

    rg: tuple[RgLine, ...] | None = None
    cpp: Points | None = None
    """CPP that arrive on a CG Date that has none of its own."""
    recon: Recon | None = None

    @field_validator("rg")
    @classmethod
    def _differ(cls, value: tuple[RgLine, ...] | None) -> tuple[RgLine, ...] | None:
        refuse_repeats((line.key for line in value or ()), "give each line its own id")
        return value

    def line(self, key: str) -> RgLine | None:
        """Return a line of the RG chart by its key."""
        return next((line for line in self.rg or () if line.key == key), None)


class HaslCharts(FilePart):
    """The charts of a module."""

    laager: Literal["hasl-charts/1"]
    ruleset: Literal["abtf", "er", "hasl"]
    title: str
    source: Literal["house", "own", "published"]
    source_note: str
    sides: dict[SideId, SideCharts]
    fortifications: tuple[FortPrice, ...] | None = None
    scenario_types: tuple[ScenarioType, ...] | None = None
    block_control: BlockControlRule | None = None
    circled: dict[Turn, Circled] | None = None
    """The Game End numbers of the turn record, by Game Turn."""
    cvp_step: int | None = Field(default=None, ge=1)
    """How many CVP lost make one DRM of the ELR table (condition `cvp-lost`)."""
    reserve_cases: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """Reminders about Reserve units that are not yet released."""

    def side(self, side: str) -> SideCharts:
        """Return a side's charts, empty ones if the file has none."""
        return self.sides.get(side) or SideCharts()  # type: ignore[call-overload]


# Upgrades ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Upgrade:
    """What an upgrade is made of and what it makes; an empty size is any, or as bought."""

    old: str
    new: str
    old_size: str = ""
    new_size: str = ""

    def fits(self, kind: str, size: str) -> bool:
        """True if it can be made of a fortification of this kind and size (`3S`, or `3`)."""
        # Some charts write a 3S foxhole as 3.
        sizes = (self.old_size, self.old_size[:-1])
        return kind == self.old and (not self.old_size or size in sizes)

    @property
    def needs(self) -> str:
        """What it is made of, in words."""
        return f"{self.old_size} {self.old}".strip()


JUNGLE_PATH = "jungle-path"
"""The kind of what is bought as a path through jungle."""

UPGRADES: Mapping[str, Upgrade] = {
    "trench-upgrade": Upgrade("foxhole", "trench"),
    "pillbox-upgrade": Upgrade("trench", "pillbox"),
}
"""The upgrades by their kinds, of a Foxhole and of a Trench, with no sizes of their own."""
