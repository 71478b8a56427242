"""What can happen in a Platoon Leader campaign besides what can happen in every campaign on a board.

Each fact knows what it does to the state. Facts about a side's points and purchases go to that side alone,
unless the rules make them public.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laager.base.counting import count_of
from laager.campaign import Fact
from laager.rules.board.facts import SideNumber
from laager.rules.board.state import evolve
from laager.rules.platoon_leader.state import Fight, FrontLine, Group, PlState, Round, Type

# The course of a campaign -------------------------------------------------------------------------


class CampaignBegun(Fact):
    """The campaign stands as its card has it (PL 1.1); numbers per side."""

    elr: dict[str, int]
    san: dict[str, int]
    cp: dict[str, int]
    agreed: dict[str, Any] = {}

    def apply(self, state: PlState) -> PlState:
        """Set the starting numbers."""
        for side in self.elr:
            state = state.with_side(side, elr=self.elr[side], san=self.san[side], cp=self.cp[side])
        return evolve(state, agreed={**state.agreed, **self.agreed})

    def tell(self) -> str:
        """Say it in a line."""
        sides = (f"{side} {self.cp[side]} CP, ELR {self.elr[side]}, SAN {self.san[side]}" for side in self.cp)
        return "the campaign begins: " + "; ".join(sides)


class WeatherSet(Fact):
    """The weather of the firefight (PL 2.2)."""

    weather: str

    def apply(self, state: PlState) -> PlState:
        """Put it on the roster."""
        return state.with_fight(weather=self.weather)

    def tell(self) -> str:
        """Say it in a line."""
        return f"the weather is {self.weather}"


class RoundBegun(Fact):
    """Another list of steps begins: new firefight, reorganization, Idle, or the campaign's end."""

    round: Round
    firefight: int | None = None

    def apply(self, state: PlState) -> PlState:
        """Begin the list; a new firefight files the old one and clears what belonged to it."""
        state = evolve(state, round=self.round, done=())
        if self.firefight is None or self.firefight == state.fight.number:
            return state
        state = evolve(state, past=(*state.past, state.fight), fight=Fight(number=self.firefight))
        for side in state.sides:
            state = state.with_side(
                side, cvp=0, attack=False, patrols=0, leaders_lost=0, platoons={}, bought_now={}, tvp_now=0
            )
        return state

    def tell(self) -> str:
        """Say it in a line."""
        number = "" if self.firefight is None else f" {self.firefight}"
        return {
            Round.INITIAL: f"the Initial Firefight begins{number}",
            Round.NEW: f"firefight{number} begins",
            Round.REORGANIZATION: "the Reorganization Phase begins",
            Round.IDLE: "no firefight is played: it is Idle",
            Round.OVER: "the campaign is over",
        }[self.round]


class PlayEnded(Fact):
    """The firefight's play is over (PL CG2, 2.9)."""

    turn: int
    last_player: str

    def apply(self, state: PlState) -> PlState:
        """Put it on the roster."""
        return state.with_fight(last_turn=self.turn, last_player=self.last_player, play_ended=True)

    def tell(self) -> str:
        """Say it in a line."""
        return f"play ended in turn {self.turn}, {self.last_player} played last"


class FirefightWon(Fact):
    """The winner of the firefight is fixed (PL 1.31); "" if nobody could win."""

    winner: str

    def apply(self, state: PlState) -> PlState:
        """Put it on the roster with the tallies."""
        sides = state.sides
        return state.with_fight(
            winner=self.winner,
            cvp={side: s.cvp for side, s in sides.items()},
            tvp={side: s.tvp_now for side, s in sides.items()},
        )

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.winner or 'nobody'} wins the firefight"


class FirefightCompleted(Fact):
    """The firefight and its Reorganization Phase are over (PL 1.4 CG Firefight End)."""

    idle: bool = False

    def apply(self, state: PlState) -> PlState:
        """Count it since the last Idle one, or begin the count anew; file the final tallies."""
        since = 0 if self.idle else state.since_idle + 1
        state = evolve(state, since_idle=since)
        return state.with_fight(completed=True, cvp={side: s.cvp for side, s in state.sides.items()})

    def tell(self) -> str:
        """Say it in a line."""
        return "the firefight is completed"


class UnitsExited(Fact):
    """Units left the map and stay in their OB (PL CG8); told to their side."""

    side: str
    units: tuple[str, ...]

    def apply(self, state: PlState) -> PlState:
        """Note the units."""
        return state.with_fight(exited=state.fight.exited | set(self.units))

    def tell(self) -> str:
        """Say it in a line."""
        return f"{count_of(len(self.units), 'unit')} of {self.side} left the map, still in the OB"


