"""What counts of a log: entries taken back by an undo do not, until they are brought back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from laager.campaign.log import Entry


@dataclass
class History:
    """The entries that count, and what an undo has set aside for a redo.

    `counted` grows and shrinks as entries are taken in; `set_aside` holds what each undo since the
    last new entry took away, the latest last. `cuts` holds how many entries each undo left, `turns`
    how often anything was taken back or brought back: between two turns `counted` only grows.
    """

    counted: list[Entry] = field(default_factory=list)
    set_aside: list[list[Entry]] = field(default_factory=list)
    rolls: dict[str, int] = field(default_factory=dict)
    cuts: list[int] = field(default_factory=list)
    turns: int = 0

    def take(self, entry: Entry) -> None:
        """Take in the next entry of the log."""
        match entry.type:
            case "undo":
                keep = _position(self.counted, entry.body["to"])
                self.set_aside.append(self.counted[keep:])
                del self.counted[keep:]
                self.cuts.append(keep)
                self.turns += 1
            case "redo":
                self.counted += self.set_aside.pop()
                self.turns += 1
            case "undo-asked" | "undo-refused" | "end-asked" | "end-refused":
                pass
            case _:
                self.set_aside.clear()
                self.counted.append(entry)
        if entry.type == "roll":
            # Rolls that were taken back keep their numbers: nobody meets the same dice twice.
            stream = entry.body["stream"]
            self.rolls[stream] = max(self.rolls.get(stream, 0), entry.body["number"])


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
