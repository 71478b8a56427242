"""PL 2.7 to 2.74: the walkthrough's patrols, the order, detection, return, placement."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.facts import CvpScored, Noted
from laager.rules.board.units import Mark, Place
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.patrols.forming import patrol_question
from laager.rules.platoon_leader.patrols.patrols import chooser, patrolling, placement_question
from laager.rules.platoon_leader.state import Type
from tests.platoon_leader.fight import bare, determined, join, later, seen_by, told
from tests.platoon_leader.patrolling import bought, go, patrol_of, ready, refused, row, section
from tests.steps import play

FAR = [(6, 6)]
"""A DR of 12: with the +2 of the day a patrol is lost."""


def drm(played: Any, label: str) -> list[int]:
    """Return the DRM of the roll with this label, in order."""
    (rolled,) = [rolled for roll, rolled in played.rolls if label in roll.label]
    return [modifier.value for modifier in rolled.modifiers]


# The walkthrough --------------------------------------------------------------------------------


def test_walkthrough_axis_recon_of_the_first_firefight() -> None:
    cg = bought(bare(), axis=1)
    (squad,), leader = section(cg, "axis", "E5", "8-0")
    weapon = join(cg, "axis", "LMG", "sw", "E5", with_unit=squad.id)
    target = "G10"
    away = min(cg.map.distance(target, name) for name in cg.setup_area("axis"))
    assert away == 6
    join(cg, "allied", "4-4-7", "squad", "G9", known=True)
    determined(cg)
    played = go(cg, "axis", [row("recon", [squad], leader, target, sw=[weapon.id])], dice=[(1, 3), (3,), (2, 4)])
    assert drm(played, "detection") == [-1, 1, 1, 2]
    assert played.finals("detection") == [7]
    assert played.finals("Searched") == [3]
    assert drm(played, "return") == [-1, 1, 1, 2]
    assert played.finals("return") == [9]
    for unit in (squad, leader, weapon):
        assert cg.state.units[unit.id].at == "E5"
        assert cg.state.units[unit.id].place is Place.MAP
    assert cg.state.units[weapon.id].with_unit == squad.id
    assert cg.state.side("axis").patrols == 0
    assert cg.state.side("allied").cvp == 0


def third_firefight() -> tuple[Cg, dict[str, Any], dict[str, Any]]:
    """Return the third firefight's patrols as the walkthrough has them."""
    cg = later(bare(), 3, attacker="allied")
    bought(cg, axis=1, allied=1)
    two, leader = section(cg, "axis", "K4", "8-1", count=2)
    light = join(cg, "axis", "LMG", "sw", "K4", with_unit=two[0].id)
    medium = join(cg, "axis", "MMG", "sw", "K4", with_unit=two[1].id)
    one, captain = section(cg, "allied", "J8", "7-0")
    for at in ("K9", "J10"):
        join(cg, "allied", "4-4-7", "squad", at, known=True)
    determined(cg, Type.DUAL_ATTACK, "axis")
    raid = row("raid", two, leader, "K10", sw=[light.id, medium.id])
    ambush = row("ambush", one, captain, "M2", rank="sergeant")
    return cg, raid, ambush


def test_walkthrough_raid_and_ambush_of_the_third_firefight() -> None:
    cg, raid, ambush = third_firefight()
    ours = cg.friendly_area("axis")
    assert min(cg.map.distance("K10", name) for name in ours) == 4
    theirs = cg.friendly_area("allied")
    near = [n for n in ("C4", "K4") if min(cg.map.distance(n, m) for m in theirs) == 3]
    ambush["hex"] = near[0]
    leader = raid["leader"]
    played = play(
        patrolling,
        cg,
        answers={"patrols@axis": [raid], "patrols@allied": [ambush]},
        # Detection, Random Selection of a squad, return, Random Selection of the HS; then the
        # ambush: detection and the dr to hide.
        dice=[(1, 1), (6,), (2,), (1,), (1, 2), (6,), (1,), (2,), (2, 3), (4,)],
    )
    (order,) = played.questions("patrol-order")
    assert order.side == "axis", "the second firefight's defender"
    assert order.default == ["axis-1", "allied-1"]
    assert drm(played, "detection, axis-1") == [-1, 2, 1, 2, 2, 2]
    assert played.finals("detection, axis-1") == [10]
    assert drm(played, "return, axis-1") == [-1, 2, 1, 2, 1, 2]
    assert played.finals("return, axis-1") == [10]
    assert cg.state.units[raid["units"][0]].place is Place.ELIMINATED
    for name in (raid["units"][1], leader, *raid["sw"]):
        assert cg.state.units[name].at == "K4"
    assert cg.state.side("allied").cvp == 1 + 1
    assert cg.state.side("axis").cvp == 0
    assert drm(played, "detection, allied-1") == [2]
    assert played.finals("detection, allied-1") == [7]
    assert played.finals("hides") == [4]
    assert played.finals("return, allied-1") == []
    for name in (*ambush["units"], ambush["leader"]):
        unit = cg.state.units[name]
        assert (unit.at, unit.place) == (ambush["hex"], Place.MAP)
        assert unit.has(Mark.CLOAKED)
        assert not unit.known


