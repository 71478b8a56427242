"""`laager los` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from laager.los.exact import readiness
from laager.los.exact.compiled import has_numba

from ..los.drafts import varied
from ..vasl.board_writer import Draft, zipped
from ..vasl.picture_writer import WOODS, picture
from ..vasl.save_writer import board as board_command
from ..vasl.save_writer import game, write
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


@pytest.mark.skipif(not has_numba(), reason="Numba isn't installed")
def test_all_lines_are_kept_and_read(laager: Laager, board: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readiness.compile_now()
    monkeypatch.setattr(readiness, "cache_folder", lambda: laager.folder)
    without = laager.well("los", board, "--from", "E5:2")
    said = laager.well("los", board, "--keep")
    assert said.startswith("looking: ")
    assert said.endswith("looking: 100 %\nAll lines between the 84 Locations of Board 20 are kept.\n")
    assert len(list(laager.folder.glob("*.lospairs"))) == 1
    assert laager.well("los", board, "--from", "E5:2") == without
    assert json.loads(laager.well("los", board, "--keep", "--json"))["kept"] == 84 * 84
    refused = laager("los", board, "A1", "A2", "--keep")
    assert refused.code == 2
    assert "leave out FROM, TO and --from" in refused.err


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


def test_a_mistyped_rule_is_refused(laager: Laager, board: Path) -> None:
    refused = laager("los", board, "A1", "A2", "--rule", "NoGrian")
    assert refused.code == 3
    assert "--rule: there is no rule 'NoGrian'; did you mean NoGrain?" in refused.err
    assert "no rule 'NoGrian'" in laager("los", board, "A1", "A2", "--rule", "20:NoGrian").err
    assert laager.well("los", board, "A1", "A2", "--rule", "NoGrain") == "A1 sees A2 (range 1).\n"


def test_a_rule_of_one_board_is_no_matter_of_the_other(laager: Laager, tmp_path: Path) -> None:
    rule = '<overlaySSRules><overlaySSRule name="BSO_Own" image="own.gif" x="0" y="0"/></overlaySSRules>'
    own = picture((112, 160), {(26, 62, 86, 130): WOODS})
    boards = [Draft(name=name, columns=33, rows=10, inside=inside) for name, inside in (("20", rule), ("21", ""))]
    first, second = (draft.write(tmp_path, **{"own.gif": own}) for draft in boards)
    words = ("los", first, "--with", second, "21F3", "21F8", "--rule")
    assert laager.well(*words, "BSO_Own") == "21F3 sees 21F8 (range 5).\n"
    assert "there is no rule 'BSO_Own'" in laager(*words, "21:BSO_Own").err


@pytest.fixture
def overlaid(laager: Laager) -> Path:
    """A folder with a board, and with an overlay of one hex of woods."""
    folder = laager.folder / "boards"
    (folder / "overlays").mkdir(parents=True)
    Draft(name="20", columns=9, rows=6).write(folder)
    held = picture((112, 160), {(26, 101, 86, 157): WOODS})
    zipped(folder / "overlays" / "ovrX", {"ovrx1a.gif": held, "data": b"x1 b2"})
    return folder


def test_overlays_by_option_and_out_of_a_save(laager: Laager, overlaid: Path) -> None:
    write(laager.folder, game(boards=board_command(0, 0, "20", "OVR", "x1", "D3", "D3")), "g.vsav")
    typed = (overlaid / "bd20", "D1", "D5", "--overlay", "20:x1:D3")
    saved = (overlaid, "D1", "D5", "--from-save", "g.vsav")
    for words in (typed, saved):
        told = laager.well("los", *words)
        assert told.startswith("No answer for D1 to D5: VASL gives no answer: overlay x1 on D3 lies there")
        told = laager.well("los", *words, "--deviation", "true-map")
        assert told.startswith("D1 doesn't see D5 (range 4): blocked at D3 by terrain")
    assert laager.well("los", *saved[:1], "F1", "F5", *saved[3:]) == "F1 sees F5 (range 4).\n"
    laager.well("los", overlaid, "--from", "D1", "--from-save", "g.vsav", "--map", "seen.svg")
    refused = laager("los", *saved, "--layout", "20")
    assert "keep one of the two" in refused.err


def test_both_vertices_of_a_bypass_and_points_above_the_ground(laager: Laager, board: Path) -> None:
    near, far = (laager.well("los", board, "B3", f"E5 bypass 3{end}") for end in ("", " far"))
    assert "E5 bypass 3 (" in near
    assert "E5 bypass 3 far (" in far
    assert "C3 doesn't see H2 (" in laager.well("los", board, "C3", "H2")
    assert "C3 sees H2 above 6 (range 5)" in laager.well("los", board, "C3", "H2 above 6")
