"""People, campaigns and browsers for the tests of the pages."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone

from laager.campaign.cards import find_card
from laager.web.campaigns import actions, tables
from laager.web.models import Game, Member, Player, Role
from laager.web.seats.permissions import Seat, find_seat
from laager.web.shared import mails, processes, throttle
from tests.forked import IMPORTED, PAGES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page
    from pytest_django.live_server_helper import LiveServer

    from tests.web.receiving import Clock, Receiver

CHROMIUM_FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip

# Whoever forks first, servers and commands (tests/forked.py) or what draws, finds the same imported.
IMPORTED.append(PAGES)
processes.PRELOADED.extend(IMPORTED)

PATIENT_BROWSER = 180_000
"""Milliseconds that a browser waits for what must come, on a busy machine."""

ONCE = frozenset(
    {
        "test_asking",
        "test_backup_bucket",
        "test_battle",
        "test_battle_vasl",
        "test_both_ways_say_the_same",
        "test_card_from_nothing",
        "test_changing",
        "test_choosing",
        "test_compression",
        "test_contradictions",
        "test_contradictions_seeded",
        "test_dates",
        "test_deployment",
        "test_design",
        "test_diary",
        "test_dice",
        "test_dyo",
        "test_editors",
        "test_example",
        "test_fair_queue",
        "test_faults",
        "test_forecasts",
        "test_forms",
        "test_grids",
        "test_handover",
        "test_handover_cuts",
        "test_hashing",
        "test_history",
        "test_house",
        "test_inviting",
        "test_language",
        "test_library_fuzz",
        "test_library_messages",
        "test_library_words",
        "test_map",
        "test_map_boards",
        "test_map_strokes",
        "test_mapedit",
        "test_on_paper",
        "test_over",
        "test_own_desk",
        "test_page_recipe",
        "test_pictures",
        "test_planted",
        "test_processes",
        "test_purchase_chart",
        "test_recent",
        "test_recording",
        "test_reference",
        "test_reopening",
        "test_report",
        "test_rulings",
        "test_schemathesis",
        "test_sealed_answers",
        "test_seeded_contradictions",
        "test_serve_bounded",
        "test_server_cli",
        "test_server_save",
        "test_setup_map",
        "test_setup_save",
        "test_sheets",
        "test_sights",
        "test_sights_exact",
        "test_slow_clients",
        "test_starting",
        "test_story",
        "test_table",
        "test_together",
        "test_units",
        "test_users",
        "test_usual_groups",
        "test_visitors",
        "test_zones",
    }
)
"""Modules about what pages and programs say of a campaign: `make test` runs them on SQLite only.

To the database a campaign is a row and its log, and whatever is said of it is made in memory. A test runs on
PostgreSQL too if it shows one of what databases do differently:
- transactions, locks, listeners and servers;
- what is sent and refused: PostgreSQL takes no NUL, no text longer than its column, no number that doesn't fit;
- the order, the case and the counting of rows, moments and their zones;
- a statement that no other test makes. `test_authorisation` calls each address and each call of the API, from a seat
  for each answer that it has, so that no query of any page is left out.

Other modules stand here, other tests are marked `once`: that secrets change no byte, say, or words of mails. A new
test runs on both databases until then; `make soak` runs them all on PostgreSQL.
"""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave modules alone of which `-m` wants nothing: to import them all takes each worker seconds."""
    wanted: str = config.option.markexpr
    if not collection_path.match("test_*.py"):
        return None
    if "not once" in wanted and collection_path.stem in ONCE:
        return True
    if wanted.startswith("browser") and "mark.browser" not in collection_path.read_text("utf-8"):
        return True
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.parent == here and item.path.stem in ONCE:
            item.add_marker("once")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let SQLite be a file, as in a server: one in memory knows neither threads nor locks.

    What the tests themselves write is not waited for until it lies on the disk; the servers that
    they start are as careful as the settings say.
    """
    from django.conf import settings

    database = settings.DATABASES["default"]
    options = database.setdefault("OPTIONS", {})
    if database["ENGINE"].endswith("sqlite3"):
        folder = tmp_path_factory.mktemp("database")
        database.setdefault("TEST", {})["NAME"] = str(folder / "laager.sqlite3")
        options["init_command"] = options["init_command"].replace("FULL", "OFF")
    else:
        options["options"] = "-c synchronous_commit=off"


@pytest.fixture(scope="session", autouse=True)
def _hung_up(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Let no listener that a test has left keep PostgreSQL from dropping the tests' database."""
    yield
    from django.db import connection

    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(scope="session", autouse=True)
def _quick() -> None:
    """Leave out what takes time and is tested at servers that run (`serving`).

    A good hash of a password takes most of a second; each new client would look through all static
    files before its first request.
    """
    from django.conf import settings

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.WHITENOISE_AUTOREFRESH = True


