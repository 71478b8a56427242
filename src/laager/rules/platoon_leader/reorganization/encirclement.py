"""Encircled units, and the prisoners that they leave behind (PL 3.17, 3.171)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from laager.base import Problem
from laager.campaign import Fact, Field, Procedure, Question, Rows, ask, implements, roll, step
from laager.catalogue import Kind, MmcType, SmcType, VehicleType
from laager.dice import Dice, Modifier
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.changes import (
    INFANTRY,
    LEADERS,
    change_hands,
    change_marks,
    crew_cvp,
    eliminate,
    is_vehicle,
    remove_unit,
)
from laager.rules.board.facts import CvpScored, UnitAttached
from laager.rules.board.report.marks import IMMOBILE
from laager.rules.board.rows import repeated_names, unit_choice
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.board.wording import public_name
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.quality import leadership, wound

INHERENT_MORALE = 8
"""The morale of an inherent crew for which the catalogue has no counter (D5.1)."""


# The task check ---------------------------------------------------------------------------------


def morale_of(cg: Cg, unit: Unit) -> int:
    """Return the morale of a unit, of a vehicle that of its inherent crew; a wound costs one."""
    nation = cg.nation_of(unit)
    kind = Kind.ARMOR_LEADER if unit.kind == "armor-leader" else None
    type_ = nation.unit(unit.type, kind)
    if isinstance(type_, VehicleType):
        crew = nation.unit(type_.crew) if type_.crew else None
        return crew.morale if isinstance(crew, MmcType) else INHERENT_MORALE
    assert isinstance(type_, MmcType | SmcType), "only personnel and vehicles are Encircled"
    return type_.morale - wound(unit)


def leader_for(cg: Cg, unit: Unit) -> Unit | None:
    """Return the best other leader in a unit's Location; no leader leads himself."""
    there = [
        leader
        for leader in cg.state.at(unit.at or "")
        if leader.side == unit.side
        and leader.kind in LEADERS - {"armor-leader"}
        and leader.id != unit.id
        and not leader.has(Mark.PRISONER, Mark.BROKEN)
    ]
    return min(there, key=lambda leader: leadership(cg, leader), default=None)


@implements("PL 3.17")
def task_check_modifiers(cg: Cg, unit: Unit) -> list[Modifier]:
    """Return the DRM of an Encircled unit's 1TC: +1, and leadership."""
    modifiers = [Modifier(1, "1TC", "PL 3.17")]
    leader = None if is_vehicle(unit) else leader_for(cg, unit)
    if leader is not None:
        modifiers.append(Modifier(leadership(cg, leader), f"leader {leader.type}", "PL 3.17"))
    return modifiers


@implements("PL 3.17")
def passes(total: int, morale: int) -> bool:
    """True if a 1TC is passed: DR, +1 and leadership together are not above the morale."""
    return total <= morale


def find_encircled(cg: Cg) -> list[Unit]:
    """Return the Encircled units in the order in which they check.

    Side by side and Location by Location, the leaders first, as the others need them.
    """
    units = [
        unit
        for unit in cg.state.units.values()
        if unit.on_map and unit.has(Mark.ENCIRCLED) and not unit.has(Mark.PRISONER)
    ]
    places = {at: i for i, at in enumerate(cg.sort({unit.at or "" for unit in units}))}
    return sorted(units, key=lambda u: (SIDES.index(u.side), places[u.at or ""], u.kind not in LEADERS))


@step("PL 3.17", "Encircled units", also=("PL 3.171",), edition=3)
def encircled_units(cg: Cg) -> Procedure[None]:
    """Each Encircled unit takes a 1TC or is eliminated; prisoners left alone are free."""
    cleared: list[tuple[str, str]] = []
    for before in find_encircled(cg):
        unit = cg.state.units[before.id]
        label = f"1TC of {public_name(unit)}, Encircled"
        rolled = yield from roll(unit.side, label, Dice.DR, task_check_modifiers(cg, unit), secret=not unit.known)
        morale = morale_of(cg, unit)
        if passes(rolled.final, morale):
            continue
        why = f"1TC when Encircled: {rolled.final} is above morale {morale}"
        if is_vehicle(unit):
            yield from crew_lost(cg, unit, why)
        else:
            yield from eliminate(cg, unit, why)
            cleared.append((unit.side, unit.hex or ""))
    for side, name in dict.fromkeys(cleared):
        yield from _prisoners_freed(cg, side, name)


