"""CC and Melee to the end: the record knows who fought, the players say how it ended (PL 3.13, 3.13a, 3.131)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Option,
    Procedure,
    Question,
    Rows,
    Several,
    Text,
    YesNo,
    ask,
    ask_all,
    implements,
    step,
)
from laager.rules.board import changes
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.course.after_play import can_fight, sole_occupant
from laager.rules.board.moves import move_unit
from laager.rules.board.places import hex_of, hex_problem, main_location, place_problem
from laager.rules.board.rows import unit_choice
from laager.rules.board.units import HIDING, Mark, Unit
from laager.rules.board.wording import yield_facts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.firefight.game_end import first_mover
from laager.rules.platoon_leader.reorganization.control import control_passes

Row = dict[str, Any]

ELIMINATED, CAPTURED, REDUCED, WITHDREW = "eliminated", "captured", "reduced", "withdrew"

OUTCOMES = (ELIMINATED, CAPTURED, REDUCED, WITHDREW)

LEAVES = frozenset({ELIMINATED, CAPTURED, WITHDREW})
"""With these a unit no longer fights in the Location."""


def able(unit: Unit) -> bool:
    """True if a unit fights in its Location: on foot or a vehicle, not a prisoner."""
    fights = unit.kind in changes.INFANTRY | changes.VEHICLES and not unit.with_unit
    return fights and unit.on_map and not unit.has(Mark.PRISONER, Mark.ABANDONED)


def fighters(cg: Cg, at: str, side: str) -> list[Unit]:
    """Return a side's units that are in Melee in a Location."""
    return [unit for unit in cg.state.at(at) if unit.side == side and unit.has(Mark.MELEE)]


def melees(cg: Cg) -> list[str]:
    """Return the Locations in which both sides have units in Melee, in the stated order."""
    places = {unit.at for unit in cg.state.units.values() if unit.on_map and unit.has(Mark.MELEE)}
    both = [at for at in places if at and all(fighters(cg, at, side) for side in SIDES)]
    return cg.sort(both)


def melee_begins(cg: Cg, at: str, why: str) -> Iterator[Fact]:
    """If both sides have units that can fight in a Location, all of these are in CC there, and seen."""
    there = [unit for unit in cg.state.at(at) if able(unit)]
    if {unit.side for unit in there} != set(SIDES):
        return
    for unit in there:
        yield from changes.reveal(unit, why)
        yield from changes.change_marks(cg.state.units[unit.id], add=[Mark.MELEE], why=why)
        for item in list(changes.carried_by(cg, unit)):
            yield from changes.reveal(item, why)


@implements("PL 3.13")
def cc_attacker(cg: Cg) -> str:
    """Return the ATTACKER of the last CC: the side whose Player Turn was the last."""
    return cg.state.fight.last_player or other_side(first_mover(cg))


@step("PL 3.13", "CC and Melee to the end", also=("PL 3.13a", "PL 3.131"), edition=2)
def close_combat(cg: Cg) -> Procedure[None]:
    """Vehicles in Motion drive off, then Melee after Melee is concluded, as the ATTACKER orders."""
    if melees(cg):
        yield from drive_off(cg)
        for at in (yield from _order(cg, melees(cg))):
            yield from _one_melee(cg, at)
    for unit in list(cg.state.units.values()):
        if unit.on_map and unit.has(Mark.MELEE):
            yield from yield_facts(changes.change_marks(unit, remove=[Mark.MELEE], why="no enemy is left there"))


# Vehicles in Motion (PL 3.13a) ------------------------------------------------------------------


def drive_off(cg: Cg) -> Procedure[None]:
    """Vehicles in Motion may leave their Melee for an ADJACENT hex, and stop there."""
    questions = []
    for side in SIDES:
        able_to = [
            unit
            for at in melees(cg)
            for unit in fighters(cg, at, side)
            if changes.is_vehicle(unit) and unit.has(Mark.MOTION)
        ]
        if able_to:
            questions.append(_motion_question(cg, side, able_to))
    answers = yield from ask_all(questions)
    for rows in answers.values():
        for row in rows:
            unit = cg.state.units[row["unit"]]
            why = "in Motion, leaves the Melee and stops"
            yield from yield_facts(move_unit(cg, unit, main_location(cg, row["to"]), why))
            yield from yield_facts(
                changes.change_marks(cg.state.units[unit.id], remove=[Mark.MOTION, Mark.MELEE], why=why)
            )


