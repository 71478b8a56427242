"""Every question of the steps after a battle proposes a legal answer, whatever units there are."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.campaign.steps import Step
from laager.catalogue import Kind
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import carried_by, is_unseen
from laager.rules.board.report.marks import FITS, WRECKAGE, mark_problems
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.in_mlr import redeploy_in_mlr
from laager.rules.platoon_leader.reorganization.consequences import clearance_of_mlr
from laager.rules.platoon_leader.report.report import firefight_end
from laager.rules.platoon_leader.sequence import SEQUENCES
from laager.rules.platoon_leader.state import Round
from tests.platoon_leader.fight import fort
from tests.platoon_leader.scene import add, draw, scene, set_side, won
from tests.rules.proposals import run_by_chance
from tests.tries import tries

HEXES = ("C4", "C4", "C5", "D4", "E3", "F5", "F6", "G2", "G6", "C8", "C8", "D8", "K4", "K7", "K9")
"""Those of clusters, of No Man's Land and of Uncontrolled Terrain."""

SLOT = {"date": "1942-07-12", "time": "morning", "game_end": {6: 2}, "disease": True}

TROOPS = (
    Kind.SQUAD, Kind.SQUAD, Kind.HALF_SQUAD, Kind.HALF_SQUAD, Kind.CREW, Kind.LEADER, Kind.HERO,
    Kind.AFV, Kind.VEHICLE,
)  # fmt: skip

KEPT = {"sw": (Mark.CAPTURED,), "gun": (Mark.EMPLACED, Mark.WAS_REVEALED, Mark.CAPTURED), "afv": (Mark.CAPTURED,)}
"""Markers of the record that a unit may have besides those of a report, by its kind."""

UNREAL = WRECKAGE | {Mark.PRISONER, Mark.MELEE, Mark.CLOAKED}
"""Markers that need another state of the unit or of its Location."""


def by_chance(rng: Random) -> Cg:
    """Return a scene after play with units by chance."""
    cg = scene(firefights=[SLOT, SLOT])
    cg.state = replace(cg.state, option=rng.choice("AB")).with_fight(number=2)
    for _ in range(rng.randint(2, 10)):
        some_unit(cg, rng, rng.choice(SIDES))
    for _ in range(rng.randint(0, 3)):
        at, kind = rng.choice(HEXES), rng.choice(("wire", "a-p-mines", "trench", "roadblock"))
        fort(cg, rng.choice(SIDES), kind, at=at, hidden=rng.random() < 0.5, factors=6)
    for side in SIDES:
        set_side(cg, side, leaders_lost=rng.randint(0, 4), cvp=rng.randint(0, 60))
    won(cg, rng.choice(SIDES))
    draw(cg)
    return cg


def some_unit(cg: Cg, rng: Random, side: str) -> None:
    kind = rng.choice(TROOPS)
    at = rng.choice((*HEXES, None))
    made = one_of(cg, rng, side, kind, at)
    if kind is Kind.AFV and rng.random() < 0.5:
        one_of(cg, rng, side, Kind.ARMOR_LEADER, at, made)
    elif kind in {Kind.SQUAD, Kind.HALF_SQUAD, Kind.CREW, Kind.LEADER} and rng.random() < 0.6:
        one_of(cg, rng, side, Kind.GUN if kind is Kind.CREW else Kind.SW, at, made)
    recalled = kind is Kind.AFV and at is None
    if recalled:
        for unit in (made, *carried_by(cg, made)):
            cg.state = cg.state.with_unit(unit.id, lambda u: u.but(place=Place.RECALLED))


def one_of(cg: Cg, rng: Random, side: str, kind: Kind, at: str | None, holder: Unit | None = None) -> Unit:
    nation = cg.nation(side)
    types = nation.leaders.armor if kind is Kind.ARMOR_LEADER else nation.types(kind)
    with_unit, type_ = "" if holder is None else holder.id, rng.choice(types[:4])
    made = add(cg, side, type_, kind.value, at, *marks(rng, kind), with_unit=with_unit)
    known = rng.random() < 0.5 and not is_unseen(cg, made)
    cg.state = cg.state.with_unit(made.id, lambda u: u.but(known=known))
    return cg.state.units[made.id]


def marks(rng: Random, kind: Kind) -> list[Mark]:
    """Return markers that a unit of a kind can have together."""
    able = [mark for mark in FITS if kind in FITS[mark] and mark not in UNREAL]
    found = rng.sample(able, k=rng.choice((0, 1, 1, 2)))
    if any(mark_problems(kind.value, "", [mark.value for mark in found])):
        found = []
    kept = (Mark.AMMUNITION_SHORTAGE, Mark.HARDENED, *KEPT.get(kind.value, ()))
    found += rng.sample(kept, k=rng.choice((0, 0, 1)))
    return [*found, Mark.ISOLATED] if rng.random() < 0.4 else found


STEPS = (firefight_end, *SEQUENCES.rounds[Round.REORGANIZATION][:-1], redeploy_in_mlr)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
@given(seed=st.integers(0, 2**32))
@tries(40)
def test_what_a_step_proposes_is_legal(step: Step, seed: int) -> None:
    rng = Random(seed)
    cg = by_chance(rng)
    run_by_chance(step, cg, rng)


TROOP_PHASE = [step for step in SEQUENCES.rounds[Round.REORGANIZATION] if step.clause.startswith("PL 3.4")]


@given(seed=st.integers(0, 2**32))
@tries(40)
def test_so_it_is_when_units_were_taken_off_the_map(seed: int) -> None:
    rng = Random(seed)
    cg = by_chance(rng)
    cg.state = replace(cg.state, option="B")
    for step in (clearance_of_mlr, *TROOP_PHASE, redeploy_in_mlr):
        run_by_chance(step, cg, rng)
