"""The end of a campaign: its dice, its whole log for everybody who took part, and its verification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from laager.base import DataError, Refusal, RefusedError
from laager.campaign.audit import Audit, Finding, audit
from laager.campaign.engine import Campaign
from laager.web.campaigns.store import DatabaseStore, text_of
from laager.web.seats.permissions import Action, Seat

if TYPE_CHECKING:
    from laager.campaign.telling import Told
    from laager.web.campaigns.tables import Table


def find_reveal(table: Table) -> Told | None:
    """Return the entry with which the dice were shown, once the campaign is over; else None."""
    for line in reversed(table.log):
        if line.entry.type == "revealed" and line.counts:
            return line
    return None


def may_prove(table: Table) -> bool:
    """Return True if a seat may verify the log: the umpire always, everybody once the campaign is over."""
    return table.seat.may(Action.PROVE) or find_reveal(table) is not None


def need_proof(table: Table) -> None:
    """Raise RefusedError unless a seat may verify the log."""
    if not may_prove(table):
        raise RefusedError(Refusal.NOT_YOURS, "you can verify the log when the campaign is over")


def whole_log(table: Table) -> bytes:
    """Return the campaign as the file that it would be. Raises RefusedError before its end.

    Not even the umpire has it earlier: the file holds the seed of the dice to come.
    """
    if find_reveal(table) is None:
        raise RefusedError(Refusal.NOT_YOURS, "you can download the whole log when the campaign is over")
    return text_of(table.seat.game.pk)


@dataclass(frozen=True, kw_only=True)
class Proof(Audit):
    """The result of verifying a log: the audit, and the hash of the log's last line."""

    head: str


def prove(seat: Seat) -> Proof:
    """Read the stored log again and verify it: hashes, dice, and every fact by the rules.

    The permission is checked before (`need_proof`).
    """
    store = DatabaseStore(seat.game.pk)
    try:
        # As it is stored: without what this worker holds in memory.
        campaign = Campaign(store)
    except DataError as err:
        findings = tuple(Finding(p.line or 0, p.what) for p in err.problems)
        return Proof(entries=0, rolls=0, entered=0, facts=0, head="", findings=findings)
    return Proof(**vars(audit(campaign)), head=store.head)
