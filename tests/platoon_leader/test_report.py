"""The battle report (PL 2.9, 3.11, CG5, CG7, CG8, CG9): what follows from it, and who knows it."""

from __future__ import annotations

import pytest

from laager.campaign.steps import Ask
from laager.hexmap import HexMap
from laager.rules.board.card.parts import SIDES
from laager.rules.board.facts import FortJoined, UnitChanged, UnitFought, UnitGone, UnitJoined
from laager.rules.board.report.flow import both_reports
from laager.rules.board.units import Fort, Mark, Place
from laager.rules.platoon_leader.facts import GroupJoined
from laager.rules.platoon_leader.report.form import BattleReport
from laager.rules.platoon_leader.report.report import firefight_end
from laager.rules.platoon_leader.state import Group
from tests.platoon_leader.battle import Report, battle, report, wrong
from tests.platoon_leader.harness import unit
from tests.platoon_leader.small import map_data
from tests.report_rows import cvp, gone, ours, row
from tests.steps import play

# The record as it is ----------------------------------------------------------------------------


def test_both_are_asked_together_in_secret_and_the_proposal_is_the_record() -> None:
    cg = battle()
    command = None
    procedure = both_reports(BattleReport, cg)
    command = next(procedure)
    assert isinstance(command, Ask)
    assert [(q.side, q.key, q.secret) for q in command.questions] == [
        ("axis", "battle-report", True),
        ("allied", "battle-report", True),
    ]
    assert command.questions[0].default == BattleReport.unchanged_answer(cg, "axis")


def test_the_record_as_a_report() -> None:
    cg = battle()
    cg.state, _ = unit(cg.state, "axis", "4-6-7", "squad", "A4", Mark.ENGINEERS, name="C")
    made = BattleReport.unchanged_answer(cg, "axis")
    assert made["units"][0] == {
        "unit": "AX1", "type": "4-6-7", "fate": "on-map", "at": "C4", "marks": [],
    }  # fmt: skip
    assert made["units"][6]["marks"] == ["concealed"]
    assert made["units"][7]["with"] == "AX7"
    assert made["units"][8] == {
        "unit": "AX9", "type": "4-6-7", "fate": "off-map", "marks": [],
    }  # fmt: skip
    assert made["units"][10]["name"] == "C"
    assert made["units"][10]["marks"] == [], "qualities are not entered"
    assert made["oba"] == [{"group": "O1/1", "used": False}]
    cg.state = UnitGone(unit="AX4", side="axis", type="8-0", place=Place.ELIMINATED).apply(cg.state)
    assert "AX4" not in [line["unit"] for line in BattleReport.unchanged_answer(cg, "axis")["units"]]


def test_an_unchanged_report_changes_nothing() -> None:
    cg = battle()
    before = cg.state
    played = play(firefight_end, cg, dice=[(1,)])
    assert {fact.kind for fact in played.facts} == {
        "play-ended", "unit-fought", "group-changed", "round-begun",
    }  # fmt: skip
    for unit_id, was in before.units.items():
        assert ours(cg, unit_id) == was.model_copy(update={"fought": was.on_map})
    assert cg.state.ground == before.ground
    assert cvp(cg) == (0, 0)


def test_default_and_skeleton_and_nothing_at_all_say_the_same() -> None:
    one, two = battle(), battle()
    play(firefight_end, one, dice=[(1,)])
    report(two)
    assert one.state == two.state


# Where units are --------------------------------------------------------------------------------


def test_what_is_with_a_unit_goes_where_it_goes() -> None:
    cg = battle()
    played = report(cg, {"units": [row("AX1", "C6"), row("AX5", "F5"), row("AX9", "E1")]})
    assert [ours(cg, name).at for name in ("AX1", "AX2", "AX5", "AX6")] == ["C6", "C6", "F5", "F5"]
    assert (ours(cg, "AX10").at, ours(cg, "AX10").place) == ("E1", Place.MAP)
    assert ours(cg, "AX10").with_unit == "AX9"
    assert ours(cg, "AX3").at == "C4", "who was only beside it stays"
    assert len(played.of("unit-moved")) == 6


