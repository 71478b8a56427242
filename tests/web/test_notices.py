"""Notices: who must answer is told once, when away from the table, without secrets."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.db import connection
from django.test import Client

from laager.web.campaigns import actions, notices, tables
from laager.web.models import Game, Member, Pace, Player
from laager.web.seats import pending_mails
from laager.web.shared import mails, tokens
from tests.web.conftest import add_spectator, alone, is_asked, seat, take_defaults, take_defaults_until_asked
from tests.web.receiving import Clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from laager.web.seats.permissions import Seat
    from tests.web.conftest import Begin, People


@pytest.fixture
def mailed(clock: Clock) -> Callable[[Callable[[], Any]], list[str]]:
    """Do something and return to whom mails went because of it, once they were due."""

    def make(work: Callable[[], Any]) -> list[str]:
        assert clock.pass_(pending_mails.DELAY) is not None
        work()
        assert clock.pass_(pending_mails.DELAY - timedelta(seconds=1)) == []
        return clock.pass_(timedelta(seconds=1))

    return make


def _forgotten() -> None:
    Member.objects.update(noticed=[], untold={}, mail_due=None)


@pytest.mark.once
@pytest.mark.parametrize("what", ["take back", "draw"])
def test_a_request_is_told_to_who_must_agree_and_its_refusal_to_who_asked(
    what: str, people: People, begin: Begin, mailed: Any
) -> None:
    game = begin()
    one, other = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    take_defaults([one, other], until="purchases")
    if what == "draw":
        assert mailed(lambda: actions.propose_draw(one)) == [other.user.email]
        assert mailed(lambda: actions.answer_draw(other, False)) == [one.user.email]
    else:
        assert mailed(lambda: actions.ask_back(one)) == [other.user.email]
        assert mailed(lambda: actions.consent_back(other, False)) == [one.user.email]
    assert "refused" in mail.outbox[0].subject
    assert f"/campaign/{game.pk}/axis/" in mail.outbox[0].body


def test_a_new_campaign_is_told_to_who_must_answer_and_did_not_begin_it(
    people: People, begin: Begin, mailed: Any
) -> None:
    sent = mailed(begin)
    asked = [one for one in Game.objects.get().members.all() if one.side]
    assert sent == ["bert@example.org"]
    assert len(asked) == 2
    said = mail.outbox[0]
    game = Game.objects.get()
    assert game.title in said.subject
    assert f"/campaign/{game.pk}/allied/" in said.body


def test_who_becomes_asked_by_the_others_answer_gets_one_mail(people: People, begin: Begin, mailed: Any) -> None:
    game = begin()
    one, other = alone(game, people)
    _forgotten()
    sent = mailed(lambda: take_defaults_until_asked(one, other))
    assert sent == [other.user.email]
    # What is asked on and on is told once, whatever the first one does meanwhile.
    assert mailed(lambda: take_defaults([one], 3)) == []


def test_one_mail_until_one_answers_and_then_all_that_has_happened(people: People, begin: Begin, mailed: Any) -> None:
    game = begin()
    one, other = alone(game, people)
    _forgotten()
    assert mailed(lambda: take_defaults_until_asked(one, other)) == [other.user.email]
    with tables.look(add_spectator(game, people.dora)) as table:
        own = max((seen.number for seen in table.view.log if seen.entry.type == "answer"), default=0)
        public = [line.text.strip() for line in table.log if line.number > own]
    lines = [line.removeprefix("- ") for line in str(mail.outbox[0].body).splitlines() if line.startswith("- ")]
    assert len(lines) <= notices.LINES
    assert max(map(len, lines)) <= notices.WIDE
    assert any(line.split(" …")[0] in text for line in lines for text in public)


@pytest.mark.once
def test_ones_own_answers_cause_no_mail_to_oneself(people: People, begin: Begin, mailed: Any) -> None:
    game = begin()
    one, _other = alone(game, people)
    assert one.user.email not in mailed(lambda: take_defaults([one], 3))


@pytest.mark.parametrize("why", ["no mails wanted", "no address", "account closed"])
def test_who_wants_none_gets_none(why: str, people: People, begin: Begin, mailed: Any) -> None:
    game = begin()
    one, other = alone(game, people)
    changes: dict[str, dict[str, Any]] = {
        "no mails wanted": {"mails": False},
        "no address": {"email": ""},
        "account closed": {"is_active": False},
    }
    Player.objects.filter(pk=other.user.pk).update(**changes[why])
    assert mailed(lambda: take_defaults_until_asked(one, other)) == []


def test_what_is_not_stored_is_not_told(
    people: People, begin: Begin, mailed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begin()
    one, other = alone(game, people)
    # All but the last answer, which makes the other side's needed.
    with tables.look(one) as table:
        mark = table.asked[0].mark

    def broken(*_: Any) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("laager.web.campaigns.store.DatabaseStore.append", broken)

    def answer() -> None:
        with pytest.raises(OSError, match="disk is full"):
            actions.concede(one)

    assert mailed(answer) == []
    assert not is_asked(other)
    with tables.look(one) as table:
        assert table.asked[0].mark == mark


@pytest.mark.once
def test_a_mail_tells_nothing_of_the_question(people: People, begin: Begin, mailed: Any) -> None:
    game = begin()
    one, other = alone(game, people)
    mailed(lambda: take_defaults_until_asked(one, other))
    with tables.look(other) as table:
        asked = table.asked[0].describe()
    text = mail.outbox[0].subject + str(mail.outbox[0].body)
    assert [word for word in (asked["text"], asked["mark"]) if word in text] == []


@pytest.mark.once
def test_a_mail_says_at_which_step_and_what_everybody_may_know(people: People, begin: Begin, mailed: Any) -> None:
    game = begin()
    one, other = alone(game, people)
    mailed(lambda: take_defaults_until_asked(one, other))
    text = str(mail.outbox[0].body)
    with tables.look(other) as table:
        step = table.asked[0].pending.step.title
    assert f"Now: {step}" in text
    with tables.look(add_spectator(game, people.dora)) as table:
        public = {line.text.strip() for line in table.log}
    lines = [line.removeprefix("- ") for line in text.splitlines() if line.startswith("- ")]
    assert lines, "something has happened that everybody may know"
    assert all(any(text.startswith(line.removesuffix(" …")) for text in public) for line in lines)


def test_a_mail_server_that_fails_stops_nothing(people: People, begin: Begin, mailed: Any, settings: Any) -> None:
    game = begin()
    one, other = alone(game, people)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_PORT = 1
    mailed(lambda: take_defaults_until_asked(one, other))
    assert is_asked(other)


@pytest.mark.once
def test_mails_are_in_the_readers_language(
    people: People, begin: Begin, mailed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.utils import translation

    Player.objects.update(language="de")
    seen: list[str] = []
    original = mails.texts

    def noting(*args: Any) -> tuple[str, str]:
        seen.append(translation.get_language() or "")
        return original(*args)

    monkeypatch.setattr(mails, "texts", noting)
    mailed(begin)
    assert seen == ["de"]


# Waiting ------------------------------------------------------------------------------------------


@pytest.fixture
def waiting(people: People, begin: Begin, clock: Clock) -> Seat:
    """A seat that has just become asked by the other's answer; its holder isn't there."""
    one, other = alone(begin(), people)
    _forgotten()
    take_defaults_until_asked(one, other)
    return other


def _opponent(of: Seat, people: People) -> Seat:
    found = [seat(of.game, people.anna, "axis"), seat(of.game, people.bert, "allied")]
    return next(one for one in found if one.user != of.user)


def test_who_has_answered_by_then_gets_none(waiting: Seat, clock: Clock) -> None:
    assert clock.pass_(pending_mails.DELAY / 2) == []
    take_defaults([waiting], 1)
    assert clock.pass_(timedelta(days=1)) == []
    assert Member.objects.get(pk=waiting.member.pk).mail_due is None


@pytest.mark.once
def test_who_is_at_the_table_gets_none_until_away(waiting: Seat, people: People, clock: Clock) -> None:
    client = people.client(waiting.user)
    for _ in range(10):
        assert client.get(f"/campaign/{waiting.game.pk}/{waiting.name}/").status_code == 200
        assert clock.pass_(timedelta(seconds=50)) == []
    assert clock.pass_() == [waiting.user.email]
    # Now there is nothing more to tell.
    assert clock.pass_(timedelta(days=3)) == []


@pytest.mark.once
def test_a_program_at_the_table_counts_but_not_one_that_waits(waiting: Seat, clock: Clock) -> None:
    key = {"authorization": f"Bearer {tokens.make(waiting.user, 'x')}"}
    address = f"/api/v1/campaigns/{waiting.game.pk}/{waiting.name}"
    clock.pass_(timedelta(seconds=100))
    assert Client().get(address, headers=key).status_code == 200
    assert clock.pass_(timedelta(seconds=100)) == []
    assert Client().get(f"{address}/wait?seconds=0", headers=key).status_code == 200
    assert clock.pass_(timedelta(seconds=20)) == [waiting.user.email]


def test_looks_store_something_only_when_a_mail_is_due_soon(
    waiting: Seat, people: People, clock: Clock, django_assert_max_num_queries: Any
) -> None:
    def stored() -> Any:
        return Member.objects.values_list("mail_due", "untold").get(pk=waiting.member.pk)

    client, at_first = people.client(waiting.user), stored()
    client.get(f"/campaign/{waiting.game.pk}/{waiting.name}/")
    assert stored() == at_first
    clock.pass_(pending_mails.DELAY - pending_mails.SOON)
    client.get(f"/campaign/{waiting.game.pk}/{waiting.name}/")
    assert stored() == (clock.now + pending_mails.DELAY, at_first[1])
    with django_assert_max_num_queries(1):
        assert pending_mails.note_presence(waiting.game.pk, waiting.user) == []


@pytest.mark.once
def test_an_open_page_puts_a_mail_off_but_not_for_ever(waiting: Seat, clock: Clock) -> None:
    with pending_mails.open_page(waiting.user.pk, waiting.game.pk):
        for _ in range(59):
            assert clock.pass_(timedelta(minutes=1)) == []
        assert [clock.pass_(timedelta(minutes=1)) for _ in range(3)].count([waiting.user.email]) == 1


@pytest.mark.once
def test_who_closes_the_page_without_an_answer_gets_one(waiting: Seat, clock: Clock) -> None:
    with pending_mails.open_page(waiting.user.pk, waiting.game.pk):
        assert clock.pass_() == []
    assert not pending_mails.OPEN
    assert clock.pass_(pending_mails.DELAY / 2) == []
    assert clock.pass_() == [waiting.user.email]


@pytest.mark.once
def test_a_page_of_another_campaign_puts_nothing_off(waiting: Seat, begin: Begin, clock: Clock) -> None:
    other = begin()
    with pending_mails.open_page(waiting.user.pk, other.pk):
        assert waiting.user.email in clock.pass_()


def test_what_is_over_needs_no_answer(waiting: Seat, people: People, clock: Clock) -> None:
    one = _opponent(waiting, people)
    assert clock.pass_(pending_mails.DELAY / 2) == []
    actions.concede(one)
    assert clock.pass_() == []


@pytest.mark.once
@pytest.mark.parametrize("there", [True, False])
def test_what_is_refused_is_mailed_to_who_does_not_see_it(
    there: bool, people: People, begin: Begin, clock: Clock
) -> None:
    game = begin()
    one, other = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    take_defaults([one, other], until="purchases")
    _forgotten()
    actions.propose_draw(one)
    assert clock.pass_() == [other.user.email]
    actions.answer_draw(other, False)
    clock.pass_(pending_mails.DELAY / 2)
    if there:
        pending_mails.note_presence(game.pk, one.user)
    assert clock.pass_(pending_mails.DELAY * 2) == ([] if there else [one.user.email])


@pytest.mark.once
def test_a_wish_that_is_withdrawn_is_not_mailed(people: People, begin: Begin, clock: Clock) -> None:
    game = begin()
    one, other = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    take_defaults([one, other], until="purchases")
    clock.pass_()
    actions.propose_draw(one)
    actions.answer_draw(one, False)
    assert clock.pass_() == []
    assert is_asked(other), "what was asked before has been told before"


@pytest.mark.once
def test_a_secret_answer_of_the_other_side_changes_no_mail(people: People, begin: Begin, clock: Clock) -> None:
    game = begin()
    one, other = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    take_defaults([one, other], 10, until="purchases")
    _forgotten()
    actions.propose_draw(one)
    before = Member.objects.values("mail_due", "untold", "noticed").get(pk=other.member.pk)
    clock.pass_(pending_mails.DELAY / 2)
    assert take_defaults([one], 1) == 1
    assert Member.objects.values("mail_due", "untold", "noticed").get(pk=other.member.pk) == before
    assert clock.pass_(pending_mails.DELAY / 2) == [other.user.email]


# How often -----------------------------------------------------------------------------------------

NEW_YORK = ZoneInfo("America/New_York")


def _told_at(waiting: Seat, clock: Clock, start: datetime, hours: int) -> list[datetime]:
    """Let what waits begin to wait at a time; return when mails come in the hours after it, by the reader's clock."""
    Player.objects.filter(pk=waiting.user.pk).update(time_zone="America/New_York")
    member = Member.objects.get(pk=waiting.member.pk)
    member.untold = dict.fromkeys(member.untold, start.isoformat())
    member.mail_due = start + pending_mails.DELAY
    member.save()
    clock.now = start
    half = timedelta(minutes=30)
    return [clock.now.astimezone(NEW_YORK) for _ in range(hours * 2) if clock.pass_(half)]


