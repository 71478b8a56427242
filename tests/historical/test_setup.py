"""Setting up: what is proposed, what is refused, what follows, and what the enemy learns."""

from __future__ import annotations

from typing import Any

from laager.rules.board.facts import Agreed
from laager.rules.board.hasl.areas import DECLARED
from laager.rules.board.hasl.setup.setup import setting_up
from laager.rules.board.units import Mark, Place
from tests.historical.driver import run
from tests.historical.setting import (
    PAK,
    SIX_PDR,
    BridgeCg,
    RidgeCg,
    allowed,
    folded,
    fort,
    group,
    ready,
    refusals,
    row,
    views,
)
from tests.historical.small import add, scene


def by_day(cg: Any) -> Any:
    """Return the scene on the second date; the first one is at night."""
    ready(cg)
    cg.state = cg.state.with_scenario(number=2)
    return cg


def test_who_stands_in_his_area_stays_there_by_default() -> None:
    cg = ready(scene())
    squad = add(cg, "allied", "6-4-8", "squad", "B4.1", area="W", known=True)
    lmg = add(cg, "allied", "LMG", "sw", "B4.1", area="W", with_unit=squad.id, known=True)
    run(setting_up, cg, answers={"setup@allied": {}})
    now = cg.state.units
    assert (now[squad.id].at, now[squad.id].place) == ("B4.1", Place.MAP)
    assert now[squad.id].has(Mark.CONCEALED)
    assert not now[squad.id].known
    assert (now[lmg.id].at, now[lmg.id].with_unit) == ("B4.1", squad.id)
    assert now[lmg.id].has(Mark.CONCEALED)
    assert not now[lmg.id].known


def test_the_side_that_the_scenario_names_sets_up_first() -> None:
    cg = ready(scene(), "axis")
    add(cg, "allied", "6-4-8", "squad", "B4", area="W")
    add(cg, "axis", "4-6-7", "squad", "G3", area="NE")
    asked = [(one.key, one.side) for one in run(setting_up, cg).asked]
    assert asked == [("setup", "axis"), ("setup", "allied"), ("snipers", "axis"), ("snipers", "allied")]


def test_isolated_units_of_both_sides_set_up_first_where_the_system_says_so() -> None:
    cg = ready(scene(context=RidgeCg))
    for side, type_, at in (("allied", "6-4-8", "B4"), ("axis", "4-6-7", "G3")):
        area = cg.state.area_at(at).name
        add(cg, side, type_, "squad", at, area=area)
        add(cg, side, type_, "squad", "F6", Mark.ISOLATED)
    played = run(setting_up, cg)
    setups = [one for one in played.asked if one.key == "setup"]
    assert [one.side for one in setups] == ["allied", "axis", "allied", "axis"]
    assert setups[0].text == "How does your one unit that is Isolated set up or enter?"
    assert [len(one.default["units"]) for one in setups] == [1, 1, 1, 1]


def test_a_side_with_nothing_is_not_asked() -> None:
    played = run(setting_up, ready(scene()))
    assert {one.key for one in played.asked} == {"snipers"}


def test_standing_openly_is_seen_and_hiding_is_not() -> None:
    cg = ready(scene())
    open_ = add(cg, "allied", "6-4-8", "squad", "C2", area="W")
    tank = add(cg, "axis", "PzIVH", "afv", "G3", area="NE")
    before = views(cg)
    rows = [row(open_, "C2"), row(tank, "H2", state=["bu"])]
    answers = {"setup@allied": {"units": rows[:1]}, "setup@axis": {"units": rows[1:]}}
    facts = run(setting_up, cg, answers=answers).facts
    seen = folded(before["axis"], facts).units[open_.id]
    assert (seen.at, seen.known, seen.marks) == ("C2", True, frozenset())
    shown = folded(before["allied"], facts).units[tank.id]
    assert (shown.at, shown.marks) == ("H2", frozenset())
    assert cg.state.units[tank.id].marks == {Mark.BUTTONED_UP}


