"""The shape of a catalogue file of Design Your Own: one nation, in sections of entries.

Every field may be left out or be `unknown`; then it is asked when it is needed. The entries are
also what the rules work with: immutable, with the value of a month on request.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar, Literal

from pydantic import Field

from laager.base import find_named
from laager.base.files import FilePart
from laager.catalogue.dyo import fields as f
from laager.catalogue.dyo.battery import Battery, Cell
from laager.catalogue.dyo.entry import CatalogueEntry, Typed
from laager.catalogue.dyo.values import UNKNOWN, Dated, Series, Unknown
from laager.catalogue.kinds import Column, Grade, Kind
from laager.catalogue.model import LeaderText, MmcText

MARK = "dyo-catalogue/1"

SQUADS_PER_TYPE = 26
"""How many squads of a type one game has, ID letters A to Z (H1.11)."""

_UNKNOWN: Series[Any] = Series.always(UNKNOWN)
_NONE: Series[Any] = Series.always(None)


class DyoMmc(CatalogueEntry):
    """A squad type, half-squad or crew (H1.2 to H1.26)."""

    type: MmcText
    kind: Literal["squad", "half-squad", "crew"] = "squad"
    grade: f.Class = Field(UNKNOWN, alias="class")
    bpv: f.Points = UNKNOWN
    half: f.Name = UNKNOWN
    dates: f.Dates = _UNKNOWN
    counters: f.Counters = UNKNOWN
    pf_range: f.OwnRange = None
    elr: f.Elr = None
    equivalent: f.Squads = UNKNOWN
    may_be: f.MayBe = UNKNOWN
    must_be: f.MayBe = ()
    ski_included: bool = False

    @property
    def sort(self) -> Kind:
        """Its kind as the rest of Laager has it."""
        return Kind(self.kind)

    @property
    def subsection(self) -> str | Unknown:
        """The subsection of the roster: Elite, Line or Conscript (H1.21)."""
        if self.grade is UNKNOWN:
            return UNKNOWN
        return {Grade.ELITE: "Elite", Grade.CONSCRIPT: "Conscript"}.get(Grade(self.grade), "Line")

    def range_at(self, month: Dated) -> int | Unknown:
        """Return the range of its inherent PF (or similar) in a month, 0 if it has none (H1.211)."""
        range_ = _UNKNOWN.at(month) if self.pf_range is None else self.pf_range.at(month)
        return UNKNOWN if range_ is UNKNOWN else range_ or 0


class Leader(CatalogueEntry):
    """A leader counter, and how many one game has."""

    type: LeaderText
    counters: f.Counters = UNKNOWN


class SupportWeapon(Typed):
    """A column of the SW Allotment Chart: squads for one such SW, by date (H1.83)."""

    ratio: f.RatioSeries = _UNKNOWN
    counters: f.Counters = UNKNOWN
    per: Literal["squads", "assault-engineers"] = "squads"


class DyoGun(Typed):
    """A Gun with its crew (H1.3)."""

    sort: f.GunSort = UNKNOWN
    bpv: f.Points = UNKNOWN
    rf: f.RfSeries = _UNKNOWN
    counters: f.Counters = UNKNOWN
    dm: f.Flag = UNKNOWN
    tow: f.Name = UNKNOWN


class DyoVehicle(Typed):
    """A vehicle with its crew (H1.4). `wreck` are the signs on its wreck side (H1.42)."""

    sort: f.Name = UNKNOWN
    afv: f.Flag = UNKNOWN
    bpv: f.Points = UNKNOWN
    rf: f.RfSeries = _UNKNOWN
    counters: f.Counters = UNKNOWN
    crew_morale: f.Morale = UNKNOWN
    half_squad: f.Name = UNKNOWN
    wreck: f.Signs = UNKNOWN
    lend_lease: bool = False
    tows: f.Name = UNKNOWN
    motorized_tow: bool = False
    arrangements: f.Words = UNKNOWN


class Armament(Typed):
    """An optional weapon of a vehicle (H1.12, H1.41). It costs its FP unless `bpv` is given."""

    keys: ClassVar[tuple[str, ...]] = ("vehicle", "type")

    vehicle: f.Type
    fp: f.FirePower = UNKNOWN
    bpv: f.Points = UNKNOWN
    rf: f.RfSeries = _UNKNOWN
    counters: f.Counters = UNKNOWN
    on_counter: bool = True

    @property
    def cost(self) -> int | Unknown:
        """What it costs: its BPV if entered, else its FP (H1.41)."""
        return self.bpv if self.bpv is not UNKNOWN or self.fp is None else self.fp


class Transport(Typed):
    """Wagons, horses, motorcycles, bicycles: bought without an Availability DR (H1.44, H1.45)."""

    sort: Literal["wagon", "sledge", "horse", "motorcycle", "bicycle"]
    bpv: f.Points = UNKNOWN
    counters: f.Counters = UNKNOWN
    dates: f.Dates = _UNKNOWN
    tows: f.Name = UNKNOWN
    limit: f.Name = UNKNOWN


class OpTank(Typed):
    """An Observation Post tank and the counter that represents it (H1.46)."""

    counter: f.Name = UNKNOWN
    bpv: f.Points = UNKNOWN
    dates: f.Dates = _UNKNOWN
    oba: f.Words = UNKNOWN
    theatre: f.Name = UNKNOWN
    special: f.Name = None


class ObaYear(CatalogueEntry):
    """A column of the OBA Availability Chart: what each DR offers in a year (H1.51)."""

    keys: ClassVar[tuple[str, ...]] = ("year",)

    year: int = Field(ge=1930, le=1950)
    dr2: Cell = Field(UNKNOWN, alias="2")
    dr3: Cell = Field(UNKNOWN, alias="3")
    dr4: Cell = Field(UNKNOWN, alias="4")
    dr5: Cell = Field(UNKNOWN, alias="5")
    dr6: Cell = Field(UNKNOWN, alias="6")
    dr7: Cell = Field(UNKNOWN, alias="7")
    dr8: Cell = Field(UNKNOWN, alias="8")
    dr9: Cell = Field(UNKNOWN, alias="9")
    dr10: Cell = Field(UNKNOWN, alias="10")
    dr11: Cell = Field(UNKNOWN, alias="11")
    dr12: Cell = Field(UNKNOWN, alias="12")
    max_bpv: f.Points = UNKNOWN

    @property
    def cells(self) -> dict[int, Battery | Unknown | None]:
        """What each DR offers: a battery, None, or UNKNOWN."""
        return {dr: getattr(self, f"dr{dr}") for dr in range(2, 13)}


class ObaOption(Typed):
    """A further cost of OBA (H1.53): points, or a percentage of the battery's BPV (FRU)."""

    bpv: f.Extra = UNKNOWN
    percent: f.Percent = UNKNOWN
    per: Literal["battery", "side"] = "battery"
    limit: f.Limit = UNKNOWN
    dates: f.Dates = _UNKNOWN


