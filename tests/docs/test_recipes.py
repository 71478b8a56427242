"""The recipes of the documentation, followed: their blocks are put together and run."""

from __future__ import annotations

import re
from copy import copy
from pathlib import Path
from typing import Any

import pytest

from laager.base.files import parse_document
from laager.campaign.audit import audit
from laager.campaign.clause_places import places_of
from laager.campaign.clauses import Handling, RulesIndex
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.readings import Reading, Readings
from laager.rules.board import context
from laager.rules.board.hasl.state import Round
from laager.rules.board.sequence import Sequences
from laager.rules.edsons_ridge.ruleset import RULESET
from laager.rules.edsons_ridge.sequence import FROM_NEW_DATE
from laager.tables import TableSet, load_packaged
from laager.tables.load import tables_of
from tests.edsons_ridge.scene import scene
from tests.old_campaigns.test_logs import text
from tests.steps import play

from .pages import DOCS, blocks, text_of

PAGE = DOCS / "contributing" / "recipes.md"
TABLES = "laager.rules.edsons_ridge", "tables.yaml"
LOG = "er-kokusa-ridge"


def block(name: str) -> str:
    """Return the block of code behind a marker of the page."""
    line = text_of(PAGE)[: text_of(PAGE).index(f"<!-- recipe: {name} -->")].count("\n") + 1
    return next(each.text for each in blocks(PAGE) if each.line > line)


def run(name: str, **given: Any) -> dict[str, Any]:
    """Run a block of Python and return its names."""
    names: dict[str, Any] = {"__name__": f"recipe_{name}", **given}
    exec(compile(block(name), str(PAGE), "exec"), names)
    return names


def table() -> TableSet:
    return tables_of(parse_document(f"laager: tables/1\nsource: the recipe\ntables:\n{block('table')}", "recipe"))


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the rules have the table and the reading of the recipes."""
    (entry,) = parse_document(block("reading"), "").data
    tables = TableSet({**load_packaged(*TABLES), **table()})
    readings = Readings({**Readings.load_packaged(TABLES[0]), entry["id"]: Reading.model_validate(entry)})
    monkeypatch.setattr(context, "printed_tables", lambda package: tables)
    monkeypatch.setattr(Readings, "load_packaged", staticmethod(lambda package: readings))


def test_the_clause_leads_to_the_modifier_and_changing_it_there_is_enough() -> None:
    place = next(place for place in places_of(TABLES[0], "ER 1.5193") if place.name == "tables.leader.modifiers.raider")
    lines = Path(place.file).read_text(encoding="utf-8").splitlines()
    new = block("modifier").strip()
    assert lines[place.line - 1].strip() == new.replace("value: -2", "value: -1")
    lines[place.line - 1] = f"      {new}"
    changed = tables_of(parse_document("\n".join(lines), "tables.yaml"))
    assert changed["leader"].modifier("raider").value == -2
    assert load_packaged(*TABLES)["leader"].modifier("raider").value == -1


def test_the_table_has_a_row_for_each_roll_and_its_odds() -> None:
    foraging = table()["foraging"]
    assert [odds.probability.numerator for odds in foraging.odds()] == [2, 1]
    assert [foraging.result(final) for final in (0, 4, 5, 7)] == ["nothing", "nothing", "food", "food"]


def test_the_clause_is_one_of_the_index() -> None:
    chapter = f"laager: rules-index/1\nruleset: er\nchapter: House rules\nclauses:\n{indent(block('clause'))}"
    clause = RulesIndex.of([parse_document(chapter, "recipe")])["ER HR1"]
    assert (clause.handling, clause.tables, clause.readings) == (Handling.ASKED, ("foraging",), ("foraging-rain",))


def indent(code: str) -> str:
    return "".join(f"  {line}" for line in code.splitlines(keepends=True))


@pytest.mark.usefixtures("rules")
@pytest.mark.parametrize(
    ("answer", "rain", "reading", "face", "gain"),
    [
        (False, False, "hinders", 6, 0),
        (True, False, "hinders", 4, 0),
        (True, False, "hinders", 5, 1),
        (True, True, "hinders", 5, 0),
        (True, True, "ignored", 5, 1),
    ],
)
def test_the_procedure_asks_rolls_and_tells_its_side_alone(
    answer: bool, rain: bool, reading: str, face: int, gain: int
) -> None:
    cg: Any = scene(readings={"foraging-rain": reading})
    cg.state = cg.state.with_scenario(rain=rain)
    before = cg.state.side("allied").cpp
    played = play(run("step")["foraging"], cg, "allied", [("forage", answer)], [[face]] if answer else [])
    assert cg.state.side("allied").cpp == before + gain
    assert all(question.secret for question in played.asked)
    assert all(roll.secret for roll, _ in played.rolls)
    assert all(fact.to == ("allied",) for fact in played.facts)


@pytest.mark.usefixtures("rules")
def test_an_old_campaign_goes_on_with_the_new_step_and_verifies() -> None:
    step = run("step")["foraging"]
    steps = run("sequence", FROM_NEW_DATE=FROM_NEW_DATE, foraging=step)["FROM_NEW_DATE"]
    assert len(steps) == len(FROM_NEW_DATE) + 1
    assert [each.id for each in steps][steps.index(step) + 1] == "buying"

    ruleset = copy(RULESET)
    rounds = dict(RULESET.sequences.rounds)
    for round_ in (Round.REFIT, Round.IDLE):
        rounds[round_] = (*rounds[round_][: -len(FROM_NEW_DATE)], *steps)
    ruleset.sequences = Sequences(rounds, RULESET.sequences.optional)
    ruleset.steps = ruleset.sequences.steps
    lines = text(LOG).splitlines(keepends=True)
    for begun in ("new-date", "buying"):
        cut = max(i for i, line in enumerate(lines) if f'"step":"{begun}"'.encode() in line)
        campaign = Campaign(MemoryStore(b"".join(lines[:cut])), ruleset=ruleset)
        campaign.advance()
        asked = set[str]()
        for _ in range(80):
            for pending in campaign.pending()[:1]:
                asked.add(pending.key)
                value = True if pending.key == "forage" else pending.question and pending.question.default
                campaign.answer(pending.side, pending.key, value)
        assert "forage" in asked
        assert isinstance(campaign.store, MemoryStore)
        assert audit(Campaign(MemoryStore(campaign.store.data), ruleset=ruleset)).sound


def test_the_reading_has_the_old_rule_as_default() -> None:
    (entry,) = parse_document(block("reading"), "").data
    readings = Readings({entry["id"]: Reading.model_validate(entry)})
    assert readings.value({}, "foraging-rain") == "hinders"
    assert readings.value({"foraging-rain": "ignored"}, "foraging-rain") == "ignored"


def test_every_recipe_has_its_test() -> None:
    names = set(re.findall(r"<!-- recipe: (\w+) -->", text_of(PAGE)))
    assert names == {"modifier", "table", "clause", "step", "sequence", "reading", "page", "template"}
