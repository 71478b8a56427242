"""The commander *by chance*: any legal answer, with no thought behind it. The measure for all others."""

from __future__ import annotations

from typing import Any, ClassVar

from laager.campaign.pending import Pending
from laager.commanders.commander import Commander, SeatView


class ByChance(Commander):
    """Gives a legal answer at random."""

    name: ClassVar[str] = "chance"

    def decide(self, seat: SeatView, asked: Pending) -> Any:
        """Return a legal answer chosen at random; the proposal if chance finds none."""
        assert asked.question is not None
        return asked.question.sample(seat.random)
