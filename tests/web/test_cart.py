"""Two people buy in two browsers, sealed from one another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from laager.web.campaigns import actions
from laager.web.campaigns.tables import look
from tests.web.conftest import seat, take_defaults

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from laager.web.models import Game
    from tests.web.conftest import Begin, Desk, People

pytestmark = pytest.mark.browser


@pytest.fixture
def game(people: People, begin: Begin) -> Game:
    """Return a Platoon Leader campaign in which both sides are to buy."""
    made = begin()
    both = [seat(made, people.anna, "axis"), seat(made, people.bert, "allied")]
    take_defaults(both, until="purchases")
    return made


def to_the_cart(one: Desk, game: Game, side: str) -> Page:
    """Go to the table, and from there to what must be done."""
    one.go(f"/campaign/{game.pk}/{side}/")
    one.page.get_by_role("link", name="Answer", exact=True).click()
    one.page.locator("#ask").wait_for()
    return one.page


def to_empty_cart(one: Desk, game: Game, side: str) -> Page:
    """Go to the cart, and take out of it what is proposed."""
    page = to_the_cart(one, game, side)
    page.wait_for_load_state()
    page.get_by_role("button", name="Empty the cart").click()
    attacks, patrols = page.locator('[name="a.attack"][value="no"]'), page.locator('[name="a.patrols"]')
    if attacks.count():
        attacks.check()
    if patrols.count():
        patrols.fill("0")
    page.locator("#check .total strong", has_text=re.compile("^0$")).first.wait_for()
    return page


def add(page: Page, group: str) -> None:
    """Put a group into the cart."""
    page.locator(f'button[data-offer="{group}"]').first.click()


def total(page: Page) -> str:
    """Return the first total, as it is shown."""
    return " ".join(page.locator("#check .total").first.inner_text().split())


def test_a_sealed_purchase_in_two_browsers(people: People, game: Game, desk: Callable[..., Desk]) -> None:
    anna, bert = desk(people.anna), desk(people.bert, width=390, height=844)
    axis, allied = to_empty_cart(anna, game, "axis"), to_empty_cart(bert, game, "allied")
    assert total(axis) == "CP 0 / 22 (22 left)"
    # What a group contains stands where it is bought, not in a chart below.
    assert "3 x 4-6-7, LMG" in axis.locator('[data-line-of="I1"]').inner_text()
    assert axis.get_by_text("What the Germans can buy").count() == 0
    add(axis, "I1")
    add(axis, "HW1")
    axis.locator('[name="a.groups.1.setup"]').select_option("on-map")
    axis.locator("#check .total strong", has_text="7").wait_for()
    assert axis.locator("td[data-cost]").all_inner_texts() == ["4", "3"]
    # What is in the cart counts against what is left.
    add(axis, "S1")
    snipers = axis.locator('[data-line-of="S1"]')
    snipers.locator("[data-why]", has_text="1").wait_for()
    assert snipers.locator("[data-more]").is_disabled()
    assert snipers.locator("[data-count]").inner_text() == "1"
    snipers.locator("[data-less]").click()
    axis.locator('button[data-offer="S1"]:not([disabled])').wait_for()
    # Too much is said while it is typed, at its place, and can be taken out again.
    axis.locator('[name="a.groups.0.count"]').fill("9")
    axis.locator("#check .problem", has_text="You want").first.wait_for()
    assert "too many" in total(axis)
    axis.locator('[name="a.groups.0.count"]').fill("1")
    axis.locator("#check .all-right").wait_for()
    axis.get_by_role("button", name="Buy this").click()
    axis.locator("#news").wait_for()
    assert "Panzergrenadier platoon" in axis.locator("#news").inner_text()

    # The other browser has not learnt anything.
    bert.page.reload()
    seen = bert.page.content()
    assert "Panzergrenadier" not in seen
    offer = allied.locator("button[data-offer]:not([disabled])").first
    offer.click()
    allied.locator("#check .all-right").wait_for()
    allied.get_by_role("button", name="Buy this").click()
    allied.locator("#news").wait_for()
    assert "Panzergrenadier platoon" not in bert.page.content()


def test_rows_are_copied_struck_and_pasted(people: People, game: Game, desk: Callable[..., Desk]) -> None:
    page = to_empty_cart(desk(people.anna), game, "axis")
    add(page, "I1")
    page.locator("[data-copy]").first.click()
    page.locator("[data-strike]").first.click()
    rows = page.locator("tr[data-row]")
    assert rows.count() == 1
    assert rows.locator('select[name$=".rg"]').input_value() == "I1"
    rows.locator('[name$=".count"]').evaluate(
        """(field) => {
          const data = new DataTransfer();
          data.setData("text/plain", "2\\n3\\n");
          field.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
        }"""
    )
    assert rows.count() == 2
    assert [field.input_value() for field in rows.locator('[name$=".count"]').all()] == ["2", "3"]
    assert page.locator("[data-number]").all_inner_texts() == ["1", "2"]


def test_what_is_typed_survives_a_refusal_and_the_browser(
    people: People, game: Game, desk: Callable[..., Desk]
) -> None:
    anna = desk(people.anna)
    page = to_empty_cart(anna, game, "axis")
    add(page, "A1")
    page.locator('[name="a.groups.0.count"]').fill("9")
    page.get_by_role("button", name="Buy this").click()
    page.locator("#refused").wait_for()
    assert page.locator('[name="a.groups.0.count"]').input_value() == "9"
    # Another browser of the same side goes on where this one was.
    other = to_the_cart(desk(people.anna), game, "axis")
    assert other.locator('[name="a.groups.0.count"]').input_value() == "9"
    assert other.locator("#refused").is_visible()


def test_a_cart_emptied_while_the_page_still_loads_is_added_up(
    people: People, game: Game, desk: Callable[..., Desk]
) -> None:
    """The modules for the map come last: nobody has to wait for them."""
    one = desk(people.anna)
    one.page.route("**/hexpick.js", lambda _: None)
    page = to_the_cart(one, game, "axis")
    page.wait_for_function("() => document.readyState === 'interactive'")
    page.get_by_role("button", name="Empty the cart").click()
    page.unroute("**/hexpick.js")
    page.locator("#check .total strong", has_text=re.compile("^0$")).first.wait_for()
    assert page.locator("tr[data-row]").count() == 0


def test_two_browsers_give_one_answer(people: People, game: Game, desk: Callable[..., Desk]) -> None:
    first, second = desk(people.anna), desk(people.anna)
    one, two = to_empty_cart(first, game, "axis"), to_empty_cart(second, game, "axis")
    add(two, "I2")
    one.get_by_role("button", name="Buy nothing").click()
    one.locator("#news").wait_for()
    two.get_by_role("button", name="Buy this").click()
    two.get_by_text("this is no longer asked").wait_for()
    assert "I2" in two.locator("pre").inner_text()


def test_without_scripts_the_same_can_be_bought(people: People, game: Game, desk: Callable[..., Desk]) -> None:
    page = to_empty_cart(desk(people.anna, java_script_enabled=False), game, "axis")
    add(page, "I1")
    assert page.locator('[name="a.groups.0.rg"]').input_value() == "I1"
    assert total(page) == "CP 4 / 22 (18 left)"
    page.get_by_role("button", name="Buy this").click()
    assert "Panzergrenadier platoon" in page.locator("#news").inner_text()


def test_an_empty_cart_is_bought_by_its_name_and_a_new_line_is_not_red(
    people: People, game: Game, desk: Callable[..., Desk]
) -> None:
    one = desk(people.anna, width=390, height=844)
    page = to_empty_cart(one, game, "axis")
    page.get_by_role("button", name="Add a line").click()
    page.locator("#check .problem").first.wait_for()
    assert page.locator("tr[data-row]").count() == 1
    assert page.locator("tr.wrong, [aria-invalid], .field-problems li").count() == 0
    page.locator('[name="a.groups.0.count"]').fill("0")
    page.locator("tr.wrong .field-problems li").first.wait_for()
    page.locator("tr[data-row] [data-strike]").click()
    page.locator("#check .last-word", has_text="You buy nothing now.").wait_for()
    # Not by the Enter key alone: only the button says what is given up.
    page.locator("#ask .first-button").evaluate("button => { button.value = 'enter'; button.click(); }")
    page.get_by_role("button", name="No, go back").click()
    page.locator("#sure").wait_for(state="detached")
    page.get_by_role("button", name="Buy nothing").click()
    page.locator("#news").wait_for()
    # The page begins with what must be done now.
    assert page.evaluate("scrollY") == 0


def test_badge_and_title_follow_what_waits_for_the_seat(people: People, game: Game, desk: Callable[..., Desk]) -> None:
    one = desk(people.anna)
    one.go(f"/campaign/{game.pk}/axis/log")
    one.page.wait_for_function("() => document.title.startsWith('(1) ')")
    assert "icon-must" in one.page.evaluate("document.querySelector('link[rel=icon]').href")
    chair = seat(game, people.anna, "axis")
    with look(chair) as table:
        asked = table.asked[0]
    assert asked.pending.question is not None
    actions.answer(chair, asked.mark, asked.pending.question.default)
    with look(chair) as table:
        left = len(table.asked)
    sign = f"({left}) " if left else ""
    one.page.wait_for_function(
        "sign => sign ? document.title.startsWith(sign) : !document.title.startsWith('(')", arg=sign
    )
    assert one.page.locator("[data-must]").inner_text().strip() == (str(left) if left else "")


def test_a_multi_choice_cell_closes_after_the_click_that_leaves_it(
    people: People, game: Game, desk: Callable[..., Desk]
) -> None:
    page = to_the_cart(desk(people.anna), game, "axis")
    page.wait_for_load_state()
    page.evaluate(
        """() => {
          const cell = document.createElement("details");
          cell.className = "several";
          cell.open = true;
          cell.innerHTML = "<summary>Which</summary>" + "<p>this one</p>".repeat(6);
          const next = document.createElement("button");
          next.type = "button";
          next.id = "next";
          next.textContent = "Next";
          next.addEventListener("click", () => { next.dataset.clicked = "yes"; });
          document.getElementById("ask").prepend(cell, next);
        }"""
    )
    page.locator("#next").click()
    assert page.locator("#next").get_attribute("data-clicked") == "yes"
    assert page.locator("details.several").get_attribute("open") is None
