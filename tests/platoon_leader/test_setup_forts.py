"""PL 2.38 at setup: where fortifications stand, who sees them; and OBA at setup (CG4)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.facts import GroupChanged, Noted
from laager.rules.board.units import Fort, Place
from laager.rules.platoon_leader.buying.fortifications import fortifying
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.reorganization.clearance import clearable
from laager.rules.platoon_leader.reorganization.end_of_battle import marker_removal
from laager.rules.platoon_leader.setup.plan import DUMMIES, Setting
from laager.rules.platoon_leader.setup.setup import PlSetup, setting_up
from tests.platoon_leader.fight import ON_MAP, RESERVE, bare, begun, buy, determined, fort, join, later, seen_by, told
from tests.platoon_leader.small import map_data
from tests.steps import Played, play


def site(what: Fort | str, at: str, **more: Any) -> dict[str, Any]:
    return {"fort": what if isinstance(what, str) else what.id, "at": at, **more}


def with_forts(sites: tuple[dict[str, Any], ...], more: dict[str, Any]) -> dict[str, Any]:
    return {**more, "forts": list(sites)} if sites else more


def wrong(cg: Cg, side: str, *sites: dict[str, Any], **more: Any) -> str:
    with pytest.raises(DataError) as caught:
        PlSetup(Setting(cg, side)).question().accept(with_forts(sites, more))
    return str(caught.value)


def legal(cg: Cg, side: str, *sites: dict[str, Any], **more: Any) -> bool:
    return PlSetup(Setting(cg, side)).question().allows(with_forts(sites, more))


def set_up(cg: Cg, side: str, *sites: dict[str, Any], **more: Any) -> Played:
    answers: dict[str, Any] = {"setup@axis": {}, "setup@allied": {}}
    answers[f"setup@{side}"] = with_forts(sites, more)
    return play(setting_up, determined(cg), answers=answers)


def with_roads() -> Cg:
    cg = bare()
    data = {**map_data(), "roads": [["paved", "D8", "D9", "D10"]]}
    cg.replace_map(cg.map.from_data(data))
    return cg


# Where ------------------------------------------------------------------------------------------


def test_fortifications_stand_in_the_setup_area_or_the_mlr() -> None:
    cg = bare()
    wire = fort(cg, "axis", "wire")
    assert legal(cg, "axis", site(wire, "D4"))
    assert "forts[1].at: G5 is outside the setup area" in wrong(cg, "axis", site(wire, "G5"))
    later(cg)
    assert legal(cg, "axis", site(wire, "B1"))
    assert "G5 is outside the friendly MLR" in wrong(cg, "axis", site(wire, "G5"))


@pytest.mark.parametrize(
    ("kind", "fine"),
    [
        ("foxhole", True),
        ("sangar", True),
        ("concealment", True),
        ("fortified-building", True),
        ("wire", False),
        ("a-p-mines", False),
        ("trip-flares", False),
    ],
)
def test_only_what_has_mark_i_is_added_to_an_isolated_location(kind: str, fine: bool) -> None:
    cg = later(bare())
    assert "G2" in Setting(cg, "allied").ground.isolated
    one = fort(cg, "allied", kind, size="1" if kind == "foxhole" else "")
    at = "G2" if kind == "fortified-building" else "F2"
    assert legal(cg, "allied", site(one, at)) is fine
    if not fine:
        assert f"{at} is Isolated; you can add only foxholes" in wrong(cg, "allied", site(one, at))


def test_each_is_placed_once_and_somewhere() -> None:
    cg = bare()
    wire = fort(cg, "axis", "wire")
    assert "is placed twice" in wrong(cg, "axis", site(wire, "D4"), site(wire, "D5"))
    assert "'X99' is not a Location" in wrong(cg, "axis", site(wire, "X99"))
    assert "2 of one" in wrong(cg, "axis", site(wire, "D4", count=2))


def test_what_fills_a_hex_takes_the_hex() -> None:
    cg = bare()
    box, wire = fort(cg, "axis", "pillbox", size="1+3+5"), fort(cg, "axis", "wire")
    assert legal(cg, "axis", site(box, "D4"), site(wire, "D4"))
    assert "Wire takes the hex" in wrong(cg, "axis", site(box, "D4"), site(wire, "D4.p"))
    strong = fort(cg, "axis", "fortified-building")
    assert "D5 is not a building Location" in wrong(cg, "axis", site(strong, "D5"))
    pit = fort(cg, "axis", "foxhole", size="2")
    assert "Foxhole cannot stand in C4" in wrong(cg, "axis", site(pit, "C4"))
    mines = fort(cg, "axis", "a-b-mines", factors=3)
    assert "D4 is not a water hex" in wrong(cg, "axis", site(mines, "D4"))


def test_a_roadblock_needs_a_road_across_its_hexside() -> None:
    cg = with_roads()
    block = fort(cg, "allied", "roadblock")
    assert legal(cg, "allied", site(block, "D9", hexside="D8"))
    assert "no road runs from D9 to E9" in wrong(cg, "allied", site(block, "D9", hexside="E9"))
    assert "A10 is not adjacent to D9" in wrong(cg, "allied", site(block, "D9", hexside="A10"))
    assert "0 hexsides named; the hex beyond" in wrong(cg, "allied", site(block, "D9"))
    wire = fort(cg, "allied", "wire")
    assert "it has no hexside" in wrong(cg, "allied", site(wire, "D9", hexside="D8"))
    set_up(cg, "allied", site(block, "D9", hexside="D8"))
    assert cg.state.forts[block.id].hexside == "D8"


def test_panji_fill_as_many_hexsides_as_were_bought() -> None:
    cg = bare()
    panji = fort(cg, "allied", "panji", factors=2)
    assert legal(cg, "allied", site(panji, "D9", hexside="D8, E9"))
    assert "1 hexside named; 2 adjacent hexes" in wrong(cg, "allied", site(panji, "D9", hexside="D8"))
    assert "2 hexsides named" in wrong(cg, "allied", site(panji, "D9", hexside="D8, D8"))
    set_up(cg, "allied", site(panji, "D9", hexside="D8 E9"))
    assert cg.state.forts[panji.id].hexside == "D8, E9"


def test_factors_are_added_to_a_minefield_that_is_there() -> None:
    cg = later(bare())
    fort(cg, "axis", "a-p-mines", factors=6, at="D5", hidden=True)
    more = fort(cg, "axis", "a-p-mines", factors=2)
    set_up(cg, "axis", site(more, "D5"))
    (mines,) = clearable(cg, "axis")
    assert sum(one.factors for one in mines.forts) == 8


def test_what_is_not_placed_waits() -> None:
    cg = bare()
    wire = fort(cg, "axis", "wire")
    set_up(cg, "axis")
    assert cg.state.forts[wire.id].at is None


# Set DC (PL 2.38 note 8) ------------------------------------------------------------------------


def dc_ready() -> tuple[Cg, Fort, str, dict[str, Any]]:
    cg = bare()
    squad = join(cg, "axis", "4-6-7", "squad")
    dc = join(cg, "axis", "DC", "sw", with_unit=squad.id)
    units = {"units": [{"unit": squad.id, "at": "C4"}]}
    return cg, fort(cg, "axis", "set-dc"), dc.id, units


def test_a_dc_of_a_unit_on_map_is_set_in_a_building() -> None:
    cg, charge, dc, units = dc_ready()
    cg.state = cg.state.with_unit(dc, lambda unit: unit.model_copy(update={"known": True}))
    played = set_up(cg, "axis", site(charge, "C4", dc=dc), **units)
    assert cg.state.forts[charge.id].at == "C4"
    assert cg.state.forts[charge.id].hidden
    assert cg.state.units[dc].place is Place.REMOVED
    enemy = seen_by(played.facts, "allied")
    assert charge.id not in enemy.forts
    assert "set in C4" not in told(played, "allied")


def test_a_dc_may_be_set_in_a_pillbox_of_the_same_setup_and_in_rubble() -> None:
    cg, charge, dc, units = dc_ready()
    box = fort(cg, "axis", "pillbox", size="1+3+5")
    assert "you can't set a DC in D4" in wrong(cg, "axis", site(charge, "D4", dc=dc), **units)
    both = (site(box, "D4"), site(charge, "D4.p", dc=dc))
    assert legal(cg, "axis", *both, **units)
    cg.state = cg.state.with_ground(changes={"D5": frozenset({"rubble"})})
    assert legal(cg, "axis", site(charge, "D5", dc=dc), **units)
    fort(cg, "axis", "trench", at="C3")
    assert legal(cg, "axis", site(charge, "C3", dc=dc), **units)


def test_a_set_dc_needs_controlled_terrain_and_a_dc_on_map() -> None:
    cg, charge, dc, units = dc_ready()
    said = wrong(cg, "axis", site(charge, "C8", dc=dc), **units)
    assert "C8 is not friendly Controlled Terrain" in said
    assert "no DC is named" in wrong(cg, "axis", site(charge, "C4"), **units)
    assert "is with nobody on the map" in wrong(cg, "axis", site(charge, "C4", dc=dc))
    other = fort(cg, "axis", "set-dc")
    twice = (site(charge, "C4", dc=dc), site(other, "C4", dc=dc))
    assert "is set twice" in wrong(cg, "axis", *twice, **units)
    wire = fort(cg, "axis", "wire")
    assert "only a Set DC takes a DC" in wrong(cg, "axis", site(wire, "D4", dc=dc), **units)


def test_no_dc_of_a_reserve_is_set() -> None:
    cg = bare()
    group = buy(cg, "axis", "I1", RESERVE)
    squad = next(u for u in cg.state.units_of("axis", "squad") if u.group == group)
    dc = join(cg, "axis", "DC", "sw", with_unit=squad.id)
    charge = fort(cg, "axis", "set-dc")
    units = {"units": [{"unit": squad.id, "at": "C3"}]}
    assert "is with nobody on the map" in wrong(cg, "axis", site(charge, "C4", dc=dc.id), **units)


# Dummies (PL 2.33, 2.38 note 2) -----------------------------------------------------------------


def test_reserves_bring_a_dummy_for_each_group() -> None:
    cg = bare()
    buy(cg, "allied", "I1", RESERVE)
    buy(cg, "allied", "HW1", RESERVE)
    assert Setting(cg, "allied").dummies == 2
    two = (site(DUMMIES, "A10"), site(DUMMIES, "B10"))
    assert legal(cg, "allied", *two)
    assert 'you place 3 "?" of reserve-dummies; you have 2' in wrong(cg, "allied", *two, site(DUMMIES, "C10"))
    assert "B6 is too near the enemy for a Reserve" in wrong(cg, "allied", site(DUMMIES, "B6"))
    played = set_up(cg, "allied", site(DUMMIES, "A10", count=2))
    (dummy,) = [one for one in cg.state.forts.values() if one.kind == "concealment"]
    assert (dummy.at, dummy.count, dummy.size) == ("A10", 2, "cloaking")
    assert seen_by(played.facts, "axis").forts == {}


@pytest.mark.parametrize(("reading", "left"), [("removed", set()), ("question-marks", {("A10", "", 2)})])
def test_what_becomes_of_dummies_of_reserves(reading: str, left: set[tuple[str, str, int]]) -> None:
    cg = bare(readings={"reserve-dummies": reading})
    buy(cg, "allied", "I1", RESERVE)
    buy(cg, "allied", "HW1", RESERVE)
    bought = fort(cg, "allied", "concealment")
    set_up(cg, "allied", site(DUMMIES, "A10", count=2), site(bought, "D8"))
    ended = play(marker_removal, cg, "allied")
    dummies = {(one.at, one.size, one.count) for one in cg.state.forts.values() if one.kind == "concealment"}
    assert dummies == left | {("D8", "", 1)}
    assert seen_by(ended.facts, "axis").forts == {}


def test_groups_set_up_normally_bring_no_dummies() -> None:
    cg = bare()
    buy(cg, "allied", "I1", ON_MAP)
    assert Setting(cg, "allied").dummies == 0


def test_bought_question_marks_are_dummies_of_either_sort() -> None:
    cg = bare()
    marks = fort(cg, "allied", "concealment", count=3)
    rows = (site(marks, "D8"), site(marks, "A10", cloaking=True, count=2))
    assert legal(cg, "allied", *rows)
    assert "is too near the enemy for a Reserve" in wrong(cg, "allied", site(marks, "B6", cloaking=True))
    said = wrong(cg, "allied", *rows, site(marks, "D9"))
    assert f'you place 4 "?" of {marks.id}; you have 3' in said
    wire = fort(cg, "allied", "wire")
    assert "Wire is not a Dummy" in wrong(cg, "allied", site(wire, "D8", cloaking=True))
    set_up(cg, "allied", *rows)
    assert marks.id not in cg.state.forts
    placed = {(one.at, one.size, one.count) for one in cg.state.forts.values() if one.at}
    assert placed == {("D8", "", 1), ("A10", "cloaking", 2)}


def test_question_marks_serve_dummies_and_units_once_only() -> None:
    cg = bare()
    marks = fort(cg, "allied", "concealment", count=2)
    squad = join(cg, "allied", "4-4-7", "squad")
    units = {"units": [{"unit": squad.id, "at": "D8", "hide": "concealed"}]}
    assert legal(cg, "allied", site(marks, "D9"), **units)
    said = wrong(cg, "allied", site(marks, "D9", count=2), **units)
    assert 'you need 3 "?"; you bought 2' in said


def test_dummies_and_units_use_up_one_question_mark_each() -> None:
    cg = bare()
    marks = fort(cg, "allied", "concealment", count=4)
    squad = join(cg, "allied", "4-4-7", "squad")
    units = {"units": [{"unit": squad.id, "at": "D8", "hide": "concealed"}]}
    set_up(cg, "allied", site(marks, "D9", count=2), **units)
    assert cg.state.forts[marks.id].count == 1


# Who sees what ----------------------------------------------------------------------------------


def test_the_enemy_sees_what_is_shown_or_stands_in_the_open() -> None:
    cg = bare()
    pit, box = fort(cg, "axis", "foxhole", size="1"), fort(cg, "axis", "pillbox", size="1+3+5")
    wire, mines = fort(cg, "axis", "wire"), fort(cg, "axis", "a-p-mines", factors=6)
    rows = [site(pit, "D4"), site(box, "D5"), site(wire, "D3", show=True), site(mines, "C5")]
    played = set_up(cg, "axis", *rows)
    seen = seen_by(played.facts, "allied").forts
    assert {name: one.kind for name, one in seen.items()} == {pit.id: "foxhole", wire.id: "wire"}
    for text in (box.id, mines.id, "D5", "C5"):
        assert text not in told(played, "allied")
    assert [cg.state.forts[one.id].hidden for one in (pit, box, wire, mines)] == [
        False, True, False, True,
    ]  # fmt: skip


def test_an_entrenchment_in_cover_stays_hidden() -> None:
    cg = bare(sides={"axis": {"setup": ["A3-M3", "A4-M4", "M1", "M2"]}})
    pit = fort(cg, "axis", "foxhole", size="1")
    played = set_up(cg, "axis", site(pit, "M1"))
    assert seen_by(played.facts, "allied").forts == {}


def test_known_minefields_and_dummies_look_alike() -> None:
    cg = bare()
    real = fort(cg, "axis", "a-t-mines", factors=4, known_minefield=True, hidden=False, fp=16)
    dummy = fort(cg, "axis", "dummy-minefield", fp=3)
    played = set_up(cg, "axis", site(real, "D4"), site(dummy, "D5"))
    seen = seen_by(played.facts, "allied").forts
    looks = {one.model_copy(update={"id": "", "at": ""}).model_dump_json() for one in seen.values()}
    assert len(seen) == 2
    assert len(looks) == 1
    assert {(one.factors, one.fp, one.size) for one in seen.values()} == {(0, 0, "")}
    for text in ("a-t", "dummy", "Dummy"):
        assert text not in told(played, "allied")
    assert cg.state.forts[real.id].factors == 4
    assert cg.state.forts[dummy.id].kind == "dummy-minefield"
    own = seen_by(played.facts, "axis").forts
    assert (own[real.id].kind, own[real.id].factors) == ("a-t-mines", 4)


def test_a_pillbox_is_a_location_of_its_own() -> None:
    cg = bare()
    box = fort(cg, "axis", "pillbox", size="1+3+5")
    squad = join(cg, "axis", "4-6-7", "squad")
    units = {"units": [{"unit": squad.id, "at": "D4.p", "hide": "concealed"}]}
    set_up(cg, "axis", site(box, "D4"), **units)
    assert cg.state.forts[box.id].at == "D4.p"
    assert cg.state.units[squad.id].at == "D4.p"


def test_nobody_sets_up_in_a_pillbox_of_the_enemy() -> None:
    cg = bare(sides={"axis": {"setup": ["A3-M3", "A4-M4", "A8-M8"]}})
    fort(cg, "allied", "pillbox", size="1+3+5", at="D8.p")
    squad = join(cg, "axis", "4-6-7", "squad")
    question = PlSetup(Setting(cg, "axis")).question()
    assert question.allows({"units": [{"unit": squad.id, "at": "D8"}]})
    assert not question.allows({"units": [{"unit": squad.id, "at": "D8.p"}]})


def test_booby_traps_and_hip_have_no_place() -> None:
    cg = bare(sides={"axis": {"fortifications": {"booby_traps": True}}})
    play(fortifying, cg, "axis", {"fortifications": {"cp": 4, "works": [{"type": "booby-traps"}]}})
    fort(cg, "axis", "hip", size="squad")
    assert Setting(cg, "axis").forts == ()
    (traps,) = [one for one in cg.state.forts.values() if one.kind == "booby-traps"]
    assert set(traps.area) == cg.setup_area("axis"), "CG12: the area of the time"


# OBA (PL CG4) -----------------------------------------------------------------------------------


def modules(count: int, equipment: str = "radio", **changes: Any) -> Cg:
    cg = bare(**changes)
    for _ in range(count):
        name = buy(cg, "axis", "O1")
        fact = GroupChanged(side="axis", group=name, changes={"equipment": equipment})
        cg.state = fact.apply(cg.state)
    return cg


def usable(cg: Cg) -> list[str]:
    return [group.id for group in cg.state.groups_of("axis") if group.usable]


def test_one_module_is_not_asked_about() -> None:
    cg = modules(1)
    assert all(question.empty for question in play(setting_up, determined(cg)).asked)
    assert usable(cg) == ["O1/1"]


def test_two_modules_at_most_are_used_and_the_owner_names_them_in_secret() -> None:
    cg = modules(3)
    question = PlSetup(Setting(cg, "axis")).question()
    assert question.secret
    assert question.default["modules"] == ["O1/1", "O1/2"]
    with pytest.raises(DataError, match="3 OBA modules; use 2 at most in one firefight"):
        question.accept({"modules": ["O1/1", "O1/2", "O1/3"]})
    played = set_up(cg, "axis", modules=["O1/3", "O1/2"])
    assert usable(cg) == ["O1/2", "O1/3"]
    assert all(fact.to == ("axis",) for fact in played.facts)
    set_up(cg, "axis", modules=["O1/1"])
    assert usable(cg) == ["O1/1"]


def line(hexes: str, module: str = "O1/1") -> dict[str, Any]:
    return {"lines": [{"module": module, "hexes": hexes}]}


def test_a_security_area_over_friendly_ground_holds() -> None:
    cg = later(modules(1, "field-phone"))
    played = set_up(cg, "axis", **line("C4-C1"))
    assert usable(cg) == ["O1/1"]
    assert played.facts == []


def test_a_security_area_is_cut_by_no_mans_land_and_foreign_ground() -> None:
    cg = later(modules(1, "field-phone"))
    assert cg.front is not None
    assert "E3" in cg.front.no_mans_land
    played = set_up(cg, "axis", **line("E4 E3 E2 E1"))
    assert usable(cg) == []
    (note,) = [fact for fact in played.facts if isinstance(fact, Noted)]
    assert "O1/1 is cut in E3, E2, E1" in note.text
    assert note.to == ("axis",)


def test_at_first_the_setup_area_counts_for_the_wire() -> None:
    cg = modules(1, "field-phone")
    set_up(cg, "axis", **line("C4-C1"))
    assert usable(cg) == [], "C2 and C1 are outside"
    wide = modules(1, "field-phone", sides={"axis": {"setup": ["A1-M1", "C1-C5"]}})
    set_up(wide, "axis", **line("C4-C1"))
    assert usable(wide) == ["O1/1"]


@pytest.mark.parametrize(
    ("hexes", "said"),
    [
        ("C4 C2 C1", "C4 and C2 are not adjacent"),
        ("C4-C2", "C2 is on no Friendly Map Edge; end on the north edge"),
        ("X9", "X9 is not in play"),
        ("", "no hexes are named"),
        ("C4-D7", "C4 and D7 are not adjacent"),
    ],
)
def test_a_security_area_is_drawn_from_phone_to_edge(hexes: str, said: str) -> None:
    assert said in wrong(modules(1, "field-phone"), "axis", **line(hexes))


def test_a_side_without_a_map_edge_is_told_that_no_wire_can_lead_to_one() -> None:
    nowhere = modules(1, "field-phone", sides={"axis": {"friendly_edges": [], "entry_hexes": []}})
    said = "the Germans have no Friendly Map Edge and no entry hexes; draw no Security Area: it would have to end there"
    assert said in wrong(nowhere, "axis", **line("C4-C1"))


def test_each_module_has_one_security_area() -> None:
    cg = modules(1, "field-phone")
    two = {"lines": [*line("C4-C1")["lines"], *line("C4-C1")["lines"]]}
    assert "O1/1 has two Security Areas" in wrong(cg, "axis", **two)


def test_radios_need_none() -> None:
    fields = PlSetup(Setting(modules(2), "axis")).question().form.describe()["fields"]
    assert [field["name"] for field in fields] == ["modules"]


# Proposals --------------------------------------------------------------------------------------


def test_proposed_and_random_sites_are_legal() -> None:
    cg = begun()
    cg.replace_map(with_roads().map)
    for kind in ("wire", "roadblock", "a-b-mines", "set-dc", "trench", "pillbox"):
        fort(cg, "allied", kind, size="1+3+5" if kind == "pillbox" else "")
    fort(cg, "allied", "panji", factors=3)
    question = PlSetup(Setting(cg, "allied")).question()
    placed = {cg.state.forts[row["fort"]].kind for row in question.default["forts"]}
    assert placed == {"wire", "roadblock", "trench", "pillbox", "panji"}
    assert question.allows(question.default)
    rng = Random(3)
    assert all(question.allows(question.sample(rng)) for _ in range(15))


def test_the_proposal_faces_the_enemy() -> None:
    cg = bare()
    fort(cg, "axis", "wire")
    (row,) = PlSetup(Setting(cg, "axis")).question().default["forts"]
    rows = {name: cg.map.distance(name, "C8") for name in cg.setup_area("axis")}
    assert rows[row["at"]] <= min(rows.values()) + 2
