"""House rules at the terminal: a file to begin with, checked, played by, shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from laager.base.files import parse_document
from laager.campaign import find_ruleset
from laager.campaign.house import check_house, printed_of

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
    assert "a good house file" in laager.well("check", str(file))
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