# The front ----------------------------------------------------------------------------------------


class CrestTaken(Fact):
    """A Military Crest as a whole has another controller (PL 1.4 Military Crest)."""

    crest: str
    side: str

    def apply(self, state: PlState) -> PlState:
        """Note it."""
        return state.with_ground(crests={**state.ground.crests, self.crest: self.side})

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} Controls the crest of {self.crest}"


class FrontDrawn(Fact):
    """The front was drawn: clusters, MLR, No Man's Land follow from this (PL GEO). Public."""

    stage: str
    controlled: dict[str, tuple[str, ...]]
    ground: dict[str, str]
    links: dict[str, tuple[Any, ...]] | None = None

    def apply(self, state: PlState) -> PlState:
        """Keep what the drawing is made from."""
        line = FrontLine(state.fight.number, self.stage, self.controlled, self.ground, self.links)
        return evolve(state, line=line)

    def tell(self) -> str:
        """Say it in a line."""
        return f"the front is drawn ({self.stage})"


# Roster and purchase record -----------------------------------------------------------------------


class CpChanged(SideNumber):
    """A side gained or spent CP."""

    number = "cp"
    title = "CP"
    spent = True


class FpChanged(SideNumber):
    """A side gained or spent FP (PL 2.38)."""

    number = "fp"
    title = "FP"
    spent = True


class PatrolsChanged(SideNumber):
    """A side bought Patrols (PL 2.31), or used or lost them."""

    number = "patrols"
    title = "Patrols"
    spent = True


class TvpAwarded(Fact):
    """A side was awarded TVP for the Locations it Controls (PL 3.33)."""

    side: str
    points: int
    locations: tuple[str, ...] = ()

    def apply(self, state: PlState) -> PlState:
        """Add to its CG TVP total."""
        return state.with_side(self.side, tvp=state.side(self.side).tvp + self.points, tvp_now=self.points)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} is awarded {self.points} TVP"


class GroupJoined(Fact):
    """A reinforcement group was bought, or given by the OB. CpChanged has the CP."""

    group: Group
    platoons: int = 0
    troops: str = ""

    def apply(self, state: PlState) -> PlState:
        """Write it on the Purchase Record."""
        state = state.with_new_group(self.group)
        if self.group.given or not self.platoons:
            return state
        side = state.side(self.group.side)
        classes = {**side.platoons, self.troops: side.platoons.get(self.troops, 0) + self.platoons}
        return state.with_side(self.group.side, platoons=classes)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.group.side} {'gets' if self.group.given else 'buys'} {self.group.id}"


class AttackOptionTaken(Fact):
    """A side has the Attack Option of the present firefight, bought or assigned (PL 1.4, 2.4)."""

    side: str
    assigned: bool = False

    def apply(self, state: PlState) -> PlState:
        """Flag it."""
        return state.with_side(self.side, attack=True)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} has the Attack Option" + (" (assigned)" if self.assigned else "")


TYPE_WORDS: Mapping[Type, str] = {
    Type.AXIS_ASSAULT: "axis makes an Assault",
    Type.ALLIED_ASSAULT: "allied makes an Assault",
    Type.DUAL_ATTACK: "both sides make a Dual Attack",
    Type.IDLE: "nobody attacks and the firefight is Idle",
}
"""What is said of a firefight of this kind."""


class FirefightDetermined(Fact):
    """Both sides announced, and the kind of firefight follows (PL 2.4, 2.41)."""

    type: Type
    elr: dict[str, int]
    san: dict[str, int]
    attacked: dict[str, bool]
    attacker: str = ""
    sets_up_first: str = ""
    moves_first: str = ""

    def apply(self, state: PlState) -> PlState:
        """Put it on the roster; the flags are public from now on."""
        for side, flag in self.attacked.items():
            state = state.with_side(side, attack=flag, elr=self.elr[side], san=self.san[side], secret_san=0)
        return state.with_fight(
            type=self.type,
            elr=self.elr,
            san=self.san,
            attacked=self.attacked,
            attacker=self.attacker,
            sets_up_first=self.sets_up_first,
            moves_first=self.moves_first,
        )

    def tell(self) -> str:
        """Say it in a line."""
        sides = (f"{side} ELR {self.elr[side]}, SAN {self.san[side]}" for side in self.elr)
        return f"{TYPE_WORDS[self.type]}; {'; '.join(sides)}"


class MoverDecided(Fact):
    """The second dr of a Dual Attack: who moves first, and so counts as attacker (PL 2.41, 2.5)."""

    side: str

    def apply(self, state: PlState) -> PlState:
        """Put it on the roster."""
        return state.with_fight(moves_first=self.side, attacker=self.side)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} moves first"
