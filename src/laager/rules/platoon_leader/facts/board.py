"""What happens to the front: crests taken, lines drawn."""

from __future__ import annotations

from typing import Any

from laager.campaign import Fact
from laager.rules.board.state import evolve
from laager.rules.platoon_leader.state import Line, PlState


class CrestTaken(Fact):
    """A Military Crest as a whole has another controller (PL 1.4 Military Crest)."""

    crest: str
    side: str

    def apply(self, state: PlState) -> PlState:
        """Note it."""
        return state.with_ground(crests={**state.ground.crests, self.crest: self.side})

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} Controls the crest of {self.crest}"


class FrontDrawn(Fact):
    """The front was drawn: clusters, MLR, No Man's Land follow from this (PL GEO). Public."""

    stage: str
    controlled: dict[str, tuple[str, ...]]
    ground: dict[str, str]
    links: dict[str, tuple[Any, ...]] | None = None

    def apply(self, state: PlState) -> PlState:
        """Keep what the drawing is made from."""
        line = Line(state.fight.number, self.stage, self.controlled, self.ground, self.links)
        return evolve(state, line=line)

    def tell(self) -> str:
        """Say it in a line."""
        return f"the front is drawn ({self.stage})"
