"""New fortifications at setup: where each may stand, what comes of it, who sees it."""

from __future__ import annotations

from typing import Any

from laager.rules.board.hasl.setup.plan import Setting
from laager.rules.board.hasl.setup.setup import setting_up
from laager.rules.board.state import evolve
from laager.rules.board.units import Fort, Mark, Unit
from tests.historical.driver import Played, run
from tests.historical.setting import BridgeCg, RidgeCg, fort, question, ready, refusals, row, views
from tests.historical.setting import folded as folded_
from tests.historical.small import add, scene


def site(work: Fort, at: str, **more: Any) -> dict[str, Any]:
    return {"fort": work.id, "at": at, **more}


def said(cg: Any, *rows: dict[str, Any]) -> list[str]:
    return refusals(cg, "allied", forts=list(rows))


def built(cg: Any, *rows: dict[str, Any]) -> Played:
    return run(setting_up, cg, answers={"setup@allied": {"forts": list(rows)}})


def soldier(cg: Any, at: str = "B4") -> Unit:
    return add(cg, "allied", "6-4-8", "squad", at, area="W")


def test_each_stands_in_a_friendly_setup_area_on_ground_that_takes_it() -> None:
    cg = ready(scene())
    soldier(cg)
    foxhole, wire, block = (fort(cg, "allied", kind) for kind in ("foxhole", "wire", "roadblock"))
    assert said(cg, site(foxhole, "F2"), site(wire, "B4.1"), site(wire, "C2")) == [
        "forts[1].at: F2 is outside your Setup Areas; a hex inside one",
        "forts[2].at: 'B4.1' is not a Location of the map; did you mean B4 or B1?",
        f"forts[3].fort: {wire.id} is placed twice; place each once",
    ]
    assert said(cg, site(foxhole, "B4", dc="AL1", count=2)) == [
        "forts[1].count: 2 of one; give each a row of its own",
        "forts[1].at: Foxhole cannot stand in B4; neither a building nor water",
        "forts[1].dc: only a Set DC takes a DC; leave it out",
    ]
    assert said(cg, site(block, "C2", hexside="C3")) == [
        "forts[1].hexside: no road runs from C2 to C3; a hexside that a road crosses"
    ]


def test_in_an_isolated_area_only_what_may_be_added_there() -> None:
    cg = ready(scene(charts={"fortifications": [{"kind": "wire", "cost": 6, "isolated": False}]}))
    areas = tuple(area.but(isolated=area.name == "W") for area in cg.state.areas)
    cg.state = evolve(cg.state, areas=areas)
    soldier(cg)
    wire, foxhole = fort(cg, "allied", "wire"), fort(cg, "allied", "foxhole")
    assert said(cg, site(wire, "C2"), site(foxhole, "C4")) == [
        "forts[1].at: C2 is Isolated; you can't add a wire there"
    ]


def test_where_isolated_ones_come_first_the_rest_waits() -> None:
    cg = ready(scene(context=RidgeCg))
    soldier(cg)
    assert Setting(cg, "allied", isolated=True).forts == ()
    fort(cg, "allied", "wire")
    assert Setting(cg, "allied", isolated=True).forts == ()
    cg.state = evolve(cg.state, areas=tuple(area.but(isolated=area.name == "W") for area in cg.state.areas))
    assert len(Setting(cg, "allied", isolated=True).forts) == 1
    asked = question(cg, "allied", isolated=False)
    assert not asked.allows({"forts": [site(next(iter(cg.state.forts.values())), "C2")]})


def test_what_stands_in_the_open_is_seen_and_what_hides_is_not() -> None:
    cg = ready(scene())
    soldier(cg)
    foxhole, wire, shown = (fort(cg, "allied", kind) for kind in ("foxhole", "wire", "wire"))
    before = views(cg)
    facts = built(cg, site(foxhole, "C2"), site(wire, "C4"), site(shown, "C5", show=True)).facts
    seen = folded_(before["axis"], facts).forts
    assert {one.at for one in seen.values()} == {"C2", "C5"}
    assert (cg.state.forts[wire.id].at, cg.state.forts[wire.id].hidden) == ("C4", True)


