"""The course of a campaign: its start, rounds and dates, scenarios, the end."""

from __future__ import annotations

from typing import Any

from laager.campaign import Fact
from laager.rules.board.hasl.state import ATTACK, HaslState, Round, Scenario
from laager.rules.board.state import evolve


class CampaignBegun(Fact):
    """The campaign stands as its card has it; numbers per side."""

    elr: dict[str, int]
    san: dict[str, int]
    cpp: dict[str, int]
    ammunition: dict[str, int] = {}

    def apply(self, state: HaslState) -> HaslState:
        """Set the starting numbers."""
        for side in self.elr:
            state = state.with_side(
                side,
                elr=self.elr[side],
                san=self.san[side],
                cpp=self.cpp[side],
                ammunition=self.ammunition.get(side, 0),
            )
        return state.with_scenario(
            start=dict(self.cpp), elr=dict(self.elr), san=dict(self.san), ammunition=dict(self.ammunition)
        )

    def tell(self) -> str:
        """Say it in a line."""
        sides = (f"{side} CPP {self.cpp[side]} ELR {self.elr[side]} SAN {self.san[side]}" for side in self.cpp)
        return "the campaign begins: " + "; ".join(sides)


class Agreed(Fact):
    """The players agreed on something."""

    about: str
    value: Any

    def apply(self, state: HaslState) -> HaslState:
        """Keep it."""
        return evolve(state, agreed={**state.agreed, self.about: self.value})

    def tell(self) -> str:
        """Say it in a line."""
        listed = isinstance(self.value, list | tuple)
        value = ", ".join(str(one) for one in self.value) if listed else self.value
        return f"agreed: {self.about} {value}"


class RollTold(Fact):
    """What a roll means that changed nothing, or why none is made."""

    text: str

    def apply(self, state: HaslState) -> HaslState:
        """Change nothing."""
        return state

    def tell(self) -> str:
        """Give the text itself."""
        return self.text


class RoundBegun(Fact):
    """Another list of steps begins."""

    round: Round

    def apply(self, state: HaslState) -> HaslState:
        """Begin the list."""
        return evolve(state, round=self.round, done=(), turning=True)

    def tell(self) -> str:
        """Say it in a line."""
        return {
            Round.INITIAL: "the Initial Scenario is prepared",
            Round.REFIT: "the Refit Phase begins",
            Round.IDLE: "the Refit Phase goes on after the Idle Date",
            Round.OVER: "the campaign is over",
        }[self.round]


class DateBegun(Fact):
    """Another CG Date: the scenario before it is filed on the roster."""

    number: int

    def apply(self, state: HaslState) -> HaslState:
        """File the old line; clear what belonged to it, keep the chits until new ones come."""
        old = evolve(state.scenario, cvp={side: own.cvp for side, own in state.sides.items()})
        fresh = Scenario(
            number=self.number,
            elr={side: own.elr for side, own in state.sides.items()},
            ammunition={side: own.ammunition for side, own in state.sides.items()},
            san={side: own.san for side, own in state.sides.items()},
            start={side: own.cpp for side, own in state.sides.items()},
            left={side: own.cpp for side, own in state.sides.items()},
        )
        state = evolve(state, past=(*state.past, old), scenario=fresh, idle_since=state.idle_since or old.idle)
        for side in state.sides:
            state = state.with_side(side, bought_now={}, exhaustion=None, snipers=())
        return state

    def tell(self) -> str:
        """Say it in a line."""
        return f"CG Date {self.number}"


class ChitsRevealed(Fact):
    """Both initiative chits, revealed together; `counted` as choices of the campaign or not."""

    chits: dict[str, str]
    counted: bool = True

    def apply(self, state: HaslState) -> HaslState:
        """Put them on the roster and count them."""
        state = state.with_scenario(chits=dict(self.chits))
        if not self.counted:
            return state
        for side, chit in self.chits.items():
            own = state.side(side)
            if chit == ATTACK:
                state = state.with_side(side, attacks=own.attacks + 1)
            else:
                state = state.with_side(side, idles=own.idles + 1)
        return state

    def tell(self) -> str:
        """Say it in a line."""
        return "; ".join(f"{side}: {chit}" for side, chit in self.chits.items())


