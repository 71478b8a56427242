"""`laager vasl import` and the board part of `laager vasl show`."""

from __future__ import annotations

import json
from pathlib import Path

from laager.hexmap import load_map

from ..vasl import board_writer as w
from ..vasl.board_writer import Draft, old_board
from .conftest import Laager


def drawn(folder: Path, name: str = "20") -> Path:
    draft = Draft(name=name)
    draft.fill("C2", w.WOODS, 1)
    draft.way("A3 B3 C3", w.PAVED)
    draft.way("D2 E2", w.STONE_2, 8)
    draft.side("C3", 3, w.WALL)
    return draft.write(folder)


def test_a_board_becomes_a_map_that_can_be_drawn(laager: Laager) -> None:
    drawn(laager.folder)
    out = laager.well("vasl", "import", "bd20", "-o", "map.yaml", "--title", "Small")
    assert out == "written: map.yaml (22 hexes)\nlook at it with: laager map map.yaml --out map.svg\n"
    found = load_map(laager.folder / "map.yaml")
    assert (found.title, found.id, found.hex("20C2").terrain) == ("Small", "small", "woods")
    assert laager.well("check", "map.yaml")
    assert laager.well("map", "map.yaml", "--out", "map.png") == "drawn: map.png\n"


def test_a_layout_of_several_boards(laager: Laager) -> None:
    drawn(laager.folder, "20")
    drawn(laager.folder, "21")
    words = ("vasl", "import", "bd20", "bd21", "-o", "two.yaml", "--json", "--layout", "20 / r21")
    told = json.loads(laager.well(*words))
    assert (told["file"], told["hexes"], told["unknown"]) == ("two.yaml", 42, 0)
    found = load_map(laager.folder / "two.yaml")
    assert found.distance("20C4", "21C4") == 1
    side_by_side = laager.well("vasl", "import", "bd20", "bd21", "-o", "row.yaml")
    assert "40 hexes" in side_by_side


def test_an_old_board_says_that_its_terrain_is_not_known(laager: Laager) -> None:
    old_board(laager.folder, "OLD", (225, 258), "version 1.0")
    out = laager.well("vasl", "import", "bdOLD", "-o", "map.yaml")
    assert "The terrain of 22 hexes is not known" in out
    assert "is not known" in laager.well("vasl", "show", "bdOLD")


def test_what_a_map_has_no_word_for_is_told(laager: Laager) -> None:
    draft = Draft()
    draft.fill("C2", w.DEBRIS)
    draft.write(laager.folder)
    out = laager.well("vasl", "import", "bd20", "-o", "map.yaml")
    assert "Left out, as a map file has no word for it: Debris (1 hexes)." in out


def test_a_file_that_is_there_is_kept(laager: Laager) -> None:
    drawn(laager.folder)
    (laager.folder / "map.yaml").write_text("mine", encoding="utf-8")
    ended = laager("vasl", "import", "bd20", "-o", "map.yaml")
    assert "map.yaml already exists; name another file with --out, or add --force" in ended.err
    assert (laager.folder / "map.yaml").read_text("utf-8") == "mine"
    laager.well("vasl", "import", "bd20", "-o", "map.yaml", "--force")
    assert "is a folder" in laager("vasl", "import", "bd20", "-o", ".").err


def test_all_boards_that_will_not_do_are_told(laager: Laager) -> None:
    (laager.folder / "bd1").write_bytes(b"nothing")
    ended = laager("vasl", "import", "bd1", "bd2", "-o", "map.yaml")
    assert ended.code == 3
    assert "bd1: is not a ZIP archive" in ended.err
    assert "bd2: there is no such file" in ended.err
    drawn(laager.folder)
    assert "a board is named twice" in laager("vasl", "import", "bd20", "bd20").err
    wrong = laager("vasl", "import", "bd20", "--layout", "21")
    assert "there is no board '21'; the boards are 20" in wrong.err


def test_crops_that_do_not_fit_are_told_in_the_words_of_a_layout(laager: Laager) -> None:
    drawn(laager.folder, "20")
    drawn(laager.folder, "21")
    words = ("vasl", "import", "bd20", "bd21", "-o", "two.yaml", "--layout")
    for layout in ("20[A-D] 21", "20 / 21[B-D]"):
        told = " ".join(laager(*words, layout).err.split())
        assert "21: its hexes lie half a hex off those of 20; crop one of the two a column more or fewer: the" in told
        assert "columns that meet are both of A, C, E … or both of B, D, F …" in told
        assert "at: [" not in told
    for layout in ("20[A-C] 21[A-C]", "20[A-D] 21[B-D]", "20[B-D] / 21[B-D]"):
        assert laager(*words, layout, "--force").code == 0


def test_show_a_board(laager: Laager) -> None:
    drawn(laager.folder)
    out = laager.well("vasl", "show", "bd20")
    assert "Board 20, version 1.0 Jan 2020" in out
    assert "22 hexes of 56.25 x 64.5 pixels" in out
    assert "S Wall" in out
    found = json.loads(laager.well("vasl", "show", "bd20", "--json"))
    hexes = {one["name"]: one for one in found["hexes"]}
    assert found["terrain_known"] is True
    assert (hexes["C2"]["terrain"], hexes["C2"]["level"]) == ("Woods", 1)
    assert hexes["B3"]["roads"]
    assert hexes["D2"]["levels"]["2"] == "Stone Building, 2 Level"


def test_show_an_old_board_as_json(laager: Laager) -> None:
    old_board(laager.folder, "OLD", (225, 258), "")
    found = json.loads(laager.well("vasl", "show", "bdOLD", "--json"))
    assert found["terrain_known"] is False
    assert found["hexes"][0] == {"name": "A1", "centre": [0, 32]}
