"""In a real Chromium: the service worker shows notices, and the last seen table while the server is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.conftest import PATIENT_BROWSER
from tests.web.serving import serving_tests_database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.conftest import Begin, People
    from tests.web.serving import Served

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEPT = "async () => (await caches.has('laager-seen')) ? (await (await caches.open('laager-seen')).keys()).length : -1"
WORKERS = "async () => (await navigator.serviceWorker.getRegistrations()).length"


@pytest.fixture
def served(tmp_path: Path, people: People) -> Iterator[Served]:
    with serving_tests_database(tmp_path / "data") as made:
        yield made


@pytest.fixture
def page(chromium: Any, served: Served, people: People) -> Iterator[Any]:
    context = chromium.new_context(permissions=["notifications"])
    context.set_default_timeout(PATIENT_BROWSER)
    made = context.new_page()
    _log_in(made, served, people)
    yield made
    context.close()


def _log_in(page: Any, served: Served, people: People) -> None:
    value = people.client(people.anna).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": value, "url": served.url}])


def _wait_for(page: Any, script: str, wanted: Any) -> None:
    """Wait until a script that is awaited gives this; Playwright's own waiting takes a promise for an answer."""
    waited = 0
    while (given := page.evaluate(script)) != wanted:
        assert waited < PATIENT_BROWSER, given
        page.wait_for_timeout(50)
        waited += 50


def _keep_pages(page: Any, served: Served) -> None:
    page.goto(f"{served.url}/account/")
    page.get_by_label("Keep what I saw last").check()
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    _wait_for(page, "() => caches.has('laager-seen')", True)


def test_the_last_seen_table_is_there_without_a_server_until_logging_out(
    page: Any, served: Served, people: People, begin: Begin
) -> None:
    game = begin()
    table = f"{served.url}/campaign/{game.pk}/axis/"
    page.goto(f"{served.url}/account/")
    page.goto(table)
    assert page.evaluate(WORKERS) == 0, "nothing is kept unless it is asked for"
    _keep_pages(page, served)
    assert page.evaluate(KEPT) == 0
    page.goto(table)
    _wait_for(page, KEPT, 1)
    step = page.locator("main h2").first.inner_text()
    page.goto(f"{served.url}/campaign/{game.pk}/axis/notes")
    assert page.evaluate(KEPT) == 1, "notes are not kept"
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("button", name="Log in").wait_for()
    assert page.evaluate(KEPT) == -1
    _wait_for(page, WORKERS, 0)
    assert page.evaluate("() => caches.keys()") == []
    # Again, and this time the server goes.
    _log_in(page, served, people)
    _keep_pages(page, served)
    page.goto(table)
    _wait_for(page, KEPT, 1)
    served.end()
    page.goto(f"{table}map")
    page.get_by_role("heading", name="No connection").wait_for()
    page.get_by_role("link", name=game.title).click()
    page.locator("#shown-text").get_by_text(step).first.wait_for()
    assert page.locator("#shown-text").locator("form, button, input, select, textarea, a[href]").count() == 0
    assert page.evaluate("() => getComputedStyle(document.body).fontFamily") != "", "it has its style"


def test_a_notice_is_shown_and_leads_nowhere_else(page: Any, served: Served) -> None:
    _keep_pages(page, served)
    devtools = page.context.new_cdp_session(page)
    versions: list[Any] = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: versions.extend(event["registrations"]))
    devtools.send("ServiceWorker.enable")
    page.wait_for_timeout(500)
    registration = versions[-1]["registrationId"]
    notice = '{"title": "Night March", "text": "waits", "link": "/account/", "tag": "t", "silent": true}'
    devtools.send(
        "ServiceWorker.deliverPushMessage", {"origin": served.url, "registrationId": registration, "data": notice}
    )
    shown = """async () => {
      const worker = await navigator.serviceWorker.ready;
      const [notice] = await worker.getNotifications();
      return notice ? [notice.title, notice.body, notice.silent, notice.data.link] : null;
    }"""
    _wait_for(page, shown, ["Night March", "waits", True, "/account/"])


def test_it_can_be_installed(page: Any, served: Served) -> None:
    page.goto(f"{served.url}/account/")
    devtools = page.context.new_cdp_session(page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["url"] == f"{served.url}/manifest.webmanifest"
    assert manifest["errors"] == []
    errors = {error["errorId"] for error in devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert errors <= {"in-incognito"}, "tests have no profile"