class ScenarioDetermined(Fact):
    """What the chits make of the date: the kind of scenario, or an Idle Date."""

    kind_of_scenario: str
    idle: bool = False
    sets_up_first: str = ""
    moves_first: str = ""

    def apply(self, state: HaslState) -> HaslState:
        """Put it on the roster with the numbers of the date."""
        return state.with_scenario(
            kind=self.kind_of_scenario,
            idle=self.idle,
            sets_up_first=self.sets_up_first,
            moves_first=self.moves_first,
            elr={side: own.elr for side, own in state.sides.items()},
            ammunition={side: own.ammunition for side, own in state.sides.items()},
            san={side: own.san for side, own in state.sides.items()},
        )

    def tell(self) -> str:
        """Say it in a line."""
        if self.idle:
            return f"{self.kind_of_scenario}: no scenario is played"
        return f"{self.kind_of_scenario}; {self.sets_up_first} sets up first"


class MoverDecided(Fact):
    """Who moves first."""

    side: str

    def apply(self, state: HaslState) -> HaslState:
        """Put it on the roster."""
        return state.with_scenario(moves_first=self.side)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} moves first"


class WeatherSet(Fact):
    """EC, weather and wind of a scenario, and the NVR of a night one."""

    weather: str = ""
    ec: str = ""
    wind: str = ""
    nvr: int | None = None

    def apply(self, state: HaslState) -> HaslState:
        """Put it on the roster."""
        return state.with_scenario(weather=self.weather, ec=self.ec, wind=self.wind, nvr=self.nvr)

    def tell(self) -> str:
        """Say it in a line."""
        parts = [self.weather or "weather not stated"]
        parts += [f"EC {self.ec}"] if self.ec else []
        parts += [f"wind {self.wind}"] if self.wind else []
        parts += [f"NVR {self.nvr}"] if self.nvr is not None else []
        return ", ".join(parts)


class SanAnnounced(Fact):
    """Before play both sides announce their SAN: what was bought in secret is known now."""

    san: dict[str, int]

    def apply(self, state: HaslState) -> HaslState:
        """Set both, and put them on the roster."""
        for side, san in self.san.items():
            state = state.with_side(side, san=san)
        return state.with_scenario(san=dict(self.san))

    def tell(self) -> str:
        """Say it in a line."""
        return "SAN: " + ", ".join(f"{side} {san}" for side, san in self.san.items())


class PlayEnded(Fact):
    """The scenario's play is over."""

    turn: int
    rain: bool = False

    def apply(self, state: HaslState) -> HaslState:
        """Put it on the roster; the CVP of this scenario are counted from here."""
        rain = self.rain or state.scenario.rain
        return state.with_scenario(last_turn=self.turn, play_ended=True, rain=rain)

    def tell(self) -> str:
        """Say it in a line."""
        return f"play ended in Game Turn {self.turn}"


class RainFell(Fact):
    """It rained long enough in the scenario to matter later."""

    def apply(self, state: HaslState) -> HaslState:
        """Put it on the roster."""
        return state.with_scenario(rain=True)

    def tell(self) -> str:
        """Say it in a line."""
        return "it rained long enough to be noted"


class TalliesOpened(Fact):
    """The CVP tallies of another scenario begin."""

    def apply(self, state: HaslState) -> HaslState:
        """Set both to nothing; the campaign's totals stay."""
        for side in state.sides:
            state = state.with_side(side, cvp=0, leaders_lost=0)
        return evolve(state, idle_since=False)

    def tell(self) -> str:
        """Say it in a line."""
        return "the CVP of this scenario are counted from here"


class ScenarioEnded(Fact):
    """CG Scenario End: play and the first steps of the Refit Phase are over."""

    def apply(self, state: HaslState) -> HaslState:
        """Put it on the roster with the tallies."""
        return state.with_scenario(ended=True, cvp={side: own.cvp for side, own in state.sides.items()})

    def tell(self) -> str:
        """Say it in a line."""
        return "CG Scenario End"


class CampaignEnded(Fact):
    """The campaign is decided: the winner ("" for a draw) and how."""

    winner: str
    ending: str

    def apply(self, state: HaslState) -> HaslState:
        """Close the campaign."""
        return evolve(state, winner=self.winner, ending=self.ending, round=Round.OVER, done=())

    def tell(self) -> str:
        """Say it in a line."""
        return f"the campaign is over: {self.winner or 'nobody'} wins; {self.ending}"


class MassacreInvoked(Fact):
    """A Massacre occurred (A20.4); it stays in force for the campaign."""

    side: str

    def apply(self, state: HaslState) -> HaslState:
        """Flag it."""
        return state.with_side(self.side, massacre=True)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side}: Massacre"
