"""What a host sees: campaigns as a spectator would, people, sizes, runs, versions, the last good backup.

A host may be an opponent. What is shown of a campaign therefore comes through a spectator's view; how often or when
something is stored for it, and how many notices wait, would tell of a side's secrets and isn't shown.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import django
from django.db import connection
from django.db.models import Count, Max

from laager import __version__
from laager.base import LaagerError
from laager.campaign import find_ruleset
from laager.web.campaigns.tables import Table, look
from laager.web.models import Game, Member, Player, Role, Simulation
from laager.web.records.verification import find_reveal
from laager.web.seats.permissions import Seat
from laager.web.serving.backup.last import LastBackup, last_backup
from laager.web.serving.config import Config

MEGABYTE = 2**20


@dataclass(frozen=True)
class CampaignRow:
    """A campaign as everybody at its table may see it. One that can't be opened has only a title, owner and seats."""

    game: Game
    ruleset: str
    opens: bool
    moved: str = ""
    """The time of the last thing that everybody could see, as the log has it."""
    waiting_for: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The sides whose answers are missing, each with its players."""
    lines: int = 0
    """How long the log is that everybody can see."""


@dataclass(frozen=True)
class PersonRow:
    """An account: whose, in how many campaigns, and the last day on which something was asked for with it."""

    person: Player
    campaigns: int
    seen: date | None


@dataclass(frozen=True)
class ServerFacts:
    """The server itself. Sizes are whole megabytes, rounded up."""

    program: str
    python: str
    django: str
    database: str
    megabytes: int
    accounts: int
    campaigns: int
    runs: Mapping[str, int]
    """How many simulations there are, by their state in words."""
    backup: LastBackup | None


def describe_server(config: Config) -> ServerFacts:
    """Return what the server says of itself."""
    counted = count_simulations()
    states = ((str(label), counted[state]) for state, label in Simulation.State.choices)
    return ServerFacts(
        program=__version__,
        python=platform.python_version(),
        django=django.get_version(),
        database=_database_version(),
        megabytes=-(-_database_bytes() // MEGABYTE),
        accounts=Player.objects.count(),
        campaigns=Game.objects.count(),
        runs={label: number for label, number in states if number},
        backup=last_backup(config),
    )


def count_simulations() -> dict[str, int]:
    """Return how many simulations there are, by their state."""
    counted = dict(Simulation.objects.order_by().values_list("state").annotate(Count("pk")))
    return {str(state): counted.get(state, 0) for state in Simulation.State.values}


def _database_version() -> str:
    number = ".".join(str(part) for part in connection.get_database_version())
    return f"{connection.display_name} {number}"


def _database_bytes() -> int:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    with connection.cursor() as cursor:
        cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        return int(cursor.fetchone()[0])


def list_campaigns(games: Sequence[Game], host: Player) -> list[CampaignRow]:
    """Return campaigns as a spectator sees them."""
    players: dict[Any, dict[str, list[str]]] = {}
    seats = Member.objects.filter(game__in=games, role=Role.PLAYER).select_related("user").order_by("since", "pk")
    for member in seats:
        players.setdefault(member.game_id, {}).setdefault(member.side, []).append(member.user.username)
    return [_campaign_row(game, host, players.get(game.pk, {})) for game in games]


def watch(game: Game, host: Player) -> Seat:
    """Return the seat of a spectator for the host, who may know no more of a campaign."""
    return Seat(game, host, Member(game=game, user=host, role=Role.SPECTATOR))


def is_over(game: Game, host: Player) -> bool:
    """Return True if a campaign is over, so that its file can be had; a campaign that can't be opened isn't."""
    try:
        with look(watch(game, host)) as table:
            return find_reveal(table) is not None
    except LaagerError:
        return False


def _campaign_row(game: Game, host: Player, players: Mapping[str, Iterable[str]]) -> CampaignRow:
    try:
        title = find_ruleset(game.ruleset).title
    except LaagerError:
        title = game.ruleset
    try:
        with look(watch(game, host)) as table:
            return _seen_row(table, game, title, players)
    except LaagerError:
        # What is wrong may quote a line of the log; `laager verify` says it to who may read it.
        return CampaignRow(game, title, opens=False)


def _seen_row(table: Table, game: Game, title: str, players: Mapping[str, Iterable[str]]) -> CampaignRow:
    view = table.view
    waiting = tuple((side, tuple(players.get(side, ()))) for side in view.waiting_for)
    return CampaignRow(game, title, True, str(view.log[-1].entry.at), waiting, len(view.log))


def list_people() -> list[PersonRow]:
    """Return all accounts by name."""
    accounts = Player.objects.annotate(used=Max("tokens__used"), at=Count("seats__game", distinct=True))
    return [PersonRow(each, each.at, _last_seen(each.seen, each.used)) for each in accounts.order_by("username")]


def _last_seen(visited: date | None, used: datetime | None) -> date | None:
    days = [day for day in (visited, used.date() if used else None) if day]
    return max(days, default=None)
