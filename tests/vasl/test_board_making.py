"""Maps as boards of VASL: read back they are the maps that they were made of."""

from __future__ import annotations

from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from laager.base import DataError
from laager.base.files import Document
from laager.hexmap import HexMap, load_map, map_from_document
from laager.vasl.boards.board import board_of
from laager.vasl.making.archive import make_board_archive
from laager.vasl.making.losses import BoardLoss, find_losses
from laager.vasl.maps.tomap import place_alone
from laager.vasl.setup.board import battlefield, boards_at

SHIPPED = ("pl/training", "pl/rzhavets", "abtf/rijnoord", "er/kokusa-ridge", "hasl/sorgiva")
INEXPRESSIBLE = {"abtf/rijnoord": {("blockhouse", 1), ("one building", 18)}}
"""What VASL has no word for on the shipped maps, and in how many hexes: all else must be on the board."""


def shipped(name: str) -> HexMap:
    return load_map(Path(str(files("laager.packs") / f"{name}-map.yaml")))


def typed(**parts: Any) -> HexMap:
    """Return a map of 6 x 5 hexes with such parts."""
    board = {"columns": 6, "rows": 5, "half_rows": True}
    words = {"laager": "map/1", "id": "m", "title": "M", "source": "own", "boards": [board]}
    return map_from_document(Document(words | parts, "m.yaml"))


def losses(map_: HexMap) -> list[BoardLoss]:
    return list(find_losses(map_, make_board_archive(map_, "bdMine")))


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_map_comes_back(name: str, tmp_path: Path) -> None:
    map_ = shipped(name)
    archive = make_board_archive(map_, "bdMine")
    found = find_losses(map_, archive)
    assert {(loss.what, len(loss.where)) for loss in found} == INEXPRESSIBLE.get(name, set())
    assert not any(loss.added for loss in found)
    # Set up on the board, every hex has its own pixel there.
    (tmp_path / "bdMine").write_bytes(archive.data)
    field = battlefield(map_, boards_at(tmp_path), 400, "Mine", [])
    pixels = {field.pixel(name) for name in map_.hexes}
    assert None not in pixels
    assert len(pixels) == len(map_.hexes)


def test_another_map_is_refused_on_it(tmp_path: Path) -> None:
    (tmp_path / "bdMine").write_bytes(make_board_archive(shipped("pl/training"), "bdMine").data)
    with pytest.raises(DataError, match=r"is not the map of Mine"):
        battlefield(shipped("hasl/sorgiva"), boards_at(tmp_path), 400, "Mine", [])


def test_the_picture_is_a_gif_with_the_grid() -> None:
    archive = make_board_archive(typed(), "bdMine")
    board = board_of(archive)
    with Image.open(BytesIO(archive.read("bdMine.gif"))) as picture:
        assert (picture.format, picture.size) == ("GIF", board.size)
        pixels = picture.convert("L")
        corner = pixels.getpixel((38 + 18, 64))
        inside = pixels.getpixel((38, 50))
    assert isinstance(corner, int)
    assert isinstance(inside, int)
    assert corner < inside - 10, "three lines meet at A1's lower right corner"
    assert place_alone(board).name == "Mine"


def test_another_map_has_another_version() -> None:
    versions = {board_of(make_board_archive(map_, "bdMine")).metadata.version for map_ in (typed(), typed(title="N"))}
    assert len(versions) == 2


def test_the_same_map_gives_the_same_bytes() -> None:
    assert make_board_archive(typed(), "bdMine").data == make_board_archive(typed(), "bdMine").data


def test_what_vasl_cannot_say_is_told() -> None:
    map_ = typed(
        terrain={"unknown": ["C3"], "pond": ["E3"]},
        features={"pier": ["D3"]},
        buildings=[{"material": "stone", "levels": 6, "hexes": ["B2"]}],
        hexsides={"wall": ["C1/C2"], "cliff": ["C1/C2"]},
    )
    assert losses(map_) == [
        BoardLoss("pier", ("D3",)),
        BoardLoss("stone building, 6 upper levels", ("B2",)),
        BoardLoss("unknown terrain", ("C3",)),
        BoardLoss("wall", ("C1/C2",)),
        BoardLoss("open terrain", ("C3",), added=True),
        BoardLoss("stone building, 4 upper levels", ("B2",), added=True),
    ]


def test_a_road_a_stream_a_wall_and_a_house_share_a_hexside() -> None:
    map_ = typed(
        also={"brush": ["C3"], "orchard": ["C3"]},
        roads=[{"kind": "paved", "along": ["C2", "C3", "C4"]}],
        watercourses=[{"kind": "stream", "along": ["C2", "C3", "C4"]}],
        hexsides={"wall": ["C3/C4"]},
        buildings=[{"material": "wooden", "levels": 1, "hexes": ["E3", "E4"]}],
    )
    found = losses(map_)
    assert [loss for loss in found if loss.where not in {("C3",)}] == []


def test_a_wooded_bank_stays_at_the_rim() -> None:
    map_ = typed(terrain={"river": ["C3", "C4"], "orchard": ["E3"]}, also={"orchard": ["C3"], "river": ["E3"]})
    assert losses(map_) == []


@pytest.mark.parametrize(
    "board",
    [
        {"columns": 6, "rows": 5},
        {"columns": 6, "rows": 5, "half_rows": True, "half_columns": True},
        {"columns": 7, "rows": 5, "grain": "alternate"},
        {"columns": 7, "rows": 5, "even_rows": [1, 5], "odd_rows": [0, 4]},
        {"columns": 1, "rows": 3},
    ],
)
def test_grids_of_all_kinds(board: dict[str, Any]) -> None:
    map_ = typed(boards=[board], terrain={"woods": ["A1", "A2"]})
    assert losses(map_) == []


def test_a_board_with_a_number_keeps_it() -> None:
    board = {"board": "20", "columns": 33, "rows": 10, "half_rows": True}
    map_ = typed(boards=[board], terrain={"woods": ["20F5"]})
    archive = make_board_archive(map_, "bd20")
    assert find_losses(map_, archive) == ()
    assert board_of(archive).size == (1800, 645), "as large as VASL's geomorphic boards"


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("mine", "'mine' is not a name of a board; bd and up to 20 letters or digits, such as bdMill"),
        ("bd", "'bd' is not a name"),
        ("bdMy board", "'bdMy board' is not a name"),
        ("bd12", "'bd12' would be a board whose hexes are called 12A1; the map has A1; a name with letters"),
    ],
)
def test_names_that_boards_cannot_have(file: str, told: str) -> None:
    with pytest.raises(DataError, match=told):
        make_board_archive(typed(), file)


@pytest.mark.parametrize(
    ("boards", "told"),
    [
        (
            [{"board": "1", "columns": 4, "rows": 4}, {"board": "2", "columns": 4, "rows": 4, "right_of": "1"}],
            r"made of several boards \(1, 2\)",
        ),
        ([{"columns": 1, "rows": 4, "half_columns": True}], "it has no whole hex; a whole column and a whole row"),
        ([{"columns": 4, "rows": 4, "first_column": "C"}], "its first hex is C1; a VASL board begins with column A"),
        ([{"columns": 4, "rows": 4, "even_rows": [0, 4], "odd_rows": [1, 4]}], "its hex A0 lies above row 1"),
        ([{"columns": 4, "rows": 4, "reversed": True}], "don't lie as on one board|from west to east"),
    ],
)
def test_maps_that_are_no_board(boards: list[dict[str, Any]], told: str) -> None:
    with pytest.raises(DataError, match=told):
        make_board_archive(typed(boards=boards), "bdMine")
