"""The commander *sensible*, and those who judge alike but weigh otherwise: *bold* and *cautious*."""

from __future__ import annotations

from typing import Any, ClassVar

from laager.campaign.pending import Pending
from laager.campaign.temperament import find_temperament
from laager.commanders.commander import Commander, SeatView


class Sensible(Commander):
    """Answers as Laager proposes, which is what a good player would do; by its own temperament."""

    name: ClassVar[str] = "sensible"

    def decide(self, seat: SeatView, asked: Pending) -> Any:
        """Return the proposal that its temperament makes."""
        assert asked.question is not None
        return asked.question.propose(find_temperament(self.name))


class Bold(Sensible):
    """Attacks whenever it can."""

    name: ClassVar[str] = "bold"


class Cautious(Sensible):
    """Holds what it has, and attacks only with much more."""

    name: ClassVar[str] = "cautious"
