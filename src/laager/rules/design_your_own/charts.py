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
from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple, Protocol

from pydantic import (
    AfterValidator,
    AliasChoices,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
    model_validator,
)

from laager.base import WrongValueError, find_named
from laager.base.counting import count_of
from laager.base.files import FilePart, check, read_packaged
from laager.catalogue.dyo import Month
from laager.catalogue.kinds import Column
from laager.rules.design_your_own.answers import PACKAGE
from laager.rules.design_your_own.nations import Group

Text = Annotated[str, Field(min_length=1)]

_CELL = re.compile(r"(-?\d+)(?: e(\d))?(?: n(\d)| (\*))?")


def _fraction(value: Any) -> Any:
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{value!r} is not a number; write 2, 0.5 or 3/2") from None


def _within(low: Fraction | int, high: Fraction | int) -> AfterValidator:
    """Refuse a number that is out of bounds: house rules can change every figure."""

    def check_bounds(value: Any) -> Any:
        number = value.number if isinstance(value, ChartCell) else value
        if number is not None and not low <= number <= high:
            raise WrongValueError(f"{number} is out of bounds", f"from {low} to {high}")
        return value

    return AfterValidator(check_bounds)


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


def _spell_cell(cell: ChartCell) -> int | str:
    """Return a cell as a file has it: `3`, `4 n1`, `6 e5 *`."""
    exponent = "" if cell.exponent is None else f" e{cell.exponent}"
    note = f" {cell.note}" if cell.note == "*" else f" n{cell.note}" if cell.note else ""
    return f"{cell.number}{exponent}{note}" if exponent or note else cell.number


_CELL_SCHEMA = {"type": ["integer", "string"], "pattern": f"^{_CELL.pattern}$"}
Cell = Annotated[
    ChartCell, BeforeValidator(_cell), PlainSerializer(_spell_cell, when_used="json"), WithJsonSchema(_CELL_SCHEMA)
]
Cells = tuple[Cell | None, ...]
ELR_LOWEST, ELR_HIGHEST = 0, 5
Elr = Annotated[int, _within(ELR_LOWEST, ELR_HIGHEST)]
ElrCells = tuple[Annotated[Cell | None, _within(ELR_LOWEST, ELR_HIGHEST)], ...]
MOST_POINTS = 20_000
Points = Annotated[int, _within(0, MOST_POINTS)]
Percent = Annotated[int, _within(0, 100)]
Share = Annotated[Exact, _within(0, 1)]
Factor = Annotated[Exact, _within(Fraction(1, 10), 10)]
DRM = Annotated[int, _within(-20, 20)]
LeaderType = Annotated[str, Field(pattern=r"^\d{1,2}[-+]\d$")]
LeaderTypes = Annotated[tuple[LeaderType, ...], Field(min_length=1)]


class ChartPart(FilePart):
    """Base of all parts of the charts: immutable, and no unknown names."""

    model_config = ConfigDict(arbitrary_types_allowed=True)


class CapabilityRow(ChartPart):
    """A capability of Infantry: it multiplies the BPV or adds to it."""

    id: Text
    name: Text
    mark: Text
    factor: Factor | None = None
    adds: Points | None = None
    rule: Text


class Capabilities(ChartPart):
    """What makes Infantry dearer (H1.26)."""

    rule: Text
    rows: tuple[CapabilityRow, ...]
    notes: tuple[Text, ...] = ()

    def row(self, id_: str) -> CapabilityRow:
        """Return the row of a capability."""
        return next(row for row in self.rows if row.id == id_)


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

    points: Points


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
    rows: dict[Group, ElrCells]
    axis_minor: DRM
    allied_minor: Elr
    japanese_against: Elr
    gmd_elite_majority: DRM
    french_norway: DRM
    highest: Elr
    notes: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _full(self) -> ElrChart:
        _full_rows(self.rows, self.periods)
        return self

    def cell(self, group: Group, month: Month) -> tuple[str, ChartCell | None]:
        """Return the name of the month's column and the cell; None for a dash or no column."""
        place = column(self.periods, month)
        if place is None:
            return str(month), None
        return self.periods[place].name, self.rows[group][place]


def _full_rows(rows: dict[Group, Cells], columns: Sequence[_Ends]) -> None:
    for group, cells in rows.items():
        if len(cells) != len(columns):
            raise ValueError(
                f"{group} has {count_of(len(cells), 'cell')}, and the chart has {count_of(len(columns), 'column')}"
            )
    _check_order(columns)


def _check_order(columns: Sequence[_Ends]) -> None:
    for before, after in pairwise(columns):
        if before.to >= after.to:
            raise ValueError(f"the column to {after.to} stands after the one to {before.to}")


