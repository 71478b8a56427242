"""Redeployment with units, answers and dice by chance: what must hold whatever happens."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from laager.campaign.facts import Fact, may_see
from laager.campaign.steps import Ask, Roll, Step
from laager.dice import Rolled
from laager.hexmap import Situation
from laager.rules.board.card.parts import other_side
from laager.rules.board.changes import MMC
from laager.rules.board.facts import UnitHidden
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.hidden import concealment_lost, hidden_units
from laager.rules.platoon_leader.redeployment.in_mlr import redeploy_in_mlr
from laager.rules.platoon_leader.redeployment.lines import final_positions, redeployment_phase
from laager.rules.platoon_leader.redeployment.redeployment import (
    in_enemy_mlr,
    in_no_mans_land,
    in_uncontrolled_terrain,
    isolated,
    prisoners_removed,
    vehicles_left_behind,
)
from laager.rules.platoon_leader.redeployment.situations import movers, situation_of
from tests.platoon_leader.fronts import add, coming, played
from tests.tries import tries

AFTER_PLAY = (
    redeployment_phase, in_enemy_mlr, isolated, in_uncontrolled_terrain, in_no_mans_land,
    concealment_lost, prisoners_removed, vehicles_left_behind, hidden_units, final_positions,
)  # fmt: skip

TYPES = {
    "axis": ("4-6-7", "2-4-7", "2-2-8", "8-1", "PzIVF2", "LMG"),
    "allied": ("4-4-7", "2-3-7", "2-2-8", "8-0", "T-34 M41", "LMG"),
}
KINDS = ("squad", "half-squad", "crew", "leader", "afv", "sw")


def run(cg: Cg, step: Step, rng: Random) -> list[Fact]:
    """Run a step (both lanes, if it has them) with answers and dice by chance."""
    facts: list[Fact] = []
    lanes = [step.run(cg, side) for side in TYPES] if step.each_side else [step.run(cg)]
    for procedure in lanes:
        send: Any = None
        while True:
            try:
                command = procedure.send(send)
            except StopIteration:
                break
            send = None
            if isinstance(command, Ask):
                send = {}
                for question in command.questions:
                    assert question.allows(question.default), question.default
                    answer = question.accept(question.sample(rng))
                    send[question.side, question.key] = answer
            elif isinstance(command, Roll):
                faces = tuple(rng.randint(1, 6) for _ in range(command.dice.count))
                send = Rolled(command.dice, faces, command.modifiers)
            else:
                facts.append(command)
                cg.state = command.apply(cg.state)
    return facts


def scattered(seed: int) -> Cg:
    rng = Random(seed)
    held = rng.sample(["C4", "K4", "C8", "K9", "G2"], 5)
    cut = rng.randint(1, 4)
    cg = played({"axis": tuple(held[:cut]), "allied": tuple(held[cut:])})
    hexes = cg.sort(cg.map.playable)
    marks = (Mark.CONCEALED, Mark.HIP, Mark.ENCIRCLED, Mark.WOUNDED)
    stands: dict[str, str] = {}
    for side, types in TYPES.items():
        for _ in range(14):
            kind = rng.randrange(len(KINDS))
            at = rng.choice([name for name in hexes if stands.get(name, side) == side])
            stands[at] = side
            hiding = rng.random() < 0.3 and KINDS[kind] != "sw"
            extra = [rng.choice(marks[:2])] if hiding else []
            if KINDS[kind] == "afv" and rng.random() < 0.5:
                extra.append(rng.choice((Mark.IMMOBILIZED, Mark.BOGGED, Mark.ABANDONED)))
            add(cg, side, types[kind], KINDS[kind], at, *extra, known=not hiding)
    return cg


def points(cg: Cg, units: list[Unit]) -> int:
    """Return what a side's MMC and vehicles are worth; an Abandoned vehicle has no crew in it."""
    total = 0
    for unit in units:
        if unit.in_play and (unit.kind in MMC or unit.kind == "afv"):
            total += cg.nation_of(unit).cvp(unit.type)
            if unit.has(Mark.ABANDONED):
                total -= cg.nation_of(unit).vehicles[unit.type].crew_cvp
    return total


