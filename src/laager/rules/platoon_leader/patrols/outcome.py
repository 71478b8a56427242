"""What both sides are asked about a patrol's mission (PL 2.74 step 2, 2.75)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Field, Option, Record, Rows, SecretQuestion, Several, YesNo, implements
from laager.rules.board.card.parts import other_side
from laager.rules.board.changes import INFANTRY, VEHICLES, is_vehicle
from laager.rules.board.rows import repeated_names, unit_choice
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.patrols import rules

UNHURT, REDUCED, ELIMINATED, CAPTURED = "none", "reduced", "eliminated", "captured"
NO, CALLED_OFF, MINES, FLARES = "no", "called-off", "mines", "trip-flares"

OWN_STATES = {"pinned": Mark.PIN, "broken": Mark.BROKEN}
ENEMY_STATES = OWN_STATES | {
    "immobilized": Mark.IMMOBILIZED,
    "abandoned": Mark.ABANDONED,
    "stun": Mark.STUN,
    "shock": Mark.SHOCK,
}
"""What else a mission can do to a unit, and the marker for it."""


@implements("PL 2.74 AMBUSH", "PL 2.74 RECON", "PL 2.74 RAID", "PL 2.74 ANTI-VEHICLE")
def met_enemy(cg: Cg, patrol: rules.Patrol) -> bool:
    """True if the patrol meets an enemy: in its hex, for an Ambush in its Location."""
    there = rules.enemies_in(cg, patrol.side, patrol.hex)
    return any(patrol.type != rules.AMBUSH or unit.at == patrol.hex for unit in there)


# The questions ----------------------------------------------------------------------------------


def aborts(cg: Cg, patrol: rules.Patrol) -> Choice:
    """Return the reasons for which a whole patrol may go back, with why some do not apply."""
    seeing = patrol.type in {rules.RAID, rules.ANTI_VEHICLE}
    return Choice(
        (
            Option(NO, "no"),
            Option(
                CALLED_OFF,
                "called off after the enemy was revealed (PL 2.755)",
                "" if seeing else "only for Raids and Anti-vehicle patrols",
            ),
            Option(MINES, "PTC from mines, or its leader pinned or broken (PL 2.751)"),
            Option(FLARES, "Trip Flares went off (PL 2.753)", "" if cg.slot.night is not None else "only at night"),
        )
    )


def own_question(cg: Cg, patrol: rules.Patrol, searched: int) -> SecretQuestion:
    """Return the question how the mission went for the patrol; `searched` is Recon's dr."""
    units = rules.members(cg, patrol)
    options = {unit.id: unit.label for unit in units}
    form = Rows.of(
        Field("unit", Choice.of_labels(options), "Unit"),
        Field("lost", Choice.of(UNHURT, REDUCED, ELIMINATED, CAPTURED), "Loss", UNHURT),
        Field("state", Choice.of(UNHURT, *OWN_STATES), "State", UNHURT),
    )
    weapons = {weapon.id: weapon.label for weapon in rules.sw_with(cg, patrol)}
    fields = [
        Field("abort", aborts(cg, patrol), "Does the patrol Abort?", NO),
        Field("attacked", YesNo(), "Did it attack, other than in hand-to-hand CC?", False),
        Field("units", form, "Losses and states of your units", []),
        Field("spent", Several.of_labels(weapons), "SW used up or lost", []),
    ]
    return SecretQuestion(
        key="patrol-outcome",
        side=patrol.side,
        text=f"{_mission_text(cg, patrol, searched)} What became of your patrol?",
        form=Record.of(*fields),
        rule="PL 2.74 step 2",
        check=lambda answer: _own_problems(patrol, answer),
        suggest=lambda rng: _own_suggestion(units, rng),
        help="Mines, Wire, Panji and flares first (PL 2.751 to 2.753); then Ambush and CC if an "
        f"enemy is there. {_hidden_text(cg, patrol)}",
    )


def _mission_text(cg: Cg, patrol: rules.Patrol, searched: int) -> str:
    text = f"{patrol.name} is in {patrol.hex}: {patrol.type}."
    if patrol.type == rules.RECON:
        text += f" It may Search {searched} hexes, of {patrol.hex} and those around it."
    if met_enemy(cg, patrol):
        text += f" An enemy is there: Ambush, then {_rounds(patrol)} of CC."
    return text


def _rounds(patrol: rules.Patrol) -> str:
    return "two rounds" if patrol.type == rules.RAID else "one round"


def _hidden_text(cg: Cg, patrol: rules.Patrol) -> str:
    """Return when the drm of the patrol for Ambush falls away, by the reading in force."""
    printed = patrol.type == rules.AMBUSH and cg.reading("ambush-hidden") == "as-printed"
    when = "if no hidden enemy is there" if printed else "if hidden enemies are there"
    return f'The patrol has a further -1 for Ambush; {when}, neither that nor the -2 for "?".'


