"""What happens to the board: fortifications, Control, fires, terrain."""

from __future__ import annotations

from collections.abc import Mapping

from laager.campaign import Fact
from laager.rules.board.state import BoardStateT, evolve
from laager.rules.board.units import Fort


class FortJoined(Fact):
    """A fortification was bought, or became known to the other side."""

    fort: Fort

    def apply(self, state: BoardStateT) -> BoardStateT:
        """List it."""
        forts: Mapping[str, Fort] = {**state.forts, self.fort.id: self.fort}
        side = state.side(self.fort.side)
        fresh = self.fort.id not in state.forts
        state = evolve(state, forts=forts)
        return state.with_side(self.fort.side, next_fort=side.next_fort + 1) if fresh else state

    def tell(self) -> str:
        """Say it in a line."""
        where = f" in {self.fort.at}" if self.fort.at else ""
        return f"{self.fort.side} has {self.fort.kind} {self.fort.size}".rstrip() + where


class FortGone(Fact):
    """A fortification is no longer there."""

    fort: str

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Strike it."""
        return evolve(state, forts={k: f for k, f in state.forts.items() if k != self.fort})

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.fort} is gone"


class ControlChanged(Fact):
    """Strategic Locations have another controller ("" for nobody)."""

    side: str
    locations: tuple[str, ...]

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Note who Controls them."""
        control = {k: v for k, v in state.ground.control.items() if k not in self.locations}
        if self.side:
            control |= dict.fromkeys(self.locations, self.side)
        return state.with_ground(control=control)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side or 'nobody'} Controls {', '.join(self.locations)}"


class FireChanged(Fact):
    """Flames and Blazes as they are now, and hexes burnt down (PL 3.31)."""

    flames: frozenset[str]
    blazes: frozenset[str]
    burnt: frozenset[str] = frozenset()

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Set them."""
        burnt = state.ground.burnt | self.burnt
        return state.with_ground(flames=self.flames, blazes=self.blazes, burnt=burnt)

    def tell(self) -> str:
        """Say it in a line."""
        parts = [f"Flames {', '.join(sorted(self.flames))}"] if self.flames else []
        parts += [f"Blazes {', '.join(sorted(self.blazes))}"] if self.blazes else []
        parts += [f"burnt down {', '.join(sorted(self.burnt))}"] if self.burnt else []
        return "; ".join(parts) or "no fire is left"


class TerrainChanged(Fact):
    """A lasting change of terrain in a Location (PL CG5); `gone` undoes one (clearance)."""

    at: str
    what: str
    gone: bool = False

    def apply(self, state: BoardStateT) -> BoardStateT:
        """Note it."""
        here = state.ground.changes.get(self.at, frozenset())
        here = here - {self.what} if self.gone else here | {self.what}
        return state.with_ground(changes={**state.ground.changes, self.at: here})

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.what} in {self.at}" + (" is cleared" if self.gone else "")
