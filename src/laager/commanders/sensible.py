"""The commander *sensible*, and those who judge alike but weigh otherwise: *bold* and *cautious*."""

from __future__ import annotations

from typing import Any, ClassVar

from laager.campaign.pending import Pending
from laager.commanders.commander import Commander, SeatView


class Sensible(Commander):
    """Takes what Laager proposes: what a good player would do."""

    name: ClassVar[str] = "sensible"

    def decide(self, seat: SeatView, asked: Pending) -> Any:
        """Return the proposal."""
        assert asked.question is not None
        return asked.question.default
