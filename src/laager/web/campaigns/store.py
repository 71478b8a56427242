"""Campaigns in the database: the same lines as in a campaign file, behind the same interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone

from laager.base import DataError, Refusal, RefusedError
from laager.campaign.log import ROOT, Entry, Loaded, check_body, decode, encode, read_lines
from laager.web.campaigns import sealing
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
        """Return all entries. Raises DataError if a line was changed or is missing.

        So does a campaign whose seed the server has no key for.
        """
        loaded, _ = read_lines(text_of(self.game), self.name)
        self.head, self.length = loaded.head, len(loaded.entries)
        return loaded

    def fresh(self) -> list[Entry] | None:
        """Return the entries stored behind the last one that this store knows; None if they don't follow it."""
        lines = EntryLine.objects.filter(game=self.game, number__gt=self.length).order_by("number")
        head, entries = self.head, []
        try:
            for number, line in lines.values_list("number", "line"):
                entry, head = decode(sealing.unseal(self.game, line).encode(), number, head)
                entries.append(entry)
        except (ValueError, KeyError, TypeError):
            return None
        if any(entry.number != self.length + i for i, entry in enumerate(entries, 1)) or any(map(check_body, entries)):
            return None
        self.head, self.length = head, self.length + len(entries)
        return entries

    def append(self, entries: Sequence[Entry]) -> None:
        """Add entries in one transaction. Raises RefusedError; then none of them is stored."""
        if not entries:
            return
        new = self.encode(entries)
        try:
            with transaction.atomic():
                row = Game.objects.filter(pk=self.game, head=self.head, length=self.length)
                if not row.update(head=new.head, length=new.length, changed=timezone.now()):
                    raise RefusedError(Refusal.STALE, "the campaign has moved on", "look again")
                EntryLine.objects.bulk_create(
                    EntryLine(game_id=self.game, number=number, line=line) for number, line in new.lines
                )
        except (OperationalError, IntegrityError) as err:
            raise RefusedError(
                Refusal.BROKEN_LOG, "the campaign could not be stored", "nothing has changed; try again"
            ) from err
        self.head, self.length = new.head, new.length

    def encode(self, entries: Sequence[Entry]) -> Appended:
        """Return entries as they would be added behind the last one that this store knows."""
        head, lines = self.head, []
        for entry in entries:
            line, head = encode(entry, head)
            text = line.decode()
            if entry.type == "seed":
                text = sealing.seal(self.game, text)
            lines.append((entry.number, text))
        return Appended(self.game, self.head, self.length, head, self.length + len(lines), tuple(lines))


@dataclass(frozen=True)
class Appended:
    """Lines to be added to a campaign: by their numbers, behind the line with the hash `after`, the last of so many."""

    game: UUID
    after: str
    after_length: int
    head: str
    length: int
    lines: tuple[tuple[int, str], ...]

    def followed_by(self, other: Appended) -> Appended:
        """Return these lines and those that follow them."""
        return replace(self, head=other.head, length=other.length, lines=self.lines + other.lines)


def text_of(game: UUID, most: int | None = None) -> bytes:
    """Return a campaign as the file that it would be, or its first lines: to work with it, and when it is over.

    Before the end it must not leave the server: it holds the seed of the dice. Raises DataError if
    the server has no key for the seed.
    """
    lines = EntryLine.objects.filter(game=game).order_by("number").values_list("line", flat=True)[:most]
    return "".join(sealing.unseal(game, line) for line in lines).encode()


def renew_seals() -> int:
    """Seal all seeds with the server's present key; return how many no key of the server opens."""
    for row, line in _reseal_rows():
        if line and line != row.line:
            EntryLine.objects.filter(pk=row.pk, line=row.line).update(line=line)
    return closed_seals()


def closed_seals() -> int:
    """Return of how many campaigns the seed is sealed with a key that the server does not have."""
    return sum(not line for _, line in _reseal_rows())


def _reseal_rows() -> Iterator[tuple[EntryLine, str]]:
    """Yield the rows that hold seeds, and each as sealed with the present key; "" if closed."""
    for row in EntryLine.objects.filter(number=sealing.SEED_LINE).iterator():
        try:
            yield row, sealing.reseal(row.game_id, row.line)
        except DataError:
            yield row, ""
