"""Campaigns made ready for setup, patrols and play: groups bought, a firefight determined."""

from __future__ import annotations

from random import Random
from typing import Any

from laager.campaign.facts import Fact
from laager.campaign.steps import Roll, Step
from laager.dice import Rolled
from laager.rules.board.facts import FortJoined, UnitJoined
from laager.rules.board.numbering import next_group_id
from laager.rules.board.state import evolve
from laager.rules.board.units import Fort, Place, Unit
from laager.rules.platoon_leader.buying.groups import group_joins
from laager.rules.platoon_leader.card.card import Setup
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import FirefightCompleted, FirefightDetermined, PlayEnded, RoundBegun
from laager.rules.platoon_leader.firefight.beginning import beginning, initial_control
from laager.rules.platoon_leader.state import PlState, Round, Type
from tests.platoon_leader.small import small_cg
from tests.steps import Played, play

ON_MAP, OFF_MAP, RESERVE = Setup.ON_MAP, Setup.OFF_MAP, Setup.RESERVE


def begun(readings: dict[str, str] | None = None, **changes: Any) -> Cg:
    """Return the walkthrough's campaign with its OB and Control, before any purchase."""
    cg = small_cg(readings, **changes)
    play(beginning, cg)
    play(initial_control, cg)
    return cg


def bare(readings: dict[str, str] | None = None, **changes: Any) -> Cg:
    """The same without the units of the OB."""
    cg = begun(readings, **changes)
    cg.state = evolve(cg.state, units={}, groups={})
    return cg


def buy(cg: Cg, side: str, rg: str, setup: Setup = ON_MAP) -> str:
    """Let a group join as bought; returns its id."""
    line = cg.side(side).group(rg)
    assert line is not None
    name = next_group_id(cg, side, rg)
    for fact in group_joins(cg, side, line, setup):
        cg.state = fact.apply(cg.state)
    return name


def fort(cg: Cg, side: str, kind: str, **more: Any) -> Fort:
    """Let a fortification join."""
    name = f"{side[:2].upper()}F{cg.state.side(side).next_fort}"
    made = Fort(id=name, side=side, kind=kind, firefight=cg.state.fight.number, **more)
    cg.state = FortJoined(fort=made).apply(cg.state)
    return made


def join(cg: Cg, side: str, type_: str, kind: str, at: str | None = None, **more: Any) -> Unit:
    """Let a unit join, on the map or off it."""
    made = Unit(
        id=f"{side[:2].upper()}{cg.state.side(side).next_unit}",
        side=side,
        nation=cg.side(side).nation,
        type=type_,
        kind=kind,
        at=at,
        place=Place.MAP if at else Place.OFF_MAP,
        **more,
    )
    cg.state = UnitJoined(unit=made).apply(cg.state)
    return made


def determined(cg: Cg, type_: Type = Type.AXIS_ASSAULT, first: str = "allied") -> Cg:
    """Fix the type of the firefight and who sets up first."""
    attacker = {Type.AXIS_ASSAULT: "axis", Type.ALLIED_ASSAULT: "allied"}.get(type_, "")
    for side in ("axis", "allied"):
        attacks = type_ is Type.DUAL_ATTACK or side == attacker
        cg.state = cg.state.with_side(side, attack=attacks)
    cg.state = FirefightDetermined(
        type=type_,
        elr={"axis": 3, "allied": 3},
        san={"axis": 3, "allied": 5},
        attacked={side: cg.state.side(side).attack for side in ("axis", "allied")},
        attacker=attacker,
        sets_up_first=first,
        moves_first=attacker,
    ).apply(cg.state)
    return cg


def later(cg: Cg, number: int = 2, *, attacker: str = "axis") -> Cg:
    """Go on to a later firefight, the front drawn from Control as it is."""
    cg.state = cg.state.with_fight(type=Type.AXIS_ASSAULT, attacker=attacker)
    cg.state = PlayEnded(turn=7, last_player="allied").apply(cg.state)
    cg.state = FirefightCompleted().apply(cg.state)
    cg.state = evolve(cg.state, line=cg.line_now("final"))
    cg.state = RoundBegun(round=Round.NEW, firefight=number).apply(cg.state)
    return cg


def seen_by(facts: list[Fact], side: str, before: PlState | None = None) -> PlState:
    """Return what a side knows after these facts."""
    state = evolve(before or PlState.empty(side), viewer=side)
    for fact in facts:
        if fact.to is None or side in fact.to:
            state = fact.apply(state)
    return state


def told(played: Played, side: str) -> str:
    """Return everything that a side is told in facts and rolls, as one text."""
    facts = [f"{fact.body()}" for fact in played.facts if fact.to is None or side in fact.to]
    rolls = [
        f"{roll.label} {rolled}" for roll, rolled in played.rolls
        if roll.audience is None or side in roll.audience
    ]  # fmt: skip
    return "\n".join(facts + rolls)


def play_at_random(step: Step, cg: Cg, rng: Random) -> int:
    """Run a step of the whole table by chance; returns how many questions it asked.

    Every default must be legal, and so must every suggestion.
    """
    procedure = step.run(cg)
    send: Any = None
    asked = 0
    while True:
        try:
            command = procedure.send(send)
        except StopIteration:
            return asked
        send = None
        if isinstance(command, Fact):
            cg.state = command.apply(cg.state)
        elif isinstance(command, Roll):
            faces = tuple(rng.randint(1, 6) for _ in range(command.dice.count))
            send = Rolled(command.dice, faces, command.modifiers)
        else:
            send = {}
            for question in command.questions:
                asked += 1
                assert question.allows(question.default), question.key
                answer = question.accept(question.sample(rng))
                send[question.side, question.key] = answer
