"""Random Selection (ASL A.9): the dice choose among the units of a stack."""

from __future__ import annotations

from collections.abc import Sequence

from laager.campaign import Procedure, implements, roll
from laager.dice import Dice
from laager.rules.board.telling import named
from laager.rules.board.units import Unit


@implements("PL 3.21 note 3")
def random_selection(
    side: str, units: Sequence[Unit], what: str, *, secret: bool = False, rule: str = ""
) -> Procedure[tuple[Unit, ...]]:
    """Return who is selected: a dr for each, the highest is taken, and all who tie for it.

    A single unit needs no dr. `secret` is for dice that the enemy must not see; open ones do not
    tell what a concealed unit is.
    """
    if len(units) < 2:
        return tuple(units)
    thrown = []
    for number, unit in enumerate(units, start=1):
        label = f"Random Selection, {what}: {unit.label if secret else named(unit, number)}"
        rolled = yield from roll(side, label, Dice.dr, rule=rule, secret=secret)
        thrown.append(rolled.final)
    highest = max(thrown)
    return tuple(unit for unit, dr in zip(units, thrown, strict=True) if dr == highest)
