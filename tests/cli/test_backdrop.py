"""`laager map --backdrop`: where boards are looked for, and what is said if they are not there."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from laager.hexmap import load_map

from ..hexmap.draw.reading import texts
from ..vasl import board_writer as w
from ..vasl.board_writer import Draft
from ..vasl.pictures import painted
from ..vasl.save_writer import board, game, save_bytes
from .conftest import Laager

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.fixture
def boards(laager: Laager, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with board 20, a map made of it, and no memory of either."""
    folder = laager.folder / "vasl" / "boards"
    folder.mkdir(parents=True)
    draft = Draft()
    draft.write(folder, **{"bd20.gif": painted(draft, ["B2", "C2", "D3"])})
    laager.well("vasl", "import", folder / "bd20", "-o", "map.yaml")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(laager.folder / "fresh"))
    return folder


def drawn(laager: Laager, *words: str | Path, **env: str) -> str:
    """Draw the map; return the drawing."""
    out = laager.folder / "out.svg"
    out.unlink(missing_ok=True)
    laager.well("map", "map.yaml", "--out", "out.svg", *words, **env)
    return out.read_text(encoding="utf-8")


def refused(laager: Laager, *words: str | Path, **env: str) -> str:
    """Try to draw; return what is said, and be sure that nothing was drawn."""
    ended = laager("map", "map.yaml", "--out", "no.svg", *words, **env)
    assert ended.code == (3 if ended.err.startswith("This doesn't work") else 1)
    assert not (laager.folder / "no.svg").exists()
    return ended.err


def test_a_folder_is_told_and_remembered(laager: Laager, boards: Path) -> None:
    assert "layer-backdrop" not in drawn(laager)
    assert "layer-backdrop" in drawn(laager, "--backdrop", "--boards", boards)
    assert "layer-backdrop" in drawn(laager, "--backdrop")
    assert "layer-backdrop" not in drawn(laager)


def test_naming_the_boards_is_asking_for_the_backdrop(laager: Laager, boards: Path) -> None:
    assert "data:image/png;base64," in drawn(laager, "--boards", boards)


def test_a_setting_goes_before_what_is_remembered(laager: Laager, boards: Path) -> None:
    drawn(laager, "--boards", boards)
    other = laager.folder / "other"
    other.mkdir()
    assert "other" in refused(laager, "--backdrop", LAAGER_BOARDS=str(other))
    assert "layer-backdrop" in drawn(laager, "--backdrop", LAAGER_BOARDS=str(boards))
    assert "layer-backdrop" in drawn(laager, "--boards", boards, LAAGER_BOARDS=str(other))


def test_a_setting_alone_draws_no_backdrop(laager: Laager, boards: Path) -> None:
    assert "layer-backdrop" not in drawn(laager, LAAGER_BOARDS=str(boards))


def test_importing_remembers_where_the_boards_are(laager: Laager, boards: Path) -> None:
    laager.well("vasl", "import", boards / "bd20", "-o", "again.yaml")
    assert "layer-backdrop" in drawn(laager, "--backdrop")


def test_boards_laid_by_a_save_are_remembered_by_their_folder(laager: Laager, boards: Path) -> None:
    save = laager.folder / "game.vsav"
    save.write_bytes(save_bytes(game(boards=board(0, 0, "20"))))
    laager.well("vasl", "import", boards, "--from-save", save, "-o", "again.yaml")
    assert "layer-backdrop" in drawn(laager, "--backdrop")


def test_boards_from_two_folders_are_not_remembered(laager: Laager, boards: Path) -> None:
    other = laager.folder / "bd21"
    Draft(name="21").write(laager.folder)
    laager.well("vasl", "import", boards / "bd20", other, "-o", "two.yaml")
    assert "the folder of your VASL boards is not known" in refused(laager, "--backdrop")


def test_no_folder_is_known(laager: Laager, boards: Path) -> None:
    said = refused(laager, "--backdrop")
    assert "name it with --boards or LAAGER_BOARDS" in said


def test_a_folder_that_is_none(laager: Laager, boards: Path) -> None:
    assert "bd20 is not a folder; name the folder of your VASL boards" in refused(laager, "--boards", boards / "bd20")
    assert "gone is not a folder" in refused(laager, "--boards", "gone")


