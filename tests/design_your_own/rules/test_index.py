"""The index of chapter H, and that everything in it is carried out."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from laager.campaign.clauses import Handling, Moment, RulesIndex, implementers
from laager.campaign.readings import Readings
from laager.rules.design_your_own.answers import PACKAGE
from laager.rules.design_your_own.charts import DyoCharts, printed_charts
from tests.design_your_own.rules.printed import PRINTED

CHAPTERS = (
    "1.1 Agreements and mechanics",
    "1.2 Infantry",
    "1.28 to 1.29 ELR and SAN",
    "1.3 to 1.45 Ordnance and vehicles",
    "1.46 OP tanks",
    "1.5 OBA and Air Support",
    "1.6 Fortifications",
    "1.7 Second Infantry, bonus squads, Equivalents",
    "1.8 Leaders, SW, reinforcements",
)

NUMBERS = """
1.1 1.11 1.12 1.13 1.14 1.2 1.201 1.202 1.203 1.204 1.21 1.211 1.212 1.22 1.23 1.24 1.25 1.26 1.27
1.28 1.29 1.3 1.4 1.41 1.42 1.43 1.44 1.441 1.45 1.46 1.461 1.462 1.463 1.464 1.4641 1.465 1.5 1.51
1.52 1.53 1.531 1.532 1.6 1.7 1.71 1.72 1.73 1.74 1.8 1.81 1.82 1.83 1.84
"""


@pytest.fixture(scope="module")
def index() -> RulesIndex:
    return RulesIndex.load_packaged(PACKAGE)


def test_it_is_complete(index: RulesIndex) -> None:
    assert tuple(index.chapters) == CHAPTERS
    plain = {id_ for id_ in index if re.fullmatch(r"DYO H[\d.]+", id_)}
    assert plain == {f"DYO H{number}" for number in NUMBERS.split()}
    notes = Counter(id_.split("-")[0] for id_ in set(index) - plain)
    assert notes == {
        "DYO H1": 5, "DYO H1.28": 11, "DYO H1.3": 1, "DYO H1.42": 1, "DYO H1.43": 4,
        "DYO H1.531": 8, "DYO H1.6": 16, "DYO H1.71": 2, "DYO H1.82": 5,
    }  # fmt: skip


def test_handling(index: RulesIndex) -> None:
    shown = {moment for clause in index.values() for moment in clause.remind}
    assert shown == {Moment.CREATION, Moment.PURCHASE, Moment.SETUP, Moment.PLAY}


def test_targets_exist_and_are_found_from_their_clause(index: RulesIndex) -> None:
    tables = PRINTED.tables
    known = set(DyoCharts.model_fields) - {"laager", "source"}
    for clause in index.values():
        assert set(clause.tables) <= set(tables), clause.id
        assert clause.chart is None or clause.chart in known, clause.id
    for table in tables.values():
        assert table.id in index[table.rule].tables, table.id
    assert {clause.chart for clause in index.values()} - {None} == known


def test_tables_charts_and_readings_name_clauses(index: RulesIndex) -> None:
    named = {reading.rule for reading in Readings.load_packaged(PACKAGE).values()}
    for table in PRINTED.tables.values():
        named |= {table.rule, *(modifier.rule for modifier in table.modifiers)}
    for name in set(DyoCharts.model_fields) - {"laager", "source"}:
        chart = getattr(printed_charts(), name)
        named.add(chart.rule)
        named |= {row.rule for row in getattr(chart, "rows", ()) if hasattr(row, "rule")}
    assert named <= set(index)


def test_the_rules_alone_carry_out_all_that_is_computed(index: RulesIndex) -> None:
    """Without the steps, so that the check of an OB judges by the same functions."""
    steps = (f"{PACKAGE}.steps", f"{PACKAGE}.facts")
    code = implementers(PACKAGE)
    for clause in index.values():
        if clause.handling is not Handling.REMINDED:
            assert any(not by.startswith(steps) for by in code[clause.id]), clause.id


def test_defaults_of_readings() -> None:
    assert Readings.load_packaged(PACKAGE).defaults == {
        "half-squads": "no",
        "engineer-class": "elite",
        "capability-rounding": "once",
        "san-limit": "7",
        "san-time": "infantry",
        "air-time": "after-oba",
        "contingent-bonus": "nation",
        "motorized-basis": "initial",
        "air-price-before-1939": "100",
        "minors-against-russians": "raised",
        "limits-per-board": "side",
        "boards-in-part": "board",
        "second-after-none": "half",
        "bonus-tie": "cheaper",
        "bonus-dearer": "next",
        "equivalency-rounding": "subsection",
        "japanese-exchange-10": "9-1",
        "free-pieces": "limited",
        "reinforcement-leaders": "equivalent",
        "hip-squads": "first",
    }


def test_numbers_in_the_words_are_clauses(index: RulesIndex) -> None:
    for clause in index.values():
        for number in re.findall(r"(?<![A-Z0-9.])1\.[1-8]\d*\b", clause.text):
            if number not in ("1.6",):
                assert f"DYO H{number}" in index, (clause.id, number)
