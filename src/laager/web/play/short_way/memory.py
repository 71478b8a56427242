"""Campaigns in memory. The short way loads none from the database, which takes long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from laager.web.campaigns import tables
from laager.web.campaigns.tables import Held
from laager.web.models import Game

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.web.play.short_way.rows import SeatRow

LOCK_TIMEOUT_S = 0.005
"""Seconds to wait for a campaign that a page is using; Django waits longer."""


@dataclass(frozen=True, slots=True)
class OpenCampaign:
    """A campaign in memory whose lock is held."""

    held: Held
    campaign: Campaign


@contextmanager
def open_campaign(row: SeatRow) -> Iterator[OpenCampaign | None]:
    """Hold a campaign as it stands in the database now; None if it isn't in memory, or in use."""
    game = row.seat.game.pk
    held = tables.SHELF.get(game, Held)
    if not held.lock.acquire(timeout=LOCK_TIMEOUT_S):
        yield None
        return
    try:
        head = row.head
        if held.head != head:
            # Somebody has changed it meanwhile, here or elsewhere.
            head = Game.objects.values_list("head", flat=True).get(pk=game)
        campaign = tables.in_memory(held, head)
        yield None if campaign is None else OpenCampaign(held, campaign)
    finally:
        held.lock.release()
