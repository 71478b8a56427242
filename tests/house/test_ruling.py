"""House rules that a ruling changes in a campaign under way."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.campaign import UMPIRE, rulings
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.rulings import Ruling
from laager.campaign.views import view
from laager.rules.platoon_leader.ruleset import RULESET
from tests.house.campaigns import new_campaign
from tests.platoon_leader.campaigns import answer_by_chance, autoplay
from tests.rulings import written

HARDER = {"house": {"rules": {"PL 3.47": {"elr-gain": 2}, "PL 2.34": {"minimum": 5}}}}


def ruled(campaign: Campaign, data: dict[str, Any]) -> None:
    """Propose a ruling and have it agreed to."""
    ruling = written(campaign, "axis", data)
    rulings.propose(campaign, Ruling("axis", ruling.why, ruling.facts))
    rulings.consent(campaign, "allied", agree=True)


def test_a_ruling_changes_the_house_rules_and_takes_them_back() -> None:
    campaign = new_campaign("training", "  PL 2.12: {column mid: {7: 1}}\n")
    rng = Random(3)
    for _ in range(6):
        answer_by_chance(campaign, rng.choice(campaign.pending()), rng)
    charts = campaign.context.charts  # type: ignore[attr-defined]
    assert (charts.limit("elr-gain"), charts.setup_costs.minimum) == (4, 1)
    ruled(campaign, HARDER)
    charts = campaign.context.charts  # type: ignore[attr-defined]
    assert (charts.limit("elr-gain"), charts.setup_costs.minimum) == (2, 5)
    assert campaign.context.table("cp-replenishment").result(7, "mid") == 20  # type: ignore[attr-defined]
    assert [line.partition(":")[0] for line in audit(campaign).house] == ["PL 3.47", "PL 2.34"]
    for viewer in ("axis", "allied", UMPIRE):
        seen = RULESET.context_for(campaign.context, view(campaign, viewer).state)
        assert seen.charts.limit("elr-gain") == 2
    ruled(campaign, {"house": {}})
    assert not campaign.context.house
    assert campaign.context.charts.limit("elr-gain") == 4  # type: ignore[attr-defined]
    autoplay(campaign, rng)
    assert audit(campaign).sound


def test_what_is_wrong_with_them_is_told_with_its_place() -> None:
    campaign = new_campaign("training")
    with pytest.raises(DataError) as caught:
        written(campaign, "axis", {"house": {"rules": {"PL 3.47": {"elr-gian": 2}}}})
    problem = caught.value.problems[0]
    assert problem.field == "house.rules.PL 3.47.elr-gian"
    assert "did you mean elr-gain?" in problem.right


def test_the_same_house_rules_once_more_are_no_ruling() -> None:
    campaign = new_campaign("training")
    ruled(campaign, HARDER)
    with pytest.raises(DataError, match="changes nothing"):
        written(campaign, "axis", HARDER)
