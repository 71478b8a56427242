"""The ladder: ratings with their uncertainty, computed from results each time.

The rating is Weng and Lin's (Plackett-Luce), by `openskill`: a mean and a standard deviation, for players and teams.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from laager.web.results.finished import CampaignResult

NEEDED_CAMPAIGNS = 5
"""Campaigns that a player needs for a place on the ladder."""


@dataclass(frozen=True)
class LadderRow:
    """A player on the ladder; `place` is None for one with too few campaigns. `margin` is two standard deviations."""

    place: int | None
    player: str
    campaigns: int
    rating: float
    margin: float

    @property
    def missing(self) -> int:
        """The number of campaigns that are missing for a place."""
        return max(NEEDED_CAMPAIGNS - self.campaigns, 0)


def rate_players(results: Iterable[CampaignResult], side: str = "") -> list[LadderRow]:
    """Return the ladder; with a side, as players play that side, against how their opponents play the other."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings: dict[tuple[str, str], Any] = {}
    counts: dict[tuple[str, str], int] = {}
    for result in sorted(results, key=lambda result: (result.ended, str(result.game))):
        if not result.is_rated:
            continue
        keys = [[(player, team if side else "") for player in players] for team, players in result.players.items()]
        teams = [[ratings.get(key) or model.rating() for key in team] for team in keys]
        ranks = [0.0 if team == result.winner or not result.winner else 1.0 for team in result.players]
        for team, rated in zip(keys, model.rate(teams, ranks=ranks), strict=True):
            for key, rating in zip(team, rated, strict=True):
                ratings[key] = rating
                counts[key] = counts.get(key, 0) + 1
    # The order is by the rating less three standard deviations.
    order = sorted(
        (key for key in ratings if key[1] == side),
        key=lambda key: (counts[key] < NEEDED_CAMPAIGNS, -float(ratings[key].ordinal()), key[0]),
    )
    return [
        LadderRow(
            place if counts[key] >= NEEDED_CAMPAIGNS else None,
            key[0],
            counts[key],
            float(ratings[key].mu),
            2 * float(ratings[key].sigma),
        )
        for place, key in enumerate(order, 1)
    ]
