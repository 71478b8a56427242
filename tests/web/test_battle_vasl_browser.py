"""A battle goes into VASL on the map's own board and back, by clicks alone; wrong files on the way."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from laager.vasl.archive import Archive
from laager.vasl.boards.board import board_of
from laager.web.library.files import files as library
from laager.web.library.maps import hex_editing
from laager.web.models import Game, OwnBoard
from tests.vasl.module_writer import small
from tests.web.fielded import fielded
from tests.web.reporting import drop
from tests.web.seen import url
from tests.web.test_mapedit import MAP
from tests.web.test_vasl_evenings import lay_in

if TYPE_CHECKING:
    from playwright.sync_api import Download, FilePayload, Page

    from tests.web.conftest import Desk, People

LAYOUT = "RzhavetsOnTheNorther"
FILLED_IN = "() => document.querySelector('[data-findings]')"
REFUSED = "() => document.querySelector('[data-refusal] .refused')"


@pytest.fixture
def game(people: People) -> Game:
    return fielded(people, "rzhavets")


def download(page: Page, role: str, name: str) -> tuple[str, bytes]:
    """Click what downloads a file; return its name and what is in it."""
    with page.expect_download() as answer:
        page.get_by_role("link" if role == "link" else "button", name=name, exact=True).click()
    file: Download = answer.value
    return file.suggested_filename, Path(file.path()).read_bytes()


@pytest.mark.browser
def test_a_battle_goes_to_vasl_and_back_on_the_maps_own_board(
    game: Game, people: People, desk: Callable[..., Desk], tmp_path: Path
) -> None:
    anna = desk(people.anna)
    page = anna.page
    anna.go(url(game, "axis", "vasl"))
    page.set_input_files("#counters", small().write(tmp_path / "VASL.vmod"))
    page.get_by_text("Ready to send: ").wait_for()
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Kept: 9 counters").wait_for()
    name, board = download(page, "link", "Download the board")
    assert (name, len(board_of(Archive(board, name)).hexes)) == (f"bd{LAYOUT}", 676)
    page.get_by_role("button", name="Keep it in my library, and set up on it").click()
    page.wait_for_url(f"**/vasl?layout={LAYOUT}")
    assert bytes(OwnBoard.objects.get(owner=people.anna).data) == board
    page.get_by_text("Do this in VASL before anybody else gets the game").wait_for()
    name, save = download(page, "button", "The whole setup (.vsav)")
    assert name.endswith(".vsav")
    # What was set up comes back: nothing has changed, and every counter is known.
    anna.go(url(game, "axis"))
    page.wait_for_selector("[data-save-page]")
    drop(page, "main", save)
    page.wait_for_url("**/axis/report/*/")
    page.wait_for_function(FILLED_IN)
    assert not page.locator("[data-findings=unknown]").count()
    # A board is no save of the other side.
    anna.go(url(game, "axis", f"vasl?layout={LAYOUT}"))
    wrong: FilePayload = {"name": "bd20", "mimeType": "application/zip", "buffer": board}
    page.set_input_files("#into", wrong)
    page.locator("button[name=kind][value=into]").click()
    page.get_by_text(re.compile("bd20")).first.wait_for()
    assert page.locator(".refused, .problem").count()


@pytest.mark.browser
def test_a_wrong_file_dropped_on_the_table_is_refused_on_the_report(
    game: Game, people: People, desk: Callable[..., Desk]
) -> None:
    anna = desk(people.anna)
    page = anna.page
    board = people.client(people.anna).get(url(game, "axis", "vasl/board")).content
    for wrong in (b"", b"a letter", board, board[:3000], b"\x89PNG\r\n\x1a\n" + bytes(50)):
        anna.go(url(game, "axis"))
        page.wait_for_selector("[data-save-page]")
        drop(page, "main", wrong)
        page.wait_for_url("**/axis/report/*/")
        page.wait_for_function(REFUSED)
        assert "evening.vsav" in page.locator("[data-refusal]").inner_text()
        assert not page.locator("[data-findings]").count()
        assert page.get_by_role("button", name="Submit the report").is_enabled()


@pytest.mark.browser
def test_a_map_of_ones_own_becomes_a_board_and_a_map_again(
    people: People, desk: Callable[..., Desk], tmp_path: Path
) -> None:
    library.save(people.anna, "m.yaml", MAP)
    anna = desk(people.anna)
    page = anna.page
    anna.go("/library/file/m.yaml/map")
    name, board = download(page, "link", "Download as a VASL board")
    (tmp_path / name).write_bytes(board)
    (tmp_path / "bdCut").write_bytes(board[:-40])
    anna.go("/library/")
    form = page.locator("form[action$='/library/boards']")
    form.locator("input[type=file]").set_input_files(tmp_path / "bdCut")
    form.get_by_label("Name of the map's file").fill("cut.yaml")
    form.get_by_role("button", name="Make the map").click()
    page.get_by_text("bdCut").first.wait_for()
    assert not OwnBoard.objects.exists()
    lay_in(anna, tmp_path / name, "again.yaml", 68)
    was, now = (hex_editing.map_of(library.find(people.anna, file).text, file) for file in ("m.yaml", "again.yaml"))
    assert {name for name, one in now.hexes.items() if one.terrain == "woods"} == {
        name for name, one in was.hexes.items() if one.terrain == "woods"
    }
