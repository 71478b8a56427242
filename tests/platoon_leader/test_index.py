from __future__ import annotations

import re
from collections import Counter

import pytest

from laager.campaign.clauses import Handling, Moment, RulesIndex
from laager.campaign.readings import Readings
from laager.rules.platoon_leader.charts import PlCharts, charts
from laager.tables import TableSet, load_packaged

PACKAGE = "laager.rules.platoon_leader"

CHAPTERS = (
    "1.0 Introduction",
    "1.4 Definitions",
    "2.1 to 2.37 Replenishment and purchases",
    "2.38 Fortifications",
    "2.4 to 2.6 Type of firefight and setup",
    "2.7 to 2.9 Patrols and play",
    "3.1 End of the Battle Phase",
    "3.2 Redeployment Phase",
    "3.3 Consequences Phase",
    "3.4 Troop Phase",
    "3.5 Battlefield Phase",
    "4.0 Special rules",
    "Derived from several rules",
)

NUMBERS = """
1.0 1.1 1.2 1.3 1.31 1.32 1.33 1.34 1.4
2.0 2.1 2.11 2.12 2.2 2.3 2.31 2.32 2.33 2.331 2.331a 2.331b 2.331c 2.34 2.35 2.351 2.36 2.361
2.362 2.37 2.38 2.4 2.41 2.42 2.421 2.5 2.6 2.7 2.71 2.71a 2.71b 2.71c 2.71d 2.72 2.73 2.74 2.75
2.751 2.752 2.753 2.754 2.755 2.756 2.757 2.758 2.8 2.9
3.0 3.1 3.11 3.12 3.121 3.13 3.13a 3.131 3.14 3.15 3.15a 3.15b 3.15c 3.15d 3.16 3.17 3.171 3.18
3.19 3.2 3.21 3.211 3.212 3.212a 3.212b 3.212c 3.212d 3.212e 3.213 3.214 3.215 3.216 3.217 3.218
3.22 3.23 3.24 3.241 3.25 3.3 3.31 3.311 3.32 3.33 3.34 3.4 3.41 3.42 3.43 3.44 3.45 3.46 3.461
3.47 3.5 3.51 3.52
4.0 4.1 CG1 CG2 CG3 CG4 CG4a CG5 CG6 CG7 CG8 CG9 CG10 CG11 CG12 CG13
"""


@pytest.fixture(scope="module")
def index() -> RulesIndex:
    return RulesIndex.load_packaged(PACKAGE)


@pytest.fixture(scope="module")
def tables() -> TableSet:
    return load_packaged(PACKAGE, "tables.yaml")


@pytest.fixture(scope="module")
def readings() -> Readings:
    return Readings.load_packaged(PACKAGE)


def test_it_is_complete(index: RulesIndex) -> None:
    assert tuple(index.chapters) == CHAPTERS
    assert {f"PL {number}" for number in NUMBERS.split()} <= set(index)
    parts = Counter(id_.split()[1] for id_ in index if id_.count(" ") > 1)
    assert parts >= Counter({
        "0": 1, "1.4": 41, "2.2": 1, "2.361": 2, "2.38": 12, "2.41": 4, "2.5": 2, "2.74": 15,
        "3.15": 1, "3.21": 8, "3.32": 1, "3.34": 2, "3.41": 1, "3.44": 1, "3.47": 1, "3.5": 1,
        "3.52": 4, "SEQ": 3,
    })  # fmt: skip


def test_chapters_hold_their_own_numbers(index: RulesIndex) -> None:
    """Every clause of section 3.x stands in the chapter of that section, and so on."""
    for title, group in index.chapters.items():
        section = re.match(r"3\.[1-5]", title)
        for clause in group:
            number = clause.id.split()[1]
            if section and number != "3.0":
                assert number.startswith(section[0]), clause.id


def test_targets_exist(index: RulesIndex, tables: TableSet) -> None:
    known = set(PlCharts.model_fields) - {"laager", "source"}
    for clause in index.values():
        assert set(clause.tables) <= set(tables), clause.id
        assert clause.chart is None or clause.chart in known, clause.id


def test_tables_charts_and_readings_name_clauses(index: RulesIndex, tables: TableSet, readings: Readings) -> None:
    named = {reading.rule for reading in readings.values()}
    for table in tables.values():
        named |= {table.rule, *(modifier.rule for modifier in table.modifiers)}
    plain = charts().model_dump()
    named |= {part["rule"] for part in plain.values() if isinstance(part, dict)}
    named |= {limit.rule for limit in charts().limits}
    named |= {row.clause for row in charts().situations.rows}
    assert named <= set(index)


def test_tables_and_charts_are_found_from_their_clause(index: RulesIndex, tables: TableSet) -> None:
    for table in tables.values():
        assert table.id in index[table.rule].tables, table.id
    used = {clause.chart for clause in index.values()}
    assert used - {None} == set(PlCharts.model_fields) - {"laager", "source", "limits"}


def test_every_moment_has_its_reminders(index: RulesIndex) -> None:
    for moment in set(Moment) - {Moment.ALWAYS}:
        assert index.reminders(moment), moment
    for clause in index.values():
        assert clause.remind or clause.handling is not Handling.REMINDED
    night = [clause.id for clause in index.reminders("night")]
    assert night == ["PL 2.42", "PL 2.421"]
    assert {f"PL 2.75{n}" for n in range(1, 6)} <= {c.id for c in index.reminders("patrol")}


def test_numbers_in_the_words_are_clauses(index: RulesIndex) -> None:
    for clause in index.values():
        for number in re.findall(r"(?<![A-Z0-9.])[1-4]\.\d+[a-e]?\b", clause.text):
            assert f"PL {number}" in index, (clause.id, number)
        for rule in re.findall(r"\bCG\d+a?\b", clause.text):
            assert f"PL {rule}" in index, (clause.id, rule)


def test_a_long_name_is_used_instead_of_its_letters(index: RulesIndex) -> None:
    for clause in index.values():
        assert "CHTC" not in clause.text or clause.id == "PL 1.4"


def test_search(index: RulesIndex) -> None:
    assert [clause.id for clause in index.search("no man's")] == [
        "PL 1.4 No Man's Land", "PL 3.212d", "PL 3.217", "PL 1.4 Controlled Terrain Hex Cluster",
        "PL 1.4 FMLR", "PL 1.4 Isolated Units", "PL 1.4 Main Line of Resistance",
        "PL 1.4 Uncontrolled Terrain", "PL 3.21 DRM", "PL GEO",
    ]  # fmt: skip
    assert index.search("pl 3.47")[0].id == "PL 3.47"
    assert index.chapter_of("PL 3.47") == "3.4 Troop Phase"
