"""The training campaign: small, with a hint at every question, whatever is answered."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from laager.campaign.engine import Campaign
from laager.campaign.log import FileStore
from laager.campaign.opening import opening_entries
from laager.campaign.steps import NOTHING
from laager.rules.platoon_leader.ruleset import RULESET


def begun(store: FileStore, seed: int) -> Campaign:
    made = RULESET.read_card(RULESET.shipped_cards()["training"], {})
    store.create(opening_entries("pl", made.title, made.setting, True, bytes([seed]) * 32))
    campaign = Campaign(store)
    campaign.advance()
    return campaign


@pytest.mark.parametrize("seed", range(6))
def test_every_question_of_the_training_campaign_has_a_hint(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    with FileStore(tmp_path / "training.laager") as store:
        campaign = begun(store, seed)
        asked = set()
        while pending := campaign.pending():
            one = pending[0]
            if one.question is None:
                campaign.roll_for(one.side)
                continue
            asked.add(one.key)
            assert "Hint: " in one.question.help or one.key == NOTHING, one.key
            campaign.answer(one.side, one.key, one.question.sample(rng))
    assert campaign.over
    assert {"purchases", "setup", "battle-report", "mlr-links", "promotions"} <= asked


def test_the_training_campaign_is_small(tmp_path: Path) -> None:
    with FileStore(tmp_path / "training.laager") as store:
        campaign = begun(store, 0)
        hexes = [str(hex_) for hex_ in campaign.context.map.hexes]  # type: ignore[attr-defined]
        assert {"A1", "L10"} <= set(hexes)
        assert len(hexes) == 6 * 10 + 6 * 11
        assert len(campaign.opening["card"]["firefights"]) == 3


def test_a_hint_serves_the_questions_whose_key_goes_on_with_it(tmp_path: Path) -> None:
    with FileStore(tmp_path / "training.laager") as store:
        campaign = begun(store, 0)
        (question,) = [one.question for one in campaign.pending() if one.side == "axis"]
        assert question is not None
        assert question.help.endswith(f"Hint: {campaign.opening['card']['hints']['agreements']['en']}")


def test_other_campaigns_have_no_hints(tmp_path: Path) -> None:
    made = RULESET.read_card(RULESET.shipped_cards()["rzhavets"], {})
    with FileStore(tmp_path / "rzhavets.laager") as store:
        store.create(opening_entries("pl", made.title, made.setting, True, bytes(32)))
        campaign = Campaign(store)
        assert all("Hint: " not in one.question.help for one in campaign.advance() if one.question)


def test_the_hint_for_fortifications_can_be_followed(tmp_path: Path) -> None:
    works = [{"type": "foxhole", "size": "1", "count": 2}, {"type": "wire", "count": 1}]
    with FileStore(tmp_path / "training.laager") as store:
        campaign = begun(store, 0)
        while (one := campaign.pending()[0]).key != "fortifications":
            if one.question is None:
                campaign.roll_for(one.side)
            else:
                campaign.answer(one.side, one.key, one.question.default)
        assert one.question is not None
        assert "2 CP, two foxholes of size 1 and a wire" in one.question.help
        campaign.answer(one.side, one.key, {"cp": 2, "works": works})
        assert "fortifications" not in {later.key for later in campaign.pending() if later.side == one.side}