def without_leaders(facts: list[Fact], side: str) -> int:
    """Return the CVP that a side scored for MMC and vehicles of the other."""
    return sum(
        fact.points  # type: ignore[attr-defined]
        for before, fact in zip([None, *facts], facts, strict=False)
        if fact.kind == "cvp-scored" and fact.side == side  # type: ignore[attr-defined]
        if not (before is not None and before.kind == "unit-gone" and "8-" in str(before.body()))
    )


@given(seed=st.integers(0, 10_000))
@tries(25)
def test_redeployment_by_chance(seed: int) -> None:
    cg = scattered(seed)
    before = {s: [u for u in cg.state.units.values() if u.side == s] for s in TYPES}
    worth = {side: points(cg, units) for side, units in before.items()}
    rng = Random(seed)
    facts: list[Fact] = []
    for step in AFTER_PLAY:
        facts += run(cg, step, rng)
        if step is in_enemy_mlr:
            for side in TYPES:
                left = [unit for unit in movers(cg, side) if not unit.has(Mark.PRISONER)]
                assert all(situation_of(cg, unit) is not Situation.ENEMY_MLR for unit in left)
    for side in TYPES:
        now = [unit for unit in cg.state.units.values() if unit.side == side]
        lost = worth[side] - points(cg, now)
        assert lost == without_leaders(facts, other_side(side))
        for unit in now:
            if unit.on_map and unit.kind != "sw":
                outside = situation_of(cg, unit) is not Situation.FRIENDLY_MLR
                assert unit.has(Mark.ISOLATED) == outside
                assert unit.has(Mark.AMMUNITION_SHORTAGE) == outside
                assert not (outside and unit.has(Mark.CONCEALED, Mark.HIP))
    nothing_leaks(cg, facts, {unit.id for units in before.values() for unit in units if unit.known})


@given(seed=st.integers(0, 10_000), option=st.sampled_from("AB"))
@tries(20)
def test_redeployment_in_the_mlr_by_chance(seed: int, option: str) -> None:
    cg = scattered(seed)
    run(cg, redeployment_phase, Random(seed))
    cg = coming(cg, option=option)
    start = {unit.id: unit for unit in cg.state.units.values()}
    facts = run(cg, redeploy_in_mlr, Random(seed))
    front = cg.front
    assert front is not None
    for unit in cg.state.units.values():
        if not unit.on_map:
            continue
        assert not unit.has(Mark.REDEPLOYED)
        if unit.id not in start or unit.at != start[unit.id].at:
            allowed = front.friendly_mlr[unit.side] | front.controlled[unit.side]
            assert unit.hex in allowed
    assert all(cg.state.side(side).cvp == 0 for side in TYPES)
    nothing_leaks(cg, facts, {unit.id for unit in start.values() if unit.known})


def nothing_leaks(cg: Cg, facts: list[Fact], known_before: set[str]) -> None:
    """No fact that a side may see speaks of an enemy unit which it does not know at the end.

    Losses are public, and so is that a unit which was known is out of sight.
    """
    for side in TYPES:
        secret = {u.id for u in cg.state.units.values() if u.side != side and not u.known}
        for fact in facts:
            public = fact.kind == "unit-gone" or (isinstance(fact, UnitHidden) and fact.unit in known_before)
            if may_see(fact.to, side) and not public:
                assert not any(f"'{name}'" in str(fact.body()) for name in secret), fact
                assert not any(f"({name})" in fact.why for name in secret), fact


@given(seed=st.integers(0, 10_000))
@settings(max_examples=5, deadline=None)
def test_the_same_answers_and_dice_give_the_same_facts(seed: int) -> None:
    twice = []
    for _ in range(2):
        cg, rng = scattered(seed), Random(seed)
        twice.append([fact for step in AFTER_PLAY for fact in run(cg, step, rng)])
    assert twice[0] == twice[1]
