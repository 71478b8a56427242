"""The state of a Platoon Leader campaign: the sum of its facts, for one viewer. Immutable."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from laager.campaign.clauses import implements
from laager.campaign.facts import UMPIRE
from laager.rules.platoon_leader.card import SIDES
from laager.rules.platoon_leader.units import Fort, Group, Unit

S = TypeVar("S")


def evolve(value: S, **changes: Any) -> S:
    """Return a copy of an immutable state value with some fields changed.

    Does what `dataclasses.replace` does for values without post-processing, in a tenth of the time:
    a long log is thousands of such changes.
    """
    made = object.__new__(type(value))
    made.__dict__.update(value.__dict__)
    made.__dict__.update(changes)
    return made


class Round(StrEnum):
    """Which list of steps is being gone through (PL SEQ INITIAL, CYCLE, IDLE)."""

    INITIAL = "initial"
    NEW = "new"
    REORGANIZATION = "reorganization"
    IDLE = "idle"
    OVER = "over"


class Type(StrEnum):
    """The kinds of firefight (PL 2.41)."""

    AXIS_ASSAULT = "Axis Assault"
    ALLIED_ASSAULT = "Allied Assault"
    DUAL_ATTACK = "Dual Attack"
    IDLE = "Idle Firefight"


@dataclass(frozen=True)
class SideState:
    """One side's running numbers: a column of the CG Roster.

    `cvp` is what it has scored in the present firefight; `tvp` its CG TVP total; `attack` whether
    it has the Attack Option of the present firefight; `leaders_lost` in this firefight and its
    RePh; `platoons` bought for this firefight by troop class; `bought` how many of each RG so far.
    """

    cp: int = 0
    fp: int = 0
    elr: int = 0
    san: int = 0
    cvp: int = 0
    tvp: int = 0
    tvp_now: int = 0
    attack: bool = False
    patrols: int = 0
    leaders_lost: int = 0
    platoons: Mapping[str, int] = field(default_factory=dict)
    bought: Mapping[str, int] = field(default_factory=dict)
    bought_now: Mapping[str, int] = field(default_factory=dict)
    massacre: bool = False
    next_unit: int = 1
    next_fort: int = 1


@dataclass(frozen=True)
class Fight:
    """The present (or a past) firefight: a line of the CG Roster.

    Sides are named by id, "" while not known. `attacker` is the side with the Attack Option; in a
    Dual Attack the side moving first (PL 2.5). `last_player` had the last Player Turn (PL 3.13).
    """

    number: int = 1
    type: Type | None = None
    weather: str = ""
    attacker: str = ""
    sets_up_first: str = ""
    moves_first: str = ""
    last_player: str = ""
    last_turn: int = 0
    play_ended: bool = False
    completed: bool = False
    winner: str = ""
    elr: Mapping[str, int] = field(default_factory=dict)
    san: Mapping[str, int] = field(default_factory=dict)
    cvp: Mapping[str, int] = field(default_factory=dict)
    tvp: Mapping[str, int] = field(default_factory=dict)
    attacked: Mapping[str, bool] = field(default_factory=dict)

    @property
    @implements("PL 1.4 Initial Firefight")
    def initial(self) -> bool:
        """Whether it is the Initial Firefight, the first on the card."""
        return self.number == 1

    @property
    def defender(self) -> str:
        """The side that is not the attacker; "" in an Idle Firefight."""
        return {"axis": "allied", "allied": "axis"}.get(self.attacker, "")


@dataclass(frozen=True)
class Line:
    """What a drawing of the front was made from (PL GEO), so that it can be made again.

    `controlled` are the hexes that seed each side's clusters, `ground` who Controls the ground
    level of contested ones, `links` the chosen MLR links as the map package writes them (None:
    proposed).
    """

    firefight: int
    stage: str
    controlled: Mapping[str, tuple[str, ...]]
    ground: Mapping[str, str]
    links: Mapping[str, tuple[Any, ...]] | None = None


@dataclass(frozen=True)
class Ground:
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


@dataclass(frozen=True)
class PlState:
    """All that a viewer knows of a campaign."""

    viewer: str = UMPIRE
    round: Round = Round.INITIAL
    done: tuple[str, ...] = ()
    fight: Fight = Fight()
    past: tuple[Fight, ...] = ()
    sides: Mapping[str, SideState] = field(default_factory=dict)
    units: Mapping[str, Unit] = field(default_factory=dict)
    groups: Mapping[tuple[str, str], Group] = field(default_factory=dict)
    forts: Mapping[str, Fort] = field(default_factory=dict)
    ground: Ground = Ground()
    line: Line | None = None
    option: str = ""
    """Redeployment Option A or B (PL 3.2); "" until agreed."""
    agreed: Mapping[str, Any] = field(default_factory=dict)
    since_idle: int = 0
    """Firefights completed since the campaign's start or the last Idle one (PL 3.47 DRM)."""
    notes: tuple[str, ...] = ()
    winner: str = ""
    ending: str = ""

    # Looking -------------------------------------------------------------------------------

    def side(self, side: str) -> SideState:
        """Return a side's running numbers."""
        return self.sides.get(side, SideState())

    def units_of(self, side: str, *kinds: str) -> Iterator[Unit]:
        """Return a side's units that are in play, of these kinds (all, if none is named)."""
        for unit in self.units.values():
            if unit.side == side and unit.in_play and (not kinds or unit.kind in kinds):
                yield unit

    def at(self, location: str) -> Iterator[Unit]:
        """Return the units on the map in this Location."""
        return (unit for unit in self.units.values() if unit.on_map and unit.at == location)

    def groups_of(self, side: str) -> Iterator[Group]:
        """Return a side's groups in the order bought."""
        return (group for group in self.groups.values() if group.side == side)

    def last_played(self) -> Fight | None:
        """Return the most recent firefight that was played (not Idle), the present one included."""
        for fight in (self.fight, *reversed(self.past)):
            if fight.play_ended and fight.type is not Type.IDLE:
                return fight
        return None

    # Changing ------------------------------------------------------------------------------

    def with_side(self, side: str, **changes: Any) -> PlState:
        """Return the state with a side's numbers changed."""
        changed = evolve(self.side(side), **changes)
        return evolve(self, sides={**self.sides, side: changed})

    def with_unit(self, unit_id: str, change: Callable[[Unit], Unit]) -> PlState:
        """Return the state with one unit changed; as it is if the viewer doesn't know the unit."""
        unit = self.units.get(unit_id)
        if unit is None:
            return self
        return evolve(self, units={**self.units, unit_id: change(unit)})

    def with_fight(self, **changes: Any) -> PlState:
        """Return the state with the present firefight changed."""
        return evolve(self, fight=evolve(self.fight, **changes))

    def with_ground(self, **changes: Any) -> PlState:
        """Return the state with the board changed."""
        return evolve(self, ground=evolve(self.ground, **changes))


def empty_state(viewer: str) -> PlState:
    """Return the state before the first fact."""
    return PlState(viewer=viewer, sides={side: SideState() for side in SIDES})
