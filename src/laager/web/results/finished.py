"""Results of finished campaigns that all their players let be listed.

A campaign is private to those who sit in it. Its result is listed when it is over and each player who held a seat at
the end has agreed, on the page People of the campaign; anyone can take that back. Team mates, umpires and spectators
aren't named. If a side has no player any more who held it at the end (the seat was given up, the account deleted),
nobody can agree for it, and the result isn't listed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from laager.web.models import Game, Member, Role
from laager.web.public.past import agree_on, public_key
from laager.web.results.endings import Ending, load_endings
from laager.web.seats.permissions import Seat

LOG_SECOND = timedelta(seconds=1)
"""To what logs round their times down."""


@dataclass(frozen=True)
class CampaignResult:
    """The result of a campaign: `players` by side, `winner` a side or "" for a draw."""

    game: UUID
    title: str
    ruleset: str
    card: str
    players: dict[str, tuple[str, ...]]
    commanders: dict[str, str]
    winner: str
    began: datetime
    ended: datetime
    battles: int
    digest: str = ""
    public: str = ""
    """The key of the page for everybody; "" if there is none."""

    @property
    def is_rated(self) -> bool:
        """True if people played each other: no commander held a side, and nobody sat on both."""
        names = [player for players in self.players.values() for player in players]
        return not self.commanders and len(names) == len(set(names))

    @property
    def campaign(self) -> Game:
        """Its campaign, for what its sides are called."""
        return Game(pk=self.game, ruleset=self.ruleset)

    @property
    def days(self) -> int:
        """From the day it began to the day it ended, both counted."""
        return (self.ended.date() - self.began.date()).days + 1


def list_results() -> list[CampaignResult]:
    """Return the results that everybody on the server may see, the latest first."""
    seats: dict[UUID, list[Member]] = {}
    agreed = Member.objects.filter(role=Role.PLAYER, listed=True).values("game")
    rows = Member.objects.filter(role=Role.PLAYER, game__in=agreed).select_related("user", "game")
    for member in rows.order_by("since", "pk"):
        seats.setdefault(member.game_id, []).append(member)
    endings = load_endings(members[0].game for members in seats.values())
    results = (_result_of(seats[pk][0].game, seats[pk], ending) for pk, ending in endings.items())
    return sorted((result for result in results if result), key=lambda result: result.ended, reverse=True)


def _result_of(game: Game, members: Iterable[Member], ending: Ending) -> CampaignResult | None:
    held = [member for member in members if member.since < ending.ended + LOG_SECOND]
    players = {side: tuple(member.user.username for member in held if member.side == side) for side in ending.sides}
    if not all(players.values()) or not all(member.listed for member in held):
        return None
    shown = agree_on(members, ending.sides, dict(ending.commanders))
    return CampaignResult(
        game.pk, game.title, game.ruleset, ending.card, players, dict(ending.commanders), ending.winner,
        ending.began, ending.ended, ending.battles, ending.digest, public_key(game) if shown else "",
    )  # fmt: skip


def filter_results(results: Iterable[CampaignResult], card: str = "") -> list[CampaignResult]:
    """Return the results of a card; of all, without one."""
    return [result for result in results if card in ("", result.card)]


def choose_listing(seat: Seat, listed: bool) -> None:
    """Keep whether a player lets the campaign's result be listed."""
    Member.objects.filter(pk=seat.member.pk).update(listed=listed)
    if listed:
        # Read now how it ended, if it has: then no list has to.
        load_endings([seat.game])
