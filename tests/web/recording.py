"""Records the film of the README: `python -m tests.web.recording [FILE]`.

A browser plays the training campaign against itself on a server of its own: it sets up, reports a battle and reads
the story when the campaign is over. What is clicked is seen; the questions between are answered off the screen, and
battles are settled by the model.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageDraw

from tests.web.screenshots import KEY, browser, prepare

if TYPE_CHECKING:
    from playwright.sync_api import Locator
    from playwright.sync_api import Page as Sheet

    from laager.web.models import Game, Player

SIZE = (1100, 760)
OUT = Path("docs/images/laager.webp")
REPORT = "battle-report"
MOVE = 6
"""Frames that the pointer takes from one place to the next."""
POINTER = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))
MAP = "(document.querySelector('[data-setup], [data-report]').page.view)"
SAY = """
(text) => {
  document.querySelector("#caption")?.remove();
  if (!text) return;
  const said = document.createElement("div");
  said.id = "caption";
  said.textContent = text;
  Object.assign(said.style, {
    position: "fixed", left: 0, right: 0, top: 0, zIndex: 99, textAlign: "center",
    background: "#20241c", color: "#fff", padding: "13px", font: "600 22px system-ui, sans-serif",
  });
  document.body.append(said);
}
"""


@dataclass
class Film:
    """What a page shows, picture by picture, with a pointer."""

    sheet: Sheet
    pictures: list[Image.Image] = field(default_factory=list)
    milliseconds: list[int] = field(default_factory=list)
    at: tuple[float, float] = (SIZE[0] / 2, SIZE[1] / 2)
    said: str = ""

    def take(self, milliseconds: int) -> None:
        """Add a picture of what is there now."""
        picture = Image.open(io.BytesIO(self.sheet.screenshot())).convert("RGB")
        self.add(picture, milliseconds)

    def add(self, picture: Image.Image, milliseconds: int) -> None:
        """Add a picture, with the pointer on it."""
        shown = picture.copy()
        x, y = self.at
        outline = [(x + right, y + down) for right, down in POINTER]
        ImageDraw.Draw(shown).polygon(outline, fill="#111", outline="#fff", width=1)
        self.pictures.append(shown)
        self.milliseconds.append(milliseconds)

    def say(self, text: str, seconds: float = 0) -> None:
        """Put a line under what is seen."""
        self.said = text
        self.sheet.evaluate(SAY, text)
        if seconds:
            self.take(round(seconds * 1000))

    def open(self, url: str) -> None:
        """Go to another page without a click."""
        self.sheet.goto(url, wait_until="load")
        self._arrive()

    def _arrive(self) -> None:
        self.sheet.wait_for_timeout(500)
        self.sheet.evaluate(SAY, self.said)

    def point(self, at: Locator) -> None:
        """Move the pointer to something."""
        at.scroll_into_view_if_needed()
        self._move(at.bounding_box())

    def _move(self, box: Any) -> None:
        assert box, "there is nothing to point at"
        goal = (box["x"] + min(box["width"] / 2, 60), box["y"] + box["height"] / 2)
        still = Image.open(io.BytesIO(self.sheet.screenshot())).convert("RGB")
        start = self.at
        for step in range(1, MOVE + 1):
            way = step / MOVE
            eased = way * way * (3 - 2 * way)
            self.at = (start[0] + (goal[0] - start[0]) * eased, start[1] + (goal[1] - start[1]) * eased)
            self.add(still, 45)

    def click(self, at: Locator, seconds: float = 0.4, leaves: bool = False) -> None:
        """Point at something, click it, and show what comes of it; `leaves`: another page."""
        self.point(at)
        at.click()
        if leaves:
            self.sheet.wait_for_load_state("load")
        self._arrive()
        self.take(round(seconds * 1000))

    def click_hex(self, name: str) -> None:
        """Point at a hex of the map and click it."""
        self.sheet.evaluate(f"(name) => {MAP}.show(name)", name)
        self.sheet.wait_for_timeout(600)
        shape = self.sheet.evaluate_handle(f"(name) => {MAP}.hexes.get(name).target", name).as_element()
        assert shape, name
        self._move(shape.bounding_box())
        self.sheet.mouse.click(*self.at)
        self._arrive()

    def watch(self, seconds: float, each_ms: int = 250) -> None:
        """Take pictures of what moves by itself."""
        for _ in range(round(seconds * 1000 / each_ms)):
            self.sheet.wait_for_timeout(each_ms)
            self.take(each_ms)

    def roll(self, to: Locator) -> None:
        """Scroll down until something is at the top, below the line."""
        top = to.evaluate("(one) => one.getBoundingClientRect().top - 70")
        for _ in range(MOVE):
            self.sheet.evaluate("(by) => scrollBy(0, by)", top / MOVE)
            self.take(45)

    def save(self, out: Path) -> None:
        """Write it as an animated WebP that begins again at its end."""
        first, *others = self.pictures
        first.save(
            out, save_all=True, append_images=others, duration=self.milliseconds,
            loop=0, quality=50, method=6, minimize_size=True,
        )  # fmt: skip


@dataclass
class Desk:
    """The player who is both sides, and the campaign."""

    user: Player
    url: str
    game: Game | None = None

    def begun(self) -> Game:
        """Return the campaign that was begun on the screen."""
        from laager.web.models import Game

        if self.game is None:
            self.game = Game.objects.get()
        return self.game

    def waiting(self) -> list[tuple[str, Any]]:
        """Return what is asked: the side, and the question with its mark."""
        from laager.web.campaigns.tables import look
        from laager.web.seats.permissions import find_seat

        found: list[tuple[str, Any]] = []
        for side in ("axis", "allied"):
            with look(find_seat(self.user, self.begun().pk, side)) as table:
                found += [(side, one) for one in table.asked if one.pending.side == side]
        return found

    def until(self, stop: Callable[[str, str], bool]) -> str:
        """Answer as proposed, off the screen, until `stop` is true of a question; return its address, "" at the end."""
        from laager.web.campaigns import actions
        from laager.web.seats.permissions import find_seat

        settled = False
        for _ in range(400):
            waiting = self.waiting()
            for side, one in waiting:
                if stop(side, one.pending.key):
                    return f"{self.table(side)}ask/{one.mark}/"
            if not waiting:
                return ""
            side, one = waiting[0]
            seat = find_seat(self.user, self.begun().pk, side)
            if one.pending.key == REPORT and not settled:
                settled = True
                for other in ("axis", "allied"):
                    actions.settle_battle(find_seat(self.user, self.begun().pk, other), True)
                continue
            settled = one.pending.key == REPORT
            if one.pending.question is None:
                actions.roll(seat, one.mark)
            else:
                actions.answer(seat, one.mark, one.pending.question.default)
        raise AssertionError("the campaign never ended")

    def stands(self, side: str) -> str:
        """Return a hex in which units of a side stand."""
        from laager.web.campaigns.tables import look
        from laager.web.seats.permissions import find_seat

        with look(find_seat(self.user, self.begun().pk, side)) as table:
            units = table.view.state.units.values()
            hexes: list[str] = [one.hex for one in units if one.side == side and one.on_map and one.hex]
        return max(set(hexes), key=hexes.count)

    def table(self, side: str) -> str:
        """Return the address of a side's table."""
        return f"{self.url}/campaign/{self.begun().pk}/{side}/"


