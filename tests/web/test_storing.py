"""What is shown is stored, what is not stored never was, and of answers given at once none is lost.

The disk fails in several ways and at several moments; sides answer in the same moment, in threads
that share nothing, as the workers of a server do.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from django.db import OperationalError, connection, connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from laager.base import LaagerError, Refusal, RefusedError
from laager.campaign.audit import audit
from laager.campaign.lanes import Replay
from laager.web.campaigns import actions, tables
from laager.web.campaigns.store import DatabaseStore
from laager.web.models import EntryLine, Game, Member, Player
from laager.web.shared import events, tokens
from laager.web.shared.recent import Recent
from tests.web.conftest import seat, take_defaults, untokened
from tests.web.serving import PATIENCE
from tests.web.test_asking import steady
from tests.web.test_faults import alarm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from laager.web.seats.permissions import Seat
    from tests.web.conftest import Begin, People

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_hurry(settings: Any) -> None:
    settings.CONFIG = settings.CONFIG.model_copy(update={"writes_a_minute": 100_000})


@pytest.fixture
def buying(people: People, begin: Begin) -> Game:
    """Return a campaign in which both sides buy."""
    game = begin()
    both = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
    assert take_defaults(both, until="purchases")
    return game


def asked(one: Seat) -> str:
    """Return the mark of what is asked of a seat first."""
    with tables.look(one) as table:
        return table.asked[0].mark


def proposal(one: Seat, mark: str) -> Any:
    """Return the proposal for a question."""
    with tables.look(one) as table:
        question = table.find(mark).pending.question
    assert question is not None
    return question.default


# The disk fails -----------------------------------------------------------------------------------


@contextmanager
def broken_insert() -> Iterator[None]:
    """Rows cannot be written."""

    def fail(*_: Any, **__: Any) -> None:
        raise OperationalError("disk I/O error")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EntryLine.objects, "bulk_create", fail)
        yield


@contextmanager
def broken_half_way() -> Iterator[None]:
    """The rows are there, what comes after them fails."""

    def fail(*_: Any, **__: Any) -> None:
        raise OperationalError("disk I/O error")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(events, "publish", fail)
        yield


@contextmanager
def broken_commit() -> Iterator[None]:
    """All is written, and cannot be made to last."""

    def fail() -> None:
        raise OperationalError("database or disk is full")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections["default"], "_commit", fail)
        yield


@contextmanager
def read_only() -> Iterator[None]:
    """The database itself takes nothing any more."""
    sqlite = connection.vendor == "sqlite"
    shut = "PRAGMA query_only=ON" if sqlite else "SET default_transaction_read_only=on"
    opened = "PRAGMA query_only=OFF" if sqlite else "SET default_transaction_read_only=off"
    with connection.cursor() as cursor:
        cursor.execute(shut)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(opened)


FAULTS: dict[str, Callable[[], Any]] = {
    "insert": broken_insert,
    "half way": broken_half_way,
    "commit": broken_commit,
    "read only": read_only,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_the_disk_does_not_take_was_never_shown(fault: str, people: People, buying: Game) -> None:
    users = {"axis": people.anna, "allied": people.bert, "umpire": people.cleo}
    clients = {name: people.client(user) for name, user in users.items()}

    def shown() -> list[str]:
        pages = [clients[n].get(f"/campaign/{buying.pk}/{n}/{p}") for n in users for p in ("", "tag")]
        return [untokened(steady(page.content).encode()) for page in pages]

    axis = seat(buying, people.anna, "axis")
    mark, before = asked(axis), shown()
    address = reverse("ask", args=[buying.pk, "axis", mark])
    sent = {"do": "give", "view": "text", "text": "{groups: [{rg: I3, setup: reserve, count: 1}]}"}
    with FAULTS[fault]():
        answer = clients["axis"].post(address, sent)
        during = shown()
    assert answer.status_code == 503
    page = answer.content.decode()
    assert "not" in alarm(page)
    assert "stored" in alarm(page)
    assert "rg: I3" in page, "what was typed is handed back"
    assert during == before
    assert shown() == before
    tables.SHELF.clear()
    assert shown() == before
    # Nothing of the first try is in the way of the second.
    assert clients["axis"].post(address, sent).status_code == 302
    answers = given(buying, people)
    assert answers.count(("axis", "purchases")) == 1
    assert shown() != before


def given(game: Game, people: People) -> list[tuple[str, str]]:
    """Return the answers that stand in the log of the database, which must be sound."""
    tables.SHELF.clear()
    with tables.look(seat(game, people.anna, "axis")) as table:
        assert audit(table.campaign).sound
        bodies = [e.body for e in table.campaign.entries if e.type == "answer"]
    return [(body["side"], body["key"]) for body in bodies]


def test_a_disk_that_fills_up_takes_whole_answers_or_none(people: People, buying: Game) -> None:
    """Not a mended part fails here, but SQLite itself, whenever its file may grow no more."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL's disk cannot be filled without harm to others")
    both = [seat(buying, people.anna, "axis"), seat(buying, people.bert, "allied")]
    with connection.cursor() as cursor:
        # Room that earlier tests have left in the file would be filled first.
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA page_count")
        pages = cursor.fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages + 3}")
    confirmed, refused = 0, None
    try:
        for _ in range(60):
            lines = EntryLine.objects.filter(game=buying).count()
            try:
                confirmed += take_defaults(both, 1)
            except LaagerError as err:
                refused = err
                break
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count = 1073741823")
    assert refused is not None
    assert refused.code is Refusal.BROKEN_LOG
    assert EntryLine.objects.filter(game=buying).count() == lines
    tables.SHELF.clear()
    assert take_defaults(both, 1) == 1
    assert given(buying, people)


