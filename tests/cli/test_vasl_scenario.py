"""`laager vasl import` with what a scenario changes: from a save, and by option."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from laager.hexmap import load_map

from ..vasl import board_writer as w
from ..vasl.board_writer import Draft, old_board, zipped
from ..vasl.picture_writer import WOODS, picture
from ..vasl.save_writer import board, game, write
from .conftest import Laager


@pytest.fixture
def boards(laager: Laager) -> Path:
    """A folder of boards, with an overlay of one hex of woods."""
    folder = laager.folder / "boards"
    (folder / "overlays").mkdir(parents=True)
    for name in ("20", "21"):
        draft = Draft(name=name)
        draft.fill("C2", w.WOODS)
        draft.fill("D2", w.GRAIN)
        draft.write(folder)
    old_board(folder, "OLD", (225, 258), "x0 0\ny0 32\n")
    held = picture((112, 160), {(26, 101, 86, 157): WOODS})
    zipped(folder / "overlays" / "ovrX", {"ovrx1a.gif": held, "data": b"x1 b2"})
    return folder


def saved(laager: Laager, *described: str) -> str:
    write(laager.folder, game(boards="".join(described)), "g.vsav")
    return "g.vsav"


def outcomes(text: str) -> dict[tuple[str, str], str]:
    told: dict[str, Any] = json.loads(text)
    return {(one["board"], one["what"]): one["result"] for one in told["scenario"]}


def test_boards_lie_as_the_save_lays_them(laager: Laager, boards: Path) -> None:
    save = saved(
        laager,
        board(0, 0, "20", "OVR", "x1", "B2", "B2", "SSR", "NoGrain", "Winter"),
        board(0, 1, "r21", "0", "0", "225", "129", "SSR", "WoodsToBrush", "Nonsense"),
    )
    words = ("map", "import", "boards", "--from-save", save, "-o", "map.yaml", "--json")
    told = outcomes(laager.well(*words))
    assert told == {
        ("20", "overlay x1 on B2"): "applied",
        ("20", "rule NoGrain"): "applied",
        ("20", "rule Winter"): "nothing",
        ("21", "rule WoodsToBrush"): "applied",
        ("21", "rule Nonsense"): "not applied",
    }
    found = load_map(laager.folder / "map.yaml")
    terrain = {name: found.hex(name).terrain for name in ("20B2", "20C2", "20D2")}
    assert terrain == {"20B2": "woods", "20C2": "woods", "20D2": "open"}
    assert {name: found.hex(name).terrain for name in ("21C2", "21D2")} == {"21C2": "brush", "21D2": "grain"}
    assert "21C4" not in found, "the save crops it"
    assert "with rule WoodsToBrush" in found.source_note
    assert "turned round" in found.source_note


def test_what_was_not_applied_is_said(laager: Laager, boards: Path) -> None:
    save = saved(laager, board(0, 0, "20", "OVR", "y7", "B2", "B3"), board(1, 0, "OLD", "SSR", "Mud"))
    out = laager("vasl", "import", "boards/bd20", "boards/bdOLD", "--from-save", save, "-o", "m.yaml")
    told = " ".join(out.out.split())
    assert "board 20, overlay y7 on B2, B3: NOT APPLIED: its archive is not there" in told
    assert "board OLD, rule Mud: NOT APPLIED: its archive holds no LOS data" in told
    assert "mark it with laager vasl mark" in told


def test_rules_and_overlays_by_option(laager: Laager, boards: Path) -> None:
    words = ("boards/bd20", "boards/bd21", "--rule", "NoGrain", "--rule", "21:WoodsToBrush")
    told = outcomes(
        laager.well(
            "vasl", "import", *words, "--overlay", "20:x1:B2", "--overlay", "21:x1:B3:B3:b2",
            "-o", "m.yaml", "--json",
        )
    )  # fmt: skip
    assert set(told.values()) == {"applied"}
    assert len(told) == 5
    found = load_map(laager.folder / "m.yaml")
    assert [found.hex(name).terrain for name in ("20B2", "20C2", "21C2", "21B3")] == [
        "woods", "woods", "brush", "brush",
    ]  # fmt: skip


def test_overlays_of_another_folder_and_what_is_typed_beside_a_save(laager: Laager, boards: Path) -> None:
    (boards / "overlays").rename(laager.folder / "elsewhere")
    save = saved(laager, board(0, 0, "20", "OVR", "x1", "B2", "B2"))
    words = ("vasl", "import", "boards", "--from-save", save, "--overlays", "elsewhere")
    told = outcomes(laager.well(*words, "--rule", "20:NoGrain", "-o", "m.yaml", "--json"))
    assert set(told.values()) == {"applied"}
    assert len(told) == 2


def test_pto_terrain_in_one_word(laager: Laager, boards: Path) -> None:
    draft = Draft(name="22")
    for name, code in (("B2", w.WOODS), ("C2", w.ORCHARD), ("D2", w.BRUSH), ("E2", w.GRAIN)):
        draft.fill(name, code)
    draft.write(boards)
    out = laager.well("vasl", "import", "boards/bd22", "--pto", "-o", "m.yaml")
    assert "rule PalmTrees: applied" in out
    assert "jungle beside woods" not in out
    found = load_map(laager.folder / "m.yaml")
    kinds = [found.hex(f"22{name}").terrain for name in ("B2", "C2", "D2", "E2")]
    assert kinds == ["jungle", "palm", "bamboo", "grain"]
    assert "rule PalmTrees" in found.source_note, "VASL gets the same rules with a setup"
    laager.well("vasl", "import", "boards/bd22", "--pto", "--rule", "DenseJungle", "-o", "dense.yaml")
    assert load_map(laager.folder / "dense.yaml").hex("22B2").terrain == "dense-jungle"


def test_jungle_beside_woods_asks_for_pto(laager: Laager, boards: Path) -> None:
    draft = Draft(name="22")
    draft.fill("C2", w.WOODS)
    draft.fill("E2", w.DENSE_JUNGLE)
    draft.write(boards)
    assert "again with --pto" in " ".join(laager.well("vasl", "import", "boards/bd22", "-o", "m.yaml").split())
    assert "--pto" not in laager.well("vasl", "import", "boards/bd20", "-o", "woods.yaml")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("boards/bd20", "--rule", "22:NoGrain"), "there is no board '22'"),
        (("boards/bd20", "--rule", "a:b:c"), "isn't a rule"),
        (("boards/bd20", "--overlay", "x1"), "isn't an overlay"),
        (("boards/bd20", "--overlay", "22:x1:B2"), "there is no board '22'"),
        (("boards/bd20", "--overlay", "20::B2"), "isn't an overlay"),
        (("boards/bd20", "--from-save", "g.vsav"), "board '21' of the save is not among those"),
        (("boards", "--from-save", "g.vsav", "--layout", "20"), "keep one of the two"),
        (("boards", "--from-save", "none.vsav"), "no such file"),
        (("boards", "--from-save", "bare.vsav"), "has no boards"),
        (("boards",), "this is a folder"),
        (("boards/bd20", "boards/bd20"), "named twice"),
    ],
)
def test_what_will_not_do(laager: Laager, boards: Path, words: tuple[str, ...], said: str) -> None:
    saved(laager, board(0, 0, "20"), board(1, 0, "21"))
    write(laager.folder, game(), "bare.vsav")
    ended = laager("vasl", "import", *words, "-o", "m.yaml")
    assert ended.code != 0
    assert said in ended.err
    assert "Traceback" not in ended.err
    assert not (laager.folder / "m.yaml").exists()


def test_a_board_for_parking_counters_is_left_out(laager: Laager, boards: Path) -> None:
    Draft(name="Blank0").write(boards)
    save = saved(laager, board(0, 0, "Blank0"), board(0, 1, "20"), board(1, 1, "NUL"))
    out = laager.well("vasl", "import", "boards", "--from-save", save, "-o", "m.yaml")
    assert "Left out, as they are for parking counters: Blank0, NUL." in " ".join(out.split())
    alone = laager.well("vasl", "import", "boards/bd20", "-o", "alone.yaml", "--json")
    told = json.loads(laager.well("vasl", "import", "boards", "--from-save", save, "-o", "m.yaml", "--json", "--force"))
    assert (told["parking"], told["hexes"]) == (["Blank0", "NUL"], json.loads(alone)["hexes"])
    assert {one.name for one in load_map(laager.folder / "m.yaml").hexes.values()} == set(
        load_map(laager.folder / "alone.yaml").hexes
    )


def test_an_empty_board_that_somebody_names_is_said_to_be_empty(laager: Laager, boards: Path) -> None:
    Draft(name="Desert").write(boards)
    words = ("vasl", "import", "boards/bd20", "boards/bdDesert", "-o", "m.yaml")
    assert "Board Desert is empty: all its hexes are Open Ground in play." in " ".join(laager.well(*words).split())
    assert json.loads(laager.well(*words, "--json", "--force"))["empty"] == ["Desert"]
