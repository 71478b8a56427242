"""What the state of card-driven campaigns holds: the sum of facts for one viewer. Immutable."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Self, TypeVar

from laager.campaign import UMPIRE
from laager.hexmap.wear import Wear
from laager.rules.board.card.parts import SIDES
from laager.rules.board.knowledge import Knowledge, Known
from laager.rules.board.units import IN_PLAY, Fort, Place, Unit

S = TypeVar("S")

MAX_ELR, MAX_SAN = 5, 7
"""The highest ELR and SAN."""


def evolve(value: S, **changes: Any) -> S:
    """Return a copy of an immutable state value with some fields changed.

    Does what `dataclasses.replace` does for values without post-processing, in a tenth of the time:
    a long log is thousands of such changes.
    """
    made = object.__new__(type(value))
    made.__dict__.update(value.__dict__)
    made.__dict__.update(changes)
    return made


UNIT_KEYS: Mapping[str, Callable[[Unit], str | None]] = {
    "_by_side": lambda unit: unit.side if unit.place in IN_PLAY else None,
    "_by_holder": lambda unit: unit.with_unit if unit.place in IN_PLAY else None,
    "_by_location": lambda unit: unit.at if unit.place is Place.MAP else None,
}
"""By what a state sorts its units, and under which name it keeps them so."""


@dataclass(frozen=True)
class BoardGround:
    """The board itself: Control, fires, lasting changes of terrain (PL CG5)."""

    control: Mapping[str, str] = field(default_factory=dict)
    """Location -> side, for Strategic Locations that somebody Controls."""
    crests: Mapping[str, str] = field(default_factory=dict)
    """First hex of a crest group -> the side that Controls the crest as a whole."""
    flames: frozenset[str] = frozenset()
    blazes: frozenset[str] = frozenset()
    burnt: frozenset[str] = frozenset()
    """Hexes burnt down to Open Ground (PL 3.31)."""
    changes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Location -> rubble, shellholes, trailbreak, breach, … left for good."""
    cleared: frozenset[str] = frozenset()
    """Locations whose rubble was cleared away: no building stands there again (B24.7)."""

    @property
    def wear(self) -> Wear:
        """What play has done to the ground, by which the map changes (`worn_map`)."""
        return Wear(frozenset(self.changes.items()), self.burnt, self.cleared)


@dataclass(frozen=True)
class SideNumbers:
    """The running numbers that a side has in every campaign."""

    elr: int = 0
    san: int = 0
    secret_san: int = 0
    """How much of the SAN was bought in secret and isn't announced yet."""
    leaders_lost: int = 0
    """Leaders lost in the present battle and the phase after it."""
    bought: Mapping[str, int] = field(default_factory=dict)
    """Groups bought of each line of the chart, those for the present battle too."""
    bought_now: Mapping[str, int] = field(default_factory=dict)
    massacre: bool = False
    next_unit: int = 1
    next_fort: int = 1

    knowledge: ClassVar[Mapping[str, Knowledge]] = dict.fromkeys(
        ("secret_san", "bought", "bought_now", "next_unit", "next_fort"), Known.OWN
    )
    """What only the side itself knows; the enemy's SAN is known without what was bought in secret."""


