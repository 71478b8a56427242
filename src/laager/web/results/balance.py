"""How the sides of a card fared: as played on this server, beside a simulation of the card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from laager.base import RefusedError
from laager.simulation.balance import load_balances
from laager.simulation.figures import WinShare, share
from laager.web.models import Player
from laager.web.results.finished import CampaignResult
from laager.web.simulating.runs import find_fair_run


@dataclass(frozen=True)
class SideBalance:
    """The wins of a side; shares are None if there is nothing to go by, or no SciPy."""

    side: str
    wins: int
    played: WinShare | None
    simulated: WinShare | None


@dataclass(frozen=True)
class PlayedBalance:
    """The rated campaigns of a card, and what its sides won."""

    card: str
    campaigns: int
    draws: int
    sides: tuple[SideBalance, ...]


def balance_cards(results: Iterable[CampaignResult], viewer: Player) -> list[PlayedBalance]:
    """Return the balance of each card that people played against each other, beside a simulation.

    That is the viewer's largest, or the one that ships with the card; of the card as the last campaign began with it.
    """
    cards: dict[tuple[str, str], list[CampaignResult]] = {}
    for result in sorted(results, key=lambda result: result.ended):
        if result.is_rated:
            cards.setdefault((result.ruleset, result.card), []).append(result)
    return [_balance_card(played, viewer) for _, played in sorted(cards.items())]


def _balance_card(results: list[CampaignResult], viewer: Player) -> PlayedBalance:
    last, wins = results[-1], Counter(result.winner for result in results)
    simulated = _simulated_wins(last.digest, viewer)
    rows = (SideBalance(side, wins[side], _share(side, wins), _share(side, simulated)) for side in last.players)
    return PlayedBalance(last.card, len(results), wins[""], tuple(rows))


def _simulated_wins(digest: str, viewer: Player) -> Counter[str]:
    run = find_fair_run(digest, viewer)
    if run is not None:
        return Counter(run.wins)
    return Counter(next((shipped.wins for shipped in load_balances().values() if shipped.digest == digest), {}))


def _share(side: str, wins: Counter[str]) -> WinShare | None:
    try:
        return share(wins[side], wins.total()) if wins else None
    except RefusedError:
        return None