def test_a_board_that_is_missing_or_another_one(laager: Laager, boards: Path) -> None:
    empty = laager.folder / "empty"
    empty.mkdir()
    assert "the board is not there" in refused(laager, "--boards", empty)
    assert not (laager.folder / "fresh").exists(), "what did not do is not remembered"
    (boards / "bd20").write_bytes((boards / "bd20").read_bytes() + b" ")
    assert "another version of the board" in refused(laager, "--boards", boards)


def test_a_remembered_folder_that_is_gone(laager: Laager, boards: Path) -> None:
    drawn(laager, "--boards", boards)
    shutil.rmtree(boards)
    assert "boards is not a folder; name the folder of your VASL boards" in refused(laager, "--backdrop")


def test_what_was_remembered_may_be_spoilt(laager: Laager, boards: Path) -> None:
    note = laager.folder / "fresh" / "laager" / "boards-folder"
    note.parent.mkdir(parents=True)
    for spoilt in (b"", b"\xff\xfe\x00", b"a\x07b"):
        note.write_bytes(spoilt)
        assert "is not known" in refused(laager, "--backdrop")


@pytest.mark.skipif(os.name == "nt", reason="a file where a folder should be")
def test_where_nothing_can_be_remembered_the_map_is_drawn_all_the_same(laager: Laager, boards: Path) -> None:
    (laager.folder / "fresh").write_text("in the way", encoding="utf-8")
    assert "layer-backdrop" in drawn(laager, "--boards", boards)
    assert "is not known" in refused(laager, "--backdrop")


def test_a_map_of_ones_own_has_no_backdrop(laager: Laager, boards: Path) -> None:
    text = "laager: map/1\nid: m\ntitle: Mine\nsource: own\nboards: [{columns: 3, rows: 3}]\n"
    (laager.folder / "mine.yaml").write_text(text, encoding="utf-8")
    ended = laager("map", "mine.yaml", "--backdrop")
    assert "the map Mine has no board's picture to lie under it" in ended.err
    assert ended.code == 1


def test_a_png_and_what_programs_are_told(laager: Laager, boards: Path) -> None:
    words = ("map", "map.yaml", "--boards", boards, "--out", "map.png", "--width", "400", "--json")
    told = json.loads(laager.well(*words))
    data = (laager.folder / "map.png").read_bytes()
    assert told == {"file": "map.png", "bytes": len(data)}
    assert data.startswith(b"\x89PNG")


def test_the_map_file_tells_nobody_where_the_boards_are(laager: Laager, boards: Path) -> None:
    text = (laager.folder / "map.yaml").read_text(encoding="utf-8")
    assert str(boards) not in text
    assert load_map(laager.folder / "map.yaml").pictures[0].file == "bd20"


def test_a_campaign_on_an_imported_map_is_drawn_on_its_picture_for_each_side(laager: Laager) -> None:
    """The log holds how the picture lies, the picture itself stays with the boards."""
    draft = Draft(name="HM", columns=9, rows=7)
    draft.way("E2 F1", w.STONE_2, 8)
    draft.way("A4 B4 C5 D4 E4 F4 G4 H4 I4", w.STREAM, 12)
    draft.way("E3 E4 E5", w.DIRT)
    draft.box("E4", w.BRIDGE, half=12)
    boards = laager.folder / "boards"
    boards.mkdir()
    path = draft.write(boards, **{"bdHM.gif": painted(draft, ["B2", "C2", "D3"])})
    laager.well("vasl", "import", path, "-o", "bridge-map.yaml")
    shutil.copy(EXAMPLES / "bridge.yaml", laager.folder)
    laager.well("new", "bridge.yaml", "--entered-dice")
    log = next(one for one in laager.folder.iterdir() if one.suffix == ".laager")
    assert '"pictures"' in log.read_text(encoding="utf-8")
    assert "base64" not in log.read_text(encoding="utf-8")
    for side in ("axis", "allied"):
        laager.well("map", "--side", side, "--backdrop", "--boards", boards, "--out", "one.svg")
        svg = (laager.folder / "one.svg").read_text(encoding="utf-8")
        assert svg.count("data:image/png;base64,") == 1
        laager.well("map", "--side", side, "--out", "plain.svg")
        plain = (laager.folder / "plain.svg").read_text(encoding="utf-8")
        assert set(texts(svg)) <= set(texts(plain)), "a picture tells nothing of the situation"
