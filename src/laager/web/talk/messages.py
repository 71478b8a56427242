"""What is said in the channels: writing, reading, what is unread, deleting, muting."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, QuerySet

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.web.models import Game, Member, Player, TalkChannel, TalkMessage, TalkMute, TalkRead
from laager.web.seats import pending_mails
from laager.web.seats.pending_mails import TALK
from laager.web.seats.permissions import Action, Seat
from laager.web.shared import events
from laager.web.shared.storing import in_turn, store_if_possible
from laager.web.talk.channels import TABLE, Channel, find_channel, readable_channels
from laager.web.talk.dates import DATES, members_to_mail, owes_reply

LONGEST_CHARS = 4000
"""Longest message, in characters."""
ON_A_PAGE = 100
"""How many messages a page shows."""


# Reading ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TalkNews:
    """What is new for a seat: a mark that changes with all that it can read, and what is unread in each channel."""

    mark: str
    unread: Mapping[str, int]
    owes_reply: bool = False
    """True if the person hasn't replied to a proposal of times."""

    @property
    def total(self) -> int:
        """How many messages are unread."""
        return sum(self.unread.values())

    @property
    def badge(self) -> int:
        """What stands at the tab: unread messages, and the reply that is owed."""
        return self.total + self.owes_reply


def talk_news(seat: Seat) -> TalkNews:
    """Return what is new for a seat in the channels that it reads. Other channels are not even looked at."""
    rows = _channel_rows(seat)
    mark = hashlib.sha256(json.dumps([[row.name, row.version] for row in rows]).encode()).hexdigest()[:16]
    unread = {row.name: messages.count() for row, messages in _unread_messages(seat, rows)}
    return TalkNews(mark, {name: count for name, count in unread.items() if count}, owes_reply(seat))


def unread_marks(seat: Seat) -> set[str]:
    """Return the marks of channels with unread messages (`pending_mails`), each with the first one's number."""
    first = {row.name: messages.first() for row, messages in _unread_messages(seat, _channel_rows(seat))}
    return {f"{TALK}{name}:{message.number}" for name, message in first.items() if message}


def _channel_rows(seat: Seat) -> list[TalkChannel]:
    names = [*(channel.name for channel in readable_channels(seat)), DATES]
    return list(TalkChannel.objects.filter(game=seat.game, name__in=names).order_by("name"))


def _unread_messages(seat: Seat, rows: Sequence[TalkChannel]) -> Iterator[tuple[TalkChannel, QuerySet[TalkMessage]]]:
    """Yield what a seat hasn't read of what others said; what was said before the person came doesn't count."""
    read = dict(TalkRead.objects.filter(member=seat.member).values_list("channel", "number")) if rows else {}
    for row in rows:
        number = read.get(row.pk, 0)
        if row.last > number:
            fresh = TalkMessage.objects.filter(channel=row, number__gt=number, deleted=False)
            yield row, fresh.filter(at__gte=seat.member.since).exclude(by=seat.user)


def read_messages(seat: Seat, name: str, before: int | None = None, after: int = 0) -> Sequence[TalkMessage]:
    """Return the last messages of a channel, in order. Raises RefusedError."""
    channel = find_channel(seat, name)
    rows = TalkMessage.objects.filter(channel__game=seat.game, channel__name=channel.name, number__gt=after)
    if before is not None:
        rows = rows.filter(number__lt=before)
    return list(rows.select_related("by").order_by("-number")[:ON_A_PAGE])[::-1]


def list_quotes(game: Game) -> Sequence[TalkMessage]:
    """Return what was said to everybody and may be quoted, in order: the last of it."""
    rows = TalkMessage.objects.filter(channel__game=game, channel__name=TABLE, may_be_quoted=True, deleted=False)
    return list(rows.select_related("by").order_by("-number")[:ON_A_PAGE])[::-1]


def note_read(seat: Seat, name: str) -> None:
    """Note that somebody has read a channel up to its last message. Other pages of this person learn it."""
    channel = find_channel(seat, name)
    row = TalkChannel.objects.filter(game=seat.game, name=channel.name).first()
    if row is None or TalkRead.objects.filter(member=seat.member, channel=row, number__gte=row.last).exists():
        return
    with store_if_possible(), in_turn(), transaction.atomic():
        TalkRead.objects.update_or_create(member=seat.member, channel=row, defaults={"number": row.last})
        marks = [mark for mark in seat.member.untold if mark.startswith(f"{TALK}{channel.name}:")]
        if marks:
            pending_mails.drop_settled(seat.member.pk, marks)
        events.publish(seat.game.pk)


# Writing ------------------------------------------------------------------------------------------


