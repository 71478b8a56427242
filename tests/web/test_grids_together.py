"""Several charts of a file on one page: typed, filled down, completed, pasted, checked and kept together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from bench import errands
from django.test import Client

from laager.rules.board.hasl.grids.sheets import grids_of
from laager.web.library.files import file_templates
from laager.web.library.files import files as library

from .conftest import Desk, People
from .test_grids import cells, paste

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

TABLES = "/library/file/a-tables.yaml/fill"
CARD = "/library/file/a.yaml/fill"


@pytest.fixture
def client(people: People) -> Client:
    library.save_all(people.anna, file_templates.made_from("skeleton-er", "a"), None)
    return people.client(people.anna)


def test_charts_of_a_page_are_kept_together_or_not_at_all(client: Client, people: People) -> None:
    page = f"{TABLES}?chart=san&chart=san-modifiers&chart=tables"
    before = library.find(people.anna, "a-tables.yaml").text
    sent = {"r0.0": "4", "r0.1": "1", "r1.1": "0", "t1.r0.0": "attacked", "t1.r0.1": "many", "do": "save"}
    overview = {
        f"t2.r{i}.{j}": text
        for i, row in enumerate(cells(people, "a-tables.yaml", "tables"))
        for j, text in enumerate(row)
    }
    answer = client.post(page, {**sent, **overview})
    assert answer.status_code == 422
    assert 'data-cell="t1.r0.1"' in answer.content.decode()
    assert "SAN Adjustment: modifiers" in answer.content.decode()
    assert library.find(people.anna, "a-tables.yaml").text == before
    # The table gets another name on the same page: its rows are kept, and the page goes on without it.
    answer = client.post(page, {**sent, **overview, "t1.r0.1": "1", "t2.r0.0": "elr", "t2.r0.3": "DR"})
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"{TABLES}?chart=tables"
    assert cells(people, "a-tables.yaml", "elr") == [["≤ 4", "1"], ["≥ 5", "0"]]
    assert cells(people, "a-tables.yaml", "elr-modifiers") == [
        ["attacked", "1", "", "chose an Attack chit", "ER 1.5222"]
    ]
    assert cells(people, "a-tables.yaml", "tables")[0][3] == "DR"


def test_a_page_has_charts_that_there_are_and_not_too_many(client: Client) -> None:
    assert client.get(f"{TABLES}?chart=san&chart=nothing").status_code == 404
    assert client.get(TABLES + "?" + "&".join(["chart=san"] * 61)).status_code == 422
    assert client.post(f"{TABLES}?chart=san&chart=shift", {"do": "paste", "pasted": "4\t1\n"}).status_code == 422
    overview = client.get(TABLES).content.decode()
    assert "?chart=tables&amp;chart=san&amp;chart=san-modifiers&amp;chart=escape" in overview
    page = client.get(f"{TABLES}?chart=san&chart=shift").content.decode()
    assert page.count("<table") == 2
    assert "2 charts of a-tables.yaml" in page


# In a browser -------------------------------------------------------------------------------------


def row_of(page: Page, heading: str, row: int) -> str:
    """Return what the names of the cells of a chart's row begin with, by its heading on the page."""
    name = (
        page.locator(f"h2:text-is('{heading}') ~ .grid-box tbody tr")
        .nth(row)
        .locator("input")
        .first.get_attribute("name")
    )
    assert name is not None
    return name.rpartition(".")[0]


@pytest.mark.browser
def test_all_blanks_of_a_file_are_typed_on_one_page(client: Client, people: People, desk: Callable[..., Desk]) -> None:
    own = desk(people.anna, width=1280)
    page = own.page
    own.go(TABLES)
    page.get_by_role("link", name="All charts with blanks on one page").click()
    # What is rolled: marked with the keyboard and filled with the first.
    page.locator("[name='r0.3']").select_option("DR")
    page.locator("[name='r0.3']").focus()
    for _ in range(6):
        page.keyboard.press("Shift+ArrowDown")
    assert page.locator("td.marked").count() == 7
    page.keyboard.press("Control+d")
    assert page.locator("[name='r6.3']").input_value() == "DR"
    assert page.locator("[name='r7.3']").input_value() == "?"
    san = row_of(page, "SAN Adjustment", 0)
    page.locator(f"[name='{san}.0']").focus()
    page.locator(f"[name='{san}.0']").select_text()
    for text in ("4", "1", "9", "0", "", "-1"):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    modifier = row_of(page, "SAN Adjustment: modifiers", 0)
    page.locator(f"[name='{modifier}.0']").fill("attacked")
    page.locator(f"[name='{modifier}.1']").fill("x")
    page.locator(f"[name='{modifier}.1'][aria-invalid='true']").wait_for()
    assert "SAN Adjustment: modifiers: 1, DRM" in " ".join(page.locator("#grid-report").inner_text().split())
    page.locator(f"[name='{modifier}.1']").fill("1")
    page.locator(f"[name='{modifier}.1'][aria-invalid='true']").wait_for(state="detached")
    page.keyboard.press("Control+s")
    page.locator(".messages li").wait_for()
    assert page.url.count("chart=") > 10, "the same charts stay on the page"
    assert cells(people, "a-tables.yaml", "san") == [["≤ 4", "1"], ["5-9", "0"], ["≥ 10", "-1"]]
    assert cells(people, "a-tables.yaml", "san-modifiers")[0][3:] == ["chose an Attack chit", "ER 1.5222"]
    assert [row[3] for row in cells(people, "a-tables.yaml", "tables")] == ["DR"] * 7 + ["?"]


