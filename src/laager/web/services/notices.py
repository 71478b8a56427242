"""Notices: a mail to whoever must answer and did not cause it, and the feed of a seat.

A notice says where an answer is needed and nothing of the question. It belongs to the change that
causes it: what is not stored is not told, and each question is told once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import translation

from laager.base import Refusal, RefusedError
from laager.campaign.telling import told
from laager.campaign.views import view
from laager.web.models import Game, Member, Role
from laager.web.services import mails
from laager.web.services.seats import Deed, Seat
from laager.web.services.tables import Table, look

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.web.models import Player

KEPT = 20
"""How many told questions a seat remembers."""
NEWS = 30
"""How many entries a feed has."""


class Watch:
    """Looks at who must answer before and after a change, and tells those for whom that is new."""

    def __init__(self, game: Game, campaign: Campaign, by: Player, begins: bool = False) -> None:
        """Look at what is asked now; of a campaign that only begins, nothing was asked."""
        self.campaign = campaign
        members = (
            Member.objects.filter(game=game, role=Role.PLAYER, user__mails=True)
            .filter(user__is_active=True)
            .exclude(user=by.pk)
            .exclude(user__email="")
            .select_related("user", "game")
        )
        self.seats = [Seat(member.game, member.user, member) for member in members]
        self.before = {seat: set() if begins else self._asked(seat) for seat in self.seats}

    def _asked(self, seat: Seat) -> set[str]:
        if not view(self.campaign, seat.viewer).pending:
            return set()
        return {one.mark for one in Table(seat, self.campaign).asked}

    def tell(self) -> None:
        """Tell those who must answer something new, once the present transaction is stored."""
        for seat, before in self.before.items():
            asked = self._asked(seat)
            new = asked - before - set(seat.member.noticed)
            if new:
                kept = [*seat.member.noticed, *sorted(new)][-KEPT:]
                Member.objects.filter(pk=seat.member.pk).update(noticed=kept)
                transaction.on_commit(partial(_mail, seat))


def _mail(seat: Seat) -> None:
    address = settings.CONFIG.address.rstrip("/") + reverse("table", args=[seat.game.pk, seat.name])
    context = {"seat": seat, "game": seat.game, "address": address}
    with translation.override(seat.user.language or settings.LANGUAGE_CODE):
        subject, text = mails.texts(
            "laager/account/mail_needed_subject.txt", "laager/account/mail_needed.txt", context
        )
    mails.send([seat.user.email], subject, text)


# Feeds --------------------------------------------------------------------------------------------

SALT = "laager.feed"


def feed_key(seat: Seat) -> str:
    """Return the key of a seat's feed: whoever has it may read the feed, and nothing else."""
    return signing.dumps([seat.member.pk, seat.member.feed], salt=SALT)


def renew_feed(seat: Seat) -> None:
    """Make the key of a seat's feed useless; there is a new one."""
    seat.need(Deed.LOOK)
    Member.objects.filter(pk=seat.member.pk).update(feed=F("feed") + 1)


def by_feed_key(key: str) -> Seat:
    """Return the seat of a feed's key. Raises RefusedError for any that is not good."""
    try:
        pk, turn = signing.loads(key, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        pk, turn = None, None
    member = (
        Member.objects.filter(pk=pk, feed=turn, user__is_active=True)
        .select_related("user", "game")
        .first()
    )
    if member is None:
        raise RefusedError(Refusal.NO_SUCH, "there is no such feed, or not any more")
    return Seat(member.game, member.user, member)


@dataclass(frozen=True)
class News:
    """One entry of a feed. `at` is when the seat could first see it."""

    id: str
    text: str
    at: datetime


def news(seat: Seat) -> list[News]:
    """Return a seat's feed, the newest first: that an answer is needed, and what all may know.

    What only one side may know is never in it: feeds are read by programs of others.
    """
    spectator = Seat(seat.game, seat.user, Member(game=seat.game, role=Role.SPECTATOR))
    with look(seat) as table:
        needed = [
            News(f"asked:{seat.name}:{one.mark}", "", _time(table.view.log[-1].entry.at))
            for one in (table.asked if seat.may(Deed.ANSWER) else ())
        ]
        public = Table(spectator, table.campaign)
        all_ = told(public.campaign, public.view)
        lines = [one for one in all_ if one.text and one.counts][-NEWS:]
        known = {seen.number: seen.entry.at for seen in public.view.log}
        return [
            *needed[:1],
            *(
                News(f"entry:{one.number}", one.text.strip(), _time(known[one.number]))
                for one in reversed(lines)
            ),
        ]


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