def test_nothing_is_shown_before_the_whole_setup_of_a_side_stands() -> None:
    cg = ready(scene())
    for at in ("C2", "A4"):
        add(cg, "allied", "6-4-8", "squad", at, area="W")
    rows = [row(unit, unit.at or "") for unit in cg.state.units_of("allied")]
    facts = run(setting_up, cg, answers={"setup@allied": {"units": rows}}).facts
    kinds = [fact.kind for fact in facts if fact.kind in ("unit-moved", "unit-revealed")]
    assert kinds == ["unit-revealed", "unit-revealed"]


def test_who_was_seen_and_is_concealed_is_out_of_sight_again() -> None:
    cg = ready(scene())
    squad = add(cg, "allied", "6-4-8", "squad", "B4", area="W", known=True)
    before = views(cg)
    chosen = {"units": [row(squad, "B5", hide="concealed")]}
    facts = run(setting_up, cg, answers={"setup@allied": chosen}).facts
    assert squad.id not in folded(before["axis"], facts).units
    assert (cg.state.units[squad.id].at, cg.state.units[squad.id].known) == ("B5", False)


def test_concealment_where_los_decides_is_asked_about_once_more() -> None:
    cg = ready(scene())
    squad = add(cg, "allied", "6-4-8", "squad", "C2", area="W")
    doubtful = {"units": [row(squad, "C2", hide="concealed")]}
    answers = [("setup", doubtful), ("setup-warnings", False), ("setup", doubtful), ("setup-warnings", True)]
    played = run(setting_up, cg, answers=answers)
    asked = played.questions("setup-warnings")
    assert len(asked) == 2
    assert f"{squad.label} is concealed in C2: out of enemy LOS? (A12.12)" in asked[0].text
    assert cg.state.units[squad.id].has(Mark.CONCEALED)


def test_sw_that_nobody_takes_is_asked_about() -> None:
    cg = ready(scene())
    lmg = add(cg, "allied", "LMG", "sw", area="W")
    played = run(setting_up, cg)
    assert f"{lmg.label} stays off the map" in played.questions("setup-warnings")[0].text


def test_new_units_get_their_sw_and_enter_by_their_area() -> None:
    cg = ready(scene())
    group(cg, "axis", "K-I1/1", area="G1", arrival="enter")
    squad = add(cg, "axis", "4-6-7", "squad", group="K-I1/1", area="G1")
    lmg = add(cg, "axis", "LMG", "sw", group="K-I1/1", area="G1")
    run(setting_up, cg)
    now = cg.state.units
    assert (now[lmg.id].with_unit, now[lmg.id].area) == (squad.id, "G1")
    assert (now[squad.id].place, now[squad.id].area) == (Place.OFF_MAP, "G1")


def test_who_is_in_no_area_is_retained_where_he_sets_up_or_enters() -> None:
    cg = ready(scene())
    one = add(cg, "axis", "4-6-7", "squad")
    two = add(cg, "axis", "4-6-7", "squad")
    rows = [row(one, "G3"), row(two, entry="L5")]
    run(setting_up, cg, answers={"setup@axis": {"units": rows}})
    assert (cg.state.units[one.id].area, cg.state.units[two.id].area) == ("NE", "L5")


# Refusals -----------------------------------------------------------------------------------------


def test_everything_wrong_is_told_at_once() -> None:
    cg = by_day(scene())
    squad = add(cg, "allied", "6-4-8", "squad", "B4", area="W")
    lmg = add(cg, "allied", "LMG", "sw", "B4", area="W")
    hero = add(cg, "axis", "4-6-7", "squad", "G3", area="NE")
    rows = [row(squad, "F2", hide="cloaked"), row(squad, "G2", hide="hip"), row(lmg, "A4"), row(lmg, by=hero.id)]
    assert refusals(cg, "allied", *rows) == [
        f"units[2].unit: {squad.label} is set up twice; set it up once",
        f"units[4].unit: {lmg.label} is set up twice; set it up once",
        f"units[2].at: G2 is outside W, where {squad.label} sets up; a hex inside it",
        f"units[2].hide: {squad.label} cannot hide in G2; Concealment Terrain or an entrenchment (A12.34)",
        f"units[4].with: {hero.id} cannot have {lmg.label}; personnel or a vehicle of yours",
        f"units: HIP for 1 x squad ({squad.id}); you bought 0",
    ]