@pytest.mark.once
@pytest.mark.parametrize(
    ("begins", "told"),
    [((2026, 1, 5, 9, 0), (5, 18)), ((2026, 1, 5, 18, 10), (6, 18)), ((2026, 3, 7, 18, 10), (8, 18))],
    ids=["today", "tomorrow", "when clocks change"],
)
def test_who_wants_one_a_day_gets_it_in_the_evening(
    begins: tuple[int, ...], told: tuple[int, int], waiting: Seat, clock: Clock
) -> None:
    Member.objects.update(pace=Pace.DAILY)
    start = datetime(*begins, tzinfo=NEW_YORK)  # type: ignore[arg-type, misc]
    [at] = _told_at(waiting, clock, start, 48)
    assert (at.day, at.hour) == told


def test_who_wants_none_in_a_campaign_gets_none(waiting: Seat, clock: Clock) -> None:
    Member.objects.update(pace=Pace.NEVER)
    assert _told_at(waiting, clock, datetime(2026, 1, 5, 9, tzinfo=NEW_YORK), 48) == []
    assert not Member.objects.exclude(mail_due=None).exists()


@pytest.mark.once
@pytest.mark.parametrize(
    ("quiet", "begins", "told"),
    [
        ((22, 7), 23, (6, 7)),
        ((22, 7), 3, (5, 7)),
        ((22, 7), 12, (5, 12)),
        ((9, 17), 10, (5, 17)),
        ((0, 8), 23, (5, 23)),
    ],
)
def test_nobody_is_told_in_the_own_quiet_hours(
    quiet: tuple[int, int], begins: int, told: tuple[int, int], waiting: Seat, clock: Clock
) -> None:
    Player.objects.filter(pk=waiting.user.pk).update(quiet_from=quiet[0], quiet_to=quiet[1])
    [at] = _told_at(waiting, clock, datetime(2026, 1, 5, begins, tzinfo=NEW_YORK), 36)
    assert (at.day, at.hour) == told