def test_weapons_change_hands_and_are_dropped() -> None:
    cg = battle()
    report(cg, {"units": [row("AX2", **{"with": "AX4"}), row("AX8", "D5", **{"with": ""})]})
    assert (ours(cg, "AX2").with_unit, ours(cg, "AX2").at) == ("AX4", "D4")
    assert (ours(cg, "AX8").with_unit, ours(cg, "AX8").at) == ("", "D5")


def test_a_gun_that_moves_is_no_longer_emplaced_nor_hidden() -> None:
    cg = battle()
    units = [row("AL3", "C9", "concealed"), row("AL4", "", "concealed")]
    report(cg, None, {"units": units})
    gun = ours(cg, "AL4")
    assert gun.at == "C9"
    assert gun.marks == {Mark.CONCEALED, Mark.WAS_REVEALED}
    assert not gun.known


def test_a_gun_is_seen_with_its_crew() -> None:
    cg = battle()
    report(cg, None, {"units": [row("AL3", "C8") | {"marks": []}]})
    gun = ours(cg, "AL4")
    assert gun.marks == {Mark.EMPLACED, Mark.WAS_REVEALED}
    assert gun.known


def test_a_row_without_markers_leaves_them_as_they_were() -> None:
    cg = battle()
    report(cg, {"units": [row("AX7", "D5", name="B") | {"marks": None, "with": None}]})
    assert ours(cg, "AX7").marks == {Mark.CONCEALED}
    assert ours(cg, "AX7").name == "B"
    assert wrong(cg, "axis", units=[row("AX7", "Q1") | {"marks": None, "with": None}]) == [
        "units[1].at: " + wrong(cg, "axis", units=[row("AX7", "Q1")])[0].split(": ", 1)[1]
    ]


def test_a_fixed_gun_stays_when_its_crew_goes() -> None:
    cg = battle()
    marks = (Mark.FIXED, Mark.EMPLACED)
    cg.state = cg.state.with_unit("AL4", lambda u: u.model_copy(update={"marks": frozenset(marks)}))
    report(cg, None, {"units": [row("AL3", "C9", "concealed")]})
    assert (ours(cg, "AL4").at, ours(cg, "AL4").with_unit) == ("C8", "")
    assert ours(cg, "AL4").has(Mark.EMPLACED)


def test_markers_are_replaced_as_a_whole_and_qualities_stay() -> None:
    cg = battle()
    cg.state = cg.state.with_unit(
        "AX1", lambda u: u.model_copy(update={"marks": frozenset({Mark.PIN, Mark.ENGINEERS})})
    )
    report(cg, {"units": [row("AX1", "C4", "broken", "dm", name="A")]})
    assert ours(cg, "AX1").marks == {Mark.BROKEN, Mark.DM, Mark.ENGINEERS}
    assert ours(cg, "AX1").name == "A"


def test_exits_keep_units_in_the_ob() -> None:
    cg = battle()
    units = [gone("AX1", "exited", at="C1"), gone("AX5", "objective-exit", marks=["stun", "bu"])]
    report(cg, {"units": units})
    for name in ("AX1", "AX2", "AX5", "AX6"):
        assert (ours(cg, name).place, ours(cg, name).at) == (Place.OFF_MAP, None)
    assert ours(cg, "AX2").with_unit == "AX1"
    assert ours(cg, "AX5").marks == {Mark.STUN}
    assert cvp(cg) == (0, 0)


def test_upper_levels_where_there_are_some() -> None:
    cg = battle()
    data = map_data()
    houses = [dict(one, levels=1) if "C4" in one["hexes"] else one for one in data["buildings"]]
    cg.replace_map(HexMap.from_data({**data, "buildings": houses}))
    assert wrong(cg, "axis", units=[row("AX1", "C4.1")]) == []
    assert wrong(cg, "axis", units=[row("AX5", "C4.1")]) == [
        "units[1].at: PzIVF2 (AX5) is a vehicle and can't be in C4.1; C4"
    ]
    report(cg, {"units": [row("AX1", "C4.1")]})
    assert ours(cg, "AX2").at == "C4.1"


