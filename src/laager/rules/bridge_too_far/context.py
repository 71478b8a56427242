"""What the steps of A Bridge Too Far have at hand: the layer's context with the module's ground."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from laager.campaign import implements
from laager.hexmap import BlockFront, EntryArea, block_front, entry_area, front_locations
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.charts import RgLine
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.variant import Variant
from laager.rules.bridge_too_far.card import with_balance
from laager.rules.bridge_too_far.entry import printed_arrows
from laager.rules.bridge_too_far.state import AbtfState
from laager.rules.bridge_too_far.variant import AbtfVariant

PACKAGE = "laager.rules.bridge_too_far"


class Abtf(Hasl):
    """The campaign as its steps see it. Only the engine changes `state`."""

    package: ClassVar[str] = PACKAGE
    variant: ClassVar[Variant[Any]] = AbtfVariant()
    state: AbtfState

    def __init__(self, opening: Mapping[str, Any]) -> None:
        super().__init__(opening)
        self.card = with_balance(self.card)

    # Entry Areas --------------------------------------------------------------------------------

    def all_arrows(self, side: str, line: RgLine | None = None) -> tuple[str, ...]:
        """Return the arrow hexes of the Entry Areas for a group, or of all those of its side.

        If neither chart nor card name any, they are those of the printed map (CG9).
        """
        arrows = super().all_arrows(side, line)
        if arrows:
            return arrows
        if line is not None:
            return printed_arrows(self.map, side, line.formation)
        kgs = [formation.id for formation in self.side(side).formations] or [""]
        return tuple(dict.fromkeys(name for kg in kgs for name in printed_arrows(self.map, side, kg)))

    def entry_hexes(self, arrow: str) -> tuple[str, ...]:
        """Return the hexes of the Entry Area around an arrow hex."""
        return self.entry_area(arrow).hexes

    @implements("ABtF GEO-8", "ABtF 9.2 Entry Area")
    def entry_area(self, arrow: str) -> EntryArea:
        """Return the Entry Area of an arrow; the reading says if it goes round a corner."""
        area = entry_area(self.map, arrow)
        if self.reading("entry-corners") == "same-edge":
            area = entry_area(self.map, replace(area.arrow, same_edge_only=True))
        return area

    # Setup Areas and the front line --------------------------------------------------------------

    @implements(
        "ABtF GEO-3",
        "ABtF GEO-5",
        "ABtF 9.2 Block",
        "ABtF 9.2 Setup Area",
        "ABtF 9.2 Friendly Setup Area",
        "ABtF 9.2 Enemy Setup Area",
        "ABtF 9.2 Uncontrolled Territory",
        "ABtF 5.1",
    )
    def block_front(self) -> BlockFront:
        """Return Setup Areas, Uncontrolled Territory and front line by the Control of Blocks."""
        connected = self.reading("setup-areas") == "connected-blocks"
        control = self.state.block_control
        front = block_front(self.map, control, SIDES, blockhouse=self.blockhouse, connected=connected)
        if self.reading("wide-roads") == "none":
            return front
        wide_hexes = frozenset(name for pair in wide_roads(self, front) for name in pair)
        return block_front(self.map, control, SIDES, blockhouse=self.blockhouse, also=wide_hexes, connected=connected)

    @implements("ABtF GEO-6", "ABtF 9.2 Front Line Location", "ABtF 5.2")
    def front_line(self, side: str | None = None) -> tuple[str, ...]:
        """Return the Front Line Locations of a side's Setup Areas, or (None) of the road hexes.

        The Blockhouse, standing or rubble, is never among them. By the reading upper levels are
        left out.
        """
        locations = front_locations(self.map, self.block_front(), side)
        if self.reading("front-line-buildings") == "ground":
            return tuple(location for location in locations if "." not in location)
        return locations

    @cached_property
    def calendar(self) -> Mapping[int, tuple[int, ...]]:
        """The numbers of the CG Dates of each date's calendar day, by the number of the date."""
        days = [date.day for date in self.card.dates]
        return {
            number: tuple(n for n, other in enumerate(days, 1) if other == day) for number, day in enumerate(days, 1)
        }


@implements("ABtF GEO-2")
def wide_roads(cg: Abtf, front: BlockFront) -> Iterator[tuple[str, str]]:
    """Yield pairs of road hexes side by side of which each touches the areas of one side only."""
    sides = {name: sides_touched(cg, front, name) for name in cg.map.blocks.roads}
    for name in cg.map.in_order(sides):
        for near in cg.map.neighbours(name):
            if sides[name] == {SIDES[0]} and sides.get(near) == {SIDES[1]}:
                yield name, near


def sides_touched(cg: Abtf, front: BlockFront, road: str) -> set[str]:
    """Return the sides whose Setup Areas a road hex touches."""
    neighbours = cg.map.neighbours(road)
    return {side for side in SIDES if any(name in front.friendly[side] for name in neighbours)}
