"""The state of a HASL campaign: the sum of its facts, for one viewer. Immutable."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from laager.campaign import UMPIRE
from laager.rules.board.knowledge import Knowledge, Known
from laager.rules.board.state import BoardState, SideNumbers, evolve
from laager.rules.board.units import GroupLine, RecordLine, Unit


class Round(StrEnum):
    """Which list of steps is being gone through."""

    INITIAL = "initial"
    """From the start of the campaign to the end of the Initial Scenario's play."""
    REFIT = "refit"
    """The Refit Phase after a scenario, to the end of the next one's play."""
    IDLE = "idle"
    """What is left of the Refit Phase on the date after an Idle Date."""
    OVER = "over"


ATTACK, IDLE = "attack", "idle"
"""The two initiative chits."""


@dataclass(frozen=True)
class SideState(SideNumbers):
    """One side's running numbers.

    `cvp` is what it has amassed in the scenario just played and the Refit Phase after it,
    `cvp_total` in the campaign. `attacks` and `idles` count the chits chosen. `exhaustion` is the
    Campaign Exhaustion DRM, None while not known. `ammunition` is its Ammunition Shortage level.
    """

    cpp: int = 0
    fpp: int = 0
    cvp: int = 0
    cvp_total: int = 0
    attacks: int = 0
    idles: int = 0
    exhaustion: int | None = None
    ammunition: int = 0
    snipers: tuple[str, ...] = ()

    knowledge: ClassVar[Mapping[str, Knowledge]] = {**SideNumbers.knowledge, "cpp": Known.OWN, "fpp": Known.OWN}


@dataclass(frozen=True)
class Scenario:
    """The scenario of one CG Date: a line of the CG Roster. Sides are named by id.

    `chits` are the initiative chits as revealed (side -> attack or idle); `kind` is what they make
    of the scenario. `idle` is whether none is played. The mappings are the roster's columns: CPP at
    the start, spent and left, FPP spent, ELR, SAN, CVP and Ammunition Shortage level by side.
    """

    number: int = 1
    chits: Mapping[str, str] = field(default_factory=dict)
    kind: str = ""
    idle: bool = False
    sets_up_first: str = ""
    moves_first: str = ""
    weather: str = ""
    ec: str = ""
    wind: str = ""
    nvr: int | None = None
    last_turn: int = 0
    play_ended: bool = False
    ended: bool = False
    """CG Scenario End: play and the first steps of the Refit Phase are over."""
    rain: bool = False
    """True if it rained long enough in it to matter (ABtF CG21)."""
    start: Mapping[str, int] = field(default_factory=dict)
    spent: Mapping[str, int] = field(default_factory=dict)
    left: Mapping[str, int] = field(default_factory=dict)
    fpp: Mapping[str, int] = field(default_factory=dict)
    elr: Mapping[str, int] = field(default_factory=dict)
    san: Mapping[str, int] = field(default_factory=dict)
    cvp: Mapping[str, int] = field(default_factory=dict)
    ammunition: Mapping[str, int] = field(default_factory=dict)

    knowledge: ClassVar[Mapping[str, Knowledge]] = dict.fromkeys(("start", "spent", "left", "fpp"), Known.BY_SIDE)

    def attackers(self) -> tuple[str, ...]:
        """Return the sides that chose an Attack chit."""
        return tuple(side for side, chit in self.chits.items() if chit == ATTACK)


class GroupArrival(StrEnum):
    """How a group comes into play on its date of purchase."""

    ON_MAP = "on-map"
    ENTER = "enter"
    RESERVE = "reserve"


class Strength(StrEnum):
    """How much of a group was received."""

    FULL = "F"
    DEPLETED = "D"


class Group(GroupLine):
    """A reinforcement group as bought or given.

    `kind` and `name` are its type and Group Type. `date` is the number of the CG Date for which it came. `area` is
    the Setup Area or the arrow hex of the Entry Area recorded for it. `units` and `sw` count what
    came of each type. An OBA module has its Draw Pile (`black`, `red`), what directs it
    (`equipment`: radio, phone, observer), and whether it was `in_play` and fired (`used`) in the
    last scenario.
    """

    kind: str = ""
    name: str = ""
    date: int
    cost: int = 0
    given: bool = False
    arrival: GroupArrival | None = None
    area: str = ""
    strength: Strength | None = None
    units: dict[str, int] = {}
    sw: dict[str, int] = {}
    leader: str = ""
    """Its leaders as they came (`9-1`, `10-2, 9-1`), or the word that the table has instead."""
    named: tuple[str, ...] | None = None
    """Leaders that the OB names for it; None: they are rolled for."""
    objective: str = ""
    setup: tuple[str, ...] = ()
    """The only hexes where its units set up on the date when they come, as the OB gives it; () for no such."""
    registers: bool = False
    """True if the OB gives it a Pre-Registered hex, which its owner chooses."""
    black: int = 0
    red: int = 0
    equipment: str = ""
    holder: str = ""
    """Who has its radio or phone in the present scenario."""
    security: tuple[str, ...] = ()
    """The Security Area of its phone: hexes from the phone to the map edge."""
    pre_registered: tuple[str, ...] = ()
    in_play: bool = False
    used: bool = False
    placed: bool = False
    """True if what it buys (an FPF Barrage, a Bombardment) has been placed."""
    lost: str = ""
    """Why the group as such is no longer there; empty while it is Retained."""