def adjacent_problem(cg: Cg, unit: Unit, to: str) -> tuple[str, str] | None:
    """Say why a vehicle can't drive into a hex, as far as the map knows, or None if it can."""
    if wrong := hex_problem(cg, to):
        return wrong
    near = [name for name in cg.map.neighbours(unit.hex or "") if name in cg.map.playable]
    if cg.map.main(to.strip()) not in near:
        return f"{to} is not ADJACENT to {unit.hex}", f"one of {', '.join(near)}"
    return None


def _motion_question(cg: Cg, side: str, units: Sequence[Unit]) -> Question:
    by_id = {unit.id: unit for unit in units}

    def check(rows: list[Row]) -> list[Problem]:
        named = [row["unit"] for row in rows]
        problems = []
        for i, row in enumerate(rows):
            if row["unit"] in named[:i]:
                problems.append(Problem(f"{row['unit']} is listed twice", "list it once", f"[{i + 1}].unit"))
            if wrong := adjacent_problem(cg, by_id[row["unit"]], row["to"]):
                problems.append(Problem(*wrong, f"[{i + 1}].to"))
        return problems

    names = unit_choice(units, placed=True)
    return Question(
        key="motion-exit",
        side=side,
        text="Which vehicles in Motion leave their Melee, and where to?",
        form=Rows.of(Field("unit", names, "Vehicle"), Field("to", Text(12), "Hex")),
        rule="PL 3.13a",
        check=check,
        help="An ADJACENT hex within the VCA, without Bog Check or Bypass; it stops there.",
        suggest=lambda rng: [
            {"unit": u.id, "to": rng.choice(cg.map.neighbours(u.hex or ""))} for u in units if rng.random() < 0.5
        ],
    )


# The order (PL 3.131) ---------------------------------------------------------------------------


def _order(cg: Cg, places: Sequence[str]) -> Procedure[Sequence[str]]:
    """Ask the ATTACKER for the order of several Melees."""
    if len(places) < 2:
        return places
    question = Question(
        key="melee-order",
        side=cc_attacker(cg),
        text="You are the ATTACKER. In which order do you conclude the Melees?",
        form=Several(tuple(Option(at) for at in places), least=len(places), most=len(places)),
        rule="PL 3.131",
        default=list(places),
        suggest=lambda rng: rng.sample(list(places), len(places)),
    )
    chosen: list[str] = yield from ask(question)
    return chosen


# One Melee --------------------------------------------------------------------------------------


def _one_melee(cg: Cg, at: str) -> Procedure[None]:
    """Ask how a Melee ended until the other side agrees, then apply it."""
    attacker = cc_attacker(cg)
    while True:
        rows = yield from ask(melee_question(cg, at, attacker))
        words = "; ".join(_words(cg, row) for row in rows) or "no losses"
        question = Question(
            key="melee-agreed",
            side=other_side(attacker),
            text=f"Did the Melee in {at} end like this? {words}",
            form=YesNo(),
            default=True,
            suggest=lambda rng: rng.random() < 0.9,
        )
        if (yield from ask(question)):
            break
    yield from conclude(cg, at, rows)


def _words(cg: Cg, row: Row) -> str:
    more = f" to {row['to']}" if row["to"] else f" by {row['by']}" if row["by"] else ""
    return f"{cg.state.units[row['unit']].label} {row['outcome']}{more}"


