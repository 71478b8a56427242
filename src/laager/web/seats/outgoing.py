"""Notices on their way to receivers: webhooks, and devices by their push services.

What a mail would be about is handed over when the mail is due (`campaigns.notices`), so that a notice waits while its
reader is at the table. From there it goes its own way: a receiver that is slow or gone holds up no mail and no other
receiver. It comes at least once. One that fails is tried again, less and less often, for a day; the page People says
why.

A notice says whose answer is needed, the step and a link, and nothing else: others may read along where it goes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from textwrap import shorten
from typing import TypeVar

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from laager.web.models import Device, DeviceNotices, Member, Outgoing, Webhook
from laager.web.seats.pending_mails import (
    DELAY,
    GIVE_UP,
    KEPT,
    LEASE,
    LONGEST_WAIT,
    OPEN,
    SOON,
    TALK,
    end_of_quiet,
)  # fmt: skip
from laager.web.seats.permissions import Seat
from laager.web.shared import meters
from laager.web.shared.names import side_name
from laager.web.shared.receivers import Delivery
from laager.web.shared.storing import in_turn

FREEING = "freeing:"
"""What the mark of an announcement begins with that the seat will be freed."""
MOST_AT_ONCE = 20
"""Most notices that are sent at a time."""
FIRST_PAUSE = timedelta(minutes=1)
"""How long after the first failure a notice is tried again; then twice as long each time."""
LONGEST_PAUSE = timedelta(hours=1)
STEP_CHARS = 200
"""Longest title of a step in a notice."""

HAS_DEVICES = Q(push=True) & Q(Exists(Device.objects.filter(user=OuterRef("user"))))
IS_REACHED = (Q(user__mails=True) & ~Q(user__email="")) | Q(webhook__isnull=False) | HAS_DEVICES
"""Seats whose holders get notices in some way, as a condition for members."""

Row = TypeVar("Row", bound=Outgoing)


# What waits ---------------------------------------------------------------------------------------


def hand_over(member: int, marks: Collection[str]) -> None:
    """Let what has these marks be told by the receivers of a seat, if it has any; each mark once.

    Of messages only those to everybody: others may read along where it goes.
    """
    marks = {mark for mark in marks if not mark.startswith(TALK) or mark.startswith(f"{TALK}table:")}
    with in_turn(), transaction.atomic():
        for device in Device.objects.filter(user__seats=member, user__seats__push=True):
            DeviceNotices.objects.get_or_create(member_id=member, device=device)
        for rows in (Webhook.objects.filter(member=member), DeviceNotices.objects.filter(member=member)):
            for row in rows.select_for_update():
                _add(row, marks)


def _add(row: Outgoing, marks: Collection[str]) -> None:
    if new := sorted(set(marks) - set(row.handed)):
        now = timezone.now()
        row.untold |= dict.fromkeys(new, now.isoformat())
        row.handed = [*row.handed, *new][-KEPT:]
        row.due = row.due or now
        row.save(update_fields=["untold", "handed", "due"])


def claim_due(kind: type[Row], *related: str) -> Iterator[Row]:
    """Yield the receivers that this worker must serve now; put off those of people with an open page here."""
    now = timezone.now()
    rows = kind._default_manager.select_related("member__user", "member__game", *related)
    claimed = 0
    for row in rows.filter(due__lte=now + SOON).order_by("due"):
        at_table = (row.member.user_id, row.member.game_id) in OPEN
        awake = end_of_quiet(row.member.user, now)
        if at_table and now - waiting_since(row) < LONGEST_WAIT:
            _move_due(row, now + DELAY)
        elif awake > now:
            _move_due(row, awake)
        elif row.due is not None and row.due <= now and claimed < MOST_AT_ONCE and _move_due(row, now + LEASE):
            claimed += 1
            # It may have been changed or removed in between.
            yield from rows.filter(pk=row.pk)


def _move_due(row: Outgoing, due: datetime) -> bool:
    """Move when a receiver is served; False if another worker has moved it meanwhile."""
    with in_turn():
        return type(row)._default_manager.filter(pk=row.pk, due=row.due).update(due=due) == 1


def waiting_since(row: Outgoing) -> datetime:
    """Return since when a notice waits."""
    return min(map(datetime.fromisoformat, row.untold.values()), default=timezone.now())


def settle(row: Outgoing, marks: Collection[str], delivery: Delivery | None) -> None:
    """Note how it went with what has these marks; None if there was nothing more to tell."""
    now = timezone.now()
    failed = delivery is not None and bool(delivery.trouble)
    with in_turn(), transaction.atomic():
        same = type(row)._default_manager.filter(pk=row.pk, **row.same_address())
        held = same.select_for_update().first()
        if held is None:
            return
        if delivery is not None:
            held.trouble, held.status, held.answer = delivery.trouble, delivery.status, delivery.answer
            held.tried = now
        if failed:
            meters.count_failed_notice("webhook" if isinstance(row, Webhook) else "device")
        if failed and now - waiting_since(row) < GIVE_UP:
            held.due = now + min(FIRST_PAUSE * 2 ** min(held.tries, 10), LONGEST_PAUSE)
            held.tries = F("tries") + 1
        else:
            held.untold = {mark: since for mark, since in held.untold.items() if mark not in marks}
            held.due = now if held.untold else None
            held.tries, held.number = 0, F("number") + 1
        held.save(update_fields=["untold", "due", "tries", "number", "trouble", "status", "answer", "tried"])


def announce_freeing(member: Member) -> None:
    """Tell the receivers of a seat that the seat will be freed unless its holder comes back."""
    hand_over(member.pk, [_freeing_mark(member)])


def _freeing_mark(member: Member) -> str:
    return f"{FREEING}{member.freed_on:%Y-%m-%dT%H:%M:%S}"


def freeing_marks(row: Outgoing) -> set[str]:
    """Return the mark of the announcement that a receiver's seat will be freed, if it waits and is still so."""
    return {_freeing_mark(row.member)} & set(row.untold) if row.member.freed_on else set()