class San(ChartPart):
    """The SAN that every side has, the price of one more, the highest (H1.29)."""

    rule: Text
    base: Annotated[int, _within(0, 99)]
    price: Points
    highest: Annotated[int, _within(0, 99)]

    @model_validator(mode="after")
    def _base_is_lowest(self) -> San:
        if self.base > self.highest:
            raise ValueError(f"every side has {self.base}, more than the highest, {self.highest}")
        return self


class Motorized(ChartPart):
    """What a motorized unit costs and how much rarer vehicles it may buy (H1.4)."""

    rule: Text
    percent: Percent
    rf: Annotated[Decimal, _within(0, 2)]


class Fittings(ChartPart):
    """The BPV of Schuerzen and Gyrostabilizers (H1.42)."""

    rule: Text
    prices: dict[Literal["Sz", "G"], Points]


class YearChart(ChartPart):
    """A chart of nations by columns of years."""

    rule: Text
    years: tuple[Years, ...]
    rows: dict[Group, Cells]
    notes: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _full(self) -> YearChart:
        _full_rows(self.rows, self.years)
        return self

    def cell(self, group: Group, year: int) -> ChartCell | None:
        """Return the cell of a year; None for a dash, no row or no column."""
        place = column(self.years, year)
        return None if place is None or group not in self.rows else self.rows[group][place]


class ArmorLeaderChart(YearChart):
    """The Armor Leader DRM, and for how many AFV there is a DR (H1.43)."""

    afv_for_each: Annotated[int, _within(1, 20)]
    burma: DRM


class Oba(ChartPart):
    """Points for each OBA DR, and what plentiful ammunition adds (H1.5, H1.53)."""

    rule: Text
    points_for_each: Annotated[int, _within(1, MOST_POINTS)]
    plentiful: Annotated[Exact, _within(0, 10)]
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

    axis_minor: DRM
    against_russians: DRM
    prices: tuple[Price, ...]
    first_priced_year: int
    stuka_until: int
    minor_stuka: MinorStuka
    observation_plane: ObservationPlane

    @model_validator(mode="after")
    def _prices_in_order(self) -> AirChart:
        _check_order(self.prices)
        return self


class FortificationPrice(ChartPart):
    """A row of the fortification list; `rule` is the note that speaks of it."""

    type: Text
    name: Text
    bpv: Annotated[Exact | None, _within(0, MOST_POINTS)] = None
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
    pillbox_factor: Points = Field(validation_alias=AliasChoices("pillbox_factor", "pillbox"))
    cave_prices: Annotated[tuple[Price, ...], Field(min_length=1)] = Field(
        validation_alias=AliasChoices("cave_prices", "cave")
    )
    per_board: dict[Literal["minefield", "roadblock"], Points]
    hip_percent: Percent

    def row(self, type_: str) -> FortificationPrice:
        """Return the row of a type. Raises RefusedError, with advice, for an unknown one."""
        return find_named({row.type: row for row in self.rows}, type_, f"there is no fortification {type_!r}")


class SecondPurchase(ChartPart):
    """The share of a second Infantry purchase that must be reinforcements (H1.7)."""

    rule: Text
    reinforcements: Share


class Bonus(ChartPart):
    """Bonus squads for each point of ELR and each step of MPV; the share if dearer (H1.71-73)."""

    rule: Text
    step: Annotated[int, _within(1, MOST_POINTS)]
    for_each: Annotated[Exact, _within(0, 10)]
    dearer: Share

    @model_validator(mode="after")
    def _in_halves(self) -> Bonus:
        if self.for_each.denominator > 2:
            raise ValueError(f"{self.for_each} squads can't be picked; write a number of half-squads, such as 1/2 or 1")
        return self


class EquivalencyFactors(ChartPart):
    """The factor of each subsection (H1.74)."""

    rule: Text
    factors: dict[Literal["elite", "line", "conscript"], Factor]


class LeaderChart(ChartPart):
    """Leader types by column: the ladder from below, the fraction's leader, ranks (H1.8-82)."""

    rule: Text
    ladders: dict[Column, LeaderTypes]
    exchange_only: tuple[LeaderType, ...]
    fraction: dict[Column, LeaderType]
    replaced: dict[Column, LeaderType]
    ranks: dict[Column, LeaderTypes]


class OpTankRow(ChartPart):
    """An OP tank; what is None is lost and must be supplied (H1.46)."""

    id: Text
    name: Text
    counter: Text | None = None
    groups: tuple[Group, ...]
    bpv: Points | None = None
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
    squads_of_a_type: Annotated[int, _within(1, 999)]


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
def printed_charts() -> DyoCharts:
    """Return the charts as the rules print them."""
    return check(read_packaged(PACKAGE, "charts.yaml"), DyoCharts)
