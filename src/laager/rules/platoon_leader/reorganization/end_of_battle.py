"""The End of the Battle Phase (PL 3.1): casualties, climbers, rally, markers, dismounting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from laager.base import Problem
from laager.campaign import (
    Fact,
    Field,
    Procedure,
    Rows,
    SecretQuestion,
    Text,
    ask,
    ask_all,
    implements,
    no_decision,
    step,
)
from laager.catalogue import VehicleType
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import INFANTRY, change_marks, cvp_of, is_vehicle, recall_unit, remove_unit
from laager.rules.board.course.after_play import free_crew, mounted_units, take_markers_off
from laager.rules.board.facts import FortGone, FortJoined, GroupChanged, Noted, UnitAttached
from laager.rules.board.markers import MarkEnd, marks_ended_by
from laager.rules.board.moves import move_unit
from laager.rules.board.places import main_location, place_problem
from laager.rules.board.rows import unit_choice, unit_list, wrong_row_counts
from laager.rules.board.setup.hiding import CLOAKING, QUESTION_MARK
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.board.wording import yield_facts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.reorganization.melee import melee_begins
from laager.rules.platoon_leader.state import Group

# Casualties (PL 3.11) ---------------------------------------------------------------------------


@step("PL 3.11", "Casualties", also=("PL 3.1", "PL 1.4 Reorganization Phase"), edition=3)
def casualties(cg: Cg) -> Procedure[None]:
    """Recalled vehicles leave the map for the pool; both sides see the tally of CVP."""
    for unit in list(cg.state.units.values()):
        if unit.on_map and is_vehicle(unit) and unit.has(Mark.RECALL):
            yield from recall_unit(cg, unit, "under Recall when play ended")
    yield Noted(text=tally(cg), why="losses in play; those of the RePh are added to them")


@implements("PL 3.11")
def tally(cg: Cg) -> str:
    """Return the CVP of the firefight so far, and the wrecks that stay on the map, in words."""
    points = ", ".join(f"{cg.side(side).name} {cg.state.side(side).cvp}" for side in SIDES)
    text = f"CVP of firefight {cg.state.fight.number}: {points}"
    wrecks = [u for u in cg.state.units.values() if u.place is Place.ELIMINATED and _is_wreck(u)]
    if not wrecks:
        return text
    shown = ", ".join(f"{u.type} in {u.at} ({cvp_of(cg, u)} CVP)" for u in wrecks)
    return f"CVP of firefight {cg.state.fight.number}: {points}; wrecks on the map: {shown}"


def _is_wreck(unit: Unit) -> bool:
    return unit.has(Mark.WRECK) and bool(unit.at)


# Climbing (PL 3.121) ----------------------------------------------------------------------------


@step("PL 3.121", "Climbing and scaling units")
def climbing(cg: Cg) -> Procedure[None]:
    """Climbers step off onto the first level they can reach, into CC if the enemy is there."""
    questions = []
    for side in SIDES:
        units = [unit for unit in cg.state.units_of(side, *INFANTRY) if unit.has(Mark.CLIMBING)]
        climbers = [unit for unit in units if unit.on_map]
        if climbers:
            questions.append(_climbing_question(cg, side, climbers))
    answers = yield from ask_all(questions)
    reached: list[str] = []
    for rows in answers.values():
        for row in rows:
            unit, to = cg.state.units[row["unit"]], main_location(cg, row["to"])
            why = "has climbed to the end"
            if to != unit.at:
                yield from move_unit(cg, unit, to, why)
            now = cg.state.units[unit.id]
            yield from change_marks(now, remove=[Mark.CLIMBING], why=why)
            reached.append(to)
    for at in dict.fromkeys(reached):
        yield from melee_begins(cg, at, "CC: a climbing unit met the enemy")


@implements("PL 3.121")
def climbing_ends(cg: Cg, unit: Unit) -> list[str]:
    """Return the Locations in which a climber can step off: of its hex, of those next to it."""
    near = (unit.hex or "", *cg.map.neighbours(unit.hex or ""))
    return [at for name in near if name in cg.map.playable for at in cg.map.locations(name)]


def _climbing_question(cg: Cg, side: str, units: Sequence[Unit]) -> SecretQuestion:
    ends = {unit.id: climbing_ends(cg, unit) for unit in units}

    def check(rows: list[dict[str, Any]]) -> list[Problem]:
        problems = wrong_row_counts(units, rows)
        for number, row in enumerate(rows, 1):
            if wrong := place_problem(cg, side, row["to"]):
                problems.append(Problem(*wrong, f"[{number}].to"))
            elif main_location(cg, row["to"]) not in ends[row["unit"]]:
                message = f"{row['to']} is not next to {cg.state.units[row['unit']].hex}"
                problems.append(Problem(message, "its own hex or one next to it", f"[{number}].to"))
        return problems

    names = unit_choice(units, placed=True)
    return SecretQuestion(
        key="climbing",
        side=side,
        text="These units climb on to the nearest level they can reach: where do they end?",
        form=Rows.of(Field("unit", names, "Unit"), Field("to", Text(20), "Location")),
        default=[{"unit": unit.id, "to": unit.at or ""} for unit in units],
        check=check,
        help="B11.4, B23.424, B6.4. An enemy in that Location means CC.",
        suggest=lambda rng: [{"unit": u.id, "to": rng.choice(ends[u.id])} for u in units],
    )


# Rally and markers (PL 3.14, 3.15) --------------------------------------------------------------


@step("PL 3.14", "Automatic rally", each_side=True)
def automatic_rally(cg: Cg, side: str) -> Procedure[None]:
    """Every broken unit rallies without a DR."""
    for unit in list(cg.state.units_of(side)):
        yield from change_marks(unit, remove=[Mark.BROKEN], why="rallies by itself")


@implements("PL 3.15b", "PL 3.15c", "PL 3.15d", "PL 3.15 keep")
def removed_markers() -> frozenset[Mark]:
    """Return the markers that go at the end of a battle; all others stay. Smoke and Snipers are not recorded.

    Cloaking goes with the night or the firefight for which units are In Reserve (2.33): what is left is the "?".
    """
    return (marks_ended_by(MarkEnd.PLAY, MarkEnd.RALLY) | {Mark.FANATIC}) - {Mark.BROKEN}


@implements("PL 2.33", "PL 3.15")
def end_dummies(cg: Cg, side: str) -> Iterator[Fact]:
    """Return what becomes of the Dummies on the map that looked like Reserves: gone, or left as "?"."""
    for fort in list(cg.state.forts.values()):
        if fort.side != side or fort.kind != QUESTION_MARK or fort.size != CLOAKING or fort.at is None:
            continue
        if cg.reading("reserve-dummies") == "removed":
            yield FortGone(fort=fort.id, why="no Reserve is under it", to=(side,))
        else:
            yield FortJoined(fort=fort.but(size=""), why='a Cloaking counter becomes a "?"', to=(side,))


@step("PL 3.15", "Removal of markers", each_side=True, also=("PL 3.15a", "PL CG7"), edition=3)
def marker_removal(cg: Cg, side: str) -> Procedure[None]:
    """Markers of play go, Tank-Hunter Heroes, Dummies of Reserves and used OBA with them."""
    yield from take_markers_off(cg, cg.state.units_of(side), removed_markers())
    yield from yield_facts(end_dummies(cg, side))
    for group in list(cg.state.groups_of(side)):
        if group.used and not group.lost:
            yield from _module_gone(cg, group)


SETS = frozenset({"Radio", "Field Phone"})
"""What directs an OBA module and leaves with it."""


@implements("PL 3.15a", "PL 1.4 Used OBA")
def _module_gone(cg: Cg, group: Group) -> Iterator[Fact]:
    """A used module is gone: its radio or phone, the vehicle that belongs to it, its hex."""
    why = "used in this battle"
    changes = {"lost": why, "pre_registered": ""}
    yield GroupChanged(side=group.side, group=group.id, changes=changes, why=why, to=(group.side,))
    line = cg.side(group.side).group(group.rg)
    vehicle = line.op_vehicle if line is not None else None
    for unit in list(cg.state.units_of(group.side)):
        if unit.group == group.id and (unit.type in SETS or unit.type == vehicle):
            yield from remove_unit(cg, unit, Place.REMOVED, f"leaves with {group.id}")


# Dismounting (PL 3.16) --------------------------------------------------------------------------


@step("PL 3.16", "Dismounting", each_side=True, edition=2)
def dismounting(cg: Cg, side: str) -> Procedure[None]:
    """Units on a vehicle can get off where it stands; Guns can be unhooked."""
    if can_mount(cg, side):
        yield from _dismount(cg, side, mounted_units(cg, side))


def can_mount(cg: Cg, side: str) -> bool:
    """True if a side could have vehicles, by its card, which is public, or because the enemy sees one.

    Such a side gets the question even if no unit is mounted, so that the enemy learns nothing.
    """
    card, nation = cg.side(side), cg.nation(side)
    lines = [line for group in card.chart for line in group.units] + list(card.ob.units)
    return any(isinstance(nation.unit(line.type), VehicleType) for line in lines) or any(
        unit.known for unit in mounted_units(cg, side)
    )


def _dismounting_question(side: str, units: Sequence[Unit]) -> SecretQuestion:
    if not units:
        return no_decision("dismounting", side, "None of your units is on a vehicle.")
    return SecretQuestion(
        key="dismounting",
        side=side,
        text="Which units get off, and which Guns do you unhook? All vehicles count as Stopped.",
        form=unit_list(units, placed=True),
    )


def _dismount(cg: Cg, side: str, units: Sequence[Unit]) -> Procedure[None]:
    chosen = yield from ask(_dismounting_question(side, units))
    # Crews first, so that a Gun finds its crew on the ground.
    for unit in sorted(units, key=lambda unit: unit.kind == "gun"):
        if unit.id in chosen:
            crew = free_crew(cg, unit) if unit.kind == "gun" else ""
            why = "unhooked" if unit.kind == "gun" else "dismounts"
            yield UnitAttached(unit=unit.id, to_unit=crew, why=why, to=unit.audience)
