"""When play of a firefight ends (PL CG2): after each Player Turn that has a Game End dr, or by agreement."""

from __future__ import annotations

from laager.campaign import implements
from laager.dice import Modifier
from laager.rules.board.course.game_end import GameEndPlay, PlayerTurn
from laager.rules.platoon_leader.context import Cg


def first_mover(cg: Cg) -> str:
    """Return the side whose Player Turn comes first in each Game Turn."""
    fight = cg.state.fight
    return fight.moves_first or fight.attacker or cg.card.attacking_side


class FirefightEnd(GameEndPlay):
    """How play of a firefight ends."""

    cg: Cg

    @implements("PL CG2")
    def modifiers(self, at: PlayerTurn) -> tuple[Modifier, ...]:
        """Return the drm: -1 for the side moving second, once the first turn with a number is past."""
        if at.side == self.first or at.turn <= min(self.numbers):
            return ()
        chart = self.cg.charts.game_end
        return (Modifier(chart.second_mover_drm, f"moving second, after turn {min(self.numbers)}", chart.rule),)


@implements("PL CG2", "PL 1.4 CG Firefight End")
def game_end(cg: Cg) -> GameEndPlay:
    """Return how play of the present firefight ends."""
    return FirefightEnd(cg, first_mover(cg), cg.slot.game_end, key="play-status", rule="PL CG2", asked="PL CG2")
