"""The printed names of Blocks, by the markers that a board has for them; squares and boulevards between Blocks."""

from __future__ import annotations

from pathlib import Path
from string import ascii_uppercase

import pytest

from laager.base import DataError
from laager.vasl import Imported, arrange, import_boards, open_archive, place_alone, read_ground_by_colours
from laager.vasl.boards.board import board_of
from laager.vasl.boards.markers import find_block_markers

from . import board_writer as w
from .colour_boards import PAVED, STONE, Painted

REAL = Path(__file__).parents[3] / "shared" / "data" / "boards" / "bdABTF"


def town(markers: str) -> Painted:
    """Return a board with a street through its middle, and markers of 20 x 20 pixels."""
    board = Painted(columns=9, rows=6, others={"overlaySSR": markers.encode(), "m.gif": w.gif(20, 20)})
    board.way("E1 E2 E3 E4 E5 E6", PAVED, 14)
    board.brush.rectangle((4 * 56.25 - 7, 0, 4 * 56.25 + 7, board.image.height), fill=PAVED)
    return board


def made(board: Painted, folder: Path) -> Imported:
    archive = open_archive(board.write(folder))
    read = read_ground_by_colours(archive, board_of(archive))
    return import_boards(arrange([place_alone(read)]), [read])


def rules(**places: str) -> str:
    return "\n".join(
        f"BrBlk{letter}\nm.gif {place}\nGrBlk{letter}\nm.gif {place}\n" for letter, place in places.items()
    )


def test_the_middle_of_a_marker_counts(tmp_path: Path) -> None:
    archive = open_archive(town(rules(A="100,90", B="300,90", C="300,250")).write(tmp_path))
    assert find_block_markers(archive) == {"A": (110, 100), "B": (310, 100), "C": (310, 260)}


def test_markers_of_one_block_are_told(tmp_path: Path) -> None:
    found = made(town(rules(A="100,90", B="300,90", C="300,250")), tmp_path)
    assert found.letters is not None
    assert list(found.letters.alone) == ["A"]
    assert found.letters.together == (("B", "C"),)
    assert "B and C are one Block" in str(found.letters)
    # The Block of B and C is called by its first hex until a street divides it.
    named = [name for name in found.map.block_names if name != "A"]
    assert named == [f"at {found.map.block_names[named[0]]}"]
    assert set(found.map.blocks.hexes) == {"A", *named}
    assert "# " in found.text.split("laager: map/1")[0]


def test_blocks_that_all_have_a_letter_get_it(tmp_path: Path) -> None:
    board = town(rules(B="100,90", A="300,90", C="100,340"))
    board.brush.rectangle((0, 4 * 64.5 - 39, 4 * 56.25, 4 * 64.5 - 26), fill=PAVED)
    found = made(board, tmp_path)
    assert found.letters is not None
    assert found.letters.complete, str(found.letters)
    assert set(found.map.blocks.hexes) == {"A", "B", "C"}
    assert not found.map.blocks.lettered


def test_other_rules_are_no_markers(tmp_path: Path) -> None:
    text = "RoadsToPaths\nm.gif 1,1\nBrBlkA\nm.gif 5,5\nBrBlkB\nnone.gif 5,5\nBrBlkC\nm.gif 99999,5\n"
    assert find_block_markers(open_archive(town(text).write(tmp_path))) == {}


def test_a_list_that_is_too_long_is_refused(tmp_path: Path) -> None:
    board = town("")
    board.others = {"overlaySSR": b"x\n" * 200_000}
    with pytest.raises(DataError, match="unpacks to 400000 bytes"):
        find_block_markers(open_archive(board.write(tmp_path)))


def test_squares_are_streets_in_all_directions(tmp_path: Path) -> None:
    board = Painted()
    board.box("C3", PAVED, 90)
    found = made(board, tmp_path).map
    crossed = {frozenset(pair) for road in found.roads for pair in zip(road.along, road.along[1:], strict=False)}
    assert {frozenset({"C3", other}) for other in ("C2", "D2", "D3", "C4", "B3", "B2")} <= crossed


def test_a_light_roof_is_no_street(tmp_path: Path) -> None:
    board = Painted()
    board.box("C3", STONE, 16)
    board.box("C3", PAVED, 9, dy=22)
    found = made(board, tmp_path).map
    assert found.hex("C3").building
    assert not found.roads


@pytest.mark.skipif(not REAL.exists(), reason=f"the board {REAL.name} isn't there")
def test_all_letters_of_a_real_board_are_alone_in_their_blocks() -> None:
    archive = open_archive(REAL)
    board = read_ground_by_colours(archive, board_of(archive))
    found = import_boards(arrange([place_alone(board)]), [board])
    assert found.letters is not None
    assert len(found.letters.alone) == 26
    assert not found.letters.together
    blocks = found.map.blocks.hexes
    assert {name for name in blocks if not name.startswith("at ")} == set(ascii_uppercase)
    for letter, name in found.letters.alone.items():
        assert name in blocks[letter]
