"""What counts in a log: everything except what an undo took back and no redo brought back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from laager.campaign.log import REQUESTS, Entry

REOPENED = "answered question"
"""What a ruling counts among the corrections of a secret record if it reopens an answer given in secret."""


@dataclass(frozen=True)
class Reserved:
    """What an undo for a ruling took away, and keeps in reserve: the entries after number `to` (see `again`)."""

    to: int
    entries: tuple[Entry, ...]
    by_hand: frozenset[str] | None = frozenset()
    """The sides whose answers come as proposals only; None: all, as something was taken back since."""
    reopened: frozenset[int] = frozenset()
    """The numbers of the answers that are to be given anew."""
    by_hand_then: frozenset[str] = frozenset()
    """The sides whose answers come as proposals only from the reopened answer on."""
    confirm: frozenset[str] = frozenset()
    """The sides whose secret answers come as proposals only: nobody may see which of them no longer hold."""
    spent: frozenset[tuple[str, int]] = frozenset()
    """Stream and number of rolls that were taken back since, and don't come again."""


@dataclass(frozen=True)
class Taken:
    """What an undo took away: the entries after number `to`, or those of one lane alone ("": of all).

    With `side` it took the answers of this side alone.
    """

    to: int
    lane: str
    entries: tuple[Entry, ...]
    side: str = ""
    reserves: tuple[Reserved, ...] = ()
    """What was in reserve before."""


