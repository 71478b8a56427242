"""A commander who never attacks, and otherwise takes what Laager proposes."""

from __future__ import annotations

from typing import Any, ClassVar

from laager.campaign.pending import Pending
from laager.commanders import Commander, SeatView


class Steady(Commander):
    """Sits still, and buys nothing but what the proposal names."""

    name: ClassVar[str] = "steady"

    def decide(self, seat: SeatView, asked: Pending) -> Any:
        """Return the proposal, without an attack."""
        question = asked.question
        assert question is not None, "dice aren't asked of a commander"
        if asked.key == "purchases" and "attack" in question.default:
            return {**question.default, "attack": False}
        if asked.key == "chit":
            return "idle"
        return question.default

    def orders(self, seat: SeatView) -> str:
        """Return orders for whoever moves its counters."""
        units = sum(1 for unit in seat.view.state.units_of(seat.side))
        return f"Hold. All {units} units stay where they are unless they would be surrounded."
