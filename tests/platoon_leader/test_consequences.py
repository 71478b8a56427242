"""PL 3.3: fires, evacuation, TVP, winners, clearance of the map."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.units import Mark, Place
from laager.rules.platoon_leader.facts import TvpAwarded
from laager.rules.platoon_leader.firefight.victory import campaign_winner, firefight_winner, is_fulfilled
from laager.rules.platoon_leader.reorganization.consequences import clearance_of_mlr, evacuation, tvp_award
from laager.rules.platoon_leader.reorganization.fires import burning_wrecks, fires, spread, ways_out
from laager.rules.platoon_leader.state import Round, Type
from tests.platoon_leader.scene import add, now, scene, set_ground, set_side
from tests.steps import play


def third(cg: Any) -> None:
    cg.state = cg.state.with_fight(number=3)


# Fires (3.31, 3.311) ------------------------------------------------------------------------------


def test_on_the_same_date_a_flame_becomes_a_blaze() -> None:
    cg = scene()
    set_ground(cg, flames=frozenset({"M2"}))
    play(fires, cg)
    assert cg.state.ground.blazes == {"M2"}
    assert cg.state.ground.flames == frozenset()


def test_on_another_date_the_blaze_burns_out_and_spreads_to_what_can_burn() -> None:
    cg = scene()
    cg.state = cg.state.with_fight(number=2)
    set_ground(cg, blazes=frozenset({"M2"}))
    play(fires, cg)
    ground = cg.state.ground
    assert [set(ground.flames), set(ground.blazes), set(ground.burnt)] == [{"M1"}, set(), {"M2"}]


def test_an_older_blaze_burns_out_beside_a_new_one() -> None:
    cg = scene()
    result = spread(cg, {"M1"}, {"M2"}, same_date=True)
    assert [set(result.blazes), set(result.burnt_out), set(result.flames)] == [{"M1"}, {"M2"}, set()]


def test_burnt_hexes_do_not_catch_fire_again() -> None:
    cg = scene()
    set_ground(cg, burnt=frozenset({"M1"}))
    assert spread(cg, (), {"M2"}, same_date=True).flames == frozenset()


def test_a_flame_counts_as_a_blaze_before_another_date() -> None:
    cg = scene()
    result = spread(cg, {"M1"}, (), same_date=False)
    assert [set(result.blazes), set(result.burnt_out), set(result.flames)] == [set(), {"M1"}, {"M2"}]


def test_new_flames_may_be_out_by_reading() -> None:
    cg = scene({"blaze-new-date": "out"})
    assert spread(cg, {"M1"}, (), same_date=False).flames == frozenset()


def test_a_burnt_building_leaves_rubble() -> None:
    cg = scene()
    cg.state = cg.state.with_fight(number=2)
    set_ground(cg, blazes=frozenset({"C4"}))
    play(fires, cg)
    assert cg.state.ground.changes["C4"] == {"rubble"}


def test_no_fire_no_facts() -> None:
    cg = scene()
    assert play(fires, cg).facts == []


def test_troops_leave_a_blaze_without_a_dr() -> None:
    cg = scene()
    set_ground(cg, flames=frozenset({"M2"}))
    squad = add(cg, "axis", "4-6-7", "squad", "M2", Mark.CONCEALED)
    gun = add(cg, "axis", "LMG", "sw", "M2", with_unit=squad.id)
    played = play(fires, cg, answers={"out-of-the-fire": [{"unit": squad.id, "to": "M3"}]})
    assert now(cg, squad).at == "M3"
    assert now(cg, gun).at == "M3"
    assert played.rolls == []
    assert [fact.to for fact in played.of("unit-moved")] == [("axis",)] * 2
    assert played.asked[0].secret


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([], "give it one row"),
        ([{"unit": "AX1", "to": "M1"}, {"unit": "AX1", "to": "M1"}], "give it one row"),
        ([{"unit": "AX1", "to": "M9"}], "not one of the choices"),
    ],
)
def test_wrong_ways_out_of_the_fire(rows: list[dict[str, str]], told: str) -> None:
    cg = scene()
    set_ground(cg, flames=frozenset({"M2"}))
    add(cg, "axis", "4-6-7", "squad", "M2")
    with pytest.raises(DataError, match=told):
        play(fires, cg, answers={"out-of-the-fire": rows})


def test_a_way_out_must_be_the_units_own() -> None:
    cg = scene()
    set_ground(cg, flames=frozenset({"M2", "C4"}))
    one = add(cg, "axis", "4-6-7", "squad", "M2")
    two = add(cg, "axis", "4-6-7", "squad", "C4")
    rows = [{"unit": one.id, "to": "C3"}, {"unit": two.id, "to": "C3"}]
    with pytest.raises(DataError, match="not among the nearest"):
        play(fires, cg, answers={"out-of-the-fire": rows})


def test_no_way_out_of_the_fire_leads_into_water() -> None:
    cg = scene()
    nearest = ("L1", "L2", "M1", "M3")
    wet = {name: replace(cg.map.hexes[name], terrain="water") for name in nearest}
    cg.replace_map(replace(cg.map, hexes={**cg.map.hexes, **wet}))
    set_ground(cg, flames=frozenset({"M2"}))
    squad = add(cg, "axis", "4-6-7", "squad", "M2")
    assert not {*nearest} & {*ways_out(cg, squad)}
    assert "M4" in ways_out(cg, squad), "the next nearest"
    question = play(fires, cg).asked[0]
    assert question.default[0]["to"] not in nearest
    assert not question.allows([{"unit": squad.id, "to": "M3"}])


def test_an_immobilized_vehicle_stays_in_the_blaze() -> None:
    cg = scene()
    set_ground(cg, flames=frozenset({"M2"}))
    add(cg, "axis", "PzIVF2", "afv", "M2", Mark.IMMOBILIZED)
    assert play(fires, cg).asked == []


def test_random_ways_out_are_legal() -> None:
    cg = scene()
    set_ground(cg, flames=frozenset({"M2"}))
    add(cg, "axis", "4-6-7", "squad", "M2")
    question = play(fires, cg).asked[0]
    assert all(question.allows(question.sample(Random(seed))) for seed in range(10))


def test_burning_wrecks_on_the_same_date_leave_a_flame() -> None:
    cg = scene()
    wreck = add(cg, "axis", "PzIVF2", "afv", "M2", Mark.WRECK, Mark.BURNING, known=True)
    play(burning_wrecks, cg)
    assert now(cg, wreck).marks == {Mark.WRECK, Mark.BURNT_OUT}
    assert cg.state.ground.flames == {"M2"}


def test_burning_wrecks_before_another_date_count_as_blazes() -> None:
    cg = scene()
    cg.state = cg.state.with_fight(number=2)
    add(cg, "axis", "PzIVF2", "afv", "M2", Mark.WRECK, Mark.BURNING, known=True)
    play(burning_wrecks, cg)
    assert [set(cg.state.ground.flames), set(cg.state.ground.burnt)] == [{"M1"}, {"M2"}]


def test_a_wreck_on_open_ground_only_burns_out() -> None:
    cg = scene()
    add(cg, "axis", "PzIVF2", "afv", "F6", Mark.WRECK, Mark.BURNING, known=True)
    played = play(burning_wrecks, cg)
    assert [fact.kind for fact in played.facts] == ["unit-marked"]


# Evacuation (3.32) --------------------------------------------------------------------------------


@pytest.mark.parametrize(("dr", "place"), [(1, Place.MAP), (2, Place.MAP), (3, Place.EVACUATED), (6, Place.EVACUATED)])
def test_wounded_leaders_may_be_evacuated(dr: int, place: Place) -> None:
    cg = scene()
    leader = add(cg, "axis", "9-2", "leader", "C4", Mark.WOUNDED, known=True)
    add(cg, "axis", "8-0", "leader", "C4")
    play(evacuation, cg, "axis", dice=[(dr,)])
    assert now(cg, leader).place is place
    assert cg.state.side("axis").leaders_lost == (place is Place.EVACUATED)
    assert cg.state.side("allied").cvp == 0


def test_a_hidden_leader_is_rolled_for_in_secret() -> None:
    cg = scene()
    add(cg, "axis", "9-2", "leader", "C4", Mark.WOUNDED)
    played = play(evacuation, cg, "axis", dice=[(4,)])
    assert played.rolls[0][0].secret
    assert played.facts[0].to == ("axis",)


def test_japanese_leaders_are_never_evacuated() -> None:
    cg = scene(sides={"axis": {"nation": "japanese"}})
    add(cg, "axis", "9-1", "leader", "C4", Mark.WOUNDED)
    assert play(evacuation, cg, "axis").rolls == []


# TVP and winners (3.33, 1.31, 1.3) ----------------------------------------------------------------


def test_tvp_go_to_who_controls_and_add_up() -> None:
    cg = scene()
    set_side(cg, "axis", tvp=4, cvp=25)
    set_side(cg, "allied", cvp=15)
    played = play(tvp_award, cg)
    awards = [fact for fact in played.facts if isinstance(fact, TvpAwarded)]
    assert [(a.side, a.points, a.locations) for a in awards] == [
        ("axis", 4, ("C4", "K4")),
        ("allied", 6, ("C8", "G2", "K9")),
    ]
    assert cg.state.side("axis").tvp == 8
    assert cg.state.fight.winner == "axis"
    assert cg.state.fight.cvp == {"axis": 25, "allied": 15}
    assert cg.state.round is not Round.OVER


@pytest.mark.parametrize(
    ("axis", "allied", "kind", "moves_first", "winner"),
    [
        (5, 4, Type.AXIS_ASSAULT, "axis", "axis"),
        (4, 5, Type.AXIS_ASSAULT, "axis", "allied"),
        (5, 5, Type.AXIS_ASSAULT, "axis", "allied"),
        (5, 5, Type.DUAL_ATTACK, "axis", "allied"),
        (5, 5, Type.DUAL_ATTACK, "allied", "axis"),
    ],
)
def test_more_cvp_wins_and_a_tie_goes_to_the_defender(
    axis: int, allied: int, kind: Type, moves_first: str, winner: str
) -> None:
    cg = scene()
    cg.state = cg.state.with_fight(type=kind, moves_first=moves_first)
    set_side(cg, "axis", cvp=axis)
    set_side(cg, "allied", cvp=allied)
    assert firefight_winner(cg)[0] == winner


def test_a_dual_tie_may_have_no_winner_by_reading() -> None:
    cg = scene({"dual-tie": "nobody"})
    cg.state = cg.state.with_fight(type=Type.DUAL_ATTACK, moves_first="axis")
    assert firefight_winner(cg)[0] == ""


def test_an_objective_of_the_first_firefight_decides_it() -> None:
    objectives = {"initial": [{"side": "allied", "text": "Hold C8", "controls": ["C8"]}], "campaign": {"points": "tvp"}}
    cg = scene(objectives=objectives)
    set_side(cg, "axis", cvp=50)
    play(tvp_award, cg)
    assert cg.state.fight.winner == "allied"
    cg = scene(objectives=objectives)
    cg.state = cg.state.with_fight(number=2)
    set_side(cg, "axis", cvp=50)
    play(tvp_award, cg)
    assert cg.state.fight.winner == "axis"


def test_an_objective_without_a_test_is_asked_of_its_side() -> None:
    objectives = {
        "initial": [{"side": "axis", "text": "Blow the bridge"}],
        "sudden": [{"side": "allied", "text": "Take the train"}],
        "campaign": {"points": "tvp"},
    }
    cg = scene(objectives=objectives)
    played = play(tvp_award, cg, answers={"initial-objective-1": True, "sudden-objective-1": False})
    assert [(q.side, q.key) for q in played.asked] == [
        ("axis", "initial-objective-1"),
        ("allied", "sudden-objective-1"),
    ]
    assert cg.state.fight.winner == "axis"
    assert cg.state.winner == ""


@pytest.mark.parametrize(
    ("test", "met"),
    [
        ({"controls": ["C8", "K9"]}, True),
        ({"controls": ["C8", "C4"]}, False),
        ({"controls": ["C8", "C4"], "count": 1}, True),
        ({"tvp": 6}, True),
        ({"tvp": 7}, False),
        ({"cvp_lead": 5}, True),
        ({"cvp_lead": 6}, False),
    ],
)
def test_objectives_that_can_be_computed(test: dict[str, Any], met: bool) -> None:
    cg = scene(objectives={"sudden": [{"side": "allied", "text": "x", **test}], "campaign": {"points": "tvp"}})
    set_side(cg, "allied", tvp=6, cvp=10)
    set_side(cg, "axis", cvp=5)
    assert is_fulfilled(cg, cg.card.objectives.sudden[0]) is met


def test_a_sudden_objective_ends_the_campaign() -> None:
    sudden = [{"side": "allied", "text": "Hold C8", "controls": ["C8"]}]
    cg = scene(objectives={"sudden": sudden, "campaign": {"points": "tvp"}})
    play(tvp_award, cg)
    assert (cg.state.winner, cg.state.ending, cg.state.round) == ("allied", "Hold C8", Round.OVER)


@pytest.mark.parametrize(
    ("reading", "winner", "asked", "over"),
    [("draw", "", 2, True), ("goes-on", "", 2, False), ("card-order", "axis", 1, True)],
)
def test_sudden_objectives_of_both_sides_at_once(reading: str, winner: str, asked: int, over: bool) -> None:
    sudden = [{"side": side, "text": f"Win, {side}"} for side in ("axis", "allied", "axis")]
    objectives = {"sudden": sudden, "campaign": {"points": "tvp"}}
    cg = scene(objectives=objectives, readings={"sudden-both": reading})
    keys = [f"sudden-objective-{number}" for number in (1, 2, 3)]
    played = play(tvp_award, cg, answers=dict.fromkeys(keys, True))
    assert (cg.state.winner, cg.state.round is Round.OVER, len(played.asked)) == (winner, over, asked)
    only = scene(objectives=objectives, readings={"sudden-both": reading})
    play(tvp_award, only, answers={"sudden-objective-2": True})
    assert only.state.winner == "allied"


@pytest.mark.parametrize(
    ("campaign", "winner", "told"),
    [
        ({"points": "tvp"}, "allied", "Axis 4, Allied 6"),
        ({"points": "cvp"}, "axis", "Axis 19, Allied 10"),
        ({"points": "tvp+cvp"}, "axis", "Axis 23, Allied 16"),
        ({"points": "tvp", "margin": 3}, "", "a draw"),
        ({"points": "tvp", "margin": 3, "tie": "axis"}, "axis", "a tie goes to Germans"),
        ({"points": "firefights"}, "axis", "Axis 1, Allied 0"),
    ],
)
def test_after_the_last_firefight_the_card_says_who_has_won(campaign: dict[str, Any], winner: str, told: str) -> None:
    cg = scene(objectives={"campaign": campaign})
    third(cg)
    cg.state = replace(cg.state, past=(replace(cg.state.fight, number=1, cvp={"axis": 9}),))
    set_side(cg, "axis", cvp=10)
    set_side(cg, "allied", cvp=10)
    cg.state = cg.state.with_fight(attacker="allied")
    play(tvp_award, cg)
    assert cg.state.winner == winner
    assert told in cg.state.ending
    assert cg.state.round is Round.OVER
    assert campaign_winner(cg)[0] == winner


@pytest.mark.parametrize(
    ("axis", "allied", "winner"), [("axis", "axis", "axis"), ("axis", "allied", ""), ("draw", "draw", "")]
)
def test_the_players_may_have_to_say_who_won(axis: str, allied: str, winner: str) -> None:
    cg = scene(objectives={"campaign": {"points": "asked", "text": "Who holds the town?"}})
    third(cg)
    play(tvp_award, cg, answers={"campaign-winner@axis": axis, "campaign-winner@allied": allied})
    assert cg.state.winner == winner


def test_without_tvp_on_the_card_none_are_awarded() -> None:
    cg = scene()
    cg.card = cg.card.model_copy(update={"tvp": {}})
    assert play(tvp_award, cg).of("tvp-awarded") == []


# Clearance of the map (3.34) ----------------------------------------------------------------------


def test_option_a_leaves_everything_in_place() -> None:
    cg = scene()
    cg.state = replace(cg.state, option="A")
    add(cg, "axis", "4-6-7", "squad", "C4")
    assert play(clearance_of_mlr, cg, "axis").facts == []


def test_option_b_pools_units_by_mlr_but_not_what_is_fixed_or_hidden() -> None:
    cg = scene()
    cg.state = replace(cg.state, option="B")
    squad = add(cg, "axis", "4-6-7", "squad", "C4")
    outside = add(cg, "axis", "4-6-7", "squad", "F6")
    gun = add(cg, "axis", "PaK 38", "gun", "C4", Mark.FIXED)
    light = add(cg, "axis", "PaK 38", "gun", "C4", Mark.FIXED, Mark.DISMANTLED)
    tank = add(cg, "axis", "PzIVF2", "afv", "C4", Mark.IMMOBILIZED)
    hidden = add(cg, "axis", "4-6-7", "squad", "C4", Mark.HIP)
    carried = add(cg, "axis", "LMG", "sw", "C4", with_unit=hidden.id)
    rider = add(cg, "axis", "8-1", "armor-leader", "C4", with_unit=tank.id)
    crew = add(cg, "axis", "2-2-8", "crew", "C4")
    manned = add(cg, "axis", "PaK 38", "gun", "C4", Mark.HIP, with_unit=crew.id)
    played = play(clearance_of_mlr, cg, "axis")
    assert "your 2 units" in played.asked[0].text
    assert now(cg, light).place is Place.POOL, "a dismantled Gun can be moved (PL CG3)"
    assert (now(cg, squad).place, now(cg, squad).mlr, now(cg, squad).at) == (Place.POOL, "A", None)
    assert [now(cg, unit).place for unit in (outside, gun, tank, hidden)] == [Place.MAP] * 4
    # What is with those that stay, stays: SW of hidden units, riders, crews of Guns.
    assert [now(cg, unit).place for unit in (carried, rider, crew, manned)] == [Place.MAP] * 4
    assert now(cg, carried).with_unit == hidden.id


def test_option_b_may_leave_the_units_on_the_map() -> None:
    cg = scene()
    cg.state = replace(cg.state, option="B")
    squad = add(cg, "axis", "4-6-7", "squad", "C4")
    played = play(clearance_of_mlr, cg, "axis", answers={"take-off": False})
    assert now(cg, squad).place is Place.MAP
    assert [fact.kind for fact in played.facts] == ["noted"]
    assert play(clearance_of_mlr, cg, "allied").facts == []