def test_question_marks_become_dummies() -> None:
    cg = ready(scene())
    soldier(cg)
    marks = fort(cg, "allied", "concealment", count=3)
    assert said(cg, site(marks, "C2", count=2), site(marks, "C4", count=2)) == [
        f'forts: you place 4 "?" of {marks.id}; you have 3'
    ]
    built(cg, site(marks, "C2", count=2))
    assert sorted((one.at or "", one.count) for one in cg.state.forts.values()) == [("", 1), ("C2", 2)]


def test_an_upgrade_makes_a_better_one_of_what_is_there() -> None:
    cg = ready(scene())
    soldier(cg)
    old = fort(cg, "allied", "foxhole", at="C2", hidden=False)
    one, two = (fort(cg, "allied", "trench-upgrade") for _ in range(2))
    assert said(cg, site(one, "C4")) == ["forts[1].at: you have no foxhole in C4; one of yours that becomes a trench"]
    assert "2 upgrades in C2; one for each hex in a CG Scenario" in "".join(said(cg, site(one, "C2"), site(two, "C2")))
    before = views(cg)
    facts = built(cg, site(one, "C2")).facts
    assert old.id not in cg.state.forts
    assert cg.state.forts[one.id].kind == "trench"
    assert [fort_.kind for fort_ in folded_(before["axis"], facts).forts.values()] == ["trench"]


def test_a_pillbox_made_of_a_trench_is_a_location_of_its_own() -> None:
    cg = ready(scene())
    squad = soldier(cg, "C4")
    fort(cg, "allied", "trench", at="C2")
    made = fort(cg, "allied", "pillbox-upgrade")
    answer = {"units": [row(squad, "C2.p")], "forts": [site(made, "C2")]}
    run(setting_up, cg, answers={"setup@allied": answer})
    assert (cg.state.forts[made.id].kind, cg.state.forts[made.id].at) == ("pillbox", "C2.p")
    assert cg.state.units[squad.id].at == "C2.p"


def test_a_pillbox_is_a_location_of_its_own_and_holds_a_gun() -> None:
    cg = ready(scene(context=BridgeCg))
    crew = add(cg, "allied", "2-2-8", "crew", "C2", area="W")
    add(cg, "allied", "57L AT OQF 6pdr 7cwt", "gun", "C2", area="W", with_unit=crew.id)
    pillbox = fort(cg, "allied", "pillbox")
    answer = {"units": [{"unit": crew.id, "at": "C2.p"}], "forts": [site(pillbox, "C2")]}
    run(setting_up, cg, answers={"setup@allied": answer})
    assert cg.state.forts[pillbox.id].at == "C2.p"
    assert cg.state.units["AL2"].has(Mark.FIXED)


def test_a_dc_is_set_where_one_can_be() -> None:
    cg = ready(scene())
    squad = soldier(cg)
    dc = add(cg, "allied", "DC", "sw", "B4", area="W", with_unit=squad.id, known=True)
    off = add(cg, "allied", "DC", "sw", area="A4")
    work, second = (fort(cg, "allied", "set-dc") for _ in range(2))
    assert said(cg, site(work, "C2", dc=dc.id)) == [
        "forts[1].at: you can't set a DC in C2; a building, hut, rubble, bridge, pillbox or trench Location"
    ]
    assert said(cg, site(work, "B4"), site(second, "B5", dc=off.id)) == [
        "forts[1].dc: no DC is named; name the DC that you set",
        f"forts[2].dc: {off.label} is with nobody on the map; a DC of a unit on the map, not in Reserve",
    ]
    assert said(cg, site(work, "B4", dc=dc.id), site(second, "B5", dc=dc.id))[0] == (
        f"forts[1].dc: {dc.label} is set twice; set each DC once"
    )
    built(cg, site(work, "B5", dc=dc.id))
    assert cg.state.forts[work.id].at == "B5"
    assert not cg.state.units[dc.id].in_play


def test_places_are_proposed_near_the_enemy() -> None:
    cg = ready(scene())
    soldier(cg)
    fort(cg, "allied", "wire")
    fort(cg, "allied", "panji", factors=2)
    rows = question(cg, "allied").default["forts"]
    assert [row["at"] for row in rows] == ["D0", "D1"]
    assert len(rows[1]["hexside"].split(", ")) == 2