def test_nobody_sees_what_is_not_stored_yet(people: People, buying: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another worker looks while an answer is written, and while it is not committed yet."""
    axis = seat(buying, people.anna, "axis")
    umpire = seat(buying, people.cleo, "umpire")
    seen: list[tuple[str, int]] = []

    def look_from(one: Seat) -> None:
        try:
            with tables.look(one) as table:
                seen.append((table.tag, table.view.version))
        finally:
            connection.close()

    def another_looks() -> None:
        monkeypatch.setattr(tables, "SHELF", _Apart())
        for one in (axis, umpire):
            thread = threading.Thread(target=look_from, args=(one,))
            thread.start()
            thread.join()

    another_looks()
    before = list(seen)
    publish = events.publish

    def interrupted(game: UUID) -> None:
        publish(game)
        another_looks()

    monkeypatch.setattr(events, "publish", interrupted)
    mark = asked(axis)
    actions.answer(axis, mark, proposal(axis, mark))
    assert seen == before * 2
    another_looks()
    assert seen[4:] != before


@pytest.mark.parametrize("state", ["unread", "a mail is due", "the seat is to be freed", "a new time zone"])
def test_all_pages_of_a_seat_can_be_read_when_nothing_can_be_written(state: str, people: People, buying: Game) -> None:
    """What is stored beside a look is nobody's loss: how far the diary is read, when somebody was here."""
    client, axis = people.client(people.anna), seat(buying, people.anna, "axis")
    kept: dict[str, Any] = {"told_to": 1}
    if state == "a mail is due":
        kept |= {"mail_due": timezone.now(), "untold": {"refused:1": timezone.now().isoformat()}}
    elif state == "the seat is to be freed":
        kept |= {"freed_on": timezone.now() + timedelta(days=3)}
    elif state == "a new time zone":
        client.cookies["zone"] = "Europe/Berlin"
    Member.objects.filter(pk=axis.member.pk).update(**kept)
    token = tokens.make(people.anna, "never used")
    pages = [f"/campaign/{buying.pk}/axis/{page}" for page in ("", "log", "log/2", "map", "sheets", "units", "tag")]
    with read_only():
        answers = {page: client.get(page).status_code for page in pages}
        address, program = f"/api/v1/campaigns/{buying.pk}/axis", {"Authorization": f"Bearer {token}"}
        answers[address] = Client().get(address, headers=program).status_code
    assert set(answers.values()) == {200}, answers
    # Nothing is lost for good: the next look stores it.
    answer = client.get(pages[1])
    found = Member.objects.get(pk=axis.member.pk)
    assert (answer.status_code, found.freed_on) == (200, None)
    assert found.told_to > 1
    assert Player.objects.get(pk=people.anna.pk).time_zone == ("Europe/Berlin" if state == "a new time zone" else "")


# At the same moment -------------------------------------------------------------------------------


class _Apart(Recent[UUID, tables.Held]):
    """A shelf on which every thread has its own campaigns, as every worker of a server has."""

    def __init__(self) -> None:
        super().__init__(0)
        self._own: dict[tuple[int, UUID], tables.Held] = {}

    def get(self, key: UUID, make: Callable[[], tables.Held]) -> tables.Held:
        return self._own.setdefault((threading.get_ident(), key), make())


def at_once(*tries: Callable[[], object]) -> list[RefusedError | None]:
    """Do several things in the same moment, each in its thread; return how they were refused."""
    gate = threading.Barrier(len(tries))
    outcomes: list[RefusedError | None] = [None] * len(tries)

    def run(number: int, action: Callable[[], None]) -> None:
        try:
            gate.wait(PATIENCE)
            action()
        except RefusedError as err:
            outcomes[number] = err
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=one) for one in enumerate(tries)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


