"""The first half hour in a browser, at a server that runs from the built wheel."""

from __future__ import annotations

import pytest

from tests.web.screenshots import browser


@pytest.mark.browser
def test_a_newcomer_plays_alone_from_the_first_link_to_the_first_purchase(served: tuple[str, str]) -> None:
    _, link = served
    with browser() as started:
        page = started.new_page(locale="en-GB")
        page.goto(link)
        page.get_by_label("Username").fill("newcomer")
        page.get_by_label("Password", exact=True).or_(page.get_by_label("Password:")).first.fill("three-words-here")
        page.get_by_label("Password confirmation").fill("three-words-here")
        page.get_by_role("button", name="Make the account").click()
        page.get_by_role("link", name="New campaign").first.click()
        page.get_by_role("link", name="The Mill at Olshanka").first.click()
        page.get_by_role("button", name="Begin").click()
        for other in ("Soviets", "Germans"):
            page.get_by_role("link", name="Answer", exact=True).click()
            assert "Hint: Optional rules count only if both sides tick them." in page.locator("main").inner_text()
            page.get_by_role("button", name="Submit this answer").click()
            page.get_by_role("link", name=f"sit with {other}", exact=True).click()
        page.get_by_role("link", name="Answer", exact=True).click()
        assert "What do you buy for this firefight? You have 6 CP." in page.locator("main").inner_text()
        # One is proposed: it is taken out, and put in again.
        offer, cart = page.locator("[data-offer='HW1']").first, page.locator(".ware:has([data-offer='HW1'])").first
        cart.locator("[data-less]").click()
        cart.locator("[data-count].none").wait_for()
        offer.click()
        cart.locator("[data-count]:not(.none)").wait_for()
        page.get_by_role("button", name="Buy this").click()
        page.locator("#news").wait_for()
        assert "HW1/1" in page.locator("main").inner_text()
        page.get_by_role("link", name="sit with Soviets", exact=True).click()
        seen = page.locator("main").inner_text()
        assert "What do you buy for this firefight?" in seen
        assert "HW1" not in seen
