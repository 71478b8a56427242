"""What players report during play, as soon as it happens (CG21, CG23, CG24f)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laager.campaign import Option, Procedure, roll
from laager.dice import Dice
from laager.rules.board.card.parts import AXIS
from laager.rules.board.hasl.facts import RainFell, RollTold
from laager.rules.bridge_too_far.facts import HeadquartersRevealed, ReinforcementsReleased
from laager.rules.bridge_too_far.night import is_held_back, releases_reinforcements
from laager.rules.bridge_too_far.shortage import RAIN_PLAYER_TURNS

if TYPE_CHECKING:
    from laager.rules.bridge_too_far.context import Abtf

RAIN = "rain"
HEADQUARTERS_USED = "headquarters"
REINFORCEMENT_DR = "reinforcement-dr"
RELEASED = "released"


def event_options(cg: Abtf) -> tuple[Option, ...]:
    """Return what players can report now."""
    choices = []
    if not cg.state.scenario.rain:
        choices.append(Option(RAIN, f"it has rained for {RAIN_PLAYER_TURNS} Player Turns in a row"))
    headquarters = cg.state.headquarters
    if headquarters is not None and headquarters.hexes and not cg.state.headquarters_known:
        choices.append(Option(HEADQUARTERS_USED, "a unit uses the benefit of the British Headquarters"))
    if is_held_back(cg):
        choices.append(Option(REINFORCEMENT_DR, "the Germans make their reinforcement dr (step 1.11A)"))
        choices.append(Option(RELEASED, "a German unit saw a Known enemy, or was attacked (not by OBA, Sniper)"))
    return tuple(choices)


def carry_out_event(cg: Abtf, event: str, turn: int) -> Procedure[None]:
    """Record what the players report for a Game Turn."""
    if event == RAIN:
        yield RainFell(why=f"{RAIN_PLAYER_TURNS} Player Turns of rain in a row", rule="ABtF CG21")
    elif event == HEADQUARTERS_USED:
        headquarters = cg.state.headquarters
        assert headquarters is not None, "it is offered only then"
        yield HeadquartersRevealed(
            building=headquarters.building,
            hexes=headquarters.hexes,
            why="a unit uses the Fanaticism that it gives",
            rule="ABtF CG23",
        )
    elif event == REINFORCEMENT_DR:
        yield from reinforcement_dr(turn)
    else:
        why = "a unit of the Scenario Defender saw a Known enemy or was attacked"
        yield ReinforcementsReleased(why=why, rule="ABtF CG24f")


def reinforcement_dr(turn: int) -> Procedure[None]:
    """One dr for all off-map units of the German Scenario Defender, in a Game Turn."""
    rule = "ABtF CG24f"
    rolled = yield from roll(AXIS, f"Reinforcements, turn {turn}", Dice.dr, rule=rule)
    if releases_reinforcements(rolled.final, turn):
        yield ReinforcementsReleased(why=f"dr {rolled.final} is less than turn {turn}", rule=rule)
    else:
        why = f"dr {rolled.final} isn't less than turn {turn}"
        yield RollTold(text="German reinforcements are not released", why=why, rule=rule)