def play(film: Film, desk: Desk) -> None:
    """Play a campaign for the film."""
    choose(film, desk)
    set_up(film, desk)
    report(film, desk)
    read_story(film, desk)


def choose(film: Film, desk: Desk) -> None:
    """Begin the training campaign."""
    film.open(f"{desk.url}/new/training")
    film.say("Choose a campaign", 1.6)
    film.click(film.sheet.get_by_role("button", name="Begin"), 0.8, leaves=True)


def set_up(film: Film, desk: Desk) -> None:
    """Place a squad where it may not be, and take it back."""
    sheet = film.sheet
    film.open(desk.until(lambda side, key: (side, key) == ("axis", "setup")).replace("/ask/", "/setup/"))
    sheet.wait_for_selector(".map-stage.drawn")
    film.say("Set up on the map: what is not legal says why", 0.8)
    film.roll(sheet.locator(".map-stage"))
    film.click(sheet.locator(".unit-chip").first, 0.8)
    film.click_hex("H3")
    sheet.wait_for_selector("[data-problems] li")
    film.take(2400)
    film.click(sheet.locator("[data-draft=undo]"), 0.6)
    sheet.wait_for_selector("[data-problems]:not(:has(li))", state="attached")
    film.take(1200)


def report(film: Film, desk: Desk) -> None:
    """Report the battle on the map."""
    sheet = film.sheet
    address = desk.until(lambda side, key: (side, key) == ("axis", REPORT))
    film.open(address.replace("/ask/", "/report/"))
    film.say("Fight on your table or in VASL. Then report on the map, or from the VASL save", 0.8)
    sheet.wait_for_selector(".map-stage.drawn")
    film.roll(sheet.locator(".map-stage"))
    film.click_hex(desk.stands("axis"))
    film.take(1200)
    for place, fate in enumerate(("Broken", "Eliminated")):
        film.click(sheet.locator("[data-panel] .quick button:visible", has_text=fate).nth(place), 1.3)
    film.take(1500)


def read_story(film: Film, desk: Desk) -> None:
    """Read what became of it when the campaign is over."""
    sheet = film.sheet
    desk.until(lambda *_: False)
    sheet.emulate_media(reduced_motion="no-preference")
    film.open(desk.table("axis") + "story")
    film.say("Laager keeps the record, and tells the story", 3.6)
    front = sheet.locator(".story-film")
    front.scroll_into_view_if_needed()
    sheet.wait_for_function("document.querySelector('.story-film img').complete")
    film.roll(front)
    film.watch(6)
    film.roll(sheet.locator("figure", has=sheet.locator(".story-chart")).last)
    film.take(2600)


def main() -> int:
    """Make the film; return an exit code."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("out", nargs="?", type=Path, default=OUT)
    out = reader.parse_args().out
    with tempfile.TemporaryDirectory() as data:
        prepare(Path(data) / "site")
        from django.test import Client

        from laager.web.models import Player
        from tests.web.serving import serving

        user = Player.objects.create_user("you", "you@example.org", "you-secret-word")
        client = Client()
        client.force_login(user)
        word = client.cookies["sessionid"].value
        with serving(Path(data) / "site", LAAGER_SECRET_KEY=KEY) as served, browser() as found:
            window = found.new_context(
                viewport={"width": SIZE[0], "height": SIZE[1]}, locale="en-GB", reduced_motion="reduce"
            )
            window.add_cookies([{"name": "sessionid", "value": word, "url": served.url}])
            film = Film(window.new_page())
            play(film, Desk(user, served.url))
            film.save(out)
    seconds = sum(film.milliseconds) / 1000
    sys.stdout.write(f"{out}: {seconds:.0f} s, {len(film.pictures)} pictures, {out.stat().st_size // 1024} KB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
