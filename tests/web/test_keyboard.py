"""A refit played with the keyboard alone, on a server: from the end of one battle to the next."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.conftest import Begin, People
from tests.web.serving import serving_tests_database
from tests.web.test_asking import to_purchase
from tests.web.test_evenings import sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MOST = 60
"""Presses of Tab from the top of a page to what one wants there: each line of a shop has buttons of its own."""

LOST = """() => {
  const held = document.activeElement;
  if (held === document.body || held.tabIndex < 0) return "";
  const box = held.getBoundingClientRect();
  const framed = [held, held.parentElement, held.parentElement.parentElement].some((one) => {
    const style = getComputedStyle(one);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  });
  const x = Math.max(1, Math.min(box.x + box.width / 2, innerWidth - 2));
  const y = Math.max(1, Math.min(box.y + Math.min(box.height / 2, 20), innerHeight - 2));
  const top = document.elementFromPoint(x, y);
  const labels = [...(held.labels ?? [])];
  const uncovered = top && (held.contains(top) || top.contains(held) || labels.some((one) => one.contains(top)));
  const under = !uncovered && `under ${top?.outerHTML.slice(0, 80)}`;
  const wrong = [!framed && "no frame", box.width < 2 && "no size", under].filter(Boolean);
  return wrong.length ? `${wrong.join(", ")}: ${held.outerHTML.slice(0, 150)}` : "";
}"""
"""What is wrong with how the focus of a Tab shows: it has a frame, a size, and nothing lies over it."""

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def tab_to(page: Page, wanted: str) -> bool:
    """Press Tab until what matches a selector has the focus; False if nothing does. It shows at each stop."""
    for _ in range(MOST):
        assert page.evaluate(LOST) == "", page.url
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return True
        page.keyboard.press("Tab")
    return False


def press(page: Page) -> None:
    """Press what has the focus, and wait for the page that comes."""
    with page.expect_navigation():
        page.keyboard.press("Enter")


def break_a_unit(page: Page) -> None:
    """Say with the keyboard, on the map of a report, that a unit was broken."""
    assert tab_to(page, ".report-units summary")
    page.keyboard.press("Enter")
    assert tab_to(page, ".unit-chip")
    page.keyboard.press("Enter")
    page.locator(".quick button").first.wait_for()
    assert tab_to(page, ".quick button")
    page.keyboard.press("Space")
    page.locator(".unit-chip.changed").first.wait_for()


def answer_all(page: Page, home: str) -> list[str]:
    """Answer all that a side is asked as it is proposed; return the pages. A question that comes has the focus."""
    page.goto(home)
    # The first stop of a page leads past its menus.
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    answered = []
    while tab_to(page, ".primary"):
        press(page)
        (kind,) = re.findall(r"/(ask|answers|report|setup)/", page.url) or [""]
        if kind:
            assert page.evaluate("document.activeElement.matches('h2')"), page.url
            if kind == "report" and "report" not in answered:
                break_a_unit(page)
        answered.append(kind)
    return answered


def test_a_whole_refit(people: People, begin: Begin, chromium: Browser, tmp_path: Path) -> None:
    game = to_purchase(people, begin, "battle-report", "training")
    with (
        serving_tests_database(tmp_path / "data", LAAGER_WRITES_A_MINUTE="100000") as served,
        sitting(chromium, served, people, game) as evening,
    ):
        answered = {side: list[str]() for side in evening.chairs}
        while not all("setup" in pages for pages in answered.values()):
            pages = {side: answer_all(chair.page, chair.home) for side, chair in evening.chairs.items()}
            assert any(pages.values()), "nobody gets further"
            answered = {side: answered[side] + pages[side] for side in pages}
    assert all({"report", "ask", "setup"} <= set(pages) for pages in answered.values())
