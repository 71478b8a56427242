from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
import yaml

from laager.campaign.clauses import Handling, Moment, RulesIndex
from laager.campaign.readings import Readings
from laager.rules.edsons_ridge.charts import printed_charts
from laager.tables import TableSet, load_packaged

PACKAGE = "laager.rules.edsons_ridge"
SHARED = Path(__file__).parents[3] / "shared"
NO_SOURCES = "the texts that the rules were taken from are not beside this copy"

CHAPTERS = (
    "1.2 Definitions",
    "1.501 to 1.517 Refit Phase",
    "1.518 and 1.519 Reinforcement groups",
    "1.520 and 1.521 Fortifications and reconnaissance",
    "1.522 to 1.525 Initiative and scenario commencement",
    "CG1 to CG11 Special rules",
    "CG12 to CG21 Special rules",
    "Geometry",
    "Charts, sheets and footnotes",
)

NUMBERS = """
1.3 1.501 1.502 1.503 1.504 1.505 1.506 1.507 1.5071 1.508 1.509 1.5091 1.510 1.511 1.512 1.5122
1.513 1.514 1.515 1.516 1.517 1.518 1.5181 1.5182 1.5183 1.5184 1.5185 1.5186 1.5187 1.5188 1.519
1.5191 1.5192 1.5193 1.520 1.521 1.522 1.5221 1.5222 1.5223 1.523 1.5231 1.5232 1.52321 1.523211
1.52322 1.524 1.525
CG1 CG2 CG3 CG4 CG5 CG5a CG5b CG5c CG5d CG5e CG6 CG7 CG7(1) CG7(2) CG7(3) CG7(4) CG7(5) CG7a CG7b
CG8 CG9 CG10 CG11 CG12 CG12(1) CG12(2) CG12(3) CG13 CG14 CG14(1) CG14(2) CG14(3) CG14(4) CG15 CG16
CG17 CG18 CG18a CG18b CG18c CG19 CG20 CG21
GEO-1 GEO-2 GEO-3 GEO-4 GEO-5 GEO-6 GEO-7 GEO-8 GEO-9 GEO-10 GEO-11
"""

CARD_CHARTS = """
cg dates escape wounded_leaders battle_hardening san shift repair given cpp rg
fortifications strength support_weapons leaders recon initiative setup_order weather
random_weather moon game_end entry victory
"""
"""The charts that a card may have; the owner of the module fills them in."""

ABSENT = """
1.2 1.501 1.502 1.503 1.504 1.505 1.506 1.507 1.5071 1.508 1.509 1.5091 1.510 1.511 1.512 1.5122
1.513 1.514 1.515 1.516 1.517 1.518 1.5181 1.5182 1.5183 1.5184 1.5185 1.5186 1.5223
CHART SSR FN
"""
"""What begins so stands in no text that we have; so do the two below."""
ABSENT_PARTS = {"ER 1.521 DRM", "ER CG7b List"}


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
    assert {f"ER {number}" for number in NUMBERS.split()} <= set(index)
    parts = Counter(id_.split()[1] for id_ in index if id_.count(" ") > 1)
    assert parts >= Counter({
        "1.2": 10, "1.5188": 10, "1.5193": 3, "1.520": 8, "1.521": 1, "CG7b": 1,
        "CHART": 8, "SSR": 1, "FN": 3,
    })  # fmt: skip


def test_it_has_the_clauses_of_the_list(index: RulesIndex) -> None:
    listed = SHARED / "clauses" / "er.yaml"
    if not listed.exists():
        pytest.skip(NO_SOURCES)
    entries = yaml.safe_load(listed.read_text(encoding="utf-8"))
    asked = {"compute": "computed", "ask": "asked", "remind": "reminded"}
    assert {one["id"]: asked[one["handling"]] for one in entries} == {
        clause.id: str(clause.handling) for clause in index.values()
    }
    absent = {one["id"] for one in entries if one["kind"] == "absent"}
    assert absent == {id_ for id_ in index if is_absent(id_)}


def is_absent(id_: str) -> bool:
    return id_.split()[1] in ABSENT.split() or id_ in ABSENT_PARTS