def test_equipment_needs_somebody() -> None:
    cg = ready(scene())
    squad = add(cg, "allied", "6-4-8", "squad", "B4", area="W")
    off = add(cg, "allied", "6-4-8", "squad", area="A4")
    lmg = add(cg, "allied", "LMG", "sw", "B4", area="W")
    gone = add(cg, "allied", "6-4-8", "squad", "B5", Mark.PRISONER, area="W")
    stays = row(squad, "B4")
    assert refusals(cg, "allied", stays, row(lmg, "A4")) == [
        f"units[2].with: {lmg.label} cannot set up alone; name the unit that has it"
    ]
    assert refusals(cg, "allied", stays, row(lmg, "A4", by=squad.id)) == [
        f"units[2].at: {lmg.label} cannot be in A4; B4, where {squad.label} is; or leave it out"
    ]
    assert refusals(cg, "allied", stays, row(lmg, by=gone.id))[0].startswith(
        f"units[2].with: {gone.id} cannot have {lmg.label}"
    )
    assert refusals(cg, "allied", row(lmg, by=off.id)) == [
        f"units[1].entry: {lmg.label} does not enter by A4; a Location of the map"
    ]


def test_an_armor_leader_is_in_a_vehicle() -> None:
    cg = ready(scene())
    leader = add(cg, "axis", "9-1", "armor-leader", "G3", area="NE")
    tank = add(cg, "axis", "PzIVH", "afv", "G3", area="NE")
    assert refusals(cg, "axis", row(leader, "G3")) == [
        f"units[1].with: {leader.label} sets up in a vehicle; name his vehicle"
    ]
    assert allowed(cg, "axis").placed[leader.id].holder == tank.id


def test_states_that_a_unit_cannot_be_in() -> None:
    cg = ready(scene(context=RidgeCg))
    squad = add(cg, "axis", "4-6-7", "squad", "G3", area="NE")
    tank = add(cg, "axis", "PzIVH", "afv", "G3", area="NE")
    states = ["hooked", "limbered", "dm", "bu", "abandoned"]
    assert refusals(cg, "axis", row(squad, "G3", state=states)) == [
        f"units[1].state: {squad.label} cannot be hooked; a Gun is, to the vehicle that it is with",
        f"units[1].state: {squad.label} cannot be limbered; Guns are",
        f"units[1].state: {squad.label} cannot be dismantled; light mortars, recoilless rifles and some SW can be",
        f"units[1].state: {squad.label} cannot be bu; vehicles are",
        f"units[1].state: {squad.label} cannot be abandoned; only vehicles can be, in campaigns that allow it",
    ]
    assert refusals(cg, "axis", row(tank, "G3", state=["bu", "ce"])) == [
        f"units[1].state: {tank.label} cannot be both BU and CE; one of them"
    ]


def test_a_gun_changes_its_state_only_where_personnel_are() -> None:
    cg = ready(scene())
    gun = add(cg, "axis", PAK, "gun", "G3", area="NE")
    assert refusals(cg, "axis", row(gun, "G3", state=["limbered"])) == [
        f"units[1].state: nobody can hook, limber or dismantle {gun.label}; "
        "it keeps its state while no Personnel are in its area"
    ]
    add(cg, "axis", "4-6-7", "squad", "H3", area="NE")
    allowed(cg, "axis", row(gun, "G3", state=["limbered"]))


def test_a_vehicle_begins_abandoned_with_its_crew_beside_it() -> None:
    cg = ready(scene(context=RidgeCg), "axis")
    tank = add(cg, "axis", "PzIVH", "afv", "G3", area="NE", known=True)
    waiting = add(cg, "axis", "PzIVH", "afv", area="G1")
    rows = [row(tank, "G3", state=["abandoned"]), row(waiting, entry="G1", state=["abandoned"])]
    run(setting_up, cg, answers={"setup@axis": {"units": rows}})
    crews = [unit for unit in cg.state.units.values() if unit.kind == "crew"]
    assert [(crew.at, crew.area, crew.type) for crew in crews] == [("G3", "NE", "1-2-7"), (None, "G1", "1-2-7")]
    assert cg.state.units[tank.id].has(Mark.ABANDONED)
    plain = ready(scene())
    tank = add(plain, "axis", "PzIVH", "afv", "G3", area="NE")
    assert "only vehicles can be" in refusals(plain, "axis", row(tank, "G3", state=["abandoned"]))[0]


