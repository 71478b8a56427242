"""A long campaign in memory, as a server holds it: looked at, told and answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

from tests.platoon_leader.campaigns import autoplay, new_campaign

from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE
from laager.campaign.log import MemoryStore
from laager.campaign.telling import log_in_words
from laager.campaign.views import view

NEW = 20
"""So many entries are new since everybody looked."""

ANSWERS = 20
"""So many answers are given one after the other."""


@cache
def played() -> bytes:
    """The log of a campaign of the shipped card, played by chance: some 3,000 entries."""
    campaign = new_campaign("rzhavets", more_firefights=1)
    autoplay(campaign, Random(2))
    assert isinstance(campaign.store, MemoryStore)
    return campaign.store.data


def opened() -> Campaign:
    """The campaign, read from its log."""
    return Campaign(MemoryStore(played()))


def look(campaign: Campaign) -> None:
    """Look at the campaign from every seat."""
    for viewer in (*campaign.ruleset.sides, UMPIRE):
        view(campaign, viewer)


def tell(campaign: Campaign) -> None:
    """Tell the log to everybody."""
    for viewer in (*campaign.ruleset.sides, UMPIRE):
        log_in_words(campaign, view(campaign, viewer))


def looker(do: Callable[[Campaign], None], *, anew: bool) -> Callable[[], None]:
    """Return a run of `look` or `tell`: for the first time, or when `NEW` entries have come."""
    lines = played().splitlines(keepends=True)
    earlier = Campaign(MemoryStore(b"".join(lines[:-NEW])))
    tell(earlier)
    campaign = opened()

    def run() -> None:
        campaign.seats = {} if anew else dict(earlier.seats)
        campaign.tellings = {} if anew else dict(earlier.tellings)
        do(campaign)

    return run


def answerer(runs: int) -> Callable[[], None]:
    """Return a run that gives the last answers of the log again, so often as is said here."""
    entries = opened().entries
    given = [entry for entry in entries if entry.type == "answer"][-ANSWERS:]
    lines = played().splitlines(keepends=True)
    until = given[0].number - 1
    ready = [Campaign(MemoryStore(b"".join(lines[:until]))) for _ in range(runs)]

    def run() -> None:
        campaign = ready.pop()
        for entry in given:
            campaign.answer(entry.body["side"], entry.body["key"], entry.body["value"])

    return run
