"""`laager los` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..los.drafts import varied
from ..vasl.board_writer import Draft
from .conftest import Laager


@pytest.fixture
def board(tmp_path: Path) -> Path:
    return varied().write(tmp_path)


def test_a_line_is_told_as_a_player_says_it(laager: Laager, board: Path) -> None:
    assert laager.well("los", board, "A1", "A2") == "A1 sees A2 (range 1).\n"
    told = json.loads(laager.well("los", board, "B3", "E5:roof", "--json"))
    assert (told["from"], told["to"], told["range"]) == ("B3", "E5 rooftop", 3)
    assert set(told["boards"]) == {"20"}


def test_a_whole_board_is_listed_drawn_or_json(laager: Laager, board: Path) -> None:
    told = laager.well("los", board, "--from", "E5:2")
    assert told.startswith("E5 level 2 sees ")
    assert "Clear: " in told
    found = json.loads(laager.well("los", board, "--from", "E5:2", "--json"))
    assert {"location": "E5 level 2", "clear": True, "hindrance": 0} in found["locations"]
    for suffix, start in ((".svg", b"<svg"), (".png", b"\x89PNG")):
        out = laager.folder / f"seen{suffix}"
        assert laager.well("los", board, "--from", "A1", "--map", out.name) == f"drawn: {out.name}\n"
        assert out.read_bytes().startswith(start)
    assert "What A1 sees" in (laager.folder / "seen.svg").read_text(encoding="utf-8")


def test_boards_lie_beside_one_another(laager: Laager, tmp_path: Path) -> None:
    boards = [Draft(name=name, columns=17, rows=20, hex_width=56.3125).write(tmp_path) for name in ("20", "21")]
    words = ("los", boards[0], "--with", boards[1], "--layout", "20 / r21", "20A1", "21A10")
    assert laager.well(*words) == "20A1 sees 21A10 (range 38).\n"
    told = laager.well(*words, "--deviation", "true-map")
    assert told == "20A1 sees 21A10 (range 38).\nDeviations from VASL: true-map.\n"


def test_prepare_says_when_lines_are_ready(laager: Laager) -> None:
    assert laager.well("los", "--prepare").endswith("Lines of sight are ready.\n")


@pytest.mark.parametrize(
    "words",
    [[], ["BOARD"], ["BOARD", "A1"], ["BOARD", "A1", "A2", "--from", "A3"], ["BOARD", "A1", "A2", "--map", "x.svg"]],
)
def test_wrong_use_says_what_to_type(laager: Laager, board: Path, words: list[str]) -> None:
    assert laager("los", *(str(board) if word == "BOARD" else word for word in words)).code == 2


def test_unknown_deviations_and_places_are_refused(laager: Laager, board: Path) -> None:
    refused = laager("los", board, "A1", "A2", "--deviation", "both-way")
    assert refused.code == 3
    assert "there is no deviation 'both-way'; did you mean both-ways?" in refused.err
    assert "has no hex 'Q9'" in laager("los", board, "A1", "Q9").err
