"""What players report during play, as soon as it happens (CG21, CG23, CG24f)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laager.campaign import Option, Procedure, roll
from laager.dice import Dice
from laager.rules.board.card.parts import AXIS
from laager.rules.board.hasl.facts import RainFell, RollTold
from laager.rules.bridge_too_far.facts import HeadquartersRevealed, ReinforcementsReleased
from laager.rules.bridge_too_far.night import held_back, released_by
from laager.rules.bridge_too_far.shortage import RAIN

if TYPE_CHECKING:
    from laager.rules.bridge_too_far.context import Abtf

RAINED, FANATIC, DR, SEEN = "rain", "headquarters", "reinforcement-dr", "released"


def options(cg: Abtf) -> tuple[Option, ...]:
    """Return what players can report now."""
    found = []
    if not cg.state.scenario.rain:
        found.append(Option(RAINED, f"it has rained for {RAIN} Player Turns in a row"))
    named = cg.state.headquarters
    if named is not None and named.hexes and not cg.state.headquarters_known:
        found.append(Option(FANATIC, "a unit uses the benefit of the British Headquarters"))
    if held_back(cg):
        found.append(Option(DR, "the Germans make their reinforcement dr (step 1.11A)"))
        found.append(Option(SEEN, "a German unit saw a Known enemy, or was attacked (not by OBA, Sniper)"))
    return tuple(found)


def carry_out(cg: Abtf, event: str, turn: int) -> Procedure[None]:
    """Record what the players report for a Game Turn."""
    if event == RAINED:
        yield RainFell(why=f"{RAIN} Player Turns of rain in a row", rule="ABtF CG21")
    elif event == FANATIC:
        named = cg.state.headquarters
        assert named is not None, "it is offered only then"
        yield HeadquartersRevealed(
            building=named.building, hexes=named.hexes, why="a unit uses the Fanaticism that it gives", rule="ABtF CG23"
        )
    elif event == DR:
        yield from reinforcement_dr(turn)
    else:
        why = "a unit of the Scenario Defender saw a Known enemy or was attacked"
        yield ReinforcementsReleased(why=why, rule="ABtF CG24f")


def reinforcement_dr(turn: int) -> Procedure[None]:
    """One dr for all off-map units of the German Scenario Defender, in a Game Turn."""
    rule = "ABtF CG24f"
    rolled = yield from roll(AXIS, f"Reinforcements, turn {turn}", Dice.dr, rule=rule)
    if released_by(rolled.final, turn):
        yield ReinforcementsReleased(why=f"dr {rolled.final} is less than turn {turn}", rule=rule)
    else:
        why = f"dr {rolled.final} isn't less than turn {turn}"
        yield RollTold(text="German reinforcements are not released", why=why, rule=rule)
