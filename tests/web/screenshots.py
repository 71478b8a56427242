"""Makes pictures of every page: `python -m tests.web.screenshots [FOLDER]`.

A server of its own serves the filled site; each page is taken as a phone and as a wide screen
sees it, in light, and the most important ones in dark too. `--width` (several times) takes other
widths instead, `--dark` takes every page in dark too.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext
    from playwright.sync_api import Page as Sheet

    from tests.web.screenshots_pages import Page

BEST = {
    "table": "table-report",
    "purchase": "ask-purchase",
    "map": "map-purchase",
    "diary": "log-purchase",
    "odds": "rule-table",
    "vasl": "battle-vasl-purchase",
    "painting": "library-map",
    "ruling": "ruling-draft",
    "ruling-asked": "table-ruling",
    "record": "library-position",
}
"""The pictures of the guide: their names, and the pages that they show."""
PHONE_PAGE = "table-purchase"
"""The page that two phones show."""
PHONES = "web-phone.png"
"""The picture of two phones side by side, light and dark."""
SIZES = {"phone": (390, 844), "desktop": (1366, 900)}
DARK = frozenset({"home", "table", "ask", "map", "rule-table", "report", "login"})
"""Pages that are taken in dark too."""
PICTURED = frozenset({"map", "library-map", "history", "report", "ruling"})
"""Pages whose scripts fetch a picture that one waits for."""
TALLEST = 3000
"""Pixels after which a picture ends."""
KEY = "only-for-pictures-" * 4
"""What signs the sessions of a site that lives for some minutes on one machine."""


def prepare(folder: Path) -> None:
    """Make an empty site in a folder. Nothing of Django may have been imported before."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ |= {
        "LAAGER_DATA": str(folder),
        "DJANGO_SETTINGS_MODULE": "laager.web.serving.settings",
        "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
        "LAAGER_SECRET_KEY": KEY,
        "LAAGER_HOSTS": "testserver,127.0.0.1,localhost",
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


@contextmanager
def browser() -> Iterator[Browser]:
    """Start the machine's Chromium."""
    from playwright.sync_api import sync_playwright

    from tests.web.browser import chromium
    from tests.web.conftest import CHROMIUM_FLAGS

    path = chromium()
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        yield started
        started.close()


def cookie(page: Page, url: str) -> list[Any]:
    """Return what a browser of the page's reader carries."""
    from django.test import Client

    if page.user is None:
        return []
    client = Client()
    client.force_login(page.user)
    return [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}]


def shop(sheet: Sheet) -> None:
    """Put two things into the cart of a page that has one, so that there is something to see."""
    offers = sheet.locator("[data-offer]:enabled")
    # What was put in is kept as a draft, and is there in the next picture.
    if not sheet.locator("[data-none]").count() or not offers.count():
        return
    for place in (0, 5):
        # What one could buy is spent, once the cart of the picture before is full.
        if not offers.count():
            break
        offers.nth(min(place, offers.count() - 1)).click()
        # The check of the cart comes from the server, and says what can still be bought.
        sheet.wait_for_timeout(2500)
    sheet.evaluate("scrollTo(0, 0)")


def paint(sheet: Sheet) -> None:
    """Let a map that can be painted show a stroke under way."""
    if not sheet.locator("[data-brush]").count():
        return
    sheet.locator(".p-hexes path").first.wait_for()
    sheet.locator("[data-brush]").select_option("grain")
    sheet.locator("[data-how][value=rectangle]").check()
    box = sheet.locator("[data-stage]").bounding_box()
    if box is None:
        return
    sheet.mouse.move(box["x"] + box["width"] * 0.55, box["y"] + box["height"] * 0.35)
    sheet.mouse.down()
    sheet.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.5, steps=4)


