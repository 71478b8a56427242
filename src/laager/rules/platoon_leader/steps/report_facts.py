"""What follows from two battle reports that add up: the facts, side by side (PL 2.9, 3.11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laager.campaign.clauses import implements
from laager.campaign.steps import Procedure
from laager.rules.common.card import SIDES, other
from laager.rules.common.changes import (
    INFANTRY,
    MMC,
    VEHICLES,
    by_holder,
    hide,
    marked,
    moved,
    reveal,
    unseen,
)
from laager.rules.common.facts import UnitAttached, UnitChanged, UnitHidden, UnitJoined, UnitNamed
from laager.rules.common.joining import next_unit_id
from laager.rules.common.telling import tell
from laager.rules.common.units import HIDING, Mark, Place, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.steps.report_agreement import Reports, guard_of
from laager.rules.platoon_leader.steps.report_board_facts import board_facts, side_facts
from laager.rules.platoon_leader.steps.report_desk import Desk
from laager.rules.platoon_leader.steps.report_form import GONE, GUARD, LEFT, OFF_MAP
from laager.rules.platoon_leader.steps.report_losses import losses, taken
from laager.rules.platoon_leader.steps.report_marks import marks_of
from laager.rules.platoon_leader.steps.report_outcome import After, main_location, unit_id

WHY = "reported at the end of play"


@implements("PL 2.9", "PL 3.11", "PL 1.4 Survivors")
def follow(cg: Cg, reports: Reports) -> Procedure[None]:
    """Apply two reports that were found to be in order."""
    desks = {side: Desk.of(cg, side, reports[side]) for side in SIDES}
    names: dict[str, str] = {}
    for side in SIDES:
        for row in reports[side]["new"]:
            yield from _join(cg, desks[side], row, names)
    for side in SIDES:
        for after in desks[side].after.values():
            if after.fate not in GONE:
                yield from _stays(cg, after, names)
    for side in SIDES:
        yield from _knowledge(cg, side, desks[side])
    yield from _guards(cg, desks)
    yield from _melees(cg)
    for side in SIDES:
        for after in desks[side].after.values():
            yield from tell(losses(cg, desks[side], after))
    for side in SIDES:
        yield from taken(cg, desks, side, names)
    yield from tell(board_facts(cg, reports))
    for side in SIDES:
        yield from tell(side_facts(cg, desks[side]))


# Units in being ---------------------------------------------------------------------------------


def _join(cg: Cg, desk: Desk, row: Mapping[str, Any], names: dict[str, str]) -> Procedure[None]:
    """A unit came into being in play: it joins on the map."""
    whence = desk.after.get(unit_id(row["from"]))
    unit = Unit(
        id=next_unit_id(cg, desk.side),
        side=desk.side,
        nation=cg.side(desk.side).nation,
        type=row["type"],
        kind=desk.new_kind(row) or "",
        group=whence.was.group if whence else "",
        name=row["name"],
        place=Place.MAP,
        at=main_location(cg, row["at"]),
        marks=marks_of(row["marks"]),
        since=cg.state.fight.number,
    )
    if row["name"]:
        names[unit_id(row["name"])] = unit.id
    why = f"came into being in play, from {whence.was.label}" if whence else "made in play"
    yield UnitJoined(unit=unit, why=why, to=(desk.side,))
    holder = unit_id(row["with"])
    if holder:
        to_unit = names.get(holder, holder)
        yield UnitAttached(unit=unit.id, to_unit=to_unit, why=WHY, to=(desk.side,))


def _stays(cg: Cg, after: After, names: Mapping[str, str]) -> Procedure[None]:
    """A unit that is still in the OB: where it is, what it is, with whom, in what state."""
    unit = after.was
    hiding = after.marks & HIDING if after.on_map else frozenset[Mark]()
    if hiding and unit.known:
        yield from tell(hide(unit, min(hiding), WHY))
    unit = cg.state.units[unit.id]
    if after.name != unit.name:
        yield UnitNamed(unit=unit.id, name=after.name, why=WHY, to=unit.audience)
    if after.type != unit.type:
        yield type_changed(cg, unit, after.type)
    place = Place.MAP if after.on_map else unit.place
    if after.fate in LEFT or (after.fate == OFF_MAP and unit.on_map):
        place = Place.OFF_MAP
    at = after.at if after.on_map else None
    if (place, at) != (unit.place, unit.at):
        yield moved(unit, at, place, _moved_why(after))
    marks = after.marks
    if unit.kind == "gun" and after.on_map and unit.has(Mark.HIP) and Mark.HIP not in marks:
        marks |= {Mark.WAS_REVEALED}
    yield from tell(marked(unit, add=marks - unit.marks, remove=unit.marks - marks, why=WHY))
    if after.has(Mark.PRISONER) and not after.has(Mark.UNGUARDED):
        return
    holder = "" if after.has(Mark.PRISONER) else names.get(after.holder, after.holder)
    if holder != unit.with_unit:
        yield UnitAttached(unit=unit.id, to_unit=holder, why=WHY, to=unit.audience)


def _moved_why(after: After) -> str:
    if after.fate in LEFT:
        return "left the map and stays in the OB (PL CG8)"
    return "where it was when play ended" if not after.carrier else f"went with {after.carrier}"


def type_changed(cg: Cg, unit: Unit, to: str) -> UnitChanged:
    """Return the fact that a unit became another type in play, with the word for how."""
    nation = cg.nation_of(unit)
    kind = unit.kind if unit.kind not in MMC else nation.unit(to).kind.value
    how = "changed"
    if unit.kind == "squad" and kind == "half-squad":
        how = "Reduced"
    elif unit.kind == "half-squad" and kind == "squad":
        how = "Recombined"
    elif unit.kind != "armor-leader" and nation.replaced(unit.type) == to:
        how = "Replaced"
    elif unit.kind != "armor-leader" and nation.hardened(unit.type) == to:
        how = "Battle Hardened"
    return UnitChanged(unit=unit.id, type=to, kind_of_unit=kind, how=how, why=WHY, to=unit.audience)


# Who knows what ---------------------------------------------------------------------------------


def _knowledge(cg: Cg, side: str, desk: Desk) -> Procedure[None]:
    """Unconcealed units on the map are known; what is with a hidden unit is not."""
    for unit in by_holder(cg, cg.state.units_of(side)):
        if not unit.on_map:
            continue
        hidden = unseen(cg, unit)
        if not hidden and not unit.known:
            yield from tell(reveal(unit, "on the map without concealment when play ended"))
        elif hidden and unit.known:
            yield UnitHidden(unit=unit.id, side=side, why="with a concealed unit")


def _guards(cg: Cg, desks: Mapping[str, Desk]) -> Procedure[None]:
    """Prisoners are with their guards."""
    for side in SIDES:
        for after in desks[side].after.values():
            unit = cg.state.units[after.was.id]
            if not after.on_map or not unit.has(Mark.PRISONER) or unit.has(Mark.UNGUARDED):
                continue
            guard = guard_of(desks[other(side)], after.at, after.holder or GUARD)
            guard_id = _real_id(cg, other(side), guard)
            if guard_id and guard_id != unit.with_unit:
                yield UnitAttached(unit=unit.id, to_unit=guard_id, why="guarded", to=unit.audience)


def _real_id(cg: Cg, side: str, guard: Unit | None) -> str:
    """Return the id of a guard, found on the map if it came into being in play."""
    if guard is None or guard.id in cg.state.units:
        return guard.id if guard else ""
    there = (u for u in cg.state.at(guard.at or "") if u.side == side and u.type == guard.type)
    return next((unit.id for unit in there if unit.since == cg.state.fight.number), "")


def _melees(cg: Cg) -> Procedure[None]:
    """Where one side has units in Melee, all that can fight there are (A11.15)."""
    places = {unit.at for unit in cg.state.units.values() if unit.on_map and unit.has(Mark.MELEE)}
    for at in cg.sort(at for at in places if at):
        for unit in list(cg.state.at(at)):
            able = unit.kind in INFANTRY | VEHICLES and not unit.with_unit
            if able and not unit.has(Mark.PRISONER) and not unseen(cg, unit):
                yield from tell(marked(unit, add=[Mark.MELEE], why=f"Melee in {at}"))
