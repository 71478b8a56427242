"""What purchases say that they use up agrees with what the rules accept."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from laager.campaign.cards import find_card
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator

    from laager.campaign.questions import Question

CARDS = {
    "rzhavets": {"purchases", "fortifications"},
    "rijnoord": {"purchases", "fortifications"},
    "kokusa-ridge": {"purchases", "fortifications"},
    "sorgiva": {"purchases"},
    "vistula": {"infantry", "vehicles", "fortifications", "second-infantry"},
}


def purchases(card: str, rng: Random, most: int = 60) -> Iterator[Question]:
    """Yield the questions of a campaign that are purchases, played by chance."""
    path, rules = find_card(card, None)
    made = find_ruleset(rules).read_card(path, {})
    store = MemoryStore()
    store.append(opening_entries(rules, made.title, made.setting, False, bytes(32)))
    campaign = Campaign(store)
    for _ in range(most):
        pending = campaign.advance()
        if not pending:
            return
        question = pending[0].question
        assert question is not None
        if question.totals is not None:
            yield question
        campaign.answer(question.side, question.key, question.sample(rng))


@pytest.mark.parametrize("card", CARDS)
def test_what_is_accepted_can_be_paid(card: str) -> None:
    rng = Random(7)
    seen = set()
    for question in purchases(card, rng):
        assert question.totals is not None
        seen.add(question.key)
        for _ in range(4):
            value = question.accept(question.sample(rng))
            for total in question.totals(value):
                assert total.left is None or total.left >= 0
                assert total.over == 0
        for total in question.totals(question.accept(question.default)):
            assert total.used >= sum(total.each.values())
    assert seen >= CARDS[card]


@pytest.mark.parametrize("card", ["rzhavets", "rijnoord", "vistula"])
def test_what_cannot_be_paid_is_refused(card: str) -> None:
    dear = 0
    for question in purchases(card, Random(3), 24):
        assert question.totals is not None
        for seed in range(40):
            value = question.form.sample(Random(seed))
            totals = question.totals(question.form.parse(value))
            if any(total.over for total in totals):
                dear += 1
                assert not question.allows(value)
    assert dear


def test_rows_cost_what_the_cart_costs() -> None:
    question = next(iter(purchases("rzhavets", Random(1))))
    assert question.totals is not None
    rows = [{"rg": "I1", "setup": "off-map", "count": 2}, {"rg": "A1", "setup": "on-map"}]
    answer = question.form.parse({"groups": rows, "patrols": 1})
    cp, platoons = question.totals(answer)
    assert cp.each == {"groups[1]": 8, "groups[2]": 10}
    assert (cp.label, cp.used, cp.limit, cp.left) == ("CP", 19, 22, 3)
    assert (platoons.used, platoons.limit) == (2, 3)
