"""Answers that have arrived together: they change their campaigns in memory, and one transaction stores all of them.

One wait for the disk confirms them all. Nobody is told anything, and no other request sees anything of it, before it
is stored: each campaign stays locked until then. If it can't be stored, what is in memory is forgotten.

Other processes may change the same campaigns meanwhile: lines are stored only behind the line that they follow.
"""

from __future__ import annotations

import time
from collections import Counter
from contextlib import ExitStack, nullcontext
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection, transaction

from laager.base import LaagerError
from laager.web.campaigns import tables
from laager.web.campaigns.changes import Change, UnpreparedError, change
from laager.web.campaigns.tables import Table
from laager.web.play.short_way import rows, statuses
from laager.web.play.short_way.memory import Opened, opened
from laager.web.shared import events, storing, throttle

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from laager.web.campaigns.store import Appended
    from laager.web.play.short_way.batcher import Call
    from laager.web.play.short_way.rows import Found


class Batch:
    """Answers that are stored together."""

    def __init__(self, calls: list[tuple[Call, Found]]) -> None:
        self._calls = calls
        self._open: dict[UUID, Opened | None] = {}
        self._appended: dict[UUID, Appended] = {}
        self._counted = Counter[int]()
        self._with_effects: list[tuple[UUID, Change]] = []

    @property
    def stores(self) -> bool:
        """True if anything was stored."""
        return bool(self._appended)

    def worked(self, tokens: Collection[int]) -> list[tuple[Call, bytes | None]]:
        """Return what each is sent once all is stored; None for those that Django must answer.

        With it, `tokens` are kept as used now. Raises Error if the database fails; then nothing is stored.
        """
        self._drafts = rows.drafts({found.seat.game.pk for _, found in self._calls if found.drafts})
        with ExitStack() as locks:
            # Nobody else holds two campaigns at a time, so that nobody waits for another in a circle.
            for _, found in self._calls:
                if found.seat.game.pk not in self._open:
                    self._open[found.seat.game.pk] = locks.enter_context(opened(found))
            try:
                replies = [(call, found, self._tried(call, found)) for call, found in self._calls]
                late = self._store(tokens) if self._appended else set()
            except BaseException:
                # What memory holds may be more than what was stored.
                for game in self._appended:
                    self._forget(game)
                raise
            for game, new in self._appended.items():
                there = self._open[game]
                if game in late:
                    self._forget(game)
                elif there is not None:
                    there.held.head = new.head
        for game in self._appended:
            tables.SHELF.weigh(game)
        events.announce_changes(set(self._appended) - late)
        return [(call, None if found.seat.game.pk in late else body) for call, found, body in replies]

    def _tried(self, call: Call, found: Found) -> bytes | None:
        user, begun = found.seat.user.pk, time.thread_time()
        try:
            return self._answered(call, found)
        except (LaagerError, UnpreparedError):
            # Looking along lines takes long; Django says what is refused.
            return None
        finally:
            throttle.LOOKS.charge(user, time.thread_time() - begun)

    def _answered(self, call: Call, found: Found) -> bytes | None:
        """Change a campaign in memory, and return what its seat is sent of it; None for what isn't plain."""
        seat, game = found.seat, found.seat.game.pk
        there = self._open[game]
        if there is None or self._wrote_much(found) or (game, call.mark) in self._drafts:
            return None
        campaign, before = there.campaign, there.campaign.version
        # After an answer that isn't stored yet the campaign stands further on than its head in the database.
        table = Table(seat, campaign) if game in self._appended else statuses.table_of(there.held, found, campaign)
        earlier = table.view
        with tables.gathering(campaign) as lines:
            try:
                with change(table, mailed=found.mailed) as made:
                    made.answer(call.mark, call.value)
            except BaseException:
                if campaign.version != before:
                    self._forget(game)
                raise
        if len(lines) != 1:
            # What else must be done then, Django does.
            self._forget(game)
            return None
        head = lines[0].head
        sent = statuses.outcome(there.held, found, campaign, head, earlier, before)
        first = self._appended.get(game)
        self._appended[game] = first.followed_by(lines[0]) if first else lines[0]
        self._counted[seat.user.pk] += 1
        if made.has_effects:
            self._with_effects.append((game, made))
        return sent

    def _wrote_much(self, found: Found) -> bool:
        return found.written + self._counted[found.seat.user.pk] >= settings.CONFIG.writes_a_minute

    def _store(self, tokens: Collection[int]) -> set[UUID]:
        # On PostgreSQL it is one statement, which needs no transaction around it unless there is more to do.
        alone = connection.vendor == "postgresql" and not self._with_effects
        with storing.in_turn(), nullcontext() if alone else transaction.atomic():
            late = rows.stored(self._appended.values(), self._counted, tokens, events.CHANNEL)
            for game, made in self._with_effects:
                if game not in late:
                    made.store_effects()
        return late

    def _forget(self, game: UUID) -> None:
        there = self._open[game]
        if there is not None:
            there.held.campaign = None
            there.held.shown = {}
            self._open[game] = None
