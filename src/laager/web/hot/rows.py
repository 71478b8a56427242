"""What the desk asks and tells the database: few statements, each for all requests that have arrived together.

Every request asks anew whose token it is and which seat that person has: a token that is revoked and a seat that is
freed are gone at once, in every process.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from laager.web.models import Game, Member, Player
from laager.web.services.people import throttle
from laager.web.services.people.permissions import Seat

if TYPE_CHECKING:
    from laager.web.services.play.store import Appended

USED_ANEW = timedelta(minutes=1)
"""So exactly a token's last use is kept."""

SEATS = """
SELECT t.digest, t.id, t.used, u.id, u.language, m.id, m.role, m.side, m.freed_on,
       g.id, g.title, g.ruleset, g.owner_id, g.archived, g.length, g.head
FROM web_apitoken t
JOIN web_player u ON u.id = t.user_id
JOIN web_member m ON m.user_id = u.id
JOIN web_game g ON g.id = m.game_id
WHERE u.is_active AND t.digest IN ({}) AND m.game_id IN ({})
"""


@dataclass(frozen=True, slots=True)
class Found:
    """Whose request it is, and how the campaign stands in the database. `token` is its row if its use is to be kept."""

    seat: Seat
    language: str
    length: int
    head: str
    token: int | None
    known: tuple[Any, ...]
    """All of it that an answer shows, besides the campaign's own log."""


Wanted = tuple[str, UUID, str]
"""The digest of a token, a campaign, the name of a seat."""


def find(wanted: Collection[Wanted]) -> dict[Wanted, Found]:
    """Return the seats that are there. Those that are to be freed are left out: their holders have come back."""
    digests = sorted({digest for digest, _, _ in wanted})
    games = sorted({game for _, game, _ in wanted})
    now = timezone.now()
    found = {}
    for row in _rows(SEATS.format(_marks(digests), _marks(games)), [*digests, *map(_key, games)]):
        digest, token, used, user, language, member, role, side, freed_on = row[:9]
        game = _uuid(row[9])
        if freed_on is not None:
            continue
        title, ruleset, owner, archived, length, head = row[10:]
        known = (game, user, member, role, side, title, ruleset, owner, bool(archived))
        seat = _seat(*known)
        stale = used is None or now - _time(used) > USED_ANEW
        found[digest, game, side or role] = Found(seat, language, length, head, token if stale else None, known)
    return found


@lru_cache(maxsize=4096)
def _seat(game: UUID, user: int, member: int, role: str, side: str, *more: Any) -> Seat:
    title, ruleset, owner, archived = more
    return Seat(
        Game(id=game, title=title, ruleset=ruleset, owner_id=owner, archived=archived),
        Player(id=user),
        Member(id=member, game_id=game, user_id=user, role=role, side=side),
    )


@dataclass(frozen=True)
class Beside:
    """What else an answer depends on: who has written too much, which drafts there are, who gets mails."""

    writes: Mapping[int, int]
    drafts: frozenset[tuple[UUID, str]]
    mailed: frozenset[UUID]


def beside(games: Collection[UUID], users: Collection[int]) -> Beside:
    """Return what the answers of these people in these campaigns depend on."""
    keys, names = list(map(_key, games)), [f"write:{user}" for user in users]
    counts = _rows(
        f'SELECT what, count FROM web_throttle WHERE what IN ({_marks(names)}) AND "window" = %s', [*names, window()]
    )
    drafts = _rows(f"SELECT game_id, asked FROM web_draft WHERE game_id IN ({_marks(keys)})", keys)
    mailed = _rows(
        "SELECT DISTINCT m.game_id FROM web_member m JOIN web_player u ON u.id = m.user_id "
        f"WHERE m.game_id IN ({_marks(keys)}) AND m.role = 'player' AND u.mails AND u.email <> '' AND u.is_active",
        keys,
    )
    return Beside(
        {int(what.partition(":")[2]): count for what, count in counts},
        frozenset((_uuid(game), mark) for game, mark in drafts),
        frozenset(_uuid(game) for (game,) in mailed),
    )


def window() -> int:
    """Return the window of time in which changes are counted now (`throttle.count`)."""
    now = int(time.time())
    return now - now % throttle.MINUTE


# Storing ------------------------------------------------------------------------------------------


def stored(appended: Iterable[Appended]) -> set[UUID]:
    """Add lines to campaigns behind the lines they follow; return the campaigns that had moved on and got none."""
    late, lines = set(), []
    # Always in the same order, so that no two processes wait for each other.
    for one in sorted(appended, key=lambda one: one.game):
        args = [one.head, one.length, _stamp(), _key(one.game), one.after, one.after_length]
        if _run("UPDATE web_game SET head=%s, length=%s, changed=%s WHERE id=%s AND head=%s AND length=%s", args) == 1:
            lines += [(_key(one.game), number, line) for number, line in one.lines]
        else:
            late.add(one.game)
    if lines:
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO web_entryline (game_id, number, line) VALUES (%s, %s, %s)", lines)
    return late


def counted(users: Mapping[int, int]) -> None:
    """Count changes of people."""
    for user, number in sorted(users.items()):
        throttle.add(f"write:{user}", window(), number)


def used(tokens: Collection[int]) -> None:
    """Keep that tokens are used now."""
    if tokens:
        rows = sorted(tokens)
        _run(f"UPDATE web_apitoken SET used=%s WHERE id IN ({_marks(rows)})", [_stamp(), *rows])


def published(games: Iterable[UUID], channel: str) -> None:
    """Tell the listeners of PostgreSQL which campaigns have changed."""
    for game in games:
        _run("SELECT pg_notify(%s, %s)", [channel, str(game)])


def _rows(text: str, args: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(text, args)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def _run(text: str, args: Sequence[Any]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(text, args)
        changed: int = cursor.rowcount
    return changed


def _marks(values: Collection[object]) -> str:
    return ", ".join(["%s"] * len(values)) or "NULL"


# SQLite has no type of its own for these; they stand there as Django writes them.


def _key(game: UUID) -> Any:
    return game if connection.vendor == "postgresql" else game.hex


def _uuid(value: Any) -> UUID:
    return value if isinstance(value, UUID) else UUID(value)


def _stamp() -> Any:
    return connection.ops.adapt_datetimefield_value(timezone.now())


def _time(value: datetime) -> datetime:
    return value if value.tzinfo else value.replace(tzinfo=UTC)
