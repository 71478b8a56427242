"""PL 3.41 to 3.47: disease, regrouping, heroes, promotions, leaders, repairs, stun, ELR."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.state import Fight, Type
from laager.rules.platoon_leader.steps.disease import disease
from laager.rules.platoon_leader.steps.elr import elr_change, elr_modifiers, new_elr
from laager.rules.platoon_leader.steps.promotions import (
    leader_generation,
    most_generated,
    promotion_modifiers,
    promotions,
)
from laager.rules.platoon_leader.steps.repairs import repairs, stun_and_recall
from laager.rules.platoon_leader.steps.troops import heroes, regrouping
from laager.rules.platoon_leader.units import Mark, Place, Unit
from tests.platoon_leader.harness import play
from tests.platoon_leader.scene import add, draw, now, scene, set_side, won

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
    assert play(disease, sick(), "axis").rolls == []


def test_isolated_units_fall_ill_first() -> None:
    cg = sick()
    well = add(cg, "axis", "4-6-7", "squad", "C4")
    cut_off = add(cg, "axis", "4-6-7", "squad", "F6", Mark.ISOLATED)
    with pytest.raises(DataError, match="Isolated units must all be chosen"):
        play(disease, cg, "axis", answers={"disease": [well.id]}, dice=[(1,)])
    play(disease, cg, "axis", answers={"disease": [cut_off.id]}, dice=[(1,)])
    assert now(cg, cut_off).type == "4-4-7"


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
    assert [(now(cg, sw).at, now(cg, sw).with_unit) for sw in (first, second)] == [
        ("D4", one.id)
    ] * 2
    assert all(played.asked[0].allows(played.asked[0].sample(Random(n))) for n in range(5))


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


def test_pooled_half_squads_recombine_by_mlr() -> None:
    cg = scene()
    one, two = halves(cg, None, None, mlr="A")
    (other,) = halves(cg, None, mlr="B")
    cg.state = replace(
        cg.state,
        units={k: u.model_copy(update={"place": Place.POOL}) for k, u in cg.state.units.items()},
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
    play(
        heroes,
        cg,
        "axis",
        answers={"heroes": [{"unit": hero.id, "do": "combine", "with": squad.id}]},
    )
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
    assert play(heroes, cg, "allied").asked == []


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
        ({"unit": "AX2", "do": "combine", "with": ""}, "nobody cannot take him"),
        ({"unit": "AX2", "do": "harden", "with": ""}, "cannot be hardened"),
        ({"unit": "AX4", "do": "remove", "with": ""}, "is no Hero"),
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
    assert "cannot take him" in str(caught.value)


# Promotions (3.44) --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dr", "winner", "cvp", "final", "number"),
    [
        (4, True, 25, 2, 2),
        (6, False, 18, 6, 0),
        (1, True, 22, -1, 4),
        (5, False, 15, 5, 1),
        (2, True, 0, 1, 3),
    ],
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
    played = play(promotions, cg, "axis", dice=[(1,)])
    assert played.asked == []
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
        leader_generation,
        cg,
        "axis",
        answers={"leaders": answer, "new-leader": "off-map"},
        dice=[(3,), (3, 4)],
    )
    assert played.finals("Leader generation") == [2]
    assert now(cg, leader).type == "8-1"
    assert [u.type for u in cg.state.units_of("axis", "leader")] == ["8-1", "8-1"]
    assert all(roll.secret for roll, _ in played.rolls)


@pytest.mark.parametrize(
    ("lost", "mmc", "most"), [(0, 5, 0), (1, 5, 0), (2, 5, 1), (3, 1, 1), (3, 0, 0)]
)
def test_one_fewer_than_were_lost_and_no_more_than_mmc(lost: int, mmc: int, most: int) -> None:
    cg = scene()
    for _ in range(mmc):
        add(cg, "axis", "4-6-7", "squad", "C4")
    add(cg, "axis", "4-6-7", "squad")
    set_side(cg, "axis", leaders_lost=lost)
    assert most_generated(cg, "axis") == most


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


def test_no_leaders_to_raise_no_question() -> None:
    cg = scene()
    assert play(leader_generation, cg, "axis", dice=[(1,)]).asked == []
    add(cg, "axis", "10-2", "armor-leader", "C4")
    assert play(leader_generation, cg, "axis", dice=[(1,)]).asked == []


# Repairs (3.46) -----------------------------------------------------------------------------------


def armed(cg: Cg, side: str, *marks: Mark, holder: tuple[Mark, ...] = (), at: str = "C4") -> Unit:
    squad = add(cg, side, {"axis": "4-6-7", "allied": "4-4-7"}[side], "squad", at, *holder)
    return add(cg, side, "MMG", "sw", at, *marks, with_unit=squad.id)


@pytest.mark.parametrize("mark", [Mark.MALFUNCTIONED, Mark.LOW_AMMO])
@pytest.mark.parametrize(("dr", "good"), [(5, True), (6, False)])
def test_a_malfunctioned_weapon_is_repaired_on_5(mark: Mark, dr: int, good: bool) -> None:
    cg = scene()
    weapon = armed(cg, "axis", mark)
    play(repairs, cg, "axis", dice=[(dr,)])
    assert now(cg, weapon).has(mark) is not good


def test_weapons_of_isolated_units_and_unpossessed_ones_get_no_roll() -> None:
    cg = scene()
    armed(cg, "axis", Mark.MALFUNCTIONED, holder=(Mark.ISOLATED,))
    add(cg, "axis", "LMG", "sw", "C4", Mark.MALFUNCTIONED)
    assert play(repairs, cg, "axis").rolls == []


@pytest.mark.parametrize(
    ("dr", "leader", "good"),
    [(3, "8-1", True), (3, "8-0", False), (2, None, True), (2, "6+1", False)],
)
def test_a_disabled_weapon_is_repaired_on_2_with_leadership(
    dr: int, leader: str | None, good: bool
) -> None:
    cg = scene()
    weapon = armed(cg, "allied", Mark.DISABLED, at="C8")
    if leader:
        add(cg, "allied", leader, "leader", "C8")
    play(repairs, cg, "allied", dice=[(dr,)])
    assert now(cg, weapon).has(Mark.DISABLED) is not good


def test_disabled_weapons_of_isolated_units_suffer_ammunition_shortage() -> None:
    cg = scene()
    armed(
        cg,
        "axis",
        Mark.DISABLED,
        holder=(Mark.ISOLATED, Mark.AMMUNITION_SHORTAGE, Mark.INEXPERIENCED),
    )
    assert play(repairs, cg, "axis", dice=[(1,)]).finals() == [3]


@pytest.mark.parametrize(("at", "rolls"), [("C9", 1), ("K7", 0), ("F5", 0)])
def test_immobilized_vehicles_need_their_mlr_and_distance(at: str, rolls: int) -> None:
    cg = scene()
    cg.state = cg.state.with_ground(
        control={"K4": "axis", "C4": "allied", "C8": "allied", "K9": "allied", "G2": "allied"}
    )
    draw(cg)
    add(cg, "allied", "T-34 M41", "afv", at, Mark.IMMOBILIZED)
    played = play(repairs, cg, "allied", dice=[(2,)] * rolls)
    assert len(played.rolls) == rolls


def test_an_immobilized_vehicle_is_repaired_on_2_with_its_own_leader() -> None:
    cg = scene()
    tank = add(cg, "allied", "T-34 M41", "afv", "C9", Mark.IMMOBILIZED)
    add(cg, "allied", "9-1", "armor-leader", "C9", with_unit=tank.id)
    add(cg, "allied", "10-2", "leader", "C9")
    play(repairs, cg, "allied", dice=[(3,)])
    assert not now(cg, tank).has(Mark.IMMOBILIZED)


def test_a_vehicles_own_armament_is_repaired() -> None:
    cg = scene()
    tank = add(cg, "axis", "PzIVF2", "afv", "C4", Mark.MA_MALFUNCTIONED)
    add(cg, "axis", "PzIVF2", "afv", "C4", Mark.MA_DISABLED, Mark.MA_MALFUNCTIONED)
    play(repairs, cg, "axis", dice=[(5,)])
    assert now(cg, tank).marks == frozenset()


@pytest.mark.parametrize(("dr", "kept"), [(3, True), (4, False)])
def test_captured_sw_are_kept_on_3(dr: int, kept: bool) -> None:
    cg = scene()
    weapon = armed(cg, "axis", Mark.CAPTURED)
    play(repairs, cg, "axis", dice=[(dr,)])
    assert now(cg, weapon).in_play is kept


def test_captured_weapons_out_of_order_are_removed_without_a_dr() -> None:
    cg = scene()
    weapon = armed(cg, "axis", Mark.CAPTURED, Mark.MALFUNCTIONED)
    assert play(repairs, cg, "axis").rolls == []
    assert now(cg, weapon).place is Place.REMOVED
    assert cg.state.side("allied").cvp == 0


def test_repairs_of_unknown_weapons_are_rolled_in_secret() -> None:
    cg = scene()
    armed(cg, "axis", Mark.MALFUNCTIONED)
    assert play(repairs, cg, "axis", dice=[(1,)]).rolls[0][0].secret


# Stun and recall (3.461) --------------------------------------------------------------------------


def test_one_crew_is_spent_to_cure_another() -> None:
    cg = scene()
    one, two = (add(cg, "axis", "PzIVF2", "afv", "C4", Mark.STUN) for _ in range(2))
    rows = [{"cured": one.id, "spent": two.id}]
    play(stun_and_recall, cg, "axis", answers={"stun": rows})
    assert now(cg, one).marks == frozenset()
    assert now(cg, two).marks == {Mark.ABANDONED}
    assert cg.state.side("allied").cvp == 0


def test_a_spent_crew_counter_is_removed() -> None:
    cg = scene()
    tank = add(cg, "axis", "PzIVF2", "afv", "C4", Mark.STUN)
    crew = add(cg, "axis", "1-2-7", "crew", "C4", Mark.STUN)
    play(stun_and_recall, cg, "axis", answers={"stun": [{"cured": tank.id, "spent": crew.id}]})
    assert now(cg, crew).place is Place.REMOVED


def test_each_stun_counter_is_used_once() -> None:
    cg = scene()
    one, two, three = (add(cg, "axis", "PzIVF2", "afv", "C4", Mark.STUN) for _ in range(3))
    rows = [{"cured": one.id, "spent": two.id}, {"cured": three.id, "spent": two.id}]
    with pytest.raises(DataError, match="named more than once"):
        play(stun_and_recall, cg, "axis", answers={"stun": rows})


def test_a_single_stun_counter_stays() -> None:
    cg = scene()
    add(cg, "axis", "PzIVF2", "afv", "C4", Mark.STUN)
    assert play(stun_and_recall, cg, "axis").asked == []


@pytest.mark.parametrize(("dr", "place"), [(2, Place.OFF_MAP), (3, Place.REMOVED)])
def test_a_recalled_vehicle_returns_on_2(dr: int, place: Place) -> None:
    cg = scene()
    tank = add(cg, "allied", "T-34 M41", "afv", None, Mark.RECALL)
    cg.state = cg.state.with_unit(tank.id, lambda u: u.model_copy(update={"place": Place.RECALLED}))
    play(stun_and_recall, cg, "allied", dice=[(dr,)])
    assert now(cg, tank).place is place
    assert cg.state.side("axis").cvp == 0


# ELR (3.47) ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("elr", "change", "after"),
    [(3, 1, 4), (4, 1, 4), (5, 1, 5), (0, -1, 0), (5, -1, 4), (3, 0, 3), (1, -1, 0)],
)
def test_elr_stays_within_its_bounds(elr: int, change: int, after: int) -> None:
    assert new_elr(elr, change) == after


def after_ff1(side: str, platoons: dict[str, int], winner: str, attacked: bool) -> Cg:
    cg = scene()
    set_side(cg, side, platoons=platoons)
    won(cg, winner)
    cg.state = cg.state.with_fight(attacked={side: attacked})
    return cg


@pytest.mark.parametrize(
    ("side", "platoons", "winner", "attacked", "drm"),
    [
        ("axis", {"elite": 1, "first-line": 1}, "axis", True, -1),
        ("allied", {"first-line": 2}, "axis", False, -1),
        ("allied", {"green": 2}, "axis", False, 1),
    ],
)
def test_elr_drm(
    side: str, platoons: dict[str, int], winner: str, attacked: bool, drm: int
) -> None:
    cg = after_ff1(side, platoons, winner, attacked)
    assert sum(m.value for m in elr_modifiers(cg, side)) == drm


@pytest.mark.parametrize(
    ("dice", "final", "elr"), [((2, 2), 3, 4), ((2, 3), 4, 3), ((6, 6), 11, 3)]
)
def test_the_walkthroughs_elr_dr(dice: tuple[int, int], final: int, elr: int) -> None:
    cg = after_ff1("axis", {"elite": 1, "first-line": 1}, "axis", True)
    played = play(elr_change, cg, "axis", dice=[dice])
    assert played.finals() == [final]
    assert not played.rolls[0][0].secret
    assert cg.state.side("axis").elr == elr


def test_elr_falls_on_13() -> None:
    cg = after_ff1("axis", {}, "allied", False)
    cg.state = replace(cg.state, since_idle=1)
    play(elr_change, cg, "axis", dice=[(6, 5)])
    assert cg.state.side("axis").elr == 2


def test_strict_ends_by_reading() -> None:
    cg = scene({"elr-ends": "strict"})
    won(cg, "allied")
    cg.state = replace(cg.state, since_idle=1)
    play(elr_change, cg, "axis", dice=[(5, 4)])
    assert cg.state.side("axis").elr == 3


def test_the_historical_drm_counts_for_elr() -> None:
    cg = scene(sides={"axis": {"historical": {"elr": -3}}})
    assert sum(m.value for m in elr_modifiers(cg, "axis") if "Historical" in m.reason) == -3


def test_an_idle_firefight_may_end_the_count_for_good_by_reading() -> None:
    idle = Fight(number=1, type=Type.IDLE)
    for reading, times in (("resets", 1), ("abolishes", 0)):
        cg = scene({"idle-resets": reading})
        cg.state = replace(cg.state, past=(idle,))
        counts = [m.value for m in elr_modifiers(cg, "axis") if "Idle" in m.reason]
        assert counts == [times]
