"""What is sent to a seat, kept with the campaign as long as nothing of it has changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from laager.campaign.telling import told_since
from laager.web.campaigns.shapes import entries_json, status_json
from laager.web.campaigns.tables import Table

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.campaign.views import View
    from laager.web.campaigns.tables import Held
    from laager.web.play.short_way.rows import Found

ENCODER = msgspec.json.Encoder()
SEATS_KEPT = 8
"""Of so many seats of a campaign it is kept what they were sent last."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The status of a campaign for one seat, as it is sent; `head` is the last line that it tells of."""

    head: str
    table: Table
    """What it was made of; good as long as its campaign is the one in memory."""
    tag: str
    status: bytes

    @property
    def asked(self) -> bytes:
        """The part of it that is asked of the seat."""
        return bytes(ASKED.decode(self.status).asked)


class _Asked(msgspec.Struct):
    asked: msgspec.Raw


ASKED = msgspec.json.Decoder(_Asked)


def kept(held: Held, found: Found, head: str) -> Shown | None:
    """Return what was made before for the same seat of the same campaign, if nothing has changed since."""
    shown: Shown | None = held.shown.get(found.known)
    return shown if shown is not None and shown.head == head else None


def made(held: Held, found: Found, campaign: Campaign, head: str) -> Shown:
    """Return the status for a seat; it is kept."""
    return kept(held, found, head) or _made(held, found, Table(found.seat, campaign), head)


def table_of(held: Held, found: Found, campaign: Campaign) -> Table:
    """Return a campaign in memory as its seat sees it."""
    before = kept(held, found, held.head)
    return before.table if before is not None and before.table.campaign is campaign else Table(found.seat, campaign)


def outcome(held: Held, found: Found, campaign: Campaign, head: str, earlier: View, before: int) -> bytes:
    """Return what the seat has seen since an earlier look, and where the campaign stands now.

    `before` is how many lines the campaign had then.
    """
    table = Table(found.seat, campaign)
    news = [one for one in told_since(campaign, table.view, earlier) if one.text and one.entry.number > before]
    shown = _made(held, found, table, head)
    return b'{"news":' + ENCODER.encode(entries_json(table, news)) + b',"status":' + shown.status + b"}"


def _made(held: Held, found: Found, table: Table, head: str) -> Shown:
    # What the other side has done in secret changes nothing here: its tag is the same, and so is all of it.
    before: Shown | None = held.shown.pop(found.known, None)
    status = before.status if before is not None and before.tag == table.tag else ENCODER.encode(status_json(table))
    shown = Shown(head, table, table.tag, status)
    held.shown[found.known] = shown
    # A seat that has been renamed or handed on leaves nothing here; of an older state nothing is sent.
    for known in list(held.shown)[:-SEATS_KEPT]:
        del held.shown[known]
    return shown
