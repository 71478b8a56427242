"""Mails that wait a little: stored with the change that causes them, and sent by one worker when they are due.

While the person is at the table the mail waits: each request from one of the campaign's pages, and each open page,
puts it off. Nobody else's doing does, so that the time of a mail tells nothing of the other side. Who wants to be told
once a day gets it at a fixed hour, and nobody gets one in the own quiet hours.

A worker that sends a mail takes it for `LEASE`. If the worker ends before the mail is out, another one sends it after
that: a mail comes at least once, and twice only after a crash in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation

from laager.web.models import Member, Pace
from laager.web.seats.permissions import Seat
from laager.web.shared import mails
from laager.web.shared.storing import in_turn, store_if_possible
from laager.web.shared.visitors import zone_of

if TYPE_CHECKING:
    from laager.web.models import Player

DELAY = timedelta(minutes=2)
"""How long a mail waits: most people at the table have answered by then."""
SOON = DELAY / 2
"""A mail is put off only if it is due so soon: a person at the table causes one change a minute at most."""
LONGEST_WAIT = timedelta(hours=1)
"""How long an open page alone puts a mail off: somebody may have left it open."""
LEASE = timedelta(minutes=10)
"""How long a worker has for sending a mail; then it is tried again."""
GIVE_UP = timedelta(days=1)
"""How long a mail that can't be sent is tried."""
KEPT = 20
"""How many announced questions a seat remembers."""
REFUSED, WISH = "refused:", "wish:"
"""What the marks of refusals and wishes begin with."""
TALK = "talk:"
"""What the mark of unread messages begins with."""
DATE = "date:"
"""What the mark of a plan for the next session begins with."""
LATE = "late:"
"""What the mark of a side that is over its days begins with."""
APART = (REFUSED, WISH, TALK, DATE, LATE)

DAILY_HOUR = 18
"""The hour of the reader's day at which those are told who want to be told once a day."""

OPEN = Counter[tuple[int, UUID]]()
"""How many pages of a campaign each person has open at this worker."""


@contextmanager
def open_page(user: int, game: UUID) -> Iterator[None]:
    """Count somebody's page of a campaign as open."""
    OPEN[user, game] += 1
    try:
        yield
    finally:
        OPEN[user, game] -= 1
        if not OPEN[user, game]:
            del OPEN[user, game]


def expect_mail(pk: int, known: Collection[str], fresh: Collection[str]) -> None:
    """Let a mail be due for what concerns a seat anew, within the transaction that causes it.

    `known` are the marks of all that concerns the seat now, `fresh` those that the change has brought. While something
    announced is still open, only wishes and refusals are announced besides.
    """
    member = _lock_member(pk)
    if member is None:
        return
    noticed = set(member.noticed)
    new = set(fresh) - noticed
    if {mark for mark in noticed & set(known) if not mark.startswith((TALK, DATE))}:
        new = {mark for mark in new if mark.startswith(APART)}
    if not new:
        return
    now = timezone.now()
    waiting = {mark: since for mark, since in member.untold.items() if mark in known or mark.startswith((TALK, DATE))}
    member.mail_due = (member.mail_due if waiting else None) or now + DELAY
    member.untold = waiting | {mark: now.isoformat() for mark in sorted(new)}
    member.noticed = [*member.noticed, *sorted(new)][-KEPT:]
    member.save(update_fields=["mail_due", "untold", "noticed"])


def expect_talk_mail(pk: int, mark: str) -> None:
    """Let a mail be due for messages or a plan that a seat hasn't seen, within the transaction that causes it.

    It comes once for a mark.

    What waits to be told of the campaign isn't looked at: it may be another side's.
    """
    member = _lock_member(pk)
    if member is None or mark in member.noticed:
        return
    now = timezone.now()
    member.mail_due = member.mail_due or now + DELAY
    member.untold = {**member.untold, mark: now.isoformat()}
    member.noticed = [*member.noticed, mark][-KEPT:]
    member.save(update_fields=["mail_due", "untold", "noticed"])


def drop_settled(pk: int, marks: Collection[str]) -> None:
    """Drop what need not be mailed any more; a mail about the rest waits anew."""
    with in_turn(), transaction.atomic():
        member = _lock_member(pk)
        if member is not None:
            member.untold = {mark: since for mark, since in member.untold.items() if mark not in marks}
            member.mail_due = timezone.now() + DELAY if member.untold else None
            member.save(update_fields=["mail_due", "untold"])


def _lock_member(pk: int) -> Member | None:
    return Member.objects.select_for_update().filter(pk=pk).first()


