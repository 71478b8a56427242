"""States made by hand for tests of the Reorganization Phase: units, Control, a drawn front."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from laager.rules.board.facts import ControlChanged
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import FrontDrawn
from laager.rules.platoon_leader.state import Type
from tests.platoon_leader.harness import unit
from tests.platoon_leader.small import small_cg

AXIS_HELD = ("C4", "K4")
ALLIED_HELD = ("C8", "K9", "G2")


def scene(readings: dict[str, str] | None = None, **changes: Any) -> Cg:
    """Return the walkthrough after the play of FF1, an Axis Assault, with the front drawn."""
    cg = small_cg(readings, **changes)
    for side, held in (("axis", AXIS_HELD), ("allied", ALLIED_HELD)):
        cg.state = ControlChanged(side=side, locations=held).apply(cg.state)
        card = cg.side(side)
        cg.state = cg.state.with_side(side, cp=card.cp, elr=card.elr, san=card.san)
    cg.state = cg.state.with_fight(
        type=Type.AXIS_ASSAULT,
        attacker="axis",
        sets_up_first="allied",
        moves_first="axis",
        last_player="allied",
        play_ended=True,
        attacked={"axis": True, "allied": False},
    )
    draw(cg)
    return cg


def draw(cg: Cg) -> None:
    """Draw the front from Control as it is."""
    line = cg.line_now("final")
    fact = FrontDrawn(stage="final", controlled=dict(line.controlled), ground=dict(line.ground))
    cg.state = fact.apply(cg.state)


def add(cg: Cg, side: str, type_: str, kind: str, at: str | None = None, *marks: Mark, **more: Any) -> Unit:
    """Add a unit to the scene and return it."""
    cg.state, made = unit(cg.state, side, type_, kind, at, *marks, **more)
    return made


def now(cg: Cg, made: Unit) -> Unit:
    """Return a unit as it is now."""
    return cg.state.units[made.id]


def set_side(cg: Cg, side: str, **changes: Any) -> None:
    """Change a side's running numbers."""
    cg.state = cg.state.with_side(side, **changes)


def won(cg: Cg, side: str) -> None:
    """Fix the winner of the firefight."""
    cg.state = cg.state.with_fight(winner=side, cvp={s: v.cvp for s, v in cg.state.sides.items()})


def set_ground(cg: Cg, **changes: Any) -> None:
    """Change the board."""
    cg.state = replace(cg.state, ground=replace(cg.state.ground, **changes))
