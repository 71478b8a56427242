"""A legal setup to start from, and legal ones by chance for automatic play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from laager.rules.board.changes import MMC, is_vehicle
from laager.rules.board.hasl.guns import IMMOBILE, is_fixed
from laager.rules.board.hasl.setup.checks import TOW, can_have, emplaced, is_new, seen_before, unfit
from laager.rules.board.hasl.setup.plan import STATES, Placed, Setting, states_of
from laager.rules.board.places import ITEMS
from laager.rules.board.setup.hiding import CLOAKED, CONCEALED, HIDDEN, NO_CONCEALMENT, NONE, in_cover, may_conceal
from laager.rules.board.units import Mark, Unit

ROOM = 6
"""Half-squads that stand in a Location without overstacking (A5.1)."""

BOTH = frozenset({Mark.BUTTONED_UP, Mark.CREW_EXPOSED})

KEPT = frozenset(STATES.values()) - {Mark.ABANDONED}
"""The states that a unit keeps from one scenario to the next, as a start."""

Row = dict[str, Any]


def proposal(setting: Setting, rng: Random | None = None) -> Mapping[str, Placed]:
    """Return a legal setup: everybody where he stands if he may, else in the nearest place.

    New units take cover, groups together; who is off the map by an Entry Area enters by it. With a
    source of chance, a legal setup by chance.
    """
    return _Proposal(setting, rng).placed()


def rows_of(proposed: Mapping[str, Placed]) -> list[Row]:
    """Return a setup as rows of an answer; who goes with another one has no place of his own."""
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


class _Proposal:
    """Places unit after unit; with a source of chance, in a random way."""

    def __init__(self, setting: Setting, rng: Random | None) -> None:
        self.setting, self.cg, self.rng = setting, setting.cg, rng
        self.found: dict[str, Placed] = {}
        self.load: dict[str, int] = {}

    def placed(self) -> Mapping[str, Placed]:
        """Return the whole setup, in the order of the record."""
        units = self.setting.units
        ranked = sorted(units, key=lambda unit: not (is_vehicle(unit) or unit.kind in MMC))
        for unit in ranked:
            if unit.kind not in ITEMS and unit.id not in self.found and not self._follows(unit):
                self._put(unit)
        for unit in units:
            if unit.id not in self.found and self._follows(unit):
                self._follow(unit)
        for unit in units:
            if unit.id not in self.found:
                self._give(unit)
        for name, one in list(self.found.items()):
            self.found[name] = replace(self._fit(one), hide=self._hide(one))
        return {unit.id: self.found[unit.id] for unit in units}

    def _follows(self, unit: Unit) -> bool:
        holder = self.cg.state.units.get(unit.with_unit)
        if holder is None or holder.side != unit.side or not can_have(holder, unit):
            return False
        return holder.id in self.setting.by_id or holder.on_map

    def _followers(self, unit: Unit) -> Iterator[Unit]:
        for one in self.setting.units:
            if one.with_unit == unit.id and self._follows(one):
                yield one
                yield from self._followers(one)

    def _fit(self, one: Placed) -> Placed:
        """Return it without states that it can't be in."""
        marks = one.marks - {mark for mark, _ in unfit(self.cg, one)}
        return replace(one, marks=marks - {Mark.CREW_EXPOSED} if marks >= BOTH else marks)

    # Who sets up by himself -----------------------------------------------------------------------

    def _put(self, unit: Unit) -> None:
        at = self._place(unit)
        able = self.setting.entries(unit)
        entry = "" if at or not able else self.rng.choice(able) if self.rng else able[0]
        if unit.kind == "armor-leader":
            self._mount(unit)
            return
        self.found[unit.id] = Placed(unit, at, entry, marks=unit.marks & KEPT)

    def _mount(self, unit: Unit) -> None:
        """Put an armor leader into a vehicle, of his own group if he can."""
        rides = [
            one.unit for one in self.found.values() if is_vehicle(one.unit) and one.somewhere and self._fits(unit, one)
        ]
        if self._own_group(unit):
            rides = [one for one in rides if one.group == unit.group]
        rides.sort(key=lambda one: one.group != unit.group)
        self.found[unit.id] = Placed(unit)
        if rides:
            carrier = self.found[rides[0].id]
            self.found[unit.id] = Placed(unit, carrier.at, carrier.entry, holder=rides[0].id)

    def _own_group(self, unit: Unit) -> bool:
        """Whether a unit has to be with its own group."""
        return self.cg.variant.groups_together and is_new(self.cg, unit)

    def _fits(self, unit: Unit, one: Placed) -> bool:
        if one.at:
            return self.setting.place_fault(unit, one.at) is None
        return one.entry in self.setting.entries(unit)

    def _place(self, unit: Unit) -> str:
        """Return the first Location that is legal for a unit and all that is with it."""
        crowded = alone = ""
        size = self._size(unit)
        for at in self._candidates(unit):
            if self.setting.place_fault(unit, at) is not None:
                continue
            alone = alone or at
            if not self._carries_there(unit, at):
                continue
            if not size or at == unit.at or self.load.get(at, 0) + size <= ROOM:
                self.load[at] = self.load.get(at, 0) + size
                return at
            crowded = crowded or at
        return crowded or alone

    def _size(self, unit: Unit) -> int:
        if is_vehicle(unit):
            return ROOM
        return self.cg.nation_of(unit).hs_equivalents(unit.type) if unit.kind in MMC else 0

    def _carries_there(self, unit: Unit, at: str) -> bool:
        mobile = is_vehicle(unit) and not unit.has(*IMMOBILE, Mark.ABANDONED)
        return all(
            self.setting.place_fault(one, at, towed=mobile and one.has(Mark.HOOKED)) is None
            for one in self._followers(unit)
        )

    def _candidates(self, unit: Unit) -> Iterator[str]:
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
        yield from (
            one.at
            for one in self.found.values()
            if one.unit.group == unit.group and one.at and one.unit.kind in MMC | {"afv", "vehicle"}
        )

    # What goes with somebody ----------------------------------------------------------------------

    def _follow(self, unit: Unit) -> None:
        """Put a unit with whoever has it; what may not go there stays where it is."""
        holder = self.cg.state.units[unit.with_unit]
        if holder.id in self.setting.by_id and holder.id not in self.found:
            if self._follows(holder):
                self._follow(holder)
            else:
                self._give(holder)
        there = self.found.get(holder.id) or Placed(holder, holder.at or "")
        barred = {mark for mark, _ in unfit(self.cg, Placed(unit, holder=holder.id))}
        marks = (unit.marks & KEPT) - barred
        if unit.kind == "gun" and is_vehicle(holder) and marks.isdisjoint(TOW):
            marks |= {Mark.HOOKED}
        mobile = is_vehicle(holder) and not holder.has(*IMMOBILE, Mark.ABANDONED)
        towed = mobile and Mark.HOOKED in marks
        fault = there.at and self.setting.place_fault(unit, there.at, towed=towed)
        if fault or (there.entry and there.entry not in self.setting.entries(unit)):
            self._stay(unit)
        else:
            self.found[unit.id] = Placed(unit, there.at, there.entry, holder=holder.id, marks=marks)

    def _stay(self, unit: Unit) -> None:
        """Leave what can't go with its holder: an item in its place, others by themselves."""
        if unit.kind not in ITEMS:
            self._put(unit)
            return
        stays = unit.on_map and unit.at and self.setting.place_fault(unit, unit.at) is None
        marks = unit.marks & KEPT
        self.found[unit.id] = Placed(unit, (unit.at or "") if stays else "", marks=marks)

    def _give(self, unit: Unit) -> None:
        """Give an item that nobody has to troops of its group, else to others of its area."""
        if unit.on_map:
            self._stay(unit)
            return
        takers = [
            one
            for one in self.found.values()
            if one.somewhere and one.unit.kind in MMC and not one.holder and self._fits(unit, one)
        ]
        if self._own_group(unit):
            takers = [one for one in takers if one.unit.group == unit.group]
        laden = [one.holder for one in self.found.values()]
        takers.sort(
            key=lambda one: (
                one.unit.group != unit.group,
                (one.unit.kind == "crew") is not (unit.kind == "gun"),
                laden.count(one.unit.id),
            )
        )
        self.found[unit.id] = Placed(unit, marks=unit.marks & KEPT)
        if takers:
            first = takers[0]
            self.found[unit.id] = replace(self.found[unit.id], at=first.at, entry=first.entry, holder=first.unit.id)

    # How ------------------------------------------------------------------------------------------

    def _hide(self, one: Placed) -> str:
        """Return the best way to hide that costs nothing; by chance, one of them."""
        if one.holder or not one.somewhere:
            return NONE
        ways = list(self._ways(one))
        if self.rng is not None:
            return self.rng.choice([*ways, NONE])
        return ways[0] if ways and (one.at or ways[0] == CLOAKED) else NONE

    def _ways(self, one: Placed) -> Iterator[str]:
        cg, unit = self.cg, one.unit
        if unit.has(*NO_CONCEALMENT):
            return
        if one.at:
            if self._free_gun(one):
                yield HIDDEN
            if may_conceal(cg, unit, one.at):
                yield CONCEALED
        if self.rng is not None and unit.kind not in ITEMS and not cg.variant.cloak_problem(cg, unit, self.found):
            yield CLOAKED

    def _free_gun(self, one: Placed) -> bool:
        guns = [gun for gun in self.found.values() if gun.holder == one.unit.id]
        guns = [gun for gun in guns if gun.unit.kind == "gun"]
        return bool(guns) and all(
            not (is_fixed(gun.unit) and seen_before(gun.unit))
            and self.cg.variant.hides_free(self.cg, gun.unit, gun.at, emplaced=emplaced(self.setting, gun))
            for gun in guns
        )
