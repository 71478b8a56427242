"""Blocks: the worked example A1, single cases of the gap rule, and a slow second implementation."""

from __future__ import annotations

import pytest
from hypothesis import given

from laager.base import RefusedError
from laager.hexmap import HexMap, block_differences, block_locations, derive_blocks
from tests.tries import tries

from . import blocks_reference
from .helpers import hexes, made, plain
from .towns import TWELVE, towns, twelve_columns


def counted(map_: HexMap) -> dict[str, int]:
    return {name: len(own) for name, own in map_.blocks.hexes.items()}


def span(text: str) -> frozenset[str]:
    """Return the hexes of ranges along columns, such as A1-A8 B0-B8."""
    found = set()
    for part in text.split():
        first, _, last = part.partition("-")
        letters = first.rstrip("0123456789")
        low, high = (int(one[len(letters) :]) for one in (first, last or first))
        found |= {f"{letters}{row}" for row in range(low, high + 1)}
    return frozenset(found)


def test_the_worked_example() -> None:
    town = twelve_columns()
    blocks = town.blocks
    assert len(town.hexes) == 114
    assert counted(town) == {"W": 32, "NE": 27, "SE": 21}
    assert (len(blocks.roads), len(blocks.rivers), blocks.blockhouses) == (22, 12, frozenset())
    assert 32 + 27 + 21 + 22 + 12 == 114
    assert blocks.hexes["W"] == span("A1-A8 B0-B8 C1-C2 C4-C8 D0-D2 D4-D8")
    assert blocks.hexes["NE"] == span("F0-F4 G1-G4 H0-H4 I1-I4 K1-K4 L0-L4")
    assert blocks.hexes["SE"] == span("F6-F8 G6-G8 H6-H8 I6-I8 J6-J8 K6-K8 L6-L8")
    assert not blocks.listed


def test_without_the_gap_rule_the_lane_would_divide() -> None:
    """The lane in column J stops a hexside short of the street: 18 + 9 are one Block."""
    roads = TWELVE["roads"]
    through = made(**{**TWELVE, "roads": [*roads, {"kind": "paved", "along": ["J4", "J5"]}]})
    assert sorted(counted(through).values()) == [9, 18, 21, 32]


def test_blocks_without_names_are_lettered_in_the_stated_order() -> None:
    town = made(**TWELVE)
    assert counted(town) == {"A": 32, "B": 27, "C": 21}
    east = ["F0-F4", "G1-G4", "H0-H4", "I1-I4", "K1-K4", "L0-L4"]
    part = made(**TWELVE, block_names={"B": "H7", "Old Town": "A1"}, no_block=east)
    assert counted(part) == {"Old Town": 32, "B": 21}


def test_where_a_hex_is() -> None:
    blocks = twelve_columns().blocks
    assert (blocks.block_at("A1"), blocks.block_at("G2.1"), blocks.block_at("E3")) == ("W", "NE", None)
    assert blocks.hexes_of_block("SE") == blocks.hexes["SE"]
    with pytest.raises(RefusedError, match="there is no Block 'Se' on this map; did you mean SE"):
        blocks.hexes_of_block("Se")


def test_every_location_of_a_block() -> None:
    town = made(**TWELVE, buildings=[{"material": "stone", "levels": 2, "cellar": True, "hexes": ["F6", "F7"]}])
    assert block_locations(town, "C")[:9] == (*("F6", "F6.1", "F6.2", "F6.c", "F7", "F7.1", "F7.2", "F7.c", "F8"),)
    assert len(block_locations(town, "C")) == 21 + 2 * 3


def test_a_map_without_roads_is_one_block() -> None:
    assert counted(plain(3, 3)) == {"A": 9}


def test_a_street_from_edge_to_edge_divides_and_a_path_does_not() -> None:
    street = {"kind": "paved", "along": ["C1-C5"]}
    assert counted(plain(5, 5, roads=[street])) == {"A": 10, "B": 10}
    for kind in ("path", "railway", "runway"):
        assert counted(plain(5, 5, roads=[{**street, "kind": kind}])) == {"A": 25}


def test_a_road_hex_without_hexsides_is_in_no_block_and_divides_nothing() -> None:
    dots = [{"kind": "paved", "along": [f"C{row}"]} for row in range(1, 6)]
    assert counted(plain(5, 5, roads=dots)) == {"A": 20}


def test_two_streets_side_by_side_have_no_ground_between_them() -> None:
    """No road crosses the hexsides between C and D, but both ends of each are street or edge."""
    two = [{"kind": "paved", "along": [f"{column}1-{column}5"]} for column in "CD"]
    assert counted(plain(6, 5, roads=two)) == {"A": 10, "B": 10}


