"""Every option of every reading is chosen by a test of its rules, not only by whole campaigns.

Campaigns by chance show that an option breaks nothing; that it changes something needs a case.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from laager.campaign.clauses import RulesIndex
from laager.campaign.readings import Readings

TESTS = Path(__file__).parent.parent

BY_CHANCE = frozenset({"test_campaigns.py", "test_soak.py", "test_index.py", "test_readings.py"})
"""Tests that choose options in bulk and show only that nothing breaks."""

SYSTEMS = ("platoon_leader", "bridge_too_far", "edsons_ridge", "design_your_own")


def cases(system: str) -> dict[str, set[str]]:
    """Return the readings that tests of a system choose -> the words of the tests that do so."""
    found: dict[str, set[str]] = {}
    for path in (TESTS / system).rglob("test_*.py"):
        if path.name in BY_CHANCE:
            continue
        # A test, with what it is parametrized by.
        for case in re.split(r"\n\n\n", path.read_text("utf-8")):
            words = set(re.findall(r'"([^"\n]*)"', case))
            for name in words:
                found.setdefault(name, set()).update(words)
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_option_has_a_case(system: str) -> None:
    package = f"laager.rules.{system}"
    index, tried = RulesIndex.load_packaged(package), cases(system)
    # What is only told to the players changes no step.
    told = {name for clause in index.values() if clause.handling == "reminded"
            for name in clause.readings}  # fmt: skip
    missing = [
        f"{name}: {option}"
        for name, reading in Readings.load_packaged(package).items()
        for option in reading.options
        if option != reading.default and option not in tried.get(name, ()) and name not in told
    ]
    assert not missing, f"no test tries these options: {', '.join(missing)}"
