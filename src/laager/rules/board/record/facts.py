"""What happens when a campaign goes on from a record: each side takes up what it alone knows."""

from __future__ import annotations

from typing import Any

from laager.base.counting import count_of
from laager.campaign import Fact
from laager.rules.board.record.sections import take_secret
from laager.rules.board.state import BoardStateT


class SideRecordTaken(Fact):
    """A side has entered what it alone knows of the record. Known to that side."""

    side: str
    section: dict[str, Any]

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Put it into the state."""
        return take_secret(state, self.side, self.section)

    def tell(self) -> str:
        """Say how much it is."""
        words = {"units": "unit", "forts": "fortification", "groups": "group"}
        counts = [count_of(len(self.section[name]), word) for name, word in words.items() if self.section.get(name)]
        return f"{self.side} takes up the record: {', '.join(counts) or 'nothing secret'}"
