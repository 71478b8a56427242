"""Every clause is carried out by something, and code names only clauses that there are."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from laager.campaign.clauses import RulesIndex, coverage, unknown_clauses
from laager.campaign.readings import Readings

PACKAGE = "laager.rules.edsons_ridge"
READING = re.compile(r"""reading\(\s*"([^"]+)"\s*\)(?:\s*(?:==|!=)\s*"([^"]+)")?""")


def test_every_clause_is_implemented() -> None:
    rows = coverage(RulesIndex.load_packaged(PACKAGE), PACKAGE)
    assert len(rows) == 147
    missing = [f"{row.clause} ({row.handling})" for row in rows if not row.by]
    assert not missing, f"{len(missing)} clauses that nothing implements: {', '.join(missing)}"


def test_code_names_only_clauses_of_the_index() -> None:
    unknown = unknown_clauses(RulesIndex.load_packaged(PACKAGE), PACKAGE)
    assert not unknown, f"the index has no such clauses: {dict(unknown)}"


def uses_of_readings() -> set[tuple[str, str]]:
    """Return the readings that code asks for, each with the option it is compared with, if any."""
    folder = Path(str(files(PACKAGE)))
    return {
        use for path in folder.rglob("*.py") for use in READING.findall(path.read_text("utf-8"))
    }


def test_code_asks_only_for_readings_and_options_that_there_are() -> None:
    readings = Readings.load_packaged(PACKAGE)
    for name, option in uses_of_readings():
        assert name in readings
        assert not option or option in readings[name].options, (name, option)


def test_every_reading_makes_a_difference() -> None:
    used = {name for name, _ in uses_of_readings()}
    idle = sorted(set(Readings.load_packaged(PACKAGE)) - used)
    assert not idle, f"no rule asks for these readings: {', '.join(idle)}"