# Hiding -------------------------------------------------------------------------------------------


def test_a_gun_that_may_hides_free_of_cost_with_its_crew() -> None:
    cg = by_day(scene(context=BridgeCg))
    crew = add(cg, "allied", "2-2-8", "crew", "D1", area="W")
    gun = add(cg, "allied", SIX_PDR, "gun", "D1", area="W", with_unit=crew.id)
    plan = allowed(cg, "allied")
    assert plan.placed[crew.id].hide == "hip"
    run(setting_up, cg)
    assert cg.state.units[gun.id].has(Mark.HIP)
    assert cg.state.units[gun.id].has(Mark.EMPLACED)
    said = refusals(cg, "allied", row(crew, "D1", hide="hip"), row(gun, by=crew.id, state=["limbered"]))
    assert said == [
        f"units[1].hide: {crew.label} cannot hide in D1; Concealment Terrain or an entrenchment (A12.34)",
        f"units: HIP for 1 x crew ({crew.id}); you bought 0; "
        f"{crew.id} hides free if {gun.label} is Emplaced there (C11.2)",
    ]


def test_a_crew_that_hides_without_its_gun_is_told_how_it_costs_nothing() -> None:
    cg = ready(scene(context=BridgeCg))
    crew, other = (add(cg, "allied", "2-2-8", "crew", "D1", area="W") for _ in range(2))
    gun = add(cg, "allied", SIX_PDR, "gun", "D1", area="W", with_unit=other.id)
    assert refusals(cg, "allied", row(other, "D1"), row(crew, "D1", hide="hip")) == [
        f"units: HIP for 1 x crew ({crew.id}); you bought 0; "
        f"{crew.id} hides free with an Emplaced Gun whose row has with: {crew.id}"
    ]
    plan = allowed(cg, "allied", row(other, "D1"), row(crew, "D1", hide="hip"), row(gun, by=crew.id))
    assert plan.placed[gun.id].hide == "hip"


def test_a_gun_outside_its_areas_never_hides() -> None:
    cg = ready(scene(context=BridgeCg))
    crew = add(cg, "allied", "2-2-8", "crew", "F6")
    gun = add(cg, "allied", SIX_PDR, "gun", "F6", with_unit=crew.id)
    said = refusals(cg, "allied", row(crew, "F6", hide="hip"))
    assert said[0] == (f"units[1].hide: {gun.label} cannot hide in F6; Guns hide in Friendly Setup Areas only")


def test_a_fixed_gun_once_seen_never_hides_again() -> None:
    cg = ready(scene(context=BridgeCg))
    crew = add(cg, "allied", "2-2-8", "crew", "B4", area="W", known=True)
    gun = add(cg, "allied", SIX_PDR, "gun", "B4", Mark.FIXED, area="W", with_unit=crew.id, known=True)
    fort(cg, "allied", "hip", "crew")
    assert refusals(cg, "allied", row(crew, "B4", hide="hip")) == [
        f"units[1].hide: {gun.label} was seen and never hides again; it can be concealed"
    ]
    run(setting_up, cg)
    now = cg.state.units[gun.id]
    assert now.has(Mark.CONCEALED)
    assert now.has(Mark.WAS_REVEALED)
    assert not now.known
    assert refusals(cg, "allied", row(crew, "B4", hide="hip"))


def test_a_gun_in_a_fortified_building_is_fixed_there() -> None:
    cg = ready(scene(context=BridgeCg))
    crew = add(cg, "allied", "2-2-8", "crew", "B5", area="W")
    gun = add(cg, "allied", SIX_PDR, "gun", "B5", area="W", with_unit=crew.id)
    fort(cg, "allied", "fortified-building", at="B4")
    run(setting_up, cg, answers={"setup@allied": {"units": [row(crew, "B4")]}})
    assert cg.state.units[gun.id].has(Mark.FIXED)


