"""The host's page: for whom it is, what it shows, and that it tells no side's secrets."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from django.db import DatabaseError
from django.utils import timezone

from laager import __version__
from laager.web.campaigns import actions, tables
from laager.web.models import EntryLine, ErrorPlace, Member, Player
from laager.web.serving import errors, metrics
from laager.web.serving.backup.last import note_backup
from laager.web.serving.host import news, overview, pages
from laager.web.shared import meters, tokens
from tests.web import planted
from tests.web.conftest import seat, take_defaults, untokened

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.conftest import Begin, People


@pytest.fixture
def host(host: Player, tmp_path: Path, settings: Any) -> Player:
    """Dora owns the server; its data folder is new."""
    settings.CONFIG = settings.CONFIG.model_copy(update={"data": tmp_path})
    return host


def page(people: People, host: Player, query: str = "") -> str:
    """Return the host's page, without what is new in each."""
    answer = people.client(host).get(f"/host/{query}")
    assert answer.status_code == 200
    return untokened(answer.content)


def row(text: str, title: str) -> str:
    """Return the words of a row of a table."""
    [found] = [one for one in re.findall(r"<tr>.*?</tr>", text, re.S) if title in one]
    return " ".join(re.sub(r"<[^>]*>", " ", found).split())


# Rights -------------------------------------------------------------------------------------------


@pytest.mark.once
def test_only_the_host_has_it(people: People, host: Player) -> None:
    assert people.client(host).get("/host/").status_code == 200
    assert people.client(None).get("/host/")["Location"] == "/login/?next=/host/"
    people.bert.is_staff = True
    people.bert.save()
    for other in (people.anna, people.bert):
        answer = people.client(other).get("/host/")
        assert answer.status_code == 404
        assert "laager doctor" not in answer.content.decode()
    assert [b"/host/" in people.client(one).get("/account/").content for one in (host, people.anna)] == [True, False]


# What it shows ------------------------------------------------------------------------------------


def test_campaigns_are_there_with_who_is_waited_for(people: People, host: Player, begin: Begin) -> None:
    game = begin()
    with tables.look(seat(game, people.anna, "axis")) as table:
        [side] = table.view.waiting_for[:1]
    name = {"axis": "anna", "allied": "bert"}[side]
    assert name in row(page(people, host), game.title).removeprefix(f"{game.title} Platoon Leader anna")
    Member.objects.filter(game=game, side=side).delete()
    assert "nobody sits there" in row(page(people, host), game.title)


@pytest.mark.once
def test_a_campaign_that_cannot_be_opened_spoils_no_page(people: People, host: Player, begin: Begin) -> None:
    good, bad = begin(), begin(title="Torn")
    EntryLine.objects.filter(game=bad, number=1).update(line="{torn and secret")
    tables.SHELF.clear()
    text = page(people, host)
    assert "Its log can't be read." in row(text, "Torn")
    assert "torn and secret" not in text
    assert "can't be read" not in row(text, good.title)


def test_campaigns_come_by_pages(people: People, host: Player, begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "ON_A_PAGE", 2)
    for number in range(3):
        begin(title=f"Number {number}")
    assert [f"Number {number}" in page(people, host) for number in range(3)] == [False, True, True]
    assert [f"Number {number}" in page(people, host, "?page=2") for number in range(3)] == [True, False, False]
    assert page(people, host, "?page=x") == page(people, host)


def test_people_were_last_seen_on_a_day(people: People, host: Player) -> None:
    today = datetime.now(UTC).date()
    seen = {one.person.username: one.seen for one in overview.list_people()}
    assert seen == dict.fromkeys(("anna", "bert", "cleo", "dora"))
    people.client(people.anna).get("/account/")
    tokens.make(people.bert, "laptop")
    people.bert.tokens.update(used=timezone.now())
    seen = {one.person.username: one.seen for one in overview.list_people()}
    assert seen == {"anna": today, "bert": today, "cleo": None, "dora": None}
    assert row(page(people, host), "cleo") == "cleo 0 –"


def test_the_server_says_what_it_is(people: People, host: Player, begin: Begin, settings: Any, tmp_path: Path) -> None:
    begin()
    text = page(people, host)
    assert f"Laager {__version__}" in text
    assert "No backup was made here yet." in text
    facts = overview.describe_server(settings.CONFIG)
    assert (facts.accounts, facts.campaigns, facts.runs) == (4, 1, {})
    assert 1 <= facts.megabytes < 500
    file = tmp_path / "laager-backup"
    file.write_bytes(b"")
    assert note_backup(settings.CONFIG, datetime(2026, 5, 17, 12, tzinfo=UTC), str(file))
    assert "The last good backup is of 17 May 2026" in page(people, host)
    file.unlink()
    assert "Its file isn't there any more." in page(people, host)


