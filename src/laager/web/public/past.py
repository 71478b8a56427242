"""A campaign as everybody may see it: as a spectator saw it some time ago, if all its players agree.

Each player chooses how far the page stays behind, and every choice holds: what a player chose to keep back for a day
nobody sees sooner, whatever the other side chose. The campaign is read again from its first lines. What came later
isn't in it, so that neither a page nor a picture can tell of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import RLock
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.utils import timezone

from laager.base import Refusal, RefusedError
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.commanders.seats import held_seats
from laager.sheets.story import battles, has_story
from laager.web.campaigns.store import text_of
from laager.web.campaigns.tables import OF_A_CAMPAIGN, OF_AN_ENTRY, Table, look
from laager.web.models import Game, Member, Player, PublicDelay, Role
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.recent import Recent

SALT = "laager.public"
DAY = timedelta(days=1)


@dataclass
class _Past:
    """The beginning of a campaign in memory, for one thread at a time."""

    campaign: Campaign
    lock: RLock = field(default_factory=RLock)


def _weight(past: _Past) -> int:
    return OF_A_CAMPAIGN + OF_AN_ENTRY * len(past.campaign.entries)


# Players come first: pages for everybody have a tenth of the memory that the campaigns of players have.
_PASTS: Recent[tuple[UUID, int], _Past] = Recent(100, settings.CONFIG.campaigns_megabytes * 2**20 // 10, _weight)
"""The beginnings that were shown last, by campaign and number of lines: what stands in a log never changes."""


# Consent ------------------------------------------------------------------------------------------


def choose_delay(seat: Seat, delay: str) -> None:
    """Let everybody see the campaign so far behind, as far as it is a player's to say; "" ends it at once.

    Raises RefusedError (bad-answer) for another delay, (not-yours) for who isn't a player, and in a purchase.
    """
    if delay and delay not in PublicDelay.values:
        sentence = f"a public page can't stay {delay[:20]!r} behind"
        raise RefusedError(Refusal.BAD_ANSWER, sentence, f"choose one of these: {', '.join(PublicDelay.values)}")
    with look(seat) as table:
        if not may_choose(table):
            raise RefusedError(Refusal.NOT_YOURS, "only players of a campaign with battles can show it to everybody")
    Member.objects.filter(pk=seat.member.pk).update(public_delay=delay)


def may_choose(table: Table) -> bool:
    """True if a seat's consent is needed for a public page; a purchase has none."""
    return table.seat.may(Action.ANSWER) and has_story(table.campaign)


def agreed_delays(table: Table) -> frozenset[str]:
    """Return how far behind everybody may see a campaign: each of these holds. It is empty until all players agree.

    A commander that holds a side needn't be asked; a side that nobody holds lets nobody see it.
    """
    players = Member.objects.filter(game=table.seat.game, role=Role.PLAYER)
    return agree_on(players, table.ruleset.sides, held_seats(table.campaign.opening))


def agree_on(players: Iterable[Member], sides: Iterable[str], held: Collection[str]) -> frozenset[str]:
    """Return `agreed_delays` of a campaign by its players, its sides, and those that a commander holds."""
    chosen: dict[str, list[str]] = {side: [] for side in sides}
    for player in players:
        chosen[player.side].append(player.public_delay)
    agreed = all(all(delays) and (delays or side in held) for side, delays in chosen.items())
    return frozenset(delay for delays in chosen.values() for delay in delays) if agreed else frozenset()


# The address --------------------------------------------------------------------------------------


def public_key(game: Game) -> str:
    """Return the key of a campaign's public page: it can't be guessed, and stays the same."""
    return signing.Signer(salt=SALT, sep=".").sign(game.pk.hex)


@contextmanager
def look_back(key: str) -> Iterator[Table]:
    """Open a campaign by the key of its public page, as a spectator saw it before the delay.

    Raises RefusedError (no-such) in the same words for a wrong key and for a campaign that its players don't show.
    """
    game = _find_game(key)
    spectator = Seat(game, Player(), Member(game=game, role=Role.SPECTATOR))
    with look(spectator) as table:
        delays = agreed_delays(table)
        if not delays:
            raise _no_page()
        most = _lines_until(table, timezone.now() - DAY) if PublicDelay.DAY in delays else _lines_before_battle(table)
    if len(delays) > 1:
        # A firefight behind what was to be known a day ago: of the last day nothing may count, not even its end.
        with _open_past(spectator, most) as table:
            most = _lines_before_battle(table)
    with _open_past(spectator, most) as table:
        yield table


@contextmanager
def _open_past(spectator: Seat, most: int) -> Iterator[Table]:
    """Open the first lines of a campaign for a spectator."""
    game = spectator.game
    past = _PASTS.get((game.pk, most), lambda: _Past(Campaign(MemoryStore(text_of(game.pk, most)))))
    with past.lock:
        yield Table(spectator, past.campaign)


def _find_game(key: str) -> Game:
    try:
        name = signing.Signer(salt=SALT, sep=".").unsign(key)
        return Game.objects.get(pk=UUID(name))
    except (signing.BadSignature, ValueError, Game.DoesNotExist):
        raise _no_page() from None


def _no_page() -> RefusedError:
    return RefusedError(Refusal.NO_SUCH, "this page doesn't exist, or no longer exists")


# How far ------------------------------------------------------------------------------------------


def _opening_lines(table: Table) -> int:
    """Return how many lines there are before the first step: how the campaign opens, and the seed of its dice."""
    entries = table.campaign.entries
    return next((i for i, entry in enumerate(entries) if entry.type == "step"), len(entries))


def _lines_until(table: Table, moment: datetime) -> int:
    """Return how many lines there are before the first that is younger than a moment; those of the opening always.

    The clock of another machine may have gone back: nothing behind a younger line counts as old.
    """
    entries = table.campaign.entries
    until = next((i for i, entry in enumerate(entries) if datetime.fromisoformat(entry.at) > moment), len(entries))
    return max(until, _opening_lines(table))


def _lines_before_battle(table: Table) -> int:
    """Return how many lines there were when the report on the battle before the last one was complete.

    What happened in a firefight is shown when the next one has been fought, and all of it when the campaign is over.
    """
    if table.campaign.over:
        return len(table.campaign.entries)
    reported = [battle.reported for battle in battles(table.campaign, table.view) if battle.fought]
    return table.view.log[reported[-2] - 1].entry.number if len(reported) > 1 else _opening_lines(table)
