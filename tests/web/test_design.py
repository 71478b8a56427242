"""What pages must bear: the keyboard alone, large letters, small screens, long names, paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import laager.web
from laager.hexmap.draw import film
from laager.hexmap.draw.style import side_styles
from laager.web.shared.tags import with_rule_linked
from tests.web.conftest import Begin, Desk, People

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = Path(laager.web.__file__).parent
STYLE = (PAGES / "shared" / "style.css").read_text(encoding="utf-8")

Open = Callable[..., Desk]

WIDER = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width > 0 && box.right > innerWidth + 1
    && !one.closest(".scroll, .tabs, nav, pre, .seat-head h1")
    && getComputedStyle(one).position !== "absolute";
}).map((one) => one.outerHTML.slice(0, 80))"""


def overflowing(page: Page) -> list[str]:
    """Return what sticks out of the window, other than in what scrolls by itself."""
    found: list[str] = page.evaluate(WIDER)
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        return found or ["something"]
    return []


def tab_to(page: Page, selector: str, most: int = 60) -> None:
    """Press Tab until something has the focus, and see that it shows there."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(f"document.activeElement.matches({selector!r})"):
            break
    else:
        pytest.fail(f"Tab does not reach {selector}")
    drawn = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert drawn != "none", f"nothing shows that {selector} has the focus"


@pytest.mark.browser
def test_a_question_is_answered_with_the_keyboard_alone(begin: Begin, people: People, desk: Open) -> None:
    game = begin()
    one = desk(people.anna)
    one.go(f"/campaign/{game.pk}/axis/")
    page = one.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#main"
    tab_to(page, ".todo a.button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/ask/**")
    assert page.evaluate("document.activeElement.matches('h2')"), "the question has the focus, not the menu before it"
    tab_to(page, "button[value='give']:not(.first-button)", 200)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(rf"/campaign/{game.pk}/axis/(\?.*)?(#.*)?$"))
    assert page.locator("#news").is_visible()


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, pytest.param(683, marks=pytest.mark.soak)])
def test_small_screens_and_large_letters_lose_nothing(begin: Begin, people: People, desk: Open, width: int) -> None:
    """683 pixels are what a screen of 1366 has at 200 %; names may be long without a gap."""
    game = begin(title="Donaudampfschifffahrtsgesellschaftskapitänspatent" * 4)
    people.bert.username = "b" * 150
    people.bert.save()
    one = desk(people.anna, width=width, height=640)
    for page in ("", "map", "people/", "changing/", "history"):
        one.go(f"/campaign/{game.pk}/axis/{page}")
        assert not overflowing(one.page), page
        title = one.page.locator(".seat-head h1")
        assert title.is_visible()
    one.go("/")
    assert not overflowing(one.page)


@pytest.mark.browser
def test_what_scrolls_within_a_page_can_be_reached_with_the_keyboard(begin: Begin, people: People, desk: Open) -> None:
    game = begin()
    one = desk(people.anna, width=360, height=640)
    one.go(f"/campaign/{game.pk}/axis/")
    one.page.evaluate(
        """() => {
          const box = document.createElement("div");
          box.className = "scroll";
          box.innerHTML = "<table><tr><td>" + "x".repeat(400) + "</td></tr></table>";
          document.querySelector("main").append(box);
          dispatchEvent(new Event("resize"));
        }"""
    )
    assert one.page.locator("main > .scroll").get_attribute("tabindex") == "0"


@pytest.mark.browser
def test_a_wide_screen_is_used_and_a_phone_shows_all_of_the_menu(people: People, desk: Open) -> None:
    wide = desk(people.anna, width=1920, height=900)
    wide.go("/library/")
    assert wide.page.locator("main").evaluate("main => main.clientWidth / innerWidth") > 0.9
    # Prose keeps a length that the eye follows.
    assert wide.page.locator("main > p").first.evaluate("line => line.clientWidth") < 1000
    for language in ("en", "de"):
        phone = desk(people.anna, width=390, height=844, locale=language)
        phone.go("/library/")
        cut = phone.page.locator(".top nav").evaluate(
            "nav => nav.lastElementChild.getBoundingClientRect().right - innerWidth"
        )
        assert cut <= -8, language


@pytest.mark.browser
def test_numbers_of_rows_stay_whole_and_their_buttons_apart(people: People, desk: Open) -> None:
    page = desk(people.anna).page
    styles = STYLE + (PAGES / "play" / "asking" / "asking.css").read_text(encoding="utf-8")
    buttons = "<button class='tool'>a</button><button class='tool'>b</button>"
    cells = f"<th scope='row'>10</th><td>{'<input>' * 40}</td><td class='row-tools'>{buttons}</td>"
    page.set_content(f"<style>{styles}</style><table class='rows-table'><tr>{cells}</tr></table>")
    number = "cell => { const all = document.createRange(); all.selectNodeContents(cell); return all.getClientRects() }"
    assert page.locator("th").evaluate(f"cell => ({number})(cell).length") == 1
    left, right = (button.bounding_box() for button in page.locator(".tool").all())
    assert left
    assert right
    assert right["x"] - left["x"] - left["width"] >= 8


def test_the_rule_at_the_end_of_a_line_is_a_link_and_all_else_is_text() -> None:
    linked = with_rule_linked("the weather is <Mud> [PL 2.2]", "pl")
    assert linked.startswith("the weather is &lt;Mud&gt; <a ")
    assert linked.endswith(">PL 2.2</a>")
    assert with_rule_linked("<b> [nothing] [PL <i>]", "pl") == "&lt;b&gt; [nothing] [PL &lt;i&gt;]"


@pytest.mark.browser
def test_on_paper_there_is_ink_and_no_buttons(begin: Begin, people: People, desk: Open) -> None:
    game = begin()
    one = desk(people.anna, color_scheme="dark")
    one.go(f"/campaign/{game.pk}/axis/")
    one.page.emulate_media(media="print")
    shown = one.page.evaluate(
        """() => ({
          paper: getComputedStyle(document.body).backgroundColor,
          ink: getComputedStyle(document.body).color,
          top: getComputedStyle(document.querySelector(".top")).display,
        })"""
    )
    # Links that look like buttons were black boxes.
    assert one.page.locator("main a.button").count()
    assert not one.page.locator("main a.button:visible").count()
    assert shown == {"paper": "rgb(255, 255, 255)", "ink": "rgb(0, 0, 0)", "top": "none"}


@pytest.mark.browser
def test_a_long_list_scrolls_on_a_screen_and_is_whole_on_paper(people: People, desk: Open) -> None:
    page = desk(people.anna).page
    styles = STYLE + (PAGES / "play" / "asking" / "asking.css").read_text(encoding="utf-8")
    page.set_content(f"<style>{styles}</style><ul class='reminders'>{'<li>A rule</li>' * 40}</ul>")
    cut = "list => list.scrollHeight > list.clientHeight"
    page.emulate_media(media="screen")
    assert page.locator(".reminders").evaluate(cut)
    page.emulate_media(media="print")
    assert not page.locator(".reminders").evaluate(cut)


@pytest.mark.browser
def test_nothing_moves_for_those_who_want_it_still(begin: Begin, people: People, desk: Open) -> None:
    game = begin()
    one = desk(people.anna, reduced_motion="reduce")
    one.go(f"/campaign/{game.pk}/axis/")
    moving = one.page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((one) => {
          const style = getComputedStyle(one);
          return style.animationName !== "none" || parseFloat(style.transitionDuration) > 0;
        }).length"""
    )
    assert moving == 0