def test_a_daily_mail_that_fails_is_tried_again(waiting: Seat, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    Member.objects.update(pace=Pace.DAILY)
    with monkeypatch.context() as patch:
        patch.setattr(mails, "deliver", lambda *_: False)
        _told_at(waiting, clock, datetime(2026, 1, 5, 18, 10, tzinfo=NEW_YORK), 25)
    assert clock.pass_(timedelta(hours=1)) == [waiting.user.email]


def test_pace_and_quiet_hours_are_chosen_on_pages(waiting: Seat, people: People) -> None:
    client = people.client(waiting.user)
    address = f"/campaign/{waiting.game.pk}/{waiting.name}/people/"
    assert client.post(address + "pace/", {"pace": "hourly"}).status_code == 422
    assert client.post(address + "pace/", {"pace": "daily"}).status_code == 302
    assert '<option value="daily" selected>' in client.get(address).content.decode()
    account = {"email": waiting.user.email, "mails": "on"}
    assert "both hours" in client.post("/account/", account | {"quiet_from": "22"}).content.decode()
    assert "never end" in client.post("/account/", account | {"quiet_from": "7", "quiet_to": "7"}).content.decode()
    assert client.post("/account/", account | {"quiet_from": "22", "quiet_to": "0"}).status_code == 302
    user = Player.objects.get(pk=waiting.user.pk)
    assert (user.quiet_from, user.quiet_to) == (22, 0)


# Workers ------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_one_sends(waiting: Seat, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    both, claim = Barrier(2, timeout=30), pending_mails._claim
    won: list[bool] = []

    def together(member: Member) -> bool:
        both.wait()
        won.append(claim(member))
        return won[-1]

    def work() -> None:
        try:
            notices.post()
        finally:
            connection.close()

    monkeypatch.setattr(pending_mails, "_claim", together)
    clock.now += pending_mails.DELAY
    mail.outbox.clear()
    with ThreadPoolExecutor(max_workers=2) as threads:
        for one in [threads.submit(work) for _ in range(2)]:
            one.result()
    assert sorted(won) == [False, True]
    assert [one.to for one in mail.outbox] == [[waiting.user.email]]


def test_a_worker_that_ends_before_it_has_sent_loses_nothing(
    waiting: Seat, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*_: Any) -> bool:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(mails, "deliver", ended)
        with pytest.raises(SystemExit):
            clock.pass_()
    assert clock.pass_(pending_mails.LEASE / 2) == []
    assert clock.pass_(pending_mails.LEASE / 2) == [waiting.user.email]
    assert clock.pass_(timedelta(days=1)) == []


def test_a_mail_that_fails_is_tried_again_for_a_day(
    waiting: Seat, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[datetime] = []
    with monkeypatch.context() as patch:
        patch.setattr(mails, "deliver", lambda *_: tried.append(clock.now))
        for _ in range(3):
            clock.pass_(pending_mails.LEASE)
        assert len(tried) == 3
    assert clock.pass_(pending_mails.LEASE) == [waiting.user.email]
    Member.objects.update(untold={"x": clock.now.isoformat()}, mail_due=clock.now, noticed=[])
    monkeypatch.setattr(notices, "look", None)
    hour = timedelta(hours=1)
    for _ in range(pending_mails.GIVE_UP // hour - 1):
        clock.pass_(hour)
    assert Member.objects.exclude(mail_due=None).exists()
    clock.pass_(hour)
    assert not Member.objects.exclude(mail_due=None).exists()


def test_what_comes_while_a_mail_is_sent_is_not_lost(
    waiting: Seat, people: People, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = _opponent(waiting, people)
    deliver = mails.deliver

    def meanwhile(*mail_: str) -> bool:
        actions.propose_draw(one)
        return deliver(*mail_)

    with monkeypatch.context() as patch:
        patch.setattr(mails, "deliver", meanwhile)
        assert clock.pass_() == [waiting.user.email]
    assert clock.pass_() == [waiting.user.email]
