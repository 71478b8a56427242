"""The context of a HASL campaign's steps: card, charts, map, tables, live state."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from laager.base.files import Document
from laager.campaign import implements
from laager.campaign.house import HouseRules, chart_data
from laager.hexmap import BlockFront, block_front, entry_area
from laager.rules.board.card.parts import SIDES
from laager.rules.board.context import CardContext
from laager.rules.board.hasl.card.card import Card, CgDate, SideCard
from laager.rules.board.hasl.charts import JUNGLE_PATH, TABLES, UPGRADES, HaslCharts, RgLine, SideCharts
from laager.rules.board.hasl.state import HaslState, Round
from laager.rules.board.hasl.variant import Variant
from laager.tables import Table, TableSet, tables_of

PACKAGE = "laager.rules.board.hasl"


@lru_cache(maxsize=64)
def _tables(data: str) -> TableSet:
    """Return tables from their data as JSON: the same for all campaigns of a module."""
    return tables_of(Document(json.loads(data), "tables"))


def module_tables(data: Any) -> TableSet | None:
    """Return the tables of a module from their data in a setting; None for none."""
    return None if data is None else _tables(json.dumps(data))


class Hasl(CardContext):
    """The campaign as its steps see it. Only the engine changes `state`."""

    package: ClassVar[str] = PACKAGE
    variant: ClassVar[Variant[Any]] = Variant()
    state: HaslState
    module_charts = frozenset(TABLES)
    """The tables that a module brings; without one of them a step asks the players for the result."""
    _charts_now: tuple[HouseRules, HaslCharts] | None

    def __init__(self, opening: Mapping[str, Any]) -> None:
        super().__init__(opening)
        self.card: Card = Card.model_validate(opening["card"])
        self.charts = HaslCharts.model_validate(opening["charts"])
        self._chart_tables: Any = opening.get("tables")

    # The card -----------------------------------------------------------------------------------

    def side(self, side: str) -> SideCard:
        """Return a side's half of the card."""
        return self.card.sides[side]  # type: ignore[index]

    @property
    def nations(self) -> Iterable[str]:
        """The nations of both sides, with further ones among their units."""
        return dict.fromkeys(nation for half in self.card.sides.values() for nation in half.all_nations)

    @property
    def battles(self) -> int:
        """How many CG Dates the card has."""
        return len(self.card.dates)

    @property
    @implements("HASL 2", "ABtF 9.2 CG Date", "ER CHART CG dates")
    def date(self) -> CgDate:
        """The present CG Date."""
        return self.card.dates[self.state.number - 1]

    @property
    def next_date(self) -> CgDate | None:
        """The CG Date after the present one; None if it is the last."""
        later = self.card.dates[self.state.number :]
        return later[0] if later else None

    @property
    def initial(self) -> bool:
        """True if the Initial Scenario is prepared or played."""
        return self.state.round is Round.INITIAL

    # The charts -----------------------------------------------------------------------------------

    @property
    def charts(self) -> HaslCharts:
        """The module's charts, as the house has them."""
        house = self.house
        if self._charts_now is None or self._charts_now[0] is not house:
            own = house.charts(HaslCharts, chart_data(self._charts)) if house else self._charts
            self._charts_now = house, self.complete_charts(own)
        return self._charts_now[1]

    @charts.setter
    def charts(self, charts: HaslCharts) -> None:
        self._charts = charts
        self._charts_now = None

    def complete_charts(self, charts: HaslCharts) -> HaslCharts:
        """Return a module's charts with what the rules themselves print, where the module has nothing of its own."""
        return charts

    @cached_property
    def _printed_tables(self) -> TableSet | None:
        return module_tables(self._chart_tables)

    @property
    def chart_tables(self) -> TableSet | None:
        """The module's tables as its owner entered them and the house has them; None if the card names no file."""
        printed = self._printed_tables
        return None if printed is None else self.house.tables(printed)

    def chart_table(self, name: str) -> Table | None:
        """Return a table of the module by its name in `charts.TABLES`; None: not filled in."""
        tables = self.chart_tables
        if tables is None or name in self.house.asked_charts:
            return None
        return tables.get(name)

    def side_charts(self, side: str) -> SideCharts:
        """Return a side's own charts."""
        return self.charts.side(side)

    @implements("ABtF CHART RG charts", "ER CHART RG charts")
    def lines(self, side: str) -> Sequence[RgLine]:
        """Return the RG chart of a side; empty if its owner has not filled it in."""
        return self.side_charts(side).rg or ()

    @property
    def fort_kinds(self) -> Collection[str]:
        """The kinds of fortifications that a side can have bought: paths and upgrades are among them."""
        return {*super().fort_kinds, *UPGRADES, JUNGLE_PATH}

    def chart_keys(self, side: str) -> Sequence[str]:
        """Return the names of the lines of a side's RG chart; none if its owner has not filled it in."""
        return [line.key for line in self.lines(side)]

    def line(self, side: str, key: str) -> RgLine | None:
        """Return a line of a side's RG chart by its key (`I1`, `K-I1`)."""
        return self.side_charts(side).line(key)

    # The ground -----------------------------------------------------------------------------------

    @implements("HASL 7", "ER CHART Entry areas")
    def arrows(self, side: str, line: RgLine | None = None) -> tuple[str, ...]:
        """Return the arrow hexes of the Entry Areas that can be used now, of a group or of all of its side."""
        return tuple(name for name in self.all_arrows(side, line) if self.is_entry_open(side, name))

    def is_entry_open(self, side: str, arrow: str) -> bool:
        """True if an Entry Area can be used on the present CG Date."""
        return True

    def all_arrows(self, side: str, line: RgLine | None = None) -> tuple[str, ...]:
        """Return the arrow hexes of the Entry Areas for a group, or of all those of its side, open or not."""
        card = self.side(side)
        if line is not None:
            if line.arrows:
                return line.arrows
            formation = card.formation(line.formation) if line.formation else None
            return formation.arrows if formation is not None else card.arrows
        arrows = [*card.arrows, *(name for source in card.formations for name in source.arrows)]
        arrows += [name for source in self.lines(side) for name in source.arrows]
        return tuple(dict.fromkeys(arrows))

    def entry_hexes(self, arrow: str) -> tuple[str, ...]:
        """Return the hexes of the Entry Area around an arrow hex."""
        return entry_area(self.map, arrow).hexes

    @property
    def fixes_guns(self) -> bool:
        """True if a Gun that set up in a pillbox or Fortified Building can never be moved; each system says."""
        return self.variant.guns_fixed

    @property
    def blocks(self) -> bool:
        """True if Setup Areas are Blocks of the map."""
        return self.card.areas == "blocks"

    @implements("HASL 8", "ABtF CHART Block map")
    def block_front(self) -> BlockFront:
        """Return Setup Areas and front line as they follow from the Control of Blocks."""
        return block_front(self.map, self.state.block_control, SIDES, blockhouse=self.blockhouse)

    @property
    def blockhouse(self) -> Mapping[str, str]:
        """Which side's Setup Area the hexes of the Blockhouse are, as the players told."""
        return dict(self.state.agreed.get("blockhouse", {}))

    def retained_hexes(self, side: str, area: str) -> frozenset[str]:
        """Return the hexes of a Setup Area of a side, or of an Entry Area by its arrow hex, open or not."""
        setup_area = self.state.area(side, area)
        if setup_area is not None:
            return frozenset(setup_area.hexes)
        return frozenset(self.entry_hexes(area)) if area in self.all_arrows(side) else frozenset()
