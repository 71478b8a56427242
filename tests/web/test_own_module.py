"""An owner's evening: from his module's VASL board and a skeleton to a campaign that begins, in a browser."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from laager.base.files import parse_document
from laager.rules.board.hasl.grids.sheets import overview
from laager.web.library.files import files as library
from laager.web.models import Game
from tests.web.test_grids import house, paste, tabbed
from tests.web.test_map_strokes import Easel

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.web.conftest import Desk, People

BOARDS = Path(__file__).resolve().parents[3] / "shared" / "data" / "boards"
HOUSE = {"abtf": "rijnoord", "er": "kokusa-ridge"}
BOARD = {"abtf": "bdABTF", "er": "bdER"}
ARROWS = {"abtf": (), "er": (("G24", "G28"), ("AA24", "AA28"), ("Q24", "Q28"), ("FF15", "SS15"))}
"""What lies on the edge of our map, and what does on the board."""


BY_KEY = 20
PATIENCE = 240_000
"""Milliseconds that a step may take before the test gives up."""


@dataclass
class Evening:
    """A browser whose clicks, keys and pastes are counted, and the seconds of each part."""

    own: Desk
    done: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def page(self) -> Page:
        return self.own.page

    def click(self, where: str) -> None:
        self.page.locator(where).first.click()
        self.done["clicks"] += 1

    def write(self, where: str, text: str) -> None:
        self.page.locator(where).fill(text)
        self.done["clicks"] += 1
        self.done["texts"] += 1

    def choose(self, where: str, value: str) -> None:
        self.page.locator(where).select_option(value)
        self.done["clicks"] += 2

    def paste(self, cell: str, text: str) -> None:
        paste(self.page, cell, text)
        self.done["clicks"] += 1
        self.done["pastes"] += 1

    def timed(self, name: str, part: Callable[[], None]) -> None:
        start = time.monotonic()
        part()
        self.seconds[name] = round(time.monotonic() - start, 1)


@pytest.mark.soak
@pytest.mark.browser
@pytest.mark.parametrize("rules", ["abtf", "er"])
def test_from_ones_own_board_to_a_campaign(rules: str, people: People, desk: Callable[..., Desk]) -> None:
    """With the figures of our own campaign in place of the printed ones, every step of it on the pages."""
    if not (BOARDS / BOARD[rules]).is_file():
        pytest.skip(f"the board {BOARD[rules]} is not in ../shared/data/boards")
    evening = Evening(desk(people.anna, width=1280))
    # An import of a whole board can take long on a loaded machine.
    evening.page.set_default_timeout(PATIENCE)
    evening.page.set_default_navigation_timeout(PATIENCE)
    evening.timed("map", lambda: _map(evening, BOARD[rules]))
    evening.timed("doubts", lambda: _doubts(evening))
    evening.timed("charts", lambda: _charts(evening, people, rules))
    evening.timed("places", lambda: _places(evening))
    evening.timed("begin", lambda: _begin(evening))
    print(rules, dict(evening.done), evening.seconds)
    assert Game.objects.count() == 1
    assert evening.done["clicks"] < 250


def _map(evening: Evening, board: str) -> None:
    """Make a map of the board; what its colours mean is asked once if it must be."""
    evening.own.go("/library/")
    evening.page.locator("#boards").set_input_files(BOARDS / board)
    evening.done["clicks"] += 2
    evening.write("form:has(#boards) #map-name", "town")
    evening.click("form:has(#boards) button.primary")
    if "/colours" in evening.page.url:
        evening.done["colours asked"] = evening.page.locator("td input").count()
        evening.click("form.card button.primary")
    evening.page.wait_for_url("**/town.yaml/map")


def _doubts(evening: Evening) -> None:
    """Say of the worst doubts that the map is right, with a key each; then of all that are left at once."""
    page = evening.page
    page.locator(".map-stage.drawn").wait_for()
    page.locator("[data-doubt] button").first.focus()
    for _ in range(BY_KEY):
        # What looks alike is one doubt, so that a board can have few.
        if not (doubts := page.locator("[data-doubt]")).count():
            break
        first = doubts.first.get_attribute("data-doubt")
        page.keyboard.press("y")
        page.wait_for_function("first => document.querySelector('[data-doubt]')?.dataset.doubt !== first", arg=first)
        evening.done["doubts settled"] += 1
    if page.locator("button[value='rest=right']").count():
        evening.click("button[value='rest=right']")
    page.locator("[data-doubts]").wait_for(state="detached")


def _charts(evening: Evening, people: People, rules: str) -> None:
    page = evening.page
    evening.own.go("/library/")
    evening.choose("#template", f"skeleton-{rules}")
    evening.write("#new-name", "a.yaml")
    page.get_by_role("button", name="Make it").click()
    evening.done["clicks"] += 1
    for part in ("", "-charts", "-tables"):
        # A table that gets its columns there is opened once more.
        while blanks := _blanks(people, f"a{part}.yaml"):
            evening.own.go(f"/library/file/a{part}.yaml/fill")
            together = page.get_by_role("link", name="All charts with blanks on one page")
            if len(blanks) > 1:
                together.click()
                evening.done["clicks"] += 1
            else:
                evening.click(f"a[href$='chart={blanks[0]}']")
            for table, chart in zip(page.locator("table.cells").all(), blanks, strict=True):
                _paste_chart(evening, table, rules, part, chart)
            evening.click("button[value='save']")
            page.locator(".messages li").wait_for()


def _paste_chart(evening: Evening, table: Locator, rules: str, part: str, chart: str) -> None:
    """Paste a chart of our campaign into a table of the page; what it doesn't have is left out."""
    text = tabbed(house(f"{HOUSE[rules]}{part}", chart, rules))
    if chart in {"points", "sides"}:
        text = "\n".join(line.partition("\t")[2] for line in text.splitlines())
    if text:
        for ours, theirs in ((f"{HOUSE[rules]}-map", "town.yaml"), *ARROWS[rules]):
            text = text.replace(ours, theirs)
        evening.paste(f"{table.get_attribute('data-prefix')}r0.0", text)
    _leave_out(table, len(text.splitlines()))


