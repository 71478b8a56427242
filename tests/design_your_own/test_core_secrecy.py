"""Nothing that leaves the engine for one side tells what the other has bought in secret."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from laager.base import DataError, RefusedError
from laager.campaign.engine import Campaign
from laager.campaign.telling import lines_of, log_in_words
from laager.campaign.views import causes, view
from laager.rules.design_your_own.ruleset import RULESET
from laager.rules.design_your_own.terms import SIDES, other_side
from tests.design_your_own.harness import by_chance, new_purchase


def all_that_leaves(campaign: Campaign, side: str) -> str:
    """Every byte that a side can get, but for the opening, which is agreed on by both."""
    seen = replace(view(campaign, side), opening={}, waiting_for=())
    cg = campaign.context
    found: list[Any] = [
        repr(replace(seen, pending=(), log=())),
        json.dumps(RULESET.describe(seen.state)),
        *RULESET.headline(cg, seen.state),
        json.dumps([sheet.describe() for sheet in RULESET.sheets(cg, seen.state)]),
        *lines_of(log_in_words(campaign, view(campaign, side)), full=True),
    ]
    for one in seen.log:
        if one.entry.type != "open":
            found.append(repr(one))
            if one.entry.type == "fact":
                found.append(repr([repr(c.entry) for c in causes(view(campaign, side), one.number)]))
    for pending in seen.pending:
        assert pending.side == side
        if pending.question is not None:
            found.append(json.dumps(pending.question.describe()))
        beside = RULESET.sheets_beside(cg, seen.state, pending.key, side)
        found.append(json.dumps([sheet.describe() for sheet in beside]))
    return "\n".join(found)


def buy(campaign: Campaign, side: str, rng: Random) -> None:
    """Let one side buy everything, by chance, as far as it needs nobody else."""
    for _ in range(200):
        mine = [one for one in campaign.pending() if one.side == side and one.key != "open-roster"]
        if not mine:
            return
        assert mine[0].question is not None
        campaign.answer(side, mine[0].key, mine[0].question.sample(rng))


@pytest.mark.parametrize("buyer", SIDES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_other_side_gets_the_same_bytes_whatever_was_bought(buyer: str, seed: int) -> None:
    """Nothing bought and everything bought look alike from the other seat."""
    poor, rich = new_purchase(), new_purchase()
    seat = other_side(buyer)
    before = all_that_leaves(rich, seat)
    for _ in range(60):
        mine = [one for one in poor.pending() if one.side == buyer]
        if not mine:
            break
        wanted = mine[0].question
        assert wanted is not None
        value = False if wanted.default is True else wanted.default
        if wanted.key == "vehicles-dr":
            value = {"roll": False, "motorized": False}
        poor.answer(buyer, mine[0].key, value)
    buy(rich, buyer, Random(seed))
    assert rich.state.ob(buyer).total > 0
    assert all_that_leaves(rich, seat) == before
    assert all_that_leaves(poor, seat) == before
    assert all_that_leaves(rich, buyer) != all_that_leaves(poor, buyer)


@pytest.mark.parametrize("seed", range(4))
def test_planted_purchases_are_in_no_byte_of_the_enemy(seed: int) -> None:
    """Types of one nation never show up at the other side before the Rosters are open."""
    campaign = new_purchase(axis={"nation": "german", "points": 2000}, allied={"nation": "russian", "points": 2000})
    rng = Random(seed)
    for side in SIDES:
        buy(campaign, side, rng)
    for _ in range(3):
        # Announcing and allotting, up to the opening of the Rosters.
        for side in SIDES:
            buy(campaign, side, rng)
    assert {one.key for one in campaign.pending()} == {"open-roster"}
    for side in SIDES:
        enemy = campaign.state.ob(other_side(side))
        text = all_that_leaves(campaign, side)
        own = json.dumps(campaign.state.ob(side).model_dump(mode="json"))
        secrets = {entry.type for entry in (*enemy.infantry, *enemy.ordnance.guns)}
        secrets |= {entry.type for entry in enemy.vehicles.entries}
        for secret in secrets:
            if secret not in own and secret not in mine(campaign, side):
                assert secret not in text
        told_of = [
            one.entry.body["kind"]
            for one in view(campaign, side).log
            if one.entry.type == "fact" and one.entry.body["fact"].get("side") == other_side(side)
        ]
        assert told_of == ["elr-announced"]


def mine(campaign: Campaign, side: str) -> str:
    """All types of a side's own nation, which its questions and sheets may name."""
    cg: Any = campaign.context
    return json.dumps([one.type for one in cg.nation(side).entries_of("squads")]) + json.dumps(
        [one.type for s in ("guns", "vehicles", "transport") for one in cg.nation(side).entries_of(s)]
    )


