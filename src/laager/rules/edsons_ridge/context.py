"""What the steps of Edson's Ridge have at hand: the layer's context with the module's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from laager.campaign import implements
from laager.hexmap import entry_area
from laager.rules.board.card.parts import other_side
from laager.rules.board.hasl.buying.groups import is_in_reserve
from laager.rules.board.hasl.charts import HaslCharts
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.variant import Variant
from laager.rules.board.units import Mark, Unit
from laager.rules.edsons_ridge.charts import ErCharts, printed_charts, with_prices
from laager.rules.edsons_ridge.state import ErState
from laager.rules.edsons_ridge.terrain import TURNS
from laager.rules.edsons_ridge.variant import ErVariant

PACKAGE = "laager.rules.edsons_ridge"


class Er(Hasl):
    """The campaign as its steps see it. Only the engine changes `state`."""

    package: ClassVar[str] = PACKAGE
    variant: ClassVar[Variant[Any]] = ErVariant()
    turns = TURNS
    state: ErState

    def complete_charts(self, charts: HaslCharts) -> HaslCharts:
        """Return a module's charts with the price list of the rules, if it has none of its own."""
        forbidden = self.reading("pillbox-isolated") == "forbidden"
        return with_prices(charts, self.rule_charts, pillbox_isolated=not forbidden)

    @property
    def rule_charts(self) -> ErCharts:
        """The charts of the rules, as the house has them."""
        changed: ErCharts = self.house.packaged_charts(PACKAGE, printed_charts())
        return changed

    # Entry Areas --------------------------------------------------------------------------------

    @implements("ER CG6", "ER 1.2 Eligible Entry Area", "ER 1.5187")
    def is_entry_open(self, side: str, arrow: str) -> bool:
        """True if an Entry Area is Eligible: one with a date opens on that date, and stays open."""
        first = self.side(side).arrow_dates.get(arrow)
        return first is None or self.state.number >= self.card.date_number(first)

    @implements("ER CG6", "ER GEO-2")
    def entry_hexes(self, arrow: str) -> tuple[str, ...]:
        """Return the hexes of an Entry Area: nine, fewer where the edge ends, by the reading."""
        area = entry_area(self.map, arrow)
        if self.reading("entry-corner") == "ends":
            area = entry_area(self.map, replace(area.arrow, same_edge_only=True))
        return area.hexes

    # Areas by name ------------------------------------------------------------------------------

    @implements("ER GEO-3", "ER 1.2 Setup Area", "ER 1.2 Isolated", "ER GEO-1")
    def setup_hexes(self, side: str, *, isolated: bool) -> Mapping[str, tuple[str, ...]]:
        """Return the hexes of a side's Setup Areas by name, with or without Isolated ones."""
        return {
            f"Setup Area {area.name}": area.hexes for area in self.state.areas_of(side) if isolated or not area.isolated
        }

    def own_areas(self, side: str) -> Mapping[str, tuple[str, ...]]:
        """Return a side's Setup Areas, Isolated or not, and its Eligible Entry Areas."""
        entries = {f"Entry Area {arrow}": self.entry_hexes(arrow) for arrow in self.arrows(side)}
        return {**self.setup_hexes(side, isolated=True), **entries}

    def enemy_areas(self, side: str) -> Mapping[str, tuple[str, ...]]:
        """Return the enemy Setup and Entry Areas from which a side's Reserves must keep their distance."""
        enemy = other_side(side)
        arrows = self.all_arrows(enemy) if self.reading("reserve-entry-areas") == "all" else self.arrows(enemy)
        entries = {f"enemy Entry Area {arrow}": self.entry_hexes(arrow) for arrow in arrows}
        areas = self.setup_hexes(enemy, isolated=True)
        return {**{f"enemy {name}": hexes for name, hexes in areas.items()}, **entries}

    # Reserves -----------------------------------------------------------------------------------

    def is_reserve(self, unit: Unit) -> bool:
        """True if a unit is in Reserve: bought so for this date, and not yet released."""
        return unit.has(Mark.RESERVE) or is_in_reserve(self, unit)
