"""When a side attacks: what it weighs, and what changes in the last battle."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest

from laager.campaign.temperament import find_temperament, temperaments
from laager.commanders.staff import explain_answer
from laager.rules.board.hasl import judgement as hasl
from laager.rules.board.hasl.refit.shift import GARRISON, judge_shift, shift_options
from laager.rules.board.hasl.state import Round
from laager.rules.board.state import evolve
from laager.rules.platoon_leader import judgement
from laager.rules.platoon_leader.redeployment.judgement import judge_option
from laager.simulation.plan import read_plan
from laager.simulation.play import begin, play_campaign

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.rules.board.hasl.context import Hasl


def _context(number: int) -> Any:
    """Return the training card as the Germans, who are behind in TVP, see it in a firefight of this number."""
    context = begin(read_plan("training"), 1).context
    state = context.state
    ground = evolve(state.ground, control={"F7": "axis", "G5": "allied", "H3": "allied"})
    return context.with_state(evolve(state, ground=ground, fight=evolve(state.fight, number=number)))


def test_who_is_behind_has_nothing_to_save_in_the_last_battle() -> None:
    assert judgement.urgency(_context(2), "axis") == "behind"
    assert judgement.urgency(_context(3), "axis") == "last"
    assert judgement.urgency(_context(3), "allied") == "ahead"


@pytest.mark.parametrize("name", sorted(temperaments()))
def test_everybody_attacks_sooner_the_worse_he_stands(name: str) -> None:
    temper = find_temperament(name)
    needed = [temper[f"attack.{stands}"] for stands in ("last", "behind", "even", "ahead")]
    assert needed == sorted(needed)
    assert len(set(needed)) == len(needed)


def test_own_points_are_worth_what_the_sides_chart_sells() -> None:
    cg = _context(2)
    rich = evolve(cg.state.side("axis"), cp=24)
    cg = cg.with_state(evolve(cg.state, sides={**cg.state.sides, "axis": rich}))
    assert judgement._worth_for_cp(cg, "axis") > judgement.WORTH_FOR_CP
    # With 24 CP the Germans buy enough platoons besides the attack; at `WORTH_FOR_CP` they would sit still.
    assert judgement.wants_attack(cg, "axis", find_temperament("sensible"))


def test_cpp_that_are_not_spent_yet_count_for_the_attack() -> None:
    cg: Any = begin(read_plan("sorgiva"), 1).context
    cg = cg.with_state(evolve(cg.state, number=2, round=Round.REFIT))
    temper = find_temperament("sensible")

    def attacks(cpp: int) -> bool:
        side = evolve(cg.state.side("axis"), cpp=cpp)
        return hasl.wants_attack(
            cg.with_state(evolve(cg.state, sides={**cg.state.sides, "axis": side})), "axis", temper
        )

    assert not attacks(0)
    assert attacks(30)


def test_an_attackers_spare_squads_shift_and_the_enemys_hidden_ones_count_for_nothing() -> None:
    temper, shifts = find_temperament("sensible"), 0

    def look(campaign: Campaign) -> bool:
        nonlocal shifts
        for asked in campaign.pending():
            if asked.key != "shift" or asked.question is None:
                continue
            rows, cg = asked.question.propose(temper), cast("Hasl", campaign.context)
            assert asked.question.allows(rows)
            shifts += len(rows)
            able = [cg.state.units.get(option.value) for option in shift_options(cg, asked.side) if not option.why_not]
            squads = Counter(unit.area for unit in able if unit is not None and unit.kind == "squad")
            going = Counter(cg.state.units[row["unit"]].area for row in rows)
            assert all(squads[area] - number >= GARRISON for area, number in going.items()), "what they leave is held"
            seen = {name: unit for name, unit in cg.state.units.items() if unit.side == asked.side or unit.known}
            other = cg.with_state(evolve(cg.state, units=seen))
            if rows:
                assert judge_shift(other, asked.side, shift_options(other, asked.side), temper) == rows
        return shifts > 0

    for number in range(1, 4):
        if not shifts:
            # What goes wrong while a campaign is played ends it, assertions too.
            assert not play_campaign(read_plan("kokusa-ridge"), number, look).outcome.dead_end
    assert shifts


REASONED = {
    "shift": "squads|stays",
    "escape": "chance is 50 % or better",
    "redeploy-isolated": "chance is 50 % or better",
    "redeployment-option": "I would choose Option [AB]",
    "set-up-in-mlr": "squad",
    "redeploy": "squad",
}
"""Questions of which a commander says why it answers so, and what the reason has."""


@pytest.mark.parametrize(("card", "side"), [("training", "axis"), ("sorgiva", "axis")])
def test_a_commander_says_why_units_go_where_they_go(card: str, side: str) -> None:
    context, temper = begin(read_plan(card), 1).context, find_temperament("sensible")
    asked_of_pl = {"redeploy-isolated", "redeployment-option", "set-up-in-mlr", "redeploy"}
    for key, words in REASONED.items():
        if (key in asked_of_pl) == (card == "training"):
            assert re.search(words, explain_answer(context, side, key, temper)), key
    assert explain_answer(context, side, "rally", temper) == ""


@pytest.mark.parametrize("attacks", [True, False])
def test_the_reason_is_that_of_who_attacks_or_sits_still(attacks: bool) -> None:
    cg = _context(2)
    mine = evolve(cg.state.side("axis"), attack=attacks)
    cg = cg.with_state(evolve(cg.state, sides={**cg.state.sides, "axis": mine}))
    reason = explain_answer(cg, "axis", "set-up-in-mlr", find_temperament("sensible"))
    assert ("We attack" in reason) == attacks


@pytest.mark.parametrize(("ratio", "option"), [(0.0, "B"), (10.0, "A")])
def test_the_reason_names_the_option_that_is_chosen(ratio: float, option: str) -> None:
    cg, sensible = _context(2), find_temperament("sensible")
    temper = replace(sensible, figures={**sensible.figures, f"attack.{judgement.urgency(cg, 'axis')}": ratio})
    assert judge_option(cg, "axis", temper, {}, 0) == option
    assert f"Option {option}:" in explain_answer(cg, "axis", "redeployment-option", temper)