def test_the_location_of_a_known_pillbox_exists() -> None:
    cg = battle()
    for number, hidden in (("ALF2", False), ("ALF3", True)):
        fort = Fort(id=number, side="allied", kind="pillbox", at=f"H{number[-1]}.p", hidden=hidden)
        cg.state = FortJoined(fort=fort).apply(cg.state)
    assert wrong(cg, "axis", units=[row("AX1", "H2.p")]) == []
    assert wrong(cg, "axis", units=[row("AX1", "H3.p")]) == ["units[1].at: H3 has no Location H3.p; it has H3"]
    assert wrong(cg, "allied", units=[row("AL1", "H3.p")]) == []


def test_hexes_out_of_play() -> None:
    cg = battle()
    cg.replace_map(HexMap.from_data({**map_data(), "not_playable": ["A1"]}))
    said = wrong(cg, "axis", units=[row("AX1", "A1")], fires=[{"at": "A1", "now": "flame"}])
    assert said == [
        "units[1].at: A1 is not in play; a hex inside the playable area",
        "fires[1].at: A1 is not in play; a hex in play",
    ]


# Losses -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "new", "axis", "allied"),
    [
        ([gone("AX1"), row("AX2", "C4", **{"with": ""})], [], 0, 2),
        ([gone("AX1"), gone("AX2")], [], 0, 2),
        ([gone("AX3")], [], 0, 3),
        ([gone("AX5"), gone("AX6")], [], 0, 8),
        ([gone("AX5"), row("AX6", "E5", **{"with": ""})], [], 0, 6),
        ([gone("AX5"), gone("AX6")], [{"type": "1-2-7", "at": "E5", "from": "AX5"}], 0, 7),
        ([row("AX5", "E5", "abandoned")], [{"type": "1-2-7", "at": "E5", "from": "AX5"}], 0, 0),
        ([row("AX1", "C4", type="2-4-7")], [], 0, 1),
        ([row("AX1", "C4", type="2-4-7")], [{"type": "2-4-7", "at": "C4", "from": "AX1"}], 0, 0),
        ([row("AX1", "C4", type="4-4-7")], [], 0, 0),
        ([row("AX3", "C4", type="9-1")], [], 0, 0),
        ([gone("AX1", "captured"), gone("AX2")], [], 0, 4),
        ([gone("AX1", "captured", marks=["unguarded", "prisoner"]), gone("AX2")], [], 0, 2),
        ([gone("AX1", "captured", type="2-4-7"), gone("AX2")], [], 0, 3),
        ([gone("AX5", "captured"), gone("AX6")], [], 0, 8),
        ([gone("AX5", "recalled")], [], 0, 0),
        ([gone("AX1", "removed"), row("AX2", "C4", **{"with": "AX3"})], [], 0, 0),
        ([row("AX1", "C4", "prisoner", "unguarded"), row("AX2", "", **{"with": ""})], [], 0, 0),
    ],
)  # fmt: skip
def test_cvp_follow_from_losses(units: list[Report], new: list[Report], axis: int, allied: int) -> None:
    cg = battle()
    report(cg, {"units": units, "new": new})
    assert cvp(cg) == (axis, allied)


def test_a_half_that_came_into_being_in_play_is_of_the_same_kind_of_troops() -> None:
    cg = battle()
    cg.state = cg.state.with_unit("AX1", lambda u: u.but(marks=frozenset({Mark.ENGINEERS, Mark.ISOLATED})))
    report(
        cg,
        {
            "units": [row("AX1", "C4", type="2-4-7")],
            "new": [{"type": "2-4-7", "at": "C4", "from": "AX1", "marks": ["pin"]}],
        },
    )
    (new,) = [unit for unit in cg.state.units.values() if unit.side == "axis" and unit.type == "2-4-7"][1:]
    assert new.marks == {Mark.ENGINEERS, Mark.ISOLATED, Mark.PIN}


def test_an_abandoned_vehicle_is_lost_without_its_crew() -> None:
    cg = battle()
    marks = frozenset({Mark.ABANDONED})
    cg.state = cg.state.with_unit("AX5", lambda u: u.model_copy(update={"marks": marks}))
    report(cg, {"units": [gone("AX5"), row("AX6", "", **{"with": ""})]})
    assert cvp(cg) == (0, 5)


