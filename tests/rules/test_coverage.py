"""Every clause leads to the function that carries it out, and code names only clauses and readings that exist."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from laager.campaign.clause_places import place_of
from laager.campaign.clauses import RulesIndex, coverage, implementers, unknown_clauses
from laager.campaign.readings import Readings
from laager.campaign.ruleset import find_ruleset

SYSTEMS = {"platoon_leader": 232, "bridge_too_far": 178, "edsons_ridge": 147, "design_your_own": 106, "board.hasl": 32}
"""The packages of rules, and how many clauses their texts have at least: more may be added, none is lost."""

ORDER_OF_PLAY = (
    *("PL 1.1", "PL 2.0", "PL 2.2 heading", "PL 3.0", "PL SEQ INITIAL", "PL SEQ CYCLE", "PL SEQ IDLE"),
    *("HASL 10", "ABtF 9.2 RePh", "ABtF 9.6", "ER 1.523"),
)
"""Clauses about the order of the steps itself: the sequence of play carries them out."""

READING = re.compile(r"""reading\(\s*"([^"]+)"\s*(?:,[^()"]*)?\)(?:\s*(?:==|!=)\s*"([^"]+)")?""")


@pytest.fixture(params=SYSTEMS)
def package(request: pytest.FixtureRequest) -> str:
    return f"laager.rules.{request.param}"


@pytest.mark.parametrize(("system", "clauses"), SYSTEMS.items())
def test_no_clause_is_missing(system: str, clauses: int) -> None:
    assert len(RulesIndex.load_packaged(f"laager.rules.{system}")) >= clauses


def test_every_clause_is_implemented(package: str) -> None:
    index = RulesIndex.load_packaged(package)
    missing = [f"{row.clause} ({row.handling})" for row in coverage(index, package) if not row.by]
    assert not missing, f"{len(missing)} clauses that nothing implements: {', '.join(missing)}"


def test_every_clause_leads_to_its_function(package: str) -> None:
    index = RulesIndex.load_packaged(package)
    for row in coverage(index, package):
        for by in row.by:
            if by.startswith("shown: "):
                continue
            assert place_of(by).name == by.partition(":")[2]
        lists = all(by.partition(":")[0].endswith(".sequence") for by in row.by)
        assert not lists or row.clause in ORDER_OF_PLAY, f"{row.clause} leads to a list: {row.by}"


@pytest.mark.parametrize("ruleset", ["pl", "hasl", "abtf", "er", "dyo"])
def test_the_function_of_a_step_names_the_clause_of_the_step(ruleset: str) -> None:
    rules = find_ruleset(ruleset)
    code = implementers(rules.package)
    for step in rules.steps.values():
        run = f"{step.run.__module__}:{step.run.__qualname__}"
        assert "<locals>" in run or run in code[step.clause], f"{run} does not name {step.clause}"


def test_no_code_names_a_rule_system_that_does_not_exist() -> None:
    systems = {id_.split()[0] for name in SYSTEMS for id_ in RulesIndex.load_packaged(f"laager.rules.{name}")}
    assert {clause.split()[0] for clause in implementers("laager.rules")} == systems


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
