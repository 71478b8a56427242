from __future__ import annotations

import re
from pathlib import Path

import pytest

from laager.campaign.clauses import Clause, Handling, Moment, RulesIndex
from laager.campaign.readings import Readings
from laager.rules.board.hasl.card.card import Card, CgDate, SideCard, Victory
from laager.rules.board.hasl.charts import TABLES, HaslCharts, RgLine, SideCharts

PACKAGE = "laager.rules.bridge_too_far"

CHAPTERS = (
    "9.1 Introduction",
    "9.2 Definitions",
    "9.3 The scenarios",
    "CG1 to CG9",
    "CG10 to CG19",
    "CG20 to CG24",
    "9.5 The campaigns",
    "9.6 Refit Phase",
    "Cited from elsewhere",
    "How the ground is worked out",
)

# Every number of the clause list; what follows a number in brackets are its parts.
NUMBERS = """
9 9.1 9.11 9.12 9.13 9.14 9.15 9.2 9.3 9.31 9.4 9.5 9.5a 9.5b 9.51 9.52 9.53
CG1 CG2 CG3 CG4 CG5 CG5a CG5b CG5c CG5d CG6 CG6a CG6b CG6c CG6d CG6e CG7 CG8 CG9 CG10 CG10b CG10c
CG11 CG12 CG13 CG14 CG15 CG16 CG17 CG18 CG19 CG19a CG19b CG19c CG20 CG21 CG22 CG23 CG24 CG24a CG24b
CG24c CG24d CG24e CG24f CG24g
9.6 9.601 9.602 9.603 9.604 9.605 9.6053 9.6054 9.606 9.607 9.608 9.609 9.6095 9.610 9.6102 9.611
9.612 9.613 9.614 9.615 9.616 9.6162 9.617 9.618 9.6181 9.6183 9.619 9.620 9.6201 9.6202 9.621
9.6212 9.6213 9.62132 9.6214 9.6216
5.1 5.2 6.3
"""
PARTS = {
    "9.2": "ABtF|Block|Campaign Exhaustion DRM|CG|CG Date|CG End|CG Night Scenario|CG Roster|"
    "CG Scenario End|CPP|Depleted|Eliminated|Enemy Setup Area|Enterable|Entry Area|Equipment|"
    "Escape|FPP|Friendly Setup Area|Front Line Location|Full Strength|Initial Scenario|Idle Date|"
    "Kampfgruppe (KG)|OB|Pltn|RePh|Retained|RG|RG Purchase Record|Sect|Setup Area|Shift|"
    "Strategic Location|Strength|Uncontrolled Territory|Weapon",
    "9.31": "German|British",
    "CG5": "EX",
    "CG9": "British|German",
    "CG17": "*|**|EX",
    "CG19": "EX",
    "CG22": "EXC|EX1|EX2",
    "SSR": "list|1|6|7|8|14|15",
    "CHART": "Turn Record|RG charts|Block map|Vehicle Notes|CG Roster",
    "FN": "11|12|13|14",
}

# The charts, and the names under which the owner of the module enters them in card, charts or map.
CHARTS = {
    "cg": "card",
    "dates": "",
    "reph": "omit",
    "block_control": "block_control",
    "escape": "escape",
    "wounded_leaders": "wounded-leaders",
    "battle_hardening": "battle-hardening",
    "san": "san",
    "shift": "shift",
    "repair": "repair",
    "given": "given",
    "cpp": "cpp",
    "rg": "rg",
    "fortifications": "fortifications",
    "exhaustion": "exhaustion",
    "strength": "strength",
    "support_weapons": "sw",
    "leaders": "leaders",
    "ammunition": "ammunition",
    "elr": "elr",
    "sudden_death": "sudden",
    "initiative": "chits",
    "setup_order": "scenario_types",
    "nvr": "nvr",
    "weather": "weather",
    "game_end": "circled",
    "blocks": "blocks",
    "entry": "entry_areas",
}

IN_PLAY = """
9.31 German|9.31 British|CG14|CG17 *|CG17 **|CG19c|CG20|CG21|CG24c|CG24f|CG24g
"""

SEED = Path(__file__).parents[3] / "shared" / "seeds"
PHRASE = 9
"""So many words in a row that the source has too are not our own."""

ABSENT = re.compile(r"\bnot in the text we have\b")


@pytest.fixture(scope="module")
def index() -> RulesIndex:
    return RulesIndex.load_packaged(PACKAGE)


@pytest.fixture(scope="module")
def readings() -> Readings:
    return Readings.load_packaged(PACKAGE)


def listed() -> set[str]:
    numbers = {f"ABtF {number}" for number in NUMBERS.split()}
    numbers |= {f"ABtF GEO-{number}" for number in range(1, 13)}
    return numbers | {f"ABtF {number} {part}" for number, parts in PARTS.items() for part in parts.split("|")}


