"""The state of a Platoon Leader campaign: the sum of its facts, for one viewer. Immutable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from laager.campaign import implements
from laager.rules.board.changes import LEADERS
from laager.rules.board.knowledge import Knowledge, Known
from laager.rules.board.state import BoardState, SideNumbers, evolve
from laager.rules.board.units import GroupLine, Unit
from laager.rules.platoon_leader.card.card import Setup


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
class SideState(SideNumbers):
    """One side's running numbers: a column of the CG Roster.

    `cvp` is what it has scored in the present firefight; `tvp` its CG TVP total; `attack` whether
    it has the Attack Option of the present firefight; `leaders_lost` in this firefight and its
    RePh; `platoons` bought for this firefight by troop class.
    """

    cp: int = 0
    fp: int = 0
    cvp: int = 0
    tvp: int = 0
    tvp_now: int = 0
    attack: bool = False
    patrols: int = 0
    platoons: Mapping[str, int] = field(default_factory=dict)

    knowledge: ClassVar[Mapping[str, Knowledge]] = {
        **SideNumbers.knowledge,
        **dict.fromkeys(("cp", "fp", "patrols", "platoons"), Known.OWN),
        "attack": lambda state, line: state.attack_known(line),
    }


_NOTHING_YET = SideState()


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
    exited: frozenset[str] = frozenset()
    """The units that left the map in it and stayed in their OB (PL CG8)."""

    knowledge: ClassVar[Mapping[str, Knowledge]] = {"exited": Known.BY_UNIT}

    @property
    @implements("PL 1.4 Initial Firefight")
    def initial(self) -> bool:
        """True if it is the Initial Firefight, the first on the card."""
        return self.number == 1

    @property
    def defender(self) -> str:
        """The side that is not the attacker; "" in an Idle Firefight."""
        return {"axis": "allied", "allied": "axis"}.get(self.attacker, "")


class Group(GroupLine):
    """A reinforcement group as bought or given.

    `firefight` is that for which it was bought; `ammunition` and `equipment` are an OBA module's (PL 2.351, CG4).
    """

    firefight: int
    setup: Setup
    cost: int
    given: bool = False
    dummies: int = 0
    ammunition: str = ""
    equipment: str = ""
    pre_registered: str = ""
    """The hex pre-registered for an OBA module; kept until the module is used (PL 1.4 Used OBA)."""
    usable: bool = True
    used: bool = False
    lost: str = ""
    """Why the group as such is no longer there (used OBA, lost air support); empty while it is."""
    may_set_up: bool = False
    """True if it may set up on map next time whatever it paid: held off map a whole firefight, or
    bought for an Idle one (PL 2.32)."""


@dataclass(frozen=True)
class FrontLine:
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
class PlState(BoardState):
    """All that a viewer knows of a campaign."""

    side_class: ClassVar[type[SideNumbers]] = SideState
    sides: Mapping[str, SideState] = field(default_factory=dict)
    round: Round = Round.INITIAL
    fight: Fight = Fight()
    past: tuple[Fight, ...] = ()
    groups: Mapping[tuple[str, str], Group] = field(default_factory=dict)
    line: FrontLine | None = None
    option: str = ""
    """Redeployment Option A or B (PL 3.2); "" until agreed."""
    generated: frozenset[str] = frozenset()
    """The leaders generated in a RePh (PL 3.45)."""
    since_idle: int = 0
    """Firefights completed since the campaign's start or the last Idle one (PL 3.47 DRM)."""

    knowledge: ClassVar[Mapping[str, Knowledge]] = {"generated": Known.BY_UNIT}

    # Looking -------------------------------------------------------------------------------

    @property
    def number(self) -> int:
        """The number of the present firefight."""
        return self.fight.number

    @property
    def moves_first(self) -> str:
        """The side that moves first in the present firefight; "" while not known."""
        return self.fight.moves_first

    def side(self, side: str) -> SideState:
        """Return a side's running numbers."""
        return self.sides.get(side, _NOTHING_YET)

    def last_played(self) -> Fight | None:
        """Return the most recent firefight that was played (not Idle), the present one included."""
        for fight in (self.fight, *reversed(self.past)):
            if fight.play_ended and fight.type is not Type.IDLE:
                return fight
        return None

    def attack_known(self, line: SideState) -> Known:
        """Return who knows whether a side has the Attack Option: everybody from the announcement on (PL 2.4).

        Before, everybody knows of the one that the card assigns in the Initial Firefight.
        """
        assigned = self.fight.initial and line.attack
        return Known.PUBLIC if self.fight.type is not None or assigned else Known.OWN

    def total_of(self, side: str) -> tuple[str, list[Mapping[str, int]]]:
        """Return the CG TVP total, and the TVP of all firefights with the award of the present one."""
        played = (fight.tvp for fight in self.past if fight.type is not Type.IDLE)
        return "tvp", [*played, {side: self.side(side).tvp_now}]

    # Changing ------------------------------------------------------------------------------

    def with_new_unit(self, unit: Unit) -> PlState:
        """Return the state with a new unit; a leader who joins alone in the RePh was generated."""
        alone = self.round is Round.REORGANIZATION and unit.kind in LEADERS and not unit.group
        generated = self.generated | {unit.id} if alone else self.generated
        return evolve(super().with_new_unit(unit), generated=generated)

    def with_agreed(self, about: str, value: Any) -> PlState:
        """Return the state with what the players agreed on; the Redeployment Option has a field of its own."""
        return evolve(self, option=str(value)) if about == "option" else super().with_agreed(about, value)

    def with_cvp(self, side: str, points: int, battle: int | None) -> PlState:
        """Return the state with CVP added: to the tally, or to a past firefight on the roster."""
        if battle is None or battle == self.fight.number:
            return self.with_side(side, cvp=self.side(side).cvp + points)
        return evolve(self, past=tuple(_add_cvp(f, side, points, battle) for f in self.past))

    def with_fight(self, **changes: Any) -> PlState:
        """Return the state with the present firefight changed."""
        return evolve(self, fight=evolve(self.fight, **changes))


def _add_cvp(fight: Fight, side: str, points: int, number: int) -> Fight:
    if fight.number != number:
        return fight
    return evolve(fight, cvp={**fight.cvp, side: fight.cvp.get(side, 0) + points})
