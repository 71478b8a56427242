"""Notices to people who must answer and did not cause it: a mail, a message to a webhook or to their devices.

A notice says where an answer is needed, at which step, and what has happened as far as everybody may know it, but
nothing of the question; or that what one asked of the other side is refused, or that there are messages, and none of
their words. It belongs to the change that causes
it: what is not stored is not told, and each question is announced once. Players who have been told of a question and
haven't answered yet are not told of further ones: the mail after their next answer has all that happened since.

A mail waits a little (`seats.pending_mails`). It goes only to people who aren't at the table and haven't answered
meanwhile, and says what has happened until then. Webhooks and devices (`seats.outgoing`) are told when the mail would
be due.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from textwrap import shorten
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import timezone

from laager.campaign.describing import refusals
from laager.campaign.facts import SPECTATOR
from laager.campaign.patience import Late, late_sides
from laager.campaign.speech import in_words_of_card, say
from laager.campaign.telling import log_in_words
from laager.campaign.views import view
from laager.commanders.seats import is_for_commander
from laager.web.campaigns.tables import Table, look
from laager.web.models import DeviceNotices, Game, Member, Outgoing, Role, Webhook
from laager.web.seats import devices, outgoing, pending_mails, webhooks
from laager.web.seats.outgoing import Notice, Row
from laager.web.seats.pending_mails import language_of, write_mail
from laager.web.seats.permissions import Seat
from laager.web.shared import mails, receivers
from laager.web.shared.receivers import Delivery
from laager.web.talk.dates import date_marks, last_plan, list_replies
from laager.web.talk.messages import talk_news, unread_marks

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.campaign.log import Entry
    from laager.web.models import Player

LOG = logging.getLogger("laager.web.mails")
LINES = 8
"""Most lines of what has happened in a mail: the last ones."""
WIDE = 200
"""Longest line in a mail, in characters."""
TOLD = frozenset({"fact", "declared", "ruling", "ruled", "roll"})
"""The entries of which a mail tells."""


class Notifier:
    """Looks at who must answer before and after a change; a mail is due to those for whom that is new."""

    def __init__(self, game: Game, campaign: Campaign, by: Player, begins: bool = False) -> None:
        """Look at what is asked now; of a campaign that only begins, nothing was asked."""
        self.campaign = campaign
        members = (
            Member.objects.filter(game=game, role=Role.PLAYER, user__is_active=True)
            .filter(outgoing.IS_REACHED)
            .exclude(user=by.pk)
            .select_related("user")
        )
        self.seats = [Seat(game, member.user, member) for member in members]
        self.before = {seat: set() if begins else open_marks(seat, campaign) for seat in self.seats}

    def tell(self) -> None:
        """Let a mail be due to those who must answer something new, within the current transaction."""
        for seat, before in self.before.items():
            known = open_marks(seat, self.campaign)
            if known - before:
                pending_mails.expect_mail(seat.member.pk, known, known - before)


def open_marks(seat: Seat, campaign: Campaign) -> set[str]:
    """Return marks of all that concerns a seat: questions, being late, wishes to agree to, refusals."""
    table = Table(seat, campaign)
    open_here = table.asked if table.view.pending else ()
    asked = {each.mark for each in open_here if not is_for_commander(campaign, each.pending)}
    wishes = {f"{pending_mails.WISH}{each.request}" for each in table.wishes if each.by != seat.viewer}
    asked |= {late_mark(late) for late in late_sides(campaign, timezone.now()) if late.side == seat.name}
    return asked | wishes | {f"{pending_mails.REFUSED}{each.number}" for each in refusals(table.view)}


def late_mark(late: Late) -> str:
    """Return the mark of a reminder: one for each time that a side is late."""
    return f"{pending_mails.LATE}{late.late_since.isoformat()}"


def _is_late(marks: set[str]) -> bool:
    return any(mark.startswith(pending_mails.LATE) for mark in marks)


def post() -> None:
    """Send the mails that are due, those that no other worker sends."""
    for member in pending_mails.claim_due():
        marks = set(member.untold)
        outgoing.hand_over(member.pk, marks)
        # What fails is tried again when the worker's time for it is over.
        if _send_due_mail(member) or timezone.now() - pending_mails.ready_since(member) >= pending_mails.GIVE_UP:
            pending_mails.drop_settled(member.pk, marks)


def _send_due_mail(member: Member) -> bool:
    """Mail somebody what waits for an answer, if that is still so; return False if it should be tried again."""
    user, seat = member.user, Seat(member.game, member.user, member)
    if not (user.mails and user.is_active and user.email) or member.game.archived:
        return True
    try:
        # It was looked up with those of other mails, which take their time.
        seat.game.refresh_from_db(fields=["head"])
        with look(seat) as table:
            known = open_marks(seat, table.campaign) | unread_marks(seat) | date_marks(seat)
            texts = list(_texts(seat, table.campaign, known & set(member.untold)))
    except Exception as err:
        # One campaign that can't be opened stops no other's mails, whatever the reason.
        LOG.warning("a mail could not be made, will try again: %s", type(err).__name__)
        return False
    return all(mails.deliver(user.email, subject, text) for subject, text in texts)


def _texts(seat: Seat, campaign: Campaign, marks: set[str]) -> Iterator[tuple[str, str]]:
    """Return the mails that tell what has these marks."""
    refused = {mark for mark in marks if mark.startswith(pending_mails.REFUSED)}
    if refused:
        yield write_mail(seat, "refused")
    planned = {mark for mark in marks if mark.startswith(pending_mails.DATE)}
    if planned:
        plan = last_plan(seat.game)
        yield write_mail(seat, "dates", plan=plan, times=list_replies(seat, plan) if plan else ())
    said = {mark for mark in marks if mark.startswith(pending_mails.TALK)}
    unread = talk_news(seat).total
    if marks - refused - said - planned:
        tongue = language_of(seat)
        step, lines = _step(campaign, tongue), _lines(campaign, seat, tongue)
        yield write_mail(seat, step=step, lines=lines, unread=unread, late=_is_late(marks))
    elif said:
        yield write_mail(seat, "talk", unread=unread)


@in_words_of_card
def _step(campaign: Campaign, language: str) -> str:
    return say(campaign.step.title, language) if campaign.step is not None else ""


def _lines(campaign: Campaign, seat: Seat, language: str) -> list[str]:
    """Return what has happened since a seat's last answer, as far as all may know it: mails lie with others."""
    own = (entry.number for entry in reversed(campaign.entries) if _by(entry, seat.name))
    since, public = next(own, 0), view(campaign, SPECTATOR)
    lines = [entry for entry in log_in_words(campaign, public, language) if entry.text and entry.counts]
    fresh = [entry.text.strip() for entry in lines if entry.entry.number > since and entry.entry.type in TOLD]
    return [shorten(line, WIDE, placeholder=" …") for line in fresh[-LINES:]]


