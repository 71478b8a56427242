"""Every page as axe judges it: wide and light, on a phone and dark; nothing is wrong, and none is heavy."""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from django.contrib.staticfiles import finders

from tests.web.screenshots import SIZES, cookie
from tests.web.screenshots_fill import fill
from tests.web.screenshots_pages import MANY, Page, pages, visits

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext
    from playwright.sync_api import Page as Sheet
    from pytest_django.live_server_helper import LiveServer

RUN = """([exclude, left]) => axe.run(
  {exclude}, {resultTypes: ['violations'], rules: Object.fromEntries(left.map(rule => [rule, {enabled: false}]))}
).then(found => found.violations)"""
CONTRAST = "color-contrast"
"""`test_design` holds all colours that pages may use to it; the soak looks at it on each page."""
DRAWN = "svg[role=img] > *"
"""The parts of a drawing: thousands on a map, and to whoever does not see them it is one picture with a name."""

HEAVIEST = 100_000
"""Bytes of a page with its styles and scripts, compressed; pictures are fetched by themselves."""

pytestmark = pytest.mark.browser


def opened(browser: Browser, **how: Any) -> BrowserContext:
    """Return a browser in which axe waits on every page: half a megabyte, sent to it once and not with each page."""
    # The policy of the pages forbids axe to everybody else.
    context = browser.new_context(bypass_csp=True, **how)
    context.add_init_script(Axe().axe_script)
    return context


def faults(sheet: Sheet, page: Page, quick: bool = False) -> list[str]:
    """Return what axe finds wrong with the page that is open; `quick`: but for drawings and contrast."""
    found: list[dict[str, Any]] = sheet.evaluate(RUN, [[DRAWN], [CONTRAST]] if quick else [[], []])
    return [f"{page.label}: {one['id']}: {node['target'][0]}" for one in found for node in one["nodes"][:3]]


def judge(browser: Browser, url: str, wanted: list[Page], size: str, scheme: Any, quick: bool = False) -> list[str]:
    """Open all pages; return what is wrong with them, or wider than the screen."""
    width, height = SIZES[size]
    wrong: list[str] = []
    for user in dict.fromkeys(page.user for page in wanted):
        screen = {"viewport": {"width": width, "height": height}, "color_scheme": scheme, "reduced_motion": "reduce"}
        context = opened(browser, **screen)
        sheet = context.new_page()
        for page in (one for one in wanted if one.user == user):
            if user is not None and not context.cookies():
                context.add_cookies(cookie(page, url))
            sheet.goto(url + page.path)
            wrong += faults(sheet, page, quick)
            wide = sheet.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                wrong.append(f"{page.label}: {wide} pixels wide on a screen of {width}")
        context.close()
    return wrong


@cache
def compressed_size(static: str) -> int:
    """Return the bytes of a style or script as it is sent."""
    return len(gzip.compress(Path(str(finders.find(static))).read_bytes()))


def weight_of(html: str) -> int:
    """Return the bytes of a page with the styles and scripts that it names, compressed."""
    static = set(re.findall(r'(?:href|src)="/static/([^"?]+\.(?:css|js))', html))
    assert static, "a page has styles"
    return len(gzip.compress(html.encode())) + sum(map(compressed_size, static))


def test_no_page_is_wrong(chromium: Browser, live_server: LiveServer) -> None:
    """Every page once, half of them wide and light, half on a phone and dark.

    The soak does all at all campaigns, and looks at contrast and into their drawings too.
    """
    seen = list(visits(fill(), repeated=MANY))
    heavy = {page.label: weight for page, html in seen if (weight := weight_of(html)) > HEAVIEST}
    assert not heavy
    wanted = [page for page, _ in seen]
    assert {"table", "ask", "map", "people", "home"} <= {page.name for page in wanted}
    wrong = judge(chromium, live_server.url, wanted[0::2], "desktop", "light", quick=True)
    wrong += judge(chromium, live_server.url, wanted[1::2], "phone", "dark", quick=True)
    assert not wrong, "\n".join(wrong)


@pytest.mark.soak
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wrong_in_any_light(chromium: Browser, live_server: LiveServer, size: str, scheme: str) -> None:
    wrong = judge(chromium, live_server.url, pages(fill(), wide=True), size, scheme)
    assert not wrong, "\n".join(wrong)


def test_axe_itself_finds_what_is_wrong(chromium: Browser, live_server: LiveServer) -> None:
    sheet = opened(chromium).new_page()
    sheet.goto(live_server.url + "/login/")
    page = Page("login", "", "/login/", None)
    assert not faults(sheet, page)
    sheet.evaluate("document.querySelector('label').remove()")
    assert any("label" in one for one in faults(sheet, page))
    sheet.context.close()
