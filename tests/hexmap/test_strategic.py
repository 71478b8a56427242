"""Woods-Line, Military Crest, Strategic Terrain, and the hexes that a side Controls by them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.hexmap import HexMap, controlled_hexes, crest_holders, crest_name, crests, parse_name, strategic_terrain
from laager.hexmap.frontline.strategic import woods_line
from tests.tries import tries

from .helpers import hexes, made, plain
from .reference import around, pieces

NAMES = sorted(plain(7, 6).hexes)
PATCH = st.lists(st.sampled_from(NAMES), max_size=25, unique=True)


def spot(name: str) -> tuple[int, int]:
    parts = parse_name(name)
    assert parts is not None
    return parts.column, parts.row


def name_of(one: tuple[int, int]) -> str:
    return f"{chr(ord('A') + one[0])}{one[1]}"


def test_the_worked_woods_line() -> None:
    woods = "I4 I5 I6 H4 H5 J4 J5 G5 J6 H6 I7 A1 A2 M9"
    field = plain(13, 10, terrain={"woods": woods.split()})
    assert woods_line(field) == hexes("G5 H4 H5 H6 I4 I7 J4 J5 J6")


def test_a_woods_line_needs_three_hexes_and_other_terrain_beside_it() -> None:
    field = plain(3, 3, terrain={"woods": ["A1", "A2"], "forest": ["A3"], "orchard": ["C1-C3"]})
    assert woods_line(field) == hexes("A1 A2 A3")
    assert woods_line(field, minimum=4) == frozenset()
    assert woods_line(field, kinds={"woods"}) == frozenset()
    assert woods_line(field, kinds={"orchard"}) == hexes("C1 C2 C3")
    everything = plain(3, 3, terrain={"woods": ["A1-C1", "A2-C2", "A3-C3"]})
    assert woods_line(everything) == frozenset()


def test_hexes_out_of_play_make_no_woods_line() -> None:
    field = plain(4, 4, terrain={"woods": ["A1-A4", "B1-B4"]}, not_playable=["C1-C4", "D1-D4", "B4"])
    assert woods_line(field) == frozenset()
    # The group of three is cut to two by the edge of play.
    cut = plain(4, 4, terrain={"woods": ["C1-C3"]}, not_playable=["C3"])
    assert woods_line(cut) == frozenset()


def test_woods_beside_other_main_terrain_count() -> None:
    field = plain(3, 3, terrain={"woods": ["A1", "A2"]}, also={"woods": ["A3"]})
    assert woods_line(field) == hexes("A1 A2 A3")


@given(PATCH, PATCH)
@tries(80)
def test_the_woods_line_equals_the_definition(woods: list[str], out: list[str]) -> None:
    field = plain(7, 6, terrain={"woods": woods}, not_playable=out)
    inside = frozenset(spot(name) for name in NAMES if name not in out)
    wooded = frozenset(map(spot, woods)) & inside
    expected = {
        name_of(one)
        for group in pieces(wooded)
        if len(group) >= 3
        for one in group
        if any(near in inside and near not in wooded for near in around(one))
    }
    assert woods_line(field) == expected


def hill() -> HexMap:
    return plain(
        13,
        10,
        levels={"1": ["B2-B5", "C3", "D2-D5", "H4-H6", "L2"], "2": ["C2", "C4", "C5"], "3": []},
        features={"hilltop": ["H5"], "hillock-summit": ["K8", "K9", "M10"]},
    )


def test_the_three_kinds_of_crest() -> None:
    field = hill()
    assert crests(field) == (hexes("C2"), hexes("C4 C5"), hexes("H5"), hexes("K8 K9"), hexes("M10"))
    assert [crest_name(crest) for crest in crests(field)] == ["C2", "C4", "H5", "K8", "M10"]


def test_only_the_highest_level_of_a_hill_mass_is_crest() -> None:
    field = plain(9, 4, levels={"1": ["A1"], "2": ["B1", "C1"], "3": ["D1"], "4": ["H3"]})
    assert crests(field) == (hexes("D1"), hexes("H3"))
    # Two peaks on one hill: the lower is no crest. Level 1 joins them.
    joined = plain(9, 4, levels={"1": ["C1"], "2": ["B1"], "3": ["D1"]})
    assert crests(joined) == (hexes("D1"),)
    assert crests(plain(9, 4, levels={"1": ["A1-A4"], "-2": ["C1"]})) == ()


def test_crests_that_share_a_hex_are_one() -> None:
    field = plain(9, 4, levels={"2": ["B1", "B2"]}, features={"hilltop": ["B2", "B3"], "hillock-summit": ["C4"]})
    assert crests(field) == (hexes("B1 B2 B3"), hexes("C4"))


def test_a_crest_is_gained_as_a_whole_and_kept_until_all_of_it_is_lost() -> None:
    field = hill()
    tops = crests(field)
    first = crest_holders(tops, {"C4": "axis", "C5": "axis", "C2": "allied", "K8": "axis"})
    assert first == {"C4": "axis", "C2": "allied"}
    second = crest_holders(tops, {"C4": "allied", "C5": "axis"}, first)
    assert second == first
    third = crest_holders(tops, {"C4": "allied", "C5": "allied"}, second)
    assert third == {"C4": "allied", "C2": "allied"}


def test_every_kind_of_strategic_terrain() -> None:
    field = made(
        boards=[{"columns": 13, "rows": 10}],
        terrain={"woods": ["A1-A3"], "crag": ["C1"], "wadi": ["C2"], "rubble": ["C3"]},
        levels={"2": ["M1"]},
        buildings=[
            {"material": "stone", "levels": 2, "cellar": True, "hexes": ["E1"]},
            {"material": "hut", "hexes": ["E3"]},
        ],
        features={"bridge": ["G1"], "ford": ["G2"], "pier": ["G3"], "seawall": ["G4"], "graveyard": ["G5"]},
        not_playable=["M10"],
    )
    found = strategic_terrain(
        field,
        tvp=["E1", "I1"],
        extra=["I2"],
        works={"I3.p": hexes("pillbox"), "I4": hexes("gun entrenchment"), "M10": hexes("gun")},
    )
    line = hexes("woods-line")
    assert found == {
        "A1": line,
        "A2": line,
        "A3": line,
        "C1": hexes("crag"),
        "C2": hexes("wadi"),
        "C3": hexes("rubble"),
        "E1": hexes("building tvp"),
        "E1.1": hexes("building"),
        "E1.2": hexes("building"),
        "E1.c": hexes("building"),
        "E3": hexes("building"),
        "G1": hexes("bridge"),
        "G2": hexes("ford"),
        "G3": hexes("pier"),
        "G4": hexes("seawall"),
        "G5": hexes("graveyard"),
        "I1": hexes("tvp"),
        "I2": hexes("card"),
        "I3.p": hexes("pillbox"),
        "I4": hexes("entrenchment gun"),
        "M1": hexes("military-crest"),
    }
    assert list(found) == [
        *("A1", "A2", "A3", "C1", "C2", "C3", "E1", "E1.1", "E1.2", "E1.c", "E3"),
        *("G1", "G2", "G3", "G4", "G5", "I1", "I2", "I3.p", "I4", "M1"),
    ]


def test_a_card_may_add_orchards_to_the_woods_line() -> None:
    field = plain(5, 5, terrain={"orchard": ["A1-A3"]})
    assert strategic_terrain(field) == {}
    assert set(strategic_terrain(field, woods_kinds={"woods", "orchard"})) == hexes("A1 A2 A3")


def test_unknown_works_and_hexes_are_refused() -> None:
    field = plain(3, 3)
    with pytest.raises(RefusedError, match="'pilbox' is not a kind of works; did you mean"):
        strategic_terrain(field, works={"A1": hexes("pilbox")})
    with pytest.raises(RefusedError, match="no hex 'Z9'"):
        strategic_terrain(field, tvp=["Z9"])
    with pytest.raises(RefusedError, match="is not a Location"):
        strategic_terrain(field, extra=["A1.?"])


def test_one_location_makes_a_hex_count() -> None:
    field = plain(5, 5, buildings=[{"material": "stone", "levels": 1, "hexes": ["C3"]}])
    strategic = strategic_terrain(field)
    control = {"C3": "axis", "C3.1": "allied", "B1": "allied"}
    assert controlled_hexes(field, strategic, (), control, "axis") == hexes("C3")
    assert controlled_hexes(field, strategic, (), control, "allied") == hexes("C3")
    assert controlled_hexes(field, strategic, (), {}, "axis") == frozenset()


def test_a_crest_counts_only_as_a_whole() -> None:
    field = hill()
    strategic, tops = strategic_terrain(field, tvp=["C5"]), crests(field)

    def held(side: str, control: dict[str, str], holders: dict[str, str] | None) -> frozenset[str]:
        return controlled_hexes(field, strategic, tops, control, side, holders)

    assert held("axis", {"C4": "axis"}, None) == frozenset()
    assert held("axis", {"C4": "axis", "C5": "axis"}, None) == hexes("C4 C5")
    # C5 is strategic in its own right, C4 only as part of the crest.
    assert held("allied", {"C4": "allied", "C5": "allied"}, {"C4": "axis"}) == hexes("C5")
    # The crest's old owner keeps what the enemy has not taken hex by hex.
    assert held("axis", {"C5": "allied"}, {"C4": "axis"}) == hexes("C4")
    assert held("axis", {}, {"C4": "axis"}) == hexes("C4 C5")


def test_control_may_be_told_by_any_name_of_a_hex() -> None:
    geo = {"columns": 5, "rows": 4, "half_rows": True}
    field = made(
        boards=[{"board": "1", **geo}, {"board": "2", **geo, "right_of": "1"}],
        buildings=[{"material": "stone", "levels": 1, "hexes": ["2A2"]}],
    )
    strategic = strategic_terrain(field, tvp=["2A3"])
    assert strategic == {"1E2": hexes("building"), "1E2.1": hexes("building"), "1E3": hexes("tvp")}
    assert controlled_hexes(field, strategic, (), {"2A2.1": "axis"}, "axis") == hexes("1E2")