def test_a_gap_that_is_reached_through_another_gap() -> None:
    """Column C and column D are road hexes, with one hexside of each column not crossed."""
    roads = [
        {"kind": "paved", "along": ["C1", "C2"]},
        {"kind": "paved", "along": ["C3-C5"]},
        {"kind": "paved", "along": ["D1", "D2"]},
        {"kind": "paved", "along": ["D3-D5"]},
    ]
    assert counted(plain(6, 5, roads=roads)) == {"A": 20}
    # Closed in one of the columns the way is shut.
    roads[2:] = [{"kind": "paved", "along": ["D1-D5"]}]
    assert counted(plain(6, 5, roads=roads)) == {"A": 10, "B": 10}


def test_the_river_bank_and_the_map_edge_belong_to_their_block() -> None:
    town = plain(5, 5, terrain={"river": ["A3-E3"]}, also={"river": ["A2-E2"]})
    assert counted(town) == {"A": 10, "B": 10}
    assert {"A1", "A2"} <= town.blocks.hexes["A"]


def test_a_bridge_and_a_ramp_in_the_river_are_river() -> None:
    town = plain(
        5,
        7,
        terrain={"river": ["A3-E3", "A4-E4"]},
        roads=[{"kind": "paved", "along": ["C1-C7"]}],
        features={"bridge": ["C3", "C4"]},
    )
    assert counted(town) == {"A": 4, "B": 6, "C": 4, "D": 6}
    assert town.blocks.roads == hexes("C1 C2 C5 C6 C7")
    assert {"C3", "C4"} <= town.blocks.rivers


def test_a_river_may_be_a_watercourse_and_a_pond_lies_in_a_block() -> None:
    across = ["A3", "B3", "C3", "D3", "E3"]
    river = plain(5, 5, watercourses=[{"kind": "river", "along": across}])
    assert counted(river) == {"A": 10, "B": 10}
    for kind in ("stream", "gully"):
        assert counted(plain(5, 5, watercourses=[{"kind": kind, "along": across}])) == {"A": 25}
    assert counted(plain(5, 5, terrain={"pond": ["A3-E3"]})) == {"A": 25}


def test_the_blockhouse_is_solid() -> None:
    street = {"kind": "paved", "along": ["C1", "C2", "C3"]}
    rest = {"kind": "paved", "along": ["C4", "C5"]}
    assert counted(plain(5, 5, roads=[street, rest])) == {"A": 20}
    stands = plain(5, 5, roads=[street, rest], features={"blockhouse": ["C4"]})
    assert counted(stands) == {"A": 10, "B": 10}
    assert stands.blocks.roads == hexes("C1 C2 C3 C5")
    assert stands.blocks.block_at("C4") is None


def test_ground_not_in_play_is_the_edge() -> None:
    town = plain(5, 5, not_playable=["C1-C5"])
    assert counted(town) == {"A": 10, "B": 10}


def test_lists_decide() -> None:
    blocks = {"Mill": ["A1-A5", "B1-B3"], "Church": ["B4", "B5", "D1-D5", "E1-E5"]}
    town = plain(5, 5, roads=[{"kind": "paved", "along": ["C1-C5"]}], blocks=blocks)
    assert counted(town) == {"Mill": 8, "Church": 12}
    assert town.blocks.listed
    assert set(derive_blocks(town).hexes) == {"A", "B"}
    assert [str(one) for one in block_differences(town)] == [
        "no street divides the Blocks Mill, Church (at A1 and beyond); "
        "add the road that lies between them, or join them",
        "a street divides Block Church: B4 from D1; take out the road hexside, or make them two Blocks",
    ]
    assert block_differences(twelve_columns()) == ()


def test_many_blocks_have_letters_and_then_numbers() -> None:
    roads = [{"kind": "paved", "along": [f"{column}1-{column}40"]} for column in ("B", "D", "F", "H")]
    roads += [{"kind": "paved", "along": [f"{a}{row}" for a in "ABCDEFGHI"]} for row in range(2, 40, 2)]
    names = list(plain(9, 40, roads=roads).blocks.hexes)
    assert len(names) == len(set(names)) > 80


@given(towns())
@tries(120)
def test_blocks_are_those_of_a_slow_second_implementation(town: HexMap) -> None:
    blocks = town.blocks
    assert set(blocks.hexes.values()) == blocks_reference.blocks(town)
    inside = frozenset().union(*blocks.hexes.values())
    assert sum(map(len, blocks.hexes.values())) == len(inside)
    assert not inside & (blocks.roads | blocks.rivers | blocks.blockhouses | town.no_block)
    rest = blocks.roads | blocks.rivers | blocks.blockhouses | town.no_block
    assert town.playable <= inside | rest
    assert {name: town.blocks.block_at(name) for name in town.hexes} == {
        name: next((b for b, own in blocks.hexes.items() if name in own), None) for name in town.hexes
    }


@given(towns())
@tries(50)
def test_a_town_comes_back_from_its_data(town: HexMap) -> None:
    again = HexMap.from_data(town.to_data())
    assert again == town
    assert again.blocks.hexes == town.blocks.hexes