def _own_problems(patrol: rules.Patrol, answer: Mapping[str, Any]) -> list[Problem]:
    problems = repeated_names(answer["units"], at="units")
    if answer["abort"] == CALLED_OFF and answer["attacked"]:
        right = "neither side attacks when it is called off (PL 2.755)"
        problems.append(Problem("it attacked", right, "attacked"))
    if answer["abort"] == MINES and patrol.type in {rules.RECON, rules.RAID} and not answer["units"]:
        right = "Recon and Raid ignore a PTC; list the units that are pinned or broken (PL 2.751)"
        problems.append(Problem("no unit aborts", right, "abort"))
    return problems


def _own_suggestion(units: Sequence[Unit], rng: Random) -> dict[str, Any]:
    rows = []
    for unit in units:
        if rng.random() < 0.2:
            lost = rng.choice([UNHURT, REDUCED, ELIMINATED, CAPTURED])
            rows.append({"unit": unit.id, "lost": lost, "state": rng.choice([UNHURT, "pinned"])})
    return {"abort": NO, "attacked": rng.random() < 0.3, "units": rows, "spent": []}


def enemy_question(cg: Cg, patrol: rules.Patrol, searched: int) -> SecretQuestion:
    """Return the question what the mission did to the other side.

    It is asked even if no unit is there, because no question would give that away.
    """
    side = other_side(patrol.side)
    units = [u for u in cg.state.units_of(side, *INFANTRY, *VEHICLES) if u.on_map]
    states = ("revealed", *ENEMY_STATES)
    form = Rows.of(
        Field("unit", unit_choice(units, placed=True)),
        Field("lost", Choice.of(UNHURT, REDUCED, ELIMINATED, CAPTURED), "Loss", UNHURT),
        Field("state", Choice.of(*states), "State", "revealed"),
    )
    text = f"An enemy patrol is in {patrol.hex}: {patrol.type}."
    if patrol.type == rules.RECON:
        text += f" It may Search {searched} hexes, of {patrol.hex} and those around it."
    return SecretQuestion(
        key="patrol-losses",
        side=side,
        text=f"{text} Which of your units were revealed, hurt, lost or captured by it?",
        form=Record.of(Field("units", form, "Units", [])),
        rule="PL 2.74 step 2",
        default={"units": []},
        check=lambda answer: _enemy_problems(cg, patrol, answer["units"]),
        suggest=lambda rng: _enemy_suggestion(cg, patrol, rng),
        help="List every unit that the patrol found or that fought it; it is revealed.",
    )


def _enemy_problems(cg: Cg, patrol: rules.Patrol, rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    problems = repeated_names(rows, at="units")
    for number, row in enumerate(rows, 1):
        unit, here = cg.state.units[row["unit"]], f"units[{number}]"
        if row["lost"] == CAPTURED and unit.kind not in INFANTRY:
            problems.append(Problem(f"{unit.label} is not personnel", ELIMINATED, f"{here}.lost"))
        if row["lost"] == REDUCED and is_vehicle(unit):
            problems.append(Problem(f"{unit.label} is a vehicle", ELIMINATED, f"{here}.lost"))
        if not within_reach(cg, patrol, unit):
            right = f"units in {reach_words(patrol)}"
            problems.append(Problem(f"{unit.label} is out of reach", right, f"{here}.unit"))
    return problems


def within_reach(cg: Cg, patrol: rules.Patrol, unit: Unit) -> bool:
    """True if a mission can touch an enemy unit: in the Mission Hex, or what the type allows.

    Recon Searches adjacent hexes, a Raid may fire at one, Anti-vehicle weapons at any vehicle.
    """
    away = cg.map.distance(patrol.hex, unit.hex or "")
    if patrol.type in {rules.RECON, rules.RAID}:
        return away <= 1
    return away == 0 or (patrol.type == rules.ANTI_VEHICLE and is_vehicle(unit))


def reach_words(patrol: rules.Patrol) -> str:
    """Return in words which enemies a mission can touch."""
    if patrol.type in {rules.RECON, rules.RAID}:
        return f"{patrol.hex} or next to it"
    return f"{patrol.hex}" + (", or vehicles" if patrol.type == rules.ANTI_VEHICLE else "")


def _enemy_suggestion(cg: Cg, patrol: rules.Patrol, rng: Random) -> dict[str, Any]:
    rows = []
    for unit in rules.enemies_in(cg, patrol.side, patrol.hex):
        lost = rng.choice([UNHURT, UNHURT, ELIMINATED])
        rows.append({"unit": unit.id, "lost": lost, "state": "revealed"})
    return {"units": rows}