@dataclass
class History:
    """The entries that count, and what an undo has set aside for a redo.

    `counted` grows and shrinks as entries are taken in; `set_aside` holds what each undo took away
    since the last new entry that everybody can see, the latest last. An undo of one lane leaves what
    the other lanes of the step did since, and one of a side's answers what the other side answered.
    Something new in secret doesn't block a redo, as that would reveal it; the redo drops it.
    `cuts` holds how many entries each undo and redo left as they were, `turns` how often anything
    was taken back or brought back: between two turns `counted` only grows.
    `reserves` is what rulings have put in reserve, the latest last; `replaced` is what each ruling took away, by the
    number of its entry. `settlers` are the sides that would let the battle of the open step be settled.
    """

    counted: list[Entry] = field(default_factory=list)
    set_aside: list[Taken] = field(default_factory=list)
    rolls: dict[str, int] = field(default_factory=dict)
    cuts: list[int] = field(default_factory=list)
    turns: int = 0
    reserves: tuple[Reserved, ...] = ()
    replaced: dict[int, Taken] = field(default_factory=dict)
    settlers: frozenset[str] = frozenset()

    def take(self, entry: Entry) -> None:
        """Take in the next entry of the log."""
        if self.settlers and entry.type in {"step", "done", "undo", "redo", "settle-refused"}:
            self.settlers = frozenset()
        match entry.type:
            case "undo":
                self._undo(entry)
            case "redo":
                taken = self.set_aside.pop()
                self._replace(taken, taken.entries)
                self.reserves = taken.reserves
            case "settle-asked":
                self.settlers |= {entry.body["by"]}
            case kind if kind in REQUESTS:
                pass
            case _:
                if entry.type in {"ruling", "reopened"} and self.reserves:
                    self._rule(entry)
                if entry.to is None:
                    self.set_aside.clear()
                self.counted.append(entry)
        if entry.type == "roll":
            # Rolls that were taken back keep their numbers, so that nobody gets the same dice twice.
            stream = entry.body["stream"]
            self.rolls[stream] = max(self.rolls.get(stream, 0), entry.body["number"])

    def going(self, to: int, lane: str = "", side: str = "") -> list[Entry]:
        """Return what an undo to just after entry `to` takes away; of one lane, or one side's answers, if named."""
        tail = self.counted[position(self.counted, to) :]
        return [entry for entry in tail if _goes(entry, lane, side)]

    def dropped_by_redo(self) -> list[Entry]:
        """Return what the next redo drops: what came, where the last undo took away, since then."""
        taken = self.set_aside[-1]
        return self.going(taken.to, taken.lane, taken.side)

    def _undo(self, entry: Entry) -> None:
        """Take away what an undo names; one that takes a ruling back restores what the ruling took away."""
        to, lane, side = entry.body["to"], entry.body.get("lane", ""), entry.body.get("side", "")
        taken = Taken(to, lane, tuple(self.going(to, lane, side)), side, self.reserves)
        self.set_aside.append(taken)
        head = taken.entries[0] if taken.entries else None
        restored = self.replaced.get(head.number) if head and entry.body.get("restores") else None
        self._replace(taken, restored.entries if restored else ())
        standing = tuple(reserved for reserved in self.reserves if reserved.to <= to)
        if entry.body.get("again"):
            self.reserves = (*standing, Reserved(to, taken.entries))
        elif restored and head:
            by_hand = frozenset(head.body["secret"])
            confirm = frozenset(head.body.get("confirm", ()))
            self.reserves = (*restored.reserves, Reserved(to, taken.entries, by_hand, confirm=confirm))
        else:
            # Who takes back by hand wants to decide anew: what is in reserve is proposed, not given again.
            rolls = {(gone.body["stream"], gone.body["number"]) for gone in taken.entries if gone.type == "roll"}
            self.reserves = tuple(_left_to_hand(reserved, side or lane, rolls) for reserved in standing)

    def _rule(self, entry: Entry) -> None:
        """Note what a ruling that counts now means for what was taken away for it."""
        latest = self.reserves[-1]
        if entry.type == "reopened":
            latest = replace(latest, reopened=frozenset(reopened_numbers(latest.entries, entry)))
        elif not entry.body.get("again"):
            self.replaced[entry.number] = self.set_aside[-1]
            secret = entry.body["secret"]
            then = frozenset(side for side, counts in secret.items() if set(counts) == {REOPENED})
            confirm = frozenset(entry.body.get("confirm", ()))
            latest = replace(latest, by_hand=frozenset(secret) - then, by_hand_then=then, confirm=confirm)
        self.reserves = (*self.reserves[:-1], latest)

    def _replace(self, taken: Taken, back: Iterable[Entry]) -> None:
        """Put entries in the place of those that go; what stays behind them keeps its order."""
        keep = position(self.counted, taken.to)
        staying = [entry for entry in self.counted[keep:] if not _goes(entry, taken.lane, taken.side)]
        self.counted[keep:] = sorted((*staying, *back), key=lambda entry: entry.number)
        self.cuts.append(keep)
        self.turns += 1


def _left_to_hand(reserved: Reserved, side: str, rolls: Iterable[tuple[str, int]]) -> Reserved:
    """Return a reserve after something was taken back by hand: by one side ("": of all), and these rolls with it."""
    by_hand = reserved.by_hand | {side} if side and reserved.by_hand is not None else None
    return replace(reserved, by_hand=by_hand, spent=reserved.spent.union(rolls))


def _goes(entry: Entry, lane: str, side: str) -> bool:
    """True if an undo of this lane, or of this side's answers, takes the entry away ("": of all)."""
    if side and (entry.type != "answer" or entry.body["side"] != side):
        return False
    return not lane or entry.lane == lane


def reopened_numbers(taken: Iterable[Entry], reopened: Entry) -> Iterable[int]:
    """Yield the number of the answer, in the first step that was taken away, that a `reopened` entry names."""
    body = reopened.body
    nth = 0
    for entry in taken:
        if entry.type == "done":
            return
        named = entry.type == "answer" and entry.lane == reopened.lane
        if named and (entry.body["side"], entry.body["key"]) == (body["side"], body["key"]):
            nth += 1
            if nth == body["nth"]:
                yield entry.number


def position(entries: list[Entry], number: int) -> int:
    """Return how many of the entries have at most this number."""
    keep = len(entries)
    while keep and entries[keep - 1].number > number:
        keep -= 1
    return keep
