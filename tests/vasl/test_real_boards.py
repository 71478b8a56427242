"""Maps of the example boards: what stands on them, by eye, and what hexmap makes of them."""

from __future__ import annotations

import time
from functools import cache
from itertools import pairwise

import pytest

from laager.base.files import parse_document
from laager.hexmap import (
    HexMap,
    block_front,
    controlled_hexes,
    crests,
    derive_blocks,
    front,
    map_from_document,
    strategic_terrain,
)
from laager.hexmap.draw import Layers, draw_svg
from laager.hexmap.draw.layers import block_layer, front_layer
from laager.hexmap.frontline.strategic import woods_line
from laager.vasl.boards.board import read_board
from laager.vasl.boards.layout import PlacedBoard, arrange
from laager.vasl.maps.tomap import Imported, import_boards, place_alone

from .test_board_oracle import BOARDS, NAMES, needs_boards

pytestmark = needs_boards


@cache
def imported(name: str) -> Imported:
    board = read_board(BOARDS / name)
    return import_boards(arrange([place_alone(board)]), [board])


def along(map_: HexMap, first: str, last: str) -> bool:
    """Return whether a road goes from one hex straight to the next."""
    return any({first, last} == set(pair) for road in map_.roads for pair in pairwise(road.along))


@pytest.mark.parametrize("name", NAMES)
def test_the_map_of_every_board_reads_back(name: str) -> None:
    made = imported(name)
    assert map_from_document(parse_document(made.text, name)) == made.map
    assert made.map.source == "imported"
    known = made.unknown == 0
    assert known is (name not in {"bdABTF", "bdER", "bdPBR"})
    assert known or made.unknown == len(made.map.hexes)


def test_board_22_as_its_picture_shows_it() -> None:
    map_ = imported("bd22").map
    assert (map_.hex("22K2").has("bridge"), map_.hex("22R7").has("bridge")) == (True, True)
    house = map_.hex("22G5").building
    assert house is not None
    assert (house.material, house.levels, len(house.hexes)) == ("stone", 2, 7)
    assert map_.hex("22DD3").terrain == "brush"
    assert map_.hexside_features("22E3", "22E2") == {"hedge"}
    assert all(
        along(map_, *pair) for pair in (("22Q1", "22R1"), ("22R1", "22Q2"), ("22Q2", "22Q1"), ("22EE6", "22FF6"))
    )
    stream = [course for course in map_.watercourses if course.kind == "stream"]
    assert len(stream) == 1
    assert {"22K2", "22O5", "22W10"} <= set(stream[0].along)


def test_board_6a_as_its_picture_shows_it() -> None:
    map_ = imported("bd6a").map
    assert map_.hex("6aJ9").terrain == "water"
    assert map_.hex("6aC6").has("woods"), "83 % woods, off the dot"
    assert map_.hexside_features("6aE8", "6aF8") == {"cliff"}
    assert woods_line(map_)
    assert [sorted(hill)[:2] for hill in crests(map_)]
    assert along(map_, "6aO18", "6aO19")


def test_board_10_has_a_pond_and_rowhouses() -> None:
    map_ = imported("bd10").map
    assert map_.hex("10J7").terrain == "pond"
    assert map_.hexside_features("10DD4", "10DD5") == {"rowhouse"}
    assert map_.hex("10DD4").building is not map_.hex("10DD5").building


def test_red_barricades_has_blocks_and_a_block_front() -> None:
    map_ = imported("bdRBv2").map
    assert map_.blocks.hexes == derive_blocks(map_).hexes
    names = list(map_.blocks.hexes)
    assert len(names) == 15
    assert "HH3" in map_.blocks.rivers
    control = {name: ("german", "russian")[i % 2] for i, name in enumerate(names)}
    start = time.process_time()
    found = block_front(map_, control, ("german", "russian"))
    assert time.process_time() - start < 1
    assert set(found.friendly) == {"german", "russian"}
    assert found.road_line
    drawn = draw_svg(map_, Layers(blocks=block_layer(map_, found)))
    assert drawn != draw_svg(map_, Layers())


def test_board_01_has_a_front() -> None:
    map_ = imported("bd01").map
    strategic = strategic_terrain(map_)
    west = {name: "axis" for name in strategic if map_.hex(name.partition(".")[0]).q < 14}
    control = {name: west.get(name, "allied") for name in strategic}
    tops = crests(map_)
    controlled = {side: controlled_hexes(map_, strategic, tops, control, side) for side in ("axis", "allied")}
    edges = {"axis": map_.edge("west"), "allied": map_.edge("east")}
    found = front(map_, controlled, {}, edges)
    assert found.no_mans_land
    assert all(found.mlrs[side] for side in ("axis", "allied"))
    drawn = draw_svg(map_, Layers(front=front_layer(found)))
    assert drawn != draw_svg(map_, Layers())


def test_three_boards_joined_and_turned() -> None:
    """Standard roads meet at the seams: those of 10 run on into 22 turned round, and into 01."""
    boards = [read_board(BOARDS / name) for name in ("bd10", "bd22", "bd01")]
    cells = ((0, 0, False), (1, 0, True), (0, 1, False))
    places = [
        PlacedBoard(b.name, b.geometry, b.size, column, row, turned)
        for b, (column, row, turned) in zip(boards, cells, strict=True)
    ]
    map_ = import_boards(arrange(places), boards).map
    assert len(map_.hexes) == 1012
    assert map_.main("22GG10") == "10GG1"
    assert map_.main("1B0") == "10B10"
    assert along(map_, "10I10", "1I1")
