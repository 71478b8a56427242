"""A legal setup to start from, and legal ones by chance for automatic play."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random

from laager.rules.board.changes import INFANTRY, LEADERS, MMC, is_vehicle
from laager.rules.board.places import ITEMS
from laager.rules.board.setup.hiding import CONCEALED, HIDDEN, NO_CONCEALMENT, NONE, may_conceal
from laager.rules.board.setup.placements import STATES, Reason, SetupPlace
from laager.rules.board.setup.plan import BoardSetting
from laager.rules.board.setup.posts import PostChooser, steps_from
from laager.rules.board.state import evolve
from laager.rules.board.units import Mark, Unit

REACH = 10
"""Distance to ground that can be taken from which a post doesn't draw an attacker, in hexes."""

ROOM = 6
"""Half-squads that can stand in a Location without overstacking (A5.1)."""

IMMOBILE = (Mark.BOGGED, Mark.MIRED, Mark.IMMOBILIZED)

TOW = frozenset({Mark.HOOKED, Mark.LIMBERED, Mark.DISMANTLED})
"""The states of a Gun or SW that its owner chooses where Personnel are in its area."""

KEPT = frozenset(STATES.values()) - {Mark.ABANDONED}
"""The states that a unit keeps from one battle to the next, as a start."""


def can_have(holder: Unit, unit: Unit) -> bool:
    """True if a unit can have another one with it: troops have Equipment, vehicles anything but vehicles."""
    if holder.id == unit.id or holder.has(Mark.PRISONER, Mark.WRECK):
        return False
    if unit.kind in ITEMS:
        return holder.kind in INFANTRY or is_vehicle(holder)
    return is_vehicle(holder) and not is_vehicle(unit)


def is_mobile(unit: Unit) -> bool:
    """True if a unit is a vehicle that can move."""
    return is_vehicle(unit) and not unit.has(*IMMOBILE, Mark.ABANDONED)


