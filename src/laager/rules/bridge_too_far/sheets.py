"""The sheets that only A Bridge Too Far has: rules in force, the divider's boxes, notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from laager.campaign import Sheet, implements
from laager.rules.board.card.parts import ALLIED, SIDES
from laager.rules.board.sheets.records import make_sheet, seen_sides, text_sheet
from laager.rules.board.units import Unit
from laager.rules.bridge_too_far.steps.wounded import squad_equivalents

if TYPE_CHECKING:
    from laager.rules.bridge_too_far.context import Abtf


@implements("ABtF 9.15", "ABtF 9.2 Retained")
def divider_sheet(cg: Abtf) -> Sheet:
    """Return the boxes of the divider as the viewer knows them: Walking Wounded, and Retained units."""
    rows = [("Walking Wounded box", f"{count} x {kind}") for kind, count in cg.state.ww_box.items()]
    for side in seen_sides(cg.state):
        name = cg.side(side).name
        rows += [(f"{name}, {box}", text) for box, text in _box_rows(cg, side)]
    notes = []
    if cg.state.ww_box:
        worth = squad_equivalents(cg.state.ww_box, cg.nation(ALLIED))
        notes.append(f"In the Walking Wounded box: {float(worth):g} squad-equivalents (CG19b).")
    return make_sheet("divider", "Chapter R divider", ("Box", "Units"), rows, notes)


def _box_rows(cg: Abtf, side: str) -> Iterator[tuple[str, str]]:
    boxes: dict[str, list[Unit]] = {}
    for unit in cg.state.units_of(side):
        box = f"Retained in {unit.area}" if unit.area else "not set up yet"
        boxes.setdefault(box, []).append(unit)
    for box, units in boxes.items():
        yield box, ", ".join(unit.label for unit in units)


def front_line_sheet(cg: Abtf) -> Sheet:
    """Return the Front Line Locations: road hexes, and those of each side's Setup Areas."""
    rows = [("roads", ", ".join(cg.front_line()))]
    rows += [(cg.side(side).name, ", ".join(cg.front_line(side))) for side in SIDES]
    return text_sheet("front-line", "Front line", rows, ("Where", "Front Line Locations"))


def vehicle_notes_sheet(cg: Abtf) -> Sheet:
    """Return what the viewer's side has noted of its vehicles and Guns."""
    rows = tuple(
        (cg.state.units[name].label, about, text)
        for name, notes in cg.state.records.items()
        if name in cg.state.units
        for about, text in notes.items()
    )
    return make_sheet("vehicle-notes", "Notes on vehicles and Guns", ("Unit", "About", "Noted"), rows)
