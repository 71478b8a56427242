"""What the desk asks and tells the database: few statements, each for all requests that have arrived together.

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

USED_ANEW = timedelta(minutes=1)
"""So exactly a token's last use is kept."""

SEATS = """
SELECT t.digest, t.id, t.used, u.id, u.language, m.id, m.role, m.side, m.freed_on, m.mail_due,
       g.id, g.title, g.ruleset, g.owner_id, g.archived, g.length, g.head{beside}
FROM web_apitoken t
JOIN web_player u ON u.id = t.user_id
JOIN web_member m ON m.user_id = u.id
JOIN web_game g ON g.id = m.game_id
WHERE u.is_active AND t.digest {digests} AND m.game_id {games}
"""
BESIDE = """,
       (SELECT w.count FROM web_throttle w WHERE w.what = 'write:' || u.id AND w."window" = %s),
       EXISTS (SELECT 1 FROM web_draft d WHERE d.game_id = g.id),
       EXISTS (SELECT 1 FROM web_member o JOIN web_player p ON p.id = o.user_id WHERE o.game_id = g.id
               AND o.role = 'player' AND p.mails AND p.email <> '' AND p.is_active)
"""
"""What else an answer depends on: how much somebody has written, if there are drafts, if anybody gets mails."""


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
    written: int = 0
    """How often that person has changed anything in this window of time."""
    drafts: bool = False
    """True if somebody prepares an answer in the campaign."""
    mail_soon: bool = False
    """True if that person would soon get a mail, which must wait now."""
    mailed: bool = False
    """True if somebody in the campaign gets mails."""


Wanted = tuple[str, UUID, str]
"""The digest of a token, a campaign, the name of a seat."""


def find(wanted: Collection[Wanted], answering: bool = False) -> dict[Wanted, Found]:
    """Return the seats that are there; if anybody answers, with what answers depend on besides.

    Those that are to be freed are left out: their holders have come back.
    """
    digests, digest_args = _among({digest for digest, _, _ in wanted})
    games, game_args = _among({_key(game) for _, game, _ in wanted})
    text = SEATS.format(beside=BESIDE if answering else "", digests=digests, games=games)
    now, found = timezone.now(), {}
    for row in _rows(text, [*([window()] if answering else ()), *digest_args, *game_args]):
        digest, token, used, user, language, member, role, side, freed_on, mail_due = row[:10]
        game = _uuid(row[10])
        if freed_on is not None:
            continue
        title, ruleset, owner, archived, length, head, *more = row[11:]
        known = (game, user, member, role, side, title, ruleset, owner, bool(archived))
        stale = used is None or now - _time(used) > USED_ANEW
        written, drafts, mailed = more or (0, False, False)
        found[digest, game, side or role] = Found(
            _seat(*known), language, length, head, token if stale else None, known, written or 0, bool(drafts),
            mail_due is not None and pending_mails.is_soon(_time(mail_due)), bool(mailed),
        )  # fmt: skip
    return found


@lru_cache(maxsize=4096)
def _seat(game: UUID, user: int, member: int, role: str, side: str, *more: Any) -> Seat:
    title, ruleset, owner, archived = more
    return Seat(
        Game(id=game, title=title, ruleset=ruleset, owner_id=owner, archived=archived),
        Player(id=user),
        Member(id=member, game_id=game, user_id=user, role=role, side=side),
    )


def drafts(games: Collection[UUID]) -> frozenset[tuple[UUID, str]]:
    """Return the answers that are being prepared in these campaigns, by the marks of what is asked."""
    if not games:
        return frozenset()
    among, args = _among(map(_key, games))
    found = _rows(f"SELECT game_id, asked FROM web_draft WHERE game_id {among}", args)
    return frozenset((_uuid(game), mark) for game, mark in found)


def window() -> int:
    """Return the window of time in which changes are counted now (`throttle.count`)."""
    now = int(time.time())
    return now - now % throttle.MINUTE


# Storing ------------------------------------------------------------------------------------------

AT_ONCE = """
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
"""All of it in one statement of PostgreSQL, which is a transaction by itself.