# Forming and order ------------------------------------------------------------------------------


def test_both_sides_form_theirs_at_once_and_in_secret() -> None:
    cg, raid, ambush = third_firefight()
    played = play(patrolling, cg, answers={"patrols@axis": [], "patrols@allied": []}, dice=[])
    assert [(q.side, q.secret) for q in played.asked] == [("axis", True), ("allied", True)]
    assert raid["type"] == "raid"
    assert ambush["type"] == "ambush"


def test_who_forms_no_patrol_loses_it() -> None:
    cg, _, _ = ready()
    played = go(cg, "axis", [], [])
    assert cg.state.side("axis").patrols == 0
    (used,) = played.facts
    assert used.to == ("axis",)


def test_without_patrols_nothing_is_asked() -> None:
    cg = bare()
    section(cg, "axis", "D4")
    played = play(patrolling, cg)
    assert all(question.empty for question in played.asked), "nobody learns who bought one"
    assert [question.side for question in played.asked] == ["axis", "allied"]
    assert played.facts == []


def test_without_a_leader_there_can_be_none() -> None:
    cg = bought(bare(), axis=1)
    join(cg, "axis", "4-6-7", "squad", "D4")
    assert patrol_question(cg, "axis").empty
    play(patrolling, cg)
    assert cg.state.side("axis").patrols == 0


def test_a_patrol_is_recorded_for_its_own_side_and_out_of_sight() -> None:
    cg, (squad,), leader = ready()
    known = cg.state.units[squad.id].model_copy(update={"known": True})
    cg.state = cg.state.with_unit(squad.id, lambda _: known)
    before = cg.state
    played = go(cg, "axis", [row("recon", [squad], leader, "G8")], FAR)
    (note,) = [f for f in played.of("noted") if "recon to G8" in f.body()["text"]]
    assert isinstance(note, Noted)
    assert note.to == ("axis",)
    assert "Lieutenant" in note.text
    first = played.facts.index(note)
    upto = played.facts[: first + 6]
    assert squad.id not in seen_by(upto, "allied", before).units
    assert "G8" not in told(played, "allied")
    assert "recon" not in told(played, "allied").lower()


def test_the_last_battles_defender_orders_the_patrols() -> None:
    cg, raid, ambush = third_firefight()
    played = play(
        patrolling,
        cg,
        answers={"patrols@axis": [raid], "patrols@allied": [ambush], "patrol-order": ["allied-1", "axis-1"]},
        dice=[(6, 6), (6, 6)],
    )
    labels = [roll.label for roll, _ in played.rolls]
    assert ["allied-1" in labels[0], "axis-1" in labels[1]] == [True, True]


def test_the_order_names_every_patrol() -> None:
    cg, raid, ambush = third_firefight()
    with pytest.raises(DataError, match="1 chosen"):
        play(patrolling, cg, answers={"patrols@axis": [raid], "patrols@allied": [ambush], "patrol-order": ["axis-1"]})


@pytest.mark.parametrize("attacker", ["axis", "allied"])
def test_who_defended_in_the_last_battle_chooses(attacker: str) -> None:
    cg = later(bare(), attacker=attacker)
    assert chooser(cg) == {"axis": "allied", "allied": "axis"}[attacker]


def test_idle_firefights_do_not_count_for_the_choice() -> None:
    cg = later(bare(), attacker="axis")
    idle = dataclasses.replace(cg.state.fight, type=Type.IDLE)
    cg.state = dataclasses.replace(cg.state, past=(*cg.state.past, idle))
    assert chooser(cg) == "allied"


def test_before_the_first_battle_the_side_that_sets_up_first_chooses() -> None:
    assert chooser(determined(bare())) == "allied"
    assert chooser(determined(bare(), Type.DUAL_ATTACK, "axis")) == "axis"


