"""PL 3.46 to 3.47: repairs, stun and recall, ELR."""

from __future__ import annotations

from dataclasses import replace

import pytest

from laager.base import DataError
from laager.campaign.steps import Step
from laager.rules.board.facts import UnitMoved
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.reorganization.closing import elr_change, elr_modifiers, new_elr
from laager.rules.platoon_leader.reorganization.consequences import clearance_of_mlr
from laager.rules.platoon_leader.reorganization.end_of_battle import casualties
from laager.rules.platoon_leader.reorganization.promotions import leader_generation
from laager.rules.platoon_leader.reorganization.repairs import repairs, stun_and_recall
from laager.rules.platoon_leader.reorganization.troops import regrouping
from laager.rules.platoon_leader.state import Fight, Type
from tests.platoon_leader.scene import add, draw, now, scene, set_side, won
from tests.steps import play

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
    ("dr", "leader", "good"), [(3, "8-1", True), (3, "8-0", False), (2, None, True), (2, "6+1", False)]
)
def test_a_disabled_weapon_is_repaired_on_2_with_leadership(dr: int, leader: str | None, good: bool) -> None:
    cg = scene()
    weapon = armed(cg, "allied", Mark.DISABLED, at="C8")
    if leader:
        add(cg, "allied", leader, "leader", "C8")
    play(repairs, cg, "allied", dice=[(dr,)])
    assert now(cg, weapon).has(Mark.DISABLED) is not good


def test_a_wound_takes_one_off_leadership() -> None:
    cg = scene()
    armed(cg, "allied", Mark.DISABLED, at="C8")
    add(cg, "allied", "9-2", "leader", "C8", Mark.WOUNDED)
    assert play(repairs, cg, "allied", dice=[(3,)]).finals() == [2]


def test_disabled_weapons_of_isolated_units_suffer_ammunition_shortage() -> None:
    cg = scene()
    armed(cg, "axis", Mark.DISABLED, holder=(Mark.ISOLATED, Mark.AMMUNITION_SHORTAGE, Mark.INEXPERIENCED))
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


@pytest.mark.parametrize(
    ("nation", "kind", "leader", "final"),
    [
        ("german", "4-3-6", None, 3),
        ("german", "4-3-6", "8-0", 3),
        ("american", "5-3-6", None, 3),
        ("american", "5-3-6", "8-0", 2),  # Green: not with a leader (A19.3)
        ("german", "4-6-7", None, 2),
    ],
)
def test_inexperience_of_the_type_counts(nation: str, kind: str, leader: str | None, final: int) -> None:
    cg = scene(sides={"axis": {"nation": nation}})
    squad = add(cg, "axis", kind, "squad", "C4")
    units = [squad, add(cg, "axis", "MMG", "sw", "C4", Mark.DISABLED, with_unit=squad.id)]
    if leader:
        units.append(add(cg, "axis", leader, "leader", "C4"))
    for one in units:
        cg.state = cg.state.with_unit(one.id, lambda u: u.but(nation=nation))
    assert play(repairs, cg, "axis", dice=[(2,)]).finals() == [final]
    assert now(cg, units[1]).has(Mark.DISABLED) is (final == 3)


@pytest.mark.parametrize("step", [repairs, stun_and_recall])
def test_an_inexperienced_afv_crew_counts(step: Step) -> None:
    cg = scene()
    marks = (Mark.INEXPERIENCED, Mark.IMMOBILIZED)
    place = {} if step is repairs else {"place": Place.RECALLED}
    tank = add(cg, "allied", "T-34 M41", "afv", "C9", *marks)
    cg.state = cg.state.with_unit(tank.id, lambda u: u.but(**place))
    assert play(step, cg, "allied", dice=[(2,)]).finals() == [3]


def test_a_vehicles_own_armament_is_repaired() -> None:
    cg = scene()
    tank = add(cg, "axis", "PzIVF2", "afv", "C4", Mark.MA_MALFUNCTIONED)
    add(cg, "axis", "PzIVF2", "afv", "C4", Mark.MA_DISABLED, Mark.MA_MALFUNCTIONED)
    play(repairs, cg, "axis", dice=[(5,)])
    assert now(cg, tank).marks == frozenset()