def test_a_wreck_stands_where_it_was_hit_and_may_burn() -> None:
    cg = battle()
    played = report(cg, {"units": [gone("AX5", at="G7", marks=["burning"]), gone("AX6")]})
    wreck = ours(cg, "AX5")
    assert (wreck.place, wreck.at) == (Place.ELIMINATED, "G7")
    assert wreck.marks == {Mark.WRECK, Mark.BURNING}
    (lost,) = [fact for fact in played.facts if isinstance(fact, UnitGone) and fact.lost_leader]
    assert (lost.unit, lost.to) == ("AX6", None)
    assert cg.state.side("axis").leaders_lost == 1


def test_recalled_vehicles_go_with_their_leaders_and_their_state() -> None:
    cg = battle()
    report(cg, {"units": [gone("AX5", "recalled", marks=["stun", "recall"])]})
    assert ours(cg, "AX5").place is Place.RECALLED
    assert ours(cg, "AX5").marks == {Mark.STUN, Mark.RECALL}
    leader = ours(cg, "AX6")
    assert (leader.place, leader.with_unit) == (Place.RECALLED, "AX5")
    assert cg.state.side("axis").leaders_lost == 0, "he may come back (PL 3.461)"


def test_faults_of_several_weapons_and_an_inexperienced_crew_are_reported() -> None:
    cg = battle()
    told = ("ma-disabled", "malfunctioned", "disabled", "inexperienced")
    report(cg, {"units": [row("AX5", "E5", *told)]})
    assert {mark.value for mark in ours(cg, "AX5").marks} == set(told)
    again = BattleReport.unchanged_answer(cg, "axis")["units"][4]
    assert again["marks"] == ["malfunctioned", "disabled", "ma-disabled", "inexperienced"]


def test_passengers_of_a_recalled_vehicle_stay_in_the_ob() -> None:
    cg = battle()
    change = {"at": "E5", "with_unit": "AX5"}
    cg.state = cg.state.with_unit("AX1", lambda u: u.model_copy(update=change))
    report(cg, {"units": [gone("AX5", "recalled")]})
    assert (ours(cg, "AX1").place, ours(cg, "AX1").with_unit) == (Place.OFF_MAP, "")
    assert (ours(cg, "AX2").place, ours(cg, "AX2").with_unit) == (Place.OFF_MAP, "AX1")


def test_a_vehicle_lost_off_the_map_leaves_no_wreck() -> None:
    cg = battle()
    cg.state, tank = unit(cg.state, "axis", "PzIVF2", "afv")
    assert wrong(cg, "axis", units=[gone(tank.id)]) == [
        f"units[1].at: the wreck of PzIVF2 ({tank.id}) has no Location; say where it is: at"
    ]
    assert wrong(cg, "axis", units=[gone(tank.id, entered=False)]) == []


@pytest.mark.parametrize(
    ("unit_id", "to", "how"),
    [
        ("AX1", "2-4-7", "Reduced"),
        ("AX1", "4-4-7", "Replaced"),
        ("AX1", "4-6-8", "Battle Hardened"),
        ("AX1", "8-3-8", "changed"),
        ("AX3", "9-1", "Replaced"),
        ("AX3", "10-2", "Battle Hardened"),
        ("AX6", "9-1", "changed"),
        ("AX11", "4-6-7", "Recombined"),
    ],
)
def test_how_a_unit_became_another_type(unit_id: str, to: str, how: str) -> None:
    cg = battle()
    cg.state, _ = unit(cg.state, "axis", "2-4-7", "half-squad", "C4", known=True)
    at = ours(cg, unit_id).at or ""
    played = report(cg, {"units": [row(unit_id, at, type=to)]})
    (fact,) = [fact for fact in played.facts if isinstance(fact, UnitChanged)]
    assert (fact.type, fact.how) == (to, how)
    assert fact.kind_of_unit == {"2-4-7": "half-squad", "9-1": ours(cg, unit_id).kind}.get(
        to, "leader" if to == "10-2" else "squad"
    )


