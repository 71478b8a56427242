"""Every question of the HASL family's steps proposes a legal answer, whatever units there are.

The report of a scenario is left out: it proposes the record, and units by chance carry markers that
no record has.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.campaign.steps import Step
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.sequence import FROM_NEW_DATE, SETTLING
from tests.historical.setting import by_chance
from tests.rules.proposals import run_by_chance
from tests.tries import tries

STEPS = [step for step in (*SETTLING, *FROM_NEW_DATE) if step.id != "scenario-report"]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
@tries(20)
@given(seed=st.integers(0, 10**6))
def test_what_a_step_proposes_is_legal(step: Step, seed: int) -> None:
    rng = Random(seed)
    cg = by_chance(rng, Hasl)
    run_by_chance(step, cg, rng)