def _places(evening: Evening) -> None:
    """Put on the map what the card names: its arrows at once, each Setup Area with a drag over some hexes."""
    page = evening.page
    evening.own.go("/library/file/town.yaml/map")
    easel = Easel(page)
    if page.locator("[data-part=needs] button[value$='=arrow']").count():
        evening.click("[data-part=needs] button[value$='=arrow']")
        page.locator("[data-part=needs] button[value$='=arrow']").wait_for(state="detached")
    row = 3
    while areas := page.locator("[data-want='@setup']").all_inner_texts():
        evening.click("[data-want='@setup']")
        page.locator("[data-how][value=rectangle]").check()
        easel.over(f"C{row}", f"E{row + 2}")
        page.wait_for_function("n => document.querySelectorAll(\"[data-want='@setup']\").length < n", arg=len(areas))
        evening.done["clicks"] += 1
        evening.done["strokes"] += 1
        row += 4


def _begin(evening: Evening) -> None:
    evening.own.go("/new/own/a.yaml")
    evening.click("form.card button.primary >> nth=-1")
    evening.page.wait_for_url("**/campaign/**")


def _blanks(people: People, name: str) -> list[str]:
    data = parse_document(library.find(people.anna, name).text, name).data
    kind = str(data["laager"]).partition("/")[0]
    return [one.grid.id for one in overview(kind, data) if one.blanks]


def _leave_out(table: Locator, rows: int) -> None:
    """Leave out what the pasted chart of so many rows hasn't filled in: blanks, and rows that it doesn't have."""
    table.evaluate(
        """(table, rows) => {
            const beyond = rows && "grows" in table.dataset ? [...table.tBodies[0].rows].slice(rows) : [];
            const left = [...table.querySelectorAll("td.blank"), ...beyond].flatMap((one) =>
                [...one.querySelectorAll("input, select")]);
            for (const cell of left) {
                cell.value = "";
                cell.dispatchEvent(new InputEvent("input", {bubbles: true}));
            }
        }""",
        rows,
    )