def test_new_units_join_and_can_possess_something() -> None:
    cg = battle()
    axis = {
        "units": [row("AX2", **{"with": "H1"})],
        "new": [
            {"type": "1-4-9", "at": "C4", "name": "H1", "from": "AX1", "marks": ["wounded"]},
            {"type": "9-2", "kind": "armor-leader", "at": "E5", "with": "AX5"},
            {"type": "2-4-7", "at": "D5", "marks": ["concealed"]},
        ],
    }
    played = report(cg, axis)
    hero, leader, half = ours(cg, "AX11"), ours(cg, "AX12"), ours(cg, "AX13")
    assert (hero.kind, hero.name, hero.group) == ("hero", "H1", "I1/1")
    assert hero.marks == {Mark.WOUNDED}
    assert hero.known
    assert (leader.kind, leader.with_unit) == ("armor-leader", "AX5")
    assert (half.kind, half.known) == ("half-squad", False)
    assert ours(cg, "AX2").with_unit == "AX11"
    assert ours(cg, "AX2").at == "C4"
    for fact in played.facts:
        if isinstance(fact, UnitJoined):
            assert fact.to == ("axis",)


# The ground, artillery, points ------------------------------------------------------------------


def test_the_rest_of_a_report() -> None:
    cg = battle()
    axis = {
        "control": [{"location": "C8", "side": "axis"}, {"location": "K4", "side": "nobody"}],
        "fires": [{"at": "M2", "now": "flame"}, {"at": "M1", "now": "blaze"}],
        "terrain": [{"at": "C4", "what": "rubble"}, {"at": "D7", "what": "shellholes"}],
        "forts": [
            {"do": "revealed", "fort": "AXF1"},
            {"do": "placed", "kind": "foxhole", "size": "1", "at": "E5"},
            {"do": "removed", "fort": "ALF1"},
        ],
        "cvp": [{"points": 5, "why": "exit"}, {"points": -1, "why": "counted twice"}],
        "san": -1,
        "massacre": True,
    }
    allied = {
        "control": [{"location": "C8", "side": "axis"}],
        "fires": [{"at": "M2", "now": "flame"}],
        "terrain": [{"at": "C4", "what": "rubble"}],
        "forts": [{"do": "removed", "fort": "ALF1"}],
        "cvp": [{"points": 2, "why": "Objective"}],
    }
    played = report(cg, axis, allied)
    ground = cg.state.ground
    assert ground.control == {"C4": "axis", "C8": "axis", "K9": "allied", "G2": "allied"}
    assert ground.flames == {"M2"}
    assert ground.blazes == {"M1"}
    assert ground.changes == {"C4": {"rubble"}, "D7": {"shellholes"}}
    assert len(played.of("terrain-changed")) == 2, "what both say counts once"
    assert not cg.state.forts["AXF1"].hidden
    assert cg.state.forts["AXF2"].kind == "foxhole"
    assert not cg.state.forts["AXF2"].hidden
    assert len(played.of("fort-gone")) == 1
    assert cvp(cg) == (4, 2)
    assert (cg.state.side("axis").san, cg.state.side("allied").san) == (2, 5)
    assert (cg.state.side("axis").massacre, cg.state.side("allied").massacre) == (True, False)
    later = battle()
    later.state = cg.state
    again = report(
        later,
        {"massacre": True, "fires": [{"at": "M2", "now": "none"}]},
        {"terrain": [{"at": "C4", "what": "rubble", "gone": True}]},
    )
    assert not again.of("massacre-invoked"), "it lasts for the campaign"
    assert later.state.ground.flames == set()
    assert "rubble" not in later.state.ground.changes["C4"]


def test_a_crest_changes_hands_only_as_a_whole() -> None:
    cg = battle(strategic=["F5", "F6"])
    cg.__dict__["crests"] = (frozenset({"F5", "F6"}),)
    control = {"F5": "allied", "F6": "allied"}
    cg.state = cg.state.with_ground(control={**cg.state.ground.control, **control})
    report(cg, {"control": [{"location": "F5", "side": "axis"}]})
    assert cg.state.ground.crests == {"F5": "allied"}
    report(cg, {"control": [{"location": "F6", "side": "axis"}]})
    assert cg.state.ground.crests == {"F5": "axis"}