@pytest.fixture(autouse=True)
def _empty_shelf(settings: Any) -> Iterator[None]:
    """No test finds what another one left in memory; passwords need not be costly to guess."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    tables.SHELF.clear()
    throttle.LOOKS.clear()
    throttle.OVER.clear()
    # Tests look faster than people do.
    settings.CONFIG = settings.CONFIG.model_copy(update={"reads_a_minute": 1_000_000})
    yield
    mails.drain()
    tables.SHELF.clear()


@pytest.fixture
def new_database(django_db_setup: None) -> Iterator[str]:
    """The address of a database in which nothing is; "" for SQLite in the data folder."""
    import psycopg
    from django.db import connection

    from tests.web.serving import server_of_tests

    if connection.vendor == "sqlite":
        yield ""
        return
    name = f"laager_new_{os.getpid()}_{time.monotonic_ns()}"
    with psycopg.connect(f"{server_of_tests()}/postgres", autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        yield f"{server_of_tests()}/{name}"
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@dataclass
class People:
    """The people of the tests: two players, an umpire, somebody who has no seat anywhere."""

    anna: Player
    bert: Player
    cleo: Player
    dora: Player

    def client(self, user: Player | None) -> Client:
        """Return a client in which somebody is logged in; nobody, for None."""
        client = Client()
        if user is not None:
            client.force_login(user)
        return client


@pytest.fixture
def people(db: None) -> People:
    made = [
        Player.objects.create_user(name, f"{name}@example.org", f"{name}-secret-word")
        for name in ("anna", "bert", "cleo", "dora")
    ]
    return People(*made)


@pytest.fixture
def anna(people: People) -> Client:
    return people.client(people.anna)


@pytest.fixture
def bert(people: People) -> Client:
    return people.client(people.bert)


@pytest.fixture
def host(people: People) -> Player:
    """Dora owns the server."""
    people.dora.is_staff = people.dora.is_superuser = True
    people.dora.save()
    return people.dora


@pytest.fixture
def game(people: People) -> Game:
    """A campaign whose battle has been played: its reports are wanted now. Many modules have a `game` of their own."""
    from tests.web.fielded import fielded

    return fielded(people)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """What webhooks and push services post to."""
    from tests.web.receiving import Receiver

    made = Receiver()
    yield made
    made.close()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock of Django's that goes on only when it is told to."""
    from tests.web.receiving import Clock

    clock = Clock()
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    return clock


Begin = Callable[..., Game]


@pytest.fixture
def begin(people: People) -> Begin:
    """Begin a shipped campaign: anna is axis, bert allied, cleo umpire; anna owns it."""

    def make(card: str = "rzhavets", **options: Any) -> Game:
        path, rules = find_card(card, None)
        seats = {"axis": people.anna, "allied": people.bert, "umpire": people.cleo}
        return actions.begin(people.anna, path, rules, seats, **options)

    return make


def seat(game: Game, user: Player, name: str) -> Seat:
    """Return somebody's seat."""
    return find_seat(user, game.pk, name)


def add_spectator(game: Game, user: Player) -> Seat:
    """Let somebody watch."""
    Member.objects.create(game=game, user=user, role=Role.SPECTATOR)
    return seat(game, user, "spectator")


def untokened(content: bytes) -> str:
    """Return a page without the tokens that are new on every request."""
    return re.sub(r"[A-Za-z0-9]{64}", "TOKEN", content.decode())


def take_defaults(seats: list[Seat], most: int = 50, until: str = "") -> int:
    """Answer with the proposals, seat by seat, until a key is asked; return how many were given."""
    given = 0
    while given < most:
        for one in seats:
            with tables.look(one) as table:
                asked = table.asked[:1]
            if asked:
                break
        else:
            return given
        pending = asked[0].pending
        if pending.key == until:
            return given
        if pending.question is None:
            actions.roll(one, asked[0].mark)
        else:
            actions.answer(one, asked[0].mark, pending.question.default)
        given += 1
    return given


def is_asked(one: Seat) -> bool:
    """Return True if a seat must answer now."""
    with tables.look(one) as table:
        return bool(table.asked)


def take_defaults_until_asked(one: Seat, other: Seat) -> None:
    """Answer for one seat with the proposals until the other is asked."""
    for _ in range(60):
        if is_asked(other):
            return
        assert take_defaults([one], 1)
    raise AssertionError("the other side was never asked")


def alone(game: Game, people: People) -> tuple[Seat, Seat]:
    """Return who must answer now, and who must not; play until it is one of both."""
    both = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
    for _ in range(60):
        asked = [is_asked(one) for one in both]
        if asked == [True, False]:
            return both[0], both[1]
        if asked == [False, True]:
            return both[1], both[0]
        take_defaults(both[:1], 1)
    raise AssertionError("both were asked all the time")


# Browsers -----------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Return the machine's Chromium, driven by Playwright."""
    from playwright.sync_api import sync_playwright

    from tests.web.browser import chromium as found

    path = found()
    # Playwright runs an event loop in this thread; Django would refuse its database in it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        yield browser
        browser.close()


@dataclass
class Desk:
    """One person's browser: logged in, everything that goes wrong in it written down."""

    context: BrowserContext
    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)

    def go(self, address: str) -> None:
        """Open an address of the site."""
        self.page.goto(self.url + address)


@pytest.fixture
def desk(chromium: Browser, live_server: LiveServer) -> Iterator[Callable[..., Desk]]:
    """Open a browser for somebody; scripts that fail and broken policies fail the test."""
    desks: list[Desk] = []

    def open_for(user: Player | None, width: int = 1366, height: int = 900, **more: Any) -> Desk:
        context = chromium.new_context(viewport={"width": width, "height": height}, **more)
        context.set_default_timeout(PATIENT_BROWSER)
        if user is not None:
            client = Client()
            client.force_login(user)
            value = client.cookies["sessionid"].value
            context.add_cookies([{"name": "sessionid", "value": value, "url": live_server.url}])
        one = Desk(context, context.new_page(), live_server.url)
        one.page.on("pageerror", lambda err: one.complaints.append(str(err)))
        one.page.on("console", lambda said: one.complaints.append(said.text) if said.type == "error" else None)
        desks.append(one)
        return one

    yield open_for
    for one in desks:
        one.context.close()
    # A refused answer is an error to the browser, and no fault of the page.
    # Nor is a check as one types that the next key or a new page has overtaken.
    expected = ("status of 4", "htmx:sendAbort", "htmx:afterRequest")
    faults = [text for one in desks for text in one.complaints if not any(word in text for word in expected)]
    assert not faults
