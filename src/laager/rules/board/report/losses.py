"""Losses in a battle report, the CVP they score, and weapons that change hands (PL 3.11, A26.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from laager.campaign import Fact, Procedure
from laager.rules.board.card.parts import other
from laager.rules.board.changes import INFANTRY, aboard, cvp_of, gone, is_vehicle, marked, moved
from laager.rules.board.context import CardContext
from laager.rules.board.facts import CvpScored, UnitAttached, UnitJoined
from laager.rules.board.joining import next_unit_id
from laager.rules.board.report.desk import Desk
from laager.rules.board.report.form import CAPTURED, ELIMINATED, RECALLED, REMOVED
from laager.rules.board.report.marks import LASTING, WRECKAGE, marks_of
from laager.rules.board.report.outcome import After
from laager.rules.board.report.places import unit_id
from laager.rules.board.telling import named, tell
from laager.rules.board.units import Mark, Place, Unit

PLACES: Mapping[str, Place] = {
    ELIMINATED: Place.ELIMINATED,
    CAPTURED: Place.CAPTURED,
    RECALLED: Place.RECALLED,
    REMOVED: Place.REMOVED,
}

OFFSPRING: Mapping[str, str] = {"squad": "half-squad", "afv": "crew", "vehicle": "crew"}
"""What can live on out of a unit: of a squad a half-squad, of a vehicle its crew."""


def outlived(desk: Desk, after: After) -> int:
    """Return the CVP of what lives on out of a unit, and so was not lost with it."""
    wanted = OFFSPRING.get(after.was.kind)
    nation = desk.cg.nation(desk.side)
    return sum(
        nation.cvp(row["type"])
        for row in desk.report["new"]
        if unit_id(row["from"]) == after.was.id and desk.new_kind(row) == wanted
    )


def cvp_lost(desk: Desk, after: After) -> int:
    """Return the CVP that the enemy scores for what became of a unit in play (A26.2).

    Its whole value if it is eliminated or captured, twice that of prisoners unless they are
    unguarded, the difference if a squad was Reduced; less what lives on out of it. Recalled and
    removed units score nothing.
    """
    nation = desk.cg.nation_of(after.was)
    whole = cvp_of(desk.cg, after.was)
    reduced = 0
    if after.was.kind == "squad" and after.type != after.was.type:
        reduced = max(0, whole - nation.cvp(after.type))
    match after.fate:
        case "eliminated":
            lost = whole
        case "captured":
            double = after.was.kind in INFANTRY and not after.has(Mark.UNGUARDED)
            lost = reduced + (whole - reduced) * (2 if double else 1)
        case "recalled" | "removed":
            return 0
        case _:
            lost = reduced
    return max(0, lost - outlived(desk, after))


def losses(cg: CardContext, desk: Desk, after: After) -> Iterator[Fact]:
    """A unit that is gone leaves the OB, a Reduced one costs its difference."""
    unit = cg.state.units[after.was.id]
    points = cvp_lost(desk, after)
    if after.fate not in PLACES:
        if points:
            why = f"{named(unit)}: Reduced in play"
            yield CvpScored(side=other(unit.side), points=points, why=why)
        return
    why = f"{after.fate} in play"
    add = after.marks - LASTING
    if after.fate == ELIMINATED and is_vehicle(unit):
        if after.at and after.at != unit.at:
            yield moved(unit, after.at, why="where its wreck stands")
        # A wreck stands where all can see it.
        add = (add & WRECKAGE) | {Mark.WRECK}
    yield from marked(unit, add=add, why=why)
    yield from gone(cg, unit, PLACES[after.fate], why, cvp=points)
    vehicle = desk.after.get(after.was.with_unit)
    if cg.recalled_return and vehicle is not None and {after.fate, vehicle.fate} == {RECALLED}:
        yield aboard(unit, vehicle.was)


def taken(cg: CardContext, desks: Mapping[str, Desk], side: str, names: Mapping[str, str]) -> Procedure[None]:
    """Weapons that the enemy lost are now with their captors; what was one's own is so again."""
    enemy = desks[other(side)]
    lost = [after.was for after in enemy.after.values() if after.fate == CAPTURED]
    for row in desks[side].report["taken"]:
        weapon = next(unit for unit in lost if unit.type == row["type"])
        lost.remove(weapon)
        by = unit_id(row["by"])
        yield from tell(changes_hands(cg, weapon, names.get(by, by), marks_of(row["marks"])))


def changes_hands(cg: CardContext, weapon: Unit, by: str, marks: frozenset[Mark]) -> Iterator[Fact]:
    """A captured weapon joins the OB of its captor, under a new number, where he is."""
    captor = cg.state.units[by]
    joined = in_new_hands(cg, weapon, captor.side, marks, at=captor)
    yield joined
    # No vehicle is with the one who captured it.
    if not is_vehicle(joined.unit):
        why = "its captor"
        yield UnitAttached(unit=joined.unit.id, to_unit=by, why=why, to=captor.audience)


def in_new_hands(cg: CardContext, weapon: Unit, side: str, marks: frozenset[Mark], *, at: Unit) -> UnitJoined:
    """Return the fact that a weapon is in the OB of another side now, where a unit is."""
    foreign = weapon.nation != cg.side(side).nation
    unit = Unit(
        id=next_unit_id(cg, side),
        side=side,
        nation=weapon.nation,
        type=weapon.type,
        kind=weapon.kind,
        place=at.place,
        at=at.at,
        marks=marks | ({Mark.CAPTURED} if foreign else frozenset()),
        known=at.known,
        since=cg.state.number,
        fought=True,
    )
    return UnitJoined(unit=unit, why=f"{weapon.type} captured", to=unit.audience)
