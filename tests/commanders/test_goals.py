"""What a side goes for: the ground of the Blocks that the card's conditions of victory name."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from laager.rules.board.hasl.areas import tallies
from laager.rules.board.hasl.judgement import goals
from laager.rules.board.places import hex_of
from laager.rules.board.state import evolve
from laager.simulation.plan import read_plan
from laager.simulation.play import begin

if TYPE_CHECKING:
    from laager.rules.board.hasl.context import Hasl


def test_ground_of_nobody_is_wanted_as_much_as_the_enemys() -> None:
    """Block N of The Bridge at Rijnoord is nobody's when the campaign begins, and empty; four of five Blocks win."""
    cg = cast("Hasl", begin(read_plan("rijnoord"), 1).context)
    ground = evolve(cg.state.ground, control={"O14": "allied", "S18": "axis", "T18": "axis"})
    cg = cg.with_state(evolve(cg.state, ground=ground))
    tally = tallies(cg)["N"]
    assert tally.of("allied") == 1
    assert len(tally.nobody) > 20
    for side in ("axis", "allied"):
        assert {hex_of(at) for at in tally.nobody} <= set(goals(cg, side))
    assert "O14" in goals(cg, "axis")
    assert "T18" in goals(cg, "allied")
    assert "S19" in goals(cg, "allied"), "what is nobody's in a Block where the enemy has something"
