"""Setting up in Edson's Ridge, through whole steps: radios (CG12), groups that come late (CG7)."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.rules.board.facts import UnitMoved
from laager.rules.board.hasl.facts import AreasDetermined, DateBegun, PlayEnded, RoundBegun, UnitRetained
from laager.rules.board.hasl.refit.areas import setup_areas
from laager.rules.board.hasl.refit.shift import shift
from laager.rules.board.hasl.setup.setup import setting_up
from laager.rules.board.hasl.state import Area, GroupArrival, Round
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.steps.reserves import holding_boxes, old_reserves, reserve_counters, reserve_groups
from tests.edsons_ridge.scene import add, apply, at_date, chits, fort, group, reserve, scene
from tests.historical.driver import run
from tests.historical.setting import question, refusals, row
from tests.historical.test_areas import listed
from tests.tries import tries


def radio(cg: Er, holder: str) -> dict[str, object]:
    return {"module": "O1/1", "equipment": "radio", "with": holder, "way": ""}


def test_the_radio_of_a_new_module_goes_to_who_is_not_isolated() -> None:
    cg = chits(scene(), "attack", "idle")
    cut_off = add(cg, "allied", "6-6-6", "squad", "L15", Mark.ISOLATED, area="Ridge")
    group(cg, "allied", "O1", equipment="radio")
    assert refusals(cg, "allied", modules=[radio(cg, cut_off.id)]) == [
        f"modules[1].with: {cut_off.label} is Isolated; a unit that is not"
    ]


def test_a_radio_follows_its_holder_to_another_area() -> None:
    cg = chits(scene(), "attack", "idle")
    squad = add(cg, "allied", "6-6-6", "squad", "L15", area="Ridge")
    group(cg, "allied", "O1", equipment="radio")
    run(setting_up, cg)
    at_date(cg, "13N1")
    apply(cg, UnitMoved(unit=squad.id, at="P8", place=Place.MAP))
    rows = listed(("axis", "Jungle", "N1"), ("allied", "Slope", "P8"), ("allied", "Ridge", "L15"))
    run(setup_areas, cg, answers={"setup-areas": rows})
    assert cg.state.groups["allied", "O1/1"].area == "Slope"
    assert question(cg, "allied", False).default["modules"][0]["with"] == squad.id


# Groups that have not set up on their date of purchase --------------------------------------------


def idle_date(cg: Er) -> Er:
    """Go on from an Idle Date, on which nothing set up."""
    chits(cg, "idle", "idle")
    apply(cg, RoundBegun(round=Round.IDLE), DateBegun(number=cg.state.number + 1))
    return chits(cg, "attack", "idle")


def played_date(cg: Er) -> Er:
    """Go on from a date on which a scenario was played."""
    apply(cg, PlayEnded(turn=6), RoundBegun(round=Round.REFIT))
    apply(cg, DateBegun(number=cg.state.number + 1))
    return chits(cg, "attack", "idle")


def test_a_reserve_that_an_idle_date_kept_waiting_sets_up_in_reserve() -> None:
    cg = at_date(scene(), "13D")
    made, _ = reserve(cg, "allied", "I2", "Ridge")
    squad = add(cg, "allied", "6-6-6", "squad", group=made.id, area="Ridge")
    idle_date(cg)
    assert "7 hexes from enemy Setup Area" in " ".join(refusals(cg, "allied", row(squad, "I11")))
    setup = {"setup@allied": {"units": [row(squad, "K14")]}}
    run(setting_up, cg, answers=setup)
    played = run(reserve_counters, cg, "allied")
    assert cg.state.counters["allied"] == ("K14",)
    assert played.questions("reserve-counters")
    assert cg.state.units[squad.id].marks >= {Mark.CLOAKED, Mark.RESERVE}
    played_date(cg)
    run(old_reserves, cg, "allied")
    assert not cg.is_reserve(cg.state.units[squad.id])
    assert not reserve_groups(cg, "allied")


def test_it_waits_in_a_holding_box_if_it_has_no_place_then() -> None:
    cg = at_date(scene(), "13D")
    made, _ = reserve(cg, "allied", "I2", "Ridge")
    squad = add(cg, "allied", "6-6-6", "squad", group=made.id, area="Ridge")
    idle_date(cg)
    near = Area(name="Jungle", side="axis", hexes=("L10", "K10", "M10"))
    mine = Area(name="Ridge", side="allied", hexes=("L12", "L13"))
    apply(cg, AreasDetermined(areas=(near, mine)))
    run(holding_boxes, cg, "allied")
    assert cg.state.units[squad.id].area == "L24"
    assert cg.variant.waiting_reason(cg, cg.state.units[squad.id])
    played_date(cg)
    assert not cg.variant.waiting_reason(cg, cg.state.units[squad.id])
    setup = {"setup@allied": {"units": [row(squad, entry="L24")]}}
    run(setting_up, cg, answers=setup)
    assert not cg.state.counters.get("allied")


def raiders(cg: Er, area: str, arrival: GroupArrival) -> tuple[Unit, Unit, Unit, Unit]:
    """Return a squad, a leader and a MG of one group, and a squad of another one."""
    made = group(cg, "allied", "I1", arrival=arrival, area=area)
    squad = add(cg, "allied", "6-6-6", "squad", group=made.id, area=area)
    leader = add(cg, "allied", "8-1", "leader", group=made.id, area=area)
    weapon = add(cg, "allied", "MMG", "sw", group=made.id, area=area)
    other = add(cg, "allied", "6-6-6", "squad", area=area)
    return squad, leader, weapon, other


def test_a_group_bought_for_an_idle_date_keeps_together() -> None:
    cg = at_date(scene(), "13D")
    squad, leader, weapon, other = raiders(cg, "Ridge", GroupArrival.ON_MAP)
    idle_date(cg)
    rows = [row(squad, "L15"), row(leader, "K15"), row(weapon, by=other.id), row(other, "M15")]
    told = " ".join(refusals(cg, "allied", *rows))
    assert f"{weapon.label} of I1/1 is with {other.label}" in told
    assert f"{leader.label} is not with a unit of I1/1" in told
    split = add(cg, "allied", "6-6-6", "squad", group="I1/1", area="")
    rows = [row(squad, "L15"), row(leader, "L15"), row(weapon, by=squad.id), row(other, "M15")]
    told = " ".join(refusals(cg, "allied", *rows, row(split, entry="L24")))
    assert "I1/1 comes in Ridge and L24" in told
    run(setting_up, cg)
    assert {cg.state.units[one.id].at for one in (squad, leader)} == {cg.state.units[weapon.id].at}


def test_a_late_entrant_brings_its_own_equipment_but_not_its_leader() -> None:
    cg = chits(at_date(scene(), "13D"), "attack", "idle")
    squad, leader, weapon, other = raiders(cg, "L24", GroupArrival.ENTER)
    run(setting_up, cg)
    played_date(cg)
    with_another = [row(weapon, by=other.id), row(other, entry="L24")]
    told = " ".join(refusals(cg, "allied", row(squad, entry="L24"), *with_another))
    assert f"{weapon.label} of I1/1 is with {other.label}" in told
    assert "is not with a unit" not in told
    for name in (squad.id, leader.id):
        apply(cg, UnitMoved(unit=name, at=None, place=Place.ELIMINATED))
    question(cg, "allied", False).accept({"units": with_another})


def test_who_shifted_away_from_his_group_is_on_his_own() -> None:
    cg = at_date(scene(), "13D")
    squad = raiders(cg, "Ridge", GroupArrival.ON_MAP)[0]
    idle_date(cg)
    run(shift, cg, "allied", {"shift": [{"unit": squad.id, "to": "L24"}]})
    played = run(setting_up, cg)
    assert played.questions("setup")
    assert cg.state.units[squad.id].area == "L24"


def test_who_entered_and_left_the_map_is_no_newcomer() -> None:
    cg = chits(at_date(scene(), "13D"), "attack", "idle")
    squad, leader, weapon, other = raiders(cg, "L24", GroupArrival.ENTER)
    for name in (squad.id, leader.id, weapon.id):
        apply(cg, UnitRetained(unit=name, area="L24", was_in_play=True, to=("allied",)))
    assert cg.state.arrived == {squad.id: 2, leader.id: 2, weapon.id: 2}
    played_date(cg)
    rows = [row(weapon, by=other.id), row(other, entry="L24")]
    question(cg, "allied", False).accept({"units": rows})


@given(st.integers(0, 2**32))
@tries(25)
def test_any_setup_by_chance_of_late_groups_is_legal(seed: int) -> None:
    rng = Random(seed)
    cg = at_date(scene(), "13D")
    for key in ("I1", "I2"):
        way = rng.choice(list(GroupArrival))
        area = "L24" if way is GroupArrival.ENTER else "Ridge"
        made = group(cg, "allied", key, arrival=way, area=area)
        for type_, kind in (("6-6-6", "squad"), ("8-1", "leader"), ("MMG", "sw")):
            add(cg, "allied", type_, kind, group=made.id, area=area)
    for _ in range(rng.randrange(1, 3)):
        idle_date(cg) if rng.random() < 0.6 else played_date(cg)
    asked = question(cg, "allied", False)
    asked.accept(asked.default)
    asked.accept(asked.suggest(rng))


# Guns that Shift (CG11) ---------------------------------------------------------------------------


def ridge_halves(cg: Er, *far: str) -> Er:
    """The Ridge in two areas: Ridge with K12, and Far."""
    mine = [area for area in cg.state.areas if area.side == "allied"]
    near = tuple(name for area in mine for name in area.hexes if name not in far)
    areas = (Area(name="Ridge", side="allied", hexes=near), Area(name="Far", side="allied", hexes=far))
    enemy = tuple(area for area in cg.state.areas if area.side != "allied")
    return apply(cg, AreasDetermined(areas=(*areas, *enemy)))


def gun_crew(cg: Er, type_: str = "37L AT M3A1") -> tuple[Unit, Unit]:
    crew = add(cg, "allied", "2-2-7", "crew", "K12", area="Ridge")
    return crew, add(cg, "allied", type_, "gun", "K12", area="Ridge", with_unit=crew.id)


def test_a_gun_that_shifts_is_bound_to_three_hexes() -> None:
    cg = ridge_halves(chits(at_date(scene(), "13D"), "attack", "idle"), "K15", "K16")
    crew, gun = gun_crew(cg)
    run(shift, cg, "allied", {"shift": [{"unit": crew.id, "to": "Far"}]})
    assert (cg.state.units[gun.id].area, cg.state.units[gun.id].stood) == ("Far", "K12")
    assert refusals(cg, "allied", row(cg.state.units[crew.id], "K16")) == [
        "units[1].at: K16 is 4 hexes from K12; at most 3 in a Friendly Setup Area"
    ]
    run(setting_up, cg)
    assert (cg.state.units[gun.id].at, cg.state.units[gun.id].stood) == ("K15", None)


@pytest.mark.parametrize(("type_", "goes"), [("37L AT M3A1", False), ("81* MTR M1", True)])
def test_a_gun_stays_behind_when_its_crew_shifts_too_far(type_: str, goes: bool) -> None:
    cg = ridge_halves(chits(at_date(scene(), "13D"), "attack", "idle"), "K16", "K17")
    crew, gun = gun_crew(cg, type_)
    run(shift, cg, "allied", {"shift": [{"unit": crew.id, "to": "Far"}]})
    assert cg.state.units[crew.id].area == "Far"
    assert cg.state.units[gun.id].at == (None if goes else "K12")
    assert cg.state.units[gun.id].with_unit == (crew.id if goes else "")


@pytest.mark.parametrize(("reading", "left"), [("kept", 2), ("lost", 0)])
def test_hip_and_question_marks_that_were_not_used(reading: str, left: int) -> None:
    cg = chits(at_date(scene(readings={"unused-allowances": reading}), "13D"), "attack", "idle")
    add(cg, "allied", "6-6-6", "squad", "L15", area="Ridge")
    for kind, size in (("hip", "squad"), ("concealment", "")):
        fort(cg, "allied", kind, None, size)
    played = run(setting_up, cg, answers={"setup@allied": {"forts": []}})
    assert len(cg.state.forts) == left
    assert all(one.to == ("allied",) for one in played.of("fort-gone"))
