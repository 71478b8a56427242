"""The rules and effects of every change of a campaign: who may make it, and what goes with it.

All ways to act go through `change`: pages and API by `actions`, which stores each change in a transaction of its own,
and the short way (`short_way.batch`), which stores those that arrive together. What holds for one way holds for the
other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from laager.base import Refusal, RefusedError
from laager.commanders.seats import find_pondered, play_held_seats
from laager.web.campaigns import answerers, los, notebook, thinking
from laager.web.campaigns.notices import Notifier
from laager.web.campaigns.tables import Table
from laager.web.seats.permissions import Action, Seat
from laager.web.shared import meters

if TYPE_CHECKING:
    from laager.campaign import SightFound
    from laager.campaign.table_dice import TableRoll


class UnpreparedError(Exception):
    """An answer asks about LOS, which nobody has looked up yet."""


class Change:
    """A change that a seat makes to a campaign in memory; see `change`."""

    def __init__(self, table: Table, notifier: Notifier | None, shared: bool) -> None:
        self.table = table
        self.notifier = notifier
        self.shared = shared
        self.version_before = table.campaign.version
        self.ends_campaign = False

    @property
    def has_effects(self) -> bool:
        """True if more is to be stored than the lines of the log."""
        return self.notifier is not None or self.ends_campaign or self.shared

    def answer(
        self, mark: str, raw: Any, los_found: tuple[SightFound, ...] | None = None, dice: Sequence[TableRoll] = ()
    ) -> None:
        """Give the answer to the question with this mark.

        `los_found` is what was looked up about LOS for it, and is recorded with it, as are the `dice` of its draft.
        Raises UnpreparedError if nothing was looked up (None) and something must be; RefusedError, DataError.
        """
        asked = self.table.find_open(mark)
        question = asked.need_question()
        if los_found is None and los.needed_los(self.table, asked, raw) is not None:
            raise UnpreparedError
        self.table.campaign.answer(asked.pending.side, question.key, raw, sights=los_found or (), dice=dice)

    def store_effects(self) -> None:
        """Store what goes with the change, within the transaction that stores its lines."""
        fresh = self.table.campaign.entries[self.version_before :]
        meters.count_answers(sum(entry.type == "answer" for entry in fresh))
        if self.shared:
            answerers.note_answerer(self.table.seat, fresh)
        if self.ends_campaign:
            notebook.renumber(self.table.seat.game.pk, self.table.campaign)
        if self.notifier is not None:
            self.notifier.tell()


def check_may_change(seat: Seat, action: Action = Action.ANSWER) -> None:
    """Raise RefusedError unless a seat may change its campaign now."""
    seat.need(action)
    if seat.game.archived:
        raise RefusedError(
            Refusal.OVER, "the campaign is in the archive", "its owner or the host of the server can take it out"
        )


@contextmanager
def change(table: Table, action: Action = Action.ANSWER, mailed: bool = True, shared: bool = True) -> Iterator[Change]:
    """Let a seat change a campaign in memory; afterwards the change knows its effects, which are to be stored.

    `mailed` is false if nobody in the campaign gets mails, `shared` if nobody else plays the seat's side. Raises
    RefusedError if the seat may not.
    """
    check_may_change(table.seat, action)
    over = table.campaign.over
    made = Change(table, Notifier(table.seat.game, table.campaign, table.seat.user) if mailed else None, shared)
    yield made
    play_held_seats(table.campaign, patient=False)
    if find_pondered(table.campaign) is not None:
        thinking.note(table.seat.game.pk)
    made.ends_campaign = table.campaign.over and not over
