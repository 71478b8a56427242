"""House rules at the terminal: a file to begin with, checked, played by, shown."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from laager.base.files import parse_document
from laager.campaign import UMPIRE, find_ruleset
from laager.campaign.audit import audit
from laager.campaign.house import check_house, printed_of
from laager.campaign.views import view
from laager.web.rules import reference
from tests.house.campaigns import new_campaign
from tests.house.test_ruling import ruled
from tests.platoon_leader.campaigns import answer_by_chance

HOUSE = """\
laager: house/1
ruleset: pl
why: As we agreed.
rules:
  PL 3.47: {column inclusive: {5: 1}, modifiers: {won: off}}
  PL 3.41: off
"""


@pytest.mark.parametrize("ruleset", ["pl", "abtf", "er", "hasl", "dyo"])
def test_what_the_template_lists_is_a_good_file_once_the_marks_are_off(laager: Any, ruleset: str) -> None:
    text = laager.well("house", ruleset)
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("rules:"))
    listed = [line.replace("  # ", "  ", 1) for line in lines[start + 3 :]]
    document = parse_document("\n".join([*lines[: start + 1], *listed]), "house.yaml")
    house = check_house(document, printed_of(find_ruleset(ruleset)))[0]
    assert len(house.rules) > 5
    assert parse_document(text, "house.yaml").data["rules"] is None


def test_begun_with_a_file_and_shown(laager: Any, tmp_path: Path) -> None:
    file, campaign = tmp_path / "h.yaml", tmp_path / "t.laager"
    file.write_text(HOUSE, encoding="utf-8")
    assert " is valid: House rules" in laager.well("check", str(file))
    assert "house rule PL 3.41: left out (As we agreed)" in laager.well(
        "new", "training", "--house", str(file), "-f", str(campaign)
    )
    assert "House rules: PL 3.47, PL 3.41" in laager.well("status", "-c", str(campaign))
    assert "house rule PL 3.41: left out (As we agreed)" in laager.well("verify", str(campaign))
    shown = laager.well("rules", "pl", "3.47", "-c", str(campaign))
    assert "house rule: PL 3.47: 5 (inclusive): ELR rises by 1 instead of ELR stays" in shown
    assert "house rule" not in laager.well("rules", "pl", "3.47").replace("house rules can", "")
    assert "6 to 12" in laager.well("table", "pl", "elr-change", "-c", str(campaign))
    assert "6 to 12" not in laager.well("table", "pl", "elr-change")
    assert "plays by pl, not by er" in laager("rules", "er", "1.512", "-c", str(campaign)).err


def test_a_reading_that_a_ruling_changes_is_shown_as_it_is_now(tmp_path: Path, laager: Any) -> None:
    campaign = new_campaign("training")
    rng = Random(3)
    for _ in range(6):
        answer_by_chance(campaign, rng.choice(campaign.pending()), rng)
    book = reference.book("pl")
    name = next(iter(book.readings))
    known = book.readings[name]
    other = next(option for option in known.options if option != known.default)
    ruled(campaign, {"readings": {name: other}})
    assert campaign.context.reading(name) == other  # type: ignore[attr-defined]
    for viewer in ("axis", "allied", UMPIRE):
        shown = {
            one.reading.id: one for one in reference.in_force(book, campaign.opening, view(campaign, viewer).state)
        }
        assert (shown[name].option, shown[name].ruled) == (other, True)
        assert not any(one.ruled for id_, one in shown.items() if id_ != name)
    assert audit(campaign).readings == (f"{name} ({known.rule}): {other} instead of {known.default}, by a ruling",)
    file = tmp_path / "played.laager"
    file.write_bytes(campaign.store.data)  # type: ignore[attr-defined]
    assert f"reading {name} ({known.rule}): {other} instead of" in laager.well("verify", str(file))
    printed = laager.well("rules", "pl", "--readings", "-c", str(file))
    assert f"{name} ({known.rule}), by a ruling" in printed
    assert f"* {other}:" in printed
    clause = laager.well("rules", "pl", known.rule.removeprefix("PL "), "-c", str(file))
    assert f"in this campaign {name} is {other}, by a ruling" in clause
