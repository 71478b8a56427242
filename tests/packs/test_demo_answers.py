"""The answers that ship for the demo of the HASL campaigns are accepted, to the setup of date 2."""

from __future__ import annotations

import pytest

from laager.base.files import check, read_document
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.cli.play.answers import AnswersFile, give_all
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.state import HaslState
from laager.rules.board.units import Mark
from tests.historical.campaigns import SHIPPED, new_campaign
from tests.packs.hasl import PACKS


def played(card: str) -> tuple[Campaign, HaslState]:
    """A campaign after all answers of its demo, with what the umpire knows of it."""
    campaign = new_campaign(card, seed=bytes(32), entered=True)
    for path in sorted((PACKS / SHIPPED[card] / "demo").glob(f"{card}-*.yaml")):
        document = read_document(path)
        give_all(campaign, document, check(document, AnswersFile).answers, None)
    return campaign, campaign.state


@pytest.mark.parametrize("card", ["rijnoord", "kokusa-ridge"])
def test_a_refit_phase_from_answer_files(card: str) -> None:
    campaign, state = played(card)
    assert state.number == 2
    assert [pending.key for pending in campaign.pending()] == ["setup"]
    assert state.past[0].last_turn >= 6
    assert state.scenario.chits == {"axis": "attack", "allied": "idle"}
    assert all(state.side(side).cvp_total > 0 for side in SIDES)
    assert all(any(group.date == 2 for group in state.groups_of(side)) for side in SIDES)
    assert audit(campaign).sound


def test_the_first_night_at_rijnoord() -> None:
    _, state = played("rijnoord")
    assert state.block_control["N"] == "allied"
    assert state.block_control["O"] == "axis"
    wounded = [unit for unit in state.units_of("allied") if unit.has(Mark.WALKING_WOUNDED)]
    assert [unit.type for unit in wounded] == ["4-4-7", "4-4-7"]
    assert state.number == 2


def test_the_first_night_on_the_ridge() -> None:
    _, state = played("kokusa-ridge")
    assert state.ground.control["O15"] == "axis"
    assert {area.name for area in state.areas_of("allied")} >= {"North Knob", "Saddle"}
    assert state.groups["axis", "I1/5"].arrival == "reserve"
