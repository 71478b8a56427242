"""What a side of Platoon Leader needs on paper to set up (PL 2.6)."""

from __future__ import annotations

from collections.abc import Iterator

from laager.campaign import Sheet, implements
from laager.hexmap.coords import as_ranges
from laager.rules.board.places import ITEMS
from laager.rules.board.setup import sheets
from laager.rules.board.units import Place, Unit
from laager.rules.platoon_leader.buying.groups import enters_because, in_reserve
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.setup.plan import Setting


def setup_sheets(cg: Cg, side: str) -> tuple[Sheet, ...]:
    """Return the sheets by which a side sets up."""
    setting = Setting(cg, side)

    def group_name(unit: Unit) -> str:
        group = cg.state.groups.get((unit.side, unit.group))
        line = cg.side(unit.side).group(group.rg) if group is not None else None
        return line.name if line is not None else ""

    return sheets.setup_sheets(setting, _order(setting), _ground(setting), group_name, lambda unit: _right(cg, unit))


def _order(setting: Setting) -> Iterator[tuple[str, str]]:
    fight = setting.cg.state.fight
    yield "Type", setting.cg.name_battle(fight.type) if fight.type else sheets.OPEN
    yield from sheets.first_rows(setting.cg, fight.sets_up_first, fight.moves_first)
    if setting.dummies:
        yield "Dummies of the Reserves", str(setting.dummies)
    if setting.modules:
        names = ", ".join(module.id for module in setting.modules)
        yield "OBA modules", f"{names}; use {setting.cg.charts.limit('oba-modules')} at most"


@implements("PL 2.32", "PL 2.33")
def _ground(setting: Setting) -> Iterator[tuple[str, str]]:
    """Yield the hexes on which the side can set up, and by which it enters."""
    cg, ground = setting.cg, setting.ground
    distance = cg.charts.limit("reserve-distance")
    areas = {
        "Setup area" if cg.front is None else "Friendly MLR": ground.area,
        f"Reserves: {distance} hexes or more from the enemy's Strategic Terrain": ground.reserve,
        "Open Ground next to the enemy: AFV only": ground.exposed,
        "Isolated: Controlled Terrain in the enemy MLR": ground.isolated,
    }
    if edge := cg.edge(setting.side):
        areas["Friendly Map Edge and entry hexes"] = edge
    for label, hexes in areas.items():
        yield label, as_ranges(hexes) or "none"
    if not cg.edge(setting.side):
        yield "Entry", "the card names no map edge or hex for it: what is off the map can't enter"


def _right(cg: Cg, unit: Unit) -> str:
    if unit.kind in ITEMS and unit.with_unit:
        return f"with {unit.with_unit}"
    if unit.on_map:
        return "stays on the map"
    if unit.place is not Place.OFF_MAP:
        return unit.place.value
    if enters_because(cg, unit):
        return "enters"
    if in_reserve(cg, unit):
        return "In Reserve"
    return "setup area" if cg.front is None else "friendly MLR"
