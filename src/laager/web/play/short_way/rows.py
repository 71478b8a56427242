"""The statements of the short way: few of them, each for all requests that have arrived together.

Every request asks anew whose token it is and which seat that person has: a token that is revoked and a seat that is
freed are gone at once, in every process.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from laager.web.models import Game, Member, Player
from laager.web.seats import pending_mails
from laager.web.seats.permissions import Seat
from laager.web.shared import throttle

if TYPE_CHECKING:
    from laager.web.campaigns.store import Appended

TOKEN_USE_PRECISION = timedelta(minutes=1)
"""How exactly a token's last use is stored."""

SEATS_SQL = """
SELECT t.digest, t.id, t.used, u.id, u.language, m.id, m.role, m.side, m.freed_on, m.mail_due,
       g.id, g.title, g.ruleset, g.owner_id, g.archived, g.length, g.head{answer_columns}
FROM web_apitoken t
JOIN web_player u ON u.id = t.user_id
JOIN web_member m ON m.user_id = u.id
JOIN web_game g ON g.id = m.game_id
WHERE u.is_active AND t.digest {digests} AND m.game_id {games}
"""
ANSWER_COLUMNS = """,
       (SELECT w.count FROM web_throttle w WHERE w.what = 'write:' || u.id AND w."window" = %s),
       EXISTS (SELECT 1 FROM web_draft d WHERE d.game_id = g.id),
       EXISTS (SELECT 1 FROM web_member o JOIN web_player p ON p.id = o.user_id WHERE o.game_id = g.id
               AND o.role = 'player' AND p.is_active AND (p.mails AND p.email <> ''
                      OR EXISTS (SELECT 1 FROM web_webhook h WHERE h.member_id = o.id)
                      OR o.push AND EXISTS (SELECT 1 FROM web_device d WHERE d.user_id = p.id))),
       EXISTS (SELECT 1 FROM web_member o WHERE o.game_id = g.id AND o.role = 'player' AND o.side = m.side
               AND o.user_id <> m.user_id)
"""
"""Columns that only answers need.

How often that person has written, if there are drafts, if anybody gets notices, if somebody else plays the side, too.
"""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat, its holder, and how the campaign stands in the database. `token` is its row if its use must be stored."""

    seat: Seat
    language: str
    length: int
    head: str
    token: int | None
    cache_key: tuple[Any, ...]
    """Everything that a status shows besides the campaign's own log."""
    changes: int = 0
    """How often that person has changed anything in this window of time."""
    has_drafts: bool = False
    """True if somebody has a draft of an answer in the campaign."""
    mail_soon: bool = False
    """True if a mail to that person is about to be sent; it must wait now."""
    mailed: bool = False
    """True if somebody in the campaign gets notices."""
    shared: bool = False
    """True if somebody else plays the seat's side, too."""


SeatKey = tuple[str, UUID, str]
"""The digest of a token, a campaign, the name of a seat."""


def load_seats(wanted: Collection[SeatKey], answering: bool = False) -> dict[SeatKey, SeatRow]:
    """Return the rows of seats; if `answering`, with the columns that only answers need.

    Seats that are about to be freed are left out: their holders have come back, and Django sees to that.
    """
    digests, digest_args = _in_clause({digest for digest, _, _ in wanted})
    games, game_args = _in_clause({_column_value(game) for _, game, _ in wanted})
    text = SEATS_SQL.format(answer_columns=ANSWER_COLUMNS if answering else "", digests=digests, games=games)
    now, seats = timezone.now(), {}
    for row in _fetch(text, [*([current_window()] if answering else ()), *digest_args, *game_args]):
        digest, token, used, user, language, member, role, side, freed_on, mail_due = row[:10]
        game = _uuid(row[10])
        if freed_on is not None:
            continue
        title, ruleset, owner, archived, length, head, *more = row[11:]
        cache_key = (game, user, member, role, side, title, ruleset, owner, bool(archived))
        stale = used is None or now - _as_utc(used) > TOKEN_USE_PRECISION
        changes, has_drafts, mailed, shared = more or (0, False, False, False)
        seats[digest, game, side or role] = SeatRow(
            _seat(*cache_key), language, length, head, token if stale else None, cache_key, changes or 0,
            bool(has_drafts), mail_due is not None and pending_mails.is_soon(_as_utc(mail_due)), bool(mailed),
            bool(shared),
        )  # fmt: skip
    return seats


