"""What a side needs on paper to set up: the order, its ground, where each unit may go (PL 2.6).

For the side itself and the umpire; filled from the viewer's state.
"""

from __future__ import annotations

from laager.campaign import Sheet, implements
from laager.hexmap.ranges import as_ranges
from laager.rules.board.places import ITEMS
from laager.rules.board.setup.sheets import ground_sheet, order_sheet, units_sheet, works_sheet
from laager.rules.board.units import Place, Unit
from laager.rules.platoon_leader.buying.groups import enters_because
from laager.rules.platoon_leader.buying.works import in_reserve
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.setup.plan import Setting
from laager.rules.platoon_leader.sheets.roster import mine

OPEN = "not yet determined"


def setup_sheets(cg: Cg, side: str) -> tuple[Sheet, ...]:
    """Return the sheets by which a side sets up; none for whom its units are secret."""
    if not mine(cg, side):
        return ()
    setting = Setting(cg, side)
    now = {unit.id for unit in setting.units}
    units = ((unit, _group(cg, unit), _right(cg, unit), unit.id in now) for unit in cg.state.units_of(side))
    return (
        _order(setting),
        _ground(setting),
        units_sheet(side, units),
        works_sheet(side, (*setting.forts, *setting.hip)),
    )


def _order(setting: Setting) -> Sheet:
    cg, fight = setting.cg, setting.cg.state.fight
    rows = [("Type", fight.type.value if fight.type else OPEN)]
    for title, who in (("Sets up first", fight.sets_up_first), ("Moves first", fight.moves_first)):
        rows.append((title, cg.side(who).name if who else OPEN))
    if setting.dummies:
        rows.append(("Dummies of the Reserves", str(setting.dummies)))
    if setting.modules:
        names = ", ".join(module.id for module in setting.modules)
        rows.append(("OBA modules", f"{names}; {charts().limit('oba-modules')} at most are used"))
    return order_sheet(setting.side, rows)


@implements("PL 2.32", "PL 2.33")
def _ground(setting: Setting) -> Sheet:
    """Return the hexes on which the side may set up, and by which it enters."""
    cg, ground = setting.cg, setting.ground
    distance = charts().limit("reserve-distance")
    found = (
        ("Setup area" if cg.front is None else "Friendly MLR", ground.area),
        (f"Reserves: {distance} hexes or more from the enemy's Strategic Terrain", ground.reserve),
        ("Open Ground next to the enemy: AFV only", ground.exposed),
        ("Isolated: Controlled Terrain in the enemy MLR", ground.isolated),
        ("Friendly Map Edge and entry hexes", cg.edge(setting.side)),
    )
    return ground_sheet(setting.side, ((what, as_ranges(hexes) or "none") for what, hexes in found))


def _group(cg: Cg, unit: Unit) -> str:
    """Return a unit's group with what the card calls it."""
    group = cg.state.groups.get((unit.side, unit.group))
    line = cg.side(unit.side).group(group.rg) if group is not None else None
    return f"{unit.group}  {line.name}" if line is not None else unit.group


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
