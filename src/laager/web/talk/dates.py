"""The next session: times that somebody proposes, who can come when, the one that is fixed, and a calendar file of it.

One plan at a time. Players, team mates and umpires propose and reply; whoever proposed, or the campaign's owner, fixes
one of the times or calls it off. Everybody in the campaign reads it, spectators too: there is nothing secret in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.web.models import Member, Role, SessionPlan, SessionReply, SessionTime, TalkChannel
from laager.web.seats import pending_mails
from laager.web.seats.outgoing import IS_REACHED
from laager.web.seats.pending_mails import DATE
from laager.web.seats.permissions import Action, Seat
from laager.web.shared import events
from laager.web.shared.storing import in_turn

if TYPE_CHECKING:
    from laager.web.models import Game

DATES = "dates"
"""The row of channels whose version counts changes of plans: nothing is said in it."""
MOST_TIMES = 8
"""Most times in a proposal."""
SHORTEST, LONGEST = 30, 24 * 60
"""How short and how long a session can be, in minutes."""
FARTHEST = timedelta(days=366)
"""How far ahead a session can be."""
LONGEST_NOTE = 200

State = SessionPlan.State


# Looking ------------------------------------------------------------------------------------------


def last_plan(game: Game) -> SessionPlan | None:
    """Return the last plan of a campaign, whatever became of it; None if there never was one."""
    return SessionPlan.objects.filter(game=game).order_by("-number").select_related("by").first()


def current_plan(game: Game) -> SessionPlan | None:
    """Return the plan that counts: the open one, or the fixed one until its session is over."""
    plan = last_plan(game)
    if plan is None or plan.state == State.OFF:
        return None
    if plan.state == State.FIXED and plan.fixed is not None:
        return plan if plan.fixed + timedelta(minutes=plan.minutes) > timezone.now() else None
    return plan


@dataclass
class TimeReplies:
    """Who can come at a time of a plan and who can't, and what the viewer has replied; None if nothing."""

    at: datetime
    yes: list[str] = field(default_factory=list)
    no: list[str] = field(default_factory=list)
    mine: bool | None = None


def list_replies(seat: Seat, plan: SessionPlan) -> Sequence[TimeReplies]:
    """Return the times of a plan in order, with who can come."""
    times = {row.pk: TimeReplies(row.at) for row in plan.times.all()}
    rows = SessionReply.objects.filter(time__plan=plan).select_related("user").order_by("user__username")
    for row in rows:
        replies = times[row.time_id]
        (replies.yes if row.yes else replies.no).append(row.user.get_short_name() or row.user.username)
        if row.user_id == seat.user.pk:
            replies.mine = row.yes
    return list(times.values())


def has_replied(seat: Seat, plan: SessionPlan) -> bool:
    """Return True if somebody has replied to a plan."""
    return SessionReply.objects.filter(time__plan=plan, user=seat.user).exists()


def owes_reply(seat: Seat) -> bool:
    """Return True if somebody hasn't replied to a proposal."""
    if not seat.may(Action.DRAFT):
        return False
    plan = SessionPlan.objects.filter(game=seat.game, state=State.OPEN).first()
    return plan is not None and not has_replied(seat, plan)


def date_marks(seat: Seat) -> set[str]:
    """Return the marks of what a seat's person must be told of the plan (`pending_mails`)."""
    plan = last_plan(seat.game)
    if plan is None or (plan.state == State.OPEN and has_replied(seat, plan)):
        return set()
    return {_mark(plan)}


def _mark(plan: SessionPlan) -> str:
    return f"{DATE}{plan.number}:{plan.state}"


def may_decide(seat: Seat, plan: SessionPlan) -> bool:
    """Return True if a seat may fix a time of a plan, or call it off."""
    return plan.by_id == seat.user.pk or seat.may(Action.MANAGE)


# Changing -----------------------------------------------------------------------------------------


def propose_times(seat: Seat, times: Collection[datetime], minutes: int, note: str = "") -> SessionPlan:
    """Propose times for the next session; who proposes can come at all of them. Raises RefusedError, DataError."""
    _check_open(seat)
    times = {at.replace(second=0, microsecond=0) for at in times}
    _check_times(times, minutes, note)
    with in_turn(), transaction.atomic():
        _lock(seat)
        if current_plan(seat.game) is not None:
            raise RefusedError(
                Refusal.NOT_ASKED,
                "a session is proposed or fixed already",
                "call that one off, or wait until it is over",
            )
        last = last_plan(seat.game)
        plan = SessionPlan.objects.create(
            game=seat.game, number=last.number + 1 if last else 1, by=seat.user, by_name=seat.user.username,
            note=note.strip(), minutes=minutes,
        )  # fmt: skip
        rows = SessionTime.objects.bulk_create(SessionTime(plan=plan, at=at) for at in sorted(times))
        SessionReply.objects.bulk_create(SessionReply(time=row, user=seat.user, yes=True) for row in rows)
        _announce(seat, plan)
    return plan


def _check_times(times: Collection[datetime], minutes: int, note: str) -> None:
    problems = []
    now = timezone.now()
    if not 1 <= len(times) <= MOST_TIMES:
        problems.append(Problem(f"a proposal has 1 to {MOST_TIMES} different times", field="times"))
    if any(not now < at < now + FARTHEST for at in times):
        problems.append(Problem("a session is in the future, within a year", "choose other times", "times"))
    if not SHORTEST <= minutes <= LONGEST:
        problems.append(Problem(f"a session takes {SHORTEST} to {LONGEST} minutes", field="minutes"))
    if len(note.strip()) > LONGEST_NOTE or not note.isprintable():
        problems.append(Problem(f"a note is one line of {LONGEST_NOTE} characters at most", field="note"))
    if problems:
        raise DataError(problems)


