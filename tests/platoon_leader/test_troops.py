"""PL 3.41 to 3.45: disease, regrouping, heroes, promotions, leaders."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.campaign.steps import Step
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.reorganization.disease import disease
from laager.rules.platoon_leader.reorganization.promotions import (
    leader_generation,
    most_generated,
    promotion_modifiers,
    promotions,
)
from laager.rules.platoon_leader.reorganization.troops import heroes, regrouping
from tests.platoon_leader.scene import add, now, scene, set_side, won
from tests.steps import play

# Disease (3.41) -----------------------------------------------------------------------------------


def sick(**more: Any) -> Cg:
    slots = [{"date": "1942-07-12", "time": "morning", "game_end": {6: 2}, "disease": True, **more}]
    return scene(firefights=slots)


@pytest.mark.parametrize(("dr", "squads"), [(1, 1), (3, 1), (4, 2), (6, 2)])
def test_disease_replaces_squads_by_the_table(dr: int, squads: int) -> None:
    cg = sick()
    units = [add(cg, "axis", "4-6-7", "squad", "C4") for _ in range(4)]
    play(disease, cg, "axis", dice=[(dr,)])
    assert sum(now(cg, unit).type == "4-4-7" for unit in units) == squads


def test_the_historical_drm_counts() -> None:
    cg = scene(
        firefights=[{"date": "1942-07-12", "time": "x", "game_end": {6: 2}, "disease": True}],
        sides={"axis": {"historical": {"disease": 1}}},
    )
    units = [add(cg, "axis", "4-6-7", "squad", "C4") for _ in range(4)]
    played = play(disease, cg, "axis", dice=[(6,)])
    assert played.finals() == [7]
    assert sum(now(cg, unit).type == "4-4-7" for unit in units) == 3


def test_no_disease_unless_the_firefight_has_it() -> None:
    cg = scene()
    add(cg, "axis", "4-6-7", "squad", "C4")
    assert play(disease, cg, "axis").rolls == []


def test_who_has_no_squads_left_rolls_for_disease_too() -> None:
    played = play(disease, sick(), "axis", dice=[(1,)])
    assert played.asked[0].empty
    assert played.facts == []


def test_isolated_units_fall_ill_first() -> None:
    cg = sick()
    well = add(cg, "axis", "4-6-7", "squad", "C4")
    cut_off = add(cg, "axis", "4-6-7", "squad", "F6", Mark.ISOLATED)
    with pytest.raises(DataError, match="Isolated units must all be chosen"):
        play(disease, cg, "axis", answers={"disease": [well.id]}, dice=[(1,)])
    play(disease, cg, "axis", answers={"disease": [cut_off.id]}, dice=[(1,)])
    assert now(cg, cut_off).type == "4-4-7"


def test_the_proposal_spares_no_isolated_squad_for_a_half_squad() -> None:
    """Of an Isolated HS, an Isolated squad and another HS, one squad can only be the squad."""
    cg = sick()
    first = add(cg, "axis", "2-4-7", "half-squad", "F6", Mark.ISOLATED)
    squad = add(cg, "axis", "4-6-7", "squad", "F6", Mark.ISOLATED)
    other = add(cg, "axis", "2-4-7", "half-squad", "C4")
    play(disease, cg, "axis", dice=[(1,)])
    assert [now(cg, one).type for one in (first, squad, other)] == ["2-4-7", "4-4-7", "2-4-7"]


def test_half_squads_count_half_and_the_number_must_be_met() -> None:
    cg = sick()
    halves = [add(cg, "axis", "2-4-7", "half-squad", "C4") for _ in range(3)]
    ids = [unit.id for unit in halves]
    with pytest.raises(DataError, match="only 1 of 2"):
        play(disease, cg, "axis", answers={"disease": ids[:1]}, dice=[(1,)])
    with pytest.raises(DataError, match="3 half-squads chosen"):
        play(disease, cg, "axis", answers={"disease": ids}, dice=[(1,)])
    played = play(disease, cg, "axis", answers={"disease": ids[:2]}, dice=[(1,)])
    assert [now(cg, unit).type for unit in halves] == ["2-3-7", "2-3-7", "2-4-7"]
    assert all(played.asked[0].allows(played.asked[0].sample(Random(n))) for n in range(5))


def test_prisoners_neither_fall_ill_nor_take_part_as_heroes() -> None:
    cg = sick()
    held = add(cg, "axis", "4-6-7", "squad", None, Mark.PRISONER)
    hero = add(cg, "axis", "1-4-9", "hero", None, Mark.PRISONER)
    assert play(disease, cg, "axis", dice=[(4,)]).asked[0].empty
    assert play(heroes, cg, "axis").facts == []
    assert now(cg, held).type == "4-6-7"
    assert now(cg, hero).in_play


# Regrouping (3.42) --------------------------------------------------------------------------------


def halves(cg: Cg, *places: str | None, type_: str = "2-4-7", **more: Any) -> list[Unit]:
    return [add(cg, "axis", type_, "half-squad", at, **more) for at in places]


def test_three_half_squads_leave_one() -> None:
    cg = scene()
    units = halves(cg, "C4", "C4", "D4")
    play(regrouping, cg, "axis")
    assert [now(cg, unit).type for unit in units if now(cg, unit).in_play] == ["4-6-7", "2-4-7"]
    assert now(cg, units[1]).place is Place.REMOVED
    assert cg.state.side("allied").cvp == 0


def test_other_types_and_other_places_stay_apart() -> None:
    cg = scene()
    units = [*halves(cg, "C4", "F6"), *halves(cg, "C4", type_="2-3-7")]
    units.append(add(cg, "axis", "2-2-8", "crew", "C4"))
    assert play(regrouping, cg, "axis").facts == []
    assert all(now(cg, unit).in_play for unit in units)


def test_isolated_half_squads_do_not_take_part() -> None:
    cg = scene()
    twins = [add(cg, "allied", "2-3-7", "half-squad", at) for at in ("G2", "G1")]
    play(regrouping, cg, "allied")
    assert [now(cg, unit).type for unit in twins] == ["2-3-7", "2-3-7"]


def test_the_owner_says_where_the_squad_stands_and_sw_go_along() -> None:
    cg = scene()
    one, two = halves(cg, "C5", "D4")
    first = add(cg, "axis", "LMG", "sw", "C5", with_unit=one.id)
    second = add(cg, "axis", "MMG", "sw", "D4", with_unit=two.id)
    rows = [{"squad": one.id, "at": "D4"}]
    played = play(regrouping, cg, "axis", answers={"regrouping": rows})
    assert (now(cg, one).type, now(cg, one).kind, now(cg, one).at) == ("4-6-7", "squad", "D4")
    assert [(now(cg, sw).at, now(cg, sw).with_unit) for sw in (first, second)] == [("D4", one.id)] * 2
    assert all(played.asked[0].allows(played.asked[0].sample(Random(n))) for n in range(5))


def test_a_gun_that_is_never_moved_stays_where_its_half_squad_stood() -> None:
    cg = scene()
    one, two = halves(cg, "C5", "D4")
    gun = add(cg, "axis", "75L AT PaK 40", "gun", "D4", Mark.FIXED, with_unit=two.id)
    play(regrouping, cg, "axis", answers={"regrouping": [{"squad": one.id, "at": "C5"}]})
    assert (now(cg, gun).at, now(cg, gun).with_unit) == ("D4", "")
    cg = scene()
    one, two = halves(cg, "C5", "D4")
    gun = add(cg, "axis", "75L AT PaK 40", "gun", "D4", Mark.FIXED, with_unit=two.id)
    play(regrouping, cg, "axis", answers={"regrouping": [{"squad": one.id, "at": "D4"}]})
    assert (now(cg, gun).at, now(cg, gun).with_unit) == ("D4", one.id)


def test_a_squad_stands_where_one_of_its_halves_stood() -> None:
    cg = scene()
    one, _ = halves(cg, "C5", "D4")
    halves(cg, "E4", "E5", type_="2-3-7")
    with pytest.raises(DataError, match="holds neither half"):
        play(regrouping, cg, "axis", answers={"regrouping": [{"squad": one.id, "at": "E4"}]})


def test_the_worse_status_passes_on() -> None:
    cg = scene()
    one = add(cg, "axis", "2-4-7", "half-squad", "C4", Mark.CONCEALED)
    add(cg, "axis", "2-4-7", "half-squad", "C4", Mark.ENCIRCLED)
    play(regrouping, cg, "axis")
    assert now(cg, one).marks == {Mark.ENCIRCLED}


@pytest.mark.parametrize("first", [Mark.HARDENED, None])
def test_a_squad_counts_as_hardened_whichever_half_was(first: Mark | None) -> None:
    cg = scene()
    one = add(cg, "axis", "2-4-7", "half-squad", "C4", *([first] if first else []))
    add(cg, "axis", "2-4-7", "half-squad", "C4", *([] if first else [Mark.HARDENED]))
    play(regrouping, cg, "axis")
    assert now(cg, one).marks == {Mark.HARDENED}


def test_a_hidden_half_and_a_concealed_one_stay_out_of_sight() -> None:
    cg = scene()
    one = add(cg, "axis", "2-4-7", "half-squad", "C4", Mark.HIP)
    add(cg, "axis", "2-4-7", "half-squad", "C4", Mark.CONCEALED)
    played = play(regrouping, cg, "axis")
    assert now(cg, one).marks == {Mark.CONCEALED}
    assert not now(cg, one).known
    assert {fact.to for fact in played.facts} == {("axis",)}


def test_pooled_half_squads_recombine_by_mlr() -> None:
    cg = scene()
    one, two = halves(cg, None, None, mlr="A")
    (other,) = halves(cg, None, mlr="B")
    cg.state = replace(
        cg.state, units={k: u.model_copy(update={"place": Place.POOL}) for k, u in cg.state.units.items()}
    )
    play(regrouping, cg, "axis")
    assert now(cg, one).type == "4-6-7"
    assert not now(cg, two).in_play
    assert now(cg, other).type == "2-4-7"


# Heroes (3.43) ------------------------------------------------------------------------------------


def test_a_hero_who_combines_hardens_an_mmc() -> None:
    cg = scene()
    squad = add(cg, "axis", "4-6-7", "squad", "C4")
    hero = add(cg, "axis", "1-4-9", "hero", "D4")
    rows = [{"unit": hero.id, "do": "combine", "with": squad.id}]
    play(heroes, cg, "axis", answers={"heroes": rows})
    assert now(cg, squad).type == "4-6-8"
    assert now(cg, hero).place is Place.REMOVED
    assert cg.state.side("allied").cvp == 0


def test_an_elite_mmc_becomes_fanatic() -> None:
    cg = scene()
    squad = add(cg, "axis", "4-6-8", "squad", "C4")
    hero = add(cg, "axis", "1-4-9", "hero", "C4")
    play(heroes, cg, "axis", answers={"heroes": [{"unit": hero.id, "do": "combine", "with": squad.id}]})
    assert now(cg, squad).type == "4-6-8"
    assert now(cg, squad).has(Mark.FANATIC)


def test_at_most_one_hero_stays() -> None:
    cg = scene()
    one, two = (add(cg, "axis", "1-4-9", "hero", "C4") for _ in range(2))
    with pytest.raises(DataError, match="2 Heroes would stay"):
        play(heroes, cg, "axis", answers={"heroes": []})
    play(heroes, cg, "axis")
    assert [now(cg, hero).in_play for hero in (one, two)] == [False, True]


def test_a_lone_hero_may_stay() -> None:
    cg = scene()
    hero = add(cg, "axis", "1-4-9", "hero", "C4")
    play(heroes, cg, "axis")
    assert now(cg, hero).in_play
    (question,) = play(heroes, cg, "allied").asked
    assert question.empty


def test_a_heroic_leader_is_hardened_but_not_beyond_the_best() -> None:
    cg = scene()
    good = add(cg, "axis", "9-1", "leader", "C4", Mark.HEROIC)
    add(cg, "axis", "10-3", "leader", "C4", Mark.HEROIC)
    played = play(heroes, cg, "axis")
    assert now(cg, good).type == "9-2"
    assert now(cg, good).marks == {Mark.HARDENED}
    assert "10-3" not in str(played.asked[0].form.describe())


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"unit": "AX2", "do": "combine", "with": "AX3"}, "AX3 is not one of the choices"),
        ({"unit": "AX2", "do": "combine", "with": ""}, "nobody can't take him"),
        ({"unit": "AX2", "do": "harden", "with": ""}, "can't be hardened"),
        ({"unit": "AX4", "do": "remove", "with": ""}, "is not a Hero"),
    ],
)
def test_wrong_answers_about_heroes(row: dict[str, str], told: str) -> None:
    cg = scene()
    add(cg, "axis", "4-6-7", "squad", "C4")
    add(cg, "axis", "1-4-9", "hero", "C4")
    add(cg, "axis", "4-6-7", "squad", "K4", Mark.HARDENED)
    add(cg, "axis", "9-1", "leader", "C4", Mark.HEROIC)
    add(cg, "axis", "1-4-9", "hero", "K4")
    with pytest.raises(DataError, match=told):
        play(heroes, cg, "axis", answers={"heroes": [row]})


def test_nobody_is_named_twice() -> None:
    cg = scene()
    squad = add(cg, "axis", "4-6-7", "squad", "C4")
    one, two = (add(cg, "axis", "1-4-9", "hero", "C4") for _ in range(2))
    rows = [
        {"unit": one.id, "do": "combine", "with": squad.id},
        {"unit": two.id, "do": "combine", "with": squad.id},
        {"unit": two.id, "do": "stay", "with": ""},
    ]
    with pytest.raises(DataError) as caught:
        play(heroes, cg, "axis", answers={"heroes": rows})
    assert "named twice" in str(caught.value)
    assert "can't take him" in str(caught.value)


# Promotions (3.44) --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dr", "winner", "cvp", "final", "number"),
    [(4, True, 25, 2, 2), (6, False, 18, 6, 0), (1, True, 22, -1, 4), (5, False, 15, 5, 1), (2, True, 0, 1, 3)],
)
def test_promotions_by_the_table(dr: int, winner: bool, cvp: int, final: int, number: int) -> None:
    cg = scene()
    squads = [add(cg, "axis", "4-6-7", "squad", "C4") for _ in range(5)]
    set_side(cg, "axis", cvp=cvp)
    won(cg, "axis" if winner else "allied")
    played = play(promotions, cg, "axis", dice=[(dr,)])
    assert played.finals() == [final]
    assert played.rolls[0][0].secret
    assert sum(now(cg, unit).type == "4-6-8" for unit in squads) == number


def test_nobody_is_hardened_twice_in_one_reorganization() -> None:
    cg = scene()
    add(cg, "axis", "4-6-8", "squad", "C4", Mark.HARDENED)
    (asked,) = play(promotions, cg, "axis", dice=[(1,)]).asked
    assert (asked.text, asked.default) == ("None of your MMC is Battle Hardened: you have no MMC for it.", [])
    fresh = add(cg, "axis", "4-6-7", "squad", "C4")
    with pytest.raises(DataError, match="not one of the choices"):
        play(promotions, cg, "axis", answers={"promotions": ["AX1"]}, dice=[(1,)])
    play(promotions, cg, "axis", dice=[(1,)])
    assert now(cg, fresh).has(Mark.HARDENED)


def test_no_more_than_the_table_gives() -> None:
    cg = scene()
    ids = [add(cg, "axis", "4-6-7", "squad", "C4").id for _ in range(3)]
    with pytest.raises(DataError, match="3 chosen; from 0 to 1"):
        play(promotions, cg, "axis", answers={"promotions": ids}, dice=[(4,)])


def test_card_and_historical_drm_count_in_both_rolls() -> None:
    cg = scene(sides={"axis": {"drm": {"promotion": 1}, "historical": {"promotion": -2}}})
    set_side(cg, "axis", cvp=40)
    won(cg, "axis")
    assert sum(m.value for m in promotion_modifiers(cg, "axis")) == 1 - 2 - 1 - 2
    assert sum(m.value for m in promotion_modifiers(cg, "axis", for_leaders=True)) == 1 - 2 - 1 + 2


# Leaders (3.45) -----------------------------------------------------------------------------------


def test_the_printed_example_generates_one_and_hardens_one() -> None:
    cg = scene(sides={"axis": {"historical": {"promotion": -2}}})
    add(cg, "axis", "4-6-7", "squad", "C4")
    leader = add(cg, "axis", "8-0", "leader", "C4")
    set_side(cg, "axis", leaders_lost=2)
    won(cg, "axis")
    answer = {"harden": [leader.id], "generate": 1}
    played = play(
        leader_generation, cg, "axis", answers={"leaders": answer, "new-leader": "off-map"}, dice=[(3,), (3, 4)]
    )
    assert played.finals("Leader generation") == [2]
    assert now(cg, leader).type == "8-1"
    assert [u.type for u in cg.state.units_of("axis", "leader")] == ["8-1", "8-1"]
    assert all(roll.secret for roll, _ in played.rolls)


@pytest.mark.parametrize(("lost", "mmc", "most"), [(0, 5, 0), (1, 5, 0), (2, 5, 1), (3, 1, 1), (3, 0, 0)])
def test_one_fewer_than_were_lost_and_no_more_than_mmc(lost: int, mmc: int, most: int) -> None:
    cg = scene()
    for _ in range(mmc):
        add(cg, "axis", "4-6-7", "squad", "C4")
    add(cg, "axis", "4-6-7", "squad")
    set_side(cg, "axis", leaders_lost=lost)
    assert most_generated(cg, "axis") == most


def test_prisoners_are_no_mmc_on_board_and_units_off_the_map_are() -> None:
    cg = scene()
    add(cg, "axis", "4-6-7", "squad", "C4", Mark.PRISONER, Mark.UNGUARDED)
    off = add(cg, "axis", "4-6-7", "squad", None, mlr="A")
    cg.state = cg.state.with_unit(off.id, lambda u: u.but(place=Place.POOL))
    set_side(cg, "axis", leaders_lost=5)
    assert most_generated(cg, "axis") == 1


def test_too_many_leaders_are_refused() -> None:
    cg = scene()
    add(cg, "axis", "4-6-7", "squad", "C4")
    leader = add(cg, "axis", "8-0", "leader", "C4")
    set_side(cg, "axis", leaders_lost=2)
    answer = {"harden": [leader.id], "generate": 1}
    with pytest.raises(DataError, match="2 leaders in all; 1 at most"):
        play(leader_generation, cg, "axis", answers={"leaders": answer}, dice=[(3,)])


def test_a_new_leader_may_join_an_mmc_on_the_map_that_is_not_isolated() -> None:
    cg = scene()
    squad = add(cg, "axis", "4-6-7", "squad", "C4")
    add(cg, "axis", "4-6-7", "squad", "K4", Mark.ISOLATED)
    set_side(cg, "axis", leaders_lost=2)
    answers = {"leaders": {"generate": 1}, "new-leader": squad.id}
    played = play(leader_generation, cg, "axis", answers=answers, dice=[(3,), (6, 6)])
    (new,) = cg.state.units_of("axis", "leader")
    assert (new.type, new.at) == ("6+1", "C4")
    offered = played.questions("new-leader")[0].form.describe()
    assert [option["value"] for option in offered["options"]] == ["off-map", squad.id]
    question = played.questions("leaders")[0]
    assert all(question.allows(question.sample(Random(n))) for n in range(8))


@pytest.mark.parametrize("step", [promotions, leader_generation])
@pytest.mark.parametrize("dr", [1, 6])
@pytest.mark.parametrize("units", [True, False])
def test_both_sides_are_asked_whatever_they_rolled_and_have(step: Step, dr: int, units: bool) -> None:
    """Being asked must not tell what a secret dr gave (1.4)."""
    cg = scene()
    if units:
        add(cg, "axis", "4-6-7", "squad", "C4")
        add(cg, "axis", "8-0", "leader", "C4")
    (asked,) = play(step, cg, "axis", dice=[(dr,)]).asked
    assert asked.secret
    assert asked.allows(asked.default)


def test_without_leaders_to_raise_nothing_can_be_chosen() -> None:
    cg = scene()
    add(cg, "axis", "10-2", "armor-leader", "C4")
    (asked,) = play(leader_generation, cg, "axis", dice=[(1,)]).asked
    assert asked.text == "No leader is hardened or generated this time."
    assert asked.default == {"harden": [], "generate": 0}