@dataclass(frozen=True)
class BoardState(ABC):
    """What a viewer knows of sides, units, fortifications and the board.

    The state of a rule system adds its own to it; the facts in `board.facts` need no more.
    """

    side_class: ClassVar[type[SideNumbers]] = SideNumbers
    viewer: str = UMPIRE
    done: tuple[str, ...] = ()
    turning: bool = False
    """True if the round began in the present step, which then belongs to the round before."""
    taking_up: bool = False
    """True while the sides of a campaign that goes on from a record haven't entered what they alone know."""
    omit: frozenset[str] = frozenset()
    """Optional steps that the card does without."""
    sides: Mapping[str, Any] = field(default_factory=dict)
    """Side -> its numbers, a SideNumbers with what the rule system adds."""
    units: Mapping[str, Unit] = field(default_factory=dict)
    forts: Mapping[str, Fort] = field(default_factory=dict)
    groups: Mapping[tuple[str, str], Any] = field(default_factory=dict)
    """(Side, id) -> reinforcement group, a GroupLine with what the rule system adds."""
    ground: BoardGround = BoardGround()
    agreed: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    winner: str = ""
    ending: str = ""

    @classmethod
    def empty(cls, viewer: str, omit: frozenset[str] = frozenset()) -> Self:
        """Return the state before the first fact."""
        return cls(viewer=viewer, omit=omit, sides={side: cls.side_class() for side in SIDES})

    # Looking -------------------------------------------------------------------------------

    @property
    @abstractmethod
    def round(self) -> StrEnum:
        """Which list of steps is being gone through."""

    @property
    @abstractmethod
    def number(self) -> int:
        """The number of the present battle, from 1."""

    @property
    @abstractmethod
    def moves_first(self) -> str:
        """The side that moves first in the present battle; "" while not known."""

    @property
    @abstractmethod
    def past(self) -> tuple[Any, ...]:
        """The lines of the CG Roster for past battles."""

    @abstractmethod
    def total_of(self, side: str) -> tuple[str, list[Mapping[str, int]]]:
        """Return which of a side's numbers is a total, and the numbers by side of which it is the sum."""

    def side(self, side: str) -> Any:
        """Return a side's running numbers."""
        return self.sides[side]

    def units_of(self, side: str, *kinds: str) -> Iterator[Unit]:
        """Return a side's units that are in play, of these kinds (all, if none is named)."""
        own = self._units_by_side.get(side, ())
        return (unit for unit in own if unit.kind in kinds) if kinds else iter(own)

    def at(self, location: str) -> Iterator[Unit]:
        """Return the units on the map in this Location."""
        return iter(self._units_by_location.get(location, ()))

    def carried_by(self, holder: str) -> Iterator[Unit]:
        """Return the units in play that are with a unit."""
        return iter(self._units_by_holder.get(holder, ()))

    @property
    def _units_by_holder(self) -> Mapping[str, list[Unit]]:
        """The units in play that are with another one, by its id, in the order of the record."""
        return self._of_units("_by_holder")

    @property
    def _units_by_side(self) -> Mapping[str, list[Unit]]:
        """The units in play by their side, in the order of the record."""
        return self._of_units("_by_side")

    @property
    def _units_by_location(self) -> Mapping[str, list[Unit]]:
        """The units on the map by their Location, in the order of the record."""
        return self._of_units("_by_location")

    def _of_units(self, name: str) -> Mapping[str, list[Unit]]:
        """Return the units by a key of `UNIT_KEYS`, without those that have none; made once for the same units."""
        kept: tuple[Mapping[str, Unit], dict[str, list[Unit]]] | None = self.__dict__.get(name)
        if kept is None or kept[0] is not self.units:
            by_key: dict[str, list[Unit]] = {}
            key = UNIT_KEYS[name]
            for unit in self.units.values():
                if of_unit := key(unit):
                    by_key.setdefault(of_unit, []).append(unit)
            # `evolve` hands it on to the states that have the same units.
            kept = self.__dict__[name] = self.units, by_key
        return kept[1]

    def groups_of(self, side: str) -> Iterator[Any]:
        """Return a side's groups in the order in which they came."""
        return (group for group in self.groups.values() if group.side == side)

    # Changing ------------------------------------------------------------------------------

    @abstractmethod
    def with_cvp(self, side: str, points: int, battle: int | None) -> Self:
        """Return the state with CVP added to a side's tally of a battle (None: the present one)."""

    def with_side(self, side: str, **changes: Any) -> Self:
        """Return the state with a side's numbers changed."""
        changed = evolve(self.side(side), **changes)
        return evolve(self, sides={**self.sides, side: changed})

    def with_new_unit(self, unit: Unit) -> Self:
        """Return the state with a unit that came into an OB."""
        return evolve(self, units={**self.units, unit.id: unit})

    def with_new_group(self, group: Any) -> Self:
        """Return the state with a group on the Purchase Record; what the OB gives doesn't count as bought."""
        state = evolve(self, groups={**self.groups, (group.side, group.id): group})
        if group.given:
            return state
        own = self.side(group.side)
        counts = {**own.bought, group.rg: own.bought.get(group.rg, 0) + 1}
        now = {**own.bought_now, group.rg: own.bought_now.get(group.rg, 0) + 1}
        return state.with_side(group.side, bought=counts, bought_now=now)

    def with_group(self, side: str, group: str, **changes: Any) -> Self:
        """Return the state with a group changed; as it is if the viewer doesn't know the group."""
        held = self.groups.get((side, group))
        if held is None:
            return self
        changed = type(held).model_validate({**held.model_dump(), **changes})
        return evolve(self, groups={**self.groups, (side, group): changed})

    def with_agreed(self, about: str, value: Any) -> Self:
        """Return the state with what the players agreed on."""
        return evolve(self, agreed={**self.agreed, about: value})

    def with_unit(self, unit_id: str, change: Callable[[Unit], Unit]) -> Self:
        """Return the state with one unit changed; as it is if the viewer doesn't know the unit."""
        unit = self.units.get(unit_id)
        if unit is None:
            return self
        changed = change(unit)
        state = evolve(self, units={**self.units, unit_id: changed})
        state._keep_order(self.units, unit, changed)
        return state

    def _keep_order(self, before: Mapping[str, Unit], old: Unit, new: Unit) -> None:
        """Take over what `_of_units` has kept of the units before one of them changed, where their order is clear.

        A unit that stays under its key stands where it stood; one that leaves leaves a gap, and one that comes where
        nobody is, is the first there. Anything else is sorted anew when it is asked for.
        """
        kept_by_name = self.__dict__
        for name, key in UNIT_KEYS.items():
            kept = kept_by_name.get(name)
            if kept is None or kept[0] is not before:
                continue
            was, now, by_key = key(old) or "", key(new) or "", kept[1]
            if was == now:
                if now:
                    by_key = {**by_key, now: [new if unit is old else unit for unit in by_key[now]]}
            elif not now or not by_key.get(now):
                by_key = dict(by_key)
                if was:
                    by_key[was] = [unit for unit in by_key[was] if unit is not old]
                if now:
                    by_key[now] = [new]
            else:
                continue
            kept_by_name[name] = self.units, by_key

    def with_ground(self, **changes: Any) -> Self:
        """Return the state with the board changed."""
        return evolve(self, ground=evolve(self.ground, **changes))


BoardStateT = TypeVar("BoardStateT", bound=BoardState)
