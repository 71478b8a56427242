"""A first evening of each rule system, in two browsers: how often people must click.

From the first question to the second purchase every proposal is taken: what is counted is what the pages ask for,
not what people decide. Each side goes on as far as it can before the other comes to the table. After every answer
what has come into either browser is searched for what its side may not know.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

import pytest

from laager.web.campaigns import tables
from tests.web.serving import serving_tests_database
from tests.web.test_evenings import OTHER, Chair, Evening, begun, sitting

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.web.conftest import People

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GIVING = 'button.primary[value="give"]'
"""The button that submits what a page proposes."""
REPORTED = frozenset({"battle-report", "scenario-report"})
IN_A_ROW = 5
"""Most pages of a refit that come to a side one after the other without a decision of the other side."""


@dataclass(frozen=True)
class Script:
    """An evening: its card, the most clicks of each side (the first evenings took 55 and 42), pages of a refit of both.

    A few more than it mostly takes: dice decide what is asked.
    """

    card: str
    axis: int
    allied: int
    pages: int = 0
    until: frozenset[str] = frozenset()
    """The evening ends early, as soon as one of these keys is asked."""


EVENINGS = [
    pytest.param(Script("rzhavets", 13, 10, until=REPORTED), id="pl-to-the-report"),
    pytest.param(Script("rzhavets", 26, 21, 15), id="pl", marks=pytest.mark.soak),
    pytest.param(Script("rijnoord", 28, 35, 12), id="abtf", marks=pytest.mark.soak),
    pytest.param(Script("kokusa-ridge", 32, 32, 10), id="er", marks=pytest.mark.soak),
    pytest.param(Script("vistula", 17, 19), id="dyo", marks=pytest.mark.soak),
]
"""In `make test` one of them, to its first report (`test_vasl_evenings` goes on from one); `make soak` plays all."""


@dataclass
class Count:
    """What was clicked at the chairs, and what was asked on which page: side and keys."""

    clicks: dict[str, int] = field(default_factory=lambda: {"axis": 0, "allied": 0})
    pages: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    @property
    def refit(self) -> list[tuple[str, tuple[str, ...]]]:
        """The pages of each side from the report of play to its next purchase."""
        last = max((i for i, (_, keys) in enumerate(self.pages) if REPORTED & set(keys)), default=len(self.pages))
        found, buying = [], set()
        for side, keys in self.pages[last + 1 :]:
            buying |= {side} if "purchases" in keys else set()
            found += [(side, keys)] if side not in buying else []
        return found

    @property
    def bought_again(self) -> bool:
        """True if both sides have been asked for their second purchase."""
        found = [side for side, keys in self.pages if "purchases" in keys]
        return min(found.count("axis"), found.count("allied")) > 1


@pytest.mark.parametrize("script", EVENINGS)
def test_the_clicks_of_a_first_evening(people: People, chromium: Browser, tmp_path: Path, script: Script) -> None:
    game = begun(people, script.card, entered=False)
    count = Count()
    with (
        serving_tests_database(tmp_path / "data", LAAGER_WRITES_A_MINUTE="100000") as served,
        sitting(chromium, served, people, game) as evening,
    ):
        for chair in evening.chairs.values():
            chair.page.goto(chair.home)
        while (side := due(evening)) and not count.bought_again and not script.until & set(keys(evening.chairs[side])):
            sit(evening, side, count)
            evening.chairs[OTHER[side]].search()
    runs = [len(list(run)) for _, run in groupby(count.refit, key=lambda one: one[0])]
    assert max(runs, default=0) <= IN_A_ROW
    assert len(count.refit) <= script.pages, count.refit
    asked = "; ".join(f"{side} {' '.join(keys)}" for side, keys in count.pages)
    assert count.clicks["axis"] <= script.axis, (count.clicks, asked)
    assert count.clicks["allied"] <= script.allied, (count.clicks, asked)


def due(evening: Evening) -> str:
    """Return the side that is asked first; "" if nobody is."""
    with tables.look(evening.umpire) as table:
        return table.asked[0].pending.side if table.asked else ""


def keys(chair: Chair) -> tuple[str, ...]:
    """Return what a side is asked now."""
    with tables.look(chair.seat) as table:
        return tuple(one.pending.key for one in table.asked)


def sit(evening: Evening, side: str, count: Count) -> None:
    """Answer from the open table what a side is asked, page by page, until it is back there."""
    chair = evening.chairs[side]
    page = chair.page
    page.goto(chair.home)
    count.clicks[side] += 1
    card = page.locator(".todo.first")
    at_once = card.locator("form button.primary")
    if at_once.count():
        count.pages.append((side, keys(chair)[:1]))
        at_once.click()
        page.wait_for_url("**since=*")
    else:
        card.locator("a.button").click()
    while page.locator(GIVING).count():
        asked = keys(chair)
        count.pages.append((side, asked if "/answers/" in page.url else asked[:1]))
        give(chair, side, count)
    chair.search()


def give(chair: Chair, side: str, count: Count) -> None:
    """Submit what a page proposes; say that it is meant if that is asked."""
    page = chair.page
    count.clicks[side] += 1
    with page.expect_navigation():
        page.locator(GIVING).first.click()
    chair.search()
    if page.locator("#sure").count():
        count.clicks[side] += 1
        page.locator('#sure button[value="sure"]').click()
        page.wait_for_url("**since=*")
        chair.search()
    assert not page.locator(".refused").count(), page.content()