@pytest.mark.browser
def test_what_the_count_of_keys_says_is_typed_makes_the_charts(
    client: Client, people: People, desk: Callable[..., Desk]
) -> None:
    """Type exactly what `bench.errands` counts for the house campaign, and get its charts."""
    folder, names, _ = errands.ERRANDS["ER"]
    before = errands.read_data(errands.PACKS / folder / "skeleton" / "tables.yaml")
    after = errands.read_data(errands.PACKS / folder / names["tables.yaml"])
    kind = str(after["laager"]).partition("/")[0]
    own = desk(people.anna, width=1280)
    own.go(TABLES)
    own.page.get_by_role("link", name="All charts with blanks on one page").click()
    ids = parse_qs(urlsplit(own.page.url).query)["chart"]
    count = 0
    for grid in grids_of(kind, after):
        if grid.id not in ids:
            continue
        typed = errands.typed_cells(grid, before, after)
        fills = errands.take_fills(typed, errands.rows_of(grid, after))
        count += type_chart(own.page, own.page.locator("table.cells").nth(ids.index(grid.id)), typed, fills)
    assert count > 45
    own.page.keyboard.press("Control+s")
    own.page.locator(".messages li").wait_for()
    for grid in grids_of(kind, after):
        if grid.id not in ids:
            continue
        made, wanted = cells(people, "a-tables.yaml", grid.id), [list(row.cells) for row in grid.rows(after)]
        was = [list(row.cells) for row in grid.rows(before)]
        for i, row in enumerate(wanted):
            old = was[i] if i < len(was) and was[i][0] != "?" else [""] * len(row)
            left = [there in ("", "?") for there in old]
            assert [a for a, open_ in zip(made[i], left, strict=True) if open_] == [
                a for a, open_ in zip(row, left, strict=True) if open_
            ], (grid.id, i)


def type_chart(page: Page, table: Locator, typed: list[list[str]], fills: list[tuple[int, int, int]]) -> int:
    """Type cells into a chart, and fill columns down; return how many cells were typed."""
    prefix, count = table.get_attribute("data-prefix"), 0
    for i, row in enumerate(typed):
        while table.locator("tbody tr").count() <= i:
            table.locator(f"[name='{prefix}r{i - 1}.0']").press("Enter")
        for j, text in enumerate(row):
            if not text:
                continue
            count += 1
            cell = table.locator(f"[name='{prefix}r{i}.{j}']")
            if cell.evaluate("e => e.tagName") == "SELECT":
                # Not typed: the letters of a list that differ only in their case choose the first.
                options = cell.locator("option").all_inner_texts()
                cell.select_option(next(option for option in options if option.startswith(text)))
                continue
            cell.select_text()
            if text == errands.DELETE:
                page.keyboard.press("Delete")
                continue
            page.keyboard.type(text.removesuffix(errands.TAKE) if text != errands.TAKE else "")
            if text.endswith(errands.TAKE):
                page.keyboard.press("ArrowRight")
    for j, first, last in fills:
        table.locator(f"[name='{prefix}r{first}.{j}']").focus()
        for _ in range(last - first):
            page.keyboard.press("Shift+ArrowDown")
        page.keyboard.press("Control+d")
    return count


@pytest.mark.browser
def test_a_contradiction_stands_at_both_cells_of_one_page(
    client: Client, people: People, desk: Callable[..., Desk]
) -> None:
    own = desk(people.anna, width=1280)
    page = own.page
    own.go(f"{CARD}?chart=sides&chart=axis-arrow-dates")
    page.locator("[name='t1.r0.0']").fill("F1")
    page.locator("[name='t1.r0.1']").fill("13 Sept Day")
    page.locator("[name='r0.12']").fill("G1")
    page.locator("[name='r0.12'][aria-invalid='true']").wait_for()
    assert page.locator("[name^='t1.r0.'][aria-invalid='true']").count() == 1
    page.locator("#grid-report [data-cell='r0.12'] a", has_text="arrows that open later").click()
    assert page.evaluate("document.activeElement.name").startswith("t1.r0.")
    page.locator("#grid-report [data-cell^='t1.'] a", has_text="Sides").click()
    assert page.evaluate("document.activeElement.name") == "r0.12"
    page.locator("[name='t1.r0.0']").fill("G1")
    page.locator("[name='r0.12'][aria-invalid='true']").wait_for(state="detached")
    page.keyboard.press("Control+s")
    page.locator(".messages li").wait_for()
    assert cells(people, "a.yaml", "axis-arrow-dates") == [["G1", "13 Sept Day"]]


