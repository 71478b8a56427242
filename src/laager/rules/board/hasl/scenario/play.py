"""Play of a scenario, from the opening of the tallies to its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from laager.campaign import Option, Procedure, implements, step
from laager.dice import Modifier
from laager.rules.board.card.parts import SIDES
from laager.rules.board.course.game_end import GameEndPlay, PlayerTurn
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import PlayEnded, SanAnnounced, TalliesOpened
from laager.rules.board.hasl.scenario.initiative import first_mover


@implements("ABtF 9.621", "ER 1.525", "ER 1.5231")
@step("HASL 30", "Play")
def play(cg: Hasl) -> Procedure[None]:
    """Open the tallies, fix who moves first, announce the SAN; then the players play to the end."""
    yield TalliesOpened(why="play begins")
    yield from first_mover(cg)
    san = {side: cg.state.side(side).san for side in SIDES}
    yield SanAnnounced(san=san, why="both sides announce their SAN before play")
    now, why = yield from game_end(cg).play()
    yield PlayEnded(turn=now.turn, why=why)


@implements("HASL 30", "ER CHART CVP/VP Tally")
def game_end_numbers(cg: Hasl) -> Mapping[int, int]:
    """Return the circled numbers by Game Turn: those of the date, else of the charts."""
    listed = cg.date.circled if cg.date.circled is not None else cg.charts.circled
    least = cg.variant.game_end_from
    return {turn: number for turn, number in sorted((listed or {}).items()) if turn >= least}


@dataclass(frozen=True)
class ScenarioEnd(GameEndPlay):
    """The end of play of a scenario, by its variant."""

    cg: Hasl

    def roller(self, side: str) -> str:
        """Return the side that makes the dr after a side's Player Turn."""
        return self.cg.variant.game_end_roller(self.cg, side)

    def modifiers(self, at: PlayerTurn) -> Sequence[Modifier]:
        """Return the drm of the dr."""
        return self.cg.variant.game_end_modifiers(self.cg, at.turn)

    def events(self) -> tuple[Option, ...]:
        """Return what players report while they play."""
        return self.cg.variant.play_events(self.cg)

    def event(self, name: str, turn: int) -> Procedure[None]:
        """Carry out one of `events`."""
        yield from self.cg.variant.carry_out_event(self.cg, name, turn)


@implements("ABtF CG4", "ER CG21")
def game_end(cg: Hasl) -> GameEndPlay:
    """Return how play of the present scenario ends."""
    by_turn, rule = cg.variant.game_end_by_player_turn, cg.variant.clause("game-end")
    return ScenarioEnd(cg, cg.state.scenario.moves_first, game_end_numbers(cg), by_turn, rule=rule)
