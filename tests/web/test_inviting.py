"""Links for others: copied, scanned, and warned about where they can't be opened."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import TYPE_CHECKING

import pytest
from django.test import override_settings

from laager.web.models import Game
from laager.web.people.tags import qr
from laager.web.shared.http import Reach, reach

if TYPE_CHECKING:
    from tests.web.conftest import Desk, People


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("http://localhost:8000/", Reach.MACHINE),
        ("http://laager.localhost/", Reach.MACHINE),
        ("http://127.0.0.1:8000/", Reach.MACHINE),
        ("http://127.8.8.8/", Reach.MACHINE),
        ("http://[::1]:8000/", Reach.MACHINE),
        ("http://[::ffff:127.0.0.1]/", Reach.MACHINE),
        ("http://0.0.0.0:8000/", Reach.MACHINE),
        ("http://[::]/", Reach.MACHINE),
        ("http://192.168.1.20:8000/", Reach.NETWORK),
        ("http://10.0.0.7/", Reach.NETWORK),
        ("http://172.16.0.1/", Reach.NETWORK),
        ("http://172.32.0.1/", Reach.EVERYWHERE),
        ("http://169.254.3.4/", Reach.NETWORK),
        ("http://100.101.102.103/", Reach.NETWORK),
        ("http://[fe80::1]/", Reach.NETWORK),
        ("http://[fd12:3456::1]/", Reach.NETWORK),
        ("http://[::ffff:192.168.0.2]/", Reach.NETWORK),
        ("http://raspberrypi.local:8000/", Reach.NETWORK),
        ("http://tower:8000/", Reach.NETWORK),
        ("http://nas.home.arpa/", Reach.NETWORK),
        ("http://8.8.8.8/", Reach.EVERYWHERE),
        ("http://[2606:4700::1111]/", Reach.EVERYWHERE),
        ("https://laager.example/", Reach.EVERYWHERE),
        ("https://laager.example./", Reach.EVERYWHERE),
    ],
)
def test_how_far_an_address_reaches(address: str, found: Reach) -> None:
    assert reach(address) is found


def _begun(people: People) -> tuple[Game, str, list[str]]:
    given = {"seat": "axis", "invite": ["player:allied", "umpire:"]}
    page = people.client(people.anna).post("/new/rzhavets", given, follow=True).content.decode()
    return Game.objects.get(), page, re.findall(r'value="(http[^"]*/invitation/[^"]+)"', page)


def test_the_links_of_a_new_campaign_have_the_names_of_its_sides(people: People) -> None:
    _, page, _ = _begun(people)
    assert "Soviets" in page
    assert "Allied" not in page


def test_each_link_can_be_copied_and_scanned(people: People) -> None:
    _game, page, links = _begun(people)
    assert len(links) == 2
    for place, link in enumerate(links, 1):
        assert f'data-copy-of="link-{place}"' in page
        assert qr(link) in page
    assert page.count("<svg") >= 2


def test_a_link_stands_in_no_address_that_the_page_fetches(people: People) -> None:
    _game, page, links = _begun(people)
    for link in links:
        key = link.rstrip("/").rpartition("/")[2]
        assert page.count(key) == 1
        assert not re.search(rf'(src|href|action|hx-get)="[^"]*{key}', page)


def test_the_page_is_kept_nowhere(people: People) -> None:
    client = people.client(people.anna)
    given = {"seat": "axis", "invite": "player:allied"}
    page = client.get(client.post("/new/rzhavets", given)["Location"])
    assert "no-store" in page["Cache-Control"]
    game = Game.objects.get()
    made = client.post(f"/campaign/{game.pk}/axis/people/invite/", {"seat": "umpire:", "days": "3"})
    assert "no-store" in made["Cache-Control"]
    assert 'data-copy-of="link"' in made.content.decode()


def test_the_log_has_no_keys(people: People, caplog: pytest.LogCaptureFixture) -> None:
    _game, _page, links = _begun(people)
    people.client(None).get(links[0].removeprefix("http://testserver"))
    for link in links:
        assert link.rstrip("/").rpartition("/")[2] not in caplog.text + str([vars(one) for one in caplog.records])


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://127.0.0.1:8000", "open on this machine only"),
        ("http://192.168.1.20:8000", "open in this network only"),
        ("https://laager.example", ""),
    ],
)
def test_a_warning_where_nobody_else_can_open_it(address: str, told: str, people: People) -> None:
    from django.conf import settings

    with override_settings(CONFIG=settings.CONFIG.model_copy(update={"address": address})):
        game, page, _links = _begun(people)
        seats = people.client(people.anna).get(f"/campaign/{game.pk}/axis/people/").content.decode()
    for shown in (page, seats):
        assert (told in shown) if told else ("Links from this server" not in shown)


def test_who_may_not_invite_reads_no_warning(people: People) -> None:
    game, _page, links = _begun(people)
    bert = people.client(people.bert)
    bert.get(unescape(links[0]).removeprefix("http://testserver"))
    bert.post("/invitation/")
    assert "Links from this server" not in bert.get(f"/campaign/{game.pk}/allied/people/").content.decode()


@pytest.mark.browser
@pytest.mark.parametrize("secure", [True, False])
def test_copying_in_a_browser(secure: bool, people: People, desk: Callable[..., Desk]) -> None:
    anna = desk(people.anna)
    if secure:
        anna.context.grant_permissions(["clipboard-read", "clipboard-write"])
    else:
        # As in a network without https: there is no clipboard for scripts.
        anna.context.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    anna.go("/new/rzhavets")
    anna.page.check("input[name=seat][value=axis]")
    anna.page.check("input[name=invite][value='player:allied']")
    anna.page.click("button.primary")
    link = anna.page.locator("#link-1").input_value()
    anna.page.click("[data-copy-of=link-1]")
    anna.page.get_by_role("status").filter(has_text="Copied").wait_for()
    if secure:
        assert anna.page.evaluate("navigator.clipboard.readText()") == link
    anna.page.click("summary:has-text('QR code')")
    code = anna.page.get_by_role("img", name="QR code of the link")
    box = code.locator("svg").bounding_box()
    assert box is not None
    assert box["width"] > 150
    assert "Links from this server open on this machine only." in anna.page.inner_text("main")


@pytest.mark.browser
def test_without_a_script_a_link_is_there_and_no_button(people: People, desk: Callable[..., Desk]) -> None:
    anna = desk(people.anna, java_script_enabled=False)
    anna.go("/new/rzhavets")
    anna.page.check("input[name=seat][value=axis]")
    anna.page.check("input[name=invite][value='player:allied']")
    anna.page.click("button.primary")
    anna.page.wait_for_load_state()
    assert "/invitation/" in anna.page.locator("#link-1").input_value()
    assert not anna.page.locator("[data-copy-of]").is_visible()