class SetupProposal(ABC):
    """Places unit after unit; with a source of chance, in a random way."""

    def __init__(self, setting: BoardSetting, rng: Random | None = None, forward: float = 0.0) -> None:
        self.setting, self.cg, self.rng, self.forward = setting, setting.cg, rng, forward
        self.found: dict[str, SetupPlace] = {}
        self.load: dict[str, int] = {}

    @cached_property
    def posts(self) -> Mapping[str, Sequence[str]]:
        """The hexes to try first for troops that are not on the map yet; none by chance."""
        if self.rng is not None:
            return {}
        worth = dict(self.worth())
        for name, steps in self.steps_to_goals.items():
            worth[name] = worth.get(name, 0) + round(self.forward * (REACH - steps))
        held = () if self.forward else self.garrisons()
        posts = PostChooser(self.cg, self.ground, lambda unit, at: self.fault(unit, at) is None, worth, held)
        return posts.choose(self.setting.units)

    @cached_property
    def steps_to_goals(self) -> Mapping[str, int]:
        """How many hexes an attacker is from the nearest ground that he can take, where it's less than `REACH`."""
        return steps_from(self.cg.map, self.setting.goals(), REACH) if self.forward else {}

    def with_mates(self, unit: Unit) -> list[str]:
        """Return where the troops of a unit's group are, those without a leader first."""
        placed = [placement for placement in self.found.values() if placement.at and not placement.holder]
        led = [placement.at for placement in placed if placement.unit.kind in LEADERS]
        mates = [
            placement.at
            for placement in placed
            if placement.unit.group == unit.group and placement.unit.kind in MMC | {"afv", "vehicle"}
        ]
        # Crews look after themselves; where more stand together a leader does more.
        mates.sort(key=lambda at: (led.count(at), -mates.count(at)))
        return list(dict.fromkeys(mates))

    def place_all(self) -> Mapping[str, SetupPlace]:
        """Return the whole setup, in the order of the record."""
        units = self.setting.units
        for unit in sorted(units, key=self.rank):
            if unit.kind not in ITEMS and unit.id not in self.found and not self._follows(unit):
                self._put(unit)
        for unit in units:
            if unit.id not in self.found and self._follows(unit):
                self._follow(unit)
        for unit in units:
            if unit.id not in self.found:
                self._give(unit)
        for name, placement in list(self.found.items()):
            self.found[name] = evolve(self.fit(placement), hide=self._hide(placement))
        return {unit.id: self.found[unit.id] for unit in units}

    # What rule systems say --------------------------------------------------------------------------

    def rank(self, unit: Unit) -> int:
        """Return how late a unit is placed: MMC and vehicles first."""
        return 0 if is_vehicle(unit) or unit.kind in MMC else 1

    @abstractmethod
    def ground(self, unit: Unit, mate: str) -> frozenset[str]:
        """Return the hexes where a new unit can be posted; `mate` is the hex of the first of its group, "" for none."""

    @abstractmethod
    def worth(self) -> Mapping[str, int]:
        """Return what hexes count for, where one does."""

    def garrisons(self) -> Sequence[Collection[str]]:
        """Return the areas that decide, the hexes of each: each gets a garrison."""
        return ()

    @abstractmethod
    def candidates(self, unit: Unit) -> Iterable[str]:
        """Yield the Locations for a unit, the best first."""

    def bound_to_group(self, unit: Unit) -> bool:
        """True if a unit has to be with its own group."""
        return False

    def fault(self, unit: Unit, at: str, *, towed: bool = False) -> Reason | None:
        """Return why a unit can't set up in a Location; None if it can."""
        return self.setting.place_fault(unit, at, towed=towed)

    def barred_states(self, placement: SetupPlace) -> frozenset[Mark]:
        """Return the states that a unit can't be in."""
        return frozenset()

    def hides_free(self, placement: SetupPlace) -> bool:
        """True if a unit hides at no cost, with the Guns that it mans."""
        return False

    def more_ways(self, placement: SetupPlace) -> Iterator[str]:
        """Yield further ways to hide at no cost."""
        yield from ()

    def standing(self) -> Iterator[SetupPlace]:
        """Yield the units on the map that don't set up now, and could be given something."""
        yield from ()

    def leaves_out(self, unit: Unit) -> bool:
        """True if a unit is left off the map, by chance."""
        return False

    def fit(self, placement: SetupPlace) -> SetupPlace:
        """Return a unit without states that it can't be in."""
        kept = placement.marks and placement.marks - self.barred_states(placement)
        return placement if kept == placement.marks else evolve(placement, marks=kept)

    # Units that set up by themselves ----------------------------------------------------------------

    def _follows(self, unit: Unit) -> bool:
        holder = self.cg.state.units.get(unit.with_unit)
        if holder is None or holder.side != unit.side or not can_have(holder, unit):
            return False
        return holder.id in self.setting.by_id or holder.on_map

    def _followers(self, unit: Unit) -> Iterator[Unit]:
        for follower in self.setting.units:
            if follower.with_unit == unit.id and self._follows(follower):
                yield follower
                yield from self._followers(follower)

    def _put(self, unit: Unit) -> None:
        if self.leaves_out(unit):
            self.found[unit.id] = SetupPlace(unit)
            return
        if unit.kind == "armor-leader":
            self._mount(unit)
            return
        at, able = self._place(unit), self.setting.entries(unit)
        entry = "" if at or not able else self.rng.choice(able) if self.rng else able[0]
        self.found[unit.id] = SetupPlace(unit, at, entry, marks=unit.marks & KEPT)

    def _mount(self, unit: Unit) -> None:
        """Put an armor leader into a vehicle, of his own group if he can."""
        placed = (ride for ride in self.found.values() if is_vehicle(ride.unit))
        rides = [ride for ride in placed if ride.somewhere and self._fits(unit, ride)]
        if self.bound_to_group(unit):
            rides = [ride for ride in rides if ride.unit.group == unit.group]
        first = min(rides, key=lambda ride: ride.unit.group != unit.group, default=SetupPlace(unit))
        holder = first.unit.id if rides else ""
        self.found[unit.id] = SetupPlace(unit, first.at, first.entry, holder=holder)

    def _fits(self, unit: Unit, placement: SetupPlace) -> bool:
        if placement.at:
            return self.fault(unit, placement.at) is None
        return placement.entry in self.setting.entries(unit)

    def _place(self, unit: Unit) -> str:
        """Return the first Location that is legal for a unit and all that is with it."""
        crowded = alone = ""
        size = self._size(unit)
        for at in self.candidates(unit):
            if self.fault(unit, at) is not None:
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
        tows = is_mobile(unit)
        return all(
            self.fault(follower, at, towed=tows and follower.has(Mark.HOOKED)) is None
            for follower in self._followers(unit)
        )

    # What goes with somebody ------------------------------------------------------------------------

    def _follow(self, unit: Unit) -> None:
        """Put a unit with the one that has it; what can't go there stays where it is."""
        holder = self.cg.state.units[unit.with_unit]
        if holder.id in self.setting.by_id and holder.id not in self.found:
            if self._follows(holder):
                self._follow(holder)
            else:
                self._give(holder)
        there = self.found.get(holder.id) or SetupPlace(holder, holder.at or "")
        marks = unit.marks & KEPT
        marks = marks and marks - self.barred_states(SetupPlace(unit, holder=holder.id))
        if unit.kind == "gun" and is_vehicle(holder) and marks.isdisjoint(TOW):
            marks |= {Mark.HOOKED}
        fault = there.at and self.fault(unit, there.at, towed=is_mobile(holder) and Mark.HOOKED in marks)
        if fault or (there.entry and there.entry not in self.setting.entries(unit)):
            self._stay(unit)
        else:
            self.found[unit.id] = SetupPlace(unit, there.at, there.entry, holder=holder.id, marks=marks)

    def _stay(self, unit: Unit) -> None:
        """Leave what can't go with its holder: an item in its place, others by themselves."""
        if unit.kind not in ITEMS:
            self._put(unit)
            return
        stays = unit.on_map and unit.at and self.fault(unit, unit.at) is None
        self.found[unit.id] = SetupPlace(unit, (unit.at or "") if stays else "", marks=unit.marks & KEPT)

    def _give(self, unit: Unit) -> None:
        """Give an item that nobody has to troops of its group, else to others of its area."""
        if unit.on_map:
            self._stay(unit)
            return
        there = (*self.found.values(), *self.standing())
        troops = (taker for taker in there if taker.somewhere and taker.unit.kind in MMC and not taker.holder)
        takers = [taker for taker in troops if self._fits(unit, taker)]
        if self.bound_to_group(unit):
            takers = [taker for taker in takers if taker.unit.group == unit.group]
        laden = [placement.holder for placement in self.found.values()]
        laden += [owned.with_unit for owned in self.cg.state.units_of(self.setting.side) if owned.id not in self.found]
        first = min(
            takers,
            key=lambda taker: (
                taker.unit.group != unit.group,
                (taker.unit.kind == "crew") is not (unit.kind == "gun"),
                laden.count(taker.unit.id),
            ),
            default=SetupPlace(unit),
        )
        holder = first.unit.id if takers else ""
        self.found[unit.id] = SetupPlace(unit, first.at, first.entry, holder=holder, marks=unit.marks & KEPT)

    # How --------------------------------------------------------------------------------------------

    def _hide(self, placement: SetupPlace) -> str:
        """Return the best way to hide that costs nothing; by chance, one of them."""
        if placement.holder or not placement.somewhere:
            return NONE
        ways = list(self._ways(placement))
        if self.rng is not None:
            return self.rng.choice([*ways, NONE])
        return ways[0] if ways else NONE

    def _ways(self, placement: SetupPlace) -> Iterator[str]:
        if placement.unit.has(*NO_CONCEALMENT):
            return
        if placement.at:
            guns = [gun for gun in self.found.values() if gun.holder == placement.unit.id and gun.unit.kind == "gun"]
            if guns and all(self.hides_free(gun) for gun in guns):
                yield HIDDEN
            if may_conceal(self.cg, placement.unit, placement.at):
                yield CONCEALED
        yield from self.more_ways(placement)
