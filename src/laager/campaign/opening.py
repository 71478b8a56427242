"""Opening a campaign: what the first lines of its log say."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from laager import __version__
from laager.campaign.log import Entry
from laager.dice import SeededDice

FORMAT = "laager-campaign/1"

DRAWN = "drawn"
"""The field of the opening with the key for drawn numbers; no viewer sees it."""

RECORD = "record"
"""The field of the opening with what everybody knows of a campaign that goes on from a record."""


def opening_entries(
    ruleset: str,
    title: str,
    setting: Mapping[str, Any],
    entered_dice: bool = False,
    seed: bytes | None = None,
    at: datetime | None = None,
    drawn: bool = False,
) -> tuple[Entry, Entry]:
    """Return the first two entries of a campaign: the opening and the sealed dice seed.

    `setting` is what the ruleset needs (card, map, readings), as JSON. The commitment to the seed
    is public from the start; the seed itself is shown to nobody before the end.

    `drawn`: numbers of units and fortifications are drawn, so that they don't tell how many the enemy
    doesn't see. The key of the drawing stays in the engine (`DRAWN`).
    """
    dice = SeededDice(seed) if seed is not None else SeededDice.fresh()
    stamp = (at or datetime.now(UTC)).isoformat(timespec="seconds")
    body = {
        "format": FORMAT,
        "laager": __version__,
        "ruleset": ruleset,
        "title": title,
        "dice": {"mode": "entered" if entered_dice else "rolled", "commitment": dice.commitment},
        **setting,
    }
    if drawn:
        body[DRAWN] = sha256(b"numbers of units" + dice.seed).hexdigest()
    return (Entry(1, "open", body, stamp), Entry(2, "seed", {"seed": dice.seed.hex()}, stamp, to=()))
