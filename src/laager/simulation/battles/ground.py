"""The ground after a scenario, as both sides see it: Control, fires, buildings that fell."""

from __future__ import annotations

from typing import Any

from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import INFANTRY, MMC
from laager.rules.board.hasl.areas import strategic_locations
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.places import can_burn
from laager.rules.board.units import Mark, Unit
from laager.simulation.battles.field import Luck
from laager.simulation.forces import Figures


def ground_answer(cg: Hasl, figures: Figures, luck: str) -> dict[str, Any]:
    """Return what became of the ground, from what both sides see once their units are reported."""
    luck_of, held = Luck(luck), cg.state.ground.control
    by_hex: dict[str, list[Unit]] = {}
    for unit in cg.state.units.values():
        if unit.on_map and unit.known and unit.kind in INFANTRY | {"afv"} and not unit.has(Mark.PRISONER):
            by_hex.setdefault(unit.hex or "", []).append(unit)
    control, fires, rubble = [], [], []
    for at in cg.sort(strategic_locations(cg)):
        there = by_hex.get(at.partition(".")[0], [])
        sides = {unit.side for unit in there}
        if len(sides) == 1 and held.get(at) not in sides and any(unit.kind in MMC for unit in there):
            control.append({"location": at, "side": min(sides)})
    burning = cg.state.ground.flames | cg.state.ground.blazes
    for name in cg.map.in_order(row["location"].partition(".")[0] for row in control):
        if name not in burning and can_burn(cg, name) and luck_of("fire", name) < figures["besides.fire"]:
            fires.append({"at": name, "now": "blaze" if luck_of("blaze", name) < figures["besides.blaze"] else "flame"})
        elif cg.map.hex(name).building is not None and luck_of("rubble", name) < figures["besides.rubble"]:
            rubble.append({"at": name, "what": "rubble"})
    assert set(SIDES) >= {row["side"] for row in control}
    return {"control": control, "fires": fires, "terrain": rubble, "cvp": []}
