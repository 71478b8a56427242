"""What counts in a log: everything except what an undo took back and no redo brought back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from laager.campaign.log import REQUESTS, Entry


@dataclass
class History:
    """The entries that count, and what an undo has set aside for a redo.

    `counted` grows and shrinks as entries are taken in; `set_aside` holds what each undo took away
    since the last new entry that everybody can see, the latest last, and `kept` how many entries
    it left. Something new in secret doesn't block a redo, as that would reveal it; the redo drops it.
    `cuts` holds how many entries each undo and redo left as they were, `turns` how often anything
    was taken back or brought back: between two turns `counted` only grows.
    """

    counted: list[Entry] = field(default_factory=list)
    set_aside: list[list[Entry]] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)
    rolls: dict[str, int] = field(default_factory=dict)
    cuts: list[int] = field(default_factory=list)
    turns: int = 0

    def take(self, entry: Entry) -> None:
        """Take in the next entry of the log."""
        match entry.type:
            case "undo":
                keep = _position(self.counted, entry.body["to"])
                self.set_aside.append(self.counted[keep:])
                self.kept.append(keep)
                self._cut(keep, [])
            case "redo":
                self._cut(self.kept.pop(), self.set_aside.pop())
            case kind if kind in REQUESTS:
                pass
            case _:
                if entry.to is None:
                    self.set_aside.clear()
                    self.kept.clear()
                self.counted.append(entry)
        if entry.type == "roll":
            # Rolls that were taken back keep their numbers, so that nobody gets the same dice twice.
            stream = entry.body["stream"]
            self.rolls[stream] = max(self.rolls.get(stream, 0), entry.body["number"])

    def _cut(self, keep: int, back: list[Entry]) -> None:
        self.counted[keep:] = back
        self.cuts.append(keep)
        self.turns += 1


def _position(entries: list[Entry], number: int) -> int:
    """Return how many of the entries have at most this number."""
    keep = len(entries)
    while keep and entries[keep - 1].number > number:
        keep -= 1
    return keep


def history_of(entries: Iterable[Entry]) -> History:
    """Return what counts of a whole log."""
    history = History()
    for entry in entries:
        history.take(entry)
    return history
