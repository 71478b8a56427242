"""The setup that is proposed in the HASL family: units where they stand if they can, else near there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from laager.rules.board.changes import MMC, is_vehicle
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.guns import is_fixed
from laager.rules.board.hasl.setup.plan import Setting, emplaced, is_new, seen_before, unfit
from laager.rules.board.places import ITEMS
from laager.rules.board.setup.hiding import CLOAKED, NONE, in_cover
from laager.rules.board.setup.plan import Placed, UnitRow, states_of
from laager.rules.board.setup.proposal import Proposal
from laager.rules.board.units import Mark, Unit

BOTH = frozenset({Mark.BUTTONED_UP, Mark.CREW_EXPOSED})


def proposal(setting: Setting, rng: Random | None = None) -> Mapping[str, Placed]:
    """Return a legal setup: units where they stand if they can, else in the nearest place.

    New units take cover, groups together; units that wait at an Entry Area enter by it. With a
    source of chance, a legal setup by chance.
    """
    return _Proposal(setting, rng).placed()


def rows_of(proposed: Mapping[str, Placed]) -> list[UnitRow]:
    """Return a setup as rows of an answer; a unit that goes with another one has no place of its own."""
    return [
        {
            "unit": name,
            "at": "" if one.holder else one.at,
            "entry": "" if one.holder else one.entry,
            "hide": NONE if one.holder else one.hide,
            "with": one.holder,
            "state": states_of(one.marks),
        }
        for name, one in proposed.items()
    ]


class _Proposal(Proposal):
    setting: Setting
    cg: Hasl

    def candidates(self, unit: Unit) -> Iterator[str]:
        """Yield where a unit stands, then the hexes of its ground: by distance, or cover first."""
        if unit.on_map and unit.at and (self.rng is None or self.rng.random() < 0.5):
            yield unit.at
        hexes = self.cg.sort(self.setting.ground(unit) & self.cg.map.playable)
        if self.rng is not None:
            self.rng.shuffle(hexes)
        else:
            hexes.sort(key=lambda name: self._worth(unit, name))
        yield from self._with_mates(unit)
        yield from hexes
        if unit.on_map and unit.at:
            yield unit.at

    def _worth(self, unit: Unit, name: str) -> tuple[bool, int, bool]:
        """Return how late a hex is tried: near where it stood, else in cover; its areas first."""
        away = self.cg.map.distance(unit.hex, name) if unit.on_map and unit.hex else 0
        return name in self.setting.outside, away, not in_cover(self.cg, name)

    def _with_mates(self, unit: Unit) -> Iterator[str]:
        """Yield where the group of an SMC is: he sets up with it."""
        if unit.kind in MMC or is_vehicle(unit) or unit.on_map or not unit.group:
            return
        for one in self.found.values():
            if one.unit.group == unit.group and one.at and (one.unit.kind in MMC or is_vehicle(one.unit)):
                yield one.at

    def bound_to_group(self, unit: Unit) -> bool:
        """True if a new unit has to be with its own group."""
        return self.cg.variant.groups_together and is_new(self.cg, unit)

    def barred_states(self, one: Placed) -> frozenset[Mark]:
        """Return the states that a unit can't be in."""
        return frozenset(mark for mark, _ in unfit(self.cg, one))

    def fit(self, one: Placed) -> Placed:
        """Return a unit without states that it can't be in; of BU and CE, with one."""
        one = super().fit(one)
        return replace(one, marks=one.marks - {Mark.CREW_EXPOSED}) if one.marks >= BOTH else one

    def more_ways(self, one: Placed) -> Iterator[str]:
        """Yield Cloaking for units that can be Cloaked, by chance only."""
        cg = self.cg
        if self.rng and one.unit.kind not in ITEMS and not cg.variant.cloak_problem(cg, one.unit, self.found):
            yield CLOAKED

    def hides_free(self, one: Placed) -> bool:
        """True if a Gun can set up hidden at no cost and was not seen since it was fixed."""
        cg, gun = self.cg, one.unit
        seen = is_fixed(gun) and seen_before(gun)
        return not seen and cg.variant.hides_free(cg, gun, one.at, emplaced=emplaced(cg, one))