def test_artillery_air_support_and_groups_held_back() -> None:
    air = {"id": "AS1", "name": "Stuka", "kind": "air-support", "cost": 5}
    cg = battle()
    chart = [*cg.card.model_dump(mode="json")["sides"]["axis"]["chart"], air]
    cg = battle(sides={"axis": {"chart": chart}})
    group = cg.state.groups["axis", "O1/1"]
    plane = Group.model_validate(group.model_dump() | {"id": "AS1/1", "rg": "AS1"})
    cg.state = GroupJoined(group=plane).apply(cg.state)
    old = Group.model_validate(plane.model_dump() | {"id": "AS1/2", "lost": "the last firefight"})
    cg.state = GroupJoined(group=old).apply(cg.state)
    played = report(cg, {"oba": [{"group": "O1/1", "used": True}]})
    groups = {id_: one for (_, id_), one in cg.state.groups.items()}
    assert groups["O1/1"].used
    assert not groups["O1/1"].lost, "it leaves at 3.15"
    assert groups["AS1/1"].lost == "Air Support lasts for one firefight"
    assert groups["AS1/2"].lost == "the last firefight"
    assert groups["I1/2"].may_set_up, "held off the map the whole firefight (PL 2.32)"
    why = {fact.model_dump()["group"]: fact.why for fact in played.of("group-changed")}
    assert why["I1/2"] == "was held off the map"
    assert not groups["I1/1"].may_set_up
    assert all(fact.to == ("axis",) for fact in played.of("group-changed"))
    report(cg, {"units": [row("AX9", "E1")]})
    assert not cg.state.groups["axis", "I1/2"].may_set_up


def test_who_took_part_is_told_to_his_own_side() -> None:
    cg = battle()
    units = [gone("AX9", "removed"), gone("AX10", "removed", entered=True), gone("AX4", "exited")]
    played = report(cg, {"units": units})
    fought = {f.side: f for f in played.facts if isinstance(f, UnitFought)}
    assert fought["axis"].units == tuple(f"AX{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 10))
    assert fought["axis"].to == ("axis",)
    assert ours(cg, "AX1").fought
    assert not ours(cg, "AX9").fought


# The walkthrough --------------------------------------------------------------------------------


def test_the_end_of_the_first_battle() -> None:
    cg = battle()
    axis = {
        "units": [row("AX3", "C4", "wounded"), row("AX8", "", "malfunctioned"), gone("AX4")],
        "taken": [{"type": "LMG", "by": "AX1"}],
        "oba": [{"group": "O1/1", "used": True}],
        "fires": [{"at": "M2", "now": "flame"}],
        "cvp": [{"points": 20, "why": "other losses"}],
    }
    allied = {
        "units": [
            row("AL3", "C8"), row("AL4", "C8", "malfunctioned"), gone("AL5"),
            gone("AL2", "captured"),
        ],
        "cvp": [{"points": 11, "why": "other losses"}],
    }  # fmt: skip
    answers = {"battle-report@axis": axis, "battle-report@allied": allied}
    play(firefight_end, cg, answers=answers, dice=[(3,), (3,), (4,), (4,)])
    assert cvp(cg) == (21, 12)
    assert [cg.state.side(side).leaders_lost for side in SIDES] == [1, 1]
    assert ours(cg, "AX3").has(Mark.WOUNDED)
    assert ours(cg, "AL4").has(Mark.MALFUNCTIONED)
    assert cg.state.fight.last_player == "allied"


def test_the_end_of_the_second_battle() -> None:
    cg = battle()
    for at in ("G6", "E4"):
        cg.state, _ = unit(cg.state, "axis", "PzIVF2", "afv", at, known=True)
    axis = {
        "units": [row("AX5", "E5", "stun"), row("AX11", "G6", "immobilized"), row("AX12", "E4", "stun")],
        "control": [{"location": "C4", "side": "allied"}],
    }
    allied = {"units": [gone("AL7", "recalled")], "control": [{"location": "C4", "side": "allied"}]}
    report(cg, axis, allied)
    assert cg.state.ground.control["C4"] == "allied"
    assert ours(cg, "AX11").marks == {Mark.IMMOBILIZED}
    assert [ours(cg, name).marks for name in ("AX5", "AX12")] == [{Mark.STUN}, {Mark.STUN}]
    assert ours(cg, "AL7").place is Place.RECALLED
    assert cvp(cg) == (0, 0)
