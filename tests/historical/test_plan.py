"""Where units may set up: areas, entry, the radius of Guns (walkthrough A1), who goes with whom."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.board.facts import Agreed
from laager.rules.board.hasl.setup.plan import Setting, gun_problem, is_isolated
from laager.rules.board.setup.placements import states_of
from laager.rules.board.state import evolve
from laager.rules.board.units import Mark, Unit
from tests.historical.setting import MORTAR, PAK, SIX_PDR, BridgeCg, RidgeCg, allowed, group, ready, refusals, row
from tests.historical.small import add, scene


def manned(cg: Any, at: str, type_: str = SIX_PDR, *marks: Mark, **more: Any) -> tuple[Unit, Unit]:
    """Add a British Gun with its crew."""
    area = "W" if at in cg.state.friendly("allied") else ""
    crew = add(cg, "allied", "2-2-8", "crew", at, area=area)
    gun = add(cg, "allied", type_, "gun", at, *marks, area=area, with_unit=crew.id, **more)
    return crew, gun


@pytest.mark.parametrize(
    ("ended", "target", "said"),
    [
        ("D2", "A4", ""),
        ("D2", "D6", "D6 is 4 hexes from D2; at most 3 in a Friendly Setup Area"),
        ("D2", "F2", "F2 is in an Enemy Setup Area; set it up elsewhere"),
        ("D6", "F6", ""),
        ("D6", "F8", "F8 is 3 hexes from D6; at most 2 in Uncontrolled Territory"),
        ("D6", "E7", ""),
    ],
)
def test_the_radius_of_a_gun(ended: str, target: str, said: str) -> None:
    cg = scene(context=BridgeCg)
    _, gun = manned(cg, ended)
    found = gun_problem(cg, gun, target)
    assert (f"{found.what}; {found.right}" if found else "") == said


def test_what_frees_a_gun_of_the_radius() -> None:
    cg = scene(context=BridgeCg)
    _, gun = manned(cg, "D2", MORTAR, Mark.DISMANTLED)
    assert gun_problem(cg, gun, "D6") is None
    _, gun = manned(cg, "D2")
    assert gun_problem(cg, gun, "D6", towed=True) is None
    cg.state = evolve(cg.state, idle_since=True)
    assert gun_problem(cg, gun, "D6") is None
    assert gun_problem(cg, gun, "F8") is not None


def test_without_a_rule_guns_stay_out_of_uncontrolled_territory() -> None:
    cg = scene()
    _, gun = manned(cg, "D6")
    found = gun_problem(cg, gun, "F6")
    assert found is not None
    assert found.what == "F6 is in no Friendly Setup Area"


def test_a_gun_hooked_to_a_mobile_vehicle_goes_anywhere_in_a_friendly_area() -> None:
    cg = ready(scene(context=BridgeCg))
    truck = add(cg, "allied", "Stuart V(a)", "afv", "D6", area="W")
    gun = add(cg, "allied", SIX_PDR, "gun", "D2", area="W")
    crew = add(cg, "allied", "2-2-8", "crew", "D2", area="W")
    hooked = [row(truck, "D6"), row(gun, by=truck.id, state=["hooked"])]
    assert allowed(cg, "allied", *hooked, row(crew, "D2")).placed[gun.id].at == "D6"
    free = row(gun, by=truck.id)
    assert refusals(cg, "allied", hooked[0], free) == [
        f"units[2].state: {gun.label} is with {truck.label} but not hooked up; hooked, or dm",
        "units[2].at: D6 is 4 hexes from D2; at most 3 in a Friendly Setup Area",
    ]
    stuck = add(cg, "allied", "Stuart V(a)", "afv", "D6", Mark.BOGGED, area="W")
    towed = row(gun, by=stuck.id, state=["hooked"])
    assert len(refusals(cg, "allied", towed)) == 1


def test_a_fixed_gun_stays_unless_it_is_dm() -> None:
    cg = ready(scene(context=BridgeCg))
    crew, gun = manned(cg, "D2", SIX_PDR, Mark.FIXED)
    assert refusals(cg, "allied", row(crew, "A4")) == [
        f"units[1].at: {gun.label} must set up in D2; a Gun in a pillbox or fortified building is fixed unless it is dm"
    ]
    left = [row(crew, "A4"), row(gun, "D2")]
    plan = allowed(cg, "allied", *left)
    assert (plan.placed[gun.id].holder, plan.placed[crew.id].at) == ("", "A4")
    dm = ready(scene(context=BridgeCg))
    crew, gun = manned(dm, "D2", MORTAR, Mark.FIXED, Mark.DISMANTLED)
    allowed(dm, "allied", row(crew, "A4"), row(gun, by=crew.id, state=["dm"]))


def test_a_declared_gun_sets_up_where_it_is() -> None:
    cg = ready(scene(context=BridgeCg))
    crew, gun = manned(cg, "D2")
    cg.state = Agreed(about="declared-guns", value={gun.id: "D2"}).apply(cg.state)
    assert refusals(cg, "allied", row(crew, "A4")) == [
        f"units[1].at: {gun.label} must set up in D2; it makes its Location a Strategic Location"
    ]


def test_an_immobile_vehicle_stays_where_the_system_says_so() -> None:
    for context, said in ((RidgeCg, 1), (BridgeCg, 0)):
        cg = ready(scene(context=context))
        tank = add(cg, "axis", "PzIVH", "afv", "G3", Mark.IMMOBILIZED, area="NE")
        if not said:
            allowed(cg, "axis", row(tank, "G2"))
            continue
        assert refusals(cg, "axis", row(tank, "G2")) == [
            f"units[1].at: {tank.label} must set up in G3; an immobile vehicle keeps its Location and VCA"
        ]


def test_a_unit_sets_up_in_the_area_recorded_for_it() -> None:
    cg = ready(scene())
    squad = add(cg, "allied", "6-4-8", "squad", "B4", area="W")
    assert refusals(cg, "allied", row(squad, "F2")) == [
        f"units[1].at: F2 is outside W, where {squad.label} sets up; a hex inside it"
    ]
    (said,) = refusals(cg, "allied", row(squad, "Q99"))
    assert said.startswith("units[1].at: 'Q99' is not a Location of the map; ")
    assert refusals(cg, "allied", row(squad, "D9"))[0].endswith("a Location that it can enter")


def test_who_stands_outside_all_areas_stays_in_his_hex() -> None:
    cg = ready(scene())
    squad = add(cg, "allied", "6-4-8", "squad", "F6")
    allowed(cg, "allied", row(squad, "F6"))
    assert refusals(cg, "allied", row(squad, "F7"))[0] == (
        f"units[1].at: F7 is outside its hex, where {squad.label} sets up; a hex inside it"
    )


def test_a_vehicle_may_set_up_in_uncontrolled_territory_where_the_system_lets_it() -> None:
    cg = ready(scene(context=BridgeCg))
    tank = add(cg, "axis", "PzIVH", "afv", "G3", area="NE")
    allowed(cg, "axis", row(tank, "E7"))
    squad = add(cg, "axis", "4-6-7", "squad", "G3", area="NE")
    assert refusals(cg, "axis", row(squad, "E7"))[0].startswith("units[1].at: E7 is outside NE")


def test_who_enters_does_not_set_up_and_the_other_way_round() -> None:
    cg = ready(scene())
    squad = add(cg, "axis", "4-6-7", "squad", area="G1")
    assert refusals(cg, "axis", row(squad, "G2")) == [
        f"units[1].at: {squad.label} does not set up on the map; it enters by G1"
    ]
    assert refusals(cg, "axis", row(squad)) == [
        f"units[1].at: {squad.label} takes no part in the scenario; it enters by G1"
    ]
    stands = add(cg, "axis", "4-6-7", "squad", "G3", area="NE")
    assert refusals(cg, "axis", row(stands, entry="G1")) == [
        f"units[1].entry: {stands.label} does not enter by G1; a Location of the map"
    ]
    assert refusals(cg, "axis", row(squad, "G2", entry="G1")) == [
        f"units[1].entry: {squad.label} both sets up and enters; name a Location or an arrow hex"
    ]
    assert refusals(cg, "axis", row(stands)) == [
        f"units[1].at: {stands.label} takes no part in the scenario; a Location such as G3"
    ]


def test_entry_areas_follow_from_the_group() -> None:
    cg = ready(scene())
    group(cg, "axis", "B-I2/1")
    squad = add(cg, "axis", "5-4-8", "squad", group="B-I2/1")
    other_ = add(cg, "axis", "4-6-7", "squad")
    setting = Setting(cg, "axis")
    assert setting.entries(squad) == ("L5",)
    assert setting.entries(other_) == ("G1", "L5")


def test_in_the_initial_scenario_the_cards_setup_area_counts() -> None:
    cg = ready(scene({"sides": {"axis": {"setup": ["K1-K4"]}}}))
    squad = add(cg, "axis", "4-6-7", "squad")
    allowed(cg, "axis", row(squad, "K2"))
    assert refusals(cg, "axis", row(squad, "G2"))[0].startswith("units[1].at: G2 is outside your")


def test_nobody_sets_up_on_enemies_that_he_knows_of() -> None:
    cg = ready(scene())
    squad = add(cg, "allied", "6-4-8", "squad", "B4", area="W")
    add(cg, "axis", "4-6-7", "squad", "C2")
    allowed(cg, "allied", row(squad, "C2"))
    add(cg, "axis", "4-6-7", "squad", "C2", known=True)
    assert refusals(cg, "allied", row(squad, "C2")) == ["units[1].at: C2 holds enemy units; choose another Location"]


def test_isolated_by_the_area_or_with_whoever_has_it() -> None:
    cg = scene()
    squad = add(cg, "allied", "6-4-8", "squad", "F6", Mark.ISOLATED)
    lmg = add(cg, "allied", "LMG", "sw", "F6", with_unit=squad.id)
    free = add(cg, "allied", "6-4-8", "squad", "B4", area="W")
    assert is_isolated(cg, lmg)
    assert not is_isolated(cg, free)
    areas = tuple(area.but(isolated=area.name == "W") for area in cg.state.areas)
    cg.state = evolve(cg.state, areas=areas)
    assert is_isolated(cg, free)


def test_a_plan_takes_sw_guns_and_passengers_along() -> None:
    cg = ready(scene())
    tank = add(cg, "axis", "PzIVH", "afv", "G3", area="NE")
    rider = add(cg, "axis", "4-6-7", "squad", "G3", area="NE", with_unit=tank.id)
    lmg = add(cg, "axis", "LMG", "sw", "G3", area="NE", with_unit=rider.id)
    plan = allowed(cg, "axis", row(tank, "H2"))
    assert {plan.placed[one.id].at for one in (tank, rider, lmg)} == {"H2"}
    off = allowed(cg, "axis", row(tank, "H2"), row(rider, "G2"))
    assert (off.placed[rider.id].at, off.placed[lmg.id].at) == ("G2", "G2")


def test_two_that_carry_each_other_are_refused_and_not_followed_for_ever() -> None:
    cg = ready(scene())
    one = add(cg, "axis", "PzIVH", "afv", "G3", area="NE")
    two = add(cg, "axis", "PzIVH", "afv", "G3", area="NE")
    said = refusals(cg, "axis", row(one, by=two.id), row(two, by=one.id))
    assert f"units[1].with: {two.id} cannot have {one.label}; a vehicle of yours" in said


def test_names_of_states() -> None:
    assert states_of([Mark.CREW_EXPOSED, Mark.HOOKED, Mark.BROKEN]) == ["hooked", "ce"]
    assert PAK.startswith("75L")