class CapabilitiesEntry(CatalogueEntry):
    """The nation's line of the National Capabilities Chart, and its rows in the rules' tables."""

    keys: ClassVar[tuple[str, ...]] = ()

    lg: f.FactorSeries = _UNKNOWN
    ladder: f.Words = UNKNOWN
    fraction_leader: f.Name = UNKNOWN
    column: Column | None = None
    commissars: f.FlagSeries = _UNKNOWN
    crew_morale: f.Morale = UNKNOWN
    pf_range: f.RangeSeries = _UNKNOWN
    elr_row: f.Name = UNKNOWN
    armor_leader_row: f.Name = UNKNOWN
    air_row: f.Name = UNKNOWN
    air_number: f.RollSeries = _NONE
    air_exponent: f.RollSeries = _NONE
    observation_plane: f.PointSeries = _UNKNOWN
    partisan: bool = False
    announced_elr: f.Elr = UNKNOWN
    reads: f.Words = ()


class DyoCatalogueFile(FilePart):
    """A file of one nation. A section that is left out is unknown; an empty one says: none."""

    laager: Literal["dyo-catalogue/1"]
    nation: f.Id
    name: f.Text
    source: f.Source
    group: f.Id | None = None
    notes: list[f.Note] = []
    capabilities: CapabilitiesEntry | None = None
    squads: list[DyoMmc] | None = None
    leaders: list[Leader] | None = None
    armor_leaders: list[Leader] | None = None
    support_weapons: list[SupportWeapon] | None = None
    guns: list[DyoGun] | None = None
    vehicles: list[DyoVehicle] | None = None
    armament: list[Armament] | None = None
    transport: list[Transport] | None = None
    oba: list[ObaYear] | None = None
    oba_options: list[ObaOption] | None = None
    op_tanks: list[OpTank] | None = None

    def entries(self, section: str) -> tuple[CatalogueEntry, ...] | None:
        """Return the entries of a section in order, None if the file doesn't have the section."""
        find_named(SECTIONS, section, f"there is no section {section!r}")
        entries = getattr(self, section)
        return None if entries is None else (entries,) if isinstance(entries, CatalogueEntry) else tuple(entries)


SECTIONS: dict[str, type[CatalogueEntry]] = {
    "capabilities": CapabilitiesEntry,
    "squads": DyoMmc,
    "guns": DyoGun,
    "vehicles": DyoVehicle,
    "armament": Armament,
    "transport": Transport,
    "oba": ObaYear,
    "oba_options": ObaOption,
    "op_tanks": OpTank,
    "leaders": Leader,
    "armor_leaders": Leader,
    "support_weapons": SupportWeapon,
}
"""The model of each section's entries, in the order of purchase."""

USUAL_EQUIVALENT = {"squad": Decimal(1), "half-squad": Decimal("0.5"), "crew": Decimal(0)}
"""Squads that an MMC counts as, unless entered otherwise (H1.212, H1.74)."""

GROUPS = (
    *("german", "russian", "american", "british", "italian", "japanese", "gmd", "red-chinese"),
    *("french", "free-french", "finnish", "axis-minor", "allied-minor"),
)
"""The nations of the rules' own tables, by which a catalogue names their rows."""