def keep(folder: Path, to: Path) -> None:
    """Make the small pictures of the guide; two phones stand side by side."""
    from PIL import Image

    for name, source in BEST.items():
        if not (folder / f"{source}-desktop-light.png").exists():
            continue  # Only some pages were taken.
        wide = Image.open(folder / f"{source}-desktop-light.png").convert("RGB").crop((0, 0, 1366, 860))
        wide.resize((1093, 688), Image.Resampling.LANCZOS).quantize(160).save(to / f"web-{name}.png", optimize=True)
    if not (folder / f"{PHONE_PAGE}-phone-light.png").exists():
        return
    phones = [Image.open(folder / f"{PHONE_PAGE}-phone-{one}.png") for one in ("light", "dark")]
    both = Image.new("RGB", (390 * 2 + 16, 844), "#8d8872")
    for place, phone in enumerate(phones):
        both.paste(phone.convert("RGB").crop((0, 0, 390, 844)), (place * 406, 0))
    both.quantize(160).save(to / PHONES, optimize=True)


@dataclass
class Studio:
    """Takes pictures of one site; keeps a browser's window for each reader, size and scheme."""

    browser: Browser
    url: str
    folder: Path
    tongue: str
    sizes: Mapping[str, tuple[int, int]]
    windows: dict[tuple[str, str, str], BrowserContext] = field(default_factory=dict)

    def window(self, page: Page, size: str, scheme: Any) -> BrowserContext:
        """Return the window in which a page is looked at."""
        key = (str(page.user or page.name), size, scheme)
        if key not in self.windows:
            width, height = self.sizes[size]
            self.windows[key] = self.browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,
                reduced_motion="reduce",
                locale=self.tongue,
            )
            self.windows[key].add_cookies(cookie(page, self.url))
        return self.windows[key]

    def take(self, page: Page, size: str, scheme: str) -> str:
        """Take one picture; return what is wrong with the page, "" if nothing."""
        sheet, said = self.window(page, size, scheme).new_page(), list[str]()
        sheet.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
        sheet.on("pageerror", lambda err: said.append(str(err)))
        # Open pages listen to the server for ever, so that the network is never at rest.
        sheet.goto(self.url + page.path, wait_until="load")
        sheet.wait_for_timeout(400 if page.name in PICTURED else 50)
        shop(sheet)
        paint(sheet)
        tall = sheet.evaluate("document.documentElement.scrollHeight")
        wide = sheet.evaluate("document.documentElement.scrollWidth")
        width = self.sizes[size][0]
        sheet.screenshot(
            path=self.folder / f"{page.label}-{size}-{scheme}.png",
            clip={"x": 0, "y": 0, "width": width, "height": min(tall, TALLEST)},
            full_page=True,
        )
        sheet.close()
        if wide > width:
            said.append(f"{wide} pixels wide")
        faults = [one for one in said if "status of 4" not in one]
        return f"{page.label} {size}: {'; '.join(faults)}" if faults else ""


def main() -> int:
    """Take them all; return an exit code."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("folder", nargs="?", type=Path, default=Path("build/screenshots"))
    reader.add_argument("--only", default="", help="a pattern of the names of pages")
    reader.add_argument("--german", action="store_true", help="as a German browser sees them")
    reader.add_argument("--guide", action="store_true", help="make the guide's pictures anew, too")
    reader.add_argument("--width", type=int, action="append", help="pixels, instead of a phone's and a desktop's")
    reader.add_argument("--dark", action="store_true", help="every page in dark, too")
    given = reader.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        prepare(Path(data) / "site")
        from tests.web.screenshots_fill import fill
        from tests.web.screenshots_pages import pages
        from tests.web.serving import serving

        site = fill()
        wanted = pages(site, wide=True, only=given.only)
        sizes = {f"{width}": (width, 900) for width in given.width or ()} or SIZES
        with serving(Path(data) / "site", LAAGER_SECRET_KEY=KEY) as served, browser() as found:
            tongue = "de-DE" if given.german else "en-GB"
            studio = Studio(found, served.url, given.folder, tongue, sizes)
            for page in wanted:
                schemes = ("light", "dark") if given.dark or page.name in DARK else ("light",)
                for size, scheme in product(sizes, schemes):
                    if wrong := studio.take(page, size, scheme):
                        sys.stderr.write(wrong + "\n")
    if given.guide:
        keep(given.folder, Path("docs/images"))
    sys.stdout.write(f"{len(wanted)} pages in {given.folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
