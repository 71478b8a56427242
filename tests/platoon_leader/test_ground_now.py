"""Rules ask the ground as it is now: what has burnt down, fallen or been cleared isn't what was printed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from laager.hexmap import HexMap
from laager.rules.board.facts import FireChanged, TerrainChanged
from laager.rules.board.places import can_burn, is_accessible, terrain_faults
from laager.rules.board.report.ground import ground_problems, terrain_facts
from laager.rules.board.setup.hiding import is_in_cover, is_in_the_open
from laager.rules.board.units import Mark
from laager.rules.platoon_leader.reorganization.clearance import clearable, fortification_clearance
from laager.rules.platoon_leader.reorganization.fires import fires
from laager.rules.platoon_leader.report.form import TERRAIN
from tests.platoon_leader.fight import fort
from tests.platoon_leader.scene import add, now, scene, set_ground
from tests.steps import play


def ground(**more: Any) -> Any:
    """Return the scene on a map with a bigger copse and a house of three storeys in C4."""
    cg = scene(**more)
    data = cg.map.to_data()
    data["hexes"] = [[name, q, r, "woods" if name in {"L1", "L2"} else kind] for name, q, r, kind in data["hexes"]]
    data["buildings"][0] |= {"levels": 2}
    cg.replace_map(HexMap.from_data(data))
    return cg


def happened(cg: Any, *facts: Any) -> None:
    for fact in facts:
        cg.state = fact.apply(cg.state)


def burnt(*names: str) -> FireChanged:
    return FireChanged(flames=frozenset(), blazes=frozenset(), burnt=frozenset(names))


def test_burnt_woods_are_no_woods_line() -> None:
    cg = ground()
    assert "woods-line" in cg.strategic()["L1"]
    happened(cg, burnt("L1"))
    assert "L1" not in cg.strategic()
    assert "L2" in cg.strategic(), "three hexes of woods still form one"
    happened(cg, burnt("M2"))
    assert "L2" not in cg.strategic(), "two don't"


def test_upper_locations_fall_with_their_building() -> None:
    cg = ground()
    happened(cg, TerrainChanged(at="C4.1", what="rubble"))
    assert cg.strategic()["C4.1"] == {"building", "rubble"}
    happened(cg, TerrainChanged(at="C4", what="rubble"))
    assert [at for at in cg.strategic() if at.startswith("C4")] == ["C4"]
    assert cg.strategic()["C4"] == {"rubble", "tvp"}


def test_cleared_rubble_is_no_building_again() -> None:
    cg = ground()
    happened(cg, TerrainChanged(at="C4", what="rubble"))
    cleared = {"clearance": [{"item": "rubble C4", "bulldozer": 0}]}
    play(fortification_clearance, cg, "axis", answers=cleared, dice=[(1,)])
    assert {at: why for at, why in cg.strategic().items() if at.startswith("C4")} == {"C4": {"tvp"}}
    assert [fault[0] for fault in terrain_faults(cg, "fortified-building", "C4")] == ["C4 is not a building Location"]
    assert not list(terrain_faults(cg, "foxhole", "C4"))
    assert (is_in_the_open(cg, "C4"), is_in_cover(cg, "C4"), can_burn(cg, "C4")) == (True, False, False)
    # Undone by a fact that says that it is there again.
    happened(cg, TerrainChanged(at="C4", what="rubble"))
    assert cg.strategic()["C4"] == {"rubble", "tvp"}


def test_nobody_digs_in_rubble_of_a_building_and_it_burns_once() -> None:
    cg = ground()
    happened(cg, TerrainChanged(at="C4", what="rubble"))
    assert list(terrain_faults(cg, "foxhole", "C4"))
    assert list(terrain_faults(cg, "fortified-building", "C4"))
    assert can_burn(cg, "C4")
    happened(cg, burnt("C4"))
    assert not can_burn(cg, "C4")
    assert is_in_cover(cg, "C4")


def test_printed_rubble_can_be_cleared() -> None:
    cg = ground()
    hexes = {**cg.map.hexes, "D4": replace(cg.map.hexes["D4"], terrain="rubble")}
    cg.replace_map(replace(cg.map, hexes=hexes))
    assert [item.name for item in clearable(cg, "axis")] == ["rubble D4"]
    assert "D4" in cg.strategic()
    (fact,) = terrain_facts(cg, [{"at": "D4", "what": "rubble", "gone": True}])
    happened(cg, fact)
    assert "D4" not in cg.strategic()
    assert clearable(cg, "axis") == []


def test_who_stood_upstairs_stands_on_the_rubble() -> None:
    cg = ground()
    squad = add(cg, "axis", "4-6-7", "squad", "C4.2", Mark.CONCEALED)
    weapon = add(cg, "axis", "LMG", "sw", "C4.2", with_unit=squad.id)
    below = add(cg, "axis", "4-6-7", "squad", "C4")
    facts = []
    for fact in terrain_facts(cg, [{"at": "C4", "what": "rubble", "gone": False}]):
        happened(cg, fact)
        facts.append(fact)
    assert [now(cg, unit).at for unit in (squad, weapon, below)] == ["C4"] * 3
    assert now(cg, weapon).with_unit == squad.id
    assert now(cg, squad).has(Mark.CONCEALED)
    assert [fact.to for fact in facts] == [None, ("axis",), ("axis",)]


def test_upper_rubble_moves_nobody() -> None:
    cg = ground()
    squad = add(cg, "axis", "4-6-7", "squad", "C4.2")
    (fact,) = terrain_facts(cg, [{"at": "C4.1", "what": "rubble", "gone": False}])
    happened(cg, fact)
    assert now(cg, squad).at == "C4.2"


def test_who_cannot_flee_upstairs_of_a_burnt_house_falls() -> None:
    cg = ground()
    cg.state = cg.state.with_fight(number=2)
    set_ground(cg, blazes=frozenset({"C4"}))
    gun = add(cg, "axis", "LMG", "sw", "C4.1")
    play(fires, cg)
    assert cg.state.ground.changes["C4"] == {"rubble"}
    assert now(cg, gun).at == "C4"


@pytest.mark.parametrize(
    ("reading", "fallen", "left"),
    [
        ("gone", "C4", {"F2"}),
        ("gone", "C4.1", {"C4", "C4.2", "F2"}),
        ("stays", "C4", {"C4", "C4.1", "C4.2", "F2"}),
        ("stays", "C4.1", {"C4", "C4.1", "C4.2", "F2"}),
    ],
)
def test_what_was_fortified_goes_with_its_building_or_stays(reading: str, fallen: str, left: set[str]) -> None:
    cg = ground(readings={"fortified-rubble": reading})
    strong = [fort(cg, "axis", "fortified-building", at=at, hidden=at == "C4.1") for at in ("C4", "C4.1", "C4.2", "F2")]
    fort(cg, "axis", "wire", at="C4")
    seen = {}
    for fact in terrain_facts(cg, [{"at": fallen, "what": "rubble", "gone": False}]):
        happened(cg, fact)
        seen[getattr(fact, "fort", "")] = fact.to
    assert {one.at for one in cg.state.forts.values() if one.kind == "fortified-building"} == left
    assert any(one.kind == "wire" for one in cg.state.forts.values())
    assert seen == {"": None} | {one.id: ("axis",) if one.hidden else None for one in strong if one.at not in left}


@pytest.mark.parametrize(("reading", "left"), [("gone", 0), ("stays", 1)])
def test_what_was_fortified_burns_down_with_its_building_or_stays(reading: str, left: int) -> None:
    cg = ground(readings={"fortified-rubble": reading})
    cg.state = cg.state.with_fight(number=2)
    set_ground(cg, blazes=frozenset({"C4"}))
    fort(cg, "axis", "fortified-building", at="C4.1")
    play(fires, cg)
    assert len(cg.state.forts) == left


@pytest.mark.parametrize("at", ["C4", "C4.1"])
def test_a_viewer_sees_the_same_ground(at: str) -> None:
    cg = ground()
    before = cg.state
    happened(cg, TerrainChanged(at="C4", what="rubble"))
    assert (at in cg.strategic()) is (at == "C4")
    assert at in cg.with_state(before).strategic(), "another state, another ground"


def test_a_report_can_not_clear_what_is_not_there() -> None:
    cg = ground()
    answer: Any = {"control": [], "fires": [], "terrain": [{"at": "D4", "what": "rubble", "gone": True}]}
    assert [p.what for p in ground_problems(cg, "axis", answer, (), "")] == ["there was no rubble in D4"]


def test_a_destroyed_bridge_is_none() -> None:
    cg = ground()
    bridge = replace(cg.map.hexes["F6"], features=frozenset({"bridge"}), watercourses=frozenset({"river"}))
    cg.replace_map(replace(cg.map, hexes={**cg.map.hexes, "F6": bridge}))
    assert (is_accessible(cg, "F6"), "F6" in cg.strategic()) == (True, True)
    (fact,) = terrain_facts(cg, [{"at": "F6", "what": "bridge-destroyed", "gone": False}])
    assert "bridge-destroyed" in TERRAIN
    happened(cg, fact)
    assert (is_accessible(cg, "F6"), "F6" in cg.strategic()) == (False, False)