@pytest.mark.browser
@pytest.mark.parametrize(("motion", "shown"), [("reduce", "none none inline"), ("no-preference", "inline none none")])
def test_a_film_stands_still_for_those_who_want_it(people: People, desk: Open, motion: str, shown: str) -> None:
    page = desk(people.anna, reduced_motion=motion).page
    moments = "".join(film._time_frame("<text>a</text>", i, 3) for i in range(3))
    page.set_content(f"<svg>{film.STILL}{moments}</svg>")
    page.wait_for_timeout(100)
    displays = "all => all.map((one) => getComputedStyle(one).display).join(' ')"
    assert page.locator(".moment").evaluate_all(displays) == shown


def test_sides_have_the_colours_and_shapes_that_they_have_on_the_map() -> None:
    axis, allied = side_styles(("axis", "allied")).values()
    assert f"--axis-fill: {axis.colour};" in STYLE
    assert f"--allied-fill: {allied.colour};" in STYLE
    assert (axis.shape, allied.shape) == ("square", "round")
    assert re.search(r'\.badge\.side-axis::before \{ content: "■', STYLE)
    assert re.search(r'\.badge\.side-allied::before \{ content: "●', STYLE)


def _tokens(block: str) -> dict[str, str]:
    return dict(re.findall(r"(--[a-z-]+):\s*(#[0-9a-f]{6})", block))


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_stand_out_from_their_ground(scheme: str) -> None:
    """WCAG 2.2, 1.4.3: 4.5 to 1 for text."""
    light = STYLE.split("@media", 1)[0]
    colours = _tokens(light)
    if scheme == "dark":
        colours |= _tokens(STYLE.split(':root[data-theme="dark"] {', 1)[1].split("}", 1)[0])
    grounds = ("--paper", "--sheet", "--sunk")
    inks = ("--ink", "--soft", "--link", "--axis", "--allied", "--umpire", "--must", "--wrong")
    pairs = [(ink, ground) for ink in inks for ground in grounds]
    pairs += [(f"--{side}", f"--{side}-tint") for side in ("axis", "allied", "umpire")]
    pairs += [("--on-accent", "--accent"), ("--on-top", "--top"), ("--wrong", "--wrong-tint")]
    weak = [pair for pair in pairs if _contrast(colours[pair[0]], colours[pair[1]]) < 4.5]
    assert not weak


def test_both_ways_into_the_dark_are_the_same() -> None:
    by_device = STYLE.split(':root:not([data-theme="light"]) {', 1)[1].split("}", 1)[0]
    by_choice = STYLE.split(':root[data-theme="dark"] {', 1)[1].split("}", 1)[0]
    assert _tokens(by_device) == _tokens(by_choice) != {}


def test_styles_of_all_pages_use_the_colours_of_the_house() -> None:
    """Every custom property that a page's style uses is one of style.css or its own."""
    known = set(re.findall(r"(--[a-z-]+):", STYLE))
    for path in PAGES.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        own = set(re.findall(r"(--[a-z-]+):", text))
        assert set(re.findall(r"var\((--[a-z-]+)\)", text)) <= known | own, path.name
