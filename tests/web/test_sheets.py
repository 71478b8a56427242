"""Record sheets: on the screen as they are printed, as CSV and as PDF."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from laager.sheets import catalogue, plain
from laager.sheets.offers import leaf
from laager.web.campaigns import tables
from laager.web.models import Game
from laager.web.records.sheets import pages as sheet_pages
from laager.web.shared import processes
from tests.sheets.reading import pages, sizes, whole
from tests.web.conftest import Begin, Desk, People, seat
from tests.web.seen import read, sitting, unknown, url


def test_every_cell_of_a_form_is_on_its_page(game: Game, people: People) -> None:
    client = people.client(people.anna)
    with tables.look(seat(game, people.anna, "axis")) as table:
        offers = catalogue(table.campaign, "axis")
        forms = {one.id: leaf(table.campaign, "axis", one.id) for one in offers}
    assert len(forms) > 8
    for name, form in forms.items():
        text = re.sub("<[^>]*>", " ", read(client, url(game, "axis", f"sheets/{name}")))
        page = " ".join(text.split())
        assert form.title in page
        for box in (box for line in form.boxes for box in line):
            assert box.label in page
            assert " ".join(box.value.split()) in page
        grids = [grid for block in form.blocks for grid in getattr(block, "grids", (block,))]
        for grid in grids:
            for row in getattr(grid, "rows", ()):
                for cell in row.cells:
                    texts = [cell] if isinstance(cell, str) else [run.text for run in cell]
                    assert all(" ".join(text.split()) in page for text in texts), (name, texts)


def test_csv_has_the_rows_of_the_sheet(game: Game, people: People) -> None:
    client = people.client(people.anna)
    response = client.get(url(game, "axis", "sheets/ob-axis.csv"))
    assert response["Content-Type"].startswith("text/csv")
    assert 'filename="' in response["Content-Disposition"]
    with tables.look(seat(game, people.anna, "axis")) as table:
        (sheet,) = plain(table.campaign, "axis", "ob-axis")
    lines = response.content.decode().splitlines()
    assert len(lines) == 1 + len(sheet.rows)
    assert lines[0] == ",".join(column.title for column in sheet.columns)
    assert client.get(url(game, "axis", "sheets/report-axis.csv")).status_code == 404


def test_pdf_on_both_papers_in_both_languages(game: Game, people: People) -> None:
    client = people.client(people.anna)
    response = client.get(url(game, "axis", "sheets.pdf?id=roster-axis&id=ob-axis&paper=letter"))
    assert response["Content-Type"] == "application/pdf"
    data = response.content
    assert sizes(data) == {(612.0, 792.0)}
    assert any("CG Roster" in text for text in pages(data))
    german = client.get(url(game, "axis", "sheets.pdf?id=setup-axis&language=de")).content
    assert sizes(german) == {(595.3, 841.9)}
    assert "Aufstellungsblatt" in whole(german)


@pytest.mark.parametrize(
    "address", ["/campaign/{}/axis/sheets.pdf?id=roster-axis", "/api/v1/campaigns/{}/axis/print?name=roster"]
)
def test_the_campaign_is_free_while_a_pdf_is_laid_out(
    address: str, game: Game, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    free: list[bool] = []

    def laid_out(*_: object) -> bytes:
        lock = tables.SHELF.get(game.pk, tables.Held).lock
        with ThreadPoolExecutor(1) as other:
            free.append(other.submit(lock.acquire, blocking=False).result())
        return b"%PDF"

    sheet_pages.PRINTED.clear()
    monkeypatch.setattr(processes.SLOW, "do", laid_out)
    client = people.client(people.anna)
    assert client.get(address.format(game.pk)).content == b"%PDF"
    assert free == [True]


def test_the_other_sides_sheets_are_offered_to_nobody_else(game: Game, people: People) -> None:
    secret = ("purchases-allied", "setup-allied", "report-allied")
    for name, user in sitting(game, people).items():
        client = people.client(user)
        page = read(client, url(game, name, "sheets"))
        there = name in ("allied", "umpire")
        for one in secret:
            assert (f'value="{one}"' in page) is there
            assert (client.get(url(game, name, f"sheets/{one}")).status_code == 200) is there
        answer = client.get(url(game, name, "sheets.pdf?id=purchases-allied"))
        assert (answer.status_code == 200) is there
    hidden = unknown(game, people.anna, "axis")
    client = people.client(people.anna)
    text = whole(client.get(url(game, "axis", "sheets.pdf?id=ob&id=diary")).content)
    assert hidden
    assert not {one for one in hidden if one in text}


@pytest.mark.parametrize(
    ("rest", "status"),
    [
        ("sheets/nothing", 404),
        ("sheets/nothing.csv", 404),
        ("sheets.pdf?id=nothing", 404),
        ("sheets.pdf", 422),
        ("sheets.pdf?id=diary&paper=a9", 404),
        ("sheets.pdf?id=diary&language=xx", 404),
    ],
)
def test_wrong_sheets_are_told(rest: str, status: int, game: Game, people: People) -> None:
    page = people.client(people.anna).get(url(game, "axis", rest))
    assert page.status_code == status
    assert "That doesn't work" in page.content.decode()


def test_what_players_write_is_no_markup(begin: Begin, people: People) -> None:
    game = begin("rzhavets", title='<script>alert("1")</script> & #set')
    for rest in ("sheets/roster-axis", "log", "log/1", "rules", "over", "units"):
        page = people.client(people.anna).get(url(game, "axis", rest)).content.decode()
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert" in page


@pytest.mark.browser
def test_a_form_prints_without_what_is_around_it(game: Game, people: People, desk: Callable[..., Desk]) -> None:
    anna = desk(people.anna, width=390, height=844)
    anna.go(url(game, "axis", "sheets/roster-axis"))
    page = anna.page
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.emulate_media(media="print")
    for hidden in (".sheet-head", ".sheet-others", ".tabs", ".top"):
        assert not page.locator(hidden).first.is_visible()
    assert page.locator(".form-leaf table").first.is_visible()