Rows are locked in the same order always, so that no two processes wait for each other.
"""


def stored(appended: Iterable[Appended], counts: Mapping[int, int], tokens: Collection[int], channel: str) -> set[UUID]:
    """Add lines to campaigns behind the lines they follow; return the campaigns that had moved on and got none.

    With them, changes of people are counted, tokens kept as used now, and on PostgreSQL those who listen at the
    channel are told which campaigns have changed. All of it is stored, or nothing.
    """
    ordered = sorted(appended, key=lambda one: one.game)
    writes = [(f"write:{user}", number) for user, number in sorted(counts.items())]
    if connection.vendor == "postgresql":
        return _stored_at_once(ordered, writes, tokens, channel)
    late, lines = set(), []
    for one in ordered:
        args = [one.head, one.length, _stamp(), _key(one.game), one.after, one.after_length]
        if _run("UPDATE web_game SET head=%s, length=%s, changed=%s WHERE id=%s AND head=%s AND length=%s", args) == 1:
            lines += [(_key(one.game), number, line) for number, line in one.lines]
        else:
            late.add(one.game)
    with _cursor() as cursor:
        cursor.executemany("INSERT INTO web_entryline (game_id, number, line) VALUES (?, ?, ?)", lines)
    for what, number in writes:
        throttle.add(what, window(), number)
    used(tokens)
    return late


def _stored_at_once(
    appended: Sequence[Appended], writes: Sequence[tuple[str, int]], tokens: Collection[int], channel: str
) -> set[UUID]:
    columns = zip(*((one.game, one.head, one.length, one.after, one.after_length) for one in appended), strict=True)
    lines = zip(*((one.game, number, line) for one in appended for number, line in one.lines), strict=True)
    whose, numbers = zip(*writes, strict=True)
    now = _stamp()
    args = [*map(list, columns), now, *map(list, lines), window(), list(whose), list(numbers), now, sorted(tokens)]
    moved = {game for game, _ in _rows(AT_ONCE, [*args, channel])}
    return {one.game for one in appended} - moved


def used(tokens: Collection[int]) -> None:
    """Keep that tokens are used now."""
    if tokens:
        among, args = _among(tokens)
        _run(f"UPDATE web_apitoken SET used=%s WHERE id {among}", [_stamp(), *args])


# Statements ---------------------------------------------------------------------------------------


def _rows(text: str, args: Sequence[Any]) -> list[tuple[Any, ...]]:
    with _cursor() as cursor:
        cursor.execute(_own(text), args)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def _run(text: str, args: Sequence[Any]) -> int:
    with _cursor() as cursor:
        cursor.execute(_own(text), args)
        changed: int = cursor.rowcount
    return changed


@contextmanager
def _cursor() -> Iterator[Any]:
    """Give a cursor of the database's own: Django's reads the text of a statement anew each time."""
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
def _own(text: str) -> str:
    """Return a statement with the marks that the database has for arguments."""
    return text if connection.vendor == "postgresql" else text.replace("%s", "?")


PREPARE_AFTER = 1
"""After so many times PostgreSQL keeps how a statement is carried out."""


def _among(values: Iterable[Any]) -> tuple[str, list[Any]]:
    """Return what says in SQL that a value is one of these, and its arguments; few such texts are kept prepared."""
    listed = sorted(values)
    if connection.vendor == "postgresql":
        return "= ANY(%s)", [listed]
    listed += listed[-1:] * ((1 << (len(listed) - 1).bit_length()) - len(listed))
    return f"IN ({', '.join(['%s'] * len(listed))})", listed


# SQLite has no type of its own for these; they stand there as Django writes them.


def _key(game: UUID) -> Any:
    return game if connection.vendor == "postgresql" else game.hex


def _uuid(value: Any) -> UUID:
    return value if isinstance(value, UUID) else UUID(value)


def _stamp() -> Any:
    return connection.ops.adapt_datetimefield_value(timezone.now())


def _time(value: datetime) -> datetime:
    return value if value.tzinfo else value.replace(tzinfo=UTC)
