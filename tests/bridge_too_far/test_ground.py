"""Blocks, Setup Areas, front line and Entry Areas of the worked example (GEO-2 to GEO-8)."""

from __future__ import annotations

import pytest

from laager.rules.board.hasl.areas import way_out
from laager.rules.board.hasl.buying.offers import DateShop
from laager.rules.board.hasl.facts import AreasDetermined
from laager.rules.board.hasl.state import Area, GroupArrival
from laager.rules.board.state import evolve
from laager.rules.board.units import Place
from laager.rules.bridge_too_far.card import blockhouse_doubts
from laager.rules.bridge_too_far.context import wide_roads
from laager.rules.bridge_too_far.entry import exit_areas, must_enter, printed_arrows
from tests.bridge_too_far.scene import add, apply, changed_map, part, scene

TOWN = {f"{column}{row}" for column in "ABCDEFGHIJKL" for row in range(10)}


def test_blocks() -> None:
    cg = scene()
    blocks = cg.map.blocks
    assert {name: len(hexes) for name, hexes in blocks.hexes.items()} == {"W": 32, "NE": 27, "SE": 21}
    assert len(blocks.roads & TOWN) == 22
    assert {"J0", "J4"} <= blocks.roads
    assert {"I4", "K1"} <= blocks.hexes["NE"]


def test_setup_areas_and_front_line() -> None:
    cg = scene()
    front = cg.block_front()
    assert [(area.name, area.side) for area in front.areas] == [("W", "allied"), ("NE", "axis")]
    assert front.road_line == {"E1", "E2", "E3", "E4", "E5"}
    assert front.line["allied"] == {"D0", "D1", "D2", "D4", "D5"}
    assert front.line["axis"] == {"F0", "F1", "F2", "F3", "F4"}
    assert len(front.uncontrolled & cg.map.playable & TOWN) == 55
    assert cg.front_line() == ("E1", "E2", "E3", "E4", "E5")


def test_front_line_with_another_block() -> None:
    cg = scene()
    apply(cg, AreasDetermined(areas=(), block_control={"W": "allied", "NE": "axis", "SE": "axis"}))
    front = cg.block_front()
    assert front.road_line == {f"E{row}" for row in range(1, 9)}
    assert front.line["allied"] == {"D0", "D1", "D2", "D4", "D5", "D6", "D7", "D8"}
    assert front.line["axis"] == {"F0", "F1", "F2", "F3", "F4", "F6", "F7", "F8"}


@pytest.mark.parametrize(("reading", "names"), [("block", ["NE", "SE"]), ("connected-blocks", ["NE+SE"])])
def test_what_one_setup_area_is(reading: str, names: list[str]) -> None:
    cg = scene(readings={"setup-areas": reading})
    apply(cg, AreasDetermined(areas=(), block_control={"NE": "axis", "SE": "axis"}))
    assert [area.name for area in cg.block_front().areas] == names


@pytest.mark.parametrize(("reading", "upper"), [("every-level", True), ("ground", False)])
def test_levels_of_the_front_line(reading: str, upper: bool) -> None:
    tall = changed_map(
        buildings=[{**one, "levels": 2} if one["name"] == "Cottage" else one for one in part("buildings")]
    )
    cg = scene(readings={"front-line-buildings": reading}, map_=tall)
    line = cg.front_line("allied")
    assert "D2" in line
    assert ("D2.2" in line) is upper


def wide_street() -> dict[str, object]:
    """The map with a second road beside the first: E and F side by side."""
    return changed_map(roads=[*part("roads"), {"kind": "paved", "along": ["F0-F5"]}])


@pytest.mark.parametrize(("reading", "line"), [("none", set()), ("both", {"E2", "F2"})])
def test_wide_roads(reading: str, line: set[str]) -> None:
    cg = scene(readings={"wide-roads": reading}, map_=wide_street())
    apply(cg, AreasDetermined(areas=(), block_control={"W": "allied", "NE": "axis"}))
    front = cg.block_front()
    assert {"E2", "F2"} & front.road_line == line
    pairs = {frozenset(pair) for pair in wide_roads(cg, front)}
    assert frozenset({"E2", "F2"}) in pairs
    assert frozenset({"E7", "E8"}) not in pairs


def test_entry_areas() -> None:
    cg = scene()
    assert [name for name in cg.entry_hexes("A6") if name in TOWN] == [*(f"A{row}" for row in range(2, 10))]
    assert cg.entry_hexes("F0") == ("B0", "C1", "D0", "E1", "F0", "G1", "H0", "I1", "J0")
    assert cg.entry_hexes("R23") == ("R23",)


