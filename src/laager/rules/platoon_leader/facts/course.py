"""The course of a campaign: agreements, rounds, firefights, the end."""

from __future__ import annotations

from typing import Any

from laager.campaign import Fact
from laager.rules.board.state import evolve
from laager.rules.platoon_leader.state import Fight, PlState, Round


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
        sides = (f"{side} CP {self.cp[side]} ELR {self.elr[side]} SAN {self.san[side]}" for side in self.cp)
        return "the campaign begins: " + "; ".join(sides)


class Agreed(Fact):
    """The players agreed on something (historical variables, redeployment option …)."""

    about: str
    value: Any

    def apply(self, state: PlState) -> PlState:
        """Keep it; the redeployment option has a place of its own."""
        if self.about == "option":
            return evolve(state, option=str(self.value))
        return evolve(state, agreed={**state.agreed, self.about: self.value})

    def tell(self) -> str:
        """Say it in a line."""
        return f"agreed: {self.about} {self.value}"


class WeatherSet(Fact):
    """The weather of the firefight (PL 2.2)."""

    weather: str

    def apply(self, state: PlState) -> PlState:
        """Put it on the roster."""
        return state.with_fight(weather=self.weather)

    def tell(self) -> str:
        """Say it in a line."""
        return f"weather: {self.weather}"


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
            Round.NEW: f"a new firefight begins:{number}",
            Round.REORGANIZATION: "the Reorganization Phase begins",
            Round.IDLE: "the firefight is Idle",
            Round.OVER: "the campaign is over",
        }[self.round]


class CampaignEnded(Fact):
    """The campaign is decided (PL 1.3): the winner ("" for a draw) and how."""

    winner: str
    ending: str

    def apply(self, state: PlState) -> PlState:
        """Close the campaign."""
        return evolve(state, winner=self.winner, ending=self.ending, round=Round.OVER, done=())

    def tell(self) -> str:
        """Say it in a line."""
        return f"the campaign is over: {self.winner or 'nobody'} wins; {self.ending}"


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
        """Note who it was."""
        return state.with_fight(exited=state.fight.exited | set(self.units))

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side}: {len(self.units)} units left the map and stay in the OB"


class MassacreInvoked(Fact):
    """A side invoked Massacre; it stays in force for the campaign (PL CG9)."""

    side: str

    def apply(self, state: PlState) -> PlState:
        """Flag it."""
        return state.with_side(self.side, massacre=True)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} invokes Massacre"
