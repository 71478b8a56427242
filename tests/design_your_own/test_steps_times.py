"""When SAN is bought and Air Support rolled for: readings, through whole purchases."""

from __future__ import annotations

import pytest

from laager.campaign.engine import Campaign
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.sheets.offers import points_sheet
from tests.design_your_own.harness import new_purchase, ob_of, proven


def played(campaign: Campaign, **answers: object) -> list[str]:
    """Answer the Axis side's questions, those not named by their default; return their keys."""
    keys = []
    for _ in range(60):
        asked = [one for one in campaign.pending() if one.side == "axis"]
        if not asked or campaign.state.over:
            break
        question = asked[0].question
        assert question is not None
        value = answers.get(asked[0].key.replace("-", "_"), question.default)
        campaign.answer("axis", asked[0].key, value)
        keys.append(asked[0].key)
    return keys


@pytest.mark.parametrize(("reading", "last"), [("infantry", False), ("last", True)])
def test_san_is_bought_when_the_reading_says(reading: str, last: bool) -> None:
    campaign = new_purchase(readings={"san-time": reading})
    keys = played(campaign, san=4, second_infantry={"lines": []})
    assert keys.count("san") == 1
    assert (keys.index("san") > keys.index("second-infantry")) is last
    assert (keys.index("san") < keys.index("ordnance-dr")) is not last
    assert ob_of(campaign, "axis").san == 4
    cg = Cg(campaign.opening)
    cg.state = campaign.state
    rows = [row[0] for row in points_sheet(cg, "axis").rows]
    assert (rows[-1] == "SAN") is last
    assert points_sheet(cg, "axis").rows[-1][2] == str(ob_of(campaign, "axis").left)
    proven(campaign)


@pytest.mark.parametrize(("reading", "first"), [("after-oba", False), ("before-oba", True)])
def test_air_support_is_rolled_for_when_the_reading_says(reading: str, first: bool) -> None:
    campaign = new_purchase(readings={"air-time": reading})
    keys = played(campaign, air_support_dr=True)
    assert keys.count("air-support-dr") == 1
    assert (keys.index("air-support-dr") < keys.index("oba-dr")) is first
    ob = ob_of(campaign, "axis")
    assert ob.air is not None
    assert len(ob.oba) == 2
    proven(campaign)