def absent(index: RulesIndex) -> list[Clause]:
    """Return the clauses of which we have no more than the name."""
    head = re.compile(r"The (rule|chart|map|footnote)s? itself is not in|themselves are not in")
    return [clause for clause in index.values() if head.search(clause.text)]


def test_it_has_every_clause_of_the_list_and_no_other(index: RulesIndex) -> None:
    assert tuple(index.chapters) == CHAPTERS
    assert set(index) == listed()


def test_what_players_keep_in_mind_is_shown(index: RulesIndex) -> None:
    for number in IN_PLAY.strip().split("|"):
        assert index[f"ABtF {number}"].remind, number
    for id_ in ("ABtF CG24", *(f"ABtF CG24{letter}" for letter in "abcdefg")):
        assert index[id_].remind == (Moment.NIGHT,), id_
    for moment in ("creation", "weather", "purchase", "setup", "night", "play", "cc"):
        assert index.reminders(moment), moment


def test_what_we_do_not_have_is_said(index: RulesIndex) -> None:
    """Each such clause tells what is asked, and which chart makes it computed, if any does."""
    clauses = absent(index)
    assert clauses
    for clause in clauses:
        assert ABSENT.search(clause.text), clause.id
        if clause.handling is Handling.ASKED:
            assert "Asked" in clause.text, clause.id
        if clause.chart:
            assert f"“{CHARTS[clause.chart]}”" in clause.text, clause.id
        else:
            assert re.search(r"[Nn]o chart|charts named there", clause.text), clause.id


def test_what_was_handed_down_is_not_passed_off_as_published(index: RulesIndex) -> None:
    handed = "anded down without the printed page"
    told = [clause.id for clause in index.values() if handed in clause.text]
    assert told == ["ABtF 9.51", "ABtF 9.6"]
    for id_ in told:
        assert "to be confirmed by the module's owner" in index[id_].text
    figures = index["ABtF 9.51"].text.partition(handed)[2]
    for figure in ("17N", "19AM", "5 and 5", "4 and 5", "10 German CPP", "30 British CPP"):
        assert figure in figures, figure


def test_charts_are_those_of_the_card(index: RulesIndex) -> None:
    assert {clause.chart for clause in index.values()} - {None} == set(CHARTS)


def test_charts_are_entered_under_the_names_that_are_told(index: RulesIndex) -> None:
    known = {*TABLES, "card", "entry_areas", "blocks"}
    for model in (Card, CgDate, SideCard, Victory, HaslCharts, SideCharts, RgLine):
        known |= set(model.model_fields)
    for clause in index.values():
        for name in re.findall(r"“([a-z_-]+)”", clause.text):
            assert name in known, (clause.id, name)


def test_readings_are_short_questions(readings: Readings) -> None:
    assert len(readings) >= 24
    for reading in readings.values():
        assert next(iter(reading.options)) == reading.default, reading.id
        for line in (reading.question, reading.why, reading.changes, *reading.options.values()):
            assert len(line) <= 130, reading.id
        assert reading.question.endswith("?")


def test_numbers_in_the_words_are_clauses(index: RulesIndex, readings: Readings) -> None:
    texts = {clause.id: clause.text for clause in index.values()}
    texts |= {reading.id: f"{reading.why} {reading.changes}" for reading in readings.values()}
    for id_, text in texts.items():
        for number in re.findall(r"(?<![A-Z\d.])(?:9\.\d+|5\.[12]|6\.3)\b", text):
            assert f"ABtF {number}" in index, (id_, number)
        for rule in re.findall(r"\bCG\d+[a-g]?\b", text):
            assert f"ABtF {rule}" in index, (id_, rule)
        for rule in re.findall(r"\bGEO-\d+\b|\bSSR \d+\b", text.replace("CG SSR", "")):
            assert f"ABtF {rule}" in index, (id_, rule)


def phrases(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9]+", text.casefold())
    return {tuple(words[at : at + PHRASE]) for at in range(len(words) - PHRASE + 1)}


def test_words_are_our_own(index: RulesIndex, readings: Readings) -> None:
    sources = sorted(SEED.glob("001*.txt"))
    if not sources:
        pytest.skip("the source text is not beside this checkout; there is nothing to compare with")
    source = phrases(sources[0].read_text(encoding="utf-8"))
    assert len(source) > 4000
    for clause in index.values():
        copied = [" ".join(words) for words in phrases(clause.text) & source]
        assert not copied, (clause.id, copied)
    for reading in readings.values():
        text = " ".join((reading.question, *reading.options.values(), reading.why, reading.changes))
        copied = [" ".join(words) for words in phrases(text) & source]
        assert not copied, (reading.id, copied)


def test_search(index: RulesIndex) -> None:
    assert index.search("abtf cg22")[0].id == "ABtF CG22"
    assert [clause.id for clause in index.search("walking wounded")][:3] == [
        "ABtF CG19", "ABtF CG19c", "ABtF 9.610",
    ]  # fmt: skip
    assert index.chapter_of("ABtF 9.6202") == "9.6 Refit Phase"
