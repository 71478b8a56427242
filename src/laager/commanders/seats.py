"""Seats held by commanders: chosen when a campaign begins, and played by every program that opens it.

Who holds which side stands in the opening. What such a side is asked is answered at once, except what happened at the
table: whoever moves its counters there reports that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign import patience, rulings, settling, undo
from laager.campaign.consent import open_request
from laager.campaign.engine import Campaign
from laager.campaign.facts import Side
from laager.campaign.log import Entry, MemoryStore
from laager.campaign.pending import Pending
from laager.campaign.views import View
from laager.commanders.answering import MOST_ANSWERS, Replies, Thought, answer_pending, think_over
from laager.commanders.commander import Commander, Progress, load_commander
from laager.rules.board.report import REPORT_KEYS

COMMANDERS = "commanders"
"""The field of an opening with the names of commanders, by side."""

AT_THE_TABLE = frozenset({*REPORT_KEYS, "play", "play-status", "play-ended", "patrol-outcome", "patrol-losses"})
"""What is asked about a battle that people play; no commander answers it."""


def commanders_setting(sides: Collection[Side], chosen: Mapping[Side, str]) -> dict[str, Any]:
    """Return what an opening says of the sides that commanders hold. Raises RefusedError for unknown names.

    Not every side can be held by one: a campaign needs a player.
    """
    for side, name in chosen.items():
        if side not in sides:
            advice = did_you_mean(side, sides, "the sides are")
            raise RefusedError(Refusal.NO_SUCH, f"there is no side {side!r}", advice)
        load_commander(name)
    if len(chosen) >= len(sides):
        right = "leave one side to a player, or play whole campaigns with laager simulate"
        raise RefusedError(Refusal.BAD_DATA, "commanders hold both sides", right)
    return {COMMANDERS: dict(chosen)} if chosen else {}


def held_seats(opening: Mapping[str, Any]) -> Mapping[Side, str]:
    """Return the names of the commanders of a campaign, by the sides that they hold."""
    held: Mapping[Side, str] = opening.get(COMMANDERS, {})
    return held


def is_for_commander(campaign: Campaign, pending: Pending) -> bool:
    """True if a commander answers what is asked; nobody else has to."""
    return pending.side in held_seats(campaign.opening) and pending.key not in AT_THE_TABLE


def play_held_seats(campaign: Campaign, progress: Progress | None = None, *, patient: bool = True) -> Replies:
    """Let commanders answer what is asked of the sides that they hold, until only players are asked.

    `progress` is told how far one is who takes long over an answer; who isn't `patient` leaves such answers to
    `ponder`. Raises RefusedError if a commander of the campaign isn't installed here.
    """
    total = Replies()
    held = held_seats(campaign.opening)
    if not held or campaign.over:
        return total
    commanders = _load_held(campaign, progress)
    for _ in range(MOST_ANSWERS):
        _agree(campaign, held)
        waiting = (asked for asked in campaign.pending() if is_for_commander(campaign, asked))
        pending = next((asked for asked in waiting if patient or not commanders[asked.side].ponders(asked)), None)
        if pending is None or campaign.over:
            break
        total += answer_pending(
            campaign, pending, commanders[pending.side], chance_of(campaign, pending.side), tells=True
        )
    return total


def find_pondered(campaign: Campaign) -> Pending | None:
    """Return a question over which a commander takes long, and which is open now; None if there is none."""
    if campaign.over or not held_seats(campaign.opening):
        return None
    commanders = _load_held(campaign)
    waiting = (asked for asked in campaign.pending() if is_for_commander(campaign, asked))
    return next((asked for asked in waiting if commanders[asked.side].ponders(asked)), None)


def ponder(campaign: Campaign) -> Thought | None:
    """Return what a commander would answer that takes long over it, the campaign as it is; None if none is asked."""
    pending = find_pondered(campaign)
    if pending is None:
        return None
    commander = _load_held(campaign)[pending.side]
    return think_over(campaign, pending, commander, chance_of(campaign, pending.side))


def ponder_entries(entries: Sequence[Entry]) -> Thought | None:
    """Do as `ponder` does with a campaign of these entries, in another process."""
    store = MemoryStore()
    store.append(entries)
    return ponder(Campaign(store))


def _load_held(campaign: Campaign, progress: Progress | None = None) -> Mapping[Side, Commander]:
    commanders = {side: load_commander(name) for side, name in held_seats(campaign.opening).items()}
    for commander in commanders.values():
        # Somebody waits in any case: without this it could tell by its haste what it has.
        commander.progress = progress or _tell_nobody
    return commanders


def _tell_nobody(_done: int, _total: int) -> None:
    """Take note of nothing."""


def chance_of(campaign: Campaign, side: Side) -> Random:
    """Return a commander's source of chance for its next answer: from the campaign's seed, and nobody can guess it."""
    given = sum(entry.type == "answer" and entry.body["side"] == side for entry in campaign.history.counted)
    return Random(f"{campaign.app_dice().seed.hex()} {side} {given}")


CONSENTS = {
    "undo": undo.consent,
    "redo": undo.consent_redo,
    "ruling": rulings.consent,
    patience.PATIENCE: patience.consent,
}
"""What a player may ask that a commander agrees to: the kind of request, and how a side consents to it."""


def _agree(campaign: Campaign, held: Mapping[Side, str]) -> None:
    """Agree to what the player asks, but for a draw: a commander bears no grudge, and has all the time there is."""
    for side in held:
        for kind, consent in CONSENTS.items():
            request = open_request(campaign, kind)
            if request is not None and request.body["by"] != side:
                # Of a ruling for the umpire to decide nothing is asked of a side.
                with suppress(RefusedError):
                    consent(campaign, side, True)
                    campaign.advance()
        if settling.agreed_sides(campaign) - {side} and not settling.is_settled(campaign):
            settling.agree(campaign, side)


def orders_of(seen: View) -> str:
    """Return a commander's orders for the present battle, as far as a viewer may know them; "" if there are none."""
    for line in reversed(seen.log):
        if line.counts and line.entry.type == "answer":
            orders = line.entry.body.get("commander", {}).get("orders")
            if orders:
                return str(orders)
    return ""