def reply_to_plan(seat: Seat, number: int, can_come: Collection[datetime]) -> None:
    """Say at which times of a plan one can come; at the others one can't. Raises RefusedError."""
    _check_open(seat)
    with in_turn(), transaction.atomic():
        _lock(seat)
        plan = _find_plan(seat, number, State.OPEN)
        for time in plan.times.all():
            SessionReply.objects.update_or_create(time=time, user=seat.user, defaults={"yes": time.at in can_come})
        _publish(seat)
    if _mark(plan) in seat.member.untold:
        pending_mails.drop_settled(seat.member.pk, [_mark(plan)])


def fix_time(seat: Seat, number: int, at: datetime) -> SessionPlan:
    """Fix one of the times of a plan. Raises RefusedError."""
    _check_open(seat)
    with in_turn(), transaction.atomic():
        _lock(seat)
        plan = _find_plan(seat, number, State.OPEN)
        _check_may_decide(seat, plan)
        if not plan.times.filter(at=at).exists():
            raise RefusedError(Refusal.NO_SUCH, "the proposal doesn't have this time")
        plan.state, plan.fixed = State.FIXED, at
        plan.save(update_fields=["state", "fixed"])
        _announce(seat, plan)
    return plan


def call_off(seat: Seat, number: int) -> None:
    """Call a plan off, whether a time is fixed or not. Raises RefusedError."""
    with in_turn(), transaction.atomic():
        _lock(seat)
        plan = _find_plan(seat, number, State.OPEN, State.FIXED)
        _check_may_decide(seat, plan)
        plan.state = State.OFF
        plan.save(update_fields=["state"])
        _announce(seat, plan)


def _check_open(seat: Seat) -> None:
    seat.need(Action.DRAFT)
    if seat.game.archived:
        raise RefusedError(Refusal.OVER, "the campaign is in the archive")


def _check_may_decide(seat: Seat, plan: SessionPlan) -> None:
    if not may_decide(seat, plan):
        raise RefusedError(Refusal.NOT_YOURS, "only the proposer or the campaign's owner decides this")


def find_plan(seat: Seat, number: int) -> SessionPlan:
    """Return a plan of a campaign. Raises RefusedError if there is none of this number."""
    return _find_plan(seat, number, *State)


def _find_plan(seat: Seat, number: int, *states: str) -> SessionPlan:
    plan = SessionPlan.objects.filter(game=seat.game, number=number, state__in=states).first()
    if plan is None:
        raise RefusedError(Refusal.NO_SUCH, "there is no such proposal, or it is decided already", "look again")
    return plan


def _lock(seat: Seat) -> None:
    """Let nobody else change the campaign's plan within this transaction."""
    TalkChannel.objects.get_or_create(game=seat.game, name=DATES)
    TalkChannel.objects.select_for_update().get(game=seat.game, name=DATES)


def _publish(seat: Seat) -> None:
    TalkChannel.objects.filter(game=seat.game, name=DATES).update(version=F("version") + 1)
    events.publish(seat.game.pk)


def _announce(seat: Seat, plan: SessionPlan) -> None:
    """Let everybody be mailed what has become of a plan, except who has done it."""
    for member in members_to_mail(seat, Q()):
        pending_mails.expect_talk_mail(member.pk, _mark(plan))
    _publish(seat)


def members_to_mail(seat: Seat, readers: Q) -> Iterable[Member]:
    """Return the other seats among these that get notices: one of each person, no spectators."""
    members = Member.objects.filter(readers, IS_REACHED, game=seat.game, user__is_active=True)
    members = members.exclude(user=seat.user).exclude(role=Role.SPECTATOR).select_related("user").order_by("-pk")
    return {member.user_id: member for member in members}.values()


# A calendar file ----------------------------------------------------------------------------------


def calendar_file(seat: Seat, plan: SessionPlan) -> bytes:
    """Return a fixed session as an iCalendar file. Raises RefusedError if no time is fixed."""
    # Only this file needs it.
    from icalendar import Calendar, Event

    if plan.fixed is None:
        raise RefusedError(Refusal.NOT_ASKED, "no time is fixed yet")
    link = settings.CONFIG.address.rstrip("/") + reverse("table", args=[seat.game.pk, seat.name])
    event = Event()
    event.add("uid", f"{seat.game.pk}-{plan.number}@laager")
    event.add("dtstamp", plan.made)
    event.add("dtstart", plan.fixed)
    event.add("dtend", plan.fixed + timedelta(minutes=plan.minutes))
    event.add("summary", seat.game.title)
    event.add("url", link)
    event.add("sequence", 1 if plan.state == State.OFF else 0)
    event.add("status", "CANCELLED" if plan.state == State.OFF else "CONFIRMED")
    if plan.note:
        event.add("description", plan.note)
    calendar = Calendar()
    calendar.add("prodid", "-//Laager//Laager//EN")
    calendar.add("version", "2.0")
    calendar.add_component(event)
    return bytes(calendar.to_ical())
