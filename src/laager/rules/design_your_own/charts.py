"""Charts of chapter H that no dice are rolled on, and the tables that they are rolled on.

The figures stand in `charts.yaml` and `tables.yaml`; the models below are the charts' format. All
values are immutable.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, Protocol

from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from laager.base import find_named
from laager.base.files import FilePart, check, read_packaged
from laager.catalogue.dyo import Month
from laager.catalogue.kinds import Column
from laager.rules.design_your_own.answers import PACKAGE
from laager.rules.design_your_own.nations import Group
from laager.tables import TableSet, load_packaged

Text = Annotated[str, Field(min_length=1)]

_CELL = re.compile(r"(-?\d+)(?: e(\d))?(?: n(\d)| (\*))?")


def _fraction(value: Any) -> Any:
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{value!r} is not a number; write 2, 0.5 or 3/2") from None


def _month(value: Any) -> Any:
    return Month.of(value) if isinstance(value, str) else value


Exact = Annotated[Fraction, BeforeValidator(_fraction), WithJsonSchema({"type": ["number", "string"]})]
InMonth = Annotated[
    Month, BeforeValidator(_month), WithJsonSchema({"type": "string", "pattern": r"^\d{4}-(0[1-9]|1[0-2])$"})
]


class ChartCell(NamedTuple):
    """A cell of a chart: its number, the exponent (of bombs) and the note, if it has any."""

    number: int
    exponent: int | None = None
    note: str = ""


def _cell(value: Any) -> Any:
    match = _CELL.fullmatch(str(value)) if isinstance(value, int | str) else None
    if match is None:
        return value
    exponent = int(match[2]) if match[2] else None
    return ChartCell(int(match[1]), exponent, match[3] or match[4] or "")


_CELL_SCHEMA = {"type": ["integer", "string"], "pattern": f"^{_CELL.pattern}$"}
Cells = tuple[Annotated[ChartCell, BeforeValidator(_cell), WithJsonSchema(_CELL_SCHEMA)] | None, ...]


class ChartPart(FilePart):
    """Base of all parts of the charts: immutable, and no unknown names."""

    model_config = ConfigDict(arbitrary_types_allowed=True)


class CapabilityRow(ChartPart):
    """A capability of Infantry: it multiplies the BPV or adds to it."""

    id: Text
    name: Text
    mark: Text
    factor: Exact | None = None
    adds: int | None = None
    rule: Text


class Capabilities(ChartPart):
    """What makes Infantry dearer (H1.26)."""

    rule: Text
    rows: tuple[CapabilityRow, ...]
    notes: tuple[Text, ...] = ()


class ChartPeriod(ChartPart):
    """A column of months, up to and including `to`."""

    name: Text
    to: InMonth


class Years(ChartPart):
    """A column of years, up to and including `to`."""

    name: Text
    to: int


class Price(Years):
    """A price up to and including a year."""

    points: int


class _Ends(Protocol):
    @property
    def to(self) -> Any: ...


def column(columns: Sequence[_Ends], when: Month | int) -> int | None:
    """Return the place of the column in which a month or year lies, None after the last."""
    for place, period in enumerate(columns):
        if when <= period.to:
            return place
    return None


class ElrChart(ChartPart):
    """The ELR Chart with the figures of its notes (H1.28)."""

    rule: Text
    periods: tuple[ChartPeriod, ...]
    rows: dict[Group, Cells]
    axis_minor: int
    allied_minor: int
    japanese_against: int
    gmd_elite_majority: int
    french_norway: int
    highest: int
    notes: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _full(self) -> ElrChart:
        _full_rows(self.rows, len(self.periods))
        return self

    def cell(self, group: Group, month: Month) -> tuple[str, ChartCell | None]:
        """Return the name of the month's column and the cell; None for a dash or no column."""
        place = column(self.periods, month)
        if place is None:
            return str(month), None
        return self.periods[place].name, self.rows[group][place]


def _full_rows(rows: dict[Group, Cells], width: int) -> None:
    for group, cells in rows.items():
        if len(cells) != width:
            raise ValueError(f"{group} has {len(cells)} cells for {width} columns")


class San(ChartPart):
    """The SAN that every side has, the price of one more, the highest (H1.29)."""

    rule: Text
    base: int
    price: int
    highest: int


class Motorized(ChartPart):
    """What a motorized unit costs and how much rarer vehicles it may buy (H1.4)."""

    rule: Text
    percent: int
    rf: Decimal


class Fittings(ChartPart):
    """The BPV of Schuerzen and Gyrostabilizers (H1.42)."""

    rule: Text
    prices: dict[Literal["Sz", "G"], int]


class YearChart(ChartPart):
    """A chart of nations by columns of years."""

    rule: Text
    years: tuple[Years, ...]
    rows: dict[Group, Cells]
    notes: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _full(self) -> YearChart:
        _full_rows(self.rows, len(self.years))
        return self

    def cell(self, group: Group, year: int) -> ChartCell | None:
        """Return the cell of a year; None for a dash, no row or no column."""
        place = column(self.years, year)
        return None if place is None or group not in self.rows else self.rows[group][place]