def write_message(seat: Seat, name: str, text: str, may_be_quoted: bool = False) -> TalkMessage:
    """Say something in a channel, and return it. Raises RefusedError without the right, DataError without text."""
    channel = find_channel(seat, name)
    check_may_write(seat, channel)
    good = _check_text(text)
    with in_turn(), transaction.atomic():
        TalkChannel.objects.get_or_create(game=seat.game, name=channel.name)
        row = TalkChannel.objects.select_for_update().get(game=seat.game, name=channel.name)
        row.last += 1
        row.version += 1
        row.save(update_fields=["last", "version"])
        message = TalkMessage.objects.create(
            channel=row,
            number=row.last,
            by=seat.user,
            by_name=seat.user.username,
            seat=seat.name,
            text=good,
            may_be_quoted=may_be_quoted and channel.kind == TABLE,
        )
        TalkRead.objects.update_or_create(member=seat.member, channel=row, defaults={"number": row.last})
        _expect_mails(seat, channel)
        events.publish(seat.game.pk)
    return message


def _expect_mails(seat: Seat, channel: Channel) -> None:
    """Let those be mailed who read a channel and haven't read what was said: everybody once until the person reads."""
    for member in members_to_mail(seat, channel.readers()):
        theirs = Seat(seat.game, member.user, member)
        for mark in sorted(unread_marks(theirs)):
            if mark.startswith(f"{TALK}{channel.name}:"):
                pending_mails.expect_talk_mail(member.pk, mark)


def check_may_write(seat: Seat, channel: Channel) -> None:
    """Raise RefusedError if a seat can't write in a channel."""
    if not channel.writable:
        raise RefusedError(Refusal.NOT_YOURS, "spectators only read here", "they have a channel of their own")
    if seat.game.archived:
        raise RefusedError(Refusal.OVER, "the campaign is in the archive")
    if channel.is_public and is_muted(seat):
        raise RefusedError(Refusal.NOT_YOURS, "the campaign's owner has muted you here")


def _check_text(text: str) -> str:
    good = text.encode("utf-8", "ignore").decode().replace("\r\n", "\n").replace("\0", "").strip()
    if not good:
        raise DataError([Problem("the message is empty", "write something", "text")])
    if len(good) > LONGEST_CHARS:
        problem = f"a message has at most {LONGEST_CHARS} characters, not {len(good)}"
        raise DataError([Problem(problem, "write two", "text")])
    return good


def delete_message(seat: Seat, name: str, number: int) -> None:
    """Delete what one wrote oneself. That there was a message stays. Raises RefusedError."""
    channel = find_channel(seat, name)
    with in_turn(), transaction.atomic():
        rows = TalkMessage.objects.filter(channel__game=seat.game, channel__name=channel.name, number=number)
        message = rows.filter(deleted=False).first()
        if message is None:
            raise RefusedError(Refusal.NO_SUCH, "there is no message of this number")
        if message.by_id != seat.user.pk:
            raise RefusedError(Refusal.NOT_YOURS, "only the person who wrote a message can delete it")
        rows.update(deleted=True, text="", may_be_quoted=False)
        TalkChannel.objects.filter(pk=message.channel_id).update(version=F("version") + 1)
        events.publish(seat.game.pk)


# Muting -------------------------------------------------------------------------------------------


def is_muted(seat: Seat) -> bool:
    """Return True if the owner has muted somebody. An owner is not muted, whoever was before."""
    return seat.game.owner_id != seat.user.pk and TalkMute.objects.filter(game=seat.game, user=seat.user).exists()


def mute(seat: Seat, user: int, muted: bool) -> None:
    """Let somebody write no more where everybody reads, or again. Raises RefusedError unless it is the owner."""
    seat.need(Action.MANAGE)
    if user == seat.user.pk:
        raise RefusedError(Refusal.BAD_ANSWER, "you can't mute yourself")
    if muted:
        member = Member.objects.filter(game=seat.game, user=user).first()
        if member is None:
            raise RefusedError(Refusal.NO_SUCH, "nobody with a seat here has this number")
        TalkMute.objects.get_or_create(game=seat.game, user=member.user)
    else:
        TalkMute.objects.filter(game=seat.game, user=user).delete()


def list_mutable(seat: Seat) -> Iterable[tuple[Player, bool]]:
    """Return whom the owner can mute, and whether they are; nobody for anybody else."""
    if not seat.may(Action.MANAGE):
        return ()
    muted = set(TalkMute.objects.filter(game=seat.game).values_list("user", flat=True))
    people = Player.objects.filter(seats__game=seat.game).exclude(pk=seat.user.pk).distinct().order_by("username")
    return [(user, user.pk in muted) for user in people]


def has_umpire(game: Game) -> bool:
    """Return True if a campaign has an umpire."""
    return Member.objects.filter(game=game, role="umpire").exists()