SIZE = r"The database has (\d+) MB"

# Secrets ------------------------------------------------------------------------------------------


@pytest.mark.once
def test_what_a_side_chose_in_secret_changes_no_byte(people: People, host: Player, begin: Begin) -> None:
    """Two worlds that differ in what a side has bought, also if the host plays the other side."""
    people.anna.is_superuser = True
    people.anna.save()
    for who in (host, people.anna):
        # From now on both were seen today.
        page(people, who)
    worlds, sizes = [], []
    for buys in (True, False):
        game = begin()
        one, other = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
        take_defaults([one, other], until="purchases")
        with tables.look(other) as table:
            [asked] = table.asked
        assert asked.pending.question is not None
        proposed = asked.pending.question.default
        # The news of a release may name something that is called like a group.
        before = planted.words("".join(page(people, who) for who in (host, people.anna)))
        actions.answer(other, asked.mark, proposed if buys else {"groups": [], "patrols": 0})
        seen = [page(people, who) for who in (host, people.anna)]
        sizes += [int(size) for text in seen for size in re.findall(SIZE, text)]
        worlds.append([re.sub(rf"\b\d\d:\d\d\b|{game.pk}|{SIZE}", "NEW", text) for text in seen])
        assert not {group["rg"] for group in proposed["groups"]} & (planted.words("".join(seen)) - before)
        game.delete()
    for one, other in zip(*worlds, strict=True):
        assert one.splitlines() == other.splitlines()
    # Both worlds lie in one database, one after the other: in between it may come to its next megabyte.
    assert len(sizes) == 4
    assert max(sizes) - min(sizes) <= 1


# Work, errors, news -------------------------------------------------------------------------------


def test_errors_have_a_place_and_no_text(people: People, host: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    log = logging.getLogger("laager.web")

    def fail() -> None:
        raise ValueError("the Axis bought a StuG")

    for _ in range(3):
        try:
            news.parse_news(1, "")  # type: ignore[arg-type]
        except TypeError:
            log.exception("it failed with a StuG")
    try:
        fail()
    except ValueError:
        log.exception("again")
    log.error("no exception")
    errors.store_counts()
    errors.store_counts()
    rows = {(one.kind, one.count) for one in ErrorPlace.objects.all()}
    assert rows == {("TypeError", 3), ("ValueError", 1)}
    text = page(people, host)
    assert re.search(r"laager\.web\.serving\.host\.news:\d+", text.replace("<wbr>", "").replace("\u200b", ""))
    assert "StuG" not in text
    monkeypatch.setattr(errors, "MOST_PLACES", 1)
    try:
        fail()
    except ValueError:
        log.exception("again")
    errors.store_counts()
    assert ErrorPlace.objects.count() == 1


def test_what_could_not_be_stored_is_stored_the_next_time(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        raise ValueError
    except ValueError:
        logging.getLogger("laager.web").exception("it failed")
    with monkeypatch.context() as patched:
        patched.setattr(ErrorPlace.objects, "get_or_create", lambda **_: (_ for _ in ()).throw(DatabaseError()))
        with pytest.raises(DatabaseError):
            errors.store_counts()
    errors.store_counts()
    assert [one.count for one in ErrorPlace.objects.all()] == [1]


@pytest.mark.once
def test_latencies_are_there_with_a_token(people: People, host: Player, settings: Any) -> None:
    meters.load_meters.cache_clear()
    assert "LAAGER_METRICS_TOKEN" in page(people, host)
    settings.CONFIG = settings.CONFIG.model_copy(update={"metrics_token": "x" * 20})
    meters.load_meters.cache_clear()
    metrics._HERE.clear()
    try:
        for seconds in (0.02, 0.02, 0.02, 0.2) * 5:
            meters.observe_request("story", seconds, 200)
        assert row(page(people, host), "story") == "story 20 25 ms 250 ms"
    finally:
        meters.load_meters.cache_clear()


@pytest.mark.once
def test_the_page_tells_what_is_new(people: People, host: Player) -> None:
    begun = "# Changelog\n\n## Unreleased\n\n### Added\n\n- One [thing](x.md)\n  and `more`.\n"
    text = begun + "\n## 9.1.0 (2026-01-01)\n\n### Fixed\n\n- It.\n"
    assert news.parse_news(text, "9.1.0") == (("Fixed", ("It.",)),)
    assert news.parse_news(text, "9.2.0") == (("Added", ("One thing and more.",)),)
    assert "<summary>Changelog</summary>" in page(people, host)
