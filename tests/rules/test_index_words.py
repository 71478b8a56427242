"""What the index of every rule system keeps to: short words, readable files, no clause that points to itself."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from laager.campaign.clauses import RulesIndex
from laager.campaign.readings import Readings

LONGEST = {"platoon_leader": 520, "bridge_too_far": 520, "edsons_ridge": 520, "design_your_own": 400, "board.hasl": 420}
"""The packages of rules, and how many characters the text of a clause has at most."""

SENTENCE_WORDS = {"bridge_too_far": 45, "board.hasl": 45}
"""How many words a sentence has at most, where that is kept to."""


@pytest.fixture(params=LONGEST)
def system(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def index(system: str) -> RulesIndex:
    return RulesIndex.load_packaged(f"laager.rules.{system}")


def test_words_are_short_and_whole(index: RulesIndex, system: str) -> None:
    for clause in index.values():
        assert clause.text.endswith((".", ".)")), clause.id
        assert len(clause.text) <= LONGEST[system], clause.id
        assert len(clause.title) <= 45, clause.id
        assert "  " not in clause.text, clause.id
        for sentence in re.split(r"(?<=[.:;])\s+", clause.text):
            assert len(sentence.split()) <= SENTENCE_WORDS.get(system, 99), (clause.id, sentence)


def test_clauses_point_to_others(index: RulesIndex) -> None:
    for clause in index.values():
        assert clause.id not in clause.see, clause.id
        assert len(set(clause.see)) == len(clause.see), clause.id


def test_readings_and_clauses_name_each_other(index: RulesIndex, system: str) -> None:
    readings = Readings.load_packaged(f"laager.rules.{system}")
    for clause in index.values():
        assert set(clause.readings) <= set(readings), clause.id
    for reading in readings.values():
        assert reading.id in index[reading.rule].readings, reading.id


def test_files_are_readable_in_one_sitting(system: str) -> None:
    package = files(f"laager.rules.{system}")
    for item in package.joinpath("index").iterdir():
        lines = item.read_text(encoding="utf-8").splitlines()
        assert len(lines) < 500, item.name
        assert max(map(len, lines)) <= 120, item.name
