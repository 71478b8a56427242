"""What follows for units from two battle reports that fit together (PL 3.11, A26.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from laager.campaign import Fact, Procedure, implements
from laager.rules.board import changes
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.context import CardContext
from laager.rules.board.facts import CvpScored, UnitAttached, UnitChanged, UnitHidden, UnitJoined, UnitNamed
from laager.rules.board.markers import marks_of_new_half
from laager.rules.board.numbering import next_unit_id
from laager.rules.board.places import main_location, unit_id
from laager.rules.board.report.agreement import Pair, guard_of
from laager.rules.board.report.form import CAPTURED, ELIMINATED, GONE, GUARD, LEFT, OFF_MAP, RECALLED, REMOVED, NewRow
from laager.rules.board.report.marks import LASTING, WRECKAGE, marks_of
from laager.rules.board.report.outcome import UnitAfter
from laager.rules.board.report.side_report import SideReport, each_outcome
from laager.rules.board.units import HIDING, Mark, Place, Unit
from laager.rules.board.wording import public_name, yield_facts

WHY = "reported at the end of play"

PLACES: Mapping[str, Place] = {
    ELIMINATED: Place.ELIMINATED,
    CAPTURED: Place.CAPTURED,
    RECALLED: Place.RECALLED,
    REMOVED: Place.REMOVED,
}

OFFSPRING: Mapping[str, str] = {"squad": "half-squad", "afv": "crew", "vehicle": "crew"}
"""What can survive of a unit: of a squad a half-squad, of a vehicle its crew."""


def follow_units(cg: CardContext, pair: Pair) -> Procedure[None]:
    """Apply the part about units of two reports that fit together."""
    names: dict[str, str] = {}
    for side in SIDES:
        for row in pair[side].answer["new"]:
            yield from _join_new(cg, pair[side], row, names)
    for report, after in each_outcome(pair):
        if after.fate not in GONE:
            yield from _update_unit(cg, report, after, names)
    for side in SIDES:
        yield from _update_knowledge(cg, side)
    yield from _assign_guards(cg, pair)
    yield from _extend_melees(cg)
    for report, after in each_outcome(pair):
        yield from yield_facts(_score_loss(cg, report, after))
    for side in SIDES:
        yield from _hand_over(cg, pair, side, names)


# Units in being ---------------------------------------------------------------------------------


def _join_new(cg: CardContext, report: SideReport, row: NewRow, names: dict[str, str]) -> Procedure[None]:
    """A unit that came into being in play joins on the map."""
    whence = report.after.get(unit_id(row["from"]))
    kind = report.new_kind(row) or ""
    # A half-squad is of the men of its squad.
    inherited = marks_of_new_half(whence.was) if whence and kind == "half-squad" else frozenset[Mark]()
    unit = Unit(
        id=next_unit_id(cg, report.side),
        side=report.side,
        nation=cg.side(report.side).nation,
        type=row["type"],
        kind=kind,
        group=whence.was.group if whence else "",
        name=row["name"],
        place=Place.MAP,
        at=main_location(cg, row["at"]),
        marks=marks_of(row["marks"]) | inherited,
        since=cg.state.number,
    )
    if row["name"]:
        names[unit_id(row["name"])] = unit.id
    why = f"came into being in play, from {whence.was.label}" if whence else "made in play"
    yield UnitJoined(unit=unit, why=why, to=(report.side,))
    if holder := unit_id(row["with"]):
        yield UnitAttached(unit=unit.id, to_unit=names.get(holder, holder), why=WHY, to=(report.side,))


def _update_unit(cg: CardContext, report: SideReport, after: UnitAfter, names: Mapping[str, str]) -> Procedure[None]:
    """Note of a unit that is still in the OB where it is, what it is, with which unit and in what state."""
    unit = after.was
    hiding = after.marks & HIDING if after.on_map else frozenset[Mark]()
    if hiding and unit.known:
        yield from yield_facts(changes.hide(unit, min(hiding), WHY))
    unit = cg.state.units[unit.id]
    if after.name != unit.name:
        yield UnitNamed(unit=unit.id, name=after.name, why=WHY, to=unit.audience)
    if after.type != unit.type:
        yield _type_fact(cg, unit, after.type)
    place = Place.MAP if after.on_map else unit.place
    if after.fate in LEFT or (after.fate == OFF_MAP and unit.on_map):
        place = Place.OFF_MAP
    at = after.at if after.on_map else None
    if (place, at) != (unit.place, unit.at):
        yield changes.place_unit(unit, at, place, _moved_why(report, after))
    marks = after.marks
    if unit.kind == "gun" and after.on_map and unit.has(Mark.HIP) and Mark.HIP not in marks:
        marks |= {Mark.WAS_REVEALED}
    yield from yield_facts(changes.change_marks(unit, add=marks - unit.marks, remove=unit.marks - marks, why=WHY))
    if after.has(Mark.PRISONER) and not after.has(Mark.UNGUARDED):
        return
    holder = "" if after.has(Mark.PRISONER) else names.get(after.holder, after.holder)
    if holder != unit.with_unit:
        yield UnitAttached(unit=unit.id, to_unit=holder, why=WHY, to=unit.audience)


def _moved_why(report: SideReport, after: UnitAfter) -> str:
    if after.fate in LEFT:
        rule = f" ({report.left_rule})" if report.left_rule else ""
        return f"left the map and stays in the OB{rule}"
    return "where it was when play ended" if not after.carrier else f"went with {after.carrier}"


@implements("ABtF 6.3")
def _type_fact(cg: CardContext, unit: Unit, to: str) -> UnitChanged:
    """Return the fact that a unit became another type in play, with the word for how."""
    nation = cg.nation_of(unit)
    kind = unit.kind if unit.kind not in changes.MMC else nation.unit(to).kind.value
    how = "changed"
    if unit.kind == "squad" and kind == "half-squad":
        how = "Reduced"
    elif unit.kind == "half-squad" and kind == "squad":
        how = "Recombined"
    elif unit.kind != "armor-leader" and nation.replaced_type(unit.type) == to:
        how = "Replaced"
    elif unit.kind != "armor-leader" and nation.hardened_type(unit.type) == to:
        how = "Battle Hardened"
    return UnitChanged(unit=unit.id, type=to, kind_of_unit=kind, how=how, why=WHY, to=unit.audience)


# Who knows what ---------------------------------------------------------------------------------


def _update_knowledge(cg: CardContext, side: str) -> Procedure[None]:
    """The enemy knows the unconcealed units on the map, but not what is with a hidden unit."""
    for unit in changes.sort_by_holder(cg, cg.state.units_of(side)):
        if not unit.on_map:
            continue
        hidden = changes.is_unseen(cg, unit)
        if not hidden and not unit.known:
            why = "on the map without concealment when play ended"
            yield from yield_facts(changes.reveal_with_prisoners(cg, unit, why))
        elif hidden and unit.known:
            yield UnitHidden(unit=unit.id, side=side, why="with a concealed unit")


def _assign_guards(cg: CardContext, pair: Pair) -> Procedure[None]:
    """Prisoners are with their guards."""
    for report, after in each_outcome(pair):
        unit, enemy = cg.state.units[after.was.id], other_side(report.side)
        if not after.on_map or not unit.has(Mark.PRISONER) or unit.has(Mark.UNGUARDED):
            continue
        guard_id = _real_id(cg, enemy, guard_of(pair[enemy], after.at, after.holder or GUARD))
        if guard_id and guard_id != unit.with_unit:
            yield from yield_facts(changes.hand_to_guard(unit, cg.state.units[guard_id], "guarded"))


def _real_id(cg: CardContext, side: str, guard: Unit | None) -> str:
    """Return the id of a guard, found on the map if it came into being in play."""
    if guard is None or guard.id in cg.state.units:
        return guard.id if guard else ""
    there = (u for u in cg.state.at(guard.at or "") if u.side == side and u.type == guard.type)
    return next((unit.id for unit in there if unit.since == cg.state.number), "")


def _extend_melees(cg: CardContext) -> Procedure[None]:
    """Where one side has units in Melee, all that can fight there are (A11.15)."""
    places = {unit.at for unit in cg.state.units.values() if unit.on_map and unit.has(Mark.MELEE)}
    for at in cg.sort(at for at in places if at):
        for unit in list(cg.state.at(at)):
            able = unit.kind in changes.INFANTRY | changes.VEHICLES and not unit.with_unit
            if able and not unit.has(Mark.PRISONER) and not changes.is_unseen(cg, unit):
                yield from yield_facts(changes.change_marks(unit, add=[Mark.MELEE], why=f"Melee in {at}"))


# Losses -----------------------------------------------------------------------------------------


def _surviving_cvp(report: SideReport, after: UnitAfter) -> int:
    """Return the CVP of what survives of a unit, which are not lost with it."""
    wanted = OFFSPRING.get(after.was.kind)
    nation = report.cg.nation(report.side)
    return sum(
        nation.cvp(row["type"])
        for row in report.answer["new"]
        if unit_id(row["from"]) == after.was.id and report.new_kind(row) == wanted
    )


def cvp_lost(report: SideReport, after: UnitAfter) -> int:
    """Return the CVP that the enemy scores for what became of a unit in play (A26.2).

    Its whole value if it is eliminated or captured (double for guarded prisoners), the difference if
    a squad was Reduced; less what survives of it. Recalled and removed units score nothing.
    """
    nation, unit = report.cg.nation_of(after.was), after.was
    whole = changes.cvp_of(report.cg, unit)
    reduced = max(0, whole - nation.cvp(after.type)) if unit.kind == "squad" and after.type != unit.type else 0
    if after.fate in (RECALLED, REMOVED):
        return 0
    lost = reduced
    if after.fate == ELIMINATED:
        lost = whole
    elif after.fate == CAPTURED:
        double = unit.kind in changes.INFANTRY and not after.has(Mark.UNGUARDED)
        lost = reduced + (whole - reduced) * (2 if double else 1)
    return max(0, lost - _surviving_cvp(report, after))


@implements("ABtF 9.2 Eliminated")
def _score_loss(cg: CardContext, report: SideReport, after: UnitAfter) -> Iterator[Fact]:
    """A unit that is gone leaves the OB, a Reduced one costs its difference."""
    unit = cg.state.units[after.was.id]
    points = cvp_lost(report, after)
    if after.fate not in PLACES:
        if points:
            yield CvpScored(side=other_side(unit.side), points=points, why=f"{public_name(unit)}: Reduced in play")
        return
    why = f"{after.fate} in play"
    add = after.marks - LASTING
    if after.fate == ELIMINATED and changes.is_vehicle(unit):
        if after.at and after.at != unit.at:
            yield changes.place_unit(unit, after.at, why="where its wreck stands")
        # A wreck stands where all can see it.
        add = (add & WRECKAGE) | {Mark.WRECK}
    yield from changes.change_marks(unit, add=add, why=why)
    yield from changes.remove_unit(cg, unit, PLACES[after.fate], why, cvp=points)
    vehicle = report.after.get(after.was.with_unit)
    if cg.recalled_return and vehicle is not None and {after.fate, vehicle.fate} == {RECALLED}:
        yield changes.keep_aboard(unit, vehicle.was)


def _hand_over(cg: CardContext, pair: Pair, side: str, names: Mapping[str, str]) -> Procedure[None]:
    """Weapons that the enemy lost are now with their captors, also those won back."""
    enemy = pair[other_side(side)]
    lost = [after.was for after in enemy.after.values() if after.fate == CAPTURED]
    for row in pair[side].answer["taken"]:
        weapon = next(unit for unit in lost if unit.type == row["type"])
        lost.remove(weapon)
        by = unit_id(row["by"])
        yield from yield_facts(changes.change_hands(cg, weapon, names.get(by, by), marks_of(row["marks"])))