@pytest.mark.parametrize(("reading", "round_it"), [("around", True), ("same-edge", False)])
def test_entry_areas_at_a_corner(reading: str, round_it: bool) -> None:
    cg = scene(readings={"entry-corners": reading})
    assert ("JJ1" in cg.entry_hexes("GG1")) is round_it
    assert "II1" in cg.entry_hexes("GG1")
    assert ("HH0" in cg.entry_hexes("JJ4")) is False
    assert cg.entry_area("A5").edges == {"west"}


@pytest.mark.parametrize(
    ("side", "key", "arrows"),
    [
        ("allied", "I1", ("A6", "A18")),
        ("axis", "H-I6", ("A5", "A17")),
        ("axis", "K-I1", ("F0", "M1", "V0", "GG1")),
        ("axis", "B-A4", ("JJ4", "JJ15", "JJ20")),
        ("axis", "G-I8", ("R23",)),
    ],
)
def test_where_groups_enter(side: str, key: str, arrows: tuple[str, ...]) -> None:
    cg = scene()
    line = cg.line(side, key)
    assert line is not None
    assert DateShop(cg, side).areas(line, GroupArrival.ENTER) == arrows


def test_arrows_of_the_card_come_before_those_printed() -> None:
    cg = scene({"sides": {"allied": {"arrows": ["A18"]}}})
    assert cg.arrows("allied", cg.line("allied", "I1")) == ("A18",)
    assert cg.arrows("allied") == ("A18",)
    assert set(scene().arrows("axis")) == {
        "A5", "A17", "F0", "M1", "V0", "GG1", "JJ4", "JJ15", "JJ20", "R23",
    }  # fmt: skip
    assert scene().arrows("allied") == ("A6", "A18")


def test_arrows_that_the_map_has_not_are_none() -> None:
    cg = scene()
    bare = changed_map(entry_areas=[])
    assert printed_arrows(scene(map_=bare).map, "allied") == ()
    assert printed_arrows(cg.map, "axis", "X") == ()


@pytest.mark.parametrize(
    ("at", "areas"),
    [
        ("D0", ("F0", "M1", "V0", "GG1")),
        ("JJ9", ("JJ4", "JJ15", "JJ20")),
        ("A3", ("A5", "A17")),
        ("R23", ("R23",)),
        ("P23", ()),
        ("G3", ()),
    ],
)
def test_guards_leave_by_three_edges_and_r23(at: str, areas: tuple[str, ...]) -> None:
    cg = scene()
    assert exit_areas(cg, "axis", at) == areas
    assert cg.variant.exit_areas(cg, add(cg, "allied", "6-4-8", "squad"), at) == ()
    assert cg.variant.exit_areas(cg, add(cg, "axis", "4-6-7", "squad"), at) == areas
    assert cg.variant.exit_areas(cg, add(cg, "axis", "PzIVH", "afv"), at) == ()


def test_the_check_asks_for_a_blockhouse() -> None:
    map_ = scene(map_=changed_map(features={"blockhouse": ["E4"]})).map
    assert not list(blockhouse_doubts(map_))
    (doubt,) = blockhouse_doubts(scene().map)
    assert "laager vasl mark MAP C4=blockhouse" in doubt.right


def test_the_blockhouse_is_an_area_but_never_front_line() -> None:
    cg = scene(map_=changed_map(features={"blockhouse": ["E4"]}))
    cg.state = evolve(cg.state, agreed={"blockhouse": {"E4": "allied"}})
    front = cg.block_front()
    assert ("Blockhouse", "allied") in {(area.name, area.side) for area in front.areas}
    assert "E4" not in front.road_line
    assert not any(where.startswith("E4") for where in cg.front_line("allied"))


def test_who_must_enter() -> None:
    cg = scene()
    on_map = add(cg, "allied", "6-4-8", "squad", "B4")
    off = add(cg, "allied", "6-4-8", "squad")
    assert must_enter(off)
    assert not must_enter(on_map)
    assert not must_enter(off.but(place=Place.ELIMINATED))


def test_a_way_out_avoids_fire() -> None:
    cg = scene()
    area = Area(name="yard", side="axis", hexes=("H2",))
    assert way_out(cg, cg.state.areas, area) is not None
    around = frozenset(f"{name}.1" for name in cg.map.neighbours("H2"))
    cg.state = cg.state.with_ground(blazes=around)
    assert way_out(cg, cg.state.areas, area) is None