def test_each_weapon_of_a_vehicle_has_its_own_dr() -> None:
    cg = scene()
    faults = (Mark.MA_MALFUNCTIONED, Mark.LOW_AMMO, Mark.MALFUNCTIONED, Mark.DISABLED)
    tank = add(cg, "axis", "PzIVF2", "afv", "C4", *faults)
    played = play(repairs, cg, "axis", dice=[(6,), (5,), (3,)])
    assert now(cg, tank).marks == set(faults) - {Mark.MALFUNCTIONED}
    assert [roll.label.rpartition(", ")[2] for roll, _ in played.rolls] == [
        "MA",
        "secondary armament",
        "secondary armament",
    ]


def test_a_disabled_ma_keeps_no_other_weapon_from_repair() -> None:
    cg = scene()
    tank = add(cg, "axis", "PzIVF2", "afv", "C4", Mark.MA_DISABLED, Mark.MALFUNCTIONED)
    play(repairs, cg, "axis", dice=[(5,)])
    assert now(cg, tank).marks == {Mark.MA_DISABLED}


def test_disabled_secondary_armament_is_repaired_on_2_with_an_armor_leader() -> None:
    cg = scene()
    tank = add(cg, "axis", "PzIVF2", "afv", "C4", Mark.DISABLED)
    add(cg, "axis", "9-1", "armor-leader", "C4", with_unit=tank.id)
    play(repairs, cg, "axis", dice=[(3,)])
    assert now(cg, tank).marks == frozenset()


@pytest.mark.parametrize(("reading", "rolls"), [("repaired", 1), ("not-repaired", 0)])
def test_armament_of_an_abandoned_vehicle_by_reading(reading: str, rolls: int) -> None:
    cg = scene({"abandoned-armament": reading})
    tank = add(cg, "axis", "PzIVF2", "afv", "C4", Mark.ABANDONED, Mark.MA_MALFUNCTIONED)
    play(repairs, cg, "axis", dice=[(1,)] * rolls)
    assert now(cg, tank).has(Mark.MA_MALFUNCTIONED) is not bool(rolls)


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


@pytest.mark.parametrize(
    ("dice", "finals", "works", "kept"),
    [([1, 3], [2, 3], True, True), ([2, 3], [3, 3], False, True), ([1, 4], [2, 4], True, False)],
)
def test_captured_disabled_sw_have_their_repair_dr_with_captured_use(
    dice: list[int], finals: list[int], works: bool, kept: bool
) -> None:
    cg = scene()
    weapon = armed(cg, "axis", Mark.CAPTURED, Mark.DISABLED)
    assert play(repairs, cg, "axis", dice=[(dr,) for dr in dice]).finals() == finals
    assert now(cg, weapon).has(Mark.DISABLED) is not works
    assert now(cg, weapon).in_play is kept


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


def recalled_tank(cg: Cg) -> tuple[Unit, Unit, Unit]:
    """A tank under Recall at the end of play, its armor leader and an SW aboard."""
    tank = add(cg, "allied", "T-34 M41", "afv", "C8", Mark.RECALL, Mark.STUN)
    leader = add(cg, "allied", "9-1", "armor-leader", "C8", with_unit=tank.id)
    weapon = add(cg, "allied", "DC", "sw", "C8", with_unit=tank.id)
    play(casualties, cg)
    return tank, leader, weapon


@pytest.mark.parametrize(("dr", "place", "lost"), [(2, Place.OFF_MAP, 0), (3, Place.REMOVED, 1)])
def test_one_dr_decides_for_a_recalled_vehicle_and_all_aboard(dr: int, place: Place, lost: int) -> None:
    cg = scene()
    party = recalled_tank(cg)
    tank = party[0]
    assert most_lost(cg) == 0
    played = play(stun_and_recall, cg, "allied", dice=[(dr,)])
    assert played.finals() == [dr]
    assert [now(cg, one).place for one in party] == [place] * 3
    assert most_lost(cg) == lost
    if place is Place.OFF_MAP:
        assert [now(cg, one).with_unit for one in party] == ["", tank.id, tank.id]
        assert now(cg, tank).marks == frozenset()
    assert cg.state.side("axis").cvp == 0


def most_lost(cg: Cg) -> int:
    return cg.state.side("allied").leaders_lost


def test_who_was_recalled_by_older_rules_alone_rolls_alone() -> None:
    """Older logs say nothing of who was aboard."""
    cg = scene()
    tank, leader, weapon = recalled_tank(cg)
    for one in (leader, weapon):
        cg.state = cg.state.with_unit(one.id, lambda u: u.but(with_unit=""))
    play(stun_and_recall, cg, "allied", dice=[(2,), (3,), (3,)])
    assert [now(cg, one).place for one in (tank, leader)] == [Place.OFF_MAP, Place.REMOVED]


