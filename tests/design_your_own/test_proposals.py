"""Who takes the proposals of a purchase has a balanced force: what *suggest* buys, for nearly all points."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from laager.base import Problem, Refusal, RefusedError
from laager.campaign.engine import Campaign
from laager.campaign.temperament import find_temperament
from laager.rules.design_your_own.check.check import check_ob
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.ob import INFANTRY, OBA, ORDNANCE, SECOND, VEHICLES, OrderOfBattle
from laager.rules.design_your_own.plan import program
from laager.rules.design_your_own.plan.proposal import budget, fill
from laager.rules.design_your_own.plan.suggest import suggest
from laager.rules.design_your_own.plan.wishes import Wishes
from laager.rules.design_your_own.terms import SIDES, other_side
from tests.design_your_own.harness import cg_of, new_purchase, ob_of, proven, published_cg

SENSIBLE = find_temperament("sensible")
BAD = Problem("barred", "leave it out")


def buy_as_proposed(campaign: Campaign, temper: str = "", side: str = "") -> None:
    """Take every proposal (of a temperament), of one side or both, until nothing is asked."""
    while pending := [asked for asked in campaign.pending() if side in ("", asked.side)]:
        question = pending[0].question
        assert question is not None
        answer = question.propose(find_temperament(temper)) if temper else question.default
        campaign.answer(pending[0].side, question.key, answer)


def purchase_of(campaign: Campaign) -> Cg:
    assert isinstance(campaign.context, Cg)
    return campaign.context


def checked(campaign: Campaign, side: str) -> OrderOfBattle:
    """Return an order of battle, with which the check, which knows nothing of proposals, finds nothing wrong."""
    assert [str(breach) for breach in check_ob(purchase_of(campaign), side).broken] == []
    return ob_of(campaign, side)


@pytest.mark.parametrize("temper", ["", "bold", "cautious"])
def test_proposals_spend_the_points_on_a_balanced_force(temper: str) -> None:
    campaign = new_purchase()
    buy_as_proposed(campaign, temper)
    assert campaign.over
    for side in SIDES:
        ob = checked(campaign, side)
        spent = ob.spent
        assert ob.left <= 10, spent
        assert 0.4 * ob.allotment <= spent[INFANTRY] <= 0.6 * ob.allotment, spent
        assert all(spent[name] for name in (ORDNANCE, VEHICLES, OBA)), spent
        nation = purchase_of(campaign).nation(side)
        assert all(nation.vehicle(entry.type).afv is True for entry in ob.vehicles.entries)
    proven(campaign)


def test_the_infantry_is_what_suggest_buys_for_the_points() -> None:
    cg, campaign = cg_of(), new_purchase()
    for side in SIDES:
        question = next(asked.question for asked in campaign.pending() if asked.side == side)
        assert question is not None
        points = budget(cg, side, INFANTRY, SENSIBLE)
        found = suggest(cg, side, Wishes(reserve=cg.points_left(side) - points)).ob.infantry
        rows = [(row["type"], row["number"]) for row in question.default["lines"]]
        assert rows == [(entry.type, entry.number) for entry in found]
        [total] = question.totals(question.default) if question.totals else ()
        assert points - 6 <= total.used <= points


def test_a_category_that_nothing_can_be_bought_of_leaves_its_share_to_the_others() -> None:
    whole, bare = cg_of(), published_cg()
    assert budget(whole, "axis", INFANTRY, SENSIBLE) == 514
    # Of what the rules state, only vehicles have a price besides.
    assert budget(bare, "axis", INFANTRY, SENSIBLE) == 694
    assert budget(whole, "axis", OBA, SENSIBLE) == 1000, "the last with a share has all that is left"
    bold, cautious = map(find_temperament, ("bold", "cautious"))
    assert budget(whole, "axis", VEHICLES, bold) > budget(whole, "axis", VEHICLES, cautious)
    assert budget(whole, "axis", ORDNANCE, bold) < budget(whole, "axis", ORDNANCE, cautious)


def test_what_the_first_purchase_took_of_the_counters_the_second_leaves() -> None:
    """However a side has bought before: the second purchase keeps to the counters, and spends what is left."""
    campaign = new_purchase()
    taken = {"lines": [{"type": "4-6-8", "number": 20}, {"type": "4-4-7", "number": 26}]}
    nothing: Mapping[str, Any] = {
        "infantry": taken, "ordnance-dr": False, "vehicles-dr": {"roll": False, "motorized": False}, "oba-dr": False
    }  # fmt: skip
    while asked := next((asked for asked in campaign.pending() if asked.side == "axis"), None):
        assert asked.question is not None
        if asked.key == "open-roster" or campaign.over:
            break
        campaign.answer("axis", asked.key, nothing.get(asked.key, asked.question.default))
    ob = ob_of(campaign, "axis")
    second = {entry.type: entry.number for entry in ob.infantry_of_purchase("second")}
    assert second, ob
    assert "4-4-7" not in second, "one game has 26"
    assert ob.left < 7
    assert ob.spent[SECOND] > 0


def test_rows_spend_most_on_few_types() -> None:
    prices = {"dear": 60, "cheap": 11, "odd": 25}

    def cost(rows: list[Any]) -> int:
        return sum(prices[row["type"]] * row["number"] for row in rows)

    def of(points: int, barred: str = "") -> list[tuple[str, int]]:
        rows = fill(prices, points, lambda rows: [BAD] * any(row["type"] == barred for row in rows), cost)
        return [(row["type"], row["number"]) for row in rows]

    assert of(130) == [("odd", 5)]
    assert of(121) == [("dear", 2)]
    assert of(145) == [("odd", 5), ("cheap", 1)]
    assert of(121, barred="dear") == [("odd", 4), ("cheap", 1)]
    assert of(10) == []
    assert of(10_000) == [("dear", 5), ("odd", 5), ("cheap", 5)], "a platoon of each at most"


def test_without_the_solver_the_cart_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(self: object, program: object) -> None:
        raise RefusedError(Refusal.NOT_INSTALLED, "it isn't installed", "install it")

    monkeypatch.setattr(program._Solver, "__init__", missing)
    question = new_purchase().pending()[0].question
    assert question is not None
    assert question.default["lines"] == []
    assert question.allows(question.default)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("buys_in", ["secret", "open"])
def test_proposals_are_the_same_whatever_the_other_side_has_in_secret(side: str, buys_in: str) -> None:
    """Two worlds that differ in what the other side has bought, and not shown."""
    seen = []
    for seed in (1, 2):
        campaign = new_purchase(open=buys_in == "open", first="both")
        enemy, chance = other_side(side), Random(seed)
        asked = next(asked for asked in campaign.pending() if asked.side == enemy)
        assert asked.question is not None
        campaign.answer(enemy, asked.key, asked.question.sample(chance))
        mine = next(asked for asked in campaign.pending() if asked.side == side)
        assert mine.question is not None
        seen.append(mine.question.default)
    assert seen[0] == seen[1]
    assert seen[0]["lines"]


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(n, marks=pytest.mark.soak) for n in range(3, 120))])
def test_proposals_are_legal_whatever_was_bought_before(seed: int) -> None:
    """Chance buys some categories, and the proposal others."""
    chance = Random(seed)
    points: dict[str, Any] = {side: {"points": chance.randint(200, 3000)} for side in SIDES}
    campaign = new_purchase(seed=chance.randbytes(32), **points)
    while pending := campaign.pending():
        asked = chance.choice(pending)
        question = asked.question
        assert question is not None
        assert question.allows(question.default), (question.key, question.default)
        answer = question.default if chance.random() < 0.5 else question.sample(chance)
        campaign.answer(asked.side, asked.key, answer)
    for side in SIDES:
        checked(campaign, side)
