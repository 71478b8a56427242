"""How campaigns ended, kept beside their logs: a list has hundreds, and a log takes 0.1 s a thousand entries to read.

What is kept holds for the log as it was, by its head. What isn't kept yet, or of an earlier log, is read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from time import thread_time
from typing import Any
from uuid import UUID

from django.db import DatabaseError, transaction

from laager.base import LaagerError
from laager.base.texts import Multilingual, text_of
from laager.commanders.seats import held_seats
from laager.simulation.balance import digest_setting
from laager.web.campaigns.tables import look
from laager.web.models import EntryLine, Game, KeptEnding, Member, Player, Role
from laager.web.records.verification import find_reveal
from laager.web.seats.permissions import Seat

CARD_FIELDS = ("card", "map", "charts", "tables", "readings")
"""The fields of an opening that come from the card."""
BUDGET = 0.5
"""Seconds of work for logs that weren't read before, for one list; the others are read next time."""
REVEALED = '"type":"revealed"'
"""What stands in the line with which the dice are shown, at the end of a campaign."""
SHAPE = 1
"""The shape in which endings are kept; those of another are read again."""


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


def load_endings(games: Iterable[Game]) -> dict[UUID, Ending]:
    """Return how campaigns ended, by campaign, without those that go on. Some may be missing until the next time."""
    heads = {game.pk: game for game in games}
    kept = KeptEnding.objects.filter(game__in=heads)
    known = {row.game_id: row for row in kept if row.head == heads[row.game_id].head and row.shape == SHAPE}
    endings = {pk: _unpack(row.ending) for pk, row in known.items() if row.ending}
    unknown = [game for pk, game in heads.items() if pk not in known]
    return endings | _read_endings(unknown)


def _read_endings(games: Iterable[Game]) -> dict[UUID, Ending]:
    """Return the endings that there is time to read, and keep them."""
    # The last to be played come first: they are news.
    games = sorted(games, key=lambda game: game.changed, reverse=True)
    over = set(EntryLine.objects.filter(game__in=games, line__contains=REVEALED).values_list("game", flat=True))
    end, read = thread_time() + BUDGET, dict[UUID, Ending | None]()
    for game in games:
        if game.pk not in over:
            read[game.pk] = None
        elif thread_time() < end:
            read[game.pk] = _read_ending(game)
    rows = [
        KeptEnding(game=game, head=game.head, shape=SHAPE, ending=_pack(ending) if (ending := read[game.pk]) else None)
        for game in games
        if game.pk in read
    ]
    # What can't be kept, as somebody deletes the campaign just now, is read again.
    with suppress(DatabaseError), transaction.atomic():
        KeptEnding.objects.bulk_create(
            rows, update_conflicts=True, unique_fields=["game"], update_fields=["head", "shape", "ending"]
        )
    return {pk: ending for pk, ending in read.items() if ending}


def _pack(ending: Ending) -> dict[str, Any]:
    card = dict(ending.card.meanings) if isinstance(ending.card, Multilingual) else ending.card
    return asdict(ending) | {"card": card, "began": ending.began.isoformat(), "ended": ending.ended.isoformat()}


def _unpack(plain: Mapping[str, Any]) -> Ending:
    return Ending(
        card=text_of(plain["card"]),
        sides=tuple(plain["sides"]),
        winner=plain["winner"],
        began=datetime.fromisoformat(plain["began"]),
        ended=datetime.fromisoformat(plain["ended"]),
        battles=plain["battles"],
        commanders=tuple((side, name) for side, name in plain["commanders"]),
        digest=plain["digest"],
    )


def _read_ending(game: Game) -> Ending | None:
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
