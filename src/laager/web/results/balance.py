"""How often the sides of a card won: in campaigns on this server, and in simulations of the card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from laager.base import RefusedError
from laager.simulation.balance import ShippedBalance, balance_of_card, digest_setting, load_balances
from laager.simulation.figures import WinShare, share
from laager.web.library.files.offers import Offer
from laager.web.models import Player
from laager.web.results.endings import title_of_card
from laager.web.results.finished import CampaignResult
from laager.web.simulating.runs import find_fair_run


@dataclass(frozen=True)
class SideBalance:
    """The wins of a side; shares are None if there is nothing to go by, or no SciPy.

    `simulated` is by the viewer's largest run, `shipped` by the figures that ship with the card.
    """

    side: str
    wins: int
    played: WinShare | None
    simulated: WinShare | None
    shipped: WinShare | None


@dataclass(frozen=True)
class PlayedBalance:
    """The rated campaigns of a card, and what its sides won; `shipped` are the figures that ship with it."""

    card: str
    ruleset: str
    campaigns: int
    draws: int
    sides: tuple[SideBalance, ...]
    shipped: ShippedBalance | None = None
    shipped_current: bool = False
    """True if the shipped figures are of the card as it is, not of an earlier version."""


def balance_cards(results: Iterable[CampaignResult], viewer: Player) -> list[PlayedBalance]:
    """Return the balance of each card that people played against each other, and that of its simulations.

    These are the viewer's largest, and the one that ships with the card; of the card as the last campaign began with
    it.
    """
    cards: dict[tuple[str, str], list[CampaignResult]] = {}
    for result in sorted(results, key=lambda result: result.ended):
        if result.is_rated:
            cards.setdefault((result.ruleset, result.card), []).append(result)
    return [_balance_played(played, viewer) for _, played in sorted(cards.items())]


def _balance_played(results: list[CampaignResult], viewer: Player) -> PlayedBalance:
    last = results[-1]
    shipped = next((figures for figures in load_balances().values() if figures.digest == last.digest), None)
    sides = _balance_sides(tuple(last.players), results, _simulated_wins(last.digest, viewer), shipped)
    draws = sum(not result.winner for result in results)
    return PlayedBalance(last.card, last.ruleset, len(results), draws, sides, shipped, shipped is not None)


def balance_card(card: Offer, results: Iterable[CampaignResult], viewer: Player) -> PlayedBalance:
    """Return the balance of a card as it is now, played or not. Raises DataError if it isn't valid."""
    made = card.read()
    title = title_of_card(made.setting) or card.title
    rated = (result for result in results if result.is_rated)
    played = [result for result in rated if (result.ruleset, result.card) == (card.rules, title)]
    shipped = balance_of_card(card.id) if card.owner is None else None
    simulated = _simulated_wins(digest_setting(made.setting), viewer)
    sides = _balance_sides(tuple(card.ruleset.sides), played, simulated, shipped)
    current = shipped is not None and shipped.is_of(made.setting)
    draws = sum(not result.winner for result in played)
    return PlayedBalance(title, card.rules, len(played), draws, sides, shipped, current)


def _balance_sides(
    sides: Sequence[str], results: Iterable[CampaignResult], simulated: Counter[str], shipped: ShippedBalance | None
) -> tuple[SideBalance, ...]:
    wins = Counter(result.winner for result in results)
    return tuple(
        SideBalance(side, wins[side], _share(side, wins), _share(side, simulated), _share_shipped(side, shipped))
        for side in sides
    )


def _simulated_wins(digest: str, viewer: Player) -> Counter[str]:
    run = find_fair_run(digest, viewer)
    return Counter(run.wins if run is not None else {})


def _share(side: str, wins: Counter[str]) -> WinShare | None:
    try:
        return share(wins[side], wins.total()) if wins else None
    except RefusedError:
        return None


def _share_shipped(side: str, shipped: ShippedBalance | None) -> WinShare | None:
    """Return a side's share with the interval that ships beside it, which needs no SciPy."""
    if shipped is None or side not in shipped.intervals:
        return None
    low, high = shipped.intervals[side]
    return WinShare(shipped.wins.get(side, 0), sum(shipped.wins.values()), low / 100, high / 100)
