"""The commander *sensible*, and those who judge alike but weigh otherwise: *bold* and *cautious*."""

from __future__ import annotations

from typing import Any, ClassVar

from laager.campaign.pending import Pending
from laager.campaign.temperament import find_temperament
from laager.commanders.commander import Commander, SeatView
from laager.commanders.staff import explain_answer, write_orders


class Sensible(Commander):
    """Answers as Laager proposes, which is what a good player would do; by its own temperament."""

    name: ClassVar[str] = "sensible"
    temperament: ClassVar[str] = "sensible"

    def decide(self, seat: SeatView, asked: Pending) -> Any:
        """Return the proposal that its temperament makes."""
        assert asked.question is not None
        return asked.question.propose(find_temperament(self.temperament))

    def explain(self, seat: SeatView, asked: Pending) -> str:
        """Return how strong it takes both sides to be, and what follows."""
        return explain_answer(seat.context, seat.side, asked.key, find_temperament(self.temperament))

    def orders(self, seat: SeatView) -> str:
        """Return where the weight of the attack lies, what to hold at any cost, and when to break off."""
        return write_orders(seat.context, seat.side, find_temperament(self.temperament))


class Bold(Sensible):
    """Attacks whenever it can."""

    name: ClassVar[str] = "bold"
    temperament: ClassVar[str] = "bold"


class Cautious(Sensible):
    """Holds what it has, and attacks only with much more."""

    name: ClassVar[str] = "cautious"
    temperament: ClassVar[str] = "cautious"