def test_no_sentence_is_copied(index: RulesIndex, readings: Readings) -> None:
    seeds = [*SHARED.glob("seeds/000*.txt"), *SHARED.glob("seeds/004*.txt")]
    if not seeds:
        pytest.skip(NO_SOURCES)
    text = " ".join(seed.read_text(encoding="utf-8") for seed in seeds)
    taken = set(runs(text))
    ours = {clause.id: clause.text for clause in index.values()}
    ours |= {r.id: " | ".join((r.question, r.why, r.changes)) for r in readings.values()}
    for id_, words in ours.items():
        assert not taken & set(runs(words)), id_


def runs(text: str, length: int = 9) -> list[str]:
    words = re.findall(r"[a-z0-9]+", text.lower())
    return [" ".join(words[at : at + length]) for at in range(len(words) - length + 1)]


def test_runs_of_words_are_found() -> None:
    assert runs("One, two. THREE four", 3) == ["one two three", "two three four"]


def test_targets_exist(index: RulesIndex, tables: TableSet) -> None:
    for clause in index.values():
        assert set(clause.tables) <= set(tables), clause.id
        assert clause.chart is None or clause.chart in CARD_CHARTS.split(), clause.id


def test_every_chart_of_a_card_has_its_clause(index: RulesIndex) -> None:
    assert {clause.chart for clause in index.values()} - {None} == set(CARD_CHARTS.split())


def test_nothing_stands_alone(index: RulesIndex) -> None:
    """Every clause leads on or is led to, but for the refit steps of which nothing is known."""
    led_to = {target for clause in index.values() for target in clause.see}
    alone = {id_ for id_ in index if not index[id_].see and id_ not in led_to}
    assert alone == {f"ER 1.5{n:02}" for n in (1, 2, 3, 4, 6, 10, 11, 14)}


def test_tables_and_charts_are_found_from_their_clause(index: RulesIndex, tables: TableSet) -> None:
    for table in tables.values():
        assert table.id in index[table.rule].tables, table.id
        assert {modifier.rule for modifier in table.modifiers} <= set(index)
    plain = printed_charts().model_dump()
    assert {part["rule"] for part in plain.values() if isinstance(part, dict)} <= set(index)


def test_reminders(index: RulesIndex) -> None:
    for clause in index.values():
        assert clause.remind or clause.handling is not Handling.REMINDED
    used = {moment for clause in index.values() for moment in clause.remind}
    assert used == {
        Moment.CREATION, Moment.SETUP, Moment.NIGHT, Moment.PLAY, Moment.END_OF_PLAY
    }  # fmt: skip
    night = [clause.id for clause in index.reminders("night")]
    assert night == ["ER CG5b", "ER CG5c", "ER CG5d", "ER CG5e"]
    play = {clause.id for clause in index.reminders("play")}
    assert {"ER 1.523211", "ER CG7b", "ER CG17", "ER CG18a", "ER CG18b", "ER CG18c"} <= play
    assert {"ER CG7(3)", "ER CG14(3)", "ER CG14(4)", "ER CG19", "ER CG21"} <= play


def test_what_is_absent_says_so(index: RulesIndex) -> None:
    for clause in index.values():
        says_so = "not in the text we have" in clause.text
        assert says_so == is_absent(clause.id) or clause.id == "ER GEO-3", clause.id
        if not is_absent(clause.id):
            continue
        # And whether a chart of the card, and which, makes it computed.
        named = re.findall(r"chart ([a-z_]+)\b", clause.text)
        if clause.chart:
            assert clause.chart in named, clause.id
            assert set(named) <= set(CARD_CHARTS.split()), clause.id
        else:
            assert re.search(r"[Nn]o chart\b", clause.text), clause.id


def test_numbers_in_the_words_are_clauses(index: RulesIndex) -> None:
    for clause in index.values():
        for number in re.findall(r"(?<![A-Z0-9.])1\.\d+\b", clause.text):
            assert f"ER {number}" in index, (clause.id, number)
        for rule in re.findall(r"\bCG\d+[a-e]?\b", clause.text):
            assert f"ER {rule}" in index, (clause.id, rule)


def test_search(index: RulesIndex) -> None:
    assert index.search("er cg7(1)")[0].id == "ER CG7(1)"
    assert index.search("er 1.5188 #r")[0].id == "ER 1.5188 #R"
    assert index.search("jungle paths")[0].id == "ER CG16"
    assert index.chapter_of("ER CG17") == "CG12 to CG21 Special rules"
