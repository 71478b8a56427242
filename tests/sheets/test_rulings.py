"""The sheet of rulings: who put right what, and why; of secret corrections the enemy reads how many."""

from __future__ import annotations

from laager.campaign import rulings
from laager.campaign.rulings import Ruling
from laager.sheets import catalogue, plain
from tests.rules.test_rulings import played
from tests.rulings import written


def test_rulings_have_a_sheet_of_their_own() -> None:
    campaign = played("walkthrough", 3, 4)
    assert "rulings" not in [offer.id for offer in catalogue(campaign, "axis")]
    cp = campaign.state.side("axis").cp
    ruling = written(campaign, "axis", {"sides": {"axis": {"cp": cp + 2, "elr": 2}}})
    rulings.propose(campaign, Ruling("axis", "we counted again", ruling.facts))
    rulings.consent(campaign, "allied", agree=True)
    (own,), (theirs,) = plain(campaign, "axis", "rulings"), plain(campaign, "allied", "rulings")
    assert own.rows[0][1:4] == ("Germans", "Soviets", "we counted again")
    assert "CP" in own.rows[0][4]
    assert "correction of the secret record (Germans): 1 entry" in theirs.rows[0][4]
    assert "CP" not in theirs.rows[0][4]
