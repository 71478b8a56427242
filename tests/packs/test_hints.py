"""Hints of the shipped cards: every question of the first date has one, whatever is answered."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from laager.campaign.cards import find_card
from laager.campaign.engine import Campaign
from laager.campaign.log import FileStore
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.campaign.steps import NOTHING

MOST = 300
"""So many answers take any of them beyond its first date, or to the end of the purchase."""

RARE = {
    "jungle-hit", "wire-side", "melee", "melee-agreed", "blazes", "blazes-agreed", "equipment", "equipment-agreed",
    "isolated-units", "walking-wounded", "reinforcements", "reinforcement-share", "leader-exchange-dr", "armament",
}  # fmt: skip
"""Questions that only come from rare events, or by options that nobody has to take."""

SECOND_DATE = {"shift-and-repair", "escape", "initiative"}
"""Steps that come once the second date has begun."""


def hints_missing(card: str, seed: int, folder: Path) -> set[str]:
    """Play the first date of a shipped card, by proposals and by chance; return the questions without a hint."""
    path, rules = find_card(card, None)
    made = find_ruleset(rules).read_card(path, {})
    rng, missing = Random(seed), set()
    with FileStore(folder / f"{card}.laager") as store:
        store.create(opening_entries(rules, made.title, made.setting, False, bytes([seed]) * 32))
        campaign = Campaign(store)
        campaign.advance()
        for _ in range(MOST):
            asked = campaign.pending()
            if not asked or any(one.step.id in SECOND_DATE for one in asked):
                break
            one = asked[0]
            if one.question is None:
                campaign.roll_for(one.side)
                continue
            if one.key != NOTHING and "Hint: " not in one.question.help:
                missing.add(one.key)
            campaign.answer(one.side, one.key, one.question.default if seed == 0 else one.question.sample(rng))
    return missing


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("card", ["rijnoord", "kokusa-ridge", "sorgiva", "vistula"])
def test_every_question_of_the_first_date_has_a_hint(card: str, seed: int, tmp_path: Path) -> None:
    assert hints_missing(card, seed, tmp_path) <= RARE


@pytest.mark.parametrize("card", ["training", "rijnoord", "kokusa-ridge", "sorgiva", "vistula"])
def test_hints_are_short(card: str) -> None:
    path, rules = find_card(card, None)
    setting = find_ruleset(rules).read_card(path, {}).setting
    hints = (setting.get("card") or setting["terms"])["hints"]
    assert hints
    assert max(len(one) for one in hints.values()) < 420
