"""Marks: the numbers of the pieces that Laager writes into a save, by which it recognizes them.

VASL keeps a piece's number through play, logs and saves; only pieces that it makes itself (a half-squad of a
Deployment, a Replaced unit) get one of their own. So the number of a piece says whose counter it is, and reads like
any other: 18 digits that follow from a key, the battle and the unit's id, and that nobody without the key can tell
from chance.

A unit that both sides know has a mark that both can compute, so that neither puts it on the map twice. All others
have one under a key that only their own side's view holds: the enemy cannot try out ids on them.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError

if TYPE_CHECKING:
    from laager.campaign.views import View

DIGITS = 18
"""Digits of a mark: more than the milliseconds that VASL counts, and still a whole number to Java."""

NO_COUNTER = frozenset({"booby-traps", "hip", "cave-complex"})
"""Kinds of works without a counter on the map."""

_LEAST = 10 ** (DIGITS - 1)


@dataclass(frozen=True, repr=False)
class Marks:
    """The marks of one battle as one side can compute them: `open` key, the side's `own` key, number of the battle."""

    open: str
    own: str
    battle: int

    def __repr__(self) -> str:
        # The keys are not for messages.
        return f"<Marks of battle {self.battle}>"

    def open_mark(self, name: str) -> str:
        """Return the mark of something that both sides know: the id of a unit, or a word for another piece."""
        return self._compute(self.open, name)

    def secret(self, name: str) -> str:
        """Return the mark of something that only this side knows."""
        return self._compute(self.own, name)

    def of(self, name: str, *, known: bool) -> str:
        """Return the mark that a unit has in a save, by whether the enemy knows it (`Unit.known`)."""
        return self.open_mark(name) if known else self.secret(name)

    def units(self, ids: Iterable[str], battle: int | None = None) -> Mapping[str, str]:
        """Return units by mark; by those of an earlier battle, if it is named.

        Both marks of a unit are in it: what was secret at setup may be known by now, and the other way round.
        """
        marks = self if battle is None else replace(self, battle=battle)
        return {mark: name for name in ids for mark in (marks.open_mark(name), marks.secret(name))}

    def _compute(self, key: str, name: str) -> str:
        digest = hmac.digest(key.encode(), f"{self.battle}:{name}".encode(), "sha256")
        return str(_LEAST + int.from_bytes(digest, "big") % (9 * _LEAST))


def marks_of(view: View) -> Marks:
    """Return the marks of the present battle for the side that looks.

    Raises RefusedError for a viewer who is no side, and for a log without a seed.
    """
    if not view.marking:
        raise RefusedError(Refusal.NOT_YOURS, "say whose counters they are: a side's, no umpire's")
    return Marks(view.opening["dice"]["commitment"], view.marking, view.state.number)
