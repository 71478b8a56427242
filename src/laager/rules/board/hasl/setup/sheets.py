"""Sheets by which a side of the HASL family sets up."""

from __future__ import annotations

from collections.abc import Iterator

from laager.campaign import Sheet
from laager.hexmap.coords import as_ranges
from laager.rules.board.hasl.buying.groups import is_in_reserve
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.setup.plan import Setting
from laager.rules.board.places import ITEMS
from laager.rules.board.setup import sheets
from laager.rules.board.units import Unit


def setup_sheets(cg: Hasl, side: str) -> tuple[Sheet, ...]:
    """Return the sheets by which a side sets up."""
    setting = Setting(cg, side)

    def group_name(unit: Unit) -> str:
        group = cg.state.groups.get((unit.side, unit.group))
        line = cg.line(unit.side, group.rg) if group is not None else None
        return (group.name if group is not None else "") or (line.name if line else "")

    return sheets.setup_sheets(setting, _order(cg), _ground(setting), group_name, lambda unit: _right(setting, unit))


def _order(cg: Hasl) -> Iterator[tuple[str, str]]:
    scenario = cg.state.scenario
    yield "Scenario", scenario.kind or sheets.OPEN
    yield from sheets.first_rows(cg, scenario.sets_up_first, scenario.moves_first)
    if cg.variant.isolated_first:
        yield "Isolated units", "of both sides set up before all others"


def _ground(setting: Setting) -> Iterator[tuple[str, str]]:
    """Yield the Setup Areas of the side, or the card's setup area, and its Entry Areas."""
    cg, side = setting.cg, setting.side
    if cg.initial and cg.side(side).setup:
        yield "Setup area of the Initial Scenario", as_ranges(setting.common) or "none"
    for area in cg.state.areas_of(side):
        kind = "Setup Area, Isolated" if area.isolated else "Setup Area"
        yield f"{kind} {area.name}", as_ranges(area.hexes)
    for arrow in cg.arrows(side):
        yield f"Entry Area {arrow}", as_ranges(cg.entry_hexes(arrow))


def _right(setting: Setting, unit: Unit) -> str:
    if unit.id not in setting.by_id:
        return setting.cg.variant.waiting_reason(setting.cg, unit) or "does not set up"
    if unit.id in setting.bound:
        return f"stays in {unit.at}"
    if unit.kind in ITEMS and unit.with_unit:
        return f"with {unit.with_unit}"
    return "; ".join(_ways(setting, unit)) or "stays off the map"


def _ways(setting: Setting, unit: Unit) -> Iterator[str]:
    """Yield the places where a unit can set up or enter, in words."""
    cg = setting.cg
    if is_in_reserve(cg, unit):
        yield "in Reserve"
    if setting.own_hexes(unit) is not None:
        yield ", ".join(unit.setup)
    elif cg.state.area(setting.side, unit.area) is not None:
        yield f"Setup Area {unit.area}"
    elif unit.on_map:
        yield f"{unit.hex}, where it is"
    elif setting.ground(unit):
        yield "any own Setup Area"
    entries = setting.entries(unit)
    if entries:
        yield f"enters by {', '.join(entries)}"