def crew_lost(cg: Cg, unit: Unit, why: str) -> Iterator[Fact]:
    """The inherent crew of an immobile vehicle is eliminated; the vehicle stands Abandoned."""
    add = {Mark.ABANDONED} | (set() if unit.has(*IMMOBILE) else {Mark.IMMOBILIZED})
    crewed = {Mark.ENCIRCLED, Mark.STUN, Mark.SHOCK, Mark.UNKNOWN, Mark.RECALL}
    yield from change_marks(unit, add=add, remove=crewed, why=why)
    points = crew_cvp(cg, unit)
    if points:
        reason = f"crew of {public_name(unit)}: {why}"
        yield CvpScored(side=other_side(unit.side), points=points, why=reason)


# Prisoners (PL 3.171) ---------------------------------------------------------------------------


def prisoners_left(cg: Cg, side: str, name: str) -> list[Unit]:
    """Return the prisoners in a hex in which the side that held them has no units left."""
    there = [unit for unit in cg.state.units.values() if unit.on_map and unit.hex == name]
    if any(
        unit.side == side
        and (unit.kind in INFANTRY or is_vehicle(unit))
        and not unit.has(Mark.PRISONER, Mark.ABANDONED)
        for unit in there
    ):
        return []
    return [unit for unit in there if unit.side != side and unit.has(Mark.PRISONER)]


@implements("PL 3.171")
def _prisoners_freed(cg: Cg, side: str, name: str) -> Procedure[None]:
    freed = prisoners_left(cg, side, name)
    why = f"all who held them in {name} are eliminated"
    for unit in freed:
        marks = [Mark.PRISONER, Mark.UNGUARDED]
        yield from change_marks(unit, remove=marks, why=f"{why}; Rearmed")
        yield UnitAttached(unit=unit.id, why=why, to=unit.audience)
    dropped = [
        item
        for item in cg.state.units.values()
        if item.kind in {"sw", "gun"} and item.on_map and item.hex == name
        if item.known and not item.with_unit
    ]
    if freed and dropped:
        rows = yield from ask(_freed_question(freed, dropped, name))
        for row in rows:
            item = cg.state.units[row["weapon"]]
            yield from taken_up(cg, item, row["by"], "taken up by freed prisoners")


def taken_up(cg: Cg, item: Unit, by: str, why: str) -> Iterator[Fact]:
    """A unit takes possession of a weapon that lies there, of its own side or the enemy's."""
    if item.side == cg.state.units[by].side:
        yield UnitAttached(unit=item.id, to_unit=by, why=why, to=item.audience)
        return
    yield from remove_unit(cg, item, Place.CAPTURED, why)
    marks = item.marks & {Mark.MALFUNCTIONED, Mark.DISABLED, Mark.LOW_AMMO}
    yield from change_hands(cg, item, by, marks)


def _freed_question(freed: Sequence[Unit], dropped: Sequence[Unit], name: str) -> Question:
    def check(rows: list[dict[str, str]]) -> list[Problem]:
        places = {unit.id: unit.at for unit in (*freed, *dropped)}
        return repeated_names(rows, "weapon") + [
            Problem(f"{row['weapon']} is not where {row['by']} is", "another one", f"[{number}].by")
            for number, row in enumerate(rows, 1)
            if places[row["weapon"]] != places[row["by"]]
        ]

    weapon, by = Field("weapon", unit_choice(dropped), "Weapon"), Field("by", unit_choice(freed), "By which unit")
    return Question(
        key=f"freed-{name.lower()}",
        side=freed[0].side,
        text=f"Your prisoners in {name} are free. Which weapons do they take up?",
        form=Rows.of(weapon, by),
        rule="PL 3.171",
        check=check,
    )
