"""`python -m bench.frames`: how smoothly the map moves in a slow browser.

The test browser runs at a quarter of its speed. A wide map is moved by wheel and keys as a hand would move it, and
the time from each picture on the screen to the next is taken: 17 ms is as smooth as a screen of 60 Hz shows.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

SLOWER = 4
"""How many times slower than the machine the browser runs."""
ROUNDS = 3

COUNT = """
() => {
  window.gaps = [];
  let before = 0;
  const tick = (now) => {
    if (before) window.gaps.push(now - before);
    before = now;
    window.ticking = requestAnimationFrame(tick);
  };
  window.ticking = requestAnimationFrame(tick);
}
"""
STOP = "() => { cancelAnimationFrame(window.ticking); return window.gaps; }"
READY = "() => document.querySelector('[data-map]').view.ghost.fresh"

KEYS: Mapping[str, tuple[str, ...]] = {
    "pan keys": ("Shift+ArrowRight",) * 6 + ("Shift+ArrowLeft",) * 6,
    "zoom keys": ("+",) * 5 + ("-",) * 5,
    "hex keys": ("ArrowRight", "ArrowDown") * 4 + ("ArrowLeft", "ArrowUp") * 4,
}
WHEELS: Mapping[str, tuple[int, int]] = {"wheel": (120, 100), "fast wheel": (100, 16)}
"""Of each way to turn the wheel: how far a notch turns, and the milliseconds between two."""


def press(page: Page, keys: tuple[str, ...]) -> None:
    """Press keys as somebody does who looks at what comes."""
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(100)


def turn(page: Page, notch: int, wait_ms: int) -> None:
    """Turn the wheel to and fro over the middle of the map."""
    for way in (-1, 1):
        for _ in range(12):
            page.mouse.wheel(0, way * notch)
            page.wait_for_timeout(wait_ms)


def quantile(numbers: list[float], share: float) -> float:
    """Return the number below which so many of them lie."""
    return sorted(numbers)[min(len(numbers) - 1, int(len(numbers) * share))]


def measure(page: Page) -> dict[str, list[float]]:
    """Return the milliseconds between pictures for each way to move the map, from its fitting size."""
    gaps: dict[str, list[float]] = {name: [] for name in (*KEYS, *WHEELS)}
    box: Any = page.locator("[data-stage]").bounding_box()
    for _ in range(ROUNDS):
        for name, numbers in gaps.items():
            page.evaluate("() => { const v = document.querySelector('[data-map]').view; v.choose(''); v.fit(true); }")
            page.locator("[data-stage]").focus()
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            if name == "hex keys":
                page.keyboard.press("Enter")
            page.wait_for_timeout(1500)
            page.evaluate(COUNT)
            if name in KEYS:
                press(page, KEYS[name])
            else:
                turn(page, *WHEELS[name])
            gaps[name] = numbers + page.evaluate(STOP)
    return gaps


@contextmanager
def slow_map(card: str) -> Iterator[Page]:
    """Open the map of a battle that was played, in a browser that is slowed down."""
    with tempfile.TemporaryDirectory(prefix="laager-bench-") as data:
        from tests.web.screenshots import KEY, browser, prepare

        prepare(Path(data) / "site")
        from django.test import Client
        from tests.web.conftest import People
        from tests.web.fielded import fielded
        from tests.web.serving import serving

        from laager.web.models import Player

        names = ("anna", "bert", "cleo", "dora")
        people = People(*(Player.objects.create_user(name, f"{name}@example.org", f"{name}-word") for name in names))
        game = fielded(people, card)
        client = Client()
        client.force_login(people.anna)
        word = client.cookies["sessionid"].value
        with serving(Path(data) / "site", LAAGER_SECRET_KEY=KEY) as served, browser() as chromium:
            window = chromium.new_context(viewport={"width": 1280, "height": 900})
            window.add_cookies([{"name": "sessionid", "value": word, "url": served.url}])
            page = window.new_page()
            page.goto(f"{served.url}/campaign/{game.pk}/axis/map")
            page.wait_for_function(READY)
            window.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            yield page


def main() -> int:
    """Measure and print; return an exit code."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--card", default="ripamare")
    given = reader.parse_args()
    with slow_map(given.card) as page:
        gaps = measure(page)
    for name, numbers in gaps.items():
        shares = ", ".join(f"p{share} {quantile(numbers, share / 100):4.0f}" for share in (50, 95, 99))
        sys.stdout.write(f"{name:11} {shares}, longest {max(numbers):4.0f} ms ({len(numbers)} pictures)\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
