"""Which patrols are proposed: who goes where, and when nobody should."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.campaign.temperament import find_temperament
from laager.rules.board.places import hex_of
from laager.rules.board.setup.hiding import is_in_cover
from laager.rules.board.state import evolve
from laager.rules.board.units import Mark
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.patrols.forming import patrol_problems, patrol_question
from laager.rules.platoon_leader.patrols.judgement import judge_patrols
from laager.rules.platoon_leader.state import Type
from tests.platoon_leader.fight import bare, determined, join
from tests.platoon_leader.patrolling import bought, ready, section

SENSIBLE, BOLD, CAUTIOUS = map(find_temperament, ("sensible", "bold", "cautious"))


def attacking(side: str = "axis", *, attacks: bool = True, **more: Any) -> tuple[Cg, Any, Any]:
    """Return a campaign in which a side with a Patrol, a squad and a leader attacks, or is attacked."""
    cg, units, leader = ready(side, **more)
    assaults = {"axis": Type.AXIS_ASSAULT, "allied": Type.ALLIED_ASSAULT}
    attacker = side if attacks else {"axis": "allied", "allied": "axis"}[side]
    return determined(cg, assaults[attacker]), units, leader


def test_an_attacker_looks_at_what_he_wants() -> None:
    cg, (squad,), leader = attacking(leader="8-1")
    [row] = judge_patrols(cg, "axis", SENSIBLE)
    assert patrol_problems(cg, [row]) == []
    assert (row["type"], row["units"], row["leader"]) == ("recon", [squad.id], leader.id)
    wanted = {hex_of(at) for at in cg.card.tvp if cg.state.ground.control.get(at) != "axis"}
    assert wanted & {row["hex"], *cg.map.neighbours(row["hex"])}


def test_a_defender_waits_in_cover_on_the_way_of_the_attacker() -> None:
    cg, _, _ = attacking(attacks=False, leader="9-1")
    [row] = judge_patrols(cg, "axis", SENSIBLE)
    assert patrol_problems(cg, [row]) == []
    assert row["type"] == "ambush"
    assert is_in_cover(cg, row["hex"])
    assert row["hex"] not in cg.friendly_area("axis")


def test_nobody_goes_where_enemies_are_known() -> None:
    cg, _, _ = attacking(leader="8-1")
    [before] = judge_patrols(cg, "axis", SENSIBLE)
    join(cg, "allied", "4-4-7", "squad", before["hex"], known=True)
    [row] = judge_patrols(cg, "axis", SENSIBLE)
    assert row["hex"] != before["hex"]


def test_what_the_enemy_hides_changes_nothing() -> None:
    """Two worlds that differ in an enemy under "?" and a hidden Gun: the same proposal."""
    cg, _, _ = attacking(leader="8-1")
    [before] = judge_patrols(cg, "axis", SENSIBLE)
    near = next(iter(cg.map.neighbours(before["hex"])))
    join(cg, "allied", "4-4-7", "squad", before["hex"], marks=frozenset({Mark.CONCEALED}))
    join(cg, "allied", "76L ART", "gun", near, marks=frozenset({Mark.HIP}))
    assert judge_patrols(cg, "axis", SENSIBLE) == [before]


def test_by_day_without_a_good_leader_only_the_bold_go() -> None:
    """An Ambush by day with an 8-0: +2, so that 5 or less of a DR is needed, 10 in 36."""
    cg, _, _ = attacking(attacks=False, leader="8-0")
    assert judge_patrols(cg, "axis", SENSIBLE) == []
    assert judge_patrols(cg, "axis", BOLD) != []
    cg, _, _ = attacking(attacks=False, leader="9-1")
    assert judge_patrols(cg, "axis", SENSIBLE) != []
    assert judge_patrols(cg, "axis", CAUTIOUS) == []


def test_each_patrol_has_its_own_squad_leader_and_hex() -> None:
    cg = bought(bare(), axis=3)
    section(cg, "axis", "D4", "8-1", count=2)
    section(cg, "axis", "E5", "9-1")
    rows = judge_patrols(determined(cg), "axis", SENSIBLE)
    assert patrol_problems(cg, rows) == []
    assert len(rows) == 2, "two leaders"
    assert len({row["hex"] for row in rows}) == len({row["leader"] for row in rows}) == 2
    assert len({name for row in rows for name in row["units"]}) == 2


def test_who_cannot_lead_or_must_serve_a_gun_stays() -> None:
    cg, (squad,), leader = attacking(leader="9-1")
    hurt = evolve(cg.state.units[leader.id], marks=frozenset({Mark.WOUNDED}))
    assert judge_patrols(cg.with_state(evolve(cg.state, units={**cg.state.units, leader.id: hurt})), "axis", BOLD) == []
    crew = evolve(cg.state.units[squad.id], kind="crew", type="2-2-8")
    assert judge_patrols(cg.with_state(evolve(cg.state, units={**cg.state.units, squad.id: crew})), "axis", BOLD) == []


def test_the_question_proposes_it_and_others_by_temperament() -> None:
    cg, _, _ = attacking(attacks=False, leader="8-0")
    question = patrol_question(cg, "axis")
    assert question.default == []
    assert question.propose(BOLD) == judge_patrols(cg, "axis", BOLD)
    assert question.allows(question.propose(BOLD))


@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(n, marks=pytest.mark.soak) for n in range(6, 150))])
def test_what_is_proposed_is_legal_wherever_troops_stand(seed: int) -> None:
    chance = Random(seed)
    cg = bought(bare(), axis=chance.randint(1, 3), allied=chance.randint(1, 3))
    for side, enemy in (("axis", "allied"), ("allied", "axis")):
        area = cg.sort(cg.friendly_area(side))
        for _ in range(chance.randint(1, 6)):
            section(cg, side, chance.choice(area), chance.choice(["7-0", "8-0", "8-1"]), count=chance.randint(0, 2))
        at = chance.choice(cg.sort(cg.map.playable))
        join(cg, enemy, {"axis": "4-6-7", "allied": "4-4-7"}[enemy], "squad", at, known=chance.random() < 0.5)
    determined(cg, chance.choice([Type.AXIS_ASSAULT, Type.ALLIED_ASSAULT, Type.DUAL_ATTACK]))
    for side in ("axis", "allied"):
        for temper in (SENSIBLE, BOLD, CAUTIOUS):
            rows = judge_patrols(cg, side, temper)
            assert patrol_problems(cg, rows) == []
            assert len(rows) <= cg.state.side(side).patrols
