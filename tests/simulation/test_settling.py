"""Settle this battle: both sides agree, each finds its report filled in, and neither learns what it may not know."""

from __future__ import annotations

import json

import pytest

from laager.base import RefusedError
from laager.campaign import settling
from laager.campaign.audit import audit
from laager.campaign.describing import wishes
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.telling import lines_of, log_in_words
from laager.campaign.views import view
from laager.commanders import load_commander
from laager.commanders.answering import answer_pending
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.report import REPORT_KEYS
from laager.simulation.plan import CLOCK, read_plan
from laager.simulation.settling import agree_to_settle


def to_the_report(card: str, number: int = 1) -> Campaign:
    """A campaign that waits for the reports of its first battle."""
    plan = read_plan(card, axis="chance", allied="chance")
    store = MemoryStore()
    store.append(plan.opening(number))
    campaign = Campaign(store, clock=lambda: CLOCK)
    campaign.advance()
    commander, chance = load_commander("chance"), plan.chance(number, "both")
    while (pending := campaign.pending()[0]).key not in REPORT_KEYS:
        answer_pending(campaign, pending, commander, chance)
    return campaign


def defaults(campaign: Campaign) -> dict[str, object]:
    return {pending.side: pending.question.default for pending in campaign.pending() if pending.question}


@pytest.mark.parametrize("card", ["rzhavets", "rijnoord", "kokusa-ridge", "sorgiva"])
def test_both_agree_and_the_model_fills_both_reports_in(card: str) -> None:
    campaign = to_the_report(card)
    as_it_is = defaults(campaign)
    assert not agree_to_settle(campaign, "axis")
    assert defaults(campaign) == as_it_is
    assert [wish.kind for wish in wishes(campaign, view(campaign, "allied"))] == ["settle"]
    assert agree_to_settle(campaign, "allied")
    filled = defaults(campaign)
    assert filled != as_it_is
    assert not list(wishes(campaign, view(campaign, "allied")))
    again = Campaign(campaign.store)
    assert defaults(again) == filled
    for pending in again.pending():
        assert pending.question is not None
        assert pending.question.allows(pending.question.default)
    for side in SIDES:
        hidden = [u for u in campaign.state.units.values() if u.side == other_side(side)]
        assert not any(unit.id in json.dumps(filled[side]) for unit in hidden)
    while (pending := campaign.pending()[0]).key in {*REPORT_KEYS, "ground-report-agreed"}:
        assert pending.question is not None
        campaign.answer(pending.side, pending.key, pending.question.default)
    assert audit(campaign).sound
    assert settling.agreed_sides(campaign) == frozenset()


def test_a_side_can_change_what_was_filled_in() -> None:
    campaign = to_the_report("sorgiva")
    for side in SIDES:
        agree_to_settle(campaign, side)
    filled = defaults(campaign)
    campaign.answer("axis", campaign.pending()[0].key, {"units": []})
    assert defaults(campaign) == {"allied": filled["allied"]}


def test_refusing_and_withdrawing_and_taking_back() -> None:
    campaign = to_the_report("training")
    as_it_is = defaults(campaign)
    with pytest.raises(RefusedError, match="nobody has asked"):
        settling.refuse(campaign, "allied")
    agree_to_settle(campaign, "axis")
    with pytest.raises(RefusedError, match="said so already"):
        agree_to_settle(campaign, "axis")
    with pytest.raises(RefusedError, match="not a side"):
        agree_to_settle(campaign, "umpire")
    settling.refuse(campaign, "allied")
    assert settling.agreed_sides(campaign) == frozenset()
    for side in SIDES:
        agree_to_settle(campaign, side)
    assert defaults(campaign) != as_it_is
    settling.refuse(campaign, "axis")
    assert defaults(campaign) == as_it_is
    lines = "\n".join(lines_of(log_in_words(campaign, view(campaign, "allied"))))
    assert "asks to have this battle settled by the model" in lines or "ask to have this battle settled" in lines
    assert "to settle the battle" in lines


def test_there_is_nothing_to_settle_before_the_report_is_due() -> None:
    plan = read_plan("training")
    store = MemoryStore()
    store.append(plan.opening(1))
    campaign = Campaign(store)
    campaign.advance()
    with pytest.raises(RefusedError, match="no battle to be settled"):
        agree_to_settle(campaign, "axis")
