"""Charts as grids in one's library: typed, pasted, as CSV, checked; from a skeleton to a campaign."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files as packaged
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from laager.base.files import parse_document
from laager.rules.board.hasl.grids.sheets import find_grid, overview, to_csv
from laager.rules.board.hasl.grids.writing import write_cells
from laager.web.library.files import file_templates
from laager.web.library.files import files as library
from laager.web.library.grids.grid_files import read_grids
from laager.web.models import Game

from .conftest import Desk, People

if TYPE_CHECKING:
    from playwright.sync_api import Page

PACKS = Path(str(packaged("laager.packs")))
GRID = "/library/file/a-charts.yaml/fill?chart=axis-rg"


@pytest.fixture
def client(people: People) -> Client:
    library.save_all(people.anna, file_templates.made_from("skeleton-abtf", "a"), None)
    return people.client(people.anna)


def test_all_blanks_of_a_skeleton_stand_in_its_grids() -> None:
    for name, text in file_templates.made_from("skeleton-abtf", "a").items():
        read = read_grids(text, name)
        assert read.left > 30
        assert not read.others, name


def cells(people: People, name: str, chart: str) -> list[list[str]]:
    """Return the cells of a chart in anna's library."""
    data = parse_document(library.find(people.anna, name).text, name).data
    return [list(row.cells) for row in find_grid(str(data["laager"]).partition("/")[0], data, chart).rows(data)]


def sent(rows: list[list[str]]) -> dict[str, str]:
    """Return what a form sends of these cells."""
    return {f"r{i}.{j}": cell for i, row in enumerate(rows) for j, cell in enumerate(row)}


def house(file: str, chart: str, rules: str = "abtf") -> str:
    """Return a chart of a shipped campaign as CSV; "" if it has no such chart."""
    data = parse_document((PACKS / rules / f"{file}.yaml").read_text(encoding="utf-8"), file).data
    kind = str(data["laager"]).partition("/")[0]
    found = [one.grid for one in overview(kind, data) if one.grid.id == chart]
    return to_csv(found[0], data) if found else ""


