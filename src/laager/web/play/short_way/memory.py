"""What the short way keeps in memory: campaigns, and the status of each seat until something changes for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from laager.campaign.telling import told_since
from laager.web.campaigns import tables
from laager.web.campaigns.shapes import entries_json, status_json
from laager.web.campaigns.tables import Held, Table
from laager.web.models import Game

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.campaign.views import View
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


# Statuses -----------------------------------------------------------------------------------------

ENCODER = msgspec.json.Encoder()
SEATS_KEPT = 8
"""Seats of a campaign whose last status is cached."""


@dataclass(frozen=True, slots=True)
class CachedStatus:
    """The status of a campaign for one seat, as it is sent; `head` is the last line that it includes."""

    head: str
    table: Table
    """The view that it was rendered from; valid while its campaign is the one in memory."""
    tag: str
    body: bytes

    @property
    def asked(self) -> bytes:
        """The questions and rolls that wait for the seat."""
        return bytes(ASKED.decode(self.body).asked)


class _Asked(msgspec.Struct):
    asked: msgspec.Raw


ASKED = msgspec.json.Decoder(_Asked)


def cached_status(held: Held, row: SeatRow, head: str) -> CachedStatus | None:
    """Return the status cached for a seat, if nothing has changed since."""
    status: CachedStatus | None = held.shown.get(row.cache_key)
    return status if status is not None and status.head == head else None


def render_status(held: Held, row: SeatRow, campaign: Campaign, head: str) -> CachedStatus:
    """Return the status for a seat, and cache it."""
    return cached_status(held, row, head) or _render(held, row, Table(row.seat, campaign), head)


def table_of(held: Held, row: SeatRow, campaign: Campaign) -> Table:
    """Return a campaign in memory as its seat sees it."""
    before = cached_status(held, row, held.head)
    return before.table if before is not None and before.table.campaign is campaign else Table(row.seat, campaign)


def render_outcome(held: Held, row: SeatRow, campaign: Campaign, head: str, earlier: View, before: int) -> bytes:
    """Return the news that a seat can see since an earlier view, with its status now.

    `before` is the number of lines that the campaign had then.
    """
    table = Table(row.seat, campaign)
    news = [line for line in told_since(campaign, table.view, earlier) if line.text and line.entry.number > before]
    status = _render(held, row, table, head)
    return b'{"news":' + ENCODER.encode(entries_json(table, news)) + b',"status":' + status.body + b"}"


def _render(held: Held, row: SeatRow, table: Table, head: str) -> CachedStatus:
    # What the other side has done in secret changes nothing here: the tag is the same, and so is the status.
    before: CachedStatus | None = held.shown.pop(row.cache_key, None)
    body = before.body if before is not None and before.tag == table.tag else ENCODER.encode(status_json(table))
    status = CachedStatus(head, table, table.tag, body)
    held.shown[row.cache_key] = status
    # Drop the statuses of seats that were renamed or handed on.
    for key in list(held.shown)[:-SEATS_KEPT]:
        del held.shown[key]
    return status
