"""Units by side, holder and Location: what a state takes over when one unit changes is what sorting anew would give."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.rules.board.state import UNIT_KEYS
from laager.rules.board.units import Place
from tests.platoon_leader.fronts import add, drawn

PLACES = ("C4", "C8", "G2")


@pytest.mark.parametrize("seed", range(6))
def test_what_is_taken_over_is_what_sorting_anew_gives(seed: int) -> None:
    chance, cg = Random(seed), drawn()
    for _ in range(8):
        add(cg, chance.choice(["axis", "allied"]), "4-6-7", "squad", chance.choice(PLACES))
    state: Any = cg.state
    for _ in range(60):
        for name in UNIT_KEYS:
            if chance.random() < 0.7:
                state._of_units(name)
        changes: dict[str, Any] = chance.choice(
            [
                {"at": chance.choice(PLACES)},
                {"place": chance.choice([Place.MAP, Place.OFF_MAP, Place.ELIMINATED])},
                {"with_unit": chance.choice(["", *state.units])},
                {"known": False},
            ]
        )
        changed = chance.choice(list(state.units))
        state = state.with_unit(changed, lambda unit, changes=changes: unit.but(**changes))
        for name, key in UNIT_KEYS.items():
            for value in {key(unit) for unit in state.units.values()} - {None, ""}:
                anew = [unit for unit in state.units.values() if key(unit) == value]
                assert state._of_units(name)[value] == anew, (name, value)