@pytest.mark.browser
def test_cells_are_completed_filled_down_and_pasted_from_a_pdf(
    client: Client, people: People, desk: Callable[..., Desk]
) -> None:
    own = desk(people.anna, width=1280)
    page = own.page
    own.go("/library/file/a-charts.yaml/fill?chart=allied-rg")

    def text(name: str) -> str:
        return page.locator(f"[name='{name}']").input_value()

    # Copied out of a PDF; a line that has lost a cell is named.
    paste(
        page,
        "r1.0",
        "I2    N    Rifle Platoon    \n  I3   N   Pioneer Section\nI4  Service Platoon  \nHW1  N  Mortar Section",
    )
    assert [text(f"r{row}.0") for row in range(1, 5)] == ["I2", "I3", "I4", "HW1"]
    assert text("r4.2") == "Mortar Section"
    assert "Look at lines 3:" in page.locator("[data-paste-news]").inner_text()
    page.locator("[name='r3.1']").fill("N")
    # One squad less is proposed for Depleted, and taken with the right arrow key alone.
    page.locator("[name='r1.5']").fill("3x 4-5-8 (E)")
    page.locator("[name='r1.6']").focus()
    assert "The right arrow key takes 2x 4-5-8 (E)" in page.locator("[data-cell-help]").inner_text()
    page.keyboard.press("Tab")
    assert text("r1.6") == ""
    page.locator("[name='r1.6']").focus()
    page.keyboard.press("ArrowRight")
    assert text("r1.6") == "2x 4-5-8 (E)"
    # What stands above completes what is typed; without the key it stays as typed.
    page.locator("[name='r1.13']").fill("american-marines")
    page.locator("[name='r2.13']").focus()
    page.keyboard.type("am")
    assert page.locator("td[data-proposal]").get_attribute("data-proposal") == "american-marines"
    page.keyboard.press("Tab")
    assert text("r2.13") == "am"
    page.locator("[name='r2.13']").fill("")
    page.locator("[name='r2.13']").focus()
    page.keyboard.type("am")
    page.keyboard.press("ArrowRight")
    assert text("r2.13") == "american-marines"
    # The button fills what is empty below, in lines with something; Ctrl+D a cell from the one above.
    page.locator("[name='r1.12']").select_option("no")
    page.locator("[name='r3.12']").select_option("yes")
    page.locator("[name='r1.12']").focus()
    page.get_by_role("button", name="Fill down").click()
    assert [text(f"r{row}.12") for row in range(1, 5)] == ["no", "no", "yes", "no"]
    page.get_by_role("button", name="Undo").click()
    assert [text(f"r{row}.12") for row in range(1, 5)] == ["no", "", "yes", ""]
    page.locator("[name='r2.12']").focus()
    page.keyboard.press("Control+d")
    assert [text(f"r{row}.12") for row in range(1, 5)] == ["no", "no", "yes", ""]
    page.locator("[name='r1.4']").fill("5")
    page.locator("[name='r4.4']").click(modifiers=["Shift"])
    page.keyboard.press("Control+d")
    assert [text(f"r{row}.4") for row in range(1, 5)] == ["5", "5", "5", "5"]
    page.keyboard.press("Control+s")
    page.locator(".messages li").wait_for()
    assert cells(people, "a-charts.yaml", "allied-rg")[2][12:14] == ["no", "american-marines"]


@pytest.mark.browser
def test_words_of_a_list_are_completed_one_by_one(people: People, desk: Callable[..., Desk]) -> None:
    library.save_all(people.anna, file_templates.made_from("skeleton-pl", "p"), None)
    own = desk(people.anna, width=1280)
    page = own.page
    own.go("/library/file/p.yaml/fill?chart=axis-works&chart=initial")
    page.locator("[name='r0.0']").fill("5")
    page.locator("[name='r0.1']").focus()
    for text in ("fox", ", wi", ", nothing"):
        page.keyboard.type(text)
        page.keyboard.press("ArrowRight")
    assert page.locator("[name='r0.1']").input_value() == "foxhole, wire, nothing"
    page.locator("[name='r0.1']").fill("foxhole, wire")
    page.locator("[name='r0.2']").focus()
    page.keyboard.type("wi")
    page.keyboard.press("ArrowRight")
    page.keyboard.type(" 2")
    # An objective without a sentence says what its other cells say.
    page.locator("[name='t1.r0.0']").select_option("Axis")
    page.locator("[name='t1.r0.2']").fill("E4, F5, G6")
    page.locator("[name='t1.r0.3']").fill("2")
    page.keyboard.press("Control+s")
    page.locator(".messages li").wait_for()
    assert cells(people, "p.yaml", "axis-works")[0][:3] == ["5", "foxhole, wire", "wire 2"]
    assert cells(people, "p.yaml", "initial") == [
        ["Axis", "Control at least two of E4, F5 and G6.", "E4, F5, G6", "2", "", ""]
    ]