class ArmorLeaderChart(YearChart):
    """The Armor Leader DRM, and for how many AFV there is a DR (H1.43)."""

    afv_for_each: int
    burma: int


class Oba(ChartPart):
    """Points for each OBA DR, and what plentiful ammunition adds (H1.5, H1.53)."""

    rule: Text
    points_for_each: int
    plentiful: Exact
    extras_lost: Text


class MinorStuka(ChartPart):
    """When an Italian or Axis Minor bomb dr brings Stukas (H1.531-n††)."""

    from_: int = Field(alias="from")
    to: int
    dr: int


class ObservationPlane(ChartPart):
    """The limit on Observation Planes of the G.M.D. (H1.531-n^)."""

    group: Group
    from_: int = Field(alias="from")
    to: int
    least_mm: int


class AirChart(YearChart):
    """Air Support Numbers, bomb exponents and prices (H1.531)."""

    axis_minor: int
    against_russians: int
    prices: tuple[Price, ...]
    first_priced_year: int
    stuka_until: int
    minor_stuka: MinorStuka
    observation_plane: ObservationPlane


class FortificationPrice(ChartPart):
    """A row of the fortification list; `rule` is the note that speaks of it."""

    type: Text
    name: Text
    bpv: Exact | None = None
    per: str = ""
    formula: Literal["pillbox", "cave"] | None = None
    groups: tuple[Group, ...] = ()
    enemies: tuple[Group, ...] = ()
    from_: int | None = Field(None, alias="from")
    rule: Text = "DYO H1.6-T"

    @model_validator(mode="after")
    def _one_way(self) -> FortificationPrice:
        if (self.bpv is None) == (self.formula is None):
            raise ValueError(f"{self.type} needs one price: bpv or formula")
        return self


class FortificationChart(ChartPart):
    """The fortification list with the figures of its notes (H1.6)."""

    rule: Text
    rows: tuple[FortificationPrice, ...]
    pillbox: int
    cave: tuple[Price, ...]
    per_board: dict[Literal["minefield", "roadblock"], int]
    hip_percent: int

    def row(self, type_: str) -> FortificationPrice:
        """Return the row of a type. Raises RefusedError, with advice, for an unknown one."""
        return find_named({row.type: row for row in self.rows}, type_, f"there is no fortification {type_!r}")


class SecondPurchase(ChartPart):
    """The share of a second Infantry purchase that must be reinforcements (H1.7)."""

    rule: Text
    reinforcements: Exact


class Bonus(ChartPart):
    """Bonus squads for each point of ELR and each step of MPV; the share if dearer (H1.71-73)."""

    rule: Text
    step: int
    for_each: Exact
    dearer: Exact


class EquivalencyFactors(ChartPart):
    """The factor of each subsection (H1.74)."""

    rule: Text
    factors: dict[Literal["elite", "line", "conscript"], Exact]


class LeaderChart(ChartPart):
    """Leader types by column: the ladder from below, the fraction's leader, ranks (H1.8-82)."""

    rule: Text
    ladders: dict[Column, tuple[Text, ...]]
    exchange_only: tuple[Text, ...]
    fraction: dict[Column, Text]
    replaced: dict[Column, Text]
    ranks: dict[Column, tuple[Text, ...]]


class OpTankRow(ChartPart):
    """An OP tank; what is None is lost and must be supplied (H1.46)."""

    id: Text
    name: Text
    counter: Text | None = None
    groups: tuple[Group, ...]
    bpv: int | None = None
    from_: int | None = Field(None, alias="from")
    to: int | None = None
    oba: tuple[Text, ...] | None = None
    theatre: str = ""
    rule: Text


class OpTanks(ChartPart):
    """The OP tanks (H1.46)."""

    rule: Text
    rows: tuple[OpTankRow, ...]


class Counters(ChartPart):
    """How many squads of a type one game has (H1.11)."""

    rule: Text
    squads_of_a_type: int


class DyoCharts(ChartPart):
    """All charts of Design Your Own."""

    laager: Literal["dyo-charts/1"]
    source: Text
    capabilities: Capabilities
    elr: ElrChart
    san: San
    motorized: Motorized
    fittings: Fittings
    armor_leaders: ArmorLeaderChart
    oba: Oba
    air: AirChart
    fortifications: FortificationChart
    second_purchase: SecondPurchase
    bonus: Bonus
    equivalency: EquivalencyFactors
    leaders: LeaderChart
    op_tanks: OpTanks
    counters: Counters


@cache
def charts() -> DyoCharts:
    """Return the charts that ship with the rules."""
    return check(read_packaged(PACKAGE, "charts.yaml"), DyoCharts)


@cache
def dyo_tables() -> TableSet:
    """Return the tables of chapter H that are rolled on."""
    return load_packaged(PACKAGE, "tables.yaml")