def melee_question(cg: Cg, at: str, attacker: str) -> Question:
    """Return the question how a Melee ended; all units in it are known to both sides."""
    there = [unit for unit in cg.state.at(at) if unit.known]
    names = {unit.id: f"{unit.label}, {cg.side(unit.side).name}" for unit in there}
    captors = tuple(Option(unit.id, unit.label) for unit in there if unit.kind in changes.INFANTRY)
    form = Rows.of(
        Field("unit", Choice.of_labels(names), "Unit"),
        Field("outcome", Choice.of(*OUTCOMES), "What became of it"),
        Field("to", Text(12), "Location to which it withdrew", ""),
        Field("by", Choice((Option("", "-"), *captors)), "By whom captured", ""),
    )
    return Question(
        key="melee",
        side=attacker,
        text=f"How did the CC in {at} end? Fight on until one side is gone or has withdrawn.",
        form=form,
        default=proposal(cg, at, attacker),
        check=lambda rows: melee_problems(cg, at, rows),
        help="List who was eliminated, Reduced (SMC: Wounded), captured (name the captor) or "
        "withdrew (say where to), and captured weapons. All others stay.",
        suggest=lambda rng: suggest_melee(cg, at, rng),
    )


def weight(cg: Cg, at: str, side: str) -> int:
    """Return a rough measure of who would win: HS-equivalents twice, SMC once, vehicles 8."""
    units = fighters(cg, at, side)
    infantry = sum(2 * cg.nation_of(u).hs_equivalents(u.type) + (u.kind in changes.SMC) for u in units)
    return infantry + 8 * sum(changes.is_vehicle(unit) for unit in units)


def proposal(cg: Cg, at: str, attacker: str) -> list[Row]:
    """Return the proposed end: the weaker side is eliminated, the ATTACKER if they are equal."""
    side = attacker
    if weight(cg, at, attacker) > weight(cg, at, other_side(attacker)):
        side = other_side(attacker)
    return [_row(unit, ELIMINATED) for unit in fighters(cg, at, side)]


def _row(unit: Unit, outcome: str, to: str = "", by: str = "") -> Row:
    return {"unit": unit.id, "outcome": outcome, "to": to, "by": by}


def suggest_melee(cg: Cg, at: str, rng: Random) -> list[dict[str, Any]]:
    """Return an end made up by chance: one side is lost, the other has a few losses."""
    loser = rng.choice(SIDES)
    winners = fighters(cg, at, other_side(loser))
    captors = [unit for unit in winners if unit.kind in changes.INFANTRY]
    near = [
        name for name in cg.map.neighbours(hex_of(at)) if name in cg.map.playable and not enemies_seen(cg, loser, name)
    ]
    rows = []
    for unit in fighters(cg, at, loser):
        dice = rng.random()
        if dice < 0.2 and captors and unit.kind in changes.INFANTRY:
            rows.append(_row(unit, CAPTURED, by=rng.choice(captors).id))
        elif dice < 0.45 and near and unit.kind in changes.INFANTRY:
            rows.append(_row(unit, WITHDREW, to=rng.choice(near)))
        else:
            rows.append(_row(unit, ELIMINATED))
    rows += [_row(u, REDUCED) for u in winners if u.kind == "squad" and rng.random() < 0.2]
    return rows


# What can be entered -----------------------------------------------------------------------------


def melee_problems(cg: Cg, at: str, rows: list[Row]) -> list[Problem]:
    """Return everything that is wrong with the end of a Melee as entered."""
    problems: list[Problem] = []
    by_unit = {row["unit"]: row for row in rows}
    for i, row in enumerate(rows):
        unit = cg.state.units[row["unit"]]
        if row is not by_unit[row["unit"]]:
            problems.append(Problem(f"{unit.label} is listed twice", "list it once", f"[{i + 1}].unit"))
        problems += [p.inside(f"[{i + 1}]") for p in _row_problems(cg, at, unit, row, by_unit)]
    left = [side for side in SIDES if _still_there(cg, at, side, by_unit)]
    if len(left) == len(SIDES):
        right = "fight on until one side is gone or has withdrawn (PL 3.13)"
        problems.append(Problem(f"both sides still have units in {at}", right))
    return problems


def _still_there(cg: Cg, at: str, side: str, rows: Mapping[str, Row]) -> bool:
    return any(
        unit.id not in rows or rows[unit.id]["outcome"] not in LEAVES
        for unit in cg.state.at(at)
        if unit.side == side and unit.has(Mark.MELEE)
    )


