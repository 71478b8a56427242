"""The next session: times proposed, replies in everybody's zone, one fixed, mails and a calendar file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.utils import timezone
from icalendar import Calendar

from laager.base import DataError
from laager.web.models import Game, Member, Player, SessionPlan
from laager.web.talk import dates
from laager.web.talk.messages import talk_news
from tests.web.conftest import People, seat
from tests.web.fielded import fielded
from tests.web.receiving import Clock
from tests.web.seen import read, sitting, url

SOON = timezone.now().replace(minute=30, second=0, microsecond=0) + timedelta(days=10)
TIMES = (SOON, SOON + timedelta(days=1))


@pytest.fixture
def game(people: People) -> Game:
    game = fielded(people)
    sitting(game, people)
    Player.objects.filter(pk=people.anna.pk).update(time_zone="Europe/Berlin")
    Player.objects.filter(pk=people.bert.pk).update(time_zone="America/New_York")
    people.anna.refresh_from_db()
    people.bert.refresh_from_db()
    return game


@pytest.fixture
def clock(clock: Clock, game: Game) -> Clock:
    Member.objects.update(noticed=[], untold={}, mail_due=None)
    return clock


def local(at: datetime, zone: str) -> str:
    from zoneinfo import ZoneInfo

    return f"{at.astimezone(ZoneInfo(zone)):%Y-%m-%dT%H:%M}"


def test_a_session_is_proposed_replied_to_and_fixed_on_pages(game: Game, people: People) -> None:
    anna, bert = people.client(people.anna), people.client(people.bert)
    form = {"times": [local(at, "Europe/Berlin") for at in TIMES] + ["", ""], "hours": "4", "note": "At the club"}
    assert anna.post(url(game, "axis", "dates"), form).status_code == 302
    plan = SessionPlan.objects.get()
    assert [time.at for time in plan.times.all()] == list(TIMES)
    # Each reads it by the own clock.
    assert local(SOON, "America/New_York") in read(bert, url(game, "allied", "dates"))
    assert local(SOON, "Europe/Berlin") in read(anna, url(game, "axis", "dates"))
    assert "Say when you can play" in read(bert, "/")
    assert "Say when you can play" not in read(anna, "/")
    sent = {"times": [TIMES[1].isoformat(), "nonsense"]}
    assert bert.post(url(game, "allied", "dates/1/reply"), sent).status_code == 302
    assert not talk_news(seat(game, people.bert, "allied")).owes_reply
    [first, second] = dates.list_replies(seat(game, people.bert, "allied"), plan)
    assert (first.yes, first.no, second.yes, second.mine) == (["anna"], ["bert"], ["anna", "bert"], True)
    # Only the proposer and the owner fix it.
    time = {"time": TIMES[1].isoformat()}
    assert bert.post(url(game, "allied", "dates/1/fix"), time).status_code == (
        302 if game.owner_id == people.bert.pk else 403
    )
    assert anna.post(url(game, "axis", "dates/1/fix"), {"time": "2000-01-01T00:00+00:00"}).status_code == 404
    assert anna.post(url(game, "axis", "dates/1/fix"), time).status_code == 302
    assert anna.post(url(game, "axis", "dates/1/fix"), time).status_code == 404
    assert "Next session:" in read(bert, "/")
    file = bert.get(url(game, "allied", "dates/1/session.ics"))
    assert file["Content-Type"].startswith("text/calendar")
    [event] = Calendar.from_ical(file.content).walk("VEVENT")
    assert event.decoded("dtstart") == TIMES[1]
    assert event.decoded("dtend") == TIMES[1] + timedelta(hours=4)
    assert str(event["summary"]) == game.title
    assert anna.post(url(game, "axis", "dates/1/off")).status_code == 302
    assert dates.current_plan(game) is None
    assert anna.post(url(game, "axis", "dates"), form).status_code == 302
    assert SessionPlan.objects.count() == 2


def test_there_is_one_plan_at_a_time(game: Game, people: People) -> None:
    dates.propose_times(seat(game, people.anna, "axis"), TIMES, 60)
    assert people.client(people.bert).post(
        url(game, "allied", "dates"), {"times": [local(SOON, "America/New_York")], "hours": "2"}
    ).status_code == 409  # fmt: skip


@pytest.mark.once
def test_spectators_read_it_only(game: Game, people: People) -> None:
    dates.propose_times(seat(game, people.anna, "axis"), TIMES, 60)
    dora = people.client(people.dora)
    assert f"{SOON:%H:%M}" in read(dora, url(game, "spectator", "dates"))
    assert dora.post(url(game, "spectator", "dates/1/reply"), {}).status_code == 403
    assert dora.post(url(game, "spectator", "dates"), {}).status_code == 403
    assert not talk_news(seat(game, people.dora, "spectator")).owes_reply


@pytest.mark.parametrize(
    ("times", "minutes", "note"),
    [
        ([], 60, ""),
        ([datetime(2020, 1, 1, tzinfo=UTC)], 60, ""),
        ([SOON + timedelta(days=400)], 60, ""),
        ([SOON + timedelta(days=day) for day in range(9)], 60, ""),
        (TIMES, 10, ""),
        (TIMES, 60, "two\nlines"),
    ],
)
def test_a_proposal_has_some_times_in_the_future(
    times: list[datetime], minutes: int, note: str, game: Game, people: People
) -> None:
    with pytest.raises(DataError):
        dates.propose_times(seat(game, people.anna, "axis"), times, minutes, note)
    assert not SessionPlan.objects.exists()


def test_what_is_typed_must_be_a_time(game: Game, people: People) -> None:
    anna = people.client(people.anna)
    for typed in ("tomorrow", "2027-03-28T02:30"):
        page = anna.post(url(game, "axis", "dates"), {"times": [typed], "hours": "2"})
        assert page.status_code == 422
        assert 'role="alert"' in page.content.decode()
    assert not SessionPlan.objects.exists()


def test_everybody_is_mailed_in_the_own_zone(game: Game, people: People, clock: Clock) -> None:
    plan = dates.propose_times(seat(game, people.anna, "axis"), TIMES, 60)
    assert sorted(clock.pass_()) == ["bert@example.org", "cleo@example.org"]
    body = next(each.body for each in mail.outbox if each.to == ["bert@example.org"])
    assert local(SOON, "America/New_York")[-5:] in body
    assert "anna proposes" in body
    dates.reply_to_plan(seat(game, people.bert, "allied"), plan.number, TIMES)
    dates.fix_time(seat(game, people.anna, "axis"), plan.number, TIMES[0])
    assert sorted(clock.pass_()) == ["bert@example.org", "cleo@example.org"]
    assert f"/campaign/{game.pk}/" in mail.outbox[0].body
    assert "/dates/1/session.ics" in mail.outbox[0].body
    dates.call_off(seat(game, people.anna, "axis"), plan.number)
    assert sorted(clock.pass_()) == ["bert@example.org", "cleo@example.org"]
    assert "is called off" in mail.outbox[0].body


@pytest.mark.once
def test_who_has_replied_gets_no_mail_about_the_proposal(game: Game, people: People, clock: Clock) -> None:
    plan = dates.propose_times(seat(game, people.anna, "axis"), TIMES, 60)
    dates.reply_to_plan(seat(game, people.bert, "allied"), plan.number, [])
    assert clock.pass_() == ["cleo@example.org"]


def test_a_fixed_session_is_over_when_its_time_is(game: Game, people: People, clock: Clock) -> None:
    plan = dates.propose_times(seat(game, people.anna, "axis"), TIMES, 60)
    dates.fix_time(seat(game, people.anna, "axis"), plan.number, TIMES[0])
    assert dates.current_plan(game) == plan
    clock.now = TIMES[0] + timedelta(minutes=61)
    assert dates.current_plan(game) is None
