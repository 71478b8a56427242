"""What counts in a log: everything except what an undo took back and no redo brought back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from laager.campaign.log import REQUESTS, Entry


@dataclass(frozen=True)
class Taken:
    """What an undo took away: the entries after number `to`, or those of one lane alone ("": of all)."""

    to: int
    lane: str
    entries: tuple[Entry, ...]


@dataclass
class History:
    """The entries that count, and what an undo has set aside for a redo.

    `counted` grows and shrinks as entries are taken in; `set_aside` holds what each undo took away
    since the last new entry that everybody can see, the latest last. An undo of one lane leaves what
    the other lanes of the step did since. Something new in secret doesn't block a redo, as that would
    reveal it; the redo drops it.
    `cuts` holds how many entries each undo and redo left as they were, `turns` how often anything
    was taken back or brought back: between two turns `counted` only grows.
    """

    counted: list[Entry] = field(default_factory=list)
    set_aside: list[Taken] = field(default_factory=list)
    rolls: dict[str, int] = field(default_factory=dict)
    cuts: list[int] = field(default_factory=list)
    turns: int = 0

    def take(self, entry: Entry) -> None:
        """Take in the next entry of the log."""
        match entry.type:
            case "undo":
                to, lane = entry.body["to"], entry.body.get("lane", "")
                self.set_aside.append(Taken(to, lane, tuple(self.going(to, lane))))
                self._replace(to, lane, ())
            case "redo":
                taken = self.set_aside.pop()
                self._replace(taken.to, taken.lane, taken.entries)
            case kind if kind in REQUESTS:
                pass
            case _:
                if entry.to is None:
                    self.set_aside.clear()
                self.counted.append(entry)
        if entry.type == "roll":
            # Rolls that were taken back keep their numbers, so that nobody gets the same dice twice.
            stream = entry.body["stream"]
            self.rolls[stream] = max(self.rolls.get(stream, 0), entry.body["number"])

    def going(self, to: int, lane: str = "") -> list[Entry]:
        """Return what an undo to just after entry `to` takes away; of one lane alone if it is named."""
        tail = self.counted[_position(self.counted, to) :]
        return [entry for entry in tail if not lane or entry.lane == lane]

    def dropped_by_redo(self) -> list[Entry]:
        """Return what the next redo drops: what came, where the last undo took away, since then."""
        taken = self.set_aside[-1]
        return self.going(taken.to, taken.lane)

    def _replace(self, to: int, lane: str, back: Iterable[Entry]) -> None:
        """Put entries in the place of those that go; what stays behind them keeps its order."""
        keep = _position(self.counted, to)
        staying = [entry for entry in self.counted[keep:] if lane and entry.lane != lane]
        self.counted[keep:] = sorted((*staying, *back), key=lambda entry: entry.number)
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