def _row_problems(cg: Cg, at: str, unit: Unit, row: Row, rows: Mapping[str, Row]) -> Iterator[Problem]:
    outcome = row["outcome"]
    if outcome == REDUCED and not _survives_reduction(cg, unit):
        message = f"{unit.label} can't survive Reduction"
        yield Problem(message, "eliminated", "outcome")
    if outcome == WITHDREW:
        yield from _withdrawal(cg, at, unit, row["to"])
    elif row["to"]:
        yield Problem(f"{unit.label} did not withdraw", "leave to out", "to")
    if outcome == CAPTURED:
        captor = cg.state.units.get(row["by"])
        if captor is None or captor.side == unit.side or not _free(captor, rows):
            message = f"{unit.label} is captured, but by whom?"
            yield Problem(message, "by: an enemy unit that is still there", "by")
    elif row["by"]:
        yield Problem(f"{unit.label} was not captured", "leave by out", "by")


def _survives_reduction(cg: Cg, unit: Unit) -> bool:
    if unit.kind in changes.SMC:
        return unit.kind != "hero" and not unit.has(Mark.WOUNDED)
    return unit.kind in changes.MMC and cg.nation_of(unit).reduced_type(unit.type) is not None


def _free(captor: Unit, rows: Mapping[str, Row]) -> bool:
    left = captor.id in rows and rows[captor.id]["outcome"] in LEAVES
    return captor.has(Mark.MELEE) and captor.kind in changes.INFANTRY and not left


def _withdrawal(cg: Cg, at: str, unit: Unit, to: str) -> Iterator[Problem]:
    if unit.kind not in changes.INFANTRY and not changes.is_vehicle(unit):
        yield Problem(f"{unit.label} does not withdraw", "it goes with its possessor", "outcome")
        return
    if wrong := place_problem(cg, unit.side, to):
        yield Problem(*wrong, "to")
        return
    goal = main_location(cg, to)
    if goal == at or cg.map.distance(hex_of(goal), hex_of(at)) > 1:
        yield Problem(f"{goal} is not ADJACENT to {at}", "an ADJACENT Location", "to")
    elif enemies_seen(cg, unit.side, goal):
        yield Problem(f"there is a Known enemy in {goal}", "a Location without one", "to")


def enemies_seen(cg: Cg, side: str, at: str) -> bool:
    """True if a Known enemy that could fight is in a Location."""
    return any(unit.side != side and can_fight(unit) for unit in cg.state.at(at))


# What follows -----------------------------------------------------------------------------------


KEPT = frozenset({Mark.MALFUNCTIONED, Mark.DISABLED})
"""Markers that a weapon keeps in new hands."""


def conclude(cg: Cg, at: str, rows: list[Row]) -> Procedure[None]:
    """Apply the end of a Melee; a side left alone there with an MMC gains Control (A26.11)."""
    why = f"CC in {at}"
    for row in rows:
        if row["outcome"] == WITHDREW:
            unit, to = cg.state.units[row["unit"]], main_location(cg, row["to"])
            yield from yield_facts(move_unit(cg, unit, to, f"{why}: withdrew", remove=[Mark.MELEE]))
    for row in rows:
        if row["outcome"] == CAPTURED:
            yield from yield_facts(changes.capture_unit(cg, cg.state.units[row["unit"]], row["by"], why, kept=KEPT))
    for row in rows:
        unit = cg.state.units[row["unit"]]
        if row["outcome"] == REDUCED:
            yield from yield_facts(changes.reduce_unit(cg, unit, why))
        elif row["outcome"] == ELIMINATED:
            yield from yield_facts(changes.lose_unit(cg, unit, why))
    for unit in list(cg.state.at(at)):
        yield from yield_facts(changes.change_marks(unit, remove=[Mark.MELEE], why=f"{why} is over"))
    winner = sole_occupant(unit for unit in cg.state.at(at) if _holds(unit))
    if winner and at in cg.strategic():
        yield from yield_facts(control_passes(cg, {at: winner}, f"{why} left it alone there"))


def _holds(unit: Unit) -> bool:
    """True if a unit counts for Control: it can fight, and isn't hidden (Control is public)."""
    able = unit.kind in changes.INFANTRY or changes.is_vehicle(unit)
    return able and not unit.has(Mark.PRISONER, Mark.ABANDONED, *HIDING)
