"""Reminders: a side that is over the days that were agreed on is told once more, each time that it is late.

When a campaign is next looked at follows from what everybody could see, so that the time of a reminder tells nothing.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from laager.campaign.patience import Late, late_sides, patience_of, waited_since
from laager.web.campaigns.notices import late_mark, open_marks
from laager.web.campaigns.tables import look
from laager.web.models import Game, Member, Player, Role
from laager.web.seats import pending_mails
from laager.web.seats.permissions import Seat
from laager.web.shared.storing import in_turn

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign

LOG = logging.getLogger("laager.web.mails")
MOST_AT_ONCE = 20
"""Most campaigns that are looked at in one go."""
AGAIN = timedelta(hours=12)
"""How long after a look at a campaign that waits too long it is looked at again."""


def look_soon(game: Game) -> None:
    """Let a campaign's terms about time be looked at, as they are new."""
    Game.objects.filter(pk=game.pk).update(patience_look=timezone.now())


def remind() -> None:
    """Remind the sides that are late, in campaigns that are due."""
    now = timezone.now()
    due = Game.objects.filter(patience_look__lte=now, archived=False).order_by("patience_look")
    for game in due[:MOST_AT_ONCE]:
        with in_turn():
            mine = Game.objects.filter(pk=game.pk, patience_look=game.patience_look).update(patience_look=now + AGAIN)
        if not mine:
            continue
        try:
            _remind_in(game, now)
        except Exception as err:
            # One campaign that can't be opened stops no other's reminders, whatever the reason.
            LOG.warning("a reminder could not be made, will try again: %s", type(err).__name__)


def _remind_in(game: Game, now: datetime) -> None:
    # Nobody's seat: the terms and who is waited for are for all to see.
    with look(Seat(game, Player(), Member(game=game, role=Role.SPECTATOR))) as table:
        campaign = table.campaign
        late = late_sides(campaign, now)
        with in_turn(), transaction.atomic():
            for each in late:
                _expect_reminders(game, campaign, each)
            Game.objects.filter(pk=game.pk).update(patience_look=_next_look(campaign, now, bool(late)))


def _expect_reminders(game: Game, campaign: Campaign, late: Late) -> None:
    members = Member.objects.filter(game=game, role=Role.PLAYER, side=late.side, user__is_active=True)
    for member in members.select_related("user"):
        known = open_marks(Seat(game, member.user, member), campaign)
        pending_mails.expect_mail(member.pk, known, {late_mark(late)})


def _next_look(campaign: Campaign, now: datetime, late: bool) -> datetime | None:
    terms = patience_of(campaign)
    if not terms.days or campaign.over:
        return None
    return now + AGAIN if late else waited_since(campaign.entries) + timedelta(days=terms.days)
