from __future__ import annotations

import re
from collections import Counter

import pytest

from laager.campaign.clauses import Handling, RulesIndex
from laager.rules.board.hasl.charts import TABLES, HaslCharts, SideCharts

PACKAGE = "laager.rules.board.hasl"


@pytest.fixture(scope="module")
def index() -> RulesIndex:
    return RulesIndex.load_packaged(PACKAGE)


def test_its_clauses_are_numbered_in_order(index: RulesIndex) -> None:
    assert list(index) == [f"HASL {number}" for number in range(1, len(index) + 1)]
    assert len(index) >= 25


def test_handling(index: RulesIndex) -> None:
    count = Counter(clause.handling for clause in index.values())
    assert count >= Counter({Handling.COMPUTED: 7, Handling.ASKED: 24, Handling.REMINDED: 1})


def test_moments_have_their_reminders(index: RulesIndex) -> None:
    for moment in ("creation", "weather", "purchase", "setup", "night", "play", "cc"):
        assert index.reminders(moment), moment


def test_tables_and_charts_are_those_of_the_files(index: RulesIndex) -> None:
    tables = {name for clause in index.values() for name in clause.tables}
    # What one system alone looks for is in its own index.
    assert tables == set(TABLES) - {"random-weather", "recon"}
    charts = {clause.chart for clause in index.values()} - {None}
    assert charts <= {*HaslCharts.model_fields, *SideCharts.model_fields}


def test_numbers_in_the_words_are_clauses(index: RulesIndex) -> None:
    for clause in index.values():
        for number in re.findall(r"\bHASL (\d+)", clause.text):
            assert f"HASL {number}" in index, (clause.id, number)
