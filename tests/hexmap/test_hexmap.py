from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.hexmap import (
    Hex,
    HexMap,
    is_burnable,
    is_concealment_terrain,
    is_open_ground,
    is_water,
    parse_name,
    sort_key,
)
from laager.hexmap.values import Course
from tests.tries import tries

from .helpers import hexes, made, plain
from .reference import around, distance

RICH: dict[str, Any] = {
    "boards": [{"columns": 9, "rows": 6, "half_rows": True}],
    "not_playable": ["A1-A2"],
    "terrain": {"woods": ["D4-D6", "E4"], "river": ["B0-B2"], "grain": ["F1-H1"]},
    "also": {"brush": ["E4"]},
    "levels": {"1": ["E2-E3"], "-1": ["B0-B2"]},
    "buildings": [
        {"name": "Church", "material": "stone", "levels": 2, "cellar": True, "hexes": ["G4", "G5"]},
        {"material": "hut", "hexes": ["I2"]},
    ],
    "roads": [{"kind": "paved", "along": ["A4-I4"]}, {"kind": "path", "along": ["C2", "C3", "B3"]}],
    "watercourses": [{"kind": "stream", "along": ["E1", "E2", "D2"]}],
    "hexsides": {"wall": ["G4/H4", "G5/G4"], "hedge": ["H4/G4"]},
    "features": {"bridge": ["D2"], "hilltop": ["E3"]},
    "names": {"G4": "St. Mary"},
}
DIGEST = "9a8e4b94936b80d25c61f55bb99b129e3d97f7a7062783d755e861b1ac1b4431"


@pytest.fixture(scope="module")
def rich() -> HexMap:
    return made(**RICH)


def test_neighbours_follow_the_naming_rule(rich: HexMap) -> None:
    for name in rich.hexes:
        part = parse_name(name)
        assert part is not None
        near = {HexNameOf(spot) for spot in around((part.column, part.row))}
        assert set(rich.neighbours(name)) == near & set(rich.hexes)
    assert rich.neighbours("C3") == ("C2", "D2", "D3", "C4", "B3", "B2")


def HexNameOf(spot: tuple[int, int]) -> str:  # noqa: N802
    return f"{chr(ord('A') + spot[0])}{spot[1]}" if spot[0] >= 0 else ""


def test_distances_agree_with_a_second_formula() -> None:
    field = plain(9, 9)
    spots = {name: parse_name(name) for name in field.hexes}
    for a, one in spots.items():
        for b, other in spots.items():
            assert one is not None
            assert other is not None
            expected = distance((one.column, one.row), (other.column, other.row))
            assert field.distance(a, b) == expected
            assert field.are_adjacent(a, b) == (expected == 1)
            assert field.are_adjacent(a, b) == (b in field.neighbours(a))


def test_hexes_stand_in_the_stated_order(rich: HexMap) -> None:
    assert list(rich.hexes) == sorted(rich.hexes, key=sort_key)
    assert list(rich.hexes)[:8] == ["A1", "A2", "A3", "A4", "A5", "A6", "B0", "B1"]
    assert rich.in_order(["D4", "C5", "C4"]) == ["C4", "C5", "D4"]


def test_hexes_within_a_distance(rich: HexMap) -> None:
    for n in (0, 1, 3, 20):
        expected = {name for name in rich.hexes if min(rich.distance(name, "A1"), rich.distance(name, "H3")) <= n}
        assert rich.hexes_within(["A1", "H3"], n) == expected


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        ("north", "A3 B0 C1 D0 E1 F0 G1 H0 I1"),
        ("south", "A6 B6 C6 D6 E6 F6 G6 H6 I6"),
        ("west", "A3 A4 A5 A6 B0 B1"),
        ("east", "I1 I2 I3 I4 I5 I6"),
    ],
)
def test_edges_with_half_hexes_and_a_missing_corner(rich: HexMap, side: str, expected: str) -> None:
    assert rich.edge(side) == hexes(expected)


def test_edges_of_a_plain_board() -> None:
    field = plain(4, 3)
    assert field.edge("north") == hexes("A1 B1 C1 D1")
    assert field.edge("west") == hexes("A1 A2 A3")
    assert field.edge("east") == hexes("D1 D2 D3")


def test_the_rim_is_all_edges_of_a_rectangle_and_leaves_out_holes() -> None:
    field = plain(9, 7, not_playable=["E4", "E5"])
    edges = frozenset().union(*(field.edge(side) for side in ("north", "south", "east", "west")))
    assert field.grid.names(field.grid.rim) == edges
    bay = plain(9, 7, not_playable=["E4-E7"])
    assert hexes("E3 D4 F5") < bay.grid.names(bay.grid.rim)
    assert "D2" not in bay.grid.names(bay.grid.rim)


def test_a_hex_grain_runs_to_the_end_of_the_map(rich: HexMap) -> None:
    assert rich.grain("C3", "n") == ("C2", "C1")
    assert rich.grain("C3", "se") == ("D3", "E4", "F4", "G5", "H5", "I6")
    assert rich.grain("C3", "sw") == ("B3", "A4")
    with pytest.raises(RefusedError, match="'up' is not a hex grain"):
        rich.grain("C3", "up")


