"""Campaigns that the desk finds in memory; it reads none from the beginning, which takes long."""

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
    from laager.web.play.short_way.rows import Found

PATIENCE = 0.005
"""Seconds that the desk waits for a campaign that a page is using; Django waits longer."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A campaign that nobody else uses until it is let go."""

    held: Held
    campaign: Campaign


@contextmanager
def opened(found: Found) -> Iterator[Opened | None]:
    """Hold a campaign as it stands in the database now; None if it isn't in memory, or in use."""
    game = found.seat.game.pk
    held = tables.SHELF.get(game, Held)
    if not held.lock.acquire(timeout=PATIENCE):
        yield None
        return
    try:
        head = found.head
        if held.head != head:
            # Somebody has changed it meanwhile, here or elsewhere.
            head = Game.objects.values_list("head", flat=True).get(pk=game)
        campaign = tables.in_memory(held, head)
        yield None if campaign is None else Opened(held, campaign)
    finally:
        held.lock.release()
