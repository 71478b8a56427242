"""What people see of the cards before they choose one: the facts of each, and a small picture of its map.

What was read or drawn is kept by its content, so that a list of many cards is read once.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import monotonic, thread_time

from laager.base import LaagerError, Refusal, RefusedError
from laager.campaign import find_ruleset
from laager.campaign.summary import CardSummary
from laager.web.library.files import files
from laager.web.models import OwnFile
from laager.web.shared import jobs, processes
from laager.web.shared.recent import Recent
from laager.web.starting.starting import Offer

BUDGET = 0.5
"""So many seconds of work go into cards that were not read before, for one list; the others are read next time."""
LARGE = 30_000
"""A card of somebody's own with more characters is read in a process of its own; it can take seconds."""

SUMMARIES: Recent[str, CardSummary | None] = Recent(1000)
PREVIEWS: Recent[str, bytes] = Recent(1000, 16 * 2**20, len)
"""The small pictures drawn last."""


@dataclass(frozen=True)
class Shown:
    """A card as a list shows it. `summary` is None if the card isn't valid, or there was no time to read it."""

    offer: Offer
    summary: CardSummary | None

    @property
    def hours(self) -> float:
        """About how long it takes; cards that don't tell come last."""
        takes = self.summary.takes if self.summary else None
        return takes.hours if takes else float("inf")


def shown(offers: Iterable[Offer], rules: str = "") -> list[Shown]:
    """Return cards with their facts, the shortest first; with `rules` only those of one rule system."""
    # Other processes read the large ones: there it is the waiting that counts.
    end, wait_until = thread_time() + BUDGET, monotonic() + BUDGET
    found = [
        Shown(one, summary(one, read=thread_time() < end and (not _is_large(one) or monotonic() < wait_until)))
        for one in offers
        if rules in ("", one.rules)
    ]
    return sorted(found, key=lambda one: one.hours)


def summary(offer: Offer, read: bool = True) -> CardSummary | None:
    """Return the facts of a card; None if it isn't valid. Unless `read`, None for a card not read before."""

    def make() -> CardSummary | None:
        if not read:
            raise _NotNowError
        try:
            if offer.owner is not None and _is_large(offer):
                return processes.SLOW.do(offer.owner.pk, jobs.summary, offer.rules, offer.text, offer.id)
            return jobs.summary(offer.rules, offer.text, offer.id)
        except processes.BusyError:
            raise _NotNowError from None
        except LaagerError:
            return None

    try:
        return SUMMARIES.get(_digest(offer.rules, offer.text), make)
    except _NotNowError:
        return None


def _is_large(offer: Offer) -> bool:
    return offer.owner is not None and len(offer.text) > LARGE


class _NotNowError(Exception):
    """There is no time left to read a card."""


@dataclass(frozen=True)
class System:
    """A rule system of which there are cards, and how many."""

    id: str
    title: str
    cards: int


def systems(offers: Sequence[Offer]) -> list[System]:
    """Return the rule systems of cards, by title."""
    counts = Counter(one.rules for one in offers)
    found = (System(name, find_ruleset(name).title, count) for name, count in counts.items())
    return sorted(found, key=lambda one: one.title)


# The picture --------------------------------------------------------------------------------------


def preview(offer: Offer) -> tuple[bytes, str]:
    """Return the small picture of a card's map as SVG, and its ETag.

    Raises RefusedError (no-such) if the card has no map, DataError if card or map aren't valid.
    """
    found = summary(offer)
    if found is None or not found.map:
        raise RefusedError(Refusal.NO_SUCH, f"there is no map of {offer.title!r}")
    beside = OwnFile.objects.filter(owner=offer.owner, name=found.map).first() if offer.owner else None
    key = _digest(offer.rules, found.map, beside.text if beside else "")

    def draw() -> bytes:
        if offer.owner is None:
            return jobs.preview(offer.rules, offer.path)
        texts = files.texts_of(offer.owner)
        queue = processes.SLOW if max(len(offer.text), len(texts.get(found.map, ""))) > LARGE else processes.QUICK
        return queue.do(offer.owner.pk, jobs.own_preview, offer.rules, texts, offer.id)

    return PREVIEWS.get(key, draw), f'"{key[:32]}"'


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
