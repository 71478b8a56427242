"""Results of finished campaigns that all their players let be listed.

A campaign is private to those who sit in it. Its result is listed when it is over and each player who held a seat at
the end has agreed, on the page People of the campaign; anyone can take that back. Team mates, umpires and spectators
aren't named. If a side has no player any more who held it at the end (the seat was given up, the account deleted),
nobody can agree for it, and the result isn't listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID

from laager.base import LaagerError
from laager.base.texts import Multilingual, text_of
from laager.commanders.seats import held_seats
from laager.simulation.balance import digest_setting
from laager.web.campaigns.tables import look
from laager.web.models import Game, Member, Player, Role
from laager.web.records.verification import find_reveal
from laager.web.seats.permissions import Seat

LOG_SECOND = timedelta(seconds=1)
"""To what logs round their times down."""

KEPT_ENDINGS = 4000
"""Ends of campaigns that a process keeps in mind, so as not to open the campaigns again."""


CARD_FIELDS = ("card", "map", "charts", "tables", "readings")
"""The fields of an opening that come from the card."""


@dataclass(frozen=True)
class Ending:
    """How a campaign ended. `commanders` held sides, by side; `digest` is of its card (`digest_setting`)."""

    card: str
    sides: tuple[str, ...]
    winner: str
    began: datetime
    ended: datetime
    battles: int
    commanders: tuple[tuple[str, str], ...]
    digest: str


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
    results = (_result_of(members[0].game, members) for members in seats.values())
    return sorted((result for result in results if result), key=lambda result: result.ended, reverse=True)


def _result_of(game: Game, members: Iterable[Member]) -> CampaignResult | None:
    ending = find_ending(game.pk, game.head)
    if ending is None:
        return None
    held = [member for member in members if member.since < ending.ended + LOG_SECOND]
    players = {side: tuple(member.user.username for member in held if member.side == side) for side in ending.sides}
    if not all(players.values()) or not all(member.listed for member in held):
        return None
    return CampaignResult(
        game.pk, game.title, game.ruleset, ending.card, players, dict(ending.commanders), ending.winner,
        ending.began, ending.ended, ending.battles, ending.digest,
    )  # fmt: skip


@lru_cache(maxsize=KEPT_ENDINGS)
def find_ending(pk: UUID, _head: str) -> Ending | None:
    """Return how a campaign ended; None if it goes on, knows no winner, or can't be opened."""
    game = Game.objects.get(pk=pk)
    try:
        with look(Seat(game, Player(), Member(game=game, role=Role.SPECTATOR))) as table:
            reveal, state = find_reveal(table), table.view.state
            if reveal is None or not hasattr(state, "winner"):
                return None
            opening = table.campaign.opening
            return Ending(
                title_of_card(opening),
                tuple(table.ruleset.sides),
                state.winner,
                datetime.fromisoformat(str(table.view.log[0].entry.at)),
                datetime.fromisoformat(str(reveal.entry.at)),
                len(state.past),
                tuple(held_seats(opening).items()),
                digest_setting({key: opening[key] for key in CARD_FIELDS if key in opening}),
            )
    except LaagerError:
        return None


def title_of_card(opening: Mapping[str, Any]) -> str:
    """Return the title of the card with which a campaign opens, in its languages; "" if the opening has none."""
    title = text_of(opening.get("card", {}).get("title") or "")
    if isinstance(title, Multilingual):
        return Multilingual({code: " ".join(text.split()) for code, text in title.meanings.items()})
    return " ".join(title.split())


def filter_results(results: Iterable[CampaignResult], card: str = "") -> list[CampaignResult]:
    """Return the results of a card; of all, without one."""
    return [result for result in results if card in ("", result.card)]
