"""The state of a purchase: the sum of its facts, for one viewer. Immutable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from laager.base.files import FilePart
from laager.campaign import UMPIRE
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.rulebook import Rulebook
from laager.rules.design_your_own.terms import SIDES, Terms


class GivenValue(FilePart):
    """A value missing in the catalogue, as the owner of the rulebook gave it.

    It stands for `field` of a `type` in a `section` of the side's nation, in this month; `nation`
    is the contingent whose catalogue it belongs to, "" for the side's own.
    """

    section: str
    type: str
    field: str
    value: int | float | str | bool
    nation: str = ""


@dataclass(frozen=True)
class DyoState:
    """All that a viewer knows of a purchase.

    `obs` are the orders of battle by side: of the other side, what has been shown of it. `closed`
    are the categories that a side is through with (DYO H1.13). `given` are values that a side has
    added to its catalogue. `shown`: whose Rosters lie open. `taking_up`: the sides of a purchase that goes on
    from a record haven't entered yet what they alone know.
    """

    viewer: str = UMPIRE
    open: bool = False
    first: str = "both"
    done: tuple[str, ...] = ()
    weather: str = ""
    obs: Mapping[str, OrderOfBattle] = field(default_factory=dict)
    closed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    given: Mapping[str, tuple[GivenValue, ...]] = field(default_factory=dict)
    announced: Mapping[str, int] = field(default_factory=dict)
    shown: frozenset[str] = frozenset()
    over: bool = False
    ending: str = ""
    taking_up: bool = False

    def ob(self, side: str) -> OrderOfBattle:
        """Return a side's order of battle, as far as the viewer knows it."""
        return self.obs[side]

    def knows(self, side: str) -> bool:
        """True if the viewer may look at a side's Roster."""
        return self.viewer in (UMPIRE, side) or side in self.shown

    def having(self, ob: OrderOfBattle) -> DyoState:
        """Return the state with this order of battle as that of its side."""
        return replace(self, obs={**self.obs, ob.side: ob})

    def with_ob(self, side: str, **changes: Any) -> DyoState:
        """Return the state with parts of a side's order of battle changed."""
        return replace(self, obs={**self.obs, side: self.ob(side).model_copy(update=changes)})

    def with_section(self, side: str, section: str, **changes: Any) -> DyoState:
        """Return the state with parts of a side's `ordnance` or `vehicles` changed."""
        return self.with_ob(side, **{section: getattr(self.ob(side), section).model_copy(update=changes)})

    def with_vehicle(self, side: str, key: str, **changes: Any) -> DyoState:
        """Return the state with one vehicle changed; unchanged for a viewer who doesn't know it."""
        known = self.ob(side).vehicles.entries
        entries = tuple(entry.model_copy(update=changes) if entry.key == key else entry for entry in known)
        return self.with_section(side, "vehicles", entries=entries)

    def adding(self, side: str, section: str, entry: FilePart) -> DyoState:
        """Return the state with one more line in a section: `oba`, or `vehicles.entries`."""
        name, _, lines = section.partition(".")
        own = getattr(self.ob(side), name)
        if not lines:
            return self.with_ob(side, **{name: (*own, entry)})
        return self.with_section(side, name, **{lines: (*getattr(own, lines), entry)})


def first_state(terms: Terms, viewer: str, rulebook: Rulebook) -> DyoState:
    """Return the state before the first fact: each side has its allotment, and the SAN that is free."""
    san = rulebook.charts.san.base
    obs = {
        side: OrderOfBattle(side=side, nation=terms.side(side).nation, allotment=terms.side(side).points, san=san)
        for side in SIDES
    }
    return DyoState(viewer, terms.open, terms.first, weather=terms.weather, obs=obs)