def _by(entry: Entry, side: str) -> bool:
    return entry.type == "answer" and entry.body["side"] == side


# Receivers ----------------------------------------------------------------------------------------


def post_to_receivers() -> None:
    """Tell webhooks and devices what is due, all of them at once."""
    posts = [
        *(
            (row, notice, webhooks.write_post(row, seat, notice))
            for row, seat, notice in _due(outgoing.claim_due(Webhook))
        ),
        *(
            (row, notice, devices.write_post(row, seat, notice))
            for row, seat, notice in _due(outgoing.claim_due(DeviceNotices, "device"))
        ),
    ]
    if not posts:
        return
    deliveries = receivers.deliver([post for *_, post in posts], settings.CONFIG.webhook_networks)
    for (row, notice, _post), delivery in zip(posts, deliveries, strict=True):
        outgoing.settle(row, notice.marks, delivery)
        if isinstance(row, DeviceNotices):
            devices.drop_if_gone(row.device, delivery)


def _due(rows: Iterator[Row]) -> Iterator[tuple[Row, Seat, Notice]]:
    """Yield what each of these receivers must be told; settle those that need not be told anything."""
    for row in rows:
        seat = Seat(row.member.game, row.member.user, row.member)
        try:
            notice = _notice(row, seat)
        except Exception as err:
            # One campaign that can't be opened stops no other's notices, whatever the reason.
            LOG.warning("a notice could not be made, will try again: %s", type(err).__name__)
            outgoing.settle(row, row.untold, Delivery(Outgoing.Trouble.NOT_MADE))
            continue
        if notice is None:
            outgoing.settle(row, row.untold, None)
        else:
            yield row, seat, notice


def _notice(row: Outgoing, seat: Seat) -> Notice | None:
    """Return what a receiver must be told first, if it is still so."""
    if not seat.user.is_active or seat.game.archived:
        return None
    seat.game.refresh_from_db(fields=["head", "title", "archived"])
    notice_id = f"{row.pk}-{row.number}"
    if freeing := outgoing.freeing_marks(row):
        return Notice("seat-freeing", notice_id, marks=freeing)
    with look(seat) as table:
        known = open_marks(seat, table.campaign) | unread_marks(seat) | date_marks(seat)
        open_ = known & set(row.untold)
        step = _public_step(table.campaign, language_of(seat))
    refused = {mark for mark in open_ if mark.startswith(pending_mails.REFUSED)}
    said = {mark for mark in open_ if mark.startswith(pending_mails.TALK)}
    planned = {mark for mark in open_ if mark.startswith(pending_mails.DATE)}
    if open_ - refused - said - planned:
        kind = "answer-late" if _is_late(open_) else "answer-needed"
        return Notice(kind, notice_id, step, marks=set(row.untold) - refused - said - planned)
    if planned:
        return Notice("session-planned", notice_id, marks=planned)
    if said:
        return Notice("new-messages", notice_id, marks=said)
    return Notice("request-refused", notice_id, marks=refused) if refused else None


def _public_step(campaign: Campaign, language: str) -> str:
    """Return the title of the last step that everybody knows to have begun."""
    log = reversed(view(campaign, SPECTATOR).log)
    last = next((seen.entry for seen in log if seen.counts and seen.entry.type == "step"), None)
    step = campaign.ruleset.steps.get(last.body["step"]) if last else None
    return say(step.title, language) if step else ""
