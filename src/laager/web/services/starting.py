"""Beginning a campaign: which cards there are, what a card's check says, who sits where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign.cards import shipped_cards
from laager.campaign.facts import UMPIRE
from laager.campaign.readings import Reading, Readings
from laager.campaign.ruleset import PlayedRuleset, find_ruleset
from laager.web.models import Game, Player
from laager.web.services import actions

BOTH = "both"
"""The seat of who plays alone."""


@dataclass(frozen=True)
class Offer:
    """A card from which a campaign can be begun: its file, its rules, where its data come from."""

    id: str
    title: str
    rules: str
    source: str
    path: Path

    @property
    def ruleset(self) -> PlayedRuleset:
        """The rule system of the card."""
        return find_ruleset(self.rules)

    @property
    def readings(self) -> Mapping[str, Reading]:
        """Where the rules can be read in several ways."""
        return Readings.load_packaged(self.ruleset.package)


@dataclass(frozen=True)
class Wanted:
    """How a campaign is to be begun: `seat` is a side, `umpire`, or both sides (`both`)."""

    title: str = ""
    seat: str = BOTH
    entered_dice: bool = False
    readings: Mapping[str, str] | None = None


def shipped() -> list[Offer]:
    """Return the cards that come with Laager."""
    return [
        Offer(card.id, card.title, card.ruleset, card.source, card.path) for card in shipped_cards()
    ]


def offer(name: str) -> Offer:
    """Return a shipped card. Raises RefusedError, with advice."""
    found = {one.id: one for one in shipped()}
    if name not in found:
        advice = did_you_mean(name, found, "there are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no card {name!r}; {advice}")
    return found[name]


def checked(card: Offer, readings: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the warnings about a card. Raises DataError with all that is wrong with it."""
    return card.ruleset.read_card(card.path, dict(readings or {})).warnings


def begin(owner: Player, card: Offer, wanted: Wanted) -> tuple[Game, str]:
    """Begin a campaign; return it with the name of its owner's first seat.

    Raises DataError if the card or a reading will not do, RefusedError for a seat there is not.
    """
    sides = tuple(card.ruleset.sides)
    taken = sides if wanted.seat == BOTH else (wanted.seat,)
    if taken[0] not in (*sides, UMPIRE):
        advice = did_you_mean(wanted.seat, (*sides, UMPIRE, BOTH), "there are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no seat {wanted.seat!r}; {advice}")
    game = actions.begin(
        owner,
        card.path,
        card.rules,
        dict.fromkeys(taken, owner),
        wanted.readings,
        wanted.entered_dice,
        wanted.title,
    )
    return game, taken[0]
