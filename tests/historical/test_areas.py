"""Setup Areas: Strategic Locations, tallies, Control of Blocks, Isolation, listed areas."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.hexmap import block_locations
from laager.hexmap.coords import as_ranges, expand_ranges
from laager.rules.board.facts import Agreed, ControlChanged, FireChanged, FortJoined, TerrainChanged
from laager.rules.board.hasl import areas as pure
from laager.rules.board.hasl.charts import BlockControlRule
from laager.rules.board.hasl.public import could_have_guns
from laager.rules.board.hasl.refit import areas
from laager.rules.board.units import Fort, Mark, Place, Unit
from tests.historical.driver import run
from tests.historical.small import add, data, map_data, scene
from tests.tries import tries

GUN = "57L AT OQF 6pdr 7cwt"

UNASKED = {"charts": {"block_control": None}}


def control(cg: Any, **held: str) -> Any:
    for location, side in held.items():
        cg.state = ControlChanged(side=side, locations=(location,)).apply(cg.state)
    return cg


def changed(cg: Any, at: str, what: str) -> None:
    cg.state = TerrainChanged(at=at, what=what).apply(cg.state)


def fort(cg: Any, kind: str, at: str | None, *, hidden: bool = False) -> None:
    made = Fort(id=f"F{len(cg.state.forts)}", side="axis", kind=kind, at=at, hidden=hidden)
    cg.state = FortJoined(fort=made).apply(cg.state)


# Strategic Locations ------------------------------------------------------------------------------


def test_buildings_rubble_and_entrenchments() -> None:
    cg = scene()
    fort(cg, "foxhole", "D1")
    fort(cg, "trench", "F1", hidden=True)
    fort(cg, "wire", "F2")
    fort(cg, "foxhole", None)
    changed(cg, "H3", "rubble")
    changed(cg, "K2", "rubble")
    changed(cg, "A1", "shellholes")
    found = dict(pure.strategic_locations(cg))
    assert found == {
        "B4": "building",
        "B5": "building",
        "D1": "entrenchment",
        "D2": "building",
        "G7": "building",
        "H3": "rubble",
        "K2": "rubble",
    }


def test_levels_count_until_the_building_is_rubble_or_burnt() -> None:
    data = map_data()
    houses = [{**data["buildings"][0], "levels": 1}, *data["buildings"][1:]]
    cg = scene(map_={**data, "buildings": houses})
    assert {"B4", "B4.1", "B5", "B5.1"} <= set(pure.strategic_locations(cg))
    changed(cg, "B4", "rubble")
    assert "B4.1" not in pure.strategic_locations(cg)
    cg.state = FireChanged(flames=frozenset(), blazes=frozenset(), burnt=frozenset({"B5"})).apply(cg.state)
    assert "B5" not in pure.strategic_locations(cg)
    changed(cg, "D2.1", "rubble")
    assert pure.strategic_locations(cg)["D2"] == "building"


def test_a_working_gun_may_be_declared() -> None:
    cg = scene()
    good = manned(cg, "C5")
    manned(cg, "C6", Mark.LIMBERED)
    manned(cg, "C7", Mark.MALFUNCTIONED)
    manned(cg, "B4")
    manned(cg, None)
    assert pure.declarable_guns(cg, "allied") == [good]


def manned(cg: Any, at: str | None, *marks: Mark, by: tuple[str, str] = ("2-2-8", "crew")) -> Unit:
    """Add a Gun with the unit that mans it."""
    crew = add(cg, "allied", *by, at, *(mark for mark in marks if mark is Mark.HIP))
    return add(cg, "allied", GUN, "gun", at, *marks, with_unit=crew.id)


@pytest.mark.parametrize("by", [("6-4-8", "squad"), ("1-2-7", "crew"), ("9-1", "leader"), ("Carrier B", "vehicle")])
def test_only_a_qualified_crew_makes_a_location_strategic_by_its_gun(by: tuple[str, str]) -> None:
    cg = scene(charts={"block_control": None, "sides": {"allied": {"rg": None}}})
    manned(cg, "C5", by=by)
    add(cg, "allied", GUN, "gun", "C6")
    assert pure.declarable_guns(cg, "allied") == []
    (question,) = run(areas.setup_areas, cg).questions("declared-guns")
    assert question.empty


def test_a_declared_gun_is_revealed_and_bound() -> None:
    cg = scene(charts={"block_control": None, "sides": {"allied": {"rg": None}}})
    gun = manned(cg, "C5", Mark.HIP)
    crew, twin = cg.state.units[gun.with_unit], manned(cg, "C5")
    played = run(areas.setup_areas, cg, answers={"declared-guns@allied": [gun.id]})
    (question,) = played.questions("declared-guns")
    assert question.secret
    with pytest.raises(DataError, match="two Guns are declared in C5"):
        question.accept([gun.id, twin.id])
    assert pure.declared_guns(cg) == {gun.id: "C5"}
    (agreed,) = played.of("agreed")
    assert agreed.tell() == f"agreed: declared guns {gun.label} in C5"
    # The crew first: the Gun tells by whom it is manned.
    assert [fact.unit.id for fact in played.of("unit-revealed")] == [crew.id, gun.id]  # type: ignore[attr-defined]
    assert "1 British" in played.questions("block-control")[0].form.describe()["fields"][0]["label"]


def test_who_can_have_no_guns_is_not_asked() -> None:
    cg = scene(**UNASKED)
    add(cg, "allied", GUN, "gun", "C5", Mark.HIP)
    assert not run(areas.setup_areas, cg).questions("declared-guns")


def test_a_lost_gun_binds_nobody() -> None:
    cg = scene()
    gun = add(cg, "allied", GUN, "gun", "C5")
    cg.state = Agreed(about=pure.DECLARED, value={gun.id: "C5", "AL99": "C6"}).apply(cg.state)
    assert pure.declared_guns(cg) == {gun.id: "C5"}
    cg.state = cg.state.with_unit(gun.id, lambda unit: unit.but(place=Place.ELIMINATED))
    assert pure.declared_guns(cg) == {}


def test_guns_are_asked_for_where_charts_allow_them() -> None:
    cg = scene()
    assert not could_have_guns(cg, "axis")
    dated = [{**date, "given": given} for date, given in zip(cards(), givens(), strict=True)]
    assert could_have_guns(scene({"dates": dated}), "allied")


def cards() -> list[Any]:
    return list(data("small-town")["dates"])


def givens() -> list[Any]:
    return [{}, {"axis": {"cpp": 2}}, {"allied": {"units": [{"type": GUN}]}}, {}]


# Control of Blocks --------------------------------------------------------------------------------


def test_tallies_by_block() -> None:
    cg = control(scene(), B4="allied", B5="axis", H3="axis")
    tally = pure.tallies(cg)
    assert {name: one.in_words(cg) for name, one in tally.items()} == {
        "W": "1 German, 1 British, 1 nobody's",
        "NE": "1 German",
        "SE": "1 nobody's",
    }
    assert tally["W"].total == 3


@pytest.mark.parametrize(
    ("axis", "allied", "nobody", "controller"),
    [
        (1, 0, 0, "axis"),
        (1, 0, 1, "axis"),
        (1, 0, 2, ""),
        (2, 1, 0, ""),
        (0, 3, 3, "allied"),
        (0, 0, 4, ""),
        (0, 0, 0, "before"),
    ],
)
def test_half_of_them_and_none_the_enemys(axis: int, allied: int, nobody: int, controller: str) -> None:
    tally = pure.BlockTally({"axis": tuple("x" * axis), "allied": tuple("x" * allied)}, tuple("x" * nobody))
    assert pure.controller(BlockControlRule(share=50, enemy=0), tally, "before") == controller


def test_true_of_both_is_nobodys() -> None:
    tally = pure.BlockTally({"axis": ("a",), "allied": ("b",)}, ())
    assert pure.controller(BlockControlRule(share=50), tally, "axis") == ""
    assert pure.controller(BlockControlRule(share=40), tally, "axis") == ""


@tries(60)
@given(
    held=st.dictionaries(
        st.sampled_from(["B4", "B5", "D2", "G7", "H3", "K2", "F1"]), st.sampled_from(["axis", "allied", ""])
    ),
    rubble=st.sets(st.sampled_from(["K2", "F1", "H6", "A3"])),
    share=st.integers(1, 100),
    enemy=st.none() | st.integers(0, 2),
)
def test_tallies_and_control_by_brute_force(
    held: dict[str, str], rubble: set[str], share: int, enemy: int | None
) -> None:
    cg = control(scene(), **held)
    for at in sorted(rubble):
        changed(cg, at, "rubble")
    strategic = {"B4", "B5", "D2", "G7", "H3"} | rubble
    tallies = pure.tallies(cg)
    for name in cg.map.blocks.hexes:
        here = [at for at in block_locations(cg.map, name) if at in strategic]
        count = {side: sum(held.get(at) == side for at in here) for side in ("axis", "allied")}
        assert {side: tallies[name].of(side) for side in count} == count
        assert tallies[name].total == len(here)
        able = [
            side
            for side, foe in (("axis", "allied"), ("allied", "axis"))
            if len(here) and count[side] / len(here) >= share / 100 - 1e-9
            if enemy is None or count[foe] <= enemy
        ]
        wanted = "" if len(able) != 1 else able[0]
        rule = BlockControlRule(share=share, enemy=enemy)
        assert pure.controller(rule, tallies[name], "") == wanted


def test_walkthrough_a4_entered_control() -> None:
    cg = scene(**UNASKED)
    told = {"W": "allied", "NE": "axis", "SE": "nobody"}
    played = run(areas.setup_areas, cg, answers={"block-control": told})
    assert cg.state.block_control == {"W": "allied", "NE": "axis"}
    assert [(area.name, area.side, len(area.hexes)) for area in cg.state.areas] == [
        ("W", "allied", 32),
        ("NE", "axis", 27),
    ]
    front = cg.block_front()
    assert cg.map.in_order(front.road_line) == ["E1", "E2", "E3", "E4", "E5"]
    assert len(front.uncontrolled) == 55
    assert [question.key for question in played.asked] == [
        *("block-control", "block-control-agreed"),
        *("isolated", "isolated-agreed"),
    ]


def test_control_by_the_chart() -> None:
    cg = control(scene(), B4="allied", B5="allied", D2="allied", G7="axis", H3="axis")
    played = run(areas.setup_areas, cg)
    assert cg.state.block_control == {"W": "allied", "NE": "axis", "SE": "axis"}
    assert not played.questions("block-control")
    front = cg.block_front()
    assert cg.map.in_order(front.road_line) == [f"E{row}" for row in range(1, 9)]


def test_the_blockhouse_is_always_asked_for() -> None:
    hexes = [[*one[:4], {"features": ["blockhouse"]}] if one[0] == "H5" else one for one in map_data()["hexes"]]
    cg = scene(map_={**map_data(), "hexes": hexes})
    control(cg, B4="allied", B5="allied", D2="allied", G7="axis", H3="axis")
    run(areas.setup_areas, cg, answers={"block-control": {"blockhouse": "allied"}})
    assert cg.blockhouse == {"H5": "allied"}
    assert ("Blockhouse", "allied", ("H5",)) in [(area.name, area.side, area.hexes) for area in cg.state.areas]
    again = run(areas.setup_areas, cg)
    assert not again.of("agreed")
    run(areas.setup_areas, cg, answers={"block-control": {"blockhouse": "nobody"}})
    assert cg.blockhouse == {}
    assert pure.front_of(cg, {}, {"H5": "axis"}).friendly["axis"] == frozenset({"H5"})


# Who is where -------------------------------------------------------------------------------------


def test_units_are_retained_where_they_stand() -> None:
    cg = scene(**UNASKED)
    here = add(cg, "allied", "6-4-8", "squad", "B4")
    gun = add(cg, "allied", "LMG", "sw", None, with_unit=here.id)
    there = add(cg, "allied", "6-4-8", "squad", "G2")
    entering = add(cg, "allied", "6-4-8", "squad", area="A4")
    left = add(cg, "allied", "6-4-8", "squad", area="SE")
    lost = add(cg, "allied", "6-4-8", "squad", "B4", place=Place.ELIMINATED, area="SE")
    played = run(areas.setup_areas, cg)
    found = {unit.id: unit.area for unit in cg.state.units.values()}
    assert found == {here.id: "W", gun.id: "W", there.id: "", entering.id: "A4", left.id: "", lost.id: "SE"}
    assert all(fact.to == ("allied",) for fact in played.of("unit-retained"))


def test_isolated_areas_mark_their_units() -> None:
    cg = scene(**UNASKED)
    squad = add(cg, "allied", "6-4-8", "squad", "B4")
    run(areas.setup_areas, cg, answers={"isolated": ["allied-W"]})
    assert cg.state.area("allied", "W").isolated
    assert cg.state.units[squad.id].has(Mark.ISOLATED)
    run(areas.setup_areas, cg, answers={"isolated": []})
    assert not cg.state.area("allied", "W").isolated
    assert not cg.state.units[squad.id].has(Mark.ISOLATED)


def test_areas_without_a_way_are_proposed_as_isolated() -> None:
    # The allied side has no arrows: there is no Entry Area to reach.
    cg = scene({"sides": {"allied": {"arrows": []}}}, {"block_control": None})
    played = run(areas.setup_areas, cg)
    (question,) = played.questions("isolated")
    assert question.default == ["allied-W"]
    assert "W (British): no way to an Entry Area" in question.help
    assert "NE (German): a way by" in question.help


def test_without_areas_nothing_is_isolated() -> None:
    cg = scene(**UNASKED)
    told = dict.fromkeys(("W", "NE", "SE"), "nobody")
    played = run(areas.setup_areas, cg, answers={"block-control": told})
    assert not played.questions("isolated")
    assert cg.state.areas == ()


def test_what_shifted_and_escaped_is_forgotten() -> None:
    cg = scene()
    squad = add(cg, "allied", "6-4-8", "squad", "B4", Mark.SHIFTED, Mark.ESCAPED)
    run(areas.setup_areas, cg)
    assert not cg.state.units[squad.id].has(Mark.SHIFTED, Mark.ESCAPED)


# Listed areas -------------------------------------------------------------------------------------

LISTED = {"areas": "listed"}


def listed(*rows: tuple[str, str, str]) -> list[dict[str, Any]]:
    return [{"side": side, "name": name, "hexes": hexes} for side, name, hexes in rows]


def test_areas_are_listed_by_the_players() -> None:
    cg = scene(LISTED)
    squad = add(cg, "allied", "6-4-8", "squad", "B4")
    rows = listed(("allied", "School", "B4-B5, A4"), ("axis", "Ridge", "G1"))
    rows[0]["isolated"] = True
    run(areas.setup_areas, cg, answers={"setup-areas": rows})
    assert [(area.name, area.hexes, area.isolated) for area in cg.state.areas] == [
        ("School", ("A4", "B4", "B5"), True),
        ("Ridge", ("G1",), False),
    ]
    assert cg.state.units[squad.id].area == "School"
    assert cg.state.units[squad.id].has(Mark.ISOLATED)
    assert not cg.state.block_control


def test_as_they_were_is_proposed() -> None:
    cg = scene(LISTED)
    before = cg.state.areas
    played = run(areas.setup_areas, cg)
    assert cg.state.areas == before
    row = played.questions("setup-areas")[0].default[0]
    assert row["hexes"] == "A1-A8, B0-B8, C1-C2, C4-C8, D0-D2, D4-D8"


def test_areas_at_the_end_of_the_campaign() -> None:
    cg = scene(LISTED)
    rows = listed(("axis", "Ridge", "G1"))
    run(areas.control_at_the_end, cg, answers={"setup-areas": rows})
    assert [area.name for area in cg.state.areas] == ["Ridge"]


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        ([("axis", "", "G1")], "has no name"),
        ([("axis", "N", "G1"), ("axis", "N", "G2")], "axis N is there twice"),
        ([("axis", "N", "G1-G3"), ("allied", "S", "G3")], "G3 is in axis N already"),
        ([("axis", "N", "G1-H3")], "neither along a column"),
        ([("axis", "N", "Z9")], "Z9 is not on the map"),
    ],
)
def test_lists_that_cannot_be(rows: list[tuple[str, str, str]], wrong: str) -> None:
    cg = scene(LISTED)
    problems = areas.area_problems(cg, listed(*rows))
    assert wrong in "; ".join(map(str, problems))


def test_an_area_has_hexes_in_play() -> None:
    cg = scene(LISTED, map_={**map_data(), "not_playable": ["G1"]})
    (problem,) = areas.area_problems(cg, listed(("axis", "N", "G1")))
    assert "no hex of it is in play" in str(problem)


def test_every_problem_of_a_list_at_once() -> None:
    cg = scene(LISTED)
    problems = areas.area_problems(cg, listed(("axis", "", "Z9"), ("axis", "", "A1-B2")))
    assert len(problems) == 4


@tries(50)
@given(st.sets(st.sampled_from([f"{column}{row}" for column in "ABK" for row in range(1, 9)])))
def test_ranges_name_the_same_hexes(hexes: set[str]) -> None:
    text = as_ranges(hexes)
    assert set(expand_ranges([part for part in text.split(", ") if part])) == hexes
    assert text.count(",") < max(1, len(hexes))


def test_rubble_that_is_cleared_is_no_strategic_location() -> None:
    cg = scene()
    changed(cg, "H3", "rubble")
    assert pure.strategic_locations(cg)["H3"] == "rubble"
    cg.state = TerrainChanged(at="H3", what="rubble", gone=True).apply(cg.state)
    assert "H3" not in pure.strategic_locations(cg)


def test_upper_rubble_falls_with_its_building() -> None:
    data = map_data()
    houses = [{**data["buildings"][0], "levels": 1}, *data["buildings"][1:]]
    cg = scene(map_={**data, "buildings": houses})
    changed(cg, "B4.1", "rubble")
    assert pure.strategic_locations(cg)["B4.1"] == "rubble"
    changed(cg, "B4", "rubble")
    found = pure.strategic_locations(cg)
    assert (found["B4"], "B4.1" in found) == ("rubble", False)