@pytest.mark.parametrize("workers", ["one worker", "several workers"])
def test_of_two_answers_in_the_same_moment_both_count(
    workers: str, people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    if workers == "several workers":
        monkeypatch.setattr(tables, "SHELF", _Apart())
    for _ in range(4):
        game = begin()
        axis, allied = both = (seat(game, people.anna, "axis"), seat(game, people.bert, "allied"))
        take_defaults(list(both), until="purchases")
        marks = asked(axis), asked(allied)
        values = proposal(axis, marks[0]), proposal(allied, marks[1])
        refusals = at_once(
            lambda: actions.answer(axis, marks[0], values[0]),  # noqa: B023
            lambda: actions.answer(allied, marks[1], values[1]),  # noqa: B023
        )
        assert refusals == [None, None]
        answers = given(game, people)
        assert answers.count(("axis", "purchases")) == 1
        assert answers.count(("allied", "purchases")) == 1


@pytest.mark.parametrize("workers", ["one worker", "several workers"])
def test_an_answer_given_many_times_at_once_counts_once(
    workers: str, people: People, buying: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    if workers == "several workers":
        monkeypatch.setattr(tables, "SHELF", _Apart())
    axis = seat(buying, people.anna, "axis")
    mark = asked(axis)
    value = proposal(axis, mark)
    refusals = at_once(*[lambda: actions.answer(axis, mark, value)] * 5)
    assert refusals.count(None) == 1
    for refusal in filter(None, refusals):
        assert refusal.code is Refusal.STALE
        assert "no longer asked" in str(refusal)
    assert given(buying, people).count(("axis", "purchases")) == 1


def test_answering_and_taking_back_at_once_leave_a_sound_log(
    people: People, buying: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "SHELF", _Apart())
    axis, allied = seat(buying, people.anna, "axis"), seat(buying, people.bert, "allied")
    umpire = seat(buying, people.cleo, "umpire")
    marks = asked(axis), asked(allied)
    values = proposal(axis, marks[0]), proposal(allied, marks[1])
    refusals = at_once(
        lambda: actions.answer(axis, marks[0], values[0]),
        lambda: actions.ask_back(umpire),
        lambda: actions.answer(allied, marks[1], values[1]),
    )
    confirmed = [name for name, one in zip(("axis", "", "allied"), refusals, strict=True) if not one]
    answers = given(buying, people)
    for name in filter(None, confirmed):
        assert (name, "purchases") in answers
    for refusal in filter(None, refusals):
        assert len(str(refusal)) > 15


def test_a_step_under_way_is_asked_anew_after_its_rule_was_corrected(
    people: People, buying: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server starts with corrected rules while both sides buy, and one has bought already."""
    axis = seat(buying, people.anna, "axis")
    with tables.look(axis) as table:
        step = table.asked[0].pending.step
    actions.answer(axis, asked(axis), proposal(axis, asked(axis)))
    monkeypatch.setattr(type(step), "corrected_since", lambda self, record: self.id == step.id)
    monkeypatch.setattr(Replay, "feed", _fits_no_more)
    tables.SHELF.clear()
    with tables.look(axis) as table:
        assert [one.pending.key for one in table.asked] == ["purchases"]
        shown = table.view.version
    monkeypatch.undo()
    tables.SHELF.clear()
    with tables.look(axis) as table:
        assert table.view.version == shown, "what was shown is stored"
        assert any("its rule was corrected" in one.text for one in table.log)
    actions.answer(axis, asked(axis), proposal(axis, asked(axis)))


def _fits_no_more(*_given: Any) -> None:
    raise RefusedError(Refusal.BROKEN_LOG, "the record does not fit")


def test_a_campaign_is_read_before_anybody_waits_for_its_answer(
    people: People, buying: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long log or a large map takes seconds to read; in the transaction nobody else could store anything."""
    axis = seat(buying, people.anna, "axis")
    mark = asked(axis)
    value = proposal(axis, mark)
    load, locked = DatabaseStore.load, list[bool]()

    def loaded(store: DatabaseStore) -> Any:
        locked.append(connection.in_atomic_block)
        return load(store)

    monkeypatch.setattr(DatabaseStore, "load", loaded)
    tables.SHELF.clear()
    with tables.act(axis) as table:
        table.campaign.answer("axis", table.find(mark).pending.key, value)
    assert locked == [False]
    assert mark not in [one.mark for one in _asked_of(axis)]


def _asked_of(one: Seat) -> Sequence[tables.Asked]:
    with tables.look(one) as table:
        return table.asked