def test_bought_hip_is_used_up() -> None:
    cg = ready(scene())
    squad = add(cg, "allied", "6-4-8", "squad", "B4", area="W")
    two = add(cg, "allied", "6-4-8", "squad", "B5", area="W")
    hip = fort(cg, "allied", "hip", "squad", 2)
    run(setting_up, cg, answers={"setup@allied": {"units": [row(squad, "B4", hide="hip")]}})
    assert cg.state.forts[hip.id].count == 1
    assert cg.state.units[squad.id].has(Mark.HIP)
    both = [row(squad, "B4", hide="hip"), row(two, "B5", hide="hip")]
    assert refusals(cg, "allied", *both) == [f"units: HIP for 2 x squad ({squad.id}, {two.id}); you bought 1"]


def test_at_night_the_defenders_hip_is_for_him_to_count() -> None:
    cg = ready(scene(), allied="idle", axis="attack")
    squad = add(cg, "allied", "6-4-8", "squad", "C2", area="W")
    allowed(cg, "allied", row(squad, "C2", hide="hip"))
    attacker = add(cg, "axis", "4-6-7", "squad", "G3", area="NE")
    allowed(cg, "axis", row(attacker, "G3", hide="cloaked"))
    assert refusals(cg, "allied", row(squad, "C2", hide="cloaked")) == [
        f"units[1].hide: {squad.label} cannot be Cloaked; the Scenario Attacker's units are, at night"
    ]


def test_who_is_broken_is_not_cloaked() -> None:
    cg = ready(scene(), allied="idle", axis="attack")
    broken = add(cg, "axis", "4-6-7", "squad", "G3", Mark.BROKEN, area="NE")
    assert refusals(cg, "axis", row(broken, "G3", hide="cloaked")) == [
        f"units[1].hide: {broken.label} can neither hide nor be concealed; none"
    ]


def test_who_can_neither_hide_nor_be_concealed() -> None:
    cg = ready(scene())
    squad = add(cg, "allied", "6-4-8", "squad", "B4", Mark.BROKEN, area="W")
    off = add(cg, "allied", "6-4-8", "squad", area="A4")
    rows = [row(squad, "B4", hide="concealed"), row(off, entry="A4", hide="concealed")]
    assert refusals(cg, "allied", *rows) == [
        f"units[1].hide: {squad.label} can neither hide nor be concealed; none",
        f"units[2].hide: {off.label} cannot be concealed when it enters; none",
    ]


def test_reserves_are_cloaked_whatever_is_said() -> None:
    cg = ready(scene(context=RidgeCg))
    group(cg, "allied", "I1/1", arrival="reserve", area="W")
    squad = add(cg, "allied", "6-4-8", "squad", group="I1/1", area="W")
    plan = allowed(cg, "allied", row(squad, "A4"))
    assert plan.placed[squad.id].hide == "cloaked"
    assert refusals(cg, "allied", row(squad, "C2"))[0].startswith("units[1].at: C2 is outside W")


# Groups -------------------------------------------------------------------------------------------


def test_a_new_group_stays_together_where_the_system_says_so() -> None:
    cg = ready(scene(context=RidgeCg))
    group(cg, "axis", "K-I1/1")
    squad, two = (add(cg, "axis", "4-6-7", "squad", group="K-I1/1") for _ in range(2))
    leader = add(cg, "axis", "9-1", "leader", group="K-I1/1")
    lmg = add(cg, "axis", "LMG", "sw", group="K-I1/1")
    other_ = add(cg, "axis", "4-6-7", "squad", "G3", area="NE")
    rows = [row(squad, "G2"), row(two, entry="G1"), row(leader, "H2")]
    assert refusals(cg, "axis", *rows, row(lmg, by=other_.id)) == [
        f"units[3]: {leader.label} is not with a unit of K-I1/1; he sets up or enters with one the first time",
        f"units[4]: {lmg.label} of K-I1/1 is with {other_.label}; a unit of its own group at first",
        "units: K-I1/1 comes in NE and G1; all of a group in one area at first",
    ]


