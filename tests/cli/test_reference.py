"""Cards, rules and tables to read; rulesets of others that cannot be loaded."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .conftest import Laager


def test_cards_are_listed_with_their_rules(laager: Laager) -> None:
    lines = [" ".join(line.split()) for line in laager.well("cards").splitlines()]
    assert "evening parlour An evening in the parlour house" in lines
    assert "rzhavets pl Night March to Rzhavets house" in lines
    assert "begin one with: laager new CARD" in lines


def test_all_clauses_are_listed_by_chapter(laager: Laager) -> None:
    lines = laager.well("rules", "parlour").splitlines()
    assert lines[0] == "1 The evening"
    assert lines[2] == "  PARLOUR 2  Plans"
    assert lines[-1] == "read one with: laager rules parlour 1"


@pytest.mark.parametrize("words", [["2"], ["PARLOUR", "2"], ["parlour 2"]])
def test_a_clause_is_shown_with_what_goes_with_it(laager: Laager, words: list[str]) -> None:
    out = laager.well("rules", "parlour", *words)
    assert out.startswith("PARLOUR 2  Plans\n1 The evening; Laager asks what only the players know")
    assert "table: laager table parlour nerve\n" in out
    assert "readings: early-tea (laager rules parlour --readings)\n" in out
    assert "see PARLOUR 5  Manners\n" in out


def test_a_clause_leads_to_its_code(laager: Laager) -> None:
    out = laager.well("rules", "er", "1.5188", "--code")
    assert re.search(r"board/hasl/buying/groups\.py:\d+  purchase_record\n +Return a side's RG Purchase Record", out)
    (place,) = json.loads(laager.well("rules", "pl", "3.32", "--code", "--json"))
    assert place["name"] == "evacuation"
    assert laager.well("rules", "pl", "1.0", "--code") == "PL 1.0 has no code: the players do it; Laager reminds them\n"
    assert "--code goes with a clause" in laager("rules", "pl", "--code").err


def test_a_search_finds_clauses(laager: Laager) -> None:
    out = laager.well("rules", "parlour", "--search", "stake")
    assert "PARLOUR 4  Stakes" in out
    assert "PARLOUR 1" not in out.replace("laager rules parlour", "")


def test_coverage_says_what_carries_each_clause_out(laager: Laager) -> None:
    out = laager.well("rules", "parlour", "--coverage")
    assert "7 clauses: 1 computed, 5 asked, 1 reminded; 0 without anything behind them" in out
    assert "shown: purchase" in out


def test_readings_show_options_default_and_reason(laager: Laager) -> None:
    out = laager.well("rules", "parlour", "--readings")
    assert "early-tea (PARLOUR 2)\n  When is tea?\n  * five: At five o'clock.\n    four:" in out
    assert "    why: It has always been so.\n" in out


def test_a_table_shows_the_odds(laager: Laager) -> None:
    out = laager.well("table", "parlour", "nerve")
    assert "3/6  50.0 %" in out
    assert "The bid is above 3" in out
    moved = laager.well("table", "parlour", "nerve", "--drm", "2")
    assert "Nerve (PARLOUR 2) at +2" in moved
    assert "1/6  16.7 %" in moved
    assert laager.well("table", "parlour", "nerve", "--drm", "-1").count("%") == 2


def test_the_tables_of_platoon_leader_fit(laager: Laager) -> None:
    from laager.tables import load_packaged

    for name in load_packaged("laager.rules.platoon_leader", "tables.yaml"):
        out = laager.well("table", "pl", name)
        assert max(len(line) for line in out.splitlines()) <= 100, name


def test_rules_of_others_that_cannot_be_loaded_do_not_stop_ours(
    laager: Laager, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("broken")
    info = folder / "broken_rules-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-rules\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[laager.rulesets]\nbroken = nowhere.at_all:RULESET\n")
    monkeypatch.syspath_prepend(folder)
    for words in (["cards"], ["new", "evening"]):
        ended = laager(*words)
        assert ended.code == 0
        assert ended.err == (
            "laager: the rules 'broken' can't be loaded (ModuleNotFoundError: No module named 'nowhere')\n"
        )
    laager.well("status")
    laager.well("new", Path(__file__).parent / "parlour" / "cards" / "evening.yaml", "-f", "b.laager")
