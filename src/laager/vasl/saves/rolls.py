"""The dice in a log: rolls that VASL announces in its chat window, with player and purpose.

VASL writes `*** (IFT DR) 3,4 ***   <Ann>      Axis SAN    [2 / 9   avg   6,62 (6,62)]    (01.51)`, older versions
`*** 1tK DR = 3,4 ***   <Ann>`. The coloured die comes first. A third face is that of the die for dust.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

MAX_ROLLS = 20_000
_MAX_LINE = 400
"""Longest part of a line of chat that is read, in characters."""
_MAX_WORD = 40
_ROLL = re.compile(
    r"\s*\*{2,3} ?(?:\((?P<new>[^()=*]{1,60})\)|(?P<old>[^()=*<>]{1,60}?) ?=) ?"
    r"(?P<faces>[0-9]{1,3}(?: ?, ?[0-9]{1,3}){0,9}) \*{2,3}(?P<rest>.*)",
    re.DOTALL,
)
_WHO = re.compile(r"\s*(?:<([^<>]{1,64})>|&lt;([^<>]{1,64})&gt;)")
_EVENT = re.compile(r"(?:Axis/Allied|Axis|Allied) (?:SAN|Booby Trap)")
_DICE = {"DR": (2, 3), "dr": (1, 1)}
"""Least and most dice of a kind of roll."""


@dataclass(frozen=True)
class LoggedRoll:
    """A roll in a log: the number of its step, who rolled, what for (as VASL has it), the kind of roll, its faces.

    `kind` is `DR`, `dr`, or what else VASL calls it, such as `3d6`; the coloured die comes first. `event` is what VASL
    says the roll sets off, such as `Axis SAN`.
    """

    step: int
    who: str
    what: str
    kind: str
    faces: tuple[int, ...]
    event: str = ""

    def __str__(self) -> str:
        """The roll in words: `Ann, IFT DR: 3,4`."""
        name = " ".join(filter(None, (self.what, self.kind)))
        words = f"{self.who or '?'}, {name}: {','.join(map(str, self.faces))}"
        return f"{words} ({self.event})" if self.event else words

    def describe(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {**asdict(self), "faces": list(self.faces)}


def rolls_of_dice(rolls: Iterable[LoggedRoll], dice: int) -> dict[int, LoggedRoll]:
    """Return the rolls of one die (dr) or two dice (DR), by their numbers in the log from 1."""
    kind = {1: "dr", 2: "DR"}.get(dice)
    numbered = enumerate(rolls, 1)
    return {number: roll for number, roll in numbered if roll.kind == kind and len(roll.faces) == dice}


def rolls_in(chat: Iterable[tuple[int, str]], clean: Callable[[str], str]) -> tuple[LoggedRoll, ...]:
    """Return the rolls in lines of chat; `clean` makes a text that players have typed fit to show.

    Beyond `MAX_ROLLS` the rest is left out.
    """
    rolls: list[LoggedRoll] = []
    for step, line in chat:
        roll = _parse_roll(step, line[:_MAX_LINE], clean)
        if roll is not None and len(rolls) < MAX_ROLLS:
            rolls.append(roll)
    return tuple(rolls)


def _parse_roll(step: int, line: str, clean: Callable[[str], str]) -> LoggedRoll | None:
    """Return the roll that a line of chat announces, or None."""
    match = _ROLL.match(line)
    if match is None:
        return None
    name = (match["new"] or match["old"] or "").strip()
    purpose, _, kind = name.rpartition(" ")
    if kind not in _DICE:
        purpose, kind = "", name
    faces = tuple(map(int, match["faces"].split(",")))
    least, most = _DICE.get(kind, (1, len(faces)))
    if not least <= len(faces) <= most or (kind in _DICE and not all(1 <= face <= 6 for face in faces)):
        return None
    rest = match["rest"]
    who = _WHO.match(rest)
    event = _EVENT.search(rest[who.end() :] if who else rest)
    return LoggedRoll(
        step=step,
        who=clean((who[1] or who[2]).strip())[:_MAX_WORD] if who else "",
        what=clean(purpose.strip())[:_MAX_WORD],
        kind=clean(kind)[:_MAX_WORD],
        faces=faces,
        event=event[0] if event else "",
    )
