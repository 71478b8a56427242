"""Who is proposed to redeploy where nobody must: units that are cut off, and units far from where they are needed."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from laager.campaign.questions import Question
from laager.campaign.temperament import Temperament, find_temperament
from laager.rules.board.facts import FortJoined, UnitMoved
from laager.rules.board.units import Fort, Mark, Place
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.in_mlr import redeploy_in_mlr
from laager.rules.platoon_leader.redeployment.judgement import chance_to_get_through, judge_option
from laager.rules.platoon_leader.redeployment.orders import Orders
from laager.rules.platoon_leader.redeployment.redeployment import isolated
from laager.rules.platoon_leader.redeployment.setting_up_again import SetUpAgain
from laager.rules.platoon_leader.reorganization.consequences import clearance_of_mlr
from tests.platoon_leader.fronts import add, asked_of, coming, drawn, first_question
from tests.steps import play

SENSIBLE, BOLD, CAUTIOUS = map(find_temperament, ("sensible", "bold", "cautious"))


def with_drm(drm: int) -> Temperament:
    """Return somebody who tries it with just this DRM: at +2 nine or less of a DR of 36, with 10 and 11 as losses."""
    return Temperament("test", {"escape.risk": {2: 30 / 36, 3: 26 / 36}[drm]})


# Cut off ----------------------------------------------------------------------------------------


def test_who_is_cut_off_tries_to_get_out_each_squad_by_itself() -> None:
    cg = drawn()
    squads = [add(cg, "allied", "4-4-7", "squad", "G2") for _ in range(2)]
    question = first_question(cg, isolated)
    assert [row["units"] for row in question.default] == [[squad.id] for squad in squads]
    assert all(row["to"] for row in question.default)
    assert question.allows(question.default)


def test_who_would_hardly_come_through_stays() -> None:
    """+2 in the enemy MLR: 9 or less is needed of a DR, or 10 or 11 with a loss: 30 of 36."""
    cg = drawn()
    add(cg, "allied", "4-4-7", "squad", "G2")
    question = first_question(cg, isolated)
    assert question.propose(with_drm(2)) == question.default
    surer = Temperament("test", {"escape.risk": 30 / 36 + 0.01})
    assert question.propose(surer) == []


def test_the_chance_counts_what_the_table_and_the_leader_do() -> None:
    cg = drawn()
    squad = add(cg, "allied", "4-4-7", "squad", "G2")
    question = first_question(cg, isolated)
    orders = Orders(cg, "allied", [squad], _task(question))
    [party] = orders.parties(question.default)
    assert chance_to_get_through(cg, party) == pytest.approx(30 / 36)
    leader = add(cg, "allied", "9-1", "leader", "G2")
    led = Orders(cg, "allied", [squad, leader], _task(question))
    [party] = led.parties(led.rows_for([squad, leader]))
    assert chance_to_get_through(cg, party) == pytest.approx(33 / 36)


def _task(question: Question) -> Any:
    return question.check.__self__.task  # type: ignore[attr-defined]


def test_prisoners_and_units_without_a_way_are_not_named() -> None:
    cg = drawn()
    add(cg, "allied", "4-4-7", "squad", "G2", Mark.PRISONER)
    squad = add(cg, "allied", "4-4-7", "squad", "G2")
    assert [row["units"] for row in first_question(cg, isolated).default] == [[squad.id]]


# Far from where it counts -----------------------------------------------------------------------


def before_play(side: str = "axis", *, attacks: bool, option: str = "A") -> Cg:
    """Return the campaign before 2.5 of the second firefight, in which a side attacks or not."""
    cg = coming(drawn(), option=option)
    cg.state = cg.state.with_side(side, attack=attacks)
    return cg


def proposed(cg: Cg, side: str = "axis") -> list[dict[str, Any]]:
    question = asked_of(play(redeploy_in_mlr, cg, answers={"redeploy": []}), "redeploy", side)
    assert question.allows(question.default)
    rows: list[dict[str, Any]] = question.default
    return rows


def test_a_defender_sends_a_spare_squad_to_what_nobody_holds() -> None:
    cg = before_play(attacks=False)
    spare, far = (add(cg, "axis", "4-6-7", "squad", at) for at in ("H4", "D4"))
    rows = proposed(cg)
    assert {row["units"][0]: row["to"] for row in rows} == {spare.id: "K4", far.id: "C4"}
    assert all(cg.card.tvp[row["to"]] for row in rows)


def test_the_last_squad_stays_on_ground_that_counts() -> None:
    cg = before_play(attacks=False)
    add(cg, "axis", "4-6-7", "squad", "C4")
    assert proposed(cg) == []


def test_who_is_dug_in_or_mans_a_gun_stays() -> None:
    cg = before_play(attacks=False)
    hole = Fort(id="AXF1", side="axis", kind="foxhole", at="C4")
    cg.state = FortJoined(fort=hole, to=("axis",)).apply(cg.state)
    for _ in range(2):
        add(cg, "axis", "4-6-7", "squad", "C4")
    crew = add(cg, "axis", "2-2-8", "crew", "D4")
    add(cg, "axis", "50L AT PaK 38", "gun", "D4", Mark.EMPLACED, with_unit=crew.id)
    assert proposed(cg) == []


def test_an_attacker_comes_nearer_to_what_he_wants_but_not_in_a_crowd() -> None:
    cg = coming(drawn({"axis": ("C4", "G2", "K4"), "allied": ("C8", "K9")}, axis=None, allied=None))
    cg.state = cg.state.with_side("axis", attack=True)
    squads = [add(cg, "axis", "4-6-7", "squad", "L1") for _ in range(8)]
    wanted = {at for at in cg.card.tvp if cg.state.ground.control.get(at) != "axis"}

    def away(name: str) -> int:
        return min(cg.map.distance(name, at.split(".")[0]) for at in wanted)

    rows = proposed(cg)
    assert rows
    ends = [row["to"] for row in rows]
    assert all(away("L1") - away(end) >= 3 for end in ends)
    assert max(ends.count(end) for end in ends) <= 3
    assert len(rows) <= len(squads)
    assert "K6" in ends


# Setting up again (Option B) ----------------------------------------------------------------------


def set_up_again(cg: Cg, side: str = "axis", temper: Temperament = SENSIBLE) -> list[dict[str, Any]]:
    question = SetUpAgain(cg, side).question()
    rows: list[dict[str, Any]] = question.propose(temper)
    assert question.allows(rows)
    return rows


def test_by_option_b_a_defender_holds_what_counts_and_an_attacker_comes_as_near_as_he_can() -> None:
    cg = before_play(attacks=False, option="B")
    squads = [add(cg, "axis", "4-6-7", "squad", at) for at in ("B1", "B1", "D4")]
    defends = {row["at"]: row["units"] for row in set_up_again(cg)}
    assert set(defends) == {at for at in ("C4", "K4") if cg.card.tvp[at]}
    cg.state = cg.state.with_side("axis", attack=True)
    wanted = {at for at in cg.card.tvp if cg.state.ground.control.get(at) != "axis"}

    def away(name: str) -> int:
        return min(cg.map.distance(name, at.split(".")[0]) for at in wanted)

    rows = set_up_again(cg)
    starts = {squad.id: squad.at or "" for squad in squads}
    assert {row["units"][0] for row in rows} == set(starts)
    assert all(away(row["at"]) < away(starts[row["units"][0]]) for row in rows)


def test_by_option_b_whoever_was_taken_off_is_placed_and_who_mans_a_gun_stays() -> None:
    cg = before_play(attacks=True, option="B")
    crew = add(cg, "axis", "2-2-8", "crew", "D4")
    add(cg, "axis", "50L AT PaK 38", "gun", "D4", Mark.EMPLACED, with_unit=crew.id)
    squad = add(cg, "axis", "4-6-7", "squad", None)
    cg.state = UnitMoved(unit=squad.id, place=Place.POOL, mlr="A").apply(cg.state)
    assert [row["units"] for row in set_up_again(cg)] == [[squad.id]]


@pytest.mark.parametrize("attacks", [True, False])
def test_by_option_b_what_the_enemy_hides_changes_nothing(attacks: bool) -> None:
    worlds = [before_play(attacks=attacks, option="B") for _ in range(2)]
    for world in worlds:
        for at in ("B1", "C4", "C4"):
            add(world, "axis", "4-6-7", "squad", at)
    for at in ("D4", "E4", "G5"):
        add(worlds[1], "allied", "4-4-7", "squad", at, Mark.HIP, known=False)
    assert set_up_again(worlds[0]) == set_up_again(worlds[1])


def test_by_option_b_a_commander_leaves_his_units_on_the_map() -> None:
    cg = drawn()
    cg.state = replace(cg.state, option="B")
    add(cg, "axis", "4-6-7", "squad", "C4")
    question = asked_of(play(clearance_of_mlr, cg, "axis", answers={"take-off": False}), "take-off", "axis")
    assert question.default is True
    assert question.propose(SENSIBLE) is False


# Which option -------------------------------------------------------------------------------------


def test_who_would_attack_wants_option_b_and_who_holds_wants_option_a() -> None:
    cg = drawn()
    assert judge_option(cg, "axis", SENSIBLE, {}, 0) == "A"
    for _ in range(40):
        add(cg, "axis", "4-6-7", "squad", "C4")
    assert judge_option(cg, "axis", SENSIBLE, {}, 0) == "B"
    assert judge_option(cg, "axis", Temperament("test", dict.fromkeys(SENSIBLE.figures, 99.0)), {}, 0) == "A"


@pytest.mark.parametrize("insists", ["axis", "allied"])
def test_a_commander_gives_way_to_a_player_who_insists_and_two_of_them_agree(insists: str) -> None:
    cg = drawn()
    other = "allied" if insists == "axis" else "axis"
    assert "B" in {judge_option(cg, other, SENSIBLE, {insists: "B", other: "A"}, number) for number in (1, 2)}
    for _ in range(40):
        add(cg, insists, "4-6-7" if insists == "axis" else "4-4-7", "squad", "C4")
    apart = {side: judge_option(cg, side, SENSIBLE, {}, 0) for side in ("axis", "allied")}
    assert apart == {insists: "B", other: "A"}
    assert len({judge_option(cg, side, SENSIBLE, apart, 1) for side in apart}) == 1


@pytest.mark.parametrize("attacks", [True, False])
def test_what_the_enemy_hides_changes_nothing(attacks: bool) -> None:
    cg, twin = before_play(attacks=attacks), before_play(attacks=attacks)
    for world in (cg, twin):
        for at in ("B1", "C4", "C4"):
            add(world, "axis", "4-6-7", "squad", at)
    add(twin, "allied", "76L ART obr. 39", "gun", "D4", Mark.HIP, known=False)
    add(twin, "allied", "4-4-7", "squad", "E4", Mark.HIP, known=False)
    assert proposed(cg) == proposed(twin)


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(n, marks=pytest.mark.soak) for n in range(4, 120))])
def test_what_is_proposed_is_legal_wherever_troops_stand(seed: int) -> None:
    chance = Random(seed)
    cg = coming(drawn())
    for side, squad in (("axis", "4-6-7"), ("allied", "4-4-7")):
        cg.state = cg.state.with_side(side, attack=chance.random() < 0.5)
        for name in chance.sample(cg.sort(cg.map.playable), 8):
            add(cg, side, squad, "squad", name)
            if chance.random() < 0.3:
                add(cg, side, "8-0", "leader", name)
    run = play(redeploy_in_mlr, cg, answers={"redeploy": []})
    for question in run.questions("redeploy"):
        for temper in (SENSIBLE, BOLD, CAUTIOUS):
            assert question.allows(question.propose(temper))