OPEN_FACTS = {"weather-agreed", "elr-announced", "roster-shown", "purchase-ended"}
OPEN_ANSWERS = {"weather", "partisan-elr"}


@pytest.mark.parametrize("way", [{}, {"open": True}, {"open": True, "first": "allied"}])
@pytest.mark.parametrize("seed", range(3))
def test_who_may_know_each_entry(way: dict[str, Any], seed: int) -> None:
    """Purchases and dice are their side's alone, in open buying too until they are shown."""
    campaign = new_purchase(weather="", axis={"points": 3000}, allied={"points": 2000}, **way)
    by_chance(campaign, Random(seed))
    for entry in campaign.entries:
        if entry.type == "fact":
            fact = campaign.fact_of(entry)
            open_ = fact.kind in OPEN_FACTS
            assert entry.to == (None if open_ else (entry.body["fact"]["side"],)), fact.kind
            assert fact.tell()
        elif entry.type == "roll":
            assert entry.to == (entry.body["side"],)
        elif entry.type == "answer":
            open_ = entry.body["key"] in OPEN_ANSWERS
            assert entry.to == (None if open_ else (entry.body["side"],))


def test_the_opponents_state_is_as_at_the_beginning() -> None:
    campaign = new_purchase()
    buy(campaign, "axis", Random(2))
    seen = view(campaign, "allied")
    assert seen.state.ob("axis").total == 0
    assert not seen.state.knows("axis")
    assert seen.state.closed == {}
    described = RULESET.describe(seen.state)
    assert set(described["sides"]["axis"]) == {"nation", "allotment", "announced_elr"}
    assert "points" in described["sides"]["allied"]
    assert {sheet.side for sheet in RULESET.sheets(campaign.context, seen.state)} == {"allied"}


def test_refusals_tell_nothing_of_the_other_side() -> None:
    plain, rich = new_purchase(), new_purchase()
    buy(rich, "axis", Random(4))
    wrong = {"lines": [{"type": "4-6-7", "number": 3}]}
    told_by = []
    for campaign in (plain, rich):
        with pytest.raises(DataError) as caught:
            campaign.answer("allied", "infantry", wrong)
        told_by.append(str(caught.value))
    assert told_by[0] == told_by[1]
    with pytest.raises(RefusedError):
        rich.answer("allied", "ordnance", [])


def test_opened_rosters_are_seen_by_both() -> None:
    campaign = new_purchase()
    by_chance(campaign, Random(9))
    for side in SIDES:
        seen = view(campaign, side).state
        for one in SIDES:
            assert seen.ob(one) == campaign.state.ob(one)
        assert {sheet.side for sheet in RULESET.sheets(campaign.context, seen)} == set(SIDES)


def test_one_side_alone_opens_nothing() -> None:
    campaign = new_purchase()
    for _ in range(4):
        for side in SIDES:
            buy(campaign, side, Random(1))
    campaign.answer("axis", "open-roster", "open")
    assert not campaign.state.shown
    assert not view(campaign, "allied").state.knows("axis")
    campaign.answer("allied", "open-roster", "open")
    assert campaign.state.shown == set(SIDES)
    assert campaign.state.over
