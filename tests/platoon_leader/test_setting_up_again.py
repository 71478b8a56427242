"""PL 2.5 Option B: units in a friendly MLR set up anew in it."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from laager.rules.board.facts import UnitMoved
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.in_mlr import redeploy_in_mlr
from laager.rules.platoon_leader.state import PlState
from tests.platoon_leader.fight import fort
from tests.platoon_leader.fronts import add, as_seen_by, asked_of, coming, drawn, now, ready, refused
from tests.steps import play

# Option B --------------------------------------------------------------------------------------


def pooled(cg: Cg, side: str, type_: str, kind: str, mlr: str, *marks: Mark, **more: Any) -> Unit:
    """Add a unit that was taken off the map (PL 3.34 Option B)."""
    one = add(cg, side, type_, kind, None, *marks, **more)
    fact = UnitMoved(unit=one.id, place=Place.POOL, mlr=mlr)
    cg.state = fact.apply(cg.state)
    return now(cg, one)


def test_pooled_units_set_up_anew_in_their_mlr() -> None:
    cg = ready("B")
    squad = pooled(cg, "axis", "4-6-7", "squad", "A")
    lmg = pooled(cg, "axis", "LMG", "sw", "A", with_unit=squad.id)
    leader = pooled(cg, "axis", "8-1", "leader", "A")
    answers = {"set-up-in-mlr": [{"units": [squad.id, leader.id], "at": "G5"}]}
    run = play(redeploy_in_mlr, cg, answers=answers)
    assert run.rolls == []
    for one in (squad, lmg, leader):
        assert (now(cg, one).at, now(cg, one).place, now(cg, one).mlr) == ("G5", Place.MAP, "")
    assert now(cg, lmg).with_unit == squad.id
    assert asked_of(run, "set-up-in-mlr", "axis").secret


def test_by_default_pooled_units_are_spread_over_their_clusters() -> None:
    cg = ready("B")
    squads = [pooled(cg, "axis", "4-6-7", "squad", "A") for _ in range(5)]
    leader = pooled(cg, "axis", "8-1", "leader", "A")
    tank = pooled(cg, "axis", "PzIVF2", "afv", "A")
    sw = pooled(cg, "axis", "MMG", "sw", "A")
    play(redeploy_in_mlr, cg)
    assert cg.front is not None
    places = [now(cg, one).at for one in (*squads, tank)]
    assert len(set(places)) == 6
    assert set(places) <= cg.front.controlled["axis"]
    assert now(cg, leader).at == now(cg, squads[0]).at
    assert (now(cg, sw).at, now(cg, sw).with_unit) == (now(cg, squads[0]).at, squads[0].id)


def test_a_pool_of_leaders_and_weapons_alone_sets_up_too() -> None:
    cg = ready("B")
    leaders = [pooled(cg, "axis", "8-1", "leader", "A") for _ in range(2)]
    sw = pooled(cg, "axis", "MMG", "sw", "A")
    play(redeploy_in_mlr, cg)
    assert all(now(cg, one).on_map for one in (*leaders, sw))


def two_mlrs() -> Cg:
    """Without links the Axis have MLR A around C4 and MLR B around K4."""
    return coming(drawn(axis=()), option="B")


def test_each_unit_keeps_to_its_own_mlr() -> None:
    cg = two_mlrs()
    west = pooled(cg, "axis", "4-6-7", "squad", "A")
    east = pooled(cg, "axis", "4-6-7", "squad", "B")
    run = play(redeploy_in_mlr, cg)
    question = asked_of(run, "set-up-in-mlr", "axis")
    assert question.allows(question.default)
    told = refused(question, {"units": [west.id], "at": "K4"}, {"units": [east.id], "at": "C4"})
    assert f"[1].at: K4 is not in the MLR of {west.label}; set it up in MLR A" in told
    assert f"[2].at: C4 is not in the MLR of {east.label}; set it up in MLR B" in told
    assert now(cg, west).hex in question_area(cg, "A")
    assert now(cg, east).hex in question_area(cg, "B")


def question_area(cg: Cg, letter: str) -> frozenset[str]:
    assert cg.front is not None
    return next(mlr.hexes for mlr in cg.front.mlrs["axis"] if mlr.letter == letter)


def test_setups_that_are_refused() -> None:
    cg = ready("B")
    one, two = (pooled(cg, "axis", "4-6-7", "squad", "A") for _ in range(2))
    tank = pooled(cg, "axis", "PzIVF2", "afv", "A")
    sw = pooled(cg, "axis", "MMG", "sw", "A")
    add(cg, "allied", "4-4-7", "squad", "C5")
    question = asked_of(play(redeploy_in_mlr, cg), "set-up-in-mlr", "axis")
    told = refused(
        question,
        {"units": [one.id], "at": "F4"},
        {"units": [one.id], "at": "Q99"},
        {"units": [tank.id, sw.id], "at": "C5"},
        {"units": [tank.id], "at": "C4.3"},
    )
    assert "[1].at: F4 is not in the MLR" in told  # No Man's Land
    assert "[2].at: there is no hex 'Q99'" in told
    assert "[3].at: C5 holds enemy units" in told
    assert "[3].units: vehicles don't possess SW and Guns" in told
    assert "[4].at: C4.3 is not a Location; in C4 there is C4" in told
    assert f"{one.label} is placed twice" in told
    assert f"{two.label} is left out; place it, MLR A" in told


def test_units_left_on_the_map_may_set_up_anew_or_stay() -> None:
    cg = ready("B")
    moves = add(cg, "axis", "4-6-7", "squad", "C4", Mark.ENCIRCLED)
    stays = add(cg, "axis", "4-6-7", "squad", "D4")
    hidden = add(cg, "axis", "4-6-7", "squad", "K4", Mark.HIP, known=False)
    done = add(cg, "axis", "4-6-7", "squad", "D5", Mark.REDEPLOYED)
    away = add(cg, "axis", "4-6-7", "squad", "G6")
    rows = [{"units": [one.id], "at": "G5"} for one in (moves, hidden, done)]
    run = play(redeploy_in_mlr, cg, answers={"set-up-in-mlr": rows, "conceal": []})
    question = asked_of(run, "set-up-in-mlr", "axis")
    assert question.default == []
    assert not question.allows([{"units": [away.id], "at": "G5"}])
    assert now(cg, moves).at == now(cg, done).at == now(cg, hidden).at == "G5"
    assert now(cg, moves).marks == now(cg, done).marks == frozenset()
    assert now(cg, hidden).marks == {Mark.CONCEALED}
    assert now(cg, stays).at == "D4"


def test_fixed_guns_and_immobile_vehicles_stay() -> None:
    cg = ready("B")
    crew = add(cg, "axis", "2-2-8", "crew", "C4")
    fixed = add(cg, "axis", "50L AT PaK 38", "gun", "C4", Mark.FIXED, Mark.EMPLACED, with_unit=crew.id)
    tank = add(cg, "axis", "PzIVF2", "afv", "C4", Mark.IMMOBILIZED)
    rows = [{"units": [crew.id], "at": "G5"}]
    run = play(redeploy_in_mlr, cg, answers={"set-up-in-mlr": rows})
    question = asked_of(run, "set-up-in-mlr", "axis")
    for one in (fixed, tank):
        assert not question.allows([{"units": [one.id], "at": "G5"}])
        assert now(cg, one).at == "C4"
    assert now(cg, crew).at == "G5"


@pytest.mark.parametrize("named", [True, False], ids=["named in the row", "goes with its crew"])
@pytest.mark.parametrize(
    ("type_", "kind", "at", "stays"),
    [
        ("50L AT PaK 38", "fortified-building", "C4", True),
        ("50L AT PaK 38", "pillbox", "G5.p", True),
        ("50L AT PaK 38", "foxhole", "G5", False),
        ("81* MTR GrW 34", "pillbox", "G5.p", False),
    ],
)
def test_a_gun_set_up_in_a_fortification_that_fixes_it_stays_there(
    type_: str, kind: str, at: str, stays: bool, named: bool
) -> None:
    cg = ready("B")
    fort(cg, "axis", kind, at=at)
    crew = pooled(cg, "axis", "2-2-8", "crew", "A")
    gun = pooled(cg, "axis", type_, "gun", "A", with_unit=crew.id)
    rows = [{"units": [crew.id, gun.id] if named else [crew.id], "at": at}]
    play(redeploy_in_mlr, cg, answers={"set-up-in-mlr": rows})
    assert now(cg, gun).at == at
    assert now(cg, gun).has(Mark.FIXED) == stays


def test_nobody_learns_of_a_hidden_enemy_pillbox_by_naming_it() -> None:
    cg = ready("B")
    squad = pooled(cg, "axis", "4-6-7", "squad", "A")
    fort(cg, "allied", "pillbox", at="G5.p")
    question = asked_of(play(redeploy_in_mlr, cg), "set-up-in-mlr", "axis")
    assert "[1].at: G5.p is not a Location" in refused(question, {"units": [squad.id], "at": "G5.p"})
    fort(cg, "allied", "pillbox", at="G5.p", hidden=False)
    assert question.allows([{"units": [squad.id], "at": "G5.p"}])


def test_guns_are_possessed_by_their_crew_and_emplaced_at_will() -> None:
    for emplaced in (True, False):
        cg = ready("B")
        squad = pooled(cg, "axis", "4-6-7", "squad", "A")
        crew = pooled(cg, "axis", "2-2-8", "crew", "A")
        gun = pooled(cg, "axis", "50L AT PaK 38", "gun", "A", Mark.EMPLACED, with_unit=squad.id)
        both = [squad.id, crew.id, gun.id]
        rows = [{"units": both, "at": "C4", "emplaced": emplaced}]
        play(redeploy_in_mlr, cg, answers={"set-up-in-mlr": rows})
        assert (now(cg, gun).with_unit, now(cg, gun).at) == (crew.id, "C4")
        assert now(cg, gun).has(Mark.EMPLACED) == emplaced


def test_riders_and_their_weapons_follow_the_vehicle() -> None:
    cg = ready("B")
    tank = pooled(cg, "axis", "SPW 251/1", "afv", "A")
    squad = pooled(cg, "axis", "4-6-7", "squad", "A", with_unit=tank.id)
    lmg = pooled(cg, "axis", "LMG", "sw", "A", with_unit=squad.id)
    rows = [{"units": [tank.id], "at": "K4"}]
    play(redeploy_in_mlr, cg, answers={"set-up-in-mlr": rows})
    assert [now(cg, one).at for one in (tank, squad, lmg)] == ["K4"] * 3
    assert now(cg, squad).with_unit == tank.id
    # Named by itself, who rode sets up on foot.
    cg = ready("B")
    tank = pooled(cg, "axis", "SPW 251/1", "afv", "A")
    squad = pooled(cg, "axis", "4-6-7", "squad", "A", with_unit=tank.id)
    rows.append({"units": [squad.id], "at": "C4"})
    play(redeploy_in_mlr, cg, answers={"set-up-in-mlr": rows})
    assert (now(cg, squad).at, now(cg, squad).with_unit) == ("C4", "")


def test_the_enemy_sees_where_units_set_up_that_are_not_concealed() -> None:
    cg = ready("B")
    seen_one = pooled(cg, "axis", "4-6-7", "squad", "A")
    unseen = pooled(cg, "axis", "4-6-7", "squad", "A")
    before = replace(PlState.empty("allied"), units={u.id: u for u in (seen_one, unseen)})
    rows = [{"units": [seen_one.id], "at": "G5"}, {"units": [unseen.id], "at": "C4"}]
    run = play(redeploy_in_mlr, cg, answers={"set-up-in-mlr": rows})
    # C4 is a house, so by CG10 the default conceals who is in it.
    seen = as_seen_by("allied", run, before)
    assert {unit.id: unit.at for unit in seen.units.values()} == {seen_one.id: "G5"}
    kinds = [fact.kind for fact in run.facts if fact.to is None]
    assert kinds == ["unit-hidden", "unit-revealed"]


def test_the_attacker_sets_up_after_the_defender() -> None:
    cg = ready("B")
    pooled(cg, "axis", "4-6-7", "squad", "A")
    pooled(cg, "allied", "4-4-7", "squad", "A")
    run = play(redeploy_in_mlr, cg)
    assert [one.side for one in run.questions("set-up-in-mlr")] == ["axis", "allied"]


def test_setups_by_chance_are_legal() -> None:
    cg = two_mlrs()
    for letter in ("A", "B"):
        pooled(cg, "axis", "4-6-7", "squad", letter)
        pooled(cg, "axis", "8-1", "leader", letter)
    question = asked_of(play(redeploy_in_mlr, cg), "set-up-in-mlr", "axis")
    assert question.suggest is not None
    answers = [question.suggest(Random(seed)) for seed in range(10)]
    assert all(question.allows(answer) for answer in answers)
    assert any(answer != question.default for answer in answers)
