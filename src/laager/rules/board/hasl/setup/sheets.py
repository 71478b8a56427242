"""What a side needs on paper to set up: the order, its areas, where each unit may go.

For the side itself and the umpire; filled from the viewer's state.
"""

from __future__ import annotations

from collections.abc import Iterator

from laager.campaign import Sheet
from laager.hexmap.ranges import as_ranges
from laager.rules.board.hasl.buying.groups import in_reserve
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.setup.plan import Setting
from laager.rules.board.hasl.sheets.summary import mine
from laager.rules.board.places import ITEMS
from laager.rules.board.setup.sheets import ground_sheet, order_sheet, units_sheet, works_sheet
from laager.rules.board.units import Unit

OPEN = "not yet determined"


def setup_sheets(cg: Hasl, side: str) -> tuple[Sheet, ...]:
    """Return the sheets by which a side sets up; none for whom its units are secret."""
    if not mine(cg.state, side):
        return ()
    setting = Setting(cg, side)
    units = ((unit, _group(cg, unit), _right(setting, unit), _now(setting, unit)) for unit in cg.state.units_of(side))
    return (
        order_sheet(side, _order(cg)),
        ground_sheet(side, _ground(setting)),
        units_sheet(side, units),
        works_sheet(side, (*setting.forts, *setting.hip)),
    )


def _order(cg: Hasl) -> Iterator[tuple[str, str]]:
    one = cg.state.scenario
    yield "Scenario", one.kind or OPEN
    for title, who in (("Sets up first", one.sets_up_first), ("Moves first", one.moves_first)):
        yield title, cg.side(who).name if who else OPEN
    if cg.variant.isolated_first:
        yield "Isolated units", "of both sides set up before all others"


def _ground(setting: Setting) -> Iterator[tuple[str, str]]:
    """Yield the Setup Areas of the side, or the card's setup area, and its Entry Areas."""
    cg, side = setting.cg, setting.side
    if cg.initial and cg.side(side).setup:
        yield "Setup area of the Initial Scenario", as_ranges(setting.home) or "none"
    for area in cg.state.areas_of(side):
        kind = "Setup Area, Isolated" if area.isolated else "Setup Area"
        yield f"{kind} {area.name}", as_ranges(area.hexes)
    for arrow in cg.arrows(side):
        yield f"Entry Area {arrow}", as_ranges(cg.entry_hexes(arrow))


def _group(cg: Hasl, unit: Unit) -> str:
    """Return a unit's group with what the chart calls it."""
    group = cg.state.groups.get((unit.side, unit.group))
    if group is None:
        return unit.group
    line = cg.line(unit.side, group.rg)
    title = group.name or (line.name if line else "")
    return f"{unit.group}  {title}" if title else unit.group


def _now(setting: Setting, unit: Unit) -> bool:
    return unit.id in setting.by_id and unit.id not in setting.bound


def _right(setting: Setting, unit: Unit) -> str:
    if unit.id not in setting.by_id:
        return setting.cg.variant.kept_off(setting.cg, unit) or "does not set up"
    if unit.id in setting.bound:
        return f"stays in {unit.at}"
    if unit.kind in ITEMS and unit.with_unit:
        return f"with {unit.with_unit}"
    return "; ".join(_ways(setting, unit)) or "stays off the map"


def _ways(setting: Setting, unit: Unit) -> Iterator[str]:
    """Yield the places where a unit may set up or enter, in words."""
    cg = setting.cg
    if in_reserve(cg, unit):
        yield "in Reserve"
    if cg.state.area(setting.side, unit.area) is not None:
        yield f"Setup Area {unit.area}"
    elif unit.on_map:
        yield f"{unit.hex}, where it is"
    elif setting.ground(unit):
        yield "any own Setup Area"
    entries = setting.entries(unit)
    if entries:
        yield f"enters by {', '.join(entries)}"