def test_two_patrols_of_one_side_go_in_the_order_recorded() -> None:
    cg = bought(bare(), axis=2)
    one, two = section(cg, "axis", "D4"), section(cg, "axis", "K4")
    rows = [row("recon", *one, "G8"), row("raid", *two, "G9")]
    played = go(cg, "axis", rows, [(6, 6), (6, 6)])
    assert played.questions("patrol-order") == []
    assert ["axis-1" in roll.label for roll, _ in played.rolls] == [True, False]


def test_no_more_patrols_than_were_bought() -> None:
    cg = bought(bare(), axis=1)
    one, two = section(cg, "axis", "D4"), section(cg, "axis", "K4")
    said = refused(cg, "axis", row("recon", *one, "G8"), row("raid", *two, "G9"))
    assert "2 rows are too many; 1 at most" in said


# Detection --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "result"),
    [
        ((2, 3), "carries out its mission"),
        ((2, 4), "turns back unharmed"),
        ((3, 4), "turns back unharmed"),
        ((4, 4), "is Reduced"),
        ((4, 5), "is Reduced"),
        ((5, 5), "the rest turn back"),
        ((5, 6), "the rest turn back"),
        ((6, 6), "whole patrol is eliminated"),
    ],
)
def test_each_row_of_the_detection_table(dice: tuple[int, int], result: str) -> None:
    """By day at distance 3 or less the DRM of a squad with an 8-0 are +2."""
    cg, squads, leader = ready()
    rest: list[Sequence[int]] = [(1, 1)]
    if "Reduced" in result or "rest" in result:
        rest = [(6,), (1,), (1, 1)]
    if "whole" in result:
        rest = []
    played = go(cg, "axis", [row("raid", squads, leader, "D7")], [dice, *rest])
    notes = [f.body()["text"] for f in played.of("noted") if "detection" in f.body()["text"]]
    assert result in notes[0]


def test_a_compromised_patrol_skips_the_mission_and_rolls_to_return() -> None:
    cg, squads, leader = ready()
    played = go(cg, "axis", [row("raid", squads, leader, "D7")], [(3, 3), (3, 3)])
    assert played.questions("patrol-outcome") == []
    assert played.finals("return") == [8]
    assert cg.state.units[leader.id].at == "D4"


def test_ties_in_random_selection_hit_everybody_who_tied() -> None:
    cg, squads, leader = ready()
    go(cg, "axis", [row("raid", squads, leader, "D7")], [(4, 4), (5,), (5,), (1, 1)])
    assert cg.state.units[squads[0].id].type == "2-4-7"
    assert cg.state.units[leader.id].has(Mark.WOUNDED)
    assert cg.state.side("allied").cvp == 1


def test_some_of_the_patrol_are_lost_and_the_rest_returns() -> None:
    cg, squads, leader = ready(count=2)
    dice = [(5, 4), (1,), (6,), (1,), (1, 1)]
    go(cg, "axis", [row("raid", squads, leader, "D7")], dice)
    places = [cg.state.units[unit.id].place for unit in (*squads, leader)]
    assert places == [Place.MAP, Place.ELIMINATED, Place.MAP]
    assert cg.state.side("allied").cvp == 2


def test_a_patrol_that_is_lost_does_not_return() -> None:
    cg, squads, leader = ready()
    weapon = join(cg, "axis", "LMG", "sw", "D4", with_unit=squads[0].id)
    rows = [row("raid", squads, leader, "D7", sw=[weapon.id])]
    played = go(cg, "axis", rows, FAR)
    for unit in (*squads, leader, weapon):
        assert cg.state.units[unit.id].place is Place.ELIMINATED
    assert cg.state.side("allied").cvp == 2 + 1
    assert cg.state.side("axis").leaders_lost == 1
    assert played.finals("return") == []


def test_losses_count_for_the_firefight_to_come_and_name_no_counter() -> None:
    cg, squads, leader = ready()
    played = go(cg, "axis", [row("raid", squads, leader, "D7")], FAR)
    scored = [fact for fact in played.facts if isinstance(fact, CvpScored)]
    assert [fact.firefight for fact in scored] == [None, None]
    assert all(squads[0].id not in fact.why and leader.id not in fact.why for fact in scored)


# What the enemy may know ------------------------------------------------------------------------


