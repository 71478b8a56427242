"""What every step of a purchase has at hand: terms, catalogue, tables, live state."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import cached_property
from typing import Any

from laager.campaign.facts import UMPIRE
from laager.campaign.readings import Readings
from laager.campaign.steps import Context
from laager.catalogue.dyo import DyoCatalogue, DyoNation, Gap, Given, Month, from_data, gaps
from laager.dice import Rolled
from laager.rules.design_your_own.nations import Group
from laager.rules.design_your_own.ob import Dr, OrderOfBattle
from laager.rules.design_your_own.reckoning import PACKAGE
from laager.rules.design_your_own.state import DyoState, GivenValue, first_state
from laager.rules.design_your_own.terms import Terms, other


class Cg(Context):
    """The purchase as its steps see it. Only the engine changes `state`."""

    state: DyoState

    def __init__(self, opening: Mapping[str, Any]) -> None:
        self.terms: Terms = Terms.model_validate(opening["terms"])
        self._readings: Mapping[str, str] = opening.get("readings", {})
        self._catalogue_data = opening["catalogue"]
        self._known: dict[tuple[str, tuple[GivenValue, ...]], DyoNation] = {}
        self._gaps: dict[tuple[str, tuple[GivenValue, ...]], tuple[Gap, ...]] = {}

    @classmethod
    def of(cls, terms: Terms, catalogue: DyoCatalogue) -> Cg:
        """Return the context of terms by themselves, before anything is bought by them."""
        made = cls({"terms": terms.model_dump(mode="json"), "catalogue": ()})
        made.__dict__["catalogue"] = catalogue
        made.state = first_state(made.terms, UMPIRE)
        return made

    def seeing(self, state: DyoState) -> Cg:
        """Return the same purchase with another state: that of a viewer, for sheets."""
        seen = copy(self)
        seen.state = state
        return seen

    # Data -------------------------------------------------------------------------------------

    @cached_property
    def catalogue(self) -> DyoCatalogue:
        """The nations of both sides, as they were when the purchase began."""
        return from_data(self._catalogue_data)

    @cached_property
    def chosen(self) -> Mapping[str, str]:
        """The readings in force, for rule functions."""
        return {**self.terms.readings, **self._readings}

    @cached_property
    def readings(self) -> Readings:
        """The places where groups differ, with what each choice means."""
        return Readings.load_packaged(PACKAGE)

    def reading(self, name: str) -> str:
        """Return the reading in force."""
        return self.readings.value(self.chosen, name)

    @property
    def month(self) -> Month:
        """The current month and year."""
        return Month(*self.terms.month)

    def nation(self, side: str) -> DyoNation:
        """Return a side's nation, with the values that this side has added."""
        given = self.state.given.get(side, ())
        if (side, given) not in self._known:
            name = self.terms.side(side).nation
            told = [Given(name, v.section, v.type, v.field, v.value, self.month) for v in given]
            catalogue = self.catalogue.with_values(told) if told else self.catalogue
            self._known[side, given] = catalogue.nation(name)
        return self._known[side, given]

    def gaps(self, side: str) -> tuple[Gap, ...]:
        """Return what a side's catalogue lacks at the date, less what this side has added."""
        key = (side, self.state.given.get(side, ()))
        if key not in self._gaps:
            self._gaps[key] = tuple(gaps(self.nation(side), self.month))
        return self._gaps[key]

    def group(self, side: str) -> Group:
        """Return what a side's nation counts as in the charts."""
        return Group(self.nation(side).group)

    def enemy(self, side: str) -> Group:
        """Return what the other side's nation counts as; its catalogue is open to both."""
        return Group(self.catalogue.nation(self.terms.side(other(side)).nation).group)

    # The purchase -----------------------------------------------------------------------------

    def ob(self, side: str) -> OrderOfBattle:
        """Return what a side has so far."""
        return self.state.ob(side)

    def left(self, side: str) -> int:
        """Return the points that a side has left."""
        return self.ob(side).left


def evidence(rolled: Rolled) -> Dr:
    """Return a roll as the Roster keeps it."""
    modifiers = tuple(str(modifier) for modifier in rolled.modifiers)
    return Dr(final=rolled.final, faces=rolled.faces, modifiers=modifiers)
