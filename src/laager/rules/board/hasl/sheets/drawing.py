"""A viewer's campaign on the map: Control, Setup Areas, front line, Entry Areas, known units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from laager.hexmap.draw import BlockLayer, Layers, UnitMark, block_layer, entry_marks
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.areas import strategic_locations
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.sheets.summary import mine
from laager.rules.board.units import HIDING

CARRIED = frozenset({"sw"})


def layers(cg: Hasl) -> Layers:
    """Return what a viewer's state shows on the map."""
    kind = cg.state.scenario.kind
    return Layers(
        title=cg.card.title,
        subtitle=f"CG Date {cg.date.title}" + (f", {kind}" if kind else ""),
        control=cg.state.ground.control,
        strategic=tuple(strategic_locations(cg)),
        blocks=block_layer(cg.map, cg.block_front()) if cg.blocks else listed_layer(cg),
        entry_areas=entry_marks(cg.map),
        units=tuple(_units(cg)),
        sides={side: cg.side(side).name for side in SIDES},
    )


def listed_layer(cg: Hasl) -> BlockLayer:
    """Return the layer that shows Setup Areas where they are listed: there is no front line."""
    names = Counter(area.name for area in cg.state.areas)
    control: dict[str, str] = {}
    shown: dict[str, frozenset[str]] = {}
    for area in cg.state.areas:
        # Both sides may have an area of one name.
        own = area.name if names[area.name] == 1 else f"{area.name} {cg.side(area.side).name}"
        control[own] = area.side
        shown[own] = frozenset(area.hexes)
    return BlockLayer(
        sides=SIDES,
        blocks=shown,
        control=control,
        held={side: cg.state.friendly(side) for side in SIDES},
        road_line=frozenset(),
        line={side: frozenset[str]() for side in SIDES},
    )


def _units(cg: Hasl) -> Iterator[UnitMark]:
    stacks: Counter[tuple[str, str, str, bool]] = Counter()
    for unit in cg.state.units.values():
        if unit.on_map and unit.hex and unit.kind not in CARRIED:
            stacks[unit.hex, unit.side, unit.type, unit.has(*HIDING)] += 1
    for (name, side, label, concealed), count in stacks.items():
        yield UnitMark(name, side, label, concealed, count, own=mine(cg.state, side))
