"""Hexes of like colours: what a flood of paint over a board's picture fills."""

from __future__ import annotations

from pathlib import Path

import pytest

from laager.hexmap import flood_fill
from laager.vasl import (
    arrange,
    changed_board,
    hex_colours,
    import_boards,
    open_archive,
    place_alone,
    read_ground_by_colours,
    try_ground_by_colours,
)
from laager.vasl.boards.board import board_of

from .colour_boards import town

BOARDS = Path(__file__).resolve().parents[3] / "shared" / "data" / "boards"


def test_a_flood_of_colour_stays_in_the_woods(tmp_path: Path) -> None:
    archive = open_archive(town().write(tmp_path, "GIF"))
    board = read_ground_by_colours(archive, board_of(archive), None)
    map_ = import_boards(arrange([place_alone(board)]), [board]).map
    like = hex_colours(map_, lambda _: archive).similar_to("C2")
    found = flood_fill(map_, "C2", like.__contains__)
    assert found
    assert {map_.hex(name).terrain for name in found} == {"woods"}
    assert hex_colours(map_, lambda _: archive).similar_to("Z9") == frozenset()


@pytest.mark.soak
@pytest.mark.skipif(not (BOARDS / "bdER").is_file(), reason="the board bdER is not in ../shared/data/boards")
def test_like_colours_tell_terrain_apart_on_a_real_board() -> None:
    """Nine of ten neighbours that were read alike are alike in colour, and a third of the others at most."""
    archive = open_archive(BOARDS / "bdER")
    board = try_ground_by_colours(archive, changed_board(archive)[0], None)[0]
    map_ = import_boards(arrange([place_alone(board)]), [board]).map
    colours = hex_colours(map_, lambda _: archive)
    kept: dict[bool, list[bool]] = {True: [], False: []}
    for name, one in map_.hexes.items():
        like = colours.similar_to(name)
        for other in map_.neighbours(name):
            two = map_.hexes[other]
            same = (one.terrain, one.level, one.also, one.building) == (two.terrain, two.level, two.also, two.building)
            kept[same].append(other in like)
    assert sum(kept[True]) / len(kept[True]) > 0.9
    assert sum(kept[False]) / len(kept[False]) < 0.35