# What is told -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Notice:
    """What a receiver is told: of which kind, under which number, at which step of the campaign."""

    type: str
    """What it is about (`notice_sentence`), such as `answer-needed`; `test` about nothing."""
    id: str
    step: str = ""
    marks: Collection[str] = ()
    """The marks of all that is told by it."""

    @property
    def short_step(self) -> str:
        """The step's title, no longer than a notice may have it."""
        return shorten(self.step, STEP_CHARS, placeholder=" …")


def notice_sentence(kind: str, title: str, side: str) -> str:
    """Return what a notice of this kind says of a campaign and a side, in the present language."""
    match kind:
        case "answer-needed":
            text = _("“{title}” waits for an answer ({side}).")
        case "answer-late":
            text = _("“{title}” has waited for an answer for longer than agreed ({side}).")
        case "request-refused":
            text = _("“{title}”: the other side has refused a wish ({side}).")
        case "session-planned":
            text = _("“{title}”: there is news of the next session ({side}).")
        case "new-messages":
            text = _("“{title}”: somebody has written to everybody at the table ({side}).")
        case "seat-freeing":
            text = _("“{title}”: this seat will be freed unless its holder comes back ({side}).")
        case _:
            text = _("“{title}”: a test message. Notices come here ({side}).")
    return text.format(title=title, side=side)


def name_of(seat: Seat) -> str:
    """Return the name of a seat's side in the present language."""
    return side_name(seat.name, seat.game)


def describe_delivery(delivery: Delivery | Outgoing) -> str:
    """Return in words how a post went, with what the receiver answered."""
    if not delivery.trouble:
        text = _("The receiver took it (status {status}).") if delivery.status else ""
    elif delivery.status:
        text = f"{Outgoing.Trouble(delivery.trouble).label} " + _("It answered with status {status}.")
    else:
        text = str(Outgoing.Trouble(delivery.trouble).label)
    answer = " " + _("Its words: {answer}") if delivery.answer else ""
    return (text + answer).format(status=delivery.status, answer=delivery.answer) if text else ""
