"""The walkthrough's campaign between two firefights, for tests of redeployment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from laager.base import DataError
from laager.campaign.facts import may_see
from laager.campaign.questions import Question
from laager.campaign.steps import Ask, Step
from laager.rules.board.facts import ControlChanged
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import CampaignBegun, FrontDrawn
from laager.rules.platoon_leader.redeployment.lines import from_rows
from laager.rules.platoon_leader.redeployment.redeployment import (
    in_enemy_mlr,
    in_no_mans_land,
    in_uncontrolled_terrain,
    isolated,
)
from laager.rules.platoon_leader.state import Fight, PlState, Round, Type
from tests.platoon_leader.harness import unit
from tests.platoon_leader.small import small_cg
from tests.steps import Played

FF1 = {"axis": ("C4", "K4"), "allied": ("C8", "G2", "K9")}
"""Control after the first firefight."""

FF2 = {"axis": ("K4",), "allied": ("C4", "C8", "G2", "K9")}

FROM_ENEMY = "redeploy-from-enemy-mlr"
FROM_OPEN = "redeploy-from-uncontrolled"
FROM_NML = "redeploy-from-no-mans-land"
PINNED_DOWN = "redeploy-isolated"

STEPS = {FROM_ENEMY: in_enemy_mlr, FROM_OPEN: in_uncontrolled_terrain, FROM_NML: in_no_mans_land, PINNED_DOWN: isolated}

AXIS_LINKS = ("E4-F4-G5-H4-I4", "B2-B1", "L2-L1")
ALLIED_LINKS = ("E8-F7-G8-H7-I8", "E7-E6-F5-F4-F3")
ALLIED_SECOND = ("E8-F7-G8-H7-I8",)


def links(*chains: str) -> dict[str, list[dict[str, str]]]:
    """Return an answer with these links; those that end on row 1 or 10 are edge links."""
    rows = []
    for chain in chains:
        last = chain.rpartition("-")[2]
        edge = last[1:] in ("1", "10") and chain.count("-") == 1
        rows.append({"hexes": chain, "kind": "edge" if edge else "cluster"})
    return {"links": rows}


WALKTHROUGH = {"mlr-links@axis": links(*AXIS_LINKS), "mlr-links@allied": links(*ALLIED_LINKS)}
"""The lines of the first firefight as answers."""


def asked_of(run: Played, key: str, side: str) -> Question:
    """Return the only question of this key to a side."""
    (found,) = [one for one in run.questions(key) if one.side == side]
    return found


def played(
    control: Mapping[str, tuple[str, ...]] = FF1,
    attacker: str = "axis",
    readings: Mapping[str, str] | None = None,
    **changes: Any,
) -> Cg:
    """Return the campaign just before 3.2 of a firefight."""
    cg = small_cg(readings, **changes)
    both = {"axis": 3, "allied": 3}
    facts: list[Any] = [CampaignBegun(elr=both, san=both, cp={"axis": 0, "allied": 0})]
    facts += [ControlChanged(side=side, locations=held) for side, held in control.items()]
    for fact in facts:
        cg.state = fact.apply(cg.state)
    kind = Type.AXIS_ASSAULT if attacker == "axis" else Type.ALLIED_ASSAULT
    cg.state = replace(
        cg.state.with_fight(type=kind, attacker=attacker, play_ended=True, last_turn=7), round=Round.REORGANIZATION
    )
    return cg


def drawn(
    control: Mapping[str, tuple[str, ...]] = FF1,
    attacker: str = "axis",
    readings: Mapping[str, str] | None = None,
    *,
    axis: tuple[str, ...] | None = AXIS_LINKS,
    allied: tuple[str, ...] | None = ALLIED_LINKS,
    **changes: Any,
) -> Cg:
    """Return the campaign with its front drawn by the walkthrough's links (None: the proposed)."""
    cg = played(control, attacker, readings, **changes)
    chosen = {
        side: tuple(link.to_data() for link in from_rows(links(*own)["links"]))
        for side, own in (("axis", axis), ("allied", allied))
        if own is not None
    }
    line = cg.line_now("redeployment")
    cg.state = FrontDrawn(
        stage="redeployment", controlled=dict(line.controlled), ground=dict(line.ground), links=chosen
    ).apply(cg.state)
    return cg


def coming(cg: Cg, type_: Type = Type.ALLIED_ASSAULT, attacker: str = "allied", option: str = "A") -> Cg:
    """Bring a campaign to 2.5 of its second firefight."""
    past = cg.state.fight
    fight = Fight(number=past.number + 1, type=type_, attacker=attacker)
    cg.state = replace(cg.state, past=(*cg.state.past, past), fight=fight, round=Round.NEW, option=option)
    return cg


def add(cg: Cg, side: str, type_: str, kind: str, at: str | None, *marks: Mark, **more: Any) -> Unit:
    """Add a unit that the enemy knows (unless told otherwise) and return it."""
    more.setdefault("known", True)
    cg.state, made = unit(cg.state, side, type_, kind, at, *marks, **more)
    return made


def now(cg: Cg, one: Unit) -> Unit:
    """Return a unit as it is now."""
    return cg.state.units[one.id]


def second() -> Cg:
    """The second firefight of the walkthrough: its attacker is the Allied side."""
    return drawn(FF2, "allied", axis=("J2-J1", "L2-L1"), allied=ALLIED_SECOND)


def row(*units: Unit, to: str = "", **more: Any) -> dict[str, Any]:
    """Return a row of an answer."""
    return {"units": [one.id for one in units], "to": to, **more}


def drms(run: Played) -> list[int]:
    """Return the DRM of the first roll."""
    return [modifier.value for modifier in run.rolls[0][1].modifiers]


def cvp(cg: Cg) -> tuple[int, int]:
    """Return the CVP scored by both sides."""
    return cg.state.side("axis").cvp, cg.state.side("allied").cvp


def first_question(cg: Cg, step: Step) -> Question:
    """Run a step up to its first question; what happened before stays in the state."""
    procedure = step.run(cg)
    command = procedure.send(None)
    while not isinstance(command, Ask):
        cg.state = command.apply(cg.state)  # type: ignore[union-attr]
        command = procedure.send(None)
    return command.questions[0]


def refusals(*rows: dict[str, Any], cg: Cg, key: str = FROM_ENEMY) -> str:
    """Return what is said against orders for the units on the map."""
    question = first_question(cg, STEPS[key])
    with pytest.raises(DataError) as caught:
        question.accept(list(rows))
    return str(caught.value)


def ready(option: str = "A", readings: Mapping[str, str] | None = None) -> Cg:
    """2.5 of the walkthrough's second firefight, an Allied Assault."""
    return coming(drawn(readings=readings), option=option)


def refused(question: Question, *rows: dict[str, Any]) -> str:
    """Return what is said against an answer of rows."""
    with pytest.raises(DataError) as caught:
        question.accept(list(rows))
    return str(caught.value)


def as_seen_by(viewer: str, run: Played, before: PlState | None = None) -> PlState:
    """Fold what a side may see of what happened."""
    state = before or PlState.empty(viewer)
    state = replace(state, viewer=viewer)
    for fact in run.facts:
        if may_see(fact.to, viewer):
            state = fact.apply(state)
    return state