def put_off(member: Member) -> None:
    """Let a mail wait, because its reader is at the table. What was refused is seen there."""
    with store_if_possible():
        drop_settled(member.pk, [mark for mark in member.untold if mark.startswith(REFUSED)])


def is_soon(due: datetime | None) -> bool:
    """Return True if a mail is due soon, and must be put off if its reader is at the table."""
    return due is not None and due <= timezone.now() + SOON


def note_presence(game: UUID, user: Player) -> list[Member]:
    """Put off what somebody at the table would be mailed; return the person's seats that are to be freed."""
    at_stake = Member.objects.filter(game=game, user=user)
    members = list(at_stake.filter(mail_due__lte=timezone.now() + SOON) | at_stake.filter(freed_on__isnull=False))
    for member in members:
        if is_soon(member.mail_due):
            put_off(member)
    return [member for member in members if member.freed_on is not None]


def claim_due() -> Iterator[Member]:
    """Yield those whose mails this worker must send now; first put off those of people with an open page here."""
    soon = Member.objects.filter(mail_due__lte=timezone.now() + SOON).order_by("mail_due")
    for member in soon.select_related("user", "game"):
        now = timezone.now()
        if (member.user_id, member.game_id) in OPEN and now - waiting_since(member) < LONGEST_WAIT:
            put_off(member)
        elif member.mail_due is not None and member.mail_due <= now:
            if member.pace == Pace.NEVER:
                drop_settled(member.pk, member.untold)
            elif (later := next_time(member, now)) > now:
                with in_turn():
                    Member.objects.filter(pk=member.pk, mail_due=member.mail_due).update(mail_due=later)
            elif _claim(member):
                yield member


def _claim(member: Member) -> bool:
    """Take a mail for sending; False if another worker has taken it, or it was put off meanwhile."""
    with in_turn():
        mine = Member.objects.filter(pk=member.pk, mail_due=member.mail_due)
        taken = mine.update(mail_due=timezone.now() + LEASE) == 1
    if taken:
        member.refresh_from_db(fields=["mail_due", "untold", "noticed"])
    return taken


def ready_since(member: Member) -> datetime:
    """Return since when a mail could be sent, as often as its reader wants mails."""
    since = waiting_since(member)
    return _next_hour(member.user, DAILY_HOUR, since) if member.pace == Pace.DAILY else since


def next_time(member: Member, now: datetime) -> datetime:
    """Return when a mail that is due may be sent: now, or later if its reader wants it so."""
    ready = max(ready_since(member), now)
    return end_of_quiet(member.user, ready)


def end_of_quiet(user: Player, moment: datetime) -> datetime:
    """Return when a person's quiet hours end, if the moment is in them; else the moment."""
    begin, end = user.quiet_from, user.quiet_to
    if begin is None or end is None:
        return moment
    hour = moment.astimezone(zone_of(user.time_zone)).hour
    is_quiet = begin <= hour < end if begin < end else hour >= begin or hour < end
    return _next_hour(user, end, moment) if is_quiet and begin != end else moment


def _next_hour(user: Player, hour: int, after: datetime) -> datetime:
    """Return the first moment from `after` on at which an hour of a person's day begins."""
    zone = zone_of(user.time_zone)
    local = after.astimezone(zone)
    for day in (0, 1):
        # The clock on the wall counts: a day has 23 or 25 hours now and then.
        begins = datetime.combine(local.date() + timedelta(days=day), time(hour), zone).astimezone(UTC)
        if begins >= after:
            return begins
    return after


def waiting_since(member: Member) -> datetime:
    """Return since when a mail for somebody waits."""
    return min(map(datetime.fromisoformat, member.untold.values()), default=timezone.now() - GIVE_UP)


def announce_freeing(member: Member) -> None:
    """Tell somebody that the seat will be freed unless its holder comes back."""
    if member.user.mails and member.user.is_active and member.user.email:
        mails.send([member.user.email], *write_mail(Seat(member.game, member.user, member), "freeing"))


def language_of(seat: Seat) -> str:
    """Return the language in which a seat's person is written to."""
    return seat.user.language or settings.LANGUAGE_CODE


def write_mail(seat: Seat, kind: str = "needed", **more: Any) -> tuple[str, str]:
    """Return a mail's subject and its text, in the language and the time zone of who gets it."""
    address = settings.CONFIG.address.rstrip("/") + reverse("table", args=[seat.game.pk, seat.name])
    context = {"seat": seat, "game": seat.game, "address": address, **more}
    template = f"seats/mail_{kind}"
    with translation.override(language_of(seat)), timezone.override(zone_of(seat.user.time_zone)):
        return mails.texts(f"{template}_subject.txt", f"{template}.txt", context)
