"""The worked campaign of Platoon Leader, geometry hex for hex, after both firefights."""

from __future__ import annotations

import pytest

from laager.hexmap import Front, HexMap, Situation, controlled_hexes, crests, find_nearest, front, strategic_terrain

from .helpers import FIVE, hexes, link, to_edge, walkthrough_map

A17 = hexes("A3 A4 A5 B2 B3 B4 B5 C2 C3 C4 C5 D2 D3 D4 D5 E4 E5")
A18 = hexes("I4 I5 J2 J3 J4 J5 K2 K3 K4 K5 K6 L2 L3 L4 L5 M3 M4 M5")
R18 = hexes("A7 A8 A9 B6 B7 B8 B9 C7 C8 C9 C10 D6 D7 D8 D9 E7 E8 E9")
R14 = hexes("E1 E2 F1 F2 F3 G1 G2 G3 G4 H1 H2 H3 I1 I2")
R18_EAST = hexes("I8 I9 I10 J7 J8 J9 J10 K7 K8 K9 K10 L7 L8 L9 L10 M8 M9 M10")
ENCLOSED = hexes("A10 B10 D10 E10 F8 F9 F10 G9 G10 H8 H9 H10")
SOUTH_LINK = "E8-F7-G8-H7-I8"


@pytest.fixture(scope="module")
def field() -> HexMap:
    return walkthrough_map()


def edges(field: HexMap) -> dict[str, frozenset[str]]:
    return {"axis": field.edge("north"), "allied": field.edge("south")}


@pytest.fixture(scope="module")
def first(field: HexMap) -> Front:
    strategic = strategic_terrain(field, tvp=FIVE)
    control = dict.fromkeys(("C4", "K4"), "axis") | dict.fromkeys(("C8", "K9", "G2"), "allied")
    held = {side: controlled_hexes(field, strategic, crests(field), control, side) for side in ("axis", "allied")}
    links = {
        "axis": [link("E4-F4-G5-H4-I4"), to_edge("B2-B1"), to_edge("L2-L1")],
        "allied": [link(SOUTH_LINK), link("E7-E6-F5-F4-F3")],
    }
    return front(field, held, control, edges(field), links)


@pytest.fixture(scope="module")
def second(field: HexMap) -> Front:
    links = {"axis": [to_edge("J2-J1"), to_edge("L2-L1")], "allied": [link(SOUTH_LINK)]}
    held = {"axis": hexes("K4"), "allied": hexes("C4 C8 K9 G2")}
    return front(field, held, {}, edges(field), links)


def test_strategic_terrain_is_the_five_buildings(field: HexMap) -> None:
    # Two woods hexes are no Woods-Line.
    assert strategic_terrain(field, tvp=["C4"]) == {
        "C4": hexes("building tvp"),
        **dict.fromkeys(("C8", "G2", "K4", "K9"), hexes("building")),
    }


def test_clusters_of_the_first_firefight(first: Front) -> None:
    assert first.overlap == hexes("C6 E3 I3")
    assert first.clusters["axis"] == (A17, A18)
    assert first.clusters["allied"] == (R18, R14, R18_EAST)


def test_mlr_of_the_first_firefight(first: Front) -> None:
    (axis,) = first.mlrs["axis"]
    (allied,) = first.mlrs["allied"]
    assert axis.letter == allied.letter == "A"
    assert axis.clusters == (A17, A18)
    added = hexes("F4 G5 H4 B1 L1")
    assert A17 | A18 | added < axis.hexes
    assert len(axis.hexes - A17 - A18 - added) == 20
    assert len(axis.hexes) == 60
    assert allied.hexes == (R18 | R14 | R18_EAST | hexes("F7 G8 H7 E6 F5 F4") | ENCLOSED)
    assert len(allied.hexes) == 68


def test_isolated_and_no_mans_land_of_the_first_firefight(first: Front) -> None:
    assert first.isolated == {"axis": frozenset(), "allied": R14}
    assert first.second_nml == hexes("F4")
    assert first.no_mans_land == hexes("C6 E3 I3 F4")
    assert first.uncontrolled == hexes("A1 A2 A6 F6 G6 G7 H5 H6 I6 I7 J6 L6 M1 M2 M6 M7")
    assert not first.mutual_isolation


@pytest.mark.parametrize(
    ("side", "where", "expected"),
    [
        ("axis", "E7", Situation.ENEMY_MLR),
        ("allied", "J2", Situation.ENEMY_MLR),
        ("allied", "G2", Situation.ISOLATED),
        ("axis", "G6", Situation.UNCONTROLLED),
        ("axis", "C6", Situation.NO_MANS_LAND),
        ("axis", "E5", Situation.FRIENDLY_MLR),
        ("axis", "G2", Situation.NO_MANS_LAND),
        ("allied", "B10", Situation.FRIENDLY_MLR),
    ],
)
def test_situations_after_the_first_firefight(first: Front, side: str, where: str, expected: Situation) -> None:
    assert first.situation(side, where) is expected


def test_what_the_redeployment_of_the_first_firefight_looks_at(field: HexMap, first: Front) -> None:
    own = first.friendly_mlr
    assert "G5" in own["axis"]
    assert field.are_adjacent("G6", "G5")
    assert field.are_adjacent("C6", "C5")
    assert "C5" in own["axis"]
    # J2: I2 is Isolated, I3 No Man's Land, so no friendly MLR is adjacent.
    assert not own["allied"] & frozenset(field.neighbours("J2"))
    for cluster in first.clusters["axis"]:
        assert find_nearest(field, "G6", cluster).distance == 2
    # The Wire in D5 and the Allied Controlled Terrain next to it.
    assert "D6" in frozenset(field.neighbours("D5")) & first.controlled["allied"]


def test_the_front_after_the_second_firefight(field: HexMap, second: Front) -> None:
    assert second.overlap == hexes("I3")
    assert second.clusters["axis"] == (A18,)
    assert [len(one) for one in second.clusters["allied"]] == [51, 18]
    assert second.clusters["allied"][1] == R18_EAST
    assert second.region["axis"] == A18 | hexes("J1 L1 K1")
    assert len(second.region["allied"]) == 84
    assert ENCLOSED | hexes("F7 G8 H7") < second.region["allied"]
    assert second.isolated == {"axis": frozenset(), "allied": frozenset()}
    assert second.second_nml == frozenset()
    assert len(second.uncontrolled) == 24
    assert second.situation("axis", "E4") is Situation.ENEMY_MLR
    assert find_nearest(field, "E4", second.controlled["axis"]) == (("I4", "I5"), 4)
    assert second.situation("axis", "G6") is Situation.UNCONTROLLED
    assert field.distance("G6", "K4") == 4
    assert second.situation("allied", "C9") is Situation.FRIENDLY_MLR
    assert not frozenset(field.neighbours("C9")) & second.controlled["axis"]
    assert "K6" in frozenset(field.neighbours("K7")) & second.controlled["axis"]


def test_the_links_of_the_walkthrough_are_all_as_long_as_their_distance(field: HexMap, first: Front) -> None:
    for side in first.sides:
        for one in first.links[side]:
            assert len(one.hexes) - 1 == field.distance(one.a, one.b)


def test_reserves_of_the_third_firefight(field: HexMap) -> None:
    assert [field.distance("K4", name) for name in ("K10", "L10", "M10")] == [6, 7, 7]
