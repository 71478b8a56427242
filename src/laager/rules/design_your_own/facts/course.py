"""How the purchase goes on: agreements, categories closed, Rosters shown, its end."""

from __future__ import annotations

from dataclasses import replace

from laager.campaign import Fact
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.state import DyoState, GivenValue


class WeatherAgreed(Fact):
    """The Weather Conditions, which must be known before Air Support (DYO H1.531)."""

    weather: str

    def apply(self, state: DyoState) -> DyoState:
        """Note it."""
        return replace(state, weather=self.weather)

    def tell(self) -> str:
        """Say it in a line."""
        return f"Weather: {self.weather}"


class ValuesGiven(Fact):
    """A side has told values that its catalogue lacks."""

    side: str
    values: tuple[GivenValue, ...]

    def apply(self, state: DyoState) -> DyoState:
        """Add them to those known."""
        known = (*state.given.get(self.side, ()), *self.values)
        return replace(state, given={**state.given, self.side: known})

    def tell(self) -> str:
        """Say it in a line."""
        told = "; ".join(f"{v.type}: {v.field} {v.value}" for v in self.values)
        return f"{self.side} adds to its catalogue {told}"


class CategoryClosed(Fact):
    """A side is through with a category; nothing in it can be bought or given back any more."""

    side: str
    category: str
    spent: int
    left: int

    def apply(self, state: DyoState) -> DyoState:
        """Tick it off."""
        closed = (*state.closed.get(self.side, ()), self.category)
        return replace(state, closed={**state.closed, self.side: closed})

    def tell(self) -> str:
        """Say it in a line."""
        name = self.category.replace("-", " ")
        return f"{self.side} closes {name}: {self.spent} points, {self.left} left"


class RosterShown(Fact):
    """A side's Roster is there for all to see: in open buying after each category, else at last."""

    side: str
    ob: OrderOfBattle

    def apply(self, state: DyoState) -> DyoState:
        """Put it on the table."""
        shown = state.shown | {self.side}
        return replace(state, obs={**state.obs, self.side: self.ob}, shown=shown)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} shows its Roster: {self.ob.total} points spent, {self.ob.left} left"


class PurchaseEnded(Fact):
    """Everything is done, and open."""

    ending: str

    def apply(self, state: DyoState) -> DyoState:
        """Stop."""
        return replace(state, over=True, ending=self.ending)

    def tell(self) -> str:
        """Say it in a line."""
        return f"The purchase is over: {self.ending}"