@lru_cache(maxsize=4096)
def _seat(game: UUID, user: int, member: int, role: str, side: str, *more: Any) -> Seat:
    title, ruleset, owner, archived = more
    return Seat(
        Game(id=game, title=title, ruleset=ruleset, owner_id=owner, archived=archived),
        Player(id=user),
        Member(id=member, game_id=game, user_id=user, role=role, side=side),
    )


def load_drafts(games: Collection[UUID]) -> frozenset[tuple[UUID, str]]:
    """Return the drafts in campaigns, each by campaign and the mark of its question."""
    if not games:
        return frozenset()
    among, args = _in_clause(map(_column_value, games))
    rows = _fetch(f"SELECT game_id, asked FROM web_draft WHERE game_id {among}", args)
    return frozenset((_uuid(game), mark) for game, mark in rows)


def current_window() -> int:
    """Return the window of time in which changes are counted now (`throttle.count`)."""
    now = int(time.time())
    return now - now % throttle.MINUTE


# Storing ------------------------------------------------------------------------------------------

STORE_SQL = """
WITH wanted AS (
  SELECT * FROM unnest(%s::uuid[], %s::text[], %s::int[], %s::text[], %s::int[])
    AS w(id, head, length, after, after_length)
), held AS (
  SELECT g.id FROM web_game g JOIN wanted w ON g.id = w.id WHERE g.head = w.after AND g.length = w.after_length
  ORDER BY g.id FOR UPDATE OF g
), moved AS (
  UPDATE web_game g SET head = w.head, length = w.length, changed = %s
  FROM wanted w JOIN held ON held.id = w.id
  WHERE g.id = w.id AND g.head = w.after AND g.length = w.after_length
  RETURNING g.id
), added AS (
  INSERT INTO web_entryline (game_id, number, line)
  SELECT l.game, l.number, l.line FROM unnest(%s::uuid[], %s::int[], %b::text[]) AS l(game, number, line)
  JOIN moved ON moved.id = l.game
), counted AS (
  INSERT INTO web_throttle (what, "window", count)
  SELECT c.what, %s, c.count FROM unnest(%s::text[], %s::int[]) AS c(what, count) ORDER BY c.what
  ON CONFLICT (what, "window") DO UPDATE SET count = web_throttle.count + EXCLUDED.count
), used AS (
  UPDATE web_apitoken SET used = %s
  WHERE id IN (SELECT id FROM web_apitoken WHERE id = ANY(%s) ORDER BY id FOR UPDATE SKIP LOCKED)
)
SELECT id, pg_notify(%s, id::text) FROM moved
"""
"""Stores everything in one statement of PostgreSQL, which is a transaction by itself.

Rows are always locked in the same order, so that no two processes wait for each other.
"""


