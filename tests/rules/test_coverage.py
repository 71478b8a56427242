"""Every clause is carried out by something, and code names only clauses and readings there are."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from laager.campaign.clauses import RulesIndex, coverage, unknown_clauses
from laager.campaign.readings import Readings

SYSTEMS = {"platoon_leader": 232, "bridge_too_far": 178, "edsons_ridge": 147, "design_your_own": 106, "historical": 32}
"""The packages of rules, and how many clauses their texts have."""

READING = re.compile(r"""reading\(\s*"([^"]+)"\s*(?:,[^()"]*)?\)(?:\s*(?:==|!=)\s*"([^"]+)")?""")


@pytest.fixture(params=SYSTEMS)
def package(request: pytest.FixtureRequest) -> str:
    return f"laager.rules.{request.param}"


@pytest.mark.parametrize(("system", "clauses"), SYSTEMS.items())
def test_no_clause_is_missing(system: str, clauses: int) -> None:
    assert len(RulesIndex.load_packaged(f"laager.rules.{system}")) == clauses


def test_every_clause_is_implemented(package: str) -> None:
    index = RulesIndex.load_packaged(package)
    missing = [f"{row.clause} ({row.handling})" for row in coverage(index, package) if not row.by]
    assert not missing, f"{len(missing)} clauses that nothing implements: {', '.join(missing)}"


def test_code_names_only_clauses_of_the_index(package: str) -> None:
    unknown = unknown_clauses(RulesIndex.load_packaged(package), package)
    assert not unknown, f"the index has no such clauses: {dict(unknown)}"


def uses_of_readings(package: str) -> set[tuple[str, str]]:
    """Return the readings that code asks for, each with the option it is compared with, if any."""
    folder = Path(str(files(package)))
    return {use for path in folder.rglob("*.py") for use in READING.findall(path.read_text("utf-8"))}


def test_code_asks_only_for_readings_and_options_that_there_are(package: str) -> None:
    readings = Readings.load_packaged(package)
    for name, option in uses_of_readings(package):
        assert name in readings
        assert not option or option in readings[name].options, (name, option)


def test_every_reading_makes_a_difference(package: str) -> None:
    index = RulesIndex.load_packaged(package)
    used = {name for name, _ in uses_of_readings(package)}
    shown = {name for clause in index.values() if clause.remind for name in clause.readings}
    idle = sorted(set(Readings.load_packaged(package)) - used - shown)
    assert not idle, f"no rule asks for these readings: {', '.join(idle)}"
