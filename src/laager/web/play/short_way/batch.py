"""A batch of answers: they change their campaigns in memory, and one transaction stores all of them.

One wait for the disk confirms them all. Nobody is told anything, and no other request sees any of it, before it is
stored: each campaign stays locked until then. If it can't be stored, the campaigns are dropped from memory.

Other processes may change the same campaigns meanwhile: lines are stored only behind the line that they follow.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from django.conf import settings
from django.db import connection, transaction

from laager.base import LaagerError
from laager.web.campaigns import tables
from laager.web.campaigns.changes import Change, UnpreparedError, change
from laager.web.campaigns.tables import Table
from laager.web.play.short_way import memory, rows
from laager.web.play.short_way.memory import OpenCampaign, open_campaign
from laager.web.shared import events, storing, throttle

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from laager.web.campaigns.store import Appended
    from laager.web.play.short_way.rows import SeatKey, SeatRow


@dataclass(eq=False, slots=True)
class SeatRequest:
    """A request at a seat: `done` gives the reply, or None if Django must answer.

    `counts` is False for the looks of a request that waits for news, which its client didn't ask for one by one.
    """

    kind: Literal["status", "asked", "answer", "tag"]
    seat_key: SeatKey
    done: asyncio.Future[Reply | None]
    mark: str = ""
    value: Any = None
    counts: bool = True
    sent: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """The body sent to a seat (for `tag` the tag alone), with its holder and that person's language."""

    body: bytes
    user: int
    language: str


class Batch:
    """Answers that are stored together."""

    def __init__(self, requests: list[tuple[SeatRequest, SeatRow]]) -> None:
        self._requests = requests
        self._open: dict[UUID, OpenCampaign | None] = {}
        self._appended: dict[UUID, Appended] = {}
        self._counted = Counter[int]()
        self._with_effects: list[tuple[UUID, Change]] = []

    @property
    def stores(self) -> bool:
        """True if anything was stored."""
        return bool(self._appended)

    def commit(self, tokens: Collection[int]) -> list[tuple[SeatRequest, bytes | None]]:
        """Store all answers and return what each request is sent; None for those that Django must answer.

        Also marks `tokens` as used now. Raises Error if the database fails; then nothing is stored.
        """
        self._drafts = rows.load_drafts({row.seat.game.pk for _, row in self._requests if row.has_drafts})
        with ExitStack() as locks:
            # Nobody else holds two campaigns at a time, so that nobody waits for another in a circle.
            for _, row in self._requests:
                if row.seat.game.pk not in self._open:
                    self._open[row.seat.game.pk] = locks.enter_context(open_campaign(row))
            try:
                replies = [(request, row, self._try_answer(request, row)) for request, row in self._requests]
                late = self._store(tokens) if self._appended else set()
            except BaseException:
                # What memory holds may be more than what was stored.
                for game in self._appended:
                    self._forget(game)
                raise
            for game, new in self._appended.items():
                opened = self._open[game]
                if game in late:
                    self._forget(game)
                elif opened is not None:
                    opened.held.head = new.head
        for game in self._appended:
            tables.SHELF.weigh(game)
        events.announce_changes(set(self._appended) - late)
        return [(request, None if row.seat.game.pk in late else body) for request, row, body in replies]

    def _try_answer(self, request: SeatRequest, row: SeatRow) -> bytes | None:
        user, begun = row.seat.user.pk, time.thread_time()
        try:
            return self._answer(request, row)
        except (LaagerError, UnpreparedError):
            # Looking along lines takes long; Django says what is refused.
            return None
        finally:
            throttle.LOOKS.charge(user, time.thread_time() - begun)

    def _answer(self, request: SeatRequest, row: SeatRow) -> bytes | None:
        """Apply an answer to its campaign in memory, and return what its seat is sent; None if Django must answer."""
        seat, game = row.seat, row.seat.game.pk
        opened = self._open[game]
        if opened is None or self._is_over_limit(row) or (game, request.mark) in self._drafts:
            return None
        campaign, before = opened.campaign, opened.campaign.version
        # After an answer that isn't stored yet the campaign stands further on than its head in the database.
        table = Table(seat, campaign) if game in self._appended else memory.table_of(opened.held, row, campaign)
        earlier = table.view
        with tables.collect_appended(campaign) as lines:
            try:
                with change(table, mailed=row.mailed, shared=row.shared) as applied:
                    applied.answer(request.mark, request.value)
            except BaseException:
                if campaign.version != before:
                    self._forget(game)
                raise
        if len(lines) != 1:
            # Django does what else must be done then.
            self._forget(game)
            return None
        head = lines[0].head
        sent = memory.render_outcome(opened.held, row, campaign, head, earlier, before)
        first = self._appended.get(game)
        self._appended[game] = first.followed_by(lines[0]) if first else lines[0]
        self._counted[seat.user.pk] += 1
        if applied.has_effects:
            self._with_effects.append((game, applied))
        return sent

    def _is_over_limit(self, row: SeatRow) -> bool:
        return row.changes + self._counted[row.seat.user.pk] >= settings.CONFIG.writes_a_minute

    def _store(self, tokens: Collection[int]) -> set[UUID]:
        # On PostgreSQL it is one statement, which needs no transaction around it unless there is more to do.
        alone = connection.vendor == "postgresql" and not self._with_effects
        with storing.in_turn(), nullcontext() if alone else transaction.atomic():
            late = rows.store(self._appended.values(), self._counted, tokens, events.CHANNEL)
            for game, applied in self._with_effects:
                if game not in late:
                    applied.store_effects()
        return late

    def _forget(self, game: UUID) -> None:
        opened = self._open[game]
        if opened is not None:
            opened.held.campaign = None
            opened.held.shown = {}
            self._open[game] = None