def test_equipment_stays_with_a_squad_that_half_of_its_group_recombined_into() -> None:
    """Half-squads of two groups Recombine before the later of them has ever arrived."""
    cg = ready(scene(context=RidgeCg))
    group(cg, "axis", "HW2/1")
    own = add(cg, "axis", "2-3-7", "half-squad", group="HW2/1")
    other_ = add(cg, "axis", "4-4-7", "squad", "G3", area="NE")
    kept = add(cg, "axis", "50* MTR", "sw", group="HW2/1", with_unit=other_.id)
    given = add(cg, "axis", "50* MTR", "sw", group="HW2/1")
    rows = [row(own, "G2"), row(kept, by=other_.id), row(given, by=other_.id)]
    assert refusals(cg, "axis", *rows) == [
        f"units[3]: {given.label} of HW2/1 is with {other_.label}; a unit of its own group at first"
    ]


def test_prisoners_go_with_their_guard() -> None:
    cg = ready(scene())
    guard = add(cg, "allied", "6-4-8", "squad", "B4", area="W")
    captive = add(cg, "axis", "4-6-7", "squad", "B4", Mark.PRISONER, with_unit=guard.id, known=True)
    before = views(cg)
    chosen = {"units": [row(guard, "B5", hide="concealed")]}
    facts = run(setting_up, cg, answers={"setup@allied": chosen}).facts
    assert cg.state.units[captive.id].at == "B5"
    assert folded(before["axis"], facts).units[captive.id].at == "B5"
    run(setting_up, cg, answers={"setup@allied": {"units": [row(guard, "C2")]}})
    assert cg.state.units[captive.id].at == "C2"


def test_a_refusal_tells_nothing_of_the_enemys_units() -> None:
    cg = ready(scene())
    lmg = add(cg, "allied", "LMG", "sw", "B4", area="W")
    enemy = add(cg, "axis", "PzIVH", "afv", "G3", Mark.HIP, area="NE")
    told = [refusals(cg, "allied", row(lmg, by=name, state=["hooked"])) for name in (enemy.id, "AX99")]
    assert told[0] == [line.replace("AX99", enemy.id) for line in told[1]]


# Declared Guns ------------------------------------------------------------------------------------


def declared() -> Any:
    """Return a scene in which a British Gun makes C3 a Strategic Location, with its crew and that of another Gun."""
    cg = by_day(scene(context=BridgeCg))
    crews = [add(cg, "allied", "2-2-8", "crew", at, area="W", known=True) for at in ("C3", "C2")]
    gun = add(cg, "allied", SIX_PDR, "gun", "C3", area="W", with_unit=crews[0].id, known=True)
    cg.state = Agreed(about=DECLARED, value={gun.id: "C3"}).apply(cg.state)
    return cg, gun, *crews


def test_a_declared_gun_is_manned_in_its_location() -> None:
    cg, gun, crew, other = declared()
    squad = add(cg, "allied", "6-4-8", "squad", "C3", area="W", known=True)
    unmanned = (
        f"units[2].with: {gun.label} makes C3 a Strategic Location and must be manned there; "
        f"by a qualified crew, such as {crew.id}"
    )
    assert refusals(cg, "allied", row(crew, "C2"), row(gun, "C3")) == [unmanned]
    assert unmanned in refusals(cg, "allied", row(crew, "C2"), row(gun, "", squad.id))
    assert any("must set up in C3" in told for told in refusals(cg, "allied", row(crew, "C2"), row(gun)))
    assert any("must set up in C3" in told for told in refusals(cg, "allied", row(crew, "C2")))
    allowed(cg, "allied", row(crew, "C2"), row(other, "C3"), row(gun, "", other.id))
    allowed(cg, "allied")


def test_a_declared_gun_that_lost_its_crew_is_pointed_out() -> None:
    cg, gun, crew, _ = declared()
    cg.state = cg.state.with_unit(crew.id, lambda unit: unit.but(place=Place.ELIMINATED))
    cg.state = cg.state.with_unit(gun.id, lambda unit: unit.but(with_unit=""))
    played = run(setting_up, cg, answers={"setup@allied": {"units": [row(gun, "C3")]}})
    (asked,) = played.questions("setup-warnings")
    assert f"{gun.label} makes C3 a Strategic Location, but no crew mans it" in asked.text


def test_a_fixed_gun_does_not_stay_off_the_map() -> None:
    cg = by_day(scene(context=BridgeCg))
    gun = add(cg, "allied", SIX_PDR, "gun", "C3", Mark.FIXED, area="W", known=True)
    assert any("must set up in C3" in told for told in refusals(cg, "allied", row(gun)))