def test_unseen_enemies_beside_the_mission_hex_count_silently() -> None:
    cg, squads, leader = ready()
    hidden = join(cg, "allied", "4-4-7", "squad", "D8", marks=frozenset({Mark.HIP}))
    played = go(cg, "axis", [row("raid", squads, leader, "D7")], [(2, 3), (1, 1)])
    assert played.finals("detection") == [8], "what the umpire sees"
    (known,) = [roll.modifiers for roll, _ in played.rolls if "etection" in roll.label]
    assert [one.value for one in known] == [2], "what the patrol's side may know of it"
    assert all(roll.audience == () for roll, _ in played.rolls if "etection" in roll.label)
    notes = [f.body()["text"] for f in played.of("noted") if "detection" in f.body()["text"]]
    assert "turns back unharmed" in notes[0], "the result of 8"
    for side in ("axis", "allied"):
        assert "beside" not in told(played, side)
    assert hidden.id not in told(played, "axis")


def test_a_hex_with_a_seen_and_an_unseen_enemy_counts_once_and_openly() -> None:
    cg, squads, leader = ready()
    join(cg, "allied", "4-4-7", "squad", "D8", marks=frozenset({Mark.CONCEALED}))
    join(cg, "allied", "4-4-7", "squad", "D8", known=True)
    played = go(cg, "axis", [row("raid", squads, leader, "D7")], [(1, 3), (1, 1)])
    assert drm(played, "detection") == [1, 2]
    assert played.questions("patrol-outcome"), "7: the mission goes on"


def test_every_roll_of_a_patrol_is_secret_but_the_dr_of_recon() -> None:
    cg, squads, leader = ready()
    played = go(cg, "axis", [row("recon", squads, leader, "D7")], [(1, 1), (2,), (1, 1)])
    assert [(roll.label[:5], roll.audience) for roll, _ in played.rolls] == [
        ("Patro", ()),
        ("Recon", None),
        ("Patro", ()),
    ]


def test_nothing_of_a_patrol_that_comes_back_under_cover_is_told() -> None:
    cg = bought(bare(), axis=1)
    squads, leader = section(cg, "axis", "C4")
    played = go(cg, "axis", [row("raid", squads, leader, "D7")], [(3, 3), (1, 1)])
    text = told(played, "allied")
    assert text == ""
    assert cg.state.units[leader.id].has(Mark.CONCEALED)


# The way back -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "more", "places"),
    [
        ((3, 3), [], ("map", "map")),
        ((3, 4), [], ("map", "map")),
        ((4, 4), [(6,), (1,)], ("map", "map")),
        ((4, 6), [(6,), (1,)], ("map", "map")),
        ((5, 6), [], ("eliminated", "eliminated")),
        ((6, 6), [(6,), (1,)], ("captured", "eliminated")),
        ((6, 6), [(3,), (3,)], ("captured", "captured")),
    ],
)
def test_each_row_of_the_return_table(dice: tuple[int, int], more: list[tuple[int]], places: tuple[str, str]) -> None:
    cg, squads, leader = ready()
    go(cg, "axis", [row("raid", squads, leader, "D7")], [(3, 3), dice, *more])
    found = (cg.state.units[squads[0].id].place.value, cg.state.units[leader.id].place.value)
    assert found == places
    reduced = cg.state.units[squads[0].id].type == "2-4-7"
    assert reduced is (8 <= sum(dice) <= 10)


def test_the_captured_cost_double_and_the_others_their_cvp() -> None:
    cg, squads, leader = ready()
    go(cg, "axis", [row("raid", squads, leader, "D7")], [(3, 3), (6, 6), (6,), (1,)])
    assert cg.state.side("allied").cvp == 2 * 2 + 1


def test_sw_may_be_left_behind_before_the_return_roll() -> None:
    cg, squads, leader = ready()
    weapon = join(cg, "axis", "HMG", "sw", "D4", with_unit=squads[0].id)
    rows = [row("raid", squads, leader, "D7", sw=[weapon.id])]
    played = go(cg, "axis", rows, [(1, 1), (1, 1)], patrol_drop=[weapon.id])
    assert drm(played, "detection") == [2, 2]
    assert drm(played, "return") == [2]
    left = cg.state.units[weapon.id]
    assert (left.at, left.place, left.with_unit) == ("D7", Place.MAP, "")


def test_what_a_compromised_patrol_leaves_is_lost() -> None:
    cg, squads, leader = ready()
    weapon = join(cg, "axis", "HMG", "sw", "D4", with_unit=squads[0].id)
    rows = [row("raid", squads, leader, "D7", sw=[weapon.id])]
    go(cg, "axis", rows, [(2, 2), (1, 1)], patrol_drop=[weapon.id])
    assert cg.state.units[weapon.id].place is Place.REMOVED


