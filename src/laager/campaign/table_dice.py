"""Dice that the players rolled at the table in a battle, as a log of VASL has them: kept with the battle's report.

They decide nothing here; they are what is told of the battle afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from laager.base.counting import count_of

MOST = 5_000
"""Most rolls of a battle that are kept."""


@dataclass(frozen=True)
class TableRoll:
    """A roll: who rolled, what for, the kind of roll (`DR`, `dr`, `3d6`), its faces, the coloured die first."""

    who: str
    what: str
    kind: str
    faces: tuple[int, ...]

    def __str__(self) -> str:
        """The roll in words: `Ann, IFT DR: 3,4`."""
        name = " ".join(filter(None, (self.what, self.kind)))
        return f"{self.who or '?'}, {name}: {','.join(map(str, self.faces))}"

    def record(self) -> list[Any]:
        """Return it as it stands in the log: short, as there are hundreds."""
        return [self.who, self.what, self.kind, list(self.faces)]


def recorded_rolls(body: Mapping[str, Any]) -> tuple[TableRoll, ...]:
    """Return the rolls that stand with an answer; what can't be read is left out."""
    records = body.get("dice")
    return tuple(read_rolls(records)) if isinstance(records, list) else ()


def read_rolls(records: Iterable[Any]) -> Iterator[TableRoll]:
    """Yield rolls from their records, at most `MOST`."""
    for _, record in zip(range(MOST), records, strict=False):
        match record:
            case [str(who), str(what), str(kind), [*faces]] if faces and all(type(face) is int for face in faces):
                yield TableRoll(who, what, kind, tuple(faces))


def by_player(rolls: Iterable[TableRoll]) -> str:
    """Return how many DR and dr each player rolled, with the average; without names how many there are."""
    listed = tuple(rolls)
    sums: dict[tuple[str, str], list[int]] = {}
    for roll in listed:
        if roll.kind in ("DR", "dr"):
            sums.setdefault((roll.who, roll.kind), []).append(sum(roll.faces[:2]))
    known = (
        f"{who or '?'} {len(all_)} {kind} (average {sum(all_) / len(all_):.2f})" for (who, kind), all_ in sums.items()
    )
    return ", ".join(known) or str(len(listed))


def rolls_in_words(body: Mapping[str, Any]) -> str:
    """Return in a sentence which dice stand with an answer; "" if none do."""
    rolls = recorded_rolls(body)
    return f"{count_of(len(rolls), 'roll')} in the game's log: {by_player(rolls)}." if rolls else ""