class Area(RecordLine):
    """A Setup Area as determined: a Controlled Block, or an area that the players listed."""

    name: str
    side: str
    hexes: tuple[str, ...]
    isolated: bool = False


@dataclass(frozen=True)
class HaslState(BoardState):
    """All that a viewer knows of a HASL campaign."""

    side_class: ClassVar[type[SideNumbers]] = SideState
    sides: Mapping[str, SideState] = field(default_factory=dict)
    round: Round = Round.INITIAL
    scenario: Scenario = Scenario()
    past: tuple[Scenario, ...] = ()
    groups: Mapping[tuple[str, str], Group] = field(default_factory=dict)
    areas: tuple[Area, ...] = ()
    block_control: Mapping[str, str] = field(default_factory=dict)
    """Block -> the side that Controls it; Blocks of nobody are left out."""
    idle_since: bool = False
    """True if an Idle Date has occurred since the last scenario played."""
    arrived: Mapping[str, int] = field(default_factory=dict)
    """Unit -> the CG Date on which it first set up or entered; of the enemy's nothing is kept."""

    knowledge: ClassVar[Mapping[str, Knowledge]] = {"arrived": Known.BY_UNIT}

    # Looking -------------------------------------------------------------------------------

    @property
    def number(self) -> int:
        """The number of the present CG Date, from 1."""
        return self.scenario.number

    @property
    def moves_first(self) -> str:
        """The side that moves first in the present scenario; "" while not known."""
        return self.scenario.moves_first

    def side(self, side: str) -> SideState:
        """Return a side's running numbers."""
        return self.sides.get(side, SideState())

    def areas_of(self, side: str) -> Iterator[Area]:
        """Return the Setup Areas of a side."""
        return (area for area in self.areas if area.side == side)

    def area(self, side: str, name: str) -> Area | None:
        """Return a side's Setup Area by its name."""
        return next((area for area in self.areas_of(side) if area.name == name), None)

    def friendly(self, side: str) -> frozenset[str]:
        """Return the hexes of all Setup Areas of a side."""
        return frozenset(name for area in self.areas_of(side) for name in area.hexes)

    def area_at(self, hex_: str) -> Area | None:
        """Return the Setup Area, of whichever side, that holds a hex."""
        return next((area for area in self.areas if hex_ in area.hexes), None)

    def last_played(self) -> Scenario | None:
        """Return the last scenario that was played, the present one included."""
        for scenario in (self.scenario, *reversed(self.past)):
            if scenario.play_ended and not scenario.idle:
                return scenario
        return None

    def total_of(self, side: str) -> tuple[str, list[Mapping[str, int]]]:
        """Return the CVP amassed, and the CVP of all scenarios played.

        The tally that a side has now is the present scenario's once its play is over, and the last one's before.
        """
        played = [scenario.cvp for scenario in self.past if not scenario.idle]
        filed = played if self.scenario.play_ended else played[:-1]
        return "cvp_total", [*filed, {side: self.side(side).cvp}]

    # Changing ------------------------------------------------------------------------------

    def with_unit(self, unit_id: str, change: Callable[[Unit], Unit]) -> HaslState:
        """Return the state with one unit changed; that it came onto the map is remembered."""
        state = super().with_unit(unit_id, change)
        before, after = self.units.get(unit_id), state.units.get(unit_id)
        there = (before is not None and before.on_map) or (after is not None and after.on_map)
        return state.with_arrival(unit_id) if there else state

    def with_arrival(self, unit_id: str) -> HaslState:
        """Return the state in which a unit has set up or entered, on this date if not before."""
        unit = self.units.get(unit_id)
        if unit is None or unit_id in self.arrived or self.viewer not in (UMPIRE, unit.side):
            return self
        return evolve(self, arrived={**self.arrived, unit_id: self.number})

    def with_cvp(self, side: str, points: int, battle: int | None) -> HaslState:
        """Return the state with CVP added to a side's tallies."""
        own = self.side(side)
        return self.with_side(side, cvp=own.cvp + points, cvp_total=own.cvp_total + points)

    def with_scenario(self, **changes: object) -> HaslState:
        """Return the state with the present scenario changed."""
        return evolve(self, scenario=evolve(self.scenario, **changes))
