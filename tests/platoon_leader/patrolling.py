"""Patrols in tests: units on the map, a patrol's row, and the step run with given dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.units import Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import PatrolsChanged
from laager.rules.platoon_leader.patrols.forming import patrol_question
from laager.rules.platoon_leader.patrols.patrols import patrolling
from laager.rules.platoon_leader.patrols.rules import Patrol
from tests.platoon_leader.fight import bare, join
from tests.steps import Played, play

SQUAD = {"axis": "4-6-7", "allied": "4-4-7"}


def bought(cg: Cg, axis: int = 0, allied: int = 0) -> Cg:
    """Let both sides have so many Patrols."""
    for side, count in (("axis", axis), ("allied", allied)):
        if count:
            cg.state = PatrolsChanged(side=side, by=count).apply(cg.state)
    return cg


def section(
    cg: Cg, side: str, at: str, leader: str = "8-0", *, count: int = 1, type_: str = ""
) -> tuple[list[Unit], Unit]:
    """Put squads and a leader into a Location."""
    squads = [join(cg, side, type_ or SQUAD[side], "squad", at) for _ in range(count)]
    return squads, join(cg, side, leader, "leader", at)


def row(type_: str, units: Sequence[Unit], leader: Unit, hex_: str, **more: Any) -> dict[str, Any]:
    return {
        "type": type_,
        "units": [unit.id for unit in units],
        "leader": leader.id,
        "rank": "lieutenant",
        "hex": hex_,
        "accessible": True,
        **more,
    }


def patrol_of(type_: str, units: Sequence[Unit], hex_: str, sw: Sequence[Unit] = (), **more: Any) -> Patrol:
    """Return a patrol as it would be recorded."""
    leader = next((unit.id for unit in units if unit.kind == "leader"), "")
    return Patrol(
        side=units[0].side,
        number=1,
        type=type_,
        hex=hex_,
        leader=leader,
        rank="sergeant",
        units=tuple(unit.id for unit in units),
        sw=tuple(weapon.id for weapon in sw),
        origins={unit.id: unit.at or "" for unit in units},
        **more,
    )


def go(cg: Cg, side: str, rows: Sequence[dict[str, Any]], dice: Sequence[Sequence[int]], **answers: Any) -> Played:
    """Run the patrols of one side with these dice; `answers` by question key (- as _)."""
    given = {name.replace("_", "-"): value for name, value in answers.items()}
    return play(patrolling, cg, answers={f"patrols@{side}": list(rows), **given}, dice=dice)


def refused(cg: Cg, side: str, *rows: dict[str, Any]) -> str:
    """Return all that is said against these patrols."""
    question = patrol_question(cg, side)
    assert question is not None
    with pytest.raises(DataError) as caught:
        question.accept(list(rows))
    return str(caught.value)


def allowed(cg: Cg, side: str, *rows: dict[str, Any]) -> bool:
    question = patrol_question(cg, side)
    assert question is not None
    return question.allows(list(rows))


def ready(side: str = "axis", at: str = "D4", **more: Any) -> tuple[Cg, list[Unit], Unit]:
    """Return a campaign in which one side has a Patrol and a squad with a leader."""
    cg = bought(bare(), **{side: 1})
    units, leader = section(cg, side, at, **more)
    return cg, units, leader


DETECTED = (1, 1)
SAFE = (1, 1)


def lost(unit: Unit, how: str = "none", state: str | None = None) -> dict[str, str]:
    found = {"unit": unit.id, "lost": how}
    return found if state is None else {**found, "state": state}


def mission(
    type_: str,
    target: str,
    own: dict[str, Any],
    enemy: Sequence[dict[str, str]] = (),
    cg: Cg | None = None,
    dice: Sequence[Sequence[int]] = (DETECTED, SAFE),
    **more: Any,
) -> tuple[Cg, Played]:
    """Run one Axis patrol of everybody in D4 with these outcomes."""
    cg = cg or ready()[0]
    ours = [unit for unit in cg.state.units_of("axis") if unit.at == "D4"]
    squads = [unit for unit in ours if unit.kind in {"squad", "half-squad"}]
    leader = next(unit for unit in ours if unit.kind == "leader")
    hero = next((unit.id for unit in ours if unit.kind == "hero"), "none")
    sw = [unit.id for unit in ours if unit.kind == "sw"]
    one = row(type_, squads, leader, target, sw=sw, hero=hero)
    answers = {"patrol_outcome": own, "patrol_losses": {"units": list(enemy)}}
    return cg, go(cg, "axis", [one], dice, **answers, **more)