def test_survivors_must_leave_what_is_too_heavy() -> None:
    cg, squads, leader = ready(count=2)
    heavy, other, medium = "HMG", "HMG", "MMG"
    sw = [
        join(cg, "axis", heavy, "sw", "D4", with_unit=squads[0].id),
        join(cg, "axis", other, "sw", "D4", with_unit=squads[1].id),
        join(cg, "axis", medium, "sw", "D4", with_unit=squads[0].id),
    ]
    rows = [row("raid", squads, leader, "D7", sw=[weapon.id for weapon in sw])]
    # 1+1 +2 by day, +2 for two squads, +7 for 8 PP is 13; then 1+1 +2 +4 for 5 PP is 8.
    played = go(cg, "axis", rows, [(1, 1), (6,), (1,), (1,), (1, 1)])
    (drop,) = played.questions("patrol-drop")
    assert drop.default == [sw[1].id], "a squad and a leader carry 4 PP each, no load split"
    assert not drop.allows([])
    assert drop.allows([sw[2].id])
    assert played.finals("return") == [8]
    rng = Random(5)
    assert all(drop.allows(drop.sample(rng)) for _ in range(20))


def test_a_wounded_leader_alone_cannot_carry_a_heavy_weapon() -> None:
    cg, squads, leader = ready()
    weapon = join(cg, "axis", "HMG", "sw", "D4", with_unit=squads[0].id)
    rows = [row("raid", squads, leader, "D7", sw=[weapon.id])]
    # 4+4 with +2 by day and +2 for 3 PP is 12: the squad is selected and lost, its weapon stays.
    played = go(cg, "axis", rows, [(4, 4), (6,), (1,), (1, 1)])
    (drop,) = played.questions("patrol-drop")
    assert drop.default == []
    assert cg.state.units[weapon.id].with_unit == leader.id
    assert cg.state.units[weapon.id].at == "D4"


# Placement --------------------------------------------------------------------------------------


def test_returned_units_are_placed_in_any_friendly_mlr() -> None:
    cg, squads, leader = ready()
    rows = [{"unit": squads[0].id, "at": "K4", "hide": "concealed"}, {"unit": leader.id, "at": "D5", "hide": "none"}]
    answers = {"patrol_placement": rows}
    go(cg, "axis", [row("raid", squads, leader, "D7")], [(3, 3), (1, 1)], **answers)
    squad, chief = cg.state.units[squads[0].id], cg.state.units[leader.id]
    assert (squad.at, squad.has(Mark.CONCEALED), squad.known) == ("K4", True, False)
    assert (chief.at, chief.has(Mark.CONCEALED, Mark.CLOAKED), chief.known) == ("D5", False, True)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"at": "G8"}], "'G8' is not in your MLRs"),
        ([{"at": "Q9"}], "'Q9' is not in your MLRs"),
        ([{"at": "D4", "hide": "concealed"}], "can't hide in D4"),
        ([], "give it one row"),
        ([{"at": "D4"}, {"at": "D5"}], "give it one row"),
    ],
)
def test_a_wrong_place_is_refused(rows: list[dict[str, str]], said: str) -> None:
    cg, (squad,), leader = ready()
    question = placement_question(cg, patrol_of("raid", [squad, leader], "D7"), [squad])
    with pytest.raises(DataError) as caught:
        question.accept([{"unit": squad.id, **one} for one in rows])
    assert said in str(caught.value)


def test_random_placements_are_legal() -> None:
    cg, (squad,), leader = ready()
    question = placement_question(cg, patrol_of("raid", [squad, leader], "D7"), [squad, leader])
    rng = Random(4)
    assert all(question.allows(question.sample(rng)) for _ in range(20))
    assert question.allows(question.default)


def test_a_crew_that_comes_back_elsewhere_leaves_its_gun() -> None:
    cg, _, leader = ready()
    crew = join(cg, "axis", "2-2-8", "crew", "D4")
    gun = join(cg, "axis", "37L AT PaK 35/36", "gun", "D4", with_unit=crew.id)
    rows = [row("raid", [crew], leader, "D7")]
    go(cg, "axis", rows, [(3, 3), (1, 1)])
    assert cg.state.units[gun.id].with_unit == crew.id
    bought(cg, axis=1)
    places = [{"unit": crew.id, "at": "D5"}, {"unit": leader.id, "at": "D5"}]
    go(cg, "axis", rows, [(3, 3), (1, 1)], patrol_placement=places)
    assert cg.state.units[gun.id].with_unit == ""
    assert cg.state.units[gun.id].at == "D4"
