"""The setup that is proposed in the HASL family: units where they stand if they can, else near there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random

from laager.rules.board.changes import MMC, is_vehicle
from laager.rules.board.hasl.areas import strategic_locations
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.setup.plan import Setting, barred_states, is_emplaced, is_new, was_seen_before
from laager.rules.board.hasl.victory import is_area
from laager.rules.board.moves import is_fixed
from laager.rules.board.places import ITEMS, hex_of
from laager.rules.board.setup.hiding import CLOAKED, NONE, is_in_cover
from laager.rules.board.setup.placements import SetupPlace, SetupUnitRow, states_of
from laager.rules.board.setup.proposal import REACH, SetupProposal
from laager.rules.board.units import Mark, Unit

STRATEGIC = 4
DECIDES = 2
"""Worth in the proposal, in hexes of distance: of a Strategic Location, and of a place that decides the campaign."""

MOVING = (MMC - {"crew"}) | {"leader"}
"""Who goes forward to attack; crews stay with their Guns."""

NEAR = 3
"""Difference in distance that doesn't matter to an attacker, in hexes."""

BOTH = frozenset({Mark.BUTTONED_UP, Mark.CREW_EXPOSED})


def proposal(setting: Setting, rng: Random | None = None, forward: float = 0.0) -> Mapping[str, SetupPlace]:
    """Return a legal setup: units where they stand if they can, else in the nearest place.

    New units take cover, groups together; units that wait at an Entry Area enter by it. With `forward` those that are
    far from ground that can be taken go nearer. With a source of chance, a legal setup by chance.
    """
    return _Proposal(setting, rng, forward).place_all()


def rows_of(proposed: Mapping[str, SetupPlace]) -> list[SetupUnitRow]:
    """Return a setup as rows of an answer; a unit that goes with another one has no place of its own."""
    return [
        {
            "unit": name,
            "at": "" if placement.holder else placement.at,
            "entry": "" if placement.holder else placement.entry,
            "hide": NONE if placement.holder else placement.hide,
            "with": placement.holder,
            "state": states_of(placement.marks),
        }
        for name, placement in proposed.items()
    ]


class _Proposal(SetupProposal):
    setting: Setting
    cg: Hasl

    def __init__(self, setting: Setting, rng: Random | None, forward: float = 0.0) -> None:
        super().__init__(setting, rng, forward)
        self._orders: dict[tuple[frozenset[str], str | None], Sequence[str]] = {}

    def candidates(self, unit: Unit) -> Iterator[str]:
        """Yield where a unit stands, then the hexes of its ground: by distance, or cover first."""
        if unit.on_map and unit.at and (self.rng is None or self.rng.random() < 0.5) and not self._moves_up(unit):
            yield unit.at
        hexes = self._by_worth(unit)
        if self.rng is not None:
            hexes = list(hexes)
            self.rng.shuffle(hexes)
        yield from self._with_mates(unit)
        yield from hexes
        if unit.on_map and unit.at:
            yield unit.at

    def _by_worth(self, unit: Unit) -> Sequence[str]:
        """Return the hexes of a unit's ground; unless by chance, the best ones come first."""
        ground = self.setting.ground(unit)
        start = unit.hex if unit.on_map and self.rng is None and not self._moves_up(unit) else None
        if (ground, start) not in self._orders:
            hexes = self.cg.sort(ground & self.cg.map.playable)
            if self.rng is None:
                hexes.sort(key=partial(self._worth, start))
            self._orders[ground, start] = tuple(hexes)
        return self._orders[ground, start]

    def _worth(self, start: str | None, name: str) -> tuple[bool, int, bool]:
        """Return how late a hex is tried: near where it stood, else in cover; its areas first."""
        away = self.cg.map.distance(start, name) if start else 0
        if not start and self.forward:
            away = self.steps_to_goals.get(name, REACH) // NEAR
        return name in self.setting.outside, away, not is_in_cover(self.cg, name)

    def _moves_up(self, unit: Unit) -> bool:
        """True if a unit of an attacker is too far back to take anything from where it stands."""
        if not self.forward or not unit.hex or unit.kind not in MOVING or unit.has(Mark.BROKEN):
            return False
        return self.steps_to_goals.get(unit.hex, REACH) > NEAR * self.forward + 1

    def ground(self, unit: Unit, mate: str) -> frozenset[str]:
        """Return the hexes where a new unit can set up; where groups come together, in the area of the first."""
        ground = (self.setting.ground(unit) & self.cg.map.playable) - self.setting.outside
        area = self.cg.state.area_at(mate) if mate and self.bound_to_group(unit) else None
        return ground & frozenset(area.hexes) if area is not None else ground

    def worth(self) -> Mapping[str, int]:
        """Return what hexes count for: Strategic Locations, and what decides the campaign."""
        values = {hex_of(location): STRATEGIC for location in strategic_locations(self.cg)}
        for area in self.garrisons():
            for name in area:
                values[name] = values.get(name, 0) + DECIDES
        return values

    def garrisons(self) -> Sequence[Collection[str]]:
        """Return the hexes of each place that the card's conditions of victory name."""
        victory = self.cg.card.victory
        decides = (name for condition in (*victory.sudden, *victory.final) for name in condition.controls)
        return [self._hexes_named(name) for name in dict.fromkeys(decides)]

    def _hexes_named(self, name: str) -> Collection[str]:
        """Return the hexes of what a condition of victory names: a Block, a Setup Area, a Location."""
        cg = self.cg
        if cg.blocks and name in cg.map.blocks.hexes:
            return cg.map.blocks.hexes[name]
        if is_area(cg, name):
            areas = [area.hexes for area in cg.state.areas if area.name == name]
            return areas[0] if areas else cg.map.setup_areas.get(name, ())
        return (hex_of(cg.map.main_location(name)),)

    def _with_mates(self, unit: Unit) -> Iterator[str]:
        """Yield the posts of new troops; where the group of an SMC is: he sets up with it."""
        if unit.kind in MMC or is_vehicle(unit):
            yield from self.posts.get(unit.id, ())
        elif not unit.on_map or self.forward:
            yield from self.with_mates(unit)

    def bound_to_group(self, unit: Unit) -> bool:
        """True if a new unit has to be with its own group."""
        return self.cg.variant.groups_together and is_new(self.cg, unit)

    def barred_states(self, placement: SetupPlace) -> frozenset[Mark]:
        """Return the states that a unit can't be in."""
        return frozenset(mark for mark, _ in barred_states(self.cg, placement))

    def fit(self, placement: SetupPlace) -> SetupPlace:
        """Return a unit without states that it can't be in; of BU and CE, with one."""
        placement = super().fit(placement)
        return replace(placement, marks=placement.marks - {Mark.CREW_EXPOSED}) if placement.marks >= BOTH else placement

    def more_ways(self, placement: SetupPlace) -> Iterator[str]:
        """Yield Cloaking for units that can be Cloaked, by chance only."""
        cg = self.cg
        if (
            self.rng
            and placement.unit.kind not in ITEMS
            and not cg.variant.cloak_problem(cg, placement.unit, self.found)
        ):
            yield CLOAKED

    def hides_free(self, placement: SetupPlace) -> bool:
        """True if a Gun can set up hidden at no cost and was not seen since it was fixed."""
        cg, gun = self.cg, placement.unit
        seen = is_fixed(gun) and was_seen_before(gun)
        return not seen and cg.variant.hides_free(cg, gun, placement.at, emplaced=is_emplaced(cg, placement))
