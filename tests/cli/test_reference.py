"""Cards, rules and tables to read; rulesets of others that cannot be loaded."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from laager.campaign.cards import find_card

from .conftest import Laager


def test_cards_are_listed_with_their_rules(laager: Laager) -> None:
    lines = [" ".join(line.split()) for line in laager.well("cards", COLUMNS="200").splitlines()]
    assert "evening An evening in the parlour parlour" in lines
    assert "all of them are house data, made for Laager" in lines
    told = "Eastern Front, Jul 1943: Germans, Soviets 8 firefights, 6 to 8 evenings"
    assert f"rzhavets Night March to Rzhavets pl {told}" in lines
    assert "begin one with: laager new CARD; read more with: laager cards CARD" in lines


def test_one_card_tells_all_that_players_compare(laager: Laager) -> None:
    out = laager.well("cards", "rzhavets")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0] == "Night March to Rzhavets"
    assert "Time 6 to 8 evenings (the designer's estimate)" in lines
    assert "Where and when Eastern Front, 12 to 16 July 1943" in lines
    assert "You need The ASL rules, chapters A to E and H" in lines
    assert "Data house data" in lines
    assert "Boards 3, 16" in [" ".join(line.split()) for line in laager.well("cards", "vistula").splitlines()]
    (laager.folder / "mine.yaml").write_text(
        shipped_text("training").replace("playing_time", "# playing_time"), encoding="utf-8"
    )
    mine = laager.well("cards", "mine.yaml")
    assert "3 evenings (our estimate: an evening for each battle)" in mine
    assert mine.endswith("begin with: laager new mine.yaml\n")


def shipped_text(card: str) -> str:
    return find_card(card, None)[0].read_text(encoding="utf-8")


def test_one_card_as_json(laager: Laager) -> None:
    found = json.loads(laager.well("cards", "rzhavets", "--json"))
    assert found["takes"] == {"least": 6, "most": 8, "unit": "evenings", "estimated": False}
    assert (found["first"], found["last"]) == ("1943-07-12", "1943-07-16")
    assert found in json.loads(laager.well("cards", "--json"))


def test_a_card_is_named_or_chosen(laager: Laager) -> None:
    ended = laager("new")
    assert (ended.code, ended.out) == (2, "")
    assert "name a card; laager cards lists those" in ended.err


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
    out = laager.well("rules", "er", "1.5193", "--code")
    assert re.search(r"edsons_ridge/groups\.py:\d+  leader_conditions\n", out)
    places = json.loads(laager.well("rules", "er", "1.5193", "--code", "--json"))
    data = {place["name"]: place for place in places if place["file"].endswith("tables.yaml")}
    assert data["tables.leader"]["about"].startswith("Leader of a group: rows from line ")
    raider = data["tables.leader.modifiers.raider"]
    assert raider["about"] == "-1: Raider Platoon"
    assert "id: raider" in Path(raider["file"]).read_text().splitlines()[raider["line"] - 1]
    place = json.loads(laager.well("rules", "pl", "3.32", "--code", "--json"))[0]
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
