"""Settle a board's doubts in a real browser, click by click: `python -m bench.settling BOARD [--no-colours]`.

BOARD is a file of VASL's boards. The script imports it, names its colours (or none), and answers every group: each
answer is a real click in Chromium on the page of the map, and the next comes when the page has taken the last. Nobody
looks and thinks: printed are the clicks, how long the page takes for each, and what a person would need who looks for 3
and for 6 seconds before each. Of a colour without a meaning the script says what is next in a list of usual terrain.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from bench.frames import quantile

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

LOOKS = (3, 6)
"""Seconds that a person looks and decides before a click: a quick one, a slow one."""
USUAL = ("woods", "brush", "grain", "stone", "paved", "open")


@dataclass
class Answers:
    """What was clicked or typed, and the seconds that the page took for each."""

    colours: int = 0
    typed: int = 0
    seconds: list[float] = field(default_factory=list)

    def click(self, page: Page, button: Locator, wait: str = "") -> None:
        """Click and wait until the page has taken it."""
        begun = time.perf_counter()
        button.click()
        if wait:
            page.wait_for_function(wait)
        self.seconds.append(time.perf_counter() - begun)


def name_colours(page: Page, answers: Answers, *, named: bool) -> None:
    """Answer the legend's questions: what was guessed is right, what has no meaning is something; or answer none."""
    words = cycle(USUAL)
    if not named:
        answers.click(page, page.locator("input[name=rest]"))
    for row in page.locator("tbody tr:has(.muted)").all() if named else ():
        answers.colours += 1
        if not row.locator("td").nth(3).inner_text().partition("(")[0].strip():
            answers.click(page, row.locator("input[type=text]"))
            page.keyboard.type(next(words))
            answers.typed += 1
    answers.click(page, page.get_by_role("button", name="Make the map"), "() => document.querySelector('[data-map]')")


def settle(page: Page, answers: Answers) -> int:
    """Answer each group with what the page proposes, leave what is alone, and return how many hexes were in doubt."""
    page.wait_for_selector("#layer-doubts", state="attached")
    places = page.evaluate("() => [...document.querySelectorAll('[data-doubt]')].map(one => one.dataset.doubt).join()")
    groups = page.locator("[data-doubt]:has([data-count])")
    while groups.count():
        row = groups.first
        left = page.locator("[data-doubt]").count()
        buttons = row.locator(".doubt-ways button[aria-keyshortcuts]")
        chosen = buttons.nth(1) if "unknown" in row.inner_text() and buttons.count() > 1 else buttons.first
        done = f"() => document.querySelectorAll('[data-doubt]').length < {left}"
        answers.click(page, chosen, done)
    leave = page.get_by_role("button", name="Leave these")
    if leave.count():
        answers.click(page, leave, "() => !document.querySelector('[data-doubt]')")
    return len(places.split(","))


def settle_board(board: Path, *, named: bool) -> tuple[Answers, int]:
    """Import a board on a server of its own, settle it, and return the answers and the hexes that were in doubt."""
    from tests.web.screenshots import KEY, browser, prepare

    answers = Answers()
    with tempfile.TemporaryDirectory(prefix="laager-bench-") as data:
        prepare(Path(data) / "site")
        from django.test import Client
        from tests.web.serving import serving

        from laager.web.models import Player

        client = Client()
        client.force_login(Player.objects.create_user("anna", "anna@example.org", "anna-word"))
        word = client.cookies["sessionid"].value
        with serving(Path(data) / "site", LAAGER_SECRET_KEY=KEY) as served, browser() as chromium:
            window = chromium.new_context(viewport={"width": 1366, "height": 900})
            window.set_default_timeout(600_000)
            window.add_cookies([{"name": "sessionid", "value": word, "url": served.url}])
            page = window.new_page()
            page.goto(f"{served.url}/library/")
            form = page.locator("form[action='/library/boards']")
            form.locator("input[name=boards]").set_input_files(str(board))
            form.locator("input[name=name]").fill("town")
            form.get_by_role("button").last.click()
            page.wait_for_function("() => document.querySelector('[data-map], tbody')")
            if page.locator("[data-map]").count() == 0:
                name_colours(page, answers, named=named)
            return answers, settle(page, answers)


def main() -> None:
    """Settle a board and print what it took."""
    words = sys.argv[1:]
    board = Path(words[0])
    answers, doubts = settle_board(board, named="--no-colours" not in words)
    clicks = len(answers.seconds)
    middle, slow = median(answers.seconds), quantile(answers.seconds, 0.95)
    print(f"{board.name}: {answers.colours} colours seen, {answers.typed} of them typed, then {doubts} doubts")
    print(f"{clicks} clicks; the page took {middle:.2f} s for one (median), {slow:.2f} s (p95)")
    questions = answers.colours + clicks - answers.typed
    for look in LOOKS:
        minutes = (questions * look + sum(answers.seconds)) / 60
        print(f"{questions} questions with a look of {look} s before each: {minutes:.1f} minutes")


if __name__ == "__main__":
    main()
