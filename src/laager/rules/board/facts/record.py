"""What stands on every roster: ELR, SAN, CVP, and what the players resolved themselves."""

from __future__ import annotations

from laager.campaign import Fact
from laager.rules.board.state import BoardStateT, evolve


class ElrChanged(Fact):
    """A side's ELR rose or fell."""

    side: str
    by: int

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Add to its ELR."""
        return state.with_side(self.side, elr=state.side(self.side).elr + self.by)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} ELR {self.by:+d}"


class SanChanged(Fact):
    """A side's SAN rose or fell."""

    side: str
    by: int

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Add to its SAN."""
        return state.with_side(self.side, san=state.side(self.side).san + self.by)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} SAN {self.by:+d}"


class CvpScored(Fact):
    """A side scored CVP, in the present battle unless another is named."""

    side: str
    points: int
    firefight: int | None = None
    """A past battle to which they are added on the roster only (PL 3.11: losses of 2.5)."""

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Add to its tally."""
        return state.scored(self.side, self.points, self.firefight)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} scores {self.points} CVP"


class Noted(Fact):
    """Something the players resolved themselves, in their words, under a rule."""

    text: str

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Add it to the notes."""
        return evolve(state, notes=(*state.notes, self.text))

    def tell(self) -> str:
        """Give the text itself."""
        return self.text
