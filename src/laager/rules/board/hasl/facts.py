"""What can happen in a HASL campaign besides what can happen in every campaign on a board."""

from __future__ import annotations

from laager.campaign import Fact
from laager.rules.board.facts import SideNumber
from laager.rules.board.hasl.state import ATTACK, Area, Group, HaslState, Round, Scenario
from laager.rules.board.state import evolve

# The course of a campaign -------------------------------------------------------------------------


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
        sides = (f"{side} {self.cpp[side]} CPP, ELR {self.elr[side]}, SAN {self.san[side]}" for side in self.cpp)
        return "the campaign begins: " + "; ".join(sides)


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
        return f"CG Date {self.number} begins"


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
        return "; ".join(f"{side} reveals the {chit.capitalize()} chit" for side, chit in self.chits.items())


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
        parts += ["no wind" if self.wind == "none" else f"wind {self.wind}"] if self.wind else []
        parts += [f"NVR {self.nvr}"] if self.nvr is not None else []
        return ", ".join(parts)


class SanAnnounced(Fact):
    """Before play both sides announce their SAN: what was bought in secret is known now."""

    san: dict[str, int]

    def apply(self, state: HaslState) -> HaslState:
        """Set both, and put them on the roster."""
        for side, san in self.san.items():
            state = state.with_side(side, san=san, secret_san=0)
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
        return "the scenario is over"


# Roster and purchase record -----------------------------------------------------------------------


class AmmunitionChanged(SideNumber):
    """A side's Ammunition Shortage level rose or fell."""

    number = "ammunition"
    title = "Ammunition Shortage level"


class CppChanged(SideNumber):
    """A side gained or spent CPP."""

    number = "cpp"
    title = "CPP"
    spent = True

    def apply(self, state: HaslState) -> HaslState:  # type: ignore[override]
        """Add to its balance, and to what the roster says of the date: spent, or there to spend."""
        state = super().apply(state)
        left, line = state.side(self.side).cpp, state.scenario
        spent = line.spent.get(self.side, 0) - min(self.by, 0)
        return state.with_scenario(
            start={**line.start, self.side: left + spent},
            spent={**line.spent, self.side: spent},
            left={**line.left, self.side: left},
        )


class FppChanged(SideNumber):
    """A side gained, spent or forfeited FPP."""

    forfeit: bool = False
    number = "fpp"
    title = "FPP"
    spent = True

    def apply(self, state: HaslState) -> HaslState:  # type: ignore[override]
        """Add to its balance; what is spent stands on the roster."""
        state = super().apply(state)
        if self.by >= 0 or self.forfeit:
            return state
        spent = state.scenario.fpp.get(self.side, 0) - self.by
        return state.with_scenario(fpp={**state.scenario.fpp, self.side: spent})


class GroupJoined(Fact):
    """A reinforcement group was bought, or given by the OB."""

    group: Group

    def apply(self, state: HaslState) -> HaslState:
        """Write it on the Purchase Record."""
        return state.with_new_group(self.group)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.group.side} {'gets' if self.group.given else 'buys'} {self.group.id}"


class ExhaustionSet(Fact):
    """A side's Campaign Exhaustion DRM for the date."""

    side: str
    drm: int

    def apply(self, state: HaslState) -> HaslState:
        """Note it."""
        return state.with_side(self.side, exhaustion=self.drm)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} Campaign Exhaustion DRM {self.drm:+d}"


class AreasDetermined(Fact):
    """The Setup Areas of both sides, and who Controls which Block."""

    areas: tuple[Area, ...]
    block_control: dict[str, str] = {}

    def apply(self, state: HaslState) -> HaslState:
        """Set them."""
        return evolve(state, areas=self.areas, block_control=dict(self.block_control))

    def tell(self) -> str:
        """Say it in a line."""
        sides = dict.fromkeys(area.side for area in self.areas)
        lists = (f"{side}: {', '.join(area.name for area in self.areas if area.side == side)}" for side in sides)
        return "Setup Areas: " + ("; ".join(lists) or "none")


class SnipersPlaced(Fact):
    """A side's Sniper counters on the map. Public."""

    side: str
    hexes: tuple[str, ...]

    def apply(self, state: HaslState) -> HaslState:
        """Note them."""
        return state.with_side(self.side, snipers=self.hexes)

    def tell(self) -> str:
        """Say it in a line."""
        return f"Snipers of {self.side} are in {', '.join(self.hexes)}"


class UnitRetained(Fact):
    """A unit is Retained in a Setup Area, or off the map by an Entry Area (its arrow hex).

    `was_in_play` is whether it has left the map to get there: it has taken part in a scenario.
    `ended` is where a Gun stood that is bound to that place wherever it is Retained.
    """

    unit: str
    area: str
    was_in_play: bool = False
    ended: str = ""

    def apply(self, state: HaslState) -> HaslState:
        """Note it on the unit."""
        state = state.with_arrival(self.unit) if self.was_in_play else state
        return state.with_unit(self.unit, lambda unit: unit.but(area=self.area, stood=self.ended or unit.stood))

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.unit} is Retained in {self.area or 'no area'}"
