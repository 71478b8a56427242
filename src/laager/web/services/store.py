"""Campaigns in the database: the same lines as in a campaign file, behind the same interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.db import IntegrityError, OperationalError, transaction

from laager.base import Refusal, RefusedError
from laager.campaign.log import ROOT, Entry, Loaded, encode, read_lines
from laager.web.models import EntryLine, Game

if TYPE_CHECKING:
    from uuid import UUID


class DatabaseStore:
    """The lines of one campaign in the database.

    Lines are added all or none, and only behind the line that this store read last: had somebody
    else added any, the append is refused as stale and nothing has changed.
    """

    def __init__(self, game: UUID) -> None:
        self.game = game
        self.name = "campaign"
        self.head = ROOT
        self.length = 0

    def load(self) -> Loaded:
        """Return all entries. Raises DataError if a line was changed or is missing."""
        lines = EntryLine.objects.filter(game=self.game).order_by("number")
        data = "".join(lines.values_list("line", flat=True)).encode()
        loaded, _ = read_lines(data, self.name)
        self.head, self.length = loaded.head, len(loaded.entries)
        return loaded

    def append(self, entries: Sequence[Entry]) -> None:
        """Add entries in one transaction. Raises RefusedError; then none of them is stored."""
        if not entries:
            return
        head, rows = self.head, []
        for entry in entries:
            line, head = encode(entry, head)
            rows.append(EntryLine(game_id=self.game, number=entry.number, line=line.decode()))
        length = self.length + len(rows)
        try:
            with transaction.atomic():
                held = Game.objects.select_for_update().get(pk=self.game)
                if (held.head, held.length) != (self.head, self.length):
                    raise RefusedError(Refusal.STALE, "the campaign has gone on since; look again")
                EntryLine.objects.bulk_create(rows)
                held.head, held.length = head, length
                held.save(update_fields=["head", "length", "changed"])
        except (OperationalError, IntegrityError) as err:
            raise RefusedError(
                Refusal.BROKEN_LOG, "the campaign could not be stored; nothing counts, try again"
            ) from err
        self.head, self.length = head, length


def text_of(game: UUID) -> bytes:
    """Return a campaign as the file that it would be. For its umpire, or when it is over."""
    lines = EntryLine.objects.filter(game=game).order_by("number")
    return "".join(lines.values_list("line", flat=True)).encode()
