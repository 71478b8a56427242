"""PL 2.6 with 2.32 to 2.34 and 2.37: units set up, one side after the other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from laager.rules.board.facts import GroupChanged, UnitMoved
from laager.rules.board.units import Mark, Place
from laager.rules.platoon_leader.buying.groups import enters_because
from laager.rules.platoon_leader.setup.plan import Setting
from laager.rules.platoon_leader.setup.setup import PlSetup, setting_up
from laager.rules.platoon_leader.state import Round, Type
from tests.platoon_leader.battle import battle, report
from tests.platoon_leader.fight import (
    OFF_MAP,
    ON_MAP,
    RESERVE,
    bare,
    begun,
    buy,
    determined,
    fort,
    join,
    later,
    seen_by,
    told,
)
from tests.platoon_leader.setups import by_night, legal, row, set_up, units, wrong
from tests.report_rows import gone
from tests.steps import play

# Who may set up (PL 2.32, 2.34) -----------------------------------------------------------------


def test_who_paid_for_setup_sets_up_and_who_did_not_enters() -> None:
    cg = begun()
    paid, not_paid = buy(cg, "axis", "I1", ON_MAP), buy(cg, "axis", "I2", OFF_MAP)
    groups = {unit.group for unit in Setting(cg, "axis").units}
    assert groups == {"I1/1", paid}
    assert f"{not_paid} was bought to enter" in enters_because(cg, units(cg, "axis", "sw", not_paid)[0])


def test_who_waited_off_map_may_set_up_in_the_next_firefight_whatever_he_paid() -> None:
    cg = bare()
    buy(cg, "axis", "I2", OFF_MAP)
    buy(cg, "axis", "I1", RESERVE)
    assert {u.group for u in Setting(cg, "axis").units} == {"I1/1"}
    assert {u.group for u in Setting(later(cg), "axis").units} == {"I1/1", "I2/1"}


def test_who_was_bought_for_an_idle_firefight_may_set_up() -> None:
    cg = bare()
    name = buy(cg, "axis", "I2", OFF_MAP)
    assert Setting(cg, "axis").units == ()
    changes = {"may_set_up": True}
    cg.state = GroupChanged(side="axis", group=name, changes=changes).apply(cg.state)
    assert len(Setting(cg, "axis").units) == 5


def test_a_leader_that_the_ob_gives_by_himself_may_be_held_off_map_and_set_up_later() -> None:
    cg = bare()
    leader = join(cg, "axis", "8-0", "leader")
    assert enters_because(later(cg), leader) == ""
    assert leader.id in {unit.id for unit in Setting(later(cg), "axis").units}


def test_a_generated_leader_enters_in_the_next_firefight_and_is_free_after_that() -> None:
    cg = bare()
    playing = cg.state.round
    cg.state = replace(cg.state, round=Round.REORGANIZATION)
    leader = join(cg, "axis", "8-0", "leader")
    cg.state = replace(cg.state, round=playing)
    assert enters_because(cg, leader) == ""
    assert "enters" in enters_because(later(cg), leader)
    assert enters_because(later(cg, 3), leader) == ""


def test_who_stands_on_the_map_keeps_his_place() -> None:
    cg = bare()
    there = join(cg, "axis", "4-6-7", "squad", "C4")
    new = join(cg, "axis", "4-6-7", "squad")
    assert Setting(cg, "axis").units == (new,)
    assert "not one of the choices" in wrong(cg, "axis", row(there, "K4"))


def test_who_has_nothing_to_set_up_is_asked_all_the_same() -> None:
    asked = play(setting_up, determined(bare())).asked
    assert [question.empty for question in asked] == [True, True]


# Order and secrecy (PL 2.6) ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type_", "first"),
    [
        (Type.AXIS_ASSAULT, "allied"),
        (Type.ALLIED_ASSAULT, "axis"),
        (Type.DUAL_ATTACK, "axis"),
        (Type.DUAL_ATTACK, "allied"),
    ],
)
def test_the_side_that_sets_up_first_is_through_before_the_other_is_asked(type_: Type, first: str) -> None:
    played = play(setting_up, determined(begun(), type_, first))
    assert [q.side for q in played.asked if q.key == "setup"] == [first, "axis" if first == "allied" else "allied"]
    moved = [fact for fact in played.facts if isinstance(fact, UnitMoved)]
    assert moved[0].unit.startswith(first[:2].upper())


def test_the_answer_is_secret() -> None:
    assert PlSetup(Setting(begun(), "axis")).question().secret


def test_what_stands_openly_is_revealed_and_nothing_else() -> None:
    cg = bare()
    seen, veiled, hidden = (join(cg, "allied", "4-4-7", "squad") for _ in range(3))
    weapon = join(cg, "allied", "LMG", "sw")
    fort(cg, "allied", "hip", size="squad", count=1)
    night = by_night()
    night.state = cg.state
    played = set_up(
        night,
        "allied",
        row(seen, "C10"),
        row(veiled, "C8", "concealed"),
        row(hidden, "K9", "hip"),
        row(weapon, holder=seen.id),
    )
    enemy = seen_by(played.facts, "axis")
    assert set(enemy.units) == {seen.id, weapon.id}
    assert enemy.units[seen.id].at == "C10"
    assert enemy.units[weapon.id].with_unit == seen.id
    for text in (veiled.id, hidden.id, "C8", "K9"):
        assert text not in told(played, "axis")
    assert night.state.units[hidden.id].has(Mark.HIP)
    assert night.state.units[veiled.id].has(Mark.CONCEALED)


def test_nothing_is_revealed_before_all_of_a_side_is_set_up() -> None:
    cg = bare()
    rows = [row(join(cg, "allied", "4-4-7", "squad"), at) for at in ("C10", "D10")]
    kinds = [fact.kind for fact in set_up(cg, "allied", *rows).facts]
    assert kinds == ["unit-moved", "unit-moved", "unit-revealed", "unit-revealed"]


def test_a_unit_that_the_enemy_knew_is_out_of_his_sight_when_it_hides() -> None:
    cg = bare()
    unit = join(cg, "allied", "4-4-7", "squad", known=True)
    before = cg.state
    played = set_up(cg, "allied", row(unit, "C8", "concealed"))
    assert unit.id not in seen_by(played.facts, "axis", before).units
    assert "C8" not in told(played, "axis")


def test_a_concealed_unit_loses_its_mark_by_setting_up_openly() -> None:
    cg = bare()
    unit = join(cg, "allied", "4-4-7", "squad", marks=frozenset({Mark.CONCEALED}))
    set_up(cg, "allied", row(unit, "C8"))
    assert not cg.state.units[unit.id].has(Mark.CONCEALED)
    assert cg.state.units[unit.id].known


def test_a_unit_hides_in_one_way_only() -> None:
    cg = bare()
    marks = frozenset({Mark.CLOAKED, Mark.HIP})
    unit = join(cg, "allied", "4-4-7", "squad", marks=marks)
    set_up(cg, "allied", row(unit, "C8", "concealed"))
    assert cg.state.units[unit.id].marks == {Mark.CONCEALED}


# Where (PL 2.32, 2.33) --------------------------------------------------------------------------


def test_setup_is_in_the_setup_area_at_first_and_in_the_mlr_later() -> None:
    cg = bare()
    unit = join(cg, "axis", "4-6-7", "squad")
    assert legal(cg, "axis", row(unit, "E4"))
    assert "E6 is outside the setup area" in wrong(cg, "axis", row(unit, "E6"))
    later(cg)
    assert legal(cg, "axis", row(unit, "B1"))
    assert "F6 is outside the friendly MLR" in wrong(cg, "axis", row(unit, "F6"))


def test_walkthrough_reserves_set_up_7_hexes_from_the_enemys_terrain() -> None:
    cg = later(bare(), 3)
    group = buy(cg, "allied", "I1", RESERVE)
    squad = units(cg, "allied", "squad", group)[0]
    assert cg.map.distance("K10", "K4") == 6
    assert "K10 is too near the enemy's Strategic Terrain" in wrong(cg, "allied", row(squad, "K10"))
    for name in ("L10", "M10"):
        assert cg.map.distance(name, "K4") == 7
        assert legal(cg, "allied", row(squad, name))
    other = buy(cg, "allied", "I1", ON_MAP)
    assert legal(cg, "allied", row(units(cg, "allied", "squad", other)[0], "K10"))


def test_reserves_are_cloaked_whatever_is_said_and_cannot_use_hip() -> None:
    cg = bare()
    squad = units(cg, "allied", "squad", buy(cg, "allied", "I1", RESERVE))[0]
    assert "is In Reserve" in wrong(cg, "allied", row(squad, "A10", "hip"))
    set_up(cg, "allied", row(squad, "A10"))
    now = cg.state.units[squad.id]
    assert (now.at, now.place, now.known) == ("A10", Place.MAP, False)
    assert now.has(Mark.CLOAKED)


def test_a_reserve_may_stay_off_map() -> None:
    cg = bare()
    squad = units(cg, "allied", "squad", buy(cg, "allied", "I1", RESERVE))[0]
    set_up(cg, "allied", row(squad))
    assert cg.state.units[squad.id].place is Place.OFF_MAP


def test_open_ground_next_to_an_enemy_cluster_is_for_afv_only() -> None:
    cg = later(bare())
    group, tanks = buy(cg, "axis", "I1"), buy(cg, "axis", "A1")
    squad, tank = units(cg, "axis", "squad", group)[0], units(cg, "axis", "afv", tanks)[0]
    exposed = sorted(Setting(cg, "axis").ground.exposed)
    assert exposed, "the fronts touch somewhere"
    name = exposed[0]
    said = wrong(cg, "axis", row(squad, name))
    assert f"{name} is Open Ground next to an enemy cluster; only AFV can set up there" in said
    assert legal(cg, "axis", row(tank, name))
    truck = join(cg, "axis", "Opel 6700", "vehicle", group=tanks)
    assert "Open Ground" in wrong(cg, "axis", row(truck, name))
    leader = join(cg, "axis", "8-1", "armor-leader", group=tanks)
    assert legal(cg, "axis", row(tank, name), row(leader, holder=tank.id))


def test_rubble_and_burnt_ground_count_as_they_are_now() -> None:
    cg = later(bare())
    name = sorted(Setting(cg, "axis").ground.exposed)[0]
    cg.state = cg.state.with_ground(changes={name: frozenset({"rubble"})})
    assert name not in Setting(cg, "axis").ground.exposed
    squad = join(cg, "axis", "4-6-7", "squad")
    assert legal(cg, "axis", row(squad, name, "concealed"))
    cg.state = cg.state.with_ground(changes={}, burnt=frozenset({"C4"}))
    assert 'you need 1 "?"' in wrong(cg, "axis", row(squad, "C4", "concealed"))


def test_in_the_initial_firefight_the_ob_may_stand_next_to_the_enemy() -> None:
    area = {"axis": {"setup": ["A4-M4", "A5-M5", "C6"]}}
    cg = begun(sides=area)
    given = units(cg, "axis", "squad", "I1/1")[0]
    bought = units(cg, "axis", "squad", buy(cg, "axis", "I1"))[0]
    assert "C6" in Setting(cg, "axis").ground.exposed or "C5" in Setting(cg, "axis").ground.exposed
    name = sorted(Setting(cg, "axis").ground.exposed)[0]
    assert legal(cg, "axis", row(given, name))
    assert "next to an enemy cluster" in wrong(cg, "axis", row(bought, name))


def test_new_units_cannot_use_entrenchments_bought_with_them() -> None:
    cg = later(bare())
    new = units(cg, "axis", "squad", buy(cg, "axis", "I1"))[0]
    old = join(cg, "axis", "4-6-7", "squad")
    pit = fort(cg, "axis", "foxhole", size="1")
    place = {"forts": [{"fort": pit.id, "at": "D4"}]}
    assert "D4 has an entrenchment bought for this firefight" in wrong(cg, "axis", row(new, "D4"), **place)
    assert legal(cg, "axis", row(old, "D4"), **place)
    assert legal(cg, "axis", row(new, "D3"), **place)
    fort(cg, "axis", "foxhole", size="1", at="D3")
    assert not legal(cg, "axis", row(new, "D3"))


def test_older_entrenchments_are_free_and_at_first_all_are() -> None:
    cg = bare()
    fort(cg, "axis", "foxhole", size="1", at="D4")
    first = units(cg, "axis", "squad", buy(cg, "axis", "I1"))[0]
    assert legal(cg, "axis", row(first, "D4"))
    later(cg)
    new = units(cg, "axis", "squad", buy(cg, "axis", "I1"))[0]
    assert legal(cg, "axis", row(new, "D4"))


@pytest.mark.parametrize("at", ["Z99", "C4.1", "C4.p", "nonsense", "C4/C5"])
def test_an_unknown_location_is_refused(at: str) -> None:
    cg = begun()
    squad = units(cg, "axis", "squad")[0]
    assert f"units[1].at: {at!r} is not a Location" in wrong(cg, "axis", row(squad, at))


def test_nobody_sets_up_in_water_or_a_blaze_and_vehicles_only_on_the_ground() -> None:
    cg = later(bare())
    squad, tank = join(cg, "axis", "4-6-7", "squad"), join(cg, "axis", "PzIVF2", "afv")
    cg.state = cg.state.with_ground(blazes=frozenset({"D4"}))
    assert "cannot stand in D4" in wrong(cg, "axis", row(squad, "D4"))
    fort(cg, "axis", "pillbox", size="1+3+5", at="C3.p")
    assert legal(cg, "axis", row(squad, "C3.p"))
    assert "cannot stand in C3.p" in wrong(cg, "axis", row(tank, "C3.p"))


def test_all_problems_are_told_together_with_their_rows() -> None:
    cg = begun()
    one, two, three = units(cg, "axis", "squad")
    said = wrong(cg, "axis", row(one, "A10"), row(two, "A3", "hip"), row(three, "A3"), row(three))
    for part in ("units[1].at", "units[2].hide", "units[4].unit", "set up twice"):
        assert part in said


# Who is with whom (PL 2.37) ---------------------------------------------------------------------


def test_sw_go_with_their_possessor_and_cannot_set_up_alone() -> None:
    cg = begun()
    squad, weapon = units(cg, "axis", "squad")[0], units(cg, "axis", "sw")[0]
    assert "cannot set up alone" in wrong(cg, "axis", row(weapon, "C4"))
    assert "cannot possess" in wrong(cg, "axis", row(weapon, holder="AX99"))
    assert "cannot possess" in wrong(cg, "axis", row(weapon, holder=squad.id))
    said = wrong(cg, "axis", row(squad, "C4"), row(weapon, "C5", holder=squad.id))
    assert f"cannot be in C5; C4, where {squad.label} is" in said
    set_up(cg, "axis", row(weapon, holder=squad.id), row(squad, "C4", "concealed"))
    now = cg.state.units[weapon.id]
    assert (now.at, now.with_unit, now.place) == ("C4", squad.id, Place.MAP)
    assert now.has(Mark.CONCEALED)


def test_an_sw_of_nobody_stays_off_map() -> None:
    cg = begun()
    weapon = units(cg, "axis", "sw")[0]
    set_up(cg, "axis", row(weapon))
    assert cg.state.units[weapon.id].place is Place.OFF_MAP


def test_a_weapon_given_to_somebody_on_the_map_stands_with_him() -> None:
    cg = later(bare())
    there = join(cg, "axis", "4-6-7", "squad", "C4")
    weapon, spare = join(cg, "axis", "LMG", "sw"), join(cg, "axis", "MMG", "sw")
    set_up(cg, "axis", row(weapon, holder=there.id), row(spare))
    now = cg.state.units[weapon.id]
    assert (now.at, now.with_unit, now.place) == ("C4", there.id, Place.MAP)
    assert cg.state.units[spare.id].place is Place.OFF_MAP


def test_it_is_proposed_that_a_weapon_of_nobody_goes_to_somebody_on_the_map() -> None:
    cg = later(bare())
    laden, free = (join(cg, "axis", "4-6-7", "squad", at) for at in ("C4", "C6"))
    join(cg, "axis", "MMG", "sw", "C4", with_unit=laden.id)
    join(cg, "axis", "4-6-7", "squad", "C8", marks=frozenset({Mark.BROKEN}))
    weapon = join(cg, "axis", "LMG", "sw")
    proposed = PlSetup(Setting(cg, "axis")).question().default
    assert proposed["units"] == [row(weapon, holder=free.id)]
    set_up(cg, "axis", *proposed["units"])
    assert cg.state.units[weapon.id].at == "C6"


def test_a_weapon_given_to_a_hidden_unit_on_the_map_is_hidden_from_the_enemy() -> None:
    cg = later(bare())
    there = join(cg, "axis", "4-6-7", "squad", "C4", marks=frozenset({Mark.HIP}))
    weapon = join(cg, "axis", "LMG", "sw")
    set_up(cg, "axis", row(weapon, holder=there.id))
    now = cg.state.units[weapon.id]
    assert (now.at, now.with_unit) == ("C4", there.id)
    assert now.has(Mark.HIP)
    assert now.audience == ("axis",)


def test_armor_leaders_need_their_vehicle() -> None:
    cg = bare()
    group = buy(cg, "axis", "A1")
    tank = units(cg, "axis", "afv", group)[0]
    leader = join(cg, "axis", "8-1", "armor-leader", group=group)
    assert "sets up in a vehicle" in wrong(cg, "axis", row(leader, "C4"))
    assert "cannot ride" in wrong(cg, "axis", row(leader, "C4", holder=tank.id))
    said = wrong(cg, "axis", row(tank, "C4"), row(leader, "C5", holder=tank.id))
    assert f"{tank.id} is not in C5" in said
    set_up(cg, "axis", row(tank, "D4"), row(leader, holder=tank.id))
    assert (cg.state.units[leader.id].at, cg.state.units[leader.id].with_unit) == ("D4", tank.id)


def test_nobody_rides_a_squad_or_an_enemy_tank() -> None:
    cg = bare()
    leader = join(cg, "axis", "8-1", "armor-leader")
    squad = join(cg, "axis", "4-6-7", "squad", "C4")
    enemy = join(cg, "allied", "T-34 M41", "afv", "C4")
    tank = join(cg, "axis", "PzIVF2", "afv", "C4")
    for carrier in (squad, enemy):
        said = wrong(cg, "axis", row(leader, "C4", holder=carrier.id))
        assert f"cannot ride {carrier.id}" in said
    other = join(cg, "axis", "PzIVF2", "afv")
    assert "cannot ride" in wrong(cg, "axis", row(other, "C4", holder=tank.id))
    assert legal(cg, "axis", row(leader, holder=tank.id))


def test_an_armor_leader_belongs_in_a_vehicle_of_his_group() -> None:
    cg = bare()
    group, other = buy(cg, "axis", "A1"), buy(cg, "axis", "A1")
    leader = join(cg, "axis", "8-1", "armor-leader", group=group)
    own, strange = units(cg, "axis", "afv", group)[0], units(cg, "axis", "afv", other)[0]
    rows = [row(own, "D4"), row(strange, "D4")]
    assert set_up(cg, "axis", *rows, row(leader, holder=own.id)).questions("setup-warnings") == []
    again = bare()
    group, other = buy(again, "axis", "A1"), buy(again, "axis", "A1")
    leader = join(again, "axis", "8-1", "armor-leader", group=group)
    own, strange = units(again, "axis", "afv", group)[0], units(again, "axis", "afv", other)[0]
    rows = [row(own, "D4"), row(strange, "D4"), row(leader, holder=strange.id)]
    (sure,) = set_up(again, "axis", *rows).questions("setup-warnings")
    assert f"not stacked with an AFV of {group}" in sure.text


def test_who_is_parted_from_his_group_is_warned_of_and_may_stay_so() -> None:
    cg = begun()
    group = buy(cg, "axis", "I1")
    leader = join(cg, "axis", "9-1", "leader", group=group)
    own, weapon = units(cg, "axis", "squad", group)[0], units(cg, "axis", "sw", group)[0]
    other = units(cg, "axis", "squad", "I1/1")[0]
    rows = [row(own, "K4"), row(other, "C4"), row(leader, "C4"), row(weapon, holder=other.id)]
    played = set_up(cg, "axis", *rows)
    (sure,) = played.questions("setup-warnings")
    assert sure.secret
    assert f"{leader.label} is not stacked with an MMC or AFV of {group} (PL 2.37)" in sure.text
    assert f"{weapon.label} of {group} is with {other.label} of another group" in sure.text
    assert cg.state.units[leader.id].at == "C4"


def test_whoever_heeds_a_warning_sets_up_anew() -> None:
    cg = begun()
    group = buy(cg, "axis", "I1")
    leader, own = join(cg, "axis", "9-1", "leader", group=group), units(cg, "axis", "squad", group)
    bad, good = row(leader, "D3"), row(leader, "K4")
    played = play(
        setting_up,
        determined(cg),
        answers=[
            ("setup@allied", {}),
            ("setup@axis", {"units": [row(own[0], "K4"), bad]}),
            ("setup-warnings", False),
            ("setup@axis", {"units": [row(own[0], "K4"), good]}),
        ],
    )
    assert len(played.questions("setup")) == 3
    assert cg.state.units[leader.id].at == "K4"


def test_groups_that_waited_are_no_longer_bound_together() -> None:
    cg = bare()
    group = buy(cg, "axis", "I2", OFF_MAP)
    leader = join(cg, "axis", "9-1", "leader", group=group)
    later(cg)
    played = set_up(cg, "axis", row(leader, "C4"))
    assert played.questions("setup-warnings") == []


# Readings -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reading", "free"), [("this-firefight", True), ("always", False)])
def test_who_waited_with_the_foxhole_bought_with_him_may_use_it_by_reading_only(reading: str, free: bool) -> None:
    cg = later(bare(readings={"same-purchase": reading}))
    new = units(cg, "axis", "squad", buy(cg, "axis", "I1"))[0]
    pit = fort(cg, "axis", "foxhole", size="1")
    place = {"forts": [{"fort": pit.id, "at": "D4"}]}
    assert not legal(cg, "axis", row(new, "D4"), **place)
    later(cg, 3)
    assert legal(cg, "axis", row(new, "D4"), **place) is free
    setting = Setting(cg, "axis")
    assert PlSetup(setting).question().allows(PlSetup(setting).question().default)
    if not free:
        said = wrong(cg, "axis", row(new, "D4"), **place)
        assert "D4 has an entrenchment bought for the same firefight as it" in said
    set_up(cg, "axis", row(new, "D3"), **place)
    assert cg.state.units[new.id].at == "D3"


@pytest.mark.parametrize(("reading", "sets_up"), [("sets-up", True), ("enters", False)])
def test_who_left_the_map_sets_up_or_enters_by_reading(reading: str, sets_up: bool) -> None:
    cg = battle(readings={"exited-units": reading})
    played = report(cg, {"units": [gone("AX1", "exited", at="C1")]})
    (fact,) = played.of("units-exited")
    assert fact.to == ("axis",)
    later(cg)
    squad, lmg = cg.state.units["AX1"], cg.state.units["AX2"]
    assert (squad in Setting(cg, "axis").units, lmg in Setting(cg, "axis").units) == (sets_up, sets_up)
    assert cg.state.units["AX9"] in Setting(cg, "axis").units, "it was held off the map"
    if sets_up:
        set_up(cg, "axis", row(squad, "C4"))
        assert cg.state.units["AX1"].at == "C4"
    else:
        assert "enters as a reinforcement (PL CG8)" in enters_because(cg, squad)
    later(cg, 3)
    assert sets_up or cg.state.units["AX1"] in Setting(cg, "axis").units, "held off the map now"