def test_locations_of_a_hex(rich: HexMap) -> None:
    assert rich.locations("G4") == ("G4", "G4.1", "G4.2", "G4.c")
    assert rich.locations("I2") == ("I2",)
    assert rich.main_location("G4.2") == "G4.2"


def test_what_stands_in_a_hex(rich: HexMap) -> None:
    g4, e4, d2 = rich.hex("G4"), rich.hex("E4"), rich.hex("D2")
    assert g4.has("building")
    assert g4.building is not None
    assert (g4.building.name, g4.building.material) == ("Church", "stone")
    assert (e4.terrain, e4.has("brush"), e4.has("grain")) == ("woods", True, False)
    assert d2.has("stream")
    assert d2.has("bridge")
    assert rich.hex("E2").level == 1
    assert rich.hexside_features("G4", "H4") == rich.hexside_features("H4", "G4") == hexes("wall hedge")
    assert rich.hexside_features("A3", "A4") == frozenset()
    assert rich.roads[1] == Course("path", ("C2", "C3", "B3"))
    assert rich.roads[0].along[:3] == ("A4", "B4", "C4")
    assert rich.names == {"G4": "St. Mary"}
    assert (rich.hex("B0").half, rich.hex("B6").half, rich.hex("B1").half) == (True, True, False)
    assert "A1" not in rich.playable


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (Hex("A1", 0, 0), "open"),
        (Hex("A1", 0, 0, "plowed"), "open"),
        (Hex("A1", 0, 0, "woods"), "hides burns"),
        (Hex("A1", 0, 0, also=hexes("orchard")), "hides burns"),
        (Hex("A1", 0, 0, "marsh"), "hides"),
        (Hex("A1", 0, 0, "river"), "water"),
        (Hex("A1", 0, 0, watercourses=hexes("canal")), "water"),
        (Hex("A1", 0, 0, watercourses=hexes("stream")), "open"),
        (Hex("A1", 0, 0, features=hexes("rubble")), "hides"),
        (Hex("A1", 0, 0, "sand"), ""),
        (Hex("A1", 0, 0, features=hexes("bridge")), "open"),
    ],
)
def test_what_terrain_means(one: Hex, expected: str) -> None:
    told = {
        "open": is_open_ground(one),
        "hides": is_concealment_terrain(one),
        "burns": is_burnable(one),
        "water": is_water(one),
    }
    assert {word for word, so in told.items() if so} == set(expected.split())


def test_buildings_hide_and_burn(rich: HexMap) -> None:
    house = rich.hex("G4")
    assert is_concealment_terrain(house)
    assert is_burnable(house)
    assert not is_open_ground(house)


def test_unknown_hexes_are_refused_with_near_names(rich: HexMap) -> None:
    with pytest.raises(RefusedError, match="no hex 'I9' on the map Test; that column runs from I1 to I6"):
        rich.hex("I9")
    with pytest.raises(RefusedError, match="'ZZ1' on the map Test; its hexes run from A1 to I6"):
        rich.hexes_within(["A1", "ZZ1"], 1)
    with pytest.raises(RefusedError, match="'up' is not a map edge; one of north, south"):
        rich.edge("up")
    assert "I6" in rich
    assert "I7" not in rich


def test_a_map_comes_back_from_its_data(rich: HexMap) -> None:
    back = HexMap.from_data(json.loads(json.dumps(rich.to_data())))
    assert back == rich
    assert hash(back) == hash(rich)
    assert dict(back.hexes) == dict(rich.hexes)
    assert back.playable == rich.playable
    assert dict(back.hexsides) == dict(rich.hexsides)
    assert (back.roads, back.watercourses) == (rich.roads, rich.watercourses)
    assert back.buildings == rich.buildings
    assert (dict(back.names), back.title, back.source) == (dict(rich.names), "Test", "house")


def test_the_digest_is_the_same_however_the_file_is_typed(rich: HexMap) -> None:
    turned = dict(reversed(RICH.items())) | {
        "terrain": {"grain": ["H1-F1"], "river": ["B2", "B1", "B0"], "woods": ["E4", "D4-D6"]},
        "hexsides": {"hedge": ["G4/H4"], "wall": ["G4/G5", "H4/G4"]},
    }
    assert made(**turned).digest == rich.digest == DIGEST
    assert rich != "map"


@given(st.sampled_from(sorted(set(RICH) - {"boards", "features", "also"})))
@tries(12)
def test_the_digest_changes_with_every_part(part: str) -> None:
    less = {key: value for key, value in RICH.items() if key != part}
    assert made(**less) != made(**RICH)


def test_a_map_is_immutable(rich: HexMap) -> None:
    with pytest.raises(AttributeError):
        rich.title = "x"  # type: ignore[misc]
    with pytest.raises(TypeError):
        rich.hexes["A1"] = rich.hex("A2")  # type: ignore[index]
    assert repr(rich) == "<HexMap test: 58 hexes, 56 playable>"