def test_cells_are_kept_and_problems_stand_at_their_cells(client: Client, people: People) -> None:
    german = client.get(GRID, headers={"Accept-Language": "de"}).content.decode()
    assert "Dezimiert" in german
    assert "Group Type" in german, "a word of the rules stays"
    page = client.get(GRID).content.decode()
    assert "its SW" in page
    assert "Its price." in page
    rows = cells(people, "a-charts.yaml", "axis-rg")
    rows[0][2] = "Training Pltn"
    assert client.post(GRID, {**sent(rows), "do": "save"}).status_code == 302
    assert cells(people, "a-charts.yaml", "axis-rg") == rows
    before = library.find(people.anna, "a-charts.yaml").text
    rows[1][4], rows[2][3] = "x7", "Tanks"
    answer = client.post(GRID, {**sent(rows), "do": "save"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert 'data-cell="r1.4"' in page
    assert 'data-cell="r2.3"' in page
    assert library.find(people.anna, "a-charts.yaml").text == before
    live = client.post("/library/file/a-charts.yaml/fill/live?chart=axis-rg", sent(rows)).content.decode()
    assert "a whole number from 0 to 99" in live
    rows[1][4], rows[2][3] = "7", "G"
    live = client.post("/library/file/a-charts.yaml/fill/live?chart=axis-rg", sent(rows)).content.decode()
    assert 'data-cell="r2.0"' in live or "A4 does not fit its kind" not in live


@pytest.mark.parametrize(("id_", "kind"), [("HW2", "HW"), ("K-I1", "I"), ("X1", "")])
def test_the_kind_of_a_group_follows_from_its_id(id_: str, kind: str) -> None:
    text = (PACKS / "abtf" / "rijnoord-charts.yaml").read_text(encoding="utf-8")
    grid = find_grid("hasl-charts", parse_document(text, "").data, "axis-rg")
    rows = [list(row.cells) for row in grid.rows(parse_document(text, "").data)]
    rows.append([id_, "", "More men", *("" for _ in rows[0][3:])])
    made = write_cells(text, "charts.yaml", grid, rows).text
    assert parse_document(made, "").data["sides"]["axis"]["rg"][-1].get("kind", "") == kind


def test_csv_is_given_and_taken_and_shown_before_it_is_kept(client: Client, people: People) -> None:
    given = client.get("/library/file/a-charts.yaml/fill/csv?chart=axis-rg")
    assert given.content.decode("utf-8-sig").startswith("RG,KG,Group Type")
    before = library.find(people.anna, "a-charts.yaml").text
    csv = SimpleUploadedFile("rg.csv", house("rijnoord-charts", "axis-rg").encode())
    answer = client.post(GRID, {"do": "paste", "csv": csv})
    assert 'value="Replacement Pltn"' in answer.content.decode()
    assert library.find(people.anna, "a-charts.yaml").text == before
    for wrong, told in (
        ("RG\tPrice\nI1\t5\n", "there is no column"),
        ("x," * 30 + "x\n", "this line has 31 cells"),
        ("x" * 1_000_000, "characters are too many"),
        ("", "there is nothing to take"),
    ):
        answer = client.post(GRID, {"do": "paste", "pasted": wrong})
        assert answer.status_code == 422, told
        assert told in answer.content.decode()
    assert client.post(GRID, {f"r{i}.0": "I1" for i in range(500)}).status_code == 422


def test_a_card_with_blanks_says_what_is_left_and_cannot_begin(client: Client) -> None:
    page = client.get("/new/own/a.yaml").content.decode()
    assert "156 blanks are left" in page
    assert "/library/file/a-charts.yaml/fill" in page
    assert client.post("/new/own/a.yaml", {"seat": "both"}).status_code == 422
    assert not Game.objects.exists()
    assert "156 blanks are left" in client.get("/library/file/a.yaml/fill").content.decode()
    assert client.get("/library/file/a.yaml/fill?chart=nothing").status_code == 404


def test_nobody_else_reaches_the_charts(client: Client, people: People) -> None:
    other = people.client(people.bert)
    for address in (GRID, "/library/file/a-charts.yaml/fill/csv?chart=axis-rg"):
        assert other.get(address).status_code == 404
    assert other.post("/library/file/a-charts.yaml/fill/live?chart=axis-rg").status_code == 404


PL_CARD = {
    "card": [["Two days", "t-map.yaml", "A bridge.", "", "Axis", "Axis", "", "firefights", "", "", ""]],
    "firefights": [["1943-07-12", "morning", "5 3, 6 6", "Clear"], ["1943-07-13", "morning", "5 3, 6 6", "Clear"]],
    "sides": [
        ["Germans", "German", "4", "3", "8", "3", "A1-A9", "west", ""],
        ["Soviets", "Russian", "3", "4", "8", "3", "L1-L9", "east", ""],
    ],
    "axis-chart": [["I1", "Rifle platoon", "infantry", "platoon", "first-line", "4", "3x 4-6-7, LMG"]],
    "allied-chart": [["I1", "Rifle platoon", "infantry", "platoon", "first-line", "3", "3x 4-4-7, LMG"]],
    "axis-groups": [["I1", "on-map", "8-1"]],
}
"""What a designer types for the smallest Platoon Leader card: 78 cells."""


def test_a_platoon_leader_card_from_nothing_begins(people: People) -> None:
    own = people.client(people.anna)
    own.post("/library/new", {"template": "skeleton-pl", "name": "t"})
    assert "15 blanks are left" in own.get("/library/file/t.yaml/fill").content.decode()
    for chart, rows in PL_CARD.items():
        kept = own.post(f"/library/file/t.yaml/fill?chart={chart}", sent(rows))
        assert kept.status_code == 302, (chart, kept.content.decode())
    slips = sent([["1943-07-32", "dusk", "5 3"]])
    page = own.post("/library/file/t.yaml/fill/live?chart=firefights", slips).content.decode()
    assert 'data-cell="r0.0"' in page
    assert "is not a date" in page
    assert "This file is valid: Platoon Leader card." in own.get("/library/file/t.yaml/form").content.decode()
    wrong = own.post("/library/file/t.yaml/fill/live?chart=axis-chart", sent([["I2", *PL_CARD["axis-chart"][0][1:]]]))
    page = " ".join(wrong.content.decode().split())
    assert "the OB gives I1, which is not on the chart" in page
    assert "sides.axis" not in page
    text = library.find(people.anna, "t.yaml").text
    library.save(people.anna, "u.yaml", text.replace("cp: 8", "cp: 9"), None)
    compared = own.get("/library/file/u.yaml/check?with=t.yaml").content.decode()
    assert all(part in compared for part in ("Sides, Germans:", "<del>8</del>", "<ins>9</ins>"))
    assert "<del>" not in own.get("/library/file/u.yaml/check?with=nothing.yaml").content.decode()
    library.save(people.anna, "u.yaml", "laager: pl-card/1\nsides: [", None)
    assert own.get("/library/file/u.yaml/check?with=t.yaml").status_code == 200
    assert own.post("/new/own/t.yaml", {"seat": "both"}).status_code == 302
    assert Game.objects.get().title == "Two days"


def keep(own: Client, people: People, chart: str, rows: list[list[str]]) -> None:
    """Keep the cells of a chart of a.yaml."""
    kept = own.post(f"/library/file/a.yaml/fill?chart={chart}", sent(rows))
    assert kept.status_code == 302, kept.content.decode()


def read_page(own: Client, chart: str) -> str:
    """Return the page of a chart of a.yaml."""
    return " ".join(own.get(f"/library/file/a.yaml/fill?chart={chart}").content.decode().split())


def test_a_slip_in_two_charts_is_kept_and_mended_in_either(people: People) -> None:
    own = people.client(people.anna)
    library.save_all(people.anna, file_templates.made_from("skeleton-er", "a"), None)
    sides = cells(people, "a.yaml", "sides")
    sides[0][12] = "F1"
    keep(own, people, "sides", sides)
    keep(own, people, "axis-arrow-dates", [["F1", "13 Sept Day"]])
    # Both charts can be changed while the other still says something else, and 79 blanks are left.
    sides[0][12] = "G1"
    keep(own, people, "sides", sides)
    fault = "Japanese has no arrow F1; it has G1"
    assert cells(people, "a.yaml", "sides")[0][12] == "G1"
    there = read_page(own, "sides")
    assert fault in there
    assert 'data-cell="r0.12"' in there
    assert 'href="/library/file/a.yaml/fill?chart=axis-arrow-dates#r0.1"' in there
    later = read_page(own, "axis-arrow-dates")
    assert fault in later
    assert 'href="/library/file/a.yaml/fill?chart=sides#r0.12"' in later
    keep(own, people, "axis-arrow-dates", [["G1", "13 Sept Day"]])
    assert "has no arrow" not in read_page(own, "sides")


def test_every_check_names_chart_line_and_column_not_the_path_in_the_file(people: People) -> None:
    text = (PACKS / "pl" / "training.yaml").read_text(encoding="utf-8")
    wrong = text.replace("        cost: ", "        cost: -", 1)
    assert wrong != text
    library.save(people.anna, "mine.yaml", wrong)
    (problem,) = library.check_text(people.anna, "mine.yaml", wrong).problems
    assert ".chart[1].cost" in problem.field
    client = people.client(people.anna)
    address = "/library/file/mine.yaml"
    pages = [client.get(f"{address}/{page}").content.decode() for page in ("", "check", "fill", "form")]
    pages.append(client.post(f"{address}/live", {"text": wrong}).content.decode())
    for page in pages:
        assert f"<code>{problem.field}" not in page
        assert "<code>cost" not in page
        link = re.search(rf'<a href="{address}/fill\?chart=([\w-]+)#r0\.[0-9]+">\s*([^<]+)</a> \(1, CP\):', page)
        assert link, page
        assert client.get(f"{address}/fill?chart={link[1]}").status_code == 200


def test_arrows_that_the_map_lacks_lead_to_the_map_editor(people: People) -> None:
    own = people.client(people.anna)
    library.save_all(people.anna, file_templates.made_from("skeleton-er", "a"), None)
    library.save_all(people.anna, {"m.yaml": file_templates.made_from("skeleton-pl", "m")["m-map.yaml"]}, None)
    text = library.find(people.anna, "a.yaml").text
    library.save(people.anna, "a.yaml", re.sub(r"map: <fill in>.*", "map: m.yaml", text), None)
    sides = cells(people, "a.yaml", "sides")
    sides[0][12] = "A2, A3, A4"
    keep(own, people, "sides", sides)
    page = read_page(own, "sides")
    assert "the map has no Entry Area with its arrow in A2" in page
    assert "laager vasl" not in page
    assert 'href="/library/file/m.yaml/map?card=a.yaml"> Put the 3 missing arrows on the map </a>' in page
    asked = own.get("/library/file/m.yaml/map?card=a.yaml").content.decode()
    assert 'value="A2,A3,A4=arrow"' in asked
    assert own.post("/library/file/m.yaml/map", {"do": "changes", "changes": "A2,A3,A4=arrow"}).status_code < 400
    assert "missing arrows" not in read_page(own, "sides")


def test_a_date_that_does_not_exist_is_named_while_blanks_are_left(people: People) -> None:
    own = people.client(people.anna)
    library.save_all(people.anna, file_templates.made_from("skeleton-er", "a"), None)
    keep(own, people, "axis-arrow-dates", [["F1", "15 Sept Day"]])
    for chart, cell in (("axis-arrow-dates", 'data-cell="r0.1"'), ("dates", "")):
        page = read_page(own, chart)
        assert "there is no CG Date &#x27;15 Sept Day&#x27;" in page, chart
        assert cell in page
    assert "has no arrow" not in read_page(own, "axis-arrow-dates"), "the arrows are still a blank"


# In a browser -------------------------------------------------------------------------------------

PASTE = """([cell, text]) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  cell.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
}"""


def paste(page: Page, cell: str, text: str) -> None:
    """Paste what a spreadsheet has copied into a cell."""
    page.evaluate(PASTE, [page.locator(f"[name='{cell}']").element_handle(), text])


def tabbed(csv: str) -> str:
    """Return a CSV without headings as a spreadsheet copies it."""
    import csv as reader
    from io import StringIO

    rows = list(reader.reader(StringIO(csv)))[1:]
    return "\n".join("\t".join(row) for row in rows)


@pytest.mark.browser
def test_cells_in_a_browser(client: Client, people: People, desk: Callable[..., Desk]) -> None:
    own = desk(people.anna, width=390)
    page = own.page
    own.go(GRID)
    # What is wrong with a cell stands there as it is typed; too much is refused, and nothing is pasted.
    page.locator("[name='r0.4']").fill("many")
    page.locator("[name='r0.4'][aria-invalid='true']").wait_for()
    assert "a whole number from 0 to 99" in page.locator("#grid-report").inner_text()
    page.locator("[name='r0.4']").fill("5")
    page.locator("#grid-report .good").wait_for()
    paste(page, "r0.20", "a\tb\tc")
    assert "room for 2" in page.locator("[data-paste-news]").inner_text()
    paste(page, "r0.0", "x" * 1_000_000)
    assert "1000000 characters" in page.locator("[data-paste-news]").inner_text()
    assert page.locator("[name='r0.0']").input_value() == "I1"
    page.locator("[name='r0.0']").press("Enter")
    assert page.evaluate("document.activeElement.name") == "r1.0"
    paste(page, "r0.0", tabbed(house("rijnoord-charts", "axis-rg")))
    page.locator("[data-undo]").click()
    assert page.locator("[name='r0.2']").input_value() == "?"
    paste(page, "r0.0", tabbed(house("rijnoord-charts", "axis-rg")))
    page.keyboard.press("Control+s")
    page.locator(".messages li").wait_for()
    assert len(cells(people, "a-charts.yaml", "axis-rg")) > 20


@pytest.mark.browser
def test_a_contradiction_leads_to_its_other_end_in_a_browser(people: People, desk: Callable[..., Desk]) -> None:
    library.save_all(people.anna, file_templates.made_from("skeleton-er", "a"), None)
    own = desk(people.anna, width=1200)
    page = own.page
    own.go("/library/file/a.yaml/fill?chart=axis-arrow-dates")
    page.locator("[name='r0.0']").fill("F1")
    page.locator("[name='r0.1']").fill("13 Sept Day")
    page.keyboard.press("Control+s")
    page.locator(".messages li").wait_for()
    own.go("/library/file/a.yaml/fill?chart=sides")
    page.locator("[name='r0.12']").fill("G1")
    page.locator("[name='r0.12'][aria-invalid='true']").wait_for()
    page.keyboard.press("Control+s")
    page.locator(".messages li").wait_for()
    page.locator("#grid-report a", has_text="arrows that open later").click()
    page.locator("[name='r0.1'][aria-invalid='true']").wait_for()
    assert page.url.endswith("#r0.1")
    page.locator("[name='r0.0']").fill("G1")
    page.locator("#grid-report .good").wait_for()