def store(appended: Iterable[Appended], counts: Mapping[int, int], tokens: Collection[int], channel: str) -> set[UUID]:
    """Add lines to campaigns behind the lines they follow; return the campaigns that had moved on and got none.

    Also counts people's changes, marks tokens as used now, and on PostgreSQL notifies the channel of the campaigns
    that have changed. All of it is stored, or nothing.
    """
    ordered = sorted(appended, key=lambda new: new.game)
    writes = [(f"write:{user}", number) for user, number in sorted(counts.items())]
    if connection.vendor == "postgresql":
        return _store_in_one_statement(ordered, writes, tokens, channel)
    late, lines = set(), []
    for new in ordered:
        args = [new.head, new.length, _now_value(), _column_value(new.game), new.after, new.after_length]
        if _run("UPDATE web_game SET head=%s, length=%s, changed=%s WHERE id=%s AND head=%s AND length=%s", args) == 1:
            lines += [(_column_value(new.game), number, line) for number, line in new.lines]
        else:
            late.add(new.game)
    with _cursor() as cursor:
        cursor.executemany("INSERT INTO web_entryline (game_id, number, line) VALUES (?, ?, ?)", lines)
    for counter, number in writes:
        throttle.add(counter, current_window(), number)
    mark_used(tokens)
    return late


def _store_in_one_statement(
    appended: Sequence[Appended], writes: Sequence[tuple[str, int]], tokens: Collection[int], channel: str
) -> set[UUID]:
    columns = zip(*((new.game, new.head, new.length, new.after, new.after_length) for new in appended), strict=True)
    lines = zip(*((new.game, number, line) for new in appended for number, line in new.lines), strict=True)
    whose, numbers = zip(*writes, strict=True)
    now = _now_value()
    args = [
        *map(list, columns),
        now,
        *map(list, lines),
        current_window(),
        list(whose),
        list(numbers),
        now,
        sorted(tokens),
    ]
    moved = {game for game, _ in _fetch(STORE_SQL, [*args, channel])}
    return {new.game for new in appended} - moved


def mark_used(tokens: Collection[int]) -> None:
    """Store that tokens are used now."""
    if tokens:
        among, args = _in_clause(tokens)
        _run(f"UPDATE web_apitoken SET used=%s WHERE id {among}", [_now_value(), *args])


# Statements ---------------------------------------------------------------------------------------


def _fetch(text: str, args: Sequence[Any]) -> list[tuple[Any, ...]]:
    with _cursor() as cursor:
        cursor.execute(_with_placeholders(text), args)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _run(text: str, args: Sequence[Any]) -> int:
    with _cursor() as cursor:
        cursor.execute(_with_placeholders(text), args)
        changed: int = cursor.rowcount
    return changed


@contextmanager
def _cursor() -> Iterator[Any]:
    """Give the driver's own cursor: Django's parses the text of a statement each time."""
    connection.ensure_connection()
    link = connection.connection
    with connection.wrap_database_errors:
        if connection.vendor != "postgresql":
            with closing(link.cursor()) as cursor:
                yield cursor
            return
        import psycopg

        link.prepare_threshold = PREPARE_AFTER
        with psycopg.Cursor(link) as cursor:
            yield cursor


@lru_cache(maxsize=256)
def _with_placeholders(text: str) -> str:
    """Return a statement with the database's own placeholders."""
    return text if connection.vendor == "postgresql" else text.replace("%s", "?")


PREPARE_AFTER = 1
"""Runs after which PostgreSQL prepares a statement."""


def _in_clause(values: Iterable[Any]) -> tuple[str, list[Any]]:
    """Return SQL for “is one of these values”, and its arguments; lists are filled up, so that few texts differ."""
    listed = sorted(values)
    if connection.vendor == "postgresql":
        return "= ANY(%s)", [listed]
    listed += listed[-1:] * ((1 << (len(listed) - 1).bit_length()) - len(listed))
    return f"IN ({', '.join(['%s'] * len(listed))})", listed


# SQLite has no types for these; they are stored as Django writes them.


def _column_value(game: UUID) -> Any:
    return game if connection.vendor == "postgresql" else game.hex


def _uuid(value: Any) -> UUID:
    return value if isinstance(value, UUID) else UUID(value)


def _now_value() -> Any:
    return connection.ops.adapt_datetimefield_value(timezone.now())


def _as_utc(value: datetime) -> datetime:
    return value if value.tzinfo else value.replace(tzinfo=UTC)