def test_what_the_enemy_does_not_know_returns_in_secret() -> None:
    cg = scene()
    recalled_tank(cg)
    cg.state = cg.state.with_unit("AL1", lambda u: u.but(known=True))
    assert [roll.secret for roll, _ in play(stun_and_recall, cg, "allied", dice=[(2,)]).rolls] == [False]


# Option B (3.34) before 3.45 and 3.46 -------------------------------------------------------------


def with_mmg(readings: dict[str, str] | None = None) -> tuple[Cg, Unit]:
    """A 9-2 with a squad and its Disabled MMG in C8; Option B is agreed on."""
    cg = scene(readings)
    cg.state = replace(cg.state, option="B")
    weapon = armed(cg, "allied", Mark.DISABLED, at="C8")
    add(cg, "allied", "9-2", "leader", "C8")
    return cg, weapon


@pytest.mark.parametrize("off", [True, False])
def test_a_leader_helps_whether_taken_off_the_map_or_not(off: bool) -> None:
    cg, weapon = with_mmg()
    play(clearance_of_mlr, cg, "allied", answers={"take-off": off})
    assert now(cg, weapon).place is (Place.POOL if off else Place.MAP)
    assert play(repairs, cg, "allied", dice=[(4,)]).finals() == [2]
    assert not now(cg, weapon).has(Mark.DISABLED)


@pytest.mark.parametrize(("reading", "final"), [("where-they-stood", 4), ("its-mlr", 2)])
@pytest.mark.parametrize("at", ["C9", "D8"])
def test_whom_a_leader_off_the_map_helps_by_reading(reading: str, final: int, at: str) -> None:
    cg, _ = with_mmg({"off-map-leadership": reading})
    cg.state = cg.state.with_unit("AL3", lambda u: u.but(at=at))
    play(clearance_of_mlr, cg, "allied")
    assert play(repairs, cg, "allied", dice=[(4,)]).finals() == [final]


def test_a_new_leader_joins_units_off_the_map_and_helps_them() -> None:
    cg, _ = with_mmg()
    play(clearance_of_mlr, cg, "allied")
    play(regrouping, cg, "allied")
    cg.state = cg.state.with_unit("AL3", lambda u: u.but(place=Place.ELIMINATED))
    set_side(cg, "allied", leaders_lost=2)
    answers = {"leaders": {"generate": 1}, "new-leader": "AL1"}
    play(leader_generation, cg, "allied", answers=answers, dice=[(1,), (1, 2)])
    made = cg.state.units["AL4"]
    assert (made.place, made.at, made.mlr, made.spot) == (Place.POOL, None, "A", "C8")
    assert made.type == "9-1"
    assert play(repairs, cg, "allied", dice=[(4,)]).finals() == [3]


def test_old_logs_keep_where_units_stood() -> None:
    """A fact of older rules names no Location; where the unit stood is on record all the same."""
    cg, weapon = with_mmg()
    fact = UnitMoved(unit=weapon.id, place=Place.POOL, mlr="A")
    cg.state = fact.apply(cg.state)
    assert (now(cg, weapon).at, now(cg, weapon).spot) == (None, "C8")
    cg.state = UnitMoved(unit=weapon.id, at="C9").apply(cg.state)
    assert (now(cg, weapon).spot, now(cg, weapon).stood) == ("C9", None)


# ELR (3.47) ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("elr", "change", "after"), [(3, 1, 4), (4, 1, 4), (5, 1, 5), (0, -1, 0), (5, -1, 4), (3, 0, 3), (1, -1, 0)]
)
def test_elr_stays_within_its_bounds(elr: int, change: int, after: int) -> None:
    assert new_elr(scene(), elr, change) == after


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
def test_elr_drm(side: str, platoons: dict[str, int], winner: str, attacked: bool, drm: int) -> None:
    cg = after_ff1(side, platoons, winner, attacked)
    assert sum(m.value for m in elr_modifiers(cg, side)) == drm


@pytest.mark.parametrize(("dice", "final", "elr"), [((2, 2), 3, 4), ((2, 3), 4, 3), ((6, 6), 11, 3)])
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
