"""Setups by chance: all that is proposed is legal, and nobody learns what hides."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.setup.setup import setting_up
from laager.rules.board.units import HIDING, Mark
from tests.historical.setting import BridgeCg, RidgeCg, by_chance, folded, views
from tests.rules.proposals import carried


@pytest.mark.parametrize("context", [Hasl, BridgeCg, RidgeCg])
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10**6))
@example(seed=46889)  # a Gun that cannot be dismantled, but is, with a vehicle
def test_every_setup_by_chance_is_legal_and_secret(context: type[Hasl], seed: int) -> None:
    rng = Random(seed)
    cg = by_chance(rng, context)
    before = views(cg)
    facts = carried(cg, setting_up.run(cg), rng, suggests=True)
    for side in SIDES:
        view = folded(before[side], facts)
        for name, unit in cg.state.units.items():
            if unit.side == side:
                if not unit.has(Mark.PRISONER):
                    assert view.units.get(name) == unit
            elif unit.on_map and unit.has(*HIDING) and not unit.has(Mark.PRISONER, Mark.WRECK):
                assert name not in view.units
            elif unit.known:
                assert (view.units[name].at, view.units[name].type) == (unit.at, unit.type)
            else:
                assert name not in view.units
        for name, fort in cg.state.forts.items():
            if fort.side == other_side(side) and fort.hidden:
                assert name not in view.forts
        assert not [key for key in view.groups if key[0] == other_side(side)]
